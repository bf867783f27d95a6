//! What is closed of a parcours, and the way round it.

use axum::Json;
use axum::extract::State;
use domain::closure::{ClosedStretch, ClosureKind, ClosureShape, ClosureState};
use domain::{ParcoursId, Text};
use planner::{Detour, DetourRequest, Profile, RouteEngine};
use serde::{Deserialize, Serialize};
use store::closure::{ParcoursClosure, of_parcours};
use store::parcours as rows;
use store::{Connection, StoreError};
use trace::{Part, Position};
use utoipa::ToSchema;

use super::compute::profile_named;
use super::error::ParcoursError;
use super::{access, trace::aside};
use crate::App;
use crate::extract::{Path, Reader};

/// For so many closed stretches of one parcours a way round is looked for; each takes `planner::MAX_DETOUR_ROUTES` routes at most.
const MAX_SEARCHED: usize = 20;

/// A closure on a parcours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ParcoursClosureView {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub title: Text,
    /// Why, in one word.
    pub kind: ClosureKind,
    /// Why, in words.
    pub reason: Text,
    /// First day.
    pub from: String,
    /// Last day; none while nobody knows.
    pub to: Option<String>,
    /// How it stands today: `now` or `later`.
    pub state: ClosureState,
    /// Where the parcours is closed.
    pub stretches: Vec<ClosedStretch>,
}

impl ParcoursClosureView {
    fn of(found: &ParcoursClosure, today: &str) -> Self {
        let sheet = &found.closure.sheet;
        Self {
            id: found.closure.id,
            title: sheet.title.clone(),
            kind: sheet.kind,
            reason: sheet.reason.clone(),
            from: sheet.from.clone(),
            to: sheet.to.clone(),
            state: sheet.state(today),
            stretches: found.stretches.clone(),
        }
    }
}

/// What is closed of a parcours, today or later.
pub(crate) async fn closures_of(
    app: &App,
    db: &impl Connection,
    id: ParcoursId,
) -> Result<Vec<ParcoursClosureView>, StoreError> {
    let today = app.now().day();
    let found = of_parcours(db, id, &today).await?;
    Ok(found.iter().map(|closure| ParcoursClosureView::of(closure, &today)).collect())
}

/// A way round a closed stretch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DetourView {
    /// Where it leaves the parcours, metres from the start.
    pub from_m: f64,
    /// Where it comes back.
    pub to_m: f64,
    /// The line: degrees east and north, metres up where known.
    #[schema(value_type = Vec<Vec<f64>>)]
    pub line: Vec<Position>,
    /// Its length in metres.
    pub distance_m: f64,
    /// How much longer it is than what it replaces, in metres; negative when shorter.
    pub extra_m: f64,
}

/// A closure and the ways round it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClosureWithDetours {
    #[serde(flatten)]
    closure: ParcoursClosureView,
    /// One for each stretch, in its order; none where the planner finds no way round.
    detours: Vec<Option<DetourView>>,
}

/// The closures of a parcours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ParcoursClosures {
    /// Those of today and later, the first to begin first.
    items: Vec<ClosureWithDetours>,
}

/// What is closed of a parcours today or later, with a way round each stretch where the planner finds one.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/closures", tag = "parcours", params(("id" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 200, body = ParcoursClosures), ParcoursError))]
pub async fn list_parcours_closures(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
) -> Result<Json<ParcoursClosures>, ParcoursError> {
    let db = app.store.read();
    access::seen(db, id, &reader).await?;
    let today = app.now().day();
    let found = of_parcours(db, id, &today).await?;
    let trace = if found.is_empty() { None } else { rows::trace(db, id).await? };
    let (Some(engine), Some(trace)) = (app.engine.clone(), trace) else {
        let items = found.iter().map(|closure| without_detours(closure, &today)).collect();
        return Ok(Json(ParcoursClosures { items }));
    };
    let profile = profile_named(trace.summary.profile.as_deref()).unwrap_or(Profile::Hiking);
    let items = aside(move || {
        let (line, avoid) = (trace.line(), closed_parts(&found));
        let mut search = Search { engine: engine.as_ref(), profile, line: &line, avoid: &avoid, left: MAX_SEARCHED };
        found.iter().map(|closure| search.around(closure, &today)).collect()
    })
    .await?;
    Ok(Json(ParcoursClosures { items }))
}

fn without_detours(found: &ParcoursClosure, today: &str) -> ClosureWithDetours {
    let closure = ParcoursClosureView::of(found, today);
    ClosureWithDetours { detours: closure.stretches.iter().map(|_| None).collect(), closure }
}

fn closed_parts(found: &[ParcoursClosure]) -> Vec<Part> {
    found.iter().filter_map(|found| found.closure.sheet.geometry.as_ref().map(ClosureShape::part)).collect()
}

/// What ways round are looked for with.
struct Search<'a> {
    engine: &'a dyn RouteEngine,
    profile: Profile,
    line: &'a [Position],
    avoid: &'a [Part],
    /// Stretches for which one may still be looked for.
    left: usize,
}

impl Search<'_> {
    fn around(&mut self, found: &ParcoursClosure, today: &str) -> ClosureWithDetours {
        let closure = ParcoursClosureView::of(found, today);
        ClosureWithDetours { detours: closure.stretches.iter().map(|stretch| self.detour(stretch)).collect(), closure }
    }

    fn detour(&mut self, closed: &ClosedStretch) -> Option<DetourView> {
        self.left = self.left.checked_sub(1)?;
        let Self { line, avoid, profile, .. } = *self;
        let request = DetourRequest { line, closed_m: (closed.from_m, closed.to_m), avoid, profile };
        planner::detour(self.engine, request).map(Into::into)
    }
}

impl From<Detour> for DetourView {
    fn from(Detour { from_m, to_m, line, distance_m, extra_m }: Detour) -> Self {
        Self { from_m, to_m, line, distance_m, extra_m }
    }
}

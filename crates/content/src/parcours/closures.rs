//! The closures of a parcours, and their detours.

use app::App;
use app::extract::{Path, Reader};
use axum::Json;
use axum::extract::State;
use domain::closure::{ClosedStretch, ClosureKind, ClosureShape, ClosureSheet, ClosureState, Detour};
use domain::{ParcoursId, Text};
use routing::{DetourRequest, MAX_AVOIDED, Profile, RouteEngine};
use serde::{Deserialize, Serialize};
use store::closure::detour::closed_near;
use store::closure::{ParcoursClosure, of_parcours};
use store::parcours::{self as rows, StoredTrace};
use store::record::Stored;
use store::{Connection, StoreError};
use trace::{Part, Position};
use utoipa::ToSchema;

use super::compute::profile_kept;
use super::error::ParcoursError;
use super::{access, trace::run_blocking};

/// The most closed stretches of one parcours for which a detour is searched; each takes at most `routing::MAX_DETOUR_ROUTES` routes.
const MAX_SEARCHED: usize = 20;
/// A way round keeps out of all that is closed this near to the parcours.
const CLOSED_NEAR_M: f64 = 4_000.0;

/// A closure on a parcours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ParcoursClosureView {
    pub id: i64,
    pub title: Text,
    /// Why, in one word.
    pub kind: ClosureKind,
    /// Why, in words.
    pub reason: Text,
    /// First day.
    pub from: String,
    /// Last day; absent while it is not known.
    pub to: Option<String>,
    /// Its state today: `now` or `later`.
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

/// The closures of a parcours, of today and of later.
pub(crate) async fn closures_of(
    app: &App,
    db: &impl Connection,
    id: ParcoursId,
) -> Result<Vec<ParcoursClosureView>, StoreError> {
    let today = app.today();
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
    pub line: Vec<Position>,
    /// Its length in metres.
    pub distance_m: f64,
    /// How much longer it is than what it replaces, in metres; negative when shorter.
    pub extra_m: f64,
    /// Whether visitors are shown it while the closure lasts; else it is proposed by the planner.
    pub published: bool,
}

impl DetourView {
    pub(super) fn published(Detour { from_m, to_m, line, distance_m, extra_m }: Detour) -> Self {
        Self { from_m, to_m, line, distance_m, extra_m, published: true }
    }
}

/// A closure and the ways round it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClosureWithDetours {
    #[serde(flatten)]
    pub(super) closure: ParcoursClosureView,
    /// One for each stretch, in its order; none where the planner finds no way round.
    pub(super) detours: Vec<Option<DetourView>>,
}

/// The closures of a parcours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ParcoursClosures {
    /// The closures of today and later, in order of their first day.
    items: Vec<ClosureWithDetours>,
}

/// What is closed of a parcours today or later, with a way round each stretch: the published one, else the one that the planner
/// finds.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/closures", tag = "parcours", params(("id" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 200, body = ParcoursClosures), ParcoursError))]
pub async fn list_parcours_closures(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
) -> Result<Json<ParcoursClosures>, ParcoursError> {
    let db = app.store.read();
    access::seen(db, id, &reader).await?;
    let found = of_parcours(db, id, &app.today()).await?;
    let trace = if found.is_empty() { None } else { rows::trace(db, id).await? };
    Ok(Json(ParcoursClosures { items: with_detours(&app, found, trace).await? }))
}

/// Closures with the ways round them.
pub(super) async fn with_detours(
    app: &App,
    found: Vec<ParcoursClosure>,
    trace: Option<StoredTrace>,
) -> Result<Vec<ClosureWithDetours>, ParcoursError> {
    let today = app.today();
    let (Some(engine), Some(trace)) = (app.region().engine.clone(), trace) else {
        return Ok(found.iter().map(|closure| around(closure, &today, &mut |_| None)).collect());
    };
    let profile = profile_kept(trace.summary.profile.as_deref(), None).unwrap_or(Profile::Hiking);
    let line = trace.line();
    let Some(bbox) = trace::bbox(&line) else { return Ok(Vec::new()) };
    let near = closed_near(app.store.read(), trace::widened(bbox, CLOSED_NEAR_M), &today, MAX_AVOIDED).await?;
    let items = run_blocking(move || {
        let mut search =
            Search { engine: engine.as_ref(), profile, line: &line, avoid: &parts(&near), left: MAX_SEARCHED };
        found.iter().map(|closure| around(closure, &today, &mut |stretch| search.detour(stretch))).collect()
    })
    .await?;
    Ok(items)
}

fn around(
    found: &ParcoursClosure,
    today: &str,
    search: &mut dyn FnMut(&ClosedStretch) -> Option<DetourView>,
) -> ClosureWithDetours {
    let closure = ParcoursClosureView::of(found, today);
    let one = |(stretch, published): (&ClosedStretch, &Option<Detour>)| match published {
        Some(published) => Some(DetourView::published(published.clone())),
        None => search(stretch),
    };
    ClosureWithDetours { detours: closure.stretches.iter().zip(&found.detours).map(one).collect(), closure }
}

fn parts(closures: &[Stored<ClosureSheet>]) -> Vec<Part> {
    closures.iter().filter_map(|closure| closure.sheet.geometry.as_ref().map(ClosureShape::part)).collect()
}

/// What a search for detours needs.
struct Search<'a> {
    engine: &'a dyn RouteEngine,
    profile: Profile,
    line: &'a [Position],
    avoid: &'a [Part],
    /// Stretches for which a detour may still be searched.
    left: usize,
}

impl Search<'_> {
    fn detour(&mut self, closed: &ClosedStretch) -> Option<DetourView> {
        self.left = self.left.checked_sub(1)?;
        let Self { line, avoid, profile, .. } = *self;
        let request = DetourRequest { line, closed_m: (closed.from_m, closed.to_m), avoid, profile };
        routing::detour(self.engine, request).map(Into::into)
    }
}

impl From<routing::Detour> for DetourView {
    fn from(routing::Detour { from_m, to_m, line, distance_m, extra_m }: routing::Detour) -> Self {
        Self { from_m, to_m, line, distance_m, extra_m, published: false }
    }
}

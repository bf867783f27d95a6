//! Publishing the way round a closed stretch, and taking it back (decision 0039).

use app::App;
use app::extract::{Body, Path, Publisher};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::ParcoursId;
use domain::closure::{ClosedStretch, Detour};
use serde::Deserialize;
use store::closure::detour::{PublishedDetour, fits, publish, withdraw};
use store::closure::{ParcoursClosure, of_parcours};
use store::{Connection, StoreError, parcours as rows};
use tracing::instrument;
use utoipa::ToSchema;

use super::access::{held, own};
use super::closures::{DetourView, with_detours};
use super::error::{ParcoursError, ParcoursRefusal};

/// Two ways round whose figures differ by less are the same.
const SAME_M: f64 = 1.0;

/// The way round that was proposed. It is looked for again; a different one is not published.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "units belong in names")]
pub struct DetourToPublish {
    /// Where it leaves the parcours, metres from the start.
    from_m: f64,
    /// Where it comes back.
    to_m: f64,
    /// Its length in metres.
    distance_m: f64,
}

impl DetourToPublish {
    fn is(&self, found: &DetourView) -> bool {
        let pairs = [(self.from_m, found.from_m), (self.to_m, found.to_m), (self.distance_m, found.distance_m)];
        pairs.into_iter().all(|(asked, found)| (asked - found).abs() < SAME_M)
    }
}

/// One closure of a parcours.
async fn closure(
    app: &App,
    db: &impl Connection,
    id: ParcoursId,
    closure: i64,
) -> Result<Option<ParcoursClosure>, StoreError> {
    let found = of_parcours(db, id, &app.today()).await?;
    Ok(found.into_iter().find(|found| found.closure.id == closure))
}

fn stretch_of(found: Option<&ParcoursClosure>, number: usize) -> Result<ClosedStretch, ParcoursError> {
    found.and_then(|found| found.stretches.get(number).copied()).ok_or_else(|| ParcoursRefusal::NoDetour.into())
}

/// Show visitors the way round a closed stretch while the closure lasts. `stretch` counts the closed stretches of the parcours
/// from 0.
#[utoipa::path(put, path = "/api/v1/parcours/{id}/closures/{closure_id}/detours/{stretch}", tag = "parcours",
    params(("id" = i64, Path), ("closure_id" = i64, Path), ("stretch" = u32, Path)), request_body = DetourToPublish,
    security(("session" = ["content.publish"])), responses((status = 200, body = DetourView), ParcoursError))]
#[instrument(name = "detour.publish", skip_all, fields(parcours.id = %id))]
pub async fn publish_detour(
    State(app): State<App>,
    publisher: Publisher,
    Path((id, closure_id, number)): Path<(ParcoursId, i64, u32)>,
    Body(asked): Body<DetourToPublish>,
) -> Result<Json<DetourView>, ParcoursError> {
    let number = number as usize;
    let db = app.store.read();
    // The right to publish is checked before the planner works.
    own(db, id, &publisher).await?;
    let mut found = closure(&app, db, id, closure_id).await?;
    let closed = stretch_of(found.as_ref(), number)?;
    if let Some(found) = &mut found {
        // The published one is not asked for again, and the other stretches are of no interest.
        found.stretches = vec![closed];
        found.detours = vec![None];
    }
    let trace = rows::trace(db, id).await?;
    let proposed = with_detours(&app, found.into_iter().collect(), trace).await?;
    let proposed = proposed.into_iter().flat_map(|closure| closure.detours).flatten().next();
    let proposed = proposed.ok_or(ParcoursRefusal::NoDetour)?;
    if !asked.is(&proposed) {
        return Err(ParcoursRefusal::DetourChanged.into());
    }
    let DetourView { from_m, to_m, line, distance_m, extra_m, .. } = proposed;
    let detour = Detour { from_m, to_m, line, distance_m, extra_m };
    let tx = app.store.begin().await?;
    held(&tx, id, &publisher).await?;
    let line = rows::trace(&tx, id).await?.map(|trace| trace.line()).unwrap_or_default();
    // Another user may have saved while the planner worked.
    if stretch_of(closure(&app, &tx, id, closure_id).await?.as_ref(), number)? != closed || !fits(&detour, &line) {
        return Err(ParcoursRefusal::DetourChanged.into());
    }
    let published = PublishedDetour { closure_id, parcours_id: id, closed, detour };
    publish(&tx, &published, publisher.user_id, app.now()).await?;
    tx.commit().await?;
    Ok(Json(DetourView::published(published.detour)))
}

/// Show visitors the way round no longer.
#[utoipa::path(delete, path = "/api/v1/parcours/{id}/closures/{closure_id}/detours/{stretch}", tag = "parcours",
    params(("id" = i64, Path), ("closure_id" = i64, Path), ("stretch" = u32, Path)),
    security(("session" = ["content.publish"])), responses((status = 204), ParcoursError))]
#[instrument(name = "detour.withdraw", skip_all, fields(parcours.id = %id))]
pub async fn withdraw_detour(
    State(app): State<App>,
    publisher: Publisher,
    Path((id, closure_id, number)): Path<(ParcoursId, i64, u32)>,
) -> Result<StatusCode, ParcoursError> {
    let tx = app.store.begin().await?;
    held(&tx, id, &publisher).await?;
    let closed = stretch_of(closure(&app, &tx, id, closure_id).await?.as_ref(), number as usize)?;
    if !withdraw(&tx, closure_id, id, closed).await? {
        return Err(ParcoursRefusal::NoDetour.into());
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

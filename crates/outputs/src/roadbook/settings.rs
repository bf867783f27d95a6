//! The settings of a roadbook: read, and saved whole.

use app::App;
use app::extract::{Body, Editor, IfMatch, Path, Reader};
use app::record::Refusal;
use app::record::{LockedReason, Named, lock_of};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::ETAG;
use content::parcours::access::{held, seen};
use content::parcours::{ParcoursError, ParcoursRefusal};
use domain::record::Kind;
use domain::roadbook::RoadbookSettings;
use domain::{Actor, Capability, Fault, Instant, ParcoursId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::access::Access;
use store::{Connection, StoreError, roadbook as rows};
use utoipa::ToSchema;

/// What is set of the roadbook of a parcours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RoadbookView {
    pub id: ParcoursId,
    /// Number of its last save, also its ETag; 0 before the first save.
    pub version: i64,
    /// The settings; before the first save, the defaults.
    pub settings: RoadbookSettings,
    /// Whether this person may change it.
    pub editable: bool,
    /// Why it cannot be changed.
    pub locked_reason: Option<LockedReason>,
    pub updated_at: Option<Instant>,
    /// Who saved it last.
    pub updated_by: Option<Named>,
}

type Tagged = ([(HeaderName, String); 1], Json<RoadbookView>);

fn tagged(view: RoadbookView) -> Tagged {
    ([(ETAG, format!("\"{}\"", view.version))], Json(view))
}

/// What is set of the roadbook of a parcours. Of a shared one, other white-labels read the pages and the layout: neither who
/// travels and when, nor contacts, stays and vouchers, nor who saved it.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/roadbook", tag = "roadbook", params(("id" = i64, Path)), security(("session" = ["content.read"])),
    responses((status = 200, body = RoadbookView), ParcoursError))]
#[tracing::instrument(name = "roadbook.show", skip_all, fields(parcours.id = %id))]
pub async fn show_roadbook(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
) -> Result<Tagged, ParcoursError> {
    let db = app.store.read();
    let header = seen(db, id, &reader).await?;
    let view = view(db, id, lock_of(&reader, header.white_label_id)).await?;
    Ok(tagged(if reader.works_in(header.white_label_id) { view } else { for_others(db, &reader, view).await? }))
}

/// What another white-label reads of a shared parcours' roadbook.
async fn for_others(db: &impl Connection, actor: &Actor, mut view: RoadbookView) -> Result<RoadbookView, StoreError> {
    view.settings = view.settings.for_everybody();
    view.settings.stays.clear();
    let ids: Vec<i64> = view.settings.media().into_iter().map(|(_, id)| id).collect();
    let hidden = Access::of(actor).unusable_of(db, Kind::Media, &ids).await?;
    view.settings.forget_media(&hidden);
    view.updated_by = None;
    Ok(view)
}

/// Save what is set of the roadbook, whole. `If-Match` names the version it was made from; `"0"` for one never saved.
#[utoipa::path(put, path = "/api/v1/parcours/{id}/roadbook", tag = "roadbook", request_body(content = RoadbookSettings),
    params(("id" = i64, Path), ("If-Match" = String, Header)), security(("session" = ["content.write"])),
    responses((status = 200, body = RoadbookView), ParcoursError))]
#[tracing::instrument(name = "roadbook.update", skip_all, fields(parcours.id = %id))]
pub async fn update_roadbook(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<ParcoursId>,
    version: IfMatch,
    Body(mut settings): Body<RoadbookSettings>,
) -> Result<Tagged, ParcoursError> {
    let tx = app.store.begin().await?;
    held(&tx, id, &editor).await?;
    let before = view(&tx, id, None).await?;
    if !version.accepts(before.version) {
        return Err(Refusal::Stale { base_version: version.version(), current: json!(before) }.into());
    }
    settings.clean();
    check(&app, &tx, &editor, (&before.settings, &settings)).await?;
    rows::save(&tx, id, &settings, editor.user_id, app.now()).await?;
    let after = view(&tx, id, None).await?;
    tx.commit_aside().await?;
    Ok(tagged(after))
}

/// Refuses what may not be set, and what this person may not set.
pub(super) async fn check(
    app: &App,
    db: &impl Connection,
    actor: &Actor,
    (before, after): (&RoadbookSettings, &RoadbookSettings),
) -> Result<(), ParcoursError> {
    if let Some(part) = after.agency_parts_changed(before).filter(|_| !actor.can(Capability::AgencyFields)) {
        return Err(ParcoursRefusal::AgencyOnly { field: format!("/{part}") }.into());
    }
    let mut errors = after.faults(&app.settings.content_languages);
    errors.extend(media_faults(db, actor, &before.media(), after.media()).await?);
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}

/// A fault for each medium that is new and that this person may not point to. Both lists name media with their fields.
pub(super) async fn media_faults(
    db: &impl Connection,
    actor: &Actor,
    before: &[(String, i64)],
    mut after: Vec<(String, i64)>,
) -> Result<Vec<Fault>, StoreError> {
    after.retain(|(_, id)| !before.iter().any(|(_, known)| known == id));
    let ids: Vec<i64> = after.iter().map(|(_, id)| *id).collect();
    let refused = Access::of(actor).unusable_of(db, Kind::Media, &ids).await?;
    after.retain(|(_, id)| refused.contains(id));
    let fault = |(field, id): (String, i64)| Fault::new("validation/unknown-reference", field).with("id", id);
    Ok(after.into_iter().map(fault).collect())
}

/// The saved settings; for a roadbook never saved, the defaults.
pub(super) async fn kept(db: &impl Connection, id: ParcoursId) -> Result<RoadbookSettings, StoreError> {
    Ok(rows::find(db, id).await?.map(|kept| kept.settings).unwrap_or_default())
}

async fn view(
    db: &impl Connection,
    id: ParcoursId,
    locked_reason: Option<LockedReason>,
) -> Result<RoadbookView, StoreError> {
    let kept = rows::find(db, id).await?;
    let updated_at = kept.as_ref().map(|kept| kept.updated_at);
    let (version, settings, by) =
        kept.map_or_else(Default::default, |kept| (kept.version, kept.settings, kept.updated_by));
    Ok(RoadbookView {
        id,
        version,
        settings,
        editable: locked_reason.is_none(),
        locked_reason,
        updated_at,
        updated_by: by.map(|(user, name)| Named { id: user.0, name }),
    })
}

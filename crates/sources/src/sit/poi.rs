//! A record becomes a POI, is linked to an existing one, or is separated from it.

use app::App;
use app::extract::{Body, Editor, IfMatch, Path};
use app::record::operations::{change, checked, held};
use app::record::{At, Refusal, Reply};
use axum::extract::State;
use content::poi::PoiError;
use content::poi::PoiResource;
use domain::{Actor, Fault, PoiSheet};
use serde::Deserialize;
use store::Tx;
use store::poi::Pois;
use store::record::{self as records, Stored};
use store::sit::{self as rows, SitRow};
use utoipa::ToSchema;

use super::clean::patch_of;
use super::record::{held as held_record, saved};
use super::view::SitRecordView;
use super::{SitError, follow};
use crate::imports::writable;
use crate::sit_record::texts;

/// The POI a record still is.
async fn linked(tx: &Tx, row: &SitRow) -> Result<Option<Stored<PoiSheet>>, SitError> {
    Ok(match row.poi_id {
        Some(poi) => records::lock::<Pois>(tx, poi).await?,
        None => None,
    })
}

/// Create a POI from a record: not published, filled with the record's shown fields. It follows the record from then on.
#[utoipa::path(post, path = "/api/v1/sit-records/{id}/poi", tag = "sit", params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.write"])), responses((status = 200, body = SitRecordView), SitError))]
#[tracing::instrument(name = "sit.make_poi", skip_all, fields(record.id = %id))]
pub async fn make_sit_poi(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
    based_on: IfMatch,
) -> Result<Reply<SitRecordView>, SitError> {
    let tx = app.store.begin().await?;
    let mut row = held_record(&app, &tx, &editor, id, based_on).await?;
    if let Some(poi) = linked(&tx, &row).await? {
        return Err(SitError::Linked { poi_id: poi.id });
    }
    let languages = &app.settings.content_languages;
    let blank = Stored::<PoiSheet>::blank(Some(row.white_label_id), app.now());
    let (sheet, patch) = crate::sit_record::filled(&blank.sheet, &patch_of(&row, languages), languages);
    let new = checked::<PoiResource>(&app, &tx, &editor, &blank, Stored { sheet, ..blank.clone() }).await?;
    let now = serde_json::to_value(&new.sheet).unwrap_or_default();
    let made = records::insert::<Pois>(&tx, new, change(&app, &editor, None)).await?;
    row.applied.clear();
    writable::remember(&texts(), &patch, &now, &mut row.applied);
    row.poi_id = Some(made.id);
    row.wants_media = !row.record.pictures.is_empty();
    rows::save(&tx, &row, Some(editor.user_id), app.now()).await?;
    saved(&app, tx, &editor, id).await
}

/// The POI of a record.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SitLink {
    poi_id: i64,
    /// Fields whose value the record replaces: by field, `title/fr` for one language of a text.
    #[serde(default)]
    take: Vec<String>,
}

/// Say which POI a record is. Fields that are filled in on the POI stay. Empty ones are filled from the record, and follow it from
/// then on. Repeated for the same POI, it makes the fields named in `take` follow the record again.
#[utoipa::path(put, path = "/api/v1/sit-records/{id}/poi", tag = "sit", params(("id" = i64, Path), ("If-Match" = String, Header)),
    request_body(content = SitLink), security(("session" = ["content.write"])),
    responses((status = 200, body = SitRecordView), SitError))]
#[tracing::instrument(name = "sit.link_poi", skip_all, fields(record.id = %id))]
pub async fn link_sit_poi(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
    based_on: IfMatch,
    Body(sent): Body<SitLink>,
) -> Result<Reply<SitRecordView>, SitError> {
    let tx = app.store.begin().await?;
    let mut row = held_record(&app, &tx, &editor, id, based_on).await?;
    if let Some(poi) = linked(&tx, &row).await?.filter(|poi| poi.id != sent.poi_id) {
        return Err(SitError::Linked { poi_id: poi.id });
    }
    let before = poi_of(&tx, &editor, sent.poi_id).await?;
    if let Some(other) = rows::of_poi(&tx, sent.poi_id).await?.filter(|other| other.id != row.id) {
        return Err(SitError::PoiTaken { record_id: other.id });
    }
    if before.white_label_id.is_none_or(|owner| !editor.may_write_in(owner)) {
        return Err(PoiError::from(Refusal::NotYours).into());
    }
    if row.poi_id != Some(before.id) {
        row.applied.clear();
    }
    follow::count_as_applied(&mut row.applied, &before.sheet, &sent.take);
    row.poi_id = Some(before.id);
    row.wants_media = before.sheet.media_ids.is_empty() && !row.record.pictures.is_empty();
    follow::write(&app, &tx, &mut row, &before, Some(editor.user_id)).await?;
    rows::save(&tx, &row, Some(editor.user_id), app.now()).await?;
    saved(&app, tx, &editor, id).await
}

/// The POI that is named. One that this person does not see is refused like one that is not there.
async fn poi_of(tx: &Tx, editor: &Actor, id: i64) -> Result<Stored<PoiSheet>, PoiError> {
    match held::<PoiResource>(tx, editor, &At { id, ..At::default() }).await {
        Err(error) if error.is_not_found() => {
            Err(Fault::new("validation/unknown-reference", "/poi_id").with("id", id).into())
        }
        found => found,
    }
}

/// Separate a record from its POI. The POI stays unchanged, and no longer follows the record.
#[utoipa::path(delete, path = "/api/v1/sit-records/{id}/poi", tag = "sit", params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.write"])), responses((status = 200, body = SitRecordView), SitError))]
#[tracing::instrument(name = "sit.unlink_poi", skip_all, fields(record.id = %id))]
pub async fn unlink_sit_poi(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
    based_on: IfMatch,
) -> Result<Reply<SitRecordView>, SitError> {
    let tx = app.store.begin().await?;
    let mut row = held_record(&app, &tx, &editor, id, based_on).await?;
    if row.poi_id.take().is_none() {
        return Err(SitError::NotLinked);
    }
    row.applied.clear();
    row.wants_media = false;
    rows::save(&tx, &row, Some(editor.user_id), app.now()).await?;
    saved(&app, tx, &editor, id).await
}

//! One record: what its source says, and its overrides.

use app::App;
use app::extract::{Body, Editor, IfMatch, Path, Reader};
use app::markup::sanitise;
use app::record::Reply;
use axum::extract::State;
use domain::record::{apply_patch, check, clean};
use domain::sit::{Overrides, SitStatus, filled};
use domain::{Actor, PoiSheet};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::poi::Pois;
use store::record as records;
use store::sit::{self as rows, SitRow};
use store::{Connection, Tx};
use utoipa::ToSchema;

use super::clean::name_and_place;
use super::view::{SitRecordView, view};
use super::{SitError, follow};
use crate::sit_record::texts;

/// A record of a white-label that the person works in.
pub(super) async fn seen(db: &impl Connection, actor: &Actor, id: i64) -> Result<SitRow, SitError> {
    let found = rows::load(db, id).await?.filter(|row| actor.works_in(row.white_label_id));
    found.ok_or(SitError::NotFound { id })
}

/// A record of a white-label that the person works in, locked until the transaction ends, if its version is still `based_on`.
pub(super) async fn held(app: &App, tx: &Tx, actor: &Actor, id: i64, based_on: IfMatch) -> Result<SitRow, SitError> {
    let found = rows::lock(tx, id).await?.filter(|row| actor.works_in(row.white_label_id));
    let row = found.ok_or(SitError::NotFound { id })?;
    if based_on.accepts(row.version) {
        return Ok(row);
    }
    let current = json!(view(app, tx, actor, row).await?);
    Err(SitError::Stale { base_version: based_on.version(), current })
}

/// The answer to a save: the new state of the record.
pub(super) async fn saved(app: &App, tx: Tx, actor: &Actor, id: i64) -> Result<Reply<SitRecordView>, SitError> {
    let row = rows::load(&tx, id).await?.ok_or(SitError::NotFound { id })?;
    let version = row.version;
    let shown = view(app, &tx, actor, row).await?;
    tx.commit().await?;
    Ok(Reply::new(shown, version))
}

/// A tourist record: what its source says, its overrides, the POI it became.
#[utoipa::path(get, path = "/api/v1/sit-records/{id}", tag = "sit", params(("id" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 200, body = SitRecordView), SitError))]
pub async fn show_sit_record(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<i64>,
) -> Result<Reply<SitRecordView>, SitError> {
    let row = seen(app.store.read(), &reader, id).await?;
    let version = row.version;
    Ok(Reply::new(view(&app, app.store.read(), &reader, row).await?, version))
}

/// What is changed of a record.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SitRecordPatch {
    /// Overrides by field: `title/fr` for one language of a text, `phone`, `location`; null uses the source's value again.
    #[schema(value_type = Object, example = json!({"title/fr": "Le lavoir", "phone": null}))]
    overrides: Map<String, Value>,
    /// Whether lists leave it out.
    hidden: Option<bool>,
}

/// Override fields of a record, or remove overrides; hide it, or show it. Its POI follows.
#[utoipa::path(patch, path = "/api/v1/sit-records/{id}", tag = "sit", params(("id" = i64, Path), ("If-Match" = String, Header)),
    request_body(content = SitRecordPatch), security(("session" = ["content.write"])),
    responses((status = 200, body = SitRecordView), SitError))]
#[tracing::instrument(name = "sit.update", skip_all, fields(record.id = %id))]
pub async fn update_sit_record(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<i64>,
    based_on: IfMatch,
    Body(sent): Body<SitRecordPatch>,
) -> Result<Reply<SitRecordView>, SitError> {
    let tx = app.store.begin().await?;
    let mut row = held(&app, &tx, &editor, id, based_on).await?;
    for (leaf, value) in sent.overrides {
        if value.is_null() {
            row.overrides.remove(&leaf);
        } else {
            row.overrides.insert(leaf, value);
        }
    }
    let languages = &app.settings.content_languages;
    row.overrides = checked(&row.overrides, languages)?;
    match (sent.hidden, row.status) {
        (Some(true), _) => row.status = SitStatus::Hidden,
        (Some(false), SitStatus::Hidden) => row.status = SitStatus::Active,
        _ => {}
    }
    (row.title, row.position) = name_and_place(&row.record, &row.overrides, languages);
    if let Some(poi) = row.poi_id
        && let Some(before) = records::lock::<Pois>(&tx, poi).await?
    {
        follow::write(&app, &tx, &mut row, &before, Some(editor.user_id)).await?;
    }
    rows::save(&tx, &row, Some(editor.user_id), app.now()).await?;
    saved(&app, tx, &editor, id).await
}

/// The overrides, cleaned and checked by the rules of a POI's fields.
fn checked(overrides: &Overrides, languages: &[String]) -> Result<Overrides, SitError> {
    let patch = filled(&Map::new(), overrides).map_err(|errors| SitError::Invalid { errors })?;
    let blank = PoiSheet::default();
    let mut sheet = apply_patch(&blank, &patch, &[], &[]).map_err(|errors| SitError::Invalid { errors })?;
    clean(&mut sheet, &sanitise);
    let names: Vec<&'static str> = domain::sit::OVERRIDES
        .iter()
        // A title is required in the first language of a POI, not of an override.
        .filter(|(field, _)| patch.contains_key(*field) && *field != "title")
        .map(|(field, _)| *field)
        .collect();
    let mut errors = check(&sheet, &names, languages);
    let unknown = overrides.keys().filter_map(|leaf| Some((leaf, leaf.split_once('/')?.1)));
    errors.extend(unknown.filter(|(_, language)| !languages.iter().any(|own| own == language)).map(
        |(leaf, language)| {
            domain::Fault::new("validation/unknown-language", format!("/{leaf}")).with("language", language)
        },
    ));
    if !errors.is_empty() {
        return Err(SitError::Invalid { errors });
    }
    let stands = serde_json::to_value(&sheet).unwrap_or_default();
    let kept = |leaf: &String| {
        let value = stands.pointer(&format!("/{leaf}")).cloned().unwrap_or_default();
        let is_text = texts().iter().any(|field| leaf.starts_with(&format!("{field}/")));
        // An empty text removes the override.
        let is_nothing = value.is_null() || is_text && value.as_str().is_some_and(str::is_empty);
        (!is_nothing).then_some((leaf.clone(), value))
    };
    Ok(overrides.keys().filter_map(kept).collect())
}

//! Updates a POI from its SIT record. A field that is empty, or has the value that the record wrote, is updated; a field that was edited stays.

use std::collections::BTreeMap;

use app::App;
use app::problem::Internal;
use domain::{PoiSheet, UserId};
use store::Tx;
use store::poi::Pois;
use store::record::{self as records, Change, Stored};
use store::sit::{self as rows, SitRow};

use super::clean::patch_of;
use super::pictures::are_ours;
use crate::imports::writable;
use crate::sit_record::{filled, texts};

/// The fields of a POI that were edited in the POI and are not updated: `title`, or `title/fr` for one language of a text.
pub(super) fn edited_fields(row: &SitRow, poi: &PoiSheet, languages: &[String]) -> Vec<String> {
    let current = serde_json::to_value(poi).unwrap_or_default();
    let mut locked = Vec::new();
    let (_, patch) = filled(&PoiSheet::default(), &patch_of(row, languages), languages);
    writable::unlocked(&texts(), &patch, &current, &row.applied, &mut locked);
    locked
}

/// Writes a record into its POI. Its checksums are noted in the row, which is not saved here. True where the POI changed.
pub(super) async fn write(
    app: &App,
    tx: &Tx,
    row: &mut SitRow,
    before: &Stored<PoiSheet>,
    by: Option<UserId>,
) -> Result<bool, Internal> {
    let languages = &app.settings.content_languages;
    let current = serde_json::to_value(&before.sheet).unwrap_or_default();
    let patch = patch_of(row, languages);
    let patch = writable::unlocked(&texts(), &patch, &current, &row.applied, &mut Vec::new());
    let (sheet, patch) = filled(&before.sheet, &patch, languages);
    let after = Stored { sheet, ..before.clone() };
    let now = serde_json::to_value(&after.sheet).unwrap_or_default();
    writable::remember(&texts(), &patch, &now, &mut row.applied);
    let changes = after.sheet != before.sheet;
    if changes {
        let change = Change { by, at: app.now(), reason: Some("import"), languages };
        records::save::<Pois>(tx, before, after, change).await?;
    }
    Ok(changes)
}

/// Updates the POI of a record that changed at its source.
pub(super) async fn changed(app: &App, tx: &Tx, id: i64, by: Option<UserId>) -> Result<(), Internal> {
    let Some(mut row) = rows::lock(tx, id).await? else { return Ok(()) };
    let Some(poi) = row.poi_id else { return Ok(()) };
    let Some(before) = records::lock::<Pois>(tx, poi).await? else { return Ok(()) };
    write(app, tx, &mut row, &before, by).await?;
    // Some pictures may have come, and others not yet.
    let ids = &before.sheet.media_ids;
    let wants = are_ours(&row, ids) && (ids.is_empty() || row.wants_media);
    row.wants_media = wants && !row.record.pictures.is_empty();
    rows::save(tx, &row, None, app.now()).await?;
    Ok(())
}

/// Counts the present values of these fields as written by the record, so that the record updates them again.
pub(super) fn count_as_applied(applied: &mut BTreeMap<String, String>, poi: &PoiSheet, fields: &[String]) {
    let now = serde_json::to_value(poi).unwrap_or_default();
    for field in fields {
        let current = now.pointer(&format!("/{field}")).cloned().unwrap_or_default();
        applied.insert(field.clone(), writable::sum(&current));
    }
}

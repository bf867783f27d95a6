//! The pictures of a record that became a POI: each address is fetched once, and whose it is goes along.

use store::poi::Pois;
use store::record::{self as records, Change};
use store::sit as rows;

use crate::App;
use crate::imports::{leaves, media, prepare};
use crate::problem::Internal;

/// The most pictures that come along.
const MAX_PICTURES: usize = 8;

/// One record a step. False when none waits.
pub(crate) async fn step(app: &App) -> Result<bool, Internal> {
    let Some(mut row) = rows::next_wanting(app.store.read()).await? else { return Ok(false) };
    let by = row.updated_by.as_ref().map(|(id, _)| *id);
    let mut ids = Vec::new();
    for picture in row.record.pictures.iter().take(MAX_PICTURES) {
        let rights = prepare::rights(picture.credit.as_deref(), picture.licence.as_deref());
        let wanted = (picture.url.clone(), picture.legend.clone(), rights);
        match media::one(app, row.white_label_id, by, &wanted).await? {
            Ok(id) if !ids.contains(&id) => ids.push(id),
            Ok(_) => {}
            Err(note) => tracing::info!(record = row.id, code = note.code, "a picture did not come"),
        }
    }
    let tx = app.store.begin().await?;
    let poi = match row.poi_id {
        Some(poi) => records::lock::<Pois>(&tx, poi).await?,
        None => None,
    };
    // Somebody chose others meanwhile: theirs stay.
    if let Some(before) = poi.filter(|poi| poi.sheet.media_ids.is_empty() && !ids.is_empty()) {
        row.applied.insert("media_ids".to_owned(), leaves::sum(&serde_json::json!(ids)));
        let mut after = before.clone();
        after.sheet.media_ids = ids;
        let change = Change { by, at: app.now(), reason: Some("import"), languages: &app.settings.content_languages };
        records::save::<Pois>(&tx, &before, after, change).await?;
    }
    rows::set_media_done(&tx, &row).await?;
    tx.commit().await?;
    Ok(true)
}

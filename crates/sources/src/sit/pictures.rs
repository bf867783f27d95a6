//! Fetches the pictures of a record that became a POI by a job: each address is fetched once, and its credit is stored.

use app::App;
use jobs::{Failure, JobKind, Lease, Step};
use serde::{Deserialize, Serialize};
use store::poi::Pois;
use store::record::{self as records, Change};
use store::sit as rows;

use crate::imports::{media, writable};
use crate::sit_record::wanted_pictures;

/// Which record.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Record {
    record: i64,
}

/// Fetches the pictures of a record. Enqueued by the store, with each save that wants them.
pub struct FetchPictures;

impl JobKind for FetchPictures {
    type Context = App;
    type Payload = Record;
    const NAME: &'static str = rows::PICTURES;
    const LIMIT: i64 = 4;
    const LIMIT_PER_SERVER: i64 = 1;
    const MAX_ATTEMPTS: i64 = rows::PICTURES_ATTEMPTS;

    async fn run(app: App, lease: Lease, asked: Record) -> Result<Step, Failure> {
        let found = rows::load(app.store.read(), asked.record).await?;
        let Some(row) = found.filter(|row| row.wants_media) else { return Ok(Step::Done) };
        let by = row.updated_by.as_ref().map(|(id, _)| *id);
        let mut ids = Vec::new();
        for wanted in wanted_pictures(&row.record) {
            match media::one(&app, &lease, row.white_label_id, by, &wanted, None).await? {
                Ok(id) if !ids.contains(&id) => ids.push(id),
                Ok(_) => {}
                Err(note) => tracing::info!(record = row.id, code = note.code, "a picture did not come"),
            }
        }
        let tx = app.store.begin().await?;
        // Saved meanwhile as another POI, or as none: that save enqueued a job where it wants one.
        let now = rows::lock(&tx, row.id).await?.filter(|now| now.wants_media && now.poi_id == row.poi_id);
        let Some(mut row) = now else { return Ok(Step::Done) };
        let poi = match row.poi_id {
            Some(poi) => records::lock::<Pois>(&tx, poi).await?,
            None => None,
        };
        // Where a person chose pictures meanwhile, those stay.
        if let Some(before) = poi.filter(|poi| poi.sheet.media_ids.is_empty() && !ids.is_empty()) {
            row.applied.insert("media_ids".to_owned(), writable::sum(&serde_json::json!(ids)));
            let mut after = before.clone();
            after.sheet.media_ids = ids;
            let languages = &app.settings.content_languages;
            let change = Change { by, at: app.now(), reason: Some("import"), languages };
            records::save::<Pois>(&tx, &before, after, change).await?;
        }
        rows::set_media_done(&tx, &row).await?;
        lease.hold(&tx).await?;
        tx.commit().await?;
        Ok(Step::Done)
    }
}

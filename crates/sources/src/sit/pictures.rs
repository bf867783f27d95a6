//! Fetches the pictures of a record that became a POI by a job: each address is fetched once, and its credit is stored.

use app::App;
use app::worker::reason_of;
use jobs::{Failure, JobKind, Lease, Step};
use serde::{Deserialize, Serialize};
use store::poi::Pois;
use store::record::{self as records, Change};
use store::sit::{self as rows, SitRow};

use crate::imports::work::ImportCache;
use crate::imports::{media, writable};
use crate::sit_record::wanted_pictures;

/// The field of a POI with its pictures.
const FIELD: &str = "media_ids";

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
        app.shared::<ImportCache>().ask_again(lease.job());
        let (mut ids, mut passing) = (Vec::new(), None);
        for wanted in wanted_pictures(&row.record) {
            match media::one(&app, &lease, row.white_label_id, by, &wanted, None).await? {
                Ok(id) if !ids.contains(&id) => ids.push(id),
                Ok(_) => {}
                Err(note) => {
                    tracing::info!(record = row.id, code = note.code, "a picture did not come");
                    passing = passing.or_else(|| Some(note).filter(media::is_passing));
                }
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
        // Where a person chose pictures meanwhile, those stay. Those of an earlier attempt, which lacked some, are replaced.
        let poi = poi.filter(|poi| are_ours(&row, &poi.sheet.media_ids));
        row.wants_media = poi.is_some() && passing.is_some();
        if let Some(before) = poi.filter(|poi| !ids.is_empty() && poi.sheet.media_ids != ids) {
            row.applied.insert(FIELD.to_owned(), sum_of(&ids));
            let mut after = before.clone();
            after.sheet.media_ids = ids;
            let languages = &app.settings.content_languages;
            let change = Change { by, at: app.now(), reason: Some("import"), languages };
            records::save::<Pois>(&tx, &before, after, change).await?;
        }
        rows::save_pictures(&tx, &row).await?;
        lease.hold(&tx).await?;
        tx.commit().await?;
        match passing.filter(|_| row.wants_media) {
            Some(note) if lease.number() < <Self as JobKind>::MAX_ATTEMPTS => Err(Failure::again(reason_of(&note))),
            // The record still wants them, and the next run of the source asks again: a picture that never comes makes no dead job each night.
            _ => Ok(Step::Done),
        }
    }
}

fn sum_of(ids: &[i64]) -> String {
    writable::sum(&serde_json::json!(ids))
}

/// Whether these pictures of a POI are those that its record wrote, or none while it wrote none: others that a person chose stay, and so does
/// a POI whose pictures a person took away.
pub(super) fn are_ours(row: &SitRow, ids: &[i64]) -> bool {
    row.applied.get(FIELD).map_or(ids.is_empty(), |was| *was == sum_of(ids))
}

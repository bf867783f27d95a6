//! The schedule of a source: a job that waits until the source is to be run again.

use domain::imports::{ImportSchedule, ImportSourceSheet};
use domain::record::Kind;
use domain::sit::SitSourceSheet;
use domain::{Instant, WhiteLabelId};

use crate::job::{self, NewJob};
use crate::record::Stored;
use crate::{StoreError, Tx};

/// The kind of job that runs a source again on its schedule.
pub const REFRESH: &str = "import_refresh";

/// A source with its schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledSource {
    /// A source of routes, or of tourist records.
    pub kind: Kind,
    /// Number of the source.
    pub id: i64,
    pub white_label_id: Option<WhiteLabelId>,
    /// How often it is run.
    pub schedule: ImportSchedule,
}

impl From<&Stored<ImportSourceSheet>> for ScheduledSource {
    fn from(source: &Stored<ImportSourceSheet>) -> Self {
        let (white_label_id, schedule) = (source.white_label_id, source.sheet.schedule);
        Self { kind: Kind::ImportSource, id: source.id, white_label_id, schedule }
    }
}

impl From<&Stored<SitSourceSheet>> for ScheduledSource {
    fn from(source: &Stored<SitSourceSheet>) -> Self {
        let (white_label_id, schedule) = (source.white_label_id, source.sheet.schedule);
        Self { kind: Kind::SitSource, id: source.id, white_label_id, schedule }
    }
}

/// Enqueues the job that runs a source again, not before `run_after`. Does nothing for a source that is run by hand alone.
pub async fn enqueue_refresh(
    tx: &Tx,
    source: ScheduledSource,
    run_after: Instant,
    now: Instant,
) -> Result<(), StoreError> {
    if source.schedule.every_s().is_none() {
        return Ok(());
    }
    let (kind, id) = (source.kind.as_str(), source.id);
    let refresh = NewJob {
        unique_key: Some(format!("{kind}/{id}")),
        white_label_id: source.white_label_id,
        ..NewJob::new(REFRESH, format!(r#"{{"kind":"{kind}","source":{id}}}"#), run_after)
    };
    job::enqueue(tx, &refresh, now).await.map(|_| ())
}

//! Feeds of public transport: each white-label has its own, and no other one sees them.

use domain::record::Kind;
use domain::transit::TransportFeedSheet;
use domain::{Instant, Text, WhiteLabelId, fold, service_key};
use sea_orm::Value;

use crate::job::{self, NewJob};
use crate::record::{Record, Stored, load_many};
use crate::sealed::{self, SealedColumn};
use crate::sql::{all, get};
use crate::{Connection, StoreError, Tx};

/// The most feeds a white-label lists.
const MAX_FEEDS: usize = 200;

/// The kind of job that reads a feed again on its schedule.
pub const REFRESH: &str = "transport_refresh";

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct TransportFeeds;

impl Record for TransportFeeds {
    type Sheet = TransportFeedSheet;
    const KIND: Kind = Kind::TransportFeed;
    const TABLE: &'static str = "transport_feed";
    const OWNED: bool = true;

    fn columns(record: &Stored<TransportFeedSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("sort_title", fold(&sheet.name).into()),
            ("schedule", sheet.schedule.as_str().into()),
            ("show_stops", i16::from(sheet.show_stops).into()),
        ]
    }

    fn title(sheet: &TransportFeedSheet) -> Text {
        Text::in_french(sheet.name.clone())
    }

    /// A key goes to no other server than the one it was entered for. A job looks when the feed is to be read again: its schedule may
    /// have changed.
    async fn saved(tx: &Tx, record: &Stored<TransportFeedSheet>) -> Result<(), StoreError> {
        let origin = service_key::origin(record.sheet.url.as_deref().unwrap_or_default());
        sealed::forget_if_moved(tx, SealedColumn::TransportCredential, record.id, &origin).await?;
        enqueue_refresh(tx, record, record.updated_at, record.updated_at).await
    }
}

/// Enqueues the job that begins a run of a feed at its scheduled time. Nothing for a feed without a schedule.
pub async fn enqueue_refresh(
    tx: &Tx,
    feed: &Stored<TransportFeedSheet>,
    run_after: Instant,
    now: Instant,
) -> Result<(), StoreError> {
    if feed.sheet.schedule.every_s().is_none() {
        return Ok(());
    }
    let refresh = NewJob {
        unique_key: Some(feed.id.to_string()),
        white_label_id: feed.white_label_id,
        ..NewJob::new(REFRESH, format!(r#"{{"feed":{}}}"#, feed.id), run_after)
    };
    job::enqueue(tx, &refresh, now).await.map(|_| ())
}

/// The feeds of a white-label, by name.
pub async fn list(
    db: &impl Connection,
    white_label: WhiteLabelId,
) -> Result<Vec<Stored<TransportFeedSheet>>, StoreError> {
    let sql =
        format!("SELECT id FROM transport_feed WHERE white_label_id = $1 ORDER BY sort_title, id LIMIT {MAX_FEEDS}");
    let rows = all(db, &sql, [white_label.0.into()]).await?;
    let ids = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    load_many::<TransportFeeds>(db, &ids).await
}

/// The feeds of a white-label of which something can be shown, each with its edition; `public`: only those that show their stops.
pub async fn feeds_of(
    db: &impl Connection,
    white_label: WhiteLabelId,
    public: bool,
) -> Result<Vec<(i64, i64)>, StoreError> {
    let sql = format!(
        "SELECT f.id, e.run_id FROM transport_feed f JOIN transport_edition e ON e.feed_id = f.id
        WHERE f.white_label_id = $1 AND (f.show_stops = 1 OR $2 = 0) ORDER BY f.sort_title, f.id LIMIT {MAX_FEEDS}"
    );
    let rows = all(db, &sql, [white_label.0.into(), i32::from(public).into()]).await?;
    rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

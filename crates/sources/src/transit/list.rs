//! The feeds of a white-label, each with its edition and its last run.

use app::App;
use app::extract::Importer;
use app::record::Resource;
use axum::Json;
use axum::extract::State;
use domain::Instant;
use domain::transit::FeedCounts;
use serde::Serialize;
use store::transit::{self as rows, Edition};
use utoipa::ToSchema;

use super::runs::TransportRunView;
use super::{TransitError, TransportFeedResource, TransportFeedView};

/// Feeds.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransportFeedList {
    pub items: Vec<ListedFeed>,
    pub total: i64,
}

/// A feed in the list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedFeed {
    #[serde(flatten)]
    pub feed: TransportFeedView,
    /// Its edition; absent before it was read once.
    pub edition: Option<EditionView>,
    pub last_run: Option<TransportRunView>,
}

/// The edition of a feed.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct EditionView {
    /// What is in it.
    pub counts: FeedCounts,
    /// The first day of its timetable.
    pub from_day: Option<String>,
    /// The last day of its timetable.
    pub to_day: Option<String>,
    /// Whether that day is over: its departures are out of date.
    pub is_over: bool,
    /// When it was read.
    pub read_at: Instant,
}

impl EditionView {
    pub(super) fn of(edition: Edition, today: &str) -> Self {
        let (from_day, to_day) = edition.days;
        let is_over = to_day.as_ref().is_some_and(|last| last.as_str() < today);
        Self { counts: edition.counts, from_day, to_day, is_over, read_at: edition.read_at }
    }
}

/// The feeds of the active white-label, by name.
#[utoipa::path(get, path = "/api/v1/transport-feeds", tag = "transport-feeds", security(("session" = ["content.import"])),
    responses((status = 200, body = TransportFeedList), TransitError))]
pub async fn list_transport_feeds(
    State(app): State<App>,
    importer: Importer,
) -> Result<Json<TransportFeedList>, TransitError> {
    let db = app.store.read();
    let records = rows::list(db, importer.active_white_label_id).await?;
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let editions = rows::editions(db, &ids).await?;
    let mut items = Vec::with_capacity(ids.len());
    for (id, feed) in ids.into_iter().zip(TransportFeedResource::views(&app, db, &importer, records).await?) {
        let edition = editions.iter().find(|edition| edition.feed_id == id).cloned();
        items.push(ListedFeed {
            feed,
            edition: edition.map(|edition| EditionView::of(edition, &app.today())),
            last_run: rows::last_run(db, id).await?.map(TransportRunView::of),
        });
    }
    Ok(Json(TransportFeedList { total: items.len() as i64, items }))
}

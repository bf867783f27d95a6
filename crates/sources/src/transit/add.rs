//! Makes transport lines from chosen lines of a feed, and keeps them up to date with it.

use std::collections::HashMap;

use app::App;
use app::extract::{Body, Importer, Path};
use app::record::At;
use app::record::operations::{change, held};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use store::record::{Stored, insert};
use store::transit::{self as rows, Added};
use store::transport_line::TransportLines;
use utoipa::ToSchema;

use super::follow::sheet_of;
use super::{TransitError, TransportFeedResource};

/// The most lines that are added at once.
const MAX_LINES: usize = 200;

/// Lines to add.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FeedLineChoice {
    /// The feed's identifiers of them.
    pub routes: Vec<String>,
}

/// The outcome for the lines that were chosen.
#[derive(Debug, Serialize, ToSchema)]
pub struct AddedLines {
    /// Each of them, in the order they were chosen.
    pub items: Vec<AddedLine>,
}

/// A line that was chosen.
#[derive(Debug, Serialize, ToSchema)]
pub struct AddedLine {
    /// The feed's identifier of it.
    pub route: String,
    /// The transport line that was made of it.
    pub line_id: i64,
    /// Whether it was made now; else it was there.
    pub made: bool,
}

/// Add lines of a feed to the white-label's own. Those that were added before stay as they are.
#[utoipa::path(post, path = "/api/v1/transport-feeds/{id}/additions", tag = "transport-feeds", params(("id" = i64, Path)),
    request_body(content = FeedLineChoice), security(("session" = ["content.import"])),
    responses((status = 200, body = AddedLines), TransitError))]
#[tracing::instrument(name = "transport.add", skip_all)]
pub async fn add_feed_lines(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    Body(sent): Body<FeedLineChoice>,
) -> Result<Json<AddedLines>, TransitError> {
    if sent.routes.len() > MAX_LINES {
        return Err(TransitError::TooManyLines { max: MAX_LINES });
    }
    let tx = app.store.begin().await?;
    // Held, so that of two who add the same line one makes it.
    let feed = held::<TransportFeedResource>(&tx, &importer, &at).await?;
    let first = sent.routes.first().cloned().unwrap_or_default();
    let edition = rows::edition(&tx, feed.id).await?.ok_or(TransitError::LineNotFound { route: first })?;
    let known = rows::lines_by_route(&tx, edition.run_id, &sent.routes).await?;
    let known: HashMap<&str, _> = known.iter().map(|(_, line)| (line.route.as_str(), line)).collect();
    let mut ours: HashMap<String, i64> =
        rows::added_of_routes(&tx, &[feed.id]).await?.into_iter().map(|(_, route, line)| (route, line)).collect();
    let mut items = Vec::with_capacity(sent.routes.len());
    for route in sent.routes {
        if let Some(line_id) = ours.get(&route).copied() {
            items.push(AddedLine { route, line_id, made: false });
            continue;
        }
        let Some(line) = known.get(route.as_str()) else { return Err(TransitError::LineNotFound { route }) };
        let mut new = Stored::blank(feed.white_label_id, app.now());
        new.sheet = sheet_of(line);
        let applied = new.sheet.clone();
        let made = insert::<TransportLines>(&tx, new, change(&app, &importer, Some("import"))).await?;
        rows::follow(&tx, feed.id, &Added { route: route.clone(), line_id: made.id, applied }).await?;
        ours.insert(route.clone(), made.id);
        items.push(AddedLine { route, line_id: made.id, made: true });
    }
    tx.commit().await?;
    Ok(Json(AddedLines { items }))
}

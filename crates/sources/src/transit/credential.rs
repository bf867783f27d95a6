//! The key of a feed of public transport.

use app::App;
use app::extract::{Body, IfMatch, Importer, Path};
use app::record::At;
use app::source_key::{self, KeyedSource, SourceKey};
use axum::extract::State;
use axum::http::StatusCode;
use domain::transit::TransportFeedSheet;
use store::sealed::SealedColumn;

use super::{TransportFeedError, TransportFeedResource};

impl KeyedSource for TransportFeedResource {
    const COLUMN: SealedColumn = SealedColumn::TransportCredential;

    fn address(sheet: &TransportFeedSheet) -> Option<&str> {
        sheet.url.as_deref()
    }
}

/// Set the key of a feed of public transport. It takes the place of the one before, is never shown again, and is forgotten when the address
/// moves to another server.
#[utoipa::path(put, path = "/api/v1/transport-feeds/{id}/credential", tag = "transport-feeds",
    params(("id" = i64, Path), ("If-Match" = String, Header)), request_body = SourceKey,
    security(("session" = ["content.import"])), responses((status = 204, description = "Kept"), TransportFeedError))]
#[tracing::instrument(name = "transport_feed.set_credential", skip_all, fields(source.id = %at.id))]
pub async fn set_transport_feed_credential(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
    Body(sent): Body<SourceKey>,
) -> Result<StatusCode, TransportFeedError> {
    source_key::put::<TransportFeedResource>(&app, &importer, &at, based_on, Some(&sent)).await
}

/// Forget the key of a feed of public transport.
#[utoipa::path(delete, path = "/api/v1/transport-feeds/{id}/credential", tag = "transport-feeds",
    params(("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.import"])), responses((status = 204, description = "Forgotten"), TransportFeedError))]
#[tracing::instrument(name = "transport_feed.drop_credential", skip_all, fields(source.id = %at.id))]
pub async fn drop_transport_feed_credential(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
    based_on: IfMatch,
) -> Result<StatusCode, TransportFeedError> {
    source_key::put::<TransportFeedResource>(&app, &importer, &at, based_on, None).await
}

//! Public transport from its operators' feeds: feeds, their runs, their lines, and the stops around a parcours.

mod add;
mod around;
mod credential;
mod error;
mod fetch;
mod file;
mod follow;
mod lines;
mod list;
mod mail;
mod runs;
pub mod work;
mod write;

use app::extract::Importer;
use app::record::owned::{Ownership, locked, ownerships};
use app::record::{Head, RecordError, Resource, record_operations};
use app::routes;
use app::source_key::address_faults;
use app::{App, audit};
use domain::audit::{Action, Detail};
use domain::transit::TransportFeedSheet;
use domain::{Actor, Capability, Fault};
use serde::Serialize;
use store::record::Stored;
use store::sealed::SealedColumn;
use store::transit::TransportFeeds;
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use error::{TransitError, TransportFeedError};

/// A feed of public transport.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = TransportFeed)]
pub struct TransportFeedView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    ownership: Ownership,
    #[serde(flatten)]
    sheet: TransportFeedSheet,
    /// Whether its key is set; the key itself is never shown.
    credential_set: bool,
}

/// The resource of transport feeds.
#[derive(Debug)]
pub struct TransportFeedResource;

impl Resource for TransportFeedResource {
    type Record = TransportFeeds;
    type Sheet = TransportFeedSheet;
    type View = TransportFeedView;
    const PATH: &'static str = "/api/v1/transport-feeds";
    const NOT_FOUND: &'static str = "transport/feed-not-found";
    const NOT_YOURS: &'static str = "transport/feed-not-yours";
    const IN_USE: &'static str = "transport/feed-in-use";

    /// Feeds are visible to people who may import.
    async fn sees(
        _db: &impl Connection,
        actor: &Actor,
        record: &Stored<TransportFeedSheet>,
    ) -> Result<bool, StoreError> {
        let own = record.white_label_id.is_some_and(|owner| actor.works_in(owner));
        Ok(own && actor.can(Capability::ContentImport))
    }

    async fn check(
        _app: &App,
        _tx: &Tx,
        _actor: &Actor,
        _before: &Stored<TransportFeedSheet>,
        after: &mut Stored<TransportFeedSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, RecordError<Self>> {
        Ok(address_faults(&[("url", after.sheet.url.as_deref())], changed))
    }

    fn audited(before: Option<&TransportFeedSheet>, after: Option<&TransportFeedSheet>) -> Vec<(Action, Detail)> {
        audit::saved(before, after, audit::SERVICE)
    }

    async fn views(
        _app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<TransportFeedSheet>>,
    ) -> Result<Vec<TransportFeedView>, StoreError> {
        let owners = ownerships::<Self>(db, actor, &records).await?;
        let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
        let keys = store::sealed::with_key(db, SealedColumn::TransportCredential, &ids).await?;
        let view = |(record, ownership): (Stored<TransportFeedSheet>, Ownership)| TransportFeedView {
            head: Head::of(&record, locked::<Self>(actor, &record, Capability::ContentImport)),
            ownership,
            credential_set: keys.contains(&record.id),
            sheet: record.sheet,
        };
        Ok(records.into_iter().zip(owners).map(view).collect())
    }
}

record_operations! {
    TransportFeedResource, TransportFeedSheet, TransportFeedView, TransportFeedError;
    noun: "a feed of public transport", tag: "transport-feeds", base: "/api/v1/transport-feeds", params: [],
    create: (Importer, "content.import"), change: (Importer, "content.import"), delete: (Importer, "content.import"),
    show_transport_feed, create_transport_feed, update_transport_feed, delete_transport_feed, list_transport_feed_uses,
    list_transport_feed_revisions, show_transport_feed_revision, restore_transport_feed_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations()
        .routes(routes!(list::list_transport_feeds))
        .routes(routes!(file::put_transport_feed_file))
        .routes(routes!(credential::set_transport_feed_credential, credential::drop_transport_feed_credential))
        .routes(routes!(runs::start_transport_run))
        .routes(routes!(runs::list_transport_runs))
        .routes(routes!(runs::show_transport_run))
        .routes(routes!(runs::cancel_transport_run))
        .routes(routes!(lines::search_feed_lines))
        .routes(routes!(lines::list_feed_line_stops))
        .routes(routes!(add::add_feed_lines))
        .routes(routes!(around::show_parcours_transport))
}

//! Route imports: sources, their mapping, their runs, the report of each run.

mod apply;
mod archive;
mod beside;
pub mod command;
mod credential;
mod decide;
mod desks;
mod duplicates;
mod error;
pub(crate) mod fetch;
mod file;
mod gdal;
pub(crate) mod halt;
mod inventory;
mod items;
mod layers;
mod list;
mod mail;
pub(crate) mod mapped;
mod mapping;
pub mod matching;
pub(crate) mod media;
mod missing;
pub mod originals;
mod places;
mod pois;
pub(crate) mod prepare;
pub(crate) mod refused_lines;
mod renamed;
mod renumbered;
pub(crate) mod runs;
mod steps;
mod undo;
pub(crate) mod upload;
pub mod work;
pub(crate) mod writable;

use app::extract::Importer;
use app::record::owned::{Ownership, locked, ownerships};
use app::record::{Head, RecordError, Resource, record_operations};
use app::routes;
use app::source_key::address_faults;
use app::{App, audit};
use domain::audit::{Action, Detail};
use domain::imports::{ImportKind, ImportSourceSheet};
use domain::{Actor, Capability, Fault};
use serde::Serialize;
use store::imports::ImportSources;
use store::record::Stored;
use store::sealed::SealedColumn;
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use error::{ImportError, ImportSourceError};

/// A source of routes.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ImportSource)]
pub struct ImportSourceView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    ownership: Ownership,
    #[serde(flatten)]
    sheet: ImportSourceSheet,
    /// Whether its key is set; the key itself is never shown.
    credential_set: bool,
}

/// The resource of sources of imports.
#[derive(Debug)]
pub struct ImportSourceResource;

impl Resource for ImportSourceResource {
    type Record = ImportSources;
    type Sheet = ImportSourceSheet;
    type View = ImportSourceView;
    const PATH: &'static str = "/api/v1/import-sources";
    const NOT_FOUND: &'static str = "import/source-not-found";
    const NOT_YOURS: &'static str = "import/source-not-yours";
    const IN_USE: &'static str = "import/source-in-use";

    /// Sources are visible to people who may import.
    async fn sees(
        _db: &impl Connection,
        actor: &Actor,
        record: &Stored<ImportSourceSheet>,
    ) -> Result<bool, StoreError> {
        let own = record.white_label_id.is_some_and(|owner| actor.works_in(owner));
        Ok(own && actor.can(Capability::ContentImport))
    }

    async fn check(
        _app: &App,
        _tx: &Tx,
        _actor: &Actor,
        _before: &Stored<ImportSourceSheet>,
        after: &mut Stored<ImportSourceSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, RecordError<Self>> {
        let sheet = &after.sheet;
        let addresses = [("url", sheet.url.as_deref()), ("host", sheet.host.as_deref())];
        let mut faults = address_faults(&addresses, changed);
        match (&sheet.url, &sheet.host) {
            (Some(url), Some(host)) if !fetch::is_under(url, host) => {
                faults.push(Fault::new("validation/url-host", "/url").with("host", host.as_str()));
            }
            // Another Jalon or a Directus needs an address; a Geotrek may be the archive of its database instead.
            (None, _) if matches!(sheet.kind, ImportKind::Jalon | ImportKind::Directus) => {
                faults.push(Fault::new("validation/required", "/url"));
            }
            _ => {}
        }
        Ok(faults)
    }

    fn audited(before: Option<&ImportSourceSheet>, after: Option<&ImportSourceSheet>) -> Vec<(Action, Detail)> {
        audit::saved(before, after, audit::SERVICE)
    }

    async fn views(
        _app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<ImportSourceSheet>>,
    ) -> Result<Vec<ImportSourceView>, StoreError> {
        let owners = ownerships::<Self>(db, actor, &records).await?;
        let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
        let keys = store::sealed::with_key(db, SealedColumn::ImportCredential, &ids).await?;
        let view = |(record, ownership): (Stored<ImportSourceSheet>, Ownership)| ImportSourceView {
            head: Head::of(&record, locked::<Self>(actor, &record, Capability::ContentImport)),
            ownership,
            credential_set: keys.contains(&record.id),
            sheet: record.sheet,
        };
        Ok(records.into_iter().zip(owners).map(view).collect())
    }
}

record_operations! {
    ImportSourceResource, ImportSourceSheet, ImportSourceView, ImportSourceError;
    noun: "a source of routes", tag: "imports", base: "/api/v1/import-sources", params: [],
    create: (Importer, "content.import"), change: (Importer, "content.import"), delete: (Importer, "content.import"),
    show_import_source, create_import_source, update_import_source, delete_import_source, list_import_source_uses,
    list_import_source_revisions, show_import_source_revision, restore_import_source_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations()
        .routes(routes!(list::list_import_sources))
        .routes(routes!(file::put_import_file))
        .routes(routes!(credential::set_import_credential, credential::drop_import_credential))
        .routes(routes!(mapping::show_import_mapping))
        .routes(routes!(decide::decide_import_item))
        .routes(routes!(decide::unlock_import_item))
        .routes(routes!(runs::start_import_run))
        .routes(routes!(runs::list_import_runs))
        .routes(routes!(runs::show_import_run))
        .routes(routes!(runs::cancel_import_run))
        .routes(routes!(runs::retry_import_run))
        .routes(routes!(runs::undo_import_run))
        .routes(routes!(runs::list_import_lines))
}

//! Records of tourist information systems (SIT): sources, their runs, what each says, the overrides, the POIs they became.

mod clean;
pub mod command;
mod credential;
mod error;
mod fetch;
mod file;
mod follow;
mod list;
mod mapping;
mod pages;
pub mod pictures;
mod poi;
mod record;
mod runs;
mod steps;
mod view;
pub(crate) mod work;

use app::extract::Importer;
use app::record::owned::{Ownership, locked, ownerships};
use app::record::{Head, RecordError, Resource, record_operations};
use app::routes;
use app::source_key::address_faults;
use app::{App, audit};
use domain::audit::{Action, Detail};
use domain::imports::ImportMode;
use domain::sit::{SitKind, SitSourceSheet};
use domain::{Actor, Capability, Fault};
use feeds::incoming::sit::GEOTREK_LISTS;
use serde::Serialize;
use store::record::Stored;
use store::sealed::SealedColumn;
use store::sit::SitSources;
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use error::{SitError, SitSourceError};
pub(crate) use fetch::SitCache;

/// A run of a source of records always imports what changed; there is no other mode.
const MODE: ImportMode = ImportMode::Real;

/// A source of tourist records.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SitSource)]
pub struct SitSourceView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    ownership: Ownership,
    #[serde(flatten)]
    sheet: SitSourceSheet,
    /// Whether its key is set; the key itself is never shown.
    credential_set: bool,
}

/// The resource of sources of tourist records.
#[derive(Debug)]
pub struct SitSourceResource;

impl Resource for SitSourceResource {
    type Record = SitSources;
    type Sheet = SitSourceSheet;
    type View = SitSourceView;
    const PATH: &'static str = "/api/v1/sit-sources";
    const NOT_FOUND: &'static str = "sit/source-not-found";
    const NOT_YOURS: &'static str = "sit/source-not-yours";
    const IN_USE: &'static str = "sit/source-in-use";

    /// Its address may contain a key: only those who may use it see it.
    async fn sees(_db: &impl Connection, actor: &Actor, record: &Stored<SitSourceSheet>) -> Result<bool, StoreError> {
        let own = record.white_label_id.is_some_and(|owner| actor.works_in(owner));
        Ok(own && actor.can(Capability::ContentImport))
    }

    async fn check(
        _app: &App,
        _tx: &Tx,
        _actor: &Actor,
        _before: &Stored<SitSourceSheet>,
        after: &mut Stored<SitSourceSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, RecordError<Self>> {
        let sheet = &after.sheet;
        let mut faults = address_faults(&[("url", sheet.url.as_deref())], changed);
        let is_number = |words: &str| !words.is_empty() && words.bytes().all(|byte| byte.is_ascii_digit());
        if sheet.project.as_deref().is_some_and(|project| !is_number(project)) {
            faults.push(Fault::new("sit/not-numbers", "/project"));
        }
        let (is_one, code): (&dyn Fn(&str) -> bool, _) = match sheet.kind {
            SitKind::Geotrek => (&|word| GEOTREK_LISTS.contains(&word), "sit/not-lists"),
            _ => (&is_number, "sit/not-numbers"),
        };
        if sheet.selections.as_deref().is_some_and(|words| !words.split(',').all(|one| is_one(one.trim()))) {
            faults.push(Fault::new(code, "/selections"));
        }
        if sheet.kind != SitKind::Apidae {
            (after.sheet.project, after.sheet.criteria) = (None, None);
        }
        if !matches!(after.sheet.kind, SitKind::Apidae | SitKind::Geotrek) {
            after.sheet.selections = None;
        }
        Ok(faults)
    }

    fn audited(before: Option<&SitSourceSheet>, after: Option<&SitSourceSheet>) -> Vec<(Action, Detail)> {
        audit::saved(before, after, audit::SERVICE)
    }

    async fn views(
        _app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<SitSourceSheet>>,
    ) -> Result<Vec<SitSourceView>, StoreError> {
        let owners = ownerships::<Self>(db, actor, &records).await?;
        let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
        let keys = store::sealed::with_key(db, SealedColumn::SitCredential, &ids).await?;
        let view = |(record, ownership): (Stored<SitSourceSheet>, Ownership)| SitSourceView {
            head: Head::of(&record, locked::<Self>(actor, &record, Capability::ContentImport)),
            ownership,
            credential_set: keys.contains(&record.id),
            sheet: record.sheet,
        };
        Ok(records.into_iter().zip(owners).map(view).collect())
    }
}

record_operations! {
    SitSourceResource, SitSourceSheet, SitSourceView, SitSourceError;
    noun: "a source of tourist records", tag: "sit", base: "/api/v1/sit-sources", params: [],
    create: (Importer, "content.import"), change: (Importer, "content.import"), delete: (Importer, "content.import"),
    show_sit_source, create_sit_source, update_sit_source, delete_sit_source, list_sit_source_uses,
    list_sit_source_revisions, show_sit_source_revision, restore_sit_source_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations()
        .routes(routes!(list::list_sit_sources))
        .routes(routes!(file::put_sit_file))
        .routes(routes!(credential::set_sit_credential, credential::drop_sit_credential))
        .routes(routes!(mapping::show_sit_mapping))
        .routes(routes!(runs::start_sit_run))
        .routes(routes!(list::list_sit_records))
        .routes(routes!(list::map_sit_records))
        .routes(routes!(record::show_sit_record, record::update_sit_record))
        .routes(routes!(poi::make_sit_poi, poi::link_sit_poi, poi::unlink_sit_poi))
}

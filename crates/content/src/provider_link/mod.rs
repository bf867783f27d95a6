//! Links of providers: a page for a hotel or a hire shop with the parcours nearby. They belong to their white-label: other tenants
//! do not see them, and anyone with the address can open the page.

mod list;
mod qr;

use app::App;
use app::extract::Editor;
use app::record::owned::{Ownership, locked, ownerships};
use app::record::{Head, RecordError, Resource, record_operations};
use app::routes;
use app::slug::slug;
use domain::provider_link::{PageLanguage, ProviderLinkSheet};
use domain::{Actor, Capability};
use serde::Serialize;
use store::provider_link::{ProviderLinks, openings};
use store::record::Stored;
use store::{Connection, StoreError};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

/// Errors of a link.
pub type ProviderLinkError = RecordError<ProviderLinkResource>;

/// The link of a provider.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ProviderLink)]
pub struct ProviderLinkView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    ownership: Ownership,
    #[serde(flatten)]
    sheet: ProviderLinkSheet,
    /// The address to hand out.
    url: String,
    /// How often its page was opened.
    opened: i64,
}

/// The address of a link: its name may change, the number at its end identifies it.
pub(crate) fn address(app: &App, id: i64, sheet: &ProviderLinkSheet) -> String {
    let prefix = if sheet.language == PageLanguage::En { "/en" } else { "" };
    format!("{}{prefix}/chez/{}-{id}", app.settings.public_url, slug(&sheet.name))
}

/// The resource of links to providers.
#[derive(Debug)]
pub struct ProviderLinkResource;

impl Resource for ProviderLinkResource {
    type Record = ProviderLinks;
    type Sheet = ProviderLinkSheet;
    type View = ProviderLinkView;
    const PATH: &'static str = "/api/v1/provider-links";
    const NOT_FOUND: &'static str = "provider-link/not-found";
    const NOT_YOURS: &'static str = "provider-link/not-yours";
    const IN_USE: &'static str = "provider-link/in-use";

    async fn sees(
        _db: &impl Connection,
        actor: &Actor,
        record: &Stored<ProviderLinkSheet>,
    ) -> Result<bool, StoreError> {
        Ok(record.white_label_id.is_some_and(|owner| actor.works_in(owner)))
    }

    async fn views(
        app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<ProviderLinkSheet>>,
    ) -> Result<Vec<ProviderLinkView>, StoreError> {
        let owners = ownerships::<Self>(db, actor, &records).await?;
        let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
        let opened = openings(db, &ids).await?;
        let view = |(record, ownership): (Stored<ProviderLinkSheet>, Ownership)| ProviderLinkView {
            head: Head::of(&record, locked::<Self>(actor, &record, Capability::ContentWrite)),
            ownership,
            url: address(app, record.id, &record.sheet),
            opened: opened.get(&record.id).copied().unwrap_or_default(),
            sheet: record.sheet,
        };
        Ok(records.into_iter().zip(owners).map(view).collect())
    }
}

record_operations! {
    ProviderLinkResource, ProviderLinkSheet, ProviderLinkView, ProviderLinkError;
    noun: "a link of a provider", tag: "provider-links", base: "/api/v1/provider-links", params: [],
    create: (Editor, "content.write"), change: (Editor, "content.write"), delete: (Editor, "content.write"),
    show_provider_link, create_provider_link, update_provider_link, delete_provider_link, list_provider_link_uses,
    list_provider_link_revisions, show_provider_link_revision, restore_provider_link_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations()
        .routes(routes!(list::list_provider_links))
        .routes(routes!(qr::draw_provider_link_qr_svg))
        .routes(routes!(qr::draw_provider_link_qr_png))
}

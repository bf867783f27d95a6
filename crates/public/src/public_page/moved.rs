//! The addresses that a parcours had on the portal of a Geotrek server: on the own domain of a white-label they lead to its page here.

use app::App;
use app::extract::Path;
use app::slug::slug;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use domain::WhiteLabelId;
use domain::imports::ImportKind;
use store::imports::published_by_number;

use super::access::{self, Open, PageRequest};
use super::answer::{Refusal, or_words};
use super::home;
use super::show::moved;

/// The page of a parcours that came from a Geotrek server, at the address of its former portal; in English at `/en/trek/…`.
#[utoipa::path(get, path = "/trek/{page}", tag = "public", security(()),
    params(("page" = String, Path, description = "`<number>-<slug>`, as the portal of a Geotrek server writes it")),
    responses(
        (status = 301, description = "Its page here"),
        (status = 404, description = "No published parcours of this site came from there", content_type = "text/html")
    ))]
#[tracing::instrument(name = "public_page.moved", skip_all)]
pub async fn show_former_address(
    State(app): State<App>,
    request: PageRequest,
    Path(page): Path<String>,
    uri: Uri,
) -> Response {
    or_words(&app, &request, async {
        let (site, ..) = home::site(&app, &request).await?.ok_or(Refusal::NotFound)?;
        let (number, name) = page.split_once('-').unwrap_or((page.as_str(), ""));
        let number: u64 = number.parse().map_err(|_| Refusal::NotFound)?;
        let kind = ImportKind::Geotrek.as_str();
        let mut found = Vec::new();
        for id in published_by_number(app.store.read(), WhiteLabelId(site), kind, number).await? {
            match access::public(&app, &format!("p-{id}")).await {
                Ok(open) => found.push(open),
                Err(Refusal::NotFound) => {}
                Err(refusal) => return Err(refusal),
            }
        }
        // Two servers may give the same number: the name in the address tells them apart.
        let is_named = |open: &Open| open.parcours.sheet.title.iter().any(|(_, words)| slug(words) == slug(name));
        let open = if found.len() == 1 { found.first() } else { found.iter().find(|open| is_named(open)) };
        moved(&open.ok_or(Refusal::NotFound)?.path(&app, request.language), uri.query())
    })
    .await
}

//! The identifiers that linked data gives to records (the `@id` of the DATAtourisme feed): each leads to a page that shows the record.

use app::App;
use app::extract::Path;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::ParcoursId;
use outputs::visitor_words::Language;
use store::feed::naming_poi;
use tracing::instrument;

use super::access::{self, Open, PageRequest};
use super::answer::{Refusal, or_words};
use super::around;
use super::show::leading;

/// How many parcours of a POI are looked at for one whose page shows it.
const MOST_LOOKED_AT: u64 = 10;

/// The number in an address.
fn number(id: &str) -> Result<i64, Refusal> {
    let known = id.bytes().all(|digit| digit.is_ascii_digit());
    id.parse().ok().filter(|_| known).ok_or(Refusal::NotFound)
}

/// Leads from the identifier of a parcours to its page.
#[utoipa::path(get, path = "/id/parcours/{id}", tag = "public", security(()), params(("id" = i64, Path)),
    responses(
        (status = 303, description = "Its page"),
        (status = 404, description = "Not published, or shown under a parent alone", content_type = "text/html")
    ))]
#[instrument(name = "public_page.identify_parcours", skip_all)]
pub async fn identify_parcours(State(app): State<App>, request: PageRequest, Path(id): Path<String>) -> Response {
    or_words(&app, &request, async {
        let open = access::public(&app, &format!("p-{}", number(&id)?)).await?;
        leading(StatusCode::SEE_OTHER, &open.path(&app, request.language))
    })
    .await
}

/// Leads from the identifier of a POI to the page of a parcours that shows it.
#[utoipa::path(get, path = "/id/poi/{id}", tag = "public", security(()), params(("id" = i64, Path)),
    responses(
        (status = 303, description = "The page of a parcours that shows it"),
        (status = 404, description = "No public page shows it", content_type = "text/html")
    ))]
#[instrument(name = "public_page.identify_poi", skip_all)]
pub async fn identify_poi(State(app): State<App>, request: PageRequest, Path(id): Path<String>) -> Response {
    let language = request.language;
    or_words(&app, &request, async {
        let poi = number(&id)?;
        for parcours in naming_poi(app.store.read(), poi, MOST_LOOKED_AT).await? {
            if let Some(open) = Box::pin(showing(&app, poi, parcours, language)).await? {
                return leading(StatusCode::SEE_OTHER, &open.path(&app, language));
            }
        }
        Err(Refusal::NotFound)
    })
    .await
}

/// The public page of a parcours, where it shows a POI.
async fn showing(app: &App, poi: i64, parcours: ParcoursId, language: Language) -> Result<Option<Open>, Refusal> {
    let open = match access::public(app, &format!("p-{parcours}")).await {
        Ok(open) => open,
        Err(Refusal::NotFound) => return Ok(None),
        Err(refusal) => return Err(refusal),
    };
    let owner = (open.parcours.white_label_id, &open.white_label);
    let shown = Box::pin(around::pois(app, owner, &[poi], &[], language)).await?;
    Ok((!shown.is_empty()).then_some(open))
}

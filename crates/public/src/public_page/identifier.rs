//! The identifiers that linked data gives to records (the `@id` of the DATAtourisme feed): each leads to a page that shows the record.

use std::collections::HashMap;

use app::App;
use app::extract::Path;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::{PoiSheet, WhiteLabelId};
use outputs::visitor_words::{Language, Words};
use store::StoreError;
use store::feed::naming_poi;
use store::poi::Pois;
use store::record::load;
use store::white_label::WhiteLabels;
use tracing::instrument;

use super::access::{self, Open, PageRequest};
use super::answer::{Refusal, or_words};
use super::around::{self, PoiLinks};
use super::show::leading;

/// The most parcours of a POI among which one is searched whose page shows it. One statement reads them.
const MAX_SEARCHED: u64 = 1_000;
/// The most white-labels of these that are read. Those that do not have the POI are skipped without a read.
const MAX_WHITE_LABELS: usize = 10;
/// The most parcours of these that are read: a page may be refused for its reviews.
const MAX_OPENED: usize = 10;

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
        let open = Box::pin(first_showing(&app, number(&id)?, language)).await?.ok_or(Refusal::NotFound)?;
        leading(StatusCode::SEE_OTHER, &open.path(&app, language))
    })
    .await
}

/// The first parcours whose public page shows a POI.
async fn first_showing(app: &App, poi: i64, language: Language) -> Result<Option<Open>, Refusal> {
    let db = app.store.read();
    // A page shows no POI without a title.
    let named = load::<Pois>(db, poi).await?.filter(|poi| Words::of(&poi.sheet.title, language).is_some());
    let Some(poi) = named else { return Ok(None) };
    let links = PoiLinks::of(app, &[poi.id]).await?;
    // A white-label shows a POI on all its pages that name it, or on none.
    let mut known: HashMap<WhiteLabelId, bool> = HashMap::new();
    let mut opened = 0;
    for (parcours, owner) in naming_poi(db, poi.id, MAX_SEARCHED).await? {
        if !links.has(owner, &poi) {
            continue;
        }
        let is_shown = match known.get(&owner) {
            Some(is_shown) => *is_shown,
            None if known.len() == MAX_WHITE_LABELS => continue,
            None => is_shown_by(app, owner, &poi.sheet).await?,
        };
        known.insert(owner, is_shown);
        if !is_shown {
            continue;
        }
        if opened == MAX_OPENED {
            break;
        }
        opened += 1;
        match access::public(app, &format!("p-{parcours}")).await {
            Ok(open) => return Ok(Some(open)),
            Err(Refusal::NotFound) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    Ok(None)
}

/// Whether a white-label that has a POI has public pages and shows it on them.
async fn is_shown_by(app: &App, owner: WhiteLabelId, poi: &PoiSheet) -> Result<bool, StoreError> {
    let found = load::<WhiteLabels>(app.store.read(), owner.0).await?;
    let Some(white_label) = found.filter(|found| found.sheet.published) else { return Ok(false) };
    let choice = around::choice_of(app, &white_label.sheet).await?;
    Ok(choice.is_some_and(|choice| around::chosen(&choice, poi)))
}

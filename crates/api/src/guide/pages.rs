//! The list of pages, or those that hold what is searched.

use app::extract::{Query, Reader};
use app::{App, Rejection};
use axum::Json;
use axum::extract::State;
use domain::fold;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::source::PAGES;

/// What is searched.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GuideQuery {
    /// Words; every one must be there.
    search: Option<String>,
}

/// The guide's pages.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Guide {
    version: String,
    /// The contact for questions.
    contact: String,
    pages: Vec<GuideEntry>,
}

/// A page in the list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GuideEntry {
    slug: String,
    title: String,
    /// Words around what was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<String>,
}

/// The guide's pages, all or those that hold what is searched.
#[utoipa::path(
    get,
    path = "/api/v1/guide",
    tag = "guide",
    security(("session" = ["content.read"])),
    params(GuideQuery),
    responses((status = 200, body = Guide), Rejection)
)]
pub async fn list_guide_pages(
    State(app): State<App>,
    _reader: Reader,
    Query(query): Query<GuideQuery>,
) -> Result<Json<Guide>, Rejection> {
    let asked = fold(query.search.as_deref().unwrap_or_default());
    let found = PAGES.iter().filter(|page| asked.is_empty() || page.holds(&asked)).map(|page| GuideEntry {
        slug: page.slug.clone(),
        title: page.title.clone(),
        excerpt: (!asked.is_empty()).then(|| page.excerpt(&asked)),
    });
    let pages = found.collect();
    Ok(Json(Guide { version: app.settings.version.clone(), contact: app.settings.contact.clone(), pages }))
}

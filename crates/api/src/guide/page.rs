//! One page of the guide.

use app::extract::{Path, Reader};
use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::GuideError;
use super::source::PAGES;

/// A page of the guide, in French: the language of the staff it is written for.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GuidePage {
    slug: String,
    title: String,
    /// Clean HTML, without the title.
    html: String,
    /// The language it is written in.
    language: &'static str,
}

/// One page of the guide.
#[utoipa::path(
    get,
    path = "/api/v1/guide/{slug}",
    tag = "guide",
    security(("session" = ["content.read"])),
    params(("slug" = String, Path, description = "The page")),
    responses((status = 200, body = GuidePage), GuideError)
)]
pub async fn show_guide_page(_reader: Reader, Path(slug): Path<String>) -> Result<Json<GuidePage>, GuideError> {
    let found = PAGES.iter().find(|page| page.slug == slug).ok_or(GuideError::NotFound { slug })?;
    Ok(Json(GuidePage {
        slug: found.slug.clone(),
        title: found.title.clone(),
        html: found.html.clone(),
        language: "fr",
    }))
}

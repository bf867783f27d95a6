//! A whole list at once: the longest has a hundred items.

use axum::Json;
use axum::extract::State;
use domain::vocabulary::VocabularyKind;
use tracing::instrument;

use super::{VocabularyError, VocabularyView};
use crate::App;
use crate::extract::{Path, Reader};

/// A reference list, whole.
#[utoipa::path(
    get,
    path = "/api/v1/vocabularies/{kind}",
    tag = "reference",
    security(("session" = ["content.read"])),
    params(("kind" = VocabularyKind, Path, description = "Which list")),
    responses((status = 200, body = VocabularyView), VocabularyError)
)]
#[instrument(name = "vocabulary.list", skip_all, fields(kind))]
pub async fn list_vocabulary(
    State(app): State<App>,
    _reader: Reader,
    Path(kind): Path<String>,
) -> Result<Json<VocabularyView>, VocabularyError> {
    let kind = VocabularyKind::parse(&kind).ok_or(VocabularyError::NotFound { kind })?;
    let items = store::vocabulary::list(app.store.read(), kind).await?;
    Ok(Json(VocabularyView { kind, items: items.into_iter().map(Into::into).collect() }))
}

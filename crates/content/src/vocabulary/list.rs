//! A whole list at once: the longest has a few hundred items.

use std::collections::HashMap;

use app::App;
use app::extract::{Path, Query, Reader};
use app::problem::Internal;
use axum::Json;
use axum::extract::State;
use domain::vocabulary::{Attributes, VocabularyItem, VocabularyKind};
use domain::{Text, VocabularyId};
use macros::Problem;
use serde::{Deserialize, Serialize};
use tracing::instrument;
use utoipa::{IntoParams, ToSchema};

/// Errors of a reference list.
#[derive(Debug, thiserror::Error, Problem)]
pub enum VocabularyError {
    /// There is no such list.
    #[error("no vocabulary `{kind}`")]
    #[problem(404, "vocabulary/not-found")]
    NotFound {
        /// The one asked for.
        kind: String,
    },
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// A whole list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Vocabulary)]
pub struct VocabularyView {
    /// Which list.
    pub kind: VocabularyKind,
    /// Its items, siblings in their order.
    pub items: Vec<VocabularyItemView>,
}

/// An item of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = VocabularyItem)]
pub struct VocabularyItemView {
    id: VocabularyId,
    code: String,
    parent_id: Option<VocabularyId>,
    label: Text,
    description: Text,
    icon: Option<String>,
    color: Option<String>,
    order: i64,
    attributes: Attributes,
    version: i64,
    /// How many use it, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    uses_total: Option<i64>,
}

impl VocabularyItemView {
    fn of(item: VocabularyItem, totals: Option<&HashMap<i64, i64>>) -> Self {
        Self {
            uses_total: totals.map(|totals| totals.get(&item.id.0).copied().unwrap_or(0)),
            id: item.id,
            code: item.code,
            parent_id: item.parent_id,
            label: item.label,
            description: item.description,
            icon: item.icon,
            color: item.color,
            order: item.order,
            attributes: item.attributes,
            version: item.version,
        }
    }
}

/// What is asked of a list.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct VocabularyQuery {
    /// Count the uses of each item.
    with_uses: bool,
}

/// A reference list, whole.
#[utoipa::path(
    get,
    path = "/api/v1/vocabularies/{kind}",
    tag = "reference",
    security(("session" = ["content.read"])),
    params(("kind" = VocabularyKind, Path, description = "Which list"), VocabularyQuery),
    responses((status = 200, body = VocabularyView), VocabularyError)
)]
#[instrument(name = "vocabulary.list", skip_all, fields(kind))]
pub async fn list_vocabulary(
    State(app): State<App>,
    _reader: Reader,
    Path(kind): Path<String>,
    Query(query): Query<VocabularyQuery>,
) -> Result<Json<VocabularyView>, VocabularyError> {
    shown(&app, &kind, query.with_uses).await.map(Json)
}

/// The view of a list.
pub(super) async fn shown(app: &App, kind: &str, with_uses: bool) -> Result<VocabularyView, VocabularyError> {
    let kind = VocabularyKind::parse(kind).ok_or_else(|| VocabularyError::NotFound { kind: kind.to_owned() })?;
    let db = app.store.read();
    let items = store::vocabulary::list(db, kind).await?;
    let ids: Vec<i64> = items.iter().map(|item| item.id.0).collect();
    let totals = if with_uses { Some(store::vocabulary::uses_totals(db, &ids).await?) } else { None };
    let items = items.into_iter().map(|item| VocabularyItemView::of(item, totals.as_ref())).collect();
    Ok(VocabularyView { kind, items })
}

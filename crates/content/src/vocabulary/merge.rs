//! Merging an item into another, and deleting many.

use app::App;
use app::extract::{Body, IfMatch, Path, Superadmin};
use app::record::bulk::{self, Does, RecordChange};
use app::record::{At, BulkView, MergeInput, Reply, Resource as _, UndoInput, operations};
use axum::Json;
use axum::extract::State;
use domain::vocabulary::VocabularyKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{TermError, TermResource, TermView};

/// Merge an item into another of its list: whatever used it uses the other one from then on.
#[utoipa::path(post, path = "/api/v1/vocabularies/{kind}/{id}/merge", tag = "reference", request_body(content = MergeInput),
    params(("kind" = VocabularyKind, Path), ("id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["reference.manage"])), responses((status = 200, body = TermView), TermError))]
pub async fn merge_vocabulary_item(
    State(app): State<App>,
    keeper: Superadmin,
    Path(at): Path<At>,
    based_on: IfMatch,
    Body(sent): Body<MergeInput>,
) -> Result<Reply<TermView>, TermError> {
    operations::merge::<TermResource>(&app, &keeper, at, based_on, sent.into_id, |mut stays, gone| {
        for (lang, words) in gone.label.iter() {
            if !stays.label.is_written(lang) {
                stays.label.set(lang, words);
            }
        }
        stays
    })
    .await
}

/// What is done to many items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TermAction {
    /// Into the bin.
    Delete,
}

/// One action on many items.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TermBulk {
    /// These.
    pub ids: Vec<i64>,
    /// What is done.
    pub action: TermAction,
    /// Only report what would be done.
    #[serde(default)]
    pub dry_run: bool,
}

/// Delete many items of a list; those in use are refused. With `dry_run`, only report what would be done.
#[utoipa::path(post, path = "/api/v1/vocabularies/{kind}/bulk", tag = "reference", params(("kind" = VocabularyKind, Path)),
    request_body(content = TermBulk), security(("session" = ["reference.manage"])),
    responses((status = 200, body = BulkView), TermError))]
pub async fn delete_many_vocabulary_items(
    State(app): State<App>,
    keeper: Superadmin,
    Path(at): Path<At>,
    Body(sent): Body<TermBulk>,
) -> Result<Json<BulkView>, TermError> {
    let TermAction::Delete = sent.action;
    let does = |term: &_| {
        if TermResource::stands_at(&at, term) {
            Does::Changes(RecordChange::Deletes)
        } else {
            Does::Refuses(TermResource::NOT_FOUND)
        }
    };
    bulk::apply::<TermResource>(&app, &keeper, &sent.ids, sent.dry_run, does).await.map(Json)
}

/// Undo an action on many items.
#[utoipa::path(post, path = "/api/v1/vocabularies/{kind}/bulk/undo", tag = "reference", params(("kind" = VocabularyKind, Path)),
    request_body(content = UndoInput), security(("session" = ["reference.manage"])),
    responses((status = 200, body = BulkView), TermError))]
pub async fn undo_vocabulary_bulk(
    State(app): State<App>,
    keeper: Superadmin,
    Path(_at): Path<At>,
    Body(sent): Body<UndoInput>,
) -> Result<Json<BulkView>, TermError> {
    bulk::undo::<TermResource>(&app, &keeper, &sent.undo_token).await.map(Json)
}

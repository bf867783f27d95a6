//! The result of one action on many records or parcours, and its undo.

use domain::Text;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The outcome for one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is done.
    Applied,
    /// It was so already.
    Unchanged,
    /// It cannot be done; the code says why.
    Refused,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BulkItem {
    pub id: i64,
    pub title: Text,
    pub outcome: Outcome,
    /// Why it is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// What the sentence needs.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
}

/// What the sentence about a record in use needs: how many use it.
pub(super) fn in_use(total: i64) -> Map<String, Value> {
    Map::from_iter([("total".to_owned(), Value::from(total))])
}

/// What an action did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BulkView {
    /// How many it changed.
    pub applied: usize,
    /// How many were so already.
    pub unchanged: usize,
    /// How many it cannot change.
    pub refused: usize,
    pub items: Vec<BulkItem>,
    /// The token with which it can be undone for ten minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo_token: Option<String>,
}

/// How many were changed.
pub fn applied(items: &[BulkItem]) -> u64 {
    items.iter().filter(|item| item.outcome == Outcome::Applied).count() as u64
}

/// The answer about all of them.
pub fn summed(items: Vec<BulkItem>, undo_token: Option<String>) -> BulkView {
    let count = |outcome| items.iter().filter(|item| item.outcome == outcome).count();
    BulkView {
        applied: count(Outcome::Applied),
        unchanged: count(Outcome::Unchanged),
        refused: count(Outcome::Refused),
        undo_token,
        items,
    }
}

/// Which action to undo.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoInput {
    /// What the action gave.
    pub undo_token: String,
}

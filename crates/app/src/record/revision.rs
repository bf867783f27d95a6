//! The history of a record or a parcours.

use domain::Instant;
use serde::{Deserialize, Serialize};
use store::parcours::RevisionHead;
use utoipa::ToSchema;

use super::Named;

/// A save.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RevisionView {
    /// The version it made.
    pub version: i64,
    pub at: Instant,
    pub user: Option<Named>,
    /// What it changed; `*` for all, at the making.
    pub fields: Vec<String>,
    /// Why, for an automatic one: `recalculation`, `import`, `restore`, `bulk`, `table`.
    pub reason: Option<String>,
}

impl From<RevisionHead> for RevisionView {
    fn from(head: RevisionHead) -> Self {
        let user = head.user.map(|(id, name)| Named { id: id.0, name });
        Self { version: head.version, at: head.at, user, fields: head.fields, reason: head.reason }
    }
}

/// All saves of a parcours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Revisions {
    /// The newest first.
    pub items: Vec<RevisionView>,
}

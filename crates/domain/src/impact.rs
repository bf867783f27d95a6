//! Actions that affect others, and whose impact is shown before they are done.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is about to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It is no longer shown.
    Unpublish,
    /// It goes to the bin.
    Delete,
    /// Its line becomes another one.
    ChangeTrace,
}

//! What views of records share: names, locks, links to white-labels.

use domain::{Actor, Capability, Text, WhiteLabelId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something with a number and a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Named {
    pub id: i64,
    pub name: String,
}

/// A parcours by its title.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TitledParcours {
    pub id: i64,
    pub title: Text,
}

/// Why a parcours cannot be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LockedReason {
    /// It belongs to another white-label.
    NotYours,
    /// The role only reads.
    Role,
}

/// A white-label that added a parcours of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WhiteLabelLink {
    pub id: WhiteLabelId,
    pub name: String,
    /// Its own switch.
    pub published: bool,
}

/// Why the person may not change a white-label's content; `None` when they may.
pub fn lock_of(actor: &Actor, owner: WhiteLabelId) -> Option<LockedReason> {
    if !actor.works_in(owner) {
        Some(LockedReason::NotYours)
    } else if !actor.can(Capability::ContentWrite) {
        Some(LockedReason::Role)
    } else {
        None
    }
}

/// Whether a white-label shows a parcours it added.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkInput {
    /// Its own switch.
    pub published: bool,
}

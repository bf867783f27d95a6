//! The signed-in user, as every rule of ownership sees them.

use crate::{Capability, Role, StructureId, UserId, WhiteLabelId};

/// A signed-in person and what they may touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub user_id: UserId,
    /// What they are.
    pub role: Role,
    /// The structure that employs them.
    pub structure_id: StructureId,
    /// The white-labels they work in: their own, all of the structure's for an admin, all there are for a superadmin.
    pub white_label_ids: Vec<WhiteLabelId>,
    /// The one they look at now.
    pub active_white_label_id: WhiteLabelId,
}

impl Actor {
    /// Whether they may do one thing at all.
    pub fn can(&self, capability: Capability) -> bool {
        self.role.can(capability)
    }

    /// Whether a white-label's content is theirs: only then may they change it.
    pub fn works_in(&self, white_label: WhiteLabelId) -> bool {
        self.white_label_ids.contains(&white_label)
    }

    /// Whether they may change content of a white-label.
    pub fn may_write_in(&self, white_label: WhiteLabelId) -> bool {
        self.can(Capability::ContentWrite) && self.works_in(white_label)
    }

    /// Whether they may see the people and settings of a structure.
    pub fn may_see_inside(&self, structure: StructureId) -> bool {
        self.role == Role::Superadmin || self.structure_id == structure
    }
}

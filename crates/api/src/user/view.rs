//! A person as an administrator sees them.

use domain::{Instant, Locale, Role, StructureId, User, UserId, UserStatus, WhiteLabelId};
use serde::Serialize;
use utoipa::ToSchema;

/// A person who signs in.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = User)]
pub struct UserView {
    id: UserId,
    first_name: String,
    last_name: String,
    email: String,
    role: Role,
    status: UserStatus,
    locale: Locale,
    structure_id: StructureId,
    white_label_ids: Vec<WhiteLabelId>,
    created_at: Instant,
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        Self {
            id: user.id,
            first_name: user.first_name,
            last_name: user.last_name,
            email: user.email,
            role: user.role,
            status: user.status,
            locale: user.locale,
            structure_id: user.structure_id,
            white_label_ids: user.white_label_ids,
            created_at: user.created_at,
        }
    }
}

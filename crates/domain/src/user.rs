//! People who sign in.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::record::{Field, Kind, country, email, free, line, phone, sheet, to};
use crate::{Actor, Instant, Locale, Role, StructureId, UserId, WhiteLabelId};

/// Whether a person may sign in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserStatus {
    /// May sign in.
    #[default]
    Active,
    /// Refused, and all their sessions ended.
    Blocked,
}

impl UserStatus {
    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Blocked => "blocked",
        }
    }

    /// The status of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Active, Self::Blocked].into_iter().find(|status| status.as_str() == word)
    }
}

impl Field for UserStatus {}
impl Field for Role {}
impl Field for Locale {}

sheet! {
    /// The fields of a user: none is a secret, passwords and codes are elsewhere.
    UserSheet {
        /// Family name.
        last_name: String = line(100).required(),
        /// Given name.
        first_name: String = line(100),
        /// Address, in small letters; no other person has it.
        email: String = email().required(),
        /// Telephone number, as it is dialled.
        phone: Option<String> = phone(),
        /// Number and street.
        address: Option<String> = line(300),
        /// Town.
        city: Option<String> = line(100),
        /// Postal code.
        postcode: Option<String> = line(20),
        country: Option<String> = country(),
        /// What they are.
        role: Role = free(),
        /// Whether they may sign in.
        status: UserStatus = free(),
        /// Language of their interface and mails.
        locale: Locale = free(),
        /// The structure that employs them.
        structure_id: i64 = to(Kind::Structure).required(),
        /// The white-labels they are given.
        white_label_ids: Vec<i64> = to(Kind::WhiteLabel),
        /// Number of the client that is billed for them.
        billing_client_id: Option<String> = line(100),
    }
}

impl UserSheet {
    /// First and last name.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name).trim().to_owned()
    }

    /// Whether they manage users: an administrator who may sign in.
    pub fn looks_after_others(&self) -> bool {
        self.status == UserStatus::Active && self.role.can(crate::Capability::UsersManage)
    }
}

/// A person who signs in, without their password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Identifier.
    pub id: UserId,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// Address, in small letters.
    pub email: String,
    /// What they are.
    pub role: Role,
    /// Whether they may sign in.
    pub status: UserStatus,
    /// Language of their interface and mails.
    pub locale: Locale,
    /// Whether signing in asks for a second factor.
    pub totp_enabled: bool,
    /// Whether they want every field.
    pub advanced_view: bool,
    /// Whether a letter alone is a shortcut for them.
    pub single_keys: bool,
    /// The structure that employs them.
    pub structure_id: StructureId,
    /// The white-labels they were given.
    pub white_label_ids: Vec<WhiteLabelId>,
    /// The white-label they look at; always one they may see.
    pub active_white_label_id: Option<WhiteLabelId>,
    /// When the account was made.
    pub created_at: Instant,
}

impl User {
    /// The person as the rules of ownership see them. `reachable` are the white-labels their role opens to them.
    /// None when there is no white-label at all they could look at.
    pub fn actor(&self, reachable: &[WhiteLabelId]) -> Option<Actor> {
        let active = self.active_white_label_id.filter(|id| reachable.contains(id)).or(reachable.first().copied())?;
        Some(Actor {
            user_id: self.id,
            role: self.role,
            structure_id: self.structure_id,
            white_label_ids: reachable.to_vec(),
            active_white_label_id: active,
        })
    }

    /// First and last name.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name).trim().to_owned()
    }
}

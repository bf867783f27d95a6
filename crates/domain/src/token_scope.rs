//! What a personal token may be used for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a personal token allows, within the rights of its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TokenScope {
    /// Reading what its owner sees.
    Read,
    /// Proposing changes, which a person accepts or refuses.
    Propose,
}

impl TokenScope {
    /// All scopes.
    pub const ALL: [Self; 2] = [Self::Read, Self::Propose];

    /// The written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Propose => "propose",
        }
    }

    /// The scope of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == word)
    }
}

//! The languages of the interface.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A language of the interface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Locale {
    /// French.
    #[default]
    Fr,
    /// English (en-US).
    En,
}

impl Locale {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Fr, Self::En];

    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fr => "fr",
            Self::En => "en",
        }
    }

    /// The locale of a word such as `en`, `en-US` or `FR`.
    pub fn parse(word: &str) -> Option<Self> {
        let language = word.split(['-', '_']).next()?;
        Self::ALL.into_iter().find(|locale| locale.as_str().eq_ignore_ascii_case(language))
    }
}

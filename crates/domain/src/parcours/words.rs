//! The closed lists a parcours' fields choose from.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The relation of a parcours to another one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// Stands alone.
    #[default]
    None,
    /// A source for children, never listed in public.
    ModelOnly,
    /// Shown alone and under its parent.
    Child,
    /// Shown only under its parent.
    ChildOnly,
}

impl Relation {
    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ModelOnly => "model_only",
            Self::Child => "child",
            Self::ChildOnly => "child_only",
        }
    }

    /// The relation of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::None, Self::ModelOnly, Self::Child, Self::ChildOnly].into_iter().find(|r| r.as_str() == word)
    }

    /// Whether it has a parent.
    pub const fn is_child(self) -> bool {
        matches!(self, Self::Child | Self::ChildOnly)
    }

    /// Whether the public lists may show it as an entry of its own.
    pub const fn is_listed_in_public(self) -> bool {
        matches!(self, Self::None | Self::Child)
    }
}

/// Yes, no, or the parent's answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Inheritable {
    /// Yes, regardless of the parent.
    Yes,
    /// No, regardless of the parent.
    No,
    /// As the parent.
    #[default]
    Inherit,
}

impl Inheritable {
    /// The own answer, if there is one.
    pub const fn own(self) -> Option<bool> {
        match self {
            Self::Yes => Some(true),
            Self::No => Some(false),
            Self::Inherit => None,
        }
    }

    /// Whether a parcours can be booked that says this: its own answer, else its parents', else whether it has a booking link.
    pub fn is_bookable(self, above: Option<bool>, has_link: bool) -> bool {
        self.own().or(above).unwrap_or(has_link)
    }
}

/// The progress of the work on a parcours; usually absent. With any of them, the default list leaves it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// Waits for review.
    ToReview,
    /// Something is wrong.
    ToFix,
    /// Not now.
    OnHold,
    /// Put away.
    Archived,
}

impl Progress {
    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ToReview => "to_review",
            Self::ToFix => "to_fix",
            Self::OnHold => "on_hold",
            Self::Archived => "archived",
        }
    }

    /// The status of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::ToReview, Self::ToFix, Self::OnHold, Self::Archived].into_iter().find(|p| p.as_str() == word)
    }
}

/// Its rank in lists: 0 normal, 1 favoured, 2 priority.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "i64", into = "i64")]
#[schema(value_type = i64, minimum = 0, maximum = 2)]
pub struct DisplayPriority(u8);

impl DisplayPriority {
    /// The highest.
    pub const MAX: i64 = 2;

    /// As a number.
    pub const fn value(self) -> i64 {
        self.0 as i64
    }
}

impl TryFrom<i64> for DisplayPriority {
    type Error = String;

    fn try_from(value: i64) -> Result<Self, Self::Error> {
        if (0..=Self::MAX).contains(&value) { Ok(Self(value as u8)) } else { Err("0, 1 or 2".to_owned()) }
    }
}

impl From<DisplayPriority> for i64 {
    fn from(priority: DisplayPriority) -> Self {
        priority.value()
    }
}

//! Shares: a stable address while published, or one that ends.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Fault;

/// What kind of share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShareKind {
    /// Works while the parcours is published.
    Permanent,
    /// Works until it expires or is revoked, published or not.
    Temporary,
}

impl ShareKind {
    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Permanent => "permanent",
            Self::Temporary => "temporary",
        }
    }
}

/// How long a temporary share may live, in days.
pub const SHARE_DAYS: [i64; 3] = [1, 7, 30];

/// What a share is worth at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShareState {
    /// The link works.
    Active,
    /// Its days are over.
    Expired,
    /// A user ended it.
    Revoked,
}

impl ShareState {
    /// The state of a share at `now`; instants are seconds since 1970.
    pub const fn at(now_s: i64, expires_at_s: Option<i64>, revoked: bool) -> Self {
        if revoked {
            return Self::Revoked;
        }
        match expires_at_s {
            Some(end) if end <= now_s => Self::Expired,
            _ => Self::Active,
        }
    }
}

/// The number of days a new share lives: none for a permanent one, 1, 7 or 30 for a temporary one.
pub fn lifetime_days(kind: ShareKind, days: Option<i64>) -> Result<Option<i64>, Fault> {
    match (kind, days) {
        (ShareKind::Permanent, _) => Ok(None),
        (ShareKind::Temporary, Some(days)) if SHARE_DAYS.contains(&days) => Ok(Some(days)),
        (ShareKind::Temporary, _) => Err(Fault::new("share/days", "/days")),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_share_lives_one_seven_or_thirty_days() {
        assert_eq!(lifetime_days(ShareKind::Temporary, Some(7)), Ok(Some(7)));
        assert_eq!(lifetime_days(ShareKind::Temporary, Some(8)).unwrap_err().code, "share/days");
        assert_eq!(lifetime_days(ShareKind::Temporary, None).unwrap_err().field, "/days");
        assert_eq!(lifetime_days(ShareKind::Permanent, Some(8)), Ok(None));
    }

    #[test]
    fn a_share_ends_at_its_very_second_and_stays_revoked() {
        assert_eq!(ShareState::at(99, Some(100), false), ShareState::Active);
        assert_eq!(ShareState::at(100, Some(100), false), ShareState::Expired);
        assert_eq!(ShareState::at(0, None, true), ShareState::Revoked);
    }
}

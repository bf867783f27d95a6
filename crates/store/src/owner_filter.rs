//! The filter of a list by who owns its entries.

/// Whose entries a list shows, as seen from the reading white-label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OwnerFilter {
    /// The white-label's own.
    Mine,
    /// What it sees of others.
    Shared,
    /// Both.
    #[default]
    All,
}

impl OwnerFilter {
    /// The same, with the white-label's own in place of both: of what may be changed.
    #[must_use]
    pub const fn or_mine(self) -> Self {
        if matches!(self, Self::All) { Self::Mine } else { self }
    }
}

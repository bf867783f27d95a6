//! The counts of a list of parcours: the connections remember them until the next write, so they are below `crate::parcours`.

/// The counts of a list, by owner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListCounts {
    /// The active white-label's own.
    pub mine: i64,
    /// Others'.
    pub shared: i64,
    /// Those a progress status takes out of the list.
    pub hidden_by_progress: i64,
}

/// Estimates: how many parcours have the words of a search, and how many parcours there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spread {
    pub(crate) matches: i64,
    pub(crate) parcours: i64,
}

/// The counts of a list, and how its words are spread: the same for all its pages and orders.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    pub(crate) counts: ListCounts,
    pub(crate) spread: Option<Spread>,
}

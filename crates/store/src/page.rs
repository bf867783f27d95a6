//! Which part of a list is asked for.

/// The most rows of a page.
pub const MAX_PER_PAGE: u64 = 200;

/// Which part of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    number: u64,
    per_page: u64,
}

impl Page {
    /// The page of a number (from 1) and a number of rows; both are limited to their bounds.
    pub fn new(number: u64, per_page: u64) -> Self {
        Self { number: number.clamp(1, 1_000_000), per_page: per_page.clamp(1, MAX_PER_PAGE) }
    }

    /// Rows before it.
    pub const fn offset(self) -> u64 {
        (self.number - 1) * self.per_page
    }

    /// Whether it begins after this number of rows.
    pub(crate) const fn is_beyond(self, rows: i64) -> bool {
        self.offset() >= rows.unsigned_abs()
    }

    /// Its number, from 1.
    pub const fn number(self) -> u64 {
        self.number
    }

    /// Rows on it.
    pub const fn per_page(self) -> u64 {
        self.per_page
    }

    /// Whether reading a table in the order of a list until this page is complete costs less than gathering and sorting rows.
    /// `matches` of the table's `rows` belong to the list; `gathered` would be sorted. A row costs about the same either way.
    pub(crate) fn is_met_soon(self, matches: i64, gathered: i64, rows: i64) -> bool {
        let wanted = i64::try_from(self.offset() + self.per_page()).unwrap_or(i64::MAX);
        matches.saturating_mul(gathered) > wanted.saturating_mul(rows)
    }
}

impl Default for Page {
    fn default() -> Self {
        Self::new(1, 25)
    }
}

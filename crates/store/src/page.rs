//! Paging, counting and sorting: written once.

use sea_orm::sea_query::{Alias, Expr, Query};
use sea_orm::{ConnectionTrait, EntityTrait, QuerySelect, QueryTrait, Select};

use crate::{Connection, StoreError};

/// The most rows of a page.
pub const MAX_PER_PAGE: u64 = 200;

/// Which part of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    number: u64,
    per_page: u64,
}

impl Page {
    /// The page of this number (from 1) with so many rows; both are brought into their bounds.
    pub fn new(number: u64, per_page: u64) -> Self {
        Self { number: number.clamp(1, 1_000_000), per_page: per_page.clamp(1, MAX_PER_PAGE) }
    }

    /// Rows before it.
    pub const fn offset(self) -> u64 {
        (self.number - 1) * self.per_page
    }

    /// Its number, from 1.
    pub const fn number(self) -> u64 {
        self.number
    }

    /// Rows on it.
    pub const fn per_page(self) -> u64 {
        self.per_page
    }
}

impl Default for Page {
    fn default() -> Self {
        Self::new(1, 25)
    }
}

/// A page of a list, and how much there is in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T> {
    /// What stands on the page.
    pub items: Vec<T>,
    /// How many there are on all pages.
    pub total: u64,
}

impl<T> Listed<T> {
    /// The same page of something else.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Listed<U> {
        Listed { items: self.items.into_iter().map(change).collect(), total: self.total }
    }

    /// The same page of something else, where the change may fail.
    pub fn try_map<U, E>(self, change: impl FnMut(T) -> Result<U, E>) -> Result<Listed<U>, E> {
        Ok(Listed { items: self.items.into_iter().map(change).collect::<Result<_, _>>()?, total: self.total })
    }
}

/// Reads a page of a selection that is filtered and ordered, and counts what the filter leaves.
pub(crate) async fn fetch<E: EntityTrait>(
    db: &impl Connection,
    filtered: Select<E>,
    order: impl FnOnce(Select<E>) -> Select<E>,
    page: Page,
) -> Result<Listed<E::Model>, StoreError> {
    let rows = order(filtered.clone()).offset(page.offset()).limit(page.per_page).all(&db.executor()).await?;
    // A first page that is not full holds everything: most filtered lists need no counting.
    let fits = page.number == 1 && (rows.len() as u64) < page.per_page;
    let total = if fits { rows.len() as u64 } else { count(db, filtered).await? };
    Ok(Listed { items: rows, total })
}

/// How many rows a selection has.
pub(crate) async fn count<E: EntityTrait>(db: &impl Connection, filtered: Select<E>) -> Result<u64, StoreError> {
    let rows = filtered.select_only().expr(Expr::val(1)).into_query();
    let counting = Query::select()
        .expr_as(Expr::cust("COUNT(*)"), Alias::new("n"))
        .from_subquery(rows, Alias::new("r"))
        .to_owned();
    let row = db.executor().query_one(&counting).await?;
    let counted: Option<i64> = row.map(|row| row.try_get("", "n")).transpose()?;
    Ok(counted.map_or(0, i64::unsigned_abs))
}

//! A page of a list: chosen on narrow rows and indexes alone; what is wide is read for its 25.

use domain::record::Kind;
use sea_orm::Value;

use crate::parcours::sql::{all, get, numbers, one};
use crate::search::Index;
use crate::{Connection, Page, StoreError};

/// Counts are exact up to this many.
pub(crate) const MAX_COUNT: i64 = 10_000;

/// Conditions on the row `n`, and the values they need.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conditions {
    clauses: Vec<String>,
    pub(crate) values: Vec<Value>,
}

impl Conditions {
    /// Adds a condition.
    pub(crate) fn and(&mut self, clause: impl Into<String>) -> &mut Self {
        self.clauses.push(clause.into());
        self
    }

    /// Adds a value and gives its placeholder.
    pub(crate) fn bind(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }

    /// The column holds one of these numbers; anything when there are none.
    pub(crate) fn within(&mut self, column: &str, ids: Option<&[i64]>) -> &mut Self {
        if let Some(ids) = ids {
            self.and(format!("n.{column} IN {}", numbers(ids)));
        }
        self
    }

    /// A record of kind `from` that points to one of these of kind `to`; anything when there are none.
    pub(crate) fn pointing(&mut self, from: Kind, to: Kind, ids: Option<&[i64]>) -> &mut Self {
        if let Some(ids) = ids {
            let (from, to) = (from.code(), to.code());
            self.and(format!(
                "n.id IN (SELECT from_id FROM record_link WHERE to_kind = {to} AND to_id IN {} AND from_kind = {from})",
                numbers(ids)
            ));
        }
        self
    }

    /// A record found by every one of these words; anything when there are none.
    pub(crate) fn words(&mut self, db: &impl Connection, index: Index, asked: Option<&str>) -> &mut Self {
        if let Some(question) = index.question(db.dialect(), asked.unwrap_or_default()) {
            let places: Vec<String> = question.into_iter().map(|value| self.bind(value)).collect();
            self.and(format!("n.id IN ({})", index.found(db.dialect(), &places)));
        }
        self
    }

    /// `WHERE …`
    pub(crate) fn sql(&self) -> String {
        if self.clauses.is_empty() { String::new() } else { format!("WHERE {}", self.clauses.join(" AND ")) }
    }
}

/// What a list is sorted by: a column of the narrow row, then the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sorted {
    pub(crate) column: &'static str,
    pub(crate) descending: bool,
}

impl Sorted {
    /// Reads `-updated_at`, `title`, … among the columns a list offers: word and column.
    pub(crate) fn parse(written: &str, offered: &[(&str, &'static str)]) -> Option<Self> {
        let (name, descending) = written.strip_prefix('-').map_or((written, false), |name| (name, true));
        let column = offered.iter().find(|(word, _)| *word == name).map(|(_, column)| *column)?;
        Some(Self { column, descending })
    }

    fn order(self) -> String {
        let direction = if self.descending { "DESC" } else { "ASC" };
        // A column may hold nothing: then what stands for it is written out.
        let table = if self.column.contains('(') { "" } else { "n." };
        format!("ORDER BY {table}{} {direction}, n.id {direction}", self.column)
    }
}

/// How many rows there are, exact up to [`MAX_COUNT`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// At most 10,000.
    pub total: i64,
    /// Whether there are more than `total` says.
    pub capped: bool,
}

/// The numbers of a page, and how many rows there are in all.
pub(crate) async fn page_of(
    db: &impl Connection,
    table: &str,
    found: &Conditions,
    sorted: Sorted,
    page: Page,
) -> Result<(Vec<i64>, Counted), StoreError> {
    let ids = page_ids(db, table, found, sorted, page).await?;
    // A first page that is not full holds everything: most filtered lists need no counting.
    if page.number() == 1 && (ids.len() as u64) < page.per_page() {
        let total = ids.len() as i64;
        return Ok((ids, Counted { total, capped: false }));
    }
    let counted = capped_count(db, table, found).await?;
    Ok((ids, counted))
}

/// The numbers of a page.
pub(crate) async fn page_ids(
    db: &impl Connection,
    table: &str,
    found: &Conditions,
    sorted: Sorted,
    page: Page,
) -> Result<Vec<i64>, StoreError> {
    let sql = format!(
        "SELECT n.id FROM {table} n {} {} LIMIT {} OFFSET {}",
        found.sql(),
        sorted.order(),
        page.per_page(),
        page.offset()
    );
    all(db, &sql, found.values.clone()).await?.iter().map(|row| get(row, 0)).collect()
}

/// How many rows a filter leaves, exact up to [`MAX_COUNT`].
pub(crate) async fn capped_count(db: &impl Connection, table: &str, found: &Conditions) -> Result<Counted, StoreError> {
    let sql = format!("SELECT COUNT(*) FROM (SELECT 1 FROM {table} n {} LIMIT {}) c", found.sql(), MAX_COUNT + 1);
    let counted: i64 = one(db, &sql, found.values.clone()).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0);
    Ok(Counted { total: counted.min(MAX_COUNT), capped: counted > MAX_COUNT })
}

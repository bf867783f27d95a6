//! One page of a list. The rows are counted (the count is cached), the numbers of the page are read from narrow rows and indexes,
//! and the sheets only for these numbers.
//!
//! A page is read in one of two ways: few rows are collected and sorted; where most rows of the table belong, the index of the
//! order is scanned until the page is full. SQLite needs the index named for this. PostgreSQL chooses well without search words;
//! with words it assumes that matches are spread evenly over the order and read 75,000 of 100,000 contacts for a page of 25. The
//! scan therefore stops after `WALKED_ROWS`, and the remaining rows are collected and sorted.

use domain::WhiteLabelId;
use domain::record::Kind;
use sea_orm::Value;

use crate::search::{FoundByWords, Index};
use crate::sql::{all, get, numbers, one, remembered};
use crate::{Connection, Dialect, Page, StoreError};

/// Counts are exact up to this many.
pub(crate) const MAX_COUNT: i64 = 10_000;

/// How many rows a walk in the list's order asks whether they have the words, in PostgreSQL.
const WALKED_ROWS: i64 = 2_000;

/// Conditions on a row, and the values they need. Those that are made here name it `n`; a parcours is `p`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conditions {
    clauses: Vec<String>,
    /// What finds the rows that have the words asked for.
    words: Option<FoundByWords>,
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

    /// The column has one of these numbers; `None` does not narrow.
    pub(crate) fn within(&mut self, column: &str, ids: Option<&[i64]>) -> &mut Self {
        if let Some(ids) = ids {
            self.and(format!("n.{column} IN {}", numbers(ids)));
        }
        self
    }

    /// A record of kind `from` that points to one of these of kind `to`; `None` does not narrow.
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

    /// A record found by every one of these words; no words do not narrow.
    pub(crate) fn words(&mut self, db: &impl Connection, index: Index, asked: Option<&str>) -> &mut Self {
        if let Some(words) = index.find(db.dialect(), asked.unwrap_or_default(), |value| self.bind(value)) {
            self.words = Some(words);
        }
        self
    }

    /// The words asked for, without the rest.
    fn words_alone(&self) -> Self {
        Self { clauses: Vec::new(), ..self.clone() }
    }

    /// Whether words were asked for.
    pub(crate) fn has_words(&self) -> bool {
        self.words.is_some()
    }

    /// `WHERE …`
    pub(crate) fn sql(&self) -> String {
        self.with_words(|words| format!("n.id IN ({words})"))
    }

    /// `WHERE …` for PostgreSQL: the words are asked once, before the rows.
    fn words_first(&self) -> String {
        self.with_words(|words| format!("n.id = ANY (ARRAY({words}))"))
    }

    fn with_words(&self, condition: impl Fn(&str) -> String) -> String {
        let words = self.words.iter().map(|words| condition(&words.ids));
        let clauses: Vec<String> = words.chain(self.clauses.iter().cloned()).collect();
        if clauses.is_empty() { String::new() } else { format!("WHERE {}", clauses.join(" AND ")) }
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
        format!("ORDER BY {} {direction}, n.id {direction}", self.value())
    }

    /// The value that orders the rows. A column may be null: then the value for null is written out.
    fn value(self) -> String {
        if self.column.contains('(') { self.column.to_owned() } else { format!("n.{}", self.column) }
    }

    /// The index with a table's rows in this order: each table that is listed has one by name and one by day.
    fn index(self, table: &str) -> Option<String> {
        let table = table.trim_matches('"');
        match self.column {
            "sort_title" => Some(format!("{table}_by_title")),
            "updated_at" => Some(format!("{table}_by_updated")),
            _ => None,
        }
    }
}

/// How many rows there are, exact up to `MAX_COUNT`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// At most 10,000.
    pub total: i64,
    /// Whether there are more than `total`.
    pub capped: bool,
}

impl Counted {
    /// The shown form of a count.
    pub(crate) fn of(rows: i64) -> Self {
        Self { total: rows.min(MAX_COUNT), capped: rows > MAX_COUNT }
    }

    /// Both together.
    pub(crate) fn and(self, other: Self) -> Self {
        let total = self.total + other.total;
        Self { total: total.min(MAX_COUNT), capped: self.capped || other.capped || total > MAX_COUNT }
    }
}

/// The numbers of a page, and how many rows there are in all.
pub(crate) async fn page_of(
    db: &impl Connection,
    table: &str,
    found: &Conditions,
    sorted: Sorted,
    page: Page,
) -> Result<(Vec<i64>, Counted), StoreError> {
    let counted = capped_count(db, table, found).await?;
    Ok((page_ids(db, table, found, sorted, page, counted).await?, counted))
}

/// The numbers of the records of a page.
pub(crate) async fn page_ids(
    db: &impl Connection,
    table: &str,
    found: &Conditions,
    sorted: Sorted,
    page: Page,
    counted: Counted,
) -> Result<Vec<i64>, StoreError> {
    // What is beyond the total that a list says is not walked to.
    if counted.total == 0 || page.is_beyond(MAX_COUNT) {
        return Ok(Vec::new());
    }
    if db.dialect() == Dialect::Postgres
        && let Some(words) = &found.words
    {
        return page_with_words(db, table, found, words, sorted, page, counted).await;
    }
    let by = match walked(db, table, found, sorted, page, counted).await? {
        Some(index) => format!("INDEXED BY {index}"),
        // SQLite would go through all that a white-label owns, and ask of each whether it has the words.
        None if db.dialect() == Dialect::Sqlite && found.words.is_some() => by_number(table),
        None => String::new(),
    };
    let sql = format!(
        "SELECT n.id FROM {table} n {by} {} {} LIMIT {} OFFSET {}",
        found.sql(),
        sorted.order(),
        page.per_page(),
        page.offset()
    );
    ids(db, &sql, found.values.clone()).await
}

/// The numbers of a page of rows that have these words, in PostgreSQL: met by a walk in the list's order that ends after
/// [`WALKED_ROWS`], else gathered.
async fn page_with_words(
    db: &impl Connection,
    table: &str,
    found: &Conditions,
    words: &FoundByWords,
    sorted: Sorted,
    page: Page,
    counted: Counted,
) -> Result<Vec<i64>, StoreError> {
    let shown = format!("LIMIT {} OFFSET {}", page.per_page(), page.offset());
    let order = sorted.order();
    let mut walk = Conditions { words: None, ..found.clone() };
    let has_words = words.has(|pattern| walk.bind(pattern));
    let sql = format!(
        "SELECT n.id FROM (SELECT n.id, {} AS by FROM {table} n {} {order} LIMIT {WALKED_ROWS}) n
        WHERE {has_words} {} {shown}",
        sorted.value(),
        walk.sql(),
        Sorted { column: "by", ..sorted }.order()
    );
    let met = ids(db, &sql, walk.values).await?;
    let met_until = page.offset().saturating_add(met.len() as u64);
    let is_last = !counted.capped && i64::try_from(met_until).is_ok_and(|until| until >= counted.total);
    if met.len() as u64 == page.per_page() || is_last {
        return Ok(met);
    }
    // So many that sorting them costs more than a long walk: PostgreSQL chooses.
    let rows = if counted.capped { found.sql() } else { found.words_first() };
    ids(db, &format!("SELECT n.id FROM {table} n {rows} {order} {shown}"), found.values.clone()).await
}

async fn ids(db: &impl Connection, sql: &str, values: Vec<Value>) -> Result<Vec<i64>, StoreError> {
    all(db, sql, values).await?.iter().map(|row| get(row, 0)).collect()
}

/// The index to read in order for a page, if the page is complete soon. PostgreSQL needs no hint where no words are asked for.
async fn walked(
    db: &impl Connection,
    table: &str,
    found: &Conditions,
    sorted: Sorted,
    page: Page,
    counted: Counted,
) -> Result<Option<String>, StoreError> {
    let Some(index) = sorted.index(table).filter(|_| db.dialect() == Dialect::Sqlite) else { return Ok(None) };
    // The greatest number is known at once; how many rows there are, after reading them.
    let last = one(db, &format!("SELECT MAX(id) FROM {table}"), []).await?;
    let rows: i64 = last.map(|row| get::<Option<i64>>(&row, 0)).transpose()?.flatten().unwrap_or(0);
    let gathered = match &found.words {
        Some(_) => capped_count(db, table, &found.words_alone()).await?,
        None => counted,
    };
    Ok(is_walked(page, counted, gathered, rows).then_some(index))
}

/// Whether a table with `rows` rows is read in the list's order. After a count that ended early the number of rows to gather
/// is unknown: at least as many as counted, and perhaps all.
fn is_walked(page: Page, counted: Counted, gathered: Counted, rows: i64) -> bool {
    counted.capped || page.is_met_soon(counted.total, gathered.total, rows)
}

/// What makes SQLite look rows up by their numbers: an index that begins with them and has what decides whose they are, where
/// there is one, or none at all.
fn by_number(table: &str) -> String {
    match table {
        "poi" | "media" => format!("INDEXED BY {table}_owners"),
        _ => "NOT INDEXED".to_owned(),
    }
}

/// How many rows a filter leaves, exact up to [`MAX_COUNT`], remembered until the next write.
pub(crate) async fn capped_count(db: &impl Connection, table: &str, found: &Conditions) -> Result<Counted, StoreError> {
    if has_common_words(db, found).await? {
        let (sql, values) = tested_count(table, found, &["TRUE"]);
        return Ok(Counted::of(remembered::<1>(db, &sql, values).await?[0]));
    }
    let [rows] = remembered(db, &counting(table, found), found.values.clone()).await?;
    Ok(Counted::of(rows))
}

/// Whether PostgreSQL tests one row after another for the words asked for: many rows have them.
async fn has_common_words(db: &impl Connection, found: &Conditions) -> Result<bool, StoreError> {
    match &found.words {
        Some(words) if db.dialect() == Dialect::Postgres => words.are_common(db, 2 * MAX_COUNT).await,
        _ => Ok(false),
    }
}

/// The statement for PostgreSQL that counts the rows with common words once for each further condition. A count ends at [`MAX_COUNT`] and one more.
fn tested_count(table: &str, found: &Conditions, further: &[&str]) -> (String, Vec<Value>) {
    let mut tested = Conditions { words: None, ..found.clone() };
    if let Some(words) = &found.words {
        let has_words = words.has(|pattern| tested.bind(pattern));
        tested.and(has_words);
    }
    let each = further.iter().map(|condition| {
        let mut rows = tested.clone();
        rows.and(format!("({condition})"));
        format!("(SELECT COUNT(*) FROM (SELECT 1 FROM {table} n {} LIMIT {}) c)", rows.sql(), MAX_COUNT + 1)
    });
    (format!("SELECT {}", each.collect::<Vec<_>>().join(", ")), tested.values)
}

/// Counts of the rows found by their words, each read once: the viewer's own, and those of others, which the condition `seen`
/// selects. An index a tenth as wide as the rows, `…_owners`, has all that decides. For words that many rows have, PostgreSQL counts
/// each up to [`MAX_COUNT`] instead.
pub(crate) async fn owned_counts(
    db: &impl Connection,
    table: &str,
    found: &Conditions,
    viewer: WhiteLabelId,
    seen: &str,
) -> Result<[Counted; 2], StoreError> {
    if has_common_words(db, found).await? {
        let own = format!("n.white_label_id = {viewer}");
        let others = format!("n.white_label_id <> {viewer} AND ({seen})");
        let (sql, values) = tested_count(table, found, &[&own, &others]);
        return Ok(remembered::<2>(db, &sql, values).await?.map(Counted::of));
    }
    let by = if db.dialect() == Dialect::Sqlite { by_number(table) } else { String::new() };
    let sql = format!(
        "SELECT SUM(CASE WHEN n.white_label_id = {viewer} THEN 1 ELSE 0 END),
            SUM(CASE WHEN n.white_label_id <> {viewer} AND ({seen}) THEN 1 ELSE 0 END)
        FROM {table} n {by} {}",
        found.sql()
    );
    Ok(remembered::<2>(db, &sql, found.values.clone()).await?.map(Counted::of))
}

/// [`capped_count`] of what changes by the clock alone.
pub(crate) async fn capped_count_now(
    db: &impl Connection,
    table: &str,
    found: &Conditions,
) -> Result<Counted, StoreError> {
    let rows = one(db, &counting(table, found), found.values.clone()).await?.map(|row| get(&row, 0)).transpose()?;
    Ok(Counted::of(rows.unwrap_or(0)))
}

fn counting(table: &str, found: &Conditions) -> String {
    let counted = match &found.words {
        // Every row has its words: those of the index are the rows.
        Some(words) if found.clauses.is_empty() => words.ids.clone(),
        _ => format!("SELECT 1 FROM {table} n {}", found.sql()),
    };
    format!("SELECT COUNT(*) FROM ({counted} LIMIT {}) c", MAX_COUNT + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closure::Closures;
    use crate::contact::Contacts;
    use crate::itinerary::Itineraries;
    use crate::media::Medias;
    use crate::poi::Pois;
    use crate::provider_link::ProviderLinks;
    use crate::record::Record;
    use crate::structure::Structures;
    use crate::survey_campaign::SurveyCampaigns;
    use crate::transport_line::TransportLines;
    use crate::user::Users;
    use crate::white_label::WhiteLabels;

    const SCRIPTS: [&str; 8] = [
        include_str!("../migrations/m0003_catalogue.rs"),
        include_str!("../migrations/m0004_media.rs"),
        include_str!("../migrations/m0005_white_labels.rs"),
        include_str!("../migrations/m0006_itineraries.rs"),
        include_str!("../migrations/m0007_closures.rs"),
        include_str!("../migrations/m0009_orders.rs"),
        include_str!("../migrations/m0015_provider_links.rs"),
        include_str!("../migrations/m0090_survey_campaigns.rs"),
    ];

    #[test]
    fn a_page_of_more_rows_than_are_counted_is_walked_to() {
        let (many, few) = (Counted::of(MAX_COUNT + 1), Counted::of(40));
        assert!(is_walked(Page::new(400, 25), many, many, 300_000), "200,000 rows may belong");
        assert!(is_walked(Page::new(1, 25), Counted::of(9_000), Counted::of(9_000), 300_000));
        assert!(!is_walked(Page::new(300, 25), Counted::of(9_000), Counted::of(9_000), 300_000));
        assert!(!is_walked(Page::new(1, 25), few, few, 300_000) && !is_walked(Page::new(1, 25), few, many, 300_000));
    }

    #[test]
    fn every_table_that_is_listed_has_the_indexes_that_are_walked() {
        let tables = [
            Pois::TABLE,
            Medias::TABLE,
            Contacts::TABLE,
            TransportLines::TABLE,
            Structures::TABLE,
            WhiteLabels::TABLE,
            Users::TABLE,
            Itineraries::TABLE,
            Closures::TABLE,
            ProviderLinks::TABLE,
            SurveyCampaigns::TABLE,
        ];
        for table in tables {
            for (word, column) in [("title", "sort_title"), ("updated_at", "updated_at")] {
                let index = Sorted::parse(word, &[(word, column)]).and_then(|sorted| sorted.index(table));
                let made = index.map(|index| format!("CREATE INDEX {index} ON {table} ({column}, id"));
                let is_made = |made: &String| SCRIPTS.iter().any(|script| script.contains(made));
                assert!(made.as_ref().is_some_and(is_made), "no {made:?}");
            }
        }
    }

    #[test]
    fn words_alone_are_counted_where_they_stand() {
        let words = crate::search::POI.find(Dialect::Sqlite, "lac", |_| "$1".to_owned());
        let mut found = Conditions { words, ..Conditions::default() };
        let ids = "SELECT rowid FROM poi_search WHERE poi_search MATCH $1";
        assert_eq!(counting("t", &found), format!("SELECT COUNT(*) FROM ({ids} LIMIT 10001) c"));
        found.and("n.a = 1");
        assert_eq!(
            counting("t", &found),
            format!("SELECT COUNT(*) FROM (SELECT 1 FROM t n WHERE n.id IN ({ids}) AND n.a = 1 LIMIT 10001) c")
        );
    }
}

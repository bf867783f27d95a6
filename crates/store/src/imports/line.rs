//! What a run reported of each item: nothing of those that stayed as they were.

use std::collections::HashSet;

use domain::ParcoursId;
use domain::imports::{ImportNote, ImportOutcome};
use domain::record::Kind;
use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};

use super::item::ItemState;
use crate::sql::{all, execute, get, json, one, text};
use crate::{Connection, Page, StoreError, Tx};

/// A field that a run changed, or would.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldChange {
    pub field: String,
    pub before: serde_json::Value,
    pub after: serde_json::Value,
}

/// The data that taking back a line needs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Undo {
    /// The version the run left: another one was edited since.
    pub version: i64,
    /// The revision of the trace that was in use before.
    pub trace_revision: Option<i64>,
    /// Checksums of what the import had written before.
    pub applied: std::collections::BTreeMap<String, String>,
    /// Whether it was published before.
    pub published: bool,
}

/// Characters of a title in a report.
const TITLE_CHARS: usize = 200;

/// What a run reported of an item.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportLine {
    pub id: i64,
    /// The source's identifier of the item.
    pub item: String,
    pub outcome: ImportOutcome,
    pub title: String,
    /// Which parcours it is.
    pub parcours_id: Option<ParcoursId>,
    /// Which tourist record it is.
    pub record_id: Option<i64>,
    /// The remarks about it.
    pub notes: Vec<ImportNote>,
    /// What changed in it.
    pub changes: Vec<FieldChange>,
    /// How it is taken back.
    pub undo: Option<Undo>,
}

impl ImportLine {
    /// A line of an item, without a record and without changes. Its title has no control characters: PostgreSQL does not store U+0000.
    pub fn new(item: &str, title: &str, outcome: ImportOutcome, notes: Vec<ImportNote>) -> Self {
        Self {
            id: 0,
            item: item.to_owned(),
            outcome,
            title: title.chars().filter(|c| !c.is_control() || c.is_whitespace()).take(TITLE_CHARS).collect(),
            parcours_id: None,
            record_id: None,
            notes,
            changes: Vec::new(),
            undo: None,
        }
    }
}

/// Which lines.
#[derive(Debug, Clone, Default)]
pub struct LineFilter {
    /// With one of these outcomes; any where none is named.
    pub outcomes: Vec<ImportOutcome>,
    /// Only those with notes.
    pub with_notes: bool,
    /// Only those with a note whose code begins so.
    pub note: Option<String>,
    /// Only those of which a person must still say whether they are the parcours that looks the same.
    pub waiting: bool,
}

const COLUMNS: &str = "id, item, outcome, title, parcours_id, notes, changes, undo, record_id FROM import_line";

fn read(row: &QueryResult) -> Result<ImportLine, StoreError> {
    let (id, table) = (get(row, "id")?, "import_line");
    let outcome: String = get(row, "outcome")?;
    let undo: Option<String> = get(row, "undo")?;
    Ok(ImportLine {
        id,
        item: get(row, "item")?,
        outcome: ImportOutcome::parse(&outcome).ok_or_else(|| StoreError::row(table, id, "no such outcome"))?,
        title: get(row, "title")?,
        parcours_id: get::<Option<i64>>(row, "parcours_id")?.map(ParcoursId),
        record_id: get(row, "record_id")?,
        notes: json(table, id, &get::<String>(row, "notes")?)?,
        changes: json(table, id, &get::<String>(row, "changes")?)?,
        undo: undo.map(|undo| json(table, id, &undo)).transpose()?,
    })
}

/// Keeps what a run reported.
pub async fn add_lines(tx: &Tx, run: i64, lines: &[ImportLine]) -> Result<(), StoreError> {
    // A statement takes some thousands of values.
    for lines in lines.chunks(100) {
        let places: Vec<String> = (0..lines.len())
            .map(|row| format!("({})", (1..=9).map(|at| format!("${}", row * 9 + at)).collect::<Vec<_>>().join(", ")))
            .collect();
        let sql = format!(
            "INSERT INTO import_line (run_id, item, outcome, title, parcours_id, notes, changes, undo, record_id) VALUES {}",
            places.join(", ")
        );
        let values = lines.iter().flat_map(|line| -> [Value; 9] {
            [
                run.into(),
                line.item.clone().into(),
                line.outcome.as_str().into(),
                line.title.clone().into(),
                line.parcours_id.map(|id| id.0).into(),
                text(&line.notes).into(),
                text(&line.changes).into(),
                line.undo.as_ref().map(text).into(),
                line.record_id.into(),
            ]
        });
        execute(tx, &sql, values).await?;
    }
    Ok(())
}

/// Whether a run reported on an item already.
pub async fn has_line(db: &impl Connection, run: i64, item: &str) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM import_line WHERE run_id = $1 AND item = $2 LIMIT 1";
    Ok(one(db, sql, [run.into(), item.into()]).await?.is_some())
}

/// Whether a run noted this of an item or of its source.
pub async fn has_note(db: &impl Connection, run: i64, code: &str) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM import_line WHERE run_id = $1 AND notes LIKE $2 LIMIT 1";
    Ok(one(db, sql, [run.into(), format!("%\"code\":\"{code}\"%").into()]).await?.is_some())
}

/// What a run reported, in its order; and how many lines.
pub async fn lines(
    db: &impl Connection,
    run: i64,
    filter: &LineFilter,
    page: Page,
) -> Result<(Vec<ImportLine>, i64), StoreError> {
    // Always with `$2`: PostgreSQL refuses a value that no statement names. A code has no character that LIKE gives a meaning to.
    let mut of = "run_id = $1 AND notes LIKE $2".to_owned();
    let note = filter.note.as_ref().map_or("%".to_owned(), |code| format!("%\"code\":\"{code}%"));
    let values: [Value; 2] = [run.into(), note.into()];
    if !filter.outcomes.is_empty() {
        let words: Vec<&str> = filter.outcomes.iter().map(|outcome| outcome.as_str()).collect();
        of += &format!(" AND outcome IN ('{}')", words.join("', '"));
    }
    if filter.with_notes {
        of += " AND notes <> '[]'";
    }
    if filter.waiting {
        of += &format!(
            " AND outcome = 'to_merge' AND item IN (SELECT i.item FROM import_item i
            JOIN import_run r ON r.source_id = i.source_id WHERE r.id = $1 AND i.state = '{}')",
            ItemState::ToMerge.as_str()
        );
    }
    let total = one(db, &format!("SELECT COUNT(*) FROM import_line WHERE {of}"), values.clone()).await?;
    let sql = format!("SELECT {COLUMNS} WHERE {of} ORDER BY id LIMIT {} OFFSET {}", page.per_page(), page.offset());
    let found = all(db, &sql, values).await?.iter().map(read).collect::<Result<_, _>>()?;
    Ok((found, total.map_or(Ok(0), |row| get(&row, 0))?))
}

/// The next lines of a run to take back: the last ones first.
pub async fn lines_to_undo(
    db: &impl Connection,
    run: i64,
    before: i64,
    limit: u32,
) -> Result<Vec<ImportLine>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} WHERE run_id = $1 AND outcome IN ('created', 'updated', 'gone') AND ($2 = 0 OR id < $2)
        ORDER BY id DESC LIMIT {limit}"
    );
    all(db, &sql, [run.into(), before.into()]).await?.iter().map(read).collect()
}

/// The items that a run refused.
pub async fn refused_of(db: &impl Connection, run: i64) -> Result<HashSet<String>, StoreError> {
    let sql = "SELECT item FROM import_line WHERE run_id = $1 AND outcome = 'refused'";
    all(db, sql, [run.into()]).await?.iter().map(|row| get(row, 0)).collect()
}

/// The items, of these, that a run of a source of routes refused. A dry run does not count.
pub async fn refused_among(db: &impl Connection, source: i64, items: &[String]) -> Result<HashSet<String>, StoreError> {
    if items.is_empty() {
        return Ok(HashSet::new());
    }
    let places: Vec<String> = (0..items.len()).map(|at| format!("${}", at + 3)).collect();
    let sql = format!(
        "SELECT DISTINCT l.item FROM import_line l JOIN import_run r ON r.id = l.run_id
        WHERE r.source_id = $1 AND r.source_kind = $2 AND r.mode IN ('real', 'retry') AND l.outcome = 'refused'
        AND l.item IN ({})",
        places.join(", ")
    );
    let head: [Value; 2] = [source.into(), Kind::ImportSource.code().into()];
    let values = head.into_iter().chain(items.iter().map(|item| item.clone().into()));
    all(db, &sql, values).await?.iter().map(|row| get(row, 0)).collect()
}

/// How many items a run refused, each counted once. Of an item that its source names twice, the first one counts.
pub async fn refused_total(db: &impl Connection, run: i64) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(DISTINCT item) AS total FROM import_line
        WHERE run_id = $1 AND outcome = 'refused' AND notes NOT LIKE '%\"import/repeated-id\"%'";
    one(db, sql, [run.into()]).await?.map_or(Ok(0), |row| get(&row, "total"))
}

/// The next item of a run, after a line, whose pictures must be fetched.
pub async fn next_with_media(db: &impl Connection, run: i64, after: i64) -> Result<Option<ImportLine>, StoreError> {
    let sql = "SELECT l.id, l.item, l.outcome, l.title, l.parcours_id, l.notes, l.changes, l.undo, l.record_id FROM import_line l
        JOIN import_run r ON r.id = l.run_id JOIN import_item i ON i.source_id = r.source_id AND i.item = l.item
        WHERE l.run_id = $1 AND l.id > $2 AND l.outcome IN ('created', 'updated') AND i.media <> '[]' ORDER BY l.id LIMIT 1";
    one(db, sql, [run.into(), after.into()]).await?.map(|row| read(&row)).transpose()
}

/// What a run reported of an item.
pub async fn line_of(db: &impl Connection, run: i64, item: &str) -> Result<Option<ImportLine>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE run_id = $1 AND item = $2 ORDER BY id LIMIT 1");
    one(db, &sql, [run.into(), item.into()]).await?.map(|row| read(&row)).transpose()
}

/// Replaces the notes of an item's line.
pub async fn add_notes(tx: &Tx, line: i64, notes: impl Iterator<Item = ImportNote>) -> Result<(), StoreError> {
    let notes: Vec<ImportNote> = notes.collect();
    execute(tx, "UPDATE import_line SET notes = $2 WHERE id = $1", [line.into(), text(&notes).into()]).await?;
    Ok(())
}

//! Query plans, for tests: which tables and indexes the statements of a query scan from one end to the other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::Future;

use sea_orm::{JsonValue, Statement, Value};

use crate::sql::{all, execute, get, noted};
use crate::{Connection, Dialect, Store, StoreError};

/// A full scan: a statement reads a table or an index from one end, without a condition that leads to its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scan {
    pub table: String,
    /// The index that is read; none where the table itself is.
    pub index: Option<String>,
    /// The number of rows that a condition dropped, or, if it is greater, the number of rows found. With SQLite, which does not count them,
    /// the number of rows of the table.
    pub rows: i64,
    pub statement: String,
}

/// The statements that ran, and their full scans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plans {
    /// How many statements there were.
    pub statements: usize,
    /// The indexes that they read.
    pub indexes: BTreeSet<String>,
    /// Scans of more rows than asked for.
    pub scans: Vec<Scan>,
}

/// Runs a query, then explains each of its statements. Scans of at most `rows` rows are left out. Statements are recorded only in builds for
/// development and tests.
///
/// PostgreSQL reads a table of some thousand rows from one end to the other even where an index would do, as that costs it less: here it may only
/// where no index helps.
pub async fn of<T>(
    store: &Store,
    rows: i64,
    question: impl Future<Output = Result<T, StoreError>>,
) -> Result<(T, Plans), StoreError> {
    let (answer, statements) = noted(question).await;
    let answer = answer?;
    let mut plans = Plans { statements: statements.len(), ..Plans::default() };
    // Never committed: what it sets is forgotten.
    let tx = store.begin().await?;
    if store.dialect() == Dialect::Postgres {
        execute(&tx, "SET LOCAL enable_seqscan = off", []).await?;
    }
    for statement in statements {
        let scans = match store.dialect() {
            Dialect::Sqlite => of_sqlite(&tx, &statement, &mut plans.indexes).await?,
            Dialect::Postgres => of_postgres(&tx, &statement, &mut plans.indexes).await?,
        };
        plans.scans.extend(scans.into_iter().filter(|scan| scan.rows > rows));
    }
    Ok((answer, plans))
}

fn values_of(statement: &Statement) -> Vec<Value> {
    statement.values.as_ref().map(|values| values.0.clone()).unwrap_or_default()
}

/// The program of a statement: a cursor that is set to an end of a table or an index and moved on is a scan. The text of `EXPLAIN QUERY PLAN`
/// has only aliases. Where a statement names the index, its code has reckoned that the walk along it ends soon; the greatest number is the first
/// row that is met.
async fn of_sqlite(
    db: &impl Connection,
    statement: &Statement,
    indexes: &mut BTreeSet<String>,
) -> Result<Vec<Scan>, StoreError> {
    let is_walk =
        |index: &str| statement.sql.contains(&format!("INDEXED BY {index} ")) && statement.sql.contains(" LIMIT ");
    let is_greatest = statement.sql.contains("MAX(id)");
    let places = "SELECT rootpage, name, tbl_name FROM sqlite_schema WHERE rootpage > 0";
    let mut named: HashMap<i64, (String, String)> = HashMap::new();
    for row in all(db, places, []).await? {
        named.insert(get(&row, 0)?, (get(&row, 1)?, get(&row, 2)?));
    }
    let (mut opened, mut from_end, mut moved) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    for row in all(db, &format!("EXPLAIN {}", statement.sql), values_of(statement)).await? {
        let (word, cursor, page): (String, i64, i64) = (get(&row, "opcode")?, get(&row, "p1")?, get(&row, "p2")?);
        match word.as_str() {
            // The third number is that of the database: 0 is the file, 1 has what is temporary.
            "OpenRead" if get::<i64>(&row, "p3")? == 0 => {
                opened.insert(cursor, page);
            }
            "Last" if is_greatest => {}
            "Rewind" | "Last" => {
                from_end.insert(cursor);
            }
            "Next" | "Prev" => {
                moved.insert(cursor);
            }
            "Count" => {
                from_end.insert(cursor);
                moved.insert(cursor);
            }
            _ => {}
        }
    }
    let read = opened.values().filter_map(|page| named.get(page)).filter(|(name, table)| name != table);
    indexes.extend(read.map(|(name, _)| name.clone()));
    let mut found = Vec::new();
    for cursor in from_end.intersection(&moved) {
        let Some((name, table)) = opened.get(cursor).and_then(|page| named.get(page)) else { continue };
        if is_walk(name) {
            continue;
        }
        let counted = all(db, &format!("SELECT COUNT(*) FROM \"{table}\""), []).await?;
        found.push(Scan {
            table: table.clone(),
            index: (name != table).then(|| name.clone()),
            rows: counted.first().map(|row| get(row, 0)).transpose()?.unwrap_or(0),
            statement: statement.sql.clone(),
        });
    }
    Ok(found)
}

/// The plan of a statement, with the rows that each part of it read.
async fn of_postgres(
    db: &impl Connection,
    statement: &Statement,
    indexes: &mut BTreeSet<String>,
) -> Result<Vec<Scan>, StoreError> {
    let sql = format!("EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {}", statement.sql);
    let mut found = Vec::new();
    for row in all(db, &sql, values_of(statement)).await? {
        let plan: JsonValue = get(&row, 0)?;
        add_scans(&plan[0]["Plan"], &statement.sql, &mut found, indexes);
    }
    Ok(found)
}

/// Adds the scans of a node of a plan and of its children, and the indexes that they read.
fn add_scans(part: &JsonValue, statement: &str, found: &mut Vec<Scan>, indexes: &mut BTreeSet<String>) {
    let text = |name: &str| part[name].as_str();
    let number = |name: &str| part[name].as_f64().unwrap_or(0.0);
    let is_from_end = match text("Node Type") {
        Some("Seq Scan") => true,
        Some("Index Scan" | "Index Only Scan" | "Bitmap Index Scan") => part["Index Cond"].is_null(),
        _ => false,
    };
    indexes.extend(text("Index Name").map(str::to_owned));
    if is_from_end {
        let each = number("Actual Rows").max(number("Rows Removed by Filter"));
        found.push(Scan {
            table: text("Relation Name").unwrap_or_default().to_owned(),
            index: text("Index Name").map(str::to_owned),
            rows: (each * number("Actual Loops")) as i64,
            statement: statement.to_owned(),
        });
    }
    for part in part["Plans"].as_array().into_iter().flatten() {
        add_scans(part, statement, found, indexes);
    }
}

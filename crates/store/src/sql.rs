//! Statements with numbered values, which both databases read, and rows by column.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use domain::rest::{self, KeepsRest};
use domain::{Actor, Role, UserId};
use metrics::histogram;
use sea_orm::sqlx::{Column as _, ColumnIndex, Row};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement, TryGetable, Value, sqlx};
use tracing::Instrument as _;

use crate::held_inserts::HoldResult;
use crate::{Connection, Dialect, StoreError};

/// An SQL statement with its values.
pub(crate) fn statement(dialect: Dialect, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    let backend = match dialect {
        Dialect::Sqlite => DbBackend::Sqlite,
        Dialect::Postgres => DbBackend::Postgres,
    };
    Statement::from_sql_and_values(backend, sql, values)
}

/// The end of a query that locks the rows of these tables until the transaction ends. SQLite has one writer, which is as good. Others may
/// begin to point to the rows meanwhile ([`for_key_share`]).
///
/// On PostgreSQL, a query that waited for a lock reads again the rows that it locks, and these alone: of a table that is joined and not
/// named here, it gives what was there before the wait.
pub(crate) fn for_update(dialect: Dialect, tables: &str) -> String {
    match dialect {
        Dialect::Sqlite => String::new(),
        Dialect::Postgres => format!(" FOR NO KEY UPDATE OF {tables}"),
    }
}

/// The end of a query that prevents the deletion of its rows until the transaction ends. Empty on SQLite, which lets one transaction write at
/// a time.
pub(crate) fn for_key_share(db: &impl Connection, table: &str) -> String {
    match db.dialect() {
        Dialect::Postgres if db.is_transaction() => format!(" FOR KEY SHARE OF {table}"),
        Dialect::Postgres | Dialect::Sqlite => String::new(),
    }
}

/// A name as SQL.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A statement that takes longer is logged, without its values.
const SLOW: Duration = Duration::from_secs(1);

/// The target of the spans of statements, for a collector of traces. They are of level debug.
pub const STATEMENT_SPANS: &str = "store::statement";

/// The first words of a statement, without its values.
fn start_of(sql: &str) -> String {
    sql.split_whitespace().take(40).collect::<Vec<_>>().join(" ")
}

/// Measures a statement: the wait for a connection included.
async fn measured<T>(kind: &'static str, sql: &str, run: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let span = tracing::debug_span!(target: STATEMENT_SPANS, "statement", db.query.text = tracing::field::Empty);
    if !span.is_disabled() {
        span.record("db.query.text", start_of(sql));
    }
    let done = run.instrument(span).await;
    let took = started.elapsed();
    histogram!("jalon_database_statement_duration_seconds", "kind" => kind).record(took);
    if took >= SLOW {
        tracing::warn!(took_ms = took.as_millis() as u64, statement = start_of(sql), "a slow statement");
    }
    done
}

tokio::task_local! {
    /// The statements that read, while a test asks for them.
    static NOTED: RefCell<Vec<Statement>>;
}

/// Runs `reading`, and returns its answer and the statements it read with. They are noted only in builds for development and tests.
pub(crate) async fn noted<T>(reading: impl Future<Output = T>) -> (T, Vec<Statement>) {
    let noting = async {
        let answer = reading.await;
        (answer, NOTED.with(RefCell::take))
    };
    NOTED.scope(RefCell::default(), noting).await
}

fn note(statement: &Statement) {
    if cfg!(debug_assertions) {
        // Outside of `noted` there is no list.
        let _ = NOTED.try_with(|noted| noted.borrow_mut().push(statement.clone()));
    }
}

/// Runs a statement. An insert that is held back counts as one row.
pub(crate) async fn execute(
    db: &impl Connection,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<u64, StoreError> {
    let mut values: Vec<Value> = values.into_iter().collect();
    if let Some(held) = db.held() {
        match held.hold(&db.executor(), sql, values).await? {
            HoldResult::Held(()) => return Ok(1),
            HoldResult::NotHeld(back) => values = back,
        }
    }
    let statement = statement(db.dialect(), sql, values);
    Ok(measured("execute", sql, db.executor().execute_raw(statement)).await?.rows_affected())
}

/// The first row, if there is one.
pub(crate) async fn one(
    db: &impl Connection,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Option<QueryResult>, StoreError> {
    let statement = statement(db.dialect(), sql, values);
    note(&statement);
    if let Some(replica) = db.replica()
        && let Some(found) = measured("one", sql, replica.ask(|pool| pool.query_one_raw(statement.clone()))).await
    {
        return Ok(found);
    }
    Ok(measured("one", sql, db.executor().query_one_raw(statement)).await?)
}

/// All rows.
pub(crate) async fn all(
    db: &impl Connection,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<QueryResult>, StoreError> {
    let statement = statement(db.dialect(), sql, values);
    note(&statement);
    if let Some(replica) = db.replica()
        && let Some(found) = measured("all", sql, replica.ask(|pool| pool.query_all_raw(statement.clone()))).await
    {
        return Ok(found);
    }
    Ok(measured("all", sql, db.executor().query_all_raw(statement)).await?)
}

/// How a column of a row is named: its name, or its position in rows of three columns at most (decision 0063).
pub(crate) trait Column: Copy {
    /// The position of the column.
    fn position(self, row: &QueryResult) -> Result<usize, StoreError>;
}

impl Column for usize {
    fn position(self, _row: &QueryResult) -> Result<usize, StoreError> {
        Ok(self)
    }
}

impl Column for &str {
    /// SeaORM reads an optional column that the statement does not give as an empty one: here that is a fault.
    fn position(self, row: &QueryResult) -> Result<usize, StoreError> {
        match (row.try_as_sqlite_row(), row.try_as_pg_row()) {
            (Some(row), _) => position_of(self, row),
            (_, Some(row)) => position_of(self, row),
            _ => Err(sqlx::Error::ColumnNotFound(self.to_owned()).into()),
        }
    }
}

/// The position of a named column. Builds for development and tests refuse a name that two columns of the row have.
fn position_of<'n, R: Row>(name: &'n str, row: &R) -> Result<usize, StoreError>
where
    &'n str: ColumnIndex<R>,
{
    if cfg!(debug_assertions) && row.columns().iter().filter(|column| column.name() == name).count() > 1 {
        return Err(DbErr::Type(format!("two columns have the name {name}")).into());
    }
    Ok(name.index(row)?)
}

/// A column of a row.
pub(crate) fn get<T: TryGetable>(row: &QueryResult, column: impl Column) -> Result<T, StoreError> {
    Ok(row.try_get_by_index(column.position(row)?)?)
}

/// A flag: 0 or 1.
pub(crate) fn flag(row: &QueryResult, column: impl Column) -> Result<bool, StoreError> {
    Ok(get::<i16>(row, column)? != 0)
}

/// Inserts a row by a statement that ends in `RETURNING id`; returns the number.
pub(crate) async fn inserted(
    db: &impl Connection,
    table: &'static str,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<i64, StoreError> {
    let mut values: Vec<Value> = values.into_iter().collect();
    if let Some(held) = db.held() {
        match held.hold_numbered(&db.executor(), sql, values).await? {
            HoldResult::Held(id) => return Ok(id),
            HoldResult::NotHeld(back) => values = back,
        }
    }
    let row = one(db, sql, values).await?.ok_or_else(|| StoreError::row(table, 0, "no id came back"))?;
    get(&row, 0)
}

/// A user, by the columns of the number, the first name and the last name; returns the number and the full name.
pub(crate) fn person(
    row: &QueryResult,
    [id, first_name, last_name]: [impl Column; 3],
) -> Result<Option<(UserId, String)>, StoreError> {
    let Some(id) = get::<Option<i64>>(row, id)? else { return Ok(None) };
    let names = [get::<Option<String>>(row, first_name)?, get::<Option<String>>(row, last_name)?];
    let name = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
    Ok(Some((UserId(id), name.trim().to_owned())))
}

/// Reads a JSON column.
pub(crate) fn json<T: serde::de::DeserializeOwned>(table: &'static str, id: i64, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::row(table, id, error.to_string()))
}

/// Reads a JSON column and keeps the fields that this version does not know.
pub(crate) fn whole<T>(table: &'static str, id: i64, text: &str) -> Result<T, StoreError>
where
    T: KeepsRest + serde::de::DeserializeOwned,
{
    rest::read(text).map_err(|error| StoreError::row(table, id, error.to_string()))
}

/// The same for a list.
pub(crate) fn whole_list<T>(table: &'static str, id: i64, text: &str) -> Result<Vec<T>, StoreError>
where
    T: KeepsRest + serde::de::DeserializeOwned,
{
    rest::list(text).map_err(|error| StoreError::row(table, id, error.to_string()))
}

/// A value as JSON text.
pub(crate) fn text<T: serde::Serialize>(value: &T) -> String {
    // Only a map with keys that are no text fails, and no stored type has one.
    serde_json::to_string(value).unwrap_or_default()
}

/// A text escaped for a pattern: `LIKE … ESCAPE '!'`.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('!', "!!").replace('%', "!%").replace('_', "!_")
}

/// Numbers in a list, written out: they are ours, and a list of any length is one condition.
pub(crate) fn numbers(ids: &[i64]) -> String {
    let mut list = String::with_capacity(ids.len() * 6 + 2);
    list.push('(');
    for (index, id) in ids.iter().enumerate() {
        if index > 0 {
            list.push(',');
        }
        list.push_str(&id.to_string());
    }
    if ids.is_empty() {
        list.push_str("NULL");
    }
    list.push(')');
    list
}

/// The white-labels in which a person works. None for a superadministrator, who works in all there are.
pub(crate) fn own_white_labels(actor: &Actor) -> Option<Vec<i64>> {
    (actor.role != Role::Superadmin).then(|| actor.white_label_ids.iter().map(|id| id.0).collect())
}

/// The condition that a column names one of these white-labels, or any where None is given: all there are may be thousands, and PostgreSQL
/// would read such a list for each statement (2,000 of them cost it 2 ms).
pub(crate) fn is_one_of(white_labels: Option<&[i64]>, column: &str) -> String {
    match white_labels {
        None => format!("{column} IS NOT NULL"),
        Some(listed) => format!("{column} IN {}", numbers(listed)),
    }
}

/// The condition that a column names a white-label in which a person works.
pub(crate) fn is_own(actor: &Actor, column: &str) -> String {
    is_one_of(own_white_labels(actor).as_deref(), column)
}

/// Numbers that a statement is asked for. PostgreSQL gets them as one value. The text of the statement is then the same for any numbers: a
/// connection parses it once and plans it a few times only (a new text with a hundred numbers costs a millisecond).
#[derive(Debug)]
pub(crate) struct NumberList {
    dialect: Dialect,
    ids: String,
}

impl NumberList {
    /// These numbers, as the database of a connection wants them.
    pub(crate) fn of(db: &impl Connection, ids: &[i64]) -> Self {
        let ids = match db.dialect() {
            Dialect::Sqlite => numbers(ids),
            Dialect::Postgres => {
                let each: Vec<String> = ids.iter().map(i64::to_string).collect();
                format!("{{{}}}", each.join(","))
            }
        };
        Self { dialect: db.dialect(), ids }
    }

    /// The condition that a column has one of them, which are the value of the statement with the number `place`.
    pub(crate) fn has(&self, column: &str, place: usize) -> String {
        match self.dialect {
            Dialect::Sqlite => format!("{column} IN {}", self.ids),
            Dialect::Postgres => format!("{column} = ANY (CAST(${place} AS BIGINT[]))"),
        }
    }

    /// The value, on PostgreSQL. It is the last one of the statement.
    pub(crate) fn value(self) -> Option<Value> {
        (self.dialect == Dialect::Postgres).then(|| self.ids.into())
    }
}

/// The integers that a statement returns in one row (0 for none), cached until the next write. A transaction does not use the cache.
pub(crate) async fn remembered<const N: usize>(
    db: &impl Connection,
    sql: &str,
    values: Vec<Value>,
) -> Result<[i64; N], StoreError> {
    let Some(totals) = db.totals() else { return numbers_of(db, sql, values).await };
    let question = format!("{sql} {values:?}");
    if let Some(known) = totals.numbers.get(&question, totals.writes).and_then(|known| known.try_into().ok()) {
        return Ok(known);
    }
    let found = numbers_of::<N>(db, sql, values).await?;
    totals.numbers.put(question, totals.writes, found.to_vec());
    Ok(found)
}

/// The same without the cache.
pub(crate) async fn numbers_of<const N: usize>(
    db: &impl Connection,
    sql: &str,
    values: Vec<Value>,
) -> Result<[i64; N], StoreError> {
    let mut found = [0; N];
    if let Some(row) = one(db, sql, values).await? {
        for (column, number) in found.iter_mut().enumerate() {
            *number = get::<Option<i64>>(&row, column)?.unwrap_or(0);
        }
    }
    Ok(found)
}

//! Inserts that a transaction of PostgreSQL holds back until it has many, and sends as one statement of many rows: a row then costs
//! about a quarter. On SQLite, which works in this process, nothing is held.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sea_orm::{ConnectionTrait as _, DatabaseExecutor, DbBackend, DbErr, Statement, Value};

/// Values after which held rows are sent. A statement of PostgreSQL has at most 65,535.
const MAX_VALUES: usize = 30_000;
/// Rows of one statement after which they are sent.
const MAX_ROWS: usize = 1_000;
/// How many numbers of a table are reserved with one query.
const RESERVED_NUMBERS: i64 = 500;

/// The inserts that a transaction holds back.
#[derive(Debug, Default)]
pub struct HeldInserts {
    /// In the order in which each was first met: a row comes before those that point to it.
    statements: Mutex<Vec<Held>>,
    /// Reserved numbers of each table.
    numbers: Mutex<HashMap<String, VecDeque<i64>>>,
}

/// Rows that differ in their values alone.
#[derive(Debug)]
struct Held {
    /// The text up to `VALUES`.
    head: String,
    /// The text after the rows, such as `ON CONFLICT …`.
    tail: String,
    /// The rows as they are written, and their values.
    rows: Vec<(String, Vec<Value>)>,
    values: usize,
}

/// Whether a statement is held back.
#[derive(Debug, PartialEq)]
pub(crate) enum HoldResult<T> {
    /// It is held, and will be sent.
    Held(T),
    /// It is not an insert of rows: the caller runs it with these values. The held inserts were sent before.
    NotHeld(Vec<Value>),
}

impl HeldInserts {
    /// Holds back an insert, and sends the held ones when they are many or when `sql` is not an insert of rows.
    pub(crate) async fn hold(
        &self,
        db: &DatabaseExecutor<'_>,
        sql: &str,
        values: Vec<Value>,
    ) -> Result<HoldResult<()>, DbErr> {
        let (result, is_full) = self.put(sql, values);
        if is_full || matches!(result, HoldResult::NotHeld(_)) {
            self.send(db).await?;
        }
        Ok(result)
    }

    /// Holds back an insert that ends in `RETURNING id`, and returns the number that its row will have.
    pub(crate) async fn hold_numbered(
        &self,
        db: &DatabaseExecutor<'_>,
        sql: &str,
        mut values: Vec<Value>,
    ) -> Result<HoldResult<i64>, DbErr> {
        let Some((table, numbered)) = with_number(sql, values.len() + 1) else {
            self.send(db).await?;
            return Ok(HoldResult::NotHeld(values));
        };
        let id = self.next_number(db, table).await?;
        values.push(id.into());
        Ok(match self.hold(db, &numbered, values).await? {
            HoldResult::Held(()) => HoldResult::Held(id),
            HoldResult::NotHeld(values) => HoldResult::NotHeld(values),
        })
    }

    /// Sends the held inserts.
    pub(crate) async fn send(&self, db: &DatabaseExecutor<'_>) -> Result<(), DbErr> {
        let statements = std::mem::take(&mut *locked(&self.statements));
        for one in statements {
            let (sql, values) = one.whole();
            db.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await?;
        }
        Ok(())
    }

    /// Holds back an insert. Returns true as the second value when the held rows should be sent.
    fn put(&self, sql: &str, values: Vec<Value>) -> (HoldResult<()>, bool) {
        let Some([head, rows, tail]) = parts(sql) else { return (HoldResult::NotHeld(values), false) };
        let mut statements = locked(&self.statements);
        let known = statements.iter().position(|held| held.head == head && held.tail == tail);
        let at = known.unwrap_or_else(|| {
            statements.push(Held { head: head.to_owned(), tail: tail.to_owned(), rows: Vec::new(), values: 0 });
            statements.len() - 1
        });
        let held = &mut statements[at];
        held.values += values.len();
        held.rows.push((rows.to_owned(), values));
        (HoldResult::Held(()), held.values >= MAX_VALUES || held.rows.len() >= MAX_ROWS)
    }

    async fn next_number(&self, db: &DatabaseExecutor<'_>, table: &str) -> Result<i64, DbErr> {
        let reserved = || locked(&self.numbers).get_mut(table).and_then(VecDeque::pop_front);
        if let Some(number) = reserved() {
            return Ok(number);
        }
        let sql = "SELECT nextval(pg_get_serial_sequence($1, 'id')) FROM generate_series(1, $2)";
        let values = [Value::from(table), RESERVED_NUMBERS.into()];
        let rows = db.query_all_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await?;
        let numbers = rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<VecDeque<i64>, _>>()?;
        locked(&self.numbers).insert(table.to_owned(), numbers);
        reserved().ok_or_else(|| DbErr::RecordNotFound(format!("no number for {table}")))
    }
}

/// Locks a mutex, also after a panic: each change is one step, so the value is valid.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Held {
    /// The statement of all rows.
    fn whole(self) -> (String, Vec<Value>) {
        let (mut sql, mut values) = (self.head, Vec::with_capacity(self.values));
        for (at, (row, of_row)) in self.rows.into_iter().enumerate() {
            sql.push_str(if at == 0 { " " } else { ", " });
            sql.push_str(&renumbered(&row, values.len()));
            values.extend(of_row);
        }
        sql.push(' ');
        sql.push_str(&self.tail);
        (sql, values)
    }
}

/// The three parts of an insert of rows: its beginning with the word `VALUES`, its rows, and its end, such as `ON CONFLICT …`. None for any other
/// statement, and where the end has a value: the rows of several statements share one end.
fn parts(sql: &str) -> Option<[&str; 3]> {
    let begin = sql.trim_start();
    if !begin.starts_with("INSERT INTO ") {
        return None;
    }
    let word = "VALUES";
    let head = begin.find(&format!("{word} ("))? + word.len();
    let rest = &begin[head..];
    let (mut depth, mut is_quoted, mut end) = (0_usize, false, 0);
    for (at, letter) in rest.char_indices() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => depth += 1,
            ')' => {
                depth = depth.checked_sub(1)?;
                end = at + 1;
            }
            _ if depth > 0 || letter == ',' || letter.is_whitespace() => {}
            _ => break,
        }
    }
    let tail = rest[end..].trim();
    (!tail.contains('$')).then(|| [&begin[..head], rest[..end].trim(), tail])
}

/// The same statement with `offset` added to the number of each value.
pub(crate) fn renumbered(sql: &str, offset: usize) -> String {
    let mut pieces = sql.split('$');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len());
        let (digits, rest) = piece.split_at(end);
        // A sign without a number after it is not a value.
        if let Ok(number) = digits.parse::<usize>() {
            // Writing into a text does not fail.
            let _ = write!(out, "${}{rest}", number + offset);
        } else {
            out.push('$');
            out.push_str(piece);
        }
    }
    out
}

/// The table of an insert, and the same insert that names the number of its row. None where it does already, or returns something else.
fn with_number(sql: &str, place: usize) -> Option<(&str, String)> {
    let [head, row, tail] = parts(sql)?;
    let (into, columns) = head.trim_start_matches("INSERT INTO ").split_once(" (")?;
    let columns = columns.strip_suffix(") VALUES")?;
    if tail != "RETURNING id" || columns.split(", ").any(|name| name == "id") {
        return None;
    }
    let row = row.strip_suffix(')')?;
    Some((into, format!("INSERT INTO {into} ({columns}, id) VALUES {row}, ${place})")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbered_on() {
        assert_eq!(renumbered("a = $1 AND b = $12::text", 3), "a = $4 AND b = $15::text");
        assert_eq!(renumbered("'5 $' = $2", 0), "'5 $' = $2");
    }

    #[test]
    fn an_insert_is_taken_apart() {
        let sql = "INSERT INTO a (id, words) VALUES ($1, f($2, ')') || ARRAY(SELECT 1 WHERE b = $1)) ON CONFLICT (id) DO NOTHING";
        let rows = "($1, f($2, ')') || ARRAY(SELECT 1 WHERE b = $1))";
        assert_eq!(parts(sql), Some(["INSERT INTO a (id, words) VALUES", rows, "ON CONFLICT (id) DO NOTHING"]));
        let two = "INSERT INTO a (b, c) VALUES (1,'x)'),(2,'y')";
        assert_eq!(parts(two), Some(["INSERT INTO a (b, c) VALUES", "(1,'x)'),(2,'y')", ""]));
        for other in [
            "DELETE FROM a",
            "INSERT INTO a SELECT * FROM b",
            "INSERT INTO a SELECT * FROM (VALUES ($1)) v",
            "UPDATE a SET b = 'VALUES ('",
            "INSERT INTO a (b) VALUES ($1) ON CONFLICT (b) DO UPDATE SET c = $2",
        ] {
            assert_eq!(parts(other), None, "{other}");
        }
    }

    #[test]
    fn rows_of_one_statement_become_one() {
        let held = HeldInserts::default();
        for (id, word) in [(1_i64, "un"), (2, "deux")] {
            for (sql, values) in [
                ("INSERT INTO a (b, c) VALUES ($1, $2)", vec![id.into(), word.into()]),
                ("INSERT INTO d (e) VALUES (7)", Vec::new()),
            ] {
                assert_eq!(held.put(sql, values), (HoldResult::Held(()), false));
            }
        }
        let made: Vec<_> = held.statements.into_inner().expect("not poisoned").into_iter().map(Held::whole).collect();
        let values = vec![1_i64.into(), "un".into(), 2_i64.into(), "deux".into()];
        assert_eq!(made[0], ("INSERT INTO a (b, c) VALUES ($1, $2), ($3, $4) ".to_owned(), values));
        assert_eq!(made[1], ("INSERT INTO d (e) VALUES (7), (7) ".to_owned(), Vec::new()));
    }

    #[test]
    fn a_row_is_given_its_number() {
        let numbered = with_number("INSERT INTO poi (a, b) VALUES ($1, $2) RETURNING id", 3);
        assert_eq!(numbered, Some(("poi", "INSERT INTO poi (a, b, id) VALUES ($1, $2, $3)".to_owned())));
        assert_eq!(with_number("INSERT INTO poi (a, id) VALUES ($1, $2) RETURNING id", 3), None);
        assert_eq!(with_number("INSERT INTO poi (a) VALUES ($1) RETURNING a", 2), None);
    }
}

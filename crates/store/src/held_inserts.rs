//! Inserts that a transaction of PostgreSQL holds back until it has many, and sends as one statement of many rows: a row then costs
//! about a quarter. On SQLite, which works in this process, nothing is held.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sea_orm::{ConnectionTrait as _, DatabaseExecutor, DbBackend, DbErr, Statement, Value};

/// A statement of PostgreSQL has 65,535 values at most.
const MOST_VALUES: usize = 30_000;
/// Rows of one statement.
const MOST_ROWS: usize = 1_000;
/// Numbers of a table that are reserved at once.
const RESERVED: i64 = 500;

/// What a transaction holds back.
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
    /// Up to `VALUES`.
    head: String,
    /// What follows the rows, such as `ON CONFLICT …`.
    tail: String,
    /// The rows as they are written, and their values.
    rows: Vec<(String, Vec<Value>)>,
    values: usize,
}

/// What became of a statement.
#[derive(Debug, PartialEq)]
pub(crate) enum Taken<T> {
    /// It is held, and will be sent.
    Held(T),
    /// It is no insert of rows, which alone are held: it is to be run with its values, after what was held.
    Other(Vec<Value>),
}

impl HeldInserts {
    /// Takes an insert.
    pub(crate) async fn take(
        &self,
        db: &DatabaseExecutor<'_>,
        sql: &str,
        values: Vec<Value>,
    ) -> Result<Taken<()>, DbErr> {
        let (taken, is_full) = self.put(sql, values);
        if is_full || matches!(taken, Taken::Other(_)) {
            self.send(db).await?;
        }
        Ok(taken)
    }

    /// Takes an insert that ends in `RETURNING id`, and gives the number that its row will have.
    pub(crate) async fn take_numbered(
        &self,
        db: &DatabaseExecutor<'_>,
        sql: &str,
        mut values: Vec<Value>,
    ) -> Result<Taken<i64>, DbErr> {
        let Some((table, numbered)) = with_number(sql, values.len() + 1) else {
            self.send(db).await?;
            return Ok(Taken::Other(values));
        };
        let id = self.next_number(db, table).await?;
        values.push(id.into());
        Ok(match self.take(db, &numbered, values).await? {
            Taken::Held(()) => Taken::Held(id),
            Taken::Other(values) => Taken::Other(values),
        })
    }

    /// Sends what is held.
    pub(crate) async fn send(&self, db: &DatabaseExecutor<'_>) -> Result<(), DbErr> {
        let statements = std::mem::take(&mut *locked(&self.statements));
        for one in statements {
            let (sql, values) = one.whole();
            db.execute_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await?;
        }
        Ok(())
    }

    /// Whether it was taken, and whether there is enough to be sent.
    fn put(&self, sql: &str, values: Vec<Value>) -> (Taken<()>, bool) {
        let Some([head, rows, tail]) = parts(sql) else { return (Taken::Other(values), false) };
        let mut statements = locked(&self.statements);
        let known = statements.iter().position(|held| held.head == head && held.tail == tail);
        let at = known.unwrap_or_else(|| {
            statements.push(Held { head: head.to_owned(), tail: tail.to_owned(), rows: Vec::new(), values: 0 });
            statements.len() - 1
        });
        let held = &mut statements[at];
        held.values += values.len();
        held.rows.push((rows.to_owned(), values));
        (Taken::Held(()), held.values >= MOST_VALUES || held.rows.len() >= MOST_ROWS)
    }

    async fn next_number(&self, db: &DatabaseExecutor<'_>, table: &str) -> Result<i64, DbErr> {
        let reserved = || locked(&self.numbers).get_mut(table).and_then(VecDeque::pop_front);
        if let Some(number) = reserved() {
            return Ok(number);
        }
        let sql = "SELECT nextval(pg_get_serial_sequence($1, 'id')) FROM generate_series(1, $2)";
        let values = [Value::from(table), RESERVED.into()];
        let rows = db.query_all_raw(Statement::from_sql_and_values(DbBackend::Postgres, sql, values)).await?;
        let numbers = rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<VecDeque<i64>, _>>()?;
        locked(&self.numbers).insert(table.to_owned(), numbers);
        reserved().ok_or_else(|| DbErr::RecordNotFound(format!("no number for {table}")))
    }
}

/// What a panic left is whole: each change is one step.
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
                assert_eq!(held.put(sql, values), (Taken::Held(()), false));
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

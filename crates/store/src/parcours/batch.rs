//! Statements that are handed to the database in one go: on SQLite each hand-over to its thread costs more than most of
//! the statements of a save, on PostgreSQL each is a round trip.

use std::fmt::Write as _;

use sea_orm::{ConnectionTrait as _, Value};

use crate::sql::statement;
use crate::{Connection as _, Dialect, StoreError, Tx};

/// Writes to be done together. They touch different rows: PostgreSQL does them in no particular order.
#[derive(Debug, Default)]
pub(super) struct Batch {
    statements: Vec<String>,
    values: Vec<Value>,
}

impl Batch {
    /// Adds a statement whose values are numbered from `$1`.
    pub(super) fn add(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        let numbered = renumbered(sql, self.values.len());
        self.statements.push(numbered);
        self.values.extend(values);
    }

    /// Runs them all.
    pub(super) async fn run(self, tx: &Tx) -> Result<(), StoreError> {
        if self.statements.is_empty() {
            return Ok(());
        }
        let sql = match tx.dialect() {
            Dialect::Sqlite => self.statements.join(";\n"),
            Dialect::Postgres => as_one(&self.statements),
        };
        tx.executor().execute_raw(statement(tx.dialect(), &sql, self.values)).await?;
        Ok(())
    }
}

/// PostgreSQL takes one statement with values at a time: all but the last become parts of the last.
fn as_one(statements: &[String]) -> String {
    let Some((last, others)) = statements.split_last() else { return String::new() };
    let mut sql = String::new();
    for (index, statement) in others.iter().enumerate() {
        let begin = if index == 0 { "WITH" } else { "," };
        // Writing into a text does not fail.
        let _ = writeln!(sql, "{begin} s{index} AS ({statement})");
    }
    sql + last
}

/// The same statement with `offset` added to the number of each value.
fn renumbered(sql: &str, offset: usize) -> String {
    let mut pieces = sql.split('$');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len());
        let (digits, rest) = piece.split_at(end);
        // A sign without a number after it is not a value.
        if let Ok(number) = digits.parse::<usize>() {
            let _ = write!(out, "${}{rest}", number + offset);
        } else {
            out.push('$');
            out.push_str(piece);
        }
    }
    out
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
    fn several_become_one_for_postgresql() {
        let one = |sql: &str| as_one(&[sql.to_owned()]);
        assert_eq!(one("UPDATE a"), "UPDATE a");
        let three = ["UPDATE a", "DELETE b", "INSERT c"].map(str::to_owned);
        assert_eq!(as_one(&three), "WITH s0 AS (UPDATE a)\n, s1 AS (DELETE b)\nINSERT c");
    }
}

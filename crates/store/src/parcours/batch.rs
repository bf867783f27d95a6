//! Statements that are handed to the database in one go: on SQLite each hand-over to its thread costs more than most of
//! the statements of a save, on PostgreSQL each is a round trip.

use std::fmt::Write as _;

use sea_orm::{ConnectionTrait as _, Value};

use crate::held_inserts::renumbered;
use crate::sql::{execute, statement};
use crate::{Connection as _, Dialect, StoreError, Tx};

/// Writes to be done together. They touch different rows: PostgreSQL does them in no particular order.
#[derive(Debug, Default)]
pub(super) struct Batch {
    statements: Vec<(String, Vec<Value>)>,
}

impl Batch {
    /// Adds a statement whose values are numbered from `$1`.
    pub(super) fn add(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        self.statements.push((sql.to_owned(), values.into_iter().collect()));
    }

    /// Runs them all.
    pub(super) async fn run(self, tx: &Tx) -> Result<(), StoreError> {
        if self.statements.is_empty() {
            return Ok(());
        }
        if tx.held().is_some() {
            for (sql, values) in self.statements {
                execute(tx, &sql, values).await?;
            }
            return Ok(());
        }
        let (mut statements, mut values) = (Vec::with_capacity(self.statements.len()), Vec::new());
        for (sql, of_one) in self.statements {
            statements.push(renumbered(&sql, values.len()));
            values.extend(of_one);
        }
        let sql = match tx.dialect() {
            Dialect::Sqlite => statements.join(";\n"),
            Dialect::Postgres => as_one(&statements),
        };
        tx.executor().execute_raw(statement(tx.dialect(), &sql, values)).await?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_become_one_for_postgresql() {
        let one = |sql: &str| as_one(&[sql.to_owned()]);
        assert_eq!(one("UPDATE a"), "UPDATE a");
        let three = ["UPDATE a", "DELETE b", "INSERT c"].map(str::to_owned);
        assert_eq!(as_one(&three), "WITH s0 AS (UPDATE a)\n, s1 AS (DELETE b)\nINSERT c");
    }
}

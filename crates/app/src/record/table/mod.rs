//! Records as a table: a file of what a list shows, and that file taken back after it was edited in a spreadsheet (decision 0065).
//!
//! `export` writes the file, `read` reads one, `plan` compares its rows with the records, `write` saves them in slices and undoes that.
//! The columns follow from the sheet (`domain::record::table`); a resource declares [`TableResource`].

mod error;
mod export;
mod plan;
mod read;
mod report;
mod write;

use std::future::Future;

use domain::audit::ExportedList;
use domain::record::table::{Column, columns};
use domain::{Actor, Locale};
pub use error::TableError;
pub use export::export;
pub use read::{CellFault, MAX_FILE_BYTES, Table, read};
pub use report::{TableCell, TableFault, TableOutcome, TableReport, TableRow};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use store::{Connection, StoreError};
use tokio::sync::Semaphore;
use utoipa::{IntoParams, ToSchema};
pub use write::{import, undo};

use super::{CLOSED, RecordError, Resource};
use crate::App;

/// The most rows of a table, without the first.
pub const MAX_ROWS: usize = 5_000;
/// Records read, checked or saved at once.
const SLICE: usize = 100;

/// A resource whose records are edited as a table.
pub trait TableResource: Resource {
    /// The query of its list.
    type Query: DeserializeOwned + Send;
    /// The name of the file, and of the list in the journal.
    const LIST: ExportedList;
    /// Fields without a column, beside those that no form sets.
    const LEFT_OUT: &'static [&'static str] = &[];
    /// Whether a row without a number makes a record.
    const MAKES: bool = true;

    /// The records of the person's own that the query of the list leaves, in its order; a few over [`MAX_ROWS`] at most.
    fn ids(
        app: &App,
        actor: &Actor,
        query: Self::Query,
    ) -> impl Future<Output = Result<Vec<i64>, RecordError<Self>>> + Send;

    /// The columns for the values of the active white-label's own fields.
    fn own_columns(
        _db: &impl Connection,
        _actor: &Actor,
    ) -> impl Future<Output = Result<Vec<Column>, StoreError>> + Send {
        async { Ok(Vec::new()) }
    }
}

/// The columns of a resource's table for one person.
async fn columns_of<R: TableResource>(
    app: &App,
    db: &impl Connection,
    actor: &Actor,
) -> Result<Vec<Column>, StoreError> {
    let left_out: Vec<&str> = CLOSED.iter().chain(R::LEFT_OUT).copied().collect();
    let mut found = columns::<R::Sheet>(&app.settings.content_languages, &left_out);
    found.extend(R::own_columns(db, actor).await?);
    Ok(found)
}

/// The format of a table's file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableFormat {
    /// Semicolons, UTF-8 with a mark that spreadsheets know.
    #[default]
    Csv,
    /// Office Open XML.
    Xlsx,
}

/// How a table is exported.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct TableQuery {
    /// The query of the list, as in its own address.
    #[param(example = "search=lac&published=true")]
    pub filter: Option<String>,
    /// The format of the file.
    #[param(inline)]
    pub format: TableFormat,
    /// The language of names, of yes and no, and of the decimal sign.
    pub lang: Locale,
}

/// What is done with rows whose record was saved since the table was exported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableConflicts {
    /// They are left as they are.
    #[default]
    Skip,
    /// The cells that were edited in the table are written; the other fields keep what was saved meanwhile.
    Write,
}

/// How a table is taken back.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct TableImport {
    /// The token of the report that is confirmed; absent: only report, write nothing.
    pub token: Option<String>,
    /// What is done with rows whose record was saved meanwhile.
    #[param(inline)]
    pub conflicts: TableConflicts,
    /// The language of yes and no, and of the decimal sign, in the report.
    pub lang: Locale,
}

/// Bounds the memory that files of tables take: one is read at a time.
#[derive(Debug)]
struct Reading(Semaphore);

impl Default for Reading {
    fn default() -> Self {
        Self(Semaphore::new(1))
    }
}

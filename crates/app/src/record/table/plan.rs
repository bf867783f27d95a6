//! The rows of a table compared with the records: what each would do.

use std::collections::HashMap;

use domain::record::apply_patch;
use domain::record::table::{Column, Words, edits, patch};
use domain::{Actor, Fault, Locale, hexadecimal};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use store::record::{self as rows, Record as _, Stored};
use store::{Connection, Tx};

use super::export::{FIRST, as_json};
use super::read::{CellFault, TextRow};
use super::report::{Shown, TableCell, TableFault, TableOutcome, TableReport, TableRow};
use super::{SLICE, Table, TableConflicts, TableError, TableImport, TableResource, columns_of};
use crate::record::operations::checked;
use crate::record::{At, CLOSED, READ_ONLY};
use crate::{App, markup};

/// A table that was read, with what its columns are.
pub(super) struct Plan<'a> {
    app: &'a App,
    actor: &'a Actor,
    /// The columns of the resource.
    columns: Vec<Column>,
    /// For each cell of a row, the column it is of.
    read: Vec<Option<usize>>,
    id_at: Option<usize>,
    version_at: Option<usize>,
    conflicts: TableConflicts,
    /// How the report writes values.
    words: Words,
    /// The rows, with the record each is of.
    rows: Vec<(TextRow, Result<Row, TableFault>)>,
    shown: Shown,
}

/// What the first two cells of a row say.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// The record; a new one without.
    id: Option<i64>,
    /// The version it was exported with.
    version: Option<i64>,
}

/// A row that is written: where it is in the table, the record and its version; 0 for a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ready {
    pub(super) row: usize,
    pub(super) id: i64,
    pub(super) version: i64,
}

/// What a row means for a record.
enum Meaning {
    Nothing,
    /// This patch; `is_stale` when the record was saved since the export.
    Patch {
        patch: Map<String, Value>,
        is_stale: bool,
    },
    /// It cannot be read.
    Faults(Vec<TableFault>),
}

/// What a row does once it is checked.
pub(super) enum Checked<S> {
    Nothing,
    /// The record becomes this.
    Becomes {
        after: Box<Stored<S>>,
        is_stale: bool,
    },
    Refused(Vec<TableFault>),
}

impl<'a> Plan<'a> {
    /// Finds the columns of a table; the faults of its first row go into the report, and the sheets that are not read.
    pub(super) async fn new<R: TableResource>(
        app: &'a App,
        actor: &'a Actor,
        table: Table,
        asked: &TableImport,
        report: &mut TableReport,
    ) -> Result<Self, TableError> {
        let columns = columns_of::<R>(app, app.store.read(), actor).await?;
        if !table.unread_sheets.is_empty() {
            let mut note = TableFault::whole("table/other-sheets");
            note.params.insert("read".to_owned(), table.sheet.into());
            note.params.insert("sheets".to_owned(), table.unread_sheets.join(" · ").into());
            report.notes.push(note);
        }
        let (mut read, mut id_at, mut version_at) = (Vec::new(), None, None);
        for (at, name) in table.header.iter().enumerate() {
            let column = columns.iter().position(|column| column.name == *name);
            let is_first = FIRST.contains(&name.as_str());
            let is_twice = table.header[..at].contains(name);
            if !name.is_empty() && (is_twice || (column.is_none() && !is_first)) {
                let code = if is_twice { "table/column-twice" } else { "table/unknown-column" };
                report.columns.push(TableFault::at(name.chars().take(60).collect::<String>(), code));
            }
            match name.as_str() {
                "id" if !is_twice => id_at = Some(at),
                "version" if !is_twice => version_at = Some(at),
                _ => {}
            }
            read.push(column.filter(|_| !is_twice));
        }
        if read.iter().all(Option::is_none) {
            return Err(TableError::NoColumn);
        }
        let mut plan = Self {
            app,
            actor,
            columns,
            read,
            id_at,
            version_at,
            conflicts: asked.conflicts,
            words: Words { is_french: asked.lang == Locale::Fr, names: HashMap::new() },
            rows: Vec::with_capacity(table.rows.len()),
            shown: Shown::default(),
        };
        plan.take_rows(table.rows);
        report.rows = plan.rows.len();
        Ok(plan)
    }

    /// Reads the numbers and versions of the rows. Of rows with one number, none is written: which is meant is not known.
    fn take_rows(&mut self, table: Vec<TextRow>) {
        let number = |row: &TextRow, at: Option<usize>, name: &str| {
            let text = at.and_then(|at| row.cell(at, true)).map(str::trim).unwrap_or_default();
            if text.is_empty() {
                return Ok(None);
            }
            let read = text.parse::<i64>().ok().filter(|number| *number > 0);
            read.map(Some).ok_or_else(|| TableFault::at(name, "table/whole-number"))
        };
        let mut first: HashMap<i64, usize> = HashMap::new();
        for text in table {
            let fault = self.cell_fault(&text);
            // Formulas in columns that are not read make no row.
            if fault.is_none() && text.is_blank() {
                continue;
            }
            let row = number(&text, self.id_at, "id")
                .and_then(|id| Ok(Row { id, version: number(&text, self.version_at, "version")? }));
            let mut row = row.and_then(|row| fault.map_or(Ok(row), Err));
            if let Ok(Row { id: Some(id), .. }) = row
                && let Some(other) = first.insert(id, self.rows.len())
            {
                let twice = |row: usize| {
                    let mut fault = TableFault::at("id", "table/id-twice");
                    fault.params.insert("row".to_owned(), row.into());
                    fault
                };
                row = Err(twice(self.rows[other].0.number));
                self.rows[other].1 = Err(twice(text.number));
            }
            self.rows.push((text, row));
        }
    }

    /// The first cell of a column that is read whose formula has no value.
    fn cell_fault(&self, row: &TextRow) -> Option<TableFault> {
        let name = |at: usize| match self.read[at] {
            Some(column) => Some(self.columns[column].name.as_str()),
            None if self.id_at == Some(at) => Some("id"),
            None if self.version_at == Some(at) => Some("version"),
            None => None,
        };
        let (name, fault) = (0..self.read.len()).find_map(|at| Some((name(at)?, row.fault(at)?)))?;
        let (code, param, value) = match fault {
            CellFault::Failed(error) => ("table/cell-error", "error", error),
            CellFault::NotStored(cell) => ("table/formula-without-value", "cell", cell),
        };
        let mut fault = TableFault::at(name, code);
        fault.params.insert(param.to_owned(), value.into());
        Some(fault)
    }

    /// Compares every row, writes nothing. The rows that would be written, new records last.
    pub(super) async fn compare<R: TableResource>(
        &mut self,
        report: &mut TableReport,
    ) -> Result<Vec<Ready>, TableError> {
        let mut ready = Vec::new();
        for from in (0..self.rows.len()).step_by(SLICE) {
            let slice: Vec<usize> = (from..self.rows.len().min(from + SLICE)).collect();
            let ids: Vec<i64> = slice.iter().filter_map(|at| self.row(*at)?.id).collect();
            let found = rows::load_many::<R::Record>(self.app.store.read(), &ids).await?;
            let found: HashMap<i64, Stored<R::Sheet>> = found.into_iter().map(|one| (one.id, one)).collect();
            let mut meant = Vec::with_capacity(slice.len());
            for at in slice {
                let before = match self.row(at).and_then(|row| row.id) {
                    Some(id) => found.get(&id).cloned(),
                    None => Some(self.blank::<R>()),
                };
                let past = self.past::<R>(self.app.store.read(), at, before.as_ref()).await?;
                let meaning = self.meaning::<R>(at, before.as_ref(), past.as_ref());
                meant.push((at, before, self.prepared::<R>(meaning).await));
            }
            let tx = self.app.store.begin().await?;
            for (at, before, meaning) in meant {
                let checked = self.checked::<R>(&tx, before.as_ref(), meaning).await?;
                let (row, is_ready) = self.reported::<R>(at, before.as_ref(), checked);
                if let (true, Some(before)) = (is_ready, &before) {
                    ready.push(Ready { row: at, id: before.id, version: before.version });
                }
                report.add(row);
            }
            // Nothing was written: the transaction is dropped.
        }
        ready.sort_by_key(|one| one.id == 0);
        Ok(ready)
    }

    /// The words of a report that another request confirms: the same file over the same versions gives the same.
    pub(super) fn state(&self, bytes: &[u8], ready: &[Ready]) -> String {
        let mut state = Sha256::new();
        state.update(bytes);
        state.update([u8::from(self.conflicts == TableConflicts::Write)]);
        for one in ready {
            for number in [one.row as i64, one.id, one.version] {
                state.update(number.to_be_bytes());
            }
        }
        hexadecimal(&state.finalize()[..16])
    }

    /// What a row means for a record that is locked, checked for its save.
    pub(super) async fn again<R: TableResource>(
        &self,
        tx: &Tx,
        at: usize,
        before: Option<&Stored<R::Sheet>>,
    ) -> Result<Checked<R::Sheet>, TableError> {
        let past = self.past::<R>(tx, at, before).await?;
        let meaning = self.meaning::<R>(at, before, past.as_ref());
        self.checked::<R>(tx, before, meaning).await
    }

    /// A record that is not there yet.
    pub(super) fn blank<R: TableResource>(&self) -> Stored<R::Sheet> {
        R::blank(self.app, self.actor, &At::default())
    }

    /// The row of the report for a row that is refused after all.
    pub(super) fn refused<R: TableResource>(
        &self,
        at: usize,
        before: Option<&Stored<R::Sheet>>,
        faults: Vec<TableFault>,
    ) -> TableRow {
        let (text, row) = &self.rows[at];
        TableRow {
            row: text.number,
            id: row.as_ref().ok().and_then(|row| row.id),
            title: before.map(|before| R::Record::title(&before.sheet)).unwrap_or_default(),
            outcome: TableOutcome::Refused,
            cells: Vec::new(),
            faults,
        }
    }

    fn row(&self, at: usize) -> Option<Row> {
        self.rows[at].1.as_ref().ok().copied()
    }

    /// The sheet that the row was exported from, where the record was saved since.
    async fn past<R: TableResource>(
        &self,
        db: &impl Connection,
        at: usize,
        before: Option<&Stored<R::Sheet>>,
    ) -> Result<Option<R::Sheet>, TableError> {
        let (Some(before), Some(version)) = (before, self.row(at).and_then(|row| row.version)) else { return Ok(None) };
        if before.id == 0 || version == before.version || !R::is_theirs(self.actor, before) {
            return Ok(None);
        }
        let past = rows::revision::<R::Record>(db, before.id, version).await?;
        Ok(past.map(|past| past.sheet))
    }

    fn meaning<R: TableResource>(
        &self,
        at: usize,
        before: Option<&Stored<R::Sheet>>,
        past: Option<&R::Sheet>,
    ) -> Meaning {
        let (text, row) = &self.rows[at];
        let row = match row {
            Ok(row) => row,
            Err(fault) => return Meaning::Faults(vec![fault.clone()]),
        };
        let Some(before) = before.filter(|before| before.id == 0 || R::is_theirs(self.actor, before)) else {
            let mut fault = TableFault::at("id", R::NOT_FOUND);
            fault.params.insert("id".to_owned(), row.id.into());
            return Meaning::Faults(vec![fault]);
        };
        if before.id == 0 && !R::MAKES {
            return Meaning::Faults(vec![TableFault::at("id", "table/no-new")]);
        }
        let is_stale = before.id != 0 && row.version.is_some_and(|version| version != before.version);
        let now = as_json::<R>(self.actor, before);
        // A cell was edited when it differs from what was exported, whatever the record became since.
        let exported = past.map(|past| as_json::<R>(self.actor, &Stored { sheet: past.clone(), ..before.clone() }));
        let cells = self.read.iter().enumerate().filter_map(|(at, column)| {
            let column = &self.columns[(*column)?];
            // A row may end before the last column: what it does not have stays.
            Some((column, text.cell(at, column.has_numbers())?))
        });
        let edited = edits(&cells.collect::<Vec<_>>(), exported.as_ref().unwrap_or(&now));
        if edited.is_empty() && before.id != 0 {
            return Meaning::Nothing;
        }
        match patch(&edited, &now) {
            Ok(patch) => Meaning::Patch { patch, is_stale },
            Err(faults) => Meaning::Faults(self.at_columns(faults)),
        }
    }

    /// Refuses long texts before they are parsed, and parses them outside the transaction.
    async fn prepared<R: TableResource>(&self, meaning: Meaning) -> Meaning {
        let Meaning::Patch { patch, is_stale } = meaning else { return meaning };
        match markup::prepare::<R::Sheet>(&patch).await {
            Ok(()) => Meaning::Patch { patch, is_stale },
            Err(faults) => Meaning::Faults(self.at_columns(faults)),
        }
    }

    async fn checked<R: TableResource>(
        &self,
        tx: &Tx,
        before: Option<&Stored<R::Sheet>>,
        meaning: Meaning,
    ) -> Result<Checked<R::Sheet>, TableError> {
        let (before, patch, is_stale) = match (before, meaning) {
            (_, Meaning::Nothing) | (None, Meaning::Patch { .. }) => return Ok(Checked::Nothing),
            (_, Meaning::Faults(faults)) => return Ok(Checked::Refused(faults)),
            (Some(before), Meaning::Patch { patch, is_stale }) => (before, patch, is_stale),
        };
        let mut after = before.clone();
        match apply_patch(&before.sheet, &patch, READ_ONLY, CLOSED) {
            Ok(sheet) => after.sheet = sheet,
            Err(faults) => return Ok(Checked::Refused(self.at_columns(faults))),
        }
        match checked::<R>(self.app, tx, self.actor, before, after).await {
            Ok(after) if !R::is_theirs(self.actor, &after) => {
                Ok(Checked::Refused(vec![TableFault::whole(R::NOT_YOURS)]))
            }
            Ok(after) if before.id != 0 && after.changed_since(before).is_empty() => Ok(Checked::Nothing),
            Ok(after) => Ok(Checked::Becomes { after: Box::new(after), is_stale }),
            Err(error) => Ok(Checked::Refused(self.at_columns(error.into_faults()?))),
        }
    }

    fn at_columns(&self, faults: Vec<Fault>) -> Vec<TableFault> {
        faults.into_iter().map(|fault| TableFault::of(fault, &self.columns)).collect()
    }

    /// The row of the report, and whether it is written.
    fn reported<R: TableResource>(
        &mut self,
        at: usize,
        before: Option<&Stored<R::Sheet>>,
        checked: Checked<R::Sheet>,
    ) -> (Option<TableRow>, bool) {
        let (after, is_stale) = match checked {
            Checked::Nothing => return (None, false),
            Checked::Refused(faults) => {
                let theirs = before.filter(|before| R::is_theirs(self.actor, before));
                return (Some(self.refused::<R>(at, theirs, faults)), false);
            }
            Checked::Becomes { after, is_stale } => (after, is_stale),
        };
        let Some(before) = before else { return (None, false) };
        let outcome = match (before.id, is_stale) {
            (0, _) => TableOutcome::Created,
            (_, true) if self.conflicts == TableConflicts::Skip => TableOutcome::Conflict,
            _ => TableOutcome::Changed,
        };
        let (old, new) = (as_json::<R>(self.actor, before), as_json::<R>(self.actor, &after));
        let mut cells = Vec::new();
        for column in self.columns.iter().filter(|column| !column.is_read_only()) {
            let (before, after) = (column.write(&old, &self.words), column.write(&new, &self.words));
            if before != after {
                let (before, after) = (self.shown.cut(before), self.shown.cut(after));
                cells.push(TableCell { column: column.name.clone(), before, after });
            }
        }
        let title = R::Record::title(&after.sheet);
        let id = (before.id != 0).then_some(before.id);
        let row = TableRow { row: self.rows[at].0.number, id, title, outcome, cells, faults: Vec::new() };
        (Some(row), outcome != TableOutcome::Conflict)
    }
}

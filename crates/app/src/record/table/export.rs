//! The records of a list as a file.

use std::collections::{HashMap, HashSet};

use axum::response::Response;
use domain::record::table::{Cell, Column, Words};
use domain::record::{Kind, Sheet as _};
use domain::rest;
use domain::{Actor, Locale};
use rust_xlsxwriter::{Color, Format, Workbook, Worksheet, XlsxError};
use serde_json::Value;
use store::access::Access;
use store::record::{self as rows, Stored};
use store::{Connection, StoreError, uses};

use super::{MAX_ROWS, SLICE, TableError, TableFormat, TableQuery, TableResource, columns_of};
use crate::csv::csv_line;
use crate::download::attachment;
use crate::problem::Internal;
use crate::{App, audit};

/// The columns before those of the fields.
pub(super) const FIRST: [&str; 2] = ["id", "version"];

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// A record's sheet as JSON. Values of white-labels' own fields are those of the active one: elsewhere a key means something else.
pub(super) fn as_json<R: TableResource>(actor: &Actor, record: &Stored<R::Sheet>) -> Value {
    let mut sheet: Value = serde_json::from_str(&rest::text(&record.sheet)).unwrap_or_default();
    if record.white_label_id.is_some_and(|owner| owner != actor.active_white_label_id)
        && let Some(fields) = sheet.as_object_mut()
    {
        fields.remove("custom");
    }
    sheet
}

/// The records that the person may change, of these, as a file.
pub async fn export<R: TableResource>(
    app: &App,
    actor: &Actor,
    ids: Vec<i64>,
    asked: &TableQuery,
) -> Result<Response, TableError> {
    if ids.len() > MAX_ROWS {
        return Err(TableError::TooManyRows { max: MAX_ROWS });
    }
    let db = app.store.read();
    let columns = columns_of::<R>(app, db, actor).await?;
    let mut words = Words { is_french: asked.lang == Locale::Fr, names: HashMap::new() };
    let mut table = Vec::with_capacity(ids.len());
    for slice in ids.chunks(SLICE) {
        let mut records = rows::load_many::<R::Record>(db, slice).await?;
        records.retain(|record| R::is_theirs(actor, record));
        names::<R>(db, actor, &records, asked.lang, &mut words).await?;
        for record in &records {
            let sheet = as_json::<R>(actor, record);
            let cells = columns.iter().map(|column| column.write(&sheet, &words));
            let first = [record.id.to_string(), record.version.to_string()];
            table.push(first.into_iter().chain(cells).collect::<Vec<String>>());
        }
    }
    audit::list_exported(app, actor, R::LIST, table.len()).await?;
    let header: Vec<&str> = FIRST.into_iter().chain(columns.iter().map(|column| column.name.as_str())).collect();
    let name = R::LIST.as_str().replace('_', "-");
    match asked.format {
        TableFormat::Csv => {
            let mut text = String::from("\u{feff}");
            text.push_str(&csv_line(header.into_iter()));
            for row in &table {
                text.push_str(&csv_line(row.iter().map(String::as_str)));
            }
            Ok(attachment(&format!("{name}.csv"), "text/csv; charset=utf-8", text.into_bytes()))
        }
        TableFormat::Xlsx => {
            let header: Vec<String> = header.into_iter().map(str::to_owned).collect();
            let made = tokio::task::spawn_blocking(move || workbook(&name, &header, &columns, &table)).await;
            let bytes = made.map_err(Internal::new)?.map_err(Internal::new)?;
            Ok(attachment(&format!("{}.xlsx", R::LIST.as_str().replace('_', "-")), XLSX, bytes))
        }
    }
}

/// Adds the names of what records point to, of those that the person may point to.
async fn names<R: TableResource>(
    db: &impl Connection,
    actor: &Actor,
    records: &[Stored<R::Sheet>],
    language: Locale,
    words: &mut Words,
) -> Result<(), StoreError> {
    let mut wanted: HashMap<Kind, HashSet<i64>> = HashMap::new();
    for to in records.iter().flat_map(|record| record.sheet.references()) {
        if !words.names.contains_key(&(to.target.kind, to.id)) {
            wanted.entry(to.target.kind).or_default().insert(to.id);
        }
    }
    for (kind, ids) in wanted {
        let ids: Vec<i64> = ids.into_iter().collect();
        let hidden: HashSet<i64> = Access::of(actor).unusable_of(db, kind, &ids).await?.into_iter().collect();
        for (id, title) in uses::titles(db, kind, &ids).await? {
            let name = if hidden.contains(&id) { "" } else { title.best(language.as_str()) };
            words.names.insert((kind, id), name.to_owned());
        }
    }
    Ok(())
}

/// A workbook with one sheet: numbers as numbers, everything else as text, so that no zero is lost.
fn workbook(name: &str, header: &[String], columns: &[Column], table: &[Vec<String>]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name(name)?;
    sheet.set_freeze_panes(1, 2)?;
    let (head, plain, read_only) = (
        Format::new().set_bold(),
        Format::new().set_num_format("@").set_text_wrap(),
        Format::new().set_num_format("@").set_font_color(Color::Gray),
    );
    for (at, name) in header.iter().enumerate() {
        let column = at.checked_sub(FIRST.len()).and_then(|at| columns.get(at));
        let is_number =
            column.is_none_or(|column| matches!(column.cell, Cell::Whole | Cell::Number | Cell::Degrees(_)));
        let at = at as u16;
        sheet.write_string_with_format(0, at, name, &head)?;
        match column {
            Some(column) if column.is_read_only() => sheet.set_column_format(at, &read_only)?,
            Some(_) if !is_number => sheet.set_column_format(at, &plain)?,
            _ => sheet,
        };
        sheet.set_column_width(at, if is_number { 12.0 } else { 24.0 })?;
        for (number, row) in table.iter().enumerate() {
            write_cell(sheet, (number as u32 + 1, at), &row[at as usize], is_number)?;
        }
    }
    book.save_to_buffer()
}

fn write_cell(sheet: &mut Worksheet, (row, at): (u32, u16), text: &str, is_number: bool) -> Result<(), XlsxError> {
    let number = if is_number { text.replace(',', ".").parse::<f64>().ok() } else { None };
    match number {
        Some(number) => sheet.write_number(row, at, number)?,
        None if text.is_empty() => sheet,
        None => sheet.write_string(row, at, text)?,
    };
    Ok(())
}

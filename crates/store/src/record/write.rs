//! Saving a record: its row, its sheet, its links, its words and its revision, in the transaction of the caller.

use domain::rest;
use sea_orm::Value;

use super::{Change, Record, Stored, link, revision};
use crate::sql::{execute, inserted};
use crate::{StoreError, Tx};

/// Makes a record with a new number and version. With a given number, as from the bin, it keeps that.
pub async fn insert<R: Record>(
    tx: &Tx,
    new: Stored<R::Sheet>,
    change: Change<'_>,
) -> Result<Stored<R::Sheet>, StoreError> {
    insert_with::<R>(tx, new, Vec::new(), change).await
}

/// The same with columns of the row that do not follow from the sheet, such as a password.
pub async fn insert_with<R: Record>(
    tx: &Tx,
    new: Stored<R::Sheet>,
    extra: Vec<(&'static str, Value)>,
    change: Change<'_>,
) -> Result<Stored<R::Sheet>, StoreError> {
    let mut made = Stored {
        version: new.version + 1,
        updated_at: change.at,
        updated_by: change.by.map(|id| (id, String::new())),
        ..new
    };
    let mut columns = vec![("created_at", made.created_at.0.into())];
    if made.id != 0 {
        columns.push(("id", made.id.into()));
    }
    if R::OWNED {
        columns.push(("white_label_id", made.white_label_id.map(|id| id.0).into()));
    }
    columns.extend(common::<R>(&made, change));
    columns.extend(R::born_with().into_iter().filter(|(name, _)| extra.iter().all(|(given, _)| given != name)));
    columns.extend(extra);
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let places: Vec<String> = (1..=names.len()).map(|at| format!("${at}")).collect();
    let sql = format!("INSERT INTO {} ({}) VALUES ({}) RETURNING id", R::TABLE, names.join(", "), places.join(", "));
    made.id = inserted(tx, "record", &sql, columns.into_iter().map(|(_, value)| value)).await?;
    let sheet = rest::text(&made.sheet);
    let sql = "INSERT INTO record_sheet (kind, id, sheet) VALUES ($1, $2, $3)";
    execute(tx, sql, [R::KIND.code().into(), made.id.into(), sheet.clone().into()]).await?;
    link::insert(tx, R::KIND, made.id, &made.sheet).await?;
    write_words::<R>(tx, &made).await?;
    revision::write::<R>(tx, &made, &["*"], change, &sheet).await?;
    R::saved(tx, &made).await?;
    Ok(made)
}

/// Saves a record: `after` has the new content. If nothing changed, nothing is written.
pub async fn save<R: Record>(
    tx: &Tx,
    before: &Stored<R::Sheet>,
    after: Stored<R::Sheet>,
    change: Change<'_>,
) -> Result<Stored<R::Sheet>, StoreError> {
    let fields = after.changed_since(before);
    if fields.is_empty() { Ok(after) } else { write_version::<R>(tx, before, after, &fields, change).await }
}

/// Gives a locked record a new version with the same fields: for a change of what is stored beside the record under its `If-Match`.
pub async fn raise_version<R: Record>(
    tx: &Tx,
    record: &Stored<R::Sheet>,
    change: Change<'_>,
) -> Result<Stored<R::Sheet>, StoreError> {
    write_version::<R>(tx, record, record.clone(), &[], change).await
}

async fn write_version<R: Record>(
    tx: &Tx,
    before: &Stored<R::Sheet>,
    after: Stored<R::Sheet>,
    fields: &[&'static str],
    change: Change<'_>,
) -> Result<Stored<R::Sheet>, StoreError> {
    let after = Stored {
        version: before.version + 1,
        updated_at: change.at,
        updated_by: change.by.map(|id| (id, String::new())),
        ..after
    };
    // Columns that stay are not named, so that their indexes are not updated.
    let old = common::<R>(before, change);
    let mut columns = common::<R>(&after, change);
    columns.retain(|column| !old.contains(column) || column.0 == "updated_at");
    let sets: Vec<String> = columns.iter().enumerate().map(|(at, (name, _))| format!("{name} = ${}", at + 2)).collect();
    let sql = format!("UPDATE {} SET {} WHERE id = $1", R::TABLE, sets.join(", "));
    let values = std::iter::once(Value::from(after.id)).chain(columns.into_iter().map(|(_, value)| value));
    execute(tx, &sql, values).await?;
    let sheet = rest::text(&after.sheet);
    let sql = "UPDATE record_sheet SET sheet = $3 WHERE kind = $1 AND id = $2";
    execute(tx, sql, [R::KIND.code().into(), after.id.into(), sheet.clone().into()]).await?;
    link::update(tx, R::KIND, after.id, &before.sheet, &after.sheet).await?;
    if R::words(&before.sheet) != R::words(&after.sheet) {
        write_words::<R>(tx, &after).await?;
    }
    revision::write::<R>(tx, &after, fields, change, &sheet).await?;
    R::saved(tx, &after).await?;
    Ok(after)
}

fn common<R: Record>(record: &Stored<R::Sheet>, change: Change<'_>) -> Vec<(&'static str, Value)> {
    let mut columns = R::columns(record, change.languages);
    if R::PUBLISHED {
        columns.push(("published", record.published.into()));
    }
    columns.push(("version", record.version.into()));
    columns.push(("updated_at", record.updated_at.0.into()));
    columns.push(("updated_by", record.updated_by.as_ref().map(|(id, _)| id.0).into()));
    columns
}

async fn write_words<R: Record>(tx: &Tx, record: &Stored<R::Sheet>) -> Result<(), StoreError> {
    match R::WORDS {
        Some(words) => words.0.write(tx, record.id, &[&R::words(&record.sheet)]).await,
        None => Ok(()),
    }
}

//! Revisions: what a record or a parcours was after each save. Parcours have a table of their own (decision 0004), all other kinds
//! share one; they are read and written in the same way.

use domain::record::{Kind, Sheet};
use domain::{Instant, UserId};
use sea_orm::{QueryResult, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Change, Record, Stored};
use crate::sql::{all, escaped, execute, get, json, one, person, text};
use crate::{Connection, StoreError, Tx};

/// A revision in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct RevisionHead {
    /// The version it made.
    pub version: i64,
    pub at: Instant,
    /// The user: id and full name.
    pub user: Option<(UserId, String)>,
    /// What it changed; `*` for all, at the making.
    pub fields: Vec<String>,
    /// Why, for an automatic one.
    pub reason: Option<String>,
}

/// A record as it was after a save.
#[derive(Debug, Clone, PartialEq)]
pub struct Past<S> {
    /// User, time and changed fields.
    pub head: RevisionHead,
    /// The owner's switch.
    pub published: bool,
    /// The fields that the staff had filled in.
    pub sheet: S,
}

/// The table of the revisions of a kind.
const fn table(kind: Kind) -> &'static str {
    match kind {
        Kind::Parcours => "parcours_revision",
        _ => "record_revision",
    }
}

/// The statement that adds a revision, with its values. `body` is JSON.
pub(crate) fn insertion(
    kind: Kind,
    (id, version): (i64, i64),
    fields: &(impl Serialize + ?Sized),
    change: Change<'_>,
    body: String,
) -> (String, [Value; 7]) {
    let (columns, places) = match kind {
        Kind::Parcours => ("parcours_id", "$1".to_owned()),
        _ => ("kind, record_id", format!("{}, $1", kind.code())),
    };
    let sql = format!(
        "INSERT INTO {} ({columns}, version, at, user_id, reason, fields, body) VALUES ({places}, $2, $3, $4, $5, $6, $7)",
        table(kind)
    );
    let values = [
        id.into(),
        version.into(),
        change.at.0.into(),
        change.by.map(|id| id.0).into(),
        change.reason.map(str::to_owned).into(),
        text(&fields).into(),
        body.into(),
    ];
    (sql, values)
}

pub(super) async fn write<R: Record>(
    tx: &Tx,
    record: &Stored<R::Sheet>,
    fields: &[&str],
    change: Change<'_>,
    sheet: &str,
) -> Result<(), StoreError> {
    let body = format!(r#"{{"published":{},"sheet":{sheet}}}"#, record.published);
    let (sql, values) = insertion(R::KIND, (record.id, record.version), fields, change, body);
    execute(tx, &sql, values).await?;
    Ok(())
}

/// The condition that a revision is of one record or parcours, whose number is `$1`.
fn of_one(kind: Kind) -> String {
    match kind {
        Kind::Parcours => "r.parcours_id = $1".to_owned(),
        _ => format!("r.kind = {} AND r.record_id = $1", kind.code()),
    }
}

/// The selection of the revisions of one record or parcours, whose number is `$1`.
fn selected(kind: Kind, body: &str) -> String {
    format!(
        r#"SELECT r.version, r.at, r.user_id, u.first_name, u.last_name, r.fields, r.reason, {body} AS body
        FROM {} r LEFT JOIN "user" u ON u.id = r.user_id WHERE {}"#,
        table(kind),
        of_one(kind)
    )
}

/// The last 500 revisions of a record or a parcours, newest first.
pub async fn revisions(db: &impl Connection, kind: Kind, id: i64) -> Result<Vec<RevisionHead>, StoreError> {
    let sql = format!("{} ORDER BY r.version DESC LIMIT 500", selected(kind, "NULL"));
    all(db, &sql, [id.into()]).await?.iter().map(|row| head(kind, id, row)).collect()
}

/// The reason of the last save that changed a field: `None` without such a save, `Some(None)` for one by hand. The making of a record,
/// whose fields are `*`, is no change of a field.
pub async fn last_change_of(
    db: &impl Connection,
    kind: Kind,
    id: i64,
    field: &str,
) -> Result<Option<Option<String>>, StoreError> {
    // `fields` is a list of names in JSON: a name with its quotes is in no other name.
    let named = format!("%{}%", escaped(&text(&field)));
    let sql = format!(
        "SELECT r.reason FROM {} r WHERE {} AND r.fields LIKE $2 ESCAPE '!' ORDER BY r.version DESC LIMIT 1",
        table(kind),
        of_one(kind)
    );
    one(db, &sql, [id.into(), named.into()]).await?.map(|row| get(&row, 0)).transpose()
}

/// Whether a save after a version has another reason than this one. A save by hand has none.
pub async fn is_saved_otherwise(
    db: &impl Connection,
    kind: Kind,
    id: i64,
    after_version: i64,
    reason: &str,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT 1 FROM {} r WHERE {} AND r.version > $2 AND (r.reason IS NULL OR r.reason <> $3) LIMIT 1",
        table(kind),
        of_one(kind)
    );
    Ok(one(db, &sql, [id.into(), after_version.into(), reason.into()]).await?.is_some())
}

/// One revision of a record or a parcours, with its body.
pub(crate) async fn revision_of<B: DeserializeOwned>(
    db: &impl Connection,
    kind: Kind,
    id: i64,
    version: i64,
) -> Result<Option<(RevisionHead, B)>, StoreError> {
    let sql = format!("{} AND r.version = $2", selected(kind, "r.body"));
    let Some(row) = one(db, &sql, [id.into(), version.into()]).await? else { return Ok(None) };
    Ok(Some((head(kind, id, &row)?, json(table(kind), id, &get::<String>(&row, "body")?)?)))
}

/// One revision of a record.
pub async fn revision<R: Record>(
    db: &impl Connection,
    id: i64,
    version: i64,
) -> Result<Option<Past<R::Sheet>>, StoreError> {
    #[derive(serde::Deserialize)]
    #[serde(bound = "S: Sheet")]
    struct Body<S> {
        published: bool,
        #[serde(with = "domain::rest")]
        sheet: S,
    }
    let found = revision_of::<Body<R::Sheet>>(db, R::KIND, id, version).await?;
    Ok(found.map(|(head, body)| Past { head, published: body.published, sheet: body.sheet }))
}

fn head(kind: Kind, id: i64, row: &QueryResult) -> Result<RevisionHead, StoreError> {
    Ok(RevisionHead {
        version: get(row, "version")?,
        at: Instant(get(row, "at")?),
        user: person(row, ["user_id", "first_name", "last_name"])?,
        fields: json(table(kind), id, &get::<String>(row, "fields")?)?,
        reason: get(row, "reason")?,
    })
}

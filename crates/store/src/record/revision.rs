//! Revisions: what a record or a parcours was after each save. Parcours have a table of their own (decision 0004), all other kinds
//! share one; they are read and written in the same way.

use domain::record::{Kind, Sheet};
use domain::{Instant, UserId};
use sea_orm::{QueryResult, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Change, Record, Stored};
use crate::sql::{all, execute, get, json, one, person, text};
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

/// The selection of the revisions of one record, whose number is `$1`.
fn selected(kind: Kind, body: &str) -> String {
    let of_one = match kind {
        Kind::Parcours => "r.parcours_id = $1".to_owned(),
        _ => format!("r.kind = {} AND r.record_id = $1", kind.code()),
    };
    format!(
        r#"SELECT r.version, r.at, r.user_id, u.first_name, u.last_name, r.fields, r.reason, {body} AS body
        FROM {} r LEFT JOIN "user" u ON u.id = r.user_id WHERE {of_one}"#,
        table(kind)
    )
}

/// The last 500 revisions of a record or a parcours, newest first.
pub async fn revisions(db: &impl Connection, kind: Kind, id: i64) -> Result<Vec<RevisionHead>, StoreError> {
    let sql = format!("{} ORDER BY r.version DESC LIMIT 500", selected(kind, "NULL"));
    all(db, &sql, [id.into()]).await?.iter().map(|row| head(kind, id, row)).collect()
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

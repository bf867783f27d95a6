//! Revisions: the whole sheet of a record after each save.

use domain::record::{Kind, Sheet};
use domain::{Instant, UserId};
use sea_orm::{QueryResult, Value};

use super::{Change, Record, Stored};
use crate::sql::{all, execute, get, json, one, person, text};
use crate::{Connection, StoreError, Tx};

/// A revision in a list.
#[derive(Debug, Clone, PartialEq)]
pub struct RevisionHead {
    /// The version it made.
    pub version: i64,
    /// The time.
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

pub(super) async fn write<R: Record>(
    tx: &Tx,
    record: &Stored<R::Sheet>,
    fields: &[&str],
    change: Change<'_>,
    sheet: &str,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO record_revision (kind, record_id, version, at, user_id, reason, fields, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let values: [Value; 8] = [
        R::KIND.code().into(),
        record.id.into(),
        record.version.into(),
        change.at.0.into(),
        change.by.map(|id| id.0).into(),
        change.reason.map(str::to_owned).into(),
        text(&fields).into(),
        format!(r#"{{"published":{},"sheet":{sheet}}}"#, record.published).into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

const HEAD: &str = r#"SELECT r.version, r.at, r.user_id, u.first_name, u.last_name, r.fields, r.reason, r.body
    FROM record_revision r LEFT JOIN "user" u ON u.id = r.user_id WHERE r.kind = $1 AND r.record_id = $2"#;

/// The last 500 revisions of a record, newest first.
pub async fn revisions(db: &impl Connection, kind: Kind, id: i64) -> Result<Vec<RevisionHead>, StoreError> {
    let sql = format!("{} ORDER BY r.version DESC LIMIT 500", HEAD.replace("r.body", "NULL"));
    all(db, &sql, [kind.code().into(), id.into()]).await?.iter().map(|row| head(id, row)).collect()
}

/// One revision.
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
    let sql = format!("{HEAD} AND r.version = $3");
    let Some(row) = one(db, &sql, [R::KIND.code().into(), id.into(), version.into()]).await? else { return Ok(None) };
    let body: Body<R::Sheet> = json("record_revision", id, &get::<String>(&row, 7)?)?;
    Ok(Some(Past { head: head(id, &row)?, published: body.published, sheet: body.sheet }))
}

fn head(id: i64, row: &QueryResult) -> Result<RevisionHead, StoreError> {
    Ok(RevisionHead {
        version: get(row, 0)?,
        at: Instant(get(row, 1)?),
        user: person(row, [2, 3, 4])?,
        fields: json("record_revision", id, &get::<String>(row, 5)?)?,
        reason: get(row, 6)?,
    })
}

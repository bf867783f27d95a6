//! Shares of a parcours: addresses that open it without signing in.

use domain::share::ShareKind;
use domain::{Instant, ParcoursId, UserId};
use sea_orm::QueryResult;

use crate::sql::{all, execute, get, inserted, one, person};
use crate::{Connection, StoreError, Tx};

/// A share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Identifier.
    pub id: i64,
    /// What it opens.
    pub parcours_id: ParcoursId,
    /// Permanent or temporary.
    pub kind: ShareKind,
    /// The unguessable part of its address.
    pub token: String,
    pub created_at: Instant,
    /// The user who made it: id and full name.
    pub created_by: Option<(UserId, String)>,
    /// When it ends, for a temporary one.
    pub expires_at: Option<Instant>,
    /// When a user ended it.
    pub revoked_at: Option<Instant>,
    /// How often its page was opened.
    pub opened: i64,
    /// When its QR code was first downloaded: it may be printed since.
    pub qr_taken_at: Option<Instant>,
}

const SELECT: &str = r#"SELECT s.id, s.parcours_id, s.kind, s.token, s.created_at, s.created_by, u.first_name, u.last_name, s.expires_at, s.revoked_at, s.opened, s.qr_taken_at
    FROM parcours_share s LEFT JOIN "user" u ON u.id = s.created_by"#;

/// The permanent share of a parcours that was not ended, if it has one. Of several, which older versions could make, the newest.
pub async fn live_permanent(db: &impl Connection, id: ParcoursId) -> Result<Option<Share>, StoreError> {
    let sql = format!(
        "{SELECT} WHERE s.parcours_id = $1 AND s.kind = 'permanent' AND s.revoked_at IS NULL ORDER BY s.id DESC LIMIT 1"
    );
    one(db, &sql, [id.0.into()]).await?.as_ref().map(share).transpose()
}

/// The temporary shares of a parcours, 200 at most: those that work first, then those that ended, each the newest first.
pub async fn temporary_of(db: &impl Connection, id: ParcoursId, now: Instant) -> Result<Vec<Share>, StoreError> {
    let sql = format!(
        "{SELECT} WHERE s.parcours_id = $1 AND s.kind = 'temporary'
        ORDER BY CASE WHEN s.revoked_at IS NULL AND s.expires_at > $2 THEN 0 ELSE 1 END, s.id DESC LIMIT 200"
    );
    all(db, &sql, [id.0.into(), now.0.into()]).await?.iter().map(share).collect()
}

/// How many temporary shares of a parcours work.
pub async fn count_live_temporary(db: &impl Connection, id: ParcoursId, now: Instant) -> Result<i64, StoreError> {
    let sql = "SELECT COUNT(*) FROM parcours_share
        WHERE parcours_id = $1 AND kind = 'temporary' AND revoked_at IS NULL AND expires_at > $2";
    Ok(one(db, sql, [id.0.into(), now.0.into()]).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0))
}

/// One share of a parcours.
pub async fn find(db: &impl Connection, parcours: ParcoursId, id: i64) -> Result<Option<Share>, StoreError> {
    one(db, &format!("{SELECT} WHERE s.parcours_id = $1 AND s.id = $2"), [parcours.0.into(), id.into()])
        .await?
        .as_ref()
        .map(share)
        .transpose()
}

/// The share behind an address.
pub async fn by_token(db: &impl Connection, token: &str) -> Result<Option<Share>, StoreError> {
    one(db, &format!("{SELECT} WHERE s.token = $1"), [token.into()]).await?.as_ref().map(share).transpose()
}

/// Makes a share.
pub async fn insert(
    tx: &Tx,
    parcours: ParcoursId,
    kind: ShareKind,
    token: &str,
    by: UserId,
    at: Instant,
    expires_at: Option<Instant>,
) -> Result<Share, StoreError> {
    let sql = "INSERT INTO parcours_share (parcours_id, kind, token, created_at, created_by, expires_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id";
    let values = [
        parcours.0.into(),
        kind.as_str().into(),
        token.into(),
        at.0.into(),
        by.0.into(),
        expires_at.map(|end| end.0).into(),
    ];
    let id = inserted(tx, "parcours_share", sql, values).await?;
    find(tx, parcours, id).await?.ok_or_else(|| StoreError::row("parcours_share", id, "gone"))
}

/// Ends a share. False when it is not there or ended already. With a permanent one all permanent ones of the parcours end: older versions
/// could make several, of which only one is shown.
pub async fn revoke(tx: &Tx, parcours: ParcoursId, id: i64, at: Instant) -> Result<bool, StoreError> {
    let sql = "UPDATE parcours_share SET revoked_at = $3 WHERE parcours_id = $1 AND revoked_at IS NULL AND (id = $2 OR kind = (
        SELECT s.kind FROM parcours_share s
        WHERE s.id = $2 AND s.parcours_id = $1 AND s.kind = 'permanent' AND s.revoked_at IS NULL))";
    Ok(execute(tx, sql, [parcours.0.into(), id.into(), at.0.into()]).await? > 0)
}

/// Counts one more look at the page of a share.
pub async fn count_opening(tx: &Tx, id: i64) -> Result<(), StoreError> {
    execute(tx, "UPDATE parcours_share SET opened = opened + 1 WHERE id = $1", [id.into()]).await?;
    Ok(())
}

/// Notes that the QR code of a share was taken away; the first time counts.
pub async fn note_qr_taken(tx: &Tx, id: i64, at: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE parcours_share SET qr_taken_at = $2 WHERE id = $1 AND qr_taken_at IS NULL";
    execute(tx, sql, [id.into(), at.0.into()]).await?;
    Ok(())
}

fn share(row: &QueryResult) -> Result<Share, StoreError> {
    let id: i64 = get(row, "id")?;
    let kind: String = get(row, "kind")?;
    let kind = [ShareKind::Permanent, ShareKind::Temporary].into_iter().find(|known| known.as_str() == kind);
    Ok(Share {
        id,
        parcours_id: ParcoursId(get(row, "parcours_id")?),
        kind: crate::row::word("parcours_share", id, "kind", kind)?,
        token: get(row, "token")?,
        created_at: Instant(get(row, "created_at")?),
        created_by: person(row, ["created_by", "first_name", "last_name"])?,
        expires_at: get::<Option<i64>>(row, "expires_at")?.map(Instant),
        revoked_at: get::<Option<i64>>(row, "revoked_at")?.map(Instant),
        opened: get(row, "opened")?,
        qr_taken_at: get::<Option<i64>>(row, "qr_taken_at")?.map(Instant),
    })
}

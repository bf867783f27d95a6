//! The account of a person: password, preferences, when they were here. None of it is in the sheet or the history.

use std::collections::HashMap;

use domain::{Instant, Locale, UserId, UserStatus, WhiteLabelId};

use super::Users;
use crate::record::{Change, lock, save};
use crate::sql::{all, execute, for_update, get, numbers, one};
use crate::{Connection, StoreError, Tx};

/// What an administrator sees of an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Account {
    /// When they last signed in.
    pub last_login_at: Option<Instant>,
    /// When they were last invited.
    pub invited_at: Option<Instant>,
    /// Whether signing in asks for a second factor.
    pub totp_enabled: bool,
    /// Whether they have chosen a password.
    pub has_password: bool,
}

/// The settings that a user may change in their account. None does not change the setting.
#[derive(Debug, Clone, Copy, Default)]
pub struct Preferences {
    /// Language of their interface and mails.
    pub locale: Option<Locale>,
    /// Whether they want every field.
    pub advanced_view: Option<bool>,
    /// Whether a letter alone is a shortcut.
    pub single_keys: Option<bool>,
    /// The white-label they look at.
    pub active_white_label_id: Option<WhiteLabelId>,
}

/// The accounts of these people.
pub async fn accounts(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, Account>, StoreError> {
    let sql = format!(
        r#"SELECT id, last_login_at, invited_at, totp_enabled, password_hash <> '' AS has_password FROM "user" WHERE id IN {}"#,
        numbers(ids)
    );
    let rows = all(db, &sql, []).await?;
    rows.iter()
        .map(|row| {
            let account = Account {
                last_login_at: get::<Option<i64>>(row, "last_login_at")?.map(Instant),
                invited_at: get::<Option<i64>>(row, "invited_at")?.map(Instant),
                totp_enabled: get(row, "totp_enabled")?,
                has_password: get(row, "has_password")?,
            };
            Ok((get(row, "id")?, account))
        })
        .collect()
}

/// Changes what a person chose for themselves.
pub async fn set_preferences(tx: &Tx, id: UserId, chosen: Preferences, now: Instant) -> Result<(), StoreError> {
    if let (Some(locale), Some(before)) = (chosen.locale, lock::<Users>(tx, id.0).await?) {
        let mut after = before.clone();
        after.sheet.locale = locale;
        let change = Change { by: Some(id), at: now, reason: Some("preferences"), languages: &[] };
        save::<Users>(tx, &before, after, change).await?;
    }
    let Preferences { locale: _, advanced_view, single_keys, active_white_label_id } = chosen;
    if advanced_view.is_none() && single_keys.is_none() && active_white_label_id.is_none() {
        return Ok(());
    }
    let sql = r#"UPDATE "user" SET advanced_view = COALESCE($2, advanced_view), single_keys = COALESCE($3, single_keys),
          active_white_label_id = COALESCE($4, active_white_label_id)
        WHERE id = $1"#;
    let white_label = active_white_label_id.map(|id| id.0);
    let changed = execute(tx, sql, [id.0.into(), advanced_view.into(), single_keys.into(), white_label.into()]).await?;
    exactly_one(id, changed)
}

/// The hashed password of a person.
pub async fn password_hash(db: &impl Connection, id: UserId) -> Result<Option<String>, StoreError> {
    let found = one(db, r#"SELECT password_hash FROM "user" WHERE id = $1"#, [id.0.into()]).await?;
    found.map(|row| get(&row, 0)).transpose()
}

/// The number and the hashed password of the account of an address.
pub async fn credentials(db: &impl Connection, email: &str) -> Result<Option<(UserId, String)>, StoreError> {
    let found = one(db, r#"SELECT id, password_hash FROM "user" WHERE email = $1"#, [email.into()]).await?;
    found.map(|row| Ok((UserId(get(&row, 0)?), get(&row, 1)?))).transpose()
}

/// Whether a person has the password of this hash, which stays theirs until the transaction ends.
pub async fn hold_password(tx: &Tx, id: UserId, hash: &str) -> Result<bool, StoreError> {
    let lock = for_update(tx.dialect(), r#""user""#);
    let sql = format!(r#"SELECT 1 FROM "user" WHERE id = $1 AND password_hash = $2{lock}"#);
    Ok(one(tx, &sql, [id.0.into(), hash.into()]).await?.is_some())
}

/// Gives a person another password.
pub async fn set_password(tx: &Tx, id: UserId, hash: &str) -> Result<(), StoreError> {
    let sql = r#"UPDATE "user" SET password_hash = $2 WHERE id = $1"#;
    exactly_one(id, execute(tx, sql, [id.0.into(), hash.into()]).await?)
}

/// A person who was to be changed is there.
fn exactly_one(id: UserId, changed: u64) -> Result<(), StoreError> {
    if changed == 1 { Ok(()) } else { Err(StoreError::row("user", id.0, "there is no such user")) }
}

/// Blocks a person, which ends their sessions, or lets them in again.
pub async fn set_status(tx: &Tx, id: UserId, status: UserStatus, now: Instant) -> Result<(), StoreError> {
    let Some(before) = lock::<Users>(tx, id.0).await? else { return Ok(()) };
    let mut after = before.clone();
    after.sheet.status = status;
    save::<Users>(tx, &before, after, Change { by: None, at: now, reason: None, languages: &[] }).await?;
    Ok(())
}

/// Notes that a person signed in.
pub async fn set_last_login_at(tx: &Tx, id: UserId, now: Instant) -> Result<(), StoreError> {
    execute(tx, r#"UPDATE "user" SET last_login_at = $2 WHERE id = $1"#, [id.0.into(), now.0.into()]).await?;
    Ok(())
}

/// Notes that a person was invited.
pub async fn set_invited_at(tx: &Tx, id: UserId, now: Instant) -> Result<(), StoreError> {
    execute(tx, r#"UPDATE "user" SET invited_at = $2 WHERE id = $1"#, [id.0.into(), now.0.into()]).await?;
    Ok(())
}

/// Forgets the invitation of an instant: its mail was given up. A later one stays.
pub async fn clear_invitation(tx: &Tx, id: UserId, at: Instant) -> Result<(), StoreError> {
    let sql = r#"UPDATE "user" SET invited_at = NULL WHERE id = $1 AND invited_at = $2"#;
    execute(tx, sql, [id.0.into(), at.0.into()]).await?;
    Ok(())
}

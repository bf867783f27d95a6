//! The second factor of a person: its sealed secret, the last code taken, the hashes of the recovery codes.

use domain::UserId;

use crate::session::TokenHash;
use crate::sql::{execute, get, one};
use crate::{Connection, StoreError, Tx};

/// The stored data of a user's second factor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecondFactor {
    /// The secret, sealed: offered, or in use.
    pub sealed: Option<Vec<u8>>,
    /// Whether signing in asks for it.
    pub enabled: bool,
}

/// The second factor of a user.
pub async fn second_factor(db: &impl Connection, id: UserId) -> Result<SecondFactor, StoreError> {
    let sql = r#"SELECT totp_secret, totp_enabled FROM "user" WHERE id = $1"#;
    let Some(row) = one(db, sql, [id.0.into()]).await? else { return Ok(SecondFactor::default()) };
    Ok(SecondFactor { sealed: get(&row, 0)?, enabled: get(&row, 1)? })
}

/// Keeps a secret that was offered. False when one is in use already, which stays.
pub async fn offer_totp(tx: &Tx, id: UserId, sealed: Vec<u8>) -> Result<bool, StoreError> {
    let sql = r#"UPDATE "user" SET totp_secret = $2, totp_step = 0 WHERE id = $1 AND NOT totp_enabled"#;
    Ok(execute(tx, sql, [id.0.into(), sealed.into()]).await? > 0)
}

/// Requires the second factor from now on. The code of `step` proved that it works; the same code is not accepted again.
/// `false` if the factor was required already.
pub async fn enable_totp(tx: &Tx, id: UserId, step: i64, recovery: &[TokenHash]) -> Result<bool, StoreError> {
    let sql = r#"UPDATE "user" SET totp_enabled = TRUE, totp_step = $2
        WHERE id = $1 AND NOT totp_enabled AND totp_secret IS NOT NULL"#;
    if execute(tx, sql, [id.0.into(), step.into()]).await? == 0 {
        return Ok(false);
    }
    forget_recovery_codes(tx, id).await?;
    for hash in recovery {
        let sql = "INSERT INTO recovery_code (user_id, code_hash) VALUES ($1, $2)";
        execute(tx, sql, [id.0.into(), hash.to_vec().into()]).await?;
    }
    Ok(true)
}

/// No longer requires the second factor, and deletes its secret and its recovery codes.
pub async fn drop_totp(tx: &Tx, id: UserId) -> Result<(), StoreError> {
    let sql = r#"UPDATE "user" SET totp_enabled = FALSE, totp_secret = NULL, totp_step = 0 WHERE id = $1"#;
    execute(tx, sql, [id.0.into()]).await?;
    forget_recovery_codes(tx, id).await
}

/// Takes the code of a step. False when it, or a later one, was taken before: a code works once.
pub async fn take_totp_step(tx: &Tx, id: UserId, step: i64) -> Result<bool, StoreError> {
    let sql = r#"UPDATE "user" SET totp_step = $2 WHERE id = $1 AND totp_step < $2"#;
    Ok(execute(tx, sql, [id.0.into(), step.into()]).await? > 0)
}

/// Uses up a recovery code. False when the user does not have it, or used it before.
pub async fn take_recovery_code(tx: &Tx, id: UserId, hash: &TokenHash) -> Result<bool, StoreError> {
    let sql = "DELETE FROM recovery_code WHERE user_id = $1 AND code_hash = $2";
    Ok(execute(tx, sql, [id.0.into(), hash.to_vec().into()]).await? > 0)
}

async fn forget_recovery_codes(tx: &Tx, id: UserId) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM recovery_code WHERE user_id = $1", [id.0.into()]).await?;
    Ok(())
}

//! The writing assistant of each white-label: its model, and what it cost.

use domain::assistant::MAX_TEXT_TOKENS;
use domain::{Instant, UserId, WhiteLabelId};
use sea_orm::Value;

use crate::sql::{execute, flag, get, one};
use crate::{Connection, StoreError, Tx};

/// The settings of the assistant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssistantSetting {
    /// Whether the model is asked.
    pub enabled: bool,
    /// Where it is.
    pub base_url: Option<String>,
    pub model: Option<String>,
    /// Its key, sealed.
    pub api_key: Option<Vec<u8>>,
    /// The server it was entered for.
    pub key_origin: Option<String>,
    /// The last characters of the key.
    pub key_hint: Option<String>,
    /// The most tokens of a month.
    pub monthly_tokens: Option<i64>,
}

/// A text that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssistantUse {
    pub white_label_id: WhiteLabelId,
    pub user_id: UserId,
    pub task: &'static str,
    pub model: String,
    /// What it cost.
    pub tokens: i64,
    /// How long it took.
    pub duration_ms: i64,
}

/// The settings of a white-label.
pub async fn setting(db: &impl Connection, white_label: WhiteLabelId) -> Result<AssistantSetting, StoreError> {
    let sql =
        "SELECT enabled, base_url, model, api_key, key_hint, monthly_tokens, api_key_origin FROM assistant_setting
        WHERE white_label_id = $1";
    let Some(row) = one(db, sql, [white_label.0.into()]).await? else { return Ok(AssistantSetting::default()) };
    Ok(AssistantSetting {
        enabled: flag(&row, "enabled")?,
        base_url: get(&row, "base_url")?,
        model: get(&row, "model")?,
        api_key: get(&row, "api_key")?,
        key_hint: get(&row, "key_hint")?,
        monthly_tokens: get(&row, "monthly_tokens")?,
        key_origin: get(&row, "api_key_origin")?,
    })
}

/// Keeps what is set for a white-label.
pub async fn put_setting(tx: &Tx, white_label: WhiteLabelId, set: &AssistantSetting) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO assistant_setting (white_label_id, enabled, base_url, model, api_key, key_hint, monthly_tokens, api_key_origin)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (white_label_id) DO UPDATE SET enabled = excluded.enabled,
        base_url = excluded.base_url, model = excluded.model, api_key = excluded.api_key, key_hint = excluded.key_hint,
        monthly_tokens = excluded.monthly_tokens, api_key_origin = excluded.api_key_origin";
    let values: [Value; 8] = [
        white_label.0.into(),
        i16::from(set.enabled).into(),
        set.base_url.clone().into(),
        set.model.clone().into(),
        set.api_key.clone().into(),
        set.key_hint.clone().into(),
        set.monthly_tokens.into(),
        set.key_origin.clone().into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// The tokens of a white-label in the month of a day, `YYYY-MM-DD`.
pub async fn used(db: &impl Connection, white_label: WhiteLabelId, day: &str) -> Result<i64, StoreError> {
    // An older version stored every count of a service.
    let sql =
        "SELECT CAST(COALESCE(SUM(CASE WHEN tokens < 0 THEN 0 WHEN tokens > $3 THEN $3 ELSE tokens END), 0) AS BIGINT)
        FROM assistant_use WHERE white_label_id = $1 AND month = $2";
    let values: [Value; 3] = [white_label.0.into(), month(day).into(), MAX_TEXT_TOKENS.into()];
    one(db, sql, values).await?.map_or(Ok(0), |row| get(&row, 0))
}

/// Counts a text in the month of a day, `YYYY-MM-DD`: that of `at` in the time zone of the installation.
pub async fn count(tx: &Tx, done: &AssistantUse, at: Instant, day: &str) -> Result<(), StoreError> {
    let sql = "INSERT INTO assistant_use (white_label_id, user_id, month, task, model, tokens, duration_ms, made_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let values: [Value; 8] = [
        done.white_label_id.0.into(),
        done.user_id.0.into(),
        month(day).into(),
        done.task.into(),
        done.model.clone().into(),
        done.tokens.into(),
        done.duration_ms.into(),
        at.0.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// `2026-11`, of `2026-11-20`.
fn month(day: &str) -> String {
    day.chars().take(7).collect()
}

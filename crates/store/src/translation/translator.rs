//! Services that translate: set by the platform, their keys sealed.

use std::collections::HashMap;

use domain::record::Kind;
use domain::translation::TranslatorSheet;
use domain::white_label::WhiteLabelSheet;
use domain::{Instant, Text, fold};
use sea_orm::Value;

use crate::record::{Record, Stored, load, load_many, sheet};
use crate::sealed::{self, SealedColumn};
use crate::sql::{all, execute, get, numbers, one};
use crate::{Connection, StoreError, Tx, advisory_lock};

/// The kind of record for translators.
#[derive(Debug, Clone, Copy)]
pub struct Translators;

impl Record for Translators {
    type Sheet = TranslatorSheet;
    const KIND: Kind = Kind::Translator;
    const TABLE: &'static str = "translator";

    fn columns(record: &Stored<TranslatorSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("sort_title", fold(&sheet.name).into()),
            ("service", sheet.service.as_str().into()),
            ("is_default", i16::from(sheet.is_default).into()),
        ]
    }

    fn title(sheet: &TranslatorSheet) -> Text {
        Text::in_french(sheet.name.clone())
    }

    /// There is one default: one that is restored gives way to the one that took its place.
    async fn settle(
        tx: &Tx,
        before: Option<&TranslatorSheet>,
        after: &mut Stored<TranslatorSheet>,
    ) -> Result<(), StoreError> {
        if !after.sheet.is_default || before.is_some_and(|before| before.is_default) {
            return Ok(());
        }
        lock_default(tx).await?;
        after.sheet.is_default = default_of(tx).await?.is_none_or(|other| other == after.id);
        Ok(())
    }

    /// A key goes to no other server than the one it was entered for: neither its own, nor those of the white-labels that
    /// translate with it.
    async fn saved(tx: &Tx, record: &Stored<TranslatorSheet>) -> Result<(), StoreError> {
        let origin = record.sheet.key_origin();
        if sealed::forget_if_moved(tx, SealedColumn::TranslatorKey, record.id, &origin).await? {
            forget_check(tx, record.id).await?;
        }
        forget_moved_own_keys(tx).await
    }
}

/// Clears the result of the last check: it was made with another key.
async fn forget_check(tx: &Tx, id: i64) -> Result<(), StoreError> {
    let sql = "UPDATE translator SET checked_at = NULL, check_code = NULL, used_chars = NULL, limit_chars = NULL
        WHERE id = $1";
    execute(tx, sql, [id.into()]).await?;
    Ok(())
}

/// The data of a translator outside of its sheet, without its key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TranslatorHead {
    /// The last characters of its key; none where it has no key.
    pub key_hint: Option<String>,
    /// When it was last checked.
    pub checked_at: Option<Instant>,
    /// Why the last check failed; none if it succeeded.
    pub check_code: Option<String>,
    /// Characters used, as the service counts them.
    pub used_chars: Option<i64>,
    /// The limit of the service, characters.
    pub limit_chars: Option<i64>,
    /// Characters that were sent from here.
    pub own_chars: i64,
}

/// All translators, by name.
pub async fn list(db: &impl Connection) -> Result<Vec<Stored<TranslatorSheet>>, StoreError> {
    let rows = all(db, "SELECT id FROM translator ORDER BY sort_title, id", []).await?;
    let ids = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    load_many::<Translators>(db, &ids).await
}

/// Locks which translator is the default until the transaction ends. Without the lock, two transactions that each make another one the
/// default would leave both.
pub async fn lock_default(tx: &Tx) -> Result<(), StoreError> {
    advisory_lock::hold(tx, advisory_lock::DEFAULT_TRANSLATOR).await
}

/// The default translator, for white-labels without their own choice.
pub async fn default_of(db: &impl Connection) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM translator WHERE is_default = 1 ORDER BY id LIMIT 1";
    one(db, sql, []).await?.map(|row| get(&row, 0)).transpose()
}

/// The server that the own key of a white-label with this choice goes to: its translator, else the default one, else DeepL.
pub async fn own_key_origin(db: &impl Connection, chosen: Option<i64>) -> Result<String, StoreError> {
    let id = match chosen {
        Some(id) => Some(id),
        None => default_of(db).await?,
    };
    let sheet = match id {
        Some(id) => load::<Translators>(db, id).await?.map(|found| found.sheet),
        None => None,
    };
    Ok(sheet.unwrap_or_else(TranslatorSheet::default).key_origin())
}

/// Forgets the own keys of white-labels that would now go to another server than the one they were entered for.
async fn forget_moved_own_keys(tx: &Tx) -> Result<(), StoreError> {
    let column = SealedColumn::TranslationKey;
    let mut after = 0;
    loop {
        let found = sealed::page(tx, column, after, 100).await?;
        let Some(last) = found.last() else { return Ok(()) };
        after = last.id;
        for value in &found {
            // White-labels use this module: of them only the sheet is read here.
            if let Some(label) = sheet::<WhiteLabelSheet>(tx, Kind::WhiteLabel, value.id).await? {
                let origin = own_key_origin(tx, label.translator_id).await?;
                sealed::forget_if_moved(tx, column, value.id, &origin).await?;
            }
        }
    }
}

/// The data outside of the sheets of these translators.
pub async fn heads(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, TranslatorHead>, StoreError> {
    let sql = format!(
        "SELECT id, key_hint, checked_at, check_code, used_chars, limit_chars, own_chars FROM translator WHERE id IN {}",
        numbers(ids)
    );
    let head = |row| {
        let head = TranslatorHead {
            key_hint: get(row, "key_hint")?,
            checked_at: get::<Option<i64>>(row, "checked_at")?.map(Instant),
            check_code: get(row, "check_code")?,
            used_chars: get(row, "used_chars")?,
            limit_chars: get(row, "limit_chars")?,
            own_chars: get(row, "own_chars")?,
        };
        Ok((get(row, "id")?, head))
    };
    all(db, &sql, []).await?.iter().map(head).collect()
}

/// Stores the sealed key of a translator with the server it was entered for and its last characters, or removes all three. Clears
/// the result of the last check.
pub async fn put_key(tx: &Tx, id: i64, key: Option<(Vec<u8>, &str, String)>) -> Result<(), StoreError> {
    let (key, hint) = key.map(|(sealed, origin, hint)| ((sealed, origin), hint)).unzip();
    sealed::put(tx, SealedColumn::TranslatorKey, id, key).await?;
    execute(tx, "UPDATE translator SET key_hint = $2 WHERE id = $1", [id.into(), hint.into()]).await?;
    forget_check(tx, id).await
}

/// The sealed key of a translator.
pub async fn key(db: &impl Connection, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
    let found = one(db, "SELECT api_key FROM translator WHERE id = $1", [id.into()]).await?;
    found.map_or(Ok(None), |row| get(&row, 0))
}

/// Stores the result of a check of a translator: why it failed, and its `usage` as used characters and their limit.
pub async fn record_check(
    tx: &Tx,
    id: i64,
    failure: Option<&str>,
    usage: (Option<i64>, Option<i64>),
    at: Instant,
) -> Result<(), StoreError> {
    let sql = "UPDATE translator SET checked_at = $2, check_code = $3, used_chars = COALESCE($4, used_chars),
        limit_chars = COALESCE($5, limit_chars) WHERE id = $1";
    execute(tx, sql, [id.into(), at.0.into(), failure.map(str::to_owned).into(), usage.0.into(), usage.1.into()])
        .await?;
    Ok(())
}

/// Adds to the number of characters that were sent to a translator.
pub async fn count_chars(tx: &Tx, id: i64, chars: i64) -> Result<(), StoreError> {
    execute(tx, "UPDATE translator SET own_chars = own_chars + $2 WHERE id = $1", [id.into(), chars.into()]).await?;
    Ok(())
}

//! The words of category and the columns that a source was seen to use: what its mapping is made from.

use std::collections::BTreeMap;

use domain::Text;
use sea_orm::Value;

use crate::sql::{all, execute, get, json, text};
use crate::{Connection, StoreError, Tx};

/// A word of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitWordSeen {
    /// The form it is compared by.
    pub word: String,
    /// As the source writes it.
    pub label: Text,
}

/// A column of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitColumnSeen {
    pub name: String,
    /// The beginning of one of its values.
    pub sample: String,
}

/// Keeps the words that are new.
pub async fn add_words(tx: &Tx, source: i64, words: &BTreeMap<String, Text>) -> Result<(), StoreError> {
    for (word, label) in words {
        let sql = "INSERT INTO sit_word (source_id, word, label) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        let values: [Value; 3] = [source.into(), word.clone().into(), text(label).into()];
        execute(tx, sql, values).await?;
    }
    Ok(())
}

/// Keeps the columns that are new.
pub async fn add_columns(tx: &Tx, source: i64, columns: &BTreeMap<String, String>) -> Result<(), StoreError> {
    for (name, sample) in columns {
        let sql = "INSERT INTO sit_column (source_id, name, sample) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        execute(tx, sql, [source.into(), name.clone().into(), sample.clone().into()]).await?;
    }
    Ok(())
}

/// The words of a source, by word.
pub async fn words(db: &impl Connection, source: i64) -> Result<Vec<SitWordSeen>, StoreError> {
    let sql = "SELECT word, label FROM sit_word WHERE source_id = $1 ORDER BY word LIMIT 5000";
    let one = |row| Ok(SitWordSeen { word: get(row, 0)?, label: json("sit_word", source, &get::<String>(row, 1)?)? });
    all(db, sql, [source.into()]).await?.iter().map(one).collect()
}

/// The columns of a source, by name.
pub async fn columns(db: &impl Connection, source: i64) -> Result<Vec<SitColumnSeen>, StoreError> {
    let sql = "SELECT name, sample FROM sit_column WHERE source_id = $1 ORDER BY name LIMIT 500";
    let rows = all(db, sql, [source.into()]).await?;
    rows.iter().map(|row| Ok(SitColumnSeen { name: get(row, 0)?, sample: get(row, 1)? })).collect()
}

//! The words and the fields that a source was seen to use: what its mapping is made from.

use std::collections::BTreeMap;

use domain::Text;
use domain::vocabulary::VocabularyKind;
use sea_orm::Value;

use crate::sql::{all, execute, get, json, text};
use crate::{Connection, StoreError, Tx};

/// A word of a source, for one of our lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundWord {
    /// Our list.
    pub list: VocabularyKind,
    /// The form it is compared by.
    pub word: String,
    /// As the source writes it.
    pub label: Text,
}

/// A field of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundField {
    pub name: String,
    /// The beginning of one of its values.
    pub sample: String,
}

/// Keeps the words that are new; true where one was.
pub async fn add_words(tx: &Tx, source: i64, words: &BTreeMap<(&'static str, String), Text>) -> Result<(), StoreError> {
    for ((list, word), label) in words {
        let sql =
            "INSERT INTO import_word (source_id, list, word, label) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
        let values: [Value; 4] = [source.into(), (*list).into(), word.clone().into(), text(label).into()];
        execute(tx, sql, values).await?;
    }
    Ok(())
}

/// Keeps the fields that are new.
pub async fn add_fields(tx: &Tx, source: i64, fields: &BTreeMap<String, String>) -> Result<(), StoreError> {
    for (name, sample) in fields {
        let sql = "INSERT INTO import_field (source_id, name, sample) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        execute(tx, sql, [source.into(), name.clone().into(), sample.clone().into()]).await?;
    }
    Ok(())
}

/// The words of a source, by list and word.
pub async fn words(db: &impl Connection, source: i64) -> Result<Vec<FoundWord>, StoreError> {
    let sql = "SELECT list, word, label FROM import_word WHERE source_id = $1 ORDER BY list, word LIMIT 5000";
    let mut found = Vec::new();
    for row in all(db, sql, [source.into()]).await? {
        let list: String = get(&row, 0)?;
        let Some(list) = VocabularyKind::parse(&list) else { continue };
        let label = json("import_word", source, &get::<String>(&row, 2)?)?;
        found.push(FoundWord { list, word: get(&row, 1)?, label });
    }
    Ok(found)
}

/// The fields of a source, by name.
pub async fn fields(db: &impl Connection, source: i64) -> Result<Vec<FoundField>, StoreError> {
    let sql = "SELECT name, sample FROM import_field WHERE source_id = $1 ORDER BY name LIMIT 500";
    let rows = all(db, sql, [source.into()]).await?;
    rows.iter().map(|row| Ok(FoundField { name: get(row, 0)?, sample: get(row, 1)? })).collect()
}

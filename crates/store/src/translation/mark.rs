//! The service that wrote the words of a field. A mark names the words by their checksum: once the words are edited, it
//! no longer applies to them.

use std::collections::HashMap;

use domain::record::Kind;
use domain::translation::TextOrigin;
use domain::{Instant, WhiteLabelId};

use crate::sql::{all, execute, get, numbers};
use crate::{Connection, StoreError, Tx};

/// The origin of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub field: String,
    pub language: String,
    /// Their checksum.
    pub words_sum: String,
    /// Their author.
    pub origin: TextOrigin,
    pub source_language: String,
    /// Checksum of what they were made from.
    pub source_sum: String,
}

/// The marks of several records, by number.
pub async fn marks(db: &impl Connection, kind: Kind, ids: &[i64]) -> Result<HashMap<i64, Vec<Mark>>, StoreError> {
    let sql = format!(
        "SELECT id, field, language, words_sum, origin, source_language, source_sum FROM text_mark
        WHERE kind = {} AND id IN {}",
        kind.code(),
        numbers(ids)
    );
    let mut found: HashMap<i64, Vec<Mark>> = HashMap::new();
    for row in all(db, &sql, []).await? {
        let mark = Mark {
            field: get(&row, "field")?,
            language: get(&row, "language")?,
            words_sum: get(&row, "words_sum")?,
            origin: TextOrigin::parse(&get::<String>(&row, "origin")?).unwrap_or_default(),
            source_language: get(&row, "source_language")?,
            source_sum: get(&row, "source_sum")?,
        };
        found.entry(get(&row, "id")?).or_default().push(mark);
    }
    Ok(found)
}

/// The parcours of a white-label with a text in this language that a service wrote.
pub async fn parcours_translated_into(
    db: &impl Connection,
    white_label: WhiteLabelId,
    language: &str,
) -> Result<Vec<i64>, StoreError> {
    let sql = format!(
        "SELECT DISTINCT m.id FROM text_mark m JOIN parcours p ON p.id = m.id
        WHERE m.kind = {} AND m.language = $1 AND m.origin = $2 AND p.white_label_id = $3",
        Kind::Parcours.code()
    );
    let values = [language.into(), TextOrigin::Machine.as_str().into(), white_label.0.into()];
    all(db, &sql, values).await?.iter().map(|row| get(row, 0)).collect()
}

/// Stores marks of a record. Beside a new one the mark of the present words is kept: it is not known yet which of the two texts is
/// chosen.
pub async fn put_marks(tx: &Tx, kind: Kind, id: i64, marks: &[(Mark, String)], at: Instant) -> Result<(), StoreError> {
    for (mark, now) in marks {
        let sql = format!(
            "DELETE FROM text_mark WHERE kind = {} AND id = $1 AND field = $2 AND language = $3 AND words_sum <> $4",
            kind.code()
        );
        let place = [id.into(), mark.field.clone().into(), mark.language.clone().into()];
        execute(tx, &sql, place.into_iter().chain([now.clone().into()])).await?;
        let sql = format!(
            "INSERT INTO text_mark (kind, id, field, language, words_sum, origin, source_language, source_sum, made_at)
            VALUES ({}, $1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (kind, id, field, language, words_sum) DO UPDATE SET origin = excluded.origin,
            source_language = excluded.source_language, source_sum = excluded.source_sum, made_at = excluded.made_at",
            kind.code()
        );
        let values = [
            id.into(),
            mark.field.clone().into(),
            mark.language.clone().into(),
            mark.words_sum.clone().into(),
            mark.origin.as_str().into(),
            mark.source_language.clone().into(),
            mark.source_sum.clone().into(),
            at.0.into(),
        ];
        execute(tx, &sql, values).await?;
    }
    Ok(())
}

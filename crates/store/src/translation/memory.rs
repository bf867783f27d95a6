//! The translations of services: a sentence is paid for once.

use std::collections::HashMap;

use domain::Instant;
use sea_orm::Value;

use crate::sql::{all, execute, get};
use crate::{Connection, StoreError, Tx};

/// Sentences asked for in one statement.
const AT_ONCE: usize = 200;

/// A sentence that was translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// The translation of the service.
    pub words: String,
    /// The language the service found.
    pub detected: Option<String>,
}

/// The stored translations of these, by their checksum.
pub async fn recall(db: &impl Connection, sums: &[String]) -> Result<HashMap<String, Remembered>, StoreError> {
    let mut found = HashMap::with_capacity(sums.len());
    for sums in sums.chunks(AT_ONCE) {
        let places: Vec<String> = (1..=sums.len()).map(|at| format!("${at}")).collect();
        let sql = format!(
            "SELECT sentence, words, detected FROM translation_memory WHERE sentence IN ({})",
            places.join(", ")
        );
        for row in all(db, &sql, sums.iter().map(|sum| Value::from(sum.clone()))).await? {
            found.insert(get(&row, 0)?, Remembered { words: get(&row, 1)?, detected: get(&row, 2)? });
        }
    }
    Ok(found)
}

/// Stores the translations of a service.
pub async fn remember(tx: &Tx, said: &[(String, Remembered)], at: Instant) -> Result<(), StoreError> {
    for said in said.chunks(AT_ONCE) {
        let places: Vec<String> = (0..said.len())
            .map(|row| format!("(${}, ${}, ${}, ${})", row * 4 + 1, row * 4 + 2, row * 4 + 3, row * 4 + 4))
            .collect();
        let sql = format!(
            "INSERT INTO translation_memory (sentence, words, detected, made_at) VALUES {}
            ON CONFLICT (sentence) DO UPDATE SET words = excluded.words, detected = excluded.detected",
            places.join(", ")
        );
        let values = said.iter().flat_map(|(sum, said)| -> [Value; 4] {
            [sum.clone().into(), said.words.clone().into(), said.detected.clone().into(), at.0.into()]
        });
        execute(tx, &sql, values).await?;
    }
    Ok(())
}

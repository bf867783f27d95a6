//! Conversions between columns and values, for all modules of this crate.

use domain::Text;
use sea_orm::JsonValue;
use serde::Serialize;

use crate::StoreError;

/// A value as a JSON column.
pub(crate) fn to_json<T: Serialize>(value: &T) -> JsonValue {
    // Only a map with keys that are no text fails, and no stored type has one.
    serde_json::to_value(value).unwrap_or(JsonValue::Null)
}

/// A JSON column as a translated text; a value that is not a text becomes an empty one.
pub(crate) fn text(value: JsonValue) -> Text {
    serde_json::from_value(value).unwrap_or_default()
}

/// A stored word as a value of a closed list.
pub(crate) fn word<T>(table: &'static str, id: i64, word: &str, parsed: Option<T>) -> Result<T, StoreError> {
    parsed.ok_or_else(|| StoreError::row(table, id, format!("unknown word `{word}`")))
}

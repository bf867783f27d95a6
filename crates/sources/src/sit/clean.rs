//! The data of a source, made safe, and as fields of a POI. Pure.

use domain::Text;
use domain::sit::{Overrides, SitRecord, filled};
use serde_json::{Map, Value, json};
use store::sit::SitRow;

use crate::sit_record::said;

/// The fields of a record as shown: those of the source, replaced by the overrides.
pub(super) fn shown(record: &SitRecord, overrides: &Overrides, languages: &[String]) -> Map<String, Value> {
    let said = said(record, languages);
    filled(&said, overrides).unwrap_or(said)
}

/// The fields of the linked POI that a record fills.
pub(super) fn patch_of(row: &SitRow, languages: &[String]) -> Map<String, Value> {
    let mut patch = shown(&row.record, &row.overrides, languages);
    if !row.categories.is_empty() {
        patch.insert("category_ids".to_owned(), json!(row.categories));
    }
    patch
}

/// The name and the place that are shown.
pub(super) fn name_and_place(record: &SitRecord, overrides: &Overrides, languages: &[String]) -> (Text, [f64; 2]) {
    let shown = shown(record, overrides, languages);
    let title = shown.get("title").and_then(|title| serde_json::from_value(title.clone()).ok());
    let place = shown.get("location").and_then(|place| serde_json::from_value(place.clone()).ok());
    (title.unwrap_or_else(|| record.name.clone()), place.or(record.position).unwrap_or_default())
}

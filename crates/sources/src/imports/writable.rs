//! Which fields of a sheet an import may write: those that are empty, or still have the value of the last import. Texts are compared
//! language by language.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::prepare::sum_of;

/// Checksum of a value.
pub(crate) fn sum(value: &Value) -> String {
    sum_of(value.to_string().as_bytes())
}

/// The parts of a field that are compared and locked separately: each language of a text, any other field as a whole.
fn leaves(texts: &[&str], field: &str, value: &Value) -> Vec<String> {
    match value {
        Value::Object(languages) if texts.contains(&field) => {
            languages.keys().map(|language| format!("{field}/{language}")).collect()
        }
        _ => vec![field.to_owned()],
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(words) => words.is_empty(),
        Value::Array(items) => items.is_empty(),
        // An address with empty parts only.
        Value::Object(members) => members.values().all(is_empty),
        Value::Bool(flag) => !flag,
        Value::Number(_) => false,
    }
}

fn may_write(applied: &BTreeMap<String, String>, leaf: &str, stands: &Value) -> bool {
    match applied.get(leaf) {
        Some(applied) => *applied == sum(stands),
        None => is_empty(stands),
    }
}

/// The part of a patch that may be written. `texts` names the fields with a text per language, `current` is the sheet, `applied`
/// what the import last wrote; fields that keep their value are added to `locked`.
pub(crate) fn unlocked(
    texts: &[&str],
    patch: &Map<String, Value>,
    current: &Value,
    applied: &BTreeMap<String, String>,
    locked: &mut Vec<String>,
) -> Map<String, Value> {
    let mut kept = Map::new();
    for (field, value) in patch {
        let stands = current.get(field).cloned().unwrap_or_default();
        if !texts.contains(&field.as_str()) {
            if may_write(applied, field, &stands) {
                kept.insert(field.clone(), value.clone());
            } else if stands != *value {
                locked.push(field.clone());
            }
            continue;
        }
        let mut allowed = Map::new();
        let new = value.as_object().cloned().unwrap_or_default();
        let old = stands.as_object().cloned().unwrap_or_default();
        for language in new.keys().chain(old.keys()) {
            let leaf = format!("{field}/{language}");
            let stands = old.get(language).cloned().unwrap_or_default();
            let wanted = new.get(language).cloned().unwrap_or_default();
            let is_theirs = applied.contains_key(&leaf) || new.contains_key(language);
            if is_theirs && may_write(applied, &leaf, &stands) {
                allowed.insert(language.clone(), wanted);
            } else if is_theirs && wanted != stands && !locked.contains(&leaf) {
                locked.push(leaf);
            }
        }
        if !allowed.is_empty() {
            kept.insert(field.clone(), Value::Object(allowed));
        }
    }
    kept
}

/// Notes what was written, by its new value.
pub(crate) fn remember(
    texts: &[&str],
    patch: &Map<String, Value>,
    now: &Value,
    applied: &mut BTreeMap<String, String>,
) {
    for (field, value) in patch {
        let stands = now.get(field).cloned().unwrap_or_default();
        for leaf in leaves(texts, field, value) {
            let stands = match leaf.split_once('/') {
                Some((_, language)) => stands.get(language).cloned().unwrap_or_default(),
                None => stands.clone(),
            };
            applied.insert(leaf, sum(&stands));
        }
    }
}

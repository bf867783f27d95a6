//! Overrides: values that replace the source's, field by field, in texts language by language.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::Fault;

/// Overrides by field; `title/fr` for one language of a text.
pub type Overrides = BTreeMap<String, Value>;

/// Fields of a POI that a record fills and that may be overridden; true: a text by language.
pub const OVERRIDES: [(&str, bool); 9] = [
    ("title", true),
    ("description", true),
    ("opening", true),
    ("location", false),
    ("address", false),
    ("phone", false),
    ("email", false),
    ("website", false),
    ("booking_url", false),
];

/// Whether a field of this name may be overridden.
fn is_known(leaf: &str) -> bool {
    let is_language = |word: &str| (2..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    OVERRIDES.iter().any(|(field, text)| match leaf.split_once('/') {
        Some((name, language)) => *text && name == *field && is_language(language),
        None => !text && leaf == *field,
    })
}

/// The source's values with the overrides in their place. An unknown field name is a fault.
pub fn filled(said: &Map<String, Value>, overrides: &Overrides) -> Result<Map<String, Value>, Vec<Fault>> {
    let unknown = |leaf: &&String| !is_known(leaf);
    let faults: Vec<Fault> = overrides
        .keys()
        .filter(unknown)
        .map(|leaf| {
            let at = format!("/overrides/{}", leaf.replace('/', "~1"));
            Fault::new("validation/unknown-field", at).with("name", leaf.as_str())
        })
        .collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut filled = said.clone();
    for (leaf, value) in overrides {
        match leaf.split_once('/') {
            Some((field, language)) => {
                let text = filled.entry(field).or_insert_with(|| Value::Object(Map::new()));
                if let Some(languages) = text.as_object_mut() {
                    languages.insert(language.to_owned(), value.clone());
                }
            }
            None => {
                filled.insert(leaf.clone(), value.clone());
            }
        }
    }
    Ok(filled)
}

/// The languages of the overrides.
pub fn languages_of(overrides: &Overrides) -> Vec<String> {
    let mut found: Vec<String> =
        overrides.keys().filter_map(|leaf| leaf.split_once('/')).map(|(_, language)| language.to_owned()).collect();
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_said_here_stands_over_the_source_language_by_language() {
        let said = json!({"title": {"fr": "Lavoir", "en": "Wash-house"}, "phone": "01"});
        let overrides =
            Overrides::from([("title/fr".to_owned(), json!("Le lavoir")), ("phone".to_owned(), json!("02"))]);
        let filled = filled(said.as_object().unwrap_or(&Map::new()), &overrides).unwrap_or_default();
        assert_eq!(Value::Object(filled), json!({"title": {"fr": "Le lavoir", "en": "Wash-house"}, "phone": "02"}));
        assert_eq!(languages_of(&overrides), ["fr"]);
    }

    #[test]
    fn what_is_no_field_of_a_record_is_a_fault() {
        for wrong in ["titre/fr", "title", "phone/fr", "title/FR", "published"] {
            let faults =
                filled(&Map::new(), &Overrides::from([(wrong.to_owned(), json!("x"))])).err().unwrap_or_default();
            assert_eq!(faults.len(), 1, "{wrong}");
        }
    }
}

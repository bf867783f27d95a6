//! Values of JSON as SITs write them: one or many, with a prefix or without, by language with `@` or without.

use domain::Text;
use domain::sit::SitWord;
use serde_json::Value;

use super::super::lenient::number;

/// A member, by the first of these names that it has.
pub(in crate::incoming) fn at<'a>(value: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().filter_map(|name| value.get(name)).find(|found| !found.is_null())
}

/// All values of a field that may be a single value or a list.
pub(in crate::incoming) fn many(value: Option<&Value>) -> &[Value] {
    match value {
        Some(Value::Array(items)) => items,
        Some(Value::Null) | None => &[],
        Some(one) => std::slice::from_ref(one),
    }
}

/// The first value of a field that may be a single value or a list.
pub(in crate::incoming) fn first(value: Option<&Value>) -> Option<&Value> {
    many(value).first()
}

/// A line of words, of a field that may be a single value or a list.
pub(in crate::incoming) fn line(value: Option<&Value>) -> Option<String> {
    let found = match first(value)? {
        Value::String(words) => words.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    Some(found).filter(|found| !found.is_empty())
}

/// Lines of words.
pub(in crate::incoming) fn lines(value: Option<&Value>) -> Vec<String> {
    many(value).iter().filter_map(|one| line(Some(one))).collect()
}

/// A number, also in quotes, alone or first of a list.
pub(in crate::incoming) fn figure(value: Option<&Value>) -> Option<f64> {
    number(first(value))
}

/// A text by language: `{"fr": ["…"]}`, `{"@fr": "…"}`, or words alone, which are French.
pub(in crate::incoming) fn text(value: Option<&Value>) -> Text {
    match first(value) {
        Some(Value::Object(languages)) => languages
            .iter()
            .filter_map(|(language, words)| Some((language_of(language)?, line(Some(words))?)))
            .collect(),
        Some(Value::String(words)) => Text::in_french(words.trim()),
        _ => Text::default(),
    }
}

fn language_of(written: &str) -> Option<String> {
    let word = written.trim_start_matches('@').split(['-', '_']).next()?.to_ascii_lowercase();
    ((2..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(word)
}

/// A word with what it is called.
pub(super) fn word(key: &str, label: Text) -> Option<SitWord> {
    let key: String = key.trim().chars().filter(|c| !c.is_control()).take(200).collect();
    let label = if label.is_empty() { Text::in_french(key.clone()) } else { label };
    (!key.is_empty()).then_some(SitWord { key, label })
}

/// The day of a date as SITs write it: `2020-07-07T10:19:39.585Z`, `2023-10-19`.
pub(super) fn day(words: Option<String>) -> Option<String> {
    let day: String = words?.chars().take(10).collect();
    domain::Instant::parse(&format!("{day}T00:00:00Z")).map(domain::Instant::day)
}

//! Values of JSON as SITs write them: one or many, with a prefix or without, by language with `@` or without.

use domain::Text;
use domain::sit::SitWord;
use serde_json::Value;

use super::super::lenient::number;

/// The other names of languages: with three letters, in French, in English.
const LANGUAGES: [(&str, &[&str]); 6] = [
    ("fr", &["fra", "fre", "francais", "french"]),
    ("en", &["eng", "anglais", "english"]),
    ("de", &["deu", "ger", "allemand", "german", "deutsch"]),
    ("es", &["spa", "espagnol", "spanish", "espanol"]),
    ("it", &["ita", "italien", "italian", "italiano"]),
    ("nl", &["nld", "dut", "neerlandais", "dutch", "nederlands"]),
];

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

/// The code of a language: of `@fr`, `FR`, `en-GB`, `fr_FR`, `Français`.
pub(in crate::incoming) fn language_of(written: &str) -> Option<String> {
    let word = written.trim().trim_start_matches('@').split(['-', '_']).next()?.to_ascii_lowercase();
    let is_code = word.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_code && word.len() == 2 {
        return Some(word);
    }
    let named = domain::fold(&word);
    let known = LANGUAGES.iter().find(|(_, names)| names.contains(&named.as_str()));
    known.map(|(code, _)| (*code).to_owned()).or_else(|| (is_code && word.len() == 3).then_some(word))
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

/// The day of an instant, in seconds since 1970. None before 1990 and after 2099: such a number is no date.
pub(super) fn day_of(seconds: i64) -> Option<String> {
    (631_152_000..4_102_444_800).contains(&seconds).then(|| domain::Instant(seconds).day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_one_code_however_it_is_written() {
        for (written, code) in [
            ("fr", "fr"),
            ("FR", "fr"),
            ("fr_FR", "fr"),
            ("@en-GB", "en"),
            (" Français ", "fr"),
            ("fre", "fr"),
            ("Anglais", "en"),
            ("oci", "oci"),
        ] {
            assert_eq!(language_of(written).as_deref(), Some(code), "{written}");
        }
        for written in ["", "7", "x", "langue"] {
            assert_eq!(language_of(written), None, "{written}");
        }
    }

    #[test]
    fn a_number_that_is_no_date_has_no_day() {
        for seconds in [0, -99_999_999_999, i64::MAX, 631_151_999, 4_102_444_800] {
            assert_eq!(day_of(seconds), None, "{seconds}");
        }
        assert_eq!(day_of(1_365_413_342).as_deref(), Some("2013-04-08"));
        assert_eq!(day_of(4_102_444_799).as_deref(), Some("2099-12-31"));
    }
}

//! Refusals of the public API in the client's language: programs read the code, people the sentence. The sentences are those of the
//! interface.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::body::Body;
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use domain::Locale;
use http_body_util::BodyExt;
use serde_json::Value;

use crate::accepted::accepted;
use crate::problem::PROBLEM_JSON;

type Sentences = HashMap<String, String>;

static FRENCH: LazyLock<Sentences> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../web/src/i18n/fr/errors.json")).unwrap_or_default());
static ENGLISH: LazyLock<Sentences> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../web/src/i18n/en/errors.json")).unwrap_or_default());

/// The language of a question: the one it names, else the one of ours that the browser prefers, else French.
pub fn asked_locale(uri: &Uri, headers: &HeaderMap) -> Locale {
    let pairs = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let named = pairs.into_iter().find(|(name, _)| name == "language").and_then(|(_, word)| Locale::parse(&word));
    let listed = || accepted(headers, ACCEPT_LANGUAGE).into_iter().find_map(Locale::parse);
    named.or_else(listed).unwrap_or_default()
}

/// The same answer with a sentence for the problem and for each of its faults.
pub async fn in_words(response: Response, locale: Locale) -> Response {
    let is_problem = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == PROBLEM_JSON);
    if !is_problem {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = body.collect().await.map(http_body_util::Collected::to_bytes) else {
        return Response::from_parts(parts, Body::empty());
    };
    let translated = serde_json::from_slice::<Value>(&bytes).ok().and_then(|mut problem| {
        let sentence_of = |code: &str, params: &Value| sentence(locale, code, params);
        let sentence = sentence_of(problem["code"].as_str()?, &problem["params"])?;
        problem["detail"] = sentence.into();
        for fault in problem.get_mut("errors").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(words) = fault["code"].as_str().and_then(|code| sentence_of(code, &fault["params"])) {
                fault["detail"] = words.into();
            }
        }
        Some(problem.to_string())
    });
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, translated.map_or_else(|| Body::from(bytes), Body::from))
}

/// Ends the name of the sentence of a code that is used where the line of the file is known.
const AT_LINE: &str = "_at_line";

/// The sentence of a code, its gaps filled.
pub fn sentence(locale: Locale, code: &str, params: &Value) -> Option<String> {
    let sentences = match locale {
        Locale::Fr => &FRENCH,
        Locale::En => &ENGLISH,
    };
    let at_line = params.get("line").and_then(|_| sentences.get(&format!("{code}{AT_LINE}")));
    let mut words = at_line.or_else(|| sentences.get(code))?.clone();
    for (name, value) in params.as_object().into_iter().flatten() {
        let value = written(locale, name, value);
        words = words.replace(&format!("{{{{{name}}}}}"), &value);
    }
    Some(words)
}

/// A parameter as people write it: a delay with its unit, bytes in Mo, a number with its separators.
fn written(locale: Locale, name: &str, value: &Value) -> String {
    let Some(number) = value.as_i64().filter(|number| *number >= 0) else {
        return value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    };
    if name.ends_with("_s") {
        return if number < 60 { format!("{number}\u{202f}s") } else { format!("{}\u{202f}min", (number + 59) / 60) };
    }
    if name.ends_with("bytes") && number >= 1_000_000 {
        let unit = if locale == Locale::Fr { "Mo" } else { "MB" };
        return format!("{}\u{202f}{unit}", number / 1_000_000);
    }
    if name.ends_with("id") {
        return number.to_string();
    }
    let separator = if locale == Locale::Fr { '\u{202f}' } else { ',' };
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_sentence_in_both_languages() {
        let params = serde_json::json!({"page": 9, "pages": 3});
        let words = |locale| sentence(locale, "feed/page-beyond", &params).unwrap_or_default();
        assert!(words(Locale::Fr).contains('9') && words(Locale::Fr).contains('3'), "{}", words(Locale::Fr));
        assert!(words(Locale::En).contains("page"));
        assert_eq!(sentence(Locale::Fr, "no/such-code", &params), None);
    }

    #[test]
    fn the_line_of_a_damaged_file_is_named_where_it_is_known() {
        let words = |params| sentence(Locale::En, "trace/malformed", &params).unwrap_or_default();
        assert_eq!(words(serde_json::json!({"line": 3})), "The file is damaged at line 3.");
        assert_eq!(words(serde_json::json!({})), "The file is damaged, or stops in the middle.");
    }

    #[test]
    fn a_delay_has_its_unit_and_a_number_its_separators() {
        let words = |locale, code, params| sentence(locale, code, &params).unwrap_or_default();
        let wait = |seconds: i64| serde_json::json!({"retry_after_s": seconds});
        assert!(words(Locale::Fr, "feed/busy", wait(30)).ends_with("dans 30\u{202f}s."));
        assert!(words(Locale::En, "feed/too-many", wait(90)).ends_with("in 2\u{202f}min."));
        let many = serde_json::json!({"max": 12_408});
        assert!(words(Locale::Fr, "validation/too-many", many.clone()).contains("12\u{202f}408"));
        assert!(words(Locale::En, "validation/too-many", many).contains("12,408"));
    }

    #[test]
    fn the_question_names_its_language_before_the_browser() {
        let mut headers = HeaderMap::new();
        assert_eq!(asked_locale(&Uri::from_static("/api/v2/trek/"), &headers), Locale::Fr);
        headers.insert(ACCEPT_LANGUAGE, axum::http::HeaderValue::from_static("de, en-GB;q=0.8, fr;q=0.2"));
        assert_eq!(asked_locale(&Uri::from_static("/api/v2/trek/"), &headers), Locale::En);
        assert_eq!(asked_locale(&Uri::from_static("/api/v2/trek/?language=fr"), &headers), Locale::Fr);
        for (list, locale) in [("fr;q=0.1,en;q=0.9", Locale::En), ("en;q=0, fr;q=0.1", Locale::Fr)] {
            headers.insert(ACCEPT_LANGUAGE, axum::http::HeaderValue::from_static(list));
            assert_eq!(asked_locale(&Uri::from_static("/api/v2/trek/"), &headers), locale, "{list}");
        }
    }
}

//! A text in the languages it was written in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Fault;

/// A translated text: `{"fr": "…", "en": "…"}`. A language that is absent or empty is not written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = BTreeMap<String, String>, example = json!({"fr": "Tour du lac", "en": "Around the lake"}))]
pub struct Text(BTreeMap<String, String>);

impl Text {
    /// A text written in French only.
    pub fn in_french(words: impl Into<String>) -> Self {
        Self::default().with("fr", words)
    }

    /// A text written in French and in English.
    pub fn new(fr: impl Into<String>, en: impl Into<String>) -> Self {
        Self::in_french(fr).with("en", en)
    }

    /// The same text, with these words in a language.
    #[must_use]
    pub fn with(mut self, language: impl Into<String>, words: impl Into<String>) -> Self {
        self.set(language, words);
        self
    }

    /// Writes the words of a language; empty words unwrite it.
    pub fn set(&mut self, language: impl Into<String>, words: impl Into<String>) {
        let (language, words) = (language.into(), words.into());
        if words.is_empty() {
            self.0.remove(&language);
        } else {
            self.0.insert(language, words);
        }
    }

    /// The words of a language, if written.
    pub fn get(&self, language: &str) -> Option<&str> {
        self.0.get(language).map(String::as_str).filter(|words| !words.trim().is_empty())
    }

    /// Whether the text is written in this language.
    pub fn is_written(&self, language: &str) -> bool {
        self.get(language).is_some()
    }

    /// Whether the text is written in no language.
    pub fn is_empty(&self) -> bool {
        self.languages().next().is_none()
    }

    /// The French words, or an empty text.
    pub fn fr(&self) -> &str {
        self.get("fr").unwrap_or_default()
    }

    /// The words to show to a reader of `language`: theirs, else French, else English, else any.
    pub fn best(&self, language: &str) -> &str {
        [language, "fr", "en"].into_iter().find_map(|lang| self.get(lang)).or_else(|| self.any()).unwrap_or_default()
    }

    /// The languages the text is written in, in alphabetical order.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.iter().filter(|(_, words)| !words.trim().is_empty()).map(|(language, _)| language)
    }

    /// Each language and its words, as they were given.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(language, words)| (language.as_str(), words.as_str()))
    }

    fn any(&self) -> Option<&str> {
        self.languages().next().and_then(|language| self.get(language))
    }
}

impl<L: Into<String>, W: Into<String>> FromIterator<(L, W)> for Text {
    fn from_iter<I: IntoIterator<Item = (L, W)>>(pairs: I) -> Self {
        let mut text = Self::default();
        for (language, words) in pairs {
            text.set(language, words);
        }
        text
    }
}

/// Where a text is in the first language: its faults are shown on that field.
pub fn first_text(field: &str, languages: &[String]) -> String {
    format!("/{field}/{}", languages.first().map_or("fr", String::as_str))
}

/// A text is in known languages and of a reasonable length.
pub fn check_text(field: &str, text: &Text, max: usize, languages: &[String], faults: &mut Vec<Fault>) {
    for (lang, written) in text.iter() {
        let at = || format!("{field}/{lang}");
        if !languages.iter().any(|known| known == lang) {
            let lang: String = lang.chars().take(20).collect();
            faults.push(Fault::new("validation/unknown-language", at()).with("language", lang));
        }
        // A text of at most `max` bytes has at most `max` characters: most need no counting.
        if written.len() > max && written.chars().count() > max {
            faults.push(Fault::new("validation/too-long", at()).with("max", max));
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_reader_gets_their_language_then_french_then_english_then_any() {
        assert_eq!(Text::new("lac", "lake").best("en"), "lake");
        assert_eq!(Text::new("lac", "").best("en"), "lac");
        assert_eq!(Text::default().with("en", "lake").best("fr"), "lake");
        assert_eq!(Text::default().with("de", "See").best("fr"), "See");
        assert_eq!(Text::default().best("fr"), "");
    }

    #[test]
    fn blank_words_are_not_written() {
        let text: Text = serde_json::from_str(r#"{"fr":"  ","en":"lake"}"#).unwrap();
        assert!(!text.is_written("fr"));
        assert_eq!(text.languages().collect::<Vec<_>>(), ["en"]);
        assert_eq!(text.best("fr"), "lake");
    }
}

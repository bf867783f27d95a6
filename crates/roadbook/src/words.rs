//! The page's own words, in each language we have them in: `words/*.json`, one key a word, the same keys everywhere.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

/// One language's words.
#[derive(Debug, Deserialize)]
pub(crate) struct Words {
    #[serde(default)]
    pub(crate) lang: String,
    pub(crate) decimal: String,
    pub(crate) weekdays: Vec<String>,
    pub(crate) months: Vec<String>,
    pub(crate) long_date: String,
    pub(crate) day_month: String,
    pub(crate) from_to_dates: String,
    /// All others, which the pages ask for by key.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

static ALL: LazyLock<Vec<Words>> = LazyLock::new(|| {
    [
        ("fr", include_str!("../words/fr.json")),
        ("en", include_str!("../words/en.json")),
        ("de", include_str!("../words/de.json")),
        ("es", include_str!("../words/es.json")),
        ("it", include_str!("../words/it.json")),
        ("nl", include_str!("../words/nl.json")),
    ]
    .into_iter()
    .map(|(lang, json)| {
        let words: Words = serde_json::from_str(json).expect("the embedded words are JSON; a test reads them");
        Words { lang: lang.to_owned(), ..words }
    })
    .collect()
});

impl Words {
    /// The words of a BCP 47 tag, and `true`; the English ones and `false` if there are none in that language.
    pub(crate) fn of(locale: &str) -> (&'static Self, bool) {
        let language = locale.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        ALL.iter().find(|words| words.lang == language).map_or((&ALL[1], false), |words| (words, true))
    }

    /// A word, its `{holes}` filled.
    pub(crate) fn say(&self, key: &str, holes: &[(&str, &str)]) -> String {
        let mut text = self.rest.get(key).and_then(Value::as_str).unwrap_or(key).to_owned();
        for (hole, filling) in holes {
            text = text.replace(&format!("{{{hole}}}"), filling);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Words};

    #[test]
    fn every_language_has_every_word() {
        let french = &Words::of("fr").0;
        for words in ALL.iter() {
            assert_eq!(words.rest.keys().collect::<Vec<_>>(), french.rest.keys().collect::<Vec<_>>(), "{}", words.lang);
            assert_eq!((words.weekdays.len(), words.months.len()), (7, 12), "{}", words.lang);
        }
    }

    #[test]
    fn a_language_we_lack_speaks_english() {
        assert!(Words::of("de-AT").1);
        let (words, known) = Words::of("pt-BR");
        assert_eq!((words.lang.as_str(), known), ("en", false));
        assert_eq!(Words::of("fr").0.say("photo_of", &[("place", "Brion")]), "Photo de Brion");
    }
}

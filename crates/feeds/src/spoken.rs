//! Texts of a feed: in one language, or in all.

use domain::Text;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::Feed;

/// The value written for a missing text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unwritten {
    /// An empty text.
    Empty,
    Null,
}

/// A text for a feed: words where it asks for one language, else an object of all languages.
pub(crate) struct Spoken<'a> {
    text: Option<&'a Text>,
    feed: &'a Feed,
    unwritten: Unwritten,
}

impl Feed {
    /// A text; empty where it is missing.
    pub(crate) fn say<'a>(&'a self, text: &'a Text) -> Spoken<'a> {
        Spoken { text: Some(text), feed: self, unwritten: Unwritten::Empty }
    }

    /// An optional text; empty where it is missing.
    pub(crate) fn say_if<'a>(&'a self, text: Option<&'a Text>) -> Spoken<'a> {
        Spoken { text, feed: self, unwritten: Unwritten::Empty }
    }

    /// A text; null where it is missing.
    pub(crate) fn name<'a>(&'a self, text: &'a Text) -> Spoken<'a> {
        Spoken { text: Some(text), feed: self, unwritten: Unwritten::Null }
    }

    /// A text that this dialect has and we do not.
    pub(crate) fn nothing(&self) -> Spoken<'_> {
        Spoken { text: None, feed: self, unwritten: Unwritten::Empty }
    }

    /// One text for each language, made by `make`.
    pub(crate) fn each(&self, make: impl Fn(&str) -> String) -> Text {
        let all = self.language.iter().chain(self.languages.iter().filter(|_| self.language.is_none()));
        all.map(|language| (language.clone(), make(language))).collect()
    }
}

impl Spoken<'_> {
    fn word<'w>(&self, words: Option<&'w str>) -> Option<&'w str> {
        match self.unwritten {
            Unwritten::Empty => Some(words.unwrap_or_default()),
            Unwritten::Null => words,
        }
    }
}

impl Serialize for Spoken<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(language) = &self.feed.language {
            let best = self.text.map(|text| text.best(language)).filter(|words| !words.is_empty());
            return self.word(best).serialize(serializer);
        }
        let mut map = serializer.serialize_map(Some(self.feed.languages.len()))?;
        for language in &self.feed.languages {
            map.serialize_entry(language, &self.word(self.text.and_then(|text| text.get(language))))?;
        }
        map.end()
    }
}

/// The languages of a text: yes or no where the feed asks for one, else an object of all.
pub(crate) struct WrittenIn<'a>(pub(crate) &'a Text, pub(crate) &'a Feed);

impl Serialize for WrittenIn<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(text, feed) = self;
        if feed.language.is_some() {
            // It is given in the languages that exist.
            return true.serialize(serializer);
        }
        let mut map = serializer.serialize_map(Some(feed.languages.len()))?;
        for language in &feed.languages {
            map.serialize_entry(language, &text.is_written(language))?;
        }
        map.end()
    }
}

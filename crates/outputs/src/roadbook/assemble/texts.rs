//! The texts of a roadbook in its language, and which of them are not written in it.

use std::sync::{Mutex, PoisonError};

use domain::Text;

/// A record whose texts are printed in another language than the roadbook's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTexts {
    pub of: TextOwner,
    /// The printed name; empty for the roadbook itself.
    pub name: String,
    /// Its fields, in the order in which they were met.
    pub fields: Vec<&'static str>,
    /// The language that is printed instead.
    pub printed_in: String,
}

/// The record whose texts are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextOwner {
    Parcours(i64),
    /// One of its steps, with the number or letter of its disc.
    Step(i64, String),
    /// A point of interest.
    Poi(i64),
    Closure(i64),
    /// A picture.
    Media(i64),
    /// The settings of the roadbook.
    Roadbook(i64),
}

/// Reads texts in one language, and remembers those that are written in others only.
#[derive(Debug)]
pub(super) struct Texts {
    language: String,
    missing: Mutex<Vec<MissingTexts>>,
}

impl Texts {
    pub(super) fn new(language: &str) -> Self {
        Self { language: language.to_owned(), missing: Mutex::default() }
    }

    /// The language that is printed.
    pub(super) fn language(&self) -> &str {
        &self.language
    }

    /// The words to print: those of the language, else those that another reader would be shown.
    pub(super) fn read<'t>(&self, of: &TextOwner, name: &Text, field: &'static str, text: &'t Text) -> &'t str {
        let words = text.best(&self.language);
        if words.is_empty() || text.is_written(&self.language) {
            return words;
        }
        let printed_in = text.languages().find(|language| text.get(language) == Some(words)).unwrap_or_default();
        let mut missing = self.missing.lock().unwrap_or_else(PoisonError::into_inner);
        match missing.iter_mut().find(|one| one.of == *of && one.printed_in == printed_in) {
            Some(one) if one.fields.contains(&field) => {}
            Some(one) => one.fields.push(field),
            None => missing.push(MissingTexts {
                of: of.clone(),
                name: name.best(&self.language).to_owned(),
                fields: vec![field],
                printed_in: printed_in.to_owned(),
            }),
        }
        words
    }

    /// The texts printed in other languages, in the order in which they were read.
    pub(super) fn into_missing(self) -> Vec<MissingTexts> {
        self.missing.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_another_language_is_printed_and_remembered_once() {
        let texts = Texts::new("en");
        let (of, lake) = (TextOwner::Poi(7), Text::in_french("Le lac"));
        for _ in 0..2 {
            assert_eq!(texts.read(&of, &lake, "title", &lake), "Le lac");
        }
        assert_eq!(texts.read(&of, &lake, "description", &Text::new("Profond.", "Deep.")), "Deep.");
        assert_eq!(texts.read(&of, &lake, "opening", &Text::default()), "");
        let missing = texts.into_missing();
        let listed: Vec<_> =
            missing.iter().map(|one| (&one.of, one.name.as_str(), &one.fields[..], one.printed_in.as_str())).collect();
        assert_eq!(listed, [(&of, "Le lac", &["title"][..], "fr")]);
    }
}

//! The words that visitors read, in French and English: on public pages, in feeds, in mails to them and in roadbooks.

mod closure;
pub mod figures;
mod warning;

use domain::Text;

pub(crate) use self::closure::closures_in;
pub use self::closure::{
    PublicClosure, closed, closed_when_and_where, closure_kind, closures, detour, kilometre, say_closures,
};
pub(crate) use self::warning::warnings_in;
pub use self::warning::{PublicWarning, kind_word, warnings};

/// Language of the page's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// French, at `/p/…`.
    French,
    /// English, at `/en/p/…`.
    English,
}

impl Language {
    /// The one for readers of a content language: French for French, English for all others.
    pub fn for_content(code: &str) -> Self {
        if code == "fr" { Self::French } else { Self::English }
    }

    /// `fr` or `en`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::French => "fr",
            Self::English => "en",
        }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::French => Self::English,
            Self::English => Self::French,
        }
    }

    /// The one of two texts that is in this language.
    pub const fn pick<'a>(self, french: &'a str, english: &'a str) -> &'a str {
        match self {
            Self::French => french,
            Self::English => english,
        }
    }
}

/// A text with its language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// The words.
    pub text: String,
    /// Their language where it is not the page's: a screen reader must pronounce them in it (RGAA 8.7).
    pub lang: Option<String>,
}

impl Words {
    /// Words in the page's own language.
    pub fn own(text: impl Into<String>) -> Self {
        Self { text: text.into(), lang: None }
    }

    /// A text for a reader of `language`: theirs, else French, else English, else any. `None` where no text is written.
    pub fn of(text: &Text, language: Language) -> Option<Self> {
        let known = [language.code(), "fr", "en"].into_iter().find(|lang| text.is_written(lang));
        let lang = known.or_else(|| text.languages().next())?;
        let foreign = (lang != language.code()).then(|| lang.to_owned());
        Some(Self { text: text.get(lang)?.to_owned(), lang: foreign })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_another_language_say_which() {
        let both = Text::new("lac", "lake");
        assert_eq!(Words::of(&both, Language::English), Some(Words::own("lake")));
        let french = Words::of(&Text::in_french("lac"), Language::English).expect("written in French");
        assert_eq!((french.text.as_str(), french.lang.as_deref()), ("lac", Some("fr")));
        let german = Words::of(&Text::default().with("de", "See"), Language::French).expect("written in German");
        assert_eq!(german.lang.as_deref(), Some("de"));
        assert_eq!(Words::of(&Text::default().with("fr", " "), Language::French), None);
    }
}

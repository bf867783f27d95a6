//! A route of a source, before it is mapped.

use std::collections::BTreeMap;

use domain::Text;
use domain::step::StepKind;
use trace::{Position, Repair};

use crate::MediaKind;

/// A list whose words a feed uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordList {
    /// How one moves.
    Practice,
    /// How hard it is.
    Level,
    /// What it is about.
    Theme,
    /// Tags.
    Label,
    /// How it is marked.
    Marking,
    /// Loop, there and back, one way.
    Shape,
    /// Levels of scales beside the usual one.
    Rating,
    /// The people it suits.
    Accessibility,
    /// How well it suits them.
    AccessibilityLevel,
    /// Its author.
    Source,
    /// The sites on which it is shown.
    Portal,
    /// Communes.
    City,
    /// Where one asks.
    Desk,
    /// The organisation that takes reservations.
    Reservation,
}

/// A word of a feed's own list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The feed's identifier of it: stays when its name changes.
    pub key: String,
    pub label: Text,
}

impl Word {
    /// A word that is its own name.
    pub fn plain(word: &str) -> Self {
        let word = word.trim();
        Self { key: word.to_owned(), label: Text::in_french(word) }
    }
}

/// The value of a field of a feed.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// A text, plain or HTML, in the languages it is written in.
    Text(Text),
    /// A number, in the unit of our own field.
    Number(f64),
    /// Words of one of its lists.
    Words(Vec<Word>),
}

/// The line of a route.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// Its pieces, each of two points or more.
    Pieces(Vec<Vec<Position>>),
    /// A separate file with the line.
    At(String),
    /// One that cannot be taken, and why.
    Unfit(Refused),
    /// None.
    Missing,
}

/// A named place of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Its kind, where the feed gives it in our words.
    pub kind: Option<StepKind>,
    pub title: Text,
    /// Text, plain or HTML.
    pub description: Text,
    pub position: Position,
}

/// A media of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedMedia {
    /// Its kind, as the feed gives it.
    pub kind: MediaKind,
    /// Where it is.
    pub url: String,
    pub legend: Text,
    /// Words for those who do not see it.
    pub alt: Text,
    pub author: Option<String>,
    /// Its licence, in the feed's words.
    pub licence: Option<String>,
}

/// A route of a source.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedRoute {
    /// The feed's identifier of it.
    pub id: String,
    /// Its fields, by the feed's own field names.
    pub fields: BTreeMap<String, Found>,
    /// Where it goes.
    pub line: Line,
    /// What was repaired in its line.
    pub repairs: Vec<Repair>,
    /// Its named places, in their order.
    pub places: Vec<Place>,
    /// Its media, the main one first.
    pub media: Vec<ImportedMedia>,
    /// What no field takes and is handed on as it came: numbers in other systems, by the feed's own names.
    pub said: BTreeMap<String, String>,
    /// The routes shown under it, by their number or name in the feed.
    pub steps: Vec<String>,
    /// The parts that were left out, and why.
    pub left: Vec<Refused>,
    /// The words that the lists of the feed have no name for: the field and the key of each.
    pub unnamed: Vec<(String, String)>,
}

impl ImportedRoute {
    /// A route without data.
    pub(super) fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            fields: BTreeMap::new(),
            line: Line::Missing,
            repairs: Vec::new(),
            places: Vec::new(),
            media: Vec::new(),
            said: BTreeMap::new(),
            steps: Vec::new(),
            left: Vec::new(),
            unnamed: Vec::new(),
        }
    }

    pub(super) fn text(&mut self, field: &str, text: Text) {
        if !text.is_empty() {
            self.fields.insert(field.to_owned(), Found::Text(text));
        }
    }

    pub(super) fn number(&mut self, field: &str, number: Option<f64>) {
        if let Some(number) = number.filter(|number| number.is_finite()) {
            self.fields.insert(field.to_owned(), Found::Number(number));
        }
    }

    pub(super) fn words(&mut self, field: &str, words: Vec<Word>) {
        let words: Vec<Word> = words.into_iter().filter(|word| !word.key.is_empty()).collect();
        if !words.is_empty() {
            self.fields.insert(field.to_owned(), Found::Words(words));
        }
    }
}

/// Why something is not taken: a stable code, its parameters, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// A stable code that the interface translates.
    pub code: &'static str,
    /// What its sentence names.
    pub params: Vec<(&'static str, String)>,
}

impl Refused {
    /// For this reason.
    pub fn new(code: &'static str) -> Self {
        Self { code, params: Vec::new() }
    }

    /// With this word in its sentence.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.params.push((name, value.into().chars().take(200).collect()));
        self
    }
}

impl From<trace::ReadError> for Refused {
    fn from(error: trace::ReadError) -> Self {
        Self { code: error.code(), params: error.params() }
    }
}

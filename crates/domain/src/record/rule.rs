//! The rule of a field's values, declared beside its type.

use super::kind::{Kind, Target};
use crate::vocabulary_kind::VocabularyKind;

/// What a field may hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    pub shape: Shape,
    /// Whether it must hold something.
    pub required: bool,
}

/// The shape of a field's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Its type has its own rule, or needs none.
    Free,
    /// Plain text, with the most characters in each language.
    Plain(usize),
    /// Plain text of one line, such as a title, with the most characters in each language.
    TextLine(usize),
    /// Safe markup, with the most characters in each language.
    Rich(usize),
    /// One line of text, with the most characters.
    Line(usize),
    /// Text of several lines, with the most characters.
    Lines(usize),
    /// A web address.
    Url,
    /// An e-mail address.
    Email,
    /// A telephone number.
    Phone,
    /// `#RRGGBB`.
    Color,
    /// Two capital letters, ISO 3166.
    Country,
    /// A number between two bounds, both included.
    Between(i64, i64),
    /// A list, with the most entries.
    List(usize),
    /// The number of another record, or several.
    To(Target),
}

const fn shaped(shape: Shape) -> Rule {
    Rule { shape, required: false }
}

/// Its type has its own rule, or needs none.
pub const fn free() -> Rule {
    shaped(Shape::Free)
}

/// Plain text, with the most characters in each language.
pub const fn plain(max: usize) -> Rule {
    shaped(Shape::Plain(max))
}

/// Plain text of one line, such as a title, with the most characters in each language.
pub const fn text_line(max: usize) -> Rule {
    shaped(Shape::TextLine(max))
}

/// Safe markup, with the most characters in each language.
pub const fn rich(max: usize) -> Rule {
    shaped(Shape::Rich(max))
}

/// One line of text, with the most characters.
pub const fn line(max: usize) -> Rule {
    shaped(Shape::Line(max))
}

/// Text of several lines, with the most characters.
pub const fn lines(max: usize) -> Rule {
    shaped(Shape::Lines(max))
}

/// A web address.
pub const fn url() -> Rule {
    shaped(Shape::Url)
}

/// An e-mail address.
pub const fn email() -> Rule {
    shaped(Shape::Email)
}

/// A telephone number: of any country with its +, else of France.
pub const fn phone() -> Rule {
    shaped(Shape::Phone)
}

/// `#RRGGBB`.
pub const fn color() -> Rule {
    shaped(Shape::Color)
}

/// Two capital letters, ISO 3166.
pub const fn country() -> Rule {
    shaped(Shape::Country)
}

/// A number between two bounds, both included.
pub const fn between(min: i64, max: i64) -> Rule {
    shaped(Shape::Between(min, max))
}

/// A list, with the most entries.
pub const fn list_of(max: usize) -> Rule {
    shaped(Shape::List(max))
}

/// The number of another record, or several.
pub const fn to(kind: Kind) -> Rule {
    shaped(Shape::To(Target { kind, list: None }))
}

/// The number of an item of a reference list, or several.
pub const fn to_term(list: VocabularyKind) -> Rule {
    shaped(Shape::To(Target { kind: Kind::Vocabulary, list: Some(list) }))
}

impl Rule {
    /// The rule for a field that must not be empty.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { required: true, ..self }
    }
}

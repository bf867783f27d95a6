//! The report to the editor about a roadbook that was made.

use serde::{Deserialize, Serialize};

/// The remarks of one rendering.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Pages of the roadbook (not sides of a booklet).
    pub pages: u32,
    /// In the order of the data; nothing here stopped the making.
    pub warnings: Vec<Warning>,
}

/// One thing to look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    pub code: WarningCode,
    /// Where: the day's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<u32>,
    /// The step's number or letter, as printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Which: a picture's name, a colour, a character, the beginning of a text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
}

/// The subject of a warning. The API has a French and an English sentence for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// A picture is named, and isn't there.
    PhotoMissing,
    /// A picture's file can't be read as one.
    PhotoBroken,
    /// A picture is below 150 dots an inch at its size on the page.
    PhotoCoarse,
    /// A picture has no alternative text; its caption or place is used.
    PhotoWithoutAlt,
    /// A font's file is missing or broken; the built-in one is used.
    FontMissing,
    /// A brand colour was darkened until it reads; `subject` is `#old → #new`.
    ColourDarkened,
    /// A brand colour is no `#RRGGBB`; the default is used.
    ColourUnreadable,
    /// No face has this character: dropped, or « ? » in its place.
    GlyphReplaced,
    /// A text is longer than its place: cut, with « … »; or names and lines of a list that are left out.
    TextCut,
    /// A step's text is long to read on the way.
    StepTextLong,
    /// A title does not fit the cover: cut.
    TitleCut,
    /// No client is known: these vouchers were left out.
    VoucherWithoutClient,
    /// The anonymous roadbook leaves the vouchers out.
    VouchersLeftOut,
    /// An anonymous roadbook without an anonymous title: it has the title of the parcours.
    AnonymousTitleMissing,
    /// An anonymous roadbook without an anonymous description: its page has the description of the parcours.
    AnonymousDescriptionMissing,
    /// A day has no line: its map and profile were left out.
    TraceMissing,
    /// A day's line has no altitudes: its profile was left out.
    AltitudesMissing,
    /// No tiles under this map: line, numbers and scale on plain paper.
    MapGroundMissing,
    /// The line is not well enough known: turns were left out.
    TurnsLeftOut,
    /// Too many steps for the map or profile: some numbers are left out.
    MarkersThinned,
    /// The built-in words do not exist in this language: English is used.
    WordsInEnglish,
    /// A date is not `YYYY-MM-DD`: left out.
    DateUnreadable,
    /// A link is too long for a QR code: left out.
    QrTooLong,
}

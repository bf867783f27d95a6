//! What the public page shows, ready for drawing: no database, no request.

use trace::Position;

/// Language of the page's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// French, at `/p/…`.
    French,
    /// English, at `/en/p/…`.
    English,
}

impl Language {
    /// `fr` or `en`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::French => "fr",
            Self::English => "en",
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

/// A published parcours, in one language, as a walker reads it.
#[derive(Debug, Clone)]
pub struct PublicParcours {
    /// Identifier, for links.
    pub id: i64,
    /// Title.
    pub title: String,
    /// Subtitle, empty when there is none.
    pub subtitle: String,
    /// Summary as plain text, empty when there is none.
    pub summary: String,
    /// Description as clean HTML, empty when there is none.
    pub description_html: String,
    /// Title and description for search engines, when they were written apart.
    pub meta: (Option<String>, Option<String>),
    /// Who wrote it.
    pub copyright: Option<String>,
    /// Name of the white-label, shown as publisher.
    pub publisher: String,
    /// Primary colour of the white-label, `#RRGGBB`.
    pub color: Option<String>,
    /// Practice, level and themes, in this language.
    pub practice: Option<String>,
    /// Level.
    pub level: Option<String>,
    /// Themes.
    pub themes: Vec<String>,
    /// Loop (true), one-way (false), unknown.
    pub is_loop: Option<bool>,
    /// Whether bikes are carried, where it is known.
    pub bike_carriage: Option<bool>,
    /// Distance, duration and climb of the line that is shown.
    pub distance_m: Option<f64>,
    /// Seconds.
    pub duration_s: Option<f64>,
    /// Metres up.
    pub ascent_m: Option<f64>,
    /// Metres down.
    pub descent_m: Option<f64>,
    /// The line that is shown.
    pub line: Vec<Position>,
    /// Steps in order.
    pub steps: Vec<PublicStep>,
    /// Availability periods as days.
    pub availability: Vec<(String, String)>,
    /// Booking link and its label.
    pub booking: Option<(String, String)>,
    /// Whether step-by-step guidance is offered (reliability of 95 or more).
    pub guided: bool,
    /// Languages in which the title is written.
    pub languages: Vec<String>,
}

/// A step as a walker reads it.
#[derive(Debug, Clone)]
pub struct PublicStep {
    /// Stable word of the kind: `departure`, `night`…
    pub kind: String,
    /// Title, may be empty.
    pub title: String,
    /// Description as clean HTML, may be empty.
    pub description_html: String,
    /// Metres from the departure.
    pub at_m: f64,
    /// Where it stands.
    pub position: Position,
    /// Metres to the next step.
    pub distance_to_next_m: Option<f64>,
}

/// Where the page lives and what it links to.
#[derive(Debug, Clone)]
pub struct PageLinks {
    /// The page itself, absolute: canonical.
    pub canonical: String,
    /// The same page in the other language, absolute.
    pub other_language: String,
    /// GPX and KML downloads.
    pub gpx: String,
    /// KML download.
    pub kml: String,
    /// Kept out of search engines (temporary share, private link).
    pub no_index: bool,
    /// Says that the link is temporary, until when.
    pub expires: Option<String>,
    /// Identifier of the build, for caches.
    pub build_id: String,
    /// Style of the base map.
    pub map_style: String,
    /// Attribution of the base map.
    pub attribution: String,
}

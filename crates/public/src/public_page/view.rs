//! What the public page shows, ready for drawing: no database, no request.

use content::stops_near::{PlaceKind, WayHome};
use domain::PoiFlags;
use domain::step::StepKind;
use domain::transport_line::{LineBikes, LineMode};
use outputs::audio::PublicAudioWalk;
use outputs::visitor_words::{Language, PublicClosure, PublicWarning, Words};
use trace::Position;

use super::brand::Brand;

/// A parcours, in one language, as a walker reads it.
#[derive(Debug, Clone)]
pub struct PublicParcours {
    pub title: Words,
    /// Line under it.
    pub subtitle: Option<Words>,
    /// Summary as plain text.
    pub summary: Option<Words>,
    /// Description as clean HTML.
    pub description_html: Option<Words>,
    /// Title and description for search engines, when they were written apart.
    pub meta: (Option<String>, Option<String>),
    /// Who wrote it.
    pub copyright: Option<String>,
    /// The look of the page: the white-label is its publisher.
    pub brand: Brand,
    /// Whether the white-label distributes its parcours: download of files, search engines.
    pub is_distributed: bool,
    /// The main picture.
    pub cover: Option<Picture>,
    /// The other pictures, in their order.
    pub pictures: Vec<Picture>,
    pub sounds: Vec<Sound>,
    pub films: Vec<Film>,
    pub documents: Vec<PublicDocument>,
    /// Its audio walk.
    pub audio: Option<PublicAudioWalk>,
    pub practice: Option<Words>,
    pub level: Option<Words>,
    pub themes: Vec<Words>,
    /// Levels on other scales.
    pub ratings: Vec<Words>,
    /// Markings met on the way.
    pub markings: Vec<PublicMarking>,
    /// The long-distance ways it follows: the code on their signs, their name and their colour.
    pub itineraries: Vec<PublicItinerary>,
    /// Equipment to take.
    pub equipment: Vec<Words>,
    /// The white-label's own fields: what they are called, and their values.
    pub custom: Vec<(Words, PublicValue)>,
    /// A stay (true), a circuit, unknown.
    pub is_stay: Option<bool>,
    /// Loop (true), one-way (false), unknown.
    pub is_loop: Option<bool>,
    /// Whether bikes are carried, where it is known.
    pub bike_carriage: Option<bool>,
    /// Metres of the line that is shown.
    pub distance_m: Option<f64>,
    pub duration_s: Option<f64>,
    /// Metres up.
    pub ascent_m: Option<f64>,
    /// Metres down.
    pub descent_m: Option<f64>,
    /// The line that is shown, empty without a trace.
    pub line: Vec<Position>,
    /// Metres of `distance_m` for a metre of the line. Metres of steps, POIs and the profile are scaled by it; closures and stops of the
    /// audio walk are stored in metres of the line and scaled where they are written; warnings are scaled when read.
    pub sheet_per_m: f64,
    /// Steps in order.
    pub steps: Vec<PublicStep>,
    /// POIs on the way.
    pub pois: Vec<PublicPoi>,
    /// Lines of public transport that stop at its steps.
    pub lines: Vec<PublicLine>,
    /// Stops around it, and the last ways home.
    pub transport: PublicTransport,
    /// Those shown under it.
    pub children: Vec<PublicChild>,
    /// Availability periods as days.
    pub availability: Vec<(String, String)>,
    /// Its closures, today or later.
    pub closures: Vec<PublicClosure>,
    /// Warnings to walkers.
    pub warnings: Vec<PublicWarning>,
    pub reviews: PublicReviews,
    /// Booking link and its label.
    pub booking: Option<(String, Words)>,
    /// What it costs, where a price is set.
    pub price: Option<PublicPrice>,
    /// Whether step-by-step guidance is offered (reliability of 95 or more); nothing without a trace.
    pub guided: Option<bool>,
}

/// What a parcours costs.
#[derive(Debug, Clone)]
pub struct PublicPrice {
    /// The price, or the lowest one, in cents of a euro; 0 is free. None where the highest alone is known.
    pub cents: Option<i64>,
    /// The highest one, where it is another.
    pub most_cents: Option<i64>,
    /// What is in it, clean HTML.
    pub includes: Option<Words>,
    /// What is not in it, clean HTML.
    pub excludes: Option<Words>,
    /// The share that is paid when it is booked, percent; none where it cannot be booked, and where nothing is paid in advance.
    pub deposit_percent: Option<i64>,
}

/// The reviews of a parcours.
#[derive(Debug, Clone, Default)]
pub struct PublicReviews {
    /// The average to one decimal; none without a review.
    pub average: Option<f64>,
    /// How many there are.
    pub total: i64,
    /// The last of them, the last sent first.
    pub items: Vec<PublicReview>,
}

/// A review as a reader sees it.
#[derive(Debug, Clone)]
pub struct PublicReview {
    pub id: i64,
    /// 1 to 5.
    pub rating: i64,
    /// The line above the text, where there is one.
    pub title: Option<Words>,
    /// The text, plain.
    pub text: Words,
    /// Who wrote it.
    pub author: String,
    /// The day it was sent, `YYYY-MM-DD`.
    pub day: String,
    /// The day its author was there.
    pub walked_on: Option<String>,
    /// The staff's answer, plain.
    pub answer: Option<String>,
}

/// A picture.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Where its bytes are.
    pub src: String,
    /// Width and height in pixels.
    pub size: Option<(i64, i64)>,
    /// Words instead of it; none for a picture that only decorates.
    pub alt: Option<Words>,
    /// Words under it.
    pub legend: Option<Words>,
    /// Who made it, and its licence.
    pub credit: Option<String>,
}

/// A sound.
#[derive(Debug, Clone)]
pub struct Sound {
    /// Where its bytes are.
    pub src: String,
    /// What it is called.
    pub title: Words,
    /// Who made it, and its licence.
    pub credit: Option<String>,
}

/// The value of a field that a white-label adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublicValue {
    /// Some words.
    Line(String),
    Paragraphs(String),
    /// A valid address.
    Link(String),
}

/// A film.
#[derive(Debug, Clone)]
pub struct Film {
    /// Where its bytes are.
    pub src: String,
    /// The picture before it is played.
    pub poster: Option<String>,
    /// What it is called.
    pub title: Words,
    /// Who made it, and its licence.
    pub credit: Option<String>,
}

/// A document to take away.
#[derive(Debug, Clone)]
pub struct PublicDocument {
    /// Where its bytes are.
    pub href: String,
    /// What it is called.
    pub title: Words,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A parcours shown under its parent.
#[derive(Debug, Clone)]
pub struct PublicChild {
    pub title: Words,
    /// Its own page, where it has one.
    pub href: Option<String>,
    pub distance_m: Option<f64>,
    pub duration_s: Option<f64>,
    /// Metres up.
    pub ascent_m: Option<f64>,
}

/// A long-distance way as a walker reads it.
#[derive(Debug, Clone)]
pub struct PublicItinerary {
    /// The code on its signs.
    pub code: Option<String>,
    pub name: Words,
    /// Its colour `#RRGGBB`.
    pub color: Option<String>,
    /// Description as clean HTML.
    pub description_html: Option<Words>,
}

/// A marking as a walker reads it.
#[derive(Debug, Clone)]
pub struct PublicMarking {
    pub name: Words,
    /// The colours of its signs, `#RRGGBB`.
    pub colors: Vec<String>,
    /// How to read its signs, plain.
    pub description: Option<Words>,
}

/// A POI as a walker reads it.
#[derive(Debug, Clone)]
pub struct PublicPoi {
    pub title: Words,
    /// Description as clean HTML.
    pub description_html: Option<Words>,
    /// Metres from the departure, of the place on the line that is nearest.
    pub at_m: Option<f64>,
    /// Degrees east and north.
    pub place: Option<[f64; 2]>,
    pub categories: Vec<Words>,
    pub themes: Vec<Words>,
    /// Its first picture.
    pub picture: Option<Picture>,
    /// When it is open, plain.
    pub opening: Option<Words>,
    /// Postal address, on one line.
    pub address: Option<String>,
    /// Telephone number.
    pub phone: Option<String>,
    /// Mail address.
    pub email: Option<String>,
    /// Its own site.
    pub website: Option<String>,
    /// Its yes/no properties.
    pub flags: PoiFlags,
    /// Where it is booked, where it can be.
    pub booking_url: Option<String>,
    /// The tourist record it came from, where the white-label shows these.
    pub record_url: Option<String>,
    /// The source of this record, and the licence it gives it under.
    pub licence: Option<(String, String)>,
}

/// A line of public transport as a walker reads it.
#[derive(Debug, Clone)]
pub struct PublicLine {
    /// What runs on it.
    pub mode: LineMode,
    /// The name on the vehicle; may be empty.
    pub short_name: String,
    /// Its whole name.
    pub long_name: String,
    pub operator: Option<String>,
    /// The steps it stops at.
    pub stops: Vec<Words>,
    /// Whether bicycles are carried.
    pub bikes: LineBikes,
    /// The conditions on this white-label.
    pub conditions: Vec<Words>,
    /// The website with more about it.
    pub website: Option<String>,
    /// Where a place is booked.
    pub booking_url: Option<String>,
    /// Whether a place must be booked.
    pub bookable: bool,
    /// The telephone number to book a place.
    pub booking_phone: Option<String>,
    /// How a place is booked.
    pub booking_note: Option<Words>,
}

/// Public transport around a parcours as a walker reads it.
#[derive(Debug, Clone, Default)]
pub struct PublicTransport {
    /// Places with a stop nearby, in their order.
    pub places: Vec<PublicPlace>,
    /// The last ways home, by kind of day.
    pub ways_home: Vec<WayHome>,
}

/// A place with stops nearby.
#[derive(Debug, Clone)]
pub struct PublicPlace {
    pub kind: PlaceKind,
    pub title: Option<Words>,
    /// The stops, nearest first.
    pub stops: Vec<PublicStop>,
}

/// A stop nearby.
#[derive(Debug, Clone)]
pub struct PublicStop {
    pub name: String,
    /// Metres as the crow flies.
    pub distance_m: f64,
    /// Its lines: mode, name on the vehicle, whether bicycles are taken, whether a place must be booked.
    pub lines: Vec<(LineMode, String, LineBikes, bool)>,
}

/// A step as a walker reads it.
#[derive(Debug, Clone)]
pub struct PublicStep {
    /// D, A, or its number, as the staff see it too.
    pub label: String,
    pub kind: StepKind,
    pub title: Option<Words>,
    /// Description, plain text.
    pub description: Option<Words>,
    /// Metres from the departure; none without a trace.
    pub at_m: Option<f64>,
    /// Metres to the line, where it is beside it.
    pub beside_m: Option<f64>,
    /// Its place.
    pub position: Position,
    /// Metres to the next step.
    pub distance_to_next_m: Option<f64>,
    /// Seconds to the next step.
    pub duration_to_next_s: Option<f64>,
    /// Number of nights, for a stop of several.
    pub nights: Option<i64>,
    /// The practice from here on, where it changes.
    pub practice: Option<Words>,
}

/// The addresses of the page and of its links.
#[derive(Debug, Clone)]
pub struct PageLinks {
    /// The public address of the site, before every path.
    pub public_url: String,
    /// Path of the page in French.
    pub french: String,
    /// Path of the page in English.
    pub english: String,
    /// The home page of the white-label, where its site is published.
    pub home: Option<String>,
    /// The identifier of the white-label at Google Analytics, on pages whose audience it measures.
    pub analytics: Option<String>,
    /// Kept out of search engines (a share, a site that is not the real one).
    pub no_index: bool,
    /// Says that the link is temporary: the day it ends, `YYYY-MM-DD`.
    pub expires: Option<String>,
    /// The provider the reader comes from.
    pub from: Option<super::provider::From>,
    /// The parcours that reviews and reports are sent for; `None` where the page is not public.
    pub give: Option<i64>,
    /// Whether there is a roadbook to take away.
    pub roadbook: bool,
    /// Path of the picture drawn for links to the page, where there is one.
    pub card: Option<String>,
    /// The parcours whose page a browser may keep for when there is no network; none for a link that may be revoked.
    pub keep: Option<i64>,
    /// Shown in the back office: nothing on it can be used.
    pub preview: bool,
    /// Identifier of the build, for caches.
    pub build_id: String,
    /// Style of the base map.
    pub map_style: String,
    /// Whether the base map is this server's, so that its squares can be printed.
    pub has_squares: bool,
    /// Attribution of the base map, trusted HTML.
    pub attribution: &'static str,
}

impl PageLinks {
    /// Path of the page in a language.
    pub fn path(&self, language: Language) -> &str {
        language.pick(&self.french, &self.english)
    }

    /// The link to the page in another language, which keeps the provider that the reader comes from.
    pub fn in_language(&self, language: Language) -> String {
        let from = self.from.as_ref().map(|from| format!("?chez={}", from.id)).unwrap_or_default();
        format!("{}{from}", self.path(language))
    }
}

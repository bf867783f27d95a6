//! A parcours and a POI as every dialect starts from: references resolved, addresses whole, nothing that is not public.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::itinerary::ItineraryKind;
use domain::step::StepKind;
use domain::transport_line::TransportLineSheet;
use domain::white_label::CustomType;
use domain::{Address, Instant, PoiFlags, Text};
use serde_json::Value;
use trace::Position;

use crate::Licence;

/// The reader of a feed, and the language of the answer.
#[derive(Debug, Clone)]
pub struct Feed {
    /// The URL of the server, without a final slash.
    pub base: String,
    /// The address from which UUIDs are made: where the server was first. It stays when `base` changes.
    pub uuid_base: String,
    /// The part before `/api/` in the addresses of the answer: `base`, with the key in it where the request had it there.
    pub api: String,
    /// Languages content is written in, the first one first.
    pub languages: Vec<String>,
    /// The one language asked for; all of them when absent.
    pub language: Option<String>,
    /// The white-label whose key asks.
    pub reader: Arc<Owner>,
    /// Under which licence its open data go out.
    pub licence: Licence,
}

impl Feed {
    /// The first language content is written in.
    pub fn main(&self) -> &str {
        self.language.as_deref().or(self.languages.first().map(String::as_str)).unwrap_or("fr")
    }
}

/// A white-label, and the structure behind it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Owner {
    /// Number of the white-label.
    pub id: i64,
    pub name: String,
    /// The address of its site.
    pub site: Option<String>,
    pub structure_id: i64,
    /// Name of the structure.
    pub structure: String,
    /// Mail address of the structure.
    pub email: Option<String>,
    /// Telephone number of the structure.
    pub phone: Option<String>,
    /// Web site of the structure.
    pub website: Option<String>,
    /// Postal address of the structure.
    pub address: Address,
    /// Where the structure is asked: degrees east and north.
    pub location: Option<[f64; 2]>,
    /// The share of a price that is paid in advance where a parcours sets none, percent.
    pub deposit_percent: Option<i64>,
    /// Where a record of a tourist information system is shown, with a placeholder for its key.
    pub sit_record_url: Option<String>,
    /// Whether it shows public transport.
    pub public_transport: bool,
    /// Whether it offers the tourist's mobility service, where trips are booked.
    pub tourist_maas: bool,
}

/// The identity of an imported record in its source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Its identifier in the source.
    pub item: String,
    /// The name of its source.
    pub source: String,
    /// The licence its source gives it under, where it is known.
    pub licence: Option<String>,
    /// Values without a field of ours, published unchanged in feeds, by the source's names.
    pub said: BTreeMap<String, String>,
}

impl Origin {
    /// The UUID it came with, if it came with one.
    pub fn uuid(&self) -> Option<&str> {
        let parts: Vec<usize> = self.item.split('-').map(str::len).collect();
        let hex = self.item.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        (parts == [8, 4, 4, 4, 12] && hex).then_some(self.item.as_str())
    }

    /// What others call it there: its number in a third system, else its name in its source.
    pub fn external_id(&self) -> Option<&str> {
        self.said.get("external_id").map(String::as_str).or_else(|| self.uuid().is_none().then_some(self.item.as_str()))
    }

    /// Its provider.
    pub fn provider(&self) -> &str {
        self.said.get("provider").map_or(self.source.as_str(), String::as_str)
    }
}

/// An item of a reference list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Term {
    pub id: i64,
    /// Stable word.
    pub code: String,
    pub label: Text,
    /// More words on it.
    pub description: Text,
    /// The name of its icon, its own or that of its parents.
    pub icon: Option<String>,
    /// Its colour `#RRGGBB`.
    pub color: Option<String>,
    /// The colours of the signs of a waymark, `#RRGGBB`.
    pub colors: Vec<String>,
    /// Place among its siblings.
    pub order: i64,
    /// The scale a level belongs to.
    pub scale: Option<String>,
    /// The place of a level on its scale, 1 the easiest.
    pub rank: i64,
    /// Words of other systems for the same thing, its own or those of its parents.
    pub matches: Value,
    /// The address of its pictogram.
    pub picture: String,
}

impl Term {
    /// What another system calls it.
    pub fn word(&self, system: &str) -> Option<&str> {
        self.matches.get(system).and_then(Value::as_str)
    }

    /// The number another system has for it.
    pub fn number(&self, system: &str) -> Option<i64> {
        self.matches.get(system).and_then(Value::as_i64)
    }
}

/// A named long-distance way that parcours follow.
#[derive(Debug, Clone, PartialEq)]
pub struct Itinerary {
    pub id: i64,
    pub name: Text,
    pub kind: ItineraryKind,
    /// The code on its signs.
    pub code: Option<String>,
    /// Its colour `#RRGGBB`.
    pub color: Option<String>,
    /// Description as clean HTML.
    pub description: Text,
}

/// An instruction of the step-by-step guidance.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// What to do: `left`, `roundabout` …
    pub kind: Value,
    /// Where, in metres from the start.
    pub at_m: f64,
    /// Metres to the next instruction.
    pub length_m: f64,
    /// Name or reference of the way taken.
    pub name: Option<String>,
    /// Which exit of a roundabout, from 1.
    pub exit: Option<u8>,
    /// The sentence.
    pub text: Text,
    /// Where on the map.
    pub position: Position,
}

/// A line of public transport that stops at a step.
#[derive(Debug, Clone, PartialEq)]
pub struct TransportLine {
    pub id: i64,
    /// Its sheet, with the conditions that the owner of the parcours shows.
    pub sheet: TransportLineSheet,
}

/// What a media is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaKind {
    /// A picture.
    Image,
    /// A film.
    Video,
    /// A sound.
    Audio,
    Document,
}

/// A public media.
#[derive(Debug, Clone, PartialEq)]
pub struct Media {
    pub id: i64,
    pub kind: MediaKind,
    /// Its address, whole: in a feed of one language that of the file in this language, where there is one.
    pub url: String,
    /// The addresses of its files in other languages; empty in a feed of one language.
    pub translations: BTreeMap<String, String>,
    /// The address of a small picture of it.
    pub thumbnail: Option<String>,
    /// Content type of the file at `url`.
    pub mime: String,
    /// Name of the file.
    pub name: String,
    pub legend: Text,
    /// Words for those who do not see it.
    pub alt: Text,
    /// The holder of the rights.
    pub copyright: Option<String>,
    /// Under which licence, in words.
    pub licence: Option<String>,
}

/// The value of a field that a white-label adds to its content.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomValue {
    /// The key of the field, unique in its white-label.
    pub key: String,
    pub label: Text,
    /// What its values are.
    pub kind: CustomType,
    pub value: Value,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// Number, unique within its parcours.
    pub id: i64,
    pub kind: StepKind,
    pub title: Text,
    /// Plain text.
    pub description: Text,
    /// Its place.
    pub position: Position,
    /// Metres from the start.
    pub at_m: Option<f64>,
    /// Metres to the next step.
    pub distance_to_next_m: Option<f64>,
    /// Seconds to the next step.
    pub duration_to_next_s: Option<f64>,
    /// Number of nights, for a stop of several.
    pub nights: Option<i64>,
    /// The practice from here on, where it changes.
    pub practice: Option<Arc<Term>>,
    /// The lines of public transport that stop here; empty where the owner shows none.
    pub lines: Vec<Arc<TransportLine>>,
}

/// What a parcours costs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Price {
    /// The price, or the lowest one, in cents of a euro.
    pub cents: Option<i64>,
    /// The highest one, in cents of a euro.
    pub most_cents: Option<i64>,
    /// What is in it, safe HTML.
    pub includes: Text,
    /// What is not in it, safe HTML.
    pub excludes: Text,
    /// The share that is paid in advance, percent; none without a price, and where nothing is paid in advance.
    pub deposit_percent: Option<i64>,
}

/// A parcours that is handed out.
#[derive(Debug, Clone, PartialEq)]
pub struct Parcours {
    pub id: i64,
    pub title: Text,
    /// Line under the title.
    pub subtitle: Text,
    /// Two or three sentences, plain.
    pub summary: Text,
    /// Safe HTML.
    pub description: Text,
    /// The holder of the rights on the texts.
    pub copyright: Option<String>,
    pub practice: Option<Arc<Term>>,
    /// Difficulty on the general scale.
    pub level: Option<Arc<Term>>,
    /// Difficulty on other scales.
    pub ratings: Vec<Arc<Term>>,
    pub themes: Vec<Arc<Term>>,
    pub tags: Vec<Arc<Term>>,
    /// Markings met on the way.
    pub markings: Vec<Arc<Term>>,
    /// The long-distance ways it follows.
    pub itineraries: Vec<Arc<Itinerary>>,
    /// Equipment to take.
    pub equipment: Vec<Arc<Term>>,
    /// Loop, or one way.
    pub is_loop: Option<bool>,
    /// A stay, or a circuit.
    pub is_stay: Option<bool>,
    /// In the order they are met.
    pub stops: Vec<Stop>,
    /// The line in use; empty where the reader did not want it.
    pub line: Vec<Position>,
    /// The instructions along it; empty where a walker may not be guided, and where the reader did not want them.
    pub instructions: Vec<Instruction>,
    /// Where it starts: degrees east and north.
    pub start: Option<[f64; 2]>,
    /// West, south, east, north.
    pub bbox: Option<[f64; 4]>,
    pub distance_m: Option<f64>,
    pub duration_s: Option<f64>,
    /// Metres up.
    pub ascent_m: Option<f64>,
    /// Metres down.
    pub descent_m: Option<f64>,
    /// Metres, the lowest point.
    pub min_ele_m: Option<f64>,
    /// Metres, the highest point.
    pub max_ele_m: Option<f64>,
    /// Media, the main one first.
    pub media: Vec<Media>,
    /// The POIs it names that are handed out too.
    pub poi_ids: Vec<i64>,
    /// The parcours it is shown under.
    pub parent_id: Option<i64>,
    /// The parcours shown under it, in their order.
    pub children: Vec<i64>,
    /// Under its parent, the one before and the one after it.
    pub beside: (Option<i64>, Option<i64>),
    /// The white-label that owns it.
    pub owner: Arc<Owner>,
    /// Where it came from, if it did.
    pub origin: Option<Origin>,
    /// Where to book, and the text of the link.
    pub booking: Option<(String, Text)>,
    /// What it costs.
    pub price: Price,
    /// Whether a walker may be guided step by step; none without a trace.
    pub guided: Option<bool>,
    /// 0 normal, 1 favoured, 2 priority.
    pub display_priority: i64,
    /// The average of its published reviews to one decimal, and how many there are.
    pub reviews: Option<(f64, i64)>,
    /// Its closures of today and later, and its warnings, as plain text.
    pub warning: Text,
    /// Whether a bicycle can be carried.
    pub bike_carriage: Option<bool>,
    /// Days it can be done, both included: `MM-DD` or `YYYY-MM-DD`, as it was typed.
    pub availability: Vec<(String, String)>,
    /// The fields its owner adds, in the owner's order.
    pub custom: Vec<CustomValue>,
    pub created_at: Instant,
    pub updated_at: Instant,
    /// The address of its page, in the language that the feed is asked for.
    pub page: String,
    /// The address of its page, in each language it has.
    pub pages: Text,
    /// The address of its GPX, in the language that the feed is asked for.
    pub gpx: String,
    /// The address of its KML, in the language that the feed is asked for.
    pub kml: String,
    /// The address of its roadbook, in each language it is made in.
    pub pdf: Text,
}

impl Parcours {
    /// The name of where it starts: the departure, else the first step.
    pub fn departure(&self) -> Option<&Text> {
        self.end(StepKind::Departure, self.stops.first())
    }

    /// The name of where it ends: the arrival, else the departure of a loop, else the last step.
    pub fn arrival(&self) -> Option<&Text> {
        let last = if self.is_loop == Some(true) { None } else { self.stops.last() };
        self.end(StepKind::Arrival, last).or_else(|| self.departure())
    }

    fn end<'a>(&'a self, kind: StepKind, otherwise: Option<&'a Stop>) -> Option<&'a Text> {
        let found = self.stops.iter().find(|stop| stop.kind == kind).or(otherwise);
        found.map(|stop| &stop.title).filter(|title| !title.is_empty())
    }
}

/// A POI that is handed out.
#[derive(Debug, Clone, PartialEq)]
pub struct Poi {
    pub id: i64,
    pub title: Text,
    /// Safe HTML.
    pub description: Text,
    /// Degrees east and north.
    pub place: [f64; 2],
    /// Categories, the main one first.
    pub categories: Vec<Arc<Term>>,
    pub themes: Vec<Arc<Term>>,
    /// Its yes/no properties.
    pub flags: PoiFlags,
    /// Media, the main one first.
    pub media: Vec<Media>,
    /// Postal address.
    pub address: Address,
    /// Telephone number.
    pub phone: Option<String>,
    /// Mail address.
    pub email: Option<String>,
    /// Web site.
    pub website: Option<String>,
    /// When it is open, plain.
    pub opening: Text,
    /// Where to book.
    pub booking_url: Option<String>,
    /// The fields its owner adds, in the owner's order.
    pub custom: Vec<CustomValue>,
    /// The white-label that owns it.
    pub owner: Arc<Owner>,
    /// Where it came from, if it did.
    pub origin: Option<Origin>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

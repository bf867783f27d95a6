//! The data of a roadbook, the only input of this crate. Schema 1; fields are only ever added.
//!
//! Units are part of the names (`_m` metres, `_s` seconds); places are WGS 84 degrees, longitude first; dates are `YYYY-MM-DD`,
//! hours `HH:MM` local time, colours `#RRGGBB`, money is text. Texts are in one language already, and plain; the two
//! descriptions of the trip are HTML, of which `p br em i strong b ul ol li` are understood (an `ol` with its `start`) and
//! every other tag is left out (its words stay).
//!
//! Pictures and fonts are not inside: a `blob` is a name, looked up among the [`crate::Blob`]s beside it (bytes or a file). The
//! report lists a name that is not there, and a file that is not a picture; the page is made.

pub use domain::roadbook::{PageKind, PaperFormat as Format};
pub use domain::step::StepKind;
use serde::{Deserialize, Serialize};

/// The schema this crate reads and writes.
pub const SCHEMA: u32 = 1;

/// A whole roadbook, in one language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Roadbook {
    /// Always [`SCHEMA`].
    #[serde(default = "schema")]
    pub schema: u32,
    /// BCP 47 tag of every text inside: `fr`, `fr-FR`, `en`, … The page's own words are in it where we have them, else English.
    pub locale: String,
    /// The sheet.
    #[serde(default)]
    pub format: Format,
    /// Two A5 pages a side of A4 landscape, to print, fold and staple. Only for [`Format::A5`]; a print file, without tags.
    #[serde(default)]
    pub booklet: bool,
    /// 3 mm beyond the cut on each side, for print shops.
    #[serde(default)]
    pub bleed: bool,
    /// For resellers: no names of people, dates, vouchers, phones, door codes, contacts, subtitle nor QR codes; the anonymous texts where
    /// there are any. Names of steps and the map stay.
    #[serde(default)]
    pub anonymous: bool,
    /// Made on this day.
    pub generated_on: String,
    /// The seller.
    pub brand: Brand,
    pub trip: Trip,
    /// The whole trip on one map.
    #[serde(default)]
    pub overview: Overview,
    /// At least one.
    pub days: Vec<Day>,
    /// In the order of printing.
    #[serde(default)]
    pub vouchers: Vec<Voucher>,
    /// The attribution of the map's data, printed on each map: `© contributeurs d’OpenStreetMap`.
    #[serde(default)]
    pub attribution: String,
    /// Links printed as QR codes on the back cover.
    #[serde(default)]
    pub qr: Qr,
    /// The pages wanted, in order; empty means [`PageChoice::standard`]. The front cover is always first and the back cover last;
    /// `map`, `profile`, `steps`, `stay` and `photos` come once a day, in their order here, at the place of the first of them.
    #[serde(default)]
    pub pages: Vec<PageChoice>,
}

const fn schema() -> u32 {
    SCHEMA
}

/// One line of the editor's list of pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageChoice {
    /// What page.
    pub kind: PageKind,
    /// Switched off pages stay in the list.
    #[serde(default = "yes")]
    pub on: bool,
    /// Instead of the page's own title: `description`, `notes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Instead of the trip's description: `description`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Another photo: `front_cover` (instead of the trip's), `description`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo: Option<Photo>,
    /// How many pages of `notes` at least (1 to 20; else 1), how many `photos` a day at most (1 to 12; else 3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u8>,
    /// `overview`: the table of days. `description`: the four figures. `welcome`: the table of contents. `back_cover`: the QR
    /// codes. Default yes.
    #[serde(default = "yes")]
    pub table: bool,
    /// `overview`: the profile of the whole. `front_cover`: the profile as the panel's edge. Default yes.
    #[serde(default = "yes")]
    pub profile: bool,
}

const fn yes() -> bool {
    true
}

impl PageChoice {
    /// A page with its usual options.
    pub const fn new(kind: PageKind) -> Self {
        Self { kind, on: true, title: None, text: None, photo: None, count: None, table: true, profile: true }
    }

    /// Every page type once, in the usual order.
    pub fn standard() -> Vec<Self> {
        PageKind::ALL.map(Self::new).to_vec()
    }
}

/// The white-label's look and its legal lines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Brand {
    /// Name of the agency.
    pub name: String,
    /// One short line under it.
    pub tagline: String,
    /// Blob of the PDF logo: PNG, JPEG, WebP, GIF or SVG.
    pub logo: Option<String>,
    /// Blob of the PDF background: a picture under the text of every inner page, printed faintly.
    pub background: Option<String>,
    /// Grounds that carry white text. Empty: ours. Darkened until it reads.
    pub primary: String,
    /// The trace and accents. Empty: ours. Darkened until it reads.
    pub secondary: String,
    /// Fills only. Empty: ours.
    pub tertiary: String,
    /// Font files of the brand.
    pub fonts: Option<BrandFonts>,
    /// Lines of the postal address.
    pub address: Vec<String>,
    /// Phone number in international form.
    pub phone: String,
    /// E-mail.
    pub email: String,
    /// Without `https://`.
    pub web: String,
    /// Legal lines of a travel agency, one an entry: company, registration (IM…), guarantor, insurer, mediator.
    pub legal: Vec<String>,
}

/// A white-label's own faces; the running text keeps ours, which was chosen to be read outdoors.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BrandFonts {
    /// Blobs (TTF, OTF) for titles.
    pub display: Vec<String>,
    /// Blobs (TTF, OTF) for labels and figures.
    pub sans: Vec<String>,
}

/// The trip as a whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trip {
    /// At most 90 characters are set; the rest is cut and reported.
    pub title: String,
    /// One line under it.
    pub subtitle: String,
    /// The title for sellers, without the names that show who made it; used when [`Roadbook::anonymous`].
    pub anonymous_title: Option<String>,
    /// The same for the description, HTML.
    pub anonymous_description: Option<Vec<String>>,
    /// File number (numéro de dossier).
    pub reference: String,
    /// `Vélo de randonnée`.
    pub practice: String,
    /// One goes on foot: what is only of use with a bike is left out.
    pub on_foot: bool,
    /// First day.
    pub starts_on: Option<String>,
    /// Last day.
    pub ends_on: Option<String>,
    /// The clients' names.
    pub travellers: Vec<String>,
    /// On the front cover.
    pub cover_photo: Option<Photo>,
    /// Paragraphs to the client.
    pub welcome: Vec<String>,
    /// Under the welcome.
    pub signature: String,
    /// Contacts to call; the first one's number is at the foot of every page.
    pub contacts: Vec<Contact>,
    /// Paragraphs, HTML.
    pub description: Vec<String>,
    /// What the price includes.
    pub includes: Vec<String>,
    /// What it does not.
    pub excludes: Vec<String>,
    /// Good to know.
    pub advice: Vec<Advice>,
}

/// A contact to call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contact {
    /// `Assistance vélo`.
    pub role: String,
    pub name: String,
    /// Phone number in international form.
    pub phone: String,
    /// `de 8 h à 20 h`.
    pub note: String,
}

/// A thing good to know.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Advice {
    /// One word: `Eau`.
    pub title: String,
    /// A sentence or two.
    pub text: String,
}

/// A picture.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Photo {
    /// Name of the blob: PNG, JPEG, WebP, GIF.
    pub blob: String,
    /// Alternative text of the picture; else the caption.
    pub alt: String,
    /// Under the picture.
    pub caption: String,
    /// `© Who`.
    pub credit: String,
    /// What must stay in a crop: shares of width and height from the top left, 0 to 1. None: the middle.
    pub focus: Option<[f64; 2]>,
}

/// The whole trip on a spread; all of it is made from the days.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Overview {
    /// Places to name beside the ground's own.
    pub places: Vec<Place>,
}

/// A name on a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    pub name: String,
    /// Longitude in degrees.
    pub lon: f64,
    /// Latitude in degrees.
    pub lat: f64,
}

/// A place of the trace: longitude and latitude in degrees, altitude in metres where known.
pub type TracePoint = (f64, f64, Option<f64>);

/// A day on the way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Day {
    /// From 1.
    pub number: u32,
    /// When; left out of a roadbook for the public.
    pub date: Option<String>,
    /// Where it starts.
    pub origin: String,
    /// Where it ends.
    pub destination: String,
    /// A few sentences.
    pub intro: String,
    /// Metres, as printed: the profile is stretched to it, and the steps' `at_m` are of the same length.
    pub length_m: f64,
    /// Metres climbed; none where altitudes are unknown.
    pub ascent_m: Option<f64>,
    /// Metres descended.
    pub descent_m: Option<f64>,
    /// Moving time in seconds.
    pub duration_s: Option<f64>,
    /// `Facile`, in the roadbook's language; empty: not printed.
    pub level: String,
    /// How many of four dots are full: 1 to 4, 0 for none.
    pub level_rank: u8,
    /// 0 to 100: how well the trace follows known ways. Under 95 the turns are not printed: they cannot be trusted.
    pub reliability: Option<f64>,
    /// The line, at least two points, with all known points.
    pub trace: Vec<TracePoint>,
    /// In the order of the way.
    pub steps: Vec<Step>,
    /// The night that follows.
    pub stay: Option<Stay>,
    /// Photos of the day; the opening one first.
    pub photos: Vec<Photo>,
    /// Warnings before leaving: `Passerelle fermée jusqu’au 12 mai.`
    pub notices: Vec<String>,
}

/// What to do at a step. The planner's own names are read too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Maneuver {
    /// Straight on.
    #[serde(alias = "continue", alias = "via", alias = "rejoin", alias = "off_network")]
    Straight,
    /// Bear left.
    SlightLeft,
    TurnLeft,
    /// Turn sharply left.
    SharpLeft,
    /// Bear right.
    SlightRight,
    TurnRight,
    /// Turn sharply right.
    SharpRight,
    /// Turn back.
    UTurn,
    /// Through a roundabout.
    Roundabout,
    /// Board a ferry.
    Ferry,
    /// Take steps.
    Steps,
    /// Set out.
    #[serde(alias = "depart")]
    Departure,
    /// The end.
    #[serde(alias = "arrive")]
    Arrival,
}

/// A service at a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// Drinking water.
    Water,
    Food,
    /// A view.
    Viewpoint,
    /// Take care.
    Caution,
    /// Bike repair.
    Repair,
    /// A station or stop.
    Train,
}

/// A line of the table of steps.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// Its place in the day's list, from 1.
    pub number: u32,
    /// The text on its disc, the same on the map, the profile and in the table: that of the step on the sheet. Empty:
    /// `number`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub label: String,
    pub kind: StepKind,
    /// What to do there, where known.
    pub maneuver: Option<Maneuver>,
    /// A few words.
    pub title: String,
    /// A sentence or two; reported above 220 characters.
    pub text: String,
    /// The services there.
    pub services: Vec<Service>,
    /// Metres from the start of the day, of the day's `length_m`.
    pub at_m: f64,
    /// Metres above the sea; else read from the trace.
    pub altitude_m: Option<f64>,
    /// Longitude in degrees.
    pub lon: f64,
    /// Latitude in degrees.
    pub lat: f64,
    /// Metres to the next step; else the difference of their `at_m`. None for the last.
    pub distance_to_next_m: Option<f64>,
}

impl Step {
    /// The text on its disc.
    pub fn disc(&self) -> String {
        if self.label.is_empty() { self.number.to_string() } else { self.label.clone() }
    }
}

/// A night: one page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stay {
    /// The lodging.
    pub name: String,
    /// `Hôtel-restaurant ★★`.
    pub kind: String,
    /// How many nights; 0 is read as 1.
    pub nights: u32,
    /// Lines of the postal address.
    pub address: Vec<String>,
    /// Phone number in international form.
    pub phone: String,
    /// Web site, without `https://`.
    pub web: String,
    /// Longitude in degrees.
    pub lon: Option<f64>,
    /// Latitude in degrees.
    pub lat: Option<f64>,
    /// From this hour.
    pub check_in: String,
    /// Until this hour.
    pub check_out: String,
    /// Door code; only for a named client.
    pub code: Option<String>,
    /// At most 90 characters are set.
    pub room: String,
    /// Meals there.
    pub meals: Vec<Meal>,
    /// Where bikes stay; at most 120 characters are set.
    pub bike: String,
    /// Where luggage waits; at most 160 characters are set.
    pub luggage: String,
    /// At most 240 characters are set.
    pub note: String,
    /// Its picture.
    pub photo: Option<Photo>,
}

/// A meal: a row.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Meal {
    /// `Dîner`.
    pub name: String,
    /// `19:30` or text.
    pub hour: String,
    /// Included in the price.
    pub included: bool,
    /// Its price, if it is not included.
    pub price: String,
    /// More.
    pub detail: String,
}

/// A slip to hand over to a provider.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Voucher {
    /// Empty: made of the trip's file number and the slip's place in the list, `MVN-0418-1`.
    pub number: String,
    /// The client; empty: the trip's travellers. A slip without any is left out and reported.
    pub client: String,
    pub provider: String,
    pub place: String,
    /// Phone number in international form.
    pub phone: String,
    pub date: Option<String>,
    /// The booked service.
    pub service: String,
    /// How many people, as a number or in words; empty: not printed.
    pub people: String,
    /// Who pays.
    pub settlement: String,
}

/// Links of the back cover, as QR codes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Qr {
    /// The public page.
    pub app: Option<String>,
    /// The GPX file.
    pub gpx: Option<String>,
}

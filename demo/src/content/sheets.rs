//! The parcours: their sheets as written in [`super::orsel`], [`super::sauvelle`] and [`super::agency`], put on the map.

use super::pois::Poi;
use super::traces::{self, Cause, Nearby, Order, SourceTrace, TraceMode};
use super::{Text, agency, orsel, sauvelle};
use crate::graph::{Graph, Journey, Mood};
use crate::ground::{self, distance};
use crate::region::Region;

/// The relation of a parcours to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// On its own.
    None,
    /// Never listed in public; others are made from it.
    ModelOnly,
    /// Shown alone and under its parent.
    Child,
    /// Shown only under its parent.
    ChildOnly,
}

/// The progress of the work on a parcours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// To be read again.
    ToReview,
    /// To be put right.
    ToFix,
    /// Waiting.
    OnHold,
    /// Kept, out of use.
    Archived,
}

/// Yes, no, or as the parent says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Yes.
    Yes,
    /// No.
    No,
    /// As the parent says.
    Inherit,
}

/// What a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// A point the way goes through.
    Waypoint,
    /// A step.
    Step,
    /// A step one may leave out.
    OptionalStep,
    /// A night.
    Night,
    /// Several nights.
    Nights,
    /// A step with a night.
    StepNight,
    /// The start.
    Departure,
    /// The end.
    Arrival,
    /// A favourite.
    Favourite,
    /// Advice.
    Advice,
}

/// When a parcours may be done: both days belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// First day, as `2026-05-01`.
    pub from: &'static str,
    /// Last day.
    pub to: &'static str,
}

/// The commercial offer of a parcours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sale {
    /// From this price, in cents.
    pub price_cents: u32,
    /// To this price, in cents.
    pub max_price_cents: Option<u32>,
    /// What it includes, French and English, HTML.
    pub includes: [&'static str; 2],
    /// What it does not, French and English, HTML.
    pub excludes: [&'static str; 2],
    /// The deposit: `Some(0)` for none, `None` for the white-label's own.
    pub deposit_percent: Option<u8>,
    /// Where to book, on the white-label's site.
    pub booking_path: &'static str,
    /// The booking link's words.
    pub booking_label: [&'static str; 2],
    /// The agency's own reference.
    pub file_number: &'static str,
}

/// A step, placed.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What it is.
    pub kind: StepKind,
    /// Title.
    pub title: Text,
    /// Description, HTML.
    pub description: Text,
    /// Longitude, degrees.
    pub lon: f64,
    /// Latitude, degrees.
    pub lat: f64,
    /// Where on the way that was meant, metres from its start.
    pub at_m: f64,
    /// How many nights, for a kind that has several.
    pub nights: Option<u8>,
    /// The practice from here on, where it changes.
    pub practice: Option<&'static str>,
}

/// A parcours.
#[derive(Debug, Clone)]
pub struct Parcours {
    /// Stable name.
    pub key: &'static str,
    /// Key of the white-label that owns it.
    pub white_label: &'static str,
    /// Keys of the other white-labels that publish it.
    pub published_on: &'static [&'static str],
    /// Key of the user who last wrote it.
    pub author: &'static str,
    /// Title.
    pub title: Text,
    /// Subtitle.
    pub subtitle: Text,
    /// Summary.
    pub summary: Text,
    /// Description, HTML paragraphs.
    pub description: Text,
    /// Code of its practice type.
    pub practice: &'static str,
    /// Code of its level on the general scale.
    pub level: &'static str,
    /// Codes of its levels on other scales.
    pub special_levels: &'static [&'static str],
    /// Codes of its themes.
    pub themes: &'static [&'static str],
    /// Codes of its tags.
    pub tags: &'static [&'static str],
    /// Codes of its markings.
    pub markings: &'static [&'static str],
    /// Codes of its equipment.
    pub equipment: &'static [&'static str],
    /// Loop or one-way, for a balade.
    pub is_loop: Option<bool>,
    /// Stay or circuit, for a voyage.
    pub is_stay: Option<bool>,
    /// Its relation to others.
    pub relation: Relation,
    /// Key of its parent.
    pub parent: Option<&'static str>,
    /// Steps in order.
    pub steps: Vec<Step>,
    /// When it may be done; empty: always.
    pub availability: &'static [Period],
    /// Its commercial offer.
    pub sale: Option<Sale>,
    /// Whether it can be booked.
    pub bookable: Choice,
    /// Whether bikes are carried.
    pub bike_carriage: Choice,
    /// Whether it is published.
    pub published: bool,
    /// The progress of the work.
    pub progress: Option<Progress>,
    /// 0 normal, 1 favoured, 2 priority.
    pub display_priority: u8,
    /// Handed to the product's own apps.
    pub distribute_own: bool,
    /// Handed to other apps.
    pub distribute_partners: bool,
    /// The owner of the rights.
    pub copyright: &'static str,
    /// Keys of pictures, the cover first.
    pub pictures: &'static [&'static str],
    /// Keys of points of interest along it.
    pub pois: Vec<String>,
    /// Its recording.
    pub trace: SourceTrace,
}

/// A stop of a sheet: place, kind, French title, English title; empty titles: the place's name.
pub type Stop = (&'static str, StepKind, &'static str, &'static str);

/// A sheet as written.
#[derive(Debug, Clone, Copy)]
pub struct Sheet {
    pub key: &'static str,
    pub white_label: &'static str,
    pub published_on: &'static [&'static str],
    pub author: &'static str,
    pub title: [&'static str; 2],
    pub subtitle: [&'static str; 2],
    pub summary: [&'static str; 2],
    pub description: [&'static str; 2],
    pub practice: &'static str,
    pub level: &'static str,
    pub special_levels: &'static [&'static str],
    pub themes: &'static [&'static str],
    pub tags: &'static [&'static str],
    pub markings: &'static [&'static str],
    pub equipment: &'static [&'static str],
    pub is_loop: Option<bool>,
    pub is_stay: Option<bool>,
    pub relation: Relation,
    pub parent: Option<&'static str>,
    pub mood: Mood,
    pub stops: &'static [Stop],
    pub cause: Option<Cause>,
    pub mode: TraceMode,
    pub day: &'static str,
    pub availability: &'static [Period],
    pub sale: Option<Sale>,
    pub bookable: Choice,
    pub bike_carriage: Choice,
    pub published: bool,
    pub progress: Option<Progress>,
    pub display_priority: u8,
    pub distribute_partners: bool,
    pub pictures: &'static [&'static str],
}

/// What a sheet has when it says nothing.
pub const BASE: Sheet = Sheet {
    key: "",
    white_label: "val-d-orsel",
    published_on: &[],
    author: "editor",
    title: ["", ""],
    subtitle: ["", ""],
    summary: ["", ""],
    description: ["", ""],
    practice: "randonnee",
    level: "general-facile",
    special_levels: &[],
    themes: &[],
    tags: &[],
    markings: &[],
    equipment: &["eau", "chaussures-marche"],
    is_loop: None,
    is_stay: None,
    relation: Relation::None,
    parent: None,
    mood: Mood::Walk,
    stops: &[],
    cause: None,
    mode: TraceMode::Planner,
    day: "2026-06-14",
    availability: &[],
    sale: None,
    bookable: Choice::No,
    bike_carriage: Choice::No,
    published: true,
    progress: None,
    display_priority: 0,
    distribute_partners: true,
    pictures: &[],
};

/// Every parcours, on the region's ways.
pub fn parcours(region: &Region, pois: &[Poi]) -> Vec<Parcours> {
    let graph = Graph::new(&region.elements);
    let nearby = Nearby::new(graph.segments());
    let sheets = orsel::SHEETS.iter().chain(&sauvelle::SHEETS).chain(&agency::SHEETS);
    sheets.filter_map(|sheet| placed(sheet, region, &graph, &nearby, pois)).collect()
}

fn placed(sheet: &Sheet, region: &Region, graph: &Graph, nearby: &Nearby, pois: &[Poi]) -> Option<Parcours> {
    let stops: Vec<i64> = sheet.stops.iter().filter_map(|stop| stop_node(sheet, stop.0, region, graph)).collect();
    let trespass = sheet.cause == Some(Cause::Forbidden);
    let (journey, at) = travelled(graph, &stops, sheet.mood, trespass)?;
    let order = Order {
        key: sheet.key,
        name: sheet.title[0],
        mood: sheet.mood,
        cause: sheet.cause,
        mode: sheet.mode,
        day: sheet.day,
    };
    let trace = traces::record(&order, graph, &journey, nearby);
    let steps =
        sheet.stops.iter().zip(&stops).zip(at).map(|((stop, node), at_m)| step(stop, *node, at_m, graph)).collect();
    let text = |[fr, en]: [&str; 2]| Text::new(fr, en);
    Some(Parcours {
        key: sheet.key,
        white_label: sheet.white_label,
        published_on: sheet.published_on,
        author: sheet.author,
        title: text(sheet.title),
        subtitle: text(sheet.subtitle),
        summary: text(sheet.summary),
        description: text(sheet.description),
        practice: sheet.practice,
        level: sheet.level,
        special_levels: sheet.special_levels,
        themes: sheet.themes,
        tags: sheet.tags,
        markings: sheet.markings,
        equipment: sheet.equipment,
        is_loop: sheet.is_loop,
        is_stay: sheet.is_stay,
        relation: sheet.relation,
        parent: sheet.parent,
        steps,
        availability: sheet.availability,
        sale: sheet.sale,
        bookable: sheet.bookable,
        bike_carriage: sheet.bike_carriage,
        published: sheet.published,
        progress: sheet.progress,
        display_priority: sheet.display_priority,
        distribute_own: sheet.published,
        distribute_partners: sheet.distribute_partners,
        copyright: match sheet.white_label {
            "val-d-orsel" => "Office de tourisme du Val d’Orsel",
            "pays-de-sauvelle" => "Pays de Sauvelle",
            _ => "Sentes & Rivières",
        },
        pictures: sheet.pictures,
        pois: along(&trace, pois),
        trace,
    })
}

fn stop_node(sheet: &Sheet, name: &str, region: &Region, graph: &Graph) -> Option<i64> {
    let place = region.place(name)?;
    graph.nearest(ground::spot(place.lon, place.lat), sheet.mood)
}

/// The journey through the stops, and how far along it each is, metres.
fn travelled(graph: &Graph, stops: &[i64], mood: Mood, trespass: bool) -> Option<(Journey, Vec<f64>)> {
    let mut whole = Journey { nodes: vec![*stops.first()?], ways: Vec::new() };
    let (mut at_m, mut passed) = (0.0, vec![0.0]);
    for (index, leg) in stops.windows(2).enumerate() {
        // Only from gate to gate does it go where it may not.
        let part = graph.journey(leg[0], leg[1], mood, trespass && index == 1)?;
        at_m += part.nodes.windows(2).map(|pair| distance(graph.spot(pair[0]), graph.spot(pair[1]))).sum::<f64>();
        whole.nodes.extend(&part.nodes[1..]);
        passed.push(at_m);
    }
    Some((whole, passed))
}

fn step(stop: &Stop, node: i64, at_m: f64, graph: &Graph) -> Step {
    let (place, kind, fr, en) = *stop;
    let or_place = |title: &str| if title.is_empty() { place.to_owned() } else { title.to_owned() };
    let (lon, lat) = ground::degrees(graph.spot(node));
    Step {
        kind,
        title: Text::new(or_place(fr), or_place(en)),
        description: words(kind),
        lon,
        lat,
        at_m,
        nights: match kind {
            StepKind::Night | StepKind::StepNight => Some(1),
            StepKind::Nights => Some(2),
            _ => None,
        },
        practice: None,
    }
}

/// The text of a step of a kind that needs one.
fn words(kind: StepKind) -> Text {
    let (fr, en) = match kind {
        StepKind::Advice => (
            "<p>Passage délicat par temps humide : ralentissez, et faites demi-tour si l’eau est haute.</p>",
            "<p>Take care here in wet weather: slow down, and turn back when the water is high.</p>",
        ),
        StepKind::OptionalStep => (
            "<p>Un détour de quelques minutes, à garder pour les jours sans hâte.</p>",
            "<p>A few minutes’ detour, for days without hurry.</p>",
        ),
        StepKind::Night | StepKind::Nights | StepKind::StepNight => (
            "<p>Gîte et hôtel à deux pas de la place. Local fermé pour les vélos, linge séché pour le matin.</p>",
            "<p>Hostel and hotel a step from the square. Locked bike store, clothes dry by morning.</p>",
        ),
        _ => ("", ""),
    };
    Text::new(fr, en)
}

/// The points of interest within 150 m of the recording, twelve at most, in the order they come.
fn along(trace: &SourceTrace, pois: &[Poi]) -> Vec<String> {
    let recorded: Vec<_> = trace.recorded.iter().map(|[lon, lat]| ground::spot(*lon, *lat)).collect();
    let mut found: Vec<(usize, &str)> = pois
        .iter()
        .filter_map(|poi| {
            let here = ground::spot(poi.lon, poi.lat);
            let index = recorded.iter().position(|spot| distance(*spot, here) < 150.0)?;
            Some((index, poi.key.as_str()))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().take(12).map(|(_, key)| key.to_owned()).collect()
}

//! Reads an item, maps its fields and measures its line: the part of an import that needs no database, on a thread for blocking work.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use app::markup::{as_plain, sanitise_long};
use connect::http::{FetchError, Fetched, Fetcher};
use content::parcours::compute::{Ask, compute, step, steps_between};
use domain::imports::{ImportKind, ImportNote, ImportSourceSheet, ImportTarget};
use domain::parcours::line::Pace;
use domain::parcours::{Leg, LegKind, ReliabilityState, Repaired, SourceFile, TraceMode, TraceOrigin};
use domain::step::{Step, StepKind};
use domain::{Instant, Text, hexadecimal};
use feeds::MediaKind;
use feeds::incoming::{Found, ImportedMedia, ImportedRoute, Line, Names, Package, Refused};
use routing::{Profile, RouteEngine};
use serde_json::json;
use sha2::{Digest, Sha256};
use store::imports::WantedMedia;
use store::parcours::NewTrace;
use trace::{Position, Repair, RepairKind};

use super::fetch::Access;
use super::mapped::{Mapped, Meanings, mapped, rules_of};
use super::places::{self, picture};

/// The largest size of a separate line file, in bytes.
const MAX_LINE_BYTES: u64 = trace::MAX_BYTES as u64;
/// A place this near to an end of the line is that end, metres.
const END_WITHIN_M: f64 = 30.0;
/// The most media of one route.
const MAX_MEDIA: usize = 20;

/// The planner and the profiles with which a dry run scores lines.
pub(super) struct Scoring {
    pub engine: Arc<dyn RouteEngine>,
    /// The profiles by practice; none for one that is drawn by hand.
    pub profiles: HashMap<i64, Option<Profile>>,
}

/// What all items of a page are prepared with.
pub(super) struct ReadingContext {
    pub sheet: ImportSourceSheet,
    pub meanings: Meanings,
    /// Speeds by practice.
    pub paces: HashMap<i64, Pace>,
    /// In a dry run of a source whose lines are to be laid on the network.
    pub scoring: Option<Scoring>,
    pub names: Names,
    /// The headers for files with lines, where the server asks for a token.
    pub access: Option<Access>,
    /// Languages content is written in.
    pub languages: Vec<String>,
    /// The columns of the mapping that are no longer in the source.
    pub missing: Vec<String>,
    pub at: Instant,
}

/// An item ready to be written.
#[derive(Debug)]
pub(super) struct Prepared {
    pub item: String,
    pub digest: String,
    pub mapped: Mapped,
    /// Absent where the source has no line: an editor draws it here.
    pub line: Option<PreparedLine>,
    /// Whether its line was scored, and is below the threshold or cannot be scored.
    pub is_unreliable: bool,
    pub steps: Vec<Step>,
    pub media: Vec<WantedMedia>,
    /// What its source says and no field of Jalon takes.
    pub said: BTreeMap<String, String>,
    /// The items that its source shows under it.
    pub under: Vec<String>,
}

/// An item that cannot be taken, with what the mapping is made from: without it a person could not say which of its fields is the title.
#[derive(Debug)]
pub(super) struct Unfit {
    pub note: ImportNote,
    pub title: String,
    /// Its words for our lists.
    pub words: BTreeMap<(&'static str, String), Text>,
    /// Its fields, with the beginning of their values.
    pub fields: BTreeMap<String, String>,
}

impl Unfit {
    fn of(mapped: Mapped, note: ImportNote) -> Self {
        Self { note, title: mapped.title(), words: mapped.words, fields: mapped.fields }
    }
}

impl From<ImportNote> for Box<Unfit> {
    fn from(note: ImportNote) -> Self {
        Self::new(Unfit::of(Mapped::default(), note))
    }
}

/// A line ready to be written.
#[derive(Debug)]
pub(super) struct PreparedLine {
    pub trace: NewTrace,
    /// Checksum of the line as it came.
    pub sum: String,
    /// The checksum that it had in earlier versions, where they gave its item another name.
    pub former_sum: Option<String>,
    /// The line as a file, kept for good.
    pub file: Vec<u8>,
    /// Whether the file it came from stops in the middle.
    pub is_truncated: bool,
}

/// The line of a route as it came, and what was repaired in it.
struct ReadLine {
    line: Vec<Position>,
    repairs: Vec<Repair>,
}

/// Checksum of bytes, the first 128 bits of SHA-256: distinguishes versions of one thing.
pub(crate) fn sum_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes)[..16])
}

/// A refused file as a note of the run.
pub(crate) fn note_of(refused: &Refused) -> ImportNote {
    refused.params.iter().fold(ImportNote::new(refused.code), |note, (name, value)| note.with(name, value))
}

/// A failed request as a note of the run.
pub(crate) fn note_of_fetch(error: &FetchError) -> ImportNote {
    error.params().into_iter().fold(ImportNote::new(error.code()), |note, (name, value)| note.with(name, value))
}

/// Reads and works out one item.
pub(super) fn prepare(
    context: &ReadingContext,
    fetcher: &Fetcher,
    package: &Package,
    index: usize,
    digest: String,
) -> Result<Prepared, Box<Unfit>> {
    let mut route = package.read(index, &context.names).map_err(|refused| note_of(&refused))?;
    for found in route.fields.values_mut() {
        // Texts in languages that this server does not use are left out.
        if let Found::Text(text) = found {
            let ours = text.iter().filter(|(language, _)| context.languages.iter().any(|own| own == language));
            *text = ours.map(|(language, words)| (language.to_owned(), words.to_owned())).collect();
        }
    }
    let mut mapped = mapped(&route, &context.sheet, &context.meanings, &|field: &str| package.has_field(field));
    mapped.notes.extend(route.left.iter().map(note_of));
    sanitise_long(&mapped.patch);
    let titled = mapped.patch.get("title").and_then(|title| title.as_object()).is_some_and(|title| !title.is_empty());
    if !titled {
        return Err(Box::new(Unfit::of(mapped, without_title(context))));
    }
    // Tourist information systems often describe a tour without a line: it is imported, and an editor draws its line here.
    let may_lack_line = matches!(context.sheet.kind, ImportKind::Apidae | ImportKind::Datatourisme | ImportKind::Jalon);
    let line = if may_lack_line && route.line == Line::Missing {
        mapped.notes.push(ImportNote::new("import/line-to-draw").on("trace"));
        None
    } else {
        match line_of(&route, fetcher, context.access.as_ref()) {
            Ok(came) => Some(came),
            // A point comes only with the points of interest of its source.
            Err(_) if places::has_places(context.sheet.kind) && package.position(index).is_some() => {
                return Err(Box::new(Unfit::of(mapped, ImportNote::new("import/point"))));
            }
            Err(note) => return Err(Box::new(Unfit::of(mapped, note))),
        }
    };
    if let Some(came) = &line {
        check_length(&mut mapped, &came.line);
    }
    let practice = mapped.patch.get("practice_type_id").and_then(serde_json::Value::as_i64);
    let pace = practice.and_then(|id| context.paces.get(&id)).copied().unwrap_or_default();
    let former = line.as_ref().zip(package.former_id(index));
    let former_sum = former.map(|(came, name)| sum_of(&file_of(name, &came.line)));
    let ask = line.map(|came| ask_of(&route, &mapped, context, came, pace));
    let mut is_unreliable = false;
    if let (Some((_, ask)), Some(scoring)) = (&ask, &context.scoring) {
        let profile = practice.map_or(Some(Profile::Hiking), |id| scoring.profiles.get(&id).copied().flatten());
        let note = unreliable(scoring.engine.as_ref(), ask.clone(), profile);
        is_unreliable = note.is_some();
        mapped.notes.extend(note);
    }
    let line = ask.map(|(file, ask)| PreparedLine { former_sum, ..prepared_line(file, ask) });
    let steps = steps_of(&route, &mapped, context, line.as_ref().map(|line| &line.trace), pace);
    let mut media = media_of(&route);
    media.extend(wanted_of(&mapped.photos.drain(..).map(picture).collect::<Vec<_>>()));
    media.truncate(MAX_MEDIA);
    Ok(Prepared {
        item: route.id,
        digest,
        line,
        is_unreliable,
        steps,
        media,
        mapped,
        said: route.said,
        under: route.steps,
    })
}

/// The refusal of an item without a title. It names the columns that the title came from where they are no longer in the source.
fn without_title(context: &ReadingContext) -> ImportNote {
    let rules = rules_of(&context.sheet);
    let from = rules.iter().filter(|rule| rule.to == ImportTarget::Title).flat_map(|rule| &rule.from);
    let lost: Vec<&str> = from.filter(|from| context.missing.contains(from)).map(String::as_str).collect();
    if lost.is_empty() {
        return ImportNote::new("import/no-title");
    }
    ImportNote::new("import/no-title-column").with("column", lost.join(", "))
}

/// Reports a length of the source that is less than half of its line, or more than twice as long.
fn check_length(mapped: &mut Mapped, line: &[Position]) {
    let Some(typed_m) = mapped.distance_m else { return };
    let measured_m = trace::measure(line).distance_m;
    if (measured_m * 0.5..=measured_m * 2.0).contains(&typed_m) {
        return;
    }
    let metres = |metres: f64| format!("{metres:.0}");
    let note = ImportNote::new("import/length-far").with("typed", metres(typed_m));
    let note = note.with("measured", metres(measured_m));
    mapped.notes.push(note.on("distance_m"));
}

/// The line as a file, and the request for its trace. A later job matches the trace to the network, so that an import of thousands does not
/// wait for it.
fn ask_of(
    route: &ImportedRoute,
    mapped: &Mapped,
    context: &ReadingContext,
    read: ReadLine,
    pace: Pace,
) -> (Vec<u8>, Ask) {
    let ReadLine { line, repairs } = read;
    let file = file_of(&route.id, &line);
    let source_file = SourceFile {
        name: format!("{}.geojson", content::parcours::compute::clean_name(&route.id)),
        format: "geojson".to_owned(),
        bytes: file.len() as u64,
        points: line.len() as u64,
        sha256: app::token::checksum(&file),
        join: None,
        without_repairs: Vec::new(),
    };
    let ask = Ask {
        legs: vec![Leg { kind: LegKind::Source, line }],
        mode: TraceMode::Source,
        profile: None,
        pace,
        origin: TraceOrigin::Imported,
        source_file: Some(source_file),
        repairs: repairs.iter().map(repaired).collect(),
        pieces: 1,
        source_gaps: json!([]),
        source_line: None,
        model_heights: false,
        distance_typed_m: mapped.distance_m,
        duration_typed_s: mapped.duration_s,
        duration_recorded_s: None,
        ignored: Vec::new(),
        at: context.at,
    };
    (file, ask)
}

/// The line of an item with this name as a file.
pub(super) fn file_of(name: &str, line: &[Position]) -> Vec<u8> {
    let document = trace::write::Document {
        name: Some(name.to_owned()),
        line: line.iter().map(|position| (*position).into()).collect(),
        ..trace::write::Document::default()
    };
    trace::write::geojson(&document).into_bytes()
}

/// The form in which a repair is stored with a trace. An editor cannot undo this repair: the stored file contains the repaired line.
fn repaired(repair: &Repair) -> Repaired {
    Repaired {
        id: repair.kind.as_str().to_owned(),
        kind: repair.kind.as_str().to_owned(),
        count: repair.count as u64,
        line: repair.line.map(|line| line as u64),
        undoable: false,
    }
}

fn prepared_line(file: Vec<u8>, ask: Ask) -> PreparedLine {
    let is_truncated = ask.repairs.iter().any(|repair| repair.kind == RepairKind::Truncated.as_str());
    PreparedLine { trace: compute(None, ask), sum: sum_of(&file), former_sum: None, file, is_truncated }
}

/// The remark on a line that is below the threshold of guidance, or cannot be scored: its per cent and the cause that costs most.
fn unreliable(engine: &dyn RouteEngine, ask: Ask, profile: Option<Profile>) -> Option<ImportNote> {
    // A practice that is drawn by hand has no profile, and no score.
    profile?;
    let summary = compute(Some(engine), Ask { mode: TraceMode::Planner, profile, ..ask }).summary;
    let scored = summary.reliability.as_ref();
    match summary.reliability_state {
        ReliabilityState::Low => {
            let gaps = scored.and_then(|scored| scored["gaps"].as_array());
            let mut costs: BTreeMap<&str, f64> = BTreeMap::new();
            for gap in gaps.into_iter().flatten() {
                *costs.entry(gap["cause"].as_str().unwrap_or_default()).or_default() +=
                    gap["points"].as_f64().unwrap_or_default();
            }
            let worst = costs.iter().max_by(|one, other| one.1.total_cmp(other.1)).map(|(cause, _)| *cause);
            let percent = scored.and_then(|scored| scored["percent"].as_f64()).unwrap_or_default();
            // Rounded down: 94.9 is not 95.
            let note = ImportNote::new("import/unreliable").with("percent", format!("{:.0}", percent.floor()));
            Some(note.with("cause", worst.unwrap_or_default()).on("trace"))
        }
        ReliabilityState::NotCalculable => {
            let reason = scored.and_then(|scored| scored.pointer("/not_calculable/reason")?.as_str());
            Some(ImportNote::new("import/unreliable-unknown").with("cause", reason.unwrap_or_default()).on("trace"))
        }
        _ => None,
    }
}

/// Its places as steps, with the names of its ends. Points of a recording are passed by; all others give directions.
fn steps_of(
    route: &ImportedRoute,
    mapped: &Mapped,
    context: &ReadingContext,
    trace: Option<&NewTrace>,
    pace: Pace,
) -> Vec<Step> {
    let kind = if context.sheet.kind == ImportKind::Files { StepKind::Waypoint } else { StepKind::Step };
    let words = |text: &Text| -> Text {
        let ours = text.iter().filter(|(language, _)| context.languages.iter().any(|own| own == language));
        ours.map(|(language, words)| (language.to_owned(), as_plain(words))).collect()
    };
    let mut places: Vec<Step> = route
        .places
        .iter()
        .map(|place| step(place.kind.unwrap_or(kind), place.position, &words(&place.title), &words(&place.description)))
        .collect();
    let Some(trace) = trace else {
        // Without a line the first place is where it begins.
        for (index, step) in places.iter_mut().enumerate() {
            step.id = index as i64 + 1;
            if index == 0 {
                step.kind = StepKind::Departure;
                if !mapped.departure.is_empty() {
                    step.title = mapped.departure.clone();
                }
            }
        }
        return places;
    };
    let line = trace.line();
    let is_end = |step: Option<&Step>, end: Option<&Position>| {
        step.zip(end).is_some_and(|(step, end)| trace::distance_m(step.position, *end) < END_WITHIN_M)
    };
    // Many number the departure and the arrival too: each is one step, not two.
    let arrival = (places.len() > 1 && is_end(places.last(), line.last())).then(|| places.pop()).flatten();
    let departure = is_end(places.first(), line.first()).then(|| places.remove(0));
    let mut steps = steps_between(places, trace, pace, 1);
    let end = |step: Option<&mut Step>, place: Option<Step>, name: &Text| {
        let Some(step) = step else { return };
        if let Some(place) = place {
            (step.title, step.description) = (place.title, place.description);
        }
        if !name.is_empty() {
            step.title = name.clone();
        }
    };
    end(steps.last_mut(), arrival, &mapped.arrival);
    end(steps.first_mut(), departure, &mapped.departure);
    steps
}

/// The media of a route, pictures before other files: the first one is its main picture.
fn media_of(route: &ImportedRoute) -> Vec<WantedMedia> {
    wanted_of(&route.media)
}

/// The media in the order in which they are fetched: pictures before other files.
pub(super) fn wanted_of(media: &[ImportedMedia]) -> Vec<WantedMedia> {
    let (pictures, others): (Vec<_>, Vec<_>) = media.iter().partition(|media| media.kind == MediaKind::Image);
    let wanted = |media: &ImportedMedia| WantedMedia {
        url: media.url.clone(),
        legend: media.legend.clone(),
        alt: media.alt.clone(),
        author: media.author.clone(),
        licence: media.licence.clone(),
    };
    pictures.into_iter().chain(others).take(MAX_MEDIA).map(wanted).collect()
}

/// The one line of a route: several pieces need a decision of a person, and an import has none.
fn line_of(route: &ImportedRoute, fetcher: &Fetcher, access: Option<&Access>) -> Result<ReadLine, ImportNote> {
    let (pieces, repairs) = match &route.line {
        Line::Pieces(pieces) => (pieces.clone(), route.repairs.clone()),
        Line::At(url) => fetched(url, fetcher, access)?,
        Line::Unfit(refused) => return Err(note_of(refused)),
        Line::Missing => return Err(ImportNote::new("import/no-line")),
    };
    match <[Vec<Position>; 1]>::try_from(pieces) {
        Ok([line]) if line.len() > 1 => Ok(ReadLine { line, repairs }),
        Ok(_) => Err(ImportNote::new("import/no-line")),
        Err(pieces) => Err(ImportNote::new("import/pieces").with("pieces", pieces.len().to_string())),
    }
}

/// The pieces of a line that is a file of its own, and what was repaired in it.
type Pieces = (Vec<Vec<Position>>, Vec<Repair>);

fn fetched(url: &str, fetcher: &Fetcher, access: Option<&Access>) -> Result<Pieces, ImportNote> {
    let got = super::fetch::file(fetcher, access, url, MAX_LINE_BYTES);
    let Fetched::New { bytes, .. } = got.map_err(|error| note_of_fetch(&error).on("trace"))? else {
        return Err(ImportNote::new("import/no-line"));
    };
    let reading = trace::read(&bytes, url).map_err(|error| note_of(&error.into()).on("trace"))?;
    Ok((reading.joined(), reading.repairs))
}

//! What the readers collect, before repair: lines of raw points with their place in the text.

use crate::error::{MAX_POINTS, ReadError, ReadErrorKind};
use crate::model::{Format, RepairKind, Waypoint};

/// A point as read: usable coordinates, the rest unchecked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RawPoint {
    pub lon: f64,
    pub lat: f64,
    pub ele: Option<f64>,
    pub time_ms: Option<i64>,
    /// Offset in the text.
    pub at: usize,
}

/// What a line was in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    Track,
    Route,
}

/// A line as the file has it, before repairs.
#[derive(Debug)]
pub struct RawLine {
    pub kind: LineKind,
    pub name: Option<String>,
    /// Its file says that its heights are of a ground model.
    pub has_model_heights: bool,
    pub points: Vec<RawPoint>,
}

/// Counts of one thing, with the offset of the first.
#[derive(Debug, Clone, Copy)]
pub struct Note {
    pub kind: RepairKind,
    pub count: usize,
    pub at: Option<usize>,
}

/// Whether coordinates can be a place.
enum Place {
    Sound { lat: f64, lon: f64 },
    OutOfWorld,
    Invalid,
}

/// What a reader found in a file, before repairs.
#[derive(Debug)]
pub struct Draft {
    pub format: Format,
    pub name: Option<String>,
    pub description: Option<String>,
    pub lines: Vec<RawLine>,
    pub waypoints: Vec<Waypoint>,
    /// Points of routes that have a name: waypoints too, unless the routes are left out.
    pub route_points: Vec<Waypoint>,
    pub notes: Vec<Note>,
    /// Points without numbers, and points outside the world: how many, the first one's offset.
    pub invalid: (usize, Option<usize>),
    pub out_of_world: (usize, Option<usize>),
    /// Offset of the root element, for what concerns the whole file.
    pub root_at: Option<usize>,
    /// All points of lines, good or not.
    pub seen: usize,
}

impl Draft {
    pub const fn new(format: Format) -> Self {
        Self {
            format,
            name: None,
            description: None,
            lines: Vec::new(),
            waypoints: Vec::new(),
            route_points: Vec::new(),
            notes: Vec::new(),
            invalid: (0, None),
            out_of_world: (0, None),
            root_at: None,
            seen: 0,
        }
    }

    /// Begins a line; the points that follow belong to it. A line without points is taken over.
    pub fn begin_line(&mut self, kind: LineKind, name: Option<String>) {
        let name = name.map(short_name);
        if let Some(last) = self.lines.last_mut().filter(|line| line.points.is_empty()) {
            (last.kind, last.name, last.has_model_heights) = (kind, name, false);
        } else {
            self.lines.push(RawLine { kind, name, has_model_heights: false, points: Vec::new() });
        }
    }

    /// Whether the line begun last has the heights of a ground model.
    pub fn set_model_heights(&mut self, has_model_heights: bool) {
        if let Some(line) = self.lines.last_mut() {
            line.has_model_heights = has_model_heights;
        }
    }

    /// Adds a point to the line begun last, or counts why it can't be.
    pub fn push(&mut self, lat: Option<f64>, lon: Option<f64>, at: usize) -> Result<Option<&mut RawPoint>, ReadError> {
        self.seen += 1;
        if self.seen > MAX_POINTS {
            return Err(ReadError::new(ReadErrorKind::TooManyPoints));
        }
        let count = match place(lat, lon) {
            Place::Sound { lat, lon } => {
                if self.lines.is_empty() {
                    self.begin_line(LineKind::Track, None);
                }
                let Some(line) = self.lines.last_mut() else { return Ok(None) };
                line.points.push(RawPoint { lon, lat, ele: None, time_ms: None, at });
                return Ok(line.points.last_mut());
            }
            Place::OutOfWorld => &mut self.out_of_world,
            Place::Invalid => &mut self.invalid,
        };
        count.0 += 1;
        count.1.get_or_insert(at);
        Ok(None)
    }

    /// Adds a waypoint, unless its place is not valid.
    pub fn push_waypoint(
        &mut self,
        lat: Option<f64>,
        lon: Option<f64>,
        ele: Option<f64>,
        words: WaypointWords,
    ) -> Result<(), ReadError> {
        if self.waypoints.len() >= MAX_POINTS {
            return Err(ReadError::new(ReadErrorKind::TooManyPoints));
        }
        self.waypoints.extend(waypoint(lat, lon, ele, words));
        Ok(())
    }

    pub fn note(&mut self, kind: RepairKind, count: usize, at: Option<usize>) {
        if count > 0 {
            self.notes.push(Note { kind, count, at });
        }
    }
}

/// The texts of a waypoint.
#[derive(Debug, Default)]
pub struct WaypointWords {
    pub name: Option<String>,
    pub description: Option<String>,
    pub symbol: Option<String>,
}

/// A waypoint, unless its place is not valid.
pub fn waypoint(lat: Option<f64>, lon: Option<f64>, ele: Option<f64>, words: WaypointWords) -> Option<Waypoint> {
    let Place::Sound { lat, lon } = place(lat, lon) else { return None };
    let position = crate::Position { lon, lat, ele: ele.filter(|ele| crate::SOUND_HEIGHTS_M.contains(ele)) };
    let WaypointWords { name, description, symbol } = words;
    Some(Waypoint { position, name: name.map(short_name), description, symbol, at_m: None })
}

fn place(lat: Option<f64>, lon: Option<f64>) -> Place {
    match (lat, lon) {
        (Some(lat), Some(lon)) if lat.is_finite() && lon.is_finite() => {
            if lat.abs() <= 90.0 && lon.abs() <= 180.0 {
                Place::Sound { lat, lon }
            } else {
                Place::OutOfWorld
            }
        }
        _ => Place::Invalid,
    }
}

/// The longest name and text that are kept, in characters: names are copied to each segment, and must not multiply.
const NAME_CHARS: usize = 250;
const TEXT_CHARS: usize = 20_000;

/// A name, cut where it is longer than any title.
pub fn short_name(name: String) -> String {
    clip(name, NAME_CHARS)
}

/// A text, cut where it is longer than any description.
pub fn short_text(text: String) -> String {
    clip(text, TEXT_CHARS)
}

fn clip(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.shrink_to_fit();
    }
    text
}

/// The line, from 1, of an offset.
pub fn line_at(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    1 + before.iter().map(|byte| usize::from(*byte == b'\n')).sum::<usize>()
}

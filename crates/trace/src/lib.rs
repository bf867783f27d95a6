//! Traces: reads recordings as devices and websites write them, repairs, measures, edits, simplifies and writes them.
//!
//! The main path: [`read`] takes the bytes of a file and returns a [`Reading`] (segments, waypoints, gaps, the repairs that
//! were made); [`measure`] gives its lengths and heights; [`edit`] cuts, joins and reverses lines; [`write`](mod@write)
//! makes GPX, KML and GeoJSON. [`open_archive`] opens archives (ZIP) of other readers too. [`inspect`](fn@inspect) describes a file before it is accepted. [`read_lines`] repairs lines that
//! another crate read. [`web_mercator`] is the projection of map tiles.
//!
//! No I/O, no async, and no other crate of this repository. Lengths are metres, times seconds. `docs/dev/traces.md`
//! explains the repairs and their limits.

mod archive;
mod bbox;
mod climb;
mod contract;
mod draft;
pub mod edit;
mod error;
mod inspect;
mod locate;
mod measure;
mod model;
mod part;
mod position;
mod projection;
mod read;
mod readers;
mod reading;
mod repair;
mod shape;
mod simplify;
mod time;
pub mod web_mercator;
pub mod write;

pub use archive::{ArchiveError, open_archive};
pub use bbox::{bbox, bbox_around, bbox_of, widened};
pub use climb::{ASCENT_THRESHOLD_M, CALM_THRESHOLD_M, Climbed, HeightSource, Heights, turns};
pub use contract::{BoundingBox, Place};
pub use error::{MAX_BYTES, MAX_POINTS, NotATrace, ReadError, ReadErrorKind};
pub use inspect::{Inspection, inspect};
pub use locate::{Located, even_places, locate, locate_from, position_at};
pub use measure::{Measure, measure, measure_by};
pub use model::{Format, Gap, Reading, Repair, RepairKind, Segment, TracePoint, UnknownFormat, Waypoint};
pub use part::{Part, Stretch};
pub use position::{DEGREE_OF_LATITUDE_M, EARTH_RADIUS_M, Position, cumulative_m, distance_m, rounded_degrees};
pub use read::{decoded, read, read_lines, read_without};
pub use readers::READERS;
pub use shape::{glyph, is_loop_like, start_end_distance_m};
pub use simplify::simplify;
pub use time::{civil_from_days, days_from_civil};

/// Segments closer than this are joined; further apart, a person must decide.
pub const JOIN_BELOW_M: f64 = 30.0;

/// Heights that can be: from the Dead Sea's floor to Everest, with a margin.
pub const SOUND_HEIGHTS_M: std::ops::RangeInclusive<f64> = -500.0..=9_000.0;

/// Share of a line's points whose height must be known. Below it the recorded heights are dropped, and no climb is given.
pub const MIN_KNOWN_HEIGHT_SHARE: f64 = 0.9;

/// What the fuzz target and the property tests run on any bytes: read, and if it can be read, all that is done with it.
///
/// # Panics
/// Never, or there is a bug.
#[doc(hidden)]
pub fn exercise(bytes: &[u8]) {
    let Ok(reading) = read(bytes, "fuzz") else { return };
    let line = reading.line();
    let length_m = reading.measure().distance_m;
    assert!(reading.point_count() >= 2, "a line has two points");
    assert!(length_m.is_finite(), "lengths are numbers");
    let short = simplify(&line, 10.0);
    assert!(short.len() <= line.len(), "simplifying adds nothing");
    let (a, b) = edit::cut(&line, length_m / 3.0);
    assert!(!a.is_empty() && !b.is_empty(), "a cut has two sides");
    let _ = (glyph(&line, 40.0), is_loop_like(&line), locate(&line, line[0]), reading.gaps());
    let document = write::Document::from(&reading);
    for written in [write::gpx(&document), write::kml(&document), write::geojson(&document), write::tcx(&document)] {
        assert!(!written.is_empty(), "something is written");
    }
}

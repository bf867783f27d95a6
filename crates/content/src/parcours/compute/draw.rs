//! The small drawings of a trace: ribbon, glyph, shape, box.

use domain::parcours::Drawing;
use domain::parcours::ribbon::{RibbonKind, Stretch, ribbon};
use routing::{GapCause, Reliability};
use trace::Position;

/// Points of a line on a map of many.
const SHAPE_POINTS: usize = 80;
/// The side of the glyph's box.
const GLYPH_SIZE: f64 = 40.0;

/// The drawing of a line with its stretches.
pub(super) fn drawing(line: &[Position], (length_m, stretches): (f64, Vec<Stretch>)) -> Drawing {
    Drawing {
        ribbon: ribbon(length_m, stretches),
        glyph: Some(trace::glyph(line, GLYPH_SIZE)).filter(|path| !path.is_empty()),
        start: line.first().map(|position| [position.lon, position.lat]),
    }
}

/// The stretches of a scored line, and its length: they run along the source.
pub(super) fn stretches(reliability: &Reliability, free: &[(f64, f64)], length_m: f64) -> (f64, Vec<Stretch>) {
    let gaps = reliability.gaps.iter().filter(|gap| gap.cause != GapCause::KeptOffNetwork).map(|gap| Stretch {
        from_m: gap.from_m,
        to_m: gap.to_m,
        kind: if gap.judged { RibbonKind::OffNetwork } else { RibbonKind::Unjudged },
    });
    let free = free.iter().map(|&(from_m, to_m)| Stretch { from_m, to_m, kind: RibbonKind::OffNetwork });
    (length_m, gaps.chain(free).collect())
}

/// The ribbon of a line that was not scored.
pub(super) fn unjudged(length_m: f64) -> (f64, Vec<Stretch>) {
    (length_m, vec![Stretch { from_m: 0.0, to_m: length_m, kind: RibbonKind::Unjudged }])
}

/// A line with few points.
pub(super) fn shape(line: &[Position]) -> Vec<Position> {
    let Some([west, south, east, north]) = trace::bbox(line) else { return Vec::new() };
    let across_m = trace::distance_m(Position::new(west, south), Position::new(east, north));
    let mut tolerance_m = (across_m / 200.0).max(5.0);
    let mut few = trace::simplify(line, tolerance_m);
    while few.len() > SHAPE_POINTS {
        tolerance_m *= 1.6;
        few = trace::simplify(&few, tolerance_m);
    }
    few
}

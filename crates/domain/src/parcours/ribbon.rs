//! The ribbon: a trace unrolled as a strip, a colour for each stretch.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of a stretch of the ribbon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RibbonKind {
    /// On the network.
    Planned,
    /// Off the network.
    OffNetwork,
    /// Not judged: a hole, or outside the extract.
    Unjudged,
    Closed,
}

/// A stretch of the ribbon, as shares of the way.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RibbonPart {
    /// Where it starts, 0 to 1.
    pub from: f64,
    /// Where it ends, 0 to 1.
    pub to: f64,
    pub kind: RibbonKind,
}

/// A stretch of a trace that is not plainly on the network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Metres from the start.
    pub from_m: f64,
    /// Metres from the start.
    pub to_m: f64,
    pub kind: RibbonKind,
}

/// A shorter stretch is drawn with this share of the width, else it is invisible.
const MIN_SHARE: f64 = 0.01;
/// The most parts of a ribbon 88 pixels wide.
const MAX_PARTS: usize = 60;

/// The ribbon of a trace: planned but for its stretches.
pub fn ribbon(length_m: f64, mut stretches: Vec<Stretch>) -> Vec<RibbonPart> {
    if length_m <= 0.0 {
        return Vec::new();
    }
    stretches.sort_by(|a, b| a.from_m.total_cmp(&b.from_m));
    let mut parts: Vec<RibbonPart> = Vec::new();
    let mut drawn_to = 0.0;
    for stretch in stretches {
        let from = (stretch.from_m / length_m).clamp(drawn_to, 1.0);
        let to = (stretch.to_m / length_m).max(from + MIN_SHARE).min(1.0);
        if to <= from {
            continue;
        }
        push(&mut parts, drawn_to, from, RibbonKind::Planned);
        push(&mut parts, from, to, stretch.kind);
        drawn_to = to;
    }
    push(&mut parts, drawn_to, 1.0, RibbonKind::Planned);
    parts.truncate(MAX_PARTS);
    if let Some(last) = parts.last_mut() {
        last.to = 1.0;
    }
    parts
}

fn push(parts: &mut Vec<RibbonPart>, from: f64, to: f64, kind: RibbonKind) {
    let (from, to) = (thousandth(from), thousandth(to));
    if to <= from {
        return;
    }
    match parts.last_mut() {
        Some(last) if last.kind == kind => last.to = to,
        _ => parts.push(RibbonPart { from, to, kind }),
    }
}

fn thousandth(share: f64) -> f64 {
    (share * 1_000.0).round() / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use RibbonKind::{OffNetwork, Planned, Unjudged};

    fn drawn(length_m: f64, stretches: &[(f64, f64, RibbonKind)]) -> Vec<(f64, f64, RibbonKind)> {
        let stretches = stretches.iter().map(|&(from_m, to_m, kind)| Stretch { from_m, to_m, kind }).collect();
        ribbon(length_m, stretches).into_iter().map(|part| (part.from, part.to, part.kind)).collect()
    }

    #[test]
    fn a_faultless_trace_is_one_part() {
        assert_eq!(drawn(5_000.0, &[]), [(0.0, 1.0, Planned)]);
        assert!(drawn(0.0, &[]).is_empty());
    }

    #[test]
    fn parts_follow_each_other_and_fill_the_whole() {
        assert_eq!(
            drawn(10_000.0, &[(9_000.0, 10_000.0, Unjudged), (1_000.0, 2_500.0, OffNetwork)]),
            [(0.0, 0.1, Planned), (0.1, 0.25, OffNetwork), (0.25, 0.9, Planned), (0.9, 1.0, Unjudged)]
        );
    }

    #[test]
    fn a_short_stretch_can_still_be_seen_and_overlaps_do_not_fold_back() {
        assert_eq!(
            drawn(10_000.0, &[(5_000.0, 5_002.0, OffNetwork), (5_000.0, 5_050.0, OffNetwork)]),
            [(0.0, 0.5, Planned), (0.5, 0.52, OffNetwork), (0.52, 1.0, Planned)]
        );
    }
}

//! Finds the places that need an instruction: turns, forks, changes of name, roundabouts, ferries, steps.

use super::words::Way;
use crate::{
    attributes::flag,
    geometry::{LOOK_M, at_m, bearing_deg, stored_turn_deg},
    line::{Ground, Measured, Span},
    planner::Planner,
    profile::{Mode, Rules},
};
use routing::{InstructionKind, WayKind};

/// From this angle on a bend is a turn, in degrees.
const TURN_DEG: f64 = 40.0;
/// Below this angle the line goes straight on.
const STRAIGHT_DEG: f64 = 20.0;
/// From this angle on a turn is sharp.
const SHARP_DEG: f64 = 120.0;
/// From this angle on it is a U-turn.
const BACK_DEG: f64 = 170.0;

/// An instruction before it is put into words.
#[derive(Debug, Clone)]
pub(crate) struct Cue<'a> {
    pub kind: InstructionKind,
    /// Index of the point of the line.
    pub point: usize,
    pub way: Way<'a>,
    pub exit: Option<u8>,
    /// Direction of travel at departure; number of the point passed.
    pub bearing_deg: f64,
    pub number: usize,
}

struct Finder<'a> {
    planner: &'a Planner<'a>,
    measured: &'a Measured<'a>,
    cues: Vec<Cue<'a>>,
    /// Angles of the ways not taken at the junction under way.
    others: Vec<f64>,
}

/// All cues of a line in order.
pub(crate) fn find<'a>(planner: &'a Planner<'a>, measured: &'a Measured<'a>, borders: &[usize]) -> Vec<Cue<'a>> {
    let mut finder = Finder { planner, measured, cues: Vec::new(), others: Vec::new() };
    finder.spans();
    let last = measured.line.points.len() - 1;
    let way_at_end = measured.line.spans.last().map_or(UNKNOWN, |s| finder.way(s));
    let way_at_start = measured.line.spans.first().map_or(UNKNOWN, |s| finder.way(s));
    let depart = Cue { bearing_deg: finder.bearing_after(0), ..finder.cue(InstructionKind::Depart, 0, way_at_start) };
    let mut cues = vec![depart];
    let inner = borders.get(1..borders.len().saturating_sub(1)).unwrap_or_default();
    let vias = inner
        .iter()
        .enumerate()
        .map(|(i, point)| Cue { number: i + 1, ..finder.cue(InstructionKind::Via, *point, UNKNOWN) })
        .collect::<Vec<_>>();
    cues.append(&mut finder.cues);
    cues.extend(vias);
    cues.sort_by_key(|c| (c.point, c.kind != InstructionKind::Depart, c.kind != InstructionKind::Via));
    cues.push(finder.cue(InstructionKind::Arrive, last, Way { kind: way_at_end.kind, ..UNKNOWN }));
    cues
}

const UNKNOWN: Way<'static> = Way { name: None, reference: None, kind: WayKind::Other };

impl<'a> Finder<'a> {
    fn cue(&self, kind: InstructionKind, point: usize, way: Way<'a>) -> Cue<'a> {
        Cue { kind, point, way, exit: None, bearing_deg: 0.0, number: 0 }
    }

    fn way(&self, span: &Span) -> Way<'a> {
        match span.ground {
            Ground::Link { link, .. } => {
                let (name, reference) = self.planner.view.name(self.planner.view.link(link).name);
                Way { name, reference, kind: self.planner.view.kind_of(link) }
            }
            Ground::Free => UNKNOWN,
        }
    }

    fn spans(&mut self) {
        let spans = &self.measured.line.spans;
        let mut i = 1;
        if let Some(first) = spans.first() {
            self.special(first, None);
        }
        while i < spans.len() {
            let (before, after) = (&spans[i - 1], &spans[i]);
            let turns_around = self.is_roundabout(after)
                && !self.is_roundabout(before)
                && Rules::of(self.planner.profile).mode == Mode::Bike;
            if turns_around {
                i = self.roundabout(i);
                continue;
            }
            self.joint(before, after);
            i += 1;
        }
    }

    fn joint(&mut self, before: &Span, after: &Span) {
        match (before.ground, after.ground) {
            (Ground::Free, Ground::Free) => {}
            (_, Ground::Free) => self.cues.push(self.cue(InstructionKind::OffNetwork, after.first, UNKNOWN)),
            (Ground::Free, _) => self.cues.push(self.cue(InstructionKind::Rejoin, after.first, self.way(after))),
            _ if self.special(after, Some(before)) => {}
            (Ground::Link { link: a, is_backward: back_a }, Ground::Link { link: b, is_backward: back_b }) => {
                if a == b && back_a != back_b {
                    self.cues.push(self.cue(InstructionKind::UTurn, after.first, self.way(after)));
                } else if a != b {
                    self.turn(before, after);
                }
            }
        }
    }

    /// Adds an instruction where steps or a ferry begin; returns whether `after` is one of them.
    fn special(&mut self, after: &Span, before: Option<&Span>) -> bool {
        let kind = |span: &Span| match span.ground {
            Ground::Link { link, .. } => self.planner.view.kind_of(link),
            Ground::Free => WayKind::Other,
        };
        let word = match kind(after) {
            WayKind::Steps => InstructionKind::Steps,
            WayKind::Ferry => InstructionKind::Ferry,
            _ => return false,
        };
        if before.is_none_or(|b| kind(b) != kind(after)) {
            self.cues.push(self.cue(word, after.first, self.way(after)));
        }
        true
    }

    fn turn(&mut self, before: &Span, after: &Span) {
        let (Ground::Link { link, is_backward }, Ground::Link { link: next, .. }) = (before.ground, after.ground)
        else {
            return;
        };
        let node = self.planner.view.link(link).ends[usize::from(!is_backward)];
        // Two ways meet, and no third: the line goes on.
        if self.planner.view.out_arcs(node).len() <= 2 {
            return;
        }
        let arrival = self.arrival(before);
        self.look_around(node, link, next, arrival);
        if self.others.is_empty() {
            return;
        }
        let angle = stored_turn_deg(arrival, self.departure(after));
        // The usual joint: the same street goes on and nothing forks off. No need to look at its name.
        let name_of = |link: u32| self.planner.view.link(link).name;
        if name_of(link) == name_of(next) && name_of(link) != u32::MAX && !is_unclear(angle, &self.others) {
            return;
        }
        let (from, to) = (self.way(before), self.way(after));
        if let Some(kind) = judge(angle, &self.others, from.is_same(&to), from, to) {
            self.cues.push(self.cue(kind, after.first, to));
        }
    }

    /// Angles of the other ways that could be taken from a junction.
    fn look_around(&mut self, node: u32, from: u32, to: u32, arrival: u16) {
        let (view, weights) = (&self.planner.view, &self.planner.weights);
        self.others.clear();
        for index in view.out_arcs(node) {
            let arc = view.arc(index);
            if arc.link != from && arc.link != to && weights.is_open(arc.link, arc.is_backward) {
                self.others.push(stored_turn_deg(arrival, view.link(arc.link).departure(arc.is_backward)));
            }
        }
    }

    /// Direction in which a span comes to its end: as stored, unless the line looks back further than the span.
    fn arrival(&self, span: &Span) -> u16 {
        match span.ground {
            Ground::Link { link, is_backward } if self.is_long(span) => {
                self.planner.view.link(link).arrival(is_backward)
            }
            _ => stored(self.bearing_before(span.last)),
        }
    }

    /// Direction in which a span sets out.
    fn departure(&self, span: &Span) -> u16 {
        match span.ground {
            Ground::Link { link, is_backward } if self.is_long(span) => {
                self.planner.view.link(link).departure(is_backward)
            }
            _ => stored(self.bearing_after(span.first)),
        }
    }

    fn is_long(&self, span: &Span) -> bool {
        self.measured.along_m[span.last] - self.measured.along_m[span.first] >= LOOK_M
    }

    fn bearing_before(&self, point: usize) -> f64 {
        let (points, along) = (&self.measured.line.points, &self.measured.along_m);
        bearing_deg(at_m(points, along, (along[point] - LOOK_M).max(0.0)), points[point])
    }

    fn bearing_after(&self, point: usize) -> f64 {
        let (points, along) = (&self.measured.line.points, &self.measured.along_m);
        bearing_deg(points[point], at_m(points, along, along[point] + LOOK_M))
    }

    fn is_roundabout(&self, span: &Span) -> bool {
        matches!(span.ground, Ground::Link { link, .. } if self.planner.view.flags_of(link) & flag::ROUNDABOUT != 0)
    }

    /// From the first span on a roundabout: count exits, return the index of the first span after the exit's.
    fn roundabout(&mut self, start: usize) -> usize {
        let spans = &self.measured.line.spans;
        let mut end = start;
        let mut exit = 0_u8;
        while end < spans.len() && self.is_roundabout(&spans[end]) {
            if let Ground::Link { link, is_backward } = spans[end].ground {
                let node = self.planner.view.link(link).ends[usize::from(!is_backward)];
                exit = exit.saturating_add(u8::from(self.has_exit(node)));
            }
            end += 1;
        }
        let way = spans.get(end).map_or_else(|| self.way(&spans[start]), |s| self.way(s));
        let leaves = end < spans.len();
        let cue = self.cue(InstructionKind::Roundabout, spans[start].first, way);
        self.cues.push(Cue { exit: leaves.then_some(exit.max(1)), ..cue });
        // A ferry or steps right after the exit need an instruction too.
        if let Some(after) = spans.get(end) {
            self.special(after, Some(&spans[end - 1]));
        }
        end + usize::from(leaves)
    }

    /// Whether a road that is open to bikes leaves the roundabout here.
    fn has_exit(&self, node: u32) -> bool {
        let view = &self.planner.view;
        view.out_arcs(node).map(|index| view.arc(index)).any(|arc| {
            let set = view.attributes_of(arc.link);
            let is_road = matches!(Way { name: None, reference: None, kind: set.kind }.group(), 0 | 3)
                && set.kind != WayKind::Service;
            is_road && !set.has(flag::ROUNDABOUT) && set.bike[usize::from(arc.is_backward)].is_allowed()
        })
    }
}

fn stored(bearing_deg: f64) -> u16 {
    (bearing_deg / 360.0 * 65_536.0) as i64 as u16
}

/// Whether a street that keeps its name may need an instruction here. Angles in degrees.
fn is_unclear(angle: f64, others: &[f64]) -> bool {
    let size = angle.abs();
    size >= TURN_DEG
        || (others.iter().any(|o| o.abs() < TURN_DEG)
            && (size >= STRAIGHT_DEG || others.iter().any(|o| o.abs() < size - 10.0)))
}

/// The instruction for a turn, `None` where none is needed. Angles in degrees, positive to the right; `others` are those of the ways not taken.
fn judge(angle: f64, others: &[f64], is_same_way: bool, from: Way, to: Way) -> Option<InstructionKind> {
    use InstructionKind::{Continue, SharpLeft, SharpRight, SlightLeft, SlightRight, TurnLeft, TurnRight, UTurn};
    if others.is_empty() {
        return None;
    }
    let size = angle.abs();
    let pick = |left, right| Some(if angle < 0.0 { left } else { right });
    let straighter = others.iter().any(|o| o.abs() < size - 10.0);
    let fork = others.iter().any(|o| o.abs() < TURN_DEG);
    match size {
        _ if size >= BACK_DEG => Some(UTurn),
        _ if size >= SHARP_DEG => pick(SharpLeft, SharpRight),
        // The way itself bends and nothing goes straighter on.
        _ if size >= TURN_DEG
            && is_same_way
            && !straighter
            && size < 70.0
            && from.kind == to.kind
            && (from.name.is_some() || from.reference.is_some()) =>
        {
            None
        }
        _ if size >= TURN_DEG => pick(TurnLeft, TurnRight),
        _ if fork && (size >= STRAIGHT_DEG || !is_same_way || straighter) => {
            // Which side of the fork: measured against the nearest other branch.
            let nearest = others.iter().copied().min_by(|a, b| (a - angle).abs().total_cmp(&(b - angle).abs()))?;
            Some(if angle < nearest { SlightLeft } else { SlightRight })
        }
        _ if is_same_way => None,
        _ => Some(Continue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use InstructionKind::{Continue, SharpRight, SlightLeft, TurnLeft};

    const STREET: Way<'static> = Way { name: Some("Rue A"), reference: None, kind: WayKind::Residential };
    const OTHER: Way<'static> = Way { name: Some("Rue B"), reference: None, kind: WayKind::Residential };

    #[test]
    fn nothing_is_said_where_there_is_no_choice() {
        assert_eq!(judge(-90.0, &[], false, STREET, OTHER), None);
        assert_eq!(judge(5.0, &[90.0], true, STREET, STREET), None);
    }

    #[test]
    fn turns_forks_and_new_names_are_said() {
        assert_eq!(judge(-85.0, &[0.0], false, STREET, OTHER), Some(TurnLeft));
        assert_eq!(judge(150.0, &[0.0], false, STREET, OTHER), Some(SharpRight));
        assert_eq!(judge(2.0, &[90.0], false, STREET, OTHER), Some(Continue));
        assert_eq!(judge(-25.0, &[20.0], true, STREET, STREET), Some(SlightLeft));
    }

    #[test]
    fn a_named_road_that_bends_is_followed_in_silence() {
        assert_eq!(judge(55.0, &[-80.0], true, STREET, STREET), None);
        assert!(judge(55.0, &[0.0], true, STREET, STREET).is_some());
    }
}

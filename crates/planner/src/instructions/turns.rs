//! Where a word is needed: turns, forks, changes of name, roundabouts, ferries, steps.

use super::{InstructionKind, words::Way};
use crate::{
    attributes::{WayKind, flag},
    embedded::Planner,
    geometry::{at_m, bearing_deg, position, turn_deg},
    line::{Ground, Measured, Span},
    profile::Mode,
};

/// Directions are taken over this length on either side of a junction.
const LOOK_M: f64 = 15.0;
/// From here on a bend is a turn.
const TURN_DEG: f64 = 40.0;
/// Below this it is straight on.
const STRAIGHT_DEG: f64 = 20.0;
/// From here on a turn is sharp.
const SHARP_DEG: f64 = 120.0;
/// From here on one turns back.
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
}

/// All cues of a line in order.
pub(crate) fn find<'a>(planner: &'a Planner<'a>, measured: &'a Measured<'a>, borders: &[usize]) -> Vec<Cue<'a>> {
    let mut finder = Finder { planner, measured, cues: Vec::new() };
    finder.spans();
    let last = measured.line.points.len() - 1;
    let way_at_end = measured.line.spans.last().map_or(UNKNOWN, |s| finder.way(s));
    let way_at_start = measured.line.spans.first().map_or(UNKNOWN, |s| finder.way(s));
    let depart = finder.cue(InstructionKind::Depart, 0, way_at_start);
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
        Cue { kind, point, way, exit: None, bearing_deg: self.bearing_after(point), number: 0 }
    }

    fn way(&self, span: &Span) -> Way<'a> {
        match span.ground {
            Ground::Link { link, .. } => {
                let (name, reference) = self.planner.view.name(self.planner.view.link(link).name);
                Way { name, reference, kind: self.planner.view.attributes_of(link).kind }
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
                && self.planner.profile.rules().mode == Mode::Bike;
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
                    self.turn(before, after, a, back_a, b);
                }
            }
        }
    }

    /// Steps and ferries are always said.
    fn special(&mut self, after: &Span, before: Option<&Span>) -> bool {
        let kind = |span: &Span| self.way(span).kind;
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

    fn turn(&mut self, before: &Span, after: &Span, link: u32, is_backward: bool, next: u32) {
        let point = after.first;
        let angle = turn_deg(self.bearing_before(point), self.bearing_after(point));
        let node = self.planner.view.link(link).ends[usize::from(!is_backward)];
        let others = self.other_angles(node, link, next, self.bearing_before(point));
        let (from, to) = (self.way(before), self.way(after));
        if let Some(kind) = judge(angle, &others, from.is_same(&to), from, to) {
            self.cues.push(self.cue(kind, point, to));
        }
    }

    /// Angles of the other ways that could be taken from a junction.
    fn other_angles(&self, node: u32, from: u32, to: u32, bearing: f64) -> Vec<f64> {
        let (view, weights) = (&self.planner.view, self.planner.weights);
        let mut angles = Vec::new();
        for index in view.out_arcs(node) {
            let arc = view.arc(index);
            if arc.link == from || arc.link == to || !weights.is_open(arc.link, arc.is_backward) {
                continue;
            }
            let row = view.link(arc.link);
            let shape: Vec<_> = view.shape(&row).iter().map(|c| position(*c)).collect();
            let along = crate::geometry::cumulative_m(&shape);
            let total = along[along.len() - 1];
            let (here, there) =
                if arc.is_backward { (total, (total - LOOK_M).max(0.0)) } else { (0.0, LOOK_M.min(total)) };
            angles.push(turn_deg(bearing, bearing_deg(at_m(&shape, &along, here), at_m(&shape, &along, there))));
        }
        angles
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
        self.measured.attributes(span).is_some_and(|set| set.has(flag::ROUNDABOUT))
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
        // A ferry or steps right after the exit still want their word.
        if let Some(after) = spans.get(end) {
            self.special(after, Some(&spans[end - 1]));
        }
        end + usize::from(leaves)
    }

    /// Does a road that wheels may take leave the roundabout here?
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

/// The word for a turn, `None` where nothing need be said. Right is positive.
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

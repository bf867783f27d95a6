//! A detour around a closed stretch of a line: the place where it leaves the line, the place where it returns, and the way between.
//!
//! Both ends are searched separately, from the closed stretch outwards: the one before it backwards along the line, the
//! one behind it forwards. A closed way is closed from junction to junction, so that the detour often cannot start at a place
//! beside it; the next place is then tried, for that end alone.

use crate::{PlanError, Profile, Route, RouteEngine, RouteRequest};
use trace::{Part, Position, edit::trim, locate, measure, position_at};

/// Distances from the closed stretch to the ends of the detour, tried from the nearest outwards.
const STEPS_M: [f64; 7] = [30.0, 100.0, 250.0, 500.0, 1_000.0, 2_000.0, 4_000.0];
/// A detour cannot start or end where the line is further than this from any open way.
const JOINS_WITHIN_M: f64 = 15.0;
/// A detour that runs this close to the line is still on it.
const ON_LINE_M: f64 = 10.0;
/// The largest number of routes that are requested for one closed stretch.
pub const MAX_DETOUR_ROUTES: usize = 28;

/// The request for a detour.
#[derive(Debug, Clone, Copy)]
pub struct DetourRequest<'a> {
    pub line: &'a [Position],
    /// The closed stretch: metres from the start of the line.
    pub closed_m: (f64, f64),
    /// Parts of the land to avoid: all closures, not this stretch alone.
    pub avoid: &'a [Part],
    /// Who travels.
    pub profile: Profile,
}

/// A detour.
#[derive(Debug, Clone, PartialEq)]
pub struct Detour {
    /// Where it leaves the line, metres from its start.
    pub from_m: f64,
    /// Where it returns to the line.
    pub to_m: f64,
    /// The way between.
    pub line: Vec<Position>,
    /// Its length in metres.
    pub distance_m: f64,
    /// How much longer it is than the replaced part of the line; negative when shorter.
    pub extra_m: f64,
}

/// The best detour: the one that adds the fewest metres, where open metres of the line that it leaves out count
/// as added. None where `engine` finds none with at most [`MAX_DETOUR_ROUTES`] routes, or does not answer.
pub fn detour(engine: &dyn RouteEngine, request: DetourRequest<'_>) -> Option<Detour> {
    let (from_m, to_m) = request.closed_m;
    let length_m = measure(request.line).distance_m;
    let mut search = Search { engine, request, length_m, left: MAX_DETOUR_ROUTES, best: None };
    let mut before = places(from_m.max(0.0));
    let mut behind = places((length_m - to_m).max(0.0));
    let (back, on) = search.nearest(&mut before, &mut behind)?;
    // From the first detour that is found, each end is moved while the other one stays.
    let mut leaves_m = before[back];
    let mut least = search.best.as_ref()?.0;
    for at in (0..before.len()).filter(|at| *at != back) {
        search.ask(before[at], behind[on]);
        if search.best.as_ref().is_some_and(|(score, _)| *score < least) {
            least = search.best.as_ref()?.0;
            leaves_m = before[at];
        }
    }
    for at in (0..behind.len()).filter(|at| *at != on) {
        search.ask(leaves_m, behind[at]);
    }
    search.best.map(|(_, detour)| detour)
}

/// Metres from the closed stretch at which an end is tried. The end of the line is one of them, where it is near.
fn places(room_m: f64) -> Vec<f64> {
    let mut places: Vec<f64> = STEPS_M.into_iter().filter(|step_m| *step_m < room_m).collect();
    // A closed stretch is given in whole metres: less than one metre is not usable.
    if room_m >= 1.0 && places.len() < STEPS_M.len() {
        places.push(room_m);
    }
    places
}

/// The result of one request.
enum Answer {
    /// A detour: it is kept if it is the best.
    Found,
    /// The first or the second end is on no open way.
    Off(bool, bool),
    /// Both ends are on open ways, and none leads from one to the other.
    NoWay,
    /// No more requests are to be made.
    Over,
}

struct Search<'a> {
    engine: &'a dyn RouteEngine,
    request: DetourRequest<'a>,
    length_m: f64,
    /// Requests that may still be made.
    left: usize,
    best: Option<(f64, Detour)>,
}

impl Search<'_> {
    /// The first two places between which there is a way, walking outwards from the closed stretch. Places on no open way are
    /// taken out.
    fn nearest(&mut self, before: &mut Vec<f64>, behind: &mut Vec<f64>) -> Option<(usize, usize)> {
        let (mut back, mut on) = (0, 0);
        loop {
            match self.ask(*before.get(back)?, *behind.get(on)?) {
                Answer::Found => return Some((back, on)),
                Answer::Off(first, second) => {
                    if first {
                        before.remove(back);
                        back = back.min(before.len().saturating_sub(1));
                    }
                    if second {
                        behind.remove(on);
                        on = on.min(behind.len().saturating_sub(1));
                    }
                }
                // The end whose next place is nearer moves.
                Answer::NoWay => match (before.get(back + 1), behind.get(on + 1)) {
                    (Some(first), Some(second)) if first <= second => back += 1,
                    (_, Some(_)) => on += 1,
                    (Some(_), None) => back += 1,
                    (None, None) => return None,
                },
                Answer::Over => return None,
            }
        }
    }

    fn ask(&mut self, before_m: f64, behind_m: f64) -> Answer {
        if self.left == 0 {
            return Answer::Over;
        }
        self.left -= 1;
        let DetourRequest { line, closed_m, avoid, profile } = self.request;
        let (from_m, to_m) = ((closed_m.0 - before_m).max(0.0), (closed_m.1 + behind_m).min(self.length_m));
        let (Some(from), Some(to)) = (position_at(line, from_m), position_at(line, to_m)) else { return Answer::Over };
        let request = RouteRequest { avoid: avoid.to_vec(), ..RouteRequest::new(vec![from, to], profile) };
        let route = match self.engine.route(&request) {
            Ok(route) => route,
            Err(PlanError::TooFar { index, .. } | PlanError::OutsideExtract { index }) => {
                return Answer::Off(index == 0, index != 0);
            }
            Err(PlanError::NoWay { .. }) => return Answer::NoWay,
            Err(_) => return Answer::Over,
        };
        let Some(leg) = route.legs.first() else { return Answer::Over };
        let off = (leg.snap_from_m > JOINS_WITHIN_M, leg.snap_to_m > JOINS_WITHIN_M);
        if off != (false, false) {
            return Answer::Off(off.0, off.1);
        }
        // Both ends are at one place: the start and the end of a loop. Nothing would be left of the walk.
        if route.distance_m < ON_LINE_M {
            return Answer::NoWay;
        }
        let found = self.without_the_line(route, from_m, to_m);
        let left_out_m = (found.to_m - found.from_m) - (closed_m.1 - closed_m.0);
        let score = found.extra_m.max(0.0) + left_out_m.max(0.0);
        if self.best.as_ref().is_none_or(|(least, _)| score < *least) {
            self.best = Some((score, found));
        }
        Answer::Found
    }

    /// A detour without its first and its last stretch where these follow the line itself: it begins and ends where it
    /// turns off.
    fn without_the_line(&self, route: Route, from_m: f64, to_m: f64) -> Detour {
        let DetourRequest { line, closed_m, .. } = self.request;
        let farthest_m = STEPS_M[STEPS_M.len() - 1];
        let start_m = (closed_m.0 - farthest_m).max(0.0);
        let before = trim(line, start_m, closed_m.0);
        let behind = trim(line, closed_m.1, (closed_m.1 + farthest_m).min(self.length_m));
        let points = &route.geometry;
        let first = along(points.iter(), &before, from_m - start_m);
        let last = along(points.iter().rev(), &behind, to_m - closed_m.1);
        let end = points.len().saturating_sub(1 + last.count);
        let whole = || Detour {
            from_m,
            to_m,
            distance_m: route.distance_m,
            extra_m: route.distance_m - (to_m - from_m),
            line: route.geometry.clone(),
        };
        if first.count >= end {
            return whole();
        }
        let kept = points[first.count..=end].to_vec();
        let distance_m = (route.distance_m - first.walked_m - last.walked_m).max(0.0);
        let (from_m, to_m) = (start_m + first.at_m, closed_m.1 + last.at_m);
        Detour { from_m, to_m, extra_m: distance_m - (to_m - from_m), distance_m, line: kept }
    }
}

/// How far points follow a line.
struct Along {
    /// How many points after the first one are on it.
    count: usize,
    /// Where the last of these is, metres along it.
    at_m: f64,
    /// Metres from the first point to that one.
    walked_m: f64,
}

/// How far points follow a line from the place `at_m` of it.
fn along<'a>(points: impl Iterator<Item = &'a Position>, line: &[Position], at_m: f64) -> Along {
    let mut found = Along { count: 0, at_m, walked_m: 0.0 };
    let mut before: Option<Position> = None;
    for point in points {
        if let Some(before) = before {
            let walked_m = found.walked_m + trace::distance_m(before, *point);
            // A line may pass twice at one place: take the passage that can be reached with these metres.
            let here = locate(line, *point).filter(|here| {
                here.offset_m <= ON_LINE_M && (here.at_m - at_m).abs() <= walked_m + 2.0 * JOINS_WITHIN_M
            });
            let Some(here) = here else { break };
            found = Along { count: found.count + 1, at_m: here.at_m, walked_m };
        }
        before = Some(*point);
    }
    found
}

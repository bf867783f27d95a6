//! Closures: an area or a stretch that is closed for some days and a reason.

use serde::{Deserialize, Serialize};
use trace::{Part, Position, Stretch};
use utoipa::ToSchema;

use crate::parcours::availability::is_day;
use crate::record::{Field, Rule, free, is_in_world, line, plain, sheet, text_line};
use crate::transport_line::words;
use crate::{Fault, Text};

/// A way is closed when it runs this close to a closed stretch.
const STRETCH_WITHIN_M: f64 = 15.0;
/// The most points of a shape.
const MAX_SHAPE_POINTS: usize = 5_000;
/// The longest side of its box, in degrees: about 55 km.
const MAX_SIDE_DEG: f64 = 0.5;

/// A stretch that is closed, in metres from the start of the line the applications use.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ClosedStretchView)]
pub struct ClosedStretch {
    /// Where it begins.
    pub from_m: f64,
    /// Where it ends.
    pub to_m: f64,
}

impl From<Stretch> for ClosedStretch {
    fn from(stretch: Stretch) -> Self {
        Self { from_m: stretch.from_m.round(), to_m: stretch.to_m.round() }
    }
}

/// A way round a closed stretch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Detour {
    /// Where it leaves the parcours, metres from the start.
    pub from_m: f64,
    /// Where it comes back.
    pub to_m: f64,
    /// The way between.
    pub line: Vec<Position>,
    /// Its length in metres.
    pub distance_m: f64,
    /// How much longer it is than what it replaces, in metres; negative when shorter.
    pub extra_m: f64,
}

words! {
    /// Why it is closed.
    ClosureKind {
        /// Works.
        Works "works",
        /// Snow, water, storm, rocks that may fall.
        Weather "weather",
        /// Hunting.
        Hunting "hunting",
        /// Trees felled or carried.
        Forestry "forestry",
        /// Animals or plants that are left in peace, fire.
        Protection "protection",
        /// A gathering or a race.
        Event "event",
        /// Anything else.
        Other "other",
    } default Other
}

/// What is closed, as GeoJSON writes it: degrees east and north.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "coordinates")]
pub enum ClosureShape {
    /// An area: its outer ring, closed.
    Polygon(Vec<Vec<[f64; 2]>>),
    /// A stretch of a way.
    LineString(Vec<[f64; 2]>),
}

impl ClosureShape {
    fn points(&self) -> impl Iterator<Item = [f64; 2]> {
        let (rings, line): (&[Vec<[f64; 2]>], &[[f64; 2]]) = match self {
            Self::Polygon(rings) => (rings, &[]),
            Self::LineString(line) => (&[], line),
        };
        rings.iter().flatten().chain(line).copied()
    }

    /// The part of the land it closes.
    pub fn part(&self) -> Part {
        let positions = |points: &[[f64; 2]]| points.iter().map(|[lon, lat]| Position::new(*lon, *lat)).collect();
        match self {
            Self::Polygon(rings) => Part::Area(rings.first().map(|ring| positions(ring)).unwrap_or_default()),
            Self::LineString(line) => Part::Along { line: positions(line), within_m: STRETCH_WITHIN_M },
        }
    }

    /// Whether its points are at this number of different places or more.
    fn has_places(&self, min: usize) -> bool {
        let mut places: Vec<[f64; 2]> = Vec::with_capacity(min);
        for point in self.points() {
            if places.len() < min && !places.contains(&point) {
                places.push(point);
            }
        }
        places.len() == min
    }

    fn fault(&self) -> Option<Fault> {
        let at = "/geometry";
        let count = self.points().count();
        let (is_whole, least) = match self {
            Self::Polygon(rings) => (rings.len() == 1 && count >= 4, 3),
            Self::LineString(_) => (count >= 2, 2),
        };
        if !is_whole || !self.has_places(least) {
            return Some(Fault::new("closure/shape-incomplete", at));
        }
        if count > MAX_SHAPE_POINTS {
            return Some(Fault::new("validation/too-many", at).with("max", MAX_SHAPE_POINTS));
        }
        if !self.points().all(is_in_world) {
            return Some(Fault::new("validation/position-outside-world", at));
        }
        let [west, south, east, north] = self.part().bbox()?;
        (east - west > MAX_SIDE_DEG || north - south > MAX_SIDE_DEG).then(|| Fault::new("closure/shape-too-large", at))
    }
}

impl Field for Option<ClosureShape> {
    fn check(&self, _rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        match self {
            Some(shape) => faults.extend(shape.fault()),
            None => faults.push(Fault::new("closure/shape-required", at)),
        }
    }
}

sheet! {
    /// What the staff say of a closure.
    ClosureSheet {
        /// Its name: « Travaux au pont des Tines ».
        title: Text = text_line(200).required(),
        /// Why, in one word.
        kind: ClosureKind = free(),
        /// Why, in words for the public.
        reason: Text = plain(2_000),
        /// First day, `YYYY-MM-DD`.
        from: String = line(10).required(),
        /// Last day, `YYYY-MM-DD`; absent while it is not known.
        to: Option<String> = line(10),
        /// What is closed.
        geometry: Option<ClosureShape> = free(),
        /// The field report that it answers.
        report_id: Option<i64> = free(),
    }
}

impl ClosureSheet {
    /// The faults between its fields.
    pub fn rules(&self) -> Vec<Fault> {
        let to = self.to.as_deref();
        let mut faults = Vec::new();
        for (end, day) in [("/from", Some(self.from.as_str())), ("/to", to)] {
            if let Some(day) = day.filter(|day| !day.is_empty() && !is_day(day)) {
                faults.push(Fault::new("validation/bad-date", end).with("value", day));
            }
        }
        // ISO days of four-digit years sort as text.
        if let Some(to) = to.filter(|to| faults.is_empty() && *to < self.from.as_str()) {
            faults.push(Fault::new("closure/order", "/to").with("from", self.from.as_str()).with("to", to));
        }
        faults
    }

    /// Its state on a day.
    pub fn state(&self, today: &str) -> ClosureState {
        if self.to.as_deref().is_some_and(|to| to < today) {
            ClosureState::Past
        } else if self.from.as_str() > today {
            ClosureState::Later
        } else {
            ClosureState::Now
        }
    }
}

/// The state of a closure today. It ends automatically after its last day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClosureState {
    /// From a later day on.
    Later,
    /// Closed today.
    Now,
    /// Open again.
    Past,
}

impl ClosureState {
    /// The state of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        [("later", Self::Later), ("now", Self::Now), ("past", Self::Past)]
            .into_iter()
            .find_map(|(name, state)| (name == word).then_some(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Sheet as _;

    fn sheet(from: &str, to: Option<&str>, geometry: Option<ClosureShape>) -> ClosureSheet {
        ClosureSheet {
            title: Text::in_french("Travaux"),
            from: from.into(),
            to: to.map(str::to_owned),
            geometry,
            ..ClosureSheet::default()
        }
    }

    fn codes(sheet: &ClosureSheet) -> Vec<String> {
        let all = sheet.faults(&["fr".to_owned()]).into_iter().chain(sheet.rules());
        all.map(|fault| format!("{} {}", fault.code, fault.field)).collect()
    }

    #[test]
    fn a_closure_has_a_shape_and_days_in_order() {
        let line = Some(ClosureShape::LineString(vec![[1.5, 42.5], [1.6, 42.5]]));
        assert!(codes(&sheet("2026-05-01", None, line.clone())).is_empty());
        assert_eq!(codes(&sheet("", None, None)), ["validation/required /from", "closure/shape-required /geometry"]);
        assert_eq!(codes(&sheet("2026-05-01", Some("2026-04-01"), line.clone())), ["closure/order /to"]);
        assert_eq!(codes(&sheet("2026-13-01", None, line)), ["validation/bad-date /from"]);
    }

    #[test]
    fn a_shape_is_whole_on_earth_and_of_a_size() {
        let of = |shape| codes(&sheet("2026-05-01", None, Some(shape)));
        assert_eq!(of(ClosureShape::LineString(vec![[1.5, 42.5]])), ["closure/shape-incomplete /geometry"]);
        assert_eq!(of(ClosureShape::Polygon(Vec::new())), ["closure/shape-incomplete /geometry"]);
        let (here, there) = ([1.5, 42.5], [1.6, 42.5]);
        for nowhere in [
            ClosureShape::LineString(vec![here, here]),
            ClosureShape::Polygon(vec![vec![here; 4]]),
            ClosureShape::Polygon(vec![vec![here, there, there, here]]),
        ] {
            assert_eq!(of(nowhere), ["closure/shape-incomplete /geometry"], "points at one place close nothing");
        }
        assert!(of(ClosureShape::LineString(vec![here, here, there])).is_empty());
        assert!(of(ClosureShape::Polygon(vec![vec![here, there, [1.6, 42.6], here]])).is_empty());
        let far = ClosureShape::LineString(vec![[1.5, 42.5], [191.0, 42.5]]);
        assert_eq!(of(far), ["validation/position-outside-world /geometry"]);
        let large = ClosureShape::LineString(vec![[1.5, 42.5], [4.5, 42.5]]);
        assert_eq!(of(large), ["closure/shape-too-large /geometry"]);
    }

    #[test]
    fn it_opens_by_itself() {
        let closure = sheet("2026-05-01", Some("2026-05-31"), None);
        assert_eq!(closure.state("2026-04-30"), ClosureState::Later);
        assert_eq!(closure.state("2026-05-31"), ClosureState::Now);
        assert_eq!(closure.state("2026-06-01"), ClosureState::Past);
        assert_eq!(sheet("2026-05-01", None, None).state("2030-01-01"), ClosureState::Now);
    }
}

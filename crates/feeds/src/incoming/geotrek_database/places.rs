//! The communes that a trek crosses, and the points of interest and services along it, found by the rules of Geotrek.

use std::collections::{HashMap, HashSet};

use super::super::shape::{Point, Shape};
use super::tables::{Row, Tables};

/// How far from a trek a POI may be, metres, where lines are not bound to paths: Geotrek's `TREK_POI_INTERSECTION_MARGIN`.
const MARGIN_M: f64 = 500.0;
/// How close to each other the points are at which a trek is looked for in communes, metres.
const SPACING_M: f64 = 30.0;
/// Metres of a degree of the equator (WGS 84), for databases in degrees: more than `trace::DEGREE_OF_LATITUDE_M`, the mean.
const DEGREE_M: f64 = 111_320.0;

/// The corners of the box around points.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    least: [f64; 2],
    most: [f64; 2],
}

impl Bounds {
    fn around(points: impl Iterator<Item = [f64; 2]>) -> Self {
        let none = Self { least: [f64::INFINITY; 2], most: [f64::NEG_INFINITY; 2] };
        points.fold(none, |bounds, at| Self {
            least: [bounds.least[0].min(at[0]), bounds.least[1].min(at[1])],
            most: [bounds.most[0].max(at[0]), bounds.most[1].max(at[1])],
        })
    }

    fn holds(&self, at: [f64; 2], margin: f64) -> bool {
        (0..2).all(|axis| at[axis] >= self.least[axis] - margin && at[axis] <= self.most[axis] + margin)
    }
}

/// A commune: its number, and the rings of its outline.
struct City<'a> {
    id: &'a str,
    bounds: Bounds,
    rings: Vec<Vec<Point>>,
}

/// The communes, and the points of interest and services, in the coordinates of the database.
pub(super) struct Places<'a> {
    cities: Vec<City<'a>>,
    /// Published POIs, and services, by number.
    pois: Vec<(&'a str, [f64; 2])>,
    /// Where they are on paths: `(position, POI or service)` by path.
    on_paths: HashMap<&'a str, Vec<(f64, &'a str)>>,
    /// The parts of paths that a topology consists of, in their order: path, start, end.
    parts: HashMap<&'a str, Vec<(&'a str, f64, f64)>>,
    excluded: HashSet<(&'a str, &'a str)>,
}

impl<'a> Places<'a> {
    pub fn of(tables: &'a Tables, shown: &HashSet<&'a str>) -> Self {
        let city = |row: Row<'a>| {
            let (shape, _) = row.shape("geom")?;
            let Shape::Areas(rings) = shape else { return None };
            let id = row.get("id").or_else(|| row.get("code"))?;
            Some(City { id, bounds: Bounds::around(rings.iter().flatten().map(|point| point.at)), rings })
        };
        let poi = |row: Row<'a>| {
            let id = row.get("id").filter(|id| shown.contains(id))?;
            let (shape, _) = row.shape("geom")?;
            Some((id, shape.points().next()?.at))
        };
        let mut ordered: HashMap<&str, Vec<(i64, &str, f64, f64)>> = HashMap::new();
        for row in tables.rows("core_pathaggregation") {
            let (Some(topology), Some(path)) = (row.get("topo_object_id"), row.get("path_id")) else { continue };
            let (start, end) = (row.float("start_position").unwrap_or(0.0), row.float("end_position").unwrap_or(1.0));
            ordered.entry(topology).or_default().push((row.number("order").unwrap_or(0), path, start, end));
        }
        let mut on_paths: HashMap<&str, Vec<(f64, &str)>> = HashMap::new();
        let mut parts = HashMap::new();
        for (topology, mut of) in ordered {
            of.sort_by_key(|(order, ..)| *order);
            for (_, path, start, _) in of.iter().filter(|_| shown.contains(topology)) {
                on_paths.entry(path).or_default().push((*start, topology));
            }
            parts.insert(topology, of.into_iter().map(|(_, path, start, end)| (path, start, end)).collect());
        }
        let excluded = tables.rows("trekking_trek_pois_excluded");
        let mut pois: Vec<(&str, [f64; 2])> = tables.rows("core_topology").filter_map(poi).collect();
        // The order of the rows of a dump means nothing.
        pois.sort_by_key(|(id, _)| id.parse::<i64>().ok());
        Self {
            cities: tables.rows("zoning_city").filter_map(city).collect(),
            pois,
            on_paths,
            parts,
            excluded: excluded.filter_map(|row| Some((row.get("trek_id")?, row.get("poi_id")?))).collect(),
        }
    }

    /// The communes that a line crosses, in the order in which it comes to them.
    pub fn cities(&self, line: &[Point], srid: u32) -> Vec<&'a str> {
        let spacing = in_units(SPACING_M, srid);
        let mut found = Vec::new();
        let mut last: Option<[f64; 2]> = None;
        for Point { at, .. } in line.iter().copied() {
            if last.is_some_and(|last| distance(last, at) < spacing) {
                continue;
            }
            last = Some(at);
            for city in &self.cities {
                if !found.contains(&city.id) && city.bounds.holds(at, 0.0) && is_inside(&city.rings, at) {
                    found.push(city.id);
                }
            }
        }
        found
    }

    /// The published POIs and the services along a trek, in the order in which it comes to them: on the same parts of paths, or near its line where it is
    /// bound to no path.
    pub fn along(&self, trek: &str, line: &[Point], srid: u32) -> Vec<&'a str> {
        let mut found: Vec<&str> = Vec::new();
        if let Some(parts) = self.parts.get(trek) {
            for (path, start, end) in parts {
                let on = self.on_paths.get(path).map_or(&[][..], Vec::as_slice);
                let between = on.iter().filter(|(at, _)| *at >= start.min(*end) && *at <= start.max(*end));
                let mut between: Vec<&(f64, &str)> = between.collect();
                between.sort_by(|one, other| (one.0 - start).abs().total_cmp(&(other.0 - start).abs()));
                found.extend(between.into_iter().map(|(_, poi)| *poi));
            }
        } else {
            let (bounds, margin) = (Bounds::around(line.iter().map(|point| point.at)), in_units(MARGIN_M, srid));
            let near = self.pois.iter().filter(|(_, at)| bounds.holds(*at, margin));
            let mut near: Vec<(usize, &str)> = near
                .filter_map(|(poi, at)| {
                    let mut pairs = line.windows(2).map(|pair| to_segment(*at, pair[0].at, pair[1].at)).enumerate();
                    let (first, nearest) = pairs.next()?;
                    let (index, nearest) =
                        pairs.fold((first, nearest), |best, one| if one.1 < best.1 { one } else { best });
                    (nearest <= margin).then_some((index, *poi))
                })
                .collect();
            near.sort_by_key(|(index, _)| *index);
            found.extend(near.into_iter().map(|(_, poi)| poi));
        }
        let mut seen = HashSet::new();
        found.retain(|poi| seen.insert(*poi) && !self.excluded.contains(&(trek, *poi)));
        found
    }
}

fn in_units(metres: f64, srid: u32) -> f64 {
    if srid == 4326 { metres / DEGREE_M } else { metres }
}

fn distance(one: [f64; 2], other: [f64; 2]) -> f64 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}

fn to_segment(at: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let square = dx * dx + dy * dy;
    let share = if square > 0.0 { ((at[0] - from[0]) * dx + (at[1] - from[1]) * dy) / square } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    distance(at, [from[0] + share * dx, from[1] + share * dy])
}

/// Whether a point is inside rings, holes left out: a ray from it crosses their sides an odd number of times.
fn is_inside(rings: &[Vec<Point>], at: [f64; 2]) -> bool {
    let crosses = |pair: &&[Point]| {
        let (from, to) = (pair[0].at, pair[1].at);
        (from[1] > at[1]) != (to[1] > at[1])
            && at[0] < (to[0] - from[0]) * (at[1] - from[1]) / (to[1] - from[1]) + from[0]
    };
    rings.iter().flat_map(|ring| ring.windows(2)).filter(crosses).count() % 2 == 1
}

/// The length of a line in the units of the database.
pub(super) fn length(line: &[Point]) -> f64 {
    line.windows(2).map(|pair| distance(pair[0].at, pair[1].at)).sum()
}

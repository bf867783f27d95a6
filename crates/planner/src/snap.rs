//! From a point to the nearest place on a link: on the line between two shape points, never only at junctions.

use crate::{
    file::{View, tree},
    geometry::{Coord, Projection, Xy, coord, nearest_on_segment, position},
    weights::Weights,
};
use trace::{EARTH_RADIUS_M, Position};

/// Radius of the first search around a point, in metres.
const FIRST_LOOK_M: f64 = 20.0;

/// A place on a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Snap {
    pub link: u32,
    /// Metres from the shape's first point.
    pub at_m: f64,
    pub position: Position,
    /// The distance from the point to this place, in metres.
    pub offset_m: f64,
}

/// A box of stored units around a point.
fn window(p: Position, radius_m: f64) -> tree::Bounds {
    let dlat = (radius_m / EARTH_RADIUS_M).to_degrees();
    let dlon = dlat / p.lat.to_radians().cos().max(1e-6);
    let clamp = |lon: f64, lat: f64| coord(lon.clamp(-180.0, 180.0), lat.clamp(-90.0, 90.0));
    let (low, high) = (clamp(p.lon - dlon, p.lat - dlat), clamp(p.lon + dlon, p.lat + dlat));
    [low[0], low[1], high[0], high[1]]
}

/// For each link within the radius that `wanted` lets through, its nearest place; nearest link first.
pub(crate) fn near(view: &View, p: Position, radius_m: f64, wanted: impl Fn(u32) -> bool) -> Vec<Snap> {
    let projection = Projection::at(p);
    nearest(view, &projection, p, radius_m, wanted).into_iter().map(|b| b.snap(view, &projection)).collect()
}

/// The nearest segments of [`near`], before their places are computed.
fn nearest(
    view: &View,
    projection: &Projection,
    p: Position,
    radius_m: f64,
    wanted: impl Fn(u32) -> bool,
) -> Vec<Best> {
    let mut best: Vec<Best> = Vec::new();
    tree::search(view.boxes, view.runs.len(), &window(p, radius_m), |leaf| {
        let [link, packed] = view.runs[leaf];
        if !wanted(link) {
            return;
        }
        let row = view.link(link);
        let (first, count) = ((packed >> 8) as usize, (packed & 0xff) as usize);
        let shape = &view.shape(&row)[first..=first + count];
        let found = nearest_on(projection, shape);
        if found.offset_m > radius_m {
            return;
        }
        let found = Best { link, segment: first + found.segment, ..found };
        match best.iter_mut().find(|b| b.link == link) {
            Some(known) if known.offset_m <= found.offset_m => {}
            Some(known) => *known = found,
            None => best.push(found),
        }
    });
    best.sort_by(|a, b| a.offset_m.total_cmp(&b.offset_m).then(a.link.cmp(&b.link)));
    best
}

#[derive(Debug, Clone, Copy)]
struct Best {
    link: u32,
    segment: usize,
    share: f64,
    offset_m: f64,
}

impl Best {
    fn snap(self, view: &View, projection: &Projection) -> Snap {
        let link = view.link(self.link);
        let shape = view.shape(&link);
        let before: f64 =
            shape[..=self.segment].windows(2).map(|w| trace::distance_m(position(w[0]), position(w[1]))).sum();
        let (a, b) = (position(shape[self.segment]), position(shape[self.segment + 1]));
        let at_m = before + trace::distance_m(a, b) * self.share;
        let place = projection.position(projection.xy(a).along(projection.xy(b), self.share));
        Snap { link: self.link, at_m: at_m.min(link.length_m()), position: place, offset_m: self.offset_m }
    }
}

fn nearest_on(projection: &Projection, shape: &[Coord]) -> Best {
    let mut best = Best { link: 0, segment: 0, share: 0.0, offset_m: f64::INFINITY };
    let mut before = projection.xy(position(shape[0]));
    for (segment, c) in shape[1..].iter().enumerate() {
        let after = projection.xy(position(*c));
        let (share, offset_m) = nearest_on_segment(Xy::default(), before, after);
        if offset_m < best.offset_m {
            best = Best { link: 0, segment, share, offset_m };
        }
        before = after;
    }
    best
}

/// The place at which a point joins the profile's network: the nearest link of a large component, else the nearest usable one.
pub(crate) fn for_profile(view: &View, weights: &Weights, p: Position, radius_m: f64) -> Option<Snap> {
    // Most points are beside their way: the nearest link in a small circle is also the nearest in a larger one.
    let projection = Projection::at(p);
    let mut circle_m = FIRST_LOOK_M.min(radius_m);
    loop {
        let usable = nearest(view, &projection, p, circle_m, |link| weights.is_usable(link));
        let large = usable.iter().find(|s| weights.is_large(s.link));
        if large.is_some() || circle_m >= radius_m {
            return large.or(usable.first()).map(|b| b.snap(view, &projection));
        }
        circle_m = (circle_m * 3.0).min(radius_m);
    }
}

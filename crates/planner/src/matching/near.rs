//! The ways near each point of a recording: looked up for a few hundred metres at a time, since neighbours share them.

use super::match_network::{MatchNetwork, Shape};
use crate::{
    file::tree,
    geometry::{Projection, Xy, coord},
    snap::Snap,
};
use std::rc::Rc;
use trace::Position;

/// Extent of what is looked up at once.
const WINDOW_M: f64 = 200.0;
/// Points looked up at once.
const MAX_POINTS: usize = 64;

/// A straight piece of a way, in the projection of the points for which it was looked up.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    pub a: Xy,
    pub b: Xy,
    link: u32,
    from_m: f64,
    length_m: f64,
}

impl Piece {
    /// Nearest place to a point: its share of the piece, itself, and the square of the distance.
    fn nearest(&self, p: Xy) -> (f64, Xy, f64) {
        let (dx, dy) = (self.b.x - self.a.x, self.b.y - self.a.y);
        let square = dx * dx + dy * dy;
        let along = (p.x - self.a.x) * dx + (p.y - self.a.y) * dy;
        let share = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
        let place = Xy { x: self.a.x + dx * share, y: self.a.y + dy * share };
        (share, place, (p.x - place.x).powi(2) + (p.y - place.y).powi(2))
    }
}

/// A piece's bounding box, widened by the radius: points outside it are not near.
#[derive(Clone, Copy)]
struct SearchBox {
    low: [f32; 2],
    high: [f32; 2],
}

impl SearchBox {
    fn of(a: Xy, b: Xy, radius_m: f64) -> Self {
        // A little more, because the box is stored in single precision.
        let radius_m = radius_m + 0.1;
        Self {
            low: [(a.x.min(b.x) - radius_m) as f32, (a.y.min(b.y) - radius_m) as f32],
            high: [(a.x.max(b.x) + radius_m) as f32, (a.y.max(b.y) + radius_m) as f32],
        }
    }

    /// Four comparisons and no branch: most pieces are far.
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "a guessed branch for each comparison costs more than the comparison"
    )]
    fn holds(&self, [x, y]: [f32; 2]) -> bool {
        (x >= self.low[0]) & (x <= self.high[0]) & (y >= self.low[1]) & (y <= self.high[1])
    }
}

/// The ways beside a row of points. It loads them for some points at a time, so that points must be looked up in order.
pub(crate) struct Corridor<'a> {
    network: &'a MatchNetwork<'a>,
    points: &'a [Position],
    radius_m: f64,
    projection: Projection,
    /// Points for which the pieces are complete.
    loaded: std::ops::Range<usize>,
    pieces: Vec<Piece>,
    /// The box around each piece.
    search_boxes: Vec<SearchBox>,
    found: Vec<Near>,
}

/// A link's nearest place.
#[derive(Clone, Copy)]
struct Near {
    link: u32,
    at_m: f64,
    place: Xy,
    square_m: f64,
    /// Along the piece it lies on.
    direction: Xy,
}

/// A place on a way near a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub snap: Snap,
    /// From the place to the point, metres east and north.
    pub residual: Xy,
    /// Across the way, of length 1.
    pub normal: Xy,
}

impl<'a> Corridor<'a> {
    pub(crate) fn new(network: &'a MatchNetwork<'a>, points: &'a [Position], radius_m: f64) -> Self {
        let projection = Projection::at(Position::new(0.0, 0.0));
        Self {
            network,
            points,
            radius_m,
            projection,
            loaded: 0..0,
            pieces: Vec::new(),
            search_boxes: Vec::new(),
            found: Vec::new(),
        }
    }

    /// For each link within the radius of a point its nearest place, nearest first, at most `max_links`.
    pub(crate) fn near(&mut self, point: usize, max_links: usize) -> Vec<Found> {
        let here = self.projected(point);
        let radius_m = self.radius_m;
        self.found.clear();
        let spot = [here.x as f32, here.y as f32];
        for (search_box, piece) in self.search_boxes.iter().zip(&self.pieces) {
            if !search_box.holds(spot) {
                continue;
            }
            let (share, place, square_m) = piece.nearest(here);
            if square_m > radius_m * radius_m {
                continue;
            }
            let direction = Xy { x: piece.b.x - piece.a.x, y: piece.b.y - piece.a.y };
            let near =
                Near { link: piece.link, at_m: piece.from_m + piece.length_m * share, place, square_m, direction };
            // Pieces of a link mostly follow each other.
            match self.found.iter_mut().rev().find(|known| known.link == piece.link) {
                Some(known) if known.square_m <= square_m => {}
                Some(known) => *known = near,
                None => self.found.push(near),
            }
        }
        self.found.sort_unstable_by(|a, b| a.square_m.total_cmp(&b.square_m).then(a.link.cmp(&b.link)));
        self.found.truncate(max_links);
        let found = |near: &Near| {
            let length_m = (near.direction.x.powi(2) + near.direction.y.powi(2)).sqrt().max(1e-9);
            Found {
                snap: Snap {
                    link: near.link,
                    at_m: near.at_m,
                    position: self.projection.position(near.place),
                    offset_m: near.square_m.sqrt(),
                },
                residual: Xy { x: here.x - near.place.x, y: here.y - near.place.y },
                normal: Xy { x: -near.direction.y / length_m, y: near.direction.x / length_m },
            }
        };
        self.found.iter().map(found).collect()
    }

    /// The pieces of ways within the radius of a point, seen from it.
    pub(crate) fn seen_from(&mut self, point: usize) -> impl Iterator<Item = (Xy, Xy)> {
        let here = self.projected(point);
        let radius_m = self.radius_m;
        let seen = move |p: Xy| Xy { x: p.x - here.x, y: p.y - here.y };
        let spot = [here.x as f32, here.y as f32];
        let beside = self.search_boxes.iter().zip(&self.pieces).filter(move |(search_box, _)| search_box.holds(spot));
        let near = beside.filter(move |(_, piece)| piece.nearest(here).2 <= radius_m * radius_m);
        near.map(move |(_, piece)| (seen(piece.a), seen(piece.b)))
    }

    fn projected(&mut self, point: usize) -> Xy {
        if !self.loaded.contains(&point) {
            self.load(point);
        }
        self.projection.xy(self.points[point])
    }

    /// Collect the pieces of ways beside a point and those after it that lie near.
    fn load(&mut self, first: usize) {
        self.projection = Projection::at(self.points[first]);
        let (mut low, mut high) = (Xy::default(), Xy::default());
        let mut end = first;
        for p in self.points[first..].iter().take(MAX_POINTS) {
            let here = self.projection.xy(*p);
            let (l, h) = (
                Xy { x: low.x.min(here.x), y: low.y.min(here.y) },
                Xy { x: high.x.max(here.x), y: high.y.max(here.y) },
            );
            if end > first && (h.x - l.x).max(h.y - l.y) > WINDOW_M {
                break;
            }
            (low, high) = (l, h);
            end += 1;
        }
        self.loaded = first..end;
        self.pieces.clear();
        self.search_boxes.clear();
        let corner = |x: f64, y: f64| {
            let p = self.projection.position(Xy { x, y });
            coord(p.lon.clamp(-180.0, 180.0), p.lat.clamp(-90.0, 90.0))
        };
        let far = self.radius_m;
        let (south_west, north_east) = (corner(low.x - far, low.y - far), corner(high.x + far, high.y + far));
        let bounds = [south_west[0], south_west[1], north_east[0], north_east[1]];
        let view = *self.network.view();
        let mut last: Option<(u32, Rc<Shape>)> = None;
        tree::search(view.boxes, view.runs.len(), &bounds, |leaf| {
            let [link, packed] = view.runs[leaf];
            let (first, count) = ((packed >> 8) as usize, (packed & 0xff) as usize);
            let shape = match last.take() {
                Some((known, shape)) if known == link => shape,
                _ => self.network.shape(link),
            };
            let mut a = self.projection.xy(shape.points[first]);
            for i in first..first + count {
                let b = self.projection.xy(shape.points[i + 1]);
                let is_beside = a.x.max(b.x) >= low.x - far
                    && a.x.min(b.x) <= high.x + far
                    && a.y.max(b.y) >= low.y - far
                    && a.y.min(b.y) <= high.y + far;
                if is_beside {
                    let length_m = shape.along_m[i + 1] - shape.along_m[i];
                    self.search_boxes.push(SearchBox::of(a, b, far));
                    self.pieces.push(Piece { a, b, link, from_m: shape.along_m[i], length_m });
                }
                a = b;
            }
            last = Some((link, shape));
        });
    }
}

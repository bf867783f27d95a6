//! The ways near each point of a recording: looked up for a few hundred metres at a time, since neighbours share them.

use super::terrain::{Shape, Terrain};
use crate::{
    file::tree,
    geometry::{Frame, Xy, coord},
    snap::Snap,
};
use std::rc::Rc;
use trace::Position;

/// Extent of what is looked up at once.
const WINDOW_M: f64 = 200.0;
/// Points looked up at once.
const MOST_POINTS: usize = 64;

/// A straight piece of a way, in the plane of the points it was looked up for.
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

/// A piece's box, drawn out by the radius: what a point must lie in to be near.
#[derive(Clone, Copy)]
struct Halo {
    low: [f32; 2],
    high: [f32; 2],
}

impl Halo {
    fn of(a: Xy, b: Xy, radius_m: f64) -> Self {
        // A hair more: the box is kept with fewer digits.
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

/// The ways beside a row of points, which are to be asked for one after the other.
pub(crate) struct Corridor<'a> {
    terrain: &'a Terrain<'a>,
    points: &'a [Position],
    radius_m: f64,
    frame: Frame,
    /// Points for which the pieces are complete.
    loaded: std::ops::Range<usize>,
    pieces: Vec<Piece>,
    /// The box around each piece.
    halos: Vec<Halo>,
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
    course: Xy,
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
    pub(crate) fn new(terrain: &'a Terrain<'a>, points: &'a [Position], radius_m: f64) -> Self {
        let frame = Frame::at(Position::new(0.0, 0.0));
        Self {
            terrain,
            points,
            radius_m,
            frame,
            loaded: 0..0,
            pieces: Vec::new(),
            halos: Vec::new(),
            found: Vec::new(),
        }
    }

    /// For each link within the radius of a point its nearest place, nearest first, `most` at most.
    pub(crate) fn near(&mut self, point: usize, most: usize) -> Vec<Found> {
        let here = self.stand_at(point);
        let radius_m = self.radius_m;
        self.found.clear();
        let spot = [here.x as f32, here.y as f32];
        for (halo, piece) in self.halos.iter().zip(&self.pieces) {
            if !halo.holds(spot) {
                continue;
            }
            let (share, place, square_m) = piece.nearest(here);
            if square_m > radius_m * radius_m {
                continue;
            }
            let course = Xy { x: piece.b.x - piece.a.x, y: piece.b.y - piece.a.y };
            let near = Near { link: piece.link, at_m: piece.from_m + piece.length_m * share, place, square_m, course };
            // Pieces of a link mostly follow each other.
            match self.found.iter_mut().rev().find(|known| known.link == piece.link) {
                Some(known) if known.square_m <= square_m => {}
                Some(known) => *known = near,
                None => self.found.push(near),
            }
        }
        self.found.sort_unstable_by(|a, b| a.square_m.total_cmp(&b.square_m).then(a.link.cmp(&b.link)));
        self.found.truncate(most);
        let found = |near: &Near| {
            let length_m = (near.course.x.powi(2) + near.course.y.powi(2)).sqrt().max(1e-9);
            Found {
                snap: Snap {
                    link: near.link,
                    at_m: near.at_m,
                    position: self.frame.position(near.place),
                    offset_m: near.square_m.sqrt(),
                },
                residual: Xy { x: here.x - near.place.x, y: here.y - near.place.y },
                normal: Xy { x: -near.course.y / length_m, y: near.course.x / length_m },
            }
        };
        self.found.iter().map(found).collect()
    }

    /// The pieces of ways within the radius of a point, seen from it.
    pub(crate) fn seen_from(&mut self, point: usize) -> impl Iterator<Item = (Xy, Xy)> {
        let here = self.stand_at(point);
        let radius_m = self.radius_m;
        let seen = move |p: Xy| Xy { x: p.x - here.x, y: p.y - here.y };
        let spot = [here.x as f32, here.y as f32];
        let beside = self.halos.iter().zip(&self.pieces).filter(move |(halo, _)| halo.holds(spot));
        let near = beside.filter(move |(_, piece)| piece.nearest(here).2 <= radius_m * radius_m);
        near.map(move |(_, piece)| (seen(piece.a), seen(piece.b)))
    }

    fn stand_at(&mut self, point: usize) -> Xy {
        if !self.loaded.contains(&point) {
            self.load(point);
        }
        self.frame.xy(self.points[point])
    }

    /// Collect the pieces of ways beside a point and those after it that lie near.
    fn load(&mut self, first: usize) {
        self.frame = Frame::at(self.points[first]);
        let (mut low, mut high) = (Xy::default(), Xy::default());
        let mut end = first;
        for p in self.points[first..].iter().take(MOST_POINTS) {
            let here = self.frame.xy(*p);
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
        self.halos.clear();
        let corner = |x: f64, y: f64| {
            let p = self.frame.position(Xy { x, y });
            coord(p.lon.clamp(-180.0, 180.0), p.lat.clamp(-90.0, 90.0))
        };
        let far = self.radius_m;
        let (south_west, north_east) = (corner(low.x - far, low.y - far), corner(high.x + far, high.y + far));
        let bounds = [south_west[0], south_west[1], north_east[0], north_east[1]];
        let view = *self.terrain.view();
        let mut last: Option<(u32, Rc<Shape>)> = None;
        tree::search(view.boxes, view.runs.len(), &bounds, |leaf| {
            let [link, packed] = view.runs[leaf];
            let (first, count) = ((packed >> 8) as usize, (packed & 0xff) as usize);
            let shape = match last.take() {
                Some((known, shape)) if known == link => shape,
                _ => self.terrain.shape(link),
            };
            let mut a = self.frame.xy(shape.points[first]);
            for i in first..first + count {
                let b = self.frame.xy(shape.points[i + 1]);
                let is_beside = a.x.max(b.x) >= low.x - far
                    && a.x.min(b.x) <= high.x + far
                    && a.y.max(b.y) >= low.y - far
                    && a.y.min(b.y) <= high.y + far;
                if is_beside {
                    let length_m = shape.along_m[i + 1] - shape.along_m[i];
                    self.halos.push(Halo::of(a, b, far));
                    self.pieces.push(Piece { a, b, link, from_m: shape.along_m[i], length_m });
                }
                a = b;
            }
            last = Some((link, shape));
        });
    }
}

//! The ways around a recording: their shapes, measured once, and the effort of the profile on each of them.

use crate::{
    file::View,
    geometry::{Projection, Xy, position},
    numbers::ByNumber,
    planner::Planner,
    profile::Rules,
    search::Step,
};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};
use trace::Position;

/// Bounds of the effort per metre, as a factor (1 = the usual way of the profile).
pub(crate) const MIN_EFFORT: f64 = 0.85;
const MAX_EFFORT: f64 = 1.8;
/// Effort per metre against a one-way, and on a way closed to the profile: the recording may follow it, but other ways come first.
const WRONG_WAY_EFFORT: f64 = 2.4;
pub(crate) const CLOSED_EFFORT: f64 = 2.7;
/// Not computed yet.
const UNKNOWN: f32 = 0.0;

/// A link's line with its running distances.
pub(crate) struct Shape {
    pub points: Vec<Position>,
    pub along_m: Vec<f64>,
}

impl Shape {
    fn of(view: &View, link: u32) -> Self {
        let row = view.link(link);
        let points: Vec<Position> = view.shape(&row).iter().map(|c| position(*c)).collect();
        // Distances in a plane are faster than on the sphere; the stored length corrects their error.
        let projection = Projection::at(points[0]);
        let (mut along_m, mut sum, mut last) = (Vec::with_capacity(points.len()), 0.0, Xy::default());
        for p in &points {
            let here = projection.xy(*p);
            sum += ((here.x - last.x).powi(2) + (here.y - last.y).powi(2)).sqrt();
            along_m.push(sum);
            last = here;
        }
        let scale = if sum > 0.0 { row.length_m() / sum } else { 0.0 };
        for at in &mut along_m {
            *at *= scale;
        }
        Self { points, along_m }
    }

    fn at(&self, metres: f64) -> Position {
        let i = self.along_m.partition_point(|d| *d <= metres).clamp(1, self.points.len() - 1);
        let length = self.along_m[i] - self.along_m[i - 1];
        let share = if length > 0.0 { ((metres - self.along_m[i - 1]) / length).clamp(0.0, 1.0) } else { 0.0 };
        crate::geometry::between(self.points[i - 1], self.points[i], share)
    }

    /// Append the points of a stretch, in the direction of travel.
    pub(crate) fn cut(&self, step: &Step, out: &mut Vec<Position>) {
        let (low, high) = (step.from_m.min(step.to_m), step.from_m.max(step.to_m));
        let first = self.along_m.partition_point(|at| *at <= low + 0.01);
        let last = self.along_m.partition_point(|at| *at < high - 0.01).max(first);
        let start = out.len();
        out.push(self.at(low));
        out.extend_from_slice(&self.points[first..last]);
        out.push(self.at(high));
        if step.is_backward {
            out[start..].reverse();
        }
    }
}

/// What one match has computed about the links of the network.
pub(crate) struct MatchNetwork<'a> {
    pub planner: &'a Planner<'a>,
    shapes: RefCell<ByNumber<Rc<Shape>>>,
    /// By attribute set: along, against; [`UNKNOWN`] until its first use.
    efforts: Vec<Cell<[f32; 2]>>,
}

impl<'a> MatchNetwork<'a> {
    pub(crate) fn new(planner: &'a Planner<'a>) -> Self {
        let efforts = vec![Cell::new([UNKNOWN; 2]); planner.view.attributes.len()];
        Self { planner, shapes: RefCell::default(), efforts }
    }

    pub(crate) fn view(&self) -> &View<'a> {
        &self.planner.view
    }

    pub(crate) fn shape(&self, link: u32) -> Rc<Shape> {
        let mut shapes = self.shapes.borrow_mut();
        Rc::clone(shapes.entry(link).or_insert_with(|| Rc::new(Shape::of(&self.planner.view, link))))
    }

    /// Effort per metre of a link, along and against its direction: higher where the profile avoids it.
    pub(crate) fn effort(&self, link: u32) -> [f32; 2] {
        let set = self.planner.view.links[link as usize][5] as usize;
        let known = self.efforts[set].get();
        if known[0] > UNKNOWN {
            return known;
        }
        let both = match self.effort_of(link) {
            [Some(along), Some(against)] => [along, against],
            [Some(along), None] => [along, WRONG_WAY_EFFORT],
            [None, Some(against)] => [WRONG_WAY_EFFORT, against],
            [None, None] => [CLOSED_EFFORT; 2],
        }
        .map(|effort| effort as f32);
        self.efforts[set].set(both);
        both
    }

    fn effort_of(&self, link: u32) -> [Option<f64>; 2] {
        let set = self.planner.view.attributes_of(link);
        let rules = Rules::of(self.planner.profile);
        [false, true].map(|is_backward| {
            let pace = rules.pace(&set, is_backward)?;
            let relative = pace.factor * rules.flat_kmh / pace.kmh.min(rules.flat_kmh);
            // The square root: people avoid a bad way less than a planner does.
            Some(relative.sqrt().clamp(MIN_EFFORT, MAX_EFFORT))
        })
    }
}

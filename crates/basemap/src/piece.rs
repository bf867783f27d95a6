//! The part of a feature that is in one tile.

use crate::feature::{Feature, Shape};
use crate::geometry::{Rect, clip};
use crate::schema::SharedKind;
use std::rc::Rc;

/// A feature's part in one tile, in world units.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub(crate) kind: SharedKind,
    /// The drawing order inside a layer.
    pub(crate) order: i64,
    pub(crate) shape: Rc<Shape>,
    pub(crate) rect: Rect,
}

impl From<Feature> for Piece {
    /// The whole feature.
    fn from(feature: Feature) -> Self {
        Self { rect: feature.shape.rect(), kind: feature.kind, order: feature.order, shape: Rc::new(feature.shape) }
    }
}

impl Piece {
    /// The part of the piece in a box; the shape is shared where nothing is cut.
    pub(crate) fn cut(&self, rect: &Rect) -> Option<Self> {
        if rect.holds(&self.rect) {
            return Some(self.clone());
        }
        if !rect.meets(&self.rect) {
            return None;
        }
        let shape = match &*self.shape {
            Shape::Point(_) => return None,
            Shape::Lines(lines) => Shape::Lines(lines.iter().flat_map(|line| clip::line(line, rect)).collect()),
            Shape::Area(rings) => {
                let mut rings = rings.iter().map(|ring| clip::ring(ring, rect));
                let outer = rings.next().filter(|ring| ring.len() > 2)?;
                Shape::Area(std::iter::once(outer).chain(rings.filter(|ring| ring.len() > 2)).collect())
            }
        };
        let rect = shape.rect();
        (!rect.is_empty()).then(|| Self {
            kind: SharedKind::clone(&self.kind),
            order: self.order,
            shape: Rc::new(shape),
            rect,
        })
    }
}

//! A feature: its kind and its shape.

use crate::geometry::simplify::{self, Detail};
use crate::geometry::{Point, Rect, Vertex};
use crate::schema::{Kind, Layer, SharedKind};
use std::collections::HashSet;
use std::sync::Arc;

/// The shape of a feature.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Point(Point),
    Lines(Vec<Vec<Vertex>>),
    /// One polygon: its outer ring, then its holes.
    Area(Vec<Vec<Vertex>>),
}

impl Shape {
    pub(crate) fn rect(&self) -> Rect {
        match self {
            Self::Point(at) => Rect { min: *at, max: *at },
            Self::Lines(parts) | Self::Area(parts) => Rect::around(parts.iter().flatten().map(|vertex| vertex.at)),
        }
    }
}

/// A feature to draw.
#[derive(Debug, Clone)]
pub(crate) struct Feature {
    pub(crate) kind: SharedKind,
    /// The drawing order inside a layer.
    pub(crate) order: i64,
    pub(crate) shape: Shape,
}

/// Collects features; features of one kind share the kind.
#[derive(Debug, Default)]
pub(crate) struct Features {
    list: Vec<Feature>,
    kinds: HashSet<Arc<Kind>>,
}

impl Features {
    pub(crate) fn add(&mut self, kind: Kind, order: i64, shape: Shape) {
        let kind = self.kinds.get(&kind).cloned().unwrap_or_else(|| {
            let shared = Arc::new(kind);
            self.kinds.insert(Arc::clone(&shared));
            shared
        });
        self.list.push(Feature { kind, order, shape });
    }

    pub(crate) fn add_line(&mut self, kind: Kind, points: &[Point], order: i64) {
        let detail = match kind.layer {
            Layer::RoadLabel | Layer::WaterwayLabel | Layer::RouteLabel => Detail::Label,
            _ => Detail::Drawn,
        };
        if points.len() > 1 {
            self.add(kind, order, Shape::Lines(vec![simplify::line(points, detail)]));
        }
    }

    pub(crate) fn add_area(&mut self, kind: Kind, rings: &[Vec<Point>], order: i64) {
        let rings: Vec<Vec<Vertex>> =
            rings.iter().filter(|ring| ring.len() > 2).map(|ring| simplify::ring(ring, Detail::Drawn)).collect();
        if !rings.is_empty() {
            self.add(kind, order, Shape::Area(rings));
        }
    }

    /// The features by layer and order: the tiler keeps this order in every tile.
    pub(crate) fn finish(mut self) -> Vec<Feature> {
        self.list.sort_by_key(|feature| (feature.kind.layer, feature.order));
        self.list
    }
}

//! A feature: its kind and its shape.

use crate::geometry::simplify::{self, Detail};
use crate::geometry::{Point, Rect, Vertex};
use crate::schema::{Kind, Layer, SharedKind};

/// The shape of a feature.
#[derive(Debug, Clone, PartialEq)]
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

impl Feature {
    pub(crate) fn point(kind: Kind, at: Point, order: i64) -> Self {
        Self { kind: kind.into(), order, shape: Shape::Point(at) }
    }

    /// A line, simplified; none with less than two points.
    pub(crate) fn line(kind: &SharedKind, points: &[Point], order: i64) -> Option<Self> {
        let detail = match kind.layer {
            Layer::RoadLabel | Layer::WaterwayLabel | Layer::RouteLabel => Detail::Label,
            _ => Detail::Drawn,
        };
        let shape = || Shape::Lines(vec![simplify::line(points, detail)]);
        (points.len() > 1).then(|| Self { kind: SharedKind::clone(kind), order, shape: shape() })
    }

    /// An area, simplified; none without a ring of three points.
    pub(crate) fn area(kind: Kind, rings: &[Vec<Point>], order: i64) -> Option<Self> {
        let rings: Vec<Vec<Vertex>> =
            rings.iter().filter(|ring| ring.len() > 2).map(|ring| simplify::ring(ring, Detail::Drawn)).collect();
        (!rings.is_empty()).then(|| Self { kind: kind.into(), order, shape: Shape::Area(rings) })
    }
}

//! Encodes the pieces of one tile as a Mapbox vector tile.

use crate::feature::Shape;
use crate::geometry::{Vertex, WORLD_BITS};
use crate::piece::Piece;
use crate::schema::{Fields, Value};
use fast_mvt::{MvtCoord, MvtFeatureBuilder, MvtGeomType, MvtLayerBuilder, MvtResult, MvtTileBuilder, MvtValueRef};

/// Units across a tile, as 2^12 = 4096.
const EXTENT_BITS: u32 = 12;

/// The grid of one tile.
struct Grid {
    zoom: u8,
    origin: [i32; 2],
    shift: u32,
}

impl Grid {
    fn new(zoom: u8, x: u32, y: u32) -> Self {
        let bits = WORLD_BITS - u32::from(zoom);
        let origin = [x, y].map(|index| (i64::from(index) << bits) as i32);
        Self { zoom, origin, shift: bits - EXTENT_BITS }
    }

    fn coord(&self, at: [i32; 2]) -> MvtCoord {
        let half = (1_i64 << self.shift) >> 1;
        let [x, y] =
            [0, 1].map(|axis| ((i64::from(at[axis]) - i64::from(self.origin[axis]) + half) >> self.shift) as i32);
        MvtCoord { x, y }
    }

    /// The vertices that matter at this zoom, without duplicates.
    fn coords(&self, vertices: &[Vertex]) -> Vec<MvtCoord> {
        let mut coords: Vec<MvtCoord> =
            vertices.iter().filter(|v| v.zoom <= self.zoom).map(|v| self.coord(v.at)).collect();
        coords.dedup();
        coords
    }

    fn ring(&self, vertices: &[Vertex]) -> Option<Vec<MvtCoord>> {
        let mut ring = self.coords(vertices);
        while ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        let area: i64 = ring
            .iter()
            .enumerate()
            .map(|(index, a)| (a, ring[(index + 1) % ring.len()]))
            .map(|(a, b)| i64::from(a.x) * i64::from(b.y) - i64::from(b.x) * i64::from(a.y))
            .sum();
        (ring.len() > 2 && area != 0).then_some(ring)
    }
}

/// Encodes a tile; empty when nothing is visible at this zoom. Pieces come sorted by layer.
pub(crate) fn tile(z: u8, x: u32, y: u32, pieces: &[Piece]) -> MvtResult<Vec<u8>> {
    let grid = Grid::new(z, x, y);
    let mut tile = MvtTileBuilder::new();
    let shown: Vec<&Piece> = pieces.iter().filter(|piece| piece.kind.min_zoom <= z).collect();
    for group in shown.chunk_by(|a, b| a.kind.layer == b.kind.layer) {
        let mut layer = tile.layer(group[0].kind.layer.name())?;
        for piece in group {
            layer = feature(layer, piece, &grid)?;
        }
        tile = layer.end();
    }
    Ok(tile.encode())
}

fn feature(layer: MvtLayerBuilder, piece: &Piece, grid: &Grid) -> MvtResult<MvtLayerBuilder> {
    let fields = &piece.kind.fields;
    match &*piece.shape {
        Shape::Point(at) => {
            let mut feature = layer.feature_of(MvtGeomType::Point);
            feature.points([grid.coord(*at)])?;
            finish(feature, fields)
        }
        Shape::Lines(parts) => {
            let lines: Vec<Vec<MvtCoord>> =
                parts.iter().map(|part| grid.coords(part)).filter(|line| line.len() > 1).collect();
            if lines.is_empty() {
                return Ok(layer);
            }
            let mut feature = layer.feature_of(MvtGeomType::LineString);
            for line in lines {
                feature.line(line)?;
            }
            finish(feature, fields)
        }
        Shape::Area(rings) => {
            let Some(outer) = rings.first().and_then(|ring| grid.ring(ring)) else { return Ok(layer) };
            let mut feature = layer.feature_of(MvtGeomType::Polygon);
            feature.ring(outer, true)?;
            for hole in rings[1..].iter().filter_map(|ring| grid.ring(ring)) {
                feature.ring(hole, false)?;
            }
            finish(feature, fields)
        }
    }
}

fn finish(mut feature: MvtFeatureBuilder, fields: &Fields) -> MvtResult<MvtLayerBuilder> {
    for (key, value) in fields {
        match value {
            Value::Text(text) => feature.tag_ref(key, MvtValueRef::String(text))?,
            Value::Int(number) => feature.tag_int(key, *number)?,
            Value::Yes => feature.tag_bool(key, true)?,
        };
    }
    Ok(feature.end())
}

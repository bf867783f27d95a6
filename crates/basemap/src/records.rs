//! Kinds and pieces as they are written in the temporary files of a build.

use crate::bytes::{put, put_signed, put_slice, put_step, take_byte, take_count, take_signed, take_step, take_text};
use crate::feature::{Feature, Shape};
use crate::geometry::{Point, Vertex};
use crate::schema::{Kind, Layer, SharedKind, Value};

/// Appends a kind.
pub(crate) fn put_kind(out: &mut Vec<u8>, kind: &Kind) {
    out.extend([kind.layer as u8, kind.min_zoom, kind.fields.len() as u8]);
    for (key, value) in &kind.fields {
        // A field that the schema lacks is refused when it is read.
        let place = kind.layer.fields().iter().position(|known| known == key);
        out.push(place.map_or(u8::MAX, |place| place as u8));
        match value {
            Value::Text(text) => {
                out.push(0);
                put_slice(out, text.as_bytes());
            }
            Value::Int(number) => {
                out.push(1);
                put_signed(out, *number);
            }
            Value::Yes => out.push(2),
        }
    }
}

pub(crate) fn take_kind(rest: &mut &[u8]) -> Option<Kind> {
    let layer = *Layer::ALL.get(usize::from(take_byte(rest)?))?;
    let mut kind = Kind::new(layer, take_byte(rest)?);
    for _ in 0..take_byte(rest)? {
        let key = layer.fields().get(usize::from(take_byte(rest)?))?;
        let value = match take_byte(rest)? {
            0 => Value::Text(take_text(rest)?.to_owned()),
            1 => Value::Int(take_signed(rest)?),
            _ => Value::Yes,
        };
        kind.fields.push((key, value));
    }
    Some(kind)
}

/// Appends the order and the shape of a feature, with the vertices that matter at a zoom.
pub(crate) fn put_shape(out: &mut Vec<u8>, order: i64, shape: &Shape, zoom: u8) {
    put_signed(out, order);
    let (tag, parts) = match shape {
        Shape::Point(at) => {
            out.push(0);
            return put_step(out, [0; 2], *at);
        }
        Shape::Lines(parts) => (1, parts),
        Shape::Area(rings) => (2, rings),
    };
    out.push(tag);
    put(out, parts.len() as u64);
    let mut before: Point = [0; 2];
    for part in parts {
        let shown = part.iter().filter(|vertex| vertex.zoom <= zoom);
        put(out, shown.clone().count() as u64);
        for vertex in shown {
            put_step(out, before, vertex.at);
            out.push(vertex.zoom);
            before = vertex.at;
        }
    }
}

/// Takes the order and the shape of a feature of a kind.
pub(crate) fn take_feature(rest: &mut &[u8], kind: &SharedKind) -> Option<Feature> {
    let order = take_signed(rest)?;
    let shape = match take_byte(rest)? {
        0 => Shape::Point(take_step(rest, [0; 2])?),
        1 => Shape::Lines(take_parts(rest)?),
        _ => Shape::Area(take_parts(rest)?),
    };
    Some(Feature { kind: SharedKind::clone(kind), order, shape })
}

fn take_parts(rest: &mut &[u8]) -> Option<Vec<Vec<Vertex>>> {
    let mut before: Point = [0; 2];
    let count = take_count(rest)?;
    let mut parts = Vec::with_capacity(count);
    for _ in 0..count {
        let vertices = take_count(rest)?;
        let mut part = Vec::with_capacity(vertices);
        for _ in 0..vertices {
            before = take_step(rest, before)?;
            part.push(Vertex { at: before, zoom: take_byte(rest)? });
        }
        parts.push(part);
    }
    Some(parts)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;
    use crate::schema::MAX_ZOOM;

    #[test]
    fn kinds_and_shapes_read_back_as_written() {
        let kinds = Layer::ALL.map(|layer| {
            let values = [Value::Text("Lac d’Engolasters".to_owned()), Value::Int(-7), Value::Yes];
            let fields = layer.fields().iter().copied().zip(values.into_iter().cycle()).collect();
            Kind { layer, min_zoom: 9, fields }
        });
        let vertex = |x, zoom| Vertex { at: [x, -x], zoom };
        let parts = vec![vec![vertex(5, 0), vertex(i32::MAX, 14), vertex(-3, 9)], vec![], vec![vertex(1, 1)]];
        for kind in kinds.map(SharedKind::new) {
            for shape in [Shape::Point([7, 1 << 30]), Shape::Lines(parts.clone()), Shape::Area(parts.clone())] {
                let mut out = Vec::new();
                put_kind(&mut out, &kind);
                put_shape(&mut out, i64::MIN, &shape, MAX_ZOOM);
                let mut rest = out.as_slice();
                assert_eq!(take_kind(&mut rest).as_ref(), Some(&*kind));
                let feature = take_feature(&mut rest, &kind).unwrap();
                assert_eq!((feature.order, feature.shape, rest), (i64::MIN, shape, &[][..]));
            }
        }
    }

    #[test]
    fn only_vertices_that_matter_at_the_zoom_are_written() {
        let kind = SharedKind::new(Kind::new(Layer::Road, 5));
        let line = Shape::Lines(vec![[0, 12, 8].map(|zoom| Vertex { at: [9, 9], zoom }).to_vec()]);
        let mut out = Vec::new();
        put_shape(&mut out, 0, &line, 8);
        let Shape::Lines(parts) = take_feature(&mut out.as_slice(), &kind).unwrap().shape else { panic!("a line") };
        assert_eq!(parts[0].iter().map(|vertex| vertex.zoom).collect::<Vec<_>>(), vec![0, 8]);
    }
}

//! Numbers, texts and points as bytes: small numbers take one byte (LEB128). Directories of tiles and temporary files are written so.

use crate::geometry::Point;

/// Appends a number.
pub(crate) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn take_byte(rest: &mut &[u8]) -> Option<u8> {
    let (&byte, tail) = rest.split_first()?;
    *rest = tail;
    Some(byte)
}

/// Takes a number from the front; none when the bytes end within it or it is too large.
pub(crate) fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = take_byte(rest)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Appends a number of either sign (zigzag).
pub(crate) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put(out, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

pub(crate) fn take_signed(rest: &mut &[u8]) -> Option<i64> {
    let value = take(rest)?;
    Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
}

/// Appends the length of bytes, then the bytes.
pub(crate) fn put_slice(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

pub(crate) fn take_slice<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take(rest)?).ok()?;
    let (slice, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(slice)
}

pub(crate) fn take_text<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
    std::str::from_utf8(take_slice(rest)?).ok()
}

/// Takes a count of what follows, each at least one byte long; none when the bytes cannot hold so many.
pub(crate) fn take_count(rest: &mut &[u8]) -> Option<usize> {
    usize::try_from(take(rest)?).ok().filter(|count| *count <= rest.len())
}

/// Appends a point as its distance from the one before.
pub(crate) fn put_step(out: &mut Vec<u8>, before: Point, at: Point) {
    for axis in 0..2 {
        put_signed(out, i64::from(at[axis]) - i64::from(before[axis]));
    }
}

pub(crate) fn take_step(rest: &mut &[u8], before: Point) -> Option<Point> {
    let mut at = before;
    for axis in &mut at {
        *axis = i32::try_from(i64::from(*axis).checked_add(take_signed(rest)?)?).ok()?;
    }
    Some(at)
}

/// Appends the count of points, then the points.
pub(crate) fn put_points(out: &mut Vec<u8>, points: &[Point]) {
    put(out, points.len() as u64);
    let mut before = [0; 2];
    for &at in points {
        put_step(out, before, at);
        before = at;
    }
}

pub(crate) fn take_points(rest: &mut &[u8]) -> Option<Vec<Point>> {
    let mut before = [0; 2];
    let count = take_count(rest)?;
    let mut points = Vec::with_capacity(count);
    for _ in 0..count {
        before = take_step(rest, before)?;
        points.push(before);
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_put_is_taken(
            number: u64,
            signed: i64,
            text in ".*",
            points in prop::collection::vec(prop::array::uniform2(any::<i32>()), 0..20),
        ) {
            let mut out = Vec::new();
            put(&mut out, number);
            put_signed(&mut out, signed);
            put_slice(&mut out, text.as_bytes());
            put_points(&mut out, &points);
            let mut rest = out.as_slice();
            prop_assert_eq!(take(&mut rest), Some(number));
            prop_assert_eq!(take_signed(&mut rest), Some(signed));
            prop_assert_eq!(take_text(&mut rest), Some(text.as_str()));
            prop_assert_eq!(take_points(&mut rest), Some(points));
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn other_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = take_points(&mut bytes.as_slice());
            let _ = take_text(&mut bytes.as_slice());
        }
    }
}

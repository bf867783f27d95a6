//! Google's encoded polyline with six decimals, latitude first: a line as one text.

use trace::Position;

/// A line as one text, without its heights (Google's encoded polyline with six decimals, latitude first).
pub fn polyline6(line: &[Position]) -> String {
    let mut bytes = Vec::with_capacity(line.len() * 8);
    let mut last = [0_i64; 2];
    for p in line {
        for (at, degrees) in [p.lat, p.lon].into_iter().enumerate() {
            // A cast rounds without the call that `round` is.
            let value = (degrees * 1e6 + if degrees < 0.0 { -0.5 } else { 0.5 }) as i64;
            let step = value - std::mem::replace(&mut last[at], value);
            let mut bits = ((step << 1) ^ (step >> 63)) as u64;
            while bits >= 0x20 {
                bytes.push((0x20 | (bits & 0x1f)) as u8 + 63);
                bits >>= 5;
            }
            bytes.push(bits as u8 + 63);
        }
    }
    // Every byte is a letter between `?` and `~`.
    String::from_utf8(bytes).unwrap_or_default()
}

/// The line of an encoded text, `None` where the text is invalid or leaves the Earth.
pub fn from_polyline6(text: &str) -> Option<Vec<Position>> {
    let mut bytes = text.bytes();
    let mut at = [0_i64; 2];
    let mut line = Vec::with_capacity(text.len() / 5);
    while bytes.len() > 0 {
        for value in &mut at {
            *value = value.checked_add(number(&mut bytes)?)?;
        }
        let p = Position::new(at[1] as f64 / 1e6, at[0] as f64 / 1e6);
        if p.lon.abs() > 180.0 || p.lat.abs() > 90.0 {
            return None;
        }
        line.push(p);
    }
    Some(line)
}

fn number(bytes: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let mut bits = 0_u64;
    for shift in (0..60).step_by(5) {
        let byte = u64::from(bytes.next()?.checked_sub(63)?);
        bits |= (byte & 0x1f) << shift;
        if byte < 0x20 {
            return Some((bits >> 1) as i64 ^ -((bits & 1) as i64));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_as_they_were() {
        let line = [Position::new(-120.2, 38.5), Position::new(1.5218, 42.5075), Position::new(179.999_999, -89.5)];
        assert_eq!(from_polyline6(&polyline6(&line)).as_deref(), Some(&line[..]));
        // Worked out by hand from the format's page: 38.5 doubled, five bits at a time.
        assert_eq!(polyline6(&line[..1]), "_izlhA~rlgdF");
        assert_eq!(polyline6(&[]), "");
        assert_eq!(polyline6(&[Position::new(0.0, 0.000_001)]), "A?");
        assert_eq!(from_polyline6(""), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_line_is_none() {
        for text in ["_izlhA", "~", "é", "~~~~~~~~~~~~~~~~~~~~~~~~~~~~", "_izlhA~rlgdF_gayB"] {
            assert_eq!(from_polyline6(text), None, "{text}");
        }
        assert_eq!(from_polyline6(&polyline6(&[Position::new(10.0, 91.0)])), None);
    }
}

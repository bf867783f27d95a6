//! From OpenStreetMap tags to the features of the map's layers. Pure functions from tags to [`Kind`]s.

pub(crate) mod area;
pub(crate) mod line;
pub(crate) mod network;
pub(crate) mod point;
pub(crate) mod road;

use extract::Tags;

/// Whether a tag means yes (any value but absent, no, false, 0).
pub(crate) fn is_yes(tags: &Tags, key: &str) -> bool {
    !matches!(tags.get(key), None | Some("no" | "false" | "0" | "none"))
}

/// The number at the start of a tag: "2 915 m", "1234.5", "1,234" are all read.
pub(crate) fn number(text: &str) -> Option<f64> {
    let kept: String = text
        .chars()
        .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | ' ' | '\u{a0}'))
        .filter(|c| !c.is_whitespace())
        .collect();
    kept.replace(',', ".").parse().ok().filter(|n: &f64| n.is_finite())
}

#[cfg(test)]
pub(crate) fn tags(pairs: &[(&str, &str)]) -> Tags {
    Tags::from(pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elevations_are_read_as_people_write_them() {
        for (text, metres) in [("2915", 2915.0), ("2 915 m", 2915.0), ("1234.5", 1234.5), ("-12", -12.0)] {
            assert_eq!(number(text), Some(metres), "{text}");
        }
        assert_eq!(number("high"), None);
        assert_eq!(number(""), None);
    }
}

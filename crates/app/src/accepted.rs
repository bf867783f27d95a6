//! Headers that list what a client accepts, each value with a weight (RFC 9110, 12.4.2): `Accept-Encoding`, `Accept-Language`.

use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, HeaderName};

/// The values of a header with their weights, in the order of the header. A weight that cannot be read is 0, none at all is 1.
fn weighted(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = (&str, f64)> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(|one| {
        let mut parts = one.split(';').map(str::trim);
        let value = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        (value, weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0)))
    })
}

/// The values of a header whose weight is above 0, the highest weight first, equal weights in the order of the header.
pub fn accepted(headers: &HeaderMap, name: HeaderName) -> Vec<&str> {
    let mut found: Vec<(&str, f64)> = weighted(headers, name).filter(|(_, weight)| *weight > 0.0).collect();
    found.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    found.into_iter().map(|(value, _)| value).collect()
}

/// Whether the client accepts a content coding such as `gzip`: by its name, else by `*`.
pub fn accepts_encoding(headers: &HeaderMap, coding: &str) -> bool {
    let weight_of = |name: &str| {
        weighted(headers, ACCEPT_ENCODING).find(|(value, _)| value.eq_ignore_ascii_case(name)).map(|(_, weight)| weight)
    };
    weight_of(coding).or_else(|| weight_of("*")).is_some_and(|weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use axum::http::header::ACCEPT_LANGUAGE;

    use super::*;

    fn of(name: HeaderName, line: &'static str) -> HeaderMap {
        [(name, HeaderValue::from_static(line))].into_iter().collect()
    }

    #[test]
    fn a_coding_of_weight_zero_is_not_accepted() {
        for (line, is_accepted) in [
            ("gzip", true),
            ("br, gzip", true),
            ("GZIP;q=0.5", true),
            ("br;q=1.0, *;q=0.1", true),
            ("x-gzip", false),
            ("gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("gzip;q=0, *", false),
            ("*;q=0", false),
            ("gzip;q=high", false),
            ("identity", false),
            ("", false),
        ] {
            assert_eq!(accepts_encoding(&of(ACCEPT_ENCODING, line), "gzip"), is_accepted, "{line}");
        }
        assert!(!accepts_encoding(&HeaderMap::new(), "gzip"));
    }

    #[test]
    fn the_highest_weight_comes_first_and_equal_ones_in_their_order() {
        let listed = of(ACCEPT_LANGUAGE, "fr;q=0.1, en;q=0.9, de, it;q=0, es");
        assert_eq!(accepted(&listed, ACCEPT_LANGUAGE), ["de", "es", "en", "fr"]);
        assert!(accepted(&HeaderMap::new(), ACCEPT_LANGUAGE).is_empty());
    }
}

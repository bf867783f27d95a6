//! Lines other than roads: streams, railways, lifts, cliffs, borders.

use super::is_yes;
use crate::schema::{Kind, Layer};
use extract::Tags;

/// The line to draw for a way.
pub(crate) fn drawn(tags: &Tags) -> Option<Kind> {
    if let Some((class, min_zoom)) = waterway(tags) {
        return Some(
            Kind::class(Layer::Waterway, min_zoom, class)
                .flag("intermittent", is_yes(tags, "intermittent"))
                .flag("tunnel", is_yes(tags, "tunnel")),
        );
    }
    let (class, min_zoom) = railway(tags).or_else(|| other(tags))?;
    Some(
        Kind::class(Layer::Line, min_zoom, class)
            .flag("service", class == "rail" && tags.get("service").is_some())
            .flag("tunnel", is_yes(tags, "tunnel"))
            .flag("bridge", is_yes(tags, "bridge")),
    )
}

/// The label of a named stream.
pub(crate) fn label(tags: &Tags) -> Option<Kind> {
    let (class, min_zoom) = waterway(tags)?;
    tags.get("name").or_else(|| tags.get("name:fr"))?;
    (!is_yes(tags, "tunnel")).then(|| Kind::class(Layer::WaterwayLabel, (min_zoom + 1).min(14), class).names(tags))
}

/// A border and its level; none for borders at sea and for unknown levels.
pub(crate) fn boundary(tags: &Tags) -> Option<(i64, Kind)> {
    if tags.get("boundary") != Some("administrative") || is_yes(tags, "maritime") {
        return None;
    }
    let (level, min_zoom) = match tags.get("admin_level")? {
        "2" => (2, 5),
        "3" | "4" => (4, 6),
        "5" | "6" => (6, 8),
        "7" | "8" => (8, 11),
        _ => return None,
    };
    Some((level, Kind::new(Layer::Boundary, min_zoom).with("level", level)))
}

fn waterway(tags: &Tags) -> Option<(&'static str, u8)> {
    Some(match tags.get("waterway")? {
        "river" => ("river", 8),
        "canal" => ("canal", 11),
        "stream" | "tidal_channel" => ("stream", 12),
        "ditch" | "drain" => ("ditch", 14),
        _ => return None,
    })
}

fn railway(tags: &Tags) -> Option<(&'static str, u8)> {
    Some(match tags.get("railway")? {
        "rail" | "narrow_gauge" => ("rail", if tags.get("service").is_some() { 13 } else { 9 }),
        "tram" | "light_rail" | "subway" => ("tram", 13),
        "funicular" | "miniature" | "monorail" => ("tram", 12),
        _ => return None,
    })
}

fn other(tags: &Tags) -> Option<(&'static str, u8)> {
    Some(
        match (tags.get("aerialway"), tags.get("natural"), tags.get("route"), tags.get("man_made"), tags.get("aeroway"))
        {
            (Some("station" | "pylon"), ..) => return None,
            (Some("cable_car" | "gondola" | "mixed_lift"), ..) => ("lift", 11),
            (
                Some(
                    "chair_lift" | "drag_lift" | "t-bar" | "j-bar" | "platter" | "rope_tow" | "magic_carpet" | "goods",
                ),
                ..,
            ) => ("lift", 13),
            (_, Some("cliff"), ..) => ("cliff", 13),
            (_, Some("ridge" | "arete"), ..) => ("ridge", 14),
            (_, _, Some("ferry"), ..) => ("ferry", 8),
            (_, _, _, Some("pier" | "breakwater" | "groyne"), _) => ("pier", 12),
            (.., Some("runway" | "taxiway")) => ("runway", 11),
            _ if tags.get("waterway") == Some("dam") => ("dam", 13),
            _ => return None,
        },
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::super::tags;
    use super::*;

    #[test]
    fn a_culvert_is_drawn_as_one_and_not_named() {
        let culvert = tags(&[("waterway", "stream"), ("tunnel", "culvert"), ("name", "Riu")]);
        assert!(drawn(&culvert).is_some_and(|k| k.fields.iter().any(|f| f.0 == "tunnel")));
        assert!(label(&culvert).is_none());
    }

    #[test]
    fn borders_at_sea_and_below_the_commune_are_left_out() {
        assert!(
            boundary(&tags(&[("boundary", "administrative"), ("admin_level", "2"), ("maritime", "yes")])).is_none()
        );
        assert!(boundary(&tags(&[("boundary", "administrative"), ("admin_level", "10")])).is_none());
        assert_eq!(boundary(&tags(&[("boundary", "administrative"), ("admin_level", "2")])).unwrap().0, 2);
    }
}

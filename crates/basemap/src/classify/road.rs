//! Roads, tracks and paths, in the classes that walkers and cyclists need.

use super::is_yes;
use crate::schema::{Kind, Layer};
use extract::Tags;

/// A road's class and its first zoom.
fn class(tags: &Tags) -> Option<(&'static str, u8)> {
    let highway = tags.get("highway")?;
    Some(match highway.strip_suffix("_link").unwrap_or(highway) {
        "motorway" => ("motorway", 5),
        "trunk" => ("trunk", 5),
        "primary" => ("primary", 7),
        "secondary" => ("secondary", 9),
        "tertiary" => ("tertiary", 10),
        "unclassified" => ("minor", 11),
        "residential" | "living_street" | "road" | "busway" => ("minor", 12),
        "service" => ("service", if tags.get("service").is_some() { 14 } else { 13 }),
        "pedestrian" => ("pedestrian", 13),
        "track" => ("track", 12),
        "cycleway" => ("cycleway", 12),
        "steps" => ("steps", 14),
        "footway" => ("path", if is_pavement(tags) { 14 } else { 13 }),
        "path" | "bridleway" => ("path", 12),
        "via_ferrata" => ("via_ferrata", 12),
        _ => return None,
    })
}

/// The line to draw for a way with a `highway` tag.
pub(crate) fn drawn(tags: &Tags) -> Option<Kind> {
    if is_yes(tags, "area") || is_yes(tags, "indoor") {
        return None;
    }
    let (class, min_zoom) = class(tags)?;
    let is_link = tags.get("highway").is_some_and(|value| value.ends_with("_link"));
    let class = if class == "path" && is_pavement(tags) { "pavement" } else { class };
    let is_way = matches!(class, "track" | "path" | "pavement" | "steps");
    let mut kind = Kind::class(Layer::Road, if is_link { min_zoom.max(11) } else { min_zoom }, class)
        .flag("link", is_link)
        .flag("bridge", is_yes(tags, "bridge"))
        .flag("tunnel", is_yes(tags, "tunnel") || tags.get("covered") == Some("yes"))
        .flag("unpaved", !is_way && is_unpaved(tags))
        .flag("bike", is_way && tags.get("bicycle") == Some("designated"))
        .flag("private", matches!(tags.get("access"), Some("private" | "no")) && !is_yes(tags, "foot"));
    if oneway(tags) != 0 && !is_way && class != "motorway" {
        kind = kind.flag("oneway", true);
    }
    if class == "track" {
        kind = kind.text("grade", Some(if is_good_track(tags) { "good" } else { "rough" }));
    }
    if let Some(sac) = sac_scale(tags).filter(|_| matches!(class, "path" | "track")) {
        kind = kind.with("sac", sac);
    }
    Some(kind)
}

/// 1 in the way's direction, -1 against it, 0 both.
pub(crate) fn oneway(tags: &Tags) -> i8 {
    match tags.get("oneway") {
        Some("yes" | "true" | "1") => 1,
        Some("-1" | "reverse") => -1,
        None if matches!(tags.get("junction"), Some("roundabout" | "circular")) => 1,
        _ => 0,
    }
}

/// The labels of a road: its name and its number, as separate lines, so that a change of one does not cut the other.
pub(crate) fn labels(tags: &Tags) -> Vec<Kind> {
    let Some((class, min_zoom)) = class(tags).filter(|_| !is_yes(tags, "area")) else { return Vec::new() };
    let name = tags.get("name").filter(|_| !is_pavement(tags));
    let number =
        tags.get("ref").filter(|_| matches!(class, "motorway" | "trunk" | "primary" | "secondary" | "tertiary"));
    let number = number.map(|number| number.split(';').next().unwrap_or(number).trim());
    // A street keeps its name where it becomes a square or a one-lane road: fewer classes, longer labels.
    let (named, named_zoom) = match class {
        "motorway" | "trunk" | "primary" | "secondary" | "tertiary" => ("main", 12),
        "minor" | "service" | "pedestrian" => ("street", 13),
        _ => ("path", 13),
    };
    let name = name.map(|name| Kind::class(Layer::RoadLabel, named_zoom, named).text("name", Some(name)));
    let number = number.map(|number| Kind::class(Layer::RoadLabel, min_zoom.max(8), class).text("ref", Some(number)));
    name.into_iter().chain(number).collect()
}

fn is_pavement(tags: &Tags) -> bool {
    matches!(tags.get("footway"), Some("sidewalk" | "crossing" | "access_aisle" | "traffic_island"))
}

fn is_unpaved(tags: &Tags) -> bool {
    matches!(
        tags.get("surface"),
        Some(
            "unpaved"
                | "gravel"
                | "fine_gravel"
                | "compacted"
                | "ground"
                | "dirt"
                | "earth"
                | "grass"
                | "pebblestone"
                | "sand"
                | "mud"
                | "rock"
        )
    )
}

fn is_good_track(tags: &Tags) -> bool {
    match tags.get("tracktype") {
        Some("grade1" | "grade2") => true,
        Some(_) => false,
        None => matches!(
            tags.get("surface"),
            Some("asphalt" | "paved" | "concrete" | "compacted" | "fine_gravel" | "gravel")
        ),
    }
}

fn sac_scale(tags: &Tags) -> Option<i64> {
    Some(match tags.get("sac_scale")? {
        "hiking" => 1,
        "mountain_hiking" => 2,
        "demanding_mountain_hiking" => 3,
        "alpine_hiking" | "demanding_alpine_hiking" | "difficult_alpine_hiking" => 4,
        _ => return None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::super::tags;
    use super::*;
    use crate::schema::Value;

    fn field(kind: &Kind, key: &str) -> Option<Value> {
        kind.fields.iter().find(|(k, _)| *k == key).map(|(_, v)| v.clone())
    }

    #[test]
    fn a_link_is_its_road_but_later() {
        let kind = drawn(&tags(&[("highway", "trunk_link")])).unwrap();
        assert_eq!(field(&kind, "class"), Some("trunk".into()));
        assert_eq!(kind.min_zoom, 11);
    }

    #[test]
    fn a_demanding_path_says_so() {
        let kind = drawn(&tags(&[("highway", "path"), ("sac_scale", "demanding_mountain_hiking")])).unwrap();
        assert_eq!(field(&kind, "sac"), Some(Value::Int(3)));
    }

    #[test]
    fn a_pavement_and_a_square_have_no_street_label() {
        assert!(labels(&tags(&[("highway", "footway"), ("footway", "sidewalk"), ("name", "Carrer Major")])).is_empty());
        assert!(labels(&tags(&[("highway", "pedestrian"), ("area", "yes"), ("name", "Plaça")])).is_empty());
    }

    #[test]
    fn name_and_number_of_a_road_are_labels_of_their_own() {
        let kinds = labels(&tags(&[("highway", "secondary"), ("name", "Avinguda Meritxell"), ("ref", "CG 3")]));
        let read: Vec<_> =
            kinds.iter().map(|kind| (field(kind, "class"), field(kind, "name"), field(kind, "ref"))).collect();
        assert_eq!(
            read,
            vec![
                (Some("main".into()), Some("Avinguda Meritxell".into()), None),
                (Some("secondary".into()), None, Some("CG 3".into()))
            ]
        );
    }

    #[test]
    fn what_is_not_built_is_not_drawn() {
        assert!(drawn(&tags(&[("highway", "proposed")])).is_none());
        assert!(drawn(&tags(&[("building", "yes")])).is_none());
    }

    #[test]
    fn only_the_first_of_several_numbers_stands_on_the_shield() {
        let kinds = labels(&tags(&[("highway", "primary"), ("ref", "D 6007; E 80")]));
        assert_eq!(field(&kinds[0], "ref"), Some("D 6007".into()));
    }
}

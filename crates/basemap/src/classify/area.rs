//! Areas: land, water, buildings, parks.

use super::is_yes;
use crate::schema::{Kind, Layer};
use extract::Tags;

/// The kinds of a closed way or a multipolygon, bottom first; an area may have several.
pub(crate) fn drawn(tags: &Tags) -> Vec<Kind> {
    let mut kinds = Vec::new();
    if let Some((class, min_zoom)) = water(tags) {
        kinds.push(Kind::class(Layer::Water, min_zoom, class).flag("intermittent", is_yes(tags, "intermittent")));
    } else if let Some((class, min_zoom)) = land(tags) {
        kinds.push(Kind::class(Layer::Landcover, min_zoom, class));
    }
    if is_protected(tags) {
        kinds.push(Kind::class(Layer::Protected, 7, "park"));
    }
    if is_yes(tags, "building") || is_yes(tags, "building:part") {
        kinds.push(Kind::new(Layer::Building, 13));
    }
    kinds
}

/// The label of an area, by its kind. The zoom is the first possible one: small areas appear later.
pub(crate) fn label(tags: &Tags) -> Option<Kind> {
    tags.get("name").or_else(|| tags.get("name:fr"))?;
    let (class, min_zoom) = match (water(tags), land(tags)) {
        (Some(("pool" | "river", _)), _) => return None,
        (Some(_), _) => ("lake", 9),
        _ if is_protected(tags) => ("protected", 9),
        (_, Some(("forest", _))) => ("forest", 11),
        (_, Some(("park" | "cemetery", _))) => ("park", 13),
        _ => return None,
    };
    Some(Kind::class(Layer::AreaLabel, min_zoom, class).names(tags))
}

/// Whether a closed way with these tags is an area, when no tag says so.
pub(crate) fn is_area(tags: &Tags) -> bool {
    !matches!(tags.get("area"), Some("no"))
        && (water(tags).is_some() || land(tags).is_some() || is_protected(tags) || is_yes(tags, "building"))
}

fn water(tags: &Tags) -> Option<(&'static str, u8)> {
    match (tags.get("natural"), tags.get("waterway"), tags.get("landuse"), tags.get("leisure")) {
        (Some("water"), ..) => Some((if tags.get("water") == Some("river") { "river" } else { "lake" }, 5)),
        (_, Some("riverbank" | "dock"), ..) => Some(("river", 8)),
        (_, _, Some("reservoir" | "basin"), _) => Some(("lake", 8)),
        (.., Some("swimming_pool")) => Some(("pool", 14)),
        _ => None,
    }
}

fn land(tags: &Tags) -> Option<(&'static str, u8)> {
    natural(tags).or_else(|| landuse(tags)).or_else(|| leisure(tags)).or_else(|| amenity(tags))
}

fn natural(tags: &Tags) -> Option<(&'static str, u8)> {
    Some(match tags.get("natural")? {
        "wood" => ("forest", 5),
        "scrub" | "heath" => ("scrub", 8),
        "grassland" | "fell" | "tundra" => ("meadow", 8),
        "bare_rock" => ("rock", 9),
        "scree" | "shingle" | "blockfield" => ("scree", 9),
        "glacier" => ("ice", 5),
        "sand" | "beach" | "dune" => ("sand", 10),
        "wetland" => ("wetland", 10),
        _ => return None,
    })
}

fn landuse(tags: &Tags) -> Option<(&'static str, u8)> {
    Some(match tags.get("landuse")? {
        "forest" => ("forest", 5),
        "meadow" | "grass" | "village_green" | "recreation_ground" | "flowerbed" => ("meadow", 9),
        "farmland" | "farmyard" | "greenhouse_horticulture" | "plant_nursery" => ("farmland", 9),
        "orchard" | "vineyard" | "allotments" => ("orchard", 10),
        "residential" | "garages" => ("residential", 8),
        "commercial" | "retail" | "industrial" | "railway" | "construction" | "landfill" | "depot" | "port" => {
            ("industrial", 10)
        }
        "quarry" => ("quarry", 10),
        "cemetery" => ("cemetery", 12),
        _ => return None,
    })
}

fn leisure(tags: &Tags) -> Option<(&'static str, u8)> {
    Some(match tags.get("leisure")? {
        "park" | "garden" | "golf_course" | "dog_park" => ("park", 11),
        "pitch" | "track" | "sports_centre" | "stadium" | "playground" => ("pitch", 13),
        _ => return None,
    })
}

fn amenity(tags: &Tags) -> Option<(&'static str, u8)> {
    match (tags.get("amenity"), tags.get("tourism"), tags.get("highway"), tags.get("aeroway")) {
        (Some("parking"), ..) => Some(("parking", 14)),
        (Some("grave_yard"), ..) => Some(("cemetery", 12)),
        (Some("school" | "university" | "college" | "hospital" | "kindergarten"), ..) => Some(("institution", 13)),
        (_, Some("camp_site" | "caravan_site" | "picnic_site"), ..) => Some(("park", 12)),
        (_, _, Some("pedestrian" | "footway" | "service"), _) if is_yes(tags, "area") => Some(("square", 13)),
        (_, _, Some("pedestrian"), _) if tags.get("type") == Some("multipolygon") => Some(("square", 13)),
        (.., Some("aerodrome" | "apron" | "helipad")) => Some(("industrial", 11)),
        _ => None,
    }
}

fn is_protected(tags: &Tags) -> bool {
    matches!(tags.get("boundary"), Some("national_park" | "protected_area"))
        || tags.get("leisure") == Some("nature_reserve")
}

#[cfg(test)]
mod tests {
    use super::super::tags;
    use super::*;

    #[test]
    fn a_reservoir_is_water_and_no_land() {
        let kinds = drawn(&tags(&[("landuse", "reservoir"), ("natural", "water"), ("name", "Engolasters")]));
        assert_eq!(kinds.iter().map(|k| k.layer).collect::<Vec<_>>(), vec![Layer::Water]);
    }

    #[test]
    fn a_school_with_walls_is_ground_and_building() {
        let layers: Vec<Layer> =
            drawn(&tags(&[("amenity", "school"), ("building", "yes")])).iter().map(|k| k.layer).collect();
        assert_eq!(layers, vec![Layer::Landcover, Layer::Building]);
    }

    #[test]
    fn a_closed_road_is_no_area() {
        assert!(!is_area(&tags(&[("highway", "residential")])));
        assert!(is_area(&tags(&[("highway", "pedestrian"), ("area", "yes")])));
        assert!(!is_area(&tags(&[("leisure", "track"), ("area", "no")])));
    }

    #[test]
    fn an_area_without_a_name_has_no_label() {
        assert!(label(&tags(&[("natural", "water")])).is_none());
        assert!(label(&tags(&[("natural", "water"), ("name", "Lac")])).is_some());
    }
}

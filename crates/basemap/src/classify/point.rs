//! Points: places, summits, and points of interest for walkers and cyclists.

use super::number;
use crate::schema::{Kind, Layer};
use extract::Tags;

/// The kinds of a node (or of the middle of an area).
pub(crate) fn drawn(tags: &Tags) -> Vec<Kind> {
    place(tags).into_iter().chain(poi(tags)).collect()
}

fn place(tags: &Tags) -> Option<Kind> {
    tags.get("name").or_else(|| tags.get("name:fr"))?;
    let (class, min_zoom, base) = match tags.get("place")? {
        "city" => ("city", 5, 1),
        "town" => ("town", 7, 3),
        "village" => ("village", 10, 5),
        "suburb" => ("suburb", 12, 6),
        "hamlet" => ("hamlet", 12, 7),
        "quarter" | "neighbourhood" => ("quarter", 13, 8),
        "island" | "islet" => ("island", 11, 6),
        "locality" => ("locality", 13, 9),
        "isolated_dwelling" | "farm" => ("farm", 13, 9),
        _ => return None,
    };
    let capital = matches!(tags.get("capital"), Some("yes" | "2" | "4"));
    let population = tags.get("population").and_then(number).unwrap_or(0.0).max(0.0);
    // Larger towns win a collision of labels: the rank falls by one for each tenfold of people.
    let rank = base * 10 - (population.max(1.0).log10() * 10.0).round() as i64 - i64::from(capital) * 50;
    let min_zoom = if capital { 5 } else { min_zoom };
    Some(Kind::class(Layer::Place, min_zoom, class).names(tags).flag("capital", capital).with("rank", rank))
}

fn poi(tags: &Tags) -> Option<Kind> {
    let (class, min_zoom, rank) =
        summit(tags).or_else(|| outdoors(tags)).or_else(|| heritage(tags)).or_else(|| services(tags))?;
    let ele = tags.get("ele").and_then(number).filter(|ele| (-500.0..9000.0).contains(ele));
    let is_named = tags.get("name").or_else(|| tags.get("name:fr")).is_some();
    if !is_named && matches!(class, "monument" | "museum") {
        return None;
    }
    let (min_zoom, rank) = match (class, is_named) {
        // The higher the peak, the earlier it appears and the higher its rank.
        ("peak", _) => (if is_named { min_zoom } else { 13 }, 9000 - ele.unwrap_or(0.0).round() as i64),
        (_, false) => (min_zoom.max(13), rank + 5),
        _ => (min_zoom, rank),
    };
    let mut kind = Kind::class(Layer::Poi, min_zoom, class).names(tags).with("rank", rank);
    if let Some(ele) = ele.filter(|_| matches!(class, "peak" | "saddle" | "hut" | "shelter" | "viewpoint")) {
        kind = kind.with("ele", ele.round() as i64);
    }
    Some(kind)
}

fn summit(tags: &Tags) -> Option<(&'static str, u8, i64)> {
    Some(match tags.get("natural")? {
        "peak" | "volcano" | "hill" => ("peak", 10, 0),
        "saddle" => ("saddle", 12, 12),
        "spring" | "hot_spring" => ("spring", 14, 30),
        "cave_entrance" => ("cave", 14, 32),
        _ => return None,
    })
}

fn outdoors(tags: &Tags) -> Option<(&'static str, u8, i64)> {
    if matches!(tags.get("mountain_pass"), Some("yes")) {
        return Some(("saddle", 12, 10));
    }
    if tags.get("waterway") == Some("waterfall") {
        return Some(("waterfall", 13, 20));
    }
    if let Some(
        "viewpoint" | "alpine_hut" | "wilderness_hut" | "camp_site" | "caravan_site" | "picnic_site" | "information",
    ) = tags.get("tourism")
    {
        return Some(match tags.get("tourism")? {
            "viewpoint" => ("viewpoint", 13, 18),
            "alpine_hut" | "wilderness_hut" => ("hut", 11, 8),
            "picnic_site" => ("picnic", 14, 35),
            "information" => match tags.get("information") {
                Some("guidepost" | "route_marker") => ("guidepost", 14, 60),
                Some("office" | "visitor_centre") => ("information", 13, 24),
                _ => return None,
            },
            _ => ("camping", 13, 22),
        });
    }
    Some(match tags.get("amenity")? {
        "shelter" if tags.get("shelter_type") != Some("public_transport") => ("shelter", 14, 33),
        "drinking_water" | "water_point" => ("water", 14, 34),
        "parking" if tags.get("access").is_none_or(|a| matches!(a, "yes" | "public" | "permissive")) => {
            ("parking", 14, 50)
        }
        "bicycle_rental" => ("bike_rental", 14, 38),
        "bicycle_repair_station" => ("bike_repair", 14, 38),
        "toilets" => ("toilets", 14, 52),
        _ => return None,
    })
}

fn heritage(tags: &Tags) -> Option<(&'static str, u8, i64)> {
    if let Some(historic) = tags.get("historic") {
        match historic {
            "castle" | "fort" | "tower" | "city_gate" => return Some(("castle", 13, 21)),
            "ruins" | "archaeological_site" | "monument" | "memorial" => return Some(("monument", 14, 40)),
            "wayside_cross" | "wayside_shrine" => return Some(("cross", 14, 45)),
            _ => {}
        }
    }
    match (tags.get("amenity"), tags.get("tourism"), tags.get("man_made")) {
        (Some("place_of_worship"), ..) => Some(("church", 14, 36)),
        (_, Some("museum"), _) => Some(("museum", 14, 37)),
        (_, Some("attraction"), _) => Some(("monument", 14, 39)),
        (.., Some("lighthouse")) => Some(("castle", 13, 25)),
        _ => None,
    }
}

fn services(tags: &Tags) -> Option<(&'static str, u8, i64)> {
    match (tags.get("railway"), tags.get("amenity"), tags.get("tourism"), tags.get("shop")) {
        (Some("station" | "halt"), ..) => Some(("station", 12, 11)),
        (_, Some("bus_station"), ..) => Some(("bus", 13, 26)),
        (_, Some("ferry_terminal"), ..) => Some(("ferry", 13, 26)),
        (_, _, Some("hotel" | "hostel" | "guest_house" | "motel"), _) => Some(("lodging", 14, 55)),
        (_, Some("restaurant" | "cafe" | "bar" | "pub" | "fast_food"), ..) => Some(("food", 14, 57)),
        (_, Some("townhall"), ..) => Some(("townhall", 14, 41)),
        (_, Some("hospital"), ..) => Some(("hospital", 13, 27)),
        (_, Some("pharmacy"), ..) => Some(("pharmacy", 14, 51)),
        (.., Some("bicycle")) => Some(("bike_repair", 14, 42)),
        (.., Some("bakery" | "supermarket" | "convenience")) => Some(("shop", 14, 58)),
        _ if tags.get("highway") == Some("bus_stop") => Some(("bus_stop", 14, 65)),
        _ => None,
    }
}

/// Every class of the `poi` layer; a test checks that each has a sign.
#[cfg(test)]
pub(crate) const POI_CLASSES: [&str; 32] = [
    "peak",
    "saddle",
    "spring",
    "cave",
    "waterfall",
    "viewpoint",
    "hut",
    "shelter",
    "picnic",
    "guidepost",
    "information",
    "camping",
    "water",
    "parking",
    "bike_rental",
    "bike_repair",
    "toilets",
    "castle",
    "monument",
    "cross",
    "church",
    "museum",
    "station",
    "bus",
    "bus_stop",
    "ferry",
    "lodging",
    "food",
    "townhall",
    "hospital",
    "pharmacy",
    "shop",
];

#[cfg(test)]
mod tests {
    use super::super::tags;
    use super::*;
    use crate::schema::Value;

    fn number_of(kind: &Kind, key: &str) -> i64 {
        match kind.fields.iter().find(|(k, _)| *k == key) {
            Some((_, Value::Int(number))) => *number,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_higher_peak_and_the_larger_town_win() {
        let peak = |ele: &str| number_of(&drawn(&tags(&[("natural", "peak"), ("name", "P"), ("ele", ele)]))[0], "rank");
        assert!(peak("2942 m") < peak("1500"));
        let town = |people: &str| {
            number_of(&drawn(&tags(&[("place", "town"), ("name", "T"), ("population", people)]))[0], "rank")
        };
        assert!(town("24000") < town("900"));
    }

    #[test]
    fn a_peak_without_a_name_comes_late_and_a_place_without_one_never() {
        assert_eq!(drawn(&tags(&[("natural", "peak")]))[0].min_zoom, 13);
        assert!(drawn(&tags(&[("place", "village")])).is_empty());
    }

    #[test]
    fn a_wild_elevation_is_not_shown() {
        let kinds = drawn(&tags(&[("natural", "peak"), ("name", "P"), ("ele", "99999")]));
        assert!(kinds[0].fields.iter().all(|f| f.0 != "ele"));
    }
}

//! Our profiles as Valhalla's costings. Near in spirit, not the same: its costs are its own.

use crate::profile::{Mode, Rules, by_level};
use routing::{Preferences, Profile};
use serde_json::{Value, json};
use trace::{EARTH_RADIUS_M, Part, Position};

/// The costing's name and its options, `None` for a profile that has no like.
pub(super) fn of(profile: Profile) -> Option<(&'static str, Value)> {
    let rules = Rules::of(profile);
    let bicycle = |kind: &str, use_roads: f64, avoid_bad_surfaces: f64, use_hills: f64| {
        let options = json!({
            "bicycle_type": kind, "cycling_speed": rules.flat_kmh, "use_roads": use_roads,
            "avoid_bad_surfaces": avoid_bad_surfaces, "use_hills": use_hills,
        });
        ("bicycle", options)
    };
    let foot = |step_penalty_s: u32, hardest_sac_scale: usize| {
        let options = json!({
            "walking_speed": rules.flat_kmh, "step_penalty": step_penalty_s, "max_hiking_difficulty": hardest_sac_scale,
        });
        ("pedestrian", options)
    };
    Some(match profile {
        Profile::Touring => bicycle("Hybrid", 0.3, 0.25, 0.5),
        Profile::Road => bicycle("Road", 0.6, 0.9, 0.5),
        Profile::Gravel => bicycle("Cross", 0.3, 0.1, 0.5),
        Profile::Mtb => bicycle("Mountain", 0.1, 0.0, 0.6),
        Profile::Ebike => bicycle("Hybrid", 0.3, 0.25, 0.9),
        Profile::Hiking => foot(0, rules.hardest_sac_scale()),
        // Valhalla cannot exclude steps: an hour's detour is preferred to them.
        Profile::Family => foot(3600, rules.hardest_sac_scale()),
        Profile::Waterway => return None,
    })
}

/// The options adjusted to the preferences; Valhalla knows nothing of signed networks.
pub(super) fn apply_preferences(options: &mut Value, wanted: Preferences) {
    let Some(options) = options.as_object_mut() else { return };
    let walks = !options.contains_key("bicycle_type");
    if walks {
        // Its own middle, which is not among our options.
        options.insert("use_hills".to_owned(), json!(0.5));
    }
    for (name, by) in [
        ("use_roads", by_level(wanted.quiet, 0.3, 0.0, -0.3)),
        ("use_hills", by_level(wanted.gentle, 0.4, 0.0, -0.4)),
        ("avoid_bad_surfaces", by_level(wanted.paved, -0.25, 0.0, 0.4)),
    ] {
        if let Some(share) = options.get_mut(name) {
            *share = json!((share.as_f64().unwrap_or(0.5) + by).clamp(0.0, 1.0));
        }
    }
}

/// Does the profile walk?
pub(super) fn walks(profile: Profile) -> bool {
    Rules::of(profile).mode == Mode::Foot
}

/// Rings to keep out of: `[lon, lat]` pairs.
pub(super) fn rings(avoid: &[Part]) -> Vec<Vec<[f64; 2]>> {
    let mut rings = Vec::new();
    for part in avoid {
        match part {
            Part::Area(ring) => rings.push(ring.iter().map(|p| [p.lon, p.lat]).collect()),
            Part::Along { line, within_m } => rings.extend(line.windows(2).map(|pair| around(pair, *within_m))),
        }
    }
    rings
}

/// The rectangle around a piece of line.
fn around(pair: &[Position], within_m: f64) -> Vec<[f64; 2]> {
    let (a, b) = (pair[0], pair[1]);
    let metre = (1.0 / EARTH_RADIUS_M).to_degrees();
    let shrink = a.lat.to_radians().cos().max(1e-6);
    let (x, y) = ((b.lon - a.lon) * shrink, b.lat - a.lat);
    let length = x.hypot(y);
    // A piece without length is a square.
    let (x, y) = if length > 0.0 { (x / length, y / length) } else { (1.0, 0.0) };
    let corner = |p: Position, ahead: f64, aside: f64| {
        let step = within_m * metre;
        [p.lon + (x * ahead - y * aside) * step / shrink, p.lat + (y * ahead + x * aside) * step]
    };
    vec![corner(a, -1.0, -1.0), corner(b, 1.0, -1.0), corner(b, 1.0, 1.0), corner(a, -1.0, 1.0), corner(a, -1.0, -1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use routing::Level;

    #[test]
    fn every_profile_but_the_waterway_has_a_costing() {
        for profile in Profile::ALL {
            assert_eq!(of(profile).is_none(), profile == Profile::Waterway);
        }
    }

    #[test]
    fn preferences_move_its_options_within_their_bounds() {
        let wanted = Preferences { quiet: Level::More, gentle: Level::More, paved: Level::Less, signed: Level::More };
        let bent = |profile| {
            let (_, mut options) = of(profile).expect("a costing");
            apply_preferences(&mut options, wanted);
            options
        };
        let share = |options: &Value, name: &str| options[name].as_f64().expect(name);
        let mtb = bent(Profile::Mtb);
        assert!(share(&mtb, "use_roads") == 0.0 && share(&mtb, "avoid_bad_surfaces") == 0.0);
        assert!((share(&mtb, "use_hills") - 0.2).abs() < 1e-9);
        assert!((share(&bent(Profile::Hiking), "use_hills") - 0.1).abs() < 1e-9);
    }

    #[test]
    fn a_line_to_keep_out_of_becomes_rectangles() {
        let line = vec![Position::new(1.5, 42.5), Position::new(1.51, 42.505), Position::new(1.51, 42.505)];
        let rings = rings(&[Part::Along { line: line.clone(), within_m: 20.0 }]);
        assert_eq!(rings.len(), 2);
        let corners: Vec<Position> = rings[0].iter().map(|[lon, lat]| Position::new(*lon, *lat)).collect();
        assert_eq!(corners.first(), corners.last());
        for (corner, near) in corners.iter().zip([0, 1, 1, 0]) {
            assert!((trace::distance_m(*corner, line[near]) - 20.0 * 2.0_f64.sqrt()).abs() < 0.1);
        }
        assert!(Part::Area(corners).holds(Position::new(1.505, 42.5025)));
    }
}

//! On a real extract: every way used is checked against its raw tags by rules written a second time, and more plainly.

use super::tests::shared;
use crate::{
    embedded::Embedded,
    file::Network,
    profile::{Mode, Rules},
    search, snap,
};
use extract::{Element, Tags};
use routing::{Profile, RouteEngine, RouteRequest};
use std::collections::HashMap;
use trace::Position;

/// Why the tags forbid the use, `None` where they do not.
fn objection(tags: &Tags, on_bike: bool, is_backward: bool) -> Option<&'static str> {
    let get = |key: &str| tags.get(key).unwrap_or("");
    let is_closed = |value: &str| matches!(value, "no" | "private");
    if get("highway").starts_with("motorway") {
        return Some("motorway");
    }
    let own = if on_bike { get("bicycle") } else { get("foot") };
    if is_closed(own) {
        return Some("closed to this use");
    }
    if own.is_empty() {
        if get("motorroad") == "yes" {
            return Some("motor road");
        }
        let vehicle = if on_bike { get("vehicle") } else { "" };
        if is_closed(vehicle) || (vehicle.is_empty() && is_closed(get("access"))) {
            return Some("closed to all");
        }
    }
    let one_way =
        matches!(get("oneway"), "yes" | "1" | "true") || (get("junction") == "roundabout" && get("oneway") != "no");
    let excepted = get("oneway:bicycle") == "no"
        || tags.iter().any(|(k, v)| {
            k.starts_with("cycleway")
                && (v.starts_with("opposite") || (k.ends_with(":oneway") && matches!(v, "no" | "-1")))
        });
    if on_bike && one_way && is_backward && !excepted {
        return Some("against a one-way");
    }
    None
}

#[test]
fn no_way_is_used_that_its_tags_forbid() {
    let Some(data) = shared("no_way_is_used_that_its_tags_forbid") else { return };
    let extract = data.join("osm/andorra.osm.pbf");
    let mut tags: HashMap<i64, Tags> = HashMap::new();
    extract::read(&extract, |element| {
        if let Element::Way(way) = element {
            tags.insert(way.id, way.tags);
        }
    })
    .expect("the extract");
    let out = std::env::temp_dir().join(format!("jalon-tags-{}.network", std::process::id()));
    Network::build(&extract, None, &out, &mut |_| {}).expect("a network");
    let engine = Embedded::new(Network::open(&out).expect("a sound file"), None);
    std::fs::remove_file(&out).expect("the file just made");
    let pairs = std::fs::read_to_string(data.join("peer/pairs-andorra-seed42.csv")).expect("pairs");
    let view = engine.network().view();
    let mut links_seen = 0;
    for line in pairs.lines().skip(1).step_by(4) {
        let v: Vec<f64> = line.split(',').map(|x| x.parse().expect("a number")).collect();
        let ends = [Position::new(v[1], v[2]), Position::new(v[3], v[4])];
        for profile in Profile::ALL {
            let (weights, metric) = (engine.weights(profile), engine.metric(profile).expect("costs in the file"));
            let [Some(from), Some(to)] = ends.map(|p| snap::for_profile(&view, &weights, p, 150.0)) else { continue };
            let Some(path) =
                search::cheapest(&view, &weights, &metric, &from, &to, search::MAX_SETTLED).expect("within bounds")
            else {
                continue;
            };
            for step in &path.steps {
                let way = view.link(step.link).way_id;
                let objection = objection(&tags[&way], Rules::of(profile).mode == Mode::Bike, step.is_backward);
                assert_eq!(objection, None, "{profile}: way {way} {:?}", tags[&way]);
                links_seen += 1;
            }
            let request = RouteRequest::new(ends.to_vec(), profile);
            assert!(
                engine
                    .route(&request)
                    .is_ok_and(|r| r.ascent_m.is_none() && r.geometry.iter().all(|p| p.ele.is_none()))
            );
        }
    }
    assert!(links_seen > 20_000, "{links_seen}");
}

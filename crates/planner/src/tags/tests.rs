//! One line a rule: tags in, who may go where out.

use super::*;

fn way(pairs: &'static [(&'static str, &'static str)]) -> Attributes {
    attributes(&|key| pairs.iter().find(|(k, _)| *k == key).map(|(_, v)| *v)).expect("a way")
}

fn node(pairs: &'static [(&'static str, &'static str)]) -> Option<Barrier> {
    barrier(&|key| pairs.iter().find(|(k, _)| *k == key).map(|(_, v)| *v))
}

fn bikes(pairs: &'static [(&'static str, &'static str)]) -> (bool, bool) {
    let set = way(pairs);
    (set.bike[0].is_allowed(), set.bike[1].is_allowed())
}

fn walkers(pairs: &'static [(&'static str, &'static str)]) -> (bool, bool) {
    let set = way(pairs);
    (set.foot[0].is_allowed(), set.foot[1].is_allowed())
}

#[test]
fn one_way_binds_bikes_and_not_walkers() {
    assert_eq!(bikes(&[("highway", "residential"), ("oneway", "yes")]), (true, false));
    assert_eq!(bikes(&[("highway", "residential"), ("oneway", "-1")]), (false, true));
    assert_eq!(walkers(&[("highway", "residential"), ("oneway", "yes")]), (true, true));
    assert_eq!(walkers(&[("highway", "path"), ("oneway:foot", "yes")]), (true, false));
}

#[test]
fn bikes_go_against_a_one_way_where_a_sign_says_so() {
    for exception in [
        &[("highway", "residential"), ("oneway", "yes"), ("oneway:bicycle", "no")] as &[_],
        &[("highway", "residential"), ("oneway", "yes"), ("cycleway", "opposite")],
        &[("highway", "residential"), ("oneway", "yes"), ("cycleway:left", "opposite_lane")],
        &[("highway", "residential"), ("oneway", "yes"), ("cycleway:left:oneway", "-1")],
    ] {
        assert_eq!(bikes(exception), (true, true), "{exception:?}");
    }
    assert_eq!(bikes(&[("highway", "cycleway"), ("oneway:bicycle", "yes")]), (true, false));
}

#[test]
fn a_roundabout_turns_one_way() {
    assert_eq!(bikes(&[("highway", "tertiary"), ("junction", "roundabout")]), (true, false));
}

#[test]
fn the_most_precise_key_wins() {
    assert_eq!(bikes(&[("highway", "track"), ("access", "no"), ("bicycle", "yes")]), (true, true));
    assert_eq!(walkers(&[("highway", "track"), ("access", "no"), ("bicycle", "yes")]), (false, false));
    assert_eq!(bikes(&[("highway", "track"), ("vehicle", "no")]), (false, false));
    assert_eq!(walkers(&[("highway", "track"), ("vehicle", "no")]), (true, true));
    assert_eq!(bikes(&[("highway", "service"), ("access", "private")]), (false, false));
    assert_eq!(bikes(&[("highway", "path"), ("bicycle", "no")]), (false, false));
    assert_eq!(way(&[("highway", "service"), ("access", "destination")]).bike[0], Access::Destination);
    assert_eq!(way(&[("highway", "path"), ("bicycle", "dismount")]).bike[0], Access::Dismount);
}

#[test]
fn motorways_and_motor_roads_are_closed() {
    assert_eq!(bikes(&[("highway", "motorway"), ("bicycle", "yes")]), (false, false));
    assert_eq!(walkers(&[("highway", "motorway_link")]), (false, false));
    assert_eq!(bikes(&[("highway", "trunk"), ("motorroad", "yes")]), (false, false));
    assert_eq!(bikes(&[("highway", "trunk")]), (true, true));
}

#[test]
fn riders_walk_on_pavements_and_steps() {
    assert_eq!(way(&[("highway", "footway")]).bike, [Access::Dismount; 2]);
    assert_eq!(way(&[("highway", "footway"), ("access", "yes")]).bike, [Access::Dismount; 2]);
    assert_eq!(way(&[("highway", "footway"), ("bicycle", "yes")]).bike, [Access::Yes; 2]);
    assert_eq!(way(&[("highway", "steps"), ("bicycle", "yes")]).bike, [Access::Dismount; 2]);
}

#[test]
fn what_is_no_way_is_left_out() {
    let none = |pairs: &'static [(&'static str, &'static str)]| {
        attributes(&|key| pairs.iter().find(|(k, _)| *k == key).map(|(_, v)| *v)).is_none()
    };
    assert!(none(&[("highway", "construction")]));
    assert!(none(&[("highway", "proposed")]));
    assert!(none(&[("building", "yes")]));
    assert!(!none(&[("route", "ferry")]));
}

#[test]
fn scales_and_surfaces_are_read() {
    let set = way(&[
        ("highway", "path"),
        ("sac_scale", "demanding_mountain_hiking"),
        ("mtb:scale", "2+"),
        ("surface", "fine_gravel"),
    ]);
    assert_eq!((set.sac_scale, set.mtb_scale, set.surface), (3, 3, Surface::Compacted));
    assert_eq!(way(&[("highway", "track"), ("tracktype", "grade4")]).tracktype, 4);
}

#[test]
fn barriers_stop_whom_they_say() {
    assert_eq!(node(&[("barrier", "bollard")]), None);
    assert_eq!(node(&[("barrier", "gate")]), Some(Barrier { slows_bike: true, ..Barrier::default() }));
    assert_eq!(
        node(&[("barrier", "gate"), ("access", "private")]),
        Some(Barrier { stops_foot: true, stops_bike: true, slows_bike: true })
    );
    assert_eq!(
        node(&[("barrier", "gate"), ("access", "no"), ("foot", "yes")]),
        Some(Barrier { stops_foot: false, stops_bike: true, slows_bike: true })
    );
    assert_eq!(
        node(&[("barrier", "bollard"), ("bicycle", "no")]),
        Some(Barrier { stops_bike: true, ..Barrier::default() })
    );
    assert_eq!(node(&[("highway", "crossing"), ("bicycle", "no")]), None);
}

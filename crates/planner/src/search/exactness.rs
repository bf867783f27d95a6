//! On a real extract: what the contraction answers costs exactly what plain Dijkstra finds, for ten thousand pairs.

use super::{dijkstra, direct, goals, starts, tests::shared};
use crate::{embedded::Embedded, file::Network, search, snap::Snap, truth::Random};
use routing::Profile;
use std::cmp::Reverse;
use terrain::Dem;

#[test]
fn ten_thousand_random_pairs_cost_what_plain_dijkstra_says() {
    let Some(data) = shared("ten_thousand_random_pairs_cost_what_plain_dijkstra_says") else { return };
    let out = std::env::temp_dir().join(format!("jalon-exact-{}.network", std::process::id()));
    let dem = Dem::open_dir(&data.join("dem")).ok();
    Network::build(&data.join("osm/andorra.osm.pbf"), dem.as_ref(), &out, &mut |_| {}).expect("a network");
    let engine = Embedded::new(Network::open(&out).expect("a sound file"), None);
    std::fs::remove_file(&out).expect("the file just made");
    let view = engine.network().view();
    let mut random = Random::new(42);
    let (mut asked, mut found) = (0, 0);
    for round in 0..100 {
        let profile = Profile::ALL[round % Profile::ALL.len()];
        let weights = engine.weights(profile);
        let metric = engine.metric(profile).expect("costs in the file");
        let mut place = || loop {
            let link = (random.share() * view.links.len() as f64) as u32;
            if weights.is_usable(link) {
                let at_m = view.link(link).length_m() * (random.share() * 101.0).floor() / 100.0;
                return Snap { link, at_m, position: crate::geometry::position(view.nodes[0]), offset_m: 0.0 };
            }
        };
        let from = place();
        let mut side = dijkstra::Side::default();
        side.reset(view.arcs.len());
        side.seed(&starts(&view, &weights, &from));
        while let Some(Reverse((distance, arc))) = side.heap.pop() {
            if distance == side.distance(arc) {
                dijkstra::relax_out(&view, &weights, arc, distance, &mut side);
            }
        }
        for _ in 0..100 {
            let to = place();
            let through = goals(&view, &weights, &to)
                .into_iter()
                .filter(|(arc, _)| side.distance(*arc) != u32::MAX)
                .map(|(arc, cost)| side.distance(arc) + cost)
                .min();
            let expected = through.into_iter().chain(direct(&weights, &view, &from, &to).map(|p| p.cost)).min();
            let answer =
                search::cheapest(&view, &weights, &metric, &from, &to, search::MAX_SETTLED).expect("within bounds");
            assert_eq!(answer.map(|p| p.cost), expected, "{profile}: {from:?} to {to:?}");
            asked += 1;
            found += usize::from(expected.is_some());
        }
    }
    assert!(asked == 10_000 && found > 8_000, "{found} of {asked}");
}

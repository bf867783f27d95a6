//! Any bytes through the reader and everything that trusts it: for the fuzz target and its twin on stable Rust.

use crate::{
    embedded::Embedded,
    file::{
        Network,
        format::{HEADER_BYTES, checksum},
    },
    geometry::position,
};
use routing::{MatchRequest, Profile, RouteEngine, RouteRequest};
use trace::Position;

/// Work bound of one question.
const MAX_SETTLED: usize = 20_000;

/// Opens the unchanged bytes, then the bytes with corrected checksums, and uses what opens. Must never panic.
pub fn exercise(bytes: &[u8]) {
    let _ = Network::from_bytes(bytes).map(use_all);
    let mut sealed = bytes.to_vec();
    if seal(&mut sealed) {
        let _ = Network::from_bytes(&sealed).map(use_all);
    }
}

/// Write the length and the checksums that the bytes should have; false where there is no header to write to.
fn seal(bytes: &mut [u8]) -> bool {
    if bytes.len() < HEADER_BYTES {
        return false;
    }
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    let body = checksum(&bytes[HEADER_BYTES..]);
    bytes[24..32].copy_from_slice(&body.to_le_bytes());
    let header = checksum(&bytes[..HEADER_BYTES - 8]);
    bytes[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&header.to_le_bytes());
    true
}

fn use_all(network: Network) {
    let places: Vec<Position> = {
        let shapes = network.view().shapes;
        (0..shapes.len()).step_by(shapes.len().div_ceil(6).max(1)).map(|i| position(shapes[i])).collect()
    };
    let _ = network.outline();
    let engine = Embedded::new(network, None).with_max_settled(MAX_SETTLED);
    let _ = engine.status();
    for profile in Profile::ALL {
        let _ = engine.route(&RouteRequest::new(places.clone(), profile));
    }
    let _ = engine.match_trace(&MatchRequest {
        line: places,
        profile: Profile::Touring,
        kept: vec![[0.0, 50.0], [f64::NAN, -1.0]],
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        file::format::{SECTIONS_AT, Section},
        testmap::TestMap,
    };
    use proptest::prelude::*;
    use std::sync::LazyLock;

    static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
        TestMap::new()
            .node(1, 0.0, 0.0)
            .node(2, 100.0, 0.0)
            .node(3, 100.0, 100.0)
            .node(4, 0.0, 100.0)
            .street(10, &[1, 2, 3])
            .way(11, &[3, 4, 1], &[("highway", "residential"), ("name", "Rue du Test"), ("oneway", "yes")])
            .way(12, &[1, 3], &[("highway", "track")])
            .restriction("no_left_turn", 10, crate::build::source::MemberRef::Node(3), 11, &[])
            .bytes()
    });

    #[test]
    fn a_sound_file_is_used() {
        let mut sealed = SOUND.clone();
        assert!(seal(&mut sealed) && sealed == *SOUND);
        exercise(&SOUND);
    }

    #[test]
    fn a_network_without_costs_has_them_worked_out() {
        let network = |bytes: &[u8]| Embedded::new(Network::from_bytes(bytes).expect("a sound file"), None);
        let stored = network(&SOUND);
        let mut bytes = SOUND.clone();
        // As files were before: nothing in the places of the last three sections.
        let place = |section: usize| SECTIONS_AT + 16 * section;
        let places = place(Section::Large as usize)..place(Section::COUNT);
        assert!(bytes[places.clone()].iter().any(|byte| *byte != 0));
        bytes[places].fill(0);
        assert!(seal(&mut bytes));
        let plain = network(&bytes);
        for profile in Profile::ALL {
            let ask = |engine: &Embedded| {
                let view = engine.network().view();
                let ends = [view.shapes[0], view.shapes[view.shapes.len() / 2]].map(position);
                engine.route(&RouteRequest::new(ends.to_vec(), profile))
            };
            assert_eq!(ask(&stored), ask(&plain), "{profile}");
        }
        assert_eq!((stored.without_stored_costs().len(), plain.without_stored_costs().len()), (0, Profile::ALL.len()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn damaged_files_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in 0..40_usize) {
            let mut bytes = SOUND.clone();
            for (at, value) in changes {
                // The body, not the zeros that fill the header.
                let at = at.index(bytes.len());
                bytes[at] = value;
            }
            bytes.truncate(bytes.len() - cut);
            exercise(&bytes);
        }

        #[test]
        fn foreign_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
            exercise(&bytes);
        }
    }
}

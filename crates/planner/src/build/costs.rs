//! The costs of every built-in profile, worked out when the network is built: no server waits for them or keeps them in memory.

use crate::{
    contraction::{OwnMetric, stored},
    file::{
        Network,
        format::{Section, Writer},
    },
    profile::Rules,
    weights::{Large, Weights, fingerprint, large_links, paces},
};
use routing::Profile;
use std::io::{self, Seek, Write};

/// Appends the costs to a network that is otherwise whole, one profile after the other; `done` is called with how many are done.
pub(crate) fn append<W: Write + Seek>(
    out: &mut Writer<W>,
    network: &Network,
    mut done: impl FnMut(usize),
) -> io::Result<()> {
    let view = network.view();
    let mut large = vec![0_u8; view.links.len()];
    let mut rows: [stored::Row; Profile::ALL.len()] = [[0; 4]; Profile::ALL.len()];
    let mut bytes = 0;
    out.begin(Section::Metrics)?;
    for (index, profile) in Profile::ALL.into_iter().enumerate() {
        let rules = Rules::of(profile);
        let paces = paces(&view, rules);
        for (bits, is_large) in large.iter_mut().zip(large_links(&view, rules, &paces)) {
            *bits |= is_large << profile as u8;
        }
        let weights = Weights { view, rules, paces: &paces, large: Large { links: &[], bit: 0 }, changes: None };
        let metric = OwnMetric::of(&view, &weights);
        let kept = [&metric.up, &metric.down].map(|half| half.costs.len() as u64);
        rows[profile as usize] = [fingerprint(&weights), bytes / 8, kept[0], kept[1]];
        stored::write(&metric, |part| {
            bytes += part.len() as u64;
            out.append(Section::Metrics, part)
        })?;
        done(index + 1);
    }
    out.section(Section::Large, &large)?;
    out.section(Section::Profiles, bytemuck::cast_slice(&rows))
}

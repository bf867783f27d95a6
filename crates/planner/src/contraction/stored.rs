//! Costs on the contraction as the file stores them, so that a profile's first request has nothing to work out.
//!
//! The section `Profiles` has a row for each profile, in the order of [`Profile::ALL`]: a fingerprint of rules and costs
//! (0 for none), the first word of its costs in the section `Metrics`, how many shortcuts were kept up, and how many down. In `Metrics` follow, on
//! borders of 8 bytes, bits, counts, costs and parts of the half up, then those of the half down.

use super::metric::{Half, Metric, OwnMetric, counts_of, words_of};
use crate::file::View;
use routing::Profile;
use std::io;

/// What the file stores of a profile.
pub(crate) type Row = [u64; 4];

/// Are costs with this fingerprint stored for a profile, and may they be read without further checks?
pub(crate) fn has(view: &View, profile: Profile, fingerprint: u64) -> bool {
    view.profiles.get(profile as usize).is_some_and(|row| row[0] == fingerprint)
        && !view.large.is_empty()
        && read(view, profile).is_some_and(|metric| metric.up.is_whole() && metric.down.is_whole())
}

/// The costs that are stored for a profile, if [`has`] returned true.
pub(crate) fn read<'a>(view: &View<'a>, profile: Profile) -> Option<Metric<'a>> {
    let [_, first, up, down] = *view.profiles.get(profile as usize)?;
    let mut rest = view.metrics.get(usize::try_from(first).ok()?..)?;
    let shortcuts = view.up_head.len();
    Some(Metric { up: half(&mut rest, shortcuts, up)?, down: half(&mut rest, shortcuts, down)? })
}

fn half<'a>(rest: &mut &'a [u64], shortcuts: usize, kept: u64) -> Option<Half<'a>> {
    let kept = usize::try_from(kept).ok().filter(|kept| *kept <= shortcuts)?;
    let bits = rest.split_off(..words_of(shortcuts))?;
    let mut numbers =
        |count: usize| Some(&bytemuck::cast_slice::<u64, u32>(rest.split_off(..count.div_ceil(2))?)[..count]);
    let (counts, costs) = (numbers(counts_of(shortcuts))?, numbers(kept)?);
    Some(Half { kept: bits, counts, costs, parts: bytemuck::cast_slice(rest.split_off(..kept)?) })
}

/// Calls `out` with the bytes of a metric, part by part.
pub(crate) fn write(metric: &OwnMetric, mut out: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    for half in [&metric.up, &metric.down] {
        out(bytemuck::cast_slice(&half.kept))?;
        for numbers in [&half.counts, &half.costs] {
            out(bytemuck::cast_slice(numbers))?;
            if !numbers.len().is_multiple_of(2) {
                out(&[0; 4])?;
            }
        }
        out(bytemuck::cast_slice(&half.parts))?;
    }
    Ok(())
}

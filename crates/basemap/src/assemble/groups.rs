//! Lines of one kind, gathered in a temporary file and then joined end to end, one kind after the other.

use crate::blocks::Blocks;
use crate::bytes::{put, put_points, take, take_byte, take_points};
use crate::error::BasemapError;
use crate::feature::Feature;
use crate::geometry::Point;
use crate::geometry::join::join;
use crate::records::{put_kind, take_kind};
use crate::schema::{Kind, Layer, SharedKind};
use crate::temporary::{Folder, Log, Records};
use std::collections::HashMap;

/// Lines by kind and whether their direction counts.
#[derive(Debug)]
pub(crate) struct Groups {
    /// The number of each group, by its direction and kind as bytes.
    numbers: HashMap<Box<[u8]>, u32>,
    /// The place of the last line of each group: its record begins with the distance to the one before, 0 for none.
    last: Vec<u64>,
    lines: Log,
    /// The bytes that are being written.
    key: Vec<u8>,
    record: Vec<u8>,
}

impl Groups {
    pub(crate) fn create(folder: &Folder) -> Result<Self, BasemapError> {
        let lines = Log::create(folder)?;
        Ok(Self { numbers: HashMap::new(), last: Vec::new(), lines, key: Vec::new(), record: Vec::new() })
    }

    pub(crate) fn add(&mut self, kind: &Kind, directed: bool, line: &[Point]) -> Result<(), BasemapError> {
        self.key.clear();
        self.key.push(u8::from(directed));
        put_kind(&mut self.key, kind);
        let next = self.last.len() as u32;
        let number = self.numbers.get(&self.key[..]).copied().unwrap_or(next);
        if number == next {
            self.numbers.insert(self.key.as_slice().into(), number);
            self.last.push(NONE);
        }
        let last = &mut self.last[number as usize];
        let at = self.lines.end();
        self.record.clear();
        put(&mut self.record, if *last == NONE { 0 } else { at - *last });
        put_points(&mut self.record, line);
        *last = self.lines.append(&self.record)?;
        Ok(())
    }

    /// Joins each group, in the order of their first lines, and passes its lines on.
    pub(crate) fn finish(self, blocks: &mut Blocks) -> Result<(), BasemapError> {
        let lines = self.lines.finish()?;
        let mut keys: Vec<(u32, Box<[u8]>)> = self.numbers.into_iter().map(|(key, number)| (number, key)).collect();
        keys.sort_unstable_by_key(|(number, _)| *number);
        for ((_, key), last) in keys.into_iter().zip(self.last) {
            let mut rest = &key[..];
            let directed = take_byte(&mut rest) == Some(1);
            let kind = SharedKind::new(take_kind(&mut rest).ok_or_else(|| lines.damaged())?);
            let order = importance(&kind);
            for line in join(&of_group(&lines, last)?, directed) {
                blocks.add(Feature::line(&kind, &line, order))?;
            }
        }
        Ok(())
    }
}

/// The place of the last line of a group without lines.
const NONE: u64 = u64::MAX;

/// The lines of a group, from the place of its last one.
fn of_group(records: &Records, last: u64) -> Result<Vec<Vec<Point>>, BasemapError> {
    let (mut lines, mut at) = (Vec::new(), Some(last));
    while let Some(place) = at {
        let (step, line) = records.read(place, |rest| Some((take(rest)?, take_points(rest)?)))?;
        lines.push(line);
        at = place.checked_sub(step).filter(|_| step > 0);
    }
    lines.reverse();
    Ok(lines)
}

/// The drawing order, the highest on top: main roads over paths, long networks over short ones.
fn importance(kind: &Kind) -> i64 {
    match kind.layer {
        Layer::Road | Layer::RoadLabel | Layer::Route | Layer::Line => -i64::from(kind.min_zoom),
        _ => i64::from(kind.min_zoom),
    }
}

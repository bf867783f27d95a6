//! A feed, read whole.

use domain::transit::{Departures, TransitLine};

use super::files::Files;
use super::lines::Lines;
use super::remarks::Remarks;
use super::services::{Services, written};
pub use super::stops::Stop;
use super::stops::Stops;
use super::{calls, rules};
use crate::incoming::Refused;

/// The data of a feed.
#[derive(Debug, Default, PartialEq)]
pub struct Transit {
    /// Its lines, in its order.
    pub lines: Vec<TransitLine>,
    /// The stops that a line serves, in its order.
    pub stops: Vec<Stop>,
    /// The stops of lines.
    pub calls: Vec<Call>,
    /// Stop times processed.
    pub stop_times: u64,
    /// Its first and last day, `YYYY-MM-DD`.
    pub days: (Option<String>, Option<String>),
    /// The faults in the feed.
    pub remarks: Remarks,
}

/// A line at a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The line, by its place.
    pub line: u32,
    /// The stop, by its place.
    pub stop: u32,
    /// Its departures, by kind of day; none where only the last stop of a trip is there.
    pub departures: Vec<Departures>,
}

/// Reads a feed. `today` is written `20261231`: departures are read of what runs today or later.
pub fn read(files: &mut Files<'_>, today: u32) -> Result<Transit, Refused> {
    let mut remarks = std::mem::take(&mut files.remarks);
    let services = Services::read(files, today, &mut remarks)?;
    let mut lines = Lines::read(files, &mut remarks)?;
    let stops = Stops::read(files, &mut remarks)?;
    let rules = rules::read(files, &mut remarks)?;
    let calls = calls::read(files, (&mut lines, &stops, &services, &rules), today, &mut remarks)?;
    if lines.all.is_empty() {
        return Err(Refused::new("transport/no-lines"));
    }
    if !stops.have_positions() {
        return Err(Refused::new("transport/no-stops"));
    }
    if calls.are_none() {
        return Err(Refused::new("transport/no-calls"));
    }
    if !calls.have_days {
        return Err(Refused::new("transport/no-days"));
    }
    let stop_times = calls.stop_times;
    // Stops that no line serves are left out: the others get new numbers, in the old order.
    let mut found: Vec<(u32, u32, Vec<Departures>)> = calls.gathered().collect();
    let mut numbers = vec![u32::MAX; stops.all.len()];
    for (_, stop, _) in &found {
        numbers[*stop as usize] = 0;
    }
    let mut served = Vec::new();
    for (number, stop) in numbers.iter_mut().zip(stops.all) {
        if *number == 0 {
            *number = served.len() as u32;
            served.push(stop);
        }
    }
    let calls = found.drain(..).map(|(line, stop, departures)| Call { line, stop: numbers[stop as usize], departures });
    Ok(Transit {
        calls: calls.collect(),
        lines: lines.all,
        stops: served,
        stop_times,
        days: (written(services.from), written(services.to)),
        remarks,
    })
}

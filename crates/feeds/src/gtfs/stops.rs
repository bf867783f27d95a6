//! Stops. A stop whose station has a position is read as the station. A location group (a place served on demand) is read as the list of its stops.

use std::collections::HashMap;

use super::files::Files;
use super::remarks::Remarks;
use super::rules::text;
use super::services::too_many;
use crate::incoming::Refused;

/// More stops than any feed has: France has 700,000.
const MAX_STOPS: usize = 2_000_000;

/// A stop.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    pub name: String,
    /// Its place: longitude and latitude.
    pub at: [f64; 2],
}

/// Name, position and station of a stop, as in the file.
type Row = (String, Option<[f64; 2]>, Box<[u8]>);

/// All stops.
#[derive(Debug, Default)]
pub(super) struct Stops {
    /// The number of each stop: of its station, where that has a position.
    by_id: HashMap<Box<[u8]>, u32>,
    pub all: Vec<Stop>,
    /// Places on demand: the stops of each.
    groups: HashMap<Box<[u8]>, Vec<u32>>,
}

impl Stops {
    pub(super) fn read(files: &mut Files<'_>, remarks: &mut Remarks) -> Result<Self, Refused> {
        let mut stops = Self::default();
        let mut table = files
            .table("stops.txt")?
            .ok_or_else(|| Refused::new("transport/missing-file").with("file", "stops.txt"))?;
        let [id, name, lat, lon, parent] =
            ["stop_id", "stop_name", "stop_lat", "stop_lon", "parent_station"].map(|name| table.column(name));
        // Name and position as in the file, and the station by its own name: it may come later.
        let mut rows: Vec<Row> = Vec::new();
        while table.next()? {
            let own = table.get(id);
            if own.is_empty() {
                remarks.add("transport/unnamed-stop", table.get(name));
                continue;
            }
            if stops.by_id.contains_key(own) {
                remarks.add("transport/double-stop", own);
                continue;
            }
            if rows.len() >= MAX_STOPS {
                return Err(too_many("stops.txt"));
            }
            stops.by_id.insert(own.into(), rows.len() as u32);
            let title = text(table.get(name), 200).or_else(|| text(own, 200)).unwrap_or_default();
            rows.push((title, position(table.get(lon), table.get(lat)), table.get(parent).into()));
        }
        drop(table);
        let station = |of: &[u8]| stops.by_id.get(of).copied().filter(|station| rows[*station as usize].1.is_some());
        let to: Vec<u32> = rows.iter().enumerate().map(|(at, row)| station(&row.2).unwrap_or(at as u32)).collect();
        for number in stops.by_id.values_mut() {
            *number = to[*number as usize];
        }
        let mut bad: Vec<(&Box<[u8]>, u32)> = stops.by_id.iter().map(|(id, number)| (id, *number)).collect();
        bad.retain(|(_, number)| rows[*number as usize].1.is_none());
        bad.sort_unstable();
        for (id, _) in &bad {
            remarks.add("transport/bad-position", id);
        }
        // A stop without a position stays in the list, as other files name stops by their place in it. No line stops there.
        stops.all = rows.into_iter().map(|(name, at, _)| Stop { name, at: at.unwrap_or([f64::NAN; 2]) }).collect();
        stops.read_groups(files)?;
        Ok(stops)
    }

    fn read_groups(&mut self, files: &mut Files<'_>) -> Result<(), Refused> {
        let Some(mut table) = files.table("location_group_stops.txt")? else { return Ok(()) };
        let (group, stop) = (table.column("location_group_id"), table.column("stop_id"));
        let mut members = 0;
        while table.next()? {
            members += 1;
            if members > MAX_STOPS {
                return Err(too_many("location_group_stops.txt"));
            }
            if let Some(stop) = self.get(table.get(stop)) {
                self.groups.entry(table.get(group).into()).or_default().push(stop);
            }
        }
        for stops in self.groups.values_mut() {
            stops.sort_unstable();
            stops.dedup();
        }
        Ok(())
    }

    /// The number of a stop that has a position.
    pub(super) fn get(&self, id: &[u8]) -> Option<u32> {
        self.by_id.get(id).copied().filter(|number| self.has_position(*number))
    }

    /// Whether the feed has a stop of this identifier, with or without a place.
    pub(super) fn knows(&self, id: &[u8]) -> bool {
        self.by_id.contains_key(id)
    }

    /// Whether at least one stop has a position.
    pub(super) fn have_positions(&self) -> bool {
        self.all.iter().any(|stop| stop.at[0].is_finite())
    }

    fn has_position(&self, number: u32) -> bool {
        self.all.get(number as usize).is_some_and(|stop| stop.at[0].is_finite())
    }

    /// The stops of a place on demand.
    pub(super) fn group(&self, id: &[u8]) -> &[u32] {
        self.groups.get(id).map_or(&[], Vec::as_slice)
    }
}

/// A position on the Earth; `None` for 0, 0, which means an unknown place.
fn position(lon: &[u8], lat: &[u8]) -> Option<[f64; 2]> {
    let degrees = |text: &[u8]| -> Option<f64> {
        let text = std::str::from_utf8(text).ok()?;
        text.parse().or_else(|_| text.replace(',', ".").parse()).ok()
    };
    let (lon, lat) = (degrees(lon)?, degrees(lat)?);
    let inside = (-180.0..=180.0).contains(&lon) && (-90.0..=90.0).contains(&lat);
    (inside && (lon.abs() > 0.01 || lat.abs() > 0.01)).then_some([lon, lat])
}

//! GTFS as operators publish it: missing agencies, duplicate identifiers, a byte order mark before the first column, Windows-1252
//! in one file and UTF-8 in the next, folders inside the archive. What can be understood is read, the rest is counted and reported.
//!
//! Millions of stop times are not kept in memory: only the last one of each trip is, so that the terminus is not taken for a
//! departure. Memory grows with lines, trips and stops.

mod bounded;
mod calls;
mod files;
mod lines;
mod look;
mod read;
mod remarks;
mod rules;
mod services;
mod stops;
mod table;

pub use files::Files;
pub use read::{Call, Stop, Transit, read};
pub use remarks::{Remark, Remarks};

/// What the fuzz target and the property tests run on any bytes.
///
/// # Panics
/// Never, or there is a bug.
#[doc(hidden)]
pub fn exercise(bytes: &[u8]) {
    for file in ["stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt"] {
        let usual = [
            ("routes.txt", "route_id,route_short_name\nR,1\n"),
            ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\nS,Gare,45,6\n"),
            ("trips.txt", "route_id,service_id,trip_id\nR,W,T\n"),
            ("stop_times.txt", "trip_id,departure_time,stop_id,stop_sequence\nT,08:00:00,S,1\n"),
            ("calendar.txt", "service_id,monday,start_date,end_date\nW,1,20260101,20271231\n"),
        ];
        let mut files: std::collections::BTreeMap<String, Vec<u8>> =
            usual.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
        files.insert(file.to_owned(), bytes.to_vec());
        if let Ok(found) = read(&mut Files::loose(files), 20_261_122) {
            let (lines, stops) = (found.lines.len(), found.stops.len());
            assert!(found.calls.iter().all(|call| (call.line as usize) < lines && (call.stop as usize) < stops));
        }
    }
    if let Ok(mut files) = Files::open(bytes) {
        let _ = read(&mut files, 20_261_122);
    }
}

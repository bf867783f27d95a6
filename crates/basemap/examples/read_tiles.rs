//! How long a tile takes: `read_tiles FILE COUNT` opens a file of tiles, reads seeded random tiles of its region at every zoom, and prints
//! microseconds a tile: median, 99th percentile, longest.
#![expect(clippy::print_stdout, reason = "a command-line program")]

use basemap::{MAX_ZOOM, MIN_ZOOM, Tiles};
use std::path::Path;
use std::time::Instant;
use trace::web_mercator;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, count] = arguments.as_slice() else { return Err("usage: read_tiles FILE COUNT".into()) };
    let start = Instant::now();
    let tiles = Tiles::open(Path::new(file))?;
    println!("opened in {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    let [west, south, east, north] = tiles.bbox();
    let mut state = 42_u64;
    let mut share = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let (mut times, mut bytes) = (Vec::new(), 0);
    for _ in 0..count.parse::<usize>()? {
        let zoom = MIN_ZOOM + (share() * f64::from(MAX_ZOOM - MIN_ZOOM + 1)) as u8;
        let (lon, lat) = (west + share() * (east - west), south + share() * (north - south));
        let side = f64::from(1_u32 << zoom);
        let [x, y] = web_mercator::project([lon, lat]).map(|share| (share * side) as u32);
        let start = Instant::now();
        // Copied as into an answer, so that every page of it is read.
        bytes += std::hint::black_box(tiles.tile(zoom, x, y).unwrap_or_default().to_vec()).len();
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    let part = |share: f64| times.get(((times.len().max(1) - 1) as f64 * share) as usize).copied().unwrap_or_default();
    println!(
        "{} tiles, {bytes} bytes: p50 {:.1}, p99 {:.1}, max {:.1} µs",
        times.len(),
        part(0.5),
        part(0.99),
        part(1.0)
    );
    Ok(())
}

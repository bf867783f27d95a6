//! Makes the tiles of an extract and prints time and sizes: `build_tiles EXTRACT OUT [FOLDER OF ELEVATION]`.
#![expect(clippy::print_stdout, reason = "a command-line program")]

use basemap::{MAX_ZOOM, MIN_ZOOM, Tiles, build};
use std::path::PathBuf;
use trace::web_mercator;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [extract, out, dem @ ..] = paths.as_slice() else { return Err("usage: build_tiles EXTRACT OUT [DEM]".into()) };
    let dem = dem.first().map(|folder| terrain::Dem::open_dir(folder)).transpose()?;
    let report = build(extract, dem.as_ref(), out, &mut |_| {})?;
    println!("{} tiles, {} bytes, {:.2} s", report.tiles, report.bytes, report.seconds);
    if let Some((tiles, bytes)) = report.relief {
        println!("heights: {tiles} tiles, {bytes} bytes");
    }
    let start = std::time::Instant::now();
    let tiles = Tiles::open(out)?;
    println!("opened in {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    for zoom in MIN_ZOOM..=MAX_ZOOM {
        let mut sizes = sizes(&tiles, zoom);
        sizes.sort_unstable();
        let part = |share: f64| sizes[((sizes.len() - 1) as f64 * share) as usize];
        if !sizes.is_empty() {
            println!(
                "z{zoom}: {} tiles, gzip bytes p50 {} p99 {} max {}",
                sizes.len(),
                part(0.5),
                part(0.99),
                part(1.0)
            );
        }
    }
    Ok(())
}

fn sizes(tiles: &Tiles, zoom: u8) -> Vec<usize> {
    let [west, south, east, north] = tiles.bbox();
    let side = f64::from(1_u32 << zoom);
    let column = |lon: f64| (web_mercator::project([lon, 0.0])[0] * side) as u32;
    let row = |lat: f64| (web_mercator::project([0.0, lat])[1] * side) as u32;
    (column(west)..=column(east))
        .flat_map(|x| (row(north)..=row(south)).map(move |y| (x, y)))
        .filter_map(|(x, y)| tiles.tile(zoom, x, y).map(<[u8]>::len))
        .collect()
}

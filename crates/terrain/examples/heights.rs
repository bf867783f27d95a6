//! Heights at places, to see whether a folder of tiles is read: `heights FOLDER LON,LAT …`.
#![allow(clippy::print_stdout, reason = "prints what it is run for")]

use std::path::Path;
use terrain::Dem;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let dem = Dem::open_dir(Path::new(&arguments.next().ok_or("which folder?")?))?;
    println!("{} tiles, the finest of {:.1} m a sample", dem.tile_count(), dem.finest_m());
    for refused in dem.refused() {
        println!("left out: {refused}");
    }
    for place in arguments {
        let (lon, lat) = place.split_once(',').ok_or("a place is LON,LAT")?;
        match dem.elevation_m(lon.parse()?, lat.parse()?) {
            Some(height) => println!("{place}: {height:.2} m"),
            None => println!("{place}: unknown"),
        }
    }
    Ok(())
}

//! `cargo run -p demo --example write_region -- DIR`: writes the demo region's extract and elevation tile.
#![expect(clippy::print_stdout, reason = "an example's answer is what it prints")]

use std::path::PathBuf;

fn main() -> Result<(), demo::DemoError> {
    let dir = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("demo-region"), PathBuf::from);
    let files = demo::write_region(&dir)?;
    println!("{}\n{}", files.extract.display(), files.dem.display());
    Ok(())
}

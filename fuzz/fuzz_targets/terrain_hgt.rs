//! Any bytes as SRTM tiles, plain and zipped. A tile is a file in a folder: so are these bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let folder = std::env::temp_dir().join(format!("hgt-fuzz-{}", std::process::id()));
    let written = std::fs::create_dir_all(&folder).is_ok()
        && std::fs::write(folder.join("N42E001.hgt.zip"), bytes).is_ok()
        && std::fs::write(folder.join("N43E001.hgt"), bytes).is_ok();
    if let (true, Ok(dem)) = (written, terrain::Dem::open_dir(&folder)) {
        let _ = dem.check();
        for lat in [42.3, 43.7] {
            let _ = dem.elevation_m(1.5, lat);
        }
    }
});

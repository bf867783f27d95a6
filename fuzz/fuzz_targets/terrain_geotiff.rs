//! Any bytes as a GeoTIFF; if it opens, its middle is read and heights all over France are asked for.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let folder = std::env::temp_dir().join(format!("geotiff-fuzz-{}", std::process::id()));
    let written = std::fs::create_dir_all(&folder).is_ok() && std::fs::write(folder.join("a.tif"), bytes).is_ok();
    if let (true, Ok(dem)) = (written, terrain::Dem::open_dir(&folder)) {
        let _ = dem.check();
        for step in 0..40 {
            let _ = dem.elevation_m(-5.0 + f64::from(step) * 0.4, 42.0 + f64::from(step % 10));
        }
    }
});

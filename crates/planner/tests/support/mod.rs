//! The shared data for internal tests: real extracts, real tracks.
#![allow(dead_code, reason = "each test file uses its own part")]

use planner::{Dem, Embedded, Network};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};
use trace::Position;

/// The folder of test material, `None` (and a line to stderr) where it is missing.
pub fn shared(test: &str) -> Option<PathBuf> {
    let root = std::env::var_os("JALON_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let data = root.join("data");
    if data.join("osm/andorra.osm.pbf").is_file() {
        return Some(data);
    }
    eprintln!("SKIPPED: {test}: ../shared/data is missing");
    None
}

/// A folder of this process for prepared files.
pub fn scratch() -> PathBuf {
    let dir = std::env::temp_dir().join(format!("jalon-planner-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary folder");
    dir
}

/// An engine over an extract of the shared data.
pub fn engine(data: &Path, extract: &str) -> Embedded {
    let out = scratch().join(format!("{}.network", extract.replace('/', "-")));
    let dem = Arc::new(Dem::open_dir(&data.join("dem")).expect("elevation tiles"));
    Network::build(&data.join("osm").join(extract), Some(&dem), &out, &mut |_| {}).expect("a network");
    let network = Network::open(&out).expect("a sound file");
    // The map stays readable after its name is gone: nothing is left behind.
    std::fs::remove_file(&out).expect("the file just made");
    Embedded::new(network, Some(dem))
}

/// Andorra, built once a test file.
pub fn andorra(data: &Path) -> &'static Embedded {
    static ENGINE: OnceLock<Embedded> = OnceLock::new();
    ENGINE.get_or_init(|| engine(data, "andorra.osm.pbf"))
}

/// Track points of a plain GPX file, read by the attribute: the tests' files are known to be whole.
pub fn gpx(path: &Path) -> Vec<Position> {
    let text = std::fs::read_to_string(path).expect("a track");
    let mut points = Vec::new();
    for part in text.split("<trkpt").skip(1) {
        let value = |key: &str| {
            let rest = &part[part.find(key)? + key.len()..];
            rest[..rest.find('"')?].parse::<f64>().ok()
        };
        let ele = part
            .find("<ele>")
            .filter(|i| *i < part.find("</trkpt>").unwrap_or(0))
            .and_then(|i| part[i + 5..].split('<').next()?.parse().ok());
        points.push(Position { lon: value("lon=\"").expect("lon"), lat: value("lat=\"").expect("lat"), ele });
    }
    points
}

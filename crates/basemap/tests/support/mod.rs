//! Helpers of the tests: where the shared extracts are, what a tile says.

use basemap::Tiles;
use fast_mvt::{MvtReaderRef, MvtValueRef};
use flate2::read::GzDecoder;
use std::io::Read;
use std::path::PathBuf;

/// Two streets that make one, a way that ends outside, a lake with a broken ring, a village.
pub const HAMLET: &str = r#"<osm version="0.6">
<node id="1" lon="5.000" lat="45.000"/><node id="2" lon="5.003" lat="45.000"/><node id="3" lon="5.006" lat="45.0001"/>
<node id="4" lon="5.006" lat="45.004"/><node id="5" lon="5.001" lat="45.004"><tag k="place" v="hamlet"/><tag k="name" v="Le Lavoir"/></node>
<way id="10"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Rue du Lavoir"/></way>
<way id="11"><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/><tag k="bridge" v="yes"/><tag k="name" v="Rue du Lavoir"/></way>
<way id="12"><nd ref="3"/><nd ref="4"/><nd ref="99"/><tag k="highway" v="path"/><tag k="sac_scale" v="hiking"/></way>
<way id="13"><nd ref="1"/><tag k="highway" v="path"/></way>
<way id="14"><nd ref="1"/><nd ref="4"/><nd ref="5"/></way>
<relation id="20"><member type="way" ref="14" role="outer"/><member type="way" ref="77" role="inner"/><tag k="type" v="multipolygon"/><tag k="natural" v="water"/></relation>
</osm>"#;

/// A shared extract; none, with a line to say so, where the folder is missing.
#[allow(dead_code, reason = "not every test file asks for it")]
pub fn shared_extract(name: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("JALON_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = shared.join("data/osm").join(name);
    if path.exists() {
        return Some(path);
    }
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    eprintln!("SKIPPED: {test}: ../shared/data is missing");
    None
}

/// The tile that holds a place.
pub fn tile_of(zoom: u8, lon: f64, lat: f64) -> (u32, u32) {
    let side = f64::from(1_u32 << zoom);
    let y = (0.5 - lat.to_radians().tan().asinh() / std::f64::consts::TAU) * side;
    (((lon / 360.0 + 0.5) * side) as u32, y as u32)
}

/// Every tile of a box.
#[allow(dead_code, reason = "not every test file asks for it")]
pub fn tiles_in(zoom: u8, [west, south, east, north]: [f64; 4]) -> Vec<(u32, u32)> {
    let ((left, top), (right, bottom)) = (tile_of(zoom, west, north), tile_of(zoom, east, south));
    (left..=right).flat_map(|x| (top..=bottom).map(move |y| (x, y))).collect()
}

/// Layers by name; each feature as its fields in words.
pub type Decoded = Vec<(String, Vec<Vec<(String, String)>>)>;

/// Decodes a tile, checking every geometry on the way; nothing for a tile that is not there.
pub fn decoded(tiles: &Tiles, z: u8, x: u32, y: u32) -> Decoded {
    let Some(zipped) = tiles.tile(z, x, y) else { return Vec::new() };
    let mut bytes = Vec::new();
    GzDecoder::new(zipped).read_to_end(&mut bytes).unwrap();
    let reader = MvtReaderRef::new(&bytes).unwrap();
    reader
        .layers()
        .map(|layer| {
            let features = layer.features().map(|feature| {
                feature.geometry().unwrap();
                feature
                    .properties()
                    .map(|property| property.unwrap())
                    .map(|(key, value)| (key.to_owned(), words(value)))
                    .collect()
            });
            (layer.name().to_owned(), features.collect())
        })
        .collect()
}

fn words(value: MvtValueRef<'_>) -> String {
    match value {
        MvtValueRef::String(text) => text.to_owned(),
        MvtValueRef::Int(number) | MvtValueRef::SInt(number) => number.to_string(),
        MvtValueRef::Bool(yes) => yes.to_string(),
        other => format!("{:?}", other.into_owned()),
    }
}

/// The values of one field in a layer.
pub fn values(layers: &Decoded, layer: &str, key: &str) -> Vec<String> {
    let features = layers.iter().filter(|(name, _)| name == layer).flat_map(|(_, features)| features);
    features.filter_map(|fields| fields.iter().find(|(k, _)| k == key).map(|(_, value)| value.clone())).collect()
}

#[allow(dead_code, reason = "not every test file asks for it")]
/// The names in a layer.
pub fn names(layers: &Decoded, layer: &str) -> Vec<String> {
    values(layers, layer, "name")
}

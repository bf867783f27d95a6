//! Squares of the map: what a page that knows pictures alone is shown.

use basemap::Tiles;

use crate::sample;

/// Column and row of the tile of a place at a zoom.
fn at(zoom: u8, [lon, lat]: [f64; 2]) -> [u32; 2] {
    let across = f64::from(1_u32 << zoom);
    let y = 0.5 - lat.to_radians().tan().asinh() / std::f64::consts::TAU;
    [(lon / 360.0 + 0.5) * across, y * across].map(|share| share.floor() as u32)
}

#[test]
fn a_tile_of_the_region_is_drawn_and_one_beyond_is_blank() {
    let tiles = Tiles::open(&sample::tiles()).unwrap();
    let [west, south, east, north] = tiles.bbox();
    let middle = [f64::midpoint(west, east), f64::midpoint(south, north)];
    for zoom in [10, 14, 18] {
        let drawn = roadbook::svg_tile(&tiles, zoom, at(zoom, middle), "fr").unwrap();
        assert!(drawn.starts_with("<svg xmlns='http://www.w3.org/2000/svg'") && drawn.ends_with("</svg>"), "{zoom}");
        assert!(drawn.matches("<path").count() > 1, "nothing is drawn at zoom {zoom}");
    }
    let drawn = roadbook::svg_tile(&tiles, 11, at(11, middle), "fr").unwrap();
    assert!(drawn.contains("<text"), "names are in it");
    let beyond = roadbook::svg_tile(&tiles, 12, [0, 0], "fr").unwrap();
    assert_eq!((beyond.matches("<path").count(), beyond.matches("<rect").count()), (0, 1));
    for none in [(20, [0, 0]), (1, [2, 0]), (1, [0, 2]), (40, [0, 0])] {
        assert_eq!(roadbook::svg_tile(&tiles, none.0, none.1, "fr"), None, "{none:?}");
    }
}

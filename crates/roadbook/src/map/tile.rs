//! A tile of the map as one SVG, for maps on other sites that cannot show vector tiles.

use basemap::Tiles;

use crate::map::labels::{self, Kind, Label};
use crate::map::{Projection, ground};
use crate::svg::Svg;

/// Width of a tile in millimetres: a tile of 256 pixels then shows what a printed map of its scale does.
const SIDE_MM: f64 = 48.0;
/// The highest zoom of the usual web maps.
const MAX_ZOOM: u8 = 19;

/// A tile of the map as SVG, with names, by zoom, column and row. `None` where no such tile exists. Beyond the prepared region it is blank.
pub fn svg_tile(tiles: &Tiles, zoom: u8, [x, y]: [u32; 2], lang: &str) -> Option<String> {
    let across = 1_u32.checked_shl(u32::from(zoom)).filter(|_| zoom <= MAX_ZOOM)?;
    if x >= across || y >= across {
        return None;
    }
    let projection = Projection::of_tile(zoom, [x, y], SIDE_MM);
    let ground = ground::read_from(tiles, [tiles.min_zoom(), tiles.max_zoom()], tiles.bbox(), &projection, lang);
    let mut svg = Svg::new(projection.size());
    ground.draw(&mut svg);
    for label in labels::place_beside(ground.names, Vec::new(), &[], projection.size()) {
        write(&mut svg, &label);
    }
    Some(svg.finish())
}

fn write(svg: &mut Svg, label: &Label) {
    let colour = if label.kind == Kind::Water { "#2b6a8c" } else { "#2a2a26" };
    if label.kind != Kind::Water {
        svg.dot(label.at, 0.4, colour);
    }
    svg.text([label.x, label.y], &label.text, label.kind.size_pt(), colour);
}

#[cfg(test)]
mod tests {
    use crate::map::Projection;
    use trace::web_mercator::project;

    #[test]
    fn a_tile_is_where_web_maps_have_it() {
        // The north-west corner of 8/131/90: 131/256·360° − 180°, and atan(sinh(π(1 − 2·90/256))).
        let projection = Projection::of_tile(8, [131, 90], 48.0);
        let [x, y] = projection.put(project([4.218_75, 47.040_182_1]));
        assert!(x.abs() < 0.001 && y.abs() < 0.001, "{x} {y}");
    }
}

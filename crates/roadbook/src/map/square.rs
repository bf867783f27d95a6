//! A square of the map as one drawing: a raster tile, for maps on other sites that cannot show vector tiles.

use basemap::Tiles;

use crate::map::labels::{self, Kind, Label};
use crate::map::{Plane, ground};
use crate::svg::Svg;

/// How wide a square is drawn: a square of 256 pixels then shows what a printed map of its scale does.
const WIDE_MM: f64 = 48.0;
/// The deepest zoom of the usual web maps.
const DEEPEST: u8 = 19;

/// A square of the map as SVG, names in it: zoom, column and row as the usual web maps count. None where the world has no such
/// square. Beyond the prepared region it is blank paper.
pub fn square(tiles: &Tiles, zoom: u8, [x, y]: [u32; 2], lang: &str) -> Option<String> {
    let across = 1_u32.checked_shl(u32::from(zoom)).filter(|_| zoom <= DEEPEST)?;
    if x >= across || y >= across {
        return None;
    }
    let plane = Plane::square(zoom, [x, y], WIDE_MM);
    let ground = ground::read_from(tiles, [tiles.min_zoom(), tiles.max_zoom()], tiles.bbox(), &plane, lang);
    let mut svg = Svg::new(plane.size());
    ground.draw(&mut svg);
    for label in labels::place_beside(ground.names, Vec::new(), &[], plane.size()) {
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
    use crate::map::{Plane, plane::project};

    #[test]
    fn a_square_stands_where_web_maps_have_it() {
        // The north-west corner of 8/131/90: 131/256·360° − 180°, and atan(sinh(π(1 − 2·90/256))).
        let plane = Plane::square(8, [131, 90], 48.0);
        let [x, y] = plane.put(project([4.218_75, 47.040_182_1]));
        assert!(x.abs() < 0.001 && y.abs() < 0.001, "{x} {y}");
    }
}

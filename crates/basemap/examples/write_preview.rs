//! Writes all that a browser needs to look at the map into a folder, to be served by any file server under
//! `http://localhost:PORT`: `write_preview TILES FOLDER PORT`.
#![expect(clippy::print_stdout, reason = "a command-line program")]

use basemap::{FONTS, StyleOptions, Theme, Tiles, glyphs, sprite, style};
use std::fs::{create_dir_all, write};
use std::path::PathBuf;
use trace::web_mercator;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tiles, folder, port] = arguments.as_slice() else {
        return Err("usage: write_preview TILES FOLDER PORT".into());
    };
    let (tiles, folder) = (Tiles::open(&PathBuf::from(tiles))?, PathBuf::from(folder));
    let host = format!("http://localhost:{port}");
    for zoom in tiles.min_zoom()..=tiles.max_zoom() {
        let [west, south, east, north] = tiles.bbox();
        let side = f64::from(1_u32 << zoom);
        let column = |lon: f64| (web_mercator::project([lon, 0.0])[0] * side) as u32;
        let row = |lat: f64| (web_mercator::project([0.0, lat])[1] * side) as u32;
        for x in column(west)..=column(east) {
            create_dir_all(folder.join(format!("tiles/{zoom}/{x}")))?;
            create_dir_all(folder.join(format!("relief/{zoom}/{x}")))?;
            for y in row(north)..=row(south) {
                write(folder.join(format!("tiles/{zoom}/{x}/{y}")), tiles.tile(zoom, x, y).unwrap_or_default())?;
                if let Some(heights) = tiles.relief(zoom, x, y) {
                    write(folder.join(format!("relief/{zoom}/{x}/{y}.png")), heights)?;
                }
            }
        }
    }
    for font in FONTS {
        create_dir_all(folder.join("glyphs").join(font))?;
        for start in [0, 256, 8192] {
            write(
                folder.join("glyphs").join(font).join(format!("{start}-{}", start + 255)),
                glyphs(font, start).unwrap_or_default(),
            )?;
        }
    }
    create_dir_all(folder.join("sprite"))?;
    for theme in [Theme::Light, Theme::Dark] {
        for end in [".json", ".png", "@2x.json", "@2x.png"] {
            let name = format!("{}{end}", theme.name());
            write(folder.join("sprite").join(&name), sprite(&name).unwrap_or_default())?;
        }
        let options = StyleOptions {
            tiles_url: format!("{host}/tiles/{{z}}/{{x}}/{{y}}"),
            relief_url: tiles.has_relief().then(|| format!("{host}/relief/{{z}}/{{x}}/{{y}}.png")),
            glyphs_url: format!("{host}/glyphs/{{fontstack}}/{{range}}"),
            sprite_url: format!("{host}/sprite"),
            bbox: tiles.bbox(),
            attribution: "© OpenStreetMap".to_owned(),
            locale: "fr".to_owned(),
            cycle_networks: true,
        };
        write(folder.join(format!("{}.json", theme.name())), serde_json::to_vec_pretty(&style(theme, &options))?)?;
    }
    println!("bbox {:?}", tiles.bbox());
    Ok(())
}

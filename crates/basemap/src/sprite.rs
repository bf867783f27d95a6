//! The map's signs, drawn by this code at first use: no image file, no drawing library, one look for light and dark.

use crate::style::signs::{SIGNS, Stroke, Tint};
use crate::style::{Colour, Palette, Theme};
use flate2::{Compression, Crc, write::ZlibEncoder};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::sync::OnceLock;

/// A sign's cell, in grid units and in pixels at 1x.
const CELL: usize = 20;
/// Signs in a row of the sheet.
const ROW: usize = 8;
/// Samples for each pixel, in each direction.
const SAMPLES: usize = 4;

type Rgba = [u8; 4];

/// A file of the sprite: `light.json`, `light.png`, `light@2x.json`, `light@2x.png`, and the same for `dark`.
pub fn sprite(name: &str) -> Option<&'static [u8]> {
    static FILES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    let files = FILES.get_or_init(|| {
        let mut files = Vec::new();
        for theme in [Theme::Light, Theme::Dark] {
            for (scale, suffix) in [(1, ""), (2, "@2x")] {
                let (index, image) = sheet(theme.palette(), scale);
                files.push((format!("{}{suffix}.json", theme.name()), index.to_string().into_bytes()));
                files.push((format!("{}{suffix}.png", theme.name()), image));
            }
        }
        files
    });
    files.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes.as_slice())
}

/// A drawing surface.
struct Canvas {
    width: usize,
    pixels: Vec<Rgba>,
    scale: usize,
}

impl Canvas {
    /// Paints where `inside` is true, in grid units from a cell's corner; `colour` `None` cuts a hole down to `under`.
    fn paint(&mut self, cell: [usize; 2], colour: Rgba, inside: impl Fn([f32; 2]) -> bool) {
        let side = CELL * self.scale;
        for y in 0..side {
            for x in 0..side {
                let mut hits = 0_usize;
                for sample in 0..SAMPLES * SAMPLES {
                    let at = |whole: usize, part: usize| {
                        (whole as f32 + (part as f32 + 0.5) / SAMPLES as f32) / self.scale as f32
                    };
                    hits += usize::from(inside([at(x, sample % SAMPLES), at(y, sample / SAMPLES)]));
                }
                if hits > 0 {
                    let pixel = &mut self.pixels[(cell[1] * side + y) * self.width + cell[0] * side + x];
                    *pixel = over(*pixel, colour, hits as f32 / (SAMPLES * SAMPLES) as f32);
                }
            }
        }
    }
}

fn over(under: Rgba, colour: Rgba, share: f32) -> Rgba {
    let top = f32::from(colour[3]) / 255.0 * share;
    let below = f32::from(under[3]) / 255.0 * (1.0 - top);
    let alpha = (top + below).max(1e-6);
    let mix =
        |channel: usize| ((f32::from(colour[channel]) * top + f32::from(under[channel]) * below) / alpha).round() as u8;
    [mix(0), mix(1), mix(2), (alpha * 255.0).round() as u8]
}

fn sheet(p: &Palette, scale: usize) -> (Value, Vec<u8>) {
    let cells = SIGNS.len() + 2;
    let (width, height) = (ROW * CELL * scale, cells.div_ceil(ROW) * CELL * scale);
    let mut canvas = Canvas { width, pixels: vec![[0; 4]; width * height], scale };
    let mut index = Map::new();
    let mut place = |name: &str, at: usize, more: Value| {
        let mut entry = json!({ "x": at % ROW * CELL * scale, "y": at / ROW * CELL * scale, "width": CELL * scale, "height": CELL * scale, "pixelRatio": scale });
        if let (Some(entry), Value::Object(more)) = (entry.as_object_mut(), more) {
            entry.extend(more);
        }
        index.insert(name.to_owned(), entry);
        [at % ROW, at / ROW]
    };
    for (at, (class, tint, on_disc, strokes)) in SIGNS.iter().enumerate() {
        let cell = place(class, at, Value::Null);
        sign(&mut canvas, cell, p, *tint, *on_disc, strokes);
    }
    // The shield stretches to its number: only its middle grows, the number is inside its border.
    let [from, to] = [7 * scale, 13 * scale];
    let stretch = json!({ "stretchX": [[from, to]], "stretchY": [[from, to]], "content": [3 * scale, 4 * scale, 17 * scale, 16 * scale] });
    let cell = place("shield", SIGNS.len(), stretch);
    canvas.paint(cell, rgba(p.main_case, 255), |at| rounded(at, [1.0, 2.0], [19.0, 18.0], 4.0));
    canvas.paint(cell, rgba(p.main, 255), |at| rounded(at, [2.0, 3.0], [18.0, 17.0], 3.2));
    let cell = place("oneway", SIGNS.len() + 1, Value::Null);
    stroke(&mut canvas, cell, rgba(p.label_soft, 255), &Stroke::Line(1.4, &[[3.5, 10.0], [14.0, 10.0]]), None);
    stroke(&mut canvas, cell, rgba(p.label_soft, 255), &Stroke::Fill(&[[12.0, 6.8], [17.0, 10.0], [12.0, 13.2]]), None);
    (Value::Object(index), png(width, height, &canvas.pixels))
}

fn sign(canvas: &mut Canvas, cell: [usize; 2], p: &Palette, tint: Tint, on_disc: bool, strokes: &[Stroke]) {
    let colour = match tint {
        Tint::Summit => p.summit,
        Tint::Outdoors => p.outdoors,
        Tint::Heritage => p.heritage,
        Tint::Transport => p.transport,
        Tint::Water => p.water_label,
        Tint::Bike => p.cycle_label,
        Tint::Service => p.service,
    };
    if on_disc {
        canvas.paint(cell, rgba(colour, 120), |at| distance(at, [10.0, 10.0]) <= 9.0);
        canvas.paint(cell, rgba(p.badge, 255), |at| distance(at, [10.0, 10.0]) <= 8.4);
    } else {
        for shape in strokes {
            stroke(canvas, cell, rgba(p.halo, 235), shape, Some(1.3));
        }
    }
    for shape in strokes {
        let paint = if matches!(shape, Stroke::Cut(_)) { p.badge } else { colour };
        stroke(canvas, cell, rgba(paint, 255), shape, None);
    }
}

/// Draws one shape, or its halo of that width.
fn stroke(canvas: &mut Canvas, cell: [usize; 2], colour: Rgba, shape: &Stroke, halo: Option<f32>) {
    let more = halo.unwrap_or(0.0);
    match *shape {
        Stroke::Fill(ring) | Stroke::Cut(ring) => {
            canvas.paint(cell, colour, |at| in_polygon(ring, at) || (more > 0.0 && near_ring(ring, at) <= more));
        }
        Stroke::Line(width, line) => canvas.paint(cell, colour, |at| {
            line.windows(2).any(|pair| to_segment(at, pair[0], pair[1]) <= width / 2.0 + more)
        }),
        Stroke::Disc(centre, radius) => canvas.paint(cell, colour, |at| distance(at, centre) <= radius + more),
        Stroke::Ring(centre, radius, width) => {
            canvas.paint(cell, colour, |at| (distance(at, centre) - radius).abs() <= width / 2.0 + more);
        }
    }
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn to_segment(at: [f32; 2], a: [f32; 2], b: [f32; 2]) -> f32 {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let along = (((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / (dx * dx + dy * dy).max(1e-6)).clamp(0.0, 1.0);
    distance(at, [a[0] + along * dx, a[1] + along * dy])
}

fn near_ring(ring: &[[f32; 2]], at: [f32; 2]) -> f32 {
    (0..ring.len()).map(|i| to_segment(at, ring[i], ring[(i + 1) % ring.len()])).fold(f32::MAX, f32::min)
}

fn in_polygon(ring: &[[f32; 2]], [x, y]: [f32; 2]) -> bool {
    (0..ring.len()).fold(false, |inside, i| {
        let ([ax, ay], [bx, by]) = (ring[i], ring[(i + 1) % ring.len()]);
        inside ^ ((ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax)
    })
}

fn rounded([x, y]: [f32; 2], min: [f32; 2], max: [f32; 2], radius: f32) -> bool {
    let near = [x.clamp(min[0] + radius, max[0] - radius), y.clamp(min[1] + radius, max[1] - radius)];
    distance([x, y], near) <= radius
}

fn rgba(colour: Colour, alpha: u8) -> Rgba {
    let channel =
        |from: usize| colour.get(from..from + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
    [channel(1), channel(3), channel(5), alpha]
}

/// A PNG of straight RGBA pixels.
fn png(width: usize, height: usize, pixels: &[Rgba]) -> Vec<u8> {
    let mut raw = Vec::with_capacity(pixels.len() * 4 + height);
    for row in pixels.chunks(width) {
        raw.push(0);
        raw.extend(row.iter().flatten());
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail; the test below would notice an empty image.
    let data = encoder.write_all(&raw).and_then(|()| encoder.finish()).unwrap_or_default();
    let mut head = Vec::with_capacity(13);
    head.extend_from_slice(&(width as u32).to_be_bytes());
    head.extend_from_slice(&(height as u32).to_be_bytes());
    head.extend_from_slice(&[8, 6, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, body) in [(b"IHDR", head), (b"IDAT", data), (b"IEND", Vec::new())] {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(&body);
        out.extend_from_slice(&(body.len() as u32).to_be_bytes());
        out.extend_from_slice(kind);
        out.extend_from_slice(&body);
        out.extend_from_slice(&crc.sum().to_be_bytes());
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;
    use crate::classify::point::POI_CLASSES;

    #[test]
    fn there_is_a_sign_for_every_class_of_point() {
        for class in POI_CLASSES {
            assert!(SIGNS.iter().any(|sign| sign.0 == class), "no sign for {class}");
        }
        assert_eq!(SIGNS.len(), POI_CLASSES.len());
    }

    #[test]
    fn every_sheet_is_a_png_of_the_size_its_index_needs() {
        for name in ["light", "light@2x", "dark", "dark@2x"] {
            let index: Value = serde_json::from_slice(sprite(&format!("{name}.json")).unwrap()).unwrap();
            let image = sprite(&format!("{name}.png")).unwrap();
            let number = |at: usize| u64::from(u32::from_be_bytes(image[at..at + 4].try_into().unwrap()));
            let (width, height) = (number(16), number(20));
            assert!(image.len() > 2000 && image.starts_with(b"\x89PNG"), "{name}");
            for (sign, entry) in index.as_object().unwrap() {
                let n = |key: &str| entry[key].as_u64().unwrap();
                assert!(n("x") + n("width") <= width && n("y") + n("height") <= height, "{name} {sign}");
            }
        }
        assert!(sprite("light@3x.png").is_none());
    }
}

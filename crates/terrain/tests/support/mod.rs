//! Small elevation tiles.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::io::{Cursor, Write as _};
use tiff::{
    encoder::{Compression, TiffEncoder, colortype},
    tags::Tag,
};

/// Samples a side of an HGT tile.
pub const SIDE: usize = 1201;

/// Where a GeoTIFF lies.
#[derive(Clone, Copy)]
pub struct Place {
    pub epsg: u16,
    pub is_projected: bool,
    /// The north-west corner of the first sample's square, and the steps.
    pub corner: [f64; 2],
    pub step: [f64; 2],
}

impl Place {
    pub const fn degrees(corner: [f64; 2], step: f64) -> Self {
        Self { epsg: 4326, is_projected: false, corner, step: [step; 2] }
    }

    fn scale(&self) -> [f64; 3] {
        [self.step[0], self.step[1], 0.0]
    }

    fn tie(&self) -> [f64; 6] {
        [0.0, 0.0, 0.0, self.corner[0], self.corner[1], 0.0]
    }

    fn keys(&self) -> Vec<u16> {
        let (model, key) = if self.is_projected { (1, 3072) } else { (2, 2048) };
        vec![1, 1, 0, 3, 1024, 0, 1, model, 1025, 0, 1, 1, key, 0, 1, self.epsg]
    }
}

/// An HGT tile whose height is its column.
pub fn hgt() -> Vec<u8> {
    (0..SIDE * SIDE).flat_map(|i| ((i % SIDE) as i16).to_be_bytes()).collect()
}

pub fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("N42E001.hgt", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(bytes).unwrap();
    archive.finish().unwrap().into_inner()
}

/// A GeoTIFF in strips, 32-bit floating point.
pub fn strips(
    place: Place,
    [columns, rows]: [u32; 2],
    compression: Compression,
    height: impl Fn(u32, u32) -> f32,
) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap().with_compression(compression);
    let mut image = encoder.new_image::<colortype::Gray32Float>(columns, rows).unwrap();
    let directory = image.encoder();
    directory.write_tag(Tag::ModelPixelScaleTag, &place.scale()[..]).unwrap();
    directory.write_tag(Tag::ModelTiepointTag, &place.tie()[..]).unwrap();
    directory.write_tag(Tag::GeoKeyDirectoryTag, &place.keys()[..]).unwrap();
    directory.write_tag(Tag::GdalNodata, "-9999").unwrap();
    let samples: Vec<f32> =
        (0..rows).flat_map(|r| (0..columns).map(move |c| (c, r))).map(|(c, r)| height(c, r)).collect();
    image.write_data(&samples).unwrap();
    bytes.into_inner()
}

/// A GeoTIFF in plain tiles of 16 by 16, 16-bit whole metres; `None` as a tile's height leaves the tile out.
pub fn tiles(place: Place, [columns, rows]: [u32; 2], tile: impl Fn(u32, u32) -> Option<i16>) -> Vec<u8> {
    const TILE: u32 = 16;
    let count = columns.div_ceil(TILE) * rows.div_ceil(TILE);
    let mut bytes: Vec<u8> = b"II*\0\0\0\0\0".to_vec();
    let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
    for i in 0..count {
        let (x, y) = (i % columns.div_ceil(TILE), i / columns.div_ceil(TILE));
        let start = bytes.len() as u32;
        if let Some(height) = tile(x, y) {
            bytes.extend((0..TILE * TILE).flat_map(|_| height.to_le_bytes()));
        }
        let length = bytes.len() as u32 - start;
        offsets.push(if length == 0 { 0 } else { start });
        lengths.push(length);
    }
    let (short, long, double) = (3_u16, 4_u16, 12_u16);
    let longs = |list: &[u32]| list.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let doubles = |list: &[f64]| list.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let keys: Vec<u8> = place.keys().iter().flat_map(|n| n.to_le_bytes()).collect();
    // Tag, type, how many, the values.
    let entries = [
        (256, long, 1, longs(&[columns])),
        (257, long, 1, longs(&[rows])),
        (258, short, 1, longs(&[16])),
        (259, short, 1, longs(&[1])),
        (262, short, 1, longs(&[1])),
        (277, short, 1, longs(&[1])),
        (322, long, 1, longs(&[TILE])),
        (323, long, 1, longs(&[TILE])),
        (324, long, count, longs(&offsets)),
        (325, long, count, longs(&lengths)),
        (339, short, 1, longs(&[2])),
        (33550, double, 3, doubles(&place.scale())),
        (33922, double, 6, doubles(&place.tie())),
        (34735, short, keys.len() as u32 / 2, keys),
    ];
    let mut directory = (entries.len() as u16).to_le_bytes().to_vec();
    for (tag, kind, many, values) in entries {
        directory.extend((tag as u16).to_le_bytes());
        directory.extend(kind.to_le_bytes());
        directory.extend(many.to_le_bytes());
        if values.len() <= 4 {
            directory.extend(&values);
        } else {
            directory.extend((bytes.len() as u32).to_le_bytes());
            bytes.extend(values);
        }
    }
    directory.extend([0; 4]);
    let start = bytes.len() as u32;
    bytes[4..8].copy_from_slice(&start.to_le_bytes());
    bytes.extend(directory);
    bytes
}

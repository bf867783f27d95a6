//! Makes the glyph ranges that the crate embeds: `make_glyphs FONT_FOLDER`, where the folder holds Noto Sans
//! Regular, Bold and Italic as Debian's `fonts-noto-core` has them. Run it from the crate's folder.
#![expect(clippy::print_stdout, reason = "a command-line program")]

use flate2::{Compression, write::GzEncoder};
use glyphore_core::{FontFace, generate_range};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Latin, Latin extended A, general punctuation (dashes, quotes, thin spaces).
const RANGES: [u32; 3] = [0, 256, 8192];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fonts = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: make_glyphs FONT_FOLDER")?;
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/glyphs");
    std::fs::create_dir_all(&out)?;
    for style in ["Regular", "Bold", "Italic"] {
        let face = FontFace::parse(&std::fs::read(fonts.join(format!("NotoSans-{style}.ttf")))?)?;
        for start in RANGES {
            let bytes = gzip(&generate_range(&face, start)?)?;
            let name = format!("noto-sans-{}-{start}.pbf.gz", style.to_lowercase());
            println!("{name}: {} bytes", bytes.len());
            std::fs::write(out.join(name), bytes)?;
        }
    }
    std::fs::write(out.join("empty.pbf.gz"), gzip(&[])?)?;
    Ok(())
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

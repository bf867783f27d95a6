//! The typefaces: the built-in ones, embedded; a white-label's, beside the data. `fonts/README.md` gives the origin of the built-in
//! ones.

use std::sync::LazyLock;

use typst::foundations::Bytes;
use typst::layout::Abs;
use typst::text::{Font, FontBook, FontInstance, FontVariant, FontVariations};
use typst::utils::LazyHash;

macro_rules! faces {
    ($($file:literal),+ $(,)?) => {
        [$(include_bytes!(concat!("../fonts/", $file)).as_slice()),+]
    };
}

static OURS: [&[u8]; 14] = faces![
    "SourceSerif4SmText-Regular.ttf",
    "SourceSerif4SmText-It.ttf",
    "SourceSerif4SmText-Semibold.ttf",
    "SourceSerif4Display-Semibold.ttf",
    "barlow-semi-condensed-400.ttf",
    "barlow-semi-condensed-500.ttf",
    "barlow-semi-condensed-600.ttf",
    "barlow-semi-condensed-700.ttf",
    "barlow-condensed-500.ttf",
    "barlow-condensed-600.ttf",
    "barlow-condensed-700.ttf",
    "noto-sans-arabic-400.ttf",
    "noto-sans-hebrew-400.ttf",
    "noto-sans-symbols-400.ttf",
];

/// Faces ready to set with.
#[derive(Debug, Clone)]
pub(crate) struct Faces {
    fonts: Vec<Font>,
    book: LazyHash<FontBook>,
}

impl Faces {
    /// Ours, parsed once a process.
    pub(crate) fn ours() -> &'static Self {
        static FACES: LazyLock<Faces> =
            LazyLock::new(|| Faces::new(OURS.iter().flat_map(|bytes| Font::iter(Bytes::new(*bytes))).collect()));
        &FACES
    }

    fn new(fonts: Vec<Font>) -> Self {
        let book = LazyHash::new(FontBook::from_fonts(&fonts));
        Self { fonts, book }
    }

    /// These and more.
    pub(crate) fn with(&self, more: Vec<Font>) -> Self {
        if more.is_empty() { self.clone() } else { Self::new(self.fonts.iter().cloned().chain(more).collect()) }
    }

    pub(crate) fn fonts(&self) -> &[Font] {
        &self.fonts
    }

    pub(crate) fn book(&self) -> &LazyHash<FontBook> {
        &self.book
    }
}

/// The faces of a font file; none if it is not a font. WOFF2, which Typst does not read, is unpacked: it came into the library only
/// after it was unpacked there within bounds.
pub(crate) fn read(bytes: Vec<u8>) -> Vec<Font> {
    let bytes = if bytes.starts_with(b"wOF2") { wuff::decompress_woff2(&bytes).unwrap_or_default() } else { bytes };
    Font::iter(Bytes::new(bytes)).collect()
}

/// Width of a text in millimetres at a size in points, as Barlow Semi Condensed 600 sets it: for places on the map.
pub(crate) fn label_width_mm(text: &str, size_pt: f64) -> f64 {
    static FACE: LazyLock<Option<FontInstance>> = LazyLock::new(|| {
        let face = Faces::ours().fonts().get(6)?.clone();
        Some(face.instantiate(FontVariant::default(), Abs::pt(10.0), &FontVariations::default()))
    });
    let advance_em = |char: char| {
        let face = FACE.as_ref()?;
        let units = face.ttf().glyph_hor_advance(face.ttf().glyph_index(char)?)?;
        Some(f64::from(units) / face.units_per_em())
    };
    text.chars().map(|char| advance_em(char).unwrap_or(0.5)).sum::<f64>() * size_pt * 0.352_778
}

//! Why a file is refused.

/// Why a file is refused. Each reason has a sentence in the user's language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// None of the formats that are taken.
    #[error("not one of the formats that are taken")]
    NotSupported,
    /// Of another kind than asked for: a document in the place of a picture.
    #[error("of another kind than asked for")]
    OtherKind,
    /// A photo as some telephones keep it, which browsers do not show.
    #[error("a HEIC photo")]
    Heic,
    /// Fewer pixels than it takes to be shown well.
    #[error("{width} x {height} pixels, {min_width} x {min_height} are needed")]
    TooSmall {
        /// Its width as shown, after rotation.
        width: u32,
        /// Its height as shown, after rotation.
        height: u32,
        /// The least width.
        min_width: u32,
        /// The least height.
        min_height: u32,
    },
    /// More bytes than are taken of its kind.
    #[error("more than {max_bytes} bytes")]
    TooLarge {
        /// The most bytes.
        max_bytes: u64,
    },
    /// More pixels than are decoded.
    #[error("more than {max_pixels} pixels")]
    TooManyPixels {
        /// The most pixels.
        max_pixels: u64,
    },
    /// Named or packed like a font, but none.
    #[error("not a font")]
    NotAFont,
    /// Cut short, or damaged.
    #[error("the file is cut short or damaged")]
    Broken,
}

/// Reading from memory fails only past the end; from a disk, for reasons that are reported elsewhere.
impl From<std::io::Error> for Refusal {
    fn from(_: std::io::Error) -> Self {
        Self::Broken
    }
}

//! Images, videos, sounds, documents, fonts.

mod limits;
mod record;

pub use limits::{AudioLimits, FileLimits, ImageLimits, LogoLimits, MediaLimits, VideoLimits};
pub use record::{
    Crop, Focal, MediaFile, MediaLack, MediaMade, MediaPurpose, MediaSheet, MediaState, MediaVariant, TranslatedFile,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a media is; read from its bytes, never from its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MediaKind {
    /// A picture.
    Image,
    /// A video.
    Video,
    /// A sound.
    Audio,
    /// A document.
    Pdf,
    /// A typeface.
    Font,
}

impl MediaKind {
    /// All values.
    pub const ALL: [Self; 5] = [Self::Image, Self::Video, Self::Audio, Self::Pdf, Self::Font];

    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Video => "video",
            Self::Audio => "audio",
            Self::Pdf => "pdf",
            Self::Font => "font",
        }
    }

    /// The kind of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

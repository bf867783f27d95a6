//! Images, videos, sounds, documents, fonts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Instant, MediaId, Text, WhiteLabelId};

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
    /// All of them.
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

/// A media; its bytes stand in the blob store under `blob_key`.
#[derive(Debug, Clone, PartialEq)]
pub struct Media {
    /// Identifier.
    pub id: MediaId,
    /// Whose it is.
    pub white_label_id: WhiteLabelId,
    /// What it is.
    pub kind: MediaKind,
    /// Name of the file as it came.
    pub file_name: String,
    /// Content type, told by the bytes.
    pub mime: String,
    /// Size of the original.
    pub bytes: i64,
    /// Width in pixels, of what has one.
    pub width: Option<i64>,
    /// Height in pixels, of what has one.
    pub height: Option<i64>,
    /// Words under it.
    pub legend: Text,
    /// Words instead of it.
    pub alt: Text,
    /// Who made it.
    pub copyright: Option<String>,
    /// Where its bytes are.
    pub blob_key: String,
    /// Number of its last save.
    pub version: i64,
    /// When that was.
    pub updated_at: Instant,
}

//! The limits of files. An operator sets them, the API returns them, the import screen shows them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const MB: u64 = 1_000_000;

/// The limits of every kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MediaLimits {
    /// Limits of a picture.
    pub image: ImageLimits,
    /// Limits of a white-label's logo.
    pub logo: LogoLimits,
    /// Limits of a video.
    pub video: VideoLimits,
    /// Limits of a sound.
    pub audio: AudioLimits,
    /// Limits of a document.
    pub pdf: FileLimits,
    /// Limits of a font.
    pub font: FileLimits,
}

impl Default for MediaLimits {
    fn default() -> Self {
        Self {
            image: ImageLimits::default(),
            logo: LogoLimits::default(),
            video: VideoLimits::default(),
            audio: AudioLimits::default(),
            pdf: FileLimits { max_bytes: 50 * MB },
            font: FileLimits { max_bytes: 5 * MB },
        }
    }
}

impl MediaLimits {
    /// The most bytes of any file.
    pub fn max_bytes(&self) -> u64 {
        let all = [self.image.max_bytes, self.logo.max_bytes, self.video.max_bytes, self.audio.max_bytes];
        all.into_iter().chain([self.pdf.max_bytes, self.font.max_bytes]).max().unwrap_or_default()
    }
}

/// Limits of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ImageLimits {
    /// The least width, pixels.
    pub min_width: u32,
    /// The least height, pixels.
    pub min_height: u32,
    /// The most bytes.
    pub max_bytes: u64,
    /// The most pixels.
    pub max_pixels: u64,
}

impl Default for ImageLimits {
    fn default() -> Self {
        Self { min_width: 1200, min_height: 800, max_bytes: 25 * MB, max_pixels: 60 * MB }
    }
}

/// Limits of a white-label's logo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LogoLimits {
    /// The least width, pixels.
    pub min_width: u32,
    /// The most bytes.
    pub max_bytes: u64,
}

impl Default for LogoLimits {
    fn default() -> Self {
        Self { min_width: 256, max_bytes: 5 * MB }
    }
}

/// Limits of a video.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct VideoLimits {
    /// The most bytes.
    pub max_bytes: u64,
    /// Bytes a second that play well on a telephone: advice, no limit.
    pub advice_bytes_per_s: u64,
}

impl Default for VideoLimits {
    fn default() -> Self {
        Self { max_bytes: 500 * MB, advice_bytes_per_s: 200_000 }
    }
}

/// Limits of a sound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AudioLimits {
    /// The most bytes.
    pub max_bytes: u64,
    /// Bytes a minute that load well on the way: advice, no limit.
    pub advice_bytes_per_min: u64,
}

impl Default for AudioLimits {
    fn default() -> Self {
        Self { max_bytes: 100 * MB, advice_bytes_per_min: MB }
    }
}

/// Limits of a file that has only a size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FileLimits {
    /// The most bytes.
    pub max_bytes: u64,
}

//! What files may be, as the import screen shows it.

use domain::media::MediaLimits;
use serde::Serialize;
use utoipa::ToSchema;

/// The limits of every kind, with the formats that are taken.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MediaPayload {
    image: Taken,
    logo: Taken,
    video: Taken,
    audio: Taken,
    pdf: Taken,
    font: Taken,
}

/// What is taken of a kind.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct Taken {
    /// The formats, as people call them.
    formats: &'static [&'static str],
    /// The most bytes.
    max_bytes: u64,
    /// The least width, pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    min_width: Option<u32>,
    /// The least height, pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    min_height: Option<u32>,
    /// The most pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_pixels: Option<u64>,
    /// Advice: bytes a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice_bytes_per_s: Option<u64>,
    /// Advice: bytes a minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice_bytes_per_min: Option<u64>,
}

impl MediaPayload {
    /// The limits the operator set.
    pub(super) fn of(limits: &MediaLimits) -> Self {
        let taken = |formats, max_bytes| Taken { formats, max_bytes, ..Taken::default() };
        let MediaLimits { image, logo, video, audio, pdf, font } = limits;
        Self {
            image: Taken {
                min_width: Some(image.min_width),
                min_height: Some(image.min_height),
                max_pixels: Some(image.max_pixels),
                ..taken(&["JPEG", "PNG", "WebP", "AVIF"], image.max_bytes)
            },
            logo: Taken { min_width: Some(logo.min_width), ..taken(&["PNG", "WebP", "SVG"], logo.max_bytes) },
            video: Taken {
                advice_bytes_per_s: Some(video.advice_bytes_per_s),
                ..taken(&["MP4", "WebM"], video.max_bytes)
            },
            audio: Taken {
                advice_bytes_per_min: Some(audio.advice_bytes_per_min),
                ..taken(&["MP3", "M4A", "OGG", "WAV"], audio.max_bytes)
            },
            pdf: taken(&["PDF"], pdf.max_bytes),
            font: taken(&["TTF", "OTF", "WOFF2"], font.max_bytes),
        }
    }
}

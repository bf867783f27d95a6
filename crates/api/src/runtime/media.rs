//! Which files are accepted as media, as the import screen shows it.

use domain::media::MediaLimits;
use serde::Serialize;
use utoipa::ToSchema;

/// The limits of every kind, with the formats that are accepted.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MediaPayload {
    image: AcceptedFiles,
    logo: AcceptedFiles,
    video: AcceptedFiles,
    audio: AcceptedFiles,
    pdf: AcceptedFiles,
    font: AcceptedFiles,
}

/// Which files are accepted of one kind.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct AcceptedFiles {
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
        let accepted = |formats, max_bytes| AcceptedFiles { formats, max_bytes, ..AcceptedFiles::default() };
        let MediaLimits { image, logo, video, audio, pdf, font } = limits;
        Self {
            image: AcceptedFiles {
                min_width: Some(image.min_width),
                min_height: Some(image.min_height),
                max_pixels: Some(image.max_pixels),
                ..accepted(&["JPEG", "PNG", "WebP", "AVIF"], image.max_bytes)
            },
            logo: AcceptedFiles {
                min_width: Some(logo.min_width),
                ..accepted(&["PNG", "WebP", "SVG"], logo.max_bytes)
            },
            video: AcceptedFiles {
                advice_bytes_per_s: Some(video.advice_bytes_per_s),
                ..accepted(&["MP4", "WebM"], video.max_bytes)
            },
            audio: AcceptedFiles {
                advice_bytes_per_min: Some(audio.advice_bytes_per_min),
                ..accepted(&["MP3", "M4A", "OGG", "WAV"], audio.max_bytes)
            },
            pdf: accepted(&["PDF"], pdf.max_bytes),
            font: accepted(&["TTF", "OTF", "WOFF2"], font.max_bytes),
        }
    }
}

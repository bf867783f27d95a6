//! A media as it is shown.

use domain::{Instant, Media, MediaId, MediaKind, Text, WhiteLabelId};
use serde::Serialize;
use utoipa::ToSchema;

/// A media; its bytes are at `url`.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Media)]
pub struct MediaView {
    id: MediaId,
    white_label_id: WhiteLabelId,
    kind: MediaKind,
    file_name: String,
    mime: String,
    bytes: i64,
    width: Option<i64>,
    height: Option<i64>,
    legend: Text,
    alt: Text,
    copyright: Option<String>,
    url: String,
    version: i64,
    updated_at: Instant,
}

impl From<Media> for MediaView {
    fn from(media: Media) -> Self {
        Self {
            url: format!("/media/{}/original", media.id),
            id: media.id,
            white_label_id: media.white_label_id,
            kind: media.kind,
            file_name: media.file_name,
            mime: media.mime,
            bytes: media.bytes,
            width: media.width,
            height: media.height,
            legend: media.legend,
            alt: media.alt,
            copyright: media.copyright,
            version: media.version,
            updated_at: media.updated_at,
        }
    }
}

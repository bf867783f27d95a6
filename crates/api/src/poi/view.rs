//! A POI as it is shown.

use domain::{Instant, MediaId, Poi, PoiFlags, PoiId, Text, VocabularyId, WhiteLabelId};
use serde::Serialize;
use trace::Position;
use utoipa::ToSchema;

/// A point of interest.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Poi)]
pub struct PoiView {
    id: PoiId,
    white_label_id: WhiteLabelId,
    title: Text,
    /// Sanitised HTML.
    description: Text,
    /// `[lon, lat]`
    #[schema(value_type = Vec<f64>, min_items = 2, max_items = 3)]
    location: Position,
    flags: PoiFlags,
    published: bool,
    category_ids: Vec<VocabularyId>,
    theme_ids: Vec<VocabularyId>,
    media_ids: Vec<MediaId>,
    version: i64,
    updated_at: Instant,
}

impl From<Poi> for PoiView {
    fn from(poi: Poi) -> Self {
        Self {
            id: poi.id,
            white_label_id: poi.white_label_id,
            title: poi.title,
            description: poi.description,
            location: poi.location,
            flags: poi.flags,
            published: poi.published,
            category_ids: poi.category_ids,
            theme_ids: poi.theme_ids,
            media_ids: poi.media_ids,
            version: poi.version,
            updated_at: poi.updated_at,
        }
    }
}

//! Points of interest.

use serde::{Deserialize, Serialize};
use trace::Position;
use utoipa::ToSchema;

use crate::{Instant, MediaId, PoiId, Text, VocabularyId, WhiteLabelId};

/// What is said of a POI with a tick.
#[expect(clippy::struct_excessive_bools, reason = "five independent ticks of a form")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct PoiFlags {
    /// Bonne adresse.
    pub good_address: bool,
    /// Incontournable.
    pub must_see: bool,
    /// Point de détour.
    pub detour_point: bool,
    /// Point de repère.
    pub landmark: bool,
    /// Réservable.
    pub bookable: bool,
}

/// A point of interest.
#[derive(Debug, Clone, PartialEq)]
pub struct Poi {
    /// Identifier.
    pub id: PoiId,
    /// Whose it is.
    pub white_label_id: WhiteLabelId,
    /// Name.
    pub title: Text,
    /// Sanitised HTML.
    pub description: Text,
    /// Where it stands.
    pub location: Position,
    /// What is said of it with a tick.
    pub flags: PoiFlags,
    /// Whether its owner shows it.
    pub published: bool,
    /// Its categories.
    pub category_ids: Vec<VocabularyId>,
    /// Its themes.
    pub theme_ids: Vec<VocabularyId>,
    /// Its media, in order.
    pub media_ids: Vec<MediaId>,
    /// Number of its last save.
    pub version: i64,
    /// When that was.
    pub updated_at: Instant,
}

//! Reference lists as they are shown.

use domain::vocabulary::{Attributes, VocabularyItem, VocabularyKind};
use domain::{Text, VocabularyId};
use serde::Serialize;
use utoipa::ToSchema;

/// A whole list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Vocabulary)]
pub struct VocabularyView {
    /// Which list.
    pub kind: VocabularyKind,
    /// Its items, siblings in their order.
    pub items: Vec<VocabularyItemView>,
}

/// An item of a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = VocabularyItem)]
pub struct VocabularyItemView {
    id: VocabularyId,
    code: String,
    parent_id: Option<VocabularyId>,
    label: Text,
    description: Text,
    icon: Option<String>,
    color: Option<String>,
    order: i64,
    attributes: Attributes,
}

impl From<VocabularyItem> for VocabularyItemView {
    fn from(item: VocabularyItem) -> Self {
        Self {
            id: item.id,
            code: item.code,
            parent_id: item.parent_id,
            label: item.label,
            description: item.description,
            icon: item.icon,
            color: item.color,
            order: item.order,
            attributes: item.attributes,
        }
    }
}

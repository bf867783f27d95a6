//! Structures: who owns the white-labels.

use crate::{StructureId, VocabularyId};

/// A legal body that owns white-labels and employs users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// Identifier.
    pub id: StructureId,
    /// Name.
    pub name: String,
    /// Its type, an item of the structure types.
    pub kind_code: String,
    /// The type's row.
    pub kind_id: Option<VocabularyId>,
}

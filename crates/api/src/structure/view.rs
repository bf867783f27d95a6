//! A structure as it is shown.

use domain::{Structure, StructureId, VocabularyId};
use serde::Serialize;
use utoipa::ToSchema;

/// A structure. Names are no secret: lists are filtered by them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Structure)]
pub struct StructureView {
    id: StructureId,
    name: String,
    kind_code: String,
    kind_id: Option<VocabularyId>,
}

impl From<Structure> for StructureView {
    fn from(structure: Structure) -> Self {
        Self { id: structure.id, name: structure.name, kind_code: structure.kind_code, kind_id: structure.kind_id }
    }
}

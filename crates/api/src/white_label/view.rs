//! A white-label as it is shown.

use domain::{Actor, Capability, StructureId, WhiteLabel, WhiteLabelId};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A white-label. Names are no secret: lists are filtered by them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = WhiteLabel)]
pub struct WhiteLabelView {
    id: WhiteLabelId,
    structure_id: StructureId,
    name: String,
    slug: String,
    kind: String,
    initials: String,
    color: String,
    /// Whether the person works in it.
    mine: bool,
    /// Its settings, for those who may change them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    settings: Option<Value>,
}

impl WhiteLabelView {
    /// What a person is shown of it.
    pub(crate) fn of(white_label: WhiteLabel, actor: &Actor) -> Self {
        let mine = actor.works_in(white_label.id);
        let sees_settings = mine && actor.can(Capability::SettingsManage);
        Self {
            id: white_label.id,
            structure_id: white_label.structure_id,
            name: white_label.name,
            slug: white_label.slug,
            kind: white_label.kind,
            initials: white_label.initials,
            color: white_label.color,
            mine,
            settings: sees_settings.then_some(white_label.settings),
        }
    }
}

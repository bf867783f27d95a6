//! White-labels: the tenants.

mod parts;
mod sheet;

pub use parts::{
    Analytics, Bounds, Colors, CustomField, CustomOn, CustomType, Fonts, ParcoursChoice, PoiChoice, WhiteLabelFlags,
    WhiteLabelKind,
};
pub use sheet::{PLANNER_PROFILES, WhiteLabelSheet};

use crate::{StructureId, WhiteLabelId};

/// A branded site or app: it owns content and is what a person works in.
#[derive(Debug, Clone, PartialEq)]
pub struct WhiteLabel {
    /// Identifier.
    pub id: WhiteLabelId,
    /// The structure that owns it.
    pub structure_id: StructureId,
    /// Name.
    pub name: String,
    /// Short name in addresses, unique: `morvan`.
    pub slug: String,
    /// What it is: `site`, `app`, `widget`.
    pub kind: String,
    /// Two letters for the switcher.
    pub initials: String,
    /// Colour of its mark, `#RRGGBB`.
    pub color: String,
    /// Everything else that can be set, as the settings screen of a later issue fills it.
    pub settings: serde_json::Value,
}

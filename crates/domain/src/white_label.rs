//! White-labels: the tenants.

pub mod custom;
mod parts;
mod sheet;

pub use parts::{
    Analytics, Bounds, Colors, CustomField, CustomOn, CustomType, Fonts, OpenDataLicence, ParcoursChoice, PlannerLevel,
    PlannerPreference, PoiChoice, WhiteLabelFlags, WhiteLabelKind,
};
pub use sheet::{DEFAULT_COLOR, WhiteLabelSheet, deposit, host_of, sit_record_address};

pub use crate::planner_profile::PLANNER_PROFILES;
use crate::{StructureId, WhiteLabelId};

/// A branded site or app: it owns content and is what a person works in. Its narrow row; the rest is its sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhiteLabel {
    /// Identifier.
    pub id: WhiteLabelId,
    /// The structure that owns it.
    pub structure_id: StructureId,
    pub name: String,
    /// Short name in addresses, unique: `morvan`.
    pub slug: String,
    pub kind: WhiteLabelKind,
    /// Two letters for the switcher.
    pub initials: String,
    /// Colour of its mark, `#RRGGBB`.
    pub color: String,
    /// The address of its site, where it has one.
    pub domain: Option<String>,
}

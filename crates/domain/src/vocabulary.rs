//! The reference lists: one thing with eight kinds, and the types of structure beside them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::record::{Field, Kind, color, free, line, plain, sheet, to};
use crate::rest::fields_of;
pub use crate::vocabulary_kind::VocabularyKind;
use crate::{Text, VocabularyId};

impl VocabularyKind {
    /// Reads the attributes of an item of this kind; None when they do not fit it. Those that this version does not know are left out.
    pub fn attributes(self, mut value: Value) -> Option<Attributes> {
        fn read<T: serde::de::DeserializeOwned>(value: Value) -> Option<T> {
            serde_json::from_value(value).ok()
        }
        let known = self.attribute_names();
        if let Value::Object(fields) = &mut value {
            fields.retain(|name, _| known.contains(&name.as_str()));
        }
        Some(match self {
            Self::Marking => Attributes::Marking(read(value)?),
            Self::Equipment => Attributes::Equipment(read(value)?),
            Self::Level => Attributes::Level(read(value)?),
            Self::PracticeType => Attributes::PracticeType(read(value)?),
            Self::PoiCategory => Attributes::PoiCategory(read(value)?),
            Self::StructureType => Attributes::StructureType(read(value)?),
            Self::Tag | Self::ParcoursTheme | Self::PoiTheme => Attributes::Plain(read(value)?),
        })
    }

    /// Whether attributes that are sent fit this kind: each is known, or was stored before by a newer version.
    pub fn accepts(self, sent: &Value, stored: &Value) -> bool {
        let known = self.attribute_names();
        let fits = |name: &String| known.contains(&name.as_str()) || stored.get(name).is_some();
        sent.as_object().is_none_or(|sent| sent.keys().all(fits)) && self.attributes(sent.clone()).is_some()
    }

    fn attribute_names(self) -> &'static [&'static str] {
        match self {
            Self::Marking => fields_of::<MarkingAttributes>(),
            Self::Equipment => fields_of::<EquipmentAttributes>(),
            Self::Level => fields_of::<LevelAttributes>(),
            Self::PracticeType => fields_of::<PracticeTypeAttributes>(),
            Self::PoiCategory => fields_of::<PoiCategoryAttributes>(),
            Self::StructureType => fields_of::<StructureTypeAttributes>(),
            Self::Tag | Self::ParcoursTheme | Self::PoiTheme => fields_of::<PlainAttributes>(),
        }
    }
}

impl Field for VocabularyKind {}
impl Field for Value {}

sheet! {
    /// The fields of an item of a list.
    TermSheet {
        /// Its list; never changes.
        kind: VocabularyKind = free(),
        /// Stable word, unique in its list; made from the label when it is not given.
        code: String = line(80),
        /// Its parent.
        parent_id: Option<i64> = to(Kind::Vocabulary),
        /// Name.
        label: Text = plain(200).required(),
        /// More words on it.
        description: Text = plain(2_000),
        /// Name of its pictogram.
        icon: Option<String> = line(60),
        /// Its colour `#RRGGBB`.
        color: Option<String> = color(),
        /// Place among its siblings.
        order: i64 = free(),
        /// What only its kind has.
        attributes: Value = free(),
    }
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct VocabularyItem {
    /// Identifier.
    pub id: VocabularyId,
    /// Its list.
    pub kind: VocabularyKind,
    /// Stable word, unique in its list.
    pub code: String,
    /// Its parent.
    pub parent_id: Option<VocabularyId>,
    /// Name.
    pub label: Text,
    /// More words on it.
    pub description: Text,
    /// Name of its pictogram, where it has one.
    pub icon: Option<String>,
    /// Its colour `#RRGGBB`, where it has one.
    pub color: Option<String>,
    /// Place among its siblings.
    pub order: i64,
    /// What only its kind has.
    pub attributes: Attributes,
    /// Number of its last save.
    pub version: i64,
}

/// What only one kind of list has.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Attributes {
    /// A marking's.
    Marking(MarkingAttributes),
    /// An equipment's.
    Equipment(EquipmentAttributes),
    /// A level's.
    Level(LevelAttributes),
    /// A practice type's.
    PracticeType(PracticeTypeAttributes),
    /// A POI category's.
    PoiCategory(PoiCategoryAttributes),
    /// A structure type's.
    StructureType(StructureTypeAttributes),
    /// Attributes of the other lists.
    Plain(PlainAttributes),
}

/// Colours of a marking, and whose mark it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MarkingAttributes {
    /// Its colours, `#RRGGBB`, from top to bottom.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub colors: Vec<String>,
    /// The owner of the registered mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registered: Option<String>,
    /// Whether it shows a way's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numbered: Option<bool>,
    /// Code of the road sign it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub road_sign: Option<String>,
    /// The scale of levels of its colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level_scale: Option<String>,
    /// Words of other systems for the same thing.
    #[serde(skip_serializing_if = "is_empty")]
    #[schema(value_type = Object)]
    pub matches: Value,
}

/// The practices an equipment is for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EquipmentAttributes {
    /// Codes of the practice types it is for; `*` for all.
    #[serde(rename = "for", skip_serializing_if = "Vec::is_empty")]
    pub for_practices: Vec<String>,
    /// Whether one cannot do without.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
}

/// The place of a level on its scale.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LevelAttributes {
    /// The scale it belongs to: `general`, or a special one.
    pub scale: String,
    /// Its place on the scale, 1 the easiest.
    pub rank: i64,
    /// Codes of the practice types it is offered for; `*` for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub default_for: Vec<String>,
    /// Least IBP index of the class, where the scale is one of effort.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ibp_min: Option<f64>,
    /// Greatest IBP index of the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ibp_max: Option<f64>,
    /// Words of other systems for the same thing.
    #[serde(skip_serializing_if = "is_empty")]
    #[schema(value_type = Object)]
    pub matches: Value,
}

/// The speed, and the planner's profile.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PracticeTypeAttributes {
    /// Profile of the planner; `none` for what is drawn by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Kilometres an hour on the flat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flat_kmh: Option<f64>,
    /// Metres an hour up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ascent_mh: Option<f64>,
    /// Metres an hour down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descent_mh: Option<f64>,
    /// Words of other systems for the same thing.
    #[serde(skip_serializing_if = "is_empty")]
    #[schema(value_type = Object)]
    pub matches: Value,
}

/// What a POI category is called elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PoiCategoryAttributes {
    /// OpenStreetMap tag, `key=value`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub osm: Option<String>,
    /// Words of other systems for the same thing.
    #[serde(skip_serializing_if = "is_empty")]
    #[schema(value_type = Object)]
    pub matches: Value,
}

/// Properties of a type of structure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StructureTypeAttributes {
    /// Whether its structures are travel agencies. The role of a person opens the fields of sales, not this.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub agency: bool,
    /// The registration it must show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration: Option<String>,
    /// Ours, never offered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub internal: bool,
}

/// What a theme or a tag has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlainAttributes {
    /// For tests and trials: never shown in public.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub internal: bool,
    /// Words of other systems for the same thing.
    #[serde(skip_serializing_if = "is_empty")]
    #[schema(value_type = Object)]
    pub matches: Value,
}

fn is_empty(matches: &Value) -> bool {
    matches.is_null() || matches.as_object().is_some_and(serde_json::Map::is_empty)
}

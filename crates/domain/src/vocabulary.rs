//! The reference lists: one thing with eight kinds, and the types of structure beside them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::planner_profile::PLANNER_PROFILES;
use crate::record::{Field, Kind, color, free, is_color, line, plain, sheet, text_line, to};
use crate::rest::fields_of;
pub use crate::vocabulary_kind::VocabularyKind;
use crate::{Fault, Text, VocabularyId};

/// The greatest rank a level may have on its scale.
const MAX_RANK: i64 = 100;
/// The most colours of a marking.
const MAX_COLORS: usize = 6;
/// The most practices that an equipment or a scale may name.
const MAX_PRACTICES: usize = 200;
/// The most characters of a line of attributes.
const MAX_LINE: usize = 200;
/// The profile of a practice that is drawn by hand.
const BY_HAND: &str = "none";
/// The most characters of an unknown profile that a fault quotes.
const MAX_QUOTED: usize = 40;
/// The kilometres an hour on the flat that a practice may have, and the metres an hour up and down.
const SPEEDS: [(&str, [i64; 2]); 3] =
    [("flat_kmh", [1, 100]), ("ascent_mh", [10, 5_000]), ("descent_mh", [10, 20_000])];
/// The most characters of the name of a scale.
const MAX_SCALE: usize = 40;

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
        parent_id: Option<i64> = to(Kind::Vocabulary),
        label: Text = text_line(200).required(),
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
    pub parent_id: Option<VocabularyId>,
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

impl VocabularyItem {
    /// Its profile and its speeds; none when it is no practice.
    pub const fn practice(&self) -> Option<&PracticeTypeAttributes> {
        match &self.attributes {
            Attributes::PracticeType(practice) => Some(practice),
            _ => None,
        }
    }
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

impl Attributes {
    /// What is wrong with attributes that fit their kind: values out of range, colours that are none, profiles that no planner has.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        match self {
            Self::Marking(marking) => {
                let at = "/attributes/colors";
                too_many(marking.colors.len(), MAX_COLORS, at, &mut faults);
                let wrong = marking.colors.iter().enumerate().filter(|(_, color)| !is_color(color));
                faults.extend(wrong.map(|(place, _)| Fault::new("validation/color", format!("{at}/{place}"))));
                too_long(marking.registered.as_deref(), MAX_LINE, "/attributes/registered", &mut faults);
            }
            Self::Equipment(equipment) => {
                too_many(equipment.for_practices.len(), MAX_PRACTICES, "/attributes/for", &mut faults);
            }
            Self::Level(level) => {
                if level.scale.trim().is_empty() {
                    faults.push(Fault::new("validation/required", "/attributes/scale"));
                }
                too_long(Some(&level.scale), MAX_SCALE, "/attributes/scale", &mut faults);
                if !(1..=MAX_RANK).contains(&level.rank) {
                    faults.push(out_of_range("rank", [1, MAX_RANK]));
                }
                too_many(level.default_for.len(), MAX_PRACTICES, "/attributes/default_for", &mut faults);
            }
            Self::PracticeType(practice) => practice.check(&mut faults),
            Self::StructureType(kind) => {
                too_long(kind.registration.as_deref(), MAX_LINE, "/attributes/registration", &mut faults);
            }
            Self::PoiCategory(_) | Self::Plain(_) => {}
        }
        faults
    }
}

fn out_of_range(name: &str, [min, max]: [i64; 2]) -> Fault {
    Fault::new("validation/out-of-range", format!("/attributes/{name}")).with("min", min).with("max", max)
}

fn too_many(count: usize, max: usize, at: &str, faults: &mut Vec<Fault>) {
    if count > max {
        faults.push(Fault::new("validation/too-many", at).with("max", max));
    }
}

fn too_long(line: Option<&str>, max: usize, at: &str, faults: &mut Vec<Fault>) {
    if line.is_some_and(|line| line.chars().count() > max) {
        faults.push(Fault::new("validation/too-long", at).with("max", max));
    }
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
    /// Profile of the planner; `none` for what is drawn by hand. Without one, that of the practices around it.
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

impl PracticeTypeAttributes {
    fn check(&self, faults: &mut Vec<Fault>) {
        let known = |name: &str| name == BY_HAND || PLANNER_PROFILES.contains(&name);
        if let Some(profile) = self.profile.as_deref().filter(|name| !known(name)) {
            let sent: String = profile.chars().take(MAX_QUOTED).collect();
            faults.push(Fault::new("validation/unknown-reference", "/attributes/profile").with("id", sent));
        }
        for ((name, bounds), speed) in SPEEDS.into_iter().zip([self.flat_kmh, self.ascent_mh, self.descent_mh]) {
            let [min, max] = bounds.map(|bound| bound as f64);
            if speed.is_some_and(|speed| !(min..=max).contains(&speed)) {
                faults.push(out_of_range(name, bounds));
            }
        }
    }

    /// What it sets itself, the rest from `other`.
    #[must_use]
    fn filled_from(self, other: &Self) -> Self {
        Self {
            profile: self.profile.or_else(|| other.profile.clone()),
            flat_kmh: self.flat_kmh.or(other.flat_kmh),
            ascent_mh: self.ascent_mh.or(other.ascent_mh),
            descent_mh: self.descent_mh.or(other.descent_mh),
            matches: self.matches,
        }
    }

    /// Whether it sets all four itself.
    pub const fn is_complete(&self) -> bool {
        self.profile.is_some() && self.flat_kmh.is_some() && self.ascent_mh.is_some() && self.descent_mh.is_some()
    }
}

/// The profile and the speeds of a practice, each for itself: its own, else that of the nearest practice above it; else that of the first
/// practice with a profile under it, or under the nearest one above. So "by bike" is as its first way of cycling, and so is a practice that
/// is added under it. `list` has all practices, siblings in their order.
pub fn practice_in(list: &[VocabularyItem], id: VocabularyId) -> PracticeTypeAttributes {
    let mut with_those_above: Vec<&VocabularyItem> = Vec::new();
    let mut next = Some(id);
    while let Some(item) = next.and_then(|id| list.iter().find(|item| item.id == id)) {
        if with_those_above.iter().any(|known| known.id == item.id) {
            break;
        }
        with_those_above.push(item);
        next = item.parent_id;
    }
    let own = with_those_above.iter().filter_map(|item| item.practice());
    let from_below = with_those_above.iter().filter_map(|item| first_under(list, item.id, &mut vec![item.id]));
    own.chain(from_below).fold(PracticeTypeAttributes::default(), PracticeTypeAttributes::filled_from)
}

/// The first practice under another that has a profile. `seen` are those that were looked at.
fn first_under<'a>(
    list: &'a [VocabularyItem],
    id: VocabularyId,
    seen: &mut Vec<VocabularyId>,
) -> Option<&'a PracticeTypeAttributes> {
    for item in list.iter().filter(|item| item.parent_id == Some(id)) {
        if seen.contains(&item.id) {
            continue;
        }
        seen.push(item.id);
        let own = item.practice().filter(|practice| practice.profile.is_some());
        if let Some(found) = own.or_else(|| first_under(list, item.id, seen)) {
            return Some(found);
        }
    }
    None
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
    /// Whether its structures are travel agencies, which have a legal notice to fill in. The role of a person opens the fields of sales, not
    /// this.
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn practice(id: i64, parent: Option<i64>, attributes: PracticeTypeAttributes) -> VocabularyItem {
        VocabularyItem {
            id: VocabularyId(id),
            kind: VocabularyKind::PracticeType,
            code: id.to_string(),
            parent_id: parent.map(VocabularyId),
            label: Text::default(),
            description: Text::default(),
            icon: None,
            color: None,
            order: id,
            attributes: Attributes::PracticeType(attributes),
            version: 1,
        }
    }

    #[derive(Deserialize)]
    struct Cases {
        practices: Vec<Practice>,
        expected: Vec<Expected>,
    }

    #[derive(Deserialize)]
    struct Practice {
        id: i64,
        parent_id: Option<i64>,
        attributes: PracticeTypeAttributes,
    }

    #[derive(Deserialize)]
    struct Expected {
        id: i64,
        profile: Option<String>,
        flat_kmh: Option<f64>,
    }

    #[test]
    fn a_practice_takes_what_it_does_not_set_from_those_around_it() {
        let cases = include_str!("../../../web/src/records/parcours/practices.cases.json");
        let cases: Cases = serde_json::from_str(cases).unwrap();
        let list = cases.practices.into_iter().map(|one| practice(one.id, one.parent_id, one.attributes));
        let list: Vec<VocabularyItem> = list.collect();
        assert!(!cases.expected.is_empty());
        for expected in cases.expected {
            let found = practice_in(&list, VocabularyId(expected.id));
            assert_eq!((found.profile, found.flat_kmh), (expected.profile, expected.flat_kmh), "{}", expected.id);
        }
    }
}

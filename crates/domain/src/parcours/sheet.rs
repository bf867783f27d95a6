//! The sheet: every field of a parcours that a person may fill, and how a merge patch changes it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::availability::Period;
use super::words::{DisplayPriority, Inheritable, Progress, Relation};
use crate::record::{merged, pointer};
use crate::rest::{KeepsRest, Rest};
use crate::{Fault, Text};

/// Declares the sheet once: the struct, its field names, the setter a patch uses and the comparison a revision uses.
macro_rules! sheet {
    ($($(#[$doc:meta])* $name:ident : $type:ty,)+) => {
        /// The fields that the staff fill in. Identifiers, publication, steps and trace are not part of it.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
        #[serde(default)]
        pub struct Sheet {
            $($(#[$doc])* pub $name: $type,)+
            /// Stored fields that this version does not know.
            #[serde(skip)]
            pub rest: Rest,
        }

        impl KeepsRest for Sheet {
            fn rest(&self) -> &Rest {
                &self.rest
            }

            fn rest_mut(&mut self) -> &mut Rest {
                &mut self.rest
            }
        }

        impl Sheet {
            /// Names of all fields, in the order of the contract.
            pub const FIELDS: &'static [&'static str] = &[$(stringify!($name)),+];

            /// Sets one field from JSON as a merge patch does: objects merge by key, the rest replaces, null empties.
            pub fn merge_field(&mut self, name: &str, patch: &Value) -> Result<(), Fault> {
                match name {
                    $(stringify!($name) => { self.$name = merged(&self.$name, name, patch)?; })+
                    _ => return Err(Fault::new("validation/unknown-field", pointer(name)).with("name", name)),
                }
                Ok(())
            }

            /// The fields whose value differs from `before`.
            pub fn changed_since(&self, before: &Self) -> Vec<&'static str> {
                let mut names = Vec::new();
                $(if self.$name != before.$name { names.push(stringify!($name)); })+
                names
            }

            /// Takes one whole field from another state of the sheet. False when there is no such field.
            pub fn take_field(&mut self, name: &str, from: &Self) -> bool {
                match name {
                    $(stringify!($name) => self.$name = from.$name.clone(),)+
                    _ => return false,
                }
                self.rest.take_field(name, &from.rest);
                true
            }
        }
    };
}

sheet! {
    /// Name shown everywhere.
    title: Text,
    /// Line under the title.
    subtitle: Text,
    /// Two or three sentences, plain.
    summary: Text,
    /// Sanitised HTML.
    description: Text,
    /// Title that hides the places, for sellers.
    anonymous_title: Text,
    /// Sanitised HTML that hides the places.
    anonymous_description: Text,
    /// Title for search engines.
    meta_title: Text,
    /// Description for search engines.
    meta_description: Text,
    /// The holder of the rights on the texts.
    copyright: Option<String>,
    /// True: a stay (voyage); false: a circuit.
    is_stay: Option<bool>,
    /// True: a loop (balade); false: one way.
    is_loop: Option<bool>,
    /// Model, child, both or neither.
    relation: Relation,
    /// The parcours under which a child is shown and through which it inherits.
    parent_id: Option<i64>,
    /// The model it was made from.
    model_id: Option<i64>,
    /// The practice of the whole parcours.
    practice_type_id: Option<i64>,
    /// Difficulty on the `general` scale.
    level_id: Option<i64>,
    /// Difficulty on each other scale, by the scale's code.
    special_levels: BTreeMap<String, i64>,
    /// Themes.
    theme_ids: Vec<i64>,
    /// Tags.
    tag_ids: Vec<i64>,
    /// Markings met on the way.
    marking_ids: Vec<i64>,
    /// Equipment to take or found there.
    equipment_ids: Vec<i64>,
    /// Points of interest, in order.
    poi_ids: Vec<i64>,
    /// Media, in order; the first is the main one.
    media_ids: Vec<i64>,
    /// Itineraries it follows.
    itinerary_ids: Vec<i64>,
    /// The person in charge.
    contact_id: Option<i64>,
    /// The sound of the audio walk, at its stops.
    audio_main_media_id: Option<i64>,
    /// The sound of the audio walk, between its stops.
    audio_transition_media_id: Option<i64>,
    /// The text of the audio guide, plain.
    audio_guide: Text,
    /// Price in cents. Reserved to agencies.
    price_cents: Option<i64>,
    /// Highest price in cents. Reserved to agencies.
    max_price_cents: Option<i64>,
    /// Sanitised HTML. Reserved to agencies.
    price_includes: Text,
    /// Sanitised HTML. Reserved to agencies.
    price_excludes: Text,
    /// Down payment: 0 disables it, absent means the white-label's own percentage. Reserved to agencies.
    deposit_percent: Option<i64>,
    /// Where to book.
    booking_url: Option<String>,
    /// The text of the booking link.
    booking_label: Text,
    /// Whether it can be booked. Reserved to agencies.
    bookable: Inheritable,
    /// Whether a bicycle can be carried.
    bike_carriage: Inheritable,
    /// The agency's own reference. Reserved to agencies.
    file_number: Option<String>,
    /// The progress of the work on it.
    progress_status: Option<Progress>,
    /// When it can be done.
    availability: Vec<Period>,
    /// 0 normal, 1 favoured, 2 priority.
    display_priority: DisplayPriority,
    /// Handed to other applications.
    distribute_partners: bool,
    /// Handed to our own applications and partner white-labels.
    distribute_own: bool,
    /// Values of the white-label's own fields.
    custom: BTreeMap<String, Value>,
}

/// Fields that only someone with `agency.fields` may change.
pub const AGENCY_FIELDS: &[&str] = &[
    "price_cents",
    "max_price_cents",
    "price_includes",
    "price_excludes",
    "deposit_percent",
    "bookable",
    "file_number",
];

/// Fields of the view that the server works out; a patch that names one is refused with its name.
pub const READ_ONLY_FIELDS: &[&str] = &[
    "id",
    "version",
    "white_label",
    "structure",
    "mine",
    "editable",
    "locked_reason",
    "children",
    "child_requests",
    "parent_decision",
    "passport",
    "effective_bookable",
    "effective_bike_carriage",
    "published",
    "white_labels",
    "trace",
    "created_at",
    "updated_at",
    "updated_by",
    "custom_hidden",
];

/// Applies a JSON merge patch to a sheet. All faults are returned at once; nothing is changed when there is one.
pub fn apply_patch(current: &Sheet, patch: &serde_json::Map<String, Value>) -> Result<Sheet, Vec<Fault>> {
    let mut sheet = current.clone();
    let mut faults = Vec::new();
    for (name, value) in patch {
        if name == "steps" {
            continue;
        }
        if READ_ONLY_FIELDS.contains(&name.as_str()) {
            faults.push(Fault::new("validation/read-only", pointer(name)).with("name", name.as_str()));
        } else if let Err(fault) = sheet.merge_field(name, value) {
            faults.push(fault);
        }
    }
    if faults.is_empty() { Ok(sheet) } else { Err(faults) }
}

/// The agency-only fields among those that changed.
pub fn agency_fields_in<'a>(changed: &'a [&'static str]) -> impl Iterator<Item = &'static str> + 'a {
    changed.iter().copied().filter(|name| AGENCY_FIELDS.contains(name))
}

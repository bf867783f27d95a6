//! The sheet: every field of a parcours that a person may fill, and how a merge patch changes it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::availability::{self, Period};
use super::words::{DisplayPriority, Inheritable, Progress, Relation};
use crate::record::{
    self, Field, Kind, Rule, Shape, between, free, line, list_of, plain, rich, sheet, text_line, to, to_term, url,
};
use crate::vocabulary_kind::VocabularyKind;
use crate::{Fault, Text};

/// Ten million euros: more is a typing error.
const MAX_PRICE_CENTS: i64 = 1_000_000_000;

impl Field for Relation {}
impl Field for Inheritable {}
impl Field for Option<Progress> {}
impl Field for DisplayPriority {}

impl Field for Vec<Period> {
    fn clean(&mut self, _shape: Shape, _sanitise: &dyn Fn(&str) -> String) {
        for day in self.iter_mut().flat_map(|period| [&mut period.from, &mut period.to]) {
            *day = availability::written(day.as_deref()).map(str::to_owned);
        }
    }

    fn check(&self, _rule: Rule, _at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        faults.extend(availability::check(self));
    }
}

sheet! {
    /// The fields that the staff fill in. Identifiers, publication, steps and trace are not part of it.
    Sheet {
        /// Name shown everywhere.
        title: Text = text_line(200),
        /// Line under the title.
        subtitle: Text = text_line(300),
        /// Two or three sentences, plain.
        summary: Text = plain(2_000),
        /// Sanitised HTML.
        description: Text = rich(100_000),
        /// Title that hides the places, for sellers.
        anonymous_title: Text = text_line(200),
        /// Sanitised HTML that hides the places.
        anonymous_description: Text = rich(100_000),
        /// Title for search engines.
        meta_title: Text = text_line(200),
        /// Description for search engines.
        meta_description: Text = plain(500),
        /// The holder of the rights on the texts.
        copyright: Option<String> = line(500),
        /// True: a stay (voyage); false: a circuit.
        is_stay: Option<bool> = free(),
        /// True: a loop (balade); false: one way.
        is_loop: Option<bool> = free(),
        /// Model, child, both or neither.
        relation: Relation = free(),
        /// The parcours under which a child is shown and through which it inherits.
        parent_id: Option<i64> = to(Kind::Parcours),
        /// The model it was made from.
        model_id: Option<i64> = to(Kind::Parcours),
        /// The practice of the whole parcours.
        practice_type_id: Option<i64> = to_term(VocabularyKind::PracticeType),
        /// Difficulty on the `general` scale.
        level_id: Option<i64> = to_term(VocabularyKind::Level),
        /// Difficulty on each other scale, by the scale's code.
        special_levels: BTreeMap<String, i64> = to_term(VocabularyKind::Level),
        theme_ids: Vec<i64> = to_term(VocabularyKind::ParcoursTheme),
        tag_ids: Vec<i64> = to_term(VocabularyKind::Tag),
        /// Markings met on the way.
        marking_ids: Vec<i64> = to_term(VocabularyKind::Marking),
        /// Equipment to take or found there.
        equipment_ids: Vec<i64> = to_term(VocabularyKind::Equipment),
        /// Points of interest, in order.
        poi_ids: Vec<i64> = to(Kind::Poi),
        /// Media, in order; the first is the main one.
        media_ids: Vec<i64> = to(Kind::Media),
        /// Itineraries it follows.
        itinerary_ids: Vec<i64> = to(Kind::Itinerary),
        /// The person in charge.
        contact_id: Option<i64> = to(Kind::Contact),
        /// The sound of the audio walk, at its stops.
        audio_main_media_id: Option<i64> = to(Kind::Media),
        /// The sound of the audio walk, between its stops.
        audio_transition_media_id: Option<i64> = to(Kind::Media),
        /// The text of the audio guide, plain.
        audio_guide: Text = plain(20_000),
        /// Price in cents. Reserved to agencies.
        price_cents: Option<i64> = between(0, MAX_PRICE_CENTS),
        /// Highest price in cents. Reserved to agencies.
        max_price_cents: Option<i64> = between(0, MAX_PRICE_CENTS),
        /// Sanitised HTML. Reserved to agencies.
        price_includes: Text = rich(20_000),
        /// Sanitised HTML. Reserved to agencies.
        price_excludes: Text = rich(20_000),
        /// Down payment, percent of the price: 0 disables it, absent means the white-label's. Reserved to agencies.
        deposit_percent: Option<i64> = free(),
        /// Where to book.
        booking_url: Option<String> = url(),
        /// The text of the booking link.
        booking_label: Text = text_line(100),
        /// Whether it can be booked. Reserved to agencies.
        bookable: Inheritable = free(),
        /// Whether a bicycle can be carried.
        bike_carriage: Inheritable = free(),
        /// The agency's own reference. Reserved to agencies.
        file_number: Option<String> = line(100),
        /// The progress of the work on it.
        progress_status: Option<Progress> = free(),
        /// When it can be done.
        availability: Vec<Period> = free(),
        /// 0 normal, 1 favoured, 2 priority.
        display_priority: DisplayPriority = free(),
        /// Handed to other applications.
        distribute_partners: bool = free(),
        /// Handed to our own applications and partner white-labels.
        distribute_own: bool = free(),
        /// Values of the white-label's own fields.
        custom: BTreeMap<String, Value> = list_of(500),
    }
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
    "inherited_bookable",
    "effective_bike_carriage",
    "published",
    "white_labels",
    "trace",
    "created_at",
    "updated_at",
    "updated_by",
    "custom_hidden",
];

/// Applies a JSON merge patch to a sheet, but for its steps. All faults are returned at once; nothing is changed when there is one.
pub fn apply_patch(current: &Sheet, patch: &Map<String, Value>) -> Result<Sheet, Vec<Fault>> {
    let own = patch.iter().filter(|(name, _)| *name != "steps");
    record::apply_patch(current, own, READ_ONLY_FIELDS, &[])
}

/// The agency-only fields among those that changed.
pub fn agency_fields_in<'a>(changed: &'a [&'static str]) -> impl Iterator<Item = &'static str> + 'a {
    changed.iter().copied().filter(|name| AGENCY_FIELDS.contains(name))
}

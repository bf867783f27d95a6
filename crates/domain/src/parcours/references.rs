//! What a parcours points to beside its parents, and pointing it elsewhere.

use super::sheet::Sheet;
use super::words::Relation;
use crate::record::{Field, Kind, Reference, Target};
use crate::step::{Step, StepReferences};
use crate::vocabulary::VocabularyKind;

/// The fields that point to other records, `steps` for the references of the steps: faults name `steps` for their practices and
/// [`STEP_LINES`] for their lines.
pub const REFERENCE_FIELDS: &[&str] = &[
    "practice_type_id",
    "level_id",
    "special_levels",
    "theme_ids",
    "tag_ids",
    "marking_ids",
    "equipment_ids",
    "poi_ids",
    "media_ids",
    "itinerary_ids",
    "contact_id",
    "audio_main_media_id",
    "audio_transition_media_id",
    "steps",
];

/// The field of steps that names lines of public transport.
pub const STEP_LINES: &str = "line_ids";

/// The fields that point to other parcours.
pub const RELATIVE_FIELDS: &[&str] = &["parent_id", "model_id"];

/// What a field points to.
fn target(field: &str) -> Target {
    let (kind, list) = match field {
        "poi_ids" => (Kind::Poi, None),
        "media_ids" | "audio_main_media_id" | "audio_transition_media_id" => (Kind::Media, None),
        "itinerary_ids" => (Kind::Itinerary, None),
        "contact_id" => (Kind::Contact, None),
        STEP_LINES => (Kind::TransportLine, None),
        "parent_id" | "model_id" => (Kind::Parcours, None),
        "level_id" | "special_levels" => (Kind::Vocabulary, Some(VocabularyKind::Level)),
        "theme_ids" => (Kind::Vocabulary, Some(VocabularyKind::ParcoursTheme)),
        "tag_ids" => (Kind::Vocabulary, Some(VocabularyKind::Tag)),
        "marking_ids" => (Kind::Vocabulary, Some(VocabularyKind::Marking)),
        "equipment_ids" => (Kind::Vocabulary, Some(VocabularyKind::Equipment)),
        _ => (Kind::Vocabulary, Some(VocabularyKind::PracticeType)),
    };
    Target { kind, list }
}

/// All that a sheet and its steps point to: what [`REFERENCE_FIELDS`], [`STEP_LINES`] and [`RELATIVE_FIELDS`] name.
pub fn references(sheet: &Sheet, steps: &StepReferences) -> Vec<Reference> {
    let special: Vec<i64> = sheet.special_levels.values().copied().collect();
    let fields: [(&'static str, &[i64]); 17] = [
        ("practice_type_id", sheet.practice_type_id.as_slice()),
        ("level_id", sheet.level_id.as_slice()),
        ("special_levels", &special),
        ("theme_ids", &sheet.theme_ids),
        ("tag_ids", &sheet.tag_ids),
        ("marking_ids", &sheet.marking_ids),
        ("equipment_ids", &sheet.equipment_ids),
        ("poi_ids", &sheet.poi_ids),
        ("media_ids", &sheet.media_ids),
        ("itinerary_ids", &sheet.itinerary_ids),
        ("contact_id", sheet.contact_id.as_slice()),
        ("audio_main_media_id", sheet.audio_main_media_id.as_slice()),
        ("audio_transition_media_id", sheet.audio_transition_media_id.as_slice()),
        ("steps", &steps.practices),
        (STEP_LINES, &steps.lines),
        ("parent_id", sheet.parent_id.as_slice()),
        ("model_id", sheet.model_id.as_slice()),
    ];
    let each = |(field, ids): (&'static str, &[i64])| {
        ids.iter().map(move |id| Reference { field, target: target(field), id: *id }).collect::<Vec<_>>()
    };
    fields.into_iter().flat_map(each).collect()
}

/// Makes a sheet and its steps point to `to` instead of `from`, or to nothing.
pub fn repoint(sheet: &mut Sheet, steps: &mut [Step], kind: Kind, from: i64, to: Option<i64>) {
    match kind {
        Kind::Poi => sheet.poi_ids.repoint(from, to),
        Kind::Media => {
            sheet.media_ids.repoint(from, to);
            sheet.audio_main_media_id.repoint(from, to);
            sheet.audio_transition_media_id.repoint(from, to);
        }
        Kind::Itinerary => sheet.itinerary_ids.repoint(from, to),
        Kind::Contact => sheet.contact_id.repoint(from, to),
        Kind::TransportLine => steps.iter_mut().for_each(|step| step.line_ids.repoint(from, to)),
        Kind::Parcours => {
            sheet.parent_id.repoint(from, to);
            sheet.model_id.repoint(from, to);
            if sheet.parent_id.is_none() && sheet.relation.is_child() {
                sheet.relation = Relation::None;
            }
        }
        Kind::Vocabulary => {
            let practices = steps.iter_mut().map(|step| &mut step.practice_type_id);
            for one in practices.chain([&mut sheet.practice_type_id, &mut sheet.level_id]) {
                one.repoint(from, to);
            }
            for many in [&mut sheet.theme_ids, &mut sheet.tag_ids, &mut sheet.marking_ids, &mut sheet.equipment_ids] {
                many.repoint(from, to);
            }
            sheet.special_levels.retain(|_, level| *level != from || to.is_some());
            sheet.special_levels.values_mut().filter(|level| **level == from).for_each(|level| level.repoint(from, to));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_that_is_named_is_among_the_references() {
        let one = Some(7);
        let sheet = Sheet {
            practice_type_id: one,
            level_id: one,
            special_levels: [("effort".to_owned(), 7)].into(),
            theme_ids: vec![7],
            tag_ids: vec![7],
            marking_ids: vec![7],
            equipment_ids: vec![7],
            poi_ids: vec![7],
            media_ids: vec![7],
            itinerary_ids: vec![7],
            contact_id: one,
            audio_main_media_id: one,
            audio_transition_media_id: one,
            parent_id: one,
            model_id: one,
            ..Sheet::default()
        };
        let steps = StepReferences { practices: vec![7], lines: vec![7] };
        let mut found: Vec<&str> = references(&sheet, &steps).iter().map(|to| to.field).collect();
        let mut named: Vec<&str> =
            REFERENCE_FIELDS.iter().chain(RELATIVE_FIELDS).chain([&STEP_LINES]).copied().collect();
        found.sort_unstable();
        named.sort_unstable();
        assert_eq!(found, named);
    }

    #[test]
    fn a_term_is_replaced_wherever_it_stands_and_nothing_else() {
        let mut sheet = Sheet {
            practice_type_id: Some(1),
            theme_ids: vec![1, 2],
            tag_ids: vec![3],
            poi_ids: vec![1],
            special_levels: [("effort".to_owned(), 1), ("risk".to_owned(), 2)].into(),
            ..Sheet::default()
        };
        repoint(&mut sheet, &mut [], Kind::Vocabulary, 1, Some(2));
        assert_eq!((sheet.practice_type_id, sheet.theme_ids.as_slice()), (Some(2), &[2][..]));
        assert_eq!((sheet.special_levels["effort"], sheet.poi_ids.as_slice()), (2, &[1][..]));
        repoint(&mut sheet, &mut [], Kind::Vocabulary, 2, None);
        assert!(sheet.special_levels.is_empty() && sheet.theme_ids.is_empty() && sheet.practice_type_id.is_none());
        assert_eq!(sheet.tag_ids, [3]);
    }
}

//! What a parcours points to beside its parents, and pointing it elsewhere.

use super::sheet::Sheet;
use crate::record::{Field, Kind};
use crate::step::Step;

/// The fields that point to other records, `steps` for what their steps do. What steps point to is told as `steps` for
/// their practices and as [`STEP_LINES`] for their lines.
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

/// The kind of record that a field points to.
pub fn kind_of_reference(field: &str) -> Kind {
    match field {
        "poi_ids" => Kind::Poi,
        "media_ids" | "audio_main_media_id" | "audio_transition_media_id" => Kind::Media,
        "itinerary_ids" => Kind::Itinerary,
        "contact_id" => Kind::Contact,
        STEP_LINES => Kind::TransportLine,
        _ => Kind::Vocabulary,
    }
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

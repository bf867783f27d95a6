//! What a parcours points to, one row each: for filters, and to know what uses what.

use std::collections::BTreeSet;

use domain::parcours::Sheet;
use domain::step::Step;
use sea_orm::Value;

use super::batch::Batch;
use crate::parcours_link::LinkKind;

type Links = BTreeSet<(i16, i64)>;

fn links_of(sheet: &Sheet, steps: &[Step]) -> Links {
    let lists: [(LinkKind, &[i64]); 10] = [
        (LinkKind::Theme, &sheet.theme_ids),
        (LinkKind::Tag, &sheet.tag_ids),
        (LinkKind::Marking, &sheet.marking_ids),
        (LinkKind::Equipment, &sheet.equipment_ids),
        (LinkKind::Poi, &sheet.poi_ids),
        (LinkKind::Media, &sheet.media_ids),
        // A sound of the audio walk is a media it shows, like its pictures.
        (LinkKind::Media, sheet.audio_main_media_id.as_slice()),
        (LinkKind::Media, sheet.audio_transition_media_id.as_slice()),
        (LinkKind::Itinerary, &sheet.itinerary_ids),
        (LinkKind::Contact, sheet.contact_id.as_slice()),
    ];
    let listed = lists.into_iter().flat_map(|(kind, ids)| ids.iter().map(move |id| (kind as i16, *id)));
    let levels = sheet.special_levels.values().map(|id| (LinkKind::SpecialLevel as i16, *id));
    let practices = steps.iter().filter_map(|step| step.practice_type_id).map(|id| (LinkKind::StepPractice as i16, id));
    let lines = steps.iter().flat_map(|step| &step.line_ids).map(|id| (LinkKind::StepLine as i16, *id));
    listed.chain(levels).chain(practices).chain(lines).collect()
}

/// Writes the links of a new parcours.
pub(super) fn insert(batch: &mut Batch, id: i64, sheet: &Sheet, steps: &[Step]) {
    add(batch, id, links_of(sheet, steps).iter());
}

/// Writes what changed.
pub(super) fn update(batch: &mut Batch, id: i64, before: (&Sheet, &[Step]), after: (&Sheet, &[Step])) {
    let (old, new) = (links_of(before.0, before.1), links_of(after.0, after.1));
    for (kind, target) in old.difference(&new) {
        let sql = "DELETE FROM parcours_link WHERE kind = $1 AND target_id = $2 AND parcours_id = $3";
        batch.add(sql, [Value::from(*kind), (*target).into(), id.into()]);
    }
    add(batch, id, new.difference(&old));
}

fn add<'a>(batch: &mut Batch, id: i64, links: impl Iterator<Item = &'a (i16, i64)>) {
    let rows: Vec<String> = links.map(|(kind, target)| format!("({kind},{target},{id})")).collect();
    if !rows.is_empty() {
        batch.add(&format!("INSERT INTO parcours_link (kind, target_id, parcours_id) VALUES {}", rows.join(",")), []);
    }
}

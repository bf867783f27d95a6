//! What a parcours points to, one row each: for filters, and to know what uses what.

use std::collections::BTreeSet;

use domain::parcours::Sheet;
use domain::record::Kind;
use domain::step::Step;
use sea_orm::Value;

use super::batch::Batch;

/// Kinds of link, with their stored numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i16)]
pub(super) enum LinkKind {
    Theme = 1,
    Tag = 2,
    Marking = 3,
    Equipment = 4,
    Poi = 5,
    Media = 6,
    SpecialLevel = 7,
    StepPractice = 8,
    Itinerary = 9,
    Contact = 10,
    StepLine = 11,
    WalkSound = 12,
    WalkSoundAside = 13,
}

/// The kinds of link that lead to a kind of record.
pub(crate) fn link_kinds(to: Kind) -> Vec<i64> {
    use LinkKind as L;
    let kinds: &[LinkKind] = match to {
        Kind::Vocabulary => &[L::Theme, L::Tag, L::Marking, L::Equipment, L::SpecialLevel, L::StepPractice],
        Kind::Poi => &[L::Poi],
        Kind::Media => &[L::Media, L::WalkSound, L::WalkSoundAside],
        Kind::Itinerary => &[L::Itinerary],
        Kind::Contact => &[L::Contact],
        Kind::TransportLine => &[L::StepLine],
        _ => &[],
    };
    kinds.iter().map(|kind| *kind as i64).collect()
}

/// The kind of link to a sound of an audio walk that is shown.
pub(crate) const WALK_SOUND: i16 = LinkKind::WalkSound as i16;
/// The same of a walk that is not public yet.
pub(crate) const WALK_SOUND_ASIDE: i16 = LinkKind::WalkSoundAside as i16;

/// The kind of link that leads to a theme.
pub(crate) const fn theme_link() -> i16 {
    LinkKind::Theme as i16
}

/// The kind of link that leads to a tag.
pub(crate) const fn tag_link() -> i16 {
    LinkKind::Tag as i16
}

/// The kind of link that leads to a marking.
pub(crate) const fn marking_link() -> i16 {
    LinkKind::Marking as i16
}

/// The kind of link that leads to a level of a scale beside the general one.
pub(crate) const fn special_level_link() -> i16 {
    LinkKind::SpecialLevel as i16
}

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

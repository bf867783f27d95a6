//! The kinds of link from a parcours to what it names (table `parcours_link`).

use domain::record::Kind;

/// Kinds of link, with their stored numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i16)]
pub(crate) enum LinkKind {
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
    /// A sound of an audio walk that is shown.
    WalkSound = 12,
    /// A sound of an audio walk that is not public yet.
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

/// The kinds of link from a parcours to the media it shows once it is published.
pub(crate) fn shown_media_links() -> [i64; 2] {
    [LinkKind::Media as i64, LinkKind::WalkSound as i64]
}

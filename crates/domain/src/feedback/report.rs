//! A field report: what a visitor found on a parcours, and where.

use super::given;
use crate::html::{clean_text, plain};
use crate::record::is_in_world;
use crate::transport_line::words;
use crate::{DAY_S, Fault, Text};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Longest text, characters.
const TEXT_CHARS: usize = 2_000;
/// Longest warning, characters in each language.
const WARNING_CHARS: usize = 300;

/// The reporter's address is erased so long after the report is solved: 90 days.
pub const SOLVED_EMAIL_KEPT_S: i64 = 90 * DAY_S;
/// And so long after it was sent, solved or not: a year.
pub const REPORT_EMAIL_KEPT_S: i64 = 365 * DAY_S;

words! {
    /// What was found.
    ReportKind {
        /// A fallen tree.
        FallenTree "fallen_tree",
        /// A sign or a mark that is missing, wrong or cannot be read.
        Marking "marking",
        /// The way is washed out, overgrown, under water.
        Path "path",
        /// A bridge, a stile, a bench, a handrail.
        Equipment "equipment",
        /// A danger: a rock that may fall, a cable, a hole.
        Danger "danger",
        /// The way is barred: works, a fence, a sign.
        Closed "closed",
        /// Animals: a herd with its dogs, wasps.
        Animals "animals",
        /// Rubbish.
        Rubbish "rubbish",
        /// Wrong information on the page.
        Information "information",
        /// Something else.
        Other "other",
    } default Other
}

impl ReportKind {
    /// All values.
    pub const ALL: [Self; 10] = [
        Self::FallenTree,
        Self::Marking,
        Self::Path,
        Self::Equipment,
        Self::Danger,
        Self::Closed,
        Self::Animals,
        Self::Rubbish,
        Self::Information,
        Self::Other,
    ];
}

words! {
    /// The state of a report.
    ReportState {
        /// Not looked at yet.
        New "new",
        /// The staff know of it.
        Seen "seen",
        /// It is put right.
        Solved "solved",
    } default New
}

/// A report as a visitor sends it, cleaned.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewReport {
    pub kind: ReportKind,
    /// Longitude and latitude, where given.
    pub position: Option<[f64; 2]>,
    pub text: String,
    /// Where they can be asked; empty where they do not want to be.
    pub email: String,
    /// `fr` or `en`.
    pub language: String,
    /// Whether a photo is sent next.
    pub has_photo: bool,
}

impl NewReport {
    /// Removes markup, and returns the faults.
    pub fn checked(self) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        if self.position.is_some_and(|place| !is_in_world(place)) {
            faults.push(Fault::new("validation/position-outside-world", "/position"));
        }
        let clean = Self {
            text: given::text(&self.text, TEXT_CHARS, self.kind == ReportKind::Other, "/text", &mut faults),
            email: given::email(&self.email, false, "/email", &mut faults),
            language: given::language(&self.language),
            ..self
        };
        if faults.is_empty() && clean.text.is_empty() && clean.position.is_none() && !clean.has_photo {
            faults.push(Fault::new("field-report/empty", "/text"));
        }
        if faults.is_empty() { Ok(clean) } else { Err(faults) }
    }
}

/// The staff's own words beside a warning.
pub fn check_warning(mut words: Text) -> Result<Text, Vec<Fault>> {
    clean_text(&mut words, &plain);
    let long = |(_, text): &(&str, &str)| text.chars().count() > WARNING_CHARS;
    let faults: Vec<Fault> = words
        .iter()
        .filter(long)
        .map(|(lang, _)| Fault::new("validation/too-long", format!("/warning/{lang}")).with("max", WARNING_CHARS))
        .collect();
    if faults.is_empty() { Ok(words) } else { Err(faults) }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_kind_says_enough_unless_it_is_another() {
        let tree = NewReport { kind: ReportKind::FallenTree, position: Some([4.0, 47.0]), ..NewReport::default() };
        assert_eq!(tree.checked().unwrap().language, "fr");
        assert_eq!(NewReport::default().checked().unwrap_err()[0].field, "/text");
    }

    #[test]
    fn a_report_says_where_or_shows_or_tells() {
        let tree = || NewReport { kind: ReportKind::FallenTree, ..NewReport::default() };
        let refused = tree().checked().unwrap_err();
        assert_eq!((refused[0].code, refused[0].field.as_str()), ("field-report/empty", "/text"));
        assert!(NewReport { text: "Au pont.".into(), ..tree() }.checked().is_ok());
        assert!(NewReport { has_photo: true, ..tree() }.checked().is_ok());
    }

    #[test]
    fn a_place_is_in_the_world_and_an_address_is_one() {
        let wrong = NewReport {
            kind: ReportKind::Danger,
            position: Some([200.0, f64::NAN]),
            email: "non".into(),
            ..NewReport::default()
        };
        let faults = wrong.checked().unwrap_err();
        let codes: Vec<_> = faults.iter().map(|fault| fault.code).collect();
        assert_eq!(codes, ["validation/position-outside-world", "validation/email"]);
    }

    #[test]
    fn a_warning_is_short_and_plain() {
        assert_eq!(check_warning(Text::in_french("Un <i>hêtre</i>")).unwrap(), Text::in_french("Un hêtre"));
        assert_eq!(check_warning(Text::new("a", "b".repeat(301))).unwrap_err()[0].field, "/warning/en");
    }
}

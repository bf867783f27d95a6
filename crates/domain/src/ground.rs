//! Entries that people make on the ground, often without a network, and send later (decision 0069).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::feedback::ReportKind;
use crate::html::plain;
use crate::record::is_in_world;
use crate::transport_line::words;
use crate::{Fault, Instant};

/// Longest title, characters: that of a point of interest.
const TITLE_CHARS: usize = 200;
/// Longest text, characters.
const TEXT_CHARS: usize = 2_000;
/// The most photos of an entry.
const MAX_MEDIA: usize = 20;
/// The greatest accuracy that is meant seriously, metres; beyond it the position says nothing.
const MAX_ACCURACY_M: f64 = 100_000.0;

words! {
    /// The kind of an entry.
    GroundKind {
        /// A point of interest, which is made from it.
        Poi "poi",
        /// Something wrong on a parcours; a field report is made from it.
        Report "report",
        /// Words about a parcours, for the desk.
        Remark "remark",
        /// A stretch of a parcours, or all of it, was seen and is right.
        Survey "survey",
        /// Photos.
        Photo "photo",
    } default Remark
}

/// An entry as the device sends it.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundEntryInput {
    /// The kind.
    pub kind: GroundKind,
    /// The parcours it is about; required for a report, a remark and a survey.
    #[serde(default)]
    pub parcours_id: Option<i64>,
    /// When it was made, by the clock of the device.
    pub made_at: Instant,
    /// When it is sent, by the same clock: the server corrects `made_at` by the difference from its own.
    pub sent_at: Instant,
    /// Longitude and latitude; required for a point of interest.
    #[serde(default)]
    #[schema(value_type = Option<trace::Place>)]
    pub position: Option<[f64; 2]>,
    /// Radius around the position within which the device was, metres.
    #[serde(default)]
    pub accuracy_m: Option<f64>,
    /// The language of title and text: `fr` or `en`.
    pub language: String,
    /// The name of a point of interest.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub title: String,
    /// The category of a point of interest.
    #[serde(default)]
    pub category_id: Option<i64>,
    /// What was found; required for a report.
    #[serde(default)]
    pub report_kind: Option<ReportKind>,
    /// The text; required for a remark.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub text: String,
    /// Start of the stretch of a survey, metres from the departure; without it, all of the parcours.
    #[serde(default)]
    pub from_m: Option<f64>,
    /// Its end.
    #[serde(default)]
    pub to_m: Option<f64>,
    /// Photos, uploaded before.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub media_ids: Vec<i64>,
}

impl GroundEntryInput {
    /// Removes markup, and returns the faults.
    pub fn checked(mut self) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        self.title = plain(&self.title.split_whitespace().collect::<Vec<_>>().join(" "));
        self.text = plain(&self.text);
        for (text, max, field) in [(&self.title, TITLE_CHARS, "/title"), (&self.text, TEXT_CHARS, "/text")] {
            if text.chars().count() > max {
                faults.push(Fault::new("validation/too-long", field).with("max", max));
            }
        }
        if self.media_ids.len() > MAX_MEDIA {
            faults.push(Fault::new("validation/too-many", "/media_ids").with("max", MAX_MEDIA));
        }
        if !["fr", "en"].contains(&self.language.as_str()) {
            faults.push(Fault::new("validation/unknown-language", "/language").with("language", self.language.clone()));
        }
        if self.position.is_some_and(|place| !is_in_world(place)) {
            faults.push(Fault::new("validation/position-outside-world", "/position"));
        }
        self.accuracy_m = self.accuracy_m.filter(|radius| (0.0..=MAX_ACCURACY_M).contains(radius));
        for (is_missing, field) in self.missing() {
            if is_missing {
                faults.push(Fault::new("validation/required", field));
            }
        }
        match (self.from_m, self.to_m) {
            (None, None) => {}
            (Some(from), Some(to)) if self.kind == GroundKind::Survey && 0.0 <= from && from < to => {}
            _ => faults.push(Fault::new("ground/stretch", "/to_m")),
        }
        if faults.is_empty() { Ok(self) } else { Err(faults) }
    }

    /// The fields that the kind requires, and whether each is missing.
    fn missing(&self) -> [(bool, &'static str); 6] {
        let kind = self.kind;
        let is_about_parcours = [GroundKind::Report, GroundKind::Remark, GroundKind::Survey].contains(&kind);
        [
            (is_about_parcours && self.parcours_id.is_none(), "/parcours_id"),
            (kind == GroundKind::Poi && self.position.is_none(), "/position"),
            (kind == GroundKind::Poi && self.title.is_empty(), "/title"),
            (kind == GroundKind::Report && self.report_kind.is_none(), "/report_kind"),
            (kind == GroundKind::Remark && self.text.is_empty(), "/text"),
            (kind == GroundKind::Photo && self.media_ids.is_empty(), "/media_ids"),
        ]
    }

    /// When it was made by the clock of the server, which is `now`. Never a time to come.
    pub fn made_at(&self, now: Instant) -> Instant {
        self.made_at.plus_s(now.since_s(self.sent_at)).min(now)
    }
}

/// The words of an entry, and the values that belong to its kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct GroundText {
    /// The language of title and text: `fr` or `en`.
    pub language: String,
    /// The name of a point of interest.
    pub title: String,
    /// The category of a point of interest.
    pub category_id: Option<i64>,
    /// What was found.
    pub report_kind: Option<ReportKind>,
    /// The text.
    pub text: String,
    /// Start of the stretch of a survey, metres from the departure.
    pub from_m: Option<f64>,
    /// Its end.
    pub to_m: Option<f64>,
}

impl From<&GroundEntryInput> for GroundText {
    fn from(sent: &GroundEntryInput) -> Self {
        Self {
            language: sent.language.clone(),
            title: sent.title.clone(),
            category_id: sent.category_id,
            report_kind: sent.report_kind,
            text: sent.text.clone(),
            from_m: sent.from_m,
            to_m: sent.to_m,
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn entry(kind: &str, more: Value) -> GroundEntryInput {
        let mut sent = json!({"kind": kind, "made_at": "2026-11-26T08:00:00Z", "sent_at": "2026-11-26T09:00:00Z", "language": "fr"});
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(sent).unwrap()
    }

    fn refused(kind: &str, more: Value) -> Vec<String> {
        let faults = entry(kind, more).checked().unwrap_err();
        faults.into_iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect()
    }

    #[test]
    fn each_kind_has_the_fields_it_needs() {
        assert_eq!(refused("poi", json!({})), ["validation/required /position", "validation/required /title"]);
        assert_eq!(refused("report", json!({"parcours_id": 1})), ["validation/required /report_kind"]);
        assert_eq!(
            refused("remark", json!({"text": " <b></b> "})),
            ["validation/required /parcours_id", "validation/required /text"]
        );
        assert_eq!(refused("photo", json!({})), ["validation/required /media_ids"]);
        assert!(entry("survey", json!({"parcours_id": 1})).checked().is_ok());
        let poi = entry("poi", json!({"position": [1.5, 42.5], "title": " La  source "})).checked().unwrap();
        assert_eq!(poi.title, "La source");
    }

    #[test]
    fn values_have_bounds() {
        let long = json!({"parcours_id": 1, "text": "x".repeat(2_001), "position": [181.0, 0.0], "language": "de"});
        assert_eq!(
            refused("remark", long),
            [
                "validation/too-long /text",
                "validation/unknown-language /language",
                "validation/position-outside-world /position"
            ]
        );
        for stretch in [json!([10.0, 5.0]), json!([null, 5.0]), json!([-1.0, 5.0])] {
            let of = json!({"parcours_id": 1, "from_m": stretch[0], "to_m": stretch[1]});
            assert_eq!(refused("survey", of), ["ground/stretch /to_m"]);
        }
        let many = json!({"media_ids": vec![1; 21]});
        assert_eq!(refused("photo", many), ["validation/too-many /media_ids"]);
    }

    #[test]
    fn the_clock_of_the_device_is_corrected() {
        let sent = entry("survey", json!({"parcours_id": 1}));
        let at = |text: &str| Instant::parse(text).unwrap();
        // The device is two hours late, and two hours early.
        assert_eq!(sent.made_at(at("2026-11-26T11:00:00Z")), at("2026-11-26T10:00:00Z"));
        assert_eq!(sent.made_at(at("2026-11-26T07:00:00Z")), at("2026-11-26T06:00:00Z"));
        // Set forward between making and sending: not a time to come.
        let later = entry("survey", json!({"parcours_id": 1, "made_at": "2026-11-26T10:00:00Z"}));
        assert_eq!(later.made_at(at("2026-11-26T09:00:00Z")), at("2026-11-26T09:00:00Z"));
    }
}

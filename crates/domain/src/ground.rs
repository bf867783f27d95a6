//! Entries that people make on the ground, often without a network, and send later (decision 0069).

use serde::{Deserialize, Serialize};
use trace::{Position, distance_m};
use utoipa::ToSchema;

use crate::closure::ClosureKind;
use crate::feedback::ReportKind;
use crate::html::plain;
use crate::parcours::availability::is_day;
use crate::record::is_in_world;
use crate::transport_line::words;
use crate::white_label::WhiteLabelFlags;
use crate::{Fault, Instant, one_space};

/// Longest title, characters: that of a point of interest.
const TITLE_CHARS: usize = 200;
/// Longest text, characters.
const TEXT_CHARS: usize = 2_000;
/// The longest text of what is corrected, bytes.
const MAX_BEFORE_BYTES: usize = 20_000;
/// The most photos and sounds of an entry.
const MAX_MEDIA: usize = 20;
/// The most points of a track: a long day on foot, one each five metres.
const MAX_TRACK_POINTS: usize = 20_000;
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
        /// A stretch of a parcours, or all of it, is closed.
        Closure "closure",
        /// Marking or equipment, and the state it is in.
        Equipment "equipment",
        /// The way that was walked, as the device recorded it.
        Track "track",
        /// A step or a point of interest is elsewhere, or its name or text is wrong.
        Correction "correction",
        /// Photos.
        Photo "photo",
    } default Remark
}

words! {
    /// The state of marking or equipment.
    Condition {
        /// As it should be.
        Good "good",
        /// Worn or damaged.
        Worn "worn",
        /// Not there.
        Missing "missing",
    } default Good
}

impl GroundKind {
    /// Whether it is about a stretch of the parcours.
    const fn has_stretch(self) -> bool {
        matches!(self, Self::Survey | Self::Closure)
    }
}

/// Name, text and place of a step or of a point of interest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Corrected {
    pub title: String,
    pub text: String,
    /// Longitude and latitude.
    #[schema(value_type = Option<trace::Place>)]
    pub position: Option<[f64; 2]>,
}

/// What is taken of a correction without a review.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The fields to write; those that are empty stay.
    pub taken: Corrected,
    /// Whether nothing of the correction is left.
    pub is_whole: bool,
}

impl Corrected {
    /// Compares what the device knew (`self`) with what it wants and with what is there now, field by field. A field is taken where the
    /// white-label takes it without a review and it is still what the device knew. The texts of all three are written in the same way, plain or HTML.
    pub fn merged(&self, wanted: &Self, present: &Self, flags: WhiteLabelFlags) -> Merged {
        let mut merged = Merged { taken: Self::default(), is_whole: true };
        for (allowed, known, wanted, present, taken) in [
            (flags.ground_titles, &self.title, &wanted.title, &present.title, &mut merged.taken.title),
            (flags.ground_texts, &self.text, &wanted.text, &present.text, &mut merged.taken.text),
        ] {
            if wanted.is_empty() || wanted == present {
                continue;
            }
            if allowed && known == present {
                taken.clone_from(wanted);
            } else {
                merged.is_whole = false;
            }
        }
        if let Some(place) = wanted.position
            && !is_at(present.position, place)
        {
            if flags.ground_positions && self.position.is_some_and(|known| is_at(present.position, known)) {
                merged.taken.position = wanted.position;
            } else {
                merged.is_whole = false;
            }
        }
        merged
    }
}

/// Whether a place is another one; places are stored to the centimetre.
fn is_at(place: Option<[f64; 2]>, other: [f64; 2]) -> bool {
    place.is_some_and(|[lon, lat]| (lon - other[0]).abs() < 1e-7 && (lat - other[1]).abs() < 1e-7)
}

/// An entry as the device sends it.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroundEntryInput {
    pub kind: GroundKind,
    /// The parcours it is about; required except for a point of interest, equipment and photos.
    #[serde(default)]
    pub parcours_id: Option<i64>,
    /// When it was made, by the clock of the device.
    pub made_at: Instant,
    /// When it is sent, by the same clock: the server corrects `made_at` by the difference from its own.
    pub sent_at: Instant,
    /// Longitude and latitude; required for a point of interest and equipment.
    #[serde(default)]
    #[schema(value_type = Option<trace::Place>)]
    pub position: Option<[f64; 2]>,
    /// Radius around the position within which the device was, metres.
    #[serde(default)]
    pub accuracy_m: Option<f64>,
    /// The language of title and text: `fr` or `en`.
    pub language: String,
    /// The name of a point of interest, or of equipment; the right name of what is corrected.
    #[serde(default)]
    #[schema(max_length = 200)]
    pub title: String,
    /// The category of a point of interest.
    #[serde(default)]
    pub category_id: Option<i64>,
    /// What was found; required for a report.
    #[serde(default)]
    pub report_kind: Option<ReportKind>,
    /// Why it is closed; required for a closure.
    #[serde(default)]
    pub closure_kind: Option<ClosureKind>,
    /// The last day of a closure, `YYYY-MM-DD`.
    #[serde(default)]
    pub until: Option<String>,
    /// Required for equipment.
    #[serde(default)]
    pub condition: Option<Condition>,
    /// The step that is corrected.
    #[serde(default)]
    pub step_id: Option<i64>,
    /// The point of interest that is corrected.
    #[serde(default)]
    pub poi_id: Option<i64>,
    /// What was corrected, as the device knew it.
    #[serde(default)]
    pub before: Option<Corrected>,
    /// The text; a remark has one, or media.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub text: String,
    /// Start of the stretch of a survey or closure, metres from the departure; without it, all of the parcours.
    #[serde(default)]
    pub from_m: Option<f64>,
    /// Its end.
    #[serde(default)]
    pub to_m: Option<f64>,
    /// The way that was walked; required for a track.
    #[serde(default)]
    #[schema(value_type = Vec<trace::Place>, max_items = 20000)]
    pub track: Vec<[f64; 2]>,
    /// Photos, uploaded before.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub media_ids: Vec<i64>,
}

impl GroundEntryInput {
    /// Removes markup, and returns the faults.
    pub fn checked(mut self) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        self.title = plain(&one_space(&self.title));
        self.text = plain(&self.text);
        if let Some(before) = &mut self.before {
            (before.title, before.text) = (plain(&before.title), plain(&before.text));
            if before.title.chars().count() > TITLE_CHARS || before.text.len() > MAX_BEFORE_BYTES {
                faults.push(Fault::new("validation/too-long", "/before").with("max", MAX_BEFORE_BYTES));
            }
        }
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
        if self.before.as_ref().and_then(|before| before.position).is_some_and(|place| !is_in_world(place)) {
            faults.push(Fault::new("validation/position-outside-world", "/before/position"));
        }
        if self.track.len() > MAX_TRACK_POINTS {
            faults.push(Fault::new("validation/too-many", "/track").with("max", MAX_TRACK_POINTS));
        }
        if !self.track.iter().copied().all(is_in_world) {
            faults.push(Fault::new("validation/position-outside-world", "/track"));
        }
        self.until = self.until.filter(|day| !day.is_empty());
        if let Some(day) = self.until.as_deref().filter(|day| !is_day(day)) {
            faults.push(Fault::new("validation/bad-date", "/until").with("value", day));
        }
        self.accuracy_m = self.accuracy_m.filter(|radius| (0.0..=MAX_ACCURACY_M).contains(radius));
        for (is_missing, field) in self.missing() {
            if is_missing {
                faults.push(Fault::new("validation/required", field));
            }
        }
        match (self.from_m, self.to_m) {
            (None, None) => {}
            (Some(from), Some(to)) if self.kind.has_stretch() && 0.0 <= from && from < to => {}
            _ => faults.push(Fault::new("ground/stretch", "/to_m")),
        }
        if faults.is_empty() { Ok(self) } else { Err(faults) }
    }

    /// The fields that the kind requires, and whether each is missing.
    fn missing(&self) -> [(bool, &'static str); 11] {
        let kind = self.kind;
        let is_of_place = [GroundKind::Poi, GroundKind::Equipment].contains(&kind);
        let is_about_parcours = !is_of_place && kind != GroundKind::Photo;
        [
            (is_about_parcours && self.parcours_id.is_none(), "/parcours_id"),
            (is_of_place && self.position.is_none(), "/position"),
            (is_of_place && self.title.is_empty(), "/title"),
            (kind == GroundKind::Report && self.report_kind.is_none(), "/report_kind"),
            (kind == GroundKind::Closure && self.closure_kind.is_none(), "/closure_kind"),
            (kind == GroundKind::Equipment && self.condition.is_none(), "/condition"),
            (kind == GroundKind::Track && self.track.len() < 2, "/track"),
            (kind == GroundKind::Remark && self.text.is_empty() && self.media_ids.is_empty(), "/text"),
            (kind == GroundKind::Correction && self.step_id.is_some() == self.poi_id.is_some(), "/step_id"),
            (kind == GroundKind::Correction && self.corrects_nothing(), "/text"),
            (kind == GroundKind::Photo && self.media_ids.is_empty(), "/media_ids"),
        ]
    }

    fn corrects_nothing(&self) -> bool {
        self.title.is_empty() && self.text.is_empty() && self.position.is_none()
    }

    /// When it was made by the clock of the server, which is `now`. Never a time to come, nor one before 1970: a device whose clock was set
    /// between the two could say any.
    pub fn made_at(&self, now: Instant) -> Instant {
        self.made_at.plus_s(now.since_s(self.sent_at)).max(Instant(0)).min(now)
    }
}

/// The words of an entry, and the values that belong to its kind: see `GroundEntryInput`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct GroundText {
    pub language: String,
    pub title: String,
    pub category_id: Option<i64>,
    pub report_kind: Option<ReportKind>,
    pub closure_kind: Option<ClosureKind>,
    pub until: Option<String>,
    pub condition: Option<Condition>,
    pub step_id: Option<i64>,
    pub poi_id: Option<i64>,
    pub before: Option<Corrected>,
    pub text: String,
    pub from_m: Option<f64>,
    pub to_m: Option<f64>,
    /// The length of a track, metres.
    pub distance_m: Option<f64>,
}

impl From<&GroundEntryInput> for GroundText {
    fn from(sent: &GroundEntryInput) -> Self {
        Self {
            language: sent.language.clone(),
            title: sent.title.clone(),
            category_id: sent.category_id,
            report_kind: sent.report_kind,
            closure_kind: sent.closure_kind,
            until: sent.until.clone(),
            condition: sent.condition,
            step_id: sent.step_id,
            poi_id: sent.poi_id,
            before: sent.before.clone(),
            text: sent.text.clone(),
            from_m: sent.from_m,
            to_m: sent.to_m,
            distance_m: (sent.kind == GroundKind::Track).then(|| length_m(&sent.track)),
        }
    }
}

/// The length of a track, whole metres.
fn length_m(track: &[[f64; 2]]) -> f64 {
    let places: Vec<Position> = track.iter().map(|[lon, lat]| Position::new(*lon, *lat)).collect();
    places.windows(2).map(|pair| distance_m(pair[0], pair[1])).sum::<f64>().round()
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
        assert_eq!(
            refused("closure", json!({})),
            ["validation/required /parcours_id", "validation/required /closure_kind"]
        );
        assert_eq!(
            refused("equipment", json!({"title": "Balise"})),
            ["validation/required /position", "validation/required /condition"]
        );
        assert_eq!(
            refused("correction", json!({"parcours_id": 1, "step_id": 2, "poi_id": 3})),
            ["validation/required /step_id", "validation/required /text"]
        );
        let moved = json!({"parcours_id": 1, "poi_id": 3, "position": [1.5, 42.5], "before": {"title": "Source"}});
        assert!(entry("correction", moved).checked().is_ok());
        assert!(entry("remark", json!({"parcours_id": 1, "media_ids": [4]})).checked().is_ok(), "a voice note");
        let one_point = json!({"parcours_id": 1, "track": [[1.5, 42.5]]});
        assert_eq!(refused("track", one_point), ["validation/required /track"]);
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
        let closed = json!({"parcours_id": 1, "closure_kind": "works", "until": "2026-02-30"});
        assert_eq!(refused("closure", closed), ["validation/bad-date /until"]);
        let track = json!({"parcours_id": 1, "track": [[1.5, 42.5], [191.0, 42.5]]});
        assert_eq!(refused("track", track), ["validation/position-outside-world /track"]);
        let endless = json!({"parcours_id": 1, "track": vec![[1.5, 42.5]; 20_001]});
        assert_eq!(refused("track", endless), ["validation/too-many /track"]);
        let before = json!({"text": "x".repeat(20_001)});
        let book = json!({"parcours_id": 1, "step_id": 2, "text": "Autre", "before": before});
        assert_eq!(refused("correction", book), ["validation/too-long /before"]);
        let nowhere = json!({"parcours_id": 1, "poi_id": 3, "text": "Autre", "before": {"position": [1.5, 97.0]}});
        assert_eq!(refused("correction", nowhere), ["validation/position-outside-world /before/position"]);
        let many = json!({"media_ids": vec![1; 21]});
        assert_eq!(refused("photo", many), ["validation/too-many /media_ids"]);
    }

    #[test]
    fn a_track_has_its_length_and_a_closure_its_stretch() {
        let track = entry("track", json!({"parcours_id": 1, "track": [[1.5, 42.5], [1.5, 42.509], [1.5, 42.518]]}));
        assert_eq!(GroundText::from(&track.checked().unwrap()).distance_m, Some(2_002.0));
        let closed = json!({"parcours_id": 1, "closure_kind": "forestry", "until": "", "from_m": 100.0, "to_m": 400.0});
        let closed = GroundText::from(&entry("closure", closed).checked().unwrap());
        assert_eq!((closed.until, closed.from_m, closed.distance_m), (None, Some(100.0), None));
    }

    #[test]
    fn a_correction_is_taken_where_it_is_allowed_and_nobody_changed_it_since() {
        let place = |title: &str, text: &str, lon: f64| Corrected {
            title: title.to_owned(),
            text: text.to_owned(),
            position: Some([lon, 47.0]),
        };
        let all = WhiteLabelFlags {
            ground_titles: true,
            ground_texts: true,
            ground_positions: true,
            ..WhiteLabelFlags::default()
        };
        let (known, wanted) = (place("Halle", "Ouverte", 4.0), place("Vieille halle", "Fermée", 4.1));
        let merged = known.merged(&wanted, &known, all);
        assert_eq!((merged.taken, merged.is_whole), (wanted.clone(), true));
        // Another person changed the text meanwhile; the place was moved to where it should be.
        let now = place("Halle", "Ouverte le mardi", 4.1);
        let merged = known.merged(&wanted, &now, all);
        let title = Corrected { title: "Vieille halle".to_owned(), ..Corrected::default() };
        assert_eq!((merged.taken, merged.is_whole), (title, false));
        let merged = known.merged(&wanted, &wanted, all);
        assert_eq!((merged.taken, merged.is_whole), (Corrected::default(), true));
        // What is empty is not corrected, and what is not allowed waits.
        let only_text = Corrected { text: "Fermée".to_owned(), ..Corrected::default() };
        let merged = known.merged(&only_text, &known, WhiteLabelFlags { ground_texts: false, ..all });
        assert_eq!((merged.taken, merged.is_whole), (Corrected::default(), false));
        // A device that did not know the place does not move it.
        let unplaced = Corrected { position: None, ..known.clone() };
        let merged = unplaced.merged(&wanted, &known, all);
        assert_eq!((merged.taken.position, merged.is_whole), (None, false));
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
        // Eight thousand years before Christ would be a time that nothing can read.
        let wild = json!({"parcours_id": 1, "made_at": "0001-01-01T00:00:00Z", "sent_at": "9999-12-31T23:59:59Z"});
        assert_eq!(entry("survey", wild).made_at(at("2026-11-26T09:00:00Z")), Instant(0));
    }
}

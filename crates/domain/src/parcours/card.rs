//! A parcours in a list: computed at each save, so that a list reads narrow rows and sends them unchanged.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ribbon::RibbonPart;
use super::sheet::Sheet;
use super::trace_state::TraceSummary;
use super::words::{Progress, Relation};
use crate::Text;
use crate::step::{Step, stage_count};

/// What the list shows of a parcours, the same for all its readers. Whether its reliability is stale is not part of it: that
/// depends on today's network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Card {
    pub title: Text,
    /// Practice.
    pub practice_type_id: Option<i64>,
    pub level_id: Option<i64>,
    /// Loop or one way.
    pub is_loop: Option<bool>,
    /// Stay or circuit.
    pub is_stay: Option<bool>,
    /// Model, child, both or neither.
    pub relation: Relation,
    pub distance_m: Option<f64>,
    pub duration_s: Option<f64>,
    pub ascent_m: Option<f64>,
    /// Number of stages.
    pub stages: i64,
    /// Percent.
    pub reliability: Option<f64>,
    /// The strip.
    pub ribbon: Vec<RibbonPart>,
    /// SVG path in a box of 40 by 40.
    pub glyph: Option<String>,
    /// Where it starts: degrees east and north.
    #[schema(value_type = Option<trace::Place>)]
    pub start: Option<[f64; 2]>,
    /// The progress of the work on it.
    pub progress_status: Option<Progress>,
    /// What is still to fill in.
    pub missing: Vec<String>,
    /// Languages its title is written in.
    pub languages: Vec<String>,
}

/// The drawing of a trace, kept beside its figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Drawing {
    /// The strip.
    pub ribbon: Vec<RibbonPart>,
    /// SVG path in a box of 40 by 40.
    pub glyph: Option<String>,
    /// Where it starts: degrees east and north.
    #[schema(value_type = Option<trace::Place>)]
    pub start: Option<[f64; 2]>,
}

impl Card {
    /// The card of a sheet with its steps and its trace.
    pub fn of(
        sheet: &Sheet,
        steps: &[Step],
        trace: Option<&TraceSummary>,
        drawing: &Drawing,
        languages: &[String],
    ) -> Self {
        let percent = trace
            .and_then(|trace| trace.reliability.as_ref())
            .and_then(|found| found.get("percent"))
            .and_then(serde_json::Value::as_f64);
        Self {
            title: sheet.title.clone(),
            practice_type_id: sheet.practice_type_id,
            level_id: sheet.level_id,
            is_loop: sheet.is_loop,
            is_stay: sheet.is_stay,
            relation: sheet.relation,
            distance_m: trace.and_then(|trace| trace.distance_m),
            duration_s: trace.and_then(|trace| trace.duration_s),
            ascent_m: trace.and_then(|trace| trace.ascent_m),
            stages: stage_count(steps),
            reliability: percent,
            ribbon: drawing.ribbon.clone(),
            glyph: drawing.glyph.clone(),
            start: drawing.start,
            progress_status: sheet.progress_status,
            missing: missing(sheet, trace.is_some(), languages),
            languages: languages.iter().filter(|lang| sheet.title.is_written(lang)).cloned().collect(),
        }
    }
}

/// What a parcours lacks, in the order of the simplified view. The first language's lacks have no suffix.
pub fn missing(sheet: &Sheet, has_trace: bool, languages: &[String]) -> Vec<String> {
    let mut lacks = Vec::new();
    for (name, text) in [("title", &sheet.title), ("summary", &sheet.summary), ("description", &sheet.description)] {
        for (rank, lang) in languages.iter().enumerate() {
            if !text.is_written(lang) {
                lacks.push(if rank == 0 { name.to_owned() } else { format!("{name}_{lang}") });
            }
        }
    }
    for (name, there) in
        [("practice", sheet.practice_type_id.is_some()), ("level", sheet.level_id.is_some()), ("trace", has_trace)]
    {
        if !there {
            lacks.push(name.to_owned());
        }
    }
    lacks
}

/// The words a search finds a parcours by: all its texts in all languages, without markup.
pub fn search_text(sheet: &Sheet, steps: &[Step]) -> String {
    let texts = [&sheet.title, &sheet.subtitle, &sheet.summary, &sheet.anonymous_title, &sheet.meta_title];
    let mut words = String::new();
    let mut add = |text: &str| {
        if !words.is_empty() {
            words.push('\n');
        }
        words.push_str(text);
    };
    for text in texts {
        text.iter().for_each(|(_, written)| add(written));
    }
    for (_, html) in sheet.description.iter() {
        add(&crate::html::words_of_html(html));
    }
    for (_, name) in steps.iter().flat_map(|step| step.title.iter()) {
        add(name);
    }
    sheet.file_number.iter().for_each(|number| add(number));
    words
}

//! The renderer of roadbooks. The program that starts the server provides it, so that a crash in it does not end this process.

use std::fmt::Debug;

use app::App;
use app::problem::Internal;
use media::{Format, clean_drawing};
use roadbook::{Blob, Output, Rendered, Report, Request, RoadbookError, Warning};
use serde::Serialize;
use utoipa::ToSchema;

use super::assemble::{Assembled, MissingTexts, TextOwner};
use super::error::RoadbookProblem;

/// One thing to look at in a roadbook that was made; nothing of it stopped the making.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RoadbookWarning {
    /// What: `photo_coarse`, `title_cut`, …
    pub code: String,
    /// Where: the day's number.
    pub day: Option<u32>,
    /// Where: the step's number or letter, as on the sheet and in the roadbook.
    pub step: Option<String>,
    /// Which: a picture's name, a colour, the beginning of a text, a record's name.
    pub subject: String,
    /// For a `text_missing`: the texts that are not written in the roadbook's language.
    pub texts: Option<RoadbookMissingTexts>,
}

/// Texts of one record that are printed in another language than the roadbook's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RoadbookMissingTexts {
    /// What it is: `parcours`, `step`, `poi`, `closure`, `media`, or `roadbook` for what is set of the roadbook itself.
    pub kind: String,
    /// Its number; for texts of the roadbook, the parcours'.
    pub id: i64,
    pub fields: Vec<String>,
    /// The roadbook's language.
    pub language: String,
    /// The language that is printed instead.
    pub printed_in: String,
}

impl RoadbookWarning {
    fn of_texts(missing: MissingTexts, language: &str) -> Self {
        let (kind, id, step) = match missing.of {
            TextOwner::Parcours(id) => ("parcours", id, None),
            TextOwner::Step(id, label) => ("step", id, Some(label)),
            TextOwner::Poi(id) => ("poi", id, None),
            TextOwner::Closure(id) => ("closure", id, None),
            TextOwner::Media(id) => ("media", id, None),
            TextOwner::Roadbook(id) => ("roadbook", id, None),
        };
        let texts = RoadbookMissingTexts {
            kind: kind.to_owned(),
            id,
            fields: missing.fields.into_iter().map(str::to_owned).collect(),
            language: language.to_owned(),
            printed_in: missing.printed_in,
        };
        Self { code: "text_missing".to_owned(), day: None, step, subject: missing.name, texts: Some(texts) }
    }
}

impl From<Warning> for RoadbookWarning {
    fn from(warning: Warning) -> Self {
        let code = serde_json::to_value(warning.code).ok().and_then(|code| code.as_str().map(str::to_owned));
        Self {
            code: code.unwrap_or_default(),
            day: warning.day,
            step: warning.step,
            subject: warning.subject,
            texts: None,
        }
    }
}

/// The warnings of a report, and what is not written in the roadbook's language.
pub(super) fn warnings(report: Report, missing: Vec<MissingTexts>, language: &str) -> Vec<RoadbookWarning> {
    let texts = missing.into_iter().map(|missing| RoadbookWarning::of_texts(missing, language));
    report.warnings.into_iter().map(Into::into).chain(texts).collect()
}

/// Prints what was assembled.
pub(super) async fn print(app: &App, assembled: Assembled, output: Output) -> Result<Rendered, RoadbookProblem> {
    let renderer = app.renderer.as_ref().ok_or(RoadbookProblem::Absent)?;
    let mut blobs = std::collections::BTreeMap::new();
    for (name, key) in assembled.blobs {
        // The report lists one that is gone, or left out.
        if let Some(bytes) = app.blobs.get(&key).await?
            && let Some(bytes) = printable(bytes.to_vec()).await?
        {
            blobs.insert(name, Blob::Bytes(bytes));
        }
    }
    let tiles = app.region().tiles_file.clone().filter(|file| file.is_file());
    let request = Request { roadbook: assembled.roadbook, blobs, tiles, output };
    renderer.print(request).await.map_err(refusal)
}

/// What the renderer gets of a file. A drawing may have been stored before its filters were left out and its references counted: it is
/// cleaned as a new one is, and left out where a new one is refused.
async fn printable(bytes: Vec<u8>) -> Result<Option<Vec<u8>>, Internal> {
    if Format::of(&bytes) != Some(Format::Svg) {
        return Ok(Some(bytes));
    }
    tokio::task::spawn_blocking(move || clean_drawing(&bytes).ok()).await.map_err(Internal::new)
}

fn refusal(error: RoadbookError) -> RoadbookProblem {
    match error {
        RoadbookError::NoTitle => RoadbookProblem::TitleRequired,
        RoadbookError::NoPages => RoadbookProblem::NoPages,
        RoadbookError::TooLong { limit } => RoadbookProblem::TooLong { limit },
        RoadbookError::TimedOut { after } => RoadbookProblem::TimedOut { after_s: after.as_secs() },
        RoadbookError::Crashed { detail } => {
            tracing::error!(detail, "the renderer stopped");
            RoadbookProblem::Crashed
        }
        other => Internal::new(other).into(),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_drawing_that_was_stored_before_is_cleaned_and_other_files_are_not_touched() {
        let drawing = |inside: &str| {
            format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10">{inside}</svg>"#).into_bytes()
        };
        let stored = drawing(r#"<filter id="f"><feFlood/></filter><rect width="9" filter="url(#f)"/>"#);
        assert_eq!(printable(stored).await.unwrap(), Some(drawing(r#"<rect width="9"/>"#)));
        assert_eq!(printable(drawing(r##"<g id="a"><use href="#a"/></g>"##)).await.unwrap(), None);
        for other in [&b"\xFF\xD8\xFF a photo"[..], b"OTTO a font", b""] {
            assert_eq!(printable(other.to_vec()).await.unwrap(), Some(other.to_vec()));
        }
    }
}

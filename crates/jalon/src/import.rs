//! `jalon parcours import`: a parcours of each recording.

use std::fs;
use std::path::PathBuf;

use domain::WhiteLabelId;
use domain::parcours::{Repaired, Sheet, TraceMode};
use indicatif::{ProgressBar, ProgressStyle};
use routing::Profile;
use serde::Serialize;
use serde_json::Value;
use store::parcours::Change;
use store::{Store, StoreError, parcours, white_label};

use crate::cli::ParcoursImport;
use crate::config::Config;
use crate::intake::{Intake, Lists, Prepared, Recording, parallel_map};
use crate::trace_inspect::repair_line;
use crate::{output, wiring};

/// Recordings prepared side by side, then stored in one transaction.
const BATCH: usize = 64;

/// Why nothing was imported, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The arguments cannot be used.
    #[error("{0}")]
    Refused(String),
    /// A part is missing or broken.
    #[error(transparent)]
    Wiring(#[from] wiring::WiringError),
    /// The database or the blob store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The outcome of one file.
#[derive(Debug, Default, Serialize)]
struct Outcome {
    file: String,
    id: Option<i64>,
    title: Option<String>,
    distance_m: Option<f64>,
    reliability: Option<f64>,
    /// What was repaired in the file, in the form of the API.
    repairs: Vec<Repaired>,
    /// `[{after_piece, distance_m}]`: the gaps between the pieces of the file, joined by straight lines.
    gaps: Value,
    why_not: Option<String>,
}

/// Imports each file; false when one of them was refused. A refused file leaves nothing behind, and the next ones are imported.
pub async fn run(config: &Config, asked: &ParcoursImport) -> Result<bool, ImportError> {
    let profile: Profile = asked.profile.parse().map_err(|_| {
        ImportError::Refused(format!("`{}` is not a profile: touring, road, mtb or hiking", asked.profile))
    })?;
    let store = wiring::store(config).await?;
    let blobs = wiring::blobs(config)?;
    let white_label_id = owner(&store, asked.white_label.as_deref()).await?;
    let engine = if asked.no_match { None } else { wiring::engine(config, &store).await? };
    let intake = Intake { engine, lists: Lists::load(store.read()).await? };
    let mode = if asked.no_match { TraceMode::Source } else { TraceMode::Planner };
    let bar = progress(asked);
    let mut all_well = true;

    for files in asked.files.chunks(BATCH) {
        let prepared = parallel_map(files, |file| prepare(&intake, file, white_label_id, mode, profile));
        let tx = store.begin().await?;
        let mut outcomes = Vec::with_capacity(files.len());
        for (file, prepared) in files.iter().zip(prepared) {
            let file = file.display().to_string();
            outcomes.push(match prepared {
                Err(why) => Outcome { file, why_not: Some(why), ..Outcome::default() },
                Ok((bytes, prepared)) => {
                    blobs.put(&prepared.blob_key, bytes).await?;
                    let change = Change {
                        by: None,
                        at: wiring::now(),
                        reason: Some("import"),
                        languages: &config.content_languages,
                    };
                    let stored = parcours::insert(&tx, &prepared.parcours, change).await?;
                    let trace = stored.trace.as_ref();
                    Outcome {
                        file,
                        id: Some(stored.id.0),
                        title: stored.sheet.title.get("fr").map(str::to_owned),
                        distance_m: trace.and_then(|trace| trace.distance_m),
                        reliability: trace
                            .and_then(|trace| trace.reliability.as_ref())
                            .and_then(|reliability| reliability["percent"].as_f64()),
                        repairs: trace.map(|trace| trace.repairs.clone()).unwrap_or_default(),
                        gaps: prepared.parcours.trace.map(|trace| trace.extra.source_gaps).unwrap_or_default(),
                        why_not: None,
                    }
                }
            });
        }
        tx.commit().await?;
        bar.inc(files.len() as u64);
        for outcome in outcomes {
            all_well &= outcome.why_not.is_none();
            print(&outcome, asked.json);
        }
    }
    bar.finish_and_clear();
    store.close().await?;
    Ok(all_well)
}

fn prepare(
    intake: &Intake,
    file: &PathBuf,
    white_label_id: WhiteLabelId,
    mode: TraceMode,
    profile: Profile,
) -> Result<(Vec<u8>, Prepared), String> {
    let bytes = fs::read(file).map_err(|error| format!("the file cannot be opened: {error}"))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let recording = Recording {
        file_name: &name,
        bytes: &bytes,
        white_label_id,
        sheet: Sheet::default(),
        steps: Vec::new(),
        mode,
        profile: Some(profile),
        published: false,
    };
    let prepared = intake.prepare(recording).map_err(|error| error.to_string())?;
    Ok((bytes, prepared))
}

pub(crate) async fn owner(store: &Store, name: Option<&str>) -> Result<WhiteLabelId, ImportError> {
    let all = white_label::all(store.read()).await?;
    let found = match name {
        Some(name) => all.iter().find(|white_label| white_label.name == name || white_label.slug == name),
        None => all.iter().min_by_key(|white_label| white_label.id.0),
    };
    found.map(|white_label| white_label.id).ok_or_else(|| {
        ImportError::Refused(match name {
            Some(name) => format!("there is no white-label named `{name}`"),
            None => "there is no white-label yet: create one with `jalon user create` or `jalon demo`".to_owned(),
        })
    })
}

fn print(outcome: &Outcome, as_json: bool) {
    if as_json {
        return output::json(outcome);
    }
    output::line(in_words(outcome));
}

/// The outcome of a file; each gap and each repair of its trace is on a line of its own.
fn in_words(outcome: &Outcome) -> String {
    if let Some(why) = &outcome.why_not {
        return format!("{}: refused: {why}", outcome.file);
    }
    let mut text = format!(
        "{}: parcours {}, {:.2} km{}",
        outcome.file,
        outcome.id.unwrap_or_default(),
        outcome.distance_m.unwrap_or_default() / 1000.0,
        outcome.reliability.map_or(String::new(), |percent| format!(", reliability {percent:.1} %")),
    );
    for gap in outcome.gaps.as_array().into_iter().flatten() {
        let (before, apart_m) = (gap["after_piece"].as_u64(), gap["distance_m"].as_f64());
        let piece = before.unwrap_or_default() + 1;
        text += &format!(
            "\n    gap between pieces {piece} and {}: {:.0} m, joined by a straight line",
            piece + 1,
            apart_m.unwrap_or_default()
        );
    }
    for repair in &outcome.repairs {
        text += &repair_line(&repair.kind, repair.count, repair.line);
    }
    text
}

fn progress(asked: &ParcoursImport) -> ProgressBar {
    if asked.json || asked.files.len() < 2 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(asked.files.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left") {
        bar.set_style(style);
    }
    bar
}

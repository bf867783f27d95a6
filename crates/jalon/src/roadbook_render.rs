//! `jalon roadbook render`: the PDF of a roadbook's data, and what to look at in it.

use std::collections::BTreeMap;
use std::path::Path;

use roadbook::{Blob, Output, Request, Roadbook, Warning};

use crate::Failure;
use crate::cli::RoadbookRender;
use crate::output;

/// Makes it in this process: one book, one run.
pub fn run(asked: &RoadbookRender) -> Result<(), Failure> {
    let with_path = |error: &dyn std::fmt::Display| format!("{}: {error}", asked.data.display());
    let json = std::fs::read_to_string(&asked.data).map_err(|error| with_path(&error))?;
    let roadbook: Roadbook = serde_json::from_str(&json).map_err(|error| with_path(&error))?;
    let folder = asked.blobs.as_deref().or(asked.data.parent()).unwrap_or(Path::new("."));
    let request = Request { roadbook, blobs: blobs(folder)?, tiles: asked.tiles.clone(), output: Output::Pdf };
    let made = roadbook::render(&request)?;
    std::fs::write(&asked.output, &made.pdf).map_err(|error| format!("{}: {error}", asked.output.display()))?;
    if asked.json {
        output::json(&made.report);
    } else {
        output::line(format!("{}: {} pages", asked.output.display(), made.report.pages));
        for warning in &made.report.warnings {
            output::line(in_words(warning));
        }
    }
    Ok(())
}

/// The folder's files by their names; read when a page needs them.
fn blobs(folder: &Path) -> Result<BTreeMap<String, Blob>, Failure> {
    // The folder of a bare file name is the empty path.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut blobs = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let entry = entry?;
        blobs.insert(entry.file_name().to_string_lossy().into_owned(), Blob::File(entry.path()));
    }
    Ok(blobs)
}

fn in_words(warning: &Warning) -> String {
    let code =
        serde_json::to_value(warning.code).ok().and_then(|code| code.as_str().map(|code| code.replace('_', " ")));
    let mut text = format!("    {}", code.unwrap_or_default());
    for (what, number) in [("day", warning.day.map(|day| day.to_string())), ("step", warning.step.clone())] {
        if let Some(number) = number {
            text += &format!(", {what} {number}");
        }
    }
    if warning.subject.is_empty() { text } else { format!("{text}: {}", warning.subject) }
}

//! `jalon trace inspect`: what recordings hold, what was repaired, why one cannot be read.

use std::path::{Path, PathBuf};

use trace::{Inspection, inspect};

use crate::output;

/// Inspects each file; false when one of them could not be read.
pub fn run(files: &[PathBuf], as_json: bool) -> bool {
    let mut all_readable = true;
    for path in files {
        let inspection = inspected(path);
        all_readable &= inspection.readable;
        if as_json {
            output::json(&inspection);
        } else {
            output::line(in_words(&inspection));
        }
    }
    all_readable
}

fn inspected(path: &Path) -> Inspection {
    let file = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => inspect(&bytes, &file),
        Err(error) => Inspection {
            why_not: Some(format!("the file cannot be opened: {error}")),
            code: None,
            ..inspect(&[], &file)
        },
    }
}

fn in_words(inspection: &Inspection) -> String {
    let file = &inspection.file;
    if let Some(why) = &inspection.why_not {
        return format!("{file}: not readable: {why}");
    }
    let format = inspection.format.map_or("", trace::Format::as_str);
    let mut text = format!("{file}: {format}, {} points, {:.2} km", inspection.points, inspection.distance_m / 1000.0);
    if let Some(ascent) = inspection.ascent_m {
        text += &format!(", {ascent:.0} m up");
    }
    if inspection.gaps > 0 {
        text += &format!(", {} gaps of more than 30 m", inspection.gaps);
    }
    for repair in &inspection.repairs {
        text += &repair_line(repair.kind.as_str(), repair.count as u64, repair.line.map(|line| line as u64));
    }
    text
}

/// A repair on a line of its own, below the file: its kind by the word of the API.
pub fn repair_line(kind: &str, count: u64, line: Option<u64>) -> String {
    let place = line.map_or(String::new(), |line| format!(" (first at line {line})"));
    format!("\n    {}: {count}{place}", kind.replace('_', " "))
}

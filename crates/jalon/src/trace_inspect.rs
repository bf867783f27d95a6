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
        let place = repair.line.map_or(String::new(), |line| format!(" (first at line {line})"));
        text += &format!("\n    {}: {}{place}", repair.kind.as_str().replace('_', " "), repair.count);
    }
    text
}

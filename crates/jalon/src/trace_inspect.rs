//! `jalon trace inspect`: what recordings hold, what was repaired, why one cannot be read.

use std::path::{Path, PathBuf};

use serde::Serialize;
use trace::{ReadError, Reading, Repair, measure};

use crate::output;

/// What is said of one file.
#[derive(Debug, Serialize)]
struct Inspection {
    file: String,
    readable: bool,
    why_not: Option<String>,
    code: Option<&'static str>,
    line: Option<usize>,
    format: Option<&'static str>,
    points: usize,
    pieces: usize,
    distance_m: Option<f64>,
    ascent_m: Option<f64>,
    repairs: Vec<Repair>,
}

/// Inspects each file; false when one of them could not be read.
pub fn run(files: &[PathBuf], as_json: bool) -> bool {
    let mut all_readable = true;
    for file in files {
        let inspection = inspect(file);
        all_readable &= inspection.readable;
        if as_json {
            output::json(&inspection);
        } else {
            output::line(in_words(&inspection));
        }
    }
    all_readable
}

fn inspect(path: &Path) -> Inspection {
    let file = path.display().to_string();
    match std::fs::read(path) {
        Err(error) => unreadable(file, format!("the file cannot be opened: {error}"), None, None),
        Ok(bytes) => match trace::read(&bytes, &path.file_name().unwrap_or_default().to_string_lossy()) {
            Err(error) => refused(file, &error),
            Ok(reading) => readable(file, &reading),
        },
    }
}

fn readable(file: String, reading: &Reading) -> Inspection {
    let pieces = reading.joined();
    let measures: Vec<_> = pieces.iter().map(|piece| measure(piece)).collect();
    Inspection {
        file,
        readable: true,
        why_not: None,
        code: None,
        line: None,
        format: Some(reading.format.as_str()),
        points: pieces.iter().map(Vec::len).sum(),
        pieces: pieces.len(),
        distance_m: Some(tenth(measures.iter().map(|measure| measure.distance_m).sum())),
        ascent_m: measures.iter().map(|measure| measure.ascent_m).sum::<Option<f64>>().map(tenth),
        repairs: reading.repairs.clone(),
    }
}

fn refused(file: String, error: &ReadError) -> Inspection {
    let said = error.to_string();
    let why = error.line.map_or(said.as_str(), |line| said.trim_start_matches(&format!("line {line}: ")));
    unreadable(file, why.to_owned(), Some(error.code()), error.line)
}

fn unreadable(file: String, why_not: String, code: Option<&'static str>, line: Option<usize>) -> Inspection {
    Inspection {
        file,
        readable: false,
        why_not: Some(why_not),
        code,
        line,
        format: None,
        points: 0,
        pieces: 0,
        distance_m: None,
        ascent_m: None,
        repairs: Vec::new(),
    }
}

fn in_words(inspection: &Inspection) -> String {
    let Inspection { file, .. } = inspection;
    if let Some(why) = &inspection.why_not {
        let place = inspection.line.map_or(String::new(), |line| format!("line {line}: "));
        return format!("{file}: not readable: {place}{why}");
    }
    let mut text = format!(
        "{file}: {}, {} points, {:.2} km",
        inspection.format.unwrap_or_default(),
        inspection.points,
        inspection.distance_m.unwrap_or_default() / 1000.0,
    );
    if let Some(ascent) = inspection.ascent_m {
        text += &format!(", {ascent:.0} m up");
    }
    if inspection.pieces > 1 {
        text += &format!(", {} pieces more than 30 m apart", inspection.pieces);
    }
    for repair in &inspection.repairs {
        let place = repair.line.map_or(String::new(), |line| format!(" (first at line {line})"));
        text += &format!("\n    {}: {}{place}", repair.kind.as_str().replace('_', " "), repair.count);
    }
    text
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

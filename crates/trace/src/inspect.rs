//! The summary of `jalon trace inspect`: the file is read, not imported.

use serde::Serialize;

use crate::{Format, ReadError, Repair, read};

/// One line of `jalon trace inspect --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// The file, as it was named.
    pub file: String,
    /// Whether it can be read.
    pub readable: bool,
    /// Why not, as an English sentence.
    pub why_not: Option<String>,
    /// Why not, as a stable code.
    pub code: Option<&'static str>,
    /// The line that the refusal concerns.
    pub line: Option<usize>,
    /// What the bytes are.
    pub format: Option<Format>,
    /// Points after repair.
    pub points: usize,
    /// Length in metres, gaps not counted.
    pub distance_m: f64,
    /// Ascent in metres, where there are elevations.
    pub ascent_m: Option<f64>,
    /// Gaps between segments that a person must decide on.
    pub gaps: usize,
    /// What was repaired.
    pub repairs: Vec<Repair>,
}

/// Reads a file and sums up what it is.
pub fn inspect(bytes: &[u8], file: &str) -> Inspection {
    match read(bytes, file) {
        Ok(reading) => {
            let measure = reading.measure();
            Inspection {
                file: file.to_owned(),
                readable: true,
                why_not: None,
                code: None,
                line: None,
                format: Some(reading.format),
                points: reading.point_count(),
                distance_m: tenths(measure.distance_m),
                ascent_m: measure.ascent_m.map(tenths),
                gaps: reading.gaps().len(),
                repairs: reading.repairs,
            }
        }
        Err(error) => refused(&error, file),
    }
}

fn refused(error: &ReadError, file: &str) -> Inspection {
    Inspection {
        file: file.to_owned(),
        readable: false,
        why_not: Some(error.to_string()),
        code: Some(error.code()),
        line: error.line,
        format: None,
        points: 0,
        distance_m: 0.0,
        ascent_m: None,
        gaps: 0,
        repairs: Vec::new(),
    }
}

fn tenths(value_m: f64) -> f64 {
    // + 0.0 makes of -0 a plain 0.
    (value_m * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_why_and_where() {
        let found = inspect(b"<gpx>\n<trk></gpx>", "a.gpx");
        assert_eq!((found.readable, found.code, found.line), (false, Some("trace/malformed"), Some(2)));
        assert_eq!(found.why_not.as_deref(), Some("line 2: the file is damaged: <trk> is closed by </gpx>"));
    }

    #[test]
    fn a_line_is_summed_up() {
        let found = inspect(br#"{"type":"LineString","coordinates":[[6,45,100],[6,45.1,200]]}"#, "a.json");
        assert_eq!((found.readable, found.points, found.distance_m, found.ascent_m), (true, 2, 11_119.5, Some(100.0)));
    }
}

//! Standard output: the only place that prints, so that a closed pipe ends the program quietly.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a line of text. Ends the process when the output is closed, as after `jalon jobs list | head`.
#[expect(clippy::disallowed_methods, reason = "a command that only prints has nothing to close")]
pub fn line(text: impl AsRef<str>) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{}", text.as_ref()).is_err() {
        std::process::exit(0);
    }
}

/// One JSON object a line.
pub fn json(value: &impl Serialize) {
    match serde_json::to_string(value) {
        Ok(text) => line(text),
        Err(error) => line(format!("{{\"error\":\"{error}\"}}")),
    }
}

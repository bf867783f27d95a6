//! Standard output: the only place that prints, so that a closed pipe ends the program quietly.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a line of text. Ends the process when the output takes no more.
pub fn line(text: impl AsRef<str>) {
    let written = writeln!(io::stdout().lock(), "{}", text.as_ref());
    if let Err(error) = written {
        end(&error);
    }
}

/// Writes a line of text where the output takes it: a server goes on without its standard output.
pub fn offer(text: impl AsRef<str>) {
    let _ = writeln!(io::stdout().lock(), "{}", text.as_ref());
}

/// Ends the process: without a fault when the reader closed the pipe, as after `jalon jobs list | head`.
#[expect(clippy::disallowed_methods, reason = "a command that only prints has nothing to close")]
pub fn end(error: &io::Error) -> ! {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    eprintln!("jalon: standard output cannot be written: {error}");
    std::process::exit(1)
}

/// One JSON object a line.
pub fn json(value: &impl Serialize) {
    match serde_json::to_string(value) {
        Ok(text) => line(text),
        Err(error) => line(format!("{{\"error\":\"{error}\"}}")),
    }
}

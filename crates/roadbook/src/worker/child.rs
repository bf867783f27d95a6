//! The child process: reads a request, renders it, answers, until the parent closes the pipe or the process takes too much memory.

use std::io::{self, BufReader, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::RoadbookError;
use crate::render::{evict_cache, render};
use crate::request::Request;
use crate::worker::frame::{self, Answer};

/// A child with more resident memory than this ends after its answer, so that it stays under 200 MB.
const MAX_RESIDENT_BYTES: u64 = 150 << 20;
/// It is also replaced after this many roadbooks.
const MAX_RENDERS: u32 = 200;

/// Answers requests until the input ends. `before` sees each first; a test's may end the process.
pub fn serve(input: impl Read, output: impl Write, mut before: impl FnMut(&Request)) -> io::Result<()> {
    let (mut input, mut output) = (BufReader::new(input), BufWriter::new(output));
    for count in 1.. {
        let Some(request) = frame::asked(&mut input)? else { break };
        before(&request);
        let (result, sound) = match catch_unwind(AssertUnwindSafe(|| render(&request))) {
            Ok(result) => (result, true),
            Err(panic) => (Err(RoadbookError::Crashed { detail: words(panic.as_ref()) }), false),
        };
        drop(request);
        evict_cache();
        let retires = !sound || count >= MAX_RENDERS || resident_bytes() > MAX_RESIDENT_BYTES;
        frame::answer(&mut output, &Answer { result, retires })?;
        if retires {
            break;
        }
    }
    Ok(())
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}

/// Memory of this process, where the system reports it (Linux); else 0.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = status.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

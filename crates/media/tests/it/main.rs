//! Real files, made here: their check on upload, and the files made from them.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

mod broken;
mod others;
mod pictures;
#[path = "../../../testkit/src/samples.rs"]
mod samples;
mod voice;

use domain::media::{MediaLimits, MediaPurpose};
use media::{Framing, Inspection, Made, Refusal};

/// Inspects bytes as an uploaded file.
fn looked_at(bytes: &[u8], purpose: MediaPurpose) -> Result<Inspection, Refusal> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    std::fs::write(&path, bytes).unwrap();
    media::inspect(&path, &MediaLimits::default(), purpose).unwrap()
}

fn content(bytes: &[u8]) -> Result<Inspection, Refusal> {
    looked_at(bytes, MediaPurpose::Content)
}

fn logo(bytes: &[u8]) -> Result<Inspection, Refusal> {
    looked_at(bytes, MediaPurpose::Logo)
}

/// Makes the variants of an uploaded file.
fn made(bytes: &[u8], framing: Framing) -> Result<Made, Refusal> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    std::fs::write(&path, bytes).unwrap();
    let format = media::Format::of(bytes).unwrap();
    media::make(&path, format, framing, &MediaLimits::default()).unwrap()
}

//! Real files, made here: their check on upload, and the files made from them.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

mod broken;
mod others;
mod pictures;
#[path = "../../../testkit/src/samples.rs"]
mod samples;
mod voice;

use domain::MediaKind;
use domain::media::{MediaLimits, MediaPurpose};
use media::{Framing, InProcessPdfReader, Inspection, Made, PdfQuestion, PdfReader, Refusal};

/// Inspects bytes as an uploaded file.
fn looked_at(bytes: &[u8], purpose: MediaPurpose) -> Result<Inspection, Refusal> {
    looked_at_by(&InProcessPdfReader, bytes, purpose, None).unwrap()
}

fn looked_at_by(
    pdfs: &dyn PdfReader,
    bytes: &[u8],
    purpose: MediaPurpose,
    wanted: Option<MediaKind>,
) -> std::io::Result<Result<Inspection, Refusal>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    std::fs::write(&path, bytes).unwrap();
    media::inspect(&path, &MediaLimits::default(), purpose, wanted, pdfs)
}

/// A reader of documents that does not work.
#[derive(Debug)]
struct FailingReader;

impl PdfReader for FailingReader {
    fn ask(&self, _: PdfQuestion, _: Vec<u8>) -> std::io::Result<Result<Vec<u8>, Refusal>> {
        Err(std::io::Error::other("not there"))
    }
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
    media::make(&path, format, framing, &MediaLimits::default(), &InProcessPdfReader).unwrap()
}

//! Documents are read by child processes of the server, within limits: a PDF of some kilobytes can unpack to gigabytes or take hours
//! to draw.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use connect::program::{Program, ProgramError, ProgramLimits};
use media::{PdfQuestion, PdfReader, Refusal};
use rustix::process::Signal;

/// What a child may take. A page with a picture of 24 million pixels takes 130 MB and a second. The memory is address space, of which the
/// code of the program takes up to 200 MB in a development build.
pub const PDF_LIMITS: ProgramLimits = ProgramLimits {
    within: Duration::from_secs(60),
    processor_s: Some(20),
    memory: Some(512 * 1024 * 1024),
    file: Some(0),
};

/// Starts a child process for each question. The question is the last argument, the document is on the input of the child, and its
/// output is the answer of [`media::answer_pdf`].
#[derive(Debug, Clone)]
pub struct ChildPdfReader {
    pub program: PathBuf,
    /// Its first arguments.
    pub arguments: Vec<OsString>,
    /// What it may take.
    pub limits: ProgramLimits,
}

impl PdfReader for ChildPdfReader {
    fn ask(&self, question: PdfQuestion, document: Vec<u8>) -> io::Result<Result<Vec<u8>, Refusal>> {
        let mut arguments = self.arguments.clone();
        arguments.push(question.as_str().into());
        let (environment, input, limits) = (Vec::new(), document, self.limits);
        match (Program { path: &self.program, arguments, environment, input, limits }).run() {
            Ok(wrote) => Ok(Ok(wrote.output)),
            Err(ProgramError::NotStarted(error)) => Err(error),
            Err(error @ ProgramError::NotThere) => Err(io::Error::other(error)),
            Err(ProgramError::Failed { status, errors }) if is_not_of_document(status) => {
                Err(io::Error::other(ProgramError::Failed { status, errors }))
            }
            Err(error) => {
                tracing::info!(question = question.as_str(), %error, "a document is broken, or beyond the limits");
                Ok(Err(Refusal::Broken))
            }
        }
    }
}

/// Whether a child ended for a reason that has nothing to do with its document: it was asked to end, as with the server, or its program
/// is another version, which does not know these arguments.
fn is_not_of_document(status: ExitStatus) -> bool {
    const UNKNOWN_ARGUMENTS: i32 = 2;
    let asked_to_end = [Signal::TERM, Signal::INT, Signal::HUP].map(Signal::as_raw);
    status.code() == Some(UNKNOWN_ARGUMENTS) || status.signal().is_some_and(|signal| asked_to_end.contains(&signal))
}

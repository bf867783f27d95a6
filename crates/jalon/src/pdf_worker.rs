//! Documents are read by children of this very program (`jalon pdf-worker`).

use std::io::{self, Read as _, Write as _};

use app::{ChildPdfReader, PDF_LIMITS};
use media::PdfQuestion;

use crate::Failure;

/// Children of this program.
pub fn reader() -> io::Result<ChildPdfReader> {
    let program = std::env::current_exe()?;
    Ok(ChildPdfReader { program, arguments: vec!["pdf-worker".into()], limits: PDF_LIMITS })
}

/// The work of a child: answers the question about the document on its input.
pub fn run(question: &str) -> Result<(), Failure> {
    // Where the machine has no memory left, the kernel ends this process before the server.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    let question = PdfQuestion::parse(question).ok_or("no such question")?;
    let mut document = Vec::new();
    io::stdin().lock().read_to_end(&mut document)?;
    io::stdout().lock().write_all(&media::answer_pdf(question, document)?)?;
    Ok(())
}

//! A reader of documents for tests, in this process.

use std::sync::atomic::{AtomicUsize, Ordering};

use media::{InProcessPdfReader, PdfQuestion, PdfReader, Refusal};

/// A reader for which the answer to one question is always beyond the limits. It counts what it is asked.
#[derive(Debug)]
pub struct LimitedPdfReader {
    beyond: PdfQuestion,
    asked: AtomicUsize,
}

impl LimitedPdfReader {
    /// A reader that refuses this question.
    pub fn refusing(question: PdfQuestion) -> Self {
        Self { beyond: question, asked: AtomicUsize::new(0) }
    }

    /// How many questions it was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl PdfReader for LimitedPdfReader {
    fn ask(&self, question: PdfQuestion, document: Vec<u8>) -> std::io::Result<Result<Vec<u8>, Refusal>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if question == self.beyond { Ok(Err(Refusal::Broken)) } else { InProcessPdfReader.ask(question, document) }
    }
}

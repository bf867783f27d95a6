//! A renderer that keeps the data it is given instead of making a PDF: all that would be printed, as text.

use std::sync::{Arc, Mutex};

use app::{PdfRenderer, Printing};
use roadbook::{Output, Rendered, Report, Request};

/// The texts printed since it was last emptied.
#[derive(Debug, Clone, Default)]
pub struct RecordingRenderer(Arc<Mutex<Vec<String>>>);

impl RecordingRenderer {
    /// Empties it.
    pub fn forget(&self) {
        self.0.lock().unwrap().clear();
    }

    /// The data of each document, as JSON.
    pub fn printed(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl PdfRenderer for RecordingRenderer {
    fn print(&self, request: Request) -> Printing<'_> {
        let data = serde_json::to_string(&request.roadbook).unwrap();
        self.0.lock().unwrap().push(data.clone());
        Box::pin(async move {
            let bytes = data.into_bytes();
            let previews = if request.output == Output::Pdf { Vec::new() } else { vec![(1, bytes.clone())] };
            Ok(Rendered { pdf: bytes, previews, report: Report::default() })
        })
    }
}

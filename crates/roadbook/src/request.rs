//! The requests to the renderer and its answers, the same in this process and in a child process.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::blob::Blob;
use crate::data::Roadbook;
use crate::report::Report;

/// One roadbook to make.
#[derive(Debug, Clone)]
pub struct Request {
    /// The data.
    pub roadbook: Roadbook,
    /// Its pictures and fonts, by the names the data uses.
    pub blobs: BTreeMap<String, Blob>,
    /// The prepared tiles (`basemap::build`) that the maps are drawn from; without, plain paper.
    pub tiles: Option<PathBuf>,
    /// The output to make.
    pub output: Output,
}

/// The output to make.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// The tagged PDF; for a booklet, the print file.
    #[default]
    Pdf,
    /// Pictures of pages, for the preview beside the form.
    Preview {
        /// Which, from 1; empty: all. Those beyond the end are left out.
        pages: Vec<u32>,
        /// How wide each picture is, in pixels; kept between 100 and 2000.
        width_px: u32,
    },
    /// One JPEG picture of 1200 × 630 that goes with a link to the trip: its title, its figures, a photo and its line on the
    /// ground. Of the data, what such a picture does not show may be left out.
    Card,
}

/// The files that were made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The file; empty for a preview.
    pub pdf: Vec<u8>,
    /// PNG pictures with their page numbers, or the one JPEG of a card; empty for a PDF.
    pub previews: Vec<(u32, Vec<u8>)>,
    pub report: Report,
}

//! From a request to a file: prepares the data, typesets it with Typst, writes PDF or pictures.

use std::collections::BTreeMap;

use image::RgbImage;
use image::codecs::jpeg::JpegEncoder;
use typst::diag::SourceDiagnostic;
use typst::foundations::Smart;
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};
use typst_render::RenderOptions;

use crate::booklet;
use crate::error::RoadbookError;
use crate::report::Report;
use crate::request::{Output, Rendered, Request};
use crate::view::{self, View};
use crate::world::TypstWorld;

/// A document of more pages is a fault in the data.
const MAX_PAGES: usize = 600;

/// Makes a roadbook in this process. Memory grows with each: a server asks a [`crate::Pool`] instead.
pub fn render(request: &Request) -> Result<Rendered, RoadbookError> {
    if request.output == Output::Card {
        return card(request);
    }
    let view = view::build(request)?;
    let document = set(&view)?;
    let pages = document.pages().len();
    if pages > MAX_PAGES {
        return Err(RoadbookError::TooLong { limit: MAX_PAGES as u32 });
    }
    let report = Report { pages: pages as u32, warnings: view.warnings };
    let mut rendered = Rendered { report, ..Rendered::default() };
    match &request.output {
        Output::Pdf => rendered.pdf = pdf(&document, request.roadbook.booklet)?,
        Output::Preview { pages, width_px } => rendered.previews = previews(&document, pages, *width_px),
        Output::Card => {}
    }
    Ok(rendered)
}

/// Pixels of a card: what social networks ask for.
const CARD_PX: [u32; 2] = [1200, 630];
/// A higher quality makes no visible difference, and a messenger refuses pictures of more than 300 kB.
const CARD_QUALITY: u8 = 84;

fn card(request: &Request) -> Result<Rendered, RoadbookError> {
    let view = view::card(request)?;
    let document = set(&view)?;
    let failed = || RoadbookError::Setting { detail: "no card".to_owned() };
    let page = document.pages().first().ok_or_else(failed)?;
    let pixel_per_pt = (f64::from(CARD_PX[0]) / page.frame.width().to_pt()).into();
    let drawn = typst_render::render(page, &RenderOptions { pixel_per_pt, render_bleed: false });
    // Opaque: the card has a ground everywhere.
    let rgb = drawn.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let picture = RgbImage::from_raw(drawn.width(), drawn.height(), rgb).ok_or_else(failed)?;
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, CARD_QUALITY).encode_image(&picture).map_err(|_| failed())?;
    let report = Report { pages: 1, warnings: view.warnings };
    Ok(Rendered { previews: vec![(1, jpeg)], report, ..Rendered::default() })
}

/// The input of the templates: `data.json` and the pictures made for it, by name. For tests, and to typeset a roadbook by other means.
pub fn parts(request: &Request) -> Result<BTreeMap<String, Vec<u8>>, RoadbookError> {
    let view = view::build(request)?;
    let data =
        serde_json::to_vec_pretty(&view.data).map_err(|error| RoadbookError::Setting { detail: error.to_string() })?;
    let files =
        view.files.into_iter().map(|(name, bytes)| (name.trim_start_matches("/files/").to_owned(), bytes.to_vec()));
    Ok(files.chain([("data.json".to_owned(), data)]).collect())
}

fn set(view: &View) -> Result<PagedDocument, RoadbookError> {
    let world = TypstWorld::new(view).ok_or_else(|| RoadbookError::Setting { detail: "no data".to_owned() })?;
    typst::compile::<PagedDocument>(&world).output.map_err(|faults| failed(&world.places(&faults), &faults))
}

fn pdf(document: &PagedDocument, folded: bool) -> Result<Vec<u8>, RoadbookError> {
    let imposed;
    let (document, standards, tagged) = if folded {
        imposed = booklet::impose(document);
        // A print file: sides of a sheet have no reading order.
        (&imposed, PdfStandards::default(), false)
    } else {
        let standards = PdfStandards::new(&[PdfStandard::Ua_1])
            .map_err(|error| RoadbookError::Setting { detail: error.message().to_string() })?;
        (document, standards, true)
    };
    let options =
        PdfOptions { creator: Smart::Custom(Some("Jalon".to_owned())), standards, tagged, ..PdfOptions::default() };
    typst_pdf::pdf(document, &options).map_err(|faults| failed("writing", &faults))
}

fn previews(document: &PagedDocument, wanted: &[u32], width_px: u32) -> Vec<(u32, Vec<u8>)> {
    let width_px = f64::from(width_px.clamp(100, 2000));
    let numbered = document.pages().iter().zip(1..);
    numbered
        .filter(|(_, number)| wanted.is_empty() || wanted.contains(number))
        .filter_map(|(page, number)| {
            let pixel_per_pt = (width_px / page.frame.width().to_pt()).into();
            let options = RenderOptions { pixel_per_pt, render_bleed: false };
            Some((number, typst_render::render(page, &options).encode_png().ok()?))
        })
        .collect()
}

fn failed(what: &str, faults: &[SourceDiagnostic]) -> RoadbookError {
    let messages: Vec<String> = faults.iter().take(5).map(|fault| fault.message.to_string()).collect();
    RoadbookError::Setting { detail: format!("{what}: {}", messages.join("; ")) }
}

/// Drops what Typst cached, except for the last two roadbooks. A child process calls it between two roadbooks, so that its memory stays bounded.
pub fn evict_cache() {
    typst::comemo::evict(2);
}

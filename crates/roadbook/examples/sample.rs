//! `cargo run -p roadbook --example sample -- OUT [DAYS STEPS PHOTOS STAYS [short]]`: a made-up trip as files (data, pictures, tiles)
//! and as PDFs in each format; `short` without notes, and with all photos on the last day.
#![expect(clippy::print_stdout, reason = "an example's answer is what it prints")]

#[path = "../tests/it/sample.rs"]
mod sample;

use roadbook::data::{Format, PageChoice, PageKind};
use roadbook::{Blob, Request, Roadbook};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let out = std::path::PathBuf::from(arguments.first().map_or("roadbook-sample", String::as_str));
    std::fs::create_dir_all(&out)?;
    let number = |at: usize, usual: usize| arguments.get(at).and_then(|word| word.parse().ok()).unwrap_or(usual);
    let usual = sample::USUAL;
    let shape = sample::Shape {
        days: number(1, usual.days),
        steps: number(2, usual.steps),
        photos: number(3, usual.photos),
        stays: number(4, usual.stays),
    };
    let mut request = sample::request(shape);
    if arguments.get(5).is_some_and(|word| word == "short") {
        shorten(&mut request.roadbook);
    }
    request.tiles = Some(sample::write_tiles(&out));
    std::fs::write(out.join("book.json"), serde_json::to_vec_pretty(&request.roadbook)?)?;
    for (name, blob) in &request.blobs {
        if let Blob::Bytes(bytes) = blob {
            std::fs::write(out.join(name), bytes)?;
        }
    }
    make(&request, &out.join("a5.pdf"))?;
    request.roadbook.booklet = true;
    make(&request, &out.join("booklet.pdf"))?;
    request.roadbook.booklet = false;
    request.roadbook.bleed = true;
    make(&request, &out.join("bleed.pdf"))?;
    request.roadbook.bleed = false;
    request.roadbook.format = Format::A4;
    make(&request, &out.join("a4.pdf"))
}

/// Twenty pages where five days of twelve steps and eleven photos take thirty.
fn shorten(book: &mut Roadbook) {
    let photos = book.days.iter_mut().flat_map(|day| std::mem::take(&mut day.photos)).collect();
    if let Some(last) = book.days.last_mut() {
        last.photos = photos;
    }
    book.pages = PageChoice::standard();
    for page in &mut book.pages {
        page.on = page.kind != PageKind::Notes;
        page.count = (page.kind == PageKind::Photos).then_some(12);
    }
}

fn make(request: &Request, path: &std::path::Path) -> Result<(), Failure> {
    let made = roadbook::render(request)?;
    std::fs::write(path, &made.pdf)?;
    println!(
        "{}: {} pages, {} kB, {:?}",
        path.display(),
        made.report.pages,
        made.pdf.len() / 1000,
        made.report.warnings
    );
    Ok(())
}

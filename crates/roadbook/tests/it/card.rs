//! The picture that goes with a link.

use roadbook::{Output, Request, WarningCode};

use crate::sample::{USUAL, request};

fn card(mut change: impl FnMut(&mut Request)) -> (Vec<u8>, Vec<WarningCode>) {
    let mut request = Request { output: Output::Card, ..request(USUAL) };
    change(&mut request);
    let mut made = roadbook::render(&request).unwrap();
    let (_, jpeg) = made.previews.remove(0);
    assert!(made.pdf.is_empty() && made.previews.is_empty());
    if let Some(folder) = std::env::var_os("ROADBOOK_KEEP") {
        let name = std::thread::current().name().unwrap_or("card").replace("::", "-");
        std::fs::write(std::path::Path::new(&folder).join(format!("{name}.jpg")), &jpeg).unwrap();
    }
    (jpeg, made.report.warnings.iter().map(|warning| warning.code).collect())
}

/// Width and height, and the colour of a pixel.
fn seen(jpeg: &[u8], at: [u32; 2]) -> ((u32, u32), [u8; 3]) {
    let picture = image::load_from_memory(jpeg).unwrap().to_rgb8();
    (picture.dimensions(), picture.get_pixel(at[0], at[1]).0)
}

#[test]
fn a_card_is_as_large_and_as_light_as_networks_ask() {
    let (jpeg, warnings) = card(|_| {});
    assert_eq!(seen(&jpeg, [0, 0]).0, (1200, 630));
    assert!(jpeg.len() < 300_000, "{} bytes", jpeg.len());
    assert_eq!(warnings, []);
}

#[test]
fn it_wears_the_colour_of_the_house() {
    let (jpeg, _) = card(|request| {
        request.roadbook.brand.primary = "#7a0f2b".to_owned();
        request.roadbook.trip.cover_photo = None;
    });
    let [red, green, blue] = seen(&jpeg, [10, 600]).1;
    assert!(red > 100 && green < 40 && blue < 70, "{red} {green} {blue}");
}

#[test]
fn a_trip_without_line_photo_or_logo_and_with_a_long_title_has_one_too() {
    let (jpeg, _) = card(|request| {
        let book = &mut request.roadbook;
        (book.trip.cover_photo, book.brand.logo) = (None, None);
        book.trip.title = "Traversée des grands plateaux ".repeat(9);
        book.days.clear();
    });
    assert_eq!(seen(&jpeg, [0, 0]).0, (1200, 630));
}

#[test]
fn a_photo_that_is_gone_costs_the_photo_alone() {
    let (_, warnings) = card(|request| request.blobs.clear());
    assert!(warnings.contains(&WarningCode::PhotoMissing), "{warnings:?}");
}

use domain::media::{Crop, Focal};
use image::{DynamicImage, ImageFormat, Rgb};
use media::{Format, Framing, Made, Refusal, Variant};

use crate::{content, logo, made, samples};

fn named<'a>(made: &'a Made, name: &str) -> &'a Variant {
    made.variants.iter().find(|variant| variant.name == name).unwrap()
}

fn drawn(variant: &Variant) -> DynamicImage {
    let format = ImageFormat::from_mime_type(variant.mime).unwrap();
    let picture = image::load_from_memory_with_format(&variant.bytes, format).unwrap();
    assert_eq!((Some(picture.width()), Some(picture.height())), (variant.width, variant.height));
    picture
}

fn is_red(pixel: Rgb<u8>) -> bool {
    pixel[0] > 180 && pixel[2] < 80
}

#[test]
fn a_photo_tells_its_sides_and_its_place() {
    let found = content(&samples::jpeg_with_notes(1600, 1000, 1, Some([-4.5678, 47.1234]))).unwrap();
    assert_eq!((found.format, found.width, found.height), (Format::Jpeg, Some(1600), Some(1000)));
    let [lon, lat] = found.location.unwrap();
    assert!((lon + 4.5678).abs() < 1e-5 && (lat - 47.1234).abs() < 1e-5, "{lon} {lat}");
    assert_eq!(content(&samples::jpeg(1600, 1000)).unwrap().location, None);
}

#[test]
fn a_photo_has_its_sizes_in_both_formats_and_is_never_blown_up() {
    let made = made(&samples::jpeg(1600, 1000), Framing::default()).unwrap();
    let names: Vec<_> = made
        .variants
        .iter()
        .map(|variant| (variant.name.as_str(), variant.width.unwrap(), variant.height.unwrap()))
        .collect();
    assert_eq!(
        names,
        [
            ("w320-webp", 320, 200),
            ("w320-jpeg", 320, 200),
            ("w640-webp", 640, 400),
            ("w640-jpeg", 640, 400),
            ("w1280-webp", 1280, 800),
            ("w1280-jpeg", 1280, 800),
            ("w1600-webp", 1600, 1000),
            ("w1600-jpeg", 1600, 1000),
            ("thumb-webp", 400, 300),
            ("thumb-jpeg", 400, 300),
        ]
    );
    for name in ["w640-webp", "w640-jpeg", "w1600-webp"] {
        let picture = drawn(named(&made, name)).into_rgb8();
        assert!(is_red(*picture.get_pixel(10, 10)) && !is_red(*picture.get_pixel(picture.width() - 10, 10)), "{name}");
    }
}

#[test]
fn a_photo_taken_upright_is_turned() {
    // Red is on the left in the file; turned by a quarter to the right it is on top.
    let bytes = samples::jpeg_with_notes(1600, 1000, 6, None);
    let found = content(&bytes).unwrap();
    assert_eq!((found.width, found.height), (Some(1000), Some(1600)));
    let made = made(&bytes, Framing::default()).unwrap();
    let picture = drawn(named(&made, "w640-webp")).into_rgb8();
    assert_eq!((picture.width(), picture.height()), (640, 1024));
    assert!(is_red(*picture.get_pixel(320, 20)) && !is_red(*picture.get_pixel(320, 1000)));
}

#[test]
fn nothing_that_is_made_tells_the_place() {
    let made = made(&samples::jpeg_with_notes(1600, 1000, 1, Some([4.5678, 47.1234])), Framing::default()).unwrap();
    for variant in &made.variants {
        let holds = |word: &[u8]| variant.bytes.windows(word.len()).any(|window| window == word);
        assert!(!holds(b"Exif") && !holds(b"EXIF") && !holds(b"II\x2A\0"), "{}", variant.name);
    }
}

#[test]
fn a_cut_shows_its_part_whichever_way_the_photo_lies() {
    // Turned upside down: the right side in the file is shown on the left.
    for (orientation, red_is_left) in [(1, true), (3, false), (2, false), (4, true)] {
        let crop = Some(Crop { x: 0.0, y: 0.2, w: 0.25, h: 0.5 });
        let framing = Framing { crop, focal: Focal::default() };
        let made = made(&samples::jpeg_with_notes(1600, 1000, orientation, None), framing).unwrap();
        let picture = drawn(named(&made, "w400-jpeg")).into_rgb8();
        assert_eq!((picture.width(), picture.height()), (400, 500));
        assert_eq!(is_red(*picture.get_pixel(200, 250)), red_is_left, "orientation {orientation}");
    }
}

#[test]
fn a_thumb_keeps_the_focal_point() {
    for (x, red) in [(0.1, true), (0.9, false)] {
        let framing = Framing { crop: None, focal: Focal { x, y: 0.5 } };
        let made = made(&samples::jpeg(2400, 800), framing).unwrap();
        let thumb = drawn(named(&made, "thumb-jpeg")).into_rgb8();
        assert_eq!(is_red(*thumb.get_pixel(200, 150)), red);
    }
}

#[test]
fn a_mark_that_shows_through_stays_so() {
    let bytes = samples::png_mark(512, 256);
    assert_eq!(logo(&bytes).unwrap().width, Some(512));
    let made = made(&bytes, Framing::default()).unwrap();
    let mark = drawn(named(&made, "w512-png")).into_rgba8();
    assert_eq!((mark.get_pixel(5, 5)[3], mark.get_pixel(500, 5)[3]), (0, 255));
    assert_eq!(drawn(named(&made, "w320-webp")).into_rgba8().get_pixel(5, 5)[3], 0);
}

#[test]
fn webp_and_png_come_in_as_photos_do() {
    for bytes in [samples::webp(1300, 900), samples::png(1300, 900)] {
        assert_eq!(content(&bytes).unwrap().width, Some(1300));
        assert_eq!(made(&bytes, Framing::default()).unwrap().variants.len(), 10);
    }
}

#[test]
fn an_avif_is_kept_as_it_is_but_for_its_place() {
    let bytes = samples::avif(1600, 1000, Some([4.5, 47.25]));
    let found = content(&bytes).unwrap();
    assert_eq!((found.format, found.width, found.location), (Format::Avif, Some(1600), Some([4.5, 47.25])));
    assert!(made(&bytes, Framing::default()).unwrap().variants.is_empty());
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("a"), folder.path().join("b"));
    std::fs::write(&from, &bytes).unwrap();
    found.copy_without_place(&from, &to).unwrap();
    let copy = std::fs::read(&to).unwrap();
    assert_eq!(copy.len(), bytes.len());
    let again = content(&copy).unwrap();
    assert_eq!((again.width, again.height, again.location), (Some(1600), Some(1000), None));
}

#[test]
fn what_is_too_small_or_too_many_is_refused_before_it_is_decoded() {
    let small = Refusal::TooSmall { width: 800, height: 600, min_width: 1200, min_height: 800 };
    assert_eq!(content(&samples::jpeg(800, 600)), Err(small));
    assert_eq!(content(&samples::png_bomb(60_000, 60_000)), Err(Refusal::TooManyPixels { max_pixels: 60_000_000 }));
    let small = Refusal::TooSmall { width: 200, height: 100, min_width: 256, min_height: 1 };
    assert_eq!(logo(&samples::png_mark(200, 100)), Err(small));
    // An upright photo is measured by its long side.
    assert!(content(&samples::jpeg(900, 1300)).is_ok());
}

#[test]
fn a_logo_is_a_png_a_webp_or_a_clean_drawing() {
    assert_eq!(logo(&samples::jpeg(1600, 1000)), Err(Refusal::NotSupported));
    let found = content(&samples::svg_with_script()).unwrap();
    assert_eq!((found.format, found.width, found.purpose), (Format::Svg, Some(300), domain::media::MediaPurpose::Logo));
    let made = made(&samples::svg_with_script(), Framing::default()).unwrap();
    let drawing = String::from_utf8(named(&made, "file").bytes.clone()).unwrap();
    assert!(drawing.contains("M0 0L300 120") && !drawing.contains("alert"), "{drawing}");
}

use media::{Format, Framing};

use crate::{content, made, samples};

#[test]
fn a_video_has_a_duration_and_a_size() {
    for (bytes, format) in [(samples::mp4(95, 1920, 1080), Format::Mp4), (samples::webm(95, 1920, 1080), Format::WebM)]
    {
        let found = content(&bytes).unwrap();
        assert_eq!(found.format, format);
        assert_eq!((found.duration_ms, found.width, found.height), (Some(95_000), Some(1920), Some(1080)));
    }
}

#[test]
fn a_sound_that_a_browser_recorded_is_a_sound() {
    let found = content(&samples::webm_sound()).unwrap();
    assert_eq!((found.format, found.duration_ms, found.width), (Format::WebA, None, None));
    assert_eq!(found.format.kind(), domain::MediaKind::Audio);
}

#[test]
fn the_public_copy_of_a_video_has_no_location() {
    let bytes = samples::mp4(3, 640, 480);
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("a"), folder.path().join("b"));
    std::fs::write(&from, &bytes).unwrap();
    content(&bytes).unwrap().copy_without_place(&from, &to).unwrap();
    let copy = std::fs::read(&to).unwrap();
    let has_location = |bytes: &[u8]| bytes.windows(8).any(|window| window == b"+47.1234");
    assert!(has_location(&bytes) && !has_location(&copy));
    assert_eq!(content(&copy).unwrap().duration_ms, Some(3000));
}

#[test]
fn a_sound_has_a_duration_and_a_waveform() {
    let found = content(&samples::wav(30)).unwrap();
    assert_eq!((found.format, found.duration_ms), (Format::Wav, Some(30_000)));
    let heard = made(&samples::wav(30), Framing::default()).unwrap();
    assert_eq!(heard.duration_ms, Some(30_000));
    assert!(heard.waveform.len() > 50 && heard.waveform.len() <= 200, "{}", heard.waveform.len());
    let last = heard.waveform.len() - 1;
    assert!(heard.waveform[0] < 20 && heard.waveform[last] > 240, "{:?}", heard.waveform);
}

#[test]
fn an_mp3_has_a_duration_and_a_waveform() {
    assert_eq!(content(&samples::mp3(12)).unwrap().format, Format::Mp3);
    let heard = made(&samples::mp3(12), Framing::default()).unwrap();
    let ms = heard.duration_ms.unwrap();
    assert!((11_900..=12_100).contains(&ms), "{ms}");
    assert!(heard.waveform.iter().all(|peak| *peak == 0));
}

#[test]
fn a_document_has_a_page_count_and_a_picture_of_its_first_page() {
    assert_eq!(content(&samples::pdf(3)).unwrap().pages, Some(3));
    let made = made(&samples::pdf(3), Framing::default()).unwrap();
    let page = made.variants.iter().find(|variant| variant.name == "w1280-jpeg").unwrap();
    let page = image::load_from_memory(&page.bytes).unwrap().into_rgb8();
    assert_eq!((page.width(), page.height()), (1280, 2133));
    // A red square below on the left, white paper on the right.
    let (inside, outside) = (*page.get_pixel(500, 1500), *page.get_pixel(1250, 1500));
    assert!(inside[0] > 200 && inside[1] < 60 && outside == image::Rgb([255, 255, 255]), "{inside:?} {outside:?}");
}

#[test]
fn documents_that_take_too_much_are_not_damaged() {
    // Where the tests of the limits see them refused, it is for the memory and the time that they take.
    assert_eq!(content(&samples::pdf_bomb(1_000_000)).unwrap().pages, Some(1));
    assert_eq!(content(&samples::pdf_endless()).unwrap().pages, Some(1));
}

#[test]
fn a_font_is_checked_and_has_a_specimen() {
    assert_eq!(content(&samples::font()).unwrap().format, Format::Ttf);
    let made = made(&samples::font(), Framing::default()).unwrap();
    let drawing = String::from_utf8(made.variants[0].bytes.clone()).unwrap();
    assert_eq!(made.variants[0].name, "specimen");
    // Two letters a in the first line, one in the second; each a square.
    assert!(drawing.matches('Z').count() == 3 && drawing.starts_with("<svg"), "{drawing}");
}

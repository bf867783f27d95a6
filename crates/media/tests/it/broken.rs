//! Damaged, foreign and oversized files are refused and never stop the process.

use domain::MediaKind;
use domain::media::MediaPurpose;
use media::Refusal;

use crate::{FailingReader, content, looked_at_by, samples};

fn every_format() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("jpeg", samples::jpeg_with_notes(1300, 900, 6, Some([4.0, 47.0]))),
        ("png", samples::png(1300, 900)),
        ("webp", samples::webp(1300, 900)),
        ("avif", samples::avif(1300, 900, None)),
        ("mp4", samples::mp4(9, 640, 480)),
        ("webm", samples::webm(9, 640, 480)),
        ("wav", samples::wav(2)),
        ("pdf", samples::pdf(2)),
        ("svg", samples::svg_with_script()),
        ("font", samples::font()),
    ]
}

#[test]
fn every_format_comes_in_whole() {
    for (name, bytes) in every_format() {
        assert!(content(&bytes).is_ok(), "{name}: {:?}", content(&bytes));
    }
}

#[test]
fn a_file_that_was_cut_short_is_refused() {
    for (name, bytes) in every_format() {
        let expected = if name == "font" { Refusal::NotAFont } else { Refusal::Broken };
        assert_eq!(content(&bytes[..bytes.len() * 2 / 5]), Err(expected), "{name}");
    }
}

#[test]
fn what_is_none_of_ours_is_refused_whatever_its_name() {
    assert_eq!(content(&samples::executable()), Err(Refusal::NotSupported));
    assert_eq!(content(b"<html><script>alert(1)</script></html>"), Err(Refusal::NotSupported));
    assert_eq!(content(b""), Err(Refusal::NotSupported));
    assert_eq!(content(&samples::heic()), Err(Refusal::Heic));
    assert_eq!(content(b"\0\x01\0\0 not a font at all, only its first bytes"), Err(Refusal::NotAFont));
    assert_eq!(content(b"wOF2 not a packed font"), Err(Refusal::NotAFont));
}

#[test]
fn what_is_too_heavy_is_refused_before_it_is_read() {
    let mut bytes = samples::png_mark(300, 300);
    bytes.resize(25_000_001, 0);
    assert_eq!(content(&bytes), Err(Refusal::TooLarge { max_bytes: 25_000_000 }));
}

#[test]
fn a_file_of_another_kind_is_refused_by_its_first_bytes() {
    let image = Some(MediaKind::Image);
    let wanted = |bytes: &[u8]| looked_at_by(&FailingReader, bytes, MediaPurpose::Content, image).unwrap();
    // A document that is cut after its first bytes is broken once it is read.
    for bytes in [samples::pdf(1), samples::pdf(1)[..60].to_vec(), samples::wav(1), samples::mp4(2, 64, 48)] {
        assert_eq!(wanted(&bytes), Err(Refusal::OtherKind));
    }
    assert!(wanted(&samples::png(1300, 900)).is_ok());
    assert_eq!(wanted(&samples::heic()), Err(Refusal::Heic));
}

#[test]
fn a_reader_that_does_not_work_says_nothing_of_the_file() {
    let looked = looked_at_by(&FailingReader, &samples::pdf(1), MediaPurpose::Content, None);
    assert_eq!(looked.map_err(|error| error.to_string()), Err("not there".to_owned()));
}

/// Small ones, so that many can be tried.
fn small() -> Vec<Vec<u8>> {
    vec![
        samples::jpeg_with_notes(64, 48, 6, Some([1.0, 2.0])),
        samples::png(64, 48),
        samples::webp(64, 48),
        samples::avif(64, 48, Some([1.0, 2.0])),
        samples::mp4(2, 64, 48),
        samples::webm(2, 64, 48),
        samples::wav(1),
        samples::mp3(1),
        samples::pdf(1),
        samples::svg_with_script(),
        samples::font(),
    ]
}

/// Cut at many places, and with bytes changed at many places: refused or not, it comes back.
#[test]
fn a_damaged_file_never_ends_the_server() {
    let mut dice = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = |below: usize| {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        (dice % below as u64) as usize
    };
    for bytes in small() {
        for part in 0..12 {
            media::exercise(&bytes[..bytes.len() * part / 12]);
        }
        for _ in 0..40 {
            let mut damaged = bytes.clone();
            for _ in 0..=next(6) {
                let at = next(damaged.len());
                damaged[at] = next(256) as u8;
            }
            media::exercise(&damaged);
        }
    }
}

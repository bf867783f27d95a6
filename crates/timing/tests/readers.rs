//! Every reader of texts and files, over every hostile input: its time grows in proportion to the input.
//!
//! The lists of readers are those of the crates, which the fuzz targets use too.

use std::time::Duration;

use timing::{Reader, check, soak};

fn all_are_linear(readers: &[Reader]) {
    let slow = check(readers);
    assert!(
        slow.is_empty(),
        "time grows faster than the input:\n{}",
        slow.iter().map(|one| format!("{one}\n")).collect::<String>()
    );
}

#[test]
fn texts_are_read_in_linear_time() {
    all_are_linear(domain::readers::READERS);
}

#[test]
fn recordings_are_read_in_linear_time() {
    all_are_linear(trace::READERS);
}

#[test]
fn feeds_are_read_in_linear_time() {
    all_are_linear(feeds::READERS);
}

#[test]
fn media_are_read_in_linear_time() {
    all_are_linear(media::READERS);
}

/// Does the work of the fuzz targets for two seconds per list; `scripts/fuzz.sh` does it for longer.
#[test]
fn mixed_inputs_stay_within_their_time() {
    for readers in [domain::readers::READERS, trace::READERS, feeds::READERS, media::READERS] {
        soak(readers, Duration::from_secs(2));
    }
}

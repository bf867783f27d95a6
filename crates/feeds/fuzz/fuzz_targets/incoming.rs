//! Any bytes through every reader of feeds.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| feeds::incoming::exercise(bytes));

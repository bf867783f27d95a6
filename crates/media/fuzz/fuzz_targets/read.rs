//! Any bytes through the door, and through what is made of those that come in.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| media::exercise(bytes));

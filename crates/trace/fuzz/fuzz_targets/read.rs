//! Any bytes through detection, every reader, repair, and all that is done with what was read.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trace::exercise(bytes));

//! Any bytes through the network reader, then planning and matching over whatever opens.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| planner::exercise(bytes));

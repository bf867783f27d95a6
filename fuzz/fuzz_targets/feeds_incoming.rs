//! Any bytes through every reader of feeds, timetables and tourist records, within the time that their length allows.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for reader in feeds::READERS {
        timing::within_budget(reader, bytes);
    }
});

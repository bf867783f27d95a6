//! Any bytes through detection, every reader, repair, and all that is done with what was read, within the time that their length allows.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for reader in trace::READERS {
        timing::within_budget(reader, bytes);
    }
});

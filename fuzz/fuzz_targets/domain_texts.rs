//! Any bytes through every reader of texts, each within the time that its input's length allows.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for reader in domain::readers::READERS {
        timing::within_budget(reader, bytes);
    }
});

//! Any bytes through the readers of files and through what is made of those that are accepted, within the time that their length allows.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for reader in media::READERS {
        timing::within_budget(reader, bytes);
    }
});

//! Any bytes through recognition and every reader (PBF, XML, gzipped XML). An extract is a file: so are these bytes.
#![no_main]

// Without libFuzzer's hook, which ends the process at any panic: what the PBF library panics on is caught by the reader and
// answered. A panic that gets out of `read` still ends it.
libfuzzer_sys::fuzz_target!(init: drop(std::panic::take_hook()), |bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("extract-fuzz-{}", std::process::id()));
    if std::fs::write(&path, bytes).is_ok() {
        let _ = extract::read(&path, |_| {});
    }
});

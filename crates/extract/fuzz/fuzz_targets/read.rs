//! Any bytes through recognition and every reader (PBF, XML, gzipped XML). An extract is a file: so are these bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("extract-fuzz-{}", std::process::id()));
    if std::fs::write(&path, bytes).is_ok() {
        let _ = extract::read(&path, |_| {});
    }
});

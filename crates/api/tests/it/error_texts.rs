//! Every error code has a French and an English text, with the same parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn texts(locale: &str) -> BTreeMap<String, String> {
    let file = root().join(format!("web/src/i18n/{locale}/errors.json"));
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Faults of a field are made with their code in plain sight: `Fault::new("validation/too-long", …)`, `"trace/empty"`.
fn codes_in_sources() -> BTreeSet<String> {
    let texts = texts("fr");
    let families: BTreeSet<&str> =
        texts.keys().filter_map(|code| code.split_once('/')).map(|(family, _)| family).collect();
    let mut found = BTreeSet::new();
    for file in [
        "domain", "app", "content", "sources", "outputs", "public", "api", "trace", "planner", "routing", "feeds",
        "connect", "jobs",
    ]
    .iter()
    .flat_map(|crate_name| rust_files(&root().join("crates").join(crate_name).join("src")))
    {
        let source = std::fs::read_to_string(&file).unwrap();
        // The code between two literals is looked at too: a quote inside a literal hides where literals begin. Code is never a
        // plain word with one slash.
        for literal in source.split('"') {
            let plain = literal.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'/');
            let one_slash = literal.matches('/').count() == 1 && !literal.ends_with('/');
            let known = literal.split_once('/').is_some_and(|(family, _)| families.contains(family));
            if plain && one_slash && known {
                found.insert(literal.to_owned());
            }
        }
    }
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
    files
}

/// The parameters a text names: `{{max}}`.
fn parameters(text: &str) -> BTreeSet<String> {
    text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}")).map(|(name, _)| name.trim().to_owned()).collect()
}

#[test]
fn every_code_has_a_french_and_an_english_text() {
    let mut codes = api::codes();
    codes.extend(codes_in_sources());
    assert!(codes.len() > 30, "the catalogue is collected: {codes:?}");
    for locale in ["fr", "en"] {
        let texts = texts(locale);
        let missing: Vec<&String> =
            codes.iter().filter(|code| texts.get(*code).is_none_or(|text| text.trim().is_empty())).collect();
        assert!(missing.is_empty(), "{locale}/errors.json has no text for {missing:#?}");
    }
}

/// Texts that the interface shows without a code of the server: for another answer, for none, and for a code without a text.
fn is_of_the_interface(code: &str) -> bool {
    code.starts_with("http/") || matches!(code, "connection" | "unknown")
}

#[test]
fn every_text_has_a_code() {
    let mut codes = api::codes();
    codes.extend(codes_in_sources());
    let texts = texts("fr");
    // A code has a second text for where the line of the file is known.
    let of = |text: &str| text.strip_suffix("_at_line").unwrap_or(text).to_owned();
    let dead: Vec<&String> =
        texts.keys().filter(|text| !is_of_the_interface(text) && !codes.contains(&of(text))).collect();
    assert!(dead.is_empty(), "errors.json has texts that no code asks for: {dead:#?}");
}

#[test]
fn both_languages_name_the_same_parameters() {
    let (fr, en) = (texts("fr"), texts("en"));
    for (code, text) in &fr {
        let other = en.get(code).unwrap_or_else(|| panic!("{code} has no English text"));
        assert_eq!(parameters(text), parameters(other), "{code}");
    }
    assert_eq!(fr.len(), en.len());
}

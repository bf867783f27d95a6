//! What the files for operators (`deploy`) name is what this version has: configuration keys, defaults and environment variables.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use figment::Figment;
use figment::providers::{Format, Serialized, Toml};
use serde_json::Value;

use crate::config::Config;

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Each key below this value with its full name, as `http.max_requests`, and its value.
fn keys(prefix: &str, value: &Value, found: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(inner) if !inner.is_empty() || prefix.is_empty() => {
            for (name, value) in inner {
                let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                keys(&name, value, found);
            }
        }
        _ => {
            found.insert(prefix.to_owned(), value.clone());
        }
    }
}

fn defaults() -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    keys("", &serde_json::to_value(Config::default()).unwrap(), &mut found);
    found
}

/// The text with the commented keys as if an operator had taken every `#` away. Sentences begin with `# `.
fn with_every_key(text: &str) -> String {
    let is_key = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '"');
    let lines = text.lines().map(|line| line.strip_prefix('#').filter(|rest| is_key(rest)).unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Names of variables in a text that begin with `JALON_`.
fn variables(text: &str) -> BTreeSet<String> {
    let is_of_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let names = text.match_indices("JALON_").filter(|(at, _)| !text[..*at].ends_with(is_of_name));
    names.map(|(at, _)| text[at..].chars().take_while(|c| is_of_name(*c)).collect()).collect()
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

#[test]
fn the_packages_configuration_has_every_key_with_its_default() {
    let text = std::fs::read_to_string(checkout().join("deploy/debian/jalon.toml")).unwrap();
    let all = with_every_key(&text);
    let read: Value = Figment::from(Toml::string(&all)).extract().unwrap();
    let mut named = BTreeMap::new();
    keys("", &read, &mut named);
    let mut expected = defaults();
    // The package's own folders and the backups it keeps, a key without a default (the file shows one of its values), and an example of a free table.
    expected.insert("data".to_owned(), "/var/lib/jalon".into());
    expected.insert("backup.to".to_owned(), "/var/backups/jalon".into());
    expected.insert("backup.keep".to_owned(), 14.into());
    expected.insert("totp_required_of_admins".to_owned(), false.into());
    expected.remove("redirects");
    expected.insert("redirects./old".to_owned(), "/new".into());
    assert_eq!(named, expected);
    // The binary reads it, as it is installed and with every `#` taken away.
    for text in [&text, &all] {
        let config = Figment::from(Serialized::defaults(Config::default())).merge(Toml::string(text));
        assert_eq!(config.extract::<Config>().unwrap().data, Path::new("/var/lib/jalon"));
    }
}

#[test]
fn every_environment_variable_of_the_operators_files_is_one_that_is_read() {
    let known: BTreeSet<String> =
        defaults().into_keys().map(|key| format!("JALON_{}", key.replace('.', "__").to_uppercase())).collect();
    let mut files = vec![checkout().join("scripts/image.sh")];
    files_below(&checkout().join("deploy"), &mut files);
    let mut count = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let named = variables(&text);
        count += named.len();
        let unknown: Vec<_> = named.difference(&known).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", file.display());
    }
    assert!(count > 10, "{count}");
    assert_eq!(
        variables("a JALON_PORT: 1, $JALON_BLOBS__URL, NO_JALON_X"),
        ["JALON_BLOBS__URL".to_owned(), "JALON_PORT".to_owned()].into()
    );
}

//! Reads the configuration: defaults, then `jalon.toml`, then the environment. The only module that reads the environment.

use std::ffi::OsString;
use std::path::Path;

use figment::error::{Actual, Kind};
use figment::providers::{Env, Format, Serialized, Toml};
use figment::util::nest;
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};

use super::{Config, ConfigError};

/// Where the Debian package puts the configuration.
const OF_THE_PACKAGE: &str = "/etc/jalon/jalon.toml";

/// The personal token that `jalon mcp` sends. On the command line, other users of the machine would see it.
pub fn mcp_token() -> Option<String> {
    std::env::var("JALON_MCP_TOKEN").ok().filter(|token| !token.trim().is_empty())
}

/// The variables by which the programs that encrypt backups are found, and find their keys: a program that is tried gets these alone.
pub fn backup_environment() -> Vec<(&'static str, OsString)> {
    let names = ["PATH", "HOME", "GNUPGHOME"];
    names.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))).collect()
}

impl Config {
    /// Reads defaults, `file` (else `jalon.toml` of this folder, else that of the package), the environment.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        if let Some(file) = file.filter(|file| !file.is_file()) {
            let fault = if file.is_dir() { "is a folder: name the file in it" } else { "does not exist" };
            return Err(ConfigError(format!("the configuration file {} {fault}", file.display())));
        }
        let usual = [Path::new("jalon.toml"), Path::new(OF_THE_PACKAGE)];
        let mut read = Figment::from(Serialized::defaults(Self::default()));
        if let Some(file) = file.or_else(|| usual.into_iter().find(|file| file.is_file())) {
            read = read.merge(Toml::file_exact(file));
        }
        let environment = Env::prefixed("JALON_").ignore(&NOT_OURS).split("__");
        let texts = guessed_texts(&environment);
        read = read.merge(Env::raw().only(&["DATABASE_URL"])).merge(environment);
        for text in texts {
            read = read.merge(text);
        }
        let mut config: Self = read
            .extract()
            .map_err(|error| ConfigError(format!("the configuration cannot be read: {}", in_words(error))))?;
        while config.public_url.ends_with('/') {
            config.public_url.pop();
        }
        config.check()?;
        Ok(config)
    }
}

/// A text of the environment that figment takes for another type, such as a secret of digits alone.
struct GuessedText {
    /// Its key, with dots between levels.
    key: String,
    text: String,
}

impl Provider for GuessedText {
    fn metadata(&self) -> Metadata {
        Metadata::named("the environment")
            .interpolater(|_, keys| format!("JALON_{}", keys.join("__").to_ascii_uppercase()))
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        let nested = nest(&self.key, Value::from(self.text.as_str()));
        Ok(Profile::Default.collect(nested.into_dict().unwrap_or_default()))
    }
}

/// The texts of the environment that figment takes for another type.
fn guessed_texts(environment: &Env) -> Vec<GuessedText> {
    let Ok(defaults) = Value::serialize(Config::default()) else { return Vec::new() };
    // What is in no default is in a map of texts, such as the headers of traces, or is refused.
    let is_text = |key: &str| defaults.find_ref(key).is_none_or(|default| default.as_str().is_some());
    let is_guessed = |text: &str| text.parse::<Value>().is_ok_and(|value| value.as_str().is_none());
    environment
        .iter()
        .map(|(key, text)| GuessedText { key: key.as_str().to_owned(), text: text.trim().to_owned() })
        .filter(|found| is_text(&found.key) && is_guessed(&found.text))
        .collect()
}

/// The faults as sentences.
fn in_words(error: figment::Error) -> String {
    let faults = error.into_iter().map(|error| sentence(&error).unwrap_or_else(|| error.to_string()));
    faults.collect::<Vec<_>>().join("; ")
}

/// The key, what it must be, and what it is; none where the words of figment say so.
fn sentence(error: &figment::Error) -> Option<String> {
    let (expected, found) = match &error.kind {
        Kind::UnknownField(found, known) => {
            return Some(format!("{} is not a key of the configuration{}", key(error), hint(found, known)));
        }
        Kind::InvalidType(found, expected) | Kind::InvalidValue(found, expected) => {
            (expected_value(expected), Some(found_value(found, expected)))
        }
        Kind::UnknownVariant(found, words) => (one_of(words), Some(format!("`{found}`"))),
        Kind::Message(words) if words.starts_with("invalid IP address") => {
            ("an IP address, such as 127.0.0.1".to_owned(), None)
        }
        _ => return None,
    };
    let not = found.map_or_else(String::new, |found| format!(", not {found}"));
    Some(format!("{} must be {expected}{not}", key(error)))
}

/// The key that a misspelt one may mean, else all keys of its section.
fn hint(found: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|name| (strsim::damerau_levenshtein(found, name), name)).min();
    match nearest {
        Some((distance, name)) if distance <= MAX_MISSPELT.min(found.len() / 2) => format!(": do you mean {name}?"),
        _ => format!(": the keys there are {}", listed(known, "and")),
    }
}

/// At most this many letters of a key are wrong, missing or exchanged where it is taken for another one.
const MAX_MISSPELT: usize = 3;

/// The key whose value is wrong, as the operator wrote it: `port in jalon.toml`, or the environment variable `JALON_PORT`.
fn key(error: &figment::Error) -> String {
    let name = error.path.join(".");
    match error.metadata.as_ref().map(|from| from.source.as_ref()) {
        Some(Some(file)) => format!("{name} in {file}"),
        // This one has another name in the environment too.
        Some(None) if name != "database_url" => format!("JALON_{}", error.path.join("__").to_ascii_uppercase()),
        _ => name,
    }
}

/// What a type of Rust, as serde names it, is for an operator.
fn expected_value(kind: &str) -> String {
    let words = match kind {
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number, 0 or more",
        "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" | "path string" => "a text in quotes",
        "IP address" => "an IP address, such as 127.0.0.1",
        "a sequence" => "a list, such as [\"…\"]",
        kind if kind == "a map" || kind.starts_with("struct ") => "a section with keys",
        kind if kind.starts_with("enum ") => "a word in quotes",
        other => other,
    };
    words.to_owned()
}

/// What was found: the value where a number, true or false is expected. Other values are left out: they may be secrets.
fn found_value(found: &Actual, expected: &str) -> String {
    let is_shown = matches!(expected, "u16" | "u32" | "u64" | "usize" | "i64" | "f32" | "f64" | "a boolean");
    match found {
        Actual::Bool(value) if is_shown => format!("`{value}`"),
        Actual::Unsigned(value) if is_shown => format!("`{value}`"),
        Actual::Signed(value) if is_shown => format!("`{value}`"),
        Actual::Float(value) if is_shown => format!("`{value}`"),
        Actual::Str(value) if is_shown => format!("`{value}`"),
        Actual::Bool(_) => "true or false".to_owned(),
        Actual::Unsigned(_) | Actual::Signed(_) | Actual::Float(_) => "a number".to_owned(),
        Actual::Char(_) | Actual::Str(_) | Actual::Bytes(_) => "a text".to_owned(),
        Actual::Seq => "a list".to_owned(),
        Actual::Map => "a section".to_owned(),
        Actual::Unit | Actual::Option => "empty".to_owned(),
        _ => "another value".to_owned(),
    }
}

/// `one, two or three`.
fn one_of(words: &[&str]) -> String {
    if words.is_empty() { "left out".to_owned() } else { listed(words, "or") }
}

/// `one, two and three`, with this word before the last.
fn listed(words: &[&str], before_last: &str) -> String {
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} {before_last} {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// Variables of the scripts and tests that share the prefix without being keys.
const NOT_OURS: [&str; 10] =
    ["osm", "dem", "shared", "no_skip", "test_postgres_url", "binary", "e2e_log", "url", "e2e", "mcp_token"];

//! Reads the configuration: defaults, then `jalon.toml`, then the environment. The only module that reads the environment.

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
            .map_err(|error| ConfigError(format!("the configuration cannot be read: {}", without_values(error))))?;
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

/// What is wrong, without the values of the wrong type: they may be secrets.
fn without_values(error: figment::Error) -> String {
    let faults = error.into_iter().map(|mut error| {
        if let Kind::InvalidType(found, _) | Kind::InvalidValue(found, _) = &mut error.kind {
            let kind = match found {
                Actual::Bool(_) => Some("true or false"),
                Actual::Unsigned(_) | Actual::Signed(_) | Actual::Float(_) => Some("a number"),
                Actual::Char(_) | Actual::Str(_) | Actual::Bytes(_) => Some("a text"),
                _ => None,
            };
            if let Some(kind) = kind {
                *found = Actual::Other(kind.to_owned());
            }
        }
        error.to_string()
    });
    faults.collect::<Vec<_>>().join("; ")
}

/// Variables of the scripts and tests that share the prefix without being keys.
const NOT_OURS: [&str; 10] =
    ["osm", "dem", "shared", "no_skip", "test_postgres_url", "binary", "e2e_log", "url", "e2e", "mcp_token"];

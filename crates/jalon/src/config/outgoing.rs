//! What leaves this server: requests to sources of imports, to services and to voices, and mail. The parts `[imports]`, `[services]`,
//! `[voices]` and `[mail]` of the configuration.

use serde::{Deserialize, Serialize};

/// Imports: how other servers are asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Imports {
    /// Whether sources may be on this machine or in its private network; else only on the public Internet.
    pub private_addresses: bool,
    /// Time for one answer, in seconds.
    pub timeout_s: u64,
    /// Between two questions to one host, in milliseconds.
    pub pause_ms: u64,
    /// The program of GDAL that converts files of other formats, by its name or its path; empty = none.
    pub ogr2ogr: String,
}

impl Default for Imports {
    fn default() -> Self {
        Self { private_addresses: false, timeout_s: 60, pause_ms: 1_000, ogr2ogr: String::new() }
    }
}

/// Services that are asked with a key.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Services {
    /// Whether they may be on this machine or in its private network; else only on the public Internet.
    pub private_addresses: bool,
    /// Time for one answer, in seconds.
    pub timeout_s: u64,
}

impl Default for Services {
    fn default() -> Self {
        Self { private_addresses: false, timeout_s: 20 }
    }
}

/// The voices of audio walks. Services may be where `services.private_addresses` allows.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Voices {
    /// The program of espeak-ng, by its name or its path; empty = none.
    pub espeak: String,
    /// A server with OpenAI's speech endpoint, without `/v1`; empty = none.
    pub openai_url: String,
    /// Its key, where it needs one.
    pub openai_key: String,
    /// Which of its models.
    pub openai_model: String,
    /// The region of an Azure AI Speech resource, such as `francecentral`; empty = none.
    pub azure_region: String,
    /// Another address of it, instead of the region's.
    pub azure_url: String,
    /// Its key.
    pub azure_key: String,
}

impl Default for Voices {
    fn default() -> Self {
        Self {
            espeak: "espeak-ng".into(),
            openai_url: String::new(),
            openai_key: String::new(),
            openai_model: "tts-1".into(),
            azure_region: String::new(),
            azure_url: String::new(),
            azure_key: String::new(),
        }
    }
}

/// Outgoing mail: SMTP when a host is given, else files in `<data>/outbox` and a line in the log.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mail {
    /// `smtps://user:password@host:465`, `smtp://host:25`; empty = outbox.
    pub smtp_url: String,
    /// Sender address.
    pub from: String,
}

impl Default for Mail {
    fn default() -> Self {
        Self { smtp_url: String::new(), from: "Jalon <ne-pas-repondre@localhost>".into() }
    }
}

//! Programs for backups: the part `[backup]` of the configuration.

use serde::{Deserialize, Serialize};

/// Programs that encrypt a backup and decrypt it again.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BackupConfig {
    /// A program and its arguments, such as `["age", "-r", "age1…"]`; empty = backups are not encrypted.
    pub encrypt: Vec<String>,
    /// The same to read them, such as `["age", "-d", "-i", "key.txt"]`.
    pub decrypt: Vec<String>,
}

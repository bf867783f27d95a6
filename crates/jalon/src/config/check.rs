//! Refuses values that cannot be meant, each in a sentence with its key.

use std::path::Path;

use domain::TimeZone;
use tracing_subscriber::filter::LevelFilter;

use super::{Config, ConfigError};

impl Config {
    /// Whether `serve` may run so. With PostgreSQL several servers may run on one database, and each must find every blob.
    pub fn check_for_serving(&self) -> Result<(), ConfigError> {
        let (bind, metrics) = (self.bind, &self.metrics);
        let is_same_address = bind == metrics.bind || bind.is_unspecified() || metrics.bind.is_unspecified();
        if metrics.port != 0 && metrics.port == self.port && is_same_address {
            return Err(ConfigError(format!(
                "port and metrics.port are both {}: give measurements another port",
                self.port
            )));
        }
        let is_sqlite = self.database_url().starts_with("sqlite:");
        if is_sqlite || self.blobs.shared || !self.blobs.url.is_empty() {
            return Ok(());
        }
        Err(ConfigError(format!(
            "the database is PostgreSQL and the blobs are in the folder {} of this machine, which other servers of this database \
             do not see: set blobs.url to an S3 bucket (s3://bucket/prefix), or set blobs.shared = true where this is the only \
             server or all of them share the folder",
            self.data.join("blobs").display()
        )))
    }

    /// The first value that cannot be meant, as a sentence with its key.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if self.data.as_os_str().is_empty() {
            return Err(ConfigError("data must be the name of a folder, such as /srv/jalon".into()));
        }
        if self.port == 0 {
            return Err(ConfigError("port must be between 1 and 65535".into()));
        }
        let url = self.database_url();
        if !url.starts_with("sqlite:") && !store::is_postgres(&url) {
            return Err(ConfigError("database_url must start with sqlite: or postgres:".into()));
        }
        self.check_addresses().map_err(ConfigError)?;
        let planner = &self.planner;
        if !planner.valhalla_url.starts_with("http://") && !planner.valhalla_url.starts_with("https://") {
            return Err(ConfigError("planner.valhalla_url must start with http:// or https://".into()));
        }
        if !(100..=120_000).contains(&planner.valhalla_timeout_ms) {
            return Err(ConfigError("planner.valhalla_timeout_ms must be between 100 and 120000".into()));
        }
        if !(300..=86_400).contains(&self.session_idle_s) {
            return Err(ConfigError("session_idle_s must be between 300 (five minutes) and 86400 (a day)".into()));
        }
        let trusted = self.trusted_proxies.read().map_err(ConfigError)?;
        self.http.check(&trusted).map_err(ConfigError)?;
        self.blobs.bucket().map_err(ConfigError)?;
        self.backup.check().map_err(ConfigError)?;
        self.blobs.bucket_of_visitors(&self.public_url()).map_err(ConfigError)?;
        self.database.check(&url).map_err(ConfigError)?;
        self.traces.check().map_err(ConfigError)?;
        if !(30..=3_650).contains(&self.audit.retention_days) {
            return Err(ConfigError("audit.retention_days must be between 30 and 3650".into()));
        }
        self.check_languages().map_err(ConfigError)?;
        self.check_redirects().map_err(ConfigError)?;
        self.check_media().map_err(ConfigError)?;
        if !["", "fr", "en"].contains(&self.default_locale.as_str()) {
            return Err(ConfigError("default_locale must be fr or en".into()));
        }
        if TimeZone::parse(&self.time_zone).is_none() {
            return Err(ConfigError(format!(
                "time_zone must be the name of a time zone of the IANA database, such as Europe/Paris or Indian/Reunion, not `{}`",
                self.time_zone
            )));
        }
        for (key, seconds) in
            [("imports.timeout_s", self.imports.timeout_s), ("services.timeout_s", self.services.timeout_s)]
        {
            if !(1..=3_600).contains(&seconds) {
                return Err(ConfigError(format!("{key} must be between 1 and 3600")));
            }
        }
        self.check_log().map_err(ConfigError)
    }

    fn check_languages(&self) -> Result<(), String> {
        let languages = &self.content_languages;
        if languages.is_empty() {
            return Err("content_languages needs at least one language, such as \"fr\"".into());
        }
        if let Some(wrong) = languages.iter().find(|language| !is_language(language)) {
            return Err(format!(
                "content_languages must be codes of languages of two or three small letters, such as [\"fr\", \"en\"], or with a \
                 region, such as pt-BR, not `{wrong}`"
            ));
        }
        let is_double = |(at, language): &(usize, &String)| {
            languages[..*at].iter().any(|before| before.eq_ignore_ascii_case(language))
        };
        match languages.iter().enumerate().find(is_double) {
            Some((_, twice)) => Err(format!("content_languages has `{twice}` twice")),
            None => Ok(()),
        }
    }

    fn check_redirects(&self) -> Result<(), String> {
        for (from, to) in &self.redirects {
            if !from.starts_with('/') || from.starts_with("//") {
                return Err(format!("redirects must lead from paths that start with /, not from `{from}`"));
            }
            if !to.starts_with('/') && !is_web(to) {
                return Err(format!(
                    "redirects must lead to a path that starts with /, or to https:// or http://, not to `{to}`"
                ));
            }
        }
        Ok(())
    }

    fn check_media(&self) -> Result<(), String> {
        let media = &self.media;
        let bounds = [
            ("image.max_bytes", media.image.max_bytes),
            ("image.max_pixels", media.image.max_pixels),
            ("logo.max_bytes", media.logo.max_bytes),
            ("video.max_bytes", media.video.max_bytes),
            ("audio.max_bytes", media.audio.max_bytes),
            ("pdf.max_bytes", media.pdf.max_bytes),
            ("font.max_bytes", media.font.max_bytes),
        ];
        match bounds.into_iter().find(|(_, most)| *most == 0) {
            Some((key, _)) => Err(format!("media.{key} must be 1 or more")),
            None => Ok(()),
        }
    }

    fn check_log(&self) -> Result<(), String> {
        let refused =
            |why: String| Err(format!("log must be info, debug or a filter such as info,access=debug: {why}"));
        if let Err(error) = tracing_subscriber::EnvFilter::try_new(&self.log) {
            return refused(error.to_string());
        }
        // A word alone that is no level would be the name of a module: no other one would be logged.
        let log = self.log.trim();
        if log.chars().all(|c| c.is_ascii_alphabetic()) && log.parse::<LevelFilter>().is_err() {
            return refused(format!("`{log}` is not a level"));
        }
        Ok(())
    }

    /// The error in addresses and names that browsers and proxies are given, as a sentence.
    fn check_addresses(&self) -> Result<(), String> {
        if !self.public_url.is_empty() {
            if !is_web(&self.public_url) {
                return Err("public_url must start with http:// or https://".into());
            }
            let host = self.public_url.split_once("://").map(|(_, host)| host).unwrap_or_default();
            if host.is_empty() || host.contains(['/', '?', '#', '@', ' ']) {
                return Err("public_url must be https://host or https://host:port, without a path".into());
            }
        }
        let is_of_host = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        if !self.map_domain.chars().all(is_of_host) {
            return Err("map_domain must be the name of a domain, such as carte.example.fr".into());
        }
        let (tracker, style) = (self.issue_tracker_url.as_str(), self.map_style_url.as_str());
        if !tracker.is_empty() && !is_web(tracker) && !tracker.starts_with("mailto:") {
            return Err("issue_tracker_url must start with https://, http:// or mailto:".into());
        }
        if !style.is_empty() && !is_web(style) && !style.starts_with('/') {
            return Err("map_style_url must start with https:// or http://, or be a path that starts with /".into());
        }
        if !self.preproduction_url.is_empty() && !is_web(&self.preproduction_url) {
            return Err("preproduction_url must start with https:// or http://".into());
        }
        let voices = &self.voices;
        for (key, url) in [("voices.openai_url", &voices.openai_url), ("voices.azure_url", &voices.azure_url)] {
            if !url.trim().is_empty() && !is_web(url.trim()) {
                return Err(format!("{key} must start with https:// or http://"));
            }
        }
        // A name is looked up where it is needed.
        let ogr2ogr = self.imports.ogr2ogr.trim();
        if ogr2ogr.contains('/') && !Path::new(ogr2ogr).is_file() {
            return Err(format!("imports.ogr2ogr: there is no program {ogr2ogr}"));
        }
        let is_of_header = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !self.statistics.country_header.trim().chars().all(is_of_header) {
            return Err("statistics.country_header must be the name of a header, such as CF-IPCountry".into());
        }
        Ok(())
    }
}

fn is_web(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// Whether a text is written as the code of a language (BCP 47): `fr`, `gsw`, `pt-BR`, `zh-Hant`.
fn is_language(code: &str) -> bool {
    let mut parts = code.split('-');
    let is_name = |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_lowercase());
    parts.next().is_some_and(is_name)
        && parts.all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

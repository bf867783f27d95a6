//! The built web app, inside the binary (read from `web/dist` in a development build).

use std::borrow::Cow;

use app::{Asset, Assets};
use domain::hexadecimal;
use rust_embed::RustEmbed;

/// The files of `web/dist`.
#[derive(Debug, Clone, Copy, RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// Gives the web app's files to the API.
#[derive(Debug, Clone, Copy, Default)]
pub struct WebApp;

impl Assets for WebApp {
    fn get(&self, path: &str) -> Option<Asset> {
        let file = Dist::get(path)?;
        let mime = match file.metadata.mimetype() {
            mime if mime.starts_with("text/") || mime == "application/javascript" => format!("{mime}; charset=utf-8"),
            mime => mime.to_owned(),
        };
        let etag = hexadecimal(&file.metadata.sha256_hash()[..12]);
        Some(Asset { bytes: file.data, mime, etag })
    }

    fn paths(&self) -> Vec<String> {
        Dist::iter().filter(|path| !path.ends_with(".br") && !path.ends_with(".gz")).map(Cow::into_owned).collect()
    }
}

/// Identifier and date (milliseconds since 1970) of the build, as the web build wrote them.
pub fn build() -> Option<(String, i64)> {
    let file = Dist::get("builds/latest.json")?;
    let latest: serde_json::Value = serde_json::from_slice(&file.data).ok()?;
    Some((latest["id"].as_str()?.to_owned(), latest["timestamp"].as_i64().unwrap_or_default()))
}

/// Whether the web app was built at all.
pub fn is_built() -> bool {
    Dist::get("index.html").is_some_and(|file| !matches!(file.data, Cow::Borrowed([])))
}

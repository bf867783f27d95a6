//! The files of the built web app, which the binary provides.

use std::borrow::Cow;

/// A file of the built web app.
#[derive(Debug, Clone)]
pub struct Asset {
    pub bytes: Cow<'static, [u8]>,
    /// Its content type.
    pub mime: String,
    /// Changes with its bytes; without quotes.
    pub etag: String,
}

/// Where the files come from.
pub trait Assets: Send + Sync {
    /// The file at a path without its first slash, such as `index.html`.
    fn get(&self, path: &str) -> Option<Asset>;

    /// The paths of all files but the packed copies.
    fn paths(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Assets for NoAssets {
    fn get(&self, _path: &str) -> Option<Asset> {
        None
    }
}

/// No web app at all: for tests of the API.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAssets;

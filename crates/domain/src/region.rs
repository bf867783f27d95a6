//! The files of a region that is published to all servers, by name and SHA-256.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::hexadecimal;

/// The planner's network.
pub const NETWORK: &str = "network.jnet";
/// The tiles of the base map.
pub const TILES: &str = "basemap.pmtiles";
/// The heights that shade the base map.
pub const RELIEF: &str = "basemap-relief.pmtiles";
/// What the names of the tiles of the ground model start with.
pub const DEM: &str = "dem/";

/// The form of the manifest that this version writes and reads.
const LAYOUT: u32 = 1;
/// More files than any region has: metropolitan France has some thousands of tiles.
const MAX_PARTS: usize = 100_000;
const MAX_NAME: usize = 255;

/// The name of a bundle: the SHA-256 of its manifest in hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BundleId(String);

impl BundleId {
    /// The id that this text is.
    pub fn parse(text: &str) -> Option<Self> {
        is_sha256(text).then(|| Self(text.to_owned()))
    }

    /// The 64 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first digits, which are enough for people.
    pub fn short(&self) -> &str {
        &self.0[..12]
    }
}

impl fmt::Display for BundleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A file of a region.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its name in the folder of the region.
    pub name: String,
    /// The SHA-256 of its bytes in hexadecimal digits.
    pub sha256: String,
    /// How many bytes it has.
    pub bytes: u64,
}

impl Part {
    /// Its key in the blobs.
    pub fn blob_key(&self) -> String {
        format!("region/{}", self.sha256)
    }
}

/// The files of a region in the order of their names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    layout: u32,
    parts: Vec<Part>,
}

/// Why files are not a region, or a text is not a manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// The text is cut, or something else.
    #[error("the manifest cannot be read: {0}")]
    Unreadable(String),
    /// Another version of the program wrote it.
    #[error("the manifest has layout {0}, this version reads layout {LAYOUT}")]
    OtherLayout(u32),
    /// A file with a name that no file of a region has.
    #[error("\"{0}\" is no file of a region")]
    Name(String),
    /// A checksum that is not valid.
    #[error("\"{0}\" has no SHA-256")]
    Sum(String),
    /// Two files of one name, or names out of their order.
    #[error("the names of the files are not in their order")]
    Order,
    /// A file that every region has.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// More files than any region has.
    #[error("{0} files are too many")]
    TooMany(usize),
}

impl Manifest {
    /// The manifest of these files.
    pub fn new(mut parts: Vec<Part>) -> Result<Self, ManifestError> {
        parts.sort_by(|one, other| one.name.cmp(&other.name));
        Self { layout: LAYOUT, parts }.checked()
    }

    /// The manifest of a text.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let read: Self = serde_json::from_str(text).map_err(|error| ManifestError::Unreadable(error.to_string()))?;
        read.checked()
    }

    fn checked(self) -> Result<Self, ManifestError> {
        if self.layout != LAYOUT {
            return Err(ManifestError::OtherLayout(self.layout));
        }
        if self.parts.len() > MAX_PARTS {
            return Err(ManifestError::TooMany(self.parts.len()));
        }
        let shown = |name: &str| name.chars().take(80).collect();
        for part in &self.parts {
            if !is_name(&part.name) {
                return Err(ManifestError::Name(shown(&part.name)));
            }
            if !is_sha256(&part.sha256) {
                return Err(ManifestError::Sum(shown(&part.name)));
            }
        }
        if !self.parts.is_sorted_by(|one, other| one.name < other.name) {
            return Err(ManifestError::Order);
        }
        for name in [NETWORK, TILES] {
            if !self.parts.iter().any(|part| part.name == name) {
                return Err(ManifestError::Missing(name));
            }
        }
        Ok(self)
    }

    /// The text that is stored, whose SHA-256 is the id.
    pub fn text(&self) -> String {
        // Strings and numbers in a fixed order: this cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The id of the bundle.
    pub fn id(&self) -> BundleId {
        BundleId(hexadecimal(&Sha256::digest(self.text())))
    }

    /// The files.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many bytes the files have together.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes).fold(0, u64::saturating_add)
    }

    /// The keys of the files in the blobs; files with equal bytes share one.
    pub fn blob_keys(&self) -> BTreeSet<String> {
        self.parts.iter().map(Part::blob_key).collect()
    }
}

/// One of the files above, or a file directly in `dem/`.
fn is_name(name: &str) -> bool {
    if [NETWORK, TILES, RELIEF].contains(&name) {
        return true;
    }
    let Some(tile) = name.strip_prefix(DEM) else { return false };
    let is_plain = !tile.contains(['/', '\\', '\0']) && !tile.starts_with('.');
    !tile.is_empty() && tile.len() <= MAX_NAME && is_plain
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn part(name: &str) -> Part {
        Part { name: name.to_owned(), sha256: hexadecimal(&Sha256::digest(name)), bytes: 3 }
    }

    #[test]
    fn the_same_files_have_the_same_id_in_any_order() {
        let one = Manifest::new(vec![part(NETWORK), part(TILES), part("dem/N42E001.hgt")]).unwrap();
        let other = Manifest::new(vec![part("dem/N42E001.hgt"), part(TILES), part(NETWORK)]).unwrap();
        assert_eq!(one.id(), other.id());
        assert_eq!((one.bytes(), one.blob_keys().len()), (9, 3));
        let read = Manifest::parse(&one.text()).unwrap();
        assert_eq!(read, one);
        let without = Manifest::new(vec![part(NETWORK), part(TILES)]).unwrap();
        assert_ne!(without.id(), one.id());
        assert_eq!(BundleId::parse(one.id().as_str()), Some(one.id()));
        assert_eq!(BundleId::parse(one.id().short()), None);
    }

    #[test]
    fn what_is_no_region_is_refused_with_a_reason() {
        let refused = |text: &str| Manifest::parse(text).unwrap_err();
        assert!(matches!(refused("{\"layout\":1,\"par"), ManifestError::Unreadable(_)));
        assert_eq!(refused("{\"layout\":2,\"parts\":[]}"), ManifestError::OtherLayout(2));
        assert_eq!(refused("{\"layout\":1,\"parts\":[]}"), ManifestError::Missing(NETWORK));
        for name in ["../network.jnet", "dem/../x", "dem/", "/etc/passwd", "dem/.part", "dem/a/b", "other"] {
            let found = Manifest::new(vec![part(NETWORK), part(TILES), part(name)]);
            assert_eq!(found, Err(ManifestError::Name(name.to_owned())));
        }
        let mut short = part(TILES);
        short.sha256.pop();
        assert_eq!(Manifest::new(vec![part(NETWORK), short]), Err(ManifestError::Sum(TILES.to_owned())));
        assert_eq!(Manifest::new(vec![part(NETWORK), part(TILES), part(TILES)]), Err(ManifestError::Order));
    }
}

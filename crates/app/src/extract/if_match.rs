//! `If-Match`: which version a save was made from.

use axum::extract::FromRequestParts;
use axum::http::header::IF_MATCH;
use axum::http::request::Parts;

use crate::{App, Rejection};

/// The version a save is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfMatch {
    /// `*`: any version.
    Any,
    /// `"7"`: this one.
    Version(i64),
}

impl IfMatch {
    /// Whether it matches the present version.
    pub const fn accepts(self, version: i64) -> bool {
        match self {
            Self::Any => true,
            Self::Version(based_on) => based_on == version,
        }
    }

    /// The version named, if one is.
    pub const fn version(self) -> Option<i64> {
        match self {
            Self::Any => None,
            Self::Version(version) => Some(version),
        }
    }

    fn parse(header: &str) -> Option<Self> {
        let header = header.trim();
        if header == "*" {
            return Some(Self::Any);
        }
        // A proxy that compresses may have weakened the tag it gave.
        let tag = header.strip_prefix("W/").unwrap_or(header);
        let version = tag.strip_prefix('"')?.strip_suffix('"')?;
        version.parse().ok().map(Self::Version)
    }
}

impl FromRequestParts<App> for IfMatch {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _app: &App) -> Result<Self, Rejection> {
        let header = parts.headers.get(IF_MATCH).and_then(|value| value.to_str().ok());
        header.and_then(Self::parse).ok_or(Rejection::VersionRequired)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_a_version_in_quotes_or_a_star() {
        assert_eq!(IfMatch::parse("\"7\""), Some(IfMatch::Version(7)));
        assert_eq!(IfMatch::parse("W/\"7\""), Some(IfMatch::Version(7)));
        assert_eq!(IfMatch::parse("*"), Some(IfMatch::Any));
        for wrong in ["7", "\"x\"", "", "\"7\", \"8\""] {
            assert_eq!(IfMatch::parse(wrong), None, "{wrong}");
        }
        assert!(IfMatch::Version(7).accepts(7) && !IfMatch::Version(6).accepts(7) && IfMatch::Any.accepts(7));
    }
}

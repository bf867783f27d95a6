//! Path and query parameters, refused as problems.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::{App, Rejection};

/// Whether a path contains the character U+0000, which PostgreSQL stores in no text: it names nothing.
pub fn has_nul(path: &str) -> bool {
    path.contains("%00")
}

/// Parameters of the path. What does not fit names nothing: 404.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for Path<T> {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Rejection> {
        if has_nul(parts.uri.path()) {
            return Err(Rejection::NotFound { path: parts.uri.path().to_owned() });
        }
        match axum::extract::Path::<T>::from_request_parts(parts, app).await {
            Ok(axum::extract::Path(found)) => Ok(Self(found)),
            Err(_) => Err(Rejection::NotFound { path: parts.uri.path().to_owned() }),
        }
    }
}

/// Parameters of the query.
#[derive(Debug, Clone, Copy)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _app: &App) -> Result<Self, Rejection> {
        parse_query(parts.uri.query().unwrap_or_default()).map(Self)
    }
}

/// Reads the text of a query. A value with the character U+0000, which PostgreSQL stores in no text, cannot be read.
pub fn parse_query<T: DeserializeOwned>(text: &str) -> Result<T, Rejection> {
    let mut pairs = form_urlencoded::parse(text.as_bytes());
    if let Some((name, _)) = pairs.find(|(name, value)| name.contains('\0') || value.contains('\0')) {
        return Err(Rejection::BadQuery { name: name.into_owned() });
    }
    let query = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
    serde_path_to_error::deserialize(query).map_err(|error| {
        let why = error.inner().to_string();
        // A parameter that is given twice has no path.
        let twice = why.strip_prefix("duplicate field `").and_then(|name| name.strip_suffix('`'));
        Rejection::BadQuery { name: twice.map_or_else(|| error.path().to_string(), str::to_owned) }
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Asked {
        page: Option<u64>,
        search: Option<String>,
    }

    #[test]
    fn a_parameter_that_cannot_be_read_is_named() {
        let read = |text| parse_query::<Asked>(text);
        assert_eq!(read("page=3&other=1&other=2").ok().and_then(|asked| asked.page), Some(3));
        for wrong in ["page=1&page=2", "page=x"] {
            let refused = read(wrong).err();
            assert!(matches!(&refused, Some(Rejection::BadQuery { name }) if name == "page"), "{refused:?}");
        }
    }

    #[test]
    fn the_character_zero_is_in_no_path_and_no_query() {
        let read = |text| parse_query::<Asked>(text);
        assert_eq!(read("search=%2500").ok().and_then(|asked| asked.search).as_deref(), Some("%00"));
        for (wrong, parameter) in [("page=1&search=a%00b", "search"), ("other=%00", "other")] {
            let refused = read(wrong).err();
            assert!(matches!(&refused, Some(Rejection::BadQuery { name }) if name == parameter), "{refused:?}");
        }
        assert!(has_nul("/s/a%00b") && !has_nul("/s/a%2500b"));
    }
}

//! Path and query parameters, refused as problems.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::{App, Rejection};

/// Parameters of the path. What does not fit names nothing: 404.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for Path<T> {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Rejection> {
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

/// Reads the text of a query.
pub fn parse_query<T: DeserializeOwned>(text: &str) -> Result<T, Rejection> {
    let query = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
    serde_path_to_error::deserialize(query).map_err(|error| Rejection::BadQuery { name: error.path().to_string() })
}

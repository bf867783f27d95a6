//! Errors as the world sees them: `application/problem+json` (RFC 9457) with a stable code.

use std::collections::BTreeMap;
use std::error::Error;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use domain::Fault;
use serde::Serialize;
use serde_json::{Map, Value, json};
use store::{StoreError, is_of_full_disk};
use utoipa::ToSchema;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::response::Response as Described;
use utoipa::openapi::{RefOr, ResponseBuilder};

use crate::current_request;

/// The media type of a problem.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// What went wrong, as a stable code; the client puts it into the user's language.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: the code identifies the problem.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The status in words, in English.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// The stable code, such as `parcours/not-found`.
    #[schema(example = "poi/not-found")]
    code: &'static str,
    /// What the sentence needs: names, numbers.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    params: Map<String, Value>,
    /// JSON pointer of the field it concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "/title/fr")]
    field: Option<String>,
    /// Several faults at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<ProblemFault>)]
    errors: Vec<Fault>,
    /// The present state, where a save came too late.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    current: Option<Value>,
}

/// One of several faults.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemFault {
    /// The stable code.
    pub code: String,
    /// What the sentence needs.
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
    /// JSON pointer of the field it concerns.
    pub field: String,
}

impl Problem {
    /// A problem with a status and a code.
    pub fn new(status: u16, code: &'static str) -> Self {
        let title = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Error");
        Self {
            kind: "about:blank",
            title,
            status,
            code,
            params: Map::new(),
            field: None,
            errors: Vec::new(),
            current: None,
        }
    }

    /// A failure of the server: the answer has nothing but the number to look for in the log.
    pub fn hidden(status: u16) -> Self {
        Self::new(status, "internal").with("request_id", current_request::id())
    }

    /// The database or the bucket of the blobs does not answer: nothing of the request is wrong, and it may be sent again.
    fn unavailable(code: Code) -> Self {
        Self::new(code.status, code.code).with("retry_after_s", UNAVAILABLE_RETRY_S)
    }

    /// The stable code and the parameters of its sentence; of several faults, the first one's.
    pub fn reason(&self) -> (&'static str, &Map<String, Value>) {
        self.errors.first().map_or((self.code, &self.params), |fault| (fault.code, &fault.params))
    }

    /// Whether it is a failure of the server.
    pub const fn is_ours(&self) -> bool {
        self.status >= 500
    }

    /// The same with a parameter.
    #[must_use]
    pub fn with<T: Serialize>(mut self, name: &str, value: T) -> Self {
        self.params.insert(name.to_owned(), json!(value));
        self
    }

    /// The same on a field.
    #[must_use]
    pub fn at(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }

    /// The same with several faults.
    #[must_use]
    pub fn with_errors(mut self, errors: &[Fault]) -> Self {
        self.errors = errors.to_vec();
        self
    }

    /// The same with the present state.
    #[must_use]
    pub fn with_current(mut self, current: &Value) -> Self {
        self.current = Some(current.clone());
        self
    }

    /// The answer that carries it.
    pub fn into_answer(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = self.params.get("retry_after_s").and_then(Value::as_i64);
        let mut response = Response::new(Body::from(serde_json::to_vec(&self).unwrap_or_default()));
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        response.extensions_mut().insert(ProblemCode(self.code));
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// The code of an answer that is a problem, for the layers around the handlers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProblemCode(pub(crate) &'static str);

/// A status and the code that comes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code {
    /// The HTTP status.
    pub status: u16,
    /// The stable code.
    pub code: &'static str,
}

/// Answered by any operation that needs the bucket of the blobs while it cannot be used.
pub(crate) const STORAGE_UNAVAILABLE: Code = Code { status: 503, code: "storage/unavailable" };
/// Answered by any operation while the database cannot be used.
pub(crate) const DATABASE_UNAVAILABLE: Code = Code { status: 503, code: "database/unavailable" };
/// Answered by any operation that writes while the disk of the database or of the blobs is full.
pub(crate) const STORAGE_FULL: Code = Code { status: 503, code: "storage/full" };
/// What any operation may answer because a part of the installation does not work.
pub const UNAVAILABLE: [Code; 3] = [STORAGE_UNAVAILABLE, DATABASE_UNAVAILABLE, STORAGE_FULL];
/// When a client may try again.
const UNAVAILABLE_RETRY_S: i64 = 10;

/// An error that can be sent as a problem. Derived: `#[derive(macros::Problem)]`.
pub trait AsProblem {
    /// The problem it is.
    fn problem(&self) -> Problem;

    /// Every code it may have.
    fn codes() -> Vec<Code>;
}

/// The answer to an error; a failure of the server is logged here, once. With `retry_after_s` it is a refusal, no failure.
pub fn respond<E: AsProblem + Error>(error: &E) -> Response {
    let problem = error.problem();
    let is_unavailable = UNAVAILABLE.iter().any(|one| one.code == problem.code);
    let is_failure = problem.params.get("retry_after_s").is_none() || is_unavailable;
    if problem.status >= 500 && is_failure {
        tracing::error!(error = %chain(error), "request failed");
    } else {
        tracing::debug!(code = problem.code, status = problem.status, "request refused");
    }
    problem.into_answer()
}

/// An error and all that caused it, in one line.
fn chain(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !line.ends_with(&words) {
            line.push_str(": ");
            line.push_str(&words);
        }
        cause = inner.source();
    }
    line
}

/// The description of the answers a list of codes makes, one a status.
pub fn responses(codes: &[Code]) -> BTreeMap<String, RefOr<Described>> {
    let mut by_status: BTreeMap<String, Vec<&'static str>> = BTreeMap::new();
    for code in codes {
        let listed = by_status.entry(code.status.to_string()).or_default();
        if !listed.contains(&code.code) {
            listed.push(code.code);
        }
    }
    by_status.into_iter().map(|(status, codes)| (status, RefOr::T(described(&codes)))).collect()
}

/// Where the codes of an answer are until the contract refers to the answer that has them (`openapi::refusals`).
pub const CODES: &str = "x-codes";

/// One answer that carries any of these codes.
fn described(codes: &[&str]) -> Described {
    ResponseBuilder::new().extensions(Some(ExtensionsBuilder::new().add(CODES, json!(codes)).build())).build()
}

/// A failure of the server: it is logged, and its cause is not sent to the client.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Internal(Box<dyn Error + Send + Sync>);

impl Internal {
    /// Any error that the client did not cause.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(error.into())
    }

    /// What it was made from.
    pub(crate) fn cause(self) -> Box<dyn Error + Send + Sync> {
        self.0
    }

    /// Whether another transaction wrote something after the checks of this one.
    pub fn is_of_race(&self) -> bool {
        self.0.downcast_ref().is_some_and(StoreError::is_of_race)
    }

    /// Which part does not work, where the database or the bucket does not answer or a disk is full.
    fn unavailable(&self) -> Option<Code> {
        match self.0.downcast_ref() {
            Some(StoreError::BlobsUnavailable(_)) => Some(STORAGE_UNAVAILABLE),
            Some(StoreError::DatabaseUnavailable(_)) => Some(DATABASE_UNAVAILABLE),
            Some(StoreError::Full(_)) => Some(STORAGE_FULL),
            // Files that are not blobs, such as pieces of an upload.
            _ => is_of_full_disk(self.0.as_ref()).then_some(STORAGE_FULL),
        }
    }

    /// The same failure for another one who waited for the same work: its words, and which part does not work.
    #[must_use]
    pub fn again(&self) -> Self {
        match self.0.downcast_ref() {
            Some(StoreError::BlobsUnavailable(error)) => StoreError::BlobsUnavailable(error.to_string().into()).into(),
            Some(StoreError::DatabaseUnavailable(error)) => {
                StoreError::DatabaseUnavailable(error.to_string().into()).into()
            }
            Some(StoreError::Full(error)) => StoreError::Full(error.to_string().into()).into(),
            _ if is_of_full_disk(self.0.as_ref()) => StoreError::Full(self.to_string().into()).into(),
            _ => Self::new(self.to_string()),
        }
    }

    /// The seconds after which the client may ask again, where a part of the installation does not work.
    pub fn unavailable_s(&self) -> Option<i64> {
        self.unavailable().map(|_| UNAVAILABLE_RETRY_S)
    }

    /// The problem that the client receives: only of a part of the installation that does not work it learns more than that the server
    /// failed.
    pub fn problem(&self, status: u16) -> Problem {
        self.unavailable().map_or_else(|| Problem::hidden(status), Problem::unavailable)
    }
}

impl From<StoreError> for Internal {
    fn from(error: StoreError) -> Self {
        Self::new(error)
    }
}

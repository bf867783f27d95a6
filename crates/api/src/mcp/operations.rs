//! Operations of the contract, called in this process for the person behind a token.

use app::session::OnBehalfOf;
use app::{App, audit, current_request};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Limited};
use serde_json::{Map, Value};
use tower::ServiceExt;
use tower_http::catch_panic::CatchPanicLayer;

use super::access::McpRefusal;
use super::caller::Caller;
use super::refusal::Refused;
use crate::caught_panic;

/// The longest answer that is passed on.
const MAX_ANSWER_BYTES: usize = 2 * 1024 * 1024;

/// An operation: its verb and its path as the contract writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// `GET` or `POST`.
    pub verb: &'static str,
    /// Its path, with `{id}` for the number of a record.
    pub path: &'static str,
}

/// An operation that reads.
pub(super) const fn get(path: &'static str) -> Operation {
    Operation { verb: "GET", path }
}

/// The parameters and the body with which an operation is called.
#[derive(Debug, Default)]
pub(super) struct OperationRequest {
    /// The number of the record in the path.
    pub id: Option<i64>,
    /// The query.
    pub query: Map<String, Value>,
    /// The body.
    pub body: Option<Value>,
}

async fn journal(State(app): State<App>, request: Request, next: Next) -> Response {
    audit::watch(&app, request, |request| next.run(request)).await
}

/// The routes of the contract, behind the journal and without the layers that count requests: the request of the client was counted.
#[derive(Debug)]
pub(super) struct Operations(Router);

impl Operations {
    /// The operations of these routes.
    pub(super) fn new(routes: Router<App>, app: App) -> Self {
        let layers = tower::ServiceBuilder::new()
            .layer(from_fn_with_state(app.clone(), journal))
            .layer(CatchPanicLayer::custom(caught_panic::answer));
        Self(routes.layer(layers).with_state(app))
    }

    /// Calls an operation for the person behind a token; returns the body of its answer.
    pub(super) async fn call(
        &self,
        caller: &Caller,
        operation: Operation,
        parameters: OperationRequest,
    ) -> Result<Value, Refused> {
        let path = parameters
            .id
            .map_or_else(|| operation.path.to_owned(), |id| operation.path.replace("{id}", &id.to_string()));
        let query = query_of(&parameters.query);
        let uri = if query.is_empty() { path } else { format!("{path}?{query}") };
        let mut request = Request::builder().method(operation.verb).uri(uri);
        if parameters.body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let body = parameters.body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let mut request = request.body(body).map_err(internal)?;
        request.headers_mut().extend(caller.forwarded.clone());
        let extensions = request.extensions_mut();
        extensions.insert(OnBehalfOf(std::sync::Arc::clone(&caller.person)));
        if let Some(peer) = caller.peer {
            extensions.insert(peer);
        }
        // The tools run in a task of their own: the number of the request is carried into it.
        let answered = current_request::scope(caller.request_id.clone(), self.0.clone().oneshot(request));
        let response = answered.await.unwrap_or_else(|never| match never {});
        if !response.status().is_success() {
            return Err(Refused::from(response));
        }
        let body = Limited::new(response.into_body(), MAX_ANSWER_BYTES).collect().await;
        let bytes = body.map_err(|_| McpRefusal::AnswerTooLong)?.to_bytes();
        Ok(serde_json::from_slice(&bytes).map_err(internal)?)
    }
}

fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Response {
    McpRefusal::Internal(app::problem::Internal::new(error)).into_response()
}

/// A query from the arguments of a tool; null arguments are left out, lists are joined with commas.
fn query_of(arguments: &Map<String, Value>) -> String {
    let written = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => {
            let words = items.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned));
            Some(words.collect::<Vec<_>>().join(","))
        }
        other => Some(other.to_string()),
    };
    let encoded =
        |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
    let pairs = arguments.iter().filter_map(|(name, value)| Some(format!("{name}={}", encoded(&written(value)?))));
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn query_values_are_percent_encoded_and_absent_arguments_left_out() {
        let arguments =
            json!({"search": "lac & forêt", "page": 2, "bbox": [1.5, 42, 2, 43], "owner": null, "closed": true});
        let query = query_of(arguments.as_object().unwrap_or(&Map::new()));
        assert_eq!(query, "bbox=1%2E5%2C42%2C2%2C43&closed=true&page=2&search=lac%20%26%20for%C3%AAt");
    }
}

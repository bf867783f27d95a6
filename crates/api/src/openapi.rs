//! The contract, made from the handlers: `openapi.json` is generated from it, the web's types from that.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Value, json};
use utoipa::Modify;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::schema::{AnyOfBuilder, Schema};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{OpenApi, RefOr};

use crate::problem::{AsProblem, Code, Problem, ProblemFault, described};
use crate::{Rejection, routes};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Jalon", description = "The back-office that makes and runs cycling and hiking routes (parcours).\n\n\
        An operation that needs no session looks at the rate of the client's network first (429 `request/too-many`), then at the \
        size of the body, 64 kB unless the operator set another bound (413 `request/too-large`), then reads it (408 \
        `request/too-slow`) and parses it (400, 415, 422). Any operation may answer 503 `request/overloaded`. 429 and 503 \
        carry `Retry-After`. Encoded bodies are refused (415 `request/encoded`)."),
    components(schemas(Problem, ProblemFault)),
    modifiers(&Doors)
)]
pub(crate) struct Document;

/// How one signs in.
struct Doors;

impl Modify for Doors {
    fn modify(&self, openapi: &mut OpenApi) {
        let cookie = ApiKey::Cookie(ApiKeyValue::with_description(
            crate::session::COOKIE_NAME,
            "Set by `POST /api/v1/session`. The scopes of an operation are the capabilities it needs.",
        ));
        if let Some(components) = openapi.components.as_mut() {
            components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
            let key = ApiKey::Header(ApiKeyValue::with_description(
                "X-Api-Key",
                "The key of a white-label; also as `Authorization: Bearer`, or `?key=` in the address.",
            ));
            components.add_security_scheme("api_key", SecurityScheme::ApiKey(key));
        }
    }
}

/// The whole contract.
pub fn openapi() -> OpenApi {
    let mut openapi = routes().into_openapi();
    for item in openapi.paths.paths.values_mut() {
        for (_, operation) in operations(item) {
            tell_refusals(operation);
        }
    }
    if let Some(components) = openapi.components.as_mut()
        && let Some(attributes) = components.schemas.get_mut("Attributes")
    {
        allow_several(attributes);
    }
    openapi
}

/// Variants without a tag: a value may be of several, an empty one of all.
fn allow_several(schema: &mut RefOr<Schema>) {
    if let RefOr::T(Schema::OneOf(one)) = schema {
        let several = AnyOfBuilder::new().description(one.description.take());
        let several = std::mem::take(&mut one.items).into_iter().fold(several, AnyOfBuilder::item);
        *schema = RefOr::T(Schema::AnyOf(several.build()));
    }
}

/// Every error code an answer may carry, from the contract itself.
pub fn codes() -> BTreeSet<String> {
    let contract = serde_json::to_value(openapi()).unwrap_or_default();
    let mut found = BTreeSet::new();
    collect(&contract, &mut found);
    found.extend(Rejection::codes().iter().map(|code| code.code.to_owned()));
    found
}

fn collect(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                if name == "x-codes" {
                    found.extend(
                        inner.as_array().into_iter().flatten().filter_map(|code| code.as_str().map(str::to_owned)),
                    );
                }
                collect(inner, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        _ => {}
    }
}

/// A parameter of the address that cannot be read, or stands there twice.
const BAD_QUERY: &str = "request/bad-query";

/// What the extractors may answer before the handler is reached.
fn tell_refusals(operation: &mut Operation) {
    // Any request may be one too many. One that needs no session is counted by the minute.
    let has_query = operation
        .parameters
        .iter()
        .flatten()
        .any(|one| matches!(one, RefOr::T(one) if one.parameter_in == ParameterIn::Query));
    let wanted: &[u16] = match (needs_session(operation), operation.request_body.is_some()) {
        (true, true) => &[400, 401, 403, 408, 413, 415, 422, 429, 503],
        (true, false) => &[401, 403, 429, 503],
        (false, true) => &[400, 403, 408, 413, 415, 422, 429, 503],
        (false, false) => &[429, 503],
    };
    let refusals: Vec<Code> = Rejection::codes().into_iter().filter(|code| wanted.contains(&code.status)).collect();
    let query = (has_query && operation.request_body.is_none()).then_some(400);
    for status in wanted.iter().chain(query.iter()) {
        let own = operation.responses.responses.get(&status.to_string());
        let mut codes: Vec<String> = match own {
            Some(RefOr::T(own)) => json!(own)["x-codes"]
                .as_array()
                .map(|codes| codes.iter().filter_map(|code| code.as_str().map(str::to_owned)).collect())
                .unwrap_or_default(),
            _ => Vec::new(),
        };
        if query == Some(*status) && !codes.iter().any(|code| code == BAD_QUERY) {
            codes.push(BAD_QUERY.to_owned());
        }
        for refusal in refusals.iter().filter(|refusal| refusal.status == *status) {
            if !codes.iter().any(|code| code == refusal.code) {
                codes.push(refusal.code.to_owned());
            }
        }
        operation.responses.responses.insert(status.to_string(), RefOr::T(described(&codes)));
    }
}

/// Whether nobody reaches an operation without a session.
pub(crate) fn needs_session(operation: &Operation) -> bool {
    operation.security.as_ref().is_some_and(|asked| {
        asked.iter().all(|one| json!(one).as_object().is_some_and(|ways| ways.contains_key("session")))
    })
}

/// The operations of a path.
pub(crate) fn operations(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    let PathItem { get, put, post, delete, patch, options, head, .. } = item;
    [
        (Method::GET, get),
        (Method::PUT, put),
        (Method::POST, post),
        (Method::DELETE, delete),
        (Method::PATCH, patch),
        (Method::OPTIONS, options),
        (Method::HEAD, head),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

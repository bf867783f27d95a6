//! The contract, made from the handlers: `openapi.json` (staff) and `openapi.public.json` are generated from it, the web's types
//! from those.

mod refusals;
mod shared;
mod text;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use app::Rejection;
use app::problem::{AsProblem, Problem, ProblemFault};
use serde_json::{Value, json};
use utoipa::Modify;
use utoipa::openapi::schema::{AnyOfBuilder, Schema};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{OpenApi, RefOr};

use crate::mcp::McpRefusal;
use crate::routes;

pub(crate) use shared::{BEFORE, codes_of, resolved};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Jalon", description = "The back-office that makes and runs cycling and hiking routes (parcours).\n\n\
        An operation that needs no session looks at the rate of the client's network first (429 `request/too-many`), then at the \
        size of the body, 64 kB unless the operator set another bound (413 `request/too-large`), then reads it (408 \
        `request/too-slow`) and parses it (400, 415, 422). Any operation may answer 503 `request/overloaded`. 429 and 503 \
        carry `Retry-After`. Encoded bodies are refused (415 `request/encoded`).\n\n\
        The answer `default` of an operation is every refusal that comes before the operation is looked at: no session, too many \
        requests, a body that cannot be read, a failure of ours. Each refusal is a `Problem`, whose `status` and `code` say which."),
    components(schemas(Problem, ProblemFault, content::parcours::compute::ReliabilityView)),
    modifiers(&SecuritySchemes)
)]
pub(crate) struct Document;

/// Adds the two ways to be known to the server: the cookie of a session and the key of a white-label.
struct SecuritySchemes;

impl Modify for SecuritySchemes {
    fn modify(&self, openapi: &mut OpenApi) {
        let cookie = ApiKey::Cookie(ApiKeyValue::with_description(
            app::session::COOKIE_NAME,
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

/// The readers of a document of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The application of the staff.
    Staff,
    /// Readers without an account: public pages, the public API, feeds, the widget.
    Public,
}

impl Audience {
    /// The audience of an operation.
    fn of(path: &str, operation: &Value) -> Self {
        let public = ["feeds", "public", "widget"];
        let mut tags = operation["tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let is_public = tags.any(|tag| public.contains(&tag)) && !path.starts_with("/api/v1/");
        if is_public { Self::Public } else { Self::Staff }
    }
}

/// The whole contract: every operation, with what they share among the components.
pub fn openapi() -> Value {
    CONTRACT.clone()
}

static CONTRACT: LazyLock<Value> = LazyLock::new(|| {
    let mut openapi = routes().into_openapi();
    if let Some(components) = openapi.components.as_mut()
        && let Some(attributes) = components.schemas.get_mut("Attributes")
    {
        allow_several(attributes);
    }
    let mut contract = json!(openapi);
    refusals::add_to(&mut contract);
    shared::drop_implied(&mut contract);
    shared::share_parameters(&mut contract);
    shared::share_schemas(&mut contract);
    shared::drop_repeated(&mut contract);
    shared::drop_words_of_parameters(&mut contract);
    shared::list_codes(&mut contract);
    shared::describe_responses(&mut contract);
    contract
});

/// The document of an audience as the text that is committed: `openapi.json` and `openapi.public.json`.
pub fn document(audience: Audience) -> String {
    let mut document = only(|path, operation| Audience::of(path, operation) == audience);
    match audience {
        Audience::Staff => shared::share_security(&mut document),
        Audience::Public => {
            document["info"]["title"] = "Jalon, public part".into();
            describe_sentences(&mut document);
        }
    }
    document.as_object().map(text::of).unwrap_or_default()
}

/// Refusals of the public API have a sentence for people (`app::error_text`); the staff's application has its own.
fn describe_sentences(document: &mut Value) {
    for problem in ["Problem", "ProblemFault"] {
        let words = "The sentence for people, in the language of the request, where there is one.";
        document["components"]["schemas"][problem]["properties"]["detail"] =
            json!({"description": words, "type": "string"});
    }
}

/// The contract with only the operations that `wanted` accepts, which gets the path and the operation.
pub(crate) fn only(wanted: impl Fn(&str, &Value) -> bool) -> Value {
    let mut document = openapi();
    if let Some(paths) = document["paths"].as_object_mut() {
        for (path, item) in paths.iter_mut() {
            if let Some(operations) = item.as_object_mut() {
                operations.retain(|_, operation| wanted(path, operation));
            }
        }
        paths.retain(|_, item| item.as_object().is_some_and(|operations| !operations.is_empty()));
    }
    shared::drop_unused(&mut document);
    shared::list_codes(&mut document);
    document
}

/// Turns `oneOf` into `anyOf`, for variants without a tag: a value may fit several of them, and `{}` fits all.
fn allow_several(schema: &mut RefOr<Schema>) {
    if let RefOr::T(Schema::OneOf(one)) = schema {
        let several = AnyOfBuilder::new().description(one.description.take());
        let several = std::mem::take(&mut one.items).into_iter().fold(several, AnyOfBuilder::item);
        *schema = RefOr::T(Schema::AnyOf(several.build()));
    }
}

/// Every error code that an answer may have, read from the contract.
pub fn codes() -> BTreeSet<String> {
    let known = CONTRACT["components"]["schemas"]["ProblemCode"]["enum"].as_array().into_iter().flatten();
    let listed = known.filter_map(Value::as_str).map(str::to_owned);
    let beside = Rejection::codes().into_iter().chain(McpRefusal::codes());
    listed.chain(beside.map(|code| code.code.to_owned())).collect()
}

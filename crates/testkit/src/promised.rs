//! Each refusal that a test sees is one that the contract has for that operation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use axum::http::Method;
use serde_json::Value;

/// An operation of the contract: its verb, the parts of its path, and the codes of its refusals by status.
struct Operation {
    verb: String,
    parts: Vec<String>,
    codes: BTreeMap<String, BTreeSet<String>>,
}

static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let contract = serde_json::to_value(api::openapi()).expect("the contract is JSON");
    let mut found = Vec::new();
    for (path, item) in contract["paths"].as_object().into_iter().flatten() {
        for (verb, operation) in item.as_object().into_iter().flatten() {
            let mut codes = BTreeMap::new();
            for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
                let answer = resolved(&contract, answer);
                let code = &answer["content"]["application/problem+json"]["schema"]["allOf"][1]["properties"]["code"];
                codes.insert(status.clone(), words(&code["enum"]));
            }
            found.push(Operation {
                verb: verb.to_uppercase(),
                parts: path.split('/').map(str::to_owned).collect(),
                codes,
            });
        }
    }
    found
});

fn words(list: &Value) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn resolved<'a>(contract: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|path| contract.pointer(path.trim_start_matches('#')));
    target.unwrap_or(value)
}

/// The operation that answers a request: where several paths fit, that with the earliest written part.
fn asked(method: &Method, path: &str) -> Option<&'static Operation> {
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |operation: &&Operation| {
        operation.parts.len() == parts.len()
            && operation.parts.iter().zip(&parts).all(|(part, sent)| part.starts_with('{') || part == sent)
    };
    let verb = if method == Method::HEAD { "GET" } else { method.as_str() };
    OPERATIONS
        .iter()
        .filter(|operation| operation.verb == verb)
        .filter(fits)
        .min_by_key(|operation| operation.parts.iter().map(|part| part.starts_with('{')).collect::<Vec<_>>())
}

/// Fails where an answer is a refusal that the contract does not have.
///
/// # Panics
/// When it is one.
pub fn check(method: &Method, path: &str, sent_encoded: bool, status: u16, bytes: &[u8]) {
    let Some(operation) = asked(method, path) else { return };
    let problem: Value = serde_json::from_slice(bytes).unwrap_or_default();
    // A page says in words why it is not there. Encoded bodies are refused everywhere, as the contract says at its head.
    let Some(code) = problem["code"].as_str().filter(|_| !sent_encoded) else { return };
    let (verb, contract_path) = (&operation.verb, operation.parts.join("/"));
    // At the server's own host these are the web app, which is not built into a test.
    if ["/", "/en/"].contains(&contract_path.as_str()) {
        return;
    }
    // A code that is sent before the operation is known may have any status.
    let codes = operation.codes.get(&status.to_string()).or_else(|| operation.codes.get("default"));
    let known = codes.is_some_and(|codes| codes.contains(code));
    assert!(
        known,
        "{verb} {contract_path} answered {status} `{code}`, which its contract does not have (crates/api/src/openapi/refusals.rs)"
    );
}

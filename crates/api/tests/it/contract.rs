//! `openapi.json` is what the handlers say, and the handlers say enough.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

fn contract() -> Value {
    serde_json::to_value(api::openapi()).unwrap()
}

/// Each operation: verb, path, description.
pub fn operations(contract: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for (path, item) in contract["paths"].as_object().unwrap() {
        for (verb, operation) in item.as_object().unwrap() {
            if ["get", "put", "post", "delete", "patch", "head", "options"].contains(&verb.as_str()) {
                found.push((verb.to_uppercase(), path.clone(), operation.clone()));
            }
        }
    }
    found
}

#[test]
fn the_committed_contract_is_that_of_the_code() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi.json");
    let committed = std::fs::read_to_string(file).unwrap_or_default();
    let ours = api::openapi().to_pretty_json().unwrap();
    if committed.trim() != ours.trim() {
        let own = std::env::temp_dir().join(format!("openapi-{}.json", std::process::id()));
        std::fs::write(&own, format!("{}\n", ours.trim())).unwrap();
        panic!("openapi.json is not that of the code, which is in {}: run `make gen`", own.display());
    }
}

#[test]
fn every_operation_names_itself_its_permission_and_what_it_does() {
    for (verb, path, operation) in operations(&contract()) {
        let name = operation["operationId"].as_str().unwrap_or_default();
        assert!(name.contains('_'), "{verb} {path}: operationId `{name}` is <verb>_<resource>");
        assert!(operation["security"].is_array(), "{verb} {path} names no permission");
        assert!(operation["summary"].is_string(), "{verb} {path} has no summary");
        assert!(operation["tags"].is_array(), "{verb} {path} has no tag");
    }
}

#[test]
fn no_operation_has_the_name_of_another() {
    let mut names: Vec<String> =
        operations(&contract()).iter().map(|(_, _, operation)| operation["operationId"].to_string()).collect();
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}

/// The generator keeps one of two schemas of the same name, and says nothing.
#[test]
fn no_schema_has_the_name_of_another() {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for room in ["api", "domain"] {
        for (file, text) in crate::architecture::sources(room) {
            for (at, name) in schemas_of(&text) {
                let place = format!("{}:{at}", file.display());
                if let Some(other) = found.insert(name.clone(), place.clone()) {
                    panic!("`{name}` is declared in {other} and in {place}: name one with #[schema(as = …)]");
                }
            }
        }
    }
    assert!(found.len() > 200, "{}", found.len());
}

/// The types of a source that derive `ToSchema`, by the name they have in the contract.
fn schemas_of(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut derives = false;
    let mut renamed = None;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if line.starts_with("#[derive(") {
            derives = line.contains("ToSchema");
            renamed = None;
        } else if let Some((_, rest)) = line.split_once("schema(").and_then(|(_, rest)| rest.split_once("as = ")) {
            renamed = rest.split([',', ')']).next().map(|name| name.trim().to_owned());
        } else if derives && !line.starts_with(['#', '/']) {
            let mut words = line.split([' ', '<', '(', '{', ';']).skip_while(|word| !["struct", "enum"].contains(word));
            if let (Some(_), Some(name)) = (words.next(), words.next()) {
                found.push((at + 1, renamed.take().unwrap_or_else(|| name.to_owned())));
            }
            derives = false;
        }
    }
    found
}

#[test]
fn every_reference_of_the_contract_leads_somewhere() {
    let contract = contract();
    let mut references = Vec::new();
    collect(&contract, &mut references);
    assert!(references.iter().any(|reference| reference.ends_with("/Problem")));
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(contract.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

fn collect(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|inner| collect(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| collect(inner, found)),
        _ => {}
    }
}

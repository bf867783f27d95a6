//! Moves refusals, parameters and schemas that several operations use to the components of the document, and puts references in
//! their places.

use std::collections::{BTreeMap, BTreeSet};

use app::problem::PROBLEM_JSON;
use domain::hexadecimal;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// A schema shorter than this is not worth a reference.
const MIN_SCHEMA_BYTES: usize = 60;

/// The answer that lists the refusals made before an operation begins.
pub(crate) const BEFORE: &str = "default";

/// Families of codes that most operations have.
const EVERYWHERE: [&str; 7] = ["auth", "database", "internal", "request", "session", "storage", "validation"];

/// A refusal: its status, or [`BEFORE`], and the codes that it may have, sorted.
pub(super) type Refusal = (String, Vec<String>);

/// Four hexadecimal digits of the SHA-256 of a text.
fn digest(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes())[..2])
}

/// A wanted name, and how often it is used.
struct Wanted {
    name: String,
    times: usize,
}

/// Gives each text a unique name: the wanted one to the text that is used most, and with its digest to the others that want the same.
fn unique_names(wanted: BTreeMap<String, Wanted>) -> BTreeMap<String, String> {
    let mut most: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for (text, Wanted { name, times }) in &wanted {
        let first = most.entry(name).or_insert((*times, text));
        if *times > first.0 {
            *first = (*times, text);
        }
    }
    let own = |text: &str, name: &str| {
        let is_first = most.get(name).is_some_and(|(_, first)| *first == text);
        if is_first { name.to_owned() } else { format!("{name}.{}", digest(text)) }
    };
    wanted.iter().map(|(text, Wanted { name, .. })| (text.clone(), own(text, name))).collect()
}

/// The names of the refusals of a document.
pub(super) struct Refusals(BTreeMap<String, String>);

impl Refusals {
    /// The names of refusals; beside each, how many operations have it.
    pub(super) fn new(all: &BTreeMap<Refusal, usize>) -> Self {
        let wanted = |(refusal, times): (&Refusal, &usize)| {
            (Self::key(refusal), Wanted { name: Self::wanted(refusal), times: *times })
        };
        Self(unique_names(all.iter().map(wanted).collect()))
    }

    fn key((status, codes): &Refusal) -> String {
        format!("{status} {}", codes.join(" "))
    }

    /// The wanted name of a refusal: its status and at most two families of its codes that are not in [`EVERYWHERE`], as in `404.poi-record`.
    fn wanted((status, codes): &Refusal) -> String {
        let about: BTreeSet<&str> = codes.iter().filter_map(|code| code.split('/').next()).collect();
        let about: Vec<&str> = about.into_iter().filter(|family| !EVERYWHERE.contains(family)).take(2).collect();
        if about.is_empty() { status.clone() } else { format!("{status}.{}", about.join("-")) }
    }

    /// A reference to the component of a refusal.
    pub(super) fn reference(&self, refusal: &Refusal) -> Value {
        json!({"$ref": format!("#/components/responses/{}", self.0[&Self::key(refusal)])})
    }

    /// All refusals as components, by name.
    pub(super) fn components(&self, all: &BTreeMap<Refusal, usize>) -> Value {
        let components = all.keys().map(|refusal| (self.0[&Self::key(refusal)].clone(), response(refusal)));
        Value::Object(components.collect())
    }
}

fn response((status, codes): &Refusal) -> Value {
    // OpenAPI requires a description. For a status code an empty one is enough.
    let title = if status == BEFORE { "Refused early" } else { "" };
    let narrowed = json!({"properties": {"code": {"enum": codes}}});
    let schema = json!({"allOf": [{"$ref": "#/components/schemas/Problem"}, narrowed]});
    json!({"content": {PROBLEM_JSON: {"schema": schema}}, "description": title})
}

/// The codes of a refusal of the contract, given as a component or as a reference to one.
pub(crate) fn codes_of<'a>(contract: &'a Value, answer: &'a Value) -> impl Iterator<Item = &'a str> {
    let answer = resolved(contract, answer);
    let code = &answer["content"][PROBLEM_JSON]["schema"]["allOf"][1]["properties"]["code"];
    code["enum"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The target of a reference; any other value unchanged.
pub(crate) fn resolved<'a>(contract: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|path| contract.pointer(path.trim_start_matches('#')));
    target.unwrap_or(value)
}

/// Removes members that have no effect: `default: null`, `required: false`, `format: double`, and `propertyNames` that are texts. Bytes
/// have no schema in OpenAPI 3.1: a list of numbers would be JSON.
pub(super) fn drop_implied(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(bytes) = members.get_mut("application/octet-stream") {
                *bytes = json!({});
            }
            members.retain(|name, member| match name.as_str() {
                "default" => !member.is_null(),
                "required" => *member != Value::Bool(false),
                "format" => member != "double",
                "propertyNames" => *member != json!({"type": "string"}),
                _ => true,
            });
            members.values_mut().for_each(drop_implied);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_implied),
        _ => {}
    }
}

/// Descriptions of fields that say no more than the field's name does.
const REPEATED: [&str; 17] = [
    "Counts by owner.",
    "How many in all.",
    "Its kind.",
    "Its name.",
    "Its number.",
    "Its state.",
    "Metres.",
    "Name.",
    "Seconds.",
    "The items of the page.",
    "The items.",
    "The parcours.",
    "The time.",
    "Their number.",
    "What it is.",
    "When it was last saved.",
    "When it was made.",
];

/// Whether a description is the name of its field in a sentence: `Its categories.` of `category_ids`.
fn repeats(name: &str, words: &str) -> bool {
    let words = words.trim_end_matches('.').to_lowercase();
    let words = ["the ", "its ", "their "].iter().find_map(|article| words.strip_prefix(article)).unwrap_or(&words);
    let said = words.replace(' ', "_");
    let endings = ["_ids", "_id", "_at", "_m", "_s"];
    let base = endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    let plural = base.strip_suffix('y').map_or_else(|| format!("{base}s"), |stem| format!("{stem}ies"));
    said == name || said == base || said == plural
}

fn drop_repeated_of(name: &str, field: &mut Value) {
    let words = field.get("description").and_then(Value::as_str);
    if words.is_some_and(|words| REPEATED.contains(&words) || repeats(name, words))
        && let Some(field) = field.as_object_mut()
    {
        field.remove("description");
    }
}

/// Removes the descriptions of fields that only repeat the name of the field.
pub(super) fn drop_repeated(value: &mut Value) {
    match value {
        Value::Object(members) => {
            let fields = members.get_mut("properties").and_then(Value::as_object_mut);
            for (name, field) in fields.into_iter().flatten() {
                drop_repeated_of(name, field);
                // A reference that may be null has its description beside the reference.
                for part in field.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
                    drop_repeated_of(name, part);
                }
            }
            members.values_mut().for_each(drop_repeated);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_repeated),
        _ => {}
    }
}

/// Removes the descriptions of the filters of an action on many records where the list has a parameter of the same name and words.
pub(super) fn drop_words_of_parameters(contract: &mut Value) {
    let words = |parameter: &Value| {
        let said = parameter["description"].as_str().filter(|words| !words.is_empty())?;
        Some((parameter["name"].as_str()?.to_owned(), said.to_owned()))
    };
    let shared = contract["components"]["parameters"].as_object().into_iter().flat_map(Map::values);
    let known: BTreeSet<(String, String)> = shared.filter_map(words).collect();
    for schema in contract["components"]["schemas"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        for (name, field) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
            let Some(field) = field.as_object_mut() else { continue };
            let said = field.get("description").and_then(Value::as_str).unwrap_or_default();
            if known.contains(&(name.clone(), said.to_owned())) {
                field.remove("description");
            }
        }
    }
}

/// Moves the parameters that several operations take to the components.
pub(super) fn share_parameters(contract: &mut Value) {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for parameter in parameters(contract) {
        *used.entry(parameter.to_string()).or_default() += 1;
    }
    let mut shared = BTreeMap::new();
    for (text, times) in used.into_iter().filter(|(_, times)| *times > 1) {
        let parameter: Value = serde_json::from_str(&text).unwrap_or_default();
        let name = parameter["name"].as_str().unwrap_or_default().to_owned();
        shared.insert(text, Wanted { name, times });
    }
    let names = unique_names(shared);
    for parameter in parameters(contract) {
        if let Some(name) = names.get(&parameter.to_string()) {
            *parameter = json!({"$ref": format!("#/components/parameters/{name}")});
        }
    }
    let parameters = names.into_iter().map(|(text, name)| (name, serde_json::from_str(&text).unwrap_or_default()));
    contract["components"]["parameters"] = Value::Object(parameters.collect());
}

fn parameters(contract: &mut Value) -> impl Iterator<Item = &mut Value> {
    operations(contract).filter_map(|operation| operation.get_mut("parameters")?.as_array_mut()).flatten()
}

/// Puts references in the place of schemas that are copies of a component, as in a list of records.
pub(super) fn share_schemas(contract: &mut Value) {
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, schema) in contract["components"]["schemas"].as_object().into_iter().flatten() {
        let text = without_description(schema);
        if text.len() >= MIN_SCHEMA_BYTES {
            known.entry(text).or_default().push(name.clone());
        }
    }
    // Where two components are equal, a copy cannot be matched to one of them: it stays.
    let known: BTreeMap<String, String> = known
        .into_iter()
        .filter_map(|(text, mut names)| names.pop().filter(|_| names.is_empty()).map(|name| (text, name)))
        .collect();
    for schema in contract["components"]["schemas"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        replace_copies(schema, &known);
    }
    replace_copies(&mut contract["paths"], &known);
}

/// Replaces the copies of known schemas inside a value, but not the value itself.
fn replace_copies(value: &mut Value, known: &BTreeMap<String, String>) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| replace_copy(member, known)),
        Value::Array(items) => items.iter_mut().for_each(|item| replace_copy(item, known)),
        _ => {}
    }
}

/// Replaces a value that is a copy of a known schema, else the copies inside it.
fn replace_copy(value: &mut Value, known: &BTreeMap<String, String>) {
    if let Some(name) = known.get(&without_description(value)) {
        *value = json!({"$ref": format!("#/components/schemas/{name}")});
    } else {
        replace_copies(value, known);
    }
}

/// A schema as text without its own description, which differs where the schema is used.
fn without_description(schema: &Value) -> String {
    match schema {
        Value::Object(members) if members.contains_key("description") => {
            let others = members.iter().filter(|(name, _)| *name != "description");
            Value::Object(others.map(|(name, value)| (name.clone(), value.clone())).collect()).to_string()
        }
        Value::Object(_) => schema.to_string(),
        _ => String::new(),
    }
}

/// Removes the components that no operation of the document uses.
pub(super) fn drop_unused(document: &mut Value) {
    let mut needed = BTreeSet::new();
    let mut waiting = references(&document["paths"]);
    while let Some(reference) = waiting.pop() {
        if let Some(target) =
            document.pointer(reference.trim_start_matches('#')).filter(|_| !needed.contains(&reference))
        {
            waiting.extend(references(target));
            needed.insert(reference);
        }
    }
    for (kind, components) in document["components"].as_object_mut().into_iter().flatten() {
        if let Some(components) = components.as_object_mut().filter(|_| kind != "securitySchemes") {
            components.retain(|name, _| needed.contains(&format!("#/components/{kind}/{name}")));
        }
    }
    let used = security_schemes(&document["paths"]);
    if let Some(known) = document["components"]["securitySchemes"].as_object_mut() {
        known.retain(|name, _| used.contains(name));
    }
}

/// Every reference in a part of the contract.
fn references(part: &Value) -> Vec<String> {
    match part {
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(members.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// Writes the permission that most operations need once for the document: an operation without one needs it.
pub(super) fn share_security(document: &mut Value) {
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    for operation in operations(document) {
        *used.entry(operation["security"].to_string()).or_default() += 1;
    }
    let Some((most, _)) = used.into_iter().max_by_key(|(_, times)| *times) else { return };
    let most: Value = serde_json::from_str(&most).unwrap_or_default();
    for members in operations(document).filter_map(Value::as_object_mut) {
        if members.get("security") == Some(&most) {
            members.remove("security");
        }
    }
    document["security"] = most;
}

fn operations(contract: &mut Value) -> impl Iterator<Item = &mut Value> {
    let items = contract["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
    items.filter_map(Value::as_object_mut).flat_map(Map::values_mut)
}

/// Gives an empty description to each response of an operation that has none: OpenAPI requires one.
pub(super) fn describe_responses(contract: &mut Value) {
    let responses = operations(contract).filter_map(|operation| operation.get_mut("responses")?.as_object_mut());
    for response in responses.flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        if !response.contains_key("$ref") {
            response.entry("description").or_insert_with(|| "".into());
        }
    }
}

/// The names of the security schemes that operations use.
fn security_schemes(paths: &Value) -> BTreeSet<String> {
    let items = paths.as_object().into_iter().flat_map(Map::values);
    let operations = items.filter_map(Value::as_object).flat_map(Map::values);
    let asked = operations.filter_map(|operation| operation["security"].as_array()).flatten();
    asked.filter_map(Value::as_object).flat_map(Map::keys).cloned().collect()
}

/// Lists every code that a refusal of the document may have, as the schema `ProblemCode`.
pub(super) fn list_codes(document: &mut Value) {
    let mut codes: BTreeSet<String> = BTreeSet::new();
    for answer in document["components"]["responses"].as_object().into_iter().flat_map(Map::values) {
        codes.extend(codes_of(document, answer).map(str::to_owned));
    }
    let schemas = &mut document["components"]["schemas"];
    schemas["ProblemCode"] = json!({"description": "The code of a refusal.", "enum": codes, "type": "string"});
    let mut code = json!({"$ref": "#/components/schemas/ProblemCode"});
    code["description"] = schemas["Problem"]["properties"]["code"]["description"].clone();
    schemas["Problem"]["properties"]["code"] = code;
}

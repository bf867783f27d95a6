//! `openapi.json` is what the handlers say, and the handlers say enough.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

fn contract() -> Value {
    serde_json::to_value(api::openapi()).unwrap()
}

/// What a reference leads to; anything else itself.
fn resolved<'a>(contract: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|path| contract.pointer(path.trim_start_matches('#')));
    target.unwrap_or(value)
}

/// Each operation: verb, path, description; its parameters and answers without references.
pub fn operations(contract: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for (path, item) in contract["paths"].as_object().unwrap() {
        for (verb, operation) in item.as_object().unwrap() {
            if ["get", "put", "post", "delete", "patch", "head", "options"].contains(&verb.as_str()) {
                let mut operation = operation.clone();
                let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten();
                parameters.for_each(|parameter| *parameter = resolved(contract, parameter).clone());
                let answers = operation["responses"].as_object_mut().unwrap().values_mut();
                answers.for_each(|answer| *answer = resolved(contract, answer).clone());
                found.push((verb.to_uppercase(), path.clone(), operation));
            }
        }
    }
    found
}

/// Fails where the body of an answer is not what the contract says of it.
pub fn assert_as_described(verb: &str, path: &str, status: u16, media: &str, body: &Value) {
    let contract = contract();
    let (_, _, operation) = operations(&contract).into_iter().find(|one| one.0 == verb && one.1 == path).unwrap();
    let mut schema = operation["responses"][status.to_string()]["content"][media]["schema"].clone();
    assert!(schema.is_object(), "{verb} {path}: {status} {media} has no schema");
    schema["components"] = contract["components"].clone();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> =
        validator.iter_errors(body).take(5).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{verb} {path}: {faults:#?}");
}

/// The committed documents, by their names.
const DOCUMENTS: [(&str, api::Audience); 2] =
    [("openapi.json", api::Audience::Staff), ("openapi.public.json", api::Audience::Public)];

#[test]
fn the_committed_contracts_are_those_of_the_code() {
    for (name, audience) in DOCUMENTS {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
        let committed = std::fs::read_to_string(file).unwrap_or_default();
        let ours = api::document(audience);
        if committed.trim() != ours.trim() {
            let own = std::env::temp_dir().join(format!("{}-{name}", std::process::id()));
            std::fs::write(&own, ours).unwrap();
            panic!("{name} is not that of the code, which is in {}: run `make gen`", own.display());
        }
    }
}

#[test]
fn the_contracts_stay_short() {
    let sizes = DOCUMENTS.map(|(name, audience)| (name, api::document(audience).len()));
    assert!(sizes[0].1 < 710_000 && sizes[1].1 < 120_000, "{sizes:?}");
}

/// The OpenAPI standard requires it, also an empty one.
#[test]
fn each_response_has_a_description() {
    for (name, audience) in DOCUMENTS {
        let document: Value = serde_json::from_str(&api::document(audience)).unwrap();
        let mut without = Vec::new();
        for (verb, path, operation) in operations(&document) {
            let responses = operation["responses"].as_object().unwrap();
            let bare = responses.iter().filter(|(_, response)| !response["description"].is_string());
            without.extend(bare.map(|(status, _)| format!("{verb} {path} {status}")));
        }
        assert!(without.is_empty(), "{name}: {without:#?}");
    }
}

#[test]
fn each_operation_is_in_one_of_the_two_documents_with_all_it_refers_to() {
    let mut found = Vec::new();
    for (name, audience) in DOCUMENTS {
        let document: Value = serde_json::from_str(&api::document(audience)).unwrap();
        let mut references = Vec::new();
        collect(&document, &mut references);
        for reference in &references {
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{name}: {reference} leads nowhere");
        }
        for (kind, components) in document["components"].as_object().unwrap() {
            let kept = components.as_object().unwrap().keys().filter(|_| kind != "securitySchemes");
            for component in kept {
                let reference = format!("#/components/{kind}/{component}");
                assert!(references.contains(&reference), "{name}: nothing refers to {reference}");
            }
        }
        found.extend(operations(&document).into_iter().map(|(verb, path, _)| (path, verb)));
    }
    let mut all: Vec<_> = operations(&contract()).into_iter().map(|(verb, path, _)| (path, verb)).collect();
    found.sort();
    all.sort();
    assert_eq!(found, all);
}

#[test]
fn the_public_document_names_each_format_of_an_answer_and_the_sentence_of_a_refusal() {
    let document: Value = serde_json::from_str(&api::document(api::Audience::Public)).unwrap();
    for (path, formats) in [
        ("/api/public/v1/parcours", &["application/json", "application/geo+json"][..]),
        ("/api/public/v1/parcours/{id}", &["application/json", "application/geo+json"]),
        ("/api/public/v1/pois", &["application/json", "application/geo+json"]),
        ("/api/public/v1/pois/{id}", &["application/json", "application/geo+json"]),
        (
            "/api/public/v1/parcours/{id}/{file}",
            &[
                "application/gpx+xml",
                "application/vnd.google-earth.kml+xml",
                "application/geo+json",
                "application/vnd.garmin.tcx+xml",
            ],
        ),
        ("/api/public/v1/open-data/{file}", &["application/geo+json", "application/ld+json", "application/xml"]),
        ("/api/v2/{endpoint}/{id}/profile/", &["application/json", "image/svg+xml"]),
    ] {
        let content = &document["paths"][path]["get"]["responses"]["200"]["content"];
        for format in formats {
            assert!(content.get(*format).is_some(), "{path}: {format}");
        }
    }
    for problem in ["Problem", "ProblemFault"] {
        assert_eq!(document["components"]["schemas"][problem]["properties"]["detail"]["type"], "string");
    }
}

/// The places of a document whose default a validator refuses: it is below the least value, above the greatest, or no word of the list.
fn refused_defaults(document: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                refused_defaults(document, item, &format!("{place}/{at}"), found);
            }
        }
        Value::Object(fields) => {
            // Beside a `default` that is a value and no property or response of this name, there is what it must fit.
            let is_schema =
                ["type", "$ref", "enum", "allOf", "oneOf", "anyOf"].iter().any(|key| !value[*key].is_null());
            if let Some(default) = fields.get("default").filter(|_| is_schema) {
                let mut schema = value.clone();
                if schema.to_string().contains("$ref") {
                    schema["components"] = document["components"].clone();
                }
                let validator = jsonschema::validator_for(&schema).unwrap();
                found.extend(validator.iter_errors(default).map(|fault| format!("{place}: {fault}")));
            }
            for (name, field) in fields {
                refused_defaults(document, field, &format!("{place}/{name}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn each_default_fits_its_schema() {
    for (name, audience) in DOCUMENTS {
        let document: Value = serde_json::from_str(&api::document(audience)).unwrap();
        let mut found = Vec::new();
        refused_defaults(&document, &document, "", &mut found);
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
    let wrong = serde_json::json!({"a": {"type": "integer", "minimum": 1, "default": 0}});
    let mut found = Vec::new();
    refused_defaults(&wrong, &wrong, "", &mut found);
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn a_review_has_a_rating_in_the_contract() {
    let contract = contract();
    let review = &contract["components"]["schemas"]["ReviewInput"];
    assert_eq!(review["required"], serde_json::json!(["rating"]));
    let rating = &review["properties"]["rating"];
    assert_eq!((&rating["minimum"], &rating["maximum"], &rating["default"]), (&1.into(), &5.into(), &Value::Null));
}

#[test]
fn refusals_are_shared_and_their_codes_are_a_closed_list() {
    let contract = contract();
    let known: Vec<&Value> =
        contract["components"]["schemas"]["ProblemCode"]["enum"].as_array().unwrap().iter().collect();
    let mut found = 0;
    for (path, item) in contract["paths"].as_object().unwrap() {
        for (verb, operation) in item.as_object().unwrap() {
            for (status, answer) in operation["responses"].as_object().unwrap() {
                assert!(
                    answer["content"]["application/problem+json"].is_null(),
                    "{verb} {path}: {status} is in the contract"
                );
                let answer = resolved(&contract, answer);
                let problem = &answer["content"]["application/problem+json"]["schema"];
                if problem.is_object() {
                    let codes = problem["allOf"][1]["properties"]["code"]["enum"].as_array().unwrap();
                    assert!(
                        !codes.is_empty() && codes.iter().all(|code| known.contains(&code)),
                        "{verb} {path}: {codes:?}"
                    );
                    found += 1;
                }
            }
        }
    }
    assert!(found > 1_500, "{found}");
}

#[test]
fn a_page_that_is_not_there_is_said_in_html() {
    let contract = contract();
    for path in ["/p/{page}", "/p/{page}/{file}", "/s/{token}/{file}"] {
        let answers = &contract["paths"][path]["get"]["responses"];
        assert!(answers["404"]["content"]["text/html"].is_object(), "{path}: {}", answers["404"]);
    }
    assert!(contract["paths"]["/p/{page}/{file}"]["get"]["responses"]["200"]["content"]["application/pdf"].is_object());
}

#[test]
fn every_json_answer_has_a_schema() {
    // The feeds of Geotrek and the own feed answer in many forms at one address; `/api/docs` lists their fields.
    let by_words = ["/api/public/v1/", "/api/v2/", "/k/", "/api/docs/"];
    for (verb, path, operation) in operations(&contract()) {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            for (media, content) in answer["content"].as_object().into_iter().flatten() {
                let mut schema = &content["schema"];
                while schema["items"].is_object() {
                    schema = &schema["items"];
                }
                let names = schema.as_object().is_some_and(|schema| {
                    ["$ref", "properties", "additionalProperties", "allOf", "oneOf", "anyOf", "enum"]
                        .iter()
                        .any(|one| schema.contains_key(*one))
                });
                let simple = schema["type"].as_str().is_some_and(|kind| kind != "object");
                let exempt = by_words.iter().any(|start| path.starts_with(start));
                assert!(
                    !media.ends_with("json") || names || simple || exempt,
                    "{verb} {path}: {status} {media} {schema}"
                );
            }
        }
    }
}

#[test]
fn the_contract_lists_the_body_and_the_version_that_each_handler_takes() {
    let body = ["Body<", ": Body", "Bytes", "Multipart", ": Request", ": Form<", ": Json<"];
    let contract = contract();
    let writing: BTreeMap<String, bool> = operations(&contract)
        .into_iter()
        .filter(|(verb, ..)| ["POST", "PUT", "PATCH", "DELETE"].contains(&verb.as_str()))
        .map(|(_, _, operation)| {
            (operation["operationId"].as_str().unwrap().to_owned(), operation["requestBody"].is_object())
        })
        .collect();
    let (mut wrong, mut looked_at) = (Vec::new(), 0);
    let mut look = |path: &std::path::Path, text: &str| {
        for part in text.split("#[utoipa::path(").skip(1) {
            let Some((told, rest)) = part.split_once(" fn ") else { continue };
            let Some((name, taken)) = rest.split_once('(').map(|(name, rest)| (name, arguments(rest))) else {
                continue;
            };
            let takes = |what: &[&str]| what.iter().any(|one| taken.contains(one));
            let place = format!("{}: {name}", path.display());
            let reads = told.trim_start().starts_with("get") || told.trim_start().starts_with("head");
            if !reads && takes(&body) != told.contains("request_body") {
                wrong.push(format!("{place}: the body"));
            }
            if takes(&["IfMatch"]) && !told.contains("If-Match") {
                wrong.push(format!("{place}: If-Match"));
            }
            if let Some(has_body) = writing.get(name) {
                looked_at += 1;
                if *has_body != takes(&body) {
                    wrong.push(format!("{place}: the body in the contract"));
                }
            }
        }
    };
    for crate_name in crate::architecture::WITH_HANDLERS {
        crate::architecture::each_source(crate_name, &mut look);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(looked_at > 140, "{looked_at} of {} handlers were found", writing.len());
}

#[test]
fn the_crates_with_handlers_are_listed() {
    let has_handlers = |name: &String| {
        let sources = crate::architecture::sources(name);
        sources.iter().any(|(_, text)| text.contains("#[utoipa::path("))
    };
    // `app` has the macro that writes the handlers of records.
    let mut found: Vec<String> = crate::architecture::crate_names().into_iter().filter(has_handlers).collect();
    found.retain(|name| name != "app");
    let mut listed = crate::architecture::WITH_HANDLERS.to_vec();
    listed.sort_unstable();
    assert_eq!(found, listed);
}

/// The text before the closing parenthesis.
fn arguments(rest: &str) -> &str {
    let mut depth = 1;
    let end = rest.find(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth == 0
    });
    &rest[..end.map_or(rest.len(), |end| end + 1)]
}

#[test]
fn every_operation_has_an_identifier_a_permission_and_a_description() {
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
    let crates = crate::architecture::WITH_HANDLERS.into_iter().chain(["app", "domain", "planner", "routing", "trace"]);
    for crate_name in crates {
        for (file, text) in crate::architecture::sources(crate_name) {
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
            // A macro has one name for several.
            if let (Some(_), Some(name)) = (words.next(), words.next().filter(|name| !name.starts_with('$'))) {
                found.push((at + 1, renamed.take().unwrap_or_else(|| name.to_owned())));
            }
            derives = false;
        }
    }
    found
}

#[test]
fn every_reference_of_the_contract_has_a_target() {
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

/// The names in the contract of the types that a source declares, by derive or by `words!`.
fn schema_names(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut lines = source.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let is_words = line == "words! {";
        let is_derived = line.starts_with("#[derive(") && line.contains("ToSchema");
        if !is_words && !is_derived {
            continue;
        }
        let mut other = None;
        for line in lines.by_ref() {
            if let Some((_, name)) = line.split_once("as = ").filter(|_| line.starts_with("#[schema(")) {
                other = name.split([')', ',', '<']).next().map(str::to_owned);
            }
            let declared = line.split_once("struct ").or_else(|| line.split_once("enum ")).map(|(_, name)| name);
            let declared =
                declared.filter(|_| line.starts_with("pub")).or_else(|| line.strip_suffix(" {").filter(|_| is_words));
            if let Some(name) = declared {
                let own = name.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
                // Without a name it is the pattern of a macro.
                names.extend(other.or_else(|| (!own.is_empty()).then(|| own.to_owned())));
                break;
            }
        }
    }
    names
}

#[test]
fn two_types_of_one_name_in_the_contract_are_found() {
    let source = "#[derive(Debug, ToSchema)]\n#[schema(as = Job)]\npub struct JobView {\n}\nwords! {\n    /// A word.\n    Job {\n";
    assert_eq!(schema_names(source), ["Job", "Job"]);
}

#[test]
fn each_schema_is_of_one_type() {
    // The document keeps the last type of a name and drops the others without a word.
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for crate_name in crate::architecture::crate_names() {
        crate::architecture::each_source(&crate_name, |path, text| {
            for name in schema_names(text) {
                found.entry(name).or_default().push(path.display().to_string());
            }
        });
    }
    assert!(found.len() > 400, "the sources are read: {}", found.len());
    let twice: Vec<_> = found.iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}

//! Each reference in a request: another tenant's private record is refused with the answer of one that is not there.
//!
//! The fields are read from the code: the sheets of all kinds, the fields of a parcours, and every property of a request
//! body of the contract that is an identifier. One that is not tried here fails.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Method;
use domain::parcours::Sheet as ParcoursSheet;
use domain::record::{Kind, Rule, Sheet};
use domain::{Capability, Role};
use macros::app_test;
use serde_json::{Map, Value, json};
use store::record::Record;
use testkit::{Client, Reply, TestApp};

use crate::contract::operations;
use crate::parcours_kit::made;
use crate::rows_references::{IDENTIFIERS, Identifier, Request, Tried};

/// A number that no record has.
const NOBODY: i64 = 987_654_321;

/// The fields of a kind, and a new one as JSON.
fn sheet_of(kind: Kind) -> (&'static [(&'static str, Rule)], Value) {
    fn of<R: Record>() -> (&'static [(&'static str, Rule)], Value) {
        (R::Sheet::FIELDS, serde_json::to_value(R::Sheet::default()).unwrap())
    }
    match kind {
        Kind::Parcours => (ParcoursSheet::FIELDS, serde_json::to_value(ParcoursSheet::default()).unwrap()),
        Kind::Poi => of::<store::poi::Pois>(),
        Kind::Media => of::<store::media::Medias>(),
        Kind::TransportLine => of::<store::transport_line::TransportLines>(),
        Kind::WhiteLabel => of::<store::white_label::WhiteLabels>(),
        Kind::Structure => of::<store::structure::Structures>(),
        Kind::Contact => of::<store::contact::Contacts>(),
        Kind::User => of::<store::user::Users>(),
        Kind::Itinerary => of::<store::itinerary::Itineraries>(),
        Kind::Vocabulary => of::<store::vocabulary::Terms>(),
        Kind::Closure => of::<store::closure::Closures>(),
        Kind::ProviderLink => of::<store::provider_link::ProviderLinks>(),
        Kind::SurveyCampaign => of::<store::survey_campaign::SurveyCampaigns>(),
        Kind::ImportSource => of::<store::imports::ImportSources>(),
        Kind::SitSource => of::<store::sit::SitSources>(),
        Kind::TransportFeed => of::<store::transit::TransportFeeds>(),
        Kind::Translator => of::<store::translation::Translators>(),
    }
}

/// What points to other records: kind, field, and the kind it points to.
fn pointing_fields() -> Vec<(Kind, &'static str, Kind)> {
    let mut found = Vec::new();
    for kind in Kind::ALL {
        let fields = sheet_of(*kind).0.iter();
        found.extend(fields.filter_map(|(name, rule)| Some((*kind, *name, rule.shape.target()?.kind))));
    }
    // Steps point to practices and to lines, which every user reads.
    found.push((Kind::Parcours, "steps", Kind::TransportLine));
    found
}

/// Whether records of a kind are no tenant's secret: then any of them may be pointed to.
fn is_for_all(kind: Kind) -> bool {
    // Reference data, managed by superadmins, is read by every user; lines and closures have an owner, and every user reads them.
    let read_by_all = [Kind::Vocabulary, Kind::Itinerary, Kind::Translator, Kind::TransportLine, Kind::Closure];
    read_by_all.contains(&kind)
}

/// Whether only superadmins do something: to them nothing is foreign.
fn is_for_superadmins(needed: Capability) -> bool {
    !Role::Admin.can(needed)
}

/// Where records of a kind are.
fn base(kind: Kind) -> &'static str {
    match kind {
        Kind::Parcours => "/api/v1/parcours",
        Kind::Poi => "/api/v1/pois",
        Kind::Media => "/api/v1/medias",
        Kind::TransportLine => "/api/v1/transport-lines",
        Kind::WhiteLabel => "/api/v1/white-labels",
        Kind::Structure => "/api/v1/structures",
        Kind::Contact => "/api/v1/contacts",
        Kind::User => "/api/v1/users",
        Kind::Itinerary => "/api/v1/itineraries",
        Kind::Vocabulary => "/api/v1/vocabularies/{kind}",
        Kind::Closure => "/api/v1/closures",
        Kind::ProviderLink => "/api/v1/provider-links",
        Kind::SurveyCampaign => "/api/v1/survey-campaigns",
        Kind::ImportSource => "/api/v1/import-sources",
        Kind::SitSource => "/api/v1/sit-sources",
        Kind::TransportFeed => "/api/v1/transport-feeds",
        Kind::Translator => "/api/v1/translators",
    }
}

/// What a new record of a kind must have.
fn least(kind: Kind) -> Value {
    let line = json!({"type": "LineString", "coordinates": [[4.0, 47.0], [4.01, 47.0]]});
    match kind {
        Kind::Parcours => json!({"title": {"fr": "Tour"}}),
        Kind::Poi => json!({"title": {"fr": "Lac"}, "location": [4.0, 47.0]}),
        Kind::TransportLine => json!({"long_name": "Autun"}),
        Kind::Contact => json!({"last_name": "Roux", "email": format!("roux{}@x.example", fresh())}),
        Kind::User => json!({"last_name": "Roux", "email": format!("roux{}@x.example", fresh()), "role": "admin"}),
        Kind::Closure => json!({"title": {"fr": "Travaux"}, "from": "2026-01-01", "geometry": line}),
        Kind::ProviderLink => json!({"name": "Hôtel du Lac", "location": [4.0, 47.0]}),
        Kind::SurveyCampaign => json!({"name": "Récolement", "starts_on": "2027-03-01"}),
        Kind::TransportFeed => json!({"name": "Réseau", "url": "https://x.example/gtfs.zip"}),
        Kind::SitSource => json!({"name": "Cirkwi", "kind": "cirkwi"}),
        Kind::ImportSource => json!({"name": "Parc", "kind": "files", "url": "https://x.example/a.gpx"}),
        other => panic!("{other:?} is not made with a form by an administrator"),
    }
}

fn fresh() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A private record of a white-label, or of its structure.
async fn private(app: &TestApp, kind: Kind, white_label: &str) -> i64 {
    let of = |role| async move { app.user(role, white_label).await.0 };
    let id = |reply: Reply| reply.expect(201).json()["id"].as_i64().unwrap();
    match kind {
        Kind::Poi => app.poi().owned_by(white_label).insert().await.id,
        Kind::Media => app.media().owned_by(white_label).insert().await.id,
        Kind::WhiteLabel => app.white_label(white_label).await.0,
        Kind::Structure => {
            if white_label == "vercors" {
                2
            } else {
                1
            }
        }
        Kind::User => of(Role::Editor).await,
        kind => id(app.admin_of(white_label).post(base(kind), least(kind)).await),
    }
}

/// The value of a field that points to one record: a number, a list, or what the field holds.
fn filled(empty: &Value, field: &str, id: i64) -> Value {
    match (field, empty) {
        ("fonts", _) => json!({"title_media_id": id}),
        ("conditions", _) => json!([{"white_label_id": id, "text": {"fr": "x"}}]),
        ("stretches", _) => json!([{"parcours_id": id}]),
        ("special_levels", _) => json!({"effort": id}),
        (_, Value::Array(_)) => json!([id]),
        (_, Value::Null | Value::Number(_)) => json!(id),
        other => panic!("say how {other:?} points to something"),
    }
}

/// An answer without the number that was asked with.
fn answer_without_id(reply: &Reply, id: i64) -> (u16, Value) {
    fn without(value: Value, id: i64) -> Value {
        match value {
            Value::Number(number) if number.as_i64() == Some(id) => json!("the number"),
            Value::Array(items) => items.into_iter().map(|item| without(item, id)).collect(),
            Value::Object(items) => {
                // The number of the request is each answer's own.
                let kept = items.into_iter().filter(|(name, _)| name != "request_id" && name != "instance");
                kept.map(|(name, value)| (name, without(value, id))).collect::<Map<_, _>>().into()
            }
            Value::String(words) => json!(words.replace(&id.to_string(), "the number")),
            other => other,
        }
    }
    let body = serde_json::from_slice(&reply.bytes).unwrap_or(Value::Null);
    (reply.status.as_u16(), without(body, id))
}

/// Sends the same with the number of a foreign record and with one that no record has: the answers must not differ. Gives
/// the one for the foreign record.
async fn same_answer(
    by: &Client,
    verb: &str,
    path: &str,
    body: impl Fn(i64) -> Value,
    foreign: i64,
) -> Result<Reply, String> {
    let mut answers = Vec::new();
    for id in [foreign, NOBODY] {
        let path = path.replace("{ID}", &id.to_string());
        let sent = body(id);
        let (content_type, bytes) = match &sent {
            Value::Null => (None, Body::empty()),
            sent => (Some("application/json"), Body::from(sent.to_string())),
        };
        let verb = Method::from_bytes(verb.as_bytes()).unwrap();
        answers.push((by.clone().with("if-match", "*").send(verb, &path, content_type, bytes).await, id));
    }
    let [(theirs, foreign), (nobodys, _)] = answers.try_into().unwrap();
    let (one, other) = (answer_without_id(&theirs, foreign), answer_without_id(&nobodys, NOBODY));
    if one == other { Ok(theirs) } else { Err(format!("{verb} {path}: {one:?} is not {other:?}")) }
}

/// Whether an answer says that a field points to something unknown, and nothing else of that field.
fn is_unknown(reply: &Reply, field: &str) -> bool {
    let body: Value = serde_json::from_slice(&reply.bytes).unwrap_or_default();
    let mut found = body["errors"].as_array().cloned().unwrap_or_default();
    found.retain(|fault| fault["field"].as_str().is_some_and(|at| at.split('/').nth(1) == Some(field)));
    reply.status == 422
        && !found.is_empty()
        && found.iter().all(|fault| fault["code"] == "validation/unknown-reference")
}

#[app_test]
async fn no_field_points_to_a_private_record_of_another_tenant(app: TestApp) {
    let admin = app.admin_of("morvan");
    let mut wrong = Vec::new();
    let mut tried = 0;
    for (kind, field, to) in pointing_fields() {
        if is_for_all(to) || is_for_superadmins(kind.needed_to_change()) {
            continue;
        }
        let foreign = private(&app, to, "vercors").await;
        let empty = sheet_of(kind).1[field].clone();
        let own = format!("{}/{}", base(kind), private(&app, kind, "morvan").await);
        let mut requests = vec![("PATCH", own, json!({}))];
        if kind != Kind::Media && !is_for_superadmins(kind.needed_to_make()) {
            requests.push(("POST", base(kind).to_owned(), least(kind)));
        }
        for (verb, path, body) in requests {
            let body = |id| {
                let mut body = body.clone();
                if field == "parent_id" {
                    body["relation"] = json!("child");
                }
                body[field] = filled(&empty, field, id);
                body
            };
            tried += 1;
            match same_answer(&admin, verb, &path, body, foreign).await {
                Ok(reply) if is_unknown(&reply, field) => {}
                Ok(reply) => wrong.push(format!("{verb} {path} {field}: {} {}", reply.status, reply.text())),
                Err(difference) => wrong.push(difference),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(tried > 30, "only {tried} requests were sent");
}

#[app_test]
async fn nothing_is_replaced_by_a_private_record_of_another_tenant(app: TestApp) {
    let admin = app.admin_of("morvan");
    let contract = serde_json::to_value(api::openapi()).unwrap();
    let mut wrong = Vec::new();
    let mut tried = Vec::new();
    for (_, path, operation) in operations(&contract) {
        let names = operation["parameters"].as_array().into_iter().flatten().map(|one| &one["name"]);
        if !names.into_iter().any(|name| name == "replace_by") {
            continue;
        }
        let kind = Kind::ALL.iter().copied().find(|kind| format!("{}/{{id}}", base(*kind)) == path);
        let kind = kind.unwrap_or_else(|| panic!("{path} is of no kind"));
        let needed = operation["security"][0]["session"][0].as_str().unwrap();
        let needed = Capability::ALL.into_iter().find(|one| one.as_str() == needed).unwrap();
        if is_for_all(kind) || is_for_superadmins(needed) {
            continue;
        }
        let foreign = private(&app, kind, "vercors").await;
        let own = format!("{}/{}?replace_by={{ID}}", base(kind), private(&app, kind, "morvan").await);
        match same_answer(&admin, "DELETE", &own, |_| Value::Null, foreign).await {
            Ok(reply) if is_unknown(&reply, "replace_by") => tried.push(kind),
            Ok(reply) => wrong.push(format!("{own}: {} {}", reply.status, reply.text())),
            Err(difference) => wrong.push(difference),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for kind in [Kind::Poi, Kind::Media, Kind::Contact, Kind::User, Kind::ProviderLink] {
        assert!(tried.contains(&kind), "{kind:?} was not tried");
    }
}

/// Whether a name is that of one or several numbers of records.
fn is_identifier(name: &str) -> bool {
    ["id", "ids", "replace_by"].contains(&name) || name.ends_with("_id") || name.ends_with("_ids")
}

/// The properties of a schema that are identifiers, each by its path.
fn identifiers(schema: &Value, contract: &Value, at: &str, above: &[String], found: &mut BTreeSet<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap().to_owned();
        if !above.contains(&name) {
            let above: Vec<String> = above.iter().cloned().chain([name.clone()]).collect();
            identifiers(&contract["components"]["schemas"][&name], contract, at, &above, found);
        }
        return;
    }
    for several in ["allOf", "oneOf", "anyOf"] {
        for one in schema[several].as_array().into_iter().flatten() {
            identifiers(one, contract, at, above, found);
        }
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{at}/{name}");
        if is_identifier(name) {
            found.insert(path.clone());
        }
        identifiers(property, contract, &path, above, found);
    }
    if schema["items"].is_object() {
        identifiers(&schema["items"], contract, &format!("{at}/[]"), above, found);
    }
}

#[test]
fn every_identifier_of_a_request_body_is_tried() {
    let contract = serde_json::to_value(api::openapi()).unwrap();
    let fields = pointing_fields();
    let mut untried = Vec::new();
    let mut named = BTreeSet::new();
    for (verb, path, operation) in operations(&contract) {
        let name = operation["operationId"].as_str().unwrap_or_default().to_owned();
        let mut found = BTreeSet::new();
        for (_, content) in operation["requestBody"]["content"].as_object().into_iter().flatten() {
            identifiers(&content["schema"], &contract, "", &[], &mut found);
        }
        // The filter of a list is not a reference; an identifier in a change is one.
        for parameter in operation["parameters"].as_array().into_iter().flatten().filter(|_| verb != "GET") {
            let asked = parameter["name"].as_str().unwrap_or_default();
            if parameter["in"] == "query" && asked != "replace_by" && is_identifier(asked) {
                found.insert(format!("?{asked}"));
            }
        }
        // The form of a record: its fields are tried one by one.
        let kind = Kind::ALL.iter().copied().find(|kind| {
            (verb == "POST" && path == base(*kind)) || (verb == "PATCH" && path == format!("{}/{{id}}", base(*kind)))
        });
        for property in found {
            let top = property.split('/').nth(1).unwrap_or_default();
            let is_field = kind.is_some_and(|kind| fields.iter().any(|(of, field, _)| *of == kind && *field == top));
            let is_told = IDENTIFIERS.iter().any(|one| one.operation == name && one.property == property);
            if !is_field && !is_told {
                untried.push(format!("{name} {property}"));
            }
            named.insert((name.clone(), property));
        }
    }
    let is_named = |one: &Identifier| {
        // A value of a bulk action is what the action takes: the contract gives it no type.
        one.property == "/value" || named.contains(&(one.operation.to_owned(), one.property.to_owned()))
    };
    let stale: Vec<_> =
        IDENTIFIERS.iter().filter(|one| !is_named(one)).map(|one| (one.operation, one.property)).collect();
    for Identifier { operation, property, tried } in IDENTIFIERS {
        assert!(!matches!(tried, Tried::Open("")), "{operation} {property} needs a reason");
    }
    assert!(untried.is_empty() && stale.is_empty(), "not tried: {untried:#?}\nnot in the contract: {stale:#?}");
}

#[app_test]
async fn no_other_identifier_leads_to_a_private_record_of_another_tenant(app: TestApp) {
    let editor = app.editor_of("morvan");
    let mut wrong = Vec::new();
    for Identifier { operation, property, tried } in IDENTIFIERS {
        let Tried::Sent(Request { to, verb, path, body }) = tried else { continue };
        let foreign = private(&app, *to, "vercors").await;
        let parcours = made(&editor, "Tour", json!({})).await["id"].to_string();
        let poi = app.poi().insert().await.id.to_string();
        let path =
            crate::rows_sit::with_records(&app, path).await.replace("{parcours}", &parcours).replace("{poi}", &poi);
        let path = crate::rows_parcours::with_records(&app, &path).await;
        let body = |id: i64| {
            let text = body.replace("\"ID\"", &id.to_string()).replace("\"{parcours}\"", &parcours);
            let mut body: Value = serde_json::from_str(&text).unwrap();
            // A filter names its records as a list does, in words.
            if let Some(ids) = body.pointer_mut("/filter/ids") {
                *ids = json!(id.to_string());
            }
            body
        };
        let by = match () {
            () if path.starts_with("/api/public/") => app.anonymous(),
            // An editor is refused before the field is read.
            () if operation.ends_with("client_file") || property.starts_with("/client_file/") => {
                app.agency_of("morvan")
            }
            () => editor.clone(),
        };
        match same_answer(&by, verb, &path, body, foreign).await {
            // The request itself must be one the server reads.
            Ok(reply) if reply.text().contains("request/bad") => {
                wrong.push(format!("{operation} {property}: {}", reply.text()));
            }
            Ok(_) => {}
            Err(difference) => wrong.push(format!("{operation} {property}: {difference}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

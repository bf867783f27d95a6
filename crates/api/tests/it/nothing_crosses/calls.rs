//! The requests: each operation of the contract, with the numbers of the private tenant's records and of the asker's own
//! in its path, and values that could find something in its query and its body.

use std::collections::BTreeSet;
use std::fmt;

use axum::body::Body;
use axum::http::Method;
use serde_json::{Map, Value, json};
use testkit::{Client, Reply};

use super::answers::PREFIX;
use super::fill::{body_of, is_a, resolved};
use super::world::World;
use crate::contract::operations;

/// Requests that are made together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Operations that change nothing.
    Reads,
    /// Requests that change something.
    Writes,
    /// Requests that delete; those that end sessions come last.
    Deletions,
}

/// What opens the address of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenedBy {
    /// The session, or the API key where one is sent; pages for visitors are open to all.
    Person,
    /// An API key: without one the request is refused before its query is read.
    ApiKey,
    /// The key of pages that the address names. Whatever else is sent is not looked at.
    KeyInAddress,
}

/// A request.
#[derive(Debug, Clone)]
pub struct Call {
    method: Method,
    path: String,
    body: Option<String>,
    content_type: Option<&'static str>,
    /// Whether it has nothing in its query beyond what must be there.
    pub is_plain: bool,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.method, self.path, self.body.as_deref().unwrap_or_default())
    }
}

impl Call {
    /// Whether it asks for client files: for their list, for one of them, or for its roadbook.
    pub fn asks_for_client_files(&self) -> bool {
        self.path.contains("/client-files") || self.path.contains("client_file=")
    }

    /// What opens its address.
    pub fn opened_by(&self) -> OpenedBy {
        if self.path.starts_with("/k/") {
            OpenedBy::KeyInAddress
        } else if self.path.starts_with("/api/v2/") && !self.path.contains("key=") {
            OpenedBy::ApiKey
        } else {
            OpenedBy::Person
        }
    }

    /// Sends it over any version.
    pub async fn send(&self, by: &Client) -> Reply {
        let body = Body::from(self.body.clone().unwrap_or_default());
        let by = by.clone().with("if-match", "*").with("tus-resumable", "1.0.0");
        by.send(self.method.clone(), &self.path, self.content_type, body).await
    }
}

/// Files that paths end in.
const FILES: [&str; 12] = [
    "trace.gpx",
    "trace.kml",
    "trace.geojson",
    "trace.tcx",
    "roadbook.pdf",
    "card.jpg",
    "cover",
    "pack.zip",
    "schema-randonnee.geojson",
    "datatourisme.jsonld",
    "cirkwi.xml",
    "cirkwi-pois.xml",
];
const ENDPOINTS: [&str; 18] = [
    "trek",
    "tour",
    "poi",
    "poi_type",
    "theme",
    "trek_difficulty",
    "trek_practice",
    "trek_route",
    "trek_network",
    "trek_rating",
    "label",
    "source",
    "structure",
    "informationdesk",
    "touristiccontent",
    "touristiccontent_category",
    "portal",
    "service",
];

/// The requests of a phase, in the order of the contract.
pub fn of(world: &World, phase: Phase) -> Vec<Call> {
    let mut found = Vec::new();
    let mut last = Vec::new();
    for (verb, template, operation) in operations(&world.contract) {
        if phase_of(&verb, &template) != phase {
            continue;
        }
        let calls = calls(world, &verb, &template, &operation);
        let ends = template.starts_with("/api/v1/session") || template.starts_with("/api/v1/me");
        if ends { last.extend(calls) } else { found.extend(calls) }
    }
    found.extend(last);
    found
}

/// Which phase an operation belongs to: a question that is put by POST changes nothing.
fn phase_of(verb: &str, template: &str) -> Phase {
    let is_question =
        ["/planner/", "/presence", "/inspections", "/preview", "/pdf", "/translations", "/assistant/texts"]
            .iter()
            .any(|part| template.contains(part) && !template.contains("/watch"));
    match verb {
        "GET" | "HEAD" | "OPTIONS" => Phase::Reads,
        "POST" if is_question => Phase::Reads,
        "DELETE" => Phase::Deletions,
        _ => Phase::Writes,
    }
}

fn calls(world: &World, verb: &str, template: &str, operation: &Value) -> Vec<Call> {
    let paths = paths(world, template);
    let queries = queries(world, template, operation);
    let bodies = bodies(world, verb, operation, template);
    let method = Method::from_bytes(verb.as_bytes()).unwrap();
    let content_type = content_type(operation, &bodies);
    let mut found = Vec::new();
    for path in &paths {
        for (at, query) in queries.iter().enumerate() {
            // Every body with the plain query, every query with the first body.
            let some = if at == 0 { &bodies[..] } else { &bodies[..1] };
            for body in some {
                let path = if query.is_empty() { path.clone() } else { format!("{path}?{query}") };
                let (method, body) = (method.clone(), body.clone());
                found.push(Call { method, path, body, content_type, is_plain: at == 0 });
            }
        }
    }
    found
}

fn content_type(operation: &Value, bodies: &[Option<String>]) -> Option<&'static str> {
    let content = operation["requestBody"]["content"].as_object();
    match content.and_then(|content| content.keys().next()).map(String::as_str) {
        Some("application/octet-stream") => Some("application/octet-stream"),
        Some("application/offset+octet-stream") => Some("application/offset+octet-stream"),
        Some("text/csv") => Some("text/csv"),
        _ => bodies[0].as_ref().map(|_| "application/json"),
    }
}

/// The paths of a template, each with other values.
fn paths(world: &World, template: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for segment in template.split('/').skip(1) {
        let mut next = Vec::new();
        for start in &found {
            for value in segments(world, template, start, segment) {
                next.push(format!("{start}/{value}"));
            }
        }
        found = next;
    }
    found
}

/// The values of one segment; `start` is the path before it.
fn segments(world: &World, template: &str, start: &str, segment: &str) -> Vec<String> {
    let Some(open) = segment.find('{') else { return vec![segment.to_owned()] };
    let close = segment.find('}').unwrap();
    let values = values(world, template, start, &segment[open + 1..close]);
    values.into_iter().map(|value| format!("{}{value}{}", &segment[..open], &segment[close + 1..])).collect()
}

/// Words of kinds in paths, and the segment under which their records are.
const KINDS: [(&str, &str); 18] = [
    ("parcours", "parcours"),
    ("poi", "pois"),
    ("media", "medias"),
    ("transport_line", "transport-lines"),
    ("white_label", "white-labels"),
    ("structure", "structures"),
    ("contact", "contacts"),
    ("user", "users"),
    ("itinerary", "itineraries"),
    ("vocabulary", "tag"),
    ("closure", "closures"),
    ("provider_link", "provider-links"),
    ("survey_campaign", "survey-campaigns"),
    ("import_source", "import-sources"),
    ("sit_source", "sit-sources"),
    ("transport_feed", "transport-feeds"),
    ("translator", "translators"),
    // `tokens` are those of shares, in the stored layouts too.
    ("tokens", "personal-tokens"),
];

fn values(world: &World, template: &str, start: &str, name: &str) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let numbers = |segment: &str| {
        let ids = world.ids(segment);
        ids.unwrap_or_else(|| panic!("{template}: no record is known for `{segment}`")).to_vec()
    };
    let before = start.rsplit('/').next().unwrap_or_default();
    match name {
        "kind" if template.contains("/vocabularies/") => words(&["tag"]),
        "kind" if template.contains("/assistant/") => words(&["parcours", "media"]),
        "kind" if template.contains("/tables/") => words(&["pois", "contacts", "medias", "transport-lines"]),
        "kind" => words(&["parcours", "poi", "media"]),
        "id" | "share_id" | "review_id" | "report_id" => match KINDS.iter().find(|(kind, _)| *kind == before) {
            Some((_, segment)) => numbers(segment),
            None if start.ends_with("/watch/changes") => words(&["1"]),
            None if start.starts_with("/builds") => words(&["dev"]),
            None if start.contains("/api/v2/") => numbers(if before.contains("trek") { "parcours" } else { "pois" }),
            // Layouts of versions before 81 have no entries, those before 90 no campaigns.
            None if ["entries", "survey-campaigns"].contains(&before) => world.ids(before).unwrap_or_default().to_vec(),
            None => numbers(before),
        },
        "key" => world.page_keys.clone(),
        "child_id" => numbers("parcours"),
        "proposal_id" => numbers("proposals"),
        "file_id" => numbers("client-files"),
        "closure_id" => numbers("closures"),
        "stretch" => words(&["0"]),
        "white_label_id" => numbers("white-labels"),
        "version" => words(&["1", "2"]),
        "language" => words(&["fr"]),
        "token" if template.contains("/uploads/") => numbers("uploads"),
        "token" => numbers("tokens"),
        "page" if template.contains("/chez/") => numbers("provider-links").iter().map(|id| format!("x-{id}")).collect(),
        "page" => numbers("parcours").iter().map(|id| format!("x-{id}")).collect(),
        "file" => words(&FILES),
        "endpoint" => words(&ENDPOINTS),
        "variant" => words(&["original", "thumb", "file", "w320", "poster"]),
        "slug" => words(&["se-connecter"]),
        "style" => words(&["style-light.json"]),
        "z" | "x" => words(&["1"]),
        "y" => words(&["0.mvt"]),
        "fontstack" => words(&["Noto%20Sans%20Regular"]),
        "range" => words(&["0-255.pbf"]),
        _ => panic!("{template}: the values of `{name}` are not known; add them here"),
    }
}

/// Whether the contract has the same address without the slash at its end. One handler answers both: the queries are tried at the other one.
fn is_with_slash(world: &World, template: &str) -> bool {
    template.strip_suffix('/').is_some_and(|without| world.contract["paths"][without].is_object())
}

/// The queries of an operation: what must be there alone, then each parameter with each of its values.
fn queries(world: &World, template: &str, operation: &Value) -> Vec<String> {
    if template == "/api/v1/impact" {
        let of = |(kind, segment): &(&str, &str)| {
            let ids = world.ids(segment).unwrap_or_default().to_vec();
            let kind = (*kind).to_owned();
            ids.into_iter().map(move |id| format!("kind={kind}&id={id}&action=delete"))
        };
        return KINDS.iter().flat_map(of).collect();
    }
    let parameters: Vec<&Value> =
        operation["parameters"].as_array().into_iter().flatten().filter(|one| one["in"] == "query").collect();
    let pair = |one: &Value, value: &str| format!("{}={value}", one["name"].as_str().unwrap());
    let mut must: Vec<String> = Vec::new();
    for one in parameters.iter().filter(|one| one["required"] == true) {
        must.push(pair(one, &tried(world, one)[0]));
    }
    let must = must.join("&");
    if is_with_slash(world, template) {
        return vec![must];
    }
    let mut found = vec![must.clone()];
    for one in parameters {
        for value in tried(world, one) {
            let asked = pair(one, &value);
            found.push(if must.is_empty() { asked } else { format!("{must}&{asked}") });
        }
    }
    found
}

/// Values of a parameter that could bring something.
fn tried(world: &World, parameter: &Value) -> Vec<String> {
    let schema = resolved(&world.contract, &parameter["schema"]);
    let all = |segment: &str| world.ids(segment).unwrap_or_default().to_vec();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    if let Some(options) = schema["enum"].as_array() {
        return options.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect();
    }
    match parameter["name"].as_str().unwrap_or_default() {
        "resource" => words(&["pois"]),
        "progress" => words(&["any"]),
        "owner" => words(&["all", "mine", "shared"]),
        "bbox" | "in_bbox" => words(&["3,46,5,48"]),
        "near_parcours" | "parcours" | "parcours_id" | "trek" | "near_trek" => all("parcours"),
        "poi" => all("pois"),
        "white_label" | "white_label_id" | "portals" => all("white-labels"),
        "structure" | "structures" => all("structures"),
        "source" => [all("import-sources"), all("sit-sources")].concat(),
        "route" => words(&["R12"]),
        "chez" => all("provider-links"),
        "client_file" => all("client-files"),
        "by" => words(&["parcours", "white_label", "source", "country", "language", "referrer"]),
        "ids" => {
            vec![["parcours", "pois", "medias", "contacts", "users", "provider-links"].map(all).concat().join(",")]
        }
        "per_page" | "page_size" => words(&["200"]),
        "sort" => words(&["title", "updated_at", "id"]),
        "language" | "lang" => words(&["fr"]),
        "format" => words(&["geojson", "jsonld"]),
        "show" => words(&["list", "map"]),
        "updated_after" | "since" | "from" => words(&["2020-01-01"]),
        "key" => vec![world.key.clone()],
        _ if is_a(schema, "boolean") => words(&["true", "false"]),
        _ if is_a(schema, "integer") || is_a(schema, "number") => words(&["1"]),
        _ => words(&[PREFIX]),
    }
}

/// The bodies of an operation: what must be there, all there is, and what its schema does not say.
fn bodies(world: &World, verb: &str, operation: &Value, template: &str) -> Vec<Option<String>> {
    if !["POST", "PUT", "PATCH"].contains(&verb) {
        return vec![None];
    }
    let content = &operation["requestBody"]["content"];
    if template == "/api/v1/tables/{kind}" {
        // A table that names every record there is.
        let lists = ["pois", "contacts", "medias", "transport-lines"];
        let ids: BTreeSet<&String> = lists.iter().flat_map(|list| world.ids(list).unwrap_or_default()).collect();
        let rows: String = ids.iter().map(|id| format!("{id};Le mien;Le mien;Le mien;Le mien\n")).collect();
        return vec![Some(format!("id;title_fr;last_name;long_name;legend_fr\n{rows}"))];
    }
    if ["application/octet-stream", "application/offset+octet-stream", "text/csv"]
        .iter()
        .any(|kind| content[*kind].is_object())
        && !content["application/json"].is_object()
    {
        return vec![Some("0".to_owned())];
    }
    let mut found: Vec<Option<String>> = Vec::new();
    if let Some(schema) = body_of(&world.contract, operation) {
        let choices = schema["oneOf"].as_array().cloned().unwrap_or_else(|| vec![schema.clone()]);
        for choice in &choices {
            for turn in 0..2 {
                found.push(Some(sample(world, choice, "", turn, 0).to_string()));
            }
        }
    }
    found.extend(written(world, template).into_iter().map(|body| Some(body.to_string())));
    found.dedup();
    found
}

/// Bodies that need a meaning to find anything.
fn written(world: &World, template: &str) -> Vec<Value> {
    let numbers = |segment: &str| -> Vec<i64> {
        world.ids(segment).unwrap_or_default().iter().filter_map(|id| id.parse().ok()).collect()
    };
    let (parcours, pois, medias) = (numbers("parcours"), numbers("pois"), numbers("medias"));
    let each = |ids: &[i64], of: &dyn Fn(i64) -> Value| ids.iter().map(|id| of(*id)).collect::<Vec<_>>();
    match template {
        "/api/v1/parcours/bulk" => vec![
            json!({"ids": parcours, "action": "publish", "dry_run": true}),
            json!({"filter": {"search": PREFIX}, "action": "publish", "dry_run": true}),
        ],
        "/api/v1/pois/bulk" => vec![
            json!({"ids": pois, "action": "delete", "dry_run": true}),
            json!({"filter": {"search": PREFIX}, "action": "publish", "dry_run": true}),
        ],
        "/api/v1/medias/bulk" => vec![json!({"ids": medias, "action": "delete", "dry_run": true})],
        "/api/v1/translation-jobs" | "/api/v1/translation-jobs/estimate" => {
            vec![json!({"kind": "parcours", "source": "fr", "target": "en", "ids": parcours})]
        }
        "/api/v1/roadbook-batches" => {
            let mut lists =
                vec![json!({"filter": {"progress": "any"}}), json!({"filter": {"progress": "any", "owner": "shared"}})];
            lists.extend(each(&parcours, &|id| json!({"client_files": {"parcours_id": id}})));
            lists
        }
        "/api/v1/translations" => {
            each(&parcours, &|id| json!({"kind": "parcours", "id": id, "source": "fr", "target": "en", "fields": {}}))
        }
        "/api/v1/assistant/texts" => each(
            &parcours,
            &|id| json!({"kind": "parcours", "id": id, "task": "summary", "field": "description", "language": "fr", "template": true}),
        ),
        "/api/v1/sit-records/{id}/poi" => each(&pois, &|id| json!({"poi_id": id})),
        "/api/v1/parcours/{id}/duplicate" => vec![json!({"title": "Copie"})],
        "/api/v1/parcours/{id}/shares" => vec![json!({"kind": "permanent"})],
        "/api/v1/parcours" | "/api/v1/parcours/{id}" => vec![
            json!({"title": {"fr": "Le mien"}, "poi_ids": pois, "media_ids": medias}),
            json!({"title": {"fr": "Le mien"}, "parent_id": parcours[0], "model_id": parcours[0]}),
            json!({"title": {"fr": "Le mien"}, "contact_id": numbers("contacts")[0], "itinerary_ids": numbers("itineraries")}),
        ],
        "/api/v1/pois" | "/api/v1/pois/{id}" => {
            vec![json!({"title": {"fr": "Le mien"}, "location": [4.0, 47.0], "media_ids": medias})]
        }
        _ => vec![json!({})],
    }
}

/// A value of a schema; fields that hold numbers of records get those of the private tenant.
fn sample(world: &World, schema: &Value, name: &str, turn: usize, depth: usize) -> Value {
    let nullable = is_a(schema, "null");
    let schema = resolved(&world.contract, schema);
    if depth > 4 || (nullable && turn == 0 && depth > 0) {
        return Value::Null;
    }
    if let Some(options) = schema["enum"].as_array() {
        return options[turn.min(options.len() - 1)].clone();
    }
    if let Some(fields) = schema["properties"].as_object() {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut object = Map::new();
        for (name, field) in fields.iter().filter(|(name, _)| turn > 0 || required.contains(&name.as_str())) {
            object.insert(name.clone(), sample(world, field, name, turn, depth + 1));
        }
        return Value::Object(object);
    }
    match () {
        () if is_a(schema, "array") => {
            if name == "location" || name == "position" {
                return json!([4.0, 47.0]);
            }
            json!([sample(world, &schema["items"], name, turn, depth + 1)])
        }
        () if is_a(schema, "integer") => json!(number(world, name)),
        () if is_a(schema, "number") => json!(1.0),
        () if is_a(schema, "boolean") => json!(turn > 0),
        () if is_a(schema, "object") && schema["description"].as_str().unwrap_or_default().contains("translated") => {
            json!({"fr": "Mot", "en": "Word"})
        }
        () if is_a(schema, "object") => json!({}),
        () if name.contains("email") => json!("mot@vercors.example"),
        () => json!("Mot"),
    }
}

/// The number of a private record that a field of this name could point to.
fn number(world: &World, name: &str) -> i64 {
    let segment = match name.trim_end_matches("_ids").trim_end_matches("_id") {
        "media" | "logo_media" | "pdf_logo_media" | "audio_main_media" | "transition_media" => "medias",
        "poi" => "pois",
        "contact" => "contacts",
        "white_label" | "active_white_label" => "white-labels",
        "structure" => "structures",
        "itinerary" => "itineraries",
        "line" => "transport-lines",
        "parcours" | "parent" | "model" | "into" | "id" | "ids" => "parcours",
        _ => return 1,
    };
    world.ids(segment).and_then(|ids| ids.first()?.parse().ok()).unwrap_or(1)
}

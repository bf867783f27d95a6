//! The tools: what each is called, what it takes, which operations it asks.

use std::sync::Arc;

use app::App;
use app::extract::parse;
use app::problem::Internal;
use content::parcours::proposals::{Proposed, propose};
use domain::step::StepInput;
use domain::{Capability, ParcoursId, TokenScope};
use rmcp::handler::server::common::schema_for_type;
use rmcp::model::JsonObject;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::access::McpRefusal;
use super::arguments::{
    ById, ClosureArguments, ItineraryArguments, Nothing, ParcoursArguments, PoiArguments, RouteArguments,
    SearchArguments, StepArguments, TextArguments,
};
use super::caller::Caller;
use super::operations::{Operation, OperationRequest, Operations, get};
use super::refusal::Refused;

/// The most rows of a list in one answer.
const MAX_ROWS: u64 = 50;
const PARCOURS: &str = "/parcours";

/// A tool.
#[derive(Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does, for the assistant that chooses.
    pub description: &'static str,
    /// The scope that the token needs.
    pub scope: TokenScope,
    /// The capability that the person needs.
    pub capability: Capability,
    /// The operation it asks. None for a proposal, which is stored and changes nothing.
    pub operation: Option<Operation>,
    /// Where the application shows the records of the answer.
    folder: Option<&'static str>,
    schema: fn() -> Arc<JsonObject>,
}

impl Tool {
    /// The schema of its arguments.
    pub fn schema(&self) -> Arc<JsonObject> {
        (self.schema)()
    }

    const fn reads(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        operation: Operation,
        folder: Option<&'static str>,
        schema: fn() -> Arc<JsonObject>,
    ) -> Self {
        let (scope, capability) = (TokenScope::Read, Capability::ContentRead);
        Self { name, title, description, scope, capability, operation: Some(operation), folder, schema }
    }

    const fn proposes(
        name: &'static str,
        title: &'static str,
        description: &'static str,
        schema: fn() -> Arc<JsonObject>,
    ) -> Self {
        let (scope, capability) = (TokenScope::Propose, Capability::ContentWrite);
        Self { name, title, description, scope, capability, operation: None, folder: Some(PARCOURS), schema }
    }
}

/// Every tool.
pub static TOOLS: &[Tool] = &[
    Tool::reads(
        "search",
        "Search",
        "Searches the parcours (cycling and hiking routes), points of interest, media, closures, itineraries, contacts and structures that \
         the person sees. Gives the first five of each kind, with their address in the back-office.",
        get("/api/v1/search"),
        None,
        schema_for_type::<SearchArguments>,
    ),
    Tool::reads(
        "list_parcours",
        "List parcours",
        "Lists parcours of the person's active white-label and those that others share, with filters. Distances are in metres, durations in \
         seconds, reliability in per cent.",
        get("/api/v1/parcours"),
        Some(PARCOURS),
        schema_for_type::<ParcoursArguments>,
    ),
    Tool::reads(
        "get_parcours",
        "Read a parcours",
        "Reads the sheet of one parcours: texts by language, steps, trace in figures, closures, passport.",
        get("/api/v1/parcours/{id}"),
        Some(PARCOURS),
        schema_for_type::<ById>,
    ),
    Tool::reads(
        "list_pois",
        "List points of interest",
        "Lists points of interest, also those near the line of a parcours.",
        get("/api/v1/pois"),
        Some("/pois"),
        schema_for_type::<PoiArguments>,
    ),
    Tool::reads(
        "get_poi",
        "Read a point of interest",
        "Reads one point of interest.",
        get("/api/v1/pois/{id}"),
        Some("/pois"),
        schema_for_type::<ById>,
    ),
    Tool::reads(
        "list_closures",
        "List closures",
        "Lists closed areas and stretches, today, later or past.",
        get("/api/v1/closures"),
        Some("/fermetures"),
        schema_for_type::<ClosureArguments>,
    ),
    Tool::reads(
        "get_closure",
        "Read a closure",
        "Reads one closure.",
        get("/api/v1/closures/{id}"),
        Some("/fermetures"),
        schema_for_type::<ById>,
    ),
    Tool::reads(
        "list_itineraries",
        "List itineraries",
        "Lists named long-distance ways, such as EuroVelo 6, which parcours follow.",
        get("/api/v1/itineraries"),
        Some("/settings/itineraires"),
        schema_for_type::<ItineraryArguments>,
    ),
    Tool::reads(
        "get_itinerary",
        "Read an itinerary",
        "Reads one itinerary.",
        get("/api/v1/itineraries/{id}"),
        Some("/settings/itineraires"),
        schema_for_type::<ById>,
    ),
    Tool::reads(
        "plan_route",
        "Plan a route",
        "Plans the best way through points on the network of this server: length, climb, duration, surfaces, kinds of way and turn-by-turn \
         instructions. Nothing is saved.",
        Operation { verb: "POST", path: "/api/v1/planner/route" },
        None,
        schema_for_type::<RouteArguments>,
    ),
    Tool::reads(
        "explain_reliability",
        "Explain a reliability",
        "Tells why a parcours has its reliability: the percentage, each stretch that does not follow known ways with its cause, and the \
         passport, which says for each output whether it is ready and what it lacks.",
        get("/api/v1/parcours/{id}"),
        Some(PARCOURS),
        schema_for_type::<ById>,
    ),
    Tool::reads(
        "list_attention",
        "What needs attention",
        "Tells what waits in the active white-label: how many parcours are drafts, to review, to fix, incomplete, of low reliability, with \
         reviews or field reports to read, and what was edited last.",
        get("/api/v1/dashboard"),
        None,
        schema_for_type::<Nothing>,
    ),
    Tool::reads(
        "list_proposals",
        "List proposals",
        "Lists what assistants proposed for a parcours, until it is accepted or refused.",
        get("/api/v1/parcours/{id}/proposals"),
        None,
        schema_for_type::<ById>,
    ),
    Tool::proposes(
        "propose_text",
        "Propose a text",
        "Proposes another text for a parcours of the person's white-labels. The parcours does not change: the proposal waits on its sheet \
         until a person accepts or refuses it.",
        schema_for_type::<TextArguments>,
    ),
    Tool::proposes(
        "propose_step",
        "Propose a step",
        "Proposes one more step for a parcours of the person's white-labels. The parcours does not change: the proposal waits on its sheet \
         until a person accepts or refuses it.",
        schema_for_type::<StepArguments>,
    ),
];

/// What a tool needs to run.
pub(super) struct Run<'a> {
    pub app: &'a App,
    pub operations: &'a Operations,
    pub caller: &'a Caller,
}

impl Run<'_> {
    /// Runs a tool.
    pub(super) async fn tool(&self, tool: &Tool, sent: JsonObject) -> Result<Value, Refused> {
        if !self.caller.scopes.contains(&tool.scope) {
            return Err(McpRefusal::Scope { scope: tool.scope.as_str() }.into());
        }
        if !self.caller.actor().can(tool.capability) {
            return Err(app::Rejection::Forbidden { capability: tool.capability.as_str() }.into());
        }
        let Some(operation) = tool.operation else { return self.store_proposal(tool, sent).await };
        let request = operation_request(tool.name, sent)?;
        let keeps_line = request.body.as_ref().is_some_and(|body| body["line"] == "polyline6");
        let mut answer = self.operations.call(self.caller, operation, request).await?;
        match tool.name {
            "plan_route" if keeps_line => remove_members(&mut answer, &["geometry"]),
            "plan_route" => remove_members(&mut answer, &["geometry", "polyline6"]),
            "explain_reliability" => answer = reliability(&answer),
            _ => {}
        }
        self.add_urls(tool, &mut answer);
        Ok(answer)
    }

    /// Stores a proposal.
    async fn store_proposal(&self, tool: &Tool, sent: JsonObject) -> Result<Value, Refused> {
        let (id, proposed, note) = if tool.name == "propose_text" {
            let TextArguments { id, field, language, text, note } = arguments(sent)?;
            (id, Proposed::Text { field, language, text }, note)
        } else {
            let StepArguments { id, kind, title, description, position, note } = arguments(sent)?;
            let step = json!({"kind": kind, "title": title, "description": description, "position": position});
            let step: StepInput = parse(step.to_string().as_bytes()).map_err(McpRefusal::from)?;
            (id, Proposed::Step(Box::new(step)), note)
        };
        let (actor, token) = (self.caller.actor(), self.caller.token_name.as_str());
        let kept = propose(self.app, actor, ParcoursId(id), token, (proposed, note)).await?;
        let kept = serde_json::to_value(&kept).map_err(|error| McpRefusal::Internal(Internal::new(error)))?;
        Ok(json!({"proposal": kept, "status": "waits for a person", "url": self.url(&format!("{PARCOURS}/{id}"))}))
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.app.settings.public_url)
    }

    /// Adds the address in the back-office to each record of an answer.
    fn add_urls(&self, tool: &Tool, answer: &mut Value) {
        for group in list(answer, "groups") {
            for hit in list(group, "items") {
                let url = hit["href"].as_str().map(|href| self.url(href));
                put_url(hit, url);
            }
        }
        for edit in list(answer, "latest") {
            let folder = match edit["kind"].as_str() {
                Some("parcours") => Some(PARCOURS),
                Some("poi") => Some("/pois"),
                _ => None,
            };
            let url = folder.and_then(|folder| self.page(folder, edit));
            put_url(edit, url);
        }
        for counted in answer.get_mut("waiting").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
            let url = counted["query"].as_str().map(|query| self.url(&format!("{PARCOURS}?{query}")));
            put_url(counted, url);
        }
        let Some(folder) = tool.folder else { return };
        let url = self.page(folder, answer);
        put_url(answer, url);
        for record in list(answer, "items") {
            let url = self.page(folder, record);
            put_url(record, url);
        }
    }

    /// The page of a record.
    fn page(&self, folder: &str, record: &Value) -> Option<String> {
        Some(self.url(&format!("{folder}/{}", record["id"].as_i64()?)))
    }
}

/// The items of a list in an answer; none where it has no such list.
fn list<'a>(of: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> + use<'a> {
    of.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

fn put_url(record: &mut Value, url: Option<String>) {
    if let (Some(record), Some(url)) = (record.as_object_mut(), url) {
        record.insert("url".to_owned(), url.into());
    }
}

/// The arguments of a tool, read as the body of a request is.
fn arguments<T: DeserializeOwned>(sent: JsonObject) -> Result<T, Refused> {
    Ok(parse(Value::Object(sent).to_string().as_bytes()).map_err(McpRefusal::from)?)
}

/// The request of a tool to its operation, from the arguments of the tool.
fn operation_request(name: &str, sent: JsonObject) -> Result<OperationRequest, Refused> {
    let listed = |query: Map<String, Value>| {
        Ok(OperationRequest { query: with_row_limit(query), ..OperationRequest::default() })
    };
    match name {
        "search" => {
            let asked: SearchArguments = arguments(sent)?;
            let mut query = written(&asked);
            query.retain(|name, _| name != "kinds" || !asked.kinds.is_empty());
            Ok(OperationRequest { query, ..OperationRequest::default() })
        }
        "list_parcours" => {
            let asked: ParcoursArguments = arguments(sent)?;
            let mut query = written(&asked);
            query.retain(|name, _| name != "lack" || !asked.lack.is_empty());
            listed(query)
        }
        "list_pois" => listed(written(&arguments::<PoiArguments>(sent)?)),
        "list_closures" => listed(written(&arguments::<ClosureArguments>(sent)?)),
        "list_itineraries" => listed(written(&arguments::<ItineraryArguments>(sent)?)),
        "plan_route" => {
            let RouteArguments { points, profile, month, with_line } = arguments(sent)?;
            // The line is not asked for as points: a polyline is a tenth as long.
            let line = if with_line { "polyline6" } else { "points" };
            let body = json!({"points": points, "profile": profile, "month": month, "line": line});
            Ok(OperationRequest { body: Some(body), ..OperationRequest::default() })
        }
        "list_attention" => {
            let Nothing {} = arguments(sent)?;
            Ok(OperationRequest::default())
        }
        _ => {
            let ById { id } = arguments(sent)?;
            Ok(OperationRequest { id: Some(id), ..OperationRequest::default() })
        }
    }
}

fn written(arguments: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(arguments) {
        Ok(Value::Object(members)) => members,
        // Arguments are objects.
        _ => Map::new(),
    }
}

/// Limits the page size of a list to the number of rows that an assistant reads.
fn with_row_limit(mut query: Map<String, Value>) -> Map<String, Value> {
    let asked = query.get("per_page").and_then(Value::as_u64);
    query.insert("per_page".to_owned(), asked.unwrap_or(25).clamp(1, MAX_ROWS).into());
    query
}

/// Removes members of a planned route: the lists of points that only a map needs.
fn remove_members(route: &mut Value, names: &[&str]) {
    if let Some(route) = route.as_object_mut() {
        for name in names {
            route.remove(*name);
        }
    }
}

/// What explains the reliability of a parcours, out of its sheet.
fn reliability(sheet: &Value) -> Value {
    let trace = &sheet["trace"];
    json!({
        "id": sheet["id"],
        "title": sheet["title"],
        "has_trace": !trace.is_null(),
        "reliability_state": trace["reliability_state"],
        "reliability": trace["reliability"],
        "mode": trace["mode"],
        "network_date": trace["data_date"],
        "passport": sheet["passport"],
    })
}

//! What assistants may do with a personal token: tools by role and scope, expiry of tokens, proposals.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use api::mcp::{CALLS_A_MINUTE, TOOLS, WRONG_TOKENS_A_MINUTE};
use axum::http::{HeaderName, HeaderValue};
use domain::{Capability, Role, TokenScope};
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, PASSWORD, TestApp};

use crate::audit::events;
use crate::mcp_kit::{Assistant, TOKENS, listing, proposing_token, raw, reading_token, token_response};
use crate::parcours_kit::{made, now, patch, path, published, shared, version, with_andorra};

/// Arguments of a tool for these records.
fn arguments(tool: &str, parcours: i64, [poi, closure, itinerary]: [i64; 3]) -> Value {
    match tool {
        "search" => json!({"q": "lac"}),
        "list_parcours" => json!({"progress": "any"}),
        "list_pois" | "list_closures" | "list_itineraries" | "list_attention" => json!({}),
        "get_poi" => json!({"id": poi}),
        "get_closure" => json!({"id": closure}),
        "get_itinerary" => json!({"id": itinerary}),
        "plan_route" => json!({"points": [[1.52, 42.5], [1.53, 42.51]], "profile": "hiking"}),
        "propose_text" => json!({"id": parcours, "field": "summary", "language": "fr", "text": "Un tour du lac."}),
        "propose_step" => {
            json!({"id": parcours, "kind": "advice", "title": {"fr": "La digue"}, "position": [4.0, 47.0]})
        }
        _ => json!({"id": parcours}),
    }
}

async fn closure_of(by: &Client) -> i64 {
    let area = json!({"type": "Polygon", "coordinates": [[[4.0, 47.0], [4.1, 47.0], [4.1, 47.1], [4.0, 47.0]]]});
    let closure = json!({"title": {"fr": "Chasse au lac"}, "kind": "hunting", "from": "2026-11-01", "to": null, "geometry": area});
    by.post("/api/v1/closures", closure).await.expect(201).json()["id"].as_i64().unwrap()
}

async fn itinerary_of(by: &Client) -> i64 {
    let itinerary = json!({"name": {"fr": "Tour du lac"}, "kind": "river", "code": "lac"});
    by.post("/api/v1/itineraries", itinerary).await.expect(201).json()["id"].as_i64().unwrap()
}

fn id(of: &Value) -> i64 {
    of["id"].as_i64().unwrap()
}

/// Whether a call was let in: it answered, or only the planner is missing in this test.
fn is_let_in(code: &str) -> bool {
    code.is_empty() || code.starts_with("planner/")
}

async fn code_of(assistant: &Assistant, tool: &str, arguments: Value) -> String {
    let result = assistant.call(tool, arguments).await.unwrap();
    let answer = result.structured_content.unwrap_or_default();
    if result.is_error == Some(true) { answer["code"].as_str().unwrap().to_owned() } else { String::new() }
}

#[app_test]
async fn an_assistant_finds_and_reads_what_its_person_sees_with_links(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Tour du lac des Settons", json!({})).await;
    let poi = app.poi().owned_by("morvan").titled("Belvédère du lac").insert().await;
    let assistant = Assistant::reading(&app, &editor).await;
    assert_eq!(assistant.server()["serverInfo"]["name"], "jalon");
    let found = assistant.ask("search", json!({"q": "lac", "kinds": ["parcours", "poi"]})).await;
    let urls: Vec<&str> =
        found["groups"].as_array().unwrap().iter().filter_map(|group| group["items"][0]["url"].as_str()).collect();
    let url = format!("http://localhost:8080/parcours/{}", parcours["id"]);
    assert_eq!(urls, [url.clone(), format!("http://localhost:8080/pois/{}", poi.id)]);
    let listed = assistant.ask("list_parcours", json!({"search": "settons", "progress": "any", "per_page": 5})).await;
    assert_eq!(
        (&listed["items"][0]["title"]["fr"], &listed["items"][0]["url"]),
        (&parcours["title"]["fr"], &json!(url))
    );
    let read = assistant.ask("get_parcours", json!({"id": parcours["id"]})).await;
    assert_eq!((&read["title"], &read["url"]), (&parcours["title"], &json!(url)));
    let attention = assistant.ask("list_attention", json!({})).await;
    assert_eq!(attention["waiting"]["drafts"]["count"], 1);
    let drafts = attention["waiting"]["drafts"]["url"].as_str().unwrap();
    assert!(drafts.starts_with("http://localhost:8080/parcours?owner=mine&published=false"), "{drafts}");
    let why = assistant.ask("explain_reliability", json!({"id": parcours["id"]})).await;
    assert_eq!((&why["has_trace"], &why["url"]), (&json!(false), &json!(url)));
    assert!(!why["passport"].as_array().unwrap().is_empty(), "{why}");
}

#[app_test]
async fn a_route_is_planned_with_its_instructions_and_the_line_only_where_it_is_asked_for(app: TestApp) {
    let Some(app) = with_andorra(&app) else { return };
    let assistant = Assistant::reading(&app, &app.reader_of("morvan")).await;
    let asked = json!({"points": [[1.5211, 42.5078], [1.5330, 42.5110]], "profile": "hiking"});
    let route = assistant.ask("plan_route", asked.clone()).await;
    assert!(route["distance_m"].as_f64().unwrap() > 500.0, "{route}");
    assert!(!route["instructions"].as_array().unwrap().is_empty());
    assert!(route.get("geometry").is_none() && route.get("polyline6").is_none());
    let with_line = asked.as_object().cloned().map(|mut asked| {
        asked.insert("with_line".to_owned(), true.into());
        Value::Object(asked)
    });
    let route = assistant.ask("plan_route", with_line.unwrap()).await;
    assert!(!route["polyline6"].as_str().unwrap().is_empty());
    // The refusals are those of the operation.
    let nowhere = json!({"points": [[10.0, 0.0], [10.1, 0.1]], "profile": "hiking"});
    let code = assistant.refused("plan_route", nowhere.clone()).await;
    let same = app.reader_of("morvan").post("/api/v1/planner/route", nowhere).await;
    assert_eq!(code, same.problem().code);
}

#[app_test]
async fn each_tool_is_open_to_the_roles_that_have_its_right(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = id(&made(&editor, "Tour du lac", json!({})).await);
    let poi = app.poi().owned_by("morvan").published().insert().await.id;
    let others = [poi, closure_of(&editor).await, itinerary_of(&app.superadmin()).await];
    let mut wrong = Vec::new();
    for role in [Role::Reader, Role::Editor, Role::Agency, Role::Admin, Role::Superadmin] {
        let by = app.role_of(role, "morvan");
        let (reads, proposes) = (Assistant::reading(&app, &by).await, Assistant::proposing(&app, &by).await);
        for (assistant, scopes) in [(&reads, &[TokenScope::Read][..]), (&proposes, &TokenScope::ALL[..])] {
            let listed = assistant.tools().await;
            for tool in TOOLS {
                let in_scope = scopes.contains(&tool.scope);
                let may = in_scope && role.can(tool.capability);
                let code = code_of(assistant, tool.name, arguments(tool.name, parcours, others)).await;
                let right = match (may, in_scope) {
                    (true, _) => is_let_in(&code),
                    (false, false) => code == "mcp/scope",
                    (false, true) => code == "auth/forbidden",
                };
                if !right || listed.contains(&tool.name.to_owned()) != may {
                    wrong.push(format!("{role:?} {scopes:?} {}: `{code}`", tool.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[app_test]
async fn no_tool_names_what_belongs_to_another_tenant(app: TestApp) {
    let theirs = app.admin_of("morvan");
    let secret = "Zephyrin";
    let parcours = made(&theirs, secret, json!({"summary": {"fr": secret}})).await;
    let poi = app.poi().owned_by("morvan").titled(secret).insert().await.id;
    let own = Assistant::proposing(&app, &theirs).await;
    own.ask(
        "propose_text",
        json!({"id": parcours["id"], "field": "title", "language": "fr", "text": format!("{secret} 2")}),
    )
    .await;
    for role in [Role::Reader, Role::Editor, Role::Agency, Role::Admin] {
        let assistant = Assistant::proposing(&app, &app.role_of(role, "vercors")).await;
        for tool in TOOLS {
            let asked = match tool.name {
                "search" => json!({"q": secret}),
                "list_parcours" => json!({"search": secret, "owner": "all", "progress": "any"}),
                "list_pois" => json!({"search": secret, "near_parcours": parcours["id"]}),
                name => arguments(name, id(&parcours), [poi, 0, 0]),
            };
            let result = assistant.call(tool.name, asked.clone()).await.unwrap();
            let answer = serde_json::to_string(&result).unwrap();
            // What was asked for may be in the answer, what was found may not.
            assert!(!answer.contains(secret), "{role:?} {} {asked}: {answer}", tool.name);
            let names_a_record = tool.operation.is_none_or(|operation| operation.path.contains("{id}"));
            if names_a_record && tool.capability == Capability::ContentRead {
                let code = result.structured_content.unwrap()["code"].as_str().unwrap_or_default().to_owned();
                assert!(code.ends_with("/not-found"), "{role:?} {}: `{code}`", tool.name);
            }
        }
        let code = assistant.refused("propose_text", arguments("propose_text", id(&parcours), [0; 3])).await;
        assert_eq!(code, if role == Role::Reader { "auth/forbidden" } else { "parcours/not-found" });
    }
    // A shared parcours is readable, and proposals for it are refused.
    let public = shared(&theirs, "Balade").await;
    let assistant = Assistant::proposing(&app, &app.editor_of("vercors")).await;
    assistant.ask("get_parcours", json!({"id": public["id"]})).await;
    assert_eq!(assistant.refused("list_proposals", json!({"id": public["id"]})).await, "parcours/not-yours");
    assert_eq!(
        assistant.refused("propose_step", arguments("propose_step", id(&public), [0; 3])).await,
        "parcours/not-yours"
    );
}

#[app_test]
async fn no_tool_publishes_changes_or_deletes(app: TestApp) {
    for tool in TOOLS {
        let reads =
            tool.operation.is_none_or(|operation| operation.verb == "GET" || operation.path == "/api/v1/planner/route");
        assert!(reads, "{}: {:?}", tool.name, tool.operation);
        // Only proposals ask no operation, and they need their scope.
        assert_eq!(tool.operation.is_none(), tool.scope == TokenScope::Propose, "{}", tool.name);
    }
    let admin = app.superadmin();
    let (draft, public) = (made(&admin, "Brouillon du lac", json!({})).await, shared(&admin, "Lac publié").await);
    let poi = app.poi().owned_by("morvan").titled("Lac").insert().await.id;
    let others = [poi, closure_of(&admin).await, itinerary_of(&admin).await];
    let state = async || {
        let mut found = Vec::new();
        for place in [
            "/api/v1/parcours?progress=any&owner=all",
            "/api/v1/pois",
            "/api/v1/closures",
            "/api/v1/itineraries",
            "/api/v1/bin",
        ] {
            found.push(admin.get(place).await.expect(200).json());
        }
        for parcours in [&draft, &public] {
            found.push(now(&admin, parcours).await);
            found.push(admin.get(format!("{}/revisions", path(parcours))).await.expect(200).json());
        }
        found
    };
    let before = state().await;
    let assistant = Assistant::proposing(&app, &admin).await;
    let recorded = events(&app).await.len();
    for tool in TOOLS {
        for parcours in [&draft, &public] {
            let code = code_of(&assistant, tool.name, arguments(tool.name, id(parcours), others)).await;
            assert!(is_let_in(&code), "{}: `{code}`", tool.name);
        }
    }
    assert_eq!(state().await, before, "a tool changed a record");
    assert_eq!(events(&app).await.len(), recorded, "a tool did something that the journal records");
}

#[app_test]
async fn a_proposed_text_waits_until_a_person_accepts_it_and_the_history_says_how_it_came(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({"summary": {"fr": "Le lac.", "en": "The lake."}})).await;
    let assistant = Assistant::proposing(&app, &editor).await;
    let asked = json!({"id": parcours["id"], "field": "summary", "language": "fr", "text": "Le tour du lac.", "note": "Plus précis."});
    let proposed = assistant.ask("propose_text", asked.clone()).await;
    assert_eq!(proposed["url"], format!("http://localhost:8080/parcours/{}", parcours["id"]));
    assert_eq!(now(&editor, &parcours).await, parcours, "a proposal changes nothing");
    let place = format!("{}/proposals", path(&parcours));
    let waiting = editor.get(&place).await.expect(200).json();
    let waits = &waiting["items"][0];
    assert_eq!(
        (&waits["field"], &waits["language"], &waits["before"], &waits["text"], &waits["note"], &waits["token"]),
        (
            &json!("summary"),
            &json!("fr"),
            &json!("Le lac."),
            &json!("Le tour du lac."),
            &json!("Plus précis."),
            &json!("Assistant de test")
        )
    );
    assert!(waits["by"]["name"].as_str().is_some_and(|name| !name.is_empty()));
    assert_eq!(assistant.ask("list_proposals", json!({"id": parcours["id"]})).await["items"], waiting["items"]);
    // Saved meanwhile: the person has not seen that state.
    let decision = format!("{place}/{}", waits["id"]);
    let changed = patch(&editor, &parcours, json!({"subtitle": {"fr": "À pied"}})).await;
    let decide = async |version: i64, accepted: bool| {
        editor.clone().at_version(version).put(&decision, json!({"accepted": accepted})).await
    };
    assert_eq!(decide(version(&parcours), true).await.expect(412).problem().code, "version/stale");
    let accepted = decide(version(&changed), true).await.expect(200).json();
    assert_eq!(accepted["summary"], json!({"fr": "Le tour du lac.", "en": "The lake."}));
    assert_eq!(accepted["published"], false);
    let history = editor.get(format!("{}/revisions", path(&parcours))).await.expect(200).json();
    assert_eq!(
        (&history["items"][0]["reason"], &history["items"][0]["fields"]),
        (&json!("assistant"), &json!(["summary"]))
    );
    assert!(history["items"][0]["user"]["name"].is_string());
    assert_eq!(decide(version(&accepted), true).await.expect(404).problem().code, "parcours/no-proposal");
    assert_eq!(editor.get(&place).await.expect(200).json()["items"], json!([]));
    // Refused: the current text, a field that is no text, a text longer than its field allows.
    assert_eq!(assistant.refused("propose_text", asked).await, "parcours/proposal-same");
    let other = |field: &str, text: &str| json!({"id": parcours["id"], "field": field, "language": "fr", "text": text});
    assert_eq!(assistant.refused("propose_text", other("price_includes", "Tout")).await, "validation/failed");
    assert_eq!(assistant.refused("propose_text", other("title", &"x".repeat(201))).await, "validation/failed");
    let unknown = json!({"id": parcours["id"], "field": "title", "language": "xx", "text": "Lac"});
    assert_eq!(assistant.refused("propose_text", unknown).await, "validation/failed");
}

#[app_test]
async fn proposed_markup_is_sanitised_and_a_refused_proposal_changes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = published(&editor, &made(&editor, "Lac", json!({})).await).await;
    let assistant = Assistant::proposing(&app, &editor).await;
    let html = "<p onclick=\"x()\">Le lac<script>alert(1)</script></p>";
    let asked = json!({"id": parcours["id"], "field": "description", "language": "fr", "text": html});
    let proposed = assistant.ask("propose_text", asked).await;
    assert_eq!(proposed["proposal"]["text"], "<p>Le lac</p>");
    let decision = format!("{}/proposals/{}", path(&parcours), proposed["proposal"]["id"]);
    let refused = editor
        .clone()
        .at_version(version(&parcours))
        .put(&decision, json!({"accepted": false}))
        .await
        .expect(200)
        .json();
    assert_eq!(refused, parcours, "a refusal saves nothing");
    assert_eq!(assistant.ask("list_proposals", json!({"id": parcours["id"]})).await["items"], json!([]));
}

#[app_test]
async fn a_proposed_step_is_added_once_it_is_accepted(app: TestApp) {
    let editor = app.editor_of("morvan");
    let step = json!({"kind": "departure", "title": {"fr": "Le port"}, "position": [4.05, 47.18]});
    let parcours = made(&editor, "Lac", json!({"steps": [step]})).await;
    let assistant = Assistant::proposing(&app, &editor).await;
    let asked =
        json!({"id": parcours["id"], "kind": "favourite", "title": {"fr": "La digue"}, "position": [4.06, 47.19]});
    let proposed = assistant.ask("propose_step", asked).await["proposal"].clone();
    // A step that was added meanwhile stays.
    let mut steps = now(&editor, &parcours).await["steps"].as_array().unwrap().clone();
    assert_eq!(steps.len(), 1);
    steps.push(json!({"kind": "arrival", "title": {"fr": "La plage"}, "position": [4.07, 47.2]}));
    let changed = patch(&editor, &parcours, json!({"steps": steps})).await;
    let decision = format!("{}/proposals/{}", path(&parcours), proposed["id"]);
    let accepted =
        editor.clone().at_version(version(&changed)).put(&decision, json!({"accepted": true})).await.expect(200).json();
    let titles: Vec<&str> =
        accepted["steps"].as_array().unwrap().iter().filter_map(|step| step["title"]["fr"].as_str()).collect();
    assert_eq!(titles, ["Le port", "La plage", "La digue"]);
    let nowhere =
        json!({"id": parcours["id"], "kind": "favourite", "title": {"fr": "Loin"}, "position": [400.0, 47.19]});
    assert_ne!(code_of(&assistant, "propose_step", nowhere).await, "");
    let kind = json!({"id": parcours["id"], "kind": "castle", "title": {"fr": "Château"}, "position": [4.0, 47.19]});
    assert_eq!(assistant.refused("propose_step", kind).await, "request/bad-field");
}

#[app_test]
async fn a_token_is_made_with_the_password_shown_once_and_in_the_journal(app: TestApp) {
    let editor = app.editor_of("morvan");
    let asked = |name: &str, days: i64, password: &str| json!({"name": name, "propose": false, "days": days, "password": password});
    for (body, code) in [
        (asked("Assistant", 30, "pas le bon"), "me/wrong-password"),
        (asked("  ", 30, PASSWORD), "me/token-name"),
        (asked(&"x".repeat(81), 30, PASSWORD), "me/token-name"),
        (asked("Assistant", 0, PASSWORD), "me/token-days"),
        (asked("Assistant", 366, PASSWORD), "me/token-days"),
    ] {
        assert_eq!(editor.post(TOKENS, body).await.expect(422).problem().code, code);
    }
    let made = proposing_token(&editor).await;
    let shown = made["token"].as_str().unwrap().to_owned();
    assert!(shown.starts_with("jalon_") && shown.len() == 70, "{shown}");
    assert_eq!(made["scopes"], json!(["read", "propose"]));
    let listed = editor.get(TOKENS).await.expect(200);
    assert!(!listed.text().contains(&shown[6..]), "a token is shown once");
    assert_eq!(listed.json()["items"][0]["last_used_at"], Value::Null);
    // Others neither see nor end it.
    assert_eq!(app.admin_of("morvan").get(TOKENS).await.expect(200).json()["items"], json!([]));
    let place = format!("{TOKENS}/{}", made["id"]);
    assert_eq!(app.admin_of("morvan").delete(&place).await.expect(404).problem().code, "me/no-such-token");
    assert_eq!(token_response(&app, &shown).await, "200");
    assert!(editor.get(TOKENS).await.expect(200).json()["items"][0]["last_used_at"].is_string());
    editor.delete(&place).await.expect(204);
    assert_eq!(token_response(&app, &shown).await, "401 mcp/token-unknown");
    let actions: Vec<String> = events(&app).await.iter().map(|one| one.event.action.as_str().to_owned()).collect();
    assert!(actions.contains(&"token_made".to_owned()) && actions.contains(&"token_ended".to_owned()), "{actions:?}");
    for _ in 0..20 {
        reading_token(&editor).await;
    }
    assert_eq!(
        editor.post(TOKENS, asked("Assistant", 1, PASSWORD)).await.expect(409).problem().code,
        "me/too-many-tokens"
    );
}

#[app_test]
async fn a_token_ends_with_its_time_its_owner_and_their_password_on_every_server_at_once(app: TestApp) {
    let (editor, admin) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let other = app.changed(|_| {});
    let fresh = async || proposing_token(&editor).await["token"].as_str().unwrap().to_owned();
    let both = async |token: &str| [token_response(&app, token).await, token_response(&other, token).await];
    let ended = ["401 mcp/token-unknown", "401 mcp/token-unknown"];

    let token = fresh().await;
    assert_eq!(both(&token).await, ["200", "200"]);
    let id = editor.get(TOKENS).await.expect(200).json()["items"][0]["id"].clone();
    editor.delete(format!("{TOKENS}/{id}")).await.expect(204);
    assert_eq!(both(&token).await, ended, "ended by its owner");

    let token = fresh().await;
    let user = app.user(Role::Editor, "morvan").await;
    admin.delete(format!("/api/v1/users/{user}/sessions")).await.expect(200);
    app.sign_in_again().await;
    assert_eq!(both(&token).await, ended, "ended by an administrator with the sessions");

    let token = fresh().await;
    let change = json!({"current_password": PASSWORD, "new_password": "le vent tourne à gauche"});
    editor.put("/api/v1/me/password", change).await.expect(204);
    assert_eq!(both(&token).await, ended, "the password changed");
    let back = json!({"current_password": "le vent tourne à gauche", "new_password": PASSWORD});
    let reply = editor.put("/api/v1/me/password", back).await;
    assert!(reply.status == 204 || reply.status == 422, "{}", reply.status);

    // A changed role applies at once: the token may not propose any more.
    let reader = app.reader_of("morvan");
    let token = proposing_token(&reader).await["token"].as_str().unwrap().to_owned();
    let person = app.user(Role::Reader, "morvan").await;
    let place = format!("/api/v1/users/{person}");
    let assistant = Assistant::with(&other, &token).await;
    assert!(!assistant.tools().await.contains(&"propose_text".to_owned()));
    let sheet = async |change: Value| admin.clone().with("if-match", "*").patch(&place, change).await.expect(200);
    sheet(json!({"role": "editor"})).await;
    assert!(assistant.tools().await.contains(&"propose_text".to_owned()));
    sheet(json!({"role": "reader"})).await;
    assert!(!assistant.tools().await.contains(&"propose_text".to_owned()));

    sheet(json!({"status": "blocked"})).await;
    assert_eq!(both(&token).await, ended, "blocked");
    sheet(json!({"status": "active"})).await;
    assert_eq!(both(&token).await, ended, "a token does not come back with its owner");
    let token = {
        app.sign_in_again().await;
        reading_token(&reader).await["token"].as_str().unwrap().to_owned()
    };
    admin.clone().with("if-match", "*").delete(format!("{place}?force=true")).await.expect(204);
    assert_eq!(both(&token).await, ended, "its owner was deleted");

    let token = reading_token(&admin).await["token"].as_str().unwrap().to_owned();
    other.clock().advance_s(30 * 86_400 - 1);
    assert_eq!(token_response(&other, &token).await, "200");
    other.clock().advance_s(1);
    assert_eq!(token_response(&other, &token).await, "401 mcp/token-unknown", "its time is over");
}

#[app_test]
async fn tokens_work_in_the_active_white_label_of_their_owner(app: TestApp) {
    let superadmin = app.superadmin();
    let there = made(&app.editor_of("vercors"), "Lac du Vercors", json!({})).await;
    let assistant = Assistant::reading(&app, &superadmin).await;
    let listed = async || {
        assistant.ask("list_parcours", json!({"owner": "mine", "progress": "any"})).await["items"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(listed().await, 0);
    let vercors = app.white_label("vercors").await;
    superadmin.patch("/api/v1/me", json!({"active_white_label_id": vercors})).await.expect(200);
    assert_eq!(listed().await, 1);
    assert_eq!(assistant.ask("get_parcours", json!({"id": there["id"]})).await["mine"], true);
}

#[app_test]
async fn wrong_tokens_and_too_many_calls_are_rate_limited(app: TestApp) {
    assert_eq!(token_response(&app, "").await, "401 mcp/token-required");
    let reply = raw(&app, "", [], listing()).await;
    assert!(reply.header("www-authenticate").starts_with("Bearer"), "{:?}", reply.headers);
    assert!(reply.json()["detail"].is_string(), "a sentence, in the language of the client");
    let token = reading_token(&app.reader_of("morvan")).await["token"].as_str().unwrap().to_owned();
    // A token is for this address alone.
    let elsewhere = app.anonymous().with("authorization", &format!("Bearer {token}")).get("/api/v1/parcours").await;
    assert_eq!(elsewhere.expect(401).problem().code, "session/required");
    for _ in 0..CALLS_A_MINUTE {
        assert_eq!(token_response(&app, &token).await, "200");
    }
    assert_eq!(token_response(&app, &token).await, "429 mcp/too-many");
    app.clock().advance_s(60);
    assert_eq!(token_response(&app, &token).await, "200");
    for at in 0..WRONG_TOKENS_A_MINUTE {
        let wrong = if at % 2 == 0 { format!("jalon_{at:064x}") } else { "x".to_owned() };
        assert_eq!(token_response(&app, &wrong).await, "401 mcp/token-unknown", "{at}");
    }
    assert_eq!(token_response(&app, "x").await, "429 mcp/too-many");
    // Over all servers, and also with a token that is right: an address that guesses waits.
    let other = app.changed(|_| {});
    other.clock().advance_s(60);
    assert_eq!(token_response(&other, "x").await, "429 mcp/too-many");
    assert_eq!(token_response(&app, &token).await, "429 mcp/too-many");
}

#[app_test]
async fn an_invalid_tool_call_is_refused_with_a_reason(app: TestApp) {
    let editor = app.editor_of("morvan");
    let token = proposing_token(&editor).await["token"].as_str().unwrap().to_owned();
    let assistant = Assistant::with(&app, &token).await;
    let unknown = assistant.call("publish_parcours", json!({"id": 1})).await.unwrap_err().to_string();
    assert!(unknown.contains("no such tool"), "{unknown}");
    for (tool, wrong) in [
        ("get_parcours", json!({})),
        ("get_parcours", json!({"id": "un"})),
        ("get_parcours", json!({"id": 1, "publish": true})),
        ("search", json!({"q": 3})),
        ("list_attention", json!({"all": true})),
        ("plan_route", json!({"points": "ici", "profile": "hiking"})),
    ] {
        assert_eq!(assistant.refused(tool, wrong).await, "request/bad-field", "{tool}");
    }
    assert_eq!(assistant.refused("search", json!({"q": "lac", "kinds": ["château"]})).await, "request/bad-query");
    assert_eq!(assistant.refused("get_parcours", json!({"id": i64::MAX})).await, "parcours/not-found");
    let rows = assistant.ask("list_parcours", json!({"progress": "any", "per_page": 4_000_000_000_u32})).await;
    assert!(rows["items"].is_array());

    let large = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","x":"{}"}}"#, "y".repeat(70_000));
    assert_eq!(raw(&app, &token, [], large.clone()).await.expect(413).problem().code, "request/too-large");
    let pieces = futures_util::stream::iter(
        large.into_bytes().chunks(1_000).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect::<Vec<_>>(),
    );
    let streamed = raw(&app, &token, [], axum::body::Body::from_stream(pieces)).await;
    assert_eq!(streamed.expect(413).problem().code, "request/too-large");
    for (message, code) in [("{", -32_700), ("[]", -32_600), (r#"{"jsonrpc":"2.0","id":1}"#, -32_600)] {
        let refused = raw(&app, &token, [], message).await.expect(400).json();
        assert_eq!((&refused["jsonrpc"], &refused["error"]["code"]), (&"2.0".into(), &code.into()), "{message}");
        assert!(refused["error"]["message"].is_string(), "{refused}");
    }
    let header =
        |name: &'static str, value: &'static str| [(HeaderName::from_static(name), HeaderValue::from_static(value))];
    // A page of another site, and a DNS rebinding attack: a host name that resolves to this machine.
    assert_eq!(raw(&app, &token, header("origin", "https://evil.example"), listing()).await.status, 403);
    let rebound = [("origin", "http://evil.example:8080"), ("host", "evil.example:8080")];
    let rebound = rebound.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    assert_eq!(raw(&app, &token, rebound, listing()).await.status, 403);
    assert_eq!(raw(&app, &token, header("origin", "http://localhost:8080"), listing()).await.status, 200);
    let get =
        app.anonymous().with("authorization", &format!("Bearer {token}")).with("host", "localhost").get("/mcp").await;
    assert_eq!((get.status.as_u16(), get.header("allow")), (405, "POST"));
    // The client of an older protocol is answered in the version it names.
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
    let answer = raw(&app, &token, [], initialize.to_string()).await.expect(200);
    assert_eq!(answer.json()["result"]["protocolVersion"], "2025-03-26");
    assert!(answer.headers.get("mcp-session-id").is_none(), "nothing is kept");
}

#[app_test]
async fn a_refusal_is_a_sentence_in_the_language_of_the_person(app: TestApp) {
    let editor = app.editor_of("morvan");
    let assistant = Assistant::reading(&app, &editor).await;
    let sentence = async || {
        let result = assistant.call("get_parcours", json!({"id": 0})).await.unwrap();
        result.structured_content.unwrap()["sentence"].as_str().unwrap().to_owned()
    };
    let french = sentence().await;
    editor.patch("/api/v1/me", json!({"locale": "en"})).await.expect(200);
    let english = sentence().await;
    assert_ne!(french, english);
    assert!(english.contains("parcours") || english.contains("route"), "{english}");
}

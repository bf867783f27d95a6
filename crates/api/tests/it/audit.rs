//! The journal: what is recorded, who reads it, and what it never holds.

use std::io::Write;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::Method;
use domain::audit::{Action, Detail, ExportedList, Outcome};
use domain::record::Kind;
use domain::{HOUR_S, Role, StructureId, TimeZone};
use macros::app_test;
use serde_json::{Value, json};
use store::audit::{AuditFilter, ListedEvent};
use testkit::{PASSWORD, Reply, TestApp};

use crate::catalogue_kit::{column, delete, id, made, one, patch};

const JOURNAL: &str = "/api/v1/audit-events";
const USERS: &str = "/api/v1/users";

/// Every event, the latest first.
pub async fn events(app: &TestApp) -> Vec<ListedEvent> {
    store::audit::list(app.store().read(), &AuditFilter::default(), None, 100_000).await.unwrap()
}

/// The latest events as `action outcome`, the latest first.
async fn latest(app: &TestApp, count: usize) -> Vec<String> {
    let found = events(app).await;
    let word = |one: &ListedEvent| format!("{} {}", one.event.action.as_str(), one.event.outcome.as_str());
    found.iter().take(count).map(word).collect()
}

async fn sign_in(app: &TestApp, email: &str, password: &str) -> Reply {
    let proxied = app.anonymous().with("x-forwarded-for", "203.0.113.77");
    proxied.post("/api/v1/session", json!({"email": email, "password": password})).await
}

fn behind_a_proxy(app: &TestApp) -> TestApp {
    app.changed(|parts| parts.settings.trusted_proxies = domain::TrustedProxies::Hops(1))
}

fn anna(role: &str) -> Value {
    json!({"first_name": "Anna", "last_name": "Roux", "email": "anna@roux.example", "role": role, "white_label_ids": [1]})
}

#[app_test]
async fn a_sign_in_that_succeeds_fails_or_waits_is_recorded_with_the_network_it_came_from(app: TestApp) {
    let app = behind_a_proxy(&app);
    let editor = app.user(Role::Editor, "morvan").await;
    let answered = sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(200);
    let done = events(&app).await.remove(0).event;
    assert_eq!((done.action, done.outcome, done.who.user), (Action::SignIn, Outcome::Done, Some(editor)));
    assert_eq!(done.network.as_deref(), Some("203.0.113.0/24"), "the machine itself is not recorded");
    assert_eq!(done.request_id, answered.header("x-request-id"));
    sign_in(&app, "editor@morvan.example", "not the password").await.expect(401);
    let failed = events(&app).await.remove(0).event;
    assert_eq!((failed.action, failed.outcome, failed.who.user), (Action::SignIn, Outcome::Failed, None));
    assert_eq!(failed.on.record, Some((Kind::User, editor.0)), "it names the account that was tried");
    assert_eq!(failed.on.structure, Some(StructureId(1)), "whose administrators read it");
    sign_in(&app, "somebody@nowhere.example", "not the password").await.expect(401);
    let unknown = events(&app).await.remove(0).event;
    assert_eq!((unknown.outcome, unknown.on.record), (Outcome::Failed, None), "what was typed is not recorded");
    while sign_in(&app, "editor@morvan.example", "not the password").await.status != 429 {}
    assert_eq!(latest(&app, 1).await, ["sign_in throttled"]);
}

#[app_test]
async fn the_journal_contains_no_typed_content(app: TestApp) {
    sign_in(&app, "typed-secret@nowhere.example", "typed-secret").await;
    let admin = app.admin_of("morvan");
    let user = made(&admin, USERS, anna("editor")).await;
    patch(&admin, USERS, &user, json!({"last_name": "Marqueur", "city": "typed-secret"})).await.expect(200);
    let all = format!("{:?}", events(&app).await);
    for marker in ["typed-secret", "Marqueur", "anna@roux.example"] {
        assert!(!all.contains(marker), "{marker} in {all}");
    }
    let journal = app.superadmin().get(JOURNAL).await.expect(200).text();
    assert!(!journal.contains("typed-secret") && !journal.contains("anna@roux.example"), "{journal}");
}

#[app_test]
async fn a_refused_right_is_recorded_with_the_operation_and_the_record(app: TestApp) {
    let poi = app.poi().insert().await.id;
    app.reader_of("morvan").with("if-match", "*").delete(format!("/api/v1/pois/{poi}")).await.expect(403);
    let refused = events(&app).await.remove(0).event;
    assert_eq!((refused.action, refused.outcome), (Action::Access, Outcome::Refused));
    assert_eq!(refused.who.user, Some(app.user(Role::Reader, "morvan").await));
    assert_eq!(refused.on.record, Some((Kind::Poi, poi)));
    let (operation, code) = ("DELETE /api/v1/pois/{id}".to_owned(), "auth/forbidden".to_owned());
    assert_eq!(refused.detail, Detail::Operation { operation, code });
    let morvan = app.user(Role::Editor, "morvan").await.0;
    let other = app.admin_of("vercors");
    other.with("if-match", "*").patch(format!("/api/v1/white-labels/{}", 1), json!({})).await.expect(403);
    assert_eq!(latest(&app, 1).await, ["access refused"]);
    app.reader_of("morvan").delete(format!("/api/v1/users/{morvan}")).await;
    assert_eq!(latest(&app, 1).await, ["user_deleted refused"], "an operation that is always recorded keeps its name");
}

#[app_test]
async fn a_write_from_another_site_is_recorded(app: TestApp) {
    let foreign = app.editor_of("morvan").with("origin", "https://evil.example");
    foreign.post("/api/v1/pois", json!({})).await.expect(403);
    let refused = events(&app).await.remove(0).event;
    assert_eq!((refused.action, refused.outcome), (Action::Access, Outcome::Refused));
}

#[app_test]
async fn refusals_add_at_most_ten_rows_a_minute_to_the_journal(app: TestApp) {
    let reader = app.reader_of("morvan");
    for _ in 0..30 {
        reader.post("/api/v1/pois", json!({})).await.expect(403);
    }
    assert_eq!(events(&app).await.len(), 10);
    assert_eq!(latest(&app, 1).await, ["journal_limited throttled"]);
    app.clock().advance_s(60);
    reader.post("/api/v1/pois", json!({})).await.expect(403);
    assert_eq!(events(&app).await.len(), 11);
}

#[app_test]
async fn what_an_administrator_does_to_people_is_recorded(app: TestApp) {
    let admin = app.admin_of("morvan");
    let user = made(&admin, USERS, anna("editor")).await;
    assert_eq!(latest(&app, 2).await, ["user_invited done", "user_created done"]);
    let user = patch(&admin, USERS, &user, json!({"role": "agency"})).await.expect(200).json();
    let roles = events(&app).await.remove(0).event;
    assert_eq!(roles.action, Action::UserRoleChanged);
    assert_eq!(roles.detail, Detail::Roles { before: Role::Editor, after: Role::Agency });
    assert_eq!(roles.on.record, Some((Kind::User, id(&user))));
    let user = patch(&admin, USERS, &user, json!({"status": "blocked", "city": "Autun"})).await.expect(200).json();
    assert_eq!(latest(&app, 2).await, ["user_blocked done", "user_changed done"]);
    let changed = events(&app).await.remove(1).event;
    assert_eq!(changed.detail, Detail::Fields { names: vec!["city".to_owned()] }, "the field, without its value");
    let path = format!("{}/revisions/1/restoration", one(USERS, &user));
    admin.clone().with("if-match", "*").post(path, json!({})).await.expect(200);
    let back = ["user_unblocked done", "user_role_changed done", "user_changed done", "revision_restored done"];
    assert_eq!(latest(&app, 4).await, back);
    admin.clone().with("if-match", "*").delete(one(USERS, &user)).await.expect(204);
    assert_eq!(latest(&app, 1).await, ["user_deleted done"]);
    let bin = app.superadmin().get("/api/v1/bin?kind=user").await.expect(200).json();
    let number = bin["items"][0]["id"].as_i64().unwrap();
    app.superadmin().post(format!("/api/v1/bin/{number}/restoration"), json!({})).await.expect(200);
    assert_eq!(latest(&app, 1).await, ["bin_restored done"]);
    let shown = admin.get(format!("{JOURNAL}?action=bin_restored")).await.expect(200).json();
    assert_eq!(
        shown["items"][0]["record"]["id"], user["id"],
        "a superadmin's act is in the journal of the record's structure"
    );
}

#[app_test]
async fn a_deletion_that_is_forced_or_replaced_is_recorded_and_an_ordinary_one_is_not(app: TestApp) {
    let superadmin = app.superadmin();
    let before = events(&app).await.len();
    let unused = made(
        &superadmin,
        "/api/v1/contacts",
        json!({"last_name": "Refuge", "email": "refuge@x.example", "structure_id": 1}),
    )
    .await;
    delete(&superadmin, "/api/v1/contacts", &unused, "").await.expect(204);
    assert_eq!(events(&app).await.len(), before, "its history and the bin hold it");
    let gone = made(
        &superadmin,
        "/api/v1/contacts",
        json!({"last_name": "Ancien", "email": "ancien@x.example", "structure_id": 1}),
    )
    .await;
    let stays = made(
        &superadmin,
        "/api/v1/contacts",
        json!({"last_name": "Nouveau", "email": "nouveau@x.example", "structure_id": 1}),
    )
    .await;
    delete(&superadmin, "/api/v1/contacts", &gone, &format!("?replace_by={}", id(&stays))).await.expect(204);
    let replaced = events(&app).await.remove(0).event;
    assert_eq!((replaced.action, replaced.detail), (Action::RecordReplaced, Detail::Into { id: id(&stays) }));
}

#[app_test]
async fn an_export_is_recorded_before_it_leaves_with_the_list_and_its_length(app: TestApp) {
    app.reader_of("morvan").get("/api/v1/parcours/export.csv").await.expect(200);
    let export = events(&app).await.remove(0).event;
    assert_eq!(export.action, Action::ListExported);
    assert_eq!(export.detail, Detail::Exported { list: ExportedList::ParcoursCsv, count: 0 });
    assert_eq!(export.on.white_label, Some(app.white_label("morvan").await));
    app.superadmin().get(format!("{JOURNAL}/export.csv")).await.expect(200);
    let journal = events(&app).await.remove(0).event;
    assert_eq!(journal.detail, Detail::Exported { list: ExportedList::Journal, count: 1 });
}

#[app_test]
async fn an_administrator_reads_the_journal_of_their_structure_and_a_superadmin_all_of_it(app: TestApp) {
    sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(200);
    sign_in(&app, "editor@vercors.example", PASSWORD).await.expect(200);
    sign_in(&app, "somebody@nowhere.example", "x").await.expect(401);
    let names = |list: &Value| column(list, "/structure/name");
    let theirs = app.admin_of("morvan").get(JOURNAL).await.expect(200).json();
    assert_eq!(names(&theirs), ["Parc du Morvan"]);
    let all = app.superadmin().get(JOURNAL).await.expect(200).json();
    assert_eq!(all["items"].as_array().unwrap().len(), 3);
    let csv = app.admin_of("vercors").get(format!("{JOURNAL}/export.csv")).await.expect(200).text();
    assert!(csv.contains("Vercors Tourisme") && !csv.contains("Morvan"), "{csv}");
    app.editor_of("morvan").get(JOURNAL).await.expect(403);
}

#[app_test]
async fn the_journal_is_paged_backwards_and_narrowed_and_says_what_it_cannot_read(app: TestApp) {
    for _ in 0..3 {
        sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(200);
    }
    sign_in(&app, "editor@morvan.example", "x").await.expect(401);
    let admin = app.admin_of("morvan");
    let first = admin.get(format!("{JOURNAL}?per_page=3")).await.expect(200).json();
    assert_eq!(column(&first, "/outcome"), ["failed", "done", "done"]);
    let rest = admin.get(format!("{JOURNAL}?per_page=3&before={}", first["next_before"])).await.expect(200).json();
    assert_eq!((column(&rest, "/outcome").len(), &rest["next_before"]), (1, &Value::Null));
    let count = async |query: &str| {
        admin.get(format!("{JOURNAL}?{query}")).await.expect(200).json()["items"].as_array().unwrap().len()
    };
    let editor = app.user(Role::Editor, "morvan").await;
    assert_eq!(count("outcome=failed,refused").await, 1);
    assert_eq!(count(&format!("actor={editor}")).await, 3, "the failed try names the account, not its author");
    assert_eq!(count(&format!("kind=user&record={editor}")).await, 4);
    assert_eq!(count("action=sign_out").await, 0);
    assert_eq!(count("from=2026-11-20&to=2026-11-20").await, 4);
    assert_eq!(count("from=2026-11-21").await, 0);
    assert_eq!(count("to=9999-12-31").await, 4);
    for wrong in ["from=tomorrow", "to=2026-02-30", "action=dance", "outcome=maybe", "kind=trail", "per_page=201"] {
        let refused = admin.get(format!("{JOURNAL}?{wrong}")).await.expect(400).problem();
        assert_eq!(refused.code, "request/bad-query", "{wrong}");
    }
}

/// 08:00 in UTC is 19:00 in Nouméa, where midnight comes five hours later.
#[app_test]
async fn the_days_of_the_journal_are_those_of_the_time_zone(app: TestApp) {
    let app = app.changed(|parts| parts.settings.time_zone = TimeZone::parse("Pacific/Noumea").unwrap());
    sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(200);
    app.clock().advance_s(6 * HOUR_S);
    sign_in(&app, "editor@morvan.example", "x").await.expect(401);
    let admin = app.admin_of("morvan");
    for (query, outcomes) in [
        ("to=2026-11-20", vec!["done"]),
        ("from=2026-11-21", vec!["failed"]),
        ("from=2026-11-20&to=2026-11-21", vec!["failed", "done"]),
        ("from=2026-11-22", vec![]),
    ] {
        let list = admin.get(format!("{JOURNAL}?action=sign_in&{query}")).await.expect(200).json();
        assert_eq!(column(&list, "/outcome"), outcomes, "{query}");
    }
}

#[app_test]
async fn the_journal_names_a_deleted_person_while_they_are_in_the_bin(app: TestApp) {
    let editor = app.user(Role::Editor, "morvan").await;
    sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(200);
    let admin = app.admin_of("morvan");
    let actor = async || {
        let list = admin.get(format!("{JOURNAL}?action=sign_in")).await.expect(200).json();
        list["items"][0].clone()
    };
    assert_eq!(actor().await["record"]["visible"], true);
    admin.clone().with("if-match", "*").delete(format!("{USERS}/{editor}?force=true")).await.expect(204);
    let gone = actor().await;
    assert_eq!(gone["actor"], json!({"id": editor, "name": "Camille editor", "gone": true}));
    assert_eq!(gone["record"]["visible"], false);
    app.clock().advance_s(31 * 86_400);
    api::tidy::tidy(app.app()).await.unwrap();
    let list = app.superadmin().get(format!("{JOURNAL}?action=sign_in")).await.expect(200).json();
    assert_eq!(list["items"][0]["actor"], json!({"id": editor, "name": null, "gone": true}));
}

#[app_test]
async fn cells_of_the_exported_journal_are_no_formulas(app: TestApp) {
    let admin = app.admin_of("morvan");
    let user = made(
        &admin,
        USERS,
        json!({"last_name": "Roux", "first_name": "=HYPERLINK(1)", "email": "a@b.example",
        "role": "editor", "white_label_ids": [1]}),
    )
    .await;
    let token = app::session::start(app.app(), id(&user).into()).await.unwrap();
    let theirs = app.anonymous().with("cookie", &format!("authToken={}", token.as_str()));
    theirs.get("/api/v1/parcours/export.csv").await.expect(200);
    let csv = admin.get(format!("{JOURNAL}/export.csv")).await.expect(200);
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert!(csv.text().contains(";'=HYPERLINK(1) Roux;list_exported;"), "{}", csv.text());
}

#[app_test]
async fn events_are_erased_after_the_time_the_operator_set(app: TestApp) {
    sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(200);
    app.clock().advance_s(364 * 86_400);
    api::tidy::tidy(app.app()).await.unwrap();
    assert_eq!(events(&app).await.len(), 1);
    app.clock().advance_s(2 * 86_400);
    api::tidy::tidy(app.app()).await.unwrap();
    assert!(events(&app).await.is_empty());
}

#[app_test]
async fn a_password_reset_is_recorded_from_the_mail_to_the_new_password(app: TestApp) {
    app.anonymous().post("/api/v1/password-resets", json!({"email": "editor@morvan.example"})).await.expect(202);
    let mail = app.mail().next().await;
    assert_eq!(latest(&app, 1).await, ["password_reset_asked done"]);
    let start = mail.text.find("?token=").unwrap() + "?token=".len();
    let path = format!("/api/v1/password-resets/{}", &mail.text[start..start + 64]);
    let body = json!({"password": "le vent tourne à gauche"});
    app.anonymous().put(&path, &body).await.expect(204);
    assert_eq!(latest(&app, 1).await, ["password_reset done"]);
    app.anonymous().put(&path, &body).await.expect(404);
    assert_eq!(latest(&app, 1).await, ["password_reset failed"]);
}

#[app_test]
async fn the_second_factor_and_the_ends_of_sessions_are_recorded(app: TestApp) {
    let editor = app.editor_of("morvan");
    let totp = "/api/v1/me/totp";
    let wrong = Body::from(json!({"password": "not mine"}).to_string());
    editor.send(Method::DELETE, totp, Some("application/json"), wrong).await.expect(422);
    assert_eq!(latest(&app, 1).await, ["second_factor_off failed"]);
    let right = Body::from(json!({"password": PASSWORD}).to_string());
    editor.send(Method::DELETE, totp, Some("application/json"), right).await.expect(204);
    assert_eq!(latest(&app, 1).await, ["second_factor_off done"]);
    editor.delete("/api/v1/session").await.expect(204);
    assert_eq!(latest(&app, 1).await, ["sign_out done"]);
    app.anonymous().delete("/api/v1/session").await.expect(204);
    assert_eq!(events(&app).await.len(), 3, "without a session nothing ends");
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[app_test]
async fn each_event_is_one_json_line_of_the_log_once_its_transaction_is_committed(app: TestApp) {
    let log = Log::default();
    let writer = {
        let log = log.clone();
        move || log.clone()
    };
    let filter = tracing_subscriber::EnvFilter::new("warn,audit=info");
    let subscriber = tracing_subscriber::fmt().json().with_env_filter(filter).with_writer(writer).finish();
    let listening = testkit::listen(subscriber);
    let answered = sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(200);
    let tx = app.store().begin().await.unwrap();
    store::audit::record(&tx, events(&app).await.remove(0).event).await.unwrap();
    drop(tx);
    drop(listening);
    let text = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 1, "the one that was dropped is not there: {text}");
    let fields = &lines[0]["fields"];
    assert_eq!(
        (&lines[0]["target"], &fields["action"], &fields["outcome"]),
        (&json!("audit"), &json!("sign_in"), &json!("done"))
    );
    assert_eq!((&fields["kind"], &fields["structure"]), (&json!("user"), &json!(1)));
    assert_eq!(fields["request_id"], answered.header("x-request-id"));
    assert!(fields.get("white_label").is_none() && !text.contains("editor@morvan.example"), "{text}");
}

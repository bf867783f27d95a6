//! Accounts, as administrators manage them.

use domain::Role;
use domain::record::Kind;
use macros::app_test;
use serde_json::{Value, json};
use store::Tx;
use store::record::{Change, hold_to_delete, lock, save};
use store::user::Users;
use testkit::{Client, PASSWORD, Reply, TestApp};
use teststore::until_waited_for;

use crate::catalogue_kit::{column, delete, faults, id, made, one, patch};

const USERS: &str = "/api/v1/users";

/// What the form sends for a new user.
fn anna() -> Value {
    json!({"first_name": "Anna", "last_name": "Roux", "email": " Anna@Roux.example", "role": "editor", "white_label_ids": [1]})
}

async fn sign_in(app: &TestApp, email: &str, password: &str) -> Reply {
    app.anonymous().post("/api/v1/session", json!({"email": email, "password": password})).await
}

async fn link(app: &TestApp) -> String {
    let mail = app.mail().next().await;
    let start = mail.text.find("?token=").unwrap() + "?token=".len();
    mail.text[start..start + 64].to_owned()
}

#[app_test]
async fn a_new_person_is_invited_and_chooses_their_password(app: TestApp) {
    let admin = app.admin_of("morvan");
    let roux = made(&admin, USERS, anna()).await;
    assert_eq!((roux["email"].as_str(), roux["structure_id"].as_i64()), (Some("anna@roux.example"), Some(1)));
    assert_eq!(roux["structure"]["name"], "Parc du Morvan");
    assert_eq!((&roux["has_password"], &roux["last_login_at"]), (&json!(false), &json!(null)));
    assert_eq!(roux["invited_at"], "2026-11-20T08:00:00Z");
    assert_eq!(sign_in(&app, "anna@roux.example", "").await.expect(401).problem().code, "auth/bad-credentials");
    let first = link(&app).await;
    app.clock().advance_s(3_600);
    let again = admin.post(format!("{}/invitation", one(USERS, &roux)), json!({})).await.expect(200).json();
    assert_eq!(again["invited_at"], "2026-11-20T09:00:00Z");
    let second = link(&app).await;
    let at = format!("/api/v1/password-resets/{second}");
    assert_eq!(
        app.anonymous().get(&at).await.expect(200).json(),
        json!({"first_name": "Anna", "email": "anna@roux.example", "structure": "Parc du Morvan", "invitation": true})
    );
    let body = json!({"password": "le vent tourne à gauche"});
    let old = app.anonymous().put(format!("/api/v1/password-resets/{first}"), &body).await;
    assert_eq!(old.expect(404).problem().code, "auth/reset-expired");
    app.clock().advance_s(7 * 86_400 - 1);
    app.anonymous().put(&at, &body).await.expect(204);
    assert_eq!(app.anonymous().get(&at).await.expect(404).problem().code, "auth/reset-expired");
    sign_in(&app, "anna@roux.example", "le vent tourne à gauche").await.expect(200);
    let account = store::user::accounts(app.store().read(), &[id(&roux)]).await.unwrap()[&id(&roux)];
    assert_eq!((account.has_password, account.last_login_at), (true, Some(app.app().now())));
}

#[app_test]
async fn every_field_of_a_user_is_kept_and_its_history_holds_no_secret(app: TestApp) {
    let admin = app.admin_of("morvan");
    let roux = made(&admin, USERS, anna()).await;
    let all = json!({
        "last_name": "Blanc", "first_name": "Anne", "email": "b@blanc.example", "address": "1 rue Haute", "city": "Autun",
        "postcode": "71400", "phone": "+33 3 85 86 80 38", "country": "fr", "role": "agency", "locale": "en", "status": "active",
        "white_label_ids": [2], "billing_client_id": "C-12",
    });
    let saved = patch(&admin, USERS, &roux, all.clone()).await.expect(200).json();
    for (field, sent) in all.as_object().unwrap() {
        let sent = if field == "country" { &json!("FR") } else { sent };
        assert_eq!(&saved[field], sent, "{field}");
    }
    let path = one(USERS, &roux);
    let history = admin.get(format!("{path}/revisions")).await.expect(200).json();
    assert_eq!(column(&history, "/version"), ["2", "1"]);
    let past = admin.get(format!("{path}/revisions/1")).await.expect(200).text();
    assert!(past.contains("anna@roux.example") && !past.contains("password") && !past.contains("totp"), "{past}");
    let back = json!({"fields": ["last_name"]});
    let restored = admin.clone().at_version(2).post(format!("{path}/revisions/1/restoration"), back).await.expect(200);
    assert_eq!(restored.json()["last_name"], "Roux");
}

#[app_test]
async fn each_fault_of_a_user_is_reported_on_its_field(app: TestApp) {
    let admin = app.admin_of("morvan");
    let wrong = json!({"email": "anna", "country": "XX", "phone": "1".repeat(41), "structure_id": 1});
    assert_eq!(
        faults(app.superadmin().post(USERS, wrong).await),
        [
            "validation/required /last_name",
            "validation/email /email",
            "validation/phone /phone",
            "validation/country /country",
            "validation/required /white_label_ids"
        ]
    );
    let nowhere = json!({"last_name": "Roux", "email": "a@roux.example", "role": "admin"});
    assert_eq!(faults(app.superadmin().post(USERS, nowhere).await), ["validation/required /structure_id"]);
    let mut sent = anna();
    sent["white_label_ids"] = json!([3]);
    assert_eq!(faults(admin.post(USERS, sent.clone()).await), ["validation/unknown-reference /white_label_ids"]);
    sent["structure_id"] = json!(1);
    assert_eq!(faults(app.superadmin().post(USERS, sent).await), ["user/white-label-elsewhere /white_label_ids"]);
    let mut sent = anna();
    sent["password"] = json!("x");
    assert_eq!(faults(admin.post(USERS, sent).await), ["validation/unknown-field /password"]);
    let mut sent = anna();
    sent["role"] = json!("king");
    assert_eq!(faults(admin.post(USERS, sent).await), ["validation/wrong-type /role"]);
}

#[app_test]
async fn two_users_never_have_the_same_address(app: TestApp) {
    let admin = app.admin_of("morvan");
    let roux = made(&admin, USERS, anna()).await;
    let taken = admin.post(USERS, anna()).await.expect(409).problem();
    assert_eq!((taken.code.as_str(), taken.field.as_deref()), ("user/email-taken", Some("/email")));
    let moved = patch(&admin, USERS, &roux, json!({"email": "Editor@morvan.example"})).await;
    assert_eq!(moved.expect(409).problem().code, "user/email-taken");
    // A deleted user may be restored, unless another user has their address by now.
    delete(&admin, USERS, &roux, "").await.expect(204);
    let other = made(&admin, USERS, anna()).await;
    let bin = admin.get("/api/v1/bin?kind=user").await.expect(200).json();
    let path = format!("/api/v1/bin/{}/restoration", id(&bin["items"][0]));
    assert_eq!(admin.post(&path, json!({})).await.expect(409).problem().code, "bin/taken");
    delete(&admin, USERS, &other, "").await.expect(204);
    admin.post(&path, json!({})).await.expect(200);
    let back = admin.get(one(USERS, &roux)).await.expect(200).json();
    assert_eq!((&back["email"], &back["has_password"]), (&json!("anna@roux.example"), &json!(false)));
}

#[app_test]
async fn one_of_two_simultaneous_requests_with_the_same_address_is_refused(app: TestApp) {
    let admin = app.admin_of("morvan");
    for number in 0..4 {
        let user = || {
            let mut user = anna();
            user["email"] = json!(format!("anna{number}@roux.example"));
            user
        };
        let (one, two) = tokio::join!(admin.post(USERS, user()), admin.post(USERS, user()));
        let (made, refused) = if one.status == 201 { (one, two) } else { (two, one) };
        made.expect(201);
        assert_eq!(refused.expect(409).problem().code, "user/email-taken");
    }
}

#[app_test]
async fn two_superadmins_who_demote_each_other_simultaneously_leave_one(app: TestApp) {
    let (first, second) = (app.superadmin(), app.role_of(Role::Superadmin, "vercors"));
    let user = async |white_label| {
        let path = format!("{USERS}/{}", app.user(Role::Superadmin, white_label).await);
        first.get(path).await.expect(200).json()
    };
    let (one, two) = (user("morvan").await, user("vercors").await);
    let superadmins = async || store::user::other_user_managers(app.store().read(), 0, None).await.unwrap();
    assert_eq!(superadmins().await, 2);
    second.get("/api/v1/session").await.expect(200);
    let (by_first, by_second) = tokio::join!(
        patch(&first, USERS, &two, json!({"role": "admin"})),
        patch(&second, USERS, &one, json!({"role": "admin"}))
    );
    assert_eq!(superadmins().await, 1, "{} {}", by_first.status, by_second.status);
}

#[app_test]
async fn a_link_becomes_invalid_when_the_address_it_was_sent_to_changes(app: TestApp) {
    let admin = app.admin_of("morvan");
    let roux = made(&admin, USERS, anna()).await;
    let sent = link(&app).await;
    let named = patch(&admin, USERS, &roux, json!({"last_name": "Rousse"})).await.expect(200).json();
    let at = format!("/api/v1/password-resets/{sent}");
    app.anonymous().get(&at).await.expect(200);
    patch(&admin, USERS, &named, json!({"email": "anna.rousse@roux.example"})).await.expect(200);
    assert_eq!(app.anonymous().get(&at).await.expect(404).problem().code, "auth/reset-expired");
}

/// The answer to an invitation that waits for a transaction on another server, which holds the user.
async fn invited_while_held(app: &TestApp, admin: &Client, user: &Value, tx: Tx) -> Reply {
    let path = format!("{}/invitation", one(USERS, user));
    let (invited, ()) = tokio::join!(admin.post(path, json!({})), async {
        until_waited_for(app.store(), &tx).await;
        tx.commit().await.unwrap();
    });
    invited
}

#[app_test]
async fn an_invitation_is_sent_to_the_address_that_is_saved_meanwhile(app: TestApp) {
    let admin = app.admin_of("morvan");
    let roux = made(&admin, USERS, anna()).await;
    link(&app).await;
    let tx = app.store().begin().await.unwrap();
    let before = lock::<Users>(&tx, id(&roux)).await.unwrap().unwrap();
    let mut after = before.clone();
    "anna.rousse@roux.example".clone_into(&mut after.sheet.email);
    let change = Change { by: None, at: app.app().now(), reason: None, languages: &[] };
    save::<Users>(&tx, &before, after, change).await.unwrap();
    let invited = invited_while_held(&app, &admin, &roux, tx).await.expect(200).json();
    assert_eq!(invited["email"], "anna.rousse@roux.example");
    assert_eq!(app.mail().next().await.to, "anna.rousse@roux.example");
}

#[app_test]
async fn an_invitation_of_a_user_who_is_deleted_meanwhile_finds_nobody(app: TestApp) {
    let admin = app.admin_of("morvan");
    let roux = made(&admin, USERS, anna()).await;
    let tx = app.store().begin().await.unwrap();
    let gone = lock::<Users>(&tx, id(&roux)).await.unwrap().unwrap();
    hold_to_delete(&tx, Kind::User, gone.id).await.unwrap();
    let change = Change { by: None, at: app.app().now(), reason: None, languages: &[] };
    store::binned::remove::<Users>(&tx, &gone, &[], change).await.unwrap();
    let invited = invited_while_held(&app, &admin, &roux, tx).await;
    assert_eq!(invited.expect(404).problem().code, "user/not-found");
}

#[app_test]
async fn blocking_a_user_ends_their_sessions_and_links(app: TestApp) {
    let admin = app.admin_of("morvan");
    let editor = app.editor_of("morvan");
    editor.get("/api/v1/session").await.expect(200);
    let path = format!("{USERS}/{}", app.user(Role::Editor, "morvan").await);
    let before = admin.get(&path).await.json();
    let blocked = patch(&admin, USERS, &before, json!({"status": "blocked"})).await.expect(200).json();
    assert_eq!(editor.get("/api/v1/session").await.expect(401).problem().code, "session/expired");
    let refused = admin.post(format!("{path}/invitation"), json!({})).await;
    assert_eq!(refused.expect(409).problem().code, "user/blocked");
    assert_eq!(sign_in(&app, "editor@morvan.example", PASSWORD).await.problem().code, "auth/blocked");
    patch(&admin, USERS, &blocked, json!({"status": "active"})).await.expect(200);
    sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(200);
}

#[app_test]
async fn a_changed_role_applies_from_the_next_request(app: TestApp) {
    let (admin, editor) = (app.admin_of("morvan"), app.editor_of("morvan"));
    editor.get("/api/v1/bin").await.expect(200);
    let path = format!("{USERS}/{}", app.user(Role::Editor, "morvan").await);
    let before = admin.get(&path).await.json();
    patch(&admin, USERS, &before, json!({"role": "reader"})).await.expect(200);
    editor.get("/api/v1/bin").await.expect(403);
}

#[app_test]
async fn people_outside_the_structure_or_with_a_higher_role_cannot_be_managed(app: TestApp) {
    let admin = app.admin_of("morvan");
    let strange = format!("{USERS}/{}", app.user(Role::Editor, "vercors").await);
    assert_eq!(admin.get(&strange).await.expect(404).problem().code, "user/not-found");
    let of = |role| app.user(role, "morvan");
    let above = admin.get(format!("{USERS}/{}", of(Role::Superadmin).await)).await.expect(200).json();
    assert_eq!((&above["editable"], &above["locked_reason"]), (&json!(false), &json!("not_yours")));
    let refused = patch(&admin, USERS, &above, json!({"email": "mine@x.example"})).await;
    assert_eq!(refused.expect(403).problem().code, "user/not-yours");
    delete(&admin, USERS, &above, "").await.expect(403);
    admin.post(format!("{}/invitation", one(USERS, &above)), json!({})).await.expect(403);
    let mut sent = anna();
    sent["role"] = json!("superadmin");
    let raised = admin.post(USERS, sent).await.expect(403).problem();
    assert_eq!((raised.code.as_str(), raised.field.as_deref()), ("user/role-above-yours", Some("/role")));
    let mut sent = anna();
    sent["structure_id"] = json!(2);
    sent["white_label_ids"] = json!([3]);
    assert_eq!(
        faults(admin.post(USERS, sent.clone()).await),
        ["validation/unknown-reference /structure_id", "validation/unknown-reference /white_label_ids"]
    );
    made(&app.superadmin(), USERS, sent).await;
    let editor = app.editor_of("morvan");
    editor.get(one(USERS, &above)).await.expect(404);
}

#[app_test]
async fn the_last_administrator_of_a_structure_cannot_be_removed(app: TestApp) {
    let boss = app.superadmin();
    let me = boss.get(format!("{USERS}/{}", app.user(Role::Superadmin, "morvan").await)).await.json();
    for change in [json!({"role": "admin"}), json!({"status": "blocked"}), json!({"structure_id": 2})] {
        assert_eq!(patch(&boss, USERS, &me, change).await.expect(409).problem().code, "user/not-yourself");
    }
    assert_eq!(delete(&boss, USERS, &me, "").await.expect(409).problem().code, "user/not-yourself");
    patch(&boss, USERS, &me, json!({"phone": "0385868038"})).await.expect(200);
    // The Vercors has an admin and a superadmin: one of them stays.
    let admin = boss.get(format!("{USERS}/{}", app.user(Role::Admin, "vercors").await)).await.json();
    let other = boss.get(format!("{USERS}/{}", app.user(Role::Superadmin, "vercors").await)).await.json();
    delete(&boss, USERS, &other, "").await.expect(204);
    assert_eq!(delete(&boss, USERS, &admin, "").await.expect(409).problem().code, "user/last-admin");
    let lowered = patch(&boss, USERS, &admin, json!({"role": "reader", "white_label_ids": [3]})).await;
    assert_eq!(lowered.expect(409).problem().code, "user/last-admin");
    // Nor does the last superadmin give the place up.
    let me = boss.get(one(USERS, &me)).await.json();
    assert_eq!(delete(&boss, USERS, &me, "").await.expect(409).problem().code, "user/last-admin");
}

#[app_test]
async fn the_list_is_searched_filtered_and_sorted(app: TestApp) {
    let admin = app.admin_of("morvan");
    let mut sent = anna();
    sent["city"] = json!("Château-Chinon");
    made(&admin, USERS, sent).await;
    let found = |query: &str| {
        let path = format!("{USERS}?{query}");
        let admin = admin.clone();
        async move { column(&admin.get(path).await.expect(200).json(), "/email") }
    };
    assert_eq!(found("search=chateau%20roux").await, ["anna@roux.example"]);
    assert_eq!(
        found("role=editor,agency&sort=email").await,
        ["agency@morvan.example", "anna@roux.example", "editor@morvan.example"]
    );
    assert_eq!(found("status=blocked").await, Vec::<String>::new());
    assert_eq!(found("white_label=1&role=editor&sort=-email").await, ["editor@morvan.example", "anna@roux.example"]);
    sign_in(&app, "reader@morvan.example", PASSWORD).await.expect(200);
    assert_eq!(found("sort=-last_login_at&per_page=1").await, ["reader@morvan.example"]);
    let strange = admin.get(format!("{USERS}?role=king")).await.expect(400).problem();
    assert_eq!((strange.code.as_str(), &strange.params["name"]), ("request/bad-query", &json!("role")));
    assert_eq!(admin.get(format!("{USERS}?structure=2")).await.json()["total"], 0);
}

#[app_test]
async fn the_administrator_sees_the_language_that_a_person_chose(app: TestApp) {
    app.editor_of("morvan").patch("/api/v1/me", json!({"locale": "en"})).await.expect(200);
    let path = format!("{USERS}/{}", app.user(Role::Editor, "morvan").await);
    assert_eq!(app.admin_of("morvan").get(path).await.json()["locale"], "en");
}

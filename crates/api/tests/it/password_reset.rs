//! The forgotten password.

use std::time::Duration;

use app::token::Token;
use domain::{Role, UserStatus};
use macros::app_test;
use serde_json::json;
use store::record::{Change, lock, save};
use store::server::run_sql;
use store::user::Users;
use store::{Tx, password_reset};
use testkit::{PASSWORD, Reply, TestApp};
use teststore::until_waited_for;

const NEW: &str = "le vent tourne à gauche";

async fn ask(app: &TestApp, email: &str) -> Reply {
    app.anonymous().post("/api/v1/password-resets", json!({ "email": email })).await
}

async fn link(app: &TestApp) -> String {
    let mail = app.mail().next().await;
    let start = mail.text.find("/login/reset?token=").unwrap() + "/login/reset?token=".len();
    mail.text[start..start + 64].to_owned()
}

async fn choose(app: &TestApp, token: &str, password: &str) -> Reply {
    app.anonymous().put(format!("/api/v1/password-resets/{token}"), json!({ "password": password })).await
}

async fn sign_in(app: &TestApp, password: &str) -> u16 {
    let body = json!({ "email": "editor@morvan.example", "password": password });
    app.anonymous().post("/api/v1/session", body).await.status.as_u16()
}

#[app_test]
async fn the_link_of_the_mail_changes_the_password_once_and_ends_every_session(app: TestApp) {
    let editor = app.editor_of("morvan");
    editor.get("/api/v1/session").await.expect(200);
    ask(&app, " Editor@morvan.example").await.expect(202);
    let token = link(&app).await;
    let whose = app.anonymous().get(format!("/api/v1/password-resets/{token}")).await.expect(200).json();
    assert_eq!((&whose["email"], &whose["invitation"]), (&json!("editor@morvan.example"), &json!(false)));
    choose(&app, &token, NEW).await.expect(204);
    assert_eq!((sign_in(&app, PASSWORD).await, sign_in(&app, NEW).await), (401, 200));
    assert_eq!(editor.get("/api/v1/session").await.problem().code, "session/expired");
    assert!(app.mail().next().await.subject.contains("a été changé"));
    assert_eq!(choose(&app, &token, PASSWORD).await.expect(404).problem().code, "auth/reset-expired");
}

#[app_test]
async fn the_mail_is_in_the_language_of_the_person(app: TestApp) {
    app.editor_of("morvan").patch("/api/v1/me", json!({ "locale": "en" })).await.expect(200);
    ask(&app, "editor@morvan.example").await.expect(202);
    let mail = app.mail().next().await;
    assert_eq!(mail.subject, "Choose a new password");
    assert!(mail.text.contains("http://localhost:8080/en/login/reset?token="), "{}", mail.text);
}

#[app_test]
async fn a_link_works_for_an_hour(app: TestApp) {
    ask(&app, "editor@morvan.example").await.expect(202);
    let token = link(&app).await;
    app.clock().advance_s(3_600);
    assert_eq!(choose(&app, &token, NEW).await.expect(404).problem().code, "auth/reset-expired");
    assert_eq!(sign_in(&app, PASSWORD).await, 200);
}

#[app_test]
async fn a_newer_link_replaces_the_older(app: TestApp) {
    ask(&app, "editor@morvan.example").await.expect(202);
    let first = link(&app).await;
    ask(&app, "editor@morvan.example").await.expect(202);
    let second = link(&app).await;
    choose(&app, &first, NEW).await.expect(404);
    choose(&app, &second, NEW).await.expect(204);
}

/// A request for a link while another transaction holds the account, which it waits for.
async fn ask_while_held(app: &TestApp, email: &str, tx: Tx) {
    let (asked, ()) = tokio::join!(ask(app, email), async {
        until_waited_for(app.store(), &tx).await;
        tx.commit().await.unwrap();
    });
    asked.expect(202);
}

#[app_test]
async fn of_two_links_made_at_once_on_two_servers_the_last_one_works_alone(app: TestApp) {
    let user = app.user(Role::Editor, "morvan").await;
    let first = Token::random();
    let tx = app.store().begin().await.unwrap();
    store::user::lock(&tx, user).await.unwrap().unwrap();
    password_reset::insert(&tx, &first.hash(), user, app.app().now().plus_s(3_600)).await.unwrap();
    ask_while_held(&app, "editor@morvan.example", tx).await;
    let second = link(&app).await;
    assert_eq!(choose(&app, first.as_str(), NEW).await.expect(404).problem().code, "auth/reset-expired");
    choose(&app, &second, NEW).await.expect(204);
}

#[app_test]
async fn no_link_is_sent_to_an_address_that_is_changed_meanwhile(app: TestApp) {
    let user = app.user(Role::Editor, "morvan").await;
    let tx = app.store().begin().await.unwrap();
    let before = lock::<Users>(&tx, user.0).await.unwrap().unwrap();
    let mut after = before.clone();
    "camille@morvan.example".clone_into(&mut after.sheet.email);
    let change = Change { by: None, at: app.app().now(), reason: None, languages: &[] };
    save::<Users>(&tx, &before, after, change).await.unwrap();
    ask_while_held(&app, "editor@morvan.example", tx).await;
    ask(&app, "reader@morvan.example").await.expect(202);
    assert_eq!(app.mail().next().await.to, "reader@morvan.example", "only this one was sent");
    assert!(app.mail().is_empty());
}

#[app_test]
async fn a_link_that_was_used_ends_every_other_link_of_the_account(app: TestApp) {
    let (editor, reader) = (app.user(Role::Editor, "morvan").await, app.user(Role::Reader, "morvan").await);
    let [first, second] = [Token::random(), Token::random()];
    let ends_at = app.app().now().plus_s(3_600);
    let tx = app.store().begin().await.unwrap();
    password_reset::insert(&tx, &first.hash(), editor, ends_at).await.unwrap();
    password_reset::insert(&tx, &second.hash(), reader, ends_at).await.unwrap();
    // Two links of one account: an older version made them where two servers were asked at once.
    let sql = format!("UPDATE password_reset SET user_id = {} WHERE user_id = {}", editor.0, reader.0);
    run_sql(&tx, &sql).await.unwrap();
    tx.commit().await.unwrap();
    choose(&app, first.as_str(), NEW).await.expect(204);
    let again = choose(&app, second.as_str(), "la pluie vient du nord").await;
    assert_eq!(again.expect(404).problem().code, "auth/reset-expired");
    assert_eq!(sign_in(&app, NEW).await, 200);
}

#[app_test]
async fn unknown_and_blocked_accounts_get_the_same_answer_and_no_mail(app: TestApp) {
    let user = app.user(Role::Editor, "morvan").await;
    let tx = app.store().begin().await.unwrap();
    store::user::set_status(&tx, user, UserStatus::Blocked, app.app().now()).await.unwrap();
    tx.commit().await.unwrap();
    for email in ["nobody@nowhere.example", "editor@morvan.example", "not an address"] {
        ask(&app, email).await.expect(202);
    }
    ask(&app, "reader@morvan.example").await.expect(202);
    assert_eq!(app.mail().next().await.to, "reader@morvan.example", "only this one was sent");
    assert!(app.mail().is_empty());
}

#[app_test]
async fn reset_mails_to_one_address_are_limited(app: TestApp) {
    for email in ["editor@morvan.example", "nobody@nowhere.example"] {
        for _ in 0..3 {
            ask(&app, email).await.expect(202);
        }
        assert_eq!(ask(&app, email).await.expect(429).problem().code, "auth/too-many-tries", "{email}");
    }
}

#[app_test]
async fn mails_that_were_asked_for_while_the_clock_was_ahead_do_not_count(app: TestApp) {
    app.clock().advance_s(400 * 86_400);
    for _ in 0..3 {
        ask(&app, "nobody@nowhere.example").await.expect(202);
    }
    ask(&app, "nobody@nowhere.example").await.expect(429);
    app.clock().advance_s(-400 * 86_400);
    for _ in 0..3 {
        ask(&app, "nobody@nowhere.example").await.expect(202);
    }
    ask(&app, "nobody@nowhere.example").await.expect(429);
}

#[app_test]
async fn a_weak_password_is_refused_on_its_field_and_the_link_stays_valid(app: TestApp) {
    ask(&app, "editor@morvan.example").await.expect(202);
    let token = link(&app).await;
    for (password, reason) in [
        ("court", "too_short"),
        ("motdepasse2026", "common"),
        ("kwmqzxptrvbn", "too_simple"),
        ("Camille.Editor.Morvan", "common"),
    ] {
        let refusal = choose(&app, &token, password).await.expect(422).problem();
        assert_eq!(
            (refusal.code.as_str(), &refusal.params["reason"]),
            ("auth/weak-password", &json!(reason)),
            "{password}"
        );
        assert_eq!(refusal.field.as_deref(), Some("/password"));
    }
    choose(&app, &token, NEW).await.expect(204);
}

#[app_test]
async fn an_invalid_link_is_refused(app: TestApp) {
    for token in ["x", &"0".repeat(64), &"é".repeat(32), "%2e%2e"] {
        assert_eq!(choose(&app, &urlencoded(token), NEW).await.expect(404).problem().code, "auth/reset-expired");
    }
}

fn urlencoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The password is compared for some time: one that was changed meanwhile opens no session.
#[app_test]
async fn a_sign_in_in_progress_fails_once_the_password_is_changed(app: TestApp) {
    let id = app.user(Role::Editor, "morvan").await;
    let tx = app.store().begin().await.unwrap();
    let before = store::user::password_hash(&tx, id).await.unwrap().unwrap();
    store::user::set_password(&tx, id, &format!("{before}x")).await.unwrap();
    store::session::delete_all_of(&tx, id).await.unwrap();
    let (status, committed) = tokio::join!(sign_in(&app, PASSWORD), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        tx.commit().await
    });
    committed.unwrap();
    assert_eq!(status, 401);
    let tx = app.store().begin().await.unwrap();
    let has = async |hash: &str| store::user::hold_password(&tx, id, hash).await.unwrap();
    assert_eq!((has(&before).await, has(&format!("{before}x")).await), (false, true));
}

#[app_test]
async fn an_account_of_an_older_version_is_found_by_its_address_as_it_was_typed(app: TestApp) {
    let user = app.user(Role::Editor, "morvan").await;
    for stored in ["zoe\u{301}@morvan.example", "zoé@morvan.example"] {
        let tx = app.store().begin().await.unwrap();
        run_sql(&tx, &format!(r#"UPDATE "user" SET email = '{stored}' WHERE id = {}"#, user.0)).await.unwrap();
        tx.commit().await.unwrap();
        ask(&app, "zoe\u{301}@morvan.example").await.expect(202);
        assert_eq!(app.mail().next().await.to, stored);
    }
}

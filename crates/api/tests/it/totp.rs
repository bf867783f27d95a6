//! The second factor: a telephone's codes, recovery codes, and who must have one.

use app::seal::ServerKey;
use axum::body::Body;
use axum::http::Method;
use domain::Role;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, PASSWORD, Reply, TestApp};
use totp_rs::{Builder, Secret};

use crate::catalogue_kit::{id, one};

const TOTP: &str = "/api/v1/me/totp";
const EDITOR: &str = "editor@morvan.example";

/// A telephone that was shown the secret.
struct Phone(totp_rs::Totp);

impl Phone {
    fn with(secret: &Value) -> Self {
        let secret = Secret::try_from_base32(secret.as_str().unwrap()).unwrap();
        Self(Builder::new().with_secret(secret).build_noncompliant())
    }

    /// The code it shows, or showed some seconds ago, or will show.
    fn shows(&self, app: &TestApp, off_s: i64) -> String {
        self.0.generate((app.app().now().0 + off_s) as u64).to_string()
    }
}

async fn enabled(app: &TestApp, who: &Client) -> (Phone, Vec<String>) {
    let offer = who.post(TOTP, json!({})).await.expect(200).json();
    let phone = Phone::with(&offer["secret"]);
    let codes = who.put(TOTP, json!({"code": phone.shows(app, 0), "password": PASSWORD})).await.expect(200).json();
    let codes = codes["recovery_codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned());
    (phone, codes.collect())
}

async fn sign_in(app: &TestApp, email: &str, totp: Option<&str>) -> Reply {
    let mut sent = json!({"email": email, "password": PASSWORD});
    if let Some(code) = totp {
        sent["totp"] = json!(code);
    }
    app.anonymous().post("/api/v1/session", sent).await
}

async fn disable(who: &Client, password: &str) -> Reply {
    let body = json!({"password": password}).to_string();
    who.send(Method::DELETE, TOTP, Some("application/json"), Body::from(body)).await
}

#[app_test]
async fn a_second_factor_is_offered_as_a_qr_code_and_required_after_its_first_code(app: TestApp) {
    let editor = app.editor_of("morvan");
    let me = editor.get("/api/v1/session").await.json();
    assert_eq!((&me["totp_enabled"], &me["totp_required"]), (&json!(false), &json!(false)));
    assert_eq!(
        editor.put(TOTP, json!({"code": "123456", "password": PASSWORD})).await.expect(409).problem().code,
        "me/totp-not-offered"
    );
    let offer = editor.post(TOTP, json!({})).await.expect(200).json();
    let (uri, drawing) = (offer["uri"].as_str().unwrap(), offer["qr_svg"].as_str().unwrap());
    assert!(uri.starts_with("otpauth://totp/Jalon:editor%40morvan%2Eexample?secret="), "{uri}");
    assert!(uri.contains(offer["secret"].as_str().unwrap()) && drawing.starts_with("<svg"));
    // Offered is not asked for: signing in is as it was.
    sign_in(&app, EDITOR, None).await.expect(200);
    let phone = Phone::with(&offer["secret"]);
    for wrong in ["", "000000", "12345", &phone.shows(&app, 90)] {
        let refused = editor.put(TOTP, json!({"code": wrong, "password": PASSWORD})).await.expect(422).problem();
        assert_eq!((refused.code.as_str(), refused.field.as_deref()), ("me/totp-wrong-code", Some("/code")), "{wrong}");
    }
    let codes = editor.put(TOTP, json!({"code": phone.shows(&app, 0), "password": PASSWORD})).await.expect(200).json();
    assert_eq!(codes["recovery_codes"].as_array().unwrap().len(), 10);
    assert_eq!(editor.get("/api/v1/session").await.expect(200).json()["totp_enabled"], true);
    for (verb, problem) in [
        ("POST", editor.post(TOTP, json!({})).await.expect(409).problem()),
        (
            "PUT",
            editor.put(TOTP, json!({"code": phone.shows(&app, 0), "password": PASSWORD})).await.expect(409).problem(),
        ),
    ] {
        assert_eq!(problem.code, "me/totp-on", "{verb}");
    }
    let user = app.user(Role::Editor, "morvan").await;
    let seen = app.admin_of("morvan").get(format!("/api/v1/users/{user}")).await.expect(200).json();
    assert_eq!(seen["totp_enabled"], true, "an administrator sees that it is on");
}

#[app_test]
async fn with_a_second_factor_signing_in_needs_password_and_code(app: TestApp) {
    let (phone, _) = enabled(&app, &app.editor_of("morvan")).await;
    let asked = sign_in(&app, EDITOR, None).await.expect(401);
    assert_eq!(asked.problem().code, "auth/totp-required");
    assert_eq!(asked.header("set-cookie"), "");
    assert_eq!(sign_in(&app, EDITOR, Some("  ")).await.expect(401).problem().code, "auth/totp-required");
    app.clock().advance_s(60);
    let code = phone.shows(&app, 0);
    let wrong = json!({"email": EDITOR, "password": "not the password", "totp": code});
    let refused = app.anonymous().post("/api/v1/session", wrong).await.expect(401).problem();
    assert_eq!(refused.code, "auth/bad-credentials", "a code does nothing without the password");
    let me = sign_in(&app, EDITOR, Some(&format!("{} {}", &code[..3], &code[3..]))).await.expect(200).json();
    assert_eq!(me["totp_enabled"], true);
}

#[app_test]
async fn a_code_is_accepted_once(app: TestApp) {
    let (phone, _) = enabled(&app, &app.editor_of("morvan")).await;
    let first = phone.shows(&app, 0);
    let used = sign_in(&app, EDITOR, Some(&first)).await.expect(401).problem();
    assert_eq!(used.code, "auth/totp-used", "the code that turned it on is used up");
    app.clock().advance_s(30);
    sign_in(&app, EDITOR, Some(&phone.shows(&app, 0))).await.expect(200);
    for again in [phone.shows(&app, 0), phone.shows(&app, -30)] {
        assert_eq!(sign_in(&app, EDITOR, Some(&again)).await.expect(401).problem().code, "auth/totp-used");
    }
}

#[app_test]
async fn one_code_sent_many_times_simultaneously_opens_one_session(app: TestApp) {
    let (phone, _) = enabled(&app, &app.editor_of("morvan")).await;
    app.clock().advance_s(30);
    let code = phone.shows(&app, 0);
    let tries: Vec<_> = (0..4)
        .map(|_| {
            let (app, code) = (app.clone(), code.clone());
            tokio::spawn(async move { sign_in(&app, EDITOR, Some(&code)).await.status.as_u16() })
        })
        .collect();
    let mut opened = 0;
    for one in tries {
        opened += usize::from(one.await.unwrap() == 200);
    }
    assert_eq!(opened, 1);
}

#[app_test]
async fn the_clock_of_a_telephone_may_be_off_by_half_a_minute(app: TestApp) {
    let (phone, _) = enabled(&app, &app.editor_of("morvan")).await;
    app.clock().advance_s(300);
    for off_s in [-60, 60] {
        let refused = sign_in(&app, EDITOR, Some(&phone.shows(&app, off_s))).await.expect(401).problem();
        assert_eq!((refused.code.as_str(), refused.field.as_deref()), ("auth/totp-wrong", Some("/totp")), "{off_s}");
    }
    for off_s in [-30, 0, 30] {
        sign_in(&app, EDITOR, Some(&phone.shows(&app, off_s))).await.expect(200);
    }
}

#[app_test]
async fn a_recovery_code_is_accepted_once_and_only_its_hash_is_stored(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (_, codes) = enabled(&app, &editor).await;
    sign_in(&app, EDITOR, Some(&codes[0].to_uppercase().replace('-', " "))).await.expect(200);
    assert_eq!(sign_in(&app, EDITOR, Some(&codes[0])).await.expect(401).problem().code, "auth/totp-wrong");
    sign_in(&app, EDITOR, Some(&codes[1])).await.expect(200);
    // Another person's account does not open with it.
    enabled(&app, &app.agency_of("morvan")).await;
    sign_in(&app, "agency@morvan.example", Some(&codes[2])).await.expect(401);
    disable(&editor, PASSWORD).await.expect(204);
    enabled(&app, &editor).await;
    assert_eq!(sign_in(&app, EDITOR, Some(&codes[2])).await.status, 401, "those of before are worth nothing");
}

#[app_test]
async fn a_wrong_code_counts_as_a_failed_attempt_and_a_right_password_alone_does_not(app: TestApp) {
    let (phone, _) = enabled(&app, &app.editor_of("morvan")).await;
    app.clock().advance_s(60);
    for _ in 0..30 {
        assert_eq!(sign_in(&app, EDITOR, None).await.problem().code, "auth/totp-required", "it is not counted");
    }
    for _ in 0..4 {
        assert_eq!(sign_in(&app, EDITOR, Some("000000")).await.problem().code, "auth/totp-wrong");
    }
    assert_eq!(sign_in(&app, EDITOR, None).await.problem().code, "auth/totp-required", "and it clears nothing");
    assert_eq!(sign_in(&app, EDITOR, Some("000000")).await.problem().code, "auth/totp-wrong");
    let waits = sign_in(&app, EDITOR, Some(&phone.shows(&app, 0))).await.expect(429).problem();
    assert_eq!((waits.code.as_str(), &waits.params["retry_after_s"]), ("auth/too-many-tries", &json!(5)));
    app.clock().advance_s(5);
    sign_in(&app, EDITOR, Some(&phone.shows(&app, 0))).await.expect(200);
    assert_eq!(sign_in(&app, EDITOR, Some("000000")).await.status, 401, "a good sign-in makes no wait");
}

#[app_test]
async fn turning_the_second_factor_on_ends_the_other_sessions(app: TestApp) {
    let other = sign_in(&app, EDITOR, None).await.expect(200);
    let cookie = other.header("set-cookie").split(';').next().unwrap().to_owned();
    let elsewhere = app.anonymous().with("cookie", &cookie);
    elsewhere.get("/api/v1/session").await.expect(200);
    let editor = app.editor_of("morvan");
    enabled(&app, &editor).await;
    assert_eq!(elsewhere.get("/api/v1/session").await.expect(401).problem().code, "session/expired");
    editor.get("/api/v1/session").await.expect(200);
}

#[app_test]
async fn turning_the_second_factor_off_needs_the_password_and_guesses_are_delayed(app: TestApp) {
    let editor = app.editor_of("morvan");
    enabled(&app, &editor).await;
    for _ in 0..5 {
        let refused = disable(&editor, "not the password").await.expect(422).problem();
        assert_eq!((refused.code.as_str(), refused.field.as_deref()), ("me/wrong-password", Some("/password")));
    }
    assert_eq!(disable(&editor, PASSWORD).await.expect(429).problem().code, "auth/too-many-tries");
    app.clock().advance_s(5);
    disable(&editor, PASSWORD).await.expect(204);
    assert_eq!(editor.get("/api/v1/session").await.expect(200).json()["totp_enabled"], false);
    app.clock().advance_s(10);
    sign_in(&app, EDITOR, None).await.expect(200);
}

#[app_test]
async fn an_administrator_removes_the_second_factor_of_a_lost_telephone(app: TestApp) {
    let editor = app.editor_of("morvan");
    enabled(&app, &editor).await;
    let user = app.user(Role::Editor, "morvan").await;
    let path = format!("/api/v1/users/{user}/totp");
    assert_eq!(app.admin_of("vercors").delete(&path).await.status, 404, "another structure's person is not there");
    let seen = app.admin_of("morvan").delete(&path).await.expect(200).json();
    assert_eq!(seen["totp_enabled"], false);
    assert_eq!(editor.get("/api/v1/session").await.status, 401, "a session may be open on the lost telephone");
    let mail = app.mail().next().await;
    assert_eq!(mail.to, EDITOR, "its owner may not have asked for it");
    assert!(mail.subject.contains("double authentification"), "{}", mail.subject);
    app.admin_of("morvan").delete(&path).await.expect(200);
    assert!(app.mail().is_empty(), "there was none left to take off");
    sign_in(&app, EDITOR, None).await.expect(200);
    // One's own second factor asks for the password, and no administrator reaches a role above their own.
    let admin = app.admin_of("morvan");
    let own = app.user(Role::Admin, "morvan").await;
    let refused = admin.delete(format!("/api/v1/users/{own}/totp")).await.expect(409).problem();
    assert_eq!(refused.code, "user/not-yourself");
    let root = app.user(Role::Superadmin, "morvan").await;
    let refused = admin.delete(format!("/api/v1/users/{root}/totp")).await.expect(403).problem();
    assert_eq!(refused.code, "user/not-yours");
}

#[app_test]
async fn administrators_without_a_required_second_factor_reach_only_their_account(app: TestApp) {
    let app = app.changed(|parts| parts.settings.totp_required_of_admins = true);
    app.editor_of("morvan").get("/api/v1/pois").await.expect(200);
    for (admin, email) in
        [(app.admin_of("morvan"), "admin@morvan.example"), (app.superadmin(), "superadmin@morvan.example")]
    {
        let me = sign_in(&app, email, None).await.expect(200).json();
        assert_eq!((&me["totp_enabled"], &me["totp_required"]), (&json!(false), &json!(true)));
        for path in ["/api/v1/pois", "/api/v1/users", "/api/v1/parcours", "/api/v1/dashboard", "/api/v1/bin"] {
            let refused = admin.get(path).await.expect(403).problem();
            assert_eq!(refused.code, "auth/totp-setup-required", "{path}");
        }
        admin.patch("/api/v1/me", json!({"locale": "en"})).await.expect(200);
        enabled(&app, &admin).await;
        admin.get("/api/v1/users").await.expect(200);
        disable(&admin, PASSWORD).await.expect(204);
        assert_eq!(admin.get("/api/v1/users").await.expect(403).problem().code, "auth/totp-setup-required");
    }
}

#[app_test]
async fn with_another_server_key_codes_fail_with_a_reason_and_recovery_codes_work(app: TestApp) {
    let (phone, codes) = enabled(&app, &app.editor_of("morvan")).await;
    app.clock().advance_s(60);
    let code = phone.shows(&app, 0);
    let other = app.changed(|parts| parts.key = ServerKey::random());
    other.clock().advance_s(60);
    assert_eq!(app::seal::opens(&other.app().key, other.store().read()).await.unwrap(), Some(false));
    let refusal = sign_in(&other, EDITOR, Some(&code)).await.expect(503).problem();
    assert_eq!(refusal.code, "server/other-key");
    sign_in(&other, EDITOR, Some(&codes[0])).await.expect(200);
    sign_in(&app, EDITOR, Some(&code)).await.expect(200);
}

#[app_test]
async fn the_secret_is_in_no_record_no_history_and_not_in_clear_in_the_database(app: TestApp) {
    let editor = app.editor_of("morvan");
    let offer = editor.post(TOTP, json!({})).await.expect(200).json();
    let phone = Phone::with(&offer["secret"]);
    editor.put(TOTP, json!({"code": phone.shows(&app, 0), "password": PASSWORD})).await.expect(200);
    let user = app.user(Role::Editor, "morvan").await;
    let kept = store::user::second_factor(app.store().read(), user).await.unwrap().sealed.unwrap();
    let secret = Secret::try_from_base32(offer["secret"].as_str().unwrap()).unwrap();
    assert!(!kept.windows(4).any(|part| secret.windows(4).any(|own| own == part)));
    let admin = app.admin_of("morvan");
    let seen = admin.get(format!("/api/v1/users/{user}")).await.expect(200).json();
    assert_eq!(id(&seen), user.0);
    for place in ["", "/revisions", "/revisions/1"] {
        let text = admin.get(format!("{}{place}", one("/api/v1/users", &seen))).await.expect(200).text();
        assert!(!text.contains(offer["secret"].as_str().unwrap()) && !text.contains("secret"), "{place}: {text}");
    }
}

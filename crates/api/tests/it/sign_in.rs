//! Signing in and out.

use domain::{Role, TrustedProxies, UserStatus};
use macros::app_test;
use serde_json::json;
use testkit::{PASSWORD, Reply, TestApp};

async fn sign_in(app: &TestApp, email: &str, password: &str) -> Reply {
    app.anonymous().post("/api/v1/session", json!({ "email": email, "password": password })).await
}

async fn failed(app: &TestApp) -> Reply {
    sign_in(app, "editor@morvan.example", "not the password").await
}

fn token(reply: &Reply) -> String {
    let cookie = reply.header("set-cookie");
    cookie.split(';').next().and_then(|pair| pair.strip_prefix("authToken=")).unwrap().to_owned()
}

async fn me_with(app: &TestApp, token: &str) -> Reply {
    app.anonymous().with("cookie", &format!("locale=fr; authToken={token}")).get("/api/v1/session").await
}

#[app_test]
async fn the_right_password_opens_a_session_for_a_day(app: TestApp) {
    let reply = sign_in(&app, " Editor@Morvan.Example ", PASSWORD).await.expect(200);
    let me = reply.json();
    assert_eq!(me["email"], "editor@morvan.example");
    assert_eq!(me["role"], "editor");
    assert_eq!(me["session_expires_at"], "2026-11-21T08:00:00Z");
    assert_eq!(me["white_labels"][0]["name"], "Morvan");
    assert_eq!(me["active_white_label_id"], me["white_labels"][0]["id"]);
    assert!(me["capabilities"].as_array().unwrap().contains(&json!("content.write")));
    let cookie = reply.header("set-cookie");
    for part in ["HttpOnly", "SameSite=Lax", "Max-Age=86400", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "over http the browser would drop it");
    me_with(&app, &token(&reply)).await.expect(200);
}

#[app_test]
async fn over_https_the_cookie_is_secure(app: TestApp) {
    let app = app.changed(|parts| parts.settings.public_url = "https://jalon.example".to_owned());
    assert!(sign_in(&app, "editor@morvan.example", PASSWORD).await.header("set-cookie").contains("; Secure"));
}

#[app_test]
async fn only_the_hash_of_a_token_is_stored(app: TestApp) {
    let token = token(&sign_in(&app, "editor@morvan.example", PASSWORD).await);
    let hash = app::token::Token::parse(&token).unwrap().hash();
    assert!(store::session::find(app.store().read(), &hash).await.unwrap().is_some());
    let mut raw = [0_u8; 32];
    raw.copy_from_slice(&token.as_bytes()[..32]);
    assert!(store::session::find(app.store().read(), &raw).await.unwrap().is_none());
}

#[app_test]
async fn a_wrong_password_and_an_unknown_account_get_the_same_answer(app: TestApp) {
    let wrong = failed(&app).await.expect(401).problem();
    let unknown = sign_in(&app, "nobody@nowhere.example", PASSWORD).await.expect(401).problem();
    let no_address = sign_in(&app, "not an address", PASSWORD).await.expect(401).problem();
    assert_eq!(wrong.code, "auth/bad-credentials");
    assert_eq!(wrong, unknown);
    assert_eq!(wrong, no_address);
}

#[app_test]
async fn after_five_failures_the_delay_grows_each_time(app: TestApp) {
    for _ in 0..5 {
        assert_eq!(failed(&app).await.problem().code, "auth/bad-credentials");
    }
    let refusal = failed(&app).await.expect(429);
    assert_eq!((refusal.problem().code.as_str(), refusal.header("retry-after")), ("auth/too-many-tries", "5"));
    assert_eq!(refusal.problem().params["retry_after_s"], 5);
    let right = sign_in(&app, "editor@morvan.example", PASSWORD).await;
    assert_eq!(right.status, 429, "the right password waits too: it may be a guess");
    app.clock().advance_s(5);
    assert_eq!(failed(&app).await.status, 401);
    assert_eq!(failed(&app).await.header("retry-after"), "10");
    app.clock().advance_s(10);
    sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(200);
    assert_eq!(failed(&app).await.status, 401, "a good sign-in makes no wait");
    assert_eq!(failed(&app).await.header("retry-after"), "20", "and forgets none that others caused");
}

#[app_test]
async fn a_clock_that_was_ahead_and_is_set_back_stops_no_sign_in(app: TestApp) {
    app.clock().advance_s(400 * 86_400);
    for _ in 0..5 {
        assert_eq!(failed(&app).await.status, 401);
    }
    assert_eq!(failed(&app).await.status, 429);
    app.clock().advance_s(-400 * 86_400);
    for _ in 0..5 {
        assert_eq!(failed(&app).await.status, 401, "failures are counted anew");
    }
    assert_eq!(failed(&app).await.header("retry-after"), "5");
    app.clock().advance_s(5);
    sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(200);
    assert_eq!(failed(&app).await.status, 401, "a success does not bring the failures of the other time back");
    assert_eq!(failed(&app).await.header("retry-after"), "10");
}

#[app_test]
async fn simultaneous_attempts_are_counted_separately(app: TestApp) {
    let tries: Vec<_> = (0..12)
        .map(|_| {
            let app = app.clone();
            tokio::spawn(async move { failed(&app).await.status.as_u16() })
        })
        .collect();
    let mut judged = 0;
    for one in tries {
        judged += usize::from(one.await.unwrap() == 401);
    }
    assert_eq!(judged, 5, "the sixth and those after it are not even judged");
}

#[app_test]
async fn an_address_that_tries_many_accounts_is_delayed_too(app: TestApp) {
    // Too long to be hashed: it is refused too.
    let wrong = "x".repeat(domain::MAX_PASSWORD_CHARS + 1);
    for n in 0..100 {
        assert_eq!(sign_in(&app, &format!("guess{n}@morvan.example"), &wrong).await.status, 401);
    }
    assert_eq!(sign_in(&app, "another@morvan.example", "x").await.problem().code, "auth/too-many-tries");
    let proxied = app.changed(|parts| parts.settings.trusted_proxies = TrustedProxies::Hops(1));
    let elsewhere = proxied.anonymous().with("x-forwarded-for", "203.0.113.9");
    let body = json!({ "email": "editor@morvan.example", "password": PASSWORD });
    elsewhere.post("/api/v1/session", body).await.expect(200);
}

#[app_test]
async fn a_blocked_user_is_refused_and_their_sessions_end(app: TestApp) {
    let open = token(&sign_in(&app, "editor@morvan.example", PASSWORD).await);
    let user = app.user(Role::Editor, "morvan").await;
    let tx = app.store().begin().await.unwrap();
    store::user::set_status(&tx, user, UserStatus::Blocked, app.app().now()).await.unwrap();
    tx.commit().await.unwrap();
    let refused = sign_in(&app, "editor@morvan.example", PASSWORD).await.expect(403);
    assert_eq!(refused.problem().code, "auth/blocked");
    assert_eq!(
        failed(&app).await.problem().code,
        "auth/bad-credentials",
        "that an account is blocked is reported only after its right password"
    );
    app.clock().advance_s(5);
    assert_eq!(me_with(&app, &open).await.problem().code, "session/expired");
}

#[app_test]
async fn a_session_ends_after_a_day(app: TestApp) {
    let token = token(&sign_in(&app, "editor@morvan.example", PASSWORD).await);
    // In use meanwhile: what is not used ends sooner.
    for wait_s in [43_199, 43_199, 1] {
        app.clock().advance_s(wait_s);
        me_with(&app, &token).await.expect(200);
    }
    app.clock().advance_s(1);
    assert_eq!(me_with(&app, &token).await.expect(401).problem().code, "session/expired");
}

#[app_test]
async fn signing_out_ends_this_session_and_no_other(app: TestApp) {
    let first = token(&sign_in(&app, "editor@morvan.example", PASSWORD).await);
    let second = token(&sign_in(&app, "editor@morvan.example", PASSWORD).await);
    me_with(&app, &first).await.expect(200);
    let out = app.anonymous().with("cookie", &format!("authToken={first}")).delete("/api/v1/session").await.expect(204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(me_with(&app, &first).await.problem().code, "session/expired");
    me_with(&app, &second).await.expect(200);
    app.anonymous().delete("/api/v1/session").await.expect(204);
}

#[app_test]
async fn signing_out_everywhere_ends_all(app: TestApp) {
    let first = token(&sign_in(&app, "editor@morvan.example", PASSWORD).await);
    let second = token(&sign_in(&app, "editor@morvan.example", PASSWORD).await);
    me_with(&app, &second).await.expect(200);
    app.anonymous().with("cookie", &format!("authToken={first}")).delete("/api/v1/sessions").await.expect(204);
    for token in [first, second] {
        assert_eq!(me_with(&app, &token).await.problem().code, "session/expired");
    }
}

#[app_test]
async fn an_operation_without_a_session_is_refused(app: TestApp) {
    assert_eq!(app.anonymous().get("/api/v1/session").await.expect(401).problem().code, "session/required");
    assert_eq!(me_with(&app, "nonsense").await.expect(401).problem().code, "session/expired");
    assert_eq!(me_with(&app, &"a".repeat(64)).await.expect(401).problem().code, "session/expired");
}

#[app_test]
async fn a_person_changes_their_language_view_and_active_white_label(app: TestApp) {
    let second = app.white_label("morvan-velo").await;
    let editor = app.editor_of("morvan");
    let patch = json!({ "locale": "en", "advanced_view": true, "single_keys": false, "active_white_label_id": second });
    for me in [editor.patch("/api/v1/me", patch).await.expect(200).json(), editor.get("/api/v1/session").await.json()] {
        assert_eq!((&me["locale"], &me["advanced_view"]), (&json!("en"), &json!(true)));
        assert_eq!(me["single_keys"], false);
        assert_eq!(me["active_white_label_id"], json!(second));
    }
    let theirs = app.white_label("vercors").await;
    let refused = editor.patch("/api/v1/me", json!({ "active_white_label_id": theirs })).await.expect(403).problem();
    assert_eq!(refused.code, "me/white-label-not-yours");
    assert_eq!(refused.field.as_deref(), Some("/active_white_label_id"));
}

#[app_test]
async fn an_admin_switches_between_all_white_labels_of_the_structure_and_a_superadmin_between_all(app: TestApp) {
    let of = async |role: Role, slug: &str| {
        let me = app.role_of(role, slug).get("/api/v1/session").await.json();
        me["white_labels"]
            .as_array()
            .unwrap()
            .iter()
            .map(|own| own["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(Role::Admin, "morvan").await, ["Morvan", "Morvan à vélo"]);
    assert_eq!(of(Role::Admin, "vercors").await, ["Vercors"]);
    assert_eq!(of(Role::Superadmin, "vercors").await, ["Morvan", "Morvan à vélo", "Vercors"]);
}

/// Older versions stored addresses as they were typed.
#[app_test]
async fn an_account_with_an_address_that_is_no_longer_accepted_signs_in(app: TestApp) {
    let user = app.user(Role::Editor, "morvan").await;
    for (stored, typed, status) in [
        ("zoe\u{301}..m@morvan.example", " Zoe\u{301}..M@Morvan.example", 200),
        ("zoe\u{301}@morvan.example", "zoe\u{301}@morvan.example", 200),
        ("zoé@morvan.example", "ZOE\u{301}@morvan.example", 200),
        ("zoé@morvan.example", "zoe@morvan.example", 401),
    ] {
        let tx = app.store().begin().await.unwrap();
        let sql = format!(r#"UPDATE "user" SET email = '{stored}' WHERE id = {}"#, user.0);
        store::server::run_sql(&tx, &sql).await.unwrap();
        tx.commit().await.unwrap();
        let reply = sign_in(&app, typed, PASSWORD).await;
        assert_eq!(reply.status.as_u16(), status, "{stored:?} as {typed:?}");
    }
}

#[app_test]
async fn an_address_that_is_typed_in_two_ways_has_one_count_of_failures(app: TestApp) {
    for typed in ["zoe\u{301}@b.fr", "zoé@b.fr", "zoe\u{301}@b.fr", "zoé@b.fr", "zoé@b.fr"] {
        sign_in(&app, typed, "not the password").await.expect(401);
    }
    sign_in(&app, "zoe\u{301}@b.fr", "not the password").await.expect(429);
}

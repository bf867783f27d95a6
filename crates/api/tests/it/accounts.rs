//! Sign-in: waits after failed tries, known devices, sessions, passwords.

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Method;
use domain::Role;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, PASSWORD, Reply, TestApp};

const EDITOR: &str = "editor@morvan.example";
const NEW: &str = "le vent tourne à gauche";
const SESSIONS: &str = "/api/v1/me/sessions";

/// A browser: it keeps the cookies it is given.
#[derive(Clone)]
struct Browser {
    app: TestApp,
    cookies: Vec<(String, String)>,
    user_agent: &'static str,
}

impl Browser {
    fn new(app: &TestApp) -> Self {
        Self { app: app.clone(), cookies: Vec::new(), user_agent: "" }
    }

    fn client(&self) -> Client {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        self.app.anonymous().with("cookie", &cookies.join("; ")).with("user-agent", self.user_agent)
    }

    fn cookie(&self, name: &str) -> &str {
        self.cookies.iter().find(|(own, _)| own.starts_with(name)).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    fn keep(&mut self, reply: &Reply) {
        for header in reply.headers.get_all("set-cookie") {
            let (name, value) = header.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.retain(|(own, _)| own != name);
            self.cookies.push((name.to_owned(), value.to_owned()));
        }
    }

    async fn sign_in(&mut self, email: &str, password: &str) -> Reply {
        let reply = self.client().post("/api/v1/session", json!({"email": email, "password": password})).await;
        self.keep(&reply);
        reply
    }

    async fn me(&self) -> u16 {
        self.client().get("/api/v1/session").await.status.as_u16()
    }
}

/// Signs in from a client without cookies.
async fn sign_in_from_unknown_device(app: &TestApp, email: &str, password: &str) -> Reply {
    Browser::new(app).sign_in(email, password).await
}

/// A wrong password that is refused without being hashed: it is too long.
fn too_long() -> String {
    "x".repeat(domain::MAX_PASSWORD_CHARS + 1)
}

/// Fails to sign in until the account is delayed.
async fn fail_sign_ins(app: &TestApp, email: &str) {
    for _ in 0..5 {
        sign_in_from_unknown_device(app, email, &too_long()).await.expect(401);
    }
    assert_eq!(sign_in_from_unknown_device(app, email, PASSWORD).await.expect(429).header("retry-after"), "5");
}

async fn link(app: &TestApp) -> String {
    let mail = app.mail().next().await;
    let start = mail.text.find("?token=").unwrap() + "?token=".len();
    mail.text[start..start + 64].to_owned()
}

#[app_test]
async fn failed_sign_ins_of_others_do_not_delay_a_known_device(app: TestApp) {
    let mut known = Browser::new(&app);
    let reply = known.sign_in(EDITOR, PASSWORD).await.expect(200);
    let device: Vec<_> = reply.headers.get_all("set-cookie").iter().filter_map(|one| one.to_str().ok()).collect();
    let device = device.iter().find(|one| one.starts_with("device-")).unwrap();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/api/v1", "Max-Age=15552000"] {
        assert!(device.contains(part), "{device}");
    }
    fail_sign_ins(&app, EDITOR).await;
    known.sign_in(EDITOR, PASSWORD).await.expect(200);
    // Another server over the same database knows it too, and counts the same failures.
    let other = app.changed(|_| {});
    assert_eq!(sign_in_from_unknown_device(&other, EDITOR, PASSWORD).await.status, 429);
    let mut there = Browser { app: other, ..known.clone() };
    there.sign_in(EDITOR, PASSWORD).await.expect(200);
    // Failures on a known device delay this device only.
    app.clock().advance_s(5);
    for _ in 0..5 {
        known.sign_in(EDITOR, &too_long()).await.expect(401);
    }
    assert_eq!(known.sign_in(EDITOR, PASSWORD).await.expect(429).header("retry-after"), "5");
    sign_in_from_unknown_device(&app, EDITOR, PASSWORD).await.expect(200);
}

#[app_test]
async fn a_device_is_known_only_for_the_account_that_signed_in_on_it(app: TestApp) {
    let mut mine = Browser::new(&app);
    mine.sign_in("reader@morvan.example", PASSWORD).await.expect(200);
    fail_sign_ins(&app, EDITOR).await;
    mine.sign_in(EDITOR, PASSWORD).await.expect(429);
    // Nor under the other account's name, nor with a token the server never gave.
    let editor = app.user(Role::Editor, "morvan").await;
    for token in [mine.cookie("device-").to_owned(), "ab".repeat(32)] {
        let mut forged = Browser { cookies: vec![(format!("device-{editor}"), token)], ..mine.clone() };
        forged.sign_in(EDITOR, PASSWORD).await.expect(429);
    }
    // A planted token is not taken over at the next good sign-in.
    app.clock().advance_s(5);
    let planted = "cd".repeat(32);
    let mut forged = Browser { cookies: vec![(format!("device-{editor}"), planted.clone())], ..mine.clone() };
    forged.sign_in(EDITOR, PASSWORD).await.expect(200);
    assert_ne!(forged.cookie("device-"), planted);
}

#[app_test]
async fn a_success_neither_renews_nor_forgets_the_wait_that_others_caused(app: TestApp) {
    fail_sign_ins(&app, EDITOR).await;
    app.clock().advance_s(5);
    sign_in_from_unknown_device(&app, EDITOR, PASSWORD).await.expect(200);
    sign_in_from_unknown_device(&app, EDITOR, PASSWORD).await.expect(200);
    sign_in_from_unknown_device(&app, EDITOR, &too_long()).await.expect(401);
    let waits = sign_in_from_unknown_device(&app, EDITOR, PASSWORD).await.expect(429);
    assert_eq!(waits.header("retry-after"), "10", "the failures before the success still count");
}

#[app_test]
async fn one_failed_sign_in_is_forgotten_each_half_hour(app: TestApp) {
    fail_sign_ins(&app, EDITOR).await;
    app.clock().advance_s(1_800);
    sign_in_from_unknown_device(&app, EDITOR, &too_long()).await.expect(401);
    assert_eq!(
        sign_in_from_unknown_device(&app, EDITOR, PASSWORD).await.expect(429).header("retry-after"),
        "5",
        "four and one are five"
    );
    app.clock().advance_s(5 * 1_800);
    for _ in 0..5 {
        sign_in_from_unknown_device(&app, EDITOR, &too_long()).await.expect(401);
    }
    api::tidy::tidy(app.app()).await.unwrap();
    assert_eq!(
        sign_in_from_unknown_device(&app, EDITOR, PASSWORD).await.status,
        429,
        "tidying forgets only what has faded"
    );
}

#[app_test]
async fn typing_errors_of_colleagues_do_not_lock_a_known_device_out(app: TestApp) {
    let mut known = Browser::new(&app);
    known.sign_in("agency@morvan.example", PASSWORD).await.expect(200);
    for n in 0..20 {
        for _ in 0..5 {
            if n == 10 {
                sign_in_from_unknown_device(&app, "reader@morvan.example", PASSWORD).await.expect(200);
            }
            sign_in_from_unknown_device(&app, &format!("colleague{n}@morvan.example"), &too_long()).await.expect(401);
        }
    }
    // After a hundred failures, sign-ins from this address are delayed by a minute at most; known devices are not.
    assert_eq!(sign_in_from_unknown_device(&app, EDITOR, PASSWORD).await.expect(429).header("retry-after"), "5");
    known.sign_in("agency@morvan.example", PASSWORD).await.expect(200);
    app.clock().advance_s(60);
    sign_in_from_unknown_device(&app, EDITOR, PASSWORD).await.expect(200);
}

#[app_test]
async fn a_password_reset_ends_the_wait_and_the_attack_goes_on_without_its_owner(app: TestApp) {
    fail_sign_ins(&app, EDITOR).await;
    let mut owner = Browser::new(&app);
    owner.client().post("/api/v1/password-resets", json!({"email": EDITOR})).await.expect(202);
    let path = format!("/api/v1/password-resets/{}", link(&app).await);
    let reply = owner.client().put(path, json!({"password": NEW})).await.expect(204);
    sign_in_from_unknown_device(&app, EDITOR, NEW).await.expect(200);
    owner.keep(&reply);
    fail_sign_ins_with_old_password(&app).await;
    owner.sign_in(EDITOR, NEW).await.expect(200);
}

/// Fails to sign in with the former password until the account is delayed again.
async fn fail_sign_ins_with_old_password(app: &TestApp) {
    for _ in 0..5 {
        sign_in_from_unknown_device(app, EDITOR, &too_long()).await.expect(401);
    }
    sign_in_from_unknown_device(app, EDITOR, NEW).await.expect(429);
}

#[app_test]
async fn a_reset_forgets_the_devices_of_the_person_who_had_the_password_before(app: TestApp) {
    let mut thief = Browser::new(&app);
    thief.sign_in(EDITOR, PASSWORD).await.expect(200);
    app.anonymous().post("/api/v1/password-resets", json!({"email": EDITOR})).await.expect(202);
    let path = format!("/api/v1/password-resets/{}", link(&app).await);
    app.anonymous().put(path, json!({"password": NEW})).await.expect(204);
    for _ in 0..5 {
        thief.sign_in(EDITOR, &too_long()).await.expect(401);
    }
    sign_in_from_unknown_device(&app, EDITOR, NEW).await.expect(429);
}

#[app_test]
async fn an_unknown_account_waits_as_a_known_one_and_takes_as_long(app: TestApp) {
    fail_sign_ins(&app, EDITOR).await;
    fail_sign_ins(&app, "nobody@nowhere.example").await;
    // The shortest of several each, in turn, so that both see the same machine.
    let (mut known, mut unknown) = (Duration::MAX, Duration::MAX);
    for (n, role) in [Role::Reader, Role::Agency, Role::Admin, Role::Superadmin, Role::Editor].into_iter().enumerate() {
        let emails = [format!("{}@vercors.example", role.as_str()), format!("nobody{n}@vercors.example")];
        for (email, shortest) in emails.iter().zip([&mut known, &mut unknown]) {
            let start = Instant::now();
            sign_in_from_unknown_device(&app, email, "not the password").await.expect(401);
            *shortest = start.elapsed().min(*shortest);
        }
    }
    let ratio = known.as_secs_f64() / unknown.as_secs_f64();
    assert!((0.6..1.7).contains(&ratio), "{known:?} for a known account, {unknown:?} for an unknown one");
}

#[app_test]
async fn signing_in_again_ends_the_session_the_browser_had(app: TestApp) {
    let mut browser = Browser::new(&app);
    browser.sign_in(EDITOR, PASSWORD).await.expect(200);
    let before = browser.clone();
    assert_eq!(before.me().await, 200);
    browser.sign_in(EDITOR, &too_long()).await.expect(401);
    assert_eq!(before.me().await, 200, "a failed try ends nothing");
    browser.sign_in("reader@morvan.example", PASSWORD).await.expect(200);
    assert_eq!((before.me().await, browser.me().await), (401, 200));
}

#[app_test]
async fn a_session_ends_after_twelve_hours_without_use(app: TestApp) {
    let (mut used, mut unused) = (Browser::new(&app), Browser::new(&app));
    used.sign_in(EDITOR, PASSWORD).await.expect(200);
    unused.sign_in(EDITOR, PASSWORD).await.expect(200);
    app.clock().advance_s(43_199);
    assert_eq!(used.me().await, 200);
    app.clock().advance_s(1);
    let over = unused.client().get("/api/v1/session").await.expect(401).problem();
    assert_eq!((over.code.as_str(), used.me().await), ("session/expired", 200));
    let listed = used.client().get(SESSIONS).await.expect(200).json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1, "{listed}");
    // The operator may say less; the day of the specification stays the most.
    let strict = app.changed(|parts| parts.settings.session_idle_s = 900);
    strict.clock().advance_s(43_199 + 899);
    assert_eq!(Browser { app: strict.clone(), ..used.clone() }.me().await, 200);
    strict.clock().advance_s(900);
    assert_eq!(Browser { app: strict, ..used.clone() }.me().await, 401);
    app.clock().advance_s(43_199);
    assert_eq!(used.me().await, 200);
    app.clock().advance_s(1);
    assert_eq!(used.me().await, 401, "a day");
}

#[app_test]
async fn a_person_lists_their_sessions_and_ends_one_or_all_others(app: TestApp) {
    let agents = [
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1",
        "curl/8.5.0",
    ];
    let mut browsers = Vec::new();
    for user_agent in agents {
        let mut one = Browser { user_agent, ..Browser::new(&app) };
        one.sign_in(EDITOR, PASSWORD).await.expect(200);
        app.clock().advance_s(60);
        browsers.push(one);
    }
    sign_in_from_unknown_device(&app, "reader@morvan.example", PASSWORD).await.expect(200);
    let [office, phone, script] = browsers.try_into().ok().unwrap();
    let listed = office.client().get(SESSIONS).await.expect(200).json();
    let found: Vec<_> = listed["items"].as_array().unwrap().iter().map(words).collect();
    assert_eq!(found, ["Firefox Windows true 08:03:00", "null null false 08:02:00", "Safari iPhone false 08:01:00"]);
    assert!(!listed.to_string().contains(office.cookie("authToken")));
    // Own sessions are ended one by one; sessions of others are not found.
    let id = |listed: &Value, at: usize| listed["items"][at]["id"].as_i64().unwrap();
    office.client().delete(format!("{SESSIONS}/{}", id(&listed, 1))).await.expect(204);
    assert_eq!((office.me().await, phone.me().await, script.me().await), (200, 200, 401));
    let reader = app.reader_of("morvan");
    let refused = reader.delete(format!("{SESSIONS}/{}", id(&listed, 2))).await.expect(404).problem();
    assert_eq!(refused.code, "me/no-such-session");
    assert_eq!(phone.me().await, 200);
    // All other sessions end; their devices are no longer known ones.
    fail_sign_ins(&app, EDITOR).await;
    office.client().delete(SESSIONS).await.expect(204);
    assert_eq!((office.me().await, phone.me().await), (200, 401));
    phone.clone().sign_in(EDITOR, PASSWORD).await.expect(429);
    office.clone().sign_in(EDITOR, PASSWORD).await.expect(200);
}

fn words(session: &Value) -> String {
    let plain = |field: &str| session[field].as_str().map_or_else(|| session[field].to_string(), str::to_owned);
    format!("{} {} {} {}", plain("browser"), plain("system"), plain("current"), &plain("last_seen_at")[11..19])
}

#[app_test]
async fn a_session_that_ended_on_one_server_is_refused_on_the_other_within_seconds(app: TestApp) {
    let mut browser = Browser::new(&app);
    browser.sign_in(EDITOR, PASSWORD).await.expect(200);
    let other = app.changed(|_| {});
    let there = Browser { app: other.clone(), ..browser.clone() };
    assert_eq!(there.me().await, 200);
    browser.client().delete("/api/v1/session").await.expect(204);
    assert_eq!(browser.me().await, 401, "here at once");
    other.clock().advance_s(5);
    assert_eq!(there.me().await, 401, "there after the five seconds for which a session is believed");
}

#[app_test]
async fn an_administrator_ends_a_persons_sessions_without_blocking(app: TestApp) {
    let mut editor = Browser::new(&app);
    editor.sign_in(EDITOR, PASSWORD).await.expect(200);
    let id = app.user(Role::Editor, "morvan").await;
    let path = format!("/api/v1/users/{id}/sessions");
    assert_eq!(app.admin_of("vercors").delete(&path).await.status, 404, "another structure's person is not there");
    assert_eq!(app.editor_of("morvan").delete(&path).await.status, 403);
    assert_eq!(editor.me().await, 200);
    let seen = app.admin_of("morvan").delete(&path).await.expect(200).json();
    assert_eq!((seen["status"].as_str(), editor.me().await), (Some("active"), 401));
    fail_sign_ins(&app, EDITOR).await;
    editor.sign_in(EDITOR, PASSWORD).await.expect(429);
    app.clock().advance_s(5);
    editor.sign_in(EDITOR, PASSWORD).await.expect(200);
    // One's own sessions are ended on the account page; no administrator reaches a role above their own.
    let own = app.user(Role::Admin, "morvan").await;
    let refused = app.admin_of("morvan").delete(format!("/api/v1/users/{own}/sessions")).await.expect(409).problem();
    assert_eq!(refused.code, "user/not-yourself");
    let root = app.user(Role::Superadmin, "morvan").await;
    let refused = app.admin_of("morvan").delete(format!("/api/v1/users/{root}/sessions")).await.expect(403).problem();
    assert_eq!(refused.code, "user/not-yours");
}

async fn change(who: &Browser, current: &str, new: &str) -> Reply {
    who.client().put("/api/v1/me/password", json!({"current_password": current, "new_password": new})).await
}

#[app_test]
async fn a_password_is_changed_with_the_present_one_and_ends_the_other_sessions(app: TestApp) {
    let (mut here, mut elsewhere) = (Browser::new(&app), Browser::new(&app));
    here.sign_in(EDITOR, PASSWORD).await.expect(200);
    elsewhere.sign_in(EDITOR, PASSWORD).await.expect(200);
    app.anonymous().post("/api/v1/password-resets", json!({"email": EDITOR})).await.expect(202);
    let token = link(&app).await;
    for (current, new, code, field) in [
        ("not the password", NEW, "me/wrong-password", "/current_password"),
        (PASSWORD, PASSWORD, "me/same-password", "/new_password"),
        (PASSWORD, "court", "auth/weak-password", "/new_password"),
        (PASSWORD, "ghbdtnrfrltkf!1", "auth/weak-password", "/new_password"),
    ] {
        let refused = change(&here, current, new).await.expect(422).problem();
        assert_eq!((refused.code.as_str(), refused.field.as_deref()), (code, Some(field)), "{new}");
    }
    assert_eq!(elsewhere.me().await, 200);
    change(&here, PASSWORD, NEW).await.expect(204);
    assert_eq!((here.me().await, elsewhere.me().await), (200, 401));
    let mail = app.mail().next().await;
    assert!(mail.to == EDITOR && mail.text.contains("vos autres sessions ont été fermées"), "{}", mail.text);
    let old = app.anonymous().put(format!("/api/v1/password-resets/{token}"), json!({"password": PASSWORD})).await;
    assert_eq!(old.expect(404).problem().code, "auth/reset-expired");
    here.sign_in(EDITOR, PASSWORD).await.expect(401);
    here.sign_in(EDITOR, NEW).await.expect(200);
}

#[app_test]
async fn wrong_current_passwords_are_delayed_like_failed_sign_ins(app: TestApp) {
    let mut known = Browser::new(&app);
    known.sign_in(EDITOR, PASSWORD).await.expect(200);
    // A session without the device cookie: what a thief of the session alone has.
    let thief =
        Browser { cookies: vec![("authToken".to_owned(), known.cookie("authToken").to_owned())], ..known.clone() };
    for _ in 0..5 {
        change(&thief, &too_long(), NEW).await.expect(422);
    }
    let waits = change(&thief, PASSWORD, NEW).await.expect(429);
    assert_eq!((waits.problem().code.as_str(), waits.header("retry-after")), ("auth/too-many-tries", "5"));
    sign_in_from_unknown_device(&app, EDITOR, PASSWORD).await.expect(429);
    change(&known, PASSWORD, NEW).await.expect(204);
}

#[app_test]
async fn two_changes_at_once_leave_one_password(app: TestApp) {
    let mut here = Browser::new(&app);
    here.sign_in(EDITOR, PASSWORD).await.expect(200);
    let changes = ["le vent tourne à gauche", "le vent tourne à droite"].map(|new| {
        let here = here.clone();
        tokio::spawn(async move { (new, change(&here, PASSWORD, new).await.status.as_u16()) })
    });
    let mut changed = Vec::new();
    for one in changes {
        let (new, status) = one.await.unwrap();
        changed.extend((status == 204).then_some(new));
    }
    let [new] = changed[..] else { panic!("{changed:?}") };
    sign_in_from_unknown_device(&app, EDITOR, new).await.expect(200);
}

#[app_test]
async fn passwords_known_from_breaches_are_refused_everywhere(app: TestApp) {
    let mut here = Browser::new(&app);
    here.sign_in(EDITOR, PASSWORD).await.expect(200);
    app.anonymous().post("/api/v1/password-resets", json!({"email": EDITOR})).await.expect(202);
    let path = format!("/api/v1/password-resets/{}", link(&app).await);
    for breached in ["1qaz2wsx3edc4rfv", "Chaussure-2026!", "123456789qwerty!A"] {
        for refused in
            [change(&here, PASSWORD, breached).await, app.anonymous().put(&path, json!({"password": breached})).await]
        {
            let refused = refused.expect(422).problem();
            let found = (refused.code.as_str(), &refused.params["reason"]);
            assert_eq!(found, ("auth/weak-password", &json!("common")), "{breached}");
        }
    }
}

#[app_test]
async fn signing_out_has_the_browser_drop_what_it_keeps_of_answers(app: TestApp) {
    let mut browser = Browser::new(&app);
    for path in ["/api/v1/session", "/api/v1/sessions"] {
        browser.sign_in(EDITOR, PASSWORD).await.expect(200);
        let out = browser.client().delete(path).await.expect(204);
        assert_eq!(out.header("clear-site-data"), "\"cache\"", "{path}");
        browser.keep(&out);
    }
    assert_eq!(browser.cookie("authToken"), "");
    assert_ne!(browser.cookie("device-"), "", "the device stays known: it gives nothing but a wait of its own");
}

#[app_test]
async fn the_second_factor_is_turned_on_with_the_password(app: TestApp) {
    let mut here = Browser::new(&app);
    here.sign_in(EDITOR, PASSWORD).await.expect(200);
    let offer = here.client().post("/api/v1/me/totp", json!({})).await.expect(200).json();
    let secret = totp_rs::Secret::try_from_base32(offer["secret"].as_str().unwrap()).unwrap();
    let phone = totp_rs::Builder::new().with_secret(secret).build_noncompliant();
    let code = phone.generate(app.app().now().0 as u64).to_string();
    let turn_on = async |sent: Value| here.client().put("/api/v1/me/totp", sent).await;
    assert_eq!(turn_on(json!({"code": code})).await.status, 422, "who found the screen open has no password");
    let refused = turn_on(json!({"code": code, "password": "not the password"})).await.expect(422).problem();
    assert_eq!((refused.code.as_str(), refused.field.as_deref()), ("me/wrong-password", Some("/password")));
    assert_eq!(here.client().get("/api/v1/session").await.json()["totp_enabled"], false);
    for _ in 0..4 {
        turn_on(json!({"code": code, "password": too_long()})).await.expect(422);
    }
    assert_eq!(
        turn_on(json!({"code": code, "password": PASSWORD})).await.expect(429).problem().code,
        "auth/too-many-tries"
    );
    app.clock().advance_s(5);
    let code = phone.generate(app.app().now().0 as u64).to_string();
    turn_on(json!({"code": code, "password": PASSWORD})).await.expect(200);
    let body = json!({"password": too_long()}).to_string();
    let off = here.client().send(Method::DELETE, "/api/v1/me/totp", Some("application/json"), Body::from(body)).await;
    assert_eq!(off.expect(422).problem().code, "me/wrong-password");
}

//! Visitors' feedback: reviews that are confirmed and moderated, field reports that are resolved.

use ::media::PdfQuestion;
use domain::feedback::{REVIEW_EMAIL_KEPT_S, SOLVED_EMAIL_KEPT_S, UNCONFIRMED_KEPT_S};
use domain::{HOUR_S, TimeZone, TrustedProxies};
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, LimitedPdfReader, Reply, TestApp, samples};

use crate::feeds::{api_client, patch_white_label};
use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, path, published, titles};

const REVIEWS: &str = "/api/public/v1/reviews";
const REPORTS: &str = "/api/public/v1/field-reports";

/// A public parcours with a line.
async fn published_parcours(app: &TestApp) -> Value {
    let editor = app.editor_of("morvan");
    let fields = json!({"description": {"fr": "<p>À voir.</p>"}, "distribute_own": true});
    let parcours = made(&editor, "Tour du lac", fields).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    published(&editor, &now(&editor, &parcours).await).await
}

/// A review from this address.
fn review(parcours: &Value, rating: i64, email: &str) -> Value {
    json!({
        "parcours_id": parcours["id"], "rating": rating, "text": "Balisage net, vue superbe.", "author": "Léa",
        "email": email, "language": "fr", "walked_on": "2026-04-12",
    })
}

/// The path of the link in the last mail.
async fn mailed_link(app: &TestApp) -> String {
    let text = app.mail().next().await.text;
    let link = text.lines().find(|line| line.contains("/avis/")).expect("the mail has a link");
    link.strip_prefix("http://localhost:8080").expect("a link of ours").to_owned()
}

/// Sends a review and confirms it; gives its number.
async fn confirmed(app: &TestApp, parcours: &Value, rating: i64, email: &str) -> i64 {
    app.anonymous().post(REVIEWS, review(parcours, rating, email)).await.expect(202);
    let link = mailed_link(app).await;
    app.anonymous().post(&link, json!({})).await.expect(200);
    listed(app, parcours, "").await["items"][0]["id"].as_i64().expect("a number")
}

async fn listed(app: &TestApp, parcours: &Value, query: &str) -> Value {
    app.editor_of("morvan").get(format!("{}/reviews{query}", path(parcours))).await.expect(200).json()
}

async fn decided(by: &Client, parcours: &Value, review: i64, decision: Value) -> Reply {
    by.post(format!("{}/reviews/{review}/decision", path(parcours)), decision).await
}

async fn reported(app: &TestApp, parcours: &Value) -> Value {
    app.editor_of("morvan").get(format!("{}/field-reports", path(parcours))).await.expect(200).json()
}

fn page_of(parcours: &Value) -> String {
    format!("/p/tour-du-lac-{}", parcours["id"])
}

async fn page(app: &TestApp, parcours: &Value) -> String {
    app.anonymous().get(page_of(parcours)).await.expect(200).text()
}

#[app_test]
async fn a_search_filtered_by_waiting_feedback_counts_the_rows_it_lists(app: TestApp) {
    let lake = published_parcours(&app).await;
    let editor = app.editor_of("morvan");
    made(&editor, "Tour de la tourbière", json!({})).await;
    confirmed(&app, &lake, 4, "lea@exemple.fr").await;
    for (query, shown) in [("", 2), ("&feedback=reviews", 1), ("&feedback=reports", 0), ("&children=waiting", 0)] {
        let page = editor.get(format!("/api/v1/parcours?search=tour{query}")).await.expect(200).json();
        let items = page["items"].as_array().map_or(0, Vec::len);
        assert_eq!((items, &page["total"]), (shown, &json!(shown)), "{query}");
    }
}

#[app_test]
async fn parcours_with_waiting_feedback_are_listed_to_people_of_their_white_label_alone(app: TestApp) {
    let lake = published_parcours(&app).await;
    confirmed(&app, &lake, 4, "lea@exemple.fr").await;
    let report = json!({"parcours_id": lake["id"], "kind": "danger", "text": "Un câble au sol."});
    app.anonymous().post(REPORTS, &report).await.expect(201);
    let others = app.editor_of("vercors");
    assert_eq!(titles(&others, "").await, ["Tour du lac"], "they see the parcours");
    for filter in ["feedback=reviews", "feedback=reports"] {
        for own in [app.reader_of("morvan"), app.admin_of("morvan"), app.superadmin()] {
            assert_eq!(titles(&own, filter).await, ["Tour du lac"], "{filter}");
        }
        for query in [filter.to_owned(), format!("{filter}&owner=shared&search=lac"), format!("{filter}&progress=any")]
        {
            let ask = |what: &str| others.get(format!("/api/v1/parcours{what}?{query}"));
            let list = ask("").await.expect(200).json();
            assert_eq!((&list["items"], &list["total"]), (&json!([]), &json!(0)), "{query}");
            assert_eq!(list["counts"], json!({"mine": 0, "shared": 0, "hidden_by_progress": 0}), "{query}");
            let views = ask("/views").await.expect(200).json();
            assert_eq!(views, json!({"all": 0, "incomplete": 0, "low_reliability": 0}), "{query}");
            assert_eq!(ask("/map").await.expect(200).json()["total"], 0, "{query}");
            assert_eq!(ask("/export.csv").await.expect(200).text().lines().count(), 1, "{query}: the header alone");
            assert_eq!(ask("/export.geojson").await.expect(200).json()["features"], json!([]), "{query}");
        }
        let (name, value) = filter.split_once('=').expect("a name and a value");
        let bulk = json!({"filter": {name: value}, "action": "publish", "dry_run": true});
        let bulk = others.post("/api/v1/parcours/bulk", bulk).await.expect(200).json();
        assert_eq!(bulk["items"], json!([]), "{filter}");
    }
}

#[app_test]
async fn a_review_counts_once_it_is_confirmed_and_published(app: TestApp) {
    let lake = published_parcours(&app).await;
    app.anonymous().post(REVIEWS, review(&lake, 4, "Lea@Exemple.fr")).await.expect(202);
    assert_eq!(listed(&app, &lake, "").await["items"], json!([]), "it is not confirmed");
    let link = mailed_link(&app).await;
    let asked = app.anonymous().get(&link).await.expect(200);
    assert!(asked.text().contains("Confirmer mon avis") && asked.header("cache-control").contains("no-store"));
    assert_eq!(asked.header("referrer-policy"), "same-origin", "its form says where it comes from");
    assert_eq!(
        listed(&app, &lake, "").await["items"],
        json!([]),
        "a mail program that opens the link confirms nothing"
    );
    assert!(app.anonymous().post(&link, json!({})).await.expect(200).text().contains("confirmé"));
    assert!(app.anonymous().post(&link, json!({})).await.expect(200).text().contains("déjà confirmé"));

    let list = listed(&app, &lake, "?state=waiting").await;
    let id = list["items"][0]["id"].as_i64().unwrap();
    assert_eq!((&list["counts"]["waiting"], &list["average"], &list["total"]), (&json!(1), &Value::Null, &json!(1)));
    assert_eq!(list["items"][0]["email"], "lea@exemple.fr");
    let reader = app.reader_of("morvan").get(format!("{}/reviews", path(&lake))).await.expect(200).json();
    assert_eq!(reader["items"][0]["email"], Value::Null, "a reader moderates nothing");
    assert!(!page(&app, &lake).await.contains("Balisage net"));

    let editor = app.editor_of("morvan");
    let view = decided(&editor, &lake, id, json!({"action": "publish"})).await.expect(200).json();
    assert_eq!(view["state"], "published");
    let found: Vec<&str> = view["history"].as_array().unwrap().iter().filter_map(|one| one["what"].as_str()).collect();
    assert_eq!(found, ["confirmed", "published"]);
    assert_eq!(view["history"][1]["by"]["name"], "Camille editor");
    let text = page(&app, &lake).await;
    for words in ["Balisage net", "★★★★☆", "4 sur 5", "Léa", "12 avril 2026"] {
        assert!(text.contains(words), "{words} is missing");
    }
    assert!(!text.contains("exemple.fr"), "no address on the page");
    let feed = api_client(&app, "morvan").await;
    let row = feed.get("/api/public/v1/parcours").await.expect(200).json()["items"][0].clone();
    assert_eq!(row["reviews"], json!({"average": 4.0, "total": 1}));
    let found = feed.get(format!("/api/public/v1/parcours/{}/reviews", lake["id"])).await.expect(200);
    assert_eq!(found.json()["items"][0]["author"], "Léa");
    assert!(!found.text().contains("exemple.fr"));
}

/// 08:00 in UTC is 19:00 in Nouméa, where midnight comes five hours later.
#[app_test]
async fn a_review_has_the_day_of_the_time_zone(app: TestApp) {
    let app = app.changed(|parts| parts.settings.time_zone = TimeZone::parse("Pacific/Noumea").unwrap());
    let lake = published_parcours(&app).await;
    app.clock().advance_s(6 * HOUR_S);
    let id = confirmed(&app, &lake, 4, "lea@exemple.fr").await;
    decided(&app.editor_of("morvan"), &lake, id, json!({"action": "publish"})).await.expect(200);
    assert!(page(&app, &lake).await.contains("21 novembre 2026"));
}

#[app_test]
async fn a_script_in_a_review_is_shown_as_text(app: TestApp) {
    let lake = published_parcours(&app).await;
    let mut sent = review(&lake, 5, "lea@exemple.fr");
    sent["text"] = json!("<script>alert(1)</script><img src=x onerror=alert(2)>Belle vue, 3 < 5");
    sent["title"] = json!("</script><b>Top</b>");
    app.anonymous().post(REVIEWS, sent).await.expect(202);
    let link = mailed_link(&app).await;
    app.anonymous().post(&link, json!({})).await.expect(200);
    let found = listed(&app, &lake, "").await["items"][0].clone();
    assert_eq!((&found["text"], &found["title"]), (&json!("Belle vue, 3 < 5"), &json!("Top")));
    decided(&app.editor_of("morvan"), &lake, found["id"].as_i64().unwrap(), json!({"action": "publish"}))
        .await
        .expect(200);
    let text = page(&app, &lake).await;
    assert!(text.contains("Belle vue, 3 &lt; 5") && !text.contains("alert("), "{text}");
}

#[app_test]
async fn reviews_from_one_address_are_limited_and_the_address_is_not_stored(app: TestApp) {
    const ADDRESS: &str = "2001:db8:1:2::7";
    let app = app.changed(|parts| parts.settings.trusted_proxies = TrustedProxies::Hops(1));
    let lake = published_parcours(&app).await;
    let from = |address: &str| app.anonymous().with("x-forwarded-for", address);
    let nth = |n: usize| review(&lake, 1, &format!("visiteur{n}@exemple.fr"));
    let mut taken = 0;
    let mut refused = None;
    for n in 0..100 {
        let reply = from(ADDRESS).post(REVIEWS, nth(n)).await;
        if reply.status.as_u16() == 202 {
            taken += 1;
        } else {
            refused = Some(reply.expect(429));
        }
    }
    assert_eq!(taken, 10);
    let refused = refused.unwrap();
    assert_eq!(refused.problem().code, "feedback/too-many");
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=3_600).contains(&wait), "{wait}");
    from("2001:db8:1:2:ffff::8").post(REVIEWS, nth(200)).await.expect(429);
    // Another server of the same database counts with this one.
    let other = app.changed(|parts| parts.settings.trusted_proxies = TrustedProxies::Hops(1));
    let there = |address: &str| other.anonymous().with("x-forwarded-for", address);
    there(ADDRESS).post(REVIEWS, nth(300)).await.expect(429);
    for n in 310..315 {
        from("203.0.113.20").post(REVIEWS, nth(n)).await.expect(202);
        there("203.0.113.20").post(REVIEWS, nth(n + 10)).await.expect(202);
    }
    from("203.0.113.20").post(REVIEWS, nth(330)).await.expect(429);
    there("203.0.113.20").post(REVIEWS, nth(331)).await.expect(429);
    from("203.0.113.8").post(REVIEWS, nth(201)).await.expect(202);
    // Requests with faults do not count towards the limit.
    for _ in 0..20 {
        from("203.0.113.9").post(REVIEWS, review(&lake, 9, "non")).await.expect(422);
    }
    from("203.0.113.9").post(REVIEWS, nth(202)).await.expect(202);
    let database = store::server::every_row(app.store().read()).await.unwrap();
    assert!(database.contains("visiteur0@exemple.fr"));
    for address in [ADDRESS, "203.0.113", "2001:db8"] {
        assert!(!database.contains(address), "{address} is kept");
    }
    app.clock().advance_s(wait);
    from(ADDRESS).post(REVIEWS, nth(203)).await.expect(202);
}

#[app_test]
async fn confirmation_mails_to_one_address_are_limited(app: TestApp) {
    let lake = published_parcours(&app).await;
    for _ in 0..3 {
        app.anonymous().post(REVIEWS, review(&lake, 1, "victime@exemple.fr")).await.expect(202);
    }
    app.anonymous().post(REVIEWS, review(&lake, 1, "victime@exemple.fr")).await.expect(429);
    let mail = app.mail().next().await;
    assert!(!mail.text.contains("Balisage") && !mail.text.contains("Léa"), "no word of a stranger goes to another");
}

#[app_test]
async fn feedback_with_the_hidden_field_filled_in_is_discarded(app: TestApp) {
    let lake = published_parcours(&app).await;
    let mut sent = review(&lake, 5, "robot@exemple.fr");
    sent["website"] = json!("https://pub.example");
    app.anonymous().post(REVIEWS, sent).await.expect(202);
    let report = json!({"parcours_id": lake["id"], "kind": "danger", "website": "x"});
    app.anonymous().post(REPORTS, report).await.expect(201);
    assert!(app.mail().is_empty());
    assert_eq!(reported(&app, &lake).await["total"], 0);
    let database = store::server::every_row(app.store().read()).await.unwrap();
    assert!(!database.contains("robot@exemple.fr"));
}

#[app_test]
async fn faults_are_reported_on_their_fields_and_drafts_are_not_found(app: TestApp) {
    let lake = published_parcours(&app).await;
    let sent = json!({"parcours_id": lake["id"], "rating": 0, "text": " ", "author": "", "email": "lea"});
    let problem = app.anonymous().post(REVIEWS, sent).await.expect(422).problem();
    let codes: Vec<_> = problem.errors.iter().map(|fault| (fault.code.as_str(), fault.field.as_str())).collect();
    assert_eq!(
        codes,
        [
            ("review/rating", "/rating"),
            ("validation/required", "/text"),
            ("validation/required", "/author"),
            ("validation/email", "/email")
        ]
    );
    let without = json!({"parcours_id": lake["id"], "text": "Très beau.", "author": "Léa", "email": "lea@exemple.fr"});
    let problem = app.anonymous().post(REVIEWS, without).await.expect(422).problem();
    assert_eq!((problem.errors[0].code.as_str(), problem.errors.len()), ("review/rating", 1), "and no rating at all");
    let draft = made(&app.editor_of("morvan"), "Brouillon", json!({})).await;
    let problem = app.anonymous().post(REVIEWS, review(&draft, 3, "lea@exemple.fr")).await.expect(404).problem();
    assert_eq!(problem.code, "feedback/not-shown");
    let other = app.editor_of("vercors").get(format!("{}/reviews", path(&lake))).await.expect(403).problem();
    assert_eq!(other.code, "parcours/not-yours", "others see the parcours, not what waits");
}

#[app_test]
async fn the_average_is_the_mean_of_ratings_and_a_refusal_has_a_stored_reason(app: TestApp) {
    let lake = published_parcours(&app).await;
    let editor = app.editor_of("morvan");
    let mut ids = Vec::new();
    for (rating, name) in [(5, "a"), (4, "b"), (1, "c")] {
        let id = confirmed(&app, &lake, rating, &format!("{name}@exemple.fr")).await;
        decided(&editor, &lake, id, json!({"action": "publish"})).await.expect(200);
        ids.push(id);
    }
    let list = listed(&app, &lake, "").await;
    assert_eq!((&list["average"], &list["counts"]["stars"]), (&json!(3.3), &json!([1, 0, 0, 1, 1])));

    let bad = ids[2];
    let problem =
        decided(&editor, &lake, bad, json!({"action": "refuse", "reason": "other"})).await.expect(422).problem();
    assert_eq!((problem.errors[0].code.as_str(), problem.errors[0].field.as_str()), ("validation/required", "/words"));
    decided(&editor, &lake, bad, json!({"action": "refuse", "reason": "bad_rating"})).await.expect(422);
    decided(&editor, &lake, bad, json!({"action": "publish", "rating": 5})).await.expect(422);
    let refusal = json!({"action": "refuse", "reason": "insulting", "words": "Des insultes."});
    let view = decided(&editor, &lake, bad, refusal).await.expect(200).json();
    assert_eq!((&view["objection"], &view["rating"]), (&json!("insulting"), &json!(1)));
    let mail = app.mail().next().await;
    assert_eq!(mail.to, "c@exemple.fr");
    assert!(mail.text.contains("blessant") && mail.text.contains("Des insultes."), "{}", mail.text);
    let list = listed(&app, &lake, "?state=refused").await;
    assert_eq!((&list["average"], &list["items"][0]["history"][2]["kind"]), (&json!(4.5), &json!("insulting")));
    assert!(page(&app, &lake).await.contains("4,5"));
}

#[app_test]
async fn an_answer_is_shown_below_and_a_complaint_waits_for_the_staff(app: TestApp) {
    let lake = published_parcours(&app).await;
    let editor = app.editor_of("morvan");
    let id = confirmed(&app, &lake, 2, "lea@exemple.fr").await;
    let answer = json!({"action": "answer", "text": "Merci, <b>c’est réparé</b>."});
    assert_eq!(decided(&editor, &lake, id, answer.clone()).await.expect(409).problem().code, "review/not-published");
    let complaint = json!({"parcours_id": lake["id"], "reason": "untrue"});
    app.anonymous().post(format!("{REVIEWS}/{id}/complaints"), &complaint).await.expect(404);
    decided(&editor, &lake, id, json!({"action": "publish"})).await.expect(200);
    decided(&editor, &lake, id, answer).await.expect(200);
    let mail = app.mail().next().await;
    assert!(mail.to == "lea@exemple.fr" && mail.text.contains("c’est réparé"), "{mail:?}");
    assert!(page(&app, &lake).await.contains("Merci, c’est réparé."));

    app.anonymous().post(format!("{REVIEWS}/{id}/complaints"), &complaint).await.expect(202);
    let list = listed(&app, &lake, "?reported=true").await;
    assert_eq!((&list["total"], &list["items"][0]["complaints"]), (&json!(1), &json!(1)));
    assert!(page(&app, &lake).await.contains("Balisage net"), "one complaint does not hide a review");
    decided(&editor, &lake, id, json!({"action": "dismiss"})).await.expect(200);
    assert_eq!(listed(&app, &lake, "?reported=true").await["total"], 0);
    decided(&editor, &lake, id, json!({"action": "answer", "text": ""})).await.expect(200);
    assert!(!page(&app, &lake).await.contains("c’est réparé"));
}

#[app_test]
async fn one_person_gives_one_review_of_a_parcours(app: TestApp) {
    let lake = published_parcours(&app).await;
    confirmed(&app, &lake, 5, "lea@exemple.fr").await;
    app.anonymous().post(REVIEWS, review(&lake, 5, "lea@exemple.fr")).await.expect(202);
    let link = mailed_link(&app).await;
    assert!(app.anonymous().post(&link, json!({})).await.expect(409).text().contains("déjà donné"));
    assert_eq!(listed(&app, &lake, "").await["total"], 1);
}

#[app_test]
async fn what_is_rated_outside_the_bounds_of_a_white_label_is_not_distributed_there(app: TestApp) {
    let lake = published_parcours(&app).await;
    let editor = app.editor_of("morvan");
    let feed = api_client(&app, "morvan").await;
    let ids = async || feed.get("/api/public/v1/parcours").await.expect(200).json()["total"].clone();
    let before = app.app().now().plus_s(-1).to_string();
    patch_white_label(&app, "morvan", json!({"rating_min": 3.0, "rating_max": 5.0})).await;
    assert_eq!(ids().await, 1, "a parcours without ratings is distributed");
    let id = confirmed(&app, &lake, 2, "lea@exemple.fr").await;
    let share = editor.post(format!("{}/shares", path(&lake)), json!({"kind": "permanent"})).await.expect(201).json();
    app.clock().advance_s(10);
    decided(&editor, &lake, id, json!({"action": "publish"})).await.expect(200);
    app.anonymous().get(page_of(&lake)).await.expect(404);
    assert_eq!(ids().await, 0);
    let sitemap = app.anonymous().get("/sitemap.xml").await.expect(200).text();
    assert!(!sitemap.contains("tour-du-lac"), "{sitemap}");
    let changes = feed.get(format!("/api/public/v1/parcours/changes?since={before}")).await.expect(200).json();
    assert_eq!(changes["updated"], json!([]));
    app.anonymous().get(format!("/s/{}", share["token"].as_str().unwrap())).await.expect(200);
    assert_eq!(listed(&app, &lake, "").await["held_back"], json!({"min": 3.0, "max": 5.0}));

    patch_white_label(&app, "morvan", json!({"rating_min": 2.0})).await;
    app.anonymous().get(page_of(&lake)).await.expect(200);
    assert_eq!(ids().await, 1);
    assert!(app.anonymous().get("/sitemap.xml").await.expect(200).text().contains("tour-du-lac"));
}

#[app_test]
async fn a_review_may_be_sent_with_the_key_of_a_white_label(app: TestApp) {
    let lake = published_parcours(&app).await;
    let sent = review(&lake, 4, "lea@exemple.fr");
    let by_key = api_client(&app, "morvan").await;
    by_key.post(format!("/api/public/v1/parcours/{}/reviews", lake["id"]), &sent).await.expect(202);
    mailed_link(&app).await;
    let not_theirs = api_client(&app, "vercors").await;
    not_theirs.post(format!("/api/public/v1/parcours/{}/reviews", lake["id"]), &sent).await.expect(404);
    let report = json!({"kind": "marking", "position": [4.005, 47.0]});
    by_key.post(format!("/api/public/v1/parcours/{}/field-reports", lake["id"]), &report).await.expect(201);
    assert_eq!(reported(&app, &lake).await["total"], 1);
}

#[app_test]
async fn a_field_report_is_mailed_to_the_person_in_charge_and_shown_until_it_is_solved(app: TestApp) {
    let lake = published_parcours(&app).await;
    let editor = app.editor_of("morvan");
    let contact =
        json!({"last_name": "Roux", "first_name": "Jeanne", "email": "jeanne.roux@exemple.fr", "structure_id": 1});
    let contact = app.admin_of("morvan").post("/api/v1/contacts", contact).await.expect(201).json();
    patch(&editor, &lake, json!({"contact_id": contact["id"]})).await;

    let sent = json!({
        "parcours_id": lake["id"], "kind": "fallen_tree", "position": [4.005, 47.0005],
        "text": "Un hêtre <b>couché</b>.", "email": "Leo@Exemple.fr", "language": "fr",
    });
    let taken = app.anonymous().post(REPORTS, &sent).await.expect(201).json();
    assert_eq!(taken["notified"], true, "a mail has left");
    let token = taken["photo_token"].clone();
    let mail = app.mail().next().await;
    assert_eq!(mail.to, "jeanne.roux@exemple.fr");
    for words in ["Arbre tombé", "Tour du lac", "Un hêtre couché.", "?tab=reviews"] {
        assert!(mail.text.contains(words), "{words} is missing: {}", mail.text);
    }
    let photo = samples::jpeg_with_notes(900, 600, 6, Some([4.5, 47.25]));
    let send = |bytes: Vec<u8>| {
        let path = format!("{REPORTS}/{}/photo", token.as_str().unwrap());
        let client = app.anonymous();
        async move { client.post_bytes(path, bytes).await }
    };
    assert_eq!(send(samples::pdf(1)).await.expect(422).problem().code, "media/not-supported");
    assert_eq!(send(photo[..9_000].to_vec()).await.expect(422).problem().code, "media/broken");
    assert_eq!(send(samples::heic()).await.expect(422).problem().code, "media/heic");
    send(photo.clone()).await.expect(204);
    assert_eq!(send(photo).await.expect(404).problem().code, "feedback/no-report", "one photo, once");

    let list = reported(&app, &lake).await;
    let report = &list["items"][0];
    assert_eq!(
        (&list["in_charge"], &report["state"], &report["email"]),
        (&json!("Jeanne Roux"), &json!("new"), &json!("leo@exemple.fr"))
    );
    let at_m = report["at_m"].as_f64().unwrap();
    assert!((370.0..390.0).contains(&at_m), "{at_m}");
    let shown = app.reader_of("morvan").get(report["photo_url"].as_str().unwrap()).await.expect(200);
    assert_eq!(shown.header("content-type"), "image/jpeg");
    assert!(!shown.bytes.windows(4).any(|part| part == b"Exif"), "no notes of the camera are kept");
    assert!(!page(&app, &lake).await.contains("Arbre tombé au km"), "the staff decide");

    let decide = async |decision: Value| {
        let path = format!("{}/field-reports/{}/decision", path(&lake), report["id"]);
        editor.post(path, decision).await
    };
    decide(json!({"action": "see", "shown": false})).await.expect(200);
    assert!(!page(&app, &lake).await.contains("Arbre tombé au km"));
    let seen = json!({"action": "see", "shown": true, "warning": {"fr": "Un hêtre <i>barre</i> le chemin."}});
    decide(seen).await.expect(200);
    let text = page(&app, &lake).await;
    for words in ["Signalé sur le terrain", "Arbre tombé au km\u{a0}0,4", "Un hêtre barre le chemin."] {
        assert!(text.contains(words), "{words} is missing");
    }
    assert!(!text.contains("Un hêtre couché"), "what was sent is the staff's to read");
    let feed = api_client(&app, "morvan").await;
    let warning = async || feed.get("/api/public/v1/parcours").await.expect(200).json()["items"][0]["warning"].clone();
    assert_eq!(warning().await["fr"], "Arbre tombé au km\u{a0}0,4. Un hêtre barre le chemin.");

    let solved = decide(json!({"action": "solve"})).await.expect(200).json();
    let found: Vec<&str> =
        solved["history"].as_array().unwrap().iter().filter_map(|one| one["what"].as_str()).collect();
    assert_eq!(found, ["seen", "seen", "solved"]);
    assert!(!page(&app, &lake).await.contains("Arbre tombé au km"));
    assert_eq!(warning().await, Value::Null);
    let again = decide(json!({"action": "see", "shown": true})).await.expect(200).json();
    assert_eq!((&again["state"], &again["history"][3]["what"]), (&json!("seen"), &json!("reopened")));
    editor.delete(format!("{}/field-reports/{}", path(&lake), report["id"])).await.expect(204);
    assert!(!page(&app, &lake).await.contains("Arbre tombé au km"));
}

#[app_test]
async fn a_document_sent_as_a_photo_is_refused_unopened(app: TestApp) {
    let lake = published_parcours(&app).await;
    let reader = std::sync::Arc::new(LimitedPdfReader::refusing(PdfQuestion::Pages));
    let app = app.changed(|parts| parts.pdf_reader = std::sync::Arc::clone(&reader) as _);
    let report = json!({"parcours_id": lake["id"], "kind": "danger", "text": "Un câble au sol."});
    let taken = app.anonymous().post(REPORTS, &report).await.expect(201).json();
    let path = format!("{REPORTS}/{}/photo", taken["photo_token"].as_str().unwrap());
    let refused = app.anonymous().post_bytes(path, samples::pdf_bomb(50_000_000)).await.expect(422).problem();
    assert_eq!((refused.code.as_str(), reader.asked()), ("media/not-supported", 0));
}

#[app_test]
async fn a_report_goes_to_the_structure_then_to_its_administrators_and_an_empty_one_is_refused(app: TestApp) {
    let lake = published_parcours(&app).await;
    app.admin_of("morvan");
    let report = json!({"parcours_id": lake["id"], "kind": "danger", "text": "Un câble au sol."});
    let empty = json!({"parcours_id": lake["id"], "kind": "danger"});
    let problem = app.anonymous().post(REPORTS, &empty).await.expect(422).problem();
    assert_eq!((problem.errors[0].code.as_str(), problem.errors[0].field.as_str()), ("field-report/empty", "/text"));
    let photo = json!({"parcours_id": lake["id"], "kind": "danger", "has_photo": true});
    app.anonymous().post(REPORTS, &photo).await.expect(201);
    let mail = app.mail().next().await;
    assert!(mail.subject.starts_with("Signalement : Danger — "), "{}", mail.subject);
    let administrator = mail.to;
    let mine = app.admin_of("morvan");
    mine.patch("/api/v1/me", json!({"locale": "en"})).await.expect(200);
    app.anonymous().post(REPORTS, &photo).await.expect(201);
    let mail = app.mail().next().await;
    assert_eq!(mail.to, administrator);
    assert!(mail.subject.starts_with("Field report: Danger — ") && mail.text.contains("/en/parcours/"), "{mail:?}");
    assert_eq!(
        reported(&app, &lake).await["in_charge"],
        "Camille admin",
        "no contact is set: an administrator is in charge"
    );
    let boss = app.superadmin();
    let structure = boss.get("/api/v1/structures/1").await.expect(200).json();
    let version = structure["version"].as_i64().unwrap();
    let known = json!({"email": "accueil@exemple.fr"});
    boss.clone().at_version(version).patch("/api/v1/structures/1", known).await.expect(200);
    let taken = app.anonymous().post(REPORTS, &report).await.expect(201).json();
    assert_eq!(taken["notified"], true);
    assert_eq!(app.mail().next().await.to, "accueil@exemple.fr");
    assert_ne!(administrator, "accueil@exemple.fr");
}

#[app_test]
async fn feedback_is_erased_after_its_retention_time(app: TestApp) {
    let lake = published_parcours(&app).await;
    let rows = async || store::server::every_row(app.store().read()).await.unwrap();
    app.anonymous().post(REVIEWS, review(&lake, 1, "jamais@exemple.fr")).await.expect(202);
    let link = mailed_link(&app).await;
    let id = confirmed(&app, &lake, 5, "lea@exemple.fr").await;
    decided(&app.editor_of("morvan"), &lake, id, json!({"action": "publish"})).await.expect(200);
    let report = json!({"parcours_id": lake["id"], "kind": "rubbish", "email": "leo@exemple.fr", "text": "Un sac."});
    app.anonymous().post(REPORTS, &report).await.expect(201);
    let report = reported(&app, &lake).await["items"][0]["id"].clone();
    let path = format!("{}/field-reports/{report}/decision", path(&lake));
    app.editor_of("morvan").post(path, json!({"action": "solve"})).await.expect(200);

    app.clock().advance_s(UNCONFIRMED_KEPT_S);
    app.anonymous().get(&link).await.expect(410);
    api::tidy::tidy(app.app()).await.unwrap();
    let left = rows().await;
    assert!(!left.contains("jamais@exemple.fr") && left.contains("lea@exemple.fr") && left.contains("leo@exemple.fr"));
    app.clock().advance_s(SOLVED_EMAIL_KEPT_S - UNCONFIRMED_KEPT_S);
    api::tidy::tidy(app.app()).await.unwrap();
    let left = rows().await;
    assert!(left.contains("lea@exemple.fr") && !left.contains("leo@exemple.fr"));
    app.clock().advance_s(REVIEW_EMAIL_KEPT_S - SOLVED_EMAIL_KEPT_S);
    api::tidy::tidy(app.app()).await.unwrap();
    assert!(!rows().await.contains("lea@exemple.fr"));
    assert!(page(&app, &lake).await.contains("Balisage net"), "the review itself stays");
}

#[app_test]
async fn feedback_goes_to_the_bin_with_its_parcours_and_comes_back(app: TestApp) {
    let lake = published_parcours(&app).await;
    let editor = app.editor_of("morvan");
    let id = confirmed(&app, &lake, 5, "lea@exemple.fr").await;
    decided(&editor, &lake, id, json!({"action": "publish"})).await.expect(200);
    let binned = now(&editor, &lake).await;
    let version = binned["version"].as_i64().unwrap();
    editor.clone().at_version(version).delete(path(&lake)).await.expect(204);
    editor.get(format!("{}/reviews", path(&lake))).await.expect(404);
    api::tidy::tidy(app.app()).await.unwrap();
    let bin = editor.get("/api/v1/bin").await.expect(200).json();
    editor.post(format!("/api/v1/bin/{}/restoration", bin["items"][0]["id"]), json!({})).await.expect(200);
    let back = editor.get(format!("{}/reviews", path(&lake))).await;
    assert_eq!(back.expect(200).json()["average"], 5.0);
}

#[app_test]
async fn a_report_becomes_a_closure_and_each_leads_to_the_other(app: TestApp) {
    let (editor, other, reader) = (app.editor_of("morvan"), app.editor_of("vercors"), app.reader_of("morvan"));
    let lake = published_parcours(&app).await;
    let sent =
        json!({"parcours_id": lake["id"], "kind": "closed", "text": "Barrière au pont.", "position": [4.004, 47.0]});
    app.anonymous().post(REPORTS, sent).await.expect(201);
    let report = reported(&app, &lake).await["items"][0].clone();
    let one = format!("{}/field-reports/{}", path(&lake), report["id"]);
    assert_eq!(editor.get(&one).await.expect(200).json(), report);
    assert_eq!((&report["state"], &report["closure"]), (&json!("new"), &Value::Null));

    let closure = json!({
        "title": {"fr": "Passage fermé"}, "from": app.app().now().day(), "report_id": report["id"],
        "geometry": {"type": "LineString", "coordinates": [[4.003, 47.0], [4.005, 47.0]]},
    });
    let refused = other.post("/api/v1/closures", closure.clone()).await.expect(422).problem();
    assert_eq!(refused.code, "validation/failed", "a report of others is none");
    let mut of_nobody = closure.clone();
    of_nobody["report_id"] = json!(999_999);
    let nobody = other.post("/api/v1/closures", of_nobody).await.expect(422).problem();
    assert_eq!(nobody.errors, refused.errors, "the same answer as for one that does not exist");
    assert_eq!(editor.get(&one).await.expect(200).json()["state"], "new");
    let made = editor.post("/api/v1/closures", closure).await.expect(201).json();
    assert_eq!((&made["report"]["id"], &made["report"]["parcours_id"]), (&report["id"], &lake["id"]));
    assert_eq!(made["report"]["text"], "Barrière au pont.");
    let handled = editor.get(&one).await.expect(200).json();
    assert_eq!((&handled["state"], &handled["closure"]["id"]), (&json!("seen"), &made["id"]));
    assert_eq!(
        (&handled["closure"]["title"]["fr"], &handled["history"][0]["what"]),
        (&json!("Passage fermé"), &json!("closed"))
    );
    assert_eq!(reported(&app, &lake).await["counts"]["new"], 0);

    // Every user reads the closure; only people of the parcours' white-label read the report.
    let path = format!("/api/v1/closures/{}", made["id"]);
    let theirs = other.get(&path).await.expect(200).json();
    assert_eq!((&theirs["report"], &theirs["report_id"]), (&Value::Null, &Value::Null));
    assert_eq!(reader.get(&path).await.expect(200).json()["report"]["id"], report["id"]);

    // A second save notes nothing again; without the closure the report stays handled.
    let changed = editor.clone().at_version(1).patch(&path, json!({"kind": "works"})).await.expect(200).json();
    assert_eq!(editor.get(&one).await.expect(200).json()["history"].as_array().map(Vec::len), Some(1));
    let version = changed["version"].as_i64().expect("a number");
    editor.clone().at_version(version).delete(&path).await.expect(204);
    let left = editor.get(&one).await.expect(200).json();
    assert_eq!((&left["state"], &left["closure"]), (&json!("seen"), &Value::Null));
}

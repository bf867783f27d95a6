//! Ground entries: each is stored once even if it is sent again; which records they make; who sees them.

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, Reply, TestApp};

use crate::parcours_kit::{made, patch};
use crate::rows_ground::new_id;

const ENTRIES: &str = "/api/v1/ground/entries";

/// An entry about a parcours, made an hour before it is sent.
fn entry(kind: &str, parcours: &Value, more: Value) -> Value {
    let mut entry = json!({
        "kind": kind, "parcours_id": parcours["id"], "language": "fr",
        "made_at": "2026-04-30T10:00:00Z", "sent_at": "2026-04-30T11:00:00Z",
    });
    entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    entry
}

async fn sent(by: &Client, id: &str, entry: &Value) -> Reply {
    by.put(format!("{ENTRIES}/{id}"), entry).await
}

async fn listed(by: &Client, query: &str) -> Value {
    by.get(format!("{ENTRIES}?{query}")).await.expect(200).json()
}

#[app_test]
async fn an_entry_sent_twice_is_stored_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let report =
        entry("report", &parcours, json!({"report_kind": "fallen_tree", "text": "Un hêtre", "position": [4.0, 47.0]}));
    let poi = entry(
        "poi",
        &parcours,
        json!({"title": "Source", "text": "Fraîche\n\nEt <b>claire</b>", "position": [4.0, 47.0]}),
    );
    for (wanted, kind) in [(&report, "field_report"), (&poi, "poi")] {
        let id = new_id();
        let first = sent(&editor, &id, wanted).await.expect(201).json();
        assert_eq!(first["result"]["kind"], kind);
        // Also with another content the second time: the stored entry is kept.
        let other = entry("remark", &parcours, json!({"text": "Autre chose"}));
        for again in [wanted, &other] {
            assert_eq!(sent(&editor, &id, again).await.expect(200).json(), first);
        }
        let other_person = sent(&app.admin_of("morvan"), &id, wanted).await;
        assert_eq!(other_person.expect(409).problem().code, "ground/other-person");
    }
    let reports = editor.get(format!("/api/v1/parcours/{}/field-reports", parcours["id"])).await.expect(200).json();
    assert_eq!(reports["items"].as_array().unwrap().len(), 1);
    assert_eq!((&reports["items"][0]["state"], &reports["items"][0]["text"]), (&json!("new"), &json!("Un hêtre")));
    let pois = editor.get("/api/v1/pois").await.expect(200).json();
    assert_eq!(pois["items"].as_array().unwrap().len(), 1);
    let poi = editor.get(format!("/api/v1/pois/{}", pois["items"][0]["id"])).await.expect(200).json();
    assert_eq!(poi["description"]["fr"], "<p>Fraîche</p><p>Et claire</p>");
    assert_eq!((&poi["published"], &poi["location"]), (&json!(false), &json!([4.0, 47.0])));
}

#[app_test]
async fn simultaneous_requests_store_one_entry(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let (id, report) = (new_id(), entry("report", &parcours, json!({"report_kind": "danger", "text": "Un trou"})));
    let (one, two, three) =
        tokio::join!(sent(&editor, &id, &report), sent(&editor, &id, &report), sent(&editor, &id, &report));
    let mut statuses = [one, two, three].map(|reply| reply.status.as_u16());
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 201]);
    let reports = editor.get(format!("/api/v1/parcours/{}/field-reports", parcours["id"])).await.expect(200).json();
    assert_eq!(reports["items"].as_array().unwrap().len(), 1);
}

#[app_test]
async fn the_office_reviews_ground_entries(app: TestApp) {
    let (warden, desk) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let parcours = made(&warden, "Lac", json!({})).await;
    let (remark, survey) = (new_id(), new_id());
    sent(&warden, &remark, &entry("remark", &parcours, json!({"text": "La balise est tombée."}))).await.expect(201);
    let stretch = entry("survey", &parcours, json!({"from_m": 100.0, "to_m": 900.0, "accuracy_m": 6.5}));
    let kept = sent(&warden, &survey, &stretch).await.expect(201).json();
    // Made an hour before it was sent, by the server's clock.
    let now = app.app().now();
    assert_eq!((&kept["made_at"], &kept["received_at"]), (&json!(now.plus_s(-3_600)), &json!(now)));
    assert_eq!((&kept["parcours"]["title"]["fr"], &kept["to_m"]), (&json!("Lac"), &json!(900.0)));

    let of = format!("parcours_id={}", parcours["id"]);
    let waiting = listed(&desk, &format!("{of}&reviewed=false")).await;
    assert_eq!((&waiting["total"], &waiting["surveyed_at"]), (&json!(2), &json!(now.plus_s(-3_600))));
    let review = |id: &str| format!("{ENTRIES}/{id}/review");
    let reviewed = desk.put(review(&remark), json!({"reviewed": true})).await.expect(200).json();
    assert!(reviewed["reviewed_by"]["name"].is_string());
    app.clock().advance_s(60);
    // Marked as reviewed twice: the first reviewer is kept.
    assert_eq!(warden.put(review(&remark), json!({"reviewed": true})).await.expect(200).json(), reviewed);
    let (done, left) = (listed(&desk, "reviewed=true").await, listed(&desk, "reviewed=false").await);
    assert_eq!((&done["items"][0]["id"], &done["total"]), (&json!(remark), &json!(1)));
    assert_eq!((&left["items"][0]["id"], &left["total"]), (&json!(survey), &json!(1)));
    desk.put(review(&remark), json!({"reviewed": false})).await.expect(200);
    assert_eq!(listed(&desk, "reviewed=false").await["total"], 2);
}

#[app_test]
async fn nothing_is_written_where_an_entry_is_refused(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let parcours = made(&editor, "Lac", json!({})).await;
    let survey = entry("survey", &parcours, json!({}));
    assert_eq!(sent(&editor, "pas-un-uuid", &survey).await.expect(422).problem().code, "ground/bad-id");
    assert_eq!(sent(&other, &new_id(), &survey).await.expect(404).problem().code, "parcours/not-found");
    let theirs = app.media().insert().await.id;
    let foreign = entry("photo", &json!({"id": null}), json!({"media_ids": [theirs, 999_999]}));
    let refused = sent(&other, &new_id(), &foreign).await.expect(422).problem();
    assert_eq!(
        refused.errors.iter().map(|fault| fault.code.as_str()).collect::<Vec<_>>(),
        ["validation/unknown-reference"; 2]
    );
    let no_category = json!({"title": "Source", "position": [4.0, 47.0], "category_id": 999_999});
    let refused = sent(&editor, &new_id(), &entry("poi", &parcours, no_category)).await.expect(422).problem();
    assert_eq!(
        (refused.errors[0].code.as_str(), refused.errors[0].field.as_str()),
        ("validation/unknown-reference", "/category_ids")
    );
    let outside = json!({"title": "Source", "position": [4.0, 97.0]});
    sent(&editor, &new_id(), &entry("poi", &parcours, outside)).await.expect(422);
    let silent = entry("report", &parcours, json!({"report_kind": "other"}));
    let refused = sent(&editor, &new_id(), &silent).await.expect(422).problem();
    assert_eq!(refused.errors[0].field, "/text");
    for by in [&editor, &other] {
        assert_eq!(listed(by, "").await["total"], 0);
    }
    assert_eq!(editor.get("/api/v1/pois").await.expect(200).json()["total"], 0);
}

#[app_test]
async fn a_point_of_interest_named_in_english_has_this_name_in_the_first_language_too(app: TestApp) {
    let editor = app.editor_of("morvan");
    let spring = json!({"title": "Spring", "text": "Cold", "position": [4.0, 47.0], "language": "en"});
    let kept = sent(&editor, &new_id(), &entry("poi", &json!({"id": null}), spring)).await.expect(201).json();
    let poi = editor.get(format!("/api/v1/pois/{}", kept["result"]["id"])).await.expect(200).json();
    assert_eq!(
        (&poi["title"], &poi["description"]),
        (&json!({"en": "Spring", "fr": "Spring"}), &json!({"en": "<p>Cold</p>"}))
    );
}

#[app_test]
async fn photos_go_to_the_point_of_interest(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let photo = app.media().insert().await.id;
    let poi = json!({"title": "Source", "position": [4.0, 47.0], "media_ids": [photo]});
    let kept = sent(&editor, &new_id(), &entry("poi", &parcours, poi)).await.expect(201).json();
    assert_eq!(kept["media"][0]["id"], photo);
    let poi = editor.get(format!("/api/v1/pois/{}", kept["result"]["id"])).await.expect(200).json();
    assert_eq!(poi["media_ids"], json!([photo]));
}

#[app_test]
async fn a_closure_and_equipment_are_reviewed_by_the_office(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let closed =
        json!({"closure_kind": "forestry", "until": "2026-06-30", "from_m": 100.0, "to_m": 400.0, "text": "Grumes"});
    let kept = sent(&editor, &new_id(), &entry("closure", &parcours, closed)).await.expect(201).json();
    assert_eq!(
        (&kept["closure_kind"], &kept["until"], &kept["result"]),
        (&json!("forestry"), &json!("2026-06-30"), &json!(null))
    );
    // It is no closure before the desk makes one of it.
    assert_eq!(editor.get("/api/v1/closures").await.expect(200).json()["total"], 0);
    let worn = json!({"title": "Balise", "condition": "worn", "position": [4.0, 47.0]});
    let kept = sent(&editor, &new_id(), &entry("equipment", &json!({"id": null}), worn)).await.expect(201).json();
    assert_eq!(
        (&kept["condition"], &kept["title"], &kept["parcours"]),
        (&json!("worn"), &json!("Balise"), &json!(null))
    );
    let unknown = json!({"title": "Balise", "condition": "rusty", "position": [4.0, 47.0]});
    sent(&editor, &new_id(), &entry("equipment", &parcours, unknown)).await.expect(422);
}

/// The correction that a device sends for a field whose value it knows as `before`.
fn correction(parcours: &Value, target: Value, before: Value, wanted: Value) -> Value {
    let mut entry = entry("correction", parcours, wanted);
    entry.as_object_mut().unwrap().extend(target.as_object().unwrap().clone());
    entry["before"] = before;
    entry
}

#[app_test]
async fn a_correction_waits_for_review_unless_its_white_label_applies_it_directly(app: TestApp) {
    let editor = app.editor_of("morvan");
    let steps = json!([{"kind": "departure", "position": [4.0, 47.0], "title": {"fr": "Halle"}}]);
    let parcours = made(&editor, "Lac", json!({"steps": steps})).await;
    let path = format!("/api/v1/parcours/{}", parcours["id"]);
    let step = json!({"step_id": parcours["steps"][0]["id"]});
    let known = json!({"title": "Halle", "text": "", "position": [4.0, 47.0]});
    let wanted = json!({"title": "Vieille halle", "text": "Fermée", "position": [4.001, 47.001]});
    let asked = correction(&parcours, step, known, wanted);
    let waiting = sent(&editor, &new_id(), &asked).await.expect(201).json();
    assert_eq!(waiting["reviewed_at"], json!(null));
    assert_eq!(editor.get(&path).await.expect(200).json()["version"], parcours["version"]);

    // Field by field: the text is not one that this white-label takes.
    crate::feeds::patch_white_label(
        &app,
        "morvan",
        json!({"flags": {"ground_titles": true, "ground_positions": true}}),
    )
    .await;
    let part = sent(&editor, &new_id(), &asked).await.expect(201).json();
    assert_eq!(part["reviewed_at"], json!(null));
    let now = editor.get(&path).await.expect(200).json();
    assert_eq!(
        (&now["steps"][0]["title"]["fr"], &now["steps"][0]["description"]),
        (&json!("Vieille halle"), &json!({}))
    );
    assert_eq!(now["steps"][0]["position"], json!([4.001, 47.001]));
    let history = editor.get(format!("{path}/revisions")).await.expect(200).json();
    assert_eq!(history["items"][0]["reason"], "ground");

    // Sent by a third device, nothing of it is left once the text may go in too.
    crate::feeds::patch_white_label(&app, "morvan", json!({"flags": {"ground_texts": true}})).await;
    let whole = sent(&editor, &new_id(), &asked).await.expect(201).json();
    assert_eq!((&whole["reviewed_at"], &whole["reviewed_by"]), (&json!(app.app().now()), &json!(null)));
    assert_eq!(editor.get(&path).await.expect(200).json()["steps"][0]["description"]["fr"], "Fermée");
}

#[app_test]
async fn a_correction_is_of_a_step_that_the_parcours_has_or_had(app: TestApp) {
    let editor = app.editor_of("morvan");
    let step = |title: &str| json!({"kind": "step", "position": [4.0, 47.0], "title": {"fr": title}});
    let parcours = made(&editor, "Lac", json!({"steps": [step("Halle"), step("Gué")]})).await;
    let of = |step: Value| correction(&parcours, json!({"step_id": step}), json!({}), json!({"text": "Fermée"}));
    for unknown in [json!(99), json!(0)] {
        let refused = sent(&editor, &new_id(), &of(unknown)).await.expect(422).problem();
        assert_eq!(
            (refused.errors[0].code.as_str(), refused.errors[0].field.as_str()),
            ("validation/unknown-reference", "/step_id")
        );
    }
    // It was deleted while the device had no network: the entry is not lost.
    let ford = of(parcours["steps"][1]["id"].clone());
    let without = json!({"steps": [parcours["steps"][0]]});
    patch(&editor, &parcours, without).await;
    sent(&editor, &new_id(), &ford).await.expect(201);
}

#[app_test]
async fn corrections_of_one_poi_from_two_devices_are_both_kept(app: TestApp) {
    let (one, other) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let flags = json!({"ground_titles": true, "ground_texts": true, "ground_positions": true});
    crate::feeds::patch_white_label(&app, "morvan", json!({ "flags": flags })).await;
    let parcours = made(&one, "Lac", json!({})).await;
    let body = json!({"title": {"fr": "Source"}, "description": {"fr": "<p>Fraîche &amp; claire</p>"}, "location": [4.0, 47.0]});
    let poi = one.post("/api/v1/pois", body).await.expect(201).json();
    let path = format!("/api/v1/pois/{}", poi["id"]);
    let known = json!({"title": "Source", "text": "Fraîche & claire", "position": [4.0, 47.0]});
    let of = |wanted: Value| correction(&parcours, json!({"poi_id": poi["id"]}), known.clone(), wanted);

    let (named, moved) = (of(json!({"title": "Source du lac"})), of(json!({"title": "Fontaine", "text": "Tarie"})));
    let (first, second) = tokio::join!(sent(&one, "11111111-1111-4111-8111-111111111111", &named), async {
        sent(&other, "22222222-2222-4222-8222-222222222222", &moved).await
    });
    let (first, second) = (first.expect(201).json(), second.expect(201).json());
    // The text was changed by one device alone. The name by both: the later one waits for the desk.
    let now = one.get(&path).await.expect(200).json();
    assert_eq!(now["description"]["fr"], "<p>Tarie</p>");
    let winners = [&first, &second].map(|entry| (&entry["title"], entry["reviewed_at"].is_null()));
    let lost = winners.iter().filter(|(title, _)| **title != now["title"]["fr"]).collect::<Vec<_>>();
    assert_eq!(lost.len(), 1, "one name is there: {winners:?}");
    assert!(lost[0].1, "the other waits: {winners:?}");
    assert_eq!(winners.iter().filter(|(_, waits)| *waits).count(), 1);

    // A text with marks would lose them, and what was photographed wants to be looked at.
    let bold = json!({"description": {"fr": "<p>Tarie <strong>en été</strong></p>"}});
    one.clone().with("if-match", "*").patch(&path, bold).await.expect(200);
    let seen = |text: &str| json!({"title": now["title"]["fr"], "text": text, "position": [4.0, 47.0]});
    let target = json!({"poi_id": poi["id"]});
    let text = correction(&parcours, target.clone(), seen("Tarie en été"), json!({"text": "Coule"}));
    assert_eq!(sent(&one, &new_id(), &text).await.expect(201).json()["reviewed_at"], json!(null));
    let photo = json!({"position": [4.0, 47.002], "media_ids": [app.media().insert().await.id]});
    let placed = correction(&parcours, target, seen("Tarie en été"), photo);
    assert_eq!(sent(&one, &new_id(), &placed).await.expect(201).json()["reviewed_at"], json!(null));
    let now = one.get(&path).await.expect(200).json();
    assert_eq!(
        (&now["location"], &now["description"]["fr"]),
        (&json!([4.0, 47.002]), &json!("<p>Tarie <strong>en été</strong></p>"))
    );
}

#[app_test]
async fn a_correction_of_another_tenants_record_is_never_applied(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let flags = json!({"ground_titles": true, "ground_texts": true, "ground_positions": true, "ground_pois": true});
    for white_label in ["morvan", "vercors"] {
        crate::feeds::patch_white_label(&app, white_label, json!({ "flags": flags })).await;
    }
    let body = json!({"title": {"fr": "Source"}, "location": [4.0, 47.0]});
    let theirs = editor.post("/api/v1/pois", body).await.expect(201).json();
    editor
        .clone()
        .with("if-match", "*")
        .post(format!("/api/v1/pois/{}/publication", theirs["id"]), json!({}))
        .await
        .expect(200);
    let parcours = made(&other, "Crêtes", json!({})).await;
    for id in [theirs["id"].clone(), json!(999_999)] {
        let known = json!({"title": "Source", "position": [4.0, 47.0]});
        let asked = correction(&parcours, json!({"poi_id": id}), known, json!({"title": "Volée"}));
        assert_eq!(sent(&other, &new_id(), &asked).await.expect(201).json()["reviewed_at"], json!(null));
    }
    let now = editor.get(format!("/api/v1/pois/{}", theirs["id"])).await.expect(200).json();
    assert_eq!(now["title"]["fr"], "Source");
}

#[app_test]
async fn a_point_of_interest_is_published_at_once_where_its_white_label_wants_it(app: TestApp) {
    crate::feeds::patch_white_label(&app, "morvan", json!({"flags": {"ground_pois": true}})).await;
    let editor = app.editor_of("morvan");
    let spring = json!({"title": "Source", "position": [4.0, 47.0]});
    let kept = sent(&editor, &new_id(), &entry("poi", &json!({"id": null}), spring.clone())).await.expect(201).json();
    let poi = editor.get(format!("/api/v1/pois/{}", kept["result"]["id"])).await.expect(200).json();
    assert_eq!((&poi["published"], kept["reviewed_at"].is_string()), (&json!(true), true));
    // A POI without a field that publishing needs stays a draft.
    let field = json!([{"key": "lits", "type": "number", "label": {"fr": "Lits"}, "on": "poi", "required": true}]);
    crate::feeds::patch_white_label(&app, "morvan", json!({ "custom_fields": field })).await;
    let kept = sent(&editor, &new_id(), &entry("poi", &json!({"id": null}), spring)).await.expect(201).json();
    let poi = editor.get(format!("/api/v1/pois/{}", kept["result"]["id"])).await.expect(200).json();
    assert_eq!((&poi["published"], &kept["reviewed_at"]), (&json!(false), &json!(null)));
}

#[app_test]
async fn a_recorded_track_is_a_file_that_the_trace_editor_reads(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let parcours = made(&editor, "Lac", json!({})).await;
    let track: Vec<[f64; 2]> = (0..2_000).map(|at| [4.0 + f64::from(at) * 1e-4, 47.0]).collect();
    let id = new_id();
    let walked = entry("track", &parcours, json!({"track": track, "text": "Par la crête"}));
    let kept = sent(&editor, &id, &walked).await.expect(201).json();
    let length = kept["distance_m"].as_f64().unwrap();
    assert!((15_100.0..15_250.0).contains(&length), "{length}");
    assert_eq!(kept["track"], json!(null), "lists do not carry the points");
    let path = format!("{ENTRIES}/{id}/track.gpx");
    let file = editor.get(&path).await.expect(200);
    let gpx = file.text();
    assert_eq!(gpx.matches("<trkpt").count(), 2_000);
    let read =
        editor.post_bytes("/api/v1/traces/inspections?file_name=way.gpx", gpx.into_bytes()).await.expect(200).json();
    assert!((read["distance_m"].as_f64().unwrap() - length).abs() < length * 0.01);
    assert_eq!(listed(&editor, &format!("id={id}")).await["items"], json!([kept]));
    assert_eq!(listed(&other, &format!("id={id}")).await["total"], 0);
    assert_eq!(other.get(&path).await.expect(404).problem().code, "ground/not-found");
    let remark = new_id();
    sent(&editor, &remark, &entry("remark", &parcours, json!({"text": "Rien"}))).await.expect(201);
    editor.get(format!("{ENTRIES}/{remark}/track.gpx")).await.expect(404);
}

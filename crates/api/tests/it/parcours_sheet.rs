//! The sheet of a parcours: made, changed, owned, refused, deleted.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use macros::app_test;
use serde_json::{Value, json};
use testkit::TestApp;

use crate::parcours_kit::{made, now, patch, patched, path, published, titles};

#[app_test]
async fn a_parcours_is_made_with_a_title_and_shown_whole(app: TestApp) {
    let editor = app.editor_of("morvan");
    let reply = editor
        .post("/api/v1/parcours", json!({"title": {"fr": "Tour du lac", "en": "Around the lake"}, "is_loop": true}))
        .await
        .expect(201);
    let view: content::parcours::ParcoursView = reply.read();
    assert_eq!(reply.header("location"), format!("/api/v1/parcours/{}", view.id));
    assert_eq!(reply.header("etag"), "\"1\"");
    assert_eq!(view.sheet.title.fr(), "Tour du lac");
    assert_eq!(view.sheet.is_loop, Some(true));
    assert!(view.mine && view.editable && !view.published && view.trace.is_none());
    assert_eq!(view.white_label.name, "Morvan");
    assert_eq!(view.structure.name, "Parc du Morvan");
    assert_eq!(view.updated_by.expect("somebody made it").name, "Camille editor");
    // JSON that is passed through has exactly the fields of the contract.
    let found = serde_json::to_value(reply.read::<content::parcours::ParcoursView>()).unwrap();
    assert_eq!(keys(&reply.json()), keys(&found));
    assert_eq!(editor.get(reply.header("location")).await.expect(200).json(), reply.json());
}

fn keys(value: &Value) -> Vec<String> {
    let mut keys: Vec<String> = value.as_object().expect("an object").keys().cloned().collect();
    keys.sort();
    keys
}

#[app_test]
async fn a_parcours_without_a_title_is_not_made(app: TestApp) {
    let problem =
        app.editor_of("morvan").post("/api/v1/parcours", json!({"is_loop": true})).await.expect(422).problem();
    assert_eq!(
        (problem.code.as_str(), problem.errors[0].code.as_str()),
        ("validation/failed", "parcours/title-required")
    );
    assert!(titles(&app.editor_of("morvan"), "").await.is_empty());
}

/// An index of words takes neither a word of five thousand letters (a picture that was pasted as text) nor a megabyte of words.
#[app_test]
async fn a_description_of_very_long_or_very_many_words_is_saved_and_found(app: TestApp) {
    let editor = app.editor_of("morvan");
    let long = format!("<p>Voir {} puis chamoniarde</p>", "é".repeat(5_000));
    let parcours = made(&editor, "Longue", json!({})).await;
    let parcours = patch(&editor, &parcours, json!({"description": {"fr": long}})).await;
    assert_eq!(titles(&editor, "progress=any&q=chamoniarde").await, ["Longue"]);
    assert_eq!(titles(&editor, &format!("progress=any&q={}", "e".repeat(150))).await, ["Longue"]);
    // As many as a description may have, of letters of four bytes.
    let many = |letter: char| (0..11_000).map(|at| format!("{letter}{at:06} ")).collect::<String>();
    patch(&editor, &parcours, json!({"description": {"fr": many('𝒜'), "en": many('𝒞')}})).await;
    assert_eq!(titles(&editor, "progress=any&q=longue").await, ["Longue"]);
}

#[app_test]
async fn simultaneous_saves_lose_no_field_silently(app: TestApp) {
    let (ana, bob) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let read = made(&ana, "Lac", json!({})).await;
    let saved = patch(&ana, &read, json!({"summary": {"fr": "Un lac."}})).await;
    let problem = patched(&bob, &read, json!({"title": {"fr": "Le lac"}})).await.expect(412).problem();
    assert_eq!(problem.code, "version/stale");
    assert_eq!(problem.params["base_version"], 1);
    assert_eq!(problem.current.expect("what stands there")["summary"]["fr"], "Un lac.");
    assert_eq!(now(&ana, &read).await, saved, "nothing was half-written");
    let ancestor = bob.get(format!("{}/revisions/1", path(&read))).await.expect(200).json();
    assert_eq!(ancestor["parcours"]["summary"], json!({}));
    let merged = patch(&bob, &saved, json!({"title": {"fr": "Le lac"}})).await;
    assert_eq!(
        (&merged["title"]["fr"], &merged["summary"]["fr"], &merged["version"]),
        (&json!("Le lac"), &json!("Un lac."), &json!(3))
    );
}

#[app_test]
async fn a_save_needs_the_version_it_is_based_on(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    assert_eq!(editor.patch(path(&parcours), json!({})).await.expect(428).problem().code, "version/required");
    assert_eq!(editor.delete(path(&parcours)).await.expect(428).problem().code, "version/required");
    editor.clone().with("if-match", "*").patch(path(&parcours), json!({"is_loop": true})).await.expect(200);
}

#[app_test]
async fn a_save_that_changes_nothing_makes_no_version(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let same = patch(&editor, &parcours, json!({"title": {"fr": "Lac"}})).await;
    assert_eq!(same["version"], 1);
}

#[app_test]
async fn a_patch_merges_languages_and_empties_with_null(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({"copyright": "Parc"})).await;
    let both = patch(&editor, &parcours, json!({"title": {"en": "Lake"}, "copyright": null})).await;
    assert_eq!(both["title"], json!({"fr": "Lac", "en": "Lake"}));
    assert_eq!(both["copyright"], Value::Null);
}

#[app_test]
async fn each_text_price_and_shape_is_set_read_back_and_emptied(app: TestApp) {
    let agency = app.agency_of("morvan");
    let texts = json!({
        "subtitle": {"fr": "À pied", "en": "On foot"},
        "summary": {"fr": "Une journée."},
        "description": {"fr": "<p>Au départ.</p>"},
        "anonymous_title": {"fr": "Un lac"},
        "anonymous_description": {"fr": "<p>Quelque part.</p>"},
        "price_includes": {"fr": "<p>Les nuits</p>"},
        "price_excludes": {"fr": "<p>Le train</p>"},
    });
    let others = json!({
        "copyright": "Parc du Morvan",
        "is_stay": false,
        "is_loop": false,
        "price_cents": 45_000,
        "max_price_cents": 62_000,
        "deposit_percent": 40,
    });
    let (texts, others) = (texts.as_object().unwrap(), others.as_object().unwrap());
    let set: Value = texts.clone().into_iter().chain(others.clone()).collect();
    let parcours = made(&agency, "Lac", set.clone()).await;
    let read = now(&agency, &parcours).await;
    for (field, value) in set.as_object().unwrap() {
        assert_eq!(read[field], *value, "{field}");
    }
    let turned = patch(&agency, &read, json!({"title": {"fr": "Le lac"}, "is_stay": true, "is_loop": true})).await;
    assert_eq!(
        (&turned["title"]["fr"], &turned["is_stay"], &turned["is_loop"]),
        (&json!("Le lac"), &json!(true), &json!(true))
    );
    let nothing: Value = set.as_object().unwrap().keys().map(|field| (field.clone(), Value::Null)).collect();
    patch(&agency, &turned, nothing).await;
    let read = now(&agency, &parcours).await;
    for field in texts.keys() {
        assert_eq!(read[field], json!({}), "{field}");
    }
    for field in others.keys() {
        assert_eq!(read[field], Value::Null, "{field}");
    }
}

#[app_test]
async fn each_wrong_field_is_reported_with_its_code_and_nothing_is_saved(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = made(&agency, "Lac", json!({})).await;
    for (patch, code, field) in [
        (
            json!({"availability": [{"from": "2026-05-01", "to": null}]}),
            "parcours/availability-both-dates",
            "/availability/0/to",
        ),
        (
            json!({"availability": [{"from": null, "to": null}]}),
            "parcours/availability-date-required",
            "/availability/0/from",
        ),
        (
            json!({"availability": [{"from": "2026-05-02", "to": "2026-05-01"}]}),
            "parcours/availability-order",
            "/availability/0/to",
        ),
        (
            json!({"availability": [{"from": "2026-02-30", "to": "2026-05-01"}]}),
            "validation/bad-date",
            "/availability/0/from",
        ),
        (json!({"booking_url": "ftp://exemple.fr"}), "validation/url-scheme", "/booking_url"),
        (json!({"booking_url": "javascript:alert(1)"}), "validation/url-scheme", "/booking_url"),
        (json!({"booking_url": "exemple"}), "validation/url-invalid", "/booking_url"),
        (json!({"deposit_percent": 101}), "parcours/deposit-out-of-range", "/deposit_percent"),
        (json!({"price_cents": -5}), "validation/out-of-range", "/price_cents"),
        (json!({"price_cents": 500, "max_price_cents": 400}), "parcours/max-price-below-price", "/max_price_cents"),
        (json!({"display_priority": 3}), "validation/wrong-type", "/display_priority"),
        (json!({"relation": "child"}), "parcours/parent-required", "/parent_id"),
        (json!({"relation": "child", "parent_id": 123_456}), "validation/unknown-reference", "/parent_id"),
        (json!({"practice_type_id": 999_999}), "validation/unknown-reference", "/practice_type_id"),
        (json!({"theme_ids": [999_999]}), "validation/unknown-reference", "/theme_ids"),
        (json!({"poi_ids": [999_999]}), "validation/unknown-reference", "/poi_ids"),
        (json!({"distribute_own": true}), "parcours/description-required", "/description/fr"),
        (json!({"title": {"fr": "x".repeat(201)}}), "validation/too-long", "/title/fr"),
        (json!({"title": {"xx": "?"}}), "validation/unknown-language", "/title/xx"),
        (json!({"published": true}), "validation/read-only", "/published"),
        (json!({"colour": "red"}), "validation/unknown-field", "/colour"),
        (json!({"steps": [{"kind": "teleport", "position": [2, 45]}]}), "validation/wrong-type", "/steps/0/kind"),
        (
            json!({"steps": [{"kind": "step", "position": [200, 45]}]}),
            "validation/position-outside-world",
            "/steps/0/position",
        ),
        (
            json!({"steps": [{"kind": "departure", "position": [2, 45]}, {"kind": "departure", "position": [2, 45]}]}),
            "parcours/two-departures",
            "/steps/1/kind",
        ),
    ] {
        let problem = patched(&agency, &parcours, patch.clone()).await.expect(422).problem();
        assert_eq!(problem.code, "validation/failed", "{patch}");
        let codes: Vec<_> = problem.errors.iter().map(|fault| (fault.code.as_str(), fault.field.as_str())).collect();
        assert!(codes.contains(&(code, field)), "{patch} tells {codes:?}");
    }
    assert_eq!(now(&agency, &parcours).await, parcours, "nothing was half-written");
}

#[app_test]
async fn several_faults_are_reported_at_once(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = made(&agency, "Lac", json!({})).await;
    let problem = patched(&agency, &parcours, json!({"price_cents": -1, "deposit_percent": -1, "booking_url": "x"}))
        .await
        .expect(422)
        .problem();
    assert_eq!(problem.errors.len(), 3);
}

#[app_test]
async fn a_reservation_address_may_be_of_an_outside_booking_engine(app: TestApp) {
    let tx = app.store().begin().await.unwrap();
    let structure = store::structure::insert(&tx, "Agence", "agence-voyages", app.app().now()).await.unwrap();
    let sheet = domain::white_label::WhiteLabelSheet {
        structure_id: structure.0,
        name: "Agence".to_owned(),
        domain: Some("https://reserver.carte.localhost".to_owned()),
        ..domain::white_label::WhiteLabelSheet::default()
    };
    let white_label = store::white_label::insert(&tx, sheet, app.app().now()).await.unwrap();
    tx.commit().await.unwrap();
    let boss = app.superadmin();
    boss.patch("/api/v1/me", json!({"active_white_label_id": white_label})).await.expect(200);
    let parcours = made(&boss, "Séjour", json!({})).await;
    for url in ["https://moteur.example/a?ref=12", "https://reserver.carte.localhost/a"] {
        let saved = patched(&boss, &now(&boss, &parcours).await, json!({"booking_url": url})).await;
        assert_eq!(saved.expect(200).json()["booking_url"], url);
    }
}

#[app_test]
async fn markup_and_scripts_are_stored_clean(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac <script>alert(1)</script><b>bleu</b>", json!({
        "description": {"fr": "<p onclick=\"x()\">Un <strong>lac</strong><script>alert(1)</script> <a href=\"javascript:x\">ici</a> <img src=x onerror=alert(1)></p>"},
    })).await;
    assert_eq!(parcours["title"]["fr"], "Lac bleu");
    assert_eq!(parcours["description"]["fr"], "<p>Un <strong>lac</strong> <a rel=\"noopener noreferrer\">ici</a> </p>");
}

#[app_test]
async fn a_parcours_is_published_under_a_title_and_unpublished(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = editor.post("/api/v1/parcours", json!({"title": {"en": "Lake"}})).await.expect(201).json();
    let publication = format!("{}/publication", path(&parcours));
    let refused = editor.clone().at_version(1).post(&publication, json!({})).await.expect(422).problem();
    assert_eq!(refused.code, "parcours/title-required-to-publish");
    let titled = patch(&editor, &parcours, json!({"title": {"fr": "Lac"}})).await;
    let shown = published(&editor, &titled).await;
    assert_eq!((&shown["published"], &shown["version"]), (&json!(true), &json!(3)));
    let hidden = editor.clone().at_version(3).delete(&publication).await.expect(200).json();
    assert_eq!(hidden["published"], false);
    assert_eq!(
        editor.clone().at_version(3).post(&publication, json!({})).await.expect(412).problem().code,
        "version/stale"
    );
}

#[app_test]
async fn a_published_parcours_keeps_its_title(app: TestApp) {
    let editor = app.editor_of("morvan");
    let untitled = editor.post("/api/v1/parcours", json!({"title": {"en": "Lake"}})).await.expect(201).json();
    let shown = published(&editor, &patch(&editor, &untitled, json!({"title": {"fr": "Lac"}})).await).await;
    for title in [json!(null), json!({"fr": null}), json!({"fr": "  "}), json!({"fr": "<b></b>"})] {
        let refused = patched(&editor, &shown, json!({ "title": title })).await.expect(422).problem();
        assert_eq!(refused.code, "validation/failed");
        assert_eq!(
            (refused.errors[0].code.as_str(), refused.errors[0].field.as_str()),
            ("parcours/title-required-to-publish", "/title/fr"),
            "{title}"
        );
    }
    // In version 1 it had no French title.
    let restoration = format!("{}/revisions/1/restoration", path(&shown));
    for body in [json!({}), json!({"fields": ["title"]}), json!({"fields": ["title/fr"]})] {
        let refused = editor.clone().at_version(3).post(&restoration, body).await.expect(422).problem();
        assert_eq!(refused.errors[0].code, "parcours/title-required-to-publish");
    }
    let kept = now(&editor, &shown).await;
    assert_eq!((&kept["version"], &kept["title"]["fr"]), (&json!(3), &json!("Lac")));
    // A copy is not published: an English title alone is enough.
    let copy = editor.post(format!("{}/duplicate", path(&shown)), json!({"title": {"en": "Pond"}})).await.expect(201);
    assert_eq!(copy.json()["title"], json!({"en": "Pond"}));
    let hidden = editor.clone().at_version(3).delete(format!("{}/publication", path(&shown))).await.expect(200).json();
    patch(&editor, &hidden, json!({"title": {"fr": null}})).await;
}

#[app_test]
async fn a_child_inherits_what_it_does_not_say(app: TestApp) {
    let agency = app.agency_of("morvan");
    let model =
        made(&agency, "Modèle", json!({"relation": "model_only", "bike_carriage": "yes", "bookable": "yes"})).await;
    let child = made(&agency, "Enfant", json!({"relation": "child", "parent_id": model["id"]})).await;
    assert_eq!((&child["effective_bike_carriage"], &child["effective_bookable"]), (&json!(true), &json!(true)));
    patch(&agency, &model, json!({"bike_carriage": "no"})).await;
    assert_eq!(now(&agency, &child).await["effective_bike_carriage"], false, "the child follows its parent");
    let own = patch(&agency, &child, json!({"bike_carriage": "yes"})).await;
    assert_eq!(own["effective_bike_carriage"], true, "its own answer wins");
    let children = now(&agency, &model).await["children"].clone();
    assert_eq!(children, json!([{"id": child["id"], "title": {"fr": "Enfant"}, "position": 1, "closed": false}]));
}

#[app_test]
async fn a_parcours_is_not_its_own_ancestor(app: TestApp) {
    let editor = app.editor_of("morvan");
    let top = made(&editor, "Un", json!({})).await;
    let middle = made(&editor, "Deux", json!({"relation": "child", "parent_id": top["id"]})).await;
    let bottom = made(&editor, "Trois", json!({"relation": "child", "parent_id": middle["id"]})).await;
    let own = patched(&editor, &top, json!({"relation": "child", "parent_id": top["id"]})).await.expect(422).problem();
    assert_eq!(own.errors[0].code, "parcours/own-parent");
    let circle =
        patched(&editor, &top, json!({"relation": "child", "parent_id": bottom["id"]})).await.expect(422).problem();
    assert_eq!(circle.errors[0].code, "parcours/relation-circle");
    let freed = patch(&editor, &bottom, json!({"relation": "none"})).await;
    assert_eq!(freed["parent_id"], Value::Null, "only a child has a parent");
}

#[app_test]
async fn a_parcours_in_use_is_deleted_only_when_forced(app: TestApp) {
    let editor = app.editor_of("morvan");
    let model = made(&editor, "Modèle", json!({"relation": "model_only"})).await;
    let child = made(&editor, "Enfant", json!({"relation": "child", "parent_id": model["id"]})).await;
    let share = editor
        .post(format!("{}/shares", path(&model)), json!({"kind": "temporary", "days": 7}))
        .await
        .expect(201)
        .json();
    let refused = editor.clone().at_version(1).delete(path(&model)).await.expect(409).problem();
    assert_eq!(refused.code, "parcours/in-use");
    let kinds: Vec<_> =
        refused.params["uses"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["child", "share"]);
    let uses = editor.get(format!("{}/uses", path(&model))).await.expect(200).json();
    assert_eq!(uses["items"][0]["title"]["fr"], "Enfant");
    editor.clone().at_version(1).delete(format!("{}?force=true", path(&model))).await.expect(204);
    editor.get(path(&model)).await.expect(404);
    let alone = now(&editor, &child).await;
    assert_eq!((&alone["relation"], &alone["parent_id"], &alone["version"]), (&json!("none"), &Value::Null, &json!(2)));
    assert!(store::share::by_token(app.store().read(), share["token"].as_str().unwrap()).await.unwrap().is_none());
    let id = domain::ParcoursId(model["id"].as_i64().unwrap());
    assert!(store::parcours::revision(app.store().read(), id, 1).await.unwrap().is_some(), "its history is kept");
    let next = made(&editor, "Suivant", json!({})).await;
    assert!(next["id"].as_i64() > child["id"].as_i64(), "a number is never used again");
}

#[app_test]
async fn deleting_asks_for_the_last_version(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    patch(&editor, &parcours, json!({"is_loop": true})).await;
    assert_eq!(editor.clone().at_version(1).delete(path(&parcours)).await.expect(412).problem().code, "version/stale");
    editor.clone().at_version(2).delete(path(&parcours)).await.expect(204);
}

#[app_test]
async fn a_duplicate_has_its_own_title_and_life(app: TestApp) {
    let editor = app.editor_of("morvan");
    let original = made(&editor, "Lac", json!({"summary": {"fr": "Un lac."}, "steps": [{"kind": "departure", "position": [4.0, 47.0], "title": {"fr": "Gare"}}]})).await;
    let original = published(&editor, &original).await;
    let duplicate = format!("{}/duplicate", path(&original));
    for body in [json!({}), json!({"title": "  "}), json!({"title": {}})] {
        let refused = editor.post(&duplicate, body).await.expect(422).problem();
        assert_eq!(
            (refused.code.as_str(), refused.field.as_deref()),
            ("parcours/duplicate-title-required", Some("/title"))
        );
    }
    let copy = editor.post(&duplicate, json!({"title": "Le lac bis"})).await.expect(201).json();
    assert_eq!(copy["title"], json!({"fr": "Le lac bis"}));
    assert_eq!(
        (&copy["summary"]["fr"], &copy["published"], &copy["version"]),
        (&json!("Un lac."), &json!(false), &json!(1))
    );
    assert_eq!(copy["steps"][0]["title"]["fr"], "Gare");
    let model = made(&editor, "Modèle", json!({"relation": "model_only"})).await;
    let child = editor
        .post(&duplicate, json!({"title": {"fr": "Sous le modèle"}, "model_id": model["id"]}))
        .await
        .expect(201)
        .json();
    assert_eq!(
        (&child["relation"], &child["parent_id"], &child["model_id"]),
        (&json!("child"), &model["id"], &model["id"])
    );
}

#[app_test]
async fn people_on_one_sheet_see_each_other(app: TestApp) {
    let (ana, bob) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let parcours = made(&ana, "Lac", json!({})).await;
    let presence = format!("{}/presence", path(&parcours));
    assert_eq!(ana.post(&presence, json!({"editing": true})).await.expect(200).json(), json!({"others": []}));
    app.clock().advance_s(20);
    let seen = bob.post(&presence, json!({})).await.expect(200).json();
    assert_eq!(
        seen,
        json!({"others": [{"name": "Camille editor", "initials": "CE", "editing": true, "since": "2026-11-20T08:00:00Z"}]})
    );
    app.clock().advance_s(61);
    assert_eq!(
        ana.post(&presence, json!({})).await.expect(200).json(),
        json!({"others": []}),
        "who is silent has left"
    );
}

#[app_test]
async fn steps_keep_their_numbers_and_their_order(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({"steps": [
        {"kind": "departure", "position": [4.0, 47.0]}, {"kind": "night", "position": [4.1, 47.0], "nights": 1}, {"kind": "arrival", "position": [4.2, 47.0]},
    ]})).await;
    let ids: Vec<_> = parcours["steps"].as_array().unwrap().iter().map(|step| step["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 3]);
    let mut steps = parcours["steps"].as_array().unwrap().clone();
    steps.remove(1);
    steps.insert(1, json!({"kind": "advice", "position": [4.15, 47.0], "title": {"fr": "De l'eau"}, "distance_to_next_typed_m": 1_500.0}));
    let changed = patch(&editor, &parcours, json!({"steps": steps})).await;
    let listed: Vec<_> = changed["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["id"].as_i64().unwrap(), step["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(listed, [(1, "departure"), (4, "advice"), (3, "arrival")]);
    assert_eq!(changed["steps"][1]["distance_to_next_m"], 1_500.0);
}

#[app_test]
async fn a_step_is_of_any_kind_and_may_have_a_practice_of_its_own(app: TestApp) {
    let editor = app.editor_of("morvan");
    let list = domain::vocabulary::VocabularyKind::PracticeType;
    let practices = store::vocabulary::list(app.store().read(), list).await.unwrap();
    let (walk, ride) = (practices[0].id, practices[1].id);
    let kinds = [
        "departure",
        "waypoint",
        "step",
        "optional_step",
        "night",
        "nights",
        "step_night",
        "favourite",
        "advice",
        "arrival",
    ];
    let of_kind = |(lon, kind): (i64, &str)| json!({"kind": kind, "position": [lon, 47]});
    let mut steps: Vec<Value> = (4..).zip(kinds).map(of_kind).collect();
    steps[2]["practice_type_id"] = json!(ride);
    let parcours = made(&editor, "Lac", json!({"practice_type_id": walk, "steps": steps})).await;
    let read = now(&editor, &parcours).await;
    let found: Vec<_> = read["steps"].as_array().unwrap().iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!(found, kinds);
    assert_eq!((&read["practice_type_id"], &read["steps"][1]["practice_type_id"]), (&json!(walk), &Value::Null));
    assert_eq!(read["steps"][2]["practice_type_id"], json!(ride));
}

#[app_test]
async fn a_level_is_accepted_only_on_its_own_scale(app: TestApp) {
    let levels = store::vocabulary::list(app.store().read(), domain::vocabulary::VocabularyKind::Level).await.unwrap();
    let of = |wanted: &str| {
        let found = levels.iter().find(|level| serde_json::to_value(&level.attributes).unwrap()["scale"] == wanted);
        found.expect("the scale has a level").id.0
    };
    let special = levels.iter().map(|level| serde_json::to_value(&level.attributes).unwrap()["scale"].clone());
    let special =
        special.filter_map(|scale| scale.as_str().map(str::to_owned)).find(|scale| scale != "general").unwrap();
    let editor = app.editor_of("morvan");
    let parcours =
        made(&editor, "Lac", json!({"level_id": of("general"), "special_levels": {&special: of(&special)}})).await;
    for (patch_, field) in [
        (json!({"level_id": of(&special)}), "/level_id".to_owned()),
        (json!({"special_levels": {&special: of("general")}}), format!("/special_levels/{special}")),
    ] {
        let problem = patched(&editor, &parcours, patch_).await.expect(422).problem();
        assert_eq!((problem.errors[0].code.as_str(), &problem.errors[0].field), ("parcours/level-scale", &field));
    }
    let twice = json!({"special_levels": {"general": of("general"), &special: of(&special)}});
    let problem = patched(&editor, &parcours, twice).await.expect(422).problem();
    assert_eq!(
        problem.errors.iter().map(|fault| (fault.code.as_str(), fault.field.as_str())).collect::<Vec<_>>(),
        [("parcours/general-level-apart", "/special_levels/general")]
    );
}

#[app_test]
async fn an_unknown_term_is_reported_where_it_stands(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    let step = |practice: Value| json!({"kind": "step", "position": [4.0, 47.0], "practice_type_id": practice});
    for (patch_, field) in [
        (json!({"steps": [step(Value::Null), step(json!(987_654))]}), "/steps/1/practice_type_id"),
        (json!({"special_levels": {"vtt": 987_654}}), "/special_levels/vtt"),
    ] {
        let problem = patched(&editor, &parcours, patch_).await.expect(422).problem();
        let found: Vec<_> = problem.errors.iter().map(|fault| (fault.code.as_str(), fault.field.as_str())).collect();
        assert_eq!(found, [("validation/unknown-reference", field)]);
    }
}

#[app_test]
async fn deleting_a_parcours_detaches_all_its_children(app: TestApp) {
    let editor = app.editor_of("morvan");
    let model = made(&editor, "Modèle", json!({"relation": "model_only"})).await;
    let mut last = model.clone();
    for index in 0..53 {
        last = made(&editor, &format!("Enfant {index}"), json!({"relation": "child", "parent_id": model["id"]})).await;
    }
    editor.clone().at_version(1).delete(format!("{}?force=true", path(&model))).await.expect(204);
    assert_eq!(now(&editor, &last).await["parent_id"], Value::Null);
}

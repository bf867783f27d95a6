//! White-labels: made by a superadmin, managed by their structure's admins, the same for every reader.

use app::seal::{Place, ServerKey};
use domain::Role;
use macros::app_test;
use serde_json::{Value, json};
use testkit::TestApp;

use crate::catalogue_kit::{column, delete, faults, id, made, one, patch, version};

const WHITE_LABELS: &str = "/api/v1/white-labels";

async fn morvan(app: &TestApp) -> Value {
    let id = app.white_label("morvan").await;
    app.superadmin().get(format!("{WHITE_LABELS}/{id}")).await.expect(200).json()
}

#[app_test]
async fn a_white_label_is_made_with_a_name_and_a_structure(app: TestApp) {
    let root = app.superadmin();
    let faults_found = faults(root.post(WHITE_LABELS, json!({"kind": "travel"})).await);
    assert_eq!(faults_found, ["validation/required /name", "validation/required /structure_id"]);
    let new = json!({"name": "Lac de Brève", "kind": "destination", "structure_id": 1});
    let lake = made(&root, WHITE_LABELS, new.clone()).await;
    assert_eq!((&lake["slug"], &lake["initials"]), (&json!("lac-de-breve"), &json!("LB")));
    assert_eq!(lake["structure"], json!({"id": 1, "name": "Parc du Morvan"}));
    assert_eq!((&lake["published"], &lake["flags"]["distribute_pois"]), (&json!(false), &json!(true)));
    assert_eq!((&lake["api_key"], &lake["translation_key_set"]), (&Value::Null, &json!(false)));
    let again = made(&root, WHITE_LABELS, new).await;
    assert_eq!(again["slug"], "lac-de-breve-2", "a short name is made free");
    let taken = patch(&root, WHITE_LABELS, &again, json!({"slug": "lac-de-breve"})).await.expect(409).problem();
    assert_eq!((taken.code.as_str(), taken.field.as_deref()), ("white-label/slug-taken", Some("/slug")));
    let two = json!({"slug": "lac-de-breve", "rating_min": 4.5, "rating_max": 2.0});
    assert_eq!(
        faults(patch(&root, WHITE_LABELS, &again, two).await),
        ["white-label/ratings /rating_max", "white-label/slug-taken /slug"],
        "what is taken is said with the other faults"
    );
    // Users who work everywhere, or in its structure, work in it at once.
    for person in [root, app.admin_of("morvan")] {
        let me = person.get("/api/v1/session").await.expect(200).json();
        let known = me["white_labels"].as_array().unwrap().iter().any(|own| own["id"] == lake["id"]);
        assert!(known, "{me}");
    }
}

#[app_test]
async fn a_filter_has_items_of_its_list_and_not_too_many_of_them(app: TestApp) {
    let (admin, before) = (app.admin_of("morvan"), morvan(&app).await);
    let set = async |fields: Value| patch(&admin, WHITE_LABELS, &before, fields).await;
    let lakes = json!({"label": {"fr": "Lacs"}});
    let theme = &made(&app.superadmin(), "/api/v1/vocabularies/parcours_theme", lakes).await["id"];
    let wrong = json!({"poi_filter": {"category_ids": [theme]}, "parcours_filter": {"practice_type_ids": [theme]}});
    assert_eq!(
        faults(set(wrong).await),
        [
            "validation/unknown-reference /poi_filter/category_ids",
            "validation/unknown-reference /parcours_filter/practice_type_ids"
        ]
    );
    // Refused before the database is asked, also where all are the same.
    let many = json!({"poi_filter": {"theme_ids": vec![theme.clone(); 20_000]}});
    assert_eq!(faults(set(many).await), ["validation/too-many /poi_filter/theme_ids"]);
}

#[app_test]
async fn the_site_of_a_white_label_is_an_https_subdomain_of_the_map_domain(app: TestApp) {
    let root = app.superadmin();
    let own = morvan(&app).await;
    for wrong in ["http://morvan.carte.localhost", "https://morvan.example", "https://carte.localhost"] {
        let problem = patch(&root, WHITE_LABELS, &own, json!({"domain": wrong})).await.expect(422).problem();
        let fault = &problem.errors[0];
        assert_eq!((fault.code.as_str(), fault.field.as_str()), ("white-label/domain-host", "/domain"), "{wrong}");
        assert_eq!(fault.params["host"], "carte.localhost");
    }
    let own = patch(&root, WHITE_LABELS, &own, json!({"domain": "https://Morvan.carte.localhost/"})).await;
    let own = own.expect(200).json();
    assert_eq!(own["domain"], "https://morvan.carte.localhost");
    assert_eq!(own["preproduction_domain"], "https://morvan-preprod.carte.localhost");
    let moved = patch(&root, WHITE_LABELS, &own, json!({"domain": "https://parc.carte.localhost"})).await;
    let moved = moved.expect(200).json();
    assert_eq!(moved["preproduction_domain"], "https://parc-preprod.carte.localhost", "it goes with the domain");
    let new = json!({"name": "Autre", "structure_id": 1, "domain": "https://parc.carte.localhost"});
    let taken = root.post(WHITE_LABELS, new).await.expect(409).problem();
    assert_eq!((taken.code.as_str(), taken.field.as_deref()), ("white-label/domain-taken", Some("/domain")));
    // No two white-labels have an address in common, of any kind; this includes an address derived from a domain.
    for (sent, field) in [
        (json!({"preproduction_domain": "https://parc.carte.localhost"}), "/preproduction_domain"),
        (json!({"preproduction_domain": "https://parc-preprod.carte.localhost"}), "/preproduction_domain"),
        (json!({"domain": "https://Parc-preprod.carte.localhost/"}), "/domain"),
    ] {
        let vercors = root.get(format!("{WHITE_LABELS}/{}", app.white_label("vercors").await)).await.expect(200).json();
        let taken = patch(&root, WHITE_LABELS, &vercors, sent).await.expect(409).problem();
        assert_eq!((taken.code.as_str(), taken.field.as_deref()), ("white-label/domain-taken", Some(field)));
    }
    let vercors = root.get(format!("{WHITE_LABELS}/{}", app.white_label("vercors").await)).await.expect(200).json();
    let free = json!({"domain": "https://vercors-preprod.carte.localhost"});
    patch(&root, WHITE_LABELS, &vercors, free).await.expect(200);
    let now = morvan(&app).await;
    let derived = patch(&root, WHITE_LABELS, &now, json!({"domain": "https://vercors.carte.localhost"})).await;
    assert_eq!(derived.expect(409).problem().field.as_deref(), Some("/preproduction_domain"));
}

#[app_test]
async fn a_white_label_moved_to_another_structure_is_closed_to_people_of_the_former(app: TestApp) {
    let root = app.superadmin();
    let editor = app.editor_of("morvan");
    let own = morvan(&app).await;
    let second = json!({"name": "Morvan d’hiver", "structure_id": 1});
    let second = root.post(WHITE_LABELS, second).await.expect(201).json();
    let user = root.get(format!("/api/v1/users/{}", app.user(Role::Editor, "morvan").await)).await.expect(200).json();
    let both = json!({"white_label_ids": [own["id"], second["id"]]});
    patch(&root, "/api/v1/users", &user, both).await.expect(200);
    let works_in = async || {
        let session = editor.get("/api/v1/session").await.expect(200).json();
        session["white_labels"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(works_in().await.len(), 2);
    patch(&root, WHITE_LABELS, &own, json!({"structure_id": 2})).await.expect(200);
    assert_eq!(works_in().await, [second["id"].clone()]);
}

#[app_test]
async fn addresses_of_a_white_label_need_their_placeholder_and_their_host(app: TestApp) {
    let admin = app.admin_of("morvan");
    let own = morvan(&app).await;
    let own = patch(&admin, WHITE_LABELS, &own, json!({"domain": "https://morvan.carte.localhost"})).await;
    let own = own.expect(200).json();
    let wrong = json!({"sit_record_url": "https://sit.example/fiche", "return_url": "https://ailleurs.example/"});
    let problem = patch(&admin, WHITE_LABELS, &own, wrong).await.expect(422).problem();
    let codes: Vec<_> = problem.errors.iter().map(|fault| (fault.code.as_str(), fault.field.as_str())).collect();
    assert_eq!(codes, [("white-label/sit-placeholder", "/sit_record_url"), ("white-label/url-host", "/return_url")]);
    assert_eq!(problem.errors[0].params["placeholder"], "/[ID_OBJET]");
    assert_eq!(problem.errors[1].params["host"], "https://morvan.carte.localhost");
    let good = json!({
        "sit_record_url": "https://sit.example/fiche/[ID_OBJET]", "return_url": "https://morvan.carte.localhost/retour",
    });
    let own = patch(&admin, WHITE_LABELS, &own, good).await.expect(200).json();
    assert_eq!(own["sit_record_url"], "https://sit.example/fiche/[ID_OBJET]");
}

#[app_test]
async fn the_brand_of_a_white_label_is_checked_and_shown_wherever_it_is_used(app: TestApp) {
    let admin = app.admin_of("morvan");
    let own = morvan(&app).await;
    let picture = app.media().insert().await.id;
    let wrong = json!({
        "colors": {"primary": "#12"}, "map_style": "moon", "planner_profiles": ["touring", "hovercraft"],
        "fonts": {"title_media_id": picture}, "logo_media_id": 999_999,
        "planner_preferences": {"hovercraft": {"quiet": "more"}},
    });
    let mut faults_found = faults(patch(&admin, WHITE_LABELS, &own, wrong).await);
    faults_found.sort();
    assert_eq!(
        faults_found,
        [
            "validation/color /colors/primary",
            "validation/unknown-reference /logo_media_id",
            "validation/unknown-reference /map_style",
            "validation/unknown-reference /planner_preferences",
            "validation/unknown-reference /planner_profiles",
            "white-label/media-kind /fonts/title_media_id",
        ]
    );
    let look = json!({"name": "Parc du Morvan", "colors": {"primary": "#8a4b08"}, "logo_media_id": picture, "map_style": "dark"});
    let own = patch(&admin, WHITE_LABELS, &own, look).await.expect(200).json();
    assert_eq!(own["colors"], json!({"primary": "#8A4B08", "secondary": null, "tertiary": null}));
    // The switcher reads the same record.
    let me = app.editor_of("morvan").get("/api/v1/session").await.json();
    let known = me["white_labels"].as_array().unwrap().iter().find(|known| known["id"] == own["id"]).unwrap();
    assert_eq!((&known["name"], &known["initials"]), (&json!("Parc du Morvan"), &json!("PM")));
    assert_eq!((&known["color"], &known["kind"]), (&json!("#8A4B08"), &json!("destination")));
    // So does the public page.
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "/api/v1/parcours", json!({"title": {"fr": "Tour du lac"}})).await;
    let shown = format!("/api/v1/parcours/{}/publication", id(&parcours));
    editor.clone().with("if-match", "*").post(shown, json!({})).await.expect(200);
    let page = app.anonymous().get(format!("/p/tour-du-lac-{}", id(&parcours))).await.expect(200).text();
    assert!(page.contains("#8a4b08") && page.contains("Parc du Morvan"), "{page}");
    // The uses of the picture list it.
    let uses = editor.get(format!("/api/v1/medias/{picture}/uses")).await.expect(200).json();
    assert_eq!(uses["items"][0]["kind"], "white_label");
}

#[app_test]
async fn the_recommended_map_style_is_reported_and_is_that_of_the_person_who_chose_none(app: TestApp) {
    let payload = app.anonymous().get("/payload.json").await.expect(200).json();
    let styles = payload["map"]["styles"].as_array().unwrap();
    let recommended: Vec<&Value> = styles.iter().filter(|style| style["recommended"] == true).collect();
    assert_eq!(recommended.len(), 1);
    assert_eq!((&recommended[0]["code"], &recommended[0]["label"]["fr"]), (&json!("light"), &json!("Clair")));
    for style in styles {
        let code = style["code"].as_str().unwrap();
        app.anonymous().get(format!("/map/style-{code}.json")).await.expect(200);
        assert!(style["label"]["en"].is_string());
    }
    app.anonymous().get("/map/style-moon.json").await.expect(404);
}

#[app_test]
async fn the_map_analytics_and_content_filters_of_a_white_label_are_checked_and_stored(app: TestApp) {
    let admin = app.admin_of("morvan");
    let own = morvan(&app).await;
    let wrong = json!({
        "bounds": {"ne": [4.0, 47.0], "sw": [4.5, 47.5]}, "rating_min": 4, "rating_max": 3, "zoom": 30,
        "analytics": {"web": "UA-1", "ios": "1:123456789012:android:0123456789abcdef"}, "translator_id": 3,
        "poi_filter": {"category_ids": [999_999]},
    });
    let mut faults_found = faults(patch(&admin, WHITE_LABELS, &own, wrong).await);
    faults_found.sort();
    assert_eq!(
        faults_found,
        [
            "validation/out-of-range /zoom",
            "validation/unknown-reference /poi_filter",
            "validation/unknown-reference /translator_id",
            "white-label/analytics-id /analytics/ios",
            "white-label/analytics-id /analytics/web",
            "white-label/bounds /bounds",
            "white-label/ratings /rating_max",
        ]
    );
    let settings = json!({
        "bounds": {"ne": [4.5, 47.5], "sw": [4.0, 47.0]}, "center": [4.2, 47.2], "zoom": 11.5, "rating_min": 2.5,
        "planner_profiles": ["touring", "hiking"], "deposit_percent": 40,
        "analytics": {"web": "G-ABC1234567", "android": "1:123456789012:android:0123456789abcdef", "ios": null},
        "parcours_filter": {"is_loop": true}, "flags": {"cycle_map": true},
    });
    let own = patch(&admin, WHITE_LABELS, &own, settings.clone()).await.expect(200).json();
    for field in ["bounds", "center", "zoom", "rating_min", "planner_profiles", "deposit_percent", "analytics"] {
        assert_eq!(own[field], settings[field], "{field}");
    }
    assert_eq!((&own["parcours_filter"]["is_loop"], &own["flags"]["cycle_map"]), (&json!(true), &json!(true)));
    assert_eq!(own["flags"]["distribute_parcours"], true, "a switch that was not sent is kept");
}

#[app_test]
async fn only_its_own_administrators_change_a_white_label(app: TestApp) {
    let own = morvan(&app).await;
    let refused = patch(&app.admin_of("vercors"), WHITE_LABELS, &own, json!({"name": "À moi"})).await;
    assert_eq!(refused.expect(403).problem().code, "white-label/not-yours");
    let admin = app.admin_of("morvan");
    let given = patch(&admin, WHITE_LABELS, &own, json!({"structure_id": 2})).await;
    assert_eq!(
        faults(given),
        ["validation/unknown-reference /structure_id"],
        "a white-label cannot be given to another structure"
    );
    let faults_found = faults(patch(&admin, WHITE_LABELS, &own, json!({"id": 3, "api_key": "x", "colour": 1})).await);
    assert_eq!(
        faults_found,
        ["validation/read-only /api_key", "validation/unknown-field /colour", "validation/read-only /id"]
    );
    let renamed = patch(&admin, WHITE_LABELS, &own, json!({"name": "Parc"})).await.expect(200).json();
    let stale = patch(&admin, WHITE_LABELS, &own, json!({"name": "Autre"})).await.expect(412).problem();
    assert_eq!(stale.code, "version/stale");
    let past = admin.get(format!("{}/revisions", one(WHITE_LABELS, &own))).await.expect(200).json();
    assert_eq!(past["items"][0]["fields"], json!(["name"]));
    let back = format!("{}/revisions/1/restoration", one(WHITE_LABELS, &own));
    let back = admin.at_version(renamed["version"].as_i64().unwrap()).post(back, json!({})).await.expect(200).json();
    assert_eq!(back["name"], "Morvan");
}

#[app_test]
async fn white_labels_are_found_by_words_kind_structure_and_state(app: TestApp) {
    let root = app.superadmin();
    made(&root, WHITE_LABELS, json!({"name": "Échines à pied", "kind": "app", "structure_id": 2})).await;
    let list = async |query: &str| {
        let list = app.reader_of("morvan").get(format!("{WHITE_LABELS}?{query}")).await.expect(200).json();
        column(&list, "/name")
    };
    assert_eq!(list("").await, ["Échines à pied", "Morvan", "Morvan à vélo", "Vercors"]);
    assert_eq!(list("search=echines").await, ["Échines à pied"]);
    assert_eq!(list("kind=app,travel").await, ["Échines à pied"]);
    assert_eq!(list("structure=1&sort=-title").await, ["Morvan à vélo", "Morvan"]);
    assert_eq!(list("published=false").await, ["Échines à pied"]);
    assert_eq!(list("per_page=1&page=2").await, ["Morvan"]);
    for wrong in ["kind=x", "structure=x", "published=x", "sort=color"] {
        root.get(format!("{WHITE_LABELS}?{wrong}")).await.expect(400);
    }
    let found = app.reader_of("morvan").get("/api/v1/search?q=echines").await.json();
    assert!(found["groups"].as_array().unwrap().iter().any(|group| group["kind"] == "white_label"), "{found}");
}

#[app_test]
async fn a_white_label_in_use_cannot_be_deleted_and_an_unused_one_can_be_restored(app: TestApp) {
    let root = app.superadmin();
    let own = morvan(&app).await;
    app.poi().insert().await;
    let refused = delete(&root, WHITE_LABELS, &own, "").await.expect(409).problem();
    assert_eq!(refused.code, "white-label/in-use");
    let kinds: Vec<&str> =
        refused.params["uses"].as_array().unwrap().iter().filter_map(|one| one["kind"].as_str()).collect();
    assert!(kinds.contains(&"poi") && kinds.contains(&"user"), "{kinds:?}");
    let forced = delete(&root, WHITE_LABELS, &own, "?force=true").await.expect(409).problem();
    assert_eq!(forced.params["required"], true, "what it owns cannot do without it");
    let new = made(&root, WHITE_LABELS, json!({"name": "Essai", "structure_id": 1})).await;
    delete(&root, WHITE_LABELS, &new, "").await.expect(204);
    root.get(one(WHITE_LABELS, &new)).await.expect(404);
    let bin = root.get("/api/v1/bin?kind=white_label").await.expect(200).json();
    assert_eq!(bin["items"][0]["title"]["fr"], "Essai");
    let number = bin["items"][0]["id"].as_i64().unwrap();
    root.post(format!("/api/v1/bin/{number}/restoration"), json!({})).await.expect(200);
    let back = root.get(one(WHITE_LABELS, &new)).await.expect(200).json();
    assert_eq!((&back["name"], &back["slug"]), (&json!("Essai"), &json!("essai")));
}

#[app_test]
async fn the_key_of_a_white_label_is_shown_once_and_later_by_its_first_letters(app: TestApp) {
    let admin = app.admin_of("morvan");
    let own = morvan(&app).await;
    let path = format!("{}/api-key", one(WHITE_LABELS, &own));
    let first = admin.clone().with("if-match", "*").post(&path, json!({})).await.expect(201).json();
    let key = first["key"].as_str().unwrap();
    assert_eq!(key.len(), 64);
    let seen = admin.get(one(WHITE_LABELS, &own)).await.json();
    assert_eq!(seen["api_key"], json!({"prefix": key[..8], "created_at": "2026-11-20T08:00:00Z"}));
    assert!(!seen.to_string().contains(key), "the key itself is not shown again");
    let other = app.editor_of("morvan").get(one(WHITE_LABELS, &own)).await.json();
    assert_eq!(other["api_key"], Value::Null, "people who may not change it do not see the key");
    let second = admin.clone().with("if-match", "*").post(&path, json!({})).await.expect(201).json();
    assert_ne!(first["key"], second["key"], "a new key takes the place of the old one");
    admin.clone().with("if-match", "*").delete(&path).await.expect(204);
    assert_eq!(admin.get(one(WHITE_LABELS, &own)).await.json()["api_key"], Value::Null);
    let refused = app.admin_of("vercors").with("if-match", "*").post(&path, json!({})).await.expect(403).problem();
    assert_eq!(refused.code, "white-label/not-yours");
}

#[app_test]
async fn a_key_is_made_and_taken_back_over_the_version_that_was_read(app: TestApp) {
    let admin = app.admin_of("morvan");
    let own = morvan(&app).await;
    let path = format!("{}/api-key", one(WHITE_LABELS, &own));
    let read = admin.clone().at_version(version(&own));
    let ask = || read.post(&path, json!({}));
    let (first, second, third, fourth) = tokio::join!(ask(), ask(), ask(), ask());
    let mut statuses = [first, second, third, fourth].map(|reply| reply.status.as_u16());
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 412, 412, 412], "one key was shown, and works");
    assert_eq!(read.delete(&path).await.expect(412).problem().code, "version/stale");
    let seen = admin.get(one(WHITE_LABELS, &own)).await.expect(200).json();
    assert_eq!(version(&seen), version(&own) + 1);
    let history = admin.get(format!("{}/revisions", one(WHITE_LABELS, &own))).await.expect(200).json();
    assert_eq!((&history["items"][0]["reason"], &history["items"][0]["fields"]), (&json!("api_key"), &json!([])));
    let latest = admin.clone().at_version(version(&seen));
    latest.delete(&path).await.expect(204);
    latest.delete(&path).await.expect(412);
}

#[app_test]
async fn the_translation_key_of_a_white_label_is_sealed_and_never_shown_again(app: TestApp) {
    const KEY: &str = "3f9b-clef-de-traduction:fx";
    let admin = app.admin_of("morvan");
    let own = morvan(&app).await;
    let path = format!("{}/translation-key", one(WHITE_LABELS, &own));
    let at = || admin.clone().with("if-match", "*");
    assert_eq!(own["translation_key_set"], false);
    at().put(&path, json!({"key": format!(" {KEY}\n")})).await.expect(204);
    let seen = admin.get(one(WHITE_LABELS, &own)).await.json();
    assert_eq!(seen["translation_key_set"], true);
    assert_eq!(app.editor_of("morvan").get(one(WHITE_LABELS, &own)).await.json()["translation_key_set"], false);
    // The stored key opens with the server's key, for this white-label only.
    let sealed = store::white_label::translation_key(app.store().read(), id(&own)).await.unwrap().unwrap();
    assert!(!sealed.windows(4).any(|part| part == b"clef"), "the key itself is not in the database");
    let open = |id: i64| app.app().key.open(Place::TranslationKey(id, "service:deepl"), &sealed);
    assert_eq!(open(id(&own)).unwrap(), KEY.as_bytes());
    assert!(open(id(&own) + 1).is_err());
    // A save after it: nothing of it in the record, its list, its history.
    let saved = patch(&admin, WHITE_LABELS, &seen, json!({"name": "Le Morvan"})).await.expect(200).json();
    assert_eq!(saved["translation_key_set"], true);
    for place in ["", "/revisions", "/revisions/1", "/revisions/2"] {
        let text = admin.get(format!("{}{place}", one(WHITE_LABELS, &own))).await.expect(200).text();
        assert!(!text.contains("clef"), "{place}: {text}");
    }
    assert!(!admin.get(WHITE_LABELS).await.text().contains("clef"));
    at().delete(&path).await.expect(204);
    assert_eq!(admin.get(one(WHITE_LABELS, &own)).await.json()["translation_key_set"], false);
    assert_eq!(store::white_label::translation_key(app.store().read(), id(&own)).await.unwrap(), None);
}

#[app_test]
async fn an_invalid_translation_key_and_a_stranger_are_refused(app: TestApp) {
    let admin = app.admin_of("morvan");
    let own = morvan(&app).await;
    let path = format!("{}/translation-key", one(WHITE_LABELS, &own));
    for (key, code) in [
        ("  ".to_owned(), "validation/required /key"),
        ("deux mots".to_owned(), "white-label/translation-key /key"),
        ("clé".to_owned(), "white-label/translation-key /key"),
        ("k".repeat(501), "validation/too-long /key"),
    ] {
        assert_eq!(faults(admin.clone().with("if-match", "*").put(&path, json!({"key": key})).await), [code]);
    }
    admin.put(&path, json!({"key": "k"})).await.expect(428);
    admin.clone().at_version(9).put(&path, json!({"key": "k"})).await.expect(412);
    let theirs = app.admin_of("vercors").with("if-match", "*").put(&path, json!({"key": "k"})).await.expect(403);
    assert_eq!(theirs.problem().code, "white-label/not-yours");
    let by_the_sheet = patch(&admin, WHITE_LABELS, &own, json!({"translation_key": "k"})).await;
    assert_eq!(by_the_sheet.status, 422, "a secret is no field of the sheet");
}

#[app_test]
async fn a_server_with_another_key_is_detected(app: TestApp) {
    let opens = async |app: &TestApp| app::seal::opens(&app.app().key, app.store().read()).await.unwrap();
    assert_eq!(opens(&app).await, None, "nothing is sealed yet");
    let own = morvan(&app).await;
    let path = format!("{}/translation-key", one(WHITE_LABELS, &own));
    app.superadmin().with("if-match", "*").put(&path, json!({"key": "k"})).await.expect(204);
    assert_eq!(opens(&app).await, Some(true));
    let other = app.changed(|parts| parts.key = ServerKey::random());
    assert_eq!(opens(&other).await, Some(false));
}

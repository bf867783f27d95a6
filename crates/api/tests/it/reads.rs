//! Reference lists, structures, white-labels, users, POIs.

use macros::app_test;
use serde_json::{Value, json};
use testkit::TestApp;

fn names(list: &Value, field: &str) -> Vec<String> {
    list["items"].as_array().unwrap().iter().map(|item| item[field].as_str().unwrap_or_default().to_owned()).collect()
}

fn titles(list: &Value) -> Vec<String> {
    list["items"].as_array().unwrap().iter().map(|item| item["title"]["fr"].as_str().unwrap().to_owned()).collect()
}

#[app_test]
async fn each_reference_list_is_complete_with_the_fields_of_its_kind(app: TestApp) {
    let reader = app.reader_of("morvan");
    for kind in [
        "marking",
        "equipment",
        "tag",
        "level",
        "practice_type",
        "parcours_theme",
        "poi_theme",
        "poi_category",
        "structure_type",
    ] {
        let list = reader.get(format!("/api/v1/vocabularies/{kind}")).await.expect(200).json();
        let items = list["items"].as_array().unwrap();
        assert!(items.len() >= 20, "{kind}");
        for item in items {
            assert!(item["label"]["fr"].is_string() && item["label"]["en"].is_string(), "{item}");
        }
    }
    let levels = reader.get("/api/v1/vocabularies/level").await.json();
    assert_eq!(levels["items"][0]["attributes"]["scale"], "general");
    let practices = reader.get("/api/v1/vocabularies/practice_type").await.json();
    let hiking = practices["items"].as_array().unwrap().iter().find(|item| item["code"] == "randonnee").unwrap();
    assert_eq!(hiking["attributes"]["profile"], "hiking");
    assert_eq!(hiking["attributes"]["flat_kmh"], 4.0);
    assert!(hiking["parent_id"].is_number());
    let unknown = reader.get("/api/v1/vocabularies/unknown").await.expect(404).problem();
    assert_eq!((unknown.code.as_str(), &unknown.params["kind"]), ("vocabulary/not-found", &json!("unknown")));
}

#[app_test]
async fn structures_and_white_labels_are_listed_to_everybody_and_changed_by_their_own_people(app: TestApp) {
    let structures = app.reader_of("vercors").get("/api/v1/structures").await.expect(200).json();
    assert_eq!(names(&structures, "name"), ["Parc du Morvan", "Vercors Tourisme"]);
    let id = structures["items"][0]["id"].as_i64().unwrap();
    let one = app.reader_of("vercors").get(format!("/api/v1/structures/{id}")).await.expect(200).json();
    let kinds = app.reader_of("vercors").get("/api/v1/vocabularies/structure_type").await.json();
    let park = kinds["items"].as_array().unwrap().iter().find(|kind| kind["code"] == "parc-naturel").unwrap();
    assert_eq!(one["kind_id"], park["id"]);
    let morvan = app.white_label("morvan").await;
    let path = format!("/api/v1/white-labels/{morvan}");
    for (client, mine, editable) in [
        (app.reader_of("vercors"), false, false),
        (app.admin_of("vercors"), false, false),
        (app.editor_of("morvan"), true, false),
        (app.admin_of("morvan"), true, true),
    ] {
        let seen = client.get(&path).await.expect(200).json();
        assert_eq!((seen["mine"].as_bool(), seen["editable"].as_bool()), (Some(mine), Some(editable)), "{seen}");
    }
    let white_labels = app.reader_of("vercors").get("/api/v1/white-labels").await.expect(200).json();
    assert_eq!(names(&white_labels, "slug"), ["morvan", "morvan-velo", "vercors"]);
}

#[app_test]
async fn an_admin_sees_the_people_of_the_structure_and_no_others(app: TestApp) {
    let own = app.admin_of("vercors").get("/api/v1/users").await.expect(200).json();
    assert_eq!(own["total"], 5);
    assert!(names(&own, "email").iter().all(|email| email.ends_with("@vercors.example")));
    assert_eq!(app.superadmin().get("/api/v1/users").await.json()["total"], 10);
    let found = app.superadmin().get("/api/v1/users?search=EDITOR%20vercors").await.json();
    assert_eq!(names(&found, "email"), ["editor@vercors.example"]);
    let stranger = app.user(domain::Role::Editor, "morvan").await;
    let path = format!("/api/v1/users/{stranger}");
    assert_eq!(app.admin_of("vercors").get(&path).await.expect(404).problem().code, "user/not-found");
    assert_eq!(app.admin_of("morvan").get(&path).await.expect(200).json()["role"], "editor");
}

#[app_test]
async fn pois_are_found_by_words_place_category_and_owner(app: TestApp) {
    let categories = app.reader_of("morvan").get("/api/v1/vocabularies/poi_category").await.json();
    let castle = categories["items"].as_array().unwrap().iter().find(|item| item["code"] == "chateau").unwrap();
    let castle = castle["id"].as_i64().unwrap();
    app.poi().titled("Château d’Été").at(4.1, 47.1).in_category(castle.into()).insert().await;
    app.poi().titled("Étang").at(4.9, 47.1).published().insert().await;
    app.poi().titled("Grotte").owned_by("vercors").published().insert().await;
    app.poi().titled("Secret").owned_by("vercors").insert().await;
    let editor = app.editor_of("morvan");
    let list =
        async |query: &str| titles(&editor.get(format!("/api/v1/pois?sort=title&{query}")).await.expect(200).json());
    assert_eq!(list("").await, ["Château d’Été", "Étang", "Grotte"]);
    assert_eq!(list("search=ete%20chateau").await, ["Château d’Été"]);
    assert_eq!(list("bbox=4.8,47,5,48").await, ["Étang"]);
    assert_eq!(list(&format!("category=999999,{castle}")).await, ["Château d’Été"]);
    assert_eq!(list("owner=mine&published=true").await, ["Étang"]);
    assert_eq!(list("owner=shared").await, ["Grotte"]);
    let second = editor.get("/api/v1/pois?sort=-title&per_page=1&page=2").await.json();
    assert_eq!((titles(&second), second["total"].as_i64()), (vec!["Étang".to_owned()], Some(3)));
    for wrong in [
        "bbox=1,2,3",
        "category=x",
        "owner=theirs",
        "sort=color",
        "page=x",
        "page=0",
        "per_page=0",
        "per_page=201",
        "published=maybe",
    ] {
        let refused = editor.get(format!("/api/v1/pois?{wrong}")).await.expect(400).problem();
        assert_eq!(refused.code, "request/bad-query");
        assert_eq!(refused.params["name"], wrong.split('=').next().unwrap());
    }
}

#[app_test]
async fn a_poi_is_shown_whole_to_those_who_may_see_it(app: TestApp) {
    let picture = app.media().insert().await;
    let poi = app.poi().owned_by("vercors").showing(picture.id).insert().await;
    let path = format!("/api/v1/pois/{}", poi.id);
    assert_eq!(app.editor_of("morvan").get(&path).await.expect(404).problem().code, "poi/not-found");
    let shown = app.reader_of("vercors").get(&path).await.expect(200).json();
    assert_eq!(shown["title"], json!({ "fr": "Belvédère", "en": "Viewpoint" }));
    assert_eq!(shown["description"]["fr"], "<p>Une belle vue.</p>");
    assert_eq!(shown["location"], json!([4.1, 47.2]));
    assert_eq!(shown["media_ids"], json!([picture.id]));
    assert_eq!(shown["updated_at"], "2026-11-20T08:00:00Z");
    assert_eq!(shown["flags"]["must_see"], false);
}

#[app_test]
async fn the_guide_is_listed_searched_and_shown(app: TestApp) {
    let reader = app.reader_of("morvan");
    let guide = reader.get("/api/v1/guide").await.expect(200).json();
    assert_eq!(guide["contact"], "support@jalon.example");
    let first = &guide["pages"][0];
    assert_eq!((first["slug"].as_str(), first["title"].as_str()), (Some("se-connecter"), Some("Se connecter")));
    let page = reader.get("/api/v1/guide/se-connecter").await.expect(200).json();
    assert!(page["html"].as_str().unwrap().contains("mot de passe"), "{page}");
    let found = reader.get("/api/v1/guide?search=MOT%20passe%20oublie").await.json();
    assert!(found["pages"].as_array().unwrap().iter().any(|page| page["slug"] == "se-connecter"));
    assert!(found["pages"][0]["excerpt"].is_string());
    assert_eq!(reader.get("/api/v1/guide/nothing").await.expect(404).problem().code, "guide/not-found");
    app.anonymous().get("/guide/img/..%2F01-se-connecter.md").await.expect(404);
}

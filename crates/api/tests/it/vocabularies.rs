//! Reference lists: changed by people with the right to reference data, used by all.

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::catalogue_kit::{column, delete, faults, id, made, one, patch, version};
use crate::parcours_kit;

const THEMES: &str = "/api/v1/vocabularies/parcours_theme";
const TAGS: &str = "/api/v1/vocabularies/tag";

async fn theme(by: &Client, label: &str, parent: Option<&Value>) -> Value {
    made(by, THEMES, json!({"label": {"fr": label}, "parent_id": parent.map(id)})).await
}

#[app_test]
async fn an_item_is_made_with_a_code_of_its_own_and_found_in_its_list(app: TestApp) {
    let keeper = app.superadmin();
    let night =
        made(&keeper, TAGS, json!({"label": {"fr": "Nuit d’Été", "en": "Summer night"}, "color": "#0e7c66"})).await;
    assert_eq!((night["code"].as_str(), night["color"].as_str()), (Some("nuit-d-ete"), Some("#0E7C66")));
    let again = made(&keeper, TAGS, json!({"label": {"fr": "Nuit d’été"}})).await;
    assert_eq!(again["code"], "nuit-d-ete-2");
    assert!(again["order"].as_i64() > night["order"].as_i64(), "the newest item is the last one");
    let list = app.reader_of("morvan").get(TAGS).await.json();
    assert!(column(&list, "/code").contains(&"nuit-d-ete".to_owned()));
    let reply = keeper.get(one(TAGS, &night)).await.expect(200);
    assert_eq!(reply.header("etag"), "\"1\"");
    assert_eq!(
        app.reader_of("morvan").get(one(THEMES, &night)).await.expect(404).problem().code,
        "vocabulary/item-not-found"
    );
}

#[app_test]
async fn each_fault_of_an_item_is_reported_on_its_field(app: TestApp) {
    let keeper = app.superadmin();
    assert_eq!(faults(keeper.post(TAGS, json!({})).await), ["validation/required /label/fr"]);
    let wrong = json!({"label": {"fr": "Nuit"}, "color": "blue", "attributes": {"speed": 3}, "parent_id": 999_999});
    let faults_found = faults(keeper.post(TAGS, wrong).await);
    assert_eq!(
        faults_found,
        ["validation/color /color", "validation/unknown-reference /parent_id", "validation/wrong-type /attributes"]
    );
    assert_eq!(
        faults(keeper.post(TAGS, json!({"label": {"fr": "x"}, "colour": "x"})).await),
        ["validation/unknown-field /colour"]
    );
    let night = made(&keeper, TAGS, json!({"label": {"fr": "Nuit"}})).await;
    let taken = keeper.post(TAGS, json!({"label": {"fr": "Jour"}, "code": "nuit"})).await;
    assert_eq!(faults(taken), ["vocabulary/code-taken /code"]);
    let in_capitals = keeper.post(TAGS, json!({"label": {"fr": "Jour"}, "code": "NUIT"})).await;
    assert_eq!(faults(in_capitals), ["vocabulary/code-taken /code"]);
    assert_eq!(faults(patch(&keeper, TAGS, &night, json!({"kind": "level"})).await), ["validation/read-only /kind"]);
}

#[app_test]
async fn the_rank_of_a_level_is_positive(app: TestApp) {
    let keeper = app.superadmin();
    let levels = "/api/v1/vocabularies/level";
    let level = |rank: i64| json!({"label": {"fr": "Très facile"}, "attributes": {"scale": "general", "rank": rank}});
    for rank in [-1, 0, 101] {
        let refused = faults(keeper.post(levels, level(rank)).await);
        assert_eq!(refused, ["validation/out-of-range /attributes/rank"], "{rank}");
    }
    assert_eq!(made(&keeper, levels, level(1)).await["attributes"]["rank"], 1);
}

#[app_test]
async fn each_fault_of_a_field_of_one_list_is_reported(app: TestApp) {
    let keeper = app.superadmin();
    let of = async |kind: &str, attributes: Value| {
        let sent = json!({"label": {"fr": "Essai"}, "attributes": attributes});
        faults(keeper.post(format!("/api/v1/vocabularies/{kind}"), sent).await)
    };
    assert_eq!(
        of("practice_type", json!({"profile": "rocket", "flat_kmh": 0, "ascent_mh": 5_001, "descent_mh": -1})).await,
        [
            "validation/unknown-reference /attributes/profile",
            "validation/out-of-range /attributes/flat_kmh",
            "validation/out-of-range /attributes/ascent_mh",
            "validation/out-of-range /attributes/descent_mh",
        ]
    );
    assert_eq!(
        of("marking", json!({"colors": ["#FFFFFF", "red"], "registered": "x".repeat(201)})).await,
        ["validation/color /attributes/colors/1", "validation/too-long /attributes/registered"]
    );
    assert_eq!(of("level", json!({"scale": " ", "rank": 1})).await, ["validation/required /attributes/scale"]);
    let seven = vec!["#D32F2F"; 7];
    assert_eq!(of("marking", json!({"colors": seven})).await, ["validation/too-many /attributes/colors"]);
    assert_eq!(
        of("structure_type", json!({"registration": "x".repeat(201)})).await,
        ["validation/too-long /attributes/registration"]
    );
    let all = vec!["velo"; 201];
    assert_eq!(of("equipment", json!({"for": all})).await, ["validation/too-many /attributes/for"]);
    let trike = json!({"label": {"fr": "Essai"}, "attributes": {"profile": "touring", "flat_kmh": 12.5}});
    let practices = "/api/v1/vocabularies/practice_type";
    let trike = made(&keeper, practices, trike).await;
    assert_eq!(trike["attributes"], json!({"profile": "touring", "flat_kmh": 12.5}));
    let emptied = json!({"attributes": {"profile": null, "ascent_mh": 300}});
    let trike = patch(&keeper, practices, &trike, emptied).await.expect(200).json();
    assert_eq!(trike["attributes"], json!({"flat_kmh": 12.5, "ascent_mh": 300.0}), "each for itself");
    let gr = json!({"label": {"fr": "Marque"}, "attributes": {"colors": ["#FFFFFF"], "numbered": true}});
    let gr = made(&keeper, "/api/v1/vocabularies/marking", gr).await;
    let gr = patch(&keeper, "/api/v1/vocabularies/marking", &gr, json!({"attributes": {"colors": null}})).await;
    assert_eq!(gr.expect(200).json()["attributes"], json!({"numbered": true}));
}

#[app_test]
async fn a_pictogram_has_the_icon_of_its_item_or_of_the_one_above(app: TestApp) {
    let keeper = app.superadmin();
    let drawn = async |item: &Value| {
        let address = format!("/api/public/v1/pictograms/{}.svg", id(item));
        app.anonymous().get(address).await.expect(200).text()
    };
    let water = theme(&keeper, "Eau", None).await;
    let lake = theme(&keeper, "Lac", Some(&water)).await;
    assert!(drawn(&lake).await.contains(">L</text>"), "a letter where there is no icon");
    patch(&keeper, THEMES, &water, json!({"icon": "boat"})).await.expect(200);
    let boat = drawn(&lake).await;
    assert!(boat.contains("<path ") && !boat.contains("<text"), "{boat}");
    assert_eq!(boat, drawn(&water).await);
    patch(&keeper, THEMES, &lake, json!({"icon": "comet"})).await.expect(200);
    assert!(drawn(&lake).await.contains(">L</text>"), "an icon that is not ours");
}

#[app_test]
async fn a_parent_is_in_the_same_list_and_makes_no_cycle(app: TestApp) {
    let keeper = app.superadmin();
    let water = theme(&keeper, "Eau", None).await;
    let lake = theme(&keeper, "Lac", Some(&water)).await;
    let pond = theme(&keeper, "Étang", Some(&lake)).await;
    let circle = patch(&keeper, THEMES, &water, json!({"parent_id": id(&pond)})).await;
    assert_eq!(faults(circle), ["vocabulary/circle /parent_id"]);
    let own = patch(&keeper, THEMES, &water, json!({"parent_id": id(&water)})).await;
    assert_eq!(faults(own), ["vocabulary/circle /parent_id"]);
    let tag = made(&keeper, TAGS, json!({"label": {"fr": "Nuit"}})).await;
    let foreign = patch(&keeper, THEMES, &pond, json!({"parent_id": id(&tag)})).await;
    assert_eq!(faults(foreign), ["vocabulary/other-list /parent_id"]);
}

#[app_test]
async fn siblings_are_put_in_order(app: TestApp) {
    let keeper = app.superadmin();
    let parent = theme(&keeper, "Eau", None).await;
    let (one, two, three) = (
        theme(&keeper, "Un", Some(&parent)).await,
        theme(&keeper, "Deux", Some(&parent)).await,
        theme(&keeper, "Trois", Some(&parent)).await,
    );
    let ordered =
        keeper.put(format!("{THEMES}/order"), json!({"ids": [id(&three), id(&one)]})).await.expect(200).json();
    let under: Vec<i64> =
        ordered["items"].as_array().unwrap().iter().filter(|item| item["parent_id"] == parent["id"]).map(id).collect();
    assert_eq!(under, [id(&three), id(&one), id(&two)], "who is not named comes after");
    let mixed = keeper.put(format!("{THEMES}/order"), json!({"ids": [id(&three), id(&parent)]})).await;
    assert_eq!(faults(mixed), ["vocabulary/not-siblings /ids/1"]);
}

#[app_test]
async fn an_item_in_use_is_deleted_only_by_force_or_replaced(app: TestApp) {
    let (keeper, editor) = (app.superadmin(), app.editor_of("morvan"));
    let (old, new) = (theme(&keeper, "Ancien", None).await, theme(&keeper, "Nouveau", None).await);
    let lake = parcours_kit::made(&editor, "Lac", json!({"theme_ids": [id(&old)]})).await;
    let refused = delete(&keeper, THEMES, &old, "").await.expect(409).problem();
    assert_eq!((refused.code.as_str(), &refused.params["total"]), ("vocabulary/in-use", &json!(1)));
    assert_eq!(refused.params["uses"], json!([{"kind": "parcours", "id": id(&lake), "title": {"fr": "Lac"}}]));
    let uses = keeper.get(format!("{}/uses", one(THEMES, &old))).await.expect(200).json();
    assert_eq!(uses["total"], 1);
    let counted = keeper.get(format!("{THEMES}?with_uses=true")).await.json();
    let own = counted["items"].as_array().unwrap().iter().find(|item| item["id"] == old["id"]).unwrap().clone();
    assert_eq!(own["uses_total"], 1);
    delete(&keeper, THEMES, &old, &format!("?replace_by={}", id(&new))).await.expect(204);
    let now = parcours_kit::now(&editor, &lake).await;
    assert_eq!(now["theme_ids"], json!([id(&new)]));
    delete(&keeper, THEMES, &new, "?force=true").await.expect(204);
    assert_eq!(parcours_kit::now(&editor, &lake).await["theme_ids"], json!([]));
    keeper.get(one(THEMES, &new)).await.expect(404);
}

#[app_test]
async fn a_merge_keeps_one_item_and_moves_every_reference_to_it(app: TestApp) {
    let (keeper, editor) = (app.superadmin(), app.editor_of("morvan"));
    let (gone, stays) = (theme(&keeper, "Lacs", None).await, theme(&keeper, "Lac", None).await);
    let under = theme(&keeper, "Étang", Some(&gone)).await;
    let lake = parcours_kit::made(&editor, "Lac", json!({"theme_ids": [id(&gone), id(&stays)]})).await;
    let path = format!("{}/merge", one(THEMES, &gone));
    let itself = keeper.clone().at_version(1).post(&path, json!({"into_id": id(&gone)})).await.expect(422).problem();
    assert_eq!(itself.code, "record/cannot-merge");
    keeper.clone().at_version(1).post(&path, json!({"into_id": id(&stays)})).await.expect(200);
    assert_eq!(parcours_kit::now(&editor, &lake).await["theme_ids"], json!([id(&stays)]), "twice the same is once");
    let child = keeper.get(one(THEMES, &under)).await.json();
    assert_eq!(child["parent_id"], stays["id"]);
    keeper.get(one(THEMES, &gone)).await.expect(404);
}

#[app_test]
async fn equipment_and_scales_name_the_practice_that_a_merge_leaves(app: TestApp) {
    const PRACTICES: &str = "/api/v1/vocabularies/practice_type";
    const EQUIPMENT: &str = "/api/v1/vocabularies/equipment";
    const LEVELS: &str = "/api/v1/vocabularies/level";
    let keeper = app.superadmin();
    let practice = async |label: &str| made(&keeper, PRACTICES, json!({"label": {"fr": label}})).await;
    let (gone, stays) = (practice("Draisine").await, practice("Vélorail").await);
    let for_both = json!({"for": ["draisine", "velorail", "velo"]});
    let gloves = made(&keeper, EQUIPMENT, json!({"label": {"fr": "Gants de rail"}, "attributes": for_both})).await;
    let others = json!({"for": ["velo"], "required": true});
    let lamp = made(&keeper, EQUIPMENT, json!({"label": {"fr": "Lampe de rail"}, "attributes": others})).await;
    let scale = json!({"scale": "rail", "rank": 1, "default_for": ["draisine"]});
    let flat = made(&keeper, LEVELS, json!({"label": {"fr": "Plat"}, "attributes": scale})).await;
    let path = format!("{}/merge", one(PRACTICES, &gone));
    keeper.clone().at_version(1).post(&path, json!({"into_id": id(&stays)})).await.expect(200);
    let now = async |list: &str, item: &Value| keeper.get(one(list, item)).await.expect(200).json();
    assert_eq!(now(EQUIPMENT, &gloves).await["attributes"]["for"], json!(["velorail", "velo"]));
    assert_eq!(now(LEVELS, &flat).await["attributes"]["default_for"], json!(["velorail"]));
    assert_eq!(version(&now(EQUIPMENT, &lamp).await), 1, "what did not name it is left alone");
    let history = keeper.get(format!("{}/revisions", one(LEVELS, &flat))).await.expect(200).json();
    assert_eq!(history["items"][0]["reason"], "merge");
}

#[app_test]
async fn items_of_one_name_that_are_made_at_once_have_a_code_each(app: TestApp) {
    let keeper = app.superadmin();
    let tag = async || keeper.post(TAGS, json!({"label": {"fr": "Crépuscule"}})).await.expect(201).json();
    let (first, second, third, fourth) = tokio::join!(tag(), tag(), tag(), tag());
    let mut codes = [&first, &second, &third, &fourth].map(|made| made["code"].as_str().unwrap_or_default());
    codes.sort_unstable();
    assert_eq!(codes, ["crepuscule", "crepuscule-2", "crepuscule-3", "crepuscule-4"]);
}

#[app_test]
async fn an_item_deleted_while_it_is_being_referred_to_is_not_referred_to_afterwards(app: TestApp) {
    let (keeper, editor) = (app.superadmin(), app.editor_of("morvan"));
    for round in 0..6 {
        let lakes = theme(&keeper, &format!("Lacs {round}"), None).await;
        let lake = parcours_kit::made(&editor, "Lac", json!({})).await;
        let uses = json!({"theme_ids": [id(&lakes)]});
        let (deleted, used) =
            tokio::join!(delete(&keeper, THEMES, &lakes, ""), parcours_kit::patched(&editor, &lake, uses));
        let now = parcours_kit::now(&editor, &lake).await;
        match (deleted.status.as_u16(), used.status.as_u16()) {
            (204, 422) => assert_eq!(now["theme_ids"], json!([])),
            (409, 200) => assert_eq!(now["theme_ids"], json!([id(&lakes)])),
            both => panic!("round {round}: {both:?}"),
        }
    }
}

#[app_test]
async fn many_items_are_deleted_at_once_and_restored(app: TestApp) {
    let keeper = app.superadmin();
    let (one_tag, other) = (
        made(&keeper, TAGS, json!({"label": {"fr": "Un"}})).await,
        made(&keeper, TAGS, json!({"label": {"fr": "Deux"}})).await,
    );
    let used = parcours_kit::made(&app.editor_of("morvan"), "Lac", json!({"tag_ids": [id(&other)]})).await;
    assert!(id(&used) > 0);
    let asked = |dry_run: bool| json!({"ids": [id(&one_tag), id(&other)], "action": "delete", "dry_run": dry_run});
    let answer = keeper.post(format!("{TAGS}/bulk"), asked(true)).await.expect(200).json();
    assert_eq!(
        (answer["applied"].as_i64(), answer["refused"].as_i64(), &answer["undo_token"]),
        (Some(1), Some(1), &Value::Null)
    );
    let done = keeper.post(format!("{TAGS}/bulk"), asked(false)).await.expect(200).json();
    assert_eq!(done["items"][1]["code"], "vocabulary/in-use");
    keeper.get(one(TAGS, &one_tag)).await.expect(404);
    let undone =
        keeper.post(format!("{TAGS}/bulk/undo"), json!({"undo_token": done["undo_token"]})).await.expect(200).json();
    assert_eq!(undone["applied"], 1);
    let back = keeper.get(one(TAGS, &one_tag)).await.expect(200).json();
    assert_eq!((back["code"].as_str(), version(&back)), (Some("un"), 2));
}

#[app_test]
async fn an_earlier_version_of_an_item_can_be_restored(app: TestApp) {
    let keeper = app.superadmin();
    let first = made(&keeper, TAGS, json!({"label": {"fr": "Nuit", "en": "Night"}})).await;
    let second = patch(&keeper, TAGS, &first, json!({"label": {"fr": "Soir", "en": "Evening"}, "icon": "moon"}))
        .await
        .expect(200)
        .json();
    let stale = patch(&keeper, TAGS, &first, json!({"icon": "sun"})).await.expect(412).problem();
    assert_eq!(stale.params["base_version"], 1);
    assert_eq!(stale.current.unwrap()["label"]["fr"], "Soir");
    let history = keeper.get(format!("{}/revisions", one(TAGS, &first))).await.expect(200).json();
    assert_eq!(history["items"][0]["fields"], json!(["label", "icon"]));
    let past = keeper.get(format!("{}/revisions/1", one(TAGS, &first))).await.expect(200).json();
    assert_eq!(past["record"]["label"], json!({"fr": "Nuit", "en": "Night"}));
    let path = format!("{}/revisions/1/restoration", one(TAGS, &first));
    let back = keeper
        .clone()
        .at_version(version(&second))
        .post(&path, json!({"fields": ["label/fr"]}))
        .await
        .expect(200)
        .json();
    assert_eq!((&back["label"], back["icon"].as_str()), (&json!({"fr": "Nuit", "en": "Evening"}), Some("moon")));
    let none = keeper.get(format!("{}/revisions/9", one(TAGS, &first))).await.expect(404).problem();
    assert_eq!(none.code, "record/revision-not-found");
}

//! One action on many parcours: dry run, action, undo.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::time::Duration;

use domain::{ParcoursId, Role, Text};
use macros::app_test;
use serde_json::{Value, json};
use store::parcours::Change;
use store::server::run_sql;
use testkit::TestApp;

use crate::catalogue_kit::moved_to_vercors;
use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, published, shared};

const BULK: &str = "/api/v1/parcours/bulk";

fn outcomes(reply: &Value) -> Vec<(String, String)> {
    let items = reply["items"].as_array().expect("items");
    items
        .iter()
        .map(|item| {
            (item["outcome"].as_str().unwrap().to_owned(), item["code"].as_str().unwrap_or_default().to_owned())
        })
        .collect()
}

fn pairs(told: &[(&str, &str)]) -> Vec<(String, String)> {
    told.iter().map(|(outcome, code)| ((*outcome).to_owned(), (*code).to_owned())).collect()
}

#[app_test]
async fn a_dry_run_lists_each_outcome_and_changes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let draft = made(&editor, "Brouillon", json!({})).await;
    let out = made(&editor, "Publié", json!({})).await;
    let out = published(&editor, &out).await;
    let nameless = editor.post("/api/v1/parcours", json!({"title": {"en": "Lake"}})).await.expect(201).json();
    let theirs = shared(&app.editor_of("vercors"), "Le leur").await;
    let hidden = made(&app.editor_of("vercors"), "Caché", json!({})).await;
    let ids = json!([draft["id"], out["id"], nameless["id"], theirs["id"], hidden["id"], 999_999]);
    let answer = editor.post(BULK, json!({"ids": ids, "action": "publish", "dry_run": true})).await.expect(200).json();
    assert_eq!(
        outcomes(&answer),
        pairs(&[
            ("applied", ""),
            ("unchanged", ""),
            ("refused", "parcours/title-required-to-publish"),
            ("refused", "parcours/not-yours")
        ])
    );
    assert_eq!((&answer["applied"], &answer["unchanged"], &answer["refused"]), (&json!(1), &json!(1), &json!(2)));
    assert_eq!(answer["undo_token"], Value::Null);
    assert_eq!(now(&editor, &draft).await, draft);
}

#[app_test]
async fn an_action_keeps_what_is_saved_while_it_runs(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (one, two) = (made(&editor, "Un", json!({})).await, made(&editor, "Deux", json!({})).await);
    let languages = ["fr".to_owned(), "en".to_owned()];
    let change = Change { by: None, at: app.app().now(), reason: None, languages: &languages };
    let tx = app.store().begin().await.unwrap();
    let before = store::parcours::lock(&tx, ParcoursId(two["id"].as_i64().unwrap())).await.unwrap().unwrap();
    let mut after = before.clone();
    after.sheet.title = Text::in_french("Deux lacs");
    store::parcours::save(&tx, &before, after, None, change).await.unwrap();
    let asked = json!({"ids": [two["id"], one["id"]], "action": "publish", "dry_run": false});
    let (done, committed) = tokio::join!(editor.post(BULK, asked), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        tx.commit().await
    });
    committed.unwrap();
    assert_eq!(done.expect(200).json()["applied"], 2);
    let now = now(&editor, &two).await;
    assert_eq!((&now["title"]["fr"], &now["published"]), (&json!("Deux lacs"), &json!(true)));
}

#[app_test]
async fn an_action_is_done_and_undone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let one = made(&editor, "Un", json!({})).await;
    let two = made(&editor, "Deux", json!({})).await;
    let done = editor
        .post(BULK, json!({"filter": {"search": ""}, "action": "publish", "dry_run": false}))
        .await
        .expect(200)
        .json();
    assert_eq!(done["applied"], 2);
    assert_eq!(now(&editor, &one).await["published"], true);
    let history = editor.get(format!("/api/v1/parcours/{}/revisions", one["id"])).await.expect(200).json();
    assert_eq!(
        (&history["items"][0]["reason"], &history["items"][0]["fields"]),
        (&json!("bulk"), &json!(["published"]))
    );
    // An editor changes one of them since.
    let two_now = now(&editor, &two).await;
    patch(&editor, &two_now, json!({"is_loop": true})).await;
    let undo = json!({"undo_token": done["undo_token"]});
    let undone = editor.post(format!("{BULK}/undo"), &undo).await.expect(200).json();
    assert_eq!(outcomes(&undone), pairs(&[("applied", ""), ("refused", "parcours/changed-since")]));
    assert_eq!(now(&editor, &one).await["published"], false);
    assert_eq!(now(&editor, &two).await["published"], true);
    assert_eq!(
        editor.post(format!("{BULK}/undo"), &undo).await.expect(404).problem().code,
        "parcours/undo-expired",
        "once only"
    );
}

#[app_test]
async fn an_action_is_undone_only_by_its_author_within_ten_minutes(app: TestApp) {
    let editor = app.editor_of("morvan");
    let one = made(&editor, "Un", json!({})).await;
    let act = json!({"ids": [one["id"]], "action": "bike_carriage", "value": "yes"});
    let done = editor.post(BULK, &act).await.expect(200).json();
    let undo = json!({"undo_token": done["undo_token"]});
    assert_eq!(
        app.admin_of("morvan").post(format!("{BULK}/undo"), &undo).await.expect(404).problem().code,
        "parcours/undo-expired"
    );
    app.clock().advance_s(601);
    assert_eq!(editor.post(format!("{BULK}/undo"), &undo).await.expect(404).problem().code, "parcours/undo-expired");
    assert_eq!(now(&editor, &one).await["bike_carriage"], "yes");
}

#[app_test]
async fn an_undo_leaves_out_parcours_that_the_person_no_longer_sees(app: TestApp) {
    let (editor, admin) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let draft = made(&editor, "Un", json!({})).await;
    let public = shared(&editor, "Deux").await;
    let ids = json!([draft["id"], public["id"]]);
    let asked = json!({"ids": ids, "action": "bike_carriage", "value": "yes"});
    let done = editor.post(BULK, asked).await.expect(200).json();
    assert_eq!(done["applied"], 2);
    moved_to_vercors(&app, Role::Editor).await;
    patch(&admin, &now(&admin, &draft).await, json!({"title": {"fr": "Le tour secret"}})).await;
    let undo = json!({"undo_token": done["undo_token"]});
    let undone = editor.post(format!("{BULK}/undo"), &undo).await.expect(200).json();
    assert_eq!(outcomes(&undone), pairs(&[("refused", "parcours/changed-since")]));
    assert_eq!(undone["items"][0]["title"]["fr"], "Deux");
}

#[app_test]
async fn an_action_of_a_server_of_the_version_before_is_undone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let one = made(&editor, "Un", json!({})).await;
    let done = editor.post(BULK, json!({"ids": [one["id"]], "action": "publish"})).await.expect(200).json();
    // Where servers of tables 70 keep it.
    let tx = app.store().begin().await.unwrap();
    let moved =
        "INSERT INTO parcours_bulk (token, user_id, at, items) SELECT token, user_id, at, items FROM record_bulk";
    run_sql(&tx, moved).await.unwrap();
    run_sql(&tx, "DELETE FROM record_bulk").await.unwrap();
    tx.commit().await.unwrap();
    let undo = json!({"undo_token": done["undo_token"]});
    let undone = editor.post(format!("{BULK}/undo"), &undo).await.expect(200).json();
    assert_eq!(outcomes(&undone), pairs(&[("applied", "")]));
    assert_eq!(now(&editor, &one).await["published"], false);
    assert_eq!(editor.post(format!("{BULK}/undo"), &undo).await.expect(404).problem().code, "parcours/undo-expired");
}

#[app_test]
async fn an_action_on_parcours_is_not_undone_as_one_on_pois(app: TestApp) {
    let editor = app.editor_of("morvan");
    let one = made(&editor, "Un", json!({})).await;
    let done = editor.post(BULK, json!({"ids": [one["id"]], "action": "publish"})).await.expect(200).json();
    let undo = json!({"undo_token": done["undo_token"]});
    let refused = editor.post("/api/v1/pois/bulk/undo", &undo).await.expect(404).problem();
    assert_eq!(refused.code, "record/undo-expired");
    editor.post(format!("{BULK}/undo"), &undo).await.expect(200);
    assert_eq!(now(&editor, &one).await["published"], false);
}

#[app_test]
async fn each_action_changes_its_field(app: TestApp) {
    let agency = app.agency_of("morvan");
    let one = made(&agency, "Un", json!({"description": {"fr": "Décrit."}})).await;
    imported(&agency, &one, "a.gpx", gpx(&eastward())).await.expect(200);
    let ids = json!([one["id"]]);
    for (action, value, field, expected) in [
        ("distribute_own", Value::Null, "/distribute_own", json!(true)),
        ("undistribute_own", Value::Null, "/distribute_own", json!(false)),
        ("bike_carriage", json!("no"), "/bike_carriage", json!("no")),
        ("bike_carriage", json!("yes"), "/bike_carriage", json!("yes")),
        ("bike_carriage", json!("inherit"), "/bike_carriage", json!("inherit")),
        ("bookable", json!("yes"), "/bookable", json!("yes")),
        ("bookable", json!("no"), "/bookable", json!("no")),
        ("bookable", json!("inherit"), "/bookable", json!("inherit")),
        ("publish", Value::Null, "/published", json!(true)),
        ("unpublish", Value::Null, "/published", json!(false)),
    ] {
        let done = agency.post(BULK, json!({"ids": ids, "action": action, "value": value})).await.expect(200).json();
        assert_eq!(done["applied"], 1, "{action}");
        assert_eq!(now(&agency, &one).await.pointer(field), Some(&expected), "{action}");
        let again = agency.post(BULK, json!({"ids": ids, "action": action, "value": value})).await.expect(200).json();
        assert_eq!((&again["unchanged"], &again["undo_token"]), (&json!(1), &Value::Null), "{action}");
    }
}

#[app_test]
async fn a_forbidden_action_is_refused(app: TestApp) {
    let editor = app.editor_of("morvan");
    let one = made(&editor, "Un", json!({})).await;
    let ids = json!([one["id"]]);
    let answer = editor.post(BULK, json!({"ids": ids, "action": "distribute_own"})).await.expect(200).json();
    assert_eq!(outcomes(&answer), pairs(&[("refused", "parcours/description-required")]));
    let answer = editor.post(BULK, json!({"ids": ids, "action": "use_source"})).await.expect(200).json();
    assert_eq!(outcomes(&answer), pairs(&[("refused", "parcours/no-trace")]));
    assert_eq!(
        editor.post(BULK, json!({"ids": ids, "action": "bookable", "value": "yes"})).await.expect(403).problem().code,
        "parcours/agency-only"
    );
    assert_eq!(
        editor.post(BULK, json!({"ids": ids, "action": "bike_carriage"})).await.expect(422).problem().errors[0].field,
        "/value"
    );
    assert_eq!(editor.post(BULK, json!({"action": "publish"})).await.expect(422).problem().errors[0].field, "/ids");
    assert_eq!(
        app.reader_of("morvan").post(BULK, json!({"ids": ids, "action": "publish"})).await.expect(403).problem().code,
        "auth/forbidden"
    );
    let by_filter = async |filter: Value| {
        editor.post(BULK, json!({"filter": filter, "action": "publish"})).await.expect(422).problem()
    };
    for (filter, field) in [
        (json!({"published": "maybe"}), "/filter/published"),
        (json!({"bbox": "3,2,1,4"}), "/filter/bbox"),
        (json!({"custom": "sol"}), "/filter/custom"),
        (json!({"stale": "xx"}), "/filter/stale"),
    ] {
        let refused = by_filter(filter).await;
        assert_eq!(
            (refused.errors[0].code.as_str(), refused.errors[0].field.as_str()),
            ("validation/bad-filter", field)
        );
    }
    // A filter that is not known would leave the whole list.
    for name in ["serch", "per_page", "page"] {
        let refused = by_filter(json!({ name: "201" })).await;
        let expected = format!("/filter/{name}");
        assert_eq!((refused.code.as_str(), refused.field), ("request/bad-field", Some(expected)));
    }
    let many: Vec<i64> = (1..=2_001).collect();
    assert_eq!(
        editor.post(BULK, json!({"ids": many, "action": "publish"})).await.expect(422).problem().code,
        "parcours/bulk-too-many"
    );
}

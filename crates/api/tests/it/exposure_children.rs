//! Children of another tenant are on a parent's page once its owner accepted them. Each test is an attack first.

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::feeds::{
    api_client, changed, changes_from_now, distributed_parcours, distributed_parcours_of, id, unzipped,
};
use crate::parcours_kit::{made, now, patch, path, published, version};

/// A published child of the Vercors under a parcours of the Morvan.
async fn their_child_of(app: &TestApp, parent: &Value, title: &str, relation: &str) -> Value {
    let child = distributed_parcours_of(app, "vercors", title).await;
    patch(&app.editor_of("vercors"), &child, json!({"relation": relation, "parent_id": parent["id"]})).await
}

/// Adds a parcours of others to the Morvan, whose key then opens it.
async fn add(app: &TestApp, child: &Value) {
    let own = app.white_label("morvan").await;
    let link = format!("{}/white-labels/{own}", path(child));
    app.editor_of("morvan").put(link, json!({"published": true})).await.expect(204);
}

/// A published child of the Vercors under a parcours of the Morvan, which the Morvan added.
async fn child_of(app: &TestApp, parent: &Value, title: &str, relation: &str) -> Value {
    let child = their_child_of(app, parent, title, relation).await;
    add(app, &child).await;
    child
}

async fn decide(by: &Client, parent: &Value, child: &Value, accepted: bool) -> testkit::Reply {
    by.put(format!("{}/children/{}", path(parent), child["id"]), json!({"accepted": accepted})).await
}

/// Whether a child is on the page, in the feeds and in the pack of its parent.
async fn is_shown(app: &TestApp, parent: &Value, child: &Value) -> [bool; 4] {
    let number = id(child);
    let page = app.anonymous().get(format!("/p/le-grand-tour-{}", parent["id"])).await.expect(200).text();
    let reader = api_client(app, "morvan").await;
    let whole = reader.get(format!("/api/public/v1/parcours/{}", parent["id"])).await.expect(200).json();
    let trek = reader.get(format!("/api/v2/trek/{}/", parent["id"])).await.expect(200).json();
    let pack = reader.get(format!("/api/public/v1/parcours/{}/pack.zip", parent["id"])).await.expect(200);
    let pack: Value = serde_json::from_slice(&unzipped(&pack.bytes)["parcours.json"]).unwrap();
    let named = |ids: &Value| ids.as_array().unwrap().iter().any(|one| *one == json!(number));
    let uuids = trek["children"].as_array().unwrap().len();
    [page.contains("Variante pirate"), named(&whole["child_ids"]), uuids == 1, named(&pack["child_ids"])]
}

#[app_test]
async fn a_child_of_another_tenant_waits_until_the_owner_of_the_parent_accepts_it(app: TestApp) {
    let parent = distributed_parcours(&app, "Le grand tour").await;
    let child = child_of(&app, &parent, "Variante pirate", "child").await;
    assert_eq!(is_shown(&app, &parent, &child).await, [false; 4]);

    // The owner of the parent sees the user who asks, the owner of the child sees that it waits.
    let (ours, theirs) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let request = &now(&ours, &parent).await["child_requests"][0];
    assert_eq!(
        (&request["id"], &request["title"]["fr"], &request["decision"]),
        (&child["id"], &json!("Variante pirate"), &json!("waiting"))
    );
    assert_eq!(request["white_label"]["name"], "Vercors");
    assert_eq!(now(&theirs, &child).await["parent_decision"], "waiting");
    assert_eq!(
        (&now(&theirs, &parent).await["child_requests"], &now(&ours, &child).await["parent_decision"]),
        (&json!([]), &Value::Null)
    );
    let waiting = &ours.get("/api/v1/dashboard").await.expect(200).json()["waiting"]["children"];
    assert_eq!((&waiting["count"], &waiting["query"]), (&json!(1), &json!("owner=mine&children=waiting&progress=any")));
    let listed = ours.get(format!("/api/v1/parcours?{}", waiting["query"].as_str().unwrap())).await.expect(200).json();
    assert_eq!(listed["items"][0]["id"], parent["id"]);
    let elsewhere = theirs.get("/api/v1/parcours?children=waiting&progress=any").await.expect(200).json();
    assert_eq!((&elsewhere["items"], &elsewhere["total"]), (&json!([]), &json!(0)), "for people of the parent alone");

    // Its own people do not accept it themselves, nor does a reader.
    assert_eq!(decide(&theirs, &parent, &child, true).await.expect(403).problem().code, "parcours/not-yours");
    decide(&app.reader_of("morvan"), &parent, &child, true).await.expect(403);
    assert_eq!(is_shown(&app, &parent, &child).await, [false; 4]);

    let accepted = decide(&ours, &parent, &child, true).await.expect(200).json();
    let request = &accepted["child_requests"][0];
    assert_eq!((&request["decision"], &request["decided_at"]), (&json!("accepted"), &json!("2026-11-20T08:00:00Z")));
    assert!(request["decided_by"]["name"].as_str().unwrap().starts_with("Camille"));
    app.clock().advance_s(60);
    let again = decide(&app.admin_of("morvan"), &parent, &child, true).await.expect(200).json();
    assert_eq!(&again["child_requests"][0], request, "the same decision again changes nothing");
    assert_eq!(is_shown(&app, &parent, &child).await, [true; 4]);
    assert_eq!(now(&theirs, &child).await["parent_decision"], "accepted");
    assert_eq!(ours.get("/api/v1/dashboard").await.json()["waiting"]["children"]["count"], 0);

    decide(&ours, &parent, &child, false).await.expect(200);
    assert_eq!(is_shown(&app, &parent, &child).await, [false; 4]);
    assert_eq!(now(&theirs, &child).await["parent_decision"], "refused");
    assert_eq!(ours.get("/api/v1/dashboard").await.json()["waiting"]["children"]["count"], 0, "a refusal is an answer");
}

#[app_test]
async fn a_stage_of_another_tenant_is_reached_under_its_parent_once_it_is_accepted(app: TestApp) {
    let parent = distributed_parcours(&app, "Le grand tour").await;
    let child = child_of(&app, &parent, "Variante pirate", "child_only").await;
    let ours = app.editor_of("morvan");
    let reader = api_client(&app, "morvan").await;
    let stage = format!("/api/public/v1/parcours/{}", child["id"]);
    reader.get(&stage).await.expect(404);
    decide(&ours, &parent, &child, true).await.expect(200);
    assert_eq!(reader.get(&stage).await.expect(200).json()["parent_id"], parent["id"]);
    let tours = reader.get("/api/v2/tour/?fields=id").await.expect(200).json();
    assert_eq!(tours["results"][0]["id"], parent["id"]);
    decide(&ours, &parent, &child, false).await.expect(200);
    reader.get(&stage).await.expect(404);
    assert_eq!(reader.get("/api/v2/tour/?fields=id").await.expect(200).json()["results"], json!([]));
}

#[app_test]
async fn an_accepted_child_that_the_key_does_not_open_is_named_by_no_feed(app: TestApp) {
    let parent = distributed_parcours(&app, "Le grand tour").await;
    let child = their_child_of(&app, &parent, "Variante pirate", "child").await;
    let ours = app.editor_of("morvan");
    decide(&ours, &parent, &child, true).await.expect(200);
    assert_eq!(is_shown(&app, &parent, &child).await, [true, false, false, false], "the Morvan has not added it");
    let reader = api_client(&app, "morvan").await;
    reader.get(format!("/api/public/v1/parcours/{}", child["id"])).await.expect(404);
    let stage = distributed_parcours(&app, "Étape").await;
    let stage = patch(&ours, &stage, json!({"relation": "child", "parent_id": parent["id"]})).await;
    let next = async || {
        let trek = reader.get(format!("/api/v2/trek/{}/?fields=next", stage["id"])).await.expect(200).json();
        trek["next"][parent["id"].to_string()].clone()
    };
    assert_eq!(next().await, Value::Null);
    add(&app, &child).await;
    assert_eq!(next().await, child["id"]);
    let whole = reader.get(format!("/api/public/v1/parcours/{}", parent["id"])).await.expect(200).json();
    assert_eq!(whole["child_ids"], json!([stage["id"], child["id"]]));
}

#[app_test]
async fn the_family_of_an_accepted_child_that_is_added_or_taken_away_is_among_the_changes(app: TestApp) {
    let ours = app.editor_of("morvan");
    let parent = distributed_parcours(&app, "Le grand tour").await;
    let stage = distributed_parcours(&app, "Étape").await;
    patch(&ours, &stage, json!({"relation": "child", "parent_id": parent["id"]})).await;
    let child = their_child_of(&app, &parent, "Variante pirate", "child").await;
    decide(&ours, &parent, &child, true).await.expect(200);
    let reader = api_client(&app, "morvan").await;
    let asked = changes_from_now(&app, &reader).await;
    add(&app, &child).await;
    let family = vec![id(&parent), id(&stage), id(&child)];
    assert_eq!(changed(&reader, asked).await, (family, json!([])));
    let asked = changes_from_now(&app, &reader).await;
    let own = app.white_label("morvan").await;
    ours.delete(format!("{}/white-labels/{own}", path(&child))).await.expect(204);
    assert_eq!(changed(&reader, asked).await, (vec![id(&parent), id(&stage)], json!([id(&child)])));
}

#[app_test]
async fn a_child_of_the_same_white_label_needs_no_acceptance_and_other_decisions_are_not_found(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parent = distributed_parcours(&app, "Le grand tour").await;
    let own = distributed_parcours(&app, "Variante pirate").await;
    let own = patch(&editor, &own, json!({"relation": "child", "parent_id": parent["id"]})).await;
    assert_eq!(is_shown(&app, &parent, &own).await, [true; 4]);
    let shown = now(&editor, &parent).await;
    assert_eq!((&shown["child_requests"], &now(&editor, &own).await["parent_decision"]), (&json!([]), &Value::Null));
    // There is nothing to decide of one's own child, of a draft, or of a parcours that is no child at all.
    decide(&editor, &parent, &own, false).await.expect(404);
    let theirs = app.editor_of("vercors");
    let draft = made(&theirs, "Brouillon", json!({"relation": "child", "parent_id": parent["id"]})).await;
    assert_eq!(now(&editor, &parent).await["child_requests"], json!([]), "a draft of others is not named");
    decide(&editor, &parent, &draft, true).await.expect(404);
    let other = published(&theirs, &made(&theirs, "Seul", json!({})).await).await;
    decide(&editor, &parent, &other, true).await.expect(404);
}

#[app_test]
async fn a_child_that_left_its_parent_or_was_deleted_must_be_accepted_again(app: TestApp) {
    let parent = distributed_parcours(&app, "Le grand tour").await;
    let child = child_of(&app, &parent, "Variante pirate", "child").await;
    let (ours, theirs) = (app.editor_of("morvan"), app.editor_of("vercors"));
    decide(&ours, &parent, &child, true).await.expect(200);
    let child = patch(&theirs, &now(&theirs, &child).await, json!({"relation": "none", "parent_id": null})).await;
    assert_eq!(is_shown(&app, &parent, &child).await, [false; 4]);
    let child = patch(&theirs, &child, json!({"relation": "child", "parent_id": parent["id"]})).await;
    assert_eq!(is_shown(&app, &parent, &child).await, [true; 4], "the former acceptance still applies");
    theirs.clone().at_version(version(&child)).delete(format!("{}?force=true", path(&child))).await.expect(204);
    let bin = theirs.get("/api/v1/bin?kind=parcours").await.expect(200).json();
    theirs.post(format!("/api/v1/bin/{}/restoration", bin["items"][0]["id"]), json!({})).await.expect(200);
    assert_eq!(is_shown(&app, &parent, &child).await, [false; 4], "back from the bin it waits");
    assert_eq!(now(&ours, &parent).await["child_requests"][0]["decision"], "waiting");
}

//! Trees of parcours and of reference lists: no record is above itself, whatever is saved at once, replaced or restored.

use domain::ParcoursId;
use domain::parcours::Relation;
use domain::record::Kind;
use macros::app_test;
use serde_json::{Value, json};
use store::parcours::Change;
use store::vocabulary::Terms;
use store::{Tx, tree};
use testkit::{Client, Reply, TestApp};
use teststore::until_waited_for;

use crate::catalogue_kit::{delete, faults, id, made, one, patch};
use crate::parcours_kit;

const THEMES: &str = "/api/v1/vocabularies/parcours_theme";

async fn theme(by: &Client, label: &str, parent: Option<&Value>) -> Value {
    made(by, THEMES, json!({"label": {"fr": label}, "parent_id": parent.map(id)})).await
}

async fn now(by: &Client, theme: &Value) -> Value {
    by.get(one(THEMES, theme)).await.expect(200).json()
}

/// The author of a save on another server.
fn elsewhere(app: &TestApp) -> Change<'static> {
    Change { by: None, at: app.app().now(), reason: None, languages: &[] }
}

/// The answer to a request that waits for a transaction of another server.
async fn answered_after(app: &TestApp, tx: Tx, asked: impl Future<Output = Reply>) -> Reply {
    let (reply, ()) = tokio::join!(asked, async {
        until_waited_for(app.store(), &tx).await;
        tx.commit().await.unwrap();
    });
    reply
}

#[app_test]
async fn two_parcours_that_are_put_under_each_other_at_once_make_no_circle(app: TestApp) {
    let editor = app.editor_of("morvan");
    for is_parent in [true, false] {
        let first = parcours_kit::made(&editor, "Un", json!({})).await;
        let second = parcours_kit::made(&editor, "Deux", json!({})).await;
        let tx = app.store().begin().await.unwrap();
        tree::lock(&tx, Kind::Parcours, |_| true).await.unwrap();
        let before = store::parcours::lock(&tx, ParcoursId(id(&second))).await.unwrap().unwrap();
        let mut after = before.clone();
        let sent = if is_parent {
            (after.sheet.parent_id, after.sheet.relation) = (Some(id(&first)), Relation::Child);
            json!({"relation": "child", "parent_id": id(&second)})
        } else {
            after.sheet.model_id = Some(id(&first));
            json!({"model_id": id(&second)})
        };
        store::parcours::save(&tx, &before, after, None, elsewhere(&app)).await.unwrap();
        let refused = answered_after(&app, tx, parcours_kit::patched(&editor, &first, sent)).await;
        assert_eq!(refused.expect(422).problem().errors[0].code, "parcours/relation-circle", "{is_parent}");
    }
}

#[app_test]
async fn two_items_that_are_put_under_each_other_at_once_make_no_circle(app: TestApp) {
    let keeper = app.superadmin();
    let (lake, pond) = (theme(&keeper, "Lac", None).await, theme(&keeper, "Étang", None).await);
    let tx = app.store().begin().await.unwrap();
    tree::lock(&tx, Kind::Vocabulary, |_| true).await.unwrap();
    let before = store::record::lock::<Terms>(&tx, id(&pond)).await.unwrap().unwrap();
    let mut after = before.clone();
    after.sheet.parent_id = Some(id(&lake));
    store::record::save::<Terms>(&tx, &before, after, elsewhere(&app)).await.unwrap();
    let refused = answered_after(&app, tx, patch(&keeper, THEMES, &lake, json!({"parent_id": id(&pond)}))).await;
    assert_eq!(faults(refused), ["vocabulary/circle /parent_id"]);
}

#[app_test]
async fn an_item_that_is_replaced_by_one_under_it_leaves_no_circle(app: TestApp) {
    let keeper = app.superadmin();
    let top = theme(&keeper, "Eau", None).await;
    let gone = theme(&keeper, "Eau douce", Some(&top)).await;
    let middle = theme(&keeper, "Lac", Some(&gone)).await;
    let last = theme(&keeper, "Étang", Some(&middle)).await;
    let by_last = format!("?replace_by={}", id(&last));
    delete(&keeper, THEMES, &gone, &by_last).await.expect(204);
    assert_eq!(now(&keeper, &middle).await["parent_id"], top["id"], "not under what is under it");
    assert_eq!(now(&keeper, &last).await["parent_id"], middle["id"]);
    delete(&keeper, THEMES, &now(&keeper, &middle).await, &by_last).await.expect(204);
    assert_eq!(now(&keeper, &last).await["parent_id"], top["id"], "not under itself");
}

#[app_test]
async fn an_item_that_is_merged_into_one_under_it_leaves_no_circle(app: TestApp) {
    let keeper = app.superadmin();
    let top = theme(&keeper, "Eau", None).await;
    let gone = theme(&keeper, "Eau douce", Some(&top)).await;
    let middle = theme(&keeper, "Lac", Some(&gone)).await;
    let last = theme(&keeper, "Étang", Some(&middle)).await;
    let merge = async |gone: &Value, into: &Value| {
        let by = keeper.clone().with("if-match", "*");
        by.post(format!("{}/merge", one(THEMES, gone)), json!({"into_id": id(into)})).await.expect(200).json()
    };
    merge(&gone, &last).await;
    assert_eq!(now(&keeper, &middle).await["parent_id"], top["id"]);
    assert_eq!(merge(&middle, &last).await["parent_id"], top["id"]);
}

#[app_test]
async fn an_item_that_is_restored_where_it_was_makes_no_circle(app: TestApp) {
    let keeper = app.superadmin();
    let top = theme(&keeper, "Eau", None).await;
    let middle = theme(&keeper, "Lac", Some(&top)).await;
    let last = theme(&keeper, "Étang", Some(&middle)).await;
    delete(&keeper, THEMES, &middle, "?force=true").await.expect(204);
    patch(&keeper, THEMES, &top, json!({"parent_id": id(&last)})).await.expect(200);
    let item = id(&keeper.get("/api/v1/bin?kind=vocabulary").await.expect(200).json()["items"][0]);
    let back = keeper.post(format!("/api/v1/bin/{item}/restoration?put_back=true"), json!({})).await.expect(200).json();
    assert_eq!((&back["put_back"], &back["left"]), (&json!(0), &json!(1)));
    assert_eq!(now(&keeper, &middle).await["parent_id"], top["id"]);
    assert_eq!(now(&keeper, &last).await["parent_id"], Value::Null);
}

#[app_test]
async fn a_parcours_from_the_bin_gets_back_its_children_its_copies_and_the_white_labels_that_had_added_it(
    app: TestApp,
) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let parent = parcours_kit::shared(&editor, "Le grand tour").await;
    let child = |relation| json!({"relation": relation, "parent_id": parent["id"]});
    let first = parcours_kit::made(&editor, "Étape 1", child("child")).await;
    let hidden = parcours_kit::made(&editor, "Étape 2", child("child_only")).await;
    let copy = parcours_kit::made(&editor, "Copie", json!({"model_id": parent["id"]})).await;
    let moved = parcours_kit::made(&editor, "Étape 3", child("child")).await;
    let alone = parcours_kit::made(&editor, "Étape 4", child("child_only")).await;
    let theirs = parcours_kit::made(&other, "Variante", child("child")).await;
    let vercors = app.white_label("vercors").await;
    let link = format!("{}/white-labels/{vercors}", parcours_kit::path(&parent));
    other.put(&link, json!({"published": true})).await.expect(204);

    let version = parcours_kit::version(&parcours_kit::now(&editor, &parent).await);
    let gone = format!("{}?force=true", parcours_kit::path(&parent));
    editor.clone().at_version(version).delete(&gone).await.expect(204);
    let elsewhere = parcours_kit::made(&editor, "Autre tour", json!({})).await;
    let moved = parcours_kit::now(&editor, &moved).await;
    let moved = parcours_kit::patch(&editor, &moved, json!({"relation": "child", "parent_id": elsewhere["id"]})).await;
    let alone = parcours_kit::now(&editor, &alone).await;
    let alone = parcours_kit::patch(&editor, &alone, json!({"relation": "none"})).await;

    let item = id(&editor.get("/api/v1/bin?kind=parcours").await.expect(200).json()["items"][0]);
    let uses = editor.get(format!("/api/v1/bin/{item}/uses")).await.expect(200).json();
    assert_eq!((&uses["total"], &uses["hidden_total"]), (&json!(6), &json!(1)), "{uses}");
    let back = editor.post(format!("/api/v1/bin/{item}/restoration?put_back=true"), json!({})).await.expect(200).json();
    assert_eq!((&back["put_back"], &back["left"]), (&json!(3), &json!(3)));
    let relation = async |by: &Client, one: &Value| {
        let now = parcours_kit::now(by, one).await;
        (now["relation"].clone(), now["parent_id"].clone(), now["model_id"].clone())
    };
    let (number, none) = (parent["id"].clone(), Value::Null);
    assert_eq!(relation(&editor, &first).await, (json!("child"), number.clone(), none.clone()));
    assert_eq!(relation(&editor, &hidden).await, (json!("child_only"), number.clone(), none.clone()));
    assert_eq!(relation(&editor, &copy).await, (json!("none"), none.clone(), number.clone()));
    assert_eq!(relation(&editor, &moved).await, (json!("child"), elsewhere["id"].clone(), none.clone()));
    let stands_alone = (json!("none"), none.clone(), none.clone());
    assert_eq!(relation(&editor, &alone).await, stands_alone, "no child any more");
    assert_eq!(relation(&other, &theirs).await, (json!("none"), none.clone(), none), "of another white-label");
    let linked = parcours_kit::now(&editor, &parent).await["white_labels"].clone();
    assert_eq!(linked, json!([{"id": vercors, "name": "Vercors", "published": true}]));
}

#[app_test]
async fn a_parcours_that_is_restored_above_its_child_makes_no_circle(app: TestApp) {
    let editor = app.editor_of("morvan");
    let top = parcours_kit::made(&editor, "Tour", json!({})).await;
    let middle = parcours_kit::made(&editor, "Boucle", json!({"relation": "child", "parent_id": top["id"]})).await;
    let last = parcours_kit::made(&editor, "Étape", json!({"relation": "child", "parent_id": middle["id"]})).await;
    let gone = format!("{}?force=true", parcours_kit::path(&middle));
    editor.clone().at_version(parcours_kit::version(&middle)).delete(&gone).await.expect(204);
    let top = parcours_kit::now(&editor, &top).await;
    parcours_kit::patch(&editor, &top, json!({"relation": "child", "parent_id": last["id"]})).await;
    let item = id(&editor.get("/api/v1/bin?kind=parcours").await.expect(200).json()["items"][0]);
    let back = editor.post(format!("/api/v1/bin/{item}/restoration?put_back=true"), json!({})).await.expect(200).json();
    assert_eq!((&back["put_back"], &back["left"]), (&json!(0), &json!(1)));
    assert_eq!(parcours_kit::now(&editor, &last).await["parent_id"], Value::Null);
    assert_eq!(parcours_kit::now(&editor, &middle).await["parent_id"], top["id"]);
}

//! Uses of a record are named to people who see them, and counted for the others.

use macros::app_test;
use serde_json::{Value, json};
use testkit::TestApp;

use crate::parcours_kit::{made, now, path, shared};

#[app_test]
async fn drafts_of_others_that_use_a_poi_are_counted_and_not_named(app: TestApp) {
    let poi = app.poi().owned_by("vercors").published().insert().await;
    let (ours, theirs) = (app.editor_of("morvan"), app.editor_of("vercors"));
    made(&ours, "Le brouillon du Morvan", json!({"poi_ids": [poi.id]})).await;
    let own = made(&theirs, "Le tour du Vercors", json!({"poi_ids": [poi.id]})).await;
    let at = format!("/api/v1/pois/{}", poi.id);

    let uses = theirs.get(format!("{at}/uses")).await.expect(200);
    assert!(!uses.text().contains("brouillon"), "{}", uses.text());
    let uses = uses.json();
    assert_eq!((&uses["total"], &uses["hidden_total"]), (&json!(2), &json!(1)));
    assert_eq!(uses["items"], json!([{"kind": "parcours", "id": own["id"], "title": {"fr": "Le tour du Vercors"}}]));
    let all = app.superadmin().get(format!("{at}/uses")).await.expect(200).json();
    assert_eq!(
        (&all["total"], &all["hidden_total"], all["items"].as_array().map(Vec::len)),
        (&json!(2), &json!(0), Some(2))
    );

    // People of another owner may not delete it: they need not know of drafts that they do not see.
    let others = ours.get(format!("{at}/uses")).await.expect(200).json();
    assert_eq!((&others["total"], &others["hidden_total"]), (&json!(1), &json!(0)));
    assert_eq!(others["items"][0]["title"]["fr"], "Le brouillon du Morvan");

    let refused = theirs.clone().with("if-match", "*").delete(&at).await.expect(409);
    assert!(!refused.text().contains("brouillon"), "{}", refused.text());
    let refused = refused.problem();
    assert_eq!((&refused.params["total"], &refused.params["hidden_total"]), (&json!(2), &json!(1)));

    let impact = theirs.get(format!("/api/v1/impact?kind=poi&id={}&action=delete", poi.id)).await.expect(200);
    assert!(!impact.text().contains("brouillon"), "{}", impact.text());
    let impact = impact.json();
    // The white-label of a draft is not named either: it would say whose the draft is.
    assert_eq!(impact["total"], json!({"white_labels": 0, "parcours": 2, "hidden_parcours": 1}));
    assert_eq!(impact["parcours"].as_array().map(Vec::len), Some(1));
}

#[app_test]
async fn a_shared_parcours_names_nobody_who_works_for_its_owner(app: TestApp) {
    let (ours, theirs) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let parcours = shared(&ours, "Tour du lac").await;
    made(&ours, "Une étape cachée", json!({"relation": "child", "parent_id": parcours["id"]})).await;
    ours.post(format!("{}/shares", path(&parcours)), json!({"kind": "permanent"})).await.expect(201);
    ours.post(format!("{}/presence", path(&parcours)), json!({"editing": true})).await.expect(200);

    let seen = now(&theirs, &parcours).await;
    assert_eq!((&seen["updated_by"], &seen["children"]), (&Value::Null, &json!([])));
    assert_eq!(now(&ours, &parcours).await["updated_by"]["name"], "Camille editor");
    let others = theirs.post(format!("{}/presence", path(&parcours)), json!({})).await.expect(200).json();
    assert_eq!(others["others"], json!([]), "a reader of another tenant does not see who works on it");
    let others =
        app.admin_of("morvan").post(format!("{}/presence", path(&parcours)), json!({})).await.expect(200).json();
    assert_eq!(others["others"].as_array().map(Vec::len), Some(1), "nor does one stand among those who do");
    let uses = theirs.get(format!("{}/uses", path(&parcours))).await.expect(200).json();
    assert_eq!((&uses["items"], &uses["hidden_total"]), (&json!([]), &json!(0)), "a child and a link are the owner's");
    let own = ours.get(format!("{}/uses", path(&parcours))).await.expect(200).json();
    assert_eq!((own["items"].as_array().map(Vec::len), &own["hidden_total"]), (Some(2), &json!(0)));
    // A draft of others under it prevents its deletion: the owner's people must know of it, and no one else.
    made(&theirs, "Le brouillon du Vercors", json!({"relation": "child", "parent_id": parcours["id"]})).await;
    let own = ours.get(format!("{}/uses", path(&parcours))).await.expect(200);
    assert!(!own.text().contains("brouillon"), "{}", own.text());
    assert_eq!(own.json()["hidden_total"], 1);
    let refused = ours.clone().with("if-match", "*").delete(path(&parcours)).await.expect(409).problem();
    assert_eq!(refused.params["hidden_total"], 1);
    let uses = theirs.get(format!("{}/uses", path(&parcours))).await.expect(200).json();
    assert_eq!((uses["items"].as_array().map(Vec::len), &uses["hidden_total"]), (Some(1), &json!(0)));
}

#[app_test]
async fn the_list_of_media_counts_no_hidden_uses_for_people_of_other_owners(app: TestApp) {
    let media = app.media().named("lac.jpg").insert().await;
    let showing = || app.poi().owned_by("morvan").showing(domain::MediaId(media.id));
    showing().published().insert().await;
    showing().titled("Le brouillon").insert().await;
    for (editor, expected) in [(app.editor_of("morvan"), 2), (app.editor_of("vercors"), 1), (app.superadmin(), 2)] {
        let listed = editor.get("/api/v1/medias?search=lac&owner=all").await.expect(200).json();
        assert_eq!(listed["items"][0]["uses_total"], expected);
        let shown = editor.get(format!("/api/v1/medias/{}", media.id)).await.expect(200).json();
        assert_eq!(shown["uses_total"], expected);
    }
}

#[app_test]
async fn a_roadbook_never_prints_the_drafts_and_contacts_of_others(app: TestApp) {
    let theirs = app.poi().owned_by("vercors").titled("La source secrète").at(4.005, 47.0).insert().await;
    let shown = store::poi::shown_by(app.store().read(), app.white_label("morvan").await, &[theirs.id]).await.unwrap();
    assert!(shown.is_empty());
    let own = app.poi().at(4.005, 47.0).insert().await;
    let structure_mate = app.poi().owned_by("morvan-velo").at(4.005, 47.0).insert().await;
    let public = app.poi().owned_by("vercors").at(4.005, 47.0).published().insert().await;
    let ids = [theirs.id, own.id, structure_mate.id, public.id];
    let shown = store::poi::shown_by(app.store().read(), app.white_label("morvan").await, &ids).await.unwrap();
    let mut shown: Vec<i64> = shown.into_iter().collect();
    shown.sort_unstable();
    assert_eq!(shown, [own.id, structure_mate.id, public.id]);

    let contact = json!({"last_name": "Faure", "email": "faure@vercors.example"});
    let contact = app.admin_of("vercors").post("/api/v1/contacts", contact).await.expect(201).json();
    let contact = contact["id"].as_i64().unwrap();
    for (white_label, is_shown) in [("morvan", false), ("vercors", true)] {
        let white_label = app.white_label(white_label).await;
        let found = store::contact::shown_by(app.store().read(), white_label, contact).await.unwrap();
        assert_eq!(found.is_some(), is_shown);
    }
}

#[app_test]
async fn a_child_says_under_which_parent_it_is_shown_before_it_is_deleted(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parent = made(&editor, "Le grand tour", json!({})).await;
    let child = made(&editor, "La boucle courte", json!({"relation": "child", "parent_id": parent["id"]})).await;
    let uses = editor.get(format!("{}/uses", path(&child))).await.expect(200).json();
    assert_eq!((&uses["items"], &uses["hidden_total"]), (&json!([]), &json!(0)), "its deletion needs no force");
    assert_eq!(uses["shown_under"], json!({"kind": "parent", "id": parent["id"], "title": {"fr": "Le grand tour"}}));
    let alone = editor.get(format!("{}/uses", path(&parent))).await.expect(200).json();
    assert_eq!(alone["shown_under"], Value::Null);
}

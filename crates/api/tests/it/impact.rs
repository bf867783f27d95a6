//! What an action would affect, before it is done.

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::catalogue_kit;
use crate::parcours_kit::{made, now, patch, path, published, shared};

async fn impact_of(by: &Client, kind: &str, id: &Value, action: &str) -> Value {
    by.get(format!("/api/v1/impact?kind={kind}&id={id}&action={action}")).await.expect(200).json()
}

fn names(impact: &Value) -> Vec<&str> {
    impact["white_labels"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

fn parcours(impact: &Value) -> Vec<&Value> {
    impact["parcours"].as_array().unwrap().iter().map(|one| &one["id"]).collect()
}

async fn link(by: &Client, parcours: &Value, kind: Value) -> Value {
    by.post(format!("{}/shares", path(parcours)), kind).await.expect(201).json()
}

/// A white-label adds content of another.
async fn add_content(app: &TestApp, slug: &str, content: String, published: bool) {
    let label = app.white_label(slug).await;
    let reply = app.superadmin().put(format!("{content}/white-labels/{label}"), json!({"published": published})).await;
    assert!(reply.status.is_success(), "{}", reply.text());
}

#[app_test]
async fn the_impact_of_an_unused_draft_is_empty(app: TestApp) {
    let editor = app.editor_of("morvan");
    let own = made(&editor, "Lac", json!({})).await;
    for action in ["unpublish", "delete", "change_trace"] {
        let impact = impact_of(&editor, "parcours", &own["id"], action).await;
        let nobody = json!({
            "white_labels": [], "parcours": [], "total": {"white_labels": 0, "parcours": 0, "hidden_parcours": 0},
            "shares": {"permanent": 0, "temporary": 0, "opened": 0, "qr_printed": 0},
        });
        assert_eq!(impact, nobody, "{action}");
    }
}

#[app_test]
async fn the_impact_of_a_parcours_lists_the_white_labels_that_show_it_and_its_children(app: TestApp) {
    let vercors = app.editor_of("vercors");
    let theirs = shared(&vercors, "Le Grand Veymont").await;
    add_content(&app, "morvan", path(&theirs), true).await;
    add_content(&app, "morvan-velo", path(&theirs), false).await;
    let model = patch(&vercors, &now(&vercors, &theirs).await, json!({"relation": "model_only"})).await;
    let child = made(&vercors, "Étape 1", json!({"relation": "child", "parent_id": model["id"]})).await;
    for action in ["unpublish", "change_trace"] {
        let impact = impact_of(&vercors, "parcours", &theirs["id"], action).await;
        assert_eq!(
            names(&impact),
            ["Morvan"],
            "{action}: a white-label that added it without publishing it is not listed"
        );
    }
    let gone = impact_of(&vercors, "parcours", &theirs["id"], "delete").await;
    assert_eq!(names(&gone), ["Morvan", "Morvan à vélo"]);
    assert_eq!(gone["total"], json!({"white_labels": 2, "parcours": 1, "hidden_parcours": 0}));
    assert_eq!(parcours(&gone), [&child["id"]]);
    assert_eq!(gone["parcours"][0]["title"]["fr"], "Étape 1");
    assert!(parcours(&impact_of(&vercors, "parcours", &theirs["id"], "change_trace").await).is_empty());
}

#[app_test]
async fn links_handed_out_are_counted_with_how_often_they_were_opened_and_their_codes_on_paper(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = published(&editor, &made(&editor, "Tour du lac", json!({})).await).await;
    let permanent = link(&editor, &parcours, json!({"kind": "permanent"})).await;
    let week = link(&editor, &parcours, json!({"kind": "temporary", "days": 7})).await;
    let ended = link(&editor, &parcours, json!({"kind": "temporary", "days": 1})).await;
    editor.delete(format!("{}/shares/{}", path(&parcours), ended["id"])).await.expect(204);
    for share in [&permanent, &permanent, &week] {
        app.anonymous().get(format!("/s/{}", share["token"].as_str().unwrap())).await.expect(200);
    }
    // A QR code shown on the screen does not count as downloaded.
    let qr = |share: &Value| format!("{}/shares/{}/qr", path(&parcours), share["id"]);
    editor.get(format!("{}.svg", qr(&permanent))).await.expect(200);
    assert_eq!(impact_of(&editor, "parcours", &parcours["id"], "delete").await["shares"]["qr_printed"], 0);
    editor.get(format!("{}.svg?taken=true", qr(&permanent))).await.expect(200);
    editor.get(format!("{}.png?size=300&taken=true", qr(&permanent))).await.expect(200);
    let counted = |permanent: i64, temporary: i64, opened: i64, qr_printed: i64| json!({"permanent": permanent, "temporary": temporary, "opened": opened, "qr_printed": qr_printed});
    for action in ["delete", "change_trace"] {
        assert_eq!(
            impact_of(&editor, "parcours", &parcours["id"], action).await["shares"],
            counted(1, 1, 3, 1),
            "{action}"
        );
    }
    let hidden = impact_of(&editor, "parcours", &parcours["id"], "unpublish").await;
    assert_eq!(hidden["shares"], counted(1, 0, 2, 1), "a temporary link works without publication");
    let listed = editor.get(format!("{}/shares", path(&parcours))).await.expect(200).json();
    assert_eq!((&listed["permanent"]["opened"], &listed["temporary"][0]["opened"]), (&json!(2), &json!(1)));
    assert_eq!(listed["permanent"]["qr_taken_at"], "2026-11-20T08:00:00Z");
    // Once it is unpublished its permanent link no longer works: it is not counted as lost again.
    let at = catalogue_kit::version(&now(&editor, &parcours).await);
    editor.clone().at_version(at).delete(format!("{}/publication", path(&parcours))).await.expect(200);
    assert_eq!(impact_of(&editor, "parcours", &parcours["id"], "delete").await["shares"], counted(0, 1, 1, 0));
}

#[app_test]
async fn the_impact_of_a_poi_lists_its_parcours_their_white_labels_and_their_links(app: TestApp) {
    let poi = app.poi().owned_by("vercors").published().insert().await;
    let at = format!("/api/v1/pois/{}", poi.id);
    let vercors = app.editor_of("vercors");
    vercors.clone().with("if-match", "*").patch(&at, json!({"distribute": true})).await.expect(200);
    let morvan = app.editor_of("morvan");
    // Shared: to people who do not see it, it is counted and not named.
    let shared = json!({"poi_ids": [poi.id], "description": {"fr": "<p>À voir.</p>"}, "distribute_own": true});
    let using = published(&morvan, &made(&morvan, "Tour du lac", shared).await).await;
    link(&morvan, &using, json!({"kind": "permanent"})).await;
    add_content(&app, "morvan-velo", at, true).await;
    for action in ["unpublish", "delete"] {
        let impact = impact_of(&vercors, "poi", &json!(poi.id), action).await;
        assert_eq!(names(&impact), ["Morvan", "Morvan à vélo"], "{action}");
        assert_eq!(parcours(&impact), [&using["id"]], "{action}");
        assert_eq!(impact["shares"]["permanent"], 0, "{action}: the link of a parcours of others is theirs to know");
        let all = impact_of(&app.superadmin(), "poi", &json!(poi.id), action).await;
        assert_eq!(all["shares"]["permanent"], 1, "{action}");
    }
}

/// The answers about a parcours, a POI and a white-label, for each action.
async fn impacts_of(by: &Client, subjects: &[(&str, Value)]) -> Vec<Value> {
    let mut found = Vec::new();
    for (kind, id) in subjects {
        for action in ["unpublish", "delete"] {
            found.push(impact_of(by, kind, id, action).await);
        }
    }
    found
}

#[app_test]
async fn people_of_other_white_labels_are_not_told_of_links_drafts_and_unpublished_additions(app: TestApp) {
    let (ours, theirs) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let label = app.white_label("morvan").await;
    let poi = app.poi().published().insert().await;
    let distributed = json!({"poi_ids": [poi.id], "description": {"fr": "<p>À voir.</p>"}, "distribute_own": true});
    let lake = published(&ours, &made(&ours, "Tour du lac", distributed).await).await;
    let subjects = [("parcours", lake["id"].clone()), ("poi", json!(poi.id)), ("white_label", json!(label))];
    // A person of the same structure who works in another of its white-labels.
    let root = app.superadmin();
    let reader = app.user(domain::Role::Reader, "morvan").await;
    let reader = root.get(format!("/api/v1/users/{reader}")).await.expect(200).json();
    let elsewhere = json!({"white_label_ids": [app.white_label("morvan-velo").await]});
    catalogue_kit::patch(&root, "/api/v1/users", &reader, elsewhere).await.expect(200);
    let sibling = app.reader_of("morvan");
    let before = impacts_of(&theirs, &subjects).await;
    assert_eq!((parcours(&before[2]), parcours(&before[4])), (vec![&lake["id"]], vec![&lake["id"]]), "what they see");
    let before_in_structure = impacts_of(&sibling, &subjects[2..]).await;
    let known = impacts_of(&ours, &subjects).await;

    let share = link(&ours, &lake, json!({"kind": "permanent"})).await;
    app.anonymous().get(format!("/s/{}", share["token"].as_str().unwrap())).await.expect(200);
    let stage = json!({"relation": "child", "parent_id": lake["id"], "poi_ids": [poi.id]});
    let draft = made(&ours, "Une étape cachée", stage).await;
    link(&ours, &draft, json!({"kind": "temporary", "days": 7})).await;
    // Another white-label adds them without publishing.
    add_content(&app, "morvan-velo", path(&lake), false).await;
    add_content(&app, "morvan-velo", format!("/api/v1/pois/{}", poi.id), false).await;
    for reader in [&theirs, &app.reader_of("vercors"), &app.admin_of("vercors")] {
        assert_eq!(impacts_of(reader, &subjects).await, before);
    }
    assert_eq!(impacts_of(&sibling, &subjects[2..]).await, before_in_structure, "nor in its structure");

    let told = impacts_of(&ours, &subjects).await;
    assert_ne!(told, known);
    assert_eq!((&told[1]["shares"]["permanent"], &told[1]["shares"]["opened"]), (&json!(1), &json!(1)));
    assert_eq!((names(&told[0]), names(&told[1])), (vec![], vec!["Morvan à vélo"]), "its owner knows who added it");
    assert_eq!((&told[5]["total"]["parcours"], &told[5]["shares"]["temporary"]), (&json!(2), &json!(1)));

    // A draft of others that uses the POI is counted for the owner of the POI; its white-label is not named.
    made(&theirs, "Leur brouillon", json!({"poi_ids": [poi.id]})).await;
    let told = impact_of(&ours, "poi", &json!(poi.id), "unpublish").await;
    assert_eq!((names(&told), &told["total"]["hidden_parcours"]), (vec![], &json!(1)));
    // A white-label knows what it added itself.
    add_content(&app, "vercors", path(&lake), false).await;
    assert_eq!(names(&impact_of(&theirs, "parcours", &lake["id"], "delete").await), ["Vercors"]);
}

#[app_test]
async fn every_kind_that_has_uses_has_an_impact(app: TestApp) {
    let root = app.superadmin();
    let editor = app.editor_of("morvan");
    let picture = app.media().insert().await.id;
    let line = catalogue_kit::made(&editor, "/api/v1/transport-lines", json!({"long_name": "Autun"})).await;
    let way =
        catalogue_kit::made(&root, "/api/v1/itineraries", json!({"name": {"fr": "EuroVelo 6"}, "kind": "cycle_route"}))
            .await;
    let contact = catalogue_kit::made(
        &root,
        "/api/v1/contacts",
        json!({"last_name": "Roux", "email": "roux@morvan.example", "structure_id": 1}),
    )
    .await;
    let tag = catalogue_kit::made(&root, "/api/v1/vocabularies/tag", json!({"label": {"fr": "Nuit"}})).await;
    let using = made(
        &editor,
        "Tour du lac",
        json!({
            "media_ids": [picture], "itinerary_ids": [way["id"]], "contact_id": contact["id"], "tag_ids": [tag["id"]],
        }),
    )
    .await;
    let using = patch(
        &editor,
        &using,
        json!({"steps": [{"kind": "step", "position": [4.0, 47.0], "title": {"fr": "Gare"}, "line_ids": [line["id"]]}]}),
    )
    .await;
    for (kind, id) in [
        ("media", json!(picture)),
        ("transport_line", line["id"].clone()),
        ("itinerary", way["id"].clone()),
        ("contact", contact["id"].clone()),
        ("vocabulary", tag["id"].clone()),
        ("white_label", json!(app.white_label("morvan").await)),
    ] {
        let impact = impact_of(&root, kind, &id, "delete").await;
        assert_eq!(parcours(&impact), [&using["id"]], "{kind}");
        assert_eq!(impact["total"]["parcours"], 1, "{kind}");
    }
    let structure = impact_of(&root, "structure", &json!(1), "delete").await;
    assert_eq!(names(&structure), ["Morvan", "Morvan à vélo"], "the white-labels of a structure");
    let admin = app.user(domain::Role::Admin, "morvan").await;
    assert_eq!(
        impact_of(&root, "user", &json!(admin), "delete").await["total"],
        json!({"white_labels": 0, "parcours": 0, "hidden_parcours": 0})
    );
}

#[app_test]
async fn an_impact_is_shown_to_readers_of_the_record_and_bad_parameters_are_refused(app: TestApp) {
    let editor = app.editor_of("morvan");
    let own = made(&editor, "Lac", json!({})).await;
    let ask = |query: String| format!("/api/v1/impact?{query}");
    let draft = ask(format!("kind=parcours&id={}&action=delete", own["id"]));
    assert_eq!(app.editor_of("vercors").get(&draft).await.expect(404).problem().code, "impact/not-found");
    assert_eq!(app.anonymous().get(&draft).await.status, 401);
    let person = ask("kind=user&id=1&action=delete".to_owned());
    editor.get(person).await.expect(404);
    let no_trace = editor.get(ask("kind=poi&id=1&action=change_trace".to_owned())).await.expect(400).problem();
    assert_eq!(no_trace.code, "impact/no-trace");
    for wrong in [
        "",
        "kind=poi&id=1",
        "kind=trail&id=1&action=delete",
        "kind=poi&id=x&action=delete",
        "kind=poi&id=1&action=burn",
    ] {
        assert_eq!(editor.get(ask(wrong.to_owned())).await.expect(400).problem().code, "request/bad-query", "{wrong}");
    }
}

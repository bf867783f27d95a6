//! The owner of a parcours, and the rights of others on it.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use macros::app_test;
use serde_json::{Value, json};
use testkit::TestApp;

use crate::parcours_kit::{made, now, patch, patched, path, published, shared, titles, version};

#[app_test]
async fn a_reader_cannot_write(app: TestApp) {
    let parcours = made(&app.editor_of("morvan"), "Lac", json!({})).await;
    let reader = app.reader_of("morvan");
    assert_eq!(
        reader.post("/api/v1/parcours", json!({"title": {"fr": "x"}})).await.expect(403).problem().code,
        "auth/forbidden"
    );
    assert_eq!(
        patched(&reader, &parcours, json!({"title": {"fr": "x"}})).await.expect(403).problem().code,
        "auth/forbidden"
    );
    let seen = reader.get(path(&parcours)).await.expect(200).json();
    assert_eq!((&seen["editable"], &seen["locked_reason"]), (&json!(false), &json!("role")));
}

#[app_test]
async fn an_editor_of_another_white_label_cannot_edit_a_parcours(app: TestApp) {
    let theirs = shared(&app.editor_of("vercors"), "Le Grand Veymont").await;
    let editor = app.editor_of("morvan");
    let seen = editor.get(path(&theirs)).await.expect(200).json();
    assert_eq!((&seen["mine"], &seen["locked_reason"]), (&json!(false), &json!("not_yours")));
    let reply = patched(&editor, &theirs, json!({"title": {"fr": "À moi"}})).await.expect(403);
    assert_eq!(reply.problem().code, "parcours/not-yours");
    for request in [
        editor.clone().at_version(version(&theirs)).delete(path(&theirs)).await,
        editor.clone().at_version(version(&theirs)).delete(format!("{}/publication", path(&theirs))).await,
        editor.clone().at_version(version(&theirs)).post(format!("{}/recalculation", path(&theirs)), json!({})).await,
        editor
            .clone()
            .at_version(version(&theirs))
            .post(format!("{}/revisions/1/restoration", path(&theirs)), json!({}))
            .await,
        editor.post(format!("{}/shares", path(&theirs)), json!({"kind": "permanent"})).await,
    ] {
        assert_eq!(request.expect(403).problem().code, "parcours/not-yours");
    }
    assert_eq!(now(&app.editor_of("vercors"), &theirs).await["title"]["fr"], "Le Grand Veymont");
}

#[app_test]
async fn history_and_links_of_a_shared_parcours_are_for_its_owner_only(app: TestApp) {
    let vercors = app.editor_of("vercors");
    let theirs = shared(&vercors, "Le Grand Veymont").await;
    let share =
        vercors.post(format!("{}/shares", path(&theirs)), json!({"kind": "permanent"})).await.expect(201).json();
    let editor = app.editor_of("morvan");
    for reply in [
        editor.get(format!("{}/revisions", path(&theirs))).await,
        editor.get(format!("{}/revisions/1", path(&theirs))).await,
        editor.get(format!("{}/shares/{}/qr.svg", path(&theirs), share["id"])).await,
    ] {
        assert_eq!(reply.expect(403).problem().code, "parcours/not-yours");
    }
    let shares = editor.get(format!("{}/shares", path(&theirs))).await.expect(200).json();
    assert_eq!((&shares["permanent"], &shares["temporary"]), (&Value::Null, &json!([])));
    assert!(shares["public_url"].as_str().unwrap().contains("/p/le-grand-veymont-"));
    let uses = editor.get(format!("{}/uses", path(&theirs))).await.expect(200).text();
    assert!(!uses.contains(share["token"].as_str().unwrap()));
}

#[app_test]
async fn a_parcours_that_another_white_label_does_not_share_is_not_found(app: TestApp) {
    let theirs = made(&app.editor_of("vercors"), "Brouillon", json!({})).await;
    let editor = app.editor_of("morvan");
    for reply in [
        editor.get(path(&theirs)).await,
        patched(&editor, &theirs, json!({})).await,
        editor.get(format!("{}/revisions", path(&theirs))).await,
        editor.get(format!("{}/trace.gpx", path(&theirs))).await,
        editor.get(format!("{}/shares", path(&theirs))).await,
        editor.post(format!("{}/presence", path(&theirs)), json!({})).await,
        editor.post(format!("{}/duplicate", path(&theirs)), json!({"title": "Copie"})).await,
    ] {
        assert_eq!(reply.expect(404).problem().code, "parcours/not-found");
    }
    editor.get("/api/v1/parcours/999999999").await.expect(404);
    editor.get("/api/v1/parcours/lac").await.expect(404);
}

#[app_test]
async fn a_superadmin_edits_everywhere_and_an_admin_in_their_structure(app: TestApp) {
    let theirs = made(&app.editor_of("vercors"), "Brouillon", json!({})).await;
    let theirs = patch(&app.superadmin(), &theirs, json!({"copyright": "Vercors"})).await;
    app.admin_of("morvan").get(path(&theirs)).await.expect(404);
    patch(&app.admin_of("vercors"), &theirs, json!({"copyright": "Office"})).await;
}

#[app_test]
async fn the_fields_of_an_agency_are_for_agencies(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours =
        made(&agency, "Séjour", json!({"price_cents": 45_000, "deposit_percent": 0, "bookable": "yes"})).await;
    assert_eq!((&parcours["deposit_percent"], &parcours["effective_bookable"]), (&json!(0), &json!(true)));
    let editor = app.editor_of("morvan");
    for (field, value) in [
        ("price_cents", json!(1)),
        ("deposit_percent", json!(10)),
        ("bookable", json!("no")),
        ("file_number", json!("A-1")),
        ("price_includes", json!({"fr": "Tout"})),
    ] {
        let problem = patched(&editor, &parcours, json!({field: value})).await.expect(403).problem();
        assert_eq!(
            (problem.code.as_str(), problem.field.as_deref()),
            ("parcours/agency-only", Some(format!("/{field}").as_str()))
        );
    }
    let renamed = patch(&editor, &parcours, json!({"title": {"fr": "Le séjour"}, "price_cents": 45_000})).await;
    assert_eq!(renamed["price_cents"], 45_000, "sent back as it came, it is no change");
}

#[app_test]
async fn a_copy_of_another_white_labels_parcours_has_no_prices(app: TestApp) {
    let agency = app.agency_of("vercors");
    let theirs = made(
        &agency,
        "Séjour",
        json!({"price_cents": 9_900, "description": {"fr": "Là-haut."}, "distribute_own": true,
            "booking_url": "https://reserver.example/sejour", "booking_label": {"fr": "Demander une date"}}),
    )
    .await;
    let theirs = published(&agency, &theirs).await;
    let copy = app
        .agency_of("morvan")
        .post(format!("{}/duplicate", path(&theirs)), json!({"title": "Le nôtre"}))
        .await
        .expect(201)
        .json();
    assert_eq!(
        (&copy["price_cents"], &copy["mine"], &copy["white_label"]["name"]),
        (&Value::Null, &json!(true), &json!("Morvan"))
    );
    assert_eq!((&copy["booking_url"], &copy["booking_label"]), (&Value::Null, &json!({})));
    let full =
        made(&agency, "Complet", json!({"bookable": "no", "booking_url": "https://reserver.example/complet"})).await;
    let duplicate = format!("{}/duplicate", path(&full));
    let own = app.editor_of("vercors").post(duplicate, json!({"title": "Encore"})).await.expect(201).json();
    assert_eq!((&own["bookable"], &own["booking_url"]), (&json!("no"), &json!("https://reserver.example/complet")));
}

#[app_test]
async fn content_of_others_is_added_to_ones_own_white_label(app: TestApp) {
    let theirs = shared(&app.editor_of("vercors"), "Le Grand Veymont").await;
    let editor = app.editor_of("morvan");
    let mine = app.white_label("morvan").await;
    let link = format!("{}/white-labels/{mine}", path(&theirs));
    editor.put(&link, json!({"published": true})).await.expect(204);
    let row = editor.get("/api/v1/parcours?owner=shared").await.expect(200).json()["items"][0].clone();
    assert_eq!((&row["published_on_mine"], &row["mine"]), (&json!(true), &json!(false)));
    assert_eq!(
        now(&app.editor_of("vercors"), &theirs).await["white_labels"],
        json!([{"id": mine, "name": "Morvan", "published": true}])
    );
    let theirs_wl = app.white_label("vercors").await;
    let refused = editor
        .put(format!("{}/white-labels/{theirs_wl}", path(&theirs)), json!({"published": true}))
        .await
        .expect(403)
        .problem();
    assert_eq!(refused.code, "parcours/white-label-not-yours");
    editor.delete(&link).await.expect(204);
    editor.delete(&link).await.expect(404);
    let own = made(&editor, "À nous", json!({})).await;
    let refused = editor
        .put(format!("{}/white-labels/{mine}", path(&own)), json!({"published": true}))
        .await
        .expect(409)
        .problem();
    assert_eq!(refused.code, "parcours/already-yours");
}

#[app_test]
async fn a_white_label_that_added_a_parcours_sees_it_after_sharing_ends(app: TestApp) {
    let vercors = app.editor_of("vercors");
    let theirs = shared(&vercors, "Le Grand Veymont").await;
    let morvan = app.editor_of("morvan");
    let mine = app.white_label("morvan").await;
    morvan.put(format!("{}/white-labels/{mine}", path(&theirs)), json!({"published": false})).await.expect(204);
    vercors.clone().at_version(version(&theirs)).delete(format!("{}/publication", path(&theirs))).await.expect(200);
    morvan.get(path(&theirs)).await.expect(200);
    assert_eq!(titles(&morvan, "owner=shared").await, ["Le Grand Veymont"]);
}

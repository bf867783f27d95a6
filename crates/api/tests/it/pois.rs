//! POIs: changed by their white-label, seen, added and published by others; near parcours; duplicates merged.

use domain::Role;
use macros::app_test;
use serde_json::{Value, json};
use testkit::TestApp;

use crate::catalogue_kit::{column, delete, faults, id, made, moved_to_vercors, one, patch};
use crate::parcours_kit;

const POIS: &str = "/api/v1/pois";

fn poi_body() -> Value {
    json!({"title": {"fr": "Étang du Loup"}, "location": [4.1, 47.2]})
}

#[app_test]
async fn a_poi_needs_a_name_and_a_place(app: TestApp) {
    let editor = app.editor_of("morvan");
    assert_eq!(
        faults(editor.post(POIS, json!({})).await),
        ["validation/required /title/fr", "poi/location-required /location"]
    );
    let away =
        json!({"title": {"fr": "Loin"}, "location": [200.0, 47.0], "email": "x", "booking_url": "javascript:alert(1)"});
    let faults_found = faults(editor.post(POIS, away).await);
    assert_eq!(
        faults_found,
        [
            "validation/position-outside-world /location",
            "validation/email /email",
            "validation/url-scheme /booking_url"
        ]
    );
    let poi = made(&editor, POIS, poi_body()).await;
    assert_eq!(
        faults(patch(&editor, POIS, &poi, json!({"location": null})).await),
        ["poi/location-required /location"]
    );
    assert_eq!(
        (poi["published"].as_bool(), poi["mine"].as_bool(), poi["editable"].as_bool()),
        (Some(false), Some(true), Some(true))
    );
    assert_eq!(poi["missing"], json!(["title_en", "description", "description_en", "photo", "category"]));
    assert_eq!(poi["white_label"]["name"], "Morvan");
}

#[app_test]
async fn a_description_is_required_to_be_distributed_and_cleaned_on_the_way_in(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, poi_body()).await;
    let refused = patch(&editor, POIS, &poi, json!({"distribute": true})).await;
    assert_eq!(faults(refused), ["poi/description-required /description/fr"]);
    let html = "<p onclick=\"x()\">Une <b>belle</b> eau<script>alert(1)</script></p>";
    let poi =
        patch(&editor, POIS, &poi, json!({"distribute": true, "description": {"fr": html}})).await.expect(200).json();
    assert_eq!(poi["description"]["fr"], "<p>Une <b>belle</b> eau</p>");
    let emptied = patch(&editor, POIS, &poi, json!({"description": {"fr": ""}})).await;
    assert_eq!(faults(emptied), ["poi/description-required /description/fr"]);
}

#[app_test]
async fn others_see_what_is_published_add_it_and_publish_it_on_theirs_but_never_change_it(app: TestApp) {
    let (owner, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let poi = made(&owner, POIS, poi_body()).await;
    let path = one(POIS, &poi);
    other.get(&path).await.expect(404);
    let poi = owner.clone().at_version(1).post(format!("{path}/publication"), json!({})).await.expect(200).json();
    let seen = other.get(&path).await.expect(200).json();
    assert_eq!((seen["locked_reason"].as_str(), seen["published_on_mine"].as_bool()), (Some("not_yours"), None));
    let refused = patch(&other, POIS, &poi, json!({"phone": "1"})).await.expect(403).problem();
    assert_eq!(refused.code, "poi/not-yours");
    assert_eq!(other.get(format!("{path}/revisions")).await.expect(403).problem().code, "poi/not-yours");
    let vercors = app.white_label("vercors").await;
    let link = format!("{path}/white-labels/{vercors}");
    other.put(&link, json!({"published": true})).await.expect(204);
    assert_eq!(other.get(&path).await.json()["published_on_mine"], true);
    let answer = owner.get(&path).await.json();
    assert_eq!(answer["white_labels"], json!([{"id": vercors, "name": "Vercors", "published": true}]));
    let theirs = format!("{path}/white-labels/{}", app.white_label("morvan").await);
    assert_eq!(
        other.put(&theirs, json!({"published": true})).await.expect(403).problem().code,
        "record/white-label-not-yours"
    );
    owner.clone().at_version(2).delete(format!("{path}/publication")).await.expect(200);
    other.get(&path).await.expect(200);
    other.delete(&link).await.expect(204);
    other.get(&path).await.expect(404);
}

#[app_test]
async fn a_point_of_interest_that_another_white_label_added_is_deleted_by_force_alone(app: TestApp) {
    let (owner, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let poi = made(&owner, POIS, poi_body()).await;
    let path = one(POIS, &poi);
    owner.clone().at_version(1).post(format!("{path}/publication"), json!({})).await.expect(200);
    let vercors = app.white_label("vercors").await;
    other.put(format!("{path}/white-labels/{vercors}"), json!({"published": false})).await.expect(204);
    let refused = owner.clone().at_version(2).delete(&path).await.expect(409).problem();
    assert_eq!(refused.code, "poi/in-use");
    assert_eq!(refused.params["uses"], json!([{"kind": "white_label", "id": vercors, "title": {"fr": "Vercors"}}]));
    let third = app.editor_of("vercors");
    let seen = third.get(format!("{path}/uses")).await.expect(200).json();
    assert_eq!(seen["total"], 1, "their own");
    owner.clone().at_version(2).delete(format!("{path}?force=true")).await.expect(204);
    let item = &owner.get("/api/v1/bin?kind=poi").await.expect(200).json()["items"][0];
    owner.post(format!("/api/v1/bin/{}/restoration", item["id"]), json!({})).await.expect(200);
    let linked = owner.get(&path).await.json()["white_labels"].clone();
    assert_eq!(linked, json!([{"id": vercors, "name": "Vercors", "published": false}]));
}

#[app_test]
async fn the_list_is_filtered_counted_and_mapped(app: TestApp) {
    let editor = app.editor_of("morvan");
    let categories = editor.get("/api/v1/vocabularies/poi_category").await.json();
    let items = categories["items"].as_array().unwrap();
    let child = items.iter().find(|item| item["parent_id"].is_number()).unwrap();
    let body = json!({"title": {"fr": "Grotte"}, "location": [4.2, 47.3], "category_ids": [child["id"]],
        "flags": {"must_see": true}, "address": {"city": "Autun"}});
    made(&editor, POIS, body).await;
    made(&editor, POIS, poi_body()).await;
    app.poi().owned_by("vercors").titled("Col").published().insert().await;
    let list = async |query: &str| editor.get(format!("{POIS}?sort=title&{query}")).await.expect(200).json();
    let all = list("").await;
    assert_eq!(column(&all, "/title/fr"), ["Col", "Étang du Loup", "Grotte"]);
    assert_eq!((all["total"].as_i64(), &all["counts"]), (Some(3), &json!({"mine": 2, "shared": 1})));
    assert_eq!(column(&list("flag=must_see").await, "/title/fr"), ["Grotte"]);
    assert_eq!(column(&list("search=autun").await, "/title/fr"), ["Grotte"], "the town is a word of it");
    let above = format!("category={}", child["parent_id"]);
    assert_eq!(
        column(&list(&above).await, "/title/fr"),
        ["Grotte"],
        "a filter by category includes the categories below it"
    );
    assert_eq!(column(&list("owner=shared").await, "/title/fr"), ["Col"]);
    assert_eq!(list("incomplete=false").await["total"], 0);
    assert_eq!(list("missing=photo,title_en&owner=mine").await["total"], 2);
    assert_eq!(list("missing=title").await["total"], 0);
    for wrong in ["missing=luck", "flag=nice", "published=maybe", "near_parcours=x", "sort=colour"] {
        assert_eq!(
            editor.get(format!("{POIS}?{wrong}")).await.expect(400).problem().code,
            "request/bad-query",
            "{wrong}"
        );
    }
    let map = editor.get(format!("{POIS}/map?zoom=6&owner=mine")).await.expect(200).json();
    assert_eq!((map["total"].as_i64(), map["items"].as_array().unwrap().len()), (Some(2), 2));
}

#[app_test]
async fn each_flag_is_set_and_found(app: TestApp) {
    let editor = app.editor_of("morvan");
    let flags = ["good_address", "must_see", "detour_point", "landmark", "bookable"];
    for flag in flags {
        made(&editor, POIS, json!({"title": {"fr": flag}, "location": [4.2, 47.3], "flags": {flag: true}})).await;
    }
    for flag in flags {
        let found = editor.get(format!("{POIS}?flag={flag}")).await.expect(200).json();
        assert_eq!(column(&found, "/title/fr"), [flag]);
        let set = found["items"][0]["flags"].as_object().unwrap().iter().filter(|(_, on)| **on == json!(true));
        assert_eq!(set.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), [flag]);
    }
}

#[app_test]
async fn a_duplicate_is_suggested_and_merged_with_every_link(app: TestApp) {
    let editor = app.editor_of("morvan");
    let stays = made(&editor, POIS, poi_body()).await;
    let gone = made(
        &editor,
        POIS,
        json!({"title": {"fr": "etang du LOUP", "en": "Wolf pond"}, "location": [4.1005, 47.2], "phone": "01"}),
    )
    .await;
    made(&editor, POIS, json!({"title": {"fr": "Étang du Loup"}, "location": [4.2, 47.2]})).await;
    let found = editor.get(format!("{}/duplicates", one(POIS, &stays))).await.expect(200).json();
    assert_eq!(column(&found, "/poi/id"), [id(&gone).to_string()], "another of the name, but far away, is another");
    assert!((30.0..45.0).contains(&found["items"][0]["distance_m"].as_f64().unwrap()), "{found}");
    let tour = parcours_kit::made(&editor, "Tour", json!({"poi_ids": [id(&gone)]})).await;
    let vercors = app.white_label("vercors").await;
    let published = editor
        .clone()
        .at_version(1)
        .post(format!("{}/publication", one(POIS, &gone)), json!({}))
        .await
        .expect(200)
        .json();
    app.editor_of("vercors")
        .put(format!("{}/white-labels/{vercors}", one(POIS, &gone)), json!({"published": true}))
        .await
        .expect(204);
    let path = format!("{}/merge", one(POIS, &gone));
    // The Vercors shows it: what it is merged into must be shared too.
    let shared = editor.clone().at_version(1).post(format!("{}/publication", one(POIS, &stays)), json!({})).await;
    shared.expect(200);
    let merged = editor
        .clone()
        .at_version(published["version"].as_i64().unwrap())
        .post(&path, json!({"into_id": id(&stays)}))
        .await;
    let merged = merged.expect(200).json();
    assert_eq!(
        (&merged["title"], merged["phone"].as_str()),
        (&json!({"fr": "Étang du Loup", "en": "Wolf pond"}), Some("01"))
    );
    assert_eq!(merged["white_labels"][0]["name"], "Vercors");
    assert_eq!(parcours_kit::now(&editor, &tour).await["poi_ids"], json!([id(&stays)]));
    editor.get(one(POIS, &gone)).await.expect(404);
}

#[app_test]
async fn a_poi_that_a_parcours_names_is_in_use(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, poi_body()).await;
    let tour = parcours_kit::made(&editor, "Tour", json!({"poi_ids": [id(&poi)]})).await;
    let refused = delete(&editor, POIS, &poi, "").await.expect(409).problem();
    assert_eq!(refused.code, "poi/in-use");
    assert_eq!(refused.params["uses"], json!([{"kind": "parcours", "id": id(&tour), "title": {"fr": "Tour"}}]));
    delete(&editor, POIS, &poi, "?force=true").await.expect(204);
    assert_eq!(parcours_kit::now(&editor, &tour).await["poi_ids"], json!([]));
}

#[app_test]
async fn many_are_changed_at_once_reported_before_and_undone_after(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (mine, other) =
        (made(&editor, POIS, poi_body()).await, app.poi().owned_by("vercors").published().insert().await);
    let asked =
        |action: &str, dry_run: bool| json!({"ids": [id(&mine), other.id], "action": action, "dry_run": dry_run});
    let answer = editor.post(format!("{POIS}/bulk"), asked("publish", true)).await.expect(200).json();
    assert_eq!((answer["applied"].as_i64(), answer["items"][1]["code"].as_str()), (Some(1), Some("poi/not-yours")));
    assert_eq!(editor.get(one(POIS, &mine)).await.json()["published"], false);
    let done = editor.post(format!("{POIS}/bulk"), asked("publish", false)).await.expect(200).json();
    assert_eq!(editor.get(one(POIS, &mine)).await.json()["published"], true);
    let undone =
        editor.post(format!("{POIS}/bulk/undo"), json!({"undo_token": done["undo_token"]})).await.expect(200).json();
    assert_eq!(undone["applied"], 1);
    assert_eq!(editor.get(one(POIS, &mine)).await.json()["published"], false);
    let refused = editor.post(format!("{POIS}/bulk"), asked("distribute", false)).await.json();
    assert_eq!(refused["items"][0]["code"], "poi/description-required");
    let none = editor.post(format!("{POIS}/bulk"), json!({"filter": {"owner": "mine"}, "action": "add_theme"})).await;
    assert_eq!(faults(none), ["validation/required /value"]);
    for (filter, fault) in [
        (json!({"flag": "sunny"}), "validation/bad-filter /filter/flag"),
        (json!({"near_parcours": "x"}), "validation/bad-filter /filter/near_parcours"),
    ] {
        let wrong = json!({"filter": filter, "action": "publish"});
        assert_eq!(faults(editor.post(format!("{POIS}/bulk"), wrong).await), [fault]);
    }
    let unknown = json!({"filter": {"ownr": "mine"}, "action": "publish"});
    let refused = editor.post(format!("{POIS}/bulk"), unknown).await.expect(422).problem();
    assert_eq!((refused.code.as_str(), refused.field.as_deref()), ("request/bad-field", Some("/filter/ownr")));
    let themes = editor.get("/api/v1/vocabularies/poi_theme").await.json();
    let value = &themes["items"][0]["id"];
    let body = json!({"filter": {"owner": "mine"}, "action": "add_theme", "value": value});
    assert_eq!(editor.post(format!("{POIS}/bulk"), &body).await.json()["applied"], 1);
    assert_eq!(editor.post(format!("{POIS}/bulk"), &body).await.json()["unchanged"], 1);
}

#[app_test]
async fn a_deletion_of_many_says_how_many_use_what_it_refuses(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (used, free) = (made(&editor, POIS, poi_body()).await, made(&editor, POIS, poi_body()).await);
    parcours_kit::made(&editor, "Tour", json!({"poi_ids": [id(&used)]})).await;
    for dry_run in [true, false] {
        let asked = json!({"ids": [id(&used), id(&free)], "action": "delete", "dry_run": dry_run});
        let report = editor.post(format!("{POIS}/bulk"), asked).await.expect(200).json();
        assert_eq!((&report["applied"], &report["refused"]), (&json!(1), &json!(1)));
        let (refused, applied) = (&report["items"][0], &report["items"][1]);
        assert_eq!((&refused["code"], &refused["params"]), (&json!("poi/in-use"), &json!({"total": 1})));
        assert_eq!((applied.get("code"), applied.get("params")), (None, None));
    }
}

#[app_test]
async fn an_undo_leaves_out_what_the_person_no_longer_sees(app: TestApp) {
    let (editor, admin) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let (draft, binned) = (made(&editor, POIS, poi_body()).await, made(&editor, POIS, poi_body()).await);
    let public = app.poi().titled("Le banc").published().insert().await;
    let themes = editor.get("/api/v1/vocabularies/poi_theme").await.json();
    let themed = json!({"ids": [id(&draft), public.id], "action": "add_theme", "value": themes["items"][0]["id"]});
    let themed = editor.post(format!("{POIS}/bulk"), themed).await.expect(200).json();
    let deleted = json!({"ids": [id(&binned)], "action": "delete"});
    let deleted = editor.post(format!("{POIS}/bulk"), deleted).await.expect(200).json();
    assert_eq!((&themed["applied"], &deleted["applied"]), (&json!(2), &json!(1)));
    moved_to_vercors(&app, Role::Editor).await;
    let now = admin.get(one(POIS, &draft)).await.expect(200).json();
    patch(&admin, POIS, &now, json!({"title": {"fr": "Le gîte secret"}})).await.expect(200);
    for (done, left) in [(&themed, &["Le banc"][..]), (&deleted, &[])] {
        let token = json!({"undo_token": done["undo_token"]});
        let undone = editor.post(format!("{POIS}/bulk/undo"), token).await.expect(200).json();
        assert_eq!(column(&undone, "/title/fr"), left);
        assert_eq!(undone["applied"], 0);
    }
    assert_eq!(admin.get(one(POIS, &binned)).await.status, 404, "it stays in the bin");
}

#[app_test]
async fn pois_stand_along_a_parcours_at_a_metre_and_an_offset(app: TestApp) {
    let editor = app.editor_of("morvan");
    let tour = parcours_kit::made(&editor, "Tour", json!({})).await;
    parcours_kit::imported(&editor, &tour, "tour.gpx", parcours_kit::gpx(&parcours_kit::eastward())).await.expect(200);
    let line = parcours_kit::trace_of(&editor, &tour).await["line"].as_array().unwrap().clone();
    let middle = line[line.len() / 2].clone();
    let (lon, lat) = (middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap());
    let near = made(&editor, POIS, json!({"title": {"fr": "Près"}, "location": [lon, lat + 0.001]})).await;
    made(&editor, POIS, json!({"title": {"fr": "Loin"}, "location": [lon, lat + 0.05]})).await;
    let found = editor.get(format!("{}/pois/suggestions", parcours_kit::path(&tour))).await.expect(200).json();
    assert_eq!(column(&found, "/poi/title/fr"), ["Près"]);
    let (at_m, offset_m) =
        (found["items"][0]["at_m"].as_f64().unwrap(), found["items"][0]["offset_m"].as_f64().unwrap());
    assert!((100.0..125.0).contains(&offset_m) && at_m > 0.0, "{found}");
    let passing = editor.get(format!("{}/parcours", one(POIS, &near))).await.expect(200).json();
    assert_eq!(column(&passing, "/id"), [id(&tour).to_string()]);
    assert_eq!(passing["items"][0]["linked"], false);
    let listed = editor.get(format!("{POIS}?near_parcours={}&within_m=200", id(&tour))).await.expect(200).json();
    assert_eq!(column(&listed, "/title/fr"), ["Près"]);
    parcours_kit::patch(&editor, &parcours_kit::now(&editor, &tour).await, json!({"poi_ids": [id(&near)]})).await;
    let found = editor.get(format!("{}/pois/suggestions", parcours_kit::path(&tour))).await.json();
    assert_eq!(found["items"], json!([]), "what it has is not suggested");
    assert_eq!(editor.get(format!("{}/parcours", one(POIS, &near))).await.json()["items"][0]["linked"], true);
}

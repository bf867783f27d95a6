//! Ways into another tenant's records, or to a role, through what is replaced, merged, restored or copied.

use domain::Role;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::catalogue_kit::{delete, faults, id, made as record, one, patch};
use crate::parcours_kit::{made, path, published, shared, version};

const POIS: &str = "/api/v1/pois";
const USERS: &str = "/api/v1/users";
const CONTACTS: &str = "/api/v1/contacts";

/// A POI of the Morvan that every tenant may use.
async fn public_poi(app: &TestApp) -> Value {
    let poi = app.poi().published().insert().await.id;
    app.editor_of("morvan").get(format!("{POIS}/{poi}")).await.expect(200).json()
}

/// A parcours of the Vercors that names a POI.
async fn foreign_parcours(app: &TestApp, poi: &Value) -> Value {
    made(&app.editor_of("vercors"), "Grotte", json!({"poi_ids": [id(poi)]})).await
}

async fn pois_of(by: &Client, parcours: &Value) -> Value {
    by.get(path(parcours)).await.expect(200).json()["poi_ids"].clone()
}

/// Restores what was deleted last of a kind, and gives the answer.
async fn restored(by: &Client, kind: &str) -> testkit::Reply {
    let bin = by.get(format!("/api/v1/bin?kind={kind}")).await.expect(200).json();
    by.post(format!("/api/v1/bin/{}/restoration", id(&bin["items"][0])), json!({})).await
}

async fn back_to(by: &Client, path: &str, version: i64) -> testkit::Reply {
    by.clone().with("if-match", "*").post(format!("{path}/revisions/{version}/restoration"), json!({})).await
}

#[app_test]
async fn a_deletion_inserts_nothing_into_another_tenants_parcours(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let poi = public_poi(&app).await;
    let theirs = foreign_parcours(&app, &poi).await;
    let ours = made(&editor, "Lac", json!({"poi_ids": [id(&poi)]})).await;
    for draft in [app.poi().insert().await.id, app.poi().published().insert().await.id] {
        let refused = delete(&editor, POIS, &poi, &format!("?replace_by={draft}")).await.expect(409).problem();
        assert_eq!(refused.code, "poi/in-use");
        assert_eq!((&refused.params["total"], &refused.params["required"]), (&json!(1), &json!(false)));
        assert_eq!(refused.params["uses"], json!([]), "others are counted, not named");
        assert_eq!(pois_of(&other, &theirs).await, json!([id(&poi)]));
    }
    let draft = app.poi().insert().await.id;
    delete(&editor, POIS, &poi, &format!("?replace_by={draft}&force=true")).await.expect(204);
    assert_eq!(pois_of(&other, &theirs).await, json!([]), "they are freed of it, nothing takes its place");
    assert_eq!(pois_of(&editor, &ours).await, json!([draft]));
    let history = other.get(format!("{}/revisions", path(&theirs))).await.expect(200).json();
    assert_eq!((&history["items"][0]["reason"], &history["items"][0]["user"]), (&json!("freed"), &json!(null)));
}

#[app_test]
async fn a_replacement_is_added_only_where_the_person_works(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let vercors = app.white_label("vercors").await;
    let added = json!([{"id": vercors, "name": "Vercors", "published": true}]);
    for by_force in [true, false] {
        let poi = public_poi(&app).await;
        other.put(format!("{}/white-labels/{vercors}", one(POIS, &poi)), json!({"published": true})).await.expect(204);
        let instead = format!("{POIS}/{}", app.poi().published().insert().await.id);
        let by_instead = format!("?replace_by={}", instead.rsplit('/').next().unwrap());
        let refused = delete(&editor, POIS, &poi, &by_instead).await.expect(409).problem();
        assert_eq!((refused.code.as_str(), &refused.params["hidden_total"]), ("poi/in-use", &json!(1)));
        let now = if by_force {
            delete(&editor, POIS, &poi, &format!("{by_instead}&force=true")).await.expect(204);
            json!([])
        } else {
            delete(&app.superadmin(), POIS, &poi, &by_instead).await.expect(204);
            added.clone()
        };
        assert_eq!(editor.get(&instead).await.expect(200).json()["white_labels"], now, "{by_force}");
    }
}

#[app_test]
async fn an_editor_does_not_change_the_settings_of_a_white_label_by_a_deletion(app: TestApp) {
    let (editor, admin) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let [logo, other] = [app.media().insert().await, app.media().insert().await];
    let labels = "/api/v1/white-labels";
    let own = admin.get(format!("{labels}/{}", app.white_label("morvan").await)).await.expect(200).json();
    patch(&admin, labels, &own, json!({"logo_media_id": logo.id})).await.expect(200);
    let media = editor.get(format!("/api/v1/medias/{}", logo.id)).await.expect(200).json();
    let query = format!("?replace_by={}", other.id);
    let refused = delete(&editor, "/api/v1/medias", &media, &query).await.expect(409).problem();
    assert_eq!((refused.code.as_str(), &refused.params["total"]), ("media/in-use", &json!(1)));
    delete(&admin, "/api/v1/medias", &media, &query).await.expect(204);
    let now = admin.get(one(labels, &own)).await.expect(200).json();
    assert_eq!(now["logo_media_id"], json!(other.id));
}

#[app_test]
async fn a_merge_follows_into_another_tenants_records_only_where_the_target_is_shared(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let poi = public_poi(&app).await;
    let theirs = foreign_parcours(&app, &poi).await;
    let draft = app.poi().insert().await.id;
    let merge = |into: i64| {
        let by = editor.clone().with("if-match", "*");
        let at = format!("{}/merge", one(POIS, &poi));
        async move { by.post(at, json!({"into_id": into})).await }
    };
    assert_eq!(merge(draft).await.expect(409).problem().code, "poi/in-use");
    assert_eq!(pois_of(&other, &theirs).await, json!([id(&poi)]));
    // A white-label that added it would see the draft by that.
    let label = app.white_label("vercors").await;
    let alone = public_poi(&app).await;
    let link = format!("{}/white-labels/{label}", one(POIS, &alone));
    other.put(link, json!({"published": true})).await.expect(204);
    let into = json!({"into_id": draft});
    let refused = editor.clone().with("if-match", "*").post(format!("{}/merge", one(POIS, &alone)), into).await;
    assert_eq!(refused.expect(409).problem().code, "poi/in-use");
    other.get(format!("{POIS}/{draft}")).await.expect(404);
    let public = app.poi().published().insert().await.id;
    merge(public).await.expect(200);
    assert_eq!(pois_of(&other, &theirs).await, json!([public]));
}

#[app_test]
async fn a_contact_of_another_structure_cannot_replace_one_of_ours(app: TestApp) {
    let (admin, other) = (app.admin_of("morvan"), app.admin_of("vercors"));
    let new = |email: &str| json!({"last_name": "Roux", "email": email, "phone": "0611223344"});
    let ours = record(&admin, CONTACTS, new("a@roux.example")).await;
    let theirs = record(&other, CONTACTS, new("b@roux.example")).await;
    let parcours = made(&admin, "Lac", json!({"contact_id": id(&ours)})).await;
    let refused = delete(&admin, CONTACTS, &ours, &format!("?replace_by={}", id(&theirs))).await;
    assert_eq!(faults(refused), ["validation/unknown-reference /replace_by"]);
    let now = admin.get(path(&parcours)).await.expect(200).json();
    assert_eq!(now["contact_id"], json!(id(&ours)));
}

#[app_test]
async fn a_private_media_of_another_tenant_is_neither_shown_nor_distinguished(app: TestApp) {
    let (editor, admin) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let theirs = app.media().owned_by("vercors").insert().await.id;
    let poi = json!({"title": {"fr": "Lac"}, "location": [4.0, 47.0], "media_ids": [theirs]});
    assert_eq!(faults(editor.post(POIS, poi).await), ["validation/unknown-reference /media_ids"]);
    let labels = "/api/v1/white-labels";
    let own = admin.get(format!("{labels}/{}", app.white_label("morvan").await)).await.expect(200).json();
    // A picture is no font; for another tenant's media not even that is reported.
    for (body, field) in
        [(json!({"logo_media_id": theirs}), "/logo_media_id"), (json!({"fonts": {"text_media_id": theirs}}), "/fonts")]
    {
        assert_eq!(faults(patch(&admin, labels, &own, body).await), [format!("validation/unknown-reference {field}")]);
    }
    let tour = made(&editor, "Tour", json!({})).await;
    let sound =
        editor.clone().at_version(version(&tour)).patch(path(&tour), json!({"audio_main_media_id": theirs})).await;
    assert_eq!(faults(sound), ["validation/unknown-reference /audio_main_media_id"]);
}

#[app_test]
async fn restoring_a_revision_of_a_user_changes_neither_role_nor_structure(app: TestApp) {
    let (boss, admin) = (app.superadmin(), app.admin_of("morvan"));
    let new = |role: &str, email: &str| json!({"last_name": "Roux", "email": email, "role": role, "structure_id": 1});
    let was_super = record(&boss, USERS, new("superadmin", "a@roux.example")).await;
    patch(&boss, USERS, &was_super, json!({"role": "editor", "white_label_ids": [1]})).await.expect(200);
    let raised = back_to(&admin, &one(USERS, &was_super), 1).await.expect(403).problem();
    assert_eq!((raised.code.as_str(), raised.field.as_deref()), ("user/role-above-yours", Some("/role")));
    // A former administrator of another structure does not get it back by an administrator here.
    let mut sent = new("admin", "b@roux.example");
    sent["structure_id"] = json!(2);
    let was_there = record(&boss, USERS, sent).await;
    let here = json!({"role": "editor", "structure_id": 1, "white_label_ids": [1]});
    patch(&boss, USERS, &was_there, here).await.expect(200);
    let moved = back_to(&admin, &one(USERS, &was_there), 1).await;
    assert_eq!(faults(moved), ["validation/unknown-reference /structure_id"]);
    let now = admin.get(one(USERS, &was_there)).await.expect(200).json();
    assert_eq!((&now["role"], &now["structure_id"]), (&json!("editor"), &json!(1)));
    // White-labels that a user had in another structure are not restored.
    let mut sent = new("editor", "c@roux.example");
    (sent["structure_id"], sent["white_label_ids"]) = (json!(2), json!([3]));
    let had_theirs = record(&boss, USERS, sent).await;
    patch(&boss, USERS, &had_theirs, json!({"structure_id": 1, "white_label_ids": [1]})).await.expect(200);
    let fields = json!({"fields": ["white_label_ids"]});
    let path = format!("{}/revisions/1/restoration", one(USERS, &had_theirs));
    let given = admin.clone().with("if-match", "*").post(path, fields).await;
    assert_eq!(faults(given), ["validation/unknown-reference /white_label_ids"]);
}

#[app_test]
async fn restoring_a_revision_does_not_demote_the_last_administrator(app: TestApp) {
    let boss = app.superadmin();
    let me = format!("{USERS}/{}", app.user(Role::Superadmin, "morvan").await);
    let new = json!({"last_name": "Roux", "email": "a@roux.example", "role": "editor", "structure_id": 2, "white_label_ids": [3]});
    let roux = record(&boss, USERS, new).await;
    let raised = patch(&boss, USERS, &roux, json!({"role": "superadmin"})).await.expect(200).json();
    let other = boss.get(format!("{USERS}/{}", app.user(Role::Superadmin, "vercors").await)).await.json();
    delete(&boss, USERS, &other, "").await.expect(204);
    let admin = boss.get(format!("{USERS}/{}", app.user(Role::Admin, "vercors").await)).await.json();
    delete(&boss, USERS, &admin, "").await.expect(204);
    // The Vercors has no other administrator: going back to an editor would leave it without.
    let back = back_to(&boss, &one(USERS, &raised), 1).await.expect(409).problem();
    assert_eq!(back.code, "user/last-admin");
    boss.get(me).await.expect(200);
}

#[app_test]
async fn the_bin_restores_only_roles_that_the_person_may_give(app: TestApp) {
    let (boss, admin, editor) = (app.superadmin(), app.admin_of("morvan"), app.editor_of("morvan"));
    let new = |role: &str, email: &str| json!({"last_name": "Roux", "email": email, "role": role, "structure_id": 1, "white_label_ids": [1]});
    let chief = record(&boss, USERS, new("superadmin", "a@roux.example")).await;
    delete(&boss, USERS, &chief, "").await.expect(204);
    let raised = restored(&admin, "user").await.expect(403).problem();
    assert_eq!(raised.code, "user/role-above-yours");
    restored(&boss, "user").await.expect(200);
    // The address belongs to another user by now.
    let roux = record(&admin, USERS, new("editor", "b@roux.example")).await;
    delete(&admin, USERS, &roux, "").await.expect(204);
    record(&admin, USERS, new("editor", "b@roux.example")).await;
    assert_eq!(restored(&admin, "user").await.expect(409).problem().code, "bin/taken");
    // A white-label is made, and so brought back, by superadmins only.
    let label = json!({"name": "Velours", "structure_id": 1});
    let label = record(&boss, "/api/v1/white-labels", label).await;
    delete(&boss, "/api/v1/white-labels", &label, "").await.expect(204);
    for by in [&admin, &editor] {
        let bin = by.get("/api/v1/bin?kind=white_label").await.expect(200).json();
        assert_eq!(bin["items"], json!([]));
    }
    restored(&boss, "white_label").await.expect(200);
}

#[app_test]
async fn a_restored_record_has_no_reference_to_what_is_no_longer_shared(app: TestApp) {
    let (editor, other) = (app.editor_of("vercors"), app.editor_of("morvan"));
    let poi = public_poi(&app).await;
    let binned = foreign_parcours(&app, &poi).await;
    let edited = foreign_parcours(&app, &poi).await;
    let edited = patch(&editor, "/api/v1/parcours", &edited, json!({"poi_ids": []})).await.expect(200).json();
    let bulk = foreign_parcours(&app, &poi).await;
    delete(&editor, "/api/v1/parcours", &binned, "").await.expect(204);
    let hide = other.clone().with("if-match", "*").delete(format!("{}/publication", one(POIS, &poi))).await;
    hide.expect(200);
    restored(&editor, "parcours").await.expect(200);
    assert_eq!(pois_of(&editor, &binned).await, json!([]));
    let refused = back_to(&editor, &path(&edited), 1).await;
    assert_eq!(faults(refused), ["validation/unknown-reference /poi_ids"]);
    // The present value stays, and does not block another save.
    let saved = patch(&editor, "/api/v1/parcours", &bulk, json!({"title": {"fr": "Autre"}})).await.expect(200).json();
    assert_eq!(saved["poi_ids"], json!([id(&poi)]));
}

#[app_test]
async fn a_copy_keeps_references_to_shared_records_and_drops_those_to_drafts(app: TestApp) {
    let (editor, other) = (app.editor_of("vercors"), app.editor_of("morvan"));
    let (public, draft) = (public_poi(&app).await, app.poi().insert().await.id);
    let private = app.media().insert().await.id;
    let fields =
        json!({"poi_ids": [id(&public), draft], "description": {"fr": "<p>À voir.</p>"}, "distribute_own": true});
    let original = published(&other, &made(&other, "Lac", fields).await).await;
    let fields = json!({"audio_main_media_id": null, "media_ids": []});
    assert_eq!(other.clone().at_version(version(&original)).patch(path(&original), fields).await.status, 200);
    let copy =
        editor.post(format!("{}/duplicate", path(&original)), json!({"title": "Copie"})).await.expect(201).json();
    assert_eq!(copy["poi_ids"], json!([id(&public)]));
    let own = other.post(format!("{}/duplicate", path(&original)), json!({"title": "Copie"})).await.expect(201).json();
    assert_eq!(own["poi_ids"], json!([id(&public), draft]));
    // A draft is no model for another tenant.
    let model = made(&other, "Modèle", json!({})).await;
    let asked = json!({"title": "Copie", "model_id": id(&model)});
    let faults_found = faults(editor.post(format!("{}/duplicate", path(&original)), asked).await);
    assert_eq!(faults_found, ["validation/unknown-reference /parent_id", "validation/unknown-reference /model_id"]);
    let shown = shared(&other, "Modèle").await;
    let asked = json!({"title": "Copie", "model_id": id(&shown)});
    editor.post(format!("{}/duplicate", path(&original)), asked).await.expect(201);
    editor.get(format!("/api/v1/medias/{private}")).await.expect(404);
}

#[app_test]
async fn undoing_an_action_restores_no_reference_to_a_draft_of_another_tenant(app: TestApp) {
    let (editor, other) = (app.editor_of("vercors"), app.editor_of("morvan"));
    let media = app.media().insert().await.id;
    let public = app.poi().published().showing(media).insert().await.id;
    let poi = app.poi().owned_by("vercors").showing(media).insert().await.id;
    let binned = json!({"ids": [poi], "action": "delete"});
    let done = editor.post(format!("{POIS}/bulk"), binned).await.expect(200).json();
    assert_eq!(done["applied"], 1);
    // The media was shown by something published; now it is private again.
    let hide = other.clone().with("if-match", "*").delete(format!("{POIS}/{public}/publication")).await;
    hide.expect(200);
    let undo = json!({"undo_token": done["undo_token"]});
    editor.post(format!("{POIS}/bulk/undo"), undo).await.expect(200);
    let back = editor.get(format!("{POIS}/{poi}")).await.expect(200).json();
    assert_eq!(back["media_ids"], json!([]));
}

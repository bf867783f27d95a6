//! Structures: every user sees their names, their admins edit them, a superadmin makes and deletes them.

use macros::app_test;
use serde_json::{Value, json};
use testkit::TestApp;

use crate::catalogue_kit::{column, delete, faults, made, patch};

const STRUCTURES: &str = "/api/v1/structures";

async fn kind(app: &TestApp, code: &str) -> Value {
    let kinds = app.superadmin().get("/api/v1/vocabularies/structure_type").await.json();
    kinds["items"].as_array().unwrap().iter().find(|kind| kind["code"] == code).unwrap()["id"].clone()
}

#[app_test]
async fn a_structure_has_a_name_and_a_type(app: TestApp) {
    let root = app.superadmin();
    let faults_found = faults(root.post(STRUCTURES, json!({"website": "x", "address": {"country": "zz"}})).await);
    assert_eq!(
        faults_found,
        [
            "validation/required /name",
            "validation/required /kind_id",
            "validation/country /address/country",
            "validation/url-invalid /website",
        ]
    );
    let tags = root.get("/api/v1/vocabularies/tag").await.json();
    let wrong = faults(root.post(STRUCTURES, json!({"name": "A", "kind_id": tags["items"][0]["id"]})).await);
    assert_eq!(wrong, ["validation/unknown-reference /kind_id"], "a tag is no type of structure");
    let made =
        made(&root, STRUCTURES, json!({"name": "Agence du Lac", "kind_id": kind(&app, "agence-voyages").await})).await;
    assert_eq!(made["editable"], true);
    let found = root.get(format!("{STRUCTURES}?search=agence%20lac")).await.json();
    assert_eq!(column(&found, "/name"), ["Agence du Lac"]);
}

#[app_test]
async fn an_admin_changes_their_own_structure_only(app: TestApp) {
    let (ours, theirs) = (app.admin_of("morvan"), app.admin_of("vercors"));
    let own = ours.get("/api/v1/structures/1").await.json();
    assert_eq!(
        (own["editable"].as_bool(), theirs.get("/api/v1/structures/1").await.json()["locked_reason"].as_str()),
        (Some(true), Some("not_yours"))
    );
    patch(&ours, STRUCTURES, &own, json!({"address": {"city": "Autun"}})).await.expect(200);
    let refused = patch(&theirs, STRUCTURES, &own, json!({"name": "À moi"})).await.expect(403).problem();
    assert_eq!(refused.code, "structure/not-yours");
    assert_eq!(ours.get("/api/v1/structures/1").await.json()["name"], "Parc du Morvan");
}

#[app_test]
async fn a_structure_that_employs_a_person_cannot_be_deleted_even_by_force(app: TestApp) {
    let root = app.superadmin();
    let own = root.get("/api/v1/structures/1").await.json();
    let refused = delete(&root, STRUCTURES, &own, "?force=true").await.expect(409).problem();
    assert_eq!((refused.code.as_str(), &refused.params["required"]), ("structure/in-use", &json!(true)));
    let empty = made(&root, STRUCTURES, json!({"name": "Vide", "kind_id": kind(&app, "agence-voyages").await})).await;
    delete(&root, STRUCTURES, &empty, "").await.expect(204);
}

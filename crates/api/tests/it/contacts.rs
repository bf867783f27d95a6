//! Contacts: of the user's structure, each with a unique address.

use macros::app_test;
use serde_json::json;
use testkit::TestApp;

use crate::catalogue_kit::{column, delete, faults, id, made, one, patch};

const CONTACTS: &str = "/api/v1/contacts";

#[app_test]
async fn two_contacts_never_have_the_same_address(app: TestApp) {
    let admin = app.admin_of("morvan");
    let roux = made(&admin, CONTACTS, json!({"last_name": "Roux", "email": " Ana@Roux.fr "})).await;
    assert_eq!((roux["email"].as_str(), roux["structure_id"].as_i64()), (Some("ana@roux.fr"), Some(1)));
    let taken = admin.post(CONTACTS, json!({"last_name": "Blanc", "email": "ANA@roux.fr"})).await.expect(409).problem();
    assert_eq!((taken.code.as_str(), taken.field.as_deref()), ("contact/email-taken", Some("/email")));
    let blanc = made(&admin, CONTACTS, json!({"last_name": "Blanc", "email": "b@roux.fr"})).await;
    let moved = patch(&admin, CONTACTS, &blanc, json!({"email": "ana@roux.fr"})).await.expect(409).problem();
    assert_eq!(moved.code, "contact/email-taken");
    patch(&admin, CONTACTS, &roux, json!({"phone": "+33 3 85 86 80 38"})).await.expect(200);
    let roux = admin.get(one(CONTACTS, &roux)).await.expect(200).json();
    assert_eq!(roux["structure"]["id"], 1, "the list names the structure");
    let wrong = patch(&admin, CONTACTS, &roux, json!({"phone": "12"})).await;
    assert_eq!(faults(wrong), ["validation/phone /phone"]);
}

#[app_test]
async fn each_fault_of_a_contact_is_reported_on_its_field(app: TestApp) {
    let admin = app.admin_of("morvan");
    let faults_found = faults(admin.post(CONTACTS, json!({"email": "ana", "white_label_ids": [999]})).await);
    assert_eq!(
        faults_found,
        ["validation/required /last_name", "validation/email /email", "validation/unknown-reference /white_label_ids"]
    );
}

#[app_test]
async fn an_admin_keeps_the_contacts_of_the_structure_and_no_others(app: TestApp) {
    let (ours, theirs) = (app.admin_of("morvan"), app.admin_of("vercors"));
    let roux = made(&ours, CONTACTS, json!({"last_name": "Roux", "email": "a@roux.fr", "function": "Accueil"})).await;
    made(&theirs, CONTACTS, json!({"last_name": "Sage", "email": "s@sage.fr"})).await;
    theirs.get(one(CONTACTS, &roux)).await.expect(404);
    assert_eq!(
        patch(&theirs, CONTACTS, &roux, json!({"phone": "1"})).await.expect(404).problem().code,
        "contact/not-found"
    );
    let abroad = ours.post(CONTACTS, json!({"last_name": "X", "email": "x@x.fr", "structure_id": 2})).await;
    assert_eq!(faults(abroad), ["validation/unknown-reference /structure_id"]);
    let away = patch(&ours, CONTACTS, &roux, json!({"structure_id": 2})).await;
    assert_eq!(faults(away), ["validation/unknown-reference /structure_id"]);
    let seen = app.reader_of("morvan").get(CONTACTS).await.json();
    assert_eq!(column(&seen, "/last_name"), ["Roux"]);
    assert_eq!(seen["items"][0]["locked_reason"], "role");
    let all = app.superadmin().get(format!("{CONTACTS}?sort=-title")).await.json();
    assert_eq!(column(&all, "/last_name"), ["Sage", "Roux"]);
    let found = ours.get(format!("{CONTACTS}?search=accueil")).await.json();
    assert_eq!((column(&found, "/last_name"), found["total"].as_i64()), (vec!["Roux".to_owned()], Some(1)));
}

#[app_test]
async fn a_contact_of_a_structure_is_in_use(app: TestApp) {
    let admin = app.admin_of("morvan");
    let roux = made(&admin, CONTACTS, json!({"last_name": "Roux", "email": "a@roux.fr"})).await;
    let path = "/api/v1/structures/1";
    admin.clone().with("if-match", "*").patch(path, json!({"contact_id": id(&roux)})).await.expect(200);
    let refused = delete(&admin, CONTACTS, &roux, "").await.expect(409).problem();
    assert_eq!((refused.code.as_str(), &refused.params["uses"][0]["kind"]), ("contact/in-use", &json!("structure")));
    delete(&admin, CONTACTS, &roux, "?force=true").await.expect(204);
    assert_eq!(admin.get(path).await.json()["contact_id"], json!(null));
}

//! What the tests of the catalogue's records share.

use domain::Role;
use serde_json::{Value, json};
use testkit::{Client, Reply, TestApp};

/// Makes a record at a path.
pub async fn made(by: &Client, path: &str, body: Value) -> Value {
    by.post(path, body).await.expect(201).json()
}

/// Changes a record over the version it was read with.
pub async fn patch(by: &Client, path: &str, record: &Value, body: Value) -> Reply {
    by.clone().at_version(version(record)).patch(one(path, record), body).await
}

/// Deletes a record, with a query such as `?force=true`.
pub async fn delete(by: &Client, path: &str, record: &Value, query: &str) -> Reply {
    by.clone().at_version(version(record)).delete(format!("{}{query}", one(path, record))).await
}

/// Where a record is.
pub fn one(path: &str, record: &Value) -> String {
    format!("{path}/{}", id(record))
}

/// Its number.
pub fn id(record: &Value) -> i64 {
    record["id"].as_i64().unwrap()
}

/// Its version.
pub fn version(record: &Value) -> i64 {
    record["version"].as_i64().unwrap()
}

/// The codes of a 422, each with its field.
pub fn faults(reply: Reply) -> Vec<String> {
    let problem = reply.expect(422).problem();
    problem.errors.iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect()
}

/// A list's items by one of their fields.
pub fn column(list: &Value, pointer: &str) -> Vec<String> {
    let items = list["items"].as_array().unwrap().iter();
    items
        .map(|item| {
            item.pointer(pointer)
                .map(|found| found.as_str().map_or(found.to_string(), str::to_owned))
                .unwrap_or_default()
        })
        .collect()
}

/// The person of a role in Morvan works in the structure and the white-label of Vercors from now on.
pub async fn moved_to_vercors(app: &TestApp, role: Role) {
    let root = app.superadmin();
    let user = root.get(format!("/api/v1/users/{}", app.user(role, "morvan").await)).await.expect(200).json();
    let there = json!({"structure_id": 2, "white_label_ids": [app.white_label("vercors").await]});
    patch(&root, "/api/v1/users", &user, there).await.expect(200);
}

//! The authorisation matrix: each operation of the contract × each kind of person.
//!
//! A row says what an operation needs and what each person gets, as a status. An operation without a row fails, and so
//! does a row whose permission is not the one the contract names.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Method;
use domain::Role;
use macros::app_test;
use testkit::{Client, TestApp};

use crate::contract::operations;
use crate::{
    rows_catalogue, rows_feedback, rows_foundation, rows_ground, rows_imports, rows_media, rows_parcours, rows_public,
    rows_sit, rows_transit, rows_translation,
};

/// What the people get from an operation.
pub struct Row {
    /// Verb.
    pub verb: &'static str,
    /// Path as in the contract.
    pub path: &'static str,
    /// `public`, `key` for that of a white-label, or the capability it needs.
    pub permission: &'static str,
    /// The path of the request; `{poi}`, `{media}`, `{user}`, `{structure}`, `{white_label}` `{parcours}`, `{share}`, `{review}`,
    /// `{report}` are replaced by records of the Morvan, made anew for each request.
    pub example_path: &'static str,
    /// JSON sent along.
    pub body: Option<&'static str>,
    /// Statuses for: no session, a reader, an editor of another white-label, an editor, an agency, an admin, a superadmin.
    pub statuses: [u16; 7],
}

/// A row on one line: `row!("GET" "content.read" "/path/{id}", "/path/{poi}", None, STATUSES)`.
macro_rules! row {
    ($verb:literal $permission:literal $path:expr, $example_path:expr, $body:expr, $statuses:expr) => {
        $crate::matrix::Row {
            verb: $verb,
            path: $path,
            permission: $permission,
            example_path: $example_path,
            body: $body,
            statuses: $statuses,
        }
    };
}
pub(crate) use row;

pub fn rows() -> impl Iterator<Item = &'static Row> {
    rows_parcours::ROWS
        .iter()
        .chain(rows_catalogue::rows())
        .chain(rows_media::ROWS)
        .chain(rows_imports::ROWS)
        .chain(rows_sit::ROWS)
        .chain(rows_transit::ROWS)
        .chain(rows_translation::ROWS)
        .chain(rows_feedback::ROWS)
        .chain(rows_ground::ROWS)
        .chain(rows_foundation::ROWS)
        .chain(rows_public::ROWS)
}

fn people(app: &TestApp) -> [(&'static str, Client); 7] {
    [
        ("nobody", app.anonymous()),
        ("a reader", app.reader_of("morvan")),
        ("an editor of another white-label", app.editor_of("vercors")),
        ("an editor", app.editor_of("morvan")),
        ("an agency", app.agency_of("morvan")),
        ("an admin", app.admin_of("morvan")),
        ("a superadmin", app.superadmin()),
    ]
}

/// Makes the records that the placeholders of a path name, and puts their numbers into the path.
pub async fn with_records(app: &TestApp, example_path: &str) -> String {
    let mut path = example_path.to_owned();
    let mut put = |name: &str, id: i64| path = path.replace(name, &id.to_string());
    if example_path.contains("{poi}") {
        put("{poi}", app.poi().insert().await.id);
    }
    if example_path.contains("{media}") {
        put("{media}", app.media().insert().await.id);
    }
    path = rows_feedback::with_records(app, &path).await;
    path = rows_ground::with_records(app, &path).await;
    path = rows_parcours::with_records(app, &path).await;
    path = rows_catalogue::with_records(app, &path).await;
    path = rows_imports::with_records(app, &path).await;
    path = rows_sit::with_records(app, &path).await;
    path = rows_transit::with_records(app, &path).await;
    path = rows_translation::with_records(app, &path).await;
    let mut put = |name: &str, id: i64| path = path.replace(name, &id.to_string());
    if example_path.contains("{white_label}") {
        put("{white_label}", app.white_label("morvan").await.0);
    }
    if example_path.contains("{structure}") {
        put("{structure}", 1);
    }
    path
}

#[test]
fn every_operation_has_a_row_with_the_permission_of_the_contract() {
    let contract = serde_json::to_value(api::openapi()).unwrap();
    let mut found = BTreeSet::new();
    for (verb, path, operation) in operations(&contract) {
        let doors = operation["security"].as_array().unwrap();
        let open = doors.is_empty() || doors.iter().any(|door| door.as_object().unwrap().is_empty());
        let permission = match () {
            () if open => "public",
            () if doors[0]["api_key"].is_array() => "key",
            () => doors[0]["session"][0].as_str().expect("a capability, or nothing at all"),
        };
        found.insert((verb, path, permission.to_owned()));
    }
    let rows: BTreeSet<_> =
        rows().map(|row| (row.verb.to_owned(), row.path.to_owned(), row.permission.to_owned())).collect();
    let without: Vec<_> = found.difference(&rows).collect();
    let stale: Vec<_> = rows.difference(&found).collect();
    assert!(
        without.is_empty() && stale.is_empty(),
        "operations without a row: {without:#?}\nrows without an operation: {stale:#?}"
    );
}

#[test]
fn the_statuses_of_a_row_fit_its_permission() {
    for row in rows().filter(|row| row.permission == "key") {
        assert_eq!(row.statuses, [401; 7], "{} {}: a session is no key", row.verb, row.path);
    }
    for row in rows().filter(|row| !["public", "key"].contains(&row.permission)) {
        let needed = domain::Capability::ALL.into_iter().find(|capability| capability.as_str() == row.permission);
        let needed =
            needed.unwrap_or_else(|| panic!("{} {}: `{}` is no capability", row.verb, row.path, row.permission));
        assert_eq!(row.statuses[0], 401, "{} {}: nobody is asked to sign in", row.verb, row.path);
        let roles = [Role::Reader, Role::Editor, Role::Editor, Role::Agency, Role::Admin, Role::Superadmin];
        for (role, status) in roles.into_iter().zip(&row.statuses[1..]) {
            assert!(
                role.can(needed) || *status == 403,
                "{} {}: {role:?} may not {}",
                row.verb,
                row.path,
                row.permission
            );
        }
    }
}

#[app_test]
async fn each_role_gets_the_statuses_of_the_matrix(app: TestApp) {
    let mut wrong = Vec::new();
    for row in rows() {
        for ((person, client), expected) in people(&app).into_iter().zip(row.statuses) {
            let path = with_records(&app, row.example_path).await;
            let (verb, body) = (Method::from_bytes(row.verb.as_bytes()).unwrap(), row.body.unwrap_or_default());
            let content_type = row.body.map(|_| "application/json");
            let reply = client.with("if-match", "*").send(verb, &path, content_type, Body::from(body)).await;
            if reply.status.as_u16() != expected {
                wrong.push(format!(
                    "{} {path} by {person}: {} instead of {expected} {}",
                    row.verb,
                    reply.status,
                    reply.text()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Rows of the matrix: media and files on their way in.

use crate::matrix::{Row, row};

/// A media that nothing published shows: the other white-label's editor does not see it.
const OURS: [u16; 7] = [401, 200, 404, 200, 200, 200, 200];

/// Statuses for users who may write content.
const fn editors(status: u16) -> [u16; 7] {
    [401, 403, 404, status, status, status, status]
}

/// Statuses for users who may write, of an operation that touches no white-label's content.
const fn writers(status: u16) -> [u16; 7] {
    [401, 403, status, status, status, status, status]
}

/// The rows.
pub const ROWS: &[Row] = &[
    // An empty body is not a file.
    row!("POST" "content.write" "/api/v1/medias", "/api/v1/medias", None, writers(422)),
    row!("GET" "content.read" "/api/v1/medias/{id}", "/api/v1/medias/{media}", None, OURS),
    row!("PATCH" "content.write" "/api/v1/medias/{id}", "/api/v1/medias/{media}", Some(r#"{"legend":{"fr":"Le lac"}}"#), editors(200)),
    row!("DELETE" "content.write" "/api/v1/medias/{id}", "/api/v1/medias/{media}", None, editors(204)),
    row!("GET" "content.read" "/api/v1/medias/{id}/uses", "/api/v1/medias/{media}/uses", None, OURS),
    row!("GET" "content.read" "/api/v1/medias/{id}/revisions", "/api/v1/medias/{media}/revisions", None, OURS),
    row!("GET" "content.read" "/api/v1/medias/{id}/revisions/{version}", "/api/v1/medias/{media}/revisions/1", None, OURS),
    row!("POST" "content.write" "/api/v1/medias/{id}/revisions/{version}/restoration",
        "/api/v1/medias/{media}/revisions/1/restoration", Some("{}"), editors(200)),
    row!("PUT" "content.write" "/api/v1/medias/{id}/file", "/api/v1/medias/{media}/file", None, editors(422)),
    row!("PUT" "content.write" "/api/v1/medias/{id}/poster", "/api/v1/medias/{media}/poster", None, editors(422)),
    row!("PUT" "content.write" "/api/v1/medias/{id}/translations/{language}", "/api/v1/medias/{media}/translations/en", None, editors(422)),
    row!("DELETE" "content.write" "/api/v1/medias/{id}/translations/{language}", "/api/v1/medias/{media}/translations/en", None, editors(200)),
    row!("PUT" "content.publish" "/api/v1/medias/{id}/white-labels/{white_label_id}", "/api/v1/medias/{media}/white-labels/{white_label}",
        Some(r#"{"published":true}"#), editors(409)),
    row!("DELETE" "content.publish" "/api/v1/medias/{id}/white-labels/{white_label_id}", "/api/v1/medias/{media}/white-labels/{white_label}",
        None, editors(404)),
    row!("POST" "content.write" "/api/v1/medias/bulk", "/api/v1/medias/bulk", Some(r#"{"ids":[],"action":"delete"}"#), writers(200)),
    row!("POST" "content.write" "/api/v1/medias/bulk/undo", "/api/v1/medias/bulk/undo", Some(r#"{"undo_token":"x"}"#), writers(404)),
    Row { statuses: [204; 7], ..row!("OPTIONS" "public" "/api/v1/uploads", "/api/v1/uploads", None, [204; 7]) },
    // Without the protocol's own header nothing of it is spoken.
    row!("POST" "content.write" "/api/v1/uploads", "/api/v1/uploads", None, writers(412)),
    row!("HEAD" "content.write" "/api/v1/uploads/{token}", "/api/v1/uploads/x", None, writers(412)),
    row!("GET" "content.write" "/api/v1/uploads/{token}", "/api/v1/uploads/x", None, writers(404)),
    row!("PATCH" "content.write" "/api/v1/uploads/{token}", "/api/v1/uploads/x", None, writers(412)),
    row!("DELETE" "content.write" "/api/v1/uploads/{token}", "/api/v1/uploads/x", None, writers(412)),
];

//! Rows of the matrix: session, reference, users, POIs, media, guide, map, runtime.

use crate::matrix::Row;

const ALL_SIGNED_IN: [u16; 7] = [401, 200, 200, 200, 200, 200, 200];
const ADMINS: [u16; 7] = [401, 403, 403, 403, 403, 200, 200];
const EVERYBODY: [u16; 7] = [200; 7];

const fn read(path: &'static str, example_path: &'static str, statuses: [u16; 7]) -> Row {
    Row { verb: "GET", path, permission: "content.read", example_path, body: None, statuses }
}

const fn public(verb: &'static str, path: &'static str, example_path: &'static str, status: u16) -> Row {
    Row { verb, path, permission: "public", example_path, body: None, statuses: [status; 7] }
}

/// The rows.
pub const ROWS: &[Row] = &[
    Row { permission: "users.manage", ..read("/api/v1/audit-events", "/api/v1/audit-events", ADMINS) },
    Row {
        permission: "users.manage",
        ..read("/api/v1/audit-events/export.csv", "/api/v1/audit-events/export.csv", ADMINS)
    },
    Row { permission: "users.manage", ..read("/api/v1/jobs", "/api/v1/jobs", ADMINS) },
    Row { permission: "users.manage", ..read("/api/v1/status", "/api/v1/status", ADMINS) },
    Row {
        verb: "POST",
        permission: "users.manage",
        ..read("/api/v1/jobs/{id}/retry", "/api/v1/jobs/0/retry", [401, 403, 403, 403, 403, 404, 404])
    },
    Row {
        verb: "POST",
        permission: "users.manage",
        ..read("/api/v1/jobs/{id}/cancel", "/api/v1/jobs/0/cancel", [401, 403, 403, 403, 403, 404, 404])
    },
    read("/api/v1/session", "/api/v1/session", ALL_SIGNED_IN),
    Row { body: Some("{}"), ..public("POST", "/api/v1/session", "/api/v1/session", 422) },
    Row {
        verb: "PATCH",
        path: "/api/v1/me",
        permission: "content.read",
        example_path: "/api/v1/me",
        body: Some("{}"),
        statuses: ALL_SIGNED_IN,
    },
    Row { verb: "POST", ..read("/api/v1/me/totp", "/api/v1/me/totp", ALL_SIGNED_IN) },
    // No code, no password: refused once the user is known.
    Row {
        verb: "PUT",
        body: Some("{}"),
        ..read("/api/v1/me/totp", "/api/v1/me/totp", [401, 422, 422, 422, 422, 422, 422])
    },
    Row {
        verb: "DELETE",
        body: Some("{}"),
        ..read("/api/v1/me/totp", "/api/v1/me/totp", [401, 422, 422, 422, 422, 422, 422])
    },
    Row {
        verb: "PUT",
        body: Some("{}"),
        ..read("/api/v1/me/password", "/api/v1/me/password", [401, 422, 422, 422, 422, 422, 422])
    },
    read("/api/v1/me/sessions", "/api/v1/me/sessions", ALL_SIGNED_IN),
    Row {
        verb: "DELETE",
        ..read("/api/v1/me/sessions/{id}", "/api/v1/me/sessions/0", [401, 404, 404, 404, 404, 404, 404])
    },
    Row { verb: "DELETE", ..read("/api/v1/me/sessions", "/api/v1/me/sessions", [401, 204, 204, 204, 204, 204, 204]) },
    read("/api/v1/me/tokens", "/api/v1/me/tokens", ALL_SIGNED_IN),
    Row {
        verb: "POST",
        body: Some("{}"),
        ..read("/api/v1/me/tokens", "/api/v1/me/tokens", [401, 422, 422, 422, 422, 422, 422])
    },
    Row {
        verb: "DELETE",
        ..read("/api/v1/me/tokens/{id}", "/api/v1/me/tokens/0", [401, 404, 404, 404, 404, 404, 404])
    },
    Row { body: Some("{}"), ..public("POST", "/api/v1/password-resets", "/api/v1/password-resets", 422) },
    public("GET", "/api/v1/password-resets/{token}", "/api/v1/password-resets/x", 404),
    Row {
        body: Some(r#"{"password":"le vent tourne"}"#),
        ..public("PUT", "/api/v1/password-resets/{token}", "/api/v1/password-resets/x", 404)
    },
    read("/api/v1/vocabularies/{kind}", "/api/v1/vocabularies/tag", ALL_SIGNED_IN),
    read("/api/v1/structures", "/api/v1/structures", ALL_SIGNED_IN),
    read("/api/v1/white-labels", "/api/v1/white-labels", ALL_SIGNED_IN),
    Row { permission: "users.manage", ..read("/api/v1/users", "/api/v1/users", [401, 403, 403, 403, 403, 200, 200]) },
    read("/api/v1/pois", "/api/v1/pois", ALL_SIGNED_IN),
    read("/api/v1/medias", "/api/v1/medias", ALL_SIGNED_IN),
    Row {
        statuses: [404, 200, 404, 200, 200, 200, 200],
        ..public("GET", "/media/{id}/{variant}", "/media/{media}/original", 200)
    },
    read("/api/v1/guide", "/api/v1/guide", ALL_SIGNED_IN),
    read("/api/v1/guide/{slug}", "/api/v1/guide/se-connecter", ALL_SIGNED_IN),
    public("GET", "/guide/img/{file}", "/guide/img/missing.png", 404),
    read("/api/v1/statistics", "/api/v1/statistics", ALL_SIGNED_IN),
    read("/api/v1/statistics/breakdown", "/api/v1/statistics/breakdown", ALL_SIGNED_IN),
    read("/api/v1/statistics/map", "/api/v1/statistics/map", ALL_SIGNED_IN),
    Row {
        permission: "content.export",
        ..read("/api/v1/statistics/export.csv", "/api/v1/statistics/export.csv", ALL_SIGNED_IN)
    },
    Row {
        verb: "POST",
        permission: "content.import",
        body: Some("Date,Installs\n2026-01-01,3\n"),
        ..read(
            "/api/v1/statistics/installs",
            "/api/v1/statistics/installs?white_label_id={white_label}&store=app_store",
            [401, 403, 404, 200, 200, 200, 200],
        )
    },
    public("GET", "/map/{style}", "/map/style-light.json", 200),
    public("GET", "/map/tiles/{z}/{x}/{y}", "/map/tiles/1/0/0.mvt", 404),
    public("GET", "/map/relief/{z}/{x}/{y}", "/map/relief/1/0/0.png", 404),
    public("GET", "/map/squares/{z}/{x}/{y}", "/map/squares/1/0/0.svg", 404),
    public("GET", "/map/glyphs/{fontstack}/{range}", "/map/glyphs/Noto%20Sans%20Regular/0-255.pbf", 200),
    public("GET", "/map/sprite/{file}", "/map/sprite/light.json", 200),
    Row { statuses: EVERYBODY, ..public("GET", "/payload.json", "/payload.json", 200) },
    public("GET", "/builds/latest.json", "/builds/latest.json", 200),
    public("GET", "/builds/meta/{id}", "/builds/meta/dev.json", 200),
    public("GET", "/health", "/health", 200),
    public("GET", "/livez", "/livez", 200),
    public("GET", "/readyz", "/readyz", 200),
    // Last, for they end the session of the client; the testkit's is gone after the first.
    Row {
        verb: "DELETE",
        path: "/api/v1/sessions",
        permission: "content.read",
        example_path: "/api/v1/sessions",
        body: None,
        statuses: [401, 204, 204, 204, 204, 204, 204],
    },
    public("DELETE", "/api/v1/session", "/api/v1/session", 204),
];

//! Rows of the matrix: parcours, planner, sharing.

use serde_json::json;
use testkit::TestApp;

use crate::matrix::Row;
use crate::parcours_kit::{eastward, gpx, imported, made, published, shared};

/// Statuses for all signed-in users.
const ALL: [u16; 7] = [401, 200, 200, 200, 200, 200, 200];
/// Statuses for people of the Morvan: the parcours is a draft, which the other white-label does not see.
const OURS: [u16; 7] = [401, 200, 404, 200, 200, 200, 200];

const fn read(path: &'static str, example_path: &'static str, statuses: [u16; 7]) -> Row {
    Row { verb: "GET", path, permission: "content.read", example_path, body: None, statuses }
}

/// A write that readers may not do; other tenants' editors do not see a draft.
const fn write(
    verb: &'static str,
    permission: &'static str,
    path: &'static str,
    example_path: &'static str,
    body: Option<&'static str>,
    status: u16,
) -> Row {
    Row { verb, path, permission, example_path, body, statuses: [401, 403, 404, status, status, status, status] }
}

/// What people of an agency, administrators and superadmins may do.
const fn agency(
    verb: &'static str,
    path: &'static str,
    example_path: &'static str,
    body: Option<&'static str>,
    status: u16,
) -> Row {
    let statuses = [401, 403, 403, 403, status, status, status];
    Row { verb, path, permission: "agency.fields", example_path, body, statuses }
}

/// A client file.
const FILE: Option<&str> = Some(r#"{"reference":"2027-001"}"#);

const fn export(path: &'static str, example_path: &'static str, statuses: [u16; 7]) -> Row {
    Row { permission: "content.export", ..read(path, example_path, statuses) }
}

/// The rows.
pub const ROWS: &[Row] = &[
    read("/api/v1/parcours", "/api/v1/parcours", ALL),
    read("/api/v1/parcours/views", "/api/v1/parcours/views", ALL),
    read("/api/v1/parcours/map", "/api/v1/parcours/map?zoom=8", ALL),
    export("/api/v1/parcours/export.geojson", "/api/v1/parcours/export.geojson?ids=0", ALL),
    export("/api/v1/parcours/export.csv", "/api/v1/parcours/export.csv?ids=0", ALL),
    Row {
        statuses: [401, 403, 201, 201, 201, 201, 201],
        ..write("POST", "content.write", "/api/v1/parcours", "/api/v1/parcours", Some(r#"{"title":{"fr":"Lac"}}"#), 201)
    },
    Row {
        statuses: [401, 403, 200, 200, 200, 200, 200],
        ..write(
            "POST",
            "content.write",
            "/api/v1/parcours/bulk",
            "/api/v1/parcours/bulk",
            Some(r#"{"ids":[],"action":"publish"}"#),
            200,
        )
    },
    write(
        "POST",
        "content.write",
        "/api/v1/parcours/bulk/undo",
        "/api/v1/parcours/bulk/undo",
        Some(r#"{"undo_token":"x"}"#),
        404,
    ),
    read("/api/v1/parcours/{id}", "/api/v1/parcours/{parcours}", OURS),
    write(
        "PATCH",
        "content.write",
        "/api/v1/parcours/{id}",
        "/api/v1/parcours/{parcours}",
        Some(r#"{"is_loop":true}"#),
        200,
    ),
    write("DELETE", "content.write", "/api/v1/parcours/{id}", "/api/v1/parcours/{parcours}", None, 204),
    read("/api/v1/parcours/{id}/uses", "/api/v1/parcours/{parcours}/uses", OURS),
    write(
        "POST",
        "content.publish",
        "/api/v1/parcours/{id}/publication",
        "/api/v1/parcours/{parcours}/publication",
        None,
        200,
    ),
    write(
        "DELETE",
        "content.publish",
        "/api/v1/parcours/{id}/publication",
        "/api/v1/parcours/{parcours}/publication",
        None,
        200,
    ),
    // It is ours already: nothing to add, nothing to take away.
    write(
        "PUT",
        "content.publish",
        "/api/v1/parcours/{id}/white-labels/{white_label_id}",
        "/api/v1/parcours/{parcours}/white-labels/{white_label}",
        Some(r#"{"published":true}"#),
        409,
    ),
    write(
        "DELETE",
        "content.publish",
        "/api/v1/parcours/{id}/white-labels/{white_label_id}",
        "/api/v1/parcours/{parcours}/white-labels/{white_label}",
        None,
        404,
    ),
    read("/api/v1/parcours/{id}/proposals", "/api/v1/parcours/{parcours}/proposals", OURS),
    write(
        "PUT",
        "content.write",
        "/api/v1/parcours/{id}/proposals/{proposal_id}",
        "/api/v1/parcours/{parcours}/proposals/0",
        Some(r#"{"accepted":false}"#),
        404,
    ),
    // The parent is published, so that the others see it; it is not theirs.
    Row {
        statuses: [401, 403, 403, 200, 200, 200, 200],
        ..write(
            "PUT",
            "content.publish",
            "/api/v1/parcours/{id}/children/{child_id}",
            "/api/v1/parcours/{child}",
            Some(r#"{"accepted":true}"#),
            200,
        )
    },
    write(
        "POST",
        "content.write",
        "/api/v1/parcours/{id}/duplicate",
        "/api/v1/parcours/{parcours}/duplicate",
        Some(r#"{"title":"Copie"}"#),
        201,
    ),
    read("/api/v1/parcours/{id}/revisions", "/api/v1/parcours/{parcours}/revisions", OURS),
    read("/api/v1/parcours/{id}/revisions/{version}", "/api/v1/parcours/{parcours}/revisions/1", OURS),
    write(
        "POST",
        "content.write",
        "/api/v1/parcours/{id}/revisions/{version}/restoration",
        "/api/v1/parcours/{parcours}/revisions/1/restoration",
        Some("{}"),
        200,
    ),
    Row {
        verb: "POST",
        body: Some("{}"),
        ..read("/api/v1/parcours/{id}/presence", "/api/v1/parcours/{parcours}/presence", OURS)
    },
    read("/api/v1/parcours/{id}/trace", "/api/v1/parcours/{traced}/trace", OURS),
    write(
        "PUT",
        "content.write",
        "/api/v1/parcours/{id}/trace",
        "/api/v1/parcours/{traced}/trace",
        Some(r#"{"mode":"source","legs":[]}"#),
        422,
    ),
    write(
        "POST",
        "content.import",
        "/api/v1/parcours/{id}/trace/source",
        "/api/v1/parcours/{parcours}/trace/source?file_name=x.gpx",
        Some("{}"),
        422,
    ),
    export("/api/v1/parcours/{id}/trace/source", "/api/v1/parcours/{traced}/trace/source", OURS),
    write(
        "POST",
        "content.write",
        "/api/v1/parcours/{id}/trace/original",
        "/api/v1/parcours/{traced}/trace/original",
        None,
        200,
    ),
    write(
        "POST",
        "content.write",
        "/api/v1/parcours/{id}/recalculation",
        "/api/v1/parcours/{traced}/recalculation",
        Some("{}"),
        200,
    ),
    export("/api/v1/parcours/{id}/trace.gpx", "/api/v1/parcours/{traced}/trace.gpx", OURS),
    export("/api/v1/parcours/{id}/trace.kml", "/api/v1/parcours/{traced}/trace.kml", OURS),
    export("/api/v1/parcours/{id}/trace.geojson", "/api/v1/parcours/{traced}/trace.geojson", OURS),
    export("/api/v1/parcours/{id}/trace.tcx", "/api/v1/parcours/{traced}/trace.tcx", OURS),
    Row {
        verb: "POST",
        body: Some("{}"),
        ..read(
            "/api/v1/traces/inspections",
            "/api/v1/traces/inspections?file_name=x.gpx",
            [401, 422, 422, 422, 422, 422, 422],
        )
    },
    Row {
        verb: "POST",
        body: Some(r#"{"points":[],"profile":"hiking"}"#),
        ..read("/api/v1/planner/route", "/api/v1/planner/route", [401, 503, 503, 503, 503, 503, 503])
    },
    Row {
        verb: "POST",
        body: Some(r#"{"points":[],"profile":"hiking","count":2}"#),
        ..read("/api/v1/planner/alternatives", "/api/v1/planner/alternatives", [401, 503, 503, 503, 503, 503, 503])
    },
    Row {
        verb: "POST",
        body: Some(r#"{"start":[1.5,42.5],"profile":"hiking","length_m":5000,"count":1}"#),
        ..read("/api/v1/planner/loops", "/api/v1/planner/loops", [401, 503, 503, 503, 503, 503, 503])
    },
    Row {
        verb: "POST",
        body: Some(r#"{"points":[],"profile":"hiking"}"#),
        ..read("/api/v1/planner/matrix", "/api/v1/planner/matrix", [401, 503, 503, 503, 503, 503, 503])
    },
    Row {
        verb: "POST",
        body: Some(r#"{"from":[1.5,42.5],"profile":"hiking","times_s":[600]}"#),
        ..read("/api/v1/planner/isochrone", "/api/v1/planner/isochrone", [401, 503, 503, 503, 503, 503, 503])
    },
    Row {
        verb: "POST",
        body: Some(r#"{"coordinates":[[1.5,42.5],[1.6,42.5]],"profile":"hiking"}"#),
        ..read("/api/v1/planner/match", "/api/v1/planner/match", [401, 503, 503, 503, 503, 503, 503])
    },
    Row {
        verb: "POST",
        body: Some(r#"{"coordinates":[[1.5,42.5],[1.6,42.5]],"profile":"hiking"}"#),
        ..read("/api/v1/planner/score", "/api/v1/planner/score", [401, 503, 503, 503, 503, 503, 503])
    },
    Row {
        verb: "POST",
        body: Some(r#"{"legs":[],"mode":"source","profile":"hiking"}"#),
        ..read("/api/v1/planner/analysis", "/api/v1/planner/analysis", [401, 422, 422, 422, 422, 422, 422])
    },
    read("/api/v1/planner/status", "/api/v1/planner/status", ALL),
    read("/api/v1/planner/watch", "/api/v1/planner/watch", ALL),
    read("/api/v1/planner/watch/changes", "/api/v1/planner/watch/changes?guidance=lost,gained", ALL),
    read("/api/v1/planner/watch/trace-faults", "/api/v1/planner/watch/trace-faults?owner=mine", ALL),
    Row {
        statuses: [401, 403, 404, 404, 404, 404, 404],
        ..write(
            "POST",
            "content.write",
            "/api/v1/planner/watch/changes/{id}/seen",
            "/api/v1/planner/watch/changes/0/seen",
            None,
            404,
        )
    },
    Row {
        statuses: [401, 403, 403, 403, 403, 403, 503],
        ..write("POST", "reference.manage", "/api/v1/planner/watch/runs", "/api/v1/planner/watch/runs", None, 503)
    },
    read("/api/v1/parcours/{id}/audio/{language}", "/api/v1/parcours/{parcours}/audio/fr", OURS),
    write(
        "PUT",
        "content.write",
        "/api/v1/parcours/{id}/audio/{language}",
        "/api/v1/parcours/{parcours}/audio/fr",
        Some("{}"),
        200,
    ),
    // Nothing was written yet: there is nothing to say, and nothing to stop.
    write(
        "POST",
        "content.write",
        "/api/v1/parcours/{id}/audio/{language}/speech",
        "/api/v1/parcours/{parcours}/audio/fr/speech",
        None,
        409,
    ),
    write(
        "DELETE",
        "content.write",
        "/api/v1/parcours/{id}/audio/{language}/speech",
        "/api/v1/parcours/{parcours}/audio/fr/speech",
        None,
        409,
    ),
    read("/api/v1/voices", "/api/v1/voices", ALL),
    read("/api/v1/parcours/{id}/roadbook", "/api/v1/parcours/{parcours}/roadbook", OURS),
    write(
        "PUT",
        "content.write",
        "/api/v1/parcours/{id}/roadbook",
        "/api/v1/parcours/{parcours}/roadbook",
        Some(r#"{"format":"a4"}"#),
        200,
    ),
    Row {
        verb: "POST",
        body: Some("{}"),
        ..read(
            "/api/v1/parcours/{id}/roadbook/preview",
            "/api/v1/parcours/{parcours}/roadbook/preview",
            [401, 503, 404, 503, 503, 503, 503],
        )
    },
    Row {
        verb: "POST",
        ..export(
            "/api/v1/parcours/{id}/roadbook/pdf",
            "/api/v1/parcours/{parcours}/roadbook/pdf",
            [401, 503, 404, 503, 503, 503, 503],
        )
    },
    read("/api/v1/parcours/{id}/client-files", "/api/v1/parcours/{parcours}/client-files", OURS),
    agency("POST", "/api/v1/parcours/{id}/client-files", "/api/v1/parcours/{parcours}/client-files", FILE, 201),
    read("/api/v1/parcours/{id}/client-files/{file_id}", "/api/v1/parcours/{client_file}", OURS),
    agency("PUT", "/api/v1/parcours/{id}/client-files/{file_id}", "/api/v1/parcours/{client_file}", FILE, 200),
    agency("DELETE", "/api/v1/parcours/{id}/client-files/{file_id}", "/api/v1/parcours/{client_file}", None, 204),
    export("/api/v1/roadbook-batches", "/api/v1/roadbook-batches", ALL),
    Row {
        verb: "POST",
        body: Some(r#"{"filter":{}}"#),
        ..export("/api/v1/roadbook-batches", "/api/v1/roadbook-batches", [401, 503, 503, 503, 503, 503, 503])
    },
    export("/api/v1/roadbook-batches/{id}", "/api/v1/roadbook-batches/0", [401, 404, 404, 404, 404, 404, 404]),
    Row {
        verb: "DELETE",
        ..export("/api/v1/roadbook-batches/{id}", "/api/v1/roadbook-batches/0", [401, 404, 404, 404, 404, 404, 404])
    },
    export(
        "/api/v1/roadbook-batches/{id}/file",
        "/api/v1/roadbook-batches/0/file",
        [401, 404, 404, 404, 404, 404, 404],
    ),
    read("/api/v1/parcours/{id}/shares", "/api/v1/parcours/{parcours}/shares", OURS),
    write(
        "POST",
        "content.share",
        "/api/v1/parcours/{id}/shares",
        "/api/v1/parcours/{parcours}/shares",
        Some(r#"{"kind":"permanent"}"#),
        201,
    ),
    write("DELETE", "content.share", "/api/v1/parcours/{id}/shares/{share_id}", "/api/v1/parcours/{share}", None, 204),
    read("/api/v1/parcours/{id}/shares/{share_id}/qr.svg", "/api/v1/parcours/{share}/qr.svg", OURS),
    read("/api/v1/parcours/{id}/shares/{share_id}/qr.png", "/api/v1/parcours/{share}/qr.png", OURS),
];

/// Puts the numbers of things made anew into a path: `{parcours}`, `{traced}` with a trace, `{share}` as `7/shares/3`, `{child}` as
/// `7/children/9`, where 9 is of another white-label, `{client_file}` as `7/client-files/3`.
pub async fn with_records(app: &TestApp, example_path: &str) -> String {
    if !["{parcours}", "{traced}", "{share}", "{child}", "{client_file}"].iter().any(|name| example_path.contains(name))
    {
        return example_path.to_owned();
    }
    let editor = app.editor_of("morvan");
    if example_path.contains("{child}") {
        let (parent, others) = (shared(&editor, "Lac").await, app.editor_of("vercors"));
        let child = made(&others, "Variante", json!({"relation": "child", "parent_id": parent["id"]})).await;
        let child = published(&others, &child).await;
        return example_path.replace("{child}", &format!("{}/children/{}", parent["id"], child["id"]));
    }
    let parcours = made(&editor, "Lac", json!({})).await;
    if example_path.contains("{traced}") {
        imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200).json();
    }
    let mut path = example_path
        .replace("{parcours}", &parcours["id"].to_string())
        .replace("{traced}", &parcours["id"].to_string());
    if example_path.contains("{share}") {
        let shares = format!("/api/v1/parcours/{}/shares", parcours["id"]);
        let share = editor.post(shares, json!({"kind": "temporary", "days": 1})).await.expect(201).json();
        path = path.replace("{share}", &format!("{}/shares/{}", parcours["id"], share["id"]));
    }
    if example_path.contains("{client_file}") {
        let files = format!("/api/v1/parcours/{}/client-files", parcours["id"]);
        let file = app.agency_of("morvan").post(files, json!({"reference": "2027-001"})).await.expect(201).json();
        path = path.replace("{client_file}", &format!("{}/client-files/{}", parcours["id"], file["id"]));
    }
    path
}

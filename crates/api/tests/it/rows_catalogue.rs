//! Rows of the matrix: the records of the catalogue.

use domain::itinerary::ItinerarySheet;
use domain::vocabulary::{TermSheet, VocabularyKind};
use domain::{ContactSheet, Text, UserSheet};
use store::contact::Contacts;
use store::itinerary::Itineraries;
use store::record::{Change, Record, Stored};
use store::user::Users;
use store::vocabulary::Terms;
use testkit::TestApp;

use crate::matrix::{Row, row};

const ALL: [u16; 7] = [401, 200, 200, 200, 200, 200, 200];
/// A draft, or a record of the own structure: the other white-label's editor does not see it.
const OURS: [u16; 7] = [401, 200, 404, 200, 200, 200, 200];

/// Statuses for a write of content; readers may not, and other tenants' editors do not see a draft.
const fn editors(status: u16) -> [u16; 7] {
    [401, 403, 404, status, status, status, status]
}

const fn admins(status: u16) -> [u16; 7] {
    [401, 403, 403, 403, 403, status, status]
}

const fn superadmin(status: u16) -> [u16; 7] {
    [401, 403, 403, 403, 403, 403, status]
}

/// The rows of the eight operations that every record has.
macro_rules! record {
    (
        $base:literal example_path $example_path:literal $one:literal; see $see:expr, history $history:expr;
        create $create:literal $new:literal $created:expr; change $change:literal $patch:literal $changed:expr;
        delete $delete:literal $deleted:expr
    ) => {
        [
            row!("POST" $create $base, $example_path, Some($new), $created),
            row!("GET" "content.read" concat!($base, "/{id}"), concat!($example_path, $one), None, $see),
            row!("PATCH" $change concat!($base, "/{id}"), concat!($example_path, $one), Some($patch), $changed),
            row!("DELETE" $delete concat!($base, "/{id}"), concat!($example_path, $one), None, $deleted),
            row!("GET" "content.read" concat!($base, "/{id}/uses"), concat!($example_path, $one, "/uses"), None, $see),
            row!("GET" "content.read" concat!($base, "/{id}/revisions"), concat!($example_path, $one, "/revisions"), None, $history),
            row!("GET" "content.read" concat!($base, "/{id}/revisions/{version}"), concat!($example_path, $one, "/revisions/1"), None, $history),
            row!("POST" $change concat!($base, "/{id}/revisions/{version}/restoration"),
                concat!($example_path, $one, "/revisions/1/restoration"), Some("{}"), $changed),
        ]
    };
}

const TERMS: [Row; 8] = record! {
    "/api/v1/vocabularies/{kind}" example_path "/api/v1/vocabularies/tag" "/{term}"; see ALL, history ALL;
    create "reference.manage" r#"{"label":{"fr":"Nuit"}}"# superadmin(201);
    change "reference.manage" r#"{"label":{"en":"Night"}}"# superadmin(200);
    delete "reference.manage" superadmin(204)
};

const STRUCTURES: [Row; 8] = record! {
    "/api/v1/structures" example_path "/api/v1/structures" "/{structure}"; see ALL, history [401, 200, 403, 200, 200, 200, 200];
    create "reference.manage" r#"{"name":""}"# superadmin(422);
    change "users.manage" r#"{"phone":"0385868038"}"# admins(200);
    delete "reference.manage" superadmin(409)
};

const CONTACTS: [Row; 8] = record! {
    "/api/v1/contacts" example_path "/api/v1/contacts" "/{contact}"; see OURS, history OURS;
    create "users.manage" r#"{"last_name":""}"# admins(422);
    change "users.manage" r#"{"phone":"0385868038"}"# admins(200);
    delete "users.manage" admins(204)
};

const PROVIDER_LINKS: [Row; 8] = record! {
    "/api/v1/provider-links" example_path "/api/v1/provider-links" "/{provider_link}"; see OURS, history OURS;
    create "content.write" r#"{"name":""}"# [401, 403, 422, 422, 422, 422, 422];
    change "content.write" r#"{"address":"1 rue du Lac"}"# editors(200);
    delete "content.write" editors(204)
};

const SURVEY_CAMPAIGNS: [Row; 8] = record! {
    "/api/v1/survey-campaigns" example_path "/api/v1/survey-campaigns" "/{survey_campaign}"; see OURS, history OURS;
    create "content.write" r#"{"name":""}"# [401, 403, 422, 422, 422, 422, 422];
    change "content.write" r#"{"due_on":"2027-06-30"}"# editors(200);
    delete "content.write" editors(204)
};

/// For users who do not manage them, users are not found.
const PEOPLE: [u16; 7] = [401, 404, 404, 404, 404, 200, 200];

const USERS: [Row; 8] = record! {
    "/api/v1/users" example_path "/api/v1/users" "/{user}"; see PEOPLE, history PEOPLE;
    create "users.manage" r#"{"last_name":""}"# admins(422);
    change "users.manage" r#"{"phone":"0385868038"}"# admins(200);
    delete "users.manage" admins(204)
};

const POIS: [Row; 8] = record! {
    "/api/v1/pois" example_path "/api/v1/pois" "/{poi}"; see OURS, history OURS;
    create "content.write" r#"{"title":{"fr":"Lac"},"location":[4.0,47.0]}"# [401, 403, 201, 201, 201, 201, 201];
    change "content.write" r#"{"phone":"01"}"# editors(200);
    delete "content.write" editors(204)
};

const LINES: [Row; 8] = record! {
    "/api/v1/transport-lines" example_path "/api/v1/transport-lines" "/{line}"; see ALL, history [401, 200, 403, 200, 200, 200, 200];
    create "content.write" r#"{"long_name":""}"# [401, 403, 422, 422, 422, 422, 422];
    change "content.write" r#"{"short_name":"C38"}"# [401, 403, 403, 200, 200, 200, 200];
    delete "content.write" [401, 403, 403, 204, 204, 204, 204]
};

const WHITE_LABELS: [Row; 8] = record! {
    "/api/v1/white-labels" example_path "/api/v1/white-labels" "/{white_label}"; see ALL, history [401, 200, 403, 200, 200, 200, 200];
    create "reference.manage" r#"{"name":""}"# superadmin(422);
    change "settings.manage" r#"{"rating_min":1}"# admins(200);
    delete "reference.manage" superadmin(409)
};

const ITINERARIES: [Row; 8] = record! {
    "/api/v1/itineraries" example_path "/api/v1/itineraries" "/{itinerary}"; see ALL, history ALL;
    create "reference.manage" r#"{"name":{}}"# superadmin(422);
    change "reference.manage" r#"{"code":"EV 6"}"# superadmin(200);
    delete "reference.manage" superadmin(204)
};

const CLOSURES: [Row; 8] = record! {
    "/api/v1/closures" example_path "/api/v1/closures" "/{closure}"; see ALL, history [401, 200, 403, 200, 200, 200, 200];
    create "content.write" r#"{"title":{}}"# [401, 403, 422, 422, 422, 422, 422];
    change "content.write" r#"{"kind":"weather"}"# [401, 403, 403, 200, 200, 200, 200];
    delete "content.write" [401, 403, 403, 204, 204, 204, 204]
};

const OTHERS: &[Row] = &[
    row!("GET" "content.read" "/api/v1/closures", "/api/v1/closures", None, ALL),
    row!("GET" "content.read" "/api/v1/closures/{id}/parcours", "/api/v1/closures/{closure}/parcours", None, ALL),
    row!("GET" "content.read" "/api/v1/parcours/{id}/closures", "/api/v1/parcours/{parcours}/closures", None, OURS),
    // The draft has no line, so no closed stretch is found on it; the right to publish is checked first.
    row!("PUT" "content.publish" "/api/v1/parcours/{id}/closures/{closure_id}/detours/{stretch}", "/api/v1/parcours/{parcours}/closures/{closure}/detours/0",
        Some(r#"{"from_m":0,"to_m":1,"distance_m":1}"#), [401, 403, 404, 404, 404, 404, 404]),
    row!("DELETE" "content.publish" "/api/v1/parcours/{id}/closures/{closure_id}/detours/{stretch}", "/api/v1/parcours/{parcours}/closures/{closure}/detours/0",
        None, [401, 403, 404, 404, 404, 404, 404]),
    row!("POST" "settings.manage" "/api/v1/white-labels/{id}/api-key", "/api/v1/white-labels/{white_label}/api-key", None, admins(201)),
    row!("GET" "content.read" "/api/v1/white-labels/{id}/custom-fields", "/api/v1/white-labels/{white_label}/custom-fields", None, ALL),
    row!("GET" "content.read" "/api/v1/white-labels/{id}/preview", "/api/v1/white-labels/{white_label}/preview", None, OURS),
    row!("GET" "content.read" "/api/v1/white-labels/{id}/widget", "/api/v1/white-labels/{white_label}/widget", None, OURS),
    row!("DELETE" "settings.manage" "/api/v1/white-labels/{id}/api-key", "/api/v1/white-labels/{white_label}/api-key", None, admins(204)),
    row!("PUT" "settings.manage" "/api/v1/white-labels/{id}/translation-key", "/api/v1/white-labels/{white_label}/translation-key",
        Some(r#"{"key":"dl-42"}"#), admins(204)),
    row!("DELETE" "settings.manage" "/api/v1/white-labels/{id}/translation-key", "/api/v1/white-labels/{white_label}/translation-key", None, admins(204)),
    row!("GET" "content.read" "/api/v1/impact", "/api/v1/impact?kind=poi&id={poi}&action=delete", None, OURS),
    row!("GET" "content.read" "/api/v1/itineraries", "/api/v1/itineraries", None, ALL),
    row!("GET" "content.read" "/api/v1/provider-links", "/api/v1/provider-links", None, ALL),
    row!("GET" "content.read" "/api/v1/provider-links/{id}/qr.svg", "/api/v1/provider-links/{provider_link}/qr.svg", None, OURS),
    row!("GET" "content.read" "/api/v1/provider-links/{id}/qr.png", "/api/v1/provider-links/{provider_link}/qr.png", None, OURS),
    row!("GET" "content.read" "/api/v1/survey-campaigns", "/api/v1/survey-campaigns", None, ALL),
    row!("GET" "content.read" "/api/v1/survey-campaigns/people", "/api/v1/survey-campaigns/people", None, ALL),
    row!("GET" "content.read" "/api/v1/survey-campaigns/{id}/coverage", "/api/v1/survey-campaigns/{survey_campaign}/coverage", None, OURS),
    row!("GET" "content.export" "/api/v1/survey-campaigns/{id}/coverage.csv", "/api/v1/survey-campaigns/{survey_campaign}/coverage.csv", None, OURS),
    row!("GET" "content.export" "/api/v1/survey-campaigns/{id}/coverage.geojson", "/api/v1/survey-campaigns/{survey_campaign}/coverage.geojson", None, OURS),
    row!("GET" "content.read" "/api/v1/itineraries/{id}/line", "/api/v1/itineraries/{itinerary}/line", None, ALL),
    // No file at all.
    row!("PUT" "reference.manage" "/api/v1/itineraries/{id}/line", "/api/v1/itineraries/{itinerary}/line", Some(""), superadmin(422)),
    row!("GET" "content.read" "/api/v1/itineraries/{id}/parcours", "/api/v1/itineraries/{itinerary}/parcours", None, ALL),
    row!("GET" "content.read" "/api/v1/transport-lines", "/api/v1/transport-lines", None, ALL),
    row!("PUT" "reference.manage" "/api/v1/vocabularies/{kind}/order", "/api/v1/vocabularies/tag/order", Some(r#"{"ids":[]}"#), superadmin(200)),
    row!("POST" "reference.manage" "/api/v1/vocabularies/{kind}/{id}/merge", "/api/v1/vocabularies/tag/{term}/merge",
        Some(r#"{"into_id":0}"#), superadmin(422)),
    row!("POST" "reference.manage" "/api/v1/vocabularies/{kind}/bulk", "/api/v1/vocabularies/tag/bulk",
        Some(r#"{"ids":[],"action":"delete"}"#), superadmin(200)),
    row!("POST" "reference.manage" "/api/v1/vocabularies/{kind}/bulk/undo", "/api/v1/vocabularies/tag/bulk/undo",
        Some(r#"{"undo_token":"x"}"#), superadmin(404)),
    row!("POST" "users.manage" "/api/v1/users/{id}/invitation", "/api/v1/users/{user}/invitation", None, admins(200)),
    row!("DELETE" "users.manage" "/api/v1/users/{id}/sessions", "/api/v1/users/{user}/sessions", None, admins(200)),
    row!("DELETE" "users.manage" "/api/v1/users/{id}/totp", "/api/v1/users/{user}/totp", None, admins(200)),
    row!("GET" "content.read" "/api/v1/contacts", "/api/v1/contacts", None, ALL),
    row!("GET" "content.read" "/api/v1/pois/map", "/api/v1/pois/map?zoom=8", None, ALL),
    row!("POST" "content.publish" "/api/v1/pois/{id}/publication", "/api/v1/pois/{poi}/publication", None, editors(200)),
    row!("DELETE" "content.publish" "/api/v1/pois/{id}/publication", "/api/v1/pois/{poi}/publication", None, editors(200)),
    // One's own is nothing to add; a draft is not seen by others.
    row!("PUT" "content.publish" "/api/v1/pois/{id}/white-labels/{white_label_id}", "/api/v1/pois/{poi}/white-labels/{white_label}",
        Some(r#"{"published":true}"#), editors(409)),
    row!("DELETE" "content.publish" "/api/v1/pois/{id}/white-labels/{white_label_id}", "/api/v1/pois/{poi}/white-labels/{white_label}",
        None, editors(404)),
    row!("POST" "content.write" "/api/v1/pois/bulk", "/api/v1/pois/bulk", Some(r#"{"ids":[],"action":"publish"}"#),
        [401, 403, 200, 200, 200, 200, 200]),
    row!("POST" "content.write" "/api/v1/pois/bulk/undo", "/api/v1/pois/bulk/undo", Some(r#"{"undo_token":"x"}"#),
        [401, 403, 404, 404, 404, 404, 404]),
    row!("GET" "content.read" "/api/v1/pois/{id}/duplicates", "/api/v1/pois/{poi}/duplicates", None, OURS),
    row!("POST" "content.write" "/api/v1/pois/{id}/merge", "/api/v1/pois/{poi}/merge", Some(r#"{"into_id":0}"#), editors(422)),
    row!("GET" "content.read" "/api/v1/pois/{id}/parcours", "/api/v1/pois/{poi}/parcours", None, OURS),
    row!("GET" "content.read" "/api/v1/parcours/{id}/pois/suggestions", "/api/v1/parcours/{parcours}/pois/suggestions", None, OURS),
    row!("GET" "content.write" "/api/v1/tables/{kind}", "/api/v1/tables/pois?format=xlsx", None, [401, 403, 200, 200, 200, 200, 200]),
    // No file at all.
    row!("POST" "content.write" "/api/v1/tables/{kind}", "/api/v1/tables/pois", Some(""), [401, 403, 422, 422, 422, 422, 422]),
    row!("POST" "content.write" "/api/v1/tables/{kind}/undo", "/api/v1/tables/pois/undo", Some(r#"{"undo_token":"x"}"#),
        [401, 403, 404, 404, 404, 404, 404]),
];

/// Routes beside the records.
const BESIDE: &[Row] = &[
    row!("GET" "content.write" "/api/v1/bin", "/api/v1/bin", None, [401, 403, 200, 200, 200, 200, 200]),
    row!("GET" "content.write" "/api/v1/bin/{id}/uses", "/api/v1/bin/0/uses", None, [401, 403, 404, 404, 404, 404, 404]),
    row!("POST" "content.write" "/api/v1/bin/{id}/restoration", "/api/v1/bin/0/restoration", None, [401, 403, 404, 404, 404, 404, 404]),
    row!("GET" "content.read" "/api/v1/saved-views", "/api/v1/saved-views?resource=pois", None, ALL),
    row!("POST" "content.read" "/api/v1/saved-views", "/api/v1/saved-views", Some(r#"{"resource":"pois","name":"À moi"}"#),
        [401, 201, 201, 201, 201, 201, 201]),
    row!("PATCH" "content.read" "/api/v1/saved-views/{id}", "/api/v1/saved-views/0", Some("{}"), [401, 404, 404, 404, 404, 404, 404]),
    row!("DELETE" "content.read" "/api/v1/saved-views/{id}", "/api/v1/saved-views/0", None, [401, 404, 404, 404, 404, 404, 404]),
    row!("GET" "content.read" "/api/v1/search", "/api/v1/search?q=lac", None, ALL),
    row!("GET" "content.read" "/api/v1/dashboard", "/api/v1/dashboard", None, ALL),
];

/// The rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    static RECORDS: [&[Row]; 11] = [
        &TERMS,
        &STRUCTURES,
        &CONTACTS,
        &POIS,
        &LINES,
        &WHITE_LABELS,
        &CLOSURES,
        &USERS,
        &ITINERARIES,
        &PROVIDER_LINKS,
        &SURVEY_CAMPAIGNS,
    ];
    RECORDS.into_iter().flatten().chain(OTHERS).chain(BESIDE)
}

async fn put<R: Record>(app: &TestApp, sheet: R::Sheet) -> i64 {
    let mut new = Stored::blank(None, app.app().now());
    new.sheet = sheet;
    let tx = app.store().begin().await.unwrap();
    let change = Change { by: None, at: app.app().now(), reason: None, languages: &[] };
    let made = store::record::insert::<R>(&tx, new, change).await.unwrap();
    tx.commit().await.unwrap();
    made.id
}

/// Makes the records that the placeholders of a path name, and puts their numbers into the path.
pub async fn with_records(app: &TestApp, example_path: &str) -> String {
    let mut path = example_path.to_owned();
    if example_path.contains("{term}") {
        let sheet = TermSheet {
            kind: VocabularyKind::Tag,
            code: format!("nuit-{}", fresh()),
            label: Text::in_french("Nuit"),
            attributes: serde_json::json!({}),
            ..TermSheet::default()
        };
        path = path.replace("{term}", &put::<Terms>(app, sheet).await.to_string());
    }
    if example_path.contains("{contact}") {
        let sheet = ContactSheet {
            last_name: "Roux".to_owned(),
            email: format!("roux{}@morvan.example", fresh()),
            structure_id: 1,
            ..ContactSheet::default()
        };
        path = path.replace("{contact}", &put::<Contacts>(app, sheet).await.to_string());
    }
    if example_path.contains("{itinerary}") {
        let sheet = ItinerarySheet { name: Text::in_french("Voie verte"), ..ItinerarySheet::default() };
        path = path.replace("{itinerary}", &put::<Itineraries>(app, sheet).await.to_string());
    }
    if example_path.contains("{user}") {
        let sheet = UserSheet {
            last_name: "Roux".to_owned(),
            email: format!("roux{}@morvan.example", fresh()),
            structure_id: 1,
            white_label_ids: vec![1],
            ..UserSheet::default()
        };
        path = path.replace("{user}", &put::<Users>(app, sheet).await.to_string());
    }
    if example_path.contains("{closure}") {
        let body = serde_json::json!({"title": {"fr": "Travaux"}, "from": "2026-01-01",
            "geometry": {"type": "LineString", "coordinates": [[4.0, 47.0], [4.01, 47.0]]}});
        let made = app.editor_of("morvan").post("/api/v1/closures", body).await;
        path = path.replace("{closure}", &made.expect(201).json()["id"].to_string());
    }
    if example_path.contains("{provider_link}") {
        let body = serde_json::json!({"name": "Hôtel du Lac", "location": [4.0, 47.0]});
        let made = app.editor_of("morvan").post("/api/v1/provider-links", body).await;
        path = path.replace("{provider_link}", &made.expect(201).json()["id"].to_string());
    }
    if example_path.contains("{survey_campaign}") {
        let body = serde_json::json!({"name": "Récolement", "starts_on": "2027-03-01"});
        let made = app.editor_of("morvan").post("/api/v1/survey-campaigns", body).await;
        path = path.replace("{survey_campaign}", &made.expect(201).json()["id"].to_string());
    }
    if example_path.contains("{line}") {
        let made =
            app.editor_of("morvan").post("/api/v1/transport-lines", serde_json::json!({"long_name": "Autun"})).await;
        path = path.replace("{line}", &made.expect(201).json()["id"].to_string());
    }
    path
}

/// A number no other record was made with.
fn fresh() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

//! Lines of public transport.

use macros::app_test;
use serde_json::{Value, json};
use testkit::TestApp;

use crate::catalogue_kit::{column, delete, faults, made, one, patch};

const PATH: &str = "/api/v1/transport-lines";

fn line(name: &str) -> Value {
    json!({"long_name": name, "short_name": "C38", "operator": "Mobigo", "mode": "coach", "bike_carriage": "conditions"})
}

#[app_test]
async fn a_line_is_kept_with_its_conditions(app: TestApp) {
    let editor = app.editor_of("morvan");
    let own = app.white_label("morvan").await;
    let mut body = line("Autun – Château-Chinon");
    body["conditions"] =
        json!([{"white_label_id": own, "region": "Bourgogne", "text": {"fr": "Six vélos, sur réservation"}}]);
    body["color"] = json!("#00695c");
    let made = made(&editor, PATH, body).await;
    assert_eq!((&made["color"], &made["mode"], &made["mine"]), (&json!("#00695C"), &json!("coach"), &json!(true)));
    assert_eq!(made["conditions"][0]["text"]["fr"], "Six vélos, sur réservation");
    let changed = patch(&editor, PATH, &made, json!({"bookable": true, "booking_url": "https://mobigo.example"})).await;
    assert_eq!(changed.expect(200).json()["bookable"], true);
    assert_eq!(
        editor.get(format!("{}/revisions", one(PATH, &made))).await.json()["items"].as_array().unwrap().len(),
        2
    );
}

#[app_test]
async fn a_fault_of_a_line_is_reported_on_its_field(app: TestApp) {
    let wrong = json!({"long_name": " ", "color": "red", "website": "ftp://x", "conditions": [{"text": {"en": "No"}}]});
    assert_eq!(
        faults(app.editor_of("morvan").post(PATH, wrong).await),
        [
            "validation/required /long_name",
            "validation/color /color",
            "validation/required /conditions/0/text/fr",
            "validation/url-scheme /website",
        ]
    );
    let mode = app.editor_of("morvan").post(PATH, json!({"long_name": "A", "mode": "rocket"})).await;
    assert_eq!(faults(mode), ["validation/wrong-type /mode"]);
    let ghost = json!({"long_name": "A", "conditions": [{"white_label_id": 999, "text": {"fr": "x"}}]});
    assert_eq!(faults(app.editor_of("morvan").post(PATH, ghost).await), ["validation/unknown-reference /conditions"]);
}

#[app_test]
async fn transport_lines_are_filtered_by_mode_operator_owner_and_words(app: TestApp) {
    let editor = app.editor_of("morvan");
    made(&editor, PATH, line("Autun – Château-Chinon")).await;
    made(&editor, PATH, json!({"long_name": "Dijon – Étang", "mode": "rail", "operator": "Train du lac"})).await;
    made(&app.editor_of("vercors"), PATH, json!({"long_name": "Grenoble – Die"})).await;
    for (query, names) in [
        ("", vec!["Autun – Château-Chinon", "Dijon – Étang", "Grenoble – Die"]),
        ("mode=rail,coach&sort=-title", vec!["Dijon – Étang", "Autun – Château-Chinon"]),
        ("operator=mobigo", vec!["Autun – Château-Chinon"]),
        ("bike_carriage=unknown&owner=mine", vec!["Dijon – Étang"]),
        ("search=etang", vec!["Dijon – Étang"]),
        ("owner=shared", vec!["Grenoble – Die"]),
    ] {
        let list = editor.get(format!("{PATH}?{query}")).await.expect(200).json();
        let mut found = column(&list, "/long_name");
        if query.is_empty() {
            found.sort();
        }
        assert_eq!(found, names, "{query}");
    }
    editor.get(format!("{PATH}?mode=rocket")).await.expect(400);
}

#[app_test]
async fn a_line_of_others_is_read_and_not_changed_and_ours_goes_to_the_bin(app: TestApp) {
    let theirs = made(&app.editor_of("vercors"), PATH, line("Grenoble – Die")).await;
    let editor = app.editor_of("morvan");
    let seen = editor.get(one(PATH, &theirs)).await.expect(200).json();
    assert_eq!(seen["editable"], false);
    let refused = patch(&editor, PATH, &seen, json!({"short_name": "X"})).await.expect(403).problem();
    assert_eq!(refused.code, "transport-line/not-yours");
    delete(&app.editor_of("vercors"), PATH, &theirs, "").await.expect(204);
    editor.get(one(PATH, &theirs)).await.expect(404);
}

//! The time each reader takes grows in proportion to what it reads, and a text over its limit is refused before it is read.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use macros::app_test;
use serde_json::json;
use testkit::TestApp;

use crate::parcours_kit::{made, path};

#[test]
fn html_is_read_in_linear_time() {
    let slow = timing::check(&[app::READERS, api::READERS].concat());
    assert!(slow.is_empty(), "{}", slow.iter().map(|one| format!("{one}\n")).collect::<String>());
}

#[test]
fn roadbook_texts_are_read_in_linear_time() {
    let slow = timing::check(roadbook::READERS);
    assert!(slow.is_empty(), "{}", slow.iter().map(|one| format!("{one}\n")).collect::<String>());
}

#[app_test]
async fn a_text_over_its_limit_is_refused_with_its_field_and_maximum(app: TestApp) {
    let editor = app.editor_of("morvan");
    // After cleaning it would be short: it is refused for what was sent.
    let long = format!("<p>lac</p>{}", "<br>".repeat(30_000));
    let read = |problem: testkit::Problem| (problem.errors[0].code.clone(), problem.errors[0].field.clone());
    let wrong = ("validation/too-long".to_owned(), "/description/fr".to_owned());
    let sent = json!({"title": {"fr": "Lac"}, "description": {"fr": long}});
    let refused = editor.post("/api/v1/parcours", sent.clone()).await.expect(422).problem();
    assert_eq!(refused.errors[0].params["max"], 100_000);
    assert_eq!(read(refused), wrong);
    let parcours = made(&editor, "Lac", json!({})).await;
    let refused = editor.clone().at_version(1).patch(path(&parcours), json!({"description": {"fr": long}})).await;
    assert_eq!(read(refused.expect(422).problem()), wrong);
    let refused = editor.post("/api/v1/pois", sent).await.expect(422).problem();
    assert_eq!(read(refused), wrong);
}

#[app_test]
async fn a_long_text_is_sanitised_as_a_short_one_is(app: TestApp) {
    let editor = app.editor_of("morvan");
    let words = "Le lac et le col. ".repeat(500);
    let sent = format!("<p onclick=\"x\">{words}</p><script>alert(1)</script><table><tr><td>bleu</table>");
    let parcours = made(&editor, "Lac", json!({"description": {"fr": sent}})).await;
    assert_eq!(parcours["description"]["fr"], format!("<p>{words}</p>bleu"));
    let deep = format!("{}lac{}", "<blockquote>".repeat(3_000), "</blockquote>".repeat(3_000));
    let parcours = made(&editor, "Lac", json!({"description": {"fr": deep}})).await;
    let kept = parcours["description"]["fr"].as_str().unwrap();
    assert_eq!((kept.matches("<blockquote>").count(), kept.contains("lac")), (32, true));
}

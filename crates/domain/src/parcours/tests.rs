use serde_json::{Value, json};

use super::*;
use crate::record::Sheet as _;
use crate::step::{Step, StepInput, check_steps, number_steps, stage_count, step_labels};
use crate::{Fault, Text};

fn languages() -> Vec<String> {
    vec!["fr".to_owned(), "en".to_owned()]
}

fn patched(sheet: &Sheet, patch: &Value) -> Result<Sheet, Vec<Fault>> {
    apply_patch(sheet, patch.as_object().unwrap())
}

/// The codes and fields of everything wrong with a patch on an empty sheet.
fn faults(patch: &Value) -> Vec<(&'static str, String)> {
    let found = match patched(&Sheet::default(), patch) {
        Err(faults) => faults,
        Ok(mut sheet) => {
            clean::clean(&mut sheet, &str::to_owned);
            let changed = sheet.changed_since(&Sheet::default());
            rules::check(&sheet, &changed, rules::RuleContext { languages: &languages() })
        }
    };
    found.into_iter().map(|fault| (fault.code, fault.field)).collect()
}

fn assert_fault(patch: &Value, code: &str, field: &str) {
    let found = faults(patch);
    assert!(found.iter().any(|(c, f)| *c == code && f == field), "{patch} tells {found:?}");
}

#[test]
fn days_are_kept_without_the_white_space_around_them() {
    let typed = json!({"availability": [{"from": " 2026-05-01 ", "to": "2026-09-30\u{a0}"}]});
    let mut sheet = patched(&Sheet::default(), &typed).unwrap();
    clean::clean(&mut sheet, &str::to_owned);
    let period = &sheet.availability[0];
    assert_eq!((period.from.as_deref(), period.to.as_deref()), (Some("2026-05-01"), Some("2026-09-30")));
}

#[test]
fn a_patch_merges_languages_and_replaces_lists() {
    let before =
        patched(&Sheet::default(), &json!({"title": {"fr": "Lac", "en": "Lake"}, "theme_ids": [1, 2]})).unwrap();
    let after =
        patched(&before, &json!({"title": {"en": "The lake", "fr": null}, "theme_ids": [3], "is_loop": true})).unwrap();
    assert_eq!(after.title.get("fr"), None);
    assert_eq!(after.title.get("en"), Some("The lake"));
    assert_eq!(after.theme_ids, [3]);
    assert_eq!(after.changed_since(&before), ["title", "is_loop", "theme_ids"]);
    let emptied = patched(&after, &json!({"title": null, "is_loop": null})).unwrap();
    assert!(emptied.title.is_empty() && emptied.is_loop.is_none());
}

#[test]
fn a_field_of_the_wrong_kind_or_of_no_kind_is_named() {
    assert_fault(&json!({"titel": {"fr": "x"}}), "validation/unknown-field", "/titel");
    assert_fault(&json!({"title": "Lac"}), "validation/wrong-type", "/title");
    assert_fault(&json!({"version": 3}), "validation/read-only", "/version");
    assert_fault(&json!({"display_priority": 3}), "validation/wrong-type", "/display_priority");
    assert_fault(&json!({"bookable": "perhaps"}), "validation/wrong-type", "/bookable");
    assert_fault(&json!({"a/b~c": 1}), "validation/unknown-field", "/a~1b~0c");
    assert_fault(&json!({"availability": [{"debut": "2026-01-01"}]}), "validation/wrong-type", "/availability");
}

#[test]
fn each_rule_of_the_sheet_has_its_code_and_its_field() {
    assert_fault(&json!({"title": {"fr": "x".repeat(201)}}), "validation/too-long", "/title/fr");
    assert_fault(&json!({"title": {"xx": "?"}}), "validation/unknown-language", "/title/xx");
    assert_fault(&json!({"booking_url": "ftp://morvan.fr"}), "validation/url-scheme", "/booking_url");
    assert_fault(&json!({"booking_url": "morvan"}), "validation/url-invalid", "/booking_url");
    assert_fault(&json!({"price_cents": -1}), "validation/out-of-range", "/price_cents");
    assert_fault(
        &json!({"price_cents": 200, "max_price_cents": 100}),
        "parcours/max-price-below-price",
        "/max_price_cents",
    );
    assert_fault(&json!({"deposit_percent": 101}), "parcours/deposit-out-of-range", "/deposit_percent");
    assert_fault(&json!({"relation": "child"}), "parcours/parent-required", "/parent_id");
    assert_fault(&json!({"distribute_own": true}), "parcours/description-required", "/description/fr");
    assert_fault(
        &json!({"availability": [{"from": "2026-05-01"}]}),
        "parcours/availability-both-dates",
        "/availability/0/to",
    );
    assert_fault(&json!({"theme_ids": (0..501).collect::<Vec<_>>()}), "validation/too-many", "/theme_ids");
    assert!(
        faults(&json!({"deposit_percent": 0, "price_cents": 100, "max_price_cents": 100, "distribute_own": true,
        "description": {"fr": "<p>Un lac.</p>"}, "relation": "child_only", "parent_id": 4}))
        .is_empty()
    );
}

#[test]
fn an_old_lack_does_not_stop_another_change() {
    let before = Sheet { distribute_own: true, ..Sheet::default() };
    let context_languages = languages();
    let context = rules::RuleContext { languages: &context_languages };
    assert!(rules::check(&before, &["title"], context).is_empty());
}

#[test]
fn agency_fields_are_distinguished_from_the_others() {
    let after = Sheet { price_cents: Some(1), is_loop: Some(true), ..Sheet::default() };
    let changed = after.changed_since(&Sheet::default());
    assert_eq!(agency_fields_in(&changed).collect::<Vec<_>>(), ["price_cents"]);
    assert!(AGENCY_FIELDS.iter().all(|name| Sheet::NAMES.contains(name)));
}

#[test]
fn what_is_missing_is_reported_by_language() {
    let sheet =
        Sheet { title: Text::from_iter([("fr".to_owned(), "Lac".to_owned())]), level_id: Some(1), ..Sheet::default() };
    assert_eq!(
        card::missing(&sheet, false, &languages()),
        ["title_en", "summary", "summary_en", "description", "description_en", "practice", "trace"]
    );
}

fn step(kind: &str, lon: f64) -> StepInput {
    serde_json::from_value(json!({"kind": kind, "position": [lon, 45.0]})).unwrap()
}

#[test]
fn a_bad_step_is_reported_at_its_place() {
    let steps: Vec<StepInput> = vec![
        step("departure", 2.0),
        step("departure", 200.0),
        StepInput { nights: Some(0), distance_to_next_typed_m: Some(-1.0), ..step("night", 2.0) },
    ];
    let listed: Vec<_> = check_steps(&steps, &languages()).into_iter().map(|fault| (fault.code, fault.field)).collect();
    assert_eq!(
        listed,
        [
            ("validation/position-outside-world", "/steps/1/position".to_owned()),
            ("validation/out-of-range", "/steps/2/distance_to_next_typed_m".to_owned()),
            ("validation/out-of-range", "/steps/2/nights".to_owned()),
            ("parcours/two-departures", "/steps/1/kind".to_owned()),
        ]
    );
}

#[test]
fn known_steps_keep_their_number_and_new_ones_get_the_next() {
    let (first, last) = number_steps(vec![step("departure", 2.0), step("arrival", 2.1)], &[], 0);
    assert_eq!((first[0].id, first[1].id, last), (1, 2, 2));
    let kept = StepInput { id: Some(2), ..step("arrival", 2.1) };
    let foreign = StepInput { id: Some(77), ..step("advice", 2.0) };
    let (second, last) = number_steps(vec![foreign, kept], &first, last);
    assert_eq!((second[0].id, second[1].id, last), (3, 2, 3));
}

#[test]
fn stages_are_counted_between_the_nights() {
    let kinds = ["departure", "waypoint", "step_night", "advice", "night", "arrival"];
    let (steps, _) = number_steps(kinds.iter().map(|kind| step(kind, 2.0)).collect(), &[], 0);
    assert_eq!(stage_count(&steps), 3);
    assert_eq!(step_labels(&steps), ["D", "1", "2", "3", "4", "A"]);
    assert_eq!(stage_count(&[]), 0);
}

fn placed(kinds: &[(&str, f64)]) -> Vec<Step> {
    number_steps(kinds.iter().map(|(kind, lon)| step(kind, *lon)).collect(), &[], 0).0
}

#[test]
fn steps_fall_on_the_line_and_tell_what_is_between_them() {
    let points: Vec<_> = (0..=100).map(|i| trace::Position::new(2.0 + f64::from(i) * 0.001, 45.0)).collect();
    let line = line::Along::new(&points, line::Pace::default(), Some(7_200.0));
    let mut steps = placed(&[("departure", 2.0), ("step", 2.05), ("arrival", 2.1)]);
    steps[1].position.lat = 45.0004;
    arrange::arrange(&mut steps, &line, None);
    let half = line.length_m() / 2.0;
    assert!((steps[1].at_m.unwrap() - half).abs() < 1.0);
    assert!((steps[0].distance_to_next_m.unwrap() - half).abs() < 1.0);
    assert_eq!(steps[0].duration_to_next_s, Some(3_600.0));
    assert!((steps[1].position.lat - 45.0).abs() < 1e-9, "within 50 m it is put on the line");
    assert_eq!(steps[2].distance_to_next_m, None);
    steps[0].distance_to_next_typed_m = Some(1_234.0);
    arrange::measure(&mut steps, Some(&line));
    assert_eq!(steps[0].distance_to_next_m, Some(1_234.0), "a typed distance wins");
    arrange::forget_typed(&mut steps);
    arrange::measure(&mut steps, Some(&line));
    assert!(steps[0].distance_to_next_m.unwrap() > 3_000.0, "until a forced update");
}

#[test]
fn times_between_steps_add_up_to_the_duration_of_the_whole() {
    // Heights that jitter by two metres: summed point by point they would be a climb of 200 m.
    let point = |i: i32| trace::Position {
        ele: Some(500.0 + 2.0 * f64::from(i % 2)),
        ..trace::Position::new(2.0 + f64::from(i) * 5e-4, 45.0)
    };
    let points: Vec<_> = (0..=200).map(point).collect();
    let summed_s = |duration_s: Option<f64>| {
        let summary: TraceSummary = serde_json::from_value(json!({
            "mode": "source", "origin": "imported", "distance_m": 8_000.0, "duration_s": duration_s, "ascent_m": 0.0, "descent_m": 0.0,
            "reliability_state": "source", "repairs": [], "pieces": 1, "computed_at": "2026-01-01T00:00:00Z", "revision": 1,
        }))
        .unwrap();
        let line = summary.along(&points, line::Pace::default());
        let stretches = (1..10).map(|i| ("waypoint", 2.0 + 0.01 * f64::from(i)));
        let kinds: Vec<_> = std::iter::once(("departure", 2.0)).chain(stretches).chain([("arrival", 2.1)]).collect();
        let mut steps = placed(&kinds);
        arrange::arrange(&mut steps, &line, None);
        steps.iter().filter_map(|step| step.duration_to_next_s).sum::<f64>()
    };
    // Ten times 360.4 seconds.
    assert!((summed_s(Some(3_604.0)) - 3_604.0).abs() < 0.1, "{}", summed_s(Some(3_604.0)));
    // 8 km at 4 km an hour, where no duration is shown.
    assert!((summed_s(None) - 7_200.0).abs() <= 1.0, "{}", summed_s(None));
}

#[test]
fn a_title_is_lost_by_the_save_that_takes_it_from_what_is_published() {
    let (untitled, titled) = (Sheet::default(), Sheet { title: Text::in_french("Lac"), ..Sheet::default() });
    let elsewhere = Sheet { title: Text::default().with("en", "Lake"), ..Sheet::default() };
    let lost = |before: &Sheet, after: &Sheet, published: bool| {
        rules::title_lost(before, after, published, &languages()).map(|fault| (fault.code, fault.field))
    };
    let fault = ("parcours/title-required-to-publish", "/title/fr".to_owned());
    assert_eq!(lost(&titled, &untitled, true), Some(fault.clone()));
    assert_eq!(lost(&titled, &elsewhere, true), Some(fault));
    assert_eq!(lost(&titled, &titled, true), None);
    assert_eq!(lost(&titled, &untitled, false), None);
    assert_eq!(lost(&untitled, &elsewhere, true), None, "a title that was missing before stops no change");
}

#[test]
fn a_bulk_action_tells_what_it_would_do() {
    let languages = languages();
    let empty = Sheet::default();
    let publish = BulkChange::new(BulkAction::Publish, None).unwrap();
    assert_eq!(publish.judge(&empty, false, None, &languages), Err("parcours/title-required-to-publish"));
    assert_eq!(publish.judge(&empty, true, None, &languages), Ok(None));
    let carry = BulkChange::new(BulkAction::BikeCarriage, Some(&json!("yes"))).unwrap();
    assert_eq!(carry.judge(&empty, false, None, &languages), Ok(Some(BulkChange::BikeCarriage(Inheritable::Inherit))));
    assert_eq!(BulkChange::new(BulkAction::Bookable, None).unwrap_err().field, "/value");
    let source = BulkChange::new(BulkAction::UseSource, None).unwrap();
    assert_eq!(source.judge(&empty, false, None, &languages), Err("parcours/no-trace"));
}

use serde_json::{Value, json};

use super::{Cell, Column, Words, columns, edits, patch};
use crate::record::Kind;
use crate::transport_line::TransportLineSheet;
use crate::{Address, ContactSheet, PoiSheet, Text};

fn languages() -> Vec<String> {
    vec!["fr".to_owned(), "en".to_owned()]
}

fn poi() -> Value {
    let sheet = PoiSheet {
        title: Text::new("Lac", "Lake"),
        location: Some([4.123_456_7, 47.5]),
        category_ids: vec![3, 12],
        phone: Some("0492 00 00 00".to_owned()),
        address: Address { postcode: Some("04000".to_owned()), ..Address::default() },
        ..PoiSheet::default()
    };
    serde_json::to_value(sheet).unwrap_or_default()
}

fn row<'a>(columns: &'a [Column], given: &[(&str, &'a str)]) -> Vec<(&'a Column, &'a str)> {
    let of = |(name, text): &(&str, &'a str)| {
        columns.iter().find(|column| column.name == *name).map(|column| (column, *text))
    };
    given.iter().filter_map(of).collect()
}

fn codes(given: &[(&str, &str)]) -> Vec<String> {
    let columns = columns::<PoiSheet>(&languages(), &[]);
    let row = row(&columns, given);
    assert_eq!(row.len(), given.len(), "a column is not there");
    match patch(&edits(&row, &poi()), &poi()) {
        Ok(patch) => vec![Value::Object(patch).to_string()],
        Err(faults) => faults.iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect(),
    }
}

#[test]
fn each_field_of_a_sheet_has_its_columns() {
    let names = |columns: Vec<Column>| columns.into_iter().map(|column| column.name).collect::<Vec<_>>().join(" ");
    assert_eq!(
        names(columns::<PoiSheet>(&languages(), &[])),
        "title_fr title_en description_fr description_en location_lat location_lon flags_good_address flags_must_see \
        flags_detour_point flags_landmark flags_bookable category_ids category_names theme_ids theme_names media_ids \
        media_names address_street address_postcode address_city address_country phone email website opening_fr \
        opening_en booking_url distribute"
    );
    assert_eq!(
        names(columns::<ContactSheet>(&languages(), &["function"])),
        "first_name last_name email phone structure_id structure_name white_label_ids white_label_names"
    );
    let lines = columns::<TransportLineSheet>(&languages(), &[]);
    let mode = lines.iter().find(|column| column.name == "mode").map(|column| column.cell);
    assert!(matches!(mode, Some(Cell::Words(words)) if words.contains(&"funicular")), "{mode:?}");
}

#[test]
fn what_is_written_is_read_as_no_edit_in_both_languages() {
    let columns = columns::<PoiSheet>(&languages(), &[]);
    let names = [((Kind::Vocabulary, 3), "Eau".to_owned())].into_iter().collect();
    for words in [Words { is_french: true, names }, Words::default()] {
        let cells: Vec<String> = columns.iter().map(|column| column.write(&poi(), &words)).collect();
        let row: Vec<(&Column, &str)> = columns.iter().zip(cells.iter().map(String::as_str)).collect();
        assert_eq!(edits(&row, &poi()), []);
        if words.is_french {
            assert_eq!(&cells[4..7], ["47,5", "4,1234567", "non"]);
            assert_eq!(&cells[11..13], ["3 | 12", "Eau | "]);
        }
    }
}

#[test]
fn what_a_spreadsheet_does_to_a_cell_is_no_edit() {
    let same = [
        ("title_fr", " Lac\r\n"),
        ("location_lat", "47.50000"),
        ("location_lon", "4,123457"),
        ("category_ids", "3|12"),
        ("address_postcode", "4000"),
        ("phone", "492000000"),
        ("flags_must_see", ""),
        ("distribute", "FAUX"),
        ("category_names", "anything"),
    ];
    assert_eq!(codes(&same), ["{}"]);
}

#[test]
fn a_day_that_a_spreadsheet_wrote_in_its_own_way_is_no_edit() {
    let column = Column::new("custom", Some("inspected"), Cell::Day);
    let sheet = json!({"custom": {"inspected": "2026-11-25"}});
    let edited = |given: &str, sheet: &Value| edits(&[(&column, given)], sheet).len();
    for given in ["2026-11-25", "25/11/2026", " 25/11/2026 "] {
        assert_eq!(edited(given, &sheet), 0, "{given}");
    }
    for given in ["26/11/2026", "2026-11-26", "bientôt", ""] {
        assert_eq!(edited(given, &sheet), 1, "{given}");
    }
    for empty in [json!({"custom": {}}), json!({"custom": {"inspected": null}})] {
        assert_eq!((edited("", &empty), edited("25/11/2026", &empty)), (0, 1));
    }
}

#[test]
fn edited_cells_are_a_merge_patch_of_their_fields() {
    assert_eq!(
        codes(&[
            ("title_en", ""),
            ("location_lat", "47,6"),
            ("flags_must_see", "Oui"),
            ("phone", "'+33 4 92"),
            ("theme_ids", "7")
        ]),
        [
            r#"{"flags":{"must_see":true},"location":[4.1234567,47.6],"phone":"+33 4 92","theme_ids":[7],"title":{"en":null}}"#
        ]
    );
    assert_eq!(codes(&[("location_lat", ""), ("location_lon", "")]), [r#"{"location":null}"#]);
}

#[test]
fn a_cell_that_means_nothing_is_a_fault_of_its_column() {
    assert_eq!(
        codes(&[("location_lat", "nord"), ("flags_must_see", "peut-être"), ("category_ids", "Eau")]),
        ["table/number /location/1", "table/yes-or-no /flags/must_see", "table/numbers /category_ids"]
    );
    assert_eq!(codes(&[("location_lon", "est")]), ["table/number /location/0"]);
    assert_eq!(codes(&[("location_lat", "")]), ["table/half-a-place /location"]);
    let lines = columns::<TransportLineSheet>(&languages(), &[]);
    let sheet = serde_json::to_value(TransportLineSheet::default()).unwrap_or_default();
    let edited = edits(&row(&lines, &[("mode", "avion")]), &sheet);
    let fault = edited[0].value.as_ref().err();
    assert!(
        fault.is_some_and(|fault| fault.params["words"].as_str().is_some_and(|words| words.contains("ferry, cable")))
    );
    assert_eq!(edits(&row(&lines, &[("conditions", "")]), &sheet), []);
}

#[test]
fn a_text_that_no_cell_holds_is_replaced_by_its_length_and_stays() {
    let long = "é".repeat(40_000);
    let sheet = json!({"description": {"fr": long}});
    let columns = columns::<PoiSheet>(&languages(), &[]);
    let column = columns.iter().find(|column| column.name == "description_fr");
    let cell = column.map(|column| column.write(&sheet, &Words::default())).unwrap_or_default();
    assert_eq!(cell, "[40000 caractères / characters]");
    assert_eq!(edits(&row(&columns, &[("description_fr", &cell)]), &sheet), []);
}

#[test]
fn a_fault_is_shown_at_its_column() {
    let columns = columns::<PoiSheet>(&languages(), &[]);
    let at = |pointer: &str| columns.iter().find(|column| column.has(pointer)).map(|column| column.name.clone());
    assert_eq!(at("/title/en").as_deref(), Some("title_en"));
    assert_eq!(at("/location").as_deref(), Some("location_lat"));
    assert_eq!(at("/location/0").as_deref(), Some("location_lon"));
    assert_eq!(at("/location/1").as_deref(), Some("location_lat"));
    assert_eq!(at("/category_ids").as_deref(), Some("category_ids"));
    assert_eq!(at("/address/city").as_deref(), Some("address_city"));
    assert_eq!(at("/published"), None);
}

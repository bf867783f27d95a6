//! Lists as tables: exported, edited, compared cell by cell, written, undone.

use domain::Role;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::catalogue_kit::{column, id, made, moved_to_vercors, one, patch};

const POIS: &str = "/api/v1/pois";
const CONTACTS: &str = "/api/v1/contacts";
const LINES: &str = "/api/v1/transport-lines";
const MEDIAS: &str = "/api/v1/medias";

/// Where the table of a list is.
fn table_of(list: &str) -> String {
    list.replace("/api/v1/", "/api/v1/tables/")
}

/// The table of a list as rows of cells, without the mark at its beginning. No cell of these tests has a semicolon or a line end.
async fn exported(by: &Client, list: &str, query: &str) -> Vec<Vec<String>> {
    let filter = query.replace('=', "%3D");
    let reply = by.get(format!("{}?lang=fr&filter={filter}", table_of(list))).await.expect(200);
    assert_eq!(reply.header("content-type"), "text/csv; charset=utf-8");
    let text = reply.text();
    let lines = text.strip_prefix('\u{feff}').unwrap().lines();
    lines.map(|line| line.split(';').map(str::to_owned).collect()).collect()
}

/// Writes a cell of the row that has a number.
fn set_cell(table: &mut [Vec<String>], id: i64, column: &str, text: &str) {
    let at = table[0].iter().position(|name| name == column).unwrap_or_else(|| panic!("no column {column}"));
    let row = table.iter_mut().find(|row| row[0] == id.to_string()).unwrap();
    row[at] = text.to_owned();
}

fn csv(table: &[Vec<String>]) -> String {
    table.iter().map(|row| row.join(";") + "\r\n").collect()
}

async fn report(by: &Client, list: &str, file: impl Into<Vec<u8>>) -> Value {
    by.post_bytes(table_of(list), file.into()).await.expect(200).json()
}

/// Confirms a report.
async fn write(by: &Client, list: &str, file: impl Into<Vec<u8>>, report: &Value) -> testkit::Reply {
    let token = report["token"].as_str().unwrap();
    by.post_bytes(format!("{}?token={token}", table_of(list)), file.into()).await
}

async fn undo(by: &Client, list: &str, written: &Value) -> Value {
    by.post(format!("{}/undo", table_of(list)), json!({"undo_token": written["token"]})).await.expect(200).json()
}

/// Changed, created, unchanged, conflicts, refused.
fn counts(report: &Value) -> [i64; 5] {
    ["changed", "created", "unchanged", "conflicts", "refused"].map(|name| report[name].as_i64().unwrap())
}

/// Each row with its outcome, its cells and its faults.
fn rows(report: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let row = |row: &Value| {
        let cells = row["cells"].as_array().unwrap().iter();
        let cells =
            cells.map(|cell| format!(" {}:{}>{}", text(&cell["column"]), text(&cell["before"]), text(&cell["after"])));
        let faults = row["faults"].as_array().unwrap().iter();
        let faults = faults.map(|fault| format!(" {}!{}", text(&fault["column"]), text(&fault["code"])));
        format!("{} {}{}", row["row"], text(&row["outcome"]), cells.chain(faults).collect::<String>())
    };
    report["items"].as_array().unwrap().iter().map(row).collect()
}

fn poi_body(title: &str) -> Value {
    json!({"title": {"fr": title}, "location": [4.125, 47.5], "phone": "04 92 00 00 00", "address": {"postcode": "04000"}})
}

#[app_test]
async fn a_table_shows_each_difference_then_writes_it_and_undoes_it(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (loup, bleu) =
        (made(&editor, POIS, poi_body("Étang du Loup")).await, made(&editor, POIS, poi_body("Lac bleu")).await);
    let mut table = exported(&editor, POIS, "").await;
    assert_eq!(table[0][..4], ["id", "version", "title_fr", "title_en"]);
    assert_eq!((table.len(), table[1][2].as_str()), (3, "Lac bleu"), "the last saved first");
    let untouched = report(&editor, POIS, csv(&table)).await;
    assert_eq!((counts(&untouched), &untouched["token"], rows(&untouched)), ([0, 0, 2, 0, 0], &Value::Null, vec![]));
    set_cell(&mut table, id(&loup), "phone", "04 92 11 11 11");
    set_cell(&mut table, id(&loup), "title_en", "Wolf pond");
    set_cell(&mut table, id(&loup), "location_lat", "47,25");
    set_cell(&mut table, id(&loup), "flags_must_see", "oui");
    let file = csv(&table);
    let seen = report(&editor, POIS, file.clone()).await;
    let expected = "3 changed title_en:>Wolf pond location_lat:47,5>47,25 flags_must_see:non>oui phone:04 92 00 00 00>04 92 11 11 11";
    assert_eq!((counts(&seen), rows(&seen)), ([1, 0, 1, 0, 0], vec![expected.to_owned()]));
    let english =
        editor.post_bytes(format!("{}?lang=en", table_of(POIS)), file.clone().into_bytes()).await.expect(200).json();
    assert!(rows(&english)[0].contains(" location_lat:47.5>47.25 flags_must_see:no>yes "), "{english}");
    assert_eq!(editor.get(one(POIS, &loup)).await.json()["version"], 1, "a report writes nothing");

    let written = write(&editor, POIS, file.clone(), &seen).await.expect(200).json();
    assert_eq!((written["written"].as_bool(), counts(&written)), (Some(true), [1, 0, 1, 0, 0]));
    let now = editor.get(one(POIS, &loup)).await.json();
    assert_eq!((&now["location"], &now["title"]["en"]), (&json!([4.125, 47.25]), &json!("Wolf pond")));
    assert_eq!(editor.get(one(POIS, &bleu)).await.json()["version"], 1);
    let past = editor.get(format!("{}/revisions", one(POIS, &loup))).await.json();
    assert_eq!(
        (&past["items"][0]["reason"], &past["items"][0]["fields"]),
        (&json!("table"), &json!(["title", "location", "flags", "phone"]))
    );
    assert_eq!(write(&editor, POIS, file.clone(), &seen).await.expect(409).problem().code, "table/written");

    app.editor_of("vercors")
        .post(format!("{}/undo", table_of(POIS)), json!({"undo_token": written["token"]}))
        .await
        .expect(404);
    assert_eq!(undo(&editor, POIS, &written).await["applied"], 1);
    let back = editor.get(one(POIS, &loup)).await.json();
    assert_eq!((&back["phone"], &back["title"]), (&json!("04 92 00 00 00"), &json!({"fr": "Étang du Loup"})));
    let twice = editor.post(format!("{}/undo", table_of(POIS)), json!({"undo_token": written["token"]})).await;
    assert_eq!(twice.expect(404).problem().code, "record/undo-expired");
}

#[app_test]
async fn an_undo_leaves_out_records_that_the_person_no_longer_sees(app: TestApp) {
    let (editor, admin) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let draft = made(&editor, POIS, poi_body("Étang du Loup")).await;
    let public = app.poi().titled("Le banc").published().insert().await;
    let mut table = exported(&editor, POIS, "").await;
    for poi in [id(&draft), public.id] {
        set_cell(&mut table, poi, "phone", "04 92 11 11 11");
    }
    let file = csv(&table);
    let seen = report(&editor, POIS, file.clone()).await;
    let written = write(&editor, POIS, file, &seen).await.expect(200).json();
    assert_eq!(counts(&written), [2, 0, 0, 0, 0]);
    moved_to_vercors(&app, Role::Editor).await;
    let now = admin.get(one(POIS, &draft)).await.expect(200).json();
    patch(&admin, POIS, &now, json!({"title": {"fr": "Le gîte secret"}})).await.expect(200);
    let undone = undo(&editor, POIS, &written).await;
    assert_eq!((column(&undone, "/title/fr"), &undone["applied"]), (vec!["Le banc".to_owned()], &json!(0)));
}

#[app_test]
async fn only_one_of_two_requests_with_the_same_token_writes(app: TestApp) {
    let editor = app.editor_of("morvan");
    let file = "id;title_fr;location_lat;location_lon\r\n;Lac des Settons;47,18;4,06\r\n";
    let seen = report(&editor, POIS, file).await;
    let (one, two) = tokio::join!(write(&editor, POIS, file, &seen), write(&editor, POIS, file, &seen));
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(editor.get(format!("{POIS}?search=settons")).await.json()["total"], 1);
}

#[app_test]
async fn an_outdated_report_is_not_written(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, poi_body("Lac")).await;
    let file = format!("id;phone\n{};04 92 11 11 11\n", id(&poi));
    let seen = report(&editor, POIS, file.clone()).await;
    patch(&editor, POIS, &poi, json!({"phone": "04 92 22 22 22"})).await.expect(200);
    assert_eq!(write(&editor, POIS, file.clone(), &seen).await.expect(409).problem().code, "table/changed");
    let other = editor.post_bytes(format!("{}?token=x", table_of(POIS)), file).await;
    assert_eq!(other.expect(409).problem().code, "table/changed");
    assert_eq!(editor.get(one(POIS, &poi)).await.json()["phone"], "04 92 22 22 22");
}

#[app_test]
async fn an_absent_column_changes_nothing_and_an_empty_cell_empties_its_field(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, poi_body("Lac")).await;
    let file = format!("id,phone,address_postcode\n{},,4000\n", id(&poi));
    let seen = report(&editor, POIS, file.clone()).await;
    assert_eq!(rows(&seen), ["2 changed phone:04 92 00 00 00>"], "a spreadsheet took the zero of a postcode");
    write(&editor, POIS, file, &seen).await.expect(200);
    let now = editor.get(one(POIS, &poi)).await.json();
    assert_eq!(
        (&now["phone"], &now["title"]["fr"], &now["address"]["postcode"]),
        (&Value::Null, &json!("Lac"), &json!("04000"))
    );
}

#[app_test]
async fn each_faulty_row_is_reported_and_the_others_are_written(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (good, bad) = (made(&editor, POIS, poi_body("Bon")).await, made(&editor, POIS, poi_body("Mauvais")).await);
    let twice = made(&editor, POIS, poi_body("Deux")).await;
    let theirs = made(&app.editor_of("vercors"), POIS, poi_body("Secret du Vercors")).await;
    let file = [
        "id;title_fr;Couleur;phone;phone;flags_bookable;location_lat;category_ids;email".to_owned(),
        format!("{};Très bon;bleu;04 92 11 11 11;;non;47,5;;", id(&good)),
        format!("{};;;04 92 00 00 00;;peut-être;nord;eau;ana", id(&bad)),
        format!("{};Un;;;;;;;", id(&twice)),
        format!("{};Deux;;;;;;;", id(&twice)),
        format!("{};À moi;;;;;47,5;;", id(&theirs)),
        "999999;Nulle part;;;;;47,5;;".to_owned(),
        "douze;x;;;;;47,5;;".to_owned(),
        ";Mauvais;;04 92 00 00 00;;non;47,5;999999;".to_owned(),
    ]
    .join("\n");
    let seen = report(&editor, POIS, file.clone()).await;
    assert_eq!(
        rows(&seen),
        [
            "2 changed title_fr:Bon>Très bon phone:04 92 00 00 00>04 92 11 11 11",
            "3 refused flags_bookable!table/yes-or-no location_lat!table/number category_ids!table/numbers",
            "4 refused id!table/id-twice",
            "5 refused id!table/id-twice",
            "6 refused id!poi/not-found",
            "7 refused id!poi/not-found",
            "8 refused id!table/whole-number",
            "9 refused location_lat!table/half-a-place",
        ]
    );
    let wrong = format!("id;location_lat;location_lon\n{};47,5;est\n", id(&bad));
    assert_eq!(rows(&report(&editor, POIS, wrong).await), ["2 refused location_lon!table/number"]);
    assert!(!seen.to_string().contains("Secret"), "nothing of another white-label is shown");
    let header: Vec<String> =
        seen["columns"].as_array().unwrap().iter().map(|one| format!("{} {}", one["column"], one["code"])).collect();
    assert_eq!(header, [r#""couleur" "table/unknown-column""#, r#""phone" "table/column-twice""#]);
    assert_eq!(seen["items"][2]["faults"][0]["params"]["row"], 5);
    let written = write(&editor, POIS, file, &seen).await.expect(200).json();
    assert_eq!(counts(&written), [1, 0, 0, 0, 7]);
    assert_eq!(editor.get(one(POIS, &good)).await.json()["title"]["fr"], "Très bon");
    let rules = format!("id;title_fr;email;location_lat;location_lon\n{};;ana;;\n", id(&bad));
    assert_eq!(
        rows(&report(&editor, POIS, rules).await),
        ["2 refused title_fr!validation/required email!validation/email location_lat!poi/location-required"]
    );
}

#[app_test]
async fn a_record_saved_since_the_export_is_skipped_or_takes_the_edited_cells_alone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, poi_body("Lac")).await;
    let other = made(&editor, POIS, poi_body("Autre")).await;
    let mut table = exported(&editor, POIS, "").await;
    set_cell(&mut table, id(&poi), "phone", "04 92 11 11 11");
    patch(&editor, POIS, &poi, json!({"title": {"fr": "Lac renommé"}})).await.expect(200);
    patch(&editor, POIS, &other, json!({"title": {"fr": "Autre renommé"}})).await.expect(200);
    let file = csv(&table);
    let seen = report(&editor, POIS, file.clone()).await;
    assert_eq!(counts(&seen), [0, 0, 1, 1, 0], "a record saved since whose row was not edited is no conflict");
    assert_eq!(rows(&seen)[0].split_once(' ').unwrap().1, "conflict phone:04 92 00 00 00>04 92 11 11 11");
    assert_eq!(seen["token"], Value::Null);
    let path = format!("{}?conflicts=write", table_of(POIS));
    let seen = editor.post_bytes(&path, file.clone()).await.expect(200).json();
    assert_eq!(counts(&seen), [1, 0, 1, 0, 0]);
    let confirmed = format!("{path}&token={}", seen["token"].as_str().unwrap());
    editor.post_bytes(confirmed, file).await.expect(200);
    let now = editor.get(one(POIS, &poi)).await.json();
    assert_eq!((&now["phone"], &now["title"]["fr"]), (&json!("04 92 11 11 11"), &json!("Lac renommé")));
}

/// Taken as empty, it would empty the field.
#[app_test]
async fn a_cell_whose_formula_failed_is_refused_and_changes_nothing(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, poi_body("Lac")).await;
    let seen = report(&editor, POIS, format!("id;phone;calcul\n{};#N/A;#REF!\n", id(&poi))).await;
    assert_eq!(rows(&seen), ["2 refused phone!table/cell-error"]);
    assert_eq!(seen["items"][0]["faults"][0]["params"], json!({"error": "#N/A"}));
}

#[app_test]
async fn a_formula_without_a_stored_value_is_refused_with_its_cell(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, poi_body("Lac")).await;
    let header = ["id", "phone", "title_fr", "calcul"].iter().zip(["A1", "B1", "C1", "D1"]);
    let header: String = header.map(|(name, cell)| text_cell(cell, name)).collect();
    let formula = |cell: &str, value: &str| format!(r#"<c r="{cell}" t="str"><f>T(E1)</f>{value}</c>"#);
    let of = |rows: &[String]| {
        let row = |(at, cells): (usize, &String)| format!(r#"<row r="{0}">{cells}</row>"#, at + 1);
        workbook(&[("POI", &rows.iter().enumerate().map(row).collect::<String>())])
    };
    let own = format!(r#"<c r="A2"><v>{}</v></c>"#, id(&poi));
    let row = own.clone() + &formula("B2", "");
    let seen = report(&editor, POIS, of(&[header.clone(), row, formula("A3", "") + &text_cell("C3", "Pré")])).await;
    // An empty number would make a new record.
    assert_eq!(
        rows(&seen),
        ["2 refused phone!table/formula-without-value", "3 refused id!table/formula-without-value"]
    );
    assert_eq!(seen["items"][0]["faults"][0]["params"], json!({"cell": "B2"}));
    // A value that is an empty text is stored, and a formula in a column that is not read makes no row.
    let row = own + &formula("B2", "<v></v>") + &text_cell("C2", "Lac") + &formula("D2", "");
    let seen = report(&editor, POIS, of(&[header, row, formula("D3", "")])).await;
    assert_eq!((rows(&seen), &seen["rows"]), (vec!["2 changed phone:04 92 00 00 00>".to_owned()], &json!(1)), "{seen}");
    let name = of(&[text_cell("A1", "id") + &formula("B1", ""), text_cell("A2", "1")]);
    let refused = editor.post_bytes(table_of(POIS), name).await.expect(422).problem();
    assert_eq!((refused.code.as_str(), &refused.params["cell"]), ("table/formula-without-value", &json!("B1")));
}

#[app_test]
async fn a_row_without_a_number_makes_a_record_and_the_undo_puts_it_into_the_bin(app: TestApp) {
    let editor = app.editor_of("morvan");
    let file = "title_fr;location_lat;location_lon;opening_fr\nLac neuf;47,1;4,2;\"Mai\nà juin\"\nSans lieu;;;\n";
    let seen = report(&editor, POIS, file).await;
    assert_eq!(counts(&seen), [0, 1, 0, 0, 1]);
    assert_eq!(rows(&seen)[1], "3 refused location_lat!poi/location-required");
    let written = write(&editor, POIS, file, &seen).await.expect(200).json();
    let found = editor.get(format!("{POIS}?search=neuf")).await.json();
    let poi = &found["items"][0];
    assert_eq!(
        (&poi["location"], &poi["opening"]["fr"], &poi["white_label"]["name"]),
        (&json!([4.2, 47.1]), &json!("Mai\nà juin"), &json!("Morvan"))
    );
    assert_eq!(undo(&editor, POIS, &written).await["applied"], 1);
    editor.get(one(POIS, poi)).await.expect(404);
    assert_eq!(editor.get("/api/v1/bin").await.json()["items"][0]["title"]["fr"], "Lac neuf");
}

#[app_test]
async fn a_large_table_is_written_and_undone_in_slices(app: TestApp) {
    let editor = app.editor_of("morvan");
    let news: String = (0..230).map(|number| format!("Lac {number};47;4\n")).collect();
    let file = format!("title_fr;location_lat;location_lon\n{news}");
    let seen = report(&editor, POIS, file.clone()).await;
    let written = write(&editor, POIS, file, &seen).await.expect(200).json();
    assert_eq!(counts(&written), [0, 230, 0, 0, 0]);
    assert_eq!(exported(&editor, POIS, "").await.len(), 231);
    assert_eq!(undo(&editor, POIS, &written).await["applied"], 230);
    assert_eq!(editor.get(POIS).await.json()["total"], 0);
}

#[app_test]
async fn a_table_points_only_to_what_its_writer_may_use_and_has_only_their_own_records(app: TestApp) {
    let editor = app.editor_of("morvan");
    let secret = app.media().owned_by("vercors").insert().await;
    let shared = made(&app.editor_of("vercors"), POIS, poi_body("Lac partagé")).await;
    app.editor_of("vercors")
        .at_version(1)
        .post(format!("{}/publication", one(POIS, &shared)), json!({}))
        .await
        .expect(200);
    let poi = made(&editor, POIS, poi_body("Lac")).await;
    assert_eq!(editor.get(POIS).await.json()["total"], 2, "the list has what others share");
    assert_eq!(exported(&editor, POIS, "").await.len(), 2, "the table has what can be edited");
    assert_eq!(exported(&editor, POIS, "owner=shared").await.len(), 1);
    let file = format!("id;media_ids\n{};{}\n", id(&poi), secret.id);
    assert_eq!(rows(&report(&editor, POIS, file).await), ["2 refused media_ids!validation/unknown-reference"]);
    let file = format!("id;title_fr\n{};À moi\n", id(&shared));
    assert_eq!(rows(&report(&editor, POIS, file).await), ["2 refused id!poi/not-found"]);
}

#[app_test]
async fn a_workbook_has_the_cells_of_the_table(app: TestApp) {
    let editor = app.editor_of("morvan");
    let themes = editor.get("/api/v1/vocabularies/poi_theme").await.json();
    let (theme, name) = (&themes["items"][0]["id"], themes["items"][0]["label"]["fr"].as_str().unwrap());
    let mut body = poi_body("Étang du Loup");
    body["theme_ids"] = json!([theme]);
    body["phone"] = json!("+33492000000");
    let poi = made(&editor, POIS, body).await;
    let reply = editor.get(format!("{}?format=xlsx&lang=fr", table_of(POIS))).await.expect(200);
    assert_eq!(reply.header("content-disposition").split(';').nth(1), Some(" filename=\"pois.xlsx\""));
    let table = app::record::table::read(&reply.bytes, app::record::table::MAX_ROWS).unwrap();
    let cell = |column: &str| {
        let at = table.header.iter().position(|found| found == column).unwrap();
        table.rows[0].cells.get(at).map(String::as_str).unwrap_or_default()
    };
    assert_eq!(
        (cell("id"), cell("title_fr"), cell("location_lat")),
        (id(&poi).to_string().as_str(), "Étang du Loup", "47.5")
    );
    assert_eq!((cell("phone"), cell("theme_names"), cell("distribute")), ("+33492000000", name, "non"));
    let seen = report(&editor, POIS, reply.bytes).await;
    assert_eq!(counts(&seen), [0, 0, 1, 0, 0]);
}

#[app_test]
async fn a_white_labels_own_fields_are_columns(app: TestApp) {
    let (admin, editor) = (app.admin_of("morvan"), app.editor_of("morvan"));
    let own = admin.get(format!("/api/v1/white-labels/{}", app.white_label("morvan").await)).await.json();
    let fields = json!([{"key": "lits", "type": "number", "label": {"fr": "Lits"}, "on": "poi"},
        {"key": "depuis", "type": "date", "label": {"fr": "Depuis"}, "on": "poi"}]);
    patch(&admin, "/api/v1/white-labels", &own, json!({"custom_fields": fields})).await.expect(200);
    let mut body = poi_body("Gîte");
    body["custom"] = json!({"lits": 4.5});
    let poi = made(&editor, POIS, body).await;
    let mut table = exported(&editor, POIS, "").await;
    assert_eq!(table[1].last_chunk::<2>().unwrap(), &["4,5", ""]);
    set_cell(&mut table, id(&poi), "custom.lits", "6");
    set_cell(&mut table, id(&poi), "custom.depuis", "25/11/2026");
    let seen = report(&editor, POIS, csv(&table)).await;
    assert_eq!(rows(&seen), ["2 changed custom.lits:4,5>6 custom.depuis:>2026-11-25"]);
    set_cell(&mut table, id(&poi), "custom.depuis", "hier");
    assert_eq!(rows(&report(&editor, POIS, csv(&table)).await), ["2 refused custom.depuis!custom/date"]);
}

/// A workbook with sheets of these names and rows, whose style 1 is a percentage with one decimal.
pub fn workbook(sheets: &[(&str, &str)]) -> Vec<u8> {
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const SHEETS: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let relations = |of: &[(&str, &str)]| {
        let one = |(at, (kind, target)): (usize, &(&str, &str))| {
            format!(r#"<Relationship Id="rId{}" Type="{OFFICE}/{kind}" Target="{target}"/>"#, at + 1)
        };
        let all: String = of.iter().enumerate().map(one).collect();
        format!(
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{all}</Relationships>"#
        )
    };
    let files: Vec<String> = (1..=sheets.len()).map(|at| format!("worksheets/sheet{at}.xml")).collect();
    let styles = std::iter::once(("styles", "styles.xml"));
    let related: Vec<(&str, &str)> = files.iter().map(|file| ("worksheet", file.as_str())).chain(styles).collect();
    let listed = |(at, (name, _)): (usize, &(&str, &str))| {
        format!(r#"<sheet name="{name}" sheetId="{0}" r:id="rId{0}"/>"#, at + 1)
    };
    let list: String = sheets.iter().enumerate().map(listed).collect();
    let mut parts = vec![
        ("_rels/.rels".to_owned(), relations(&[("officeDocument", "xl/workbook.xml")])),
        ("xl/_rels/workbook.xml.rels".to_owned(), relations(&related)),
        (
            "xl/workbook.xml".to_owned(),
            format!(r#"<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheets>{list}</sheets></workbook>"#),
        ),
        (
            "xl/styles.xml".to_owned(),
            format!(
                r#"<styleSheet xmlns="{SHEETS}"><numFmts count="1"><numFmt numFmtId="164" formatCode="0.0%"/></numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>"#
            ),
        ),
    ];
    parts.extend(files.iter().zip(sheets).map(|(file, (_, rows))| {
        let sheet = format!(r#"<worksheet xmlns="{SHEETS}"><sheetData>{rows}</sheetData></worksheet>"#);
        (format!("xl/{file}"), sheet)
    }));
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut archive, text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A cell of a workbook with a text.
pub fn text_cell(cell: &str, text: &str) -> String {
    format!(r#"<c r="{cell}" t="inlineStr"><is><t>{text}</t></is></c>"#)
}

#[app_test]
async fn a_report_names_the_sheets_of_a_workbook_that_are_not_read(app: TestApp) {
    let editor = app.editor_of("morvan");
    let rows_of = |title: &str| {
        let rows = [("title_fr", "location_lat", "location_lon"), (title, "47", "4")];
        let row = |(at, (one, two, three)): (usize, (&str, &str, &str))| {
            let cells = [("A", one), ("B", two), ("C", three)].map(|(column, text)| {
                let place = format!("{column}{}", at + 1);
                text_cell(&place, text)
            });
            format!(r#"<row r="{}">{}</row>"#, at + 1, cells.concat())
        };
        rows.into_iter().enumerate().map(row).collect::<String>()
    };
    let (lake, pass) = (rows_of("Lac"), rows_of("Col"));
    let one = report(&editor, POIS, workbook(&[("Vide", ""), ("POI", &lake)])).await;
    assert_eq!((counts(&one), &one["notes"]), ([0, 1, 0, 0, 0], &Value::Null), "{one}");
    let sheets: [(&str, &str); 4] = [("POI", &lake), ("Hiver", &pass), ("Été, 2", &pass), ("Vide", "")];
    let two = report(&editor, POIS, workbook(&sheets)).await;
    assert_eq!(counts(&two), [0, 1, 0, 0, 0], "{two}");
    let params = json!({"read": "POI", "sheets": "Hiver · Été, 2"});
    assert_eq!(two["notes"], json!([{"column": null, "code": "table/other-sheets", "params": params}]));
}

#[app_test]
async fn a_percentage_is_what_is_shown_in_a_text_and_a_number_in_a_column_of_numbers(app: TestApp) {
    let (admin, editor) = (app.admin_of("morvan"), app.editor_of("morvan"));
    let own = admin.get(format!("/api/v1/white-labels/{}", app.white_label("morvan").await)).await.json();
    let fields = json!([{"key": "pente", "type": "number", "label": {"fr": "Pente"}, "on": "poi"}]);
    patch(&admin, "/api/v1/white-labels", &own, json!({"custom_fields": fields})).await.expect(200);
    let poi = made(&editor, POIS, poi_body("Côte")).await;
    let header = [text_cell("A1", "id"), text_cell("B1", "title_fr"), text_cell("C1", "custom.pente")].concat();
    let share = r#"<c r="B2" s="1"><v>0.125</v></c><c r="C2" s="1"><v>0.125</v></c>"#;
    let rows_of = format!(r#"<row r="1">{header}</row><row r="2"><c r="A2"><v>{}</v></c>{share}</row>"#, id(&poi));
    let file = workbook(&[("a", &rows_of)]);
    let seen = report(&editor, POIS, file).await;
    assert_eq!(rows(&seen), ["2 changed title_fr:Côte>12.5% custom.pente:>0,125"]);
}

#[app_test]
async fn contacts_are_edited_as_a_table_by_those_who_manage_them(app: TestApp) {
    let (admin, theirs) = (app.admin_of("morvan"), app.admin_of("vercors"));
    let roux =
        made(&admin, CONTACTS, json!({"last_name": "Roux", "email": "ana@roux.fr", "phone": "0385868038"})).await;
    made(&admin, CONTACTS, json!({"last_name": "Blanc", "email": "b@roux.fr"})).await;
    let sage = made(&theirs, CONTACTS, json!({"last_name": "Sage", "email": "s@sage.fr"})).await;
    app.editor_of("morvan").get(table_of(CONTACTS)).await.expect(403);
    let table = exported(&admin, CONTACTS, "").await;
    assert_eq!(
        table[0].join(" "),
        "id version first_name last_name email phone function structure_id structure_name white_label_ids white_label_names"
    );
    assert_eq!((table.len(), table[2][3].as_str(), table[2][8].is_empty()), (3, "Roux", false));
    let file = format!(
        "id;last_name;email;phone\n{0};Rousse;ana@roux.fr;385868038\n;Vert;v@roux.fr;12\n;Noir;b@roux.fr;\n{1};Sauge;s@sage.fr;\n",
        id(&roux),
        id(&sage)
    );
    // Windows-1252 is what an old spreadsheet writes; these letters are the same in UTF-8.
    let seen = report(&admin, CONTACTS, file.clone()).await;
    assert_eq!(
        rows(&seen),
        [
            "2 changed last_name:Roux>Rousse",
            "3 refused phone!validation/phone",
            "4 refused email!contact/email-taken",
            "5 refused id!contact/not-found"
        ]
    );
    write(&admin, CONTACTS, file, &seen).await.expect(200);
    let now = admin.get(one(CONTACTS, &roux)).await.json();
    assert_eq!((&now["last_name"], &now["phone"]), (&json!("Rousse"), &json!("0385868038")));
}

#[app_test]
async fn two_new_contacts_with_one_address_are_one_and_a_refused_row(app: TestApp) {
    let admin = app.admin_of("morvan");
    let file = "last_name;email\nVert;v@roux.fr\nVerte;v@roux.fr\n";
    let seen = report(&admin, CONTACTS, file).await;
    assert_eq!(counts(&seen), [0, 2, 0, 0, 0], "each row is compared with the records");
    let written = write(&admin, CONTACTS, file, &seen).await.expect(200).json();
    assert_eq!(
        (counts(&written), rows(&written)[1].as_str()),
        ([0, 1, 0, 0, 1], "3 refused email!contact/email-taken")
    );
}

#[app_test]
async fn transport_lines_and_media_have_tables(app: TestApp) {
    let editor = app.editor_of("morvan");
    let conditions = json!([{"region": "Bourgogne", "text": {"fr": "Hors pointe"}}]);
    let line =
        made(&editor, LINES, json!({"long_name": "Autun – Nevers", "mode": "bus", "conditions": conditions})).await;
    let mut file = exported(&editor, LINES, "mode=bus").await;
    assert_eq!(counts(&report(&editor, LINES, csv(&file)).await), [0, 0, 1, 0, 0]);
    set_cell(&mut file, id(&line), "mode", "Avion");
    let seen = report(&editor, LINES, csv(&file)).await;
    assert_eq!(rows(&seen), ["2 refused mode!table/word"]);
    assert!(seen["items"][0]["faults"][0]["params"]["words"].as_str().unwrap().starts_with("tram, metro, rail"));
    set_cell(&mut file, id(&line), "mode", "rail");
    set_cell(&mut file, id(&line), "bike_carriage", "yes");
    let seen = report(&editor, LINES, csv(&file)).await;
    assert_eq!(rows(&seen), ["2 changed mode:bus>rail bike_carriage:unknown>yes"]);
    write(&editor, LINES, csv(&file), &seen).await.expect(200);
    assert_eq!(editor.get(one(LINES, &line)).await.json()["conditions"][0]["text"]["fr"], "Hors pointe");

    let media = app.media().insert().await;
    let table = exported(&editor, MEDIAS, "").await;
    assert!(!table[0].iter().any(|name| ["file", "poster", "translated", "focal", "crop"].contains(&name.as_str())));
    let file = format!("id;copyright;licence\n{};C. Le Goff;CC BY 4.0\n;Personne;\n", media.id);
    let seen = report(&editor, MEDIAS, file.clone()).await;
    assert_eq!(rows(&seen)[1], "3 refused id!table/no-new");
    let written = write(&editor, MEDIAS, file, &seen).await.expect(200).json();
    assert_eq!(counts(&written), [1, 0, 0, 0, 1]);
    assert_eq!(editor.get(format!("{MEDIAS}/{}", media.id)).await.json()["licence"], "CC BY 4.0");
}

#[app_test]
async fn a_file_that_is_not_a_table_is_refused(app: TestApp) {
    let editor = app.editor_of("morvan");
    for (file, code) in [
        (Vec::new(), "table/unreadable"),
        (b"\x89PNG\r\n\x1a\n\0\0".to_vec(), "table/unreadable"),
        (b"couleur;forme\nbleu;rond\n".to_vec(), "table/no-column"),
        (format!("title_fr\n{}", "x\n".repeat(5_001)).into_bytes(), "table/too-many-rows"),
    ] {
        assert_eq!(editor.post_bytes(table_of(POIS), file).await.expect(422).problem().code, code);
    }
    let large = editor.post_bytes(table_of(POIS), vec![b'x'; 5 * 1024 * 1024 + 1]).await;
    assert_eq!(large.expect(413).problem().code, "request/too-large");
}

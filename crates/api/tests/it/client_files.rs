//! Client files: one trip, a roadbook for each of its clients, and nothing of a client anywhere else.

use std::sync::Arc;

use domain::ParcoursId;
use domain::roadbook::{ClientFile, MAX_CLIENT_FILES};
use futures_util::StreamExt;
use macros::app_test;
use serde_json::{Value, json};
use store::client_file as rows;
use testkit::{Client, InProcessRenderer, Reply, TestApp};

use crate::nothing_crosses::renderer::RecordingRenderer;
use crate::parcours_kit::{made, now, path, published, shared};
use crate::roadbook::trip;

fn files(parcours: &Value) -> String {
    format!("{}/client-files", path(parcours))
}

fn at(parcours: &Value, file: &Value) -> String {
    format!("{}/{}", files(parcours), file["id"])
}

async fn added(by: &Client, parcours: &Value, file: Value) -> Value {
    by.post(files(parcours), file).await.expect(201).json()
}

async fn put(by: &Client, address: &str, version: i64, file: Value) -> Reply {
    by.clone().at_version(version).put(address, file).await
}

/// The data of a roadbook that was printed: of the parcours, or of one of its client files.
async fn printed(renderer: &RecordingRenderer, by: &Client, parcours: &Value, file: Option<&Value>) -> Value {
    renderer.forget();
    let query = file.map(|file| format!("?client_file={}", file["id"])).unwrap_or_default();
    by.post(format!("{}/roadbook/pdf{query}", path(parcours)), json!({})).await.expect(200);
    serde_json::from_str(&renderer.printed()[0]).unwrap()
}

/// A trip whose roadbook is set for all its clients, and one that keeps what is printed.
async fn set_trip(app: &TestApp) -> (TestApp, RecordingRenderer, Value) {
    let renderer = RecordingRenderer::default();
    let kept = renderer.clone();
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(kept)));
    let parcours = trip(&app).await;
    let night = parcours["steps"][3]["id"].as_i64().unwrap();
    let model = json!({"format": "a4", "starts_on": "2027-05-14", "clients": ["Claire Aubertin"],
        "welcome": {"fr": "Bienvenue."}, "signature": "Maud", "contacts": [{"name": "Maud", "phone": "+33639982041"}],
        "stays": [{"step_id": night, "name": "Auberge du Pré", "phone": "+33353014210", "code": "2741"}],
        "vouchers": [{"provider": "Auberge du Pré", "service": "1 nuit", "date": "2027-05-14", "people": "2"}]});
    let agency = app.agency_of("morvan");
    agency.clone().at_version(0).put(format!("{}/roadbook", path(&parcours)), model).await.expect(200);
    (app, renderer, parcours)
}

#[app_test]
async fn two_clients_of_one_trip_have_each_their_own_roadbook(app: TestApp) {
    let (app, renderer, parcours) = set_trip(&app).await;
    let agency = app.agency_of("morvan");
    let night = parcours["steps"][3]["id"].as_i64().unwrap();
    let noe = json!({"reference": "2027-0501", "clients": ["Noé Petit", "Ada Petit"], "starts_on": "2027-07-01",
        "people": "2 adultes", "stays": [{"step_id": night, "room": "7"}]});
    let ines = json!({"reference": "2027-0502", "clients": ["Inès Roy"], "language": "en", "signature": "Yann",
        "welcome": {"en": "Welcome."}, "stays": [{"step_id": night, "name": "Hôtel de la Gare"}],
        "vouchers": [{"provider": "Loueur", "service": "1 vélo"}]});
    let (noe, ines) = (added(&agency, &parcours, noe).await, added(&agency, &parcours, ines).await);

    let first = printed(&renderer, &agency, &parcours, Some(&noe)).await;
    let trip = &first["trip"];
    assert_eq!((&trip["travellers"], &trip["reference"]), (&json!(["Noé Petit", "Ada Petit"]), &json!("2027-0501")));
    assert_eq!((&trip["starts_on"], &trip["ends_on"]), (&json!("2027-07-01"), &json!("2027-07-03")));
    assert_eq!((&trip["signature"], &trip["welcome"]), (&json!("Maud"), &json!(["Bienvenue."])));
    let stay = &first["days"][0]["stay"];
    assert_eq!((&stay["name"], &stay["code"], &stay["room"]), (&json!("Auberge du Pré"), &json!("2741"), &json!("7")));
    let voucher = &first["vouchers"][0];
    assert_eq!((&voucher["date"], &voucher["people"]), (&json!("2027-07-01"), &json!("2 adultes")));

    let second = printed(&renderer, &agency, &parcours, Some(&ines)).await;
    assert_eq!((&second["locale"], &second["format"]), (&json!("en"), &json!("a4")), "the layout is the parcours'");
    let trip = &second["trip"];
    assert_eq!((&trip["travellers"], &trip["starts_on"]), (&json!(["Inès Roy"]), &Value::Null));
    assert_eq!((&trip["welcome"], &trip["signature"]), (&json!(["Welcome."]), &json!("Yann")));
    let stay = &second["days"][0]["stay"];
    assert_eq!(stay["name"], "Hôtel de la Gare");
    assert!(!stay.to_string().contains("2741"), "the door code is that of another house: {stay}");
    assert_eq!(second["vouchers"][0]["provider"], "Loueur");
    for other in ["Claire", "Noé", "2027-0501", "2027-05-14"] {
        assert!(!second.to_string().contains(other), "{other} is another client's");
    }

    let own = printed(&renderer, &agency, &parcours, None).await;
    let trip = &own["trip"];
    assert_eq!((&trip["travellers"], &trip["reference"]), (&json!(["Claire Aubertin"]), &json!("MVN-2027-0418")));
    let list = agency.get("/api/v1/parcours?progress=any").await.expect(200).json();
    assert_eq!(list["total"], 1, "no parcours was made for a client");
}

#[app_test]
async fn the_roadbook_of_a_client_is_a_separate_file_and_has_a_preview(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let (agency, parcours) = (app.agency_of("morvan"), trip(&app).await);
    let file = added(&agency, &parcours, json!({"reference": "2027-0501", "clients": ["Noé Petit"]})).await;
    let pdf = format!("{}/roadbook/pdf?client_file={}", path(&parcours), file["id"]);
    let printed = agency.post(&pdf, json!({})).await.expect(200);
    assert!(printed.bytes.starts_with(b"%PDF-"));
    assert!(printed.header("content-disposition").contains("carnet-le-morvan-des-lacs-2027-0501.pdf"));
    let key = format!("roadbook/{}-fr.pdf", parcours["id"]);
    assert!(app.app().blobs.get(&key).await.unwrap().is_none(), "what staff print is not kept");

    let preview = format!("{}/roadbook/preview", path(&parcours));
    // A file that is new, and a voucher that is not finished.
    let typed = json!({"clients": ["Ada"], "vouchers": [{"provider": "Auberge"}]});
    let seen = agency.post(&preview, json!({"client_file": typed, "pages": [1], "width_px": 100})).await;
    assert_eq!(seen.expect(200).json()["pages"].as_array().unwrap().len(), 1);
    let wrong = json!({"client_file": {"starts_on": "2027-02-30"}});
    let refused = agency.post(&preview, wrong).await.expect(422).problem();
    assert_eq!(refused.errors[0].field, "/starts_on");

    let (editor, saved) = (app.editor_of("morvan"), format!("{preview}?client_file={}", file["id"]));
    editor.post(&saved, json!({"pages": [1], "width_px": 100})).await.expect(200);
    editor.post(&saved, json!({"client_file": file["file"], "pages": [1], "width_px": 100})).await.expect(200);
    let refused = editor.post(&saved, json!({"client_file": {"clients": ["Ada"]}})).await.expect(403).problem();
    assert_eq!((refused.code.as_str(), refused.field.as_deref()), ("parcours/agency-only", Some("/client_file")));
}

#[app_test]
async fn the_list_shows_files_to_be_dated_then_the_latest_first_and_is_paged(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = made(&agency, "Lac", json!({})).await;
    let empty = agency.get(files(&parcours)).await.expect(200).json();
    assert_eq!((&empty["total"], &empty["items"]), (&json!(0), &json!([])));
    for (reference, day) in [("a", json!("2027-05-01")), ("b", json!("2027-08-01")), ("c", json!(null))] {
        let file = json!({"reference": reference, "starts_on": day, "clients": [reference]});
        added(&agency, &parcours, file).await;
    }
    let page = app.reader_of("morvan").get(format!("{}?per_page=2", files(&parcours))).await.expect(200).json();
    assert_eq!((&page["total"], &page["total_capped"]), (&json!(3), &json!(false)));
    let items = page["items"].as_array().unwrap();
    let listed: Vec<_> = items.iter().map(|one| (one["reference"].as_str().unwrap(), &one["starts_on"])).collect();
    assert_eq!(listed, [("c", &json!(null)), ("b", &json!("2027-08-01"))]);
    assert_eq!((&items[1]["clients"], &items[1]["updated_by"]["name"]), (&json!(["b"]), &json!("Camille agency")));
    assert!(items[1].get("file").is_none(), "a list does not bring whole files");
    let rest = agency.get(format!("{}?per_page=2&page=2", files(&parcours))).await.expect(200).json();
    assert_eq!(rest["items"][0]["reference"], "a");
}

#[app_test]
async fn two_people_do_not_overwrite_each_other(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = made(&agency, "Lac", json!({})).await;
    let reply = agency.post(files(&parcours), json!({"reference": "2027-0501"})).await.expect(201);
    let file = reply.json();
    let address = at(&parcours, &file);
    assert_eq!((reply.header("etag"), reply.header("location")), ("\"1\"", address.as_str()));
    let saved = put(&agency, &address, 1, json!({"reference": "2027-0501", "clients": ["Noé"]})).await.expect(200);
    assert_eq!((saved.header("etag"), &saved.json()["file"]["clients"]), ("\"2\"", &json!(["Noé"])));
    let stale = put(&agency, &address, 1, json!({"reference": "x"})).await.expect(412).problem();
    assert_eq!(stale.code, "version/stale");
    assert_eq!(agency.put(&address, json!({"reference": "x"})).await.expect(428).problem().code, "version/required");
    let stale = agency.clone().at_version(1).delete(&address).await.expect(412).problem();
    assert_eq!(stale.code, "version/stale");
    agency.clone().at_version(2).delete(&address).await.expect(204);
    let gone = agency.get(&address).await.expect(404).problem();
    assert_eq!(gone.code, "roadbook/client-file-not-found");
}

#[app_test]
async fn files_are_changed_by_agencies_and_read_by_their_own_white_label_alone(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = shared(&app.editor_of("morvan"), "Lac").await;
    let file = added(&agency, &parcours, json!({"reference": "2027-0501", "clients": ["Noé Petit"]})).await;
    let address = at(&parcours, &file);
    let editor = app.editor_of("morvan");
    let read = editor.get(&address).await.expect(200).json();
    assert_eq!((&read["editable"], &read["locked_reason"]), (&json!(false), &json!("role")));
    put(&editor, &address, 1, json!({"reference": "x"})).await.expect(403);
    editor.post(files(&parcours), json!({"reference": "x"})).await.expect(403);
    editor.clone().at_version(1).delete(&address).await.expect(403);

    // A shared parcours is seen by another white-label; that it has client files is not.
    let other = app.admin_of("vercors");
    for address in [files(&parcours), address.clone(), format!("{}/999", files(&parcours))] {
        assert_eq!(other.get(&address).await.expect(403).problem().code, "parcours/not-yours");
    }
    put(&other, &address, 1, json!({"reference": "x"})).await.expect(403);
    other.clone().at_version(1).delete(&address).await.expect(403);
    for number in [&file["id"], &json!(999)] {
        let pdf = format!("{}/roadbook/pdf?client_file={number}", path(&parcours));
        assert_eq!(other.post(&pdf, json!({})).await.expect(403).problem().code, "parcours/not-yours");
    }
    // Of a parcours that is not shared they find no client file.
    let draft = made(&agency, "Étang", json!({})).await;
    let own = added(&agency, &draft, json!({"reference": "2027-0502"})).await;
    for address in [files(&draft), at(&draft, &own)] {
        assert_eq!(other.get(&address).await.expect(404).problem().code, "parcours/not-found");
    }
    app.anonymous().get(&address).await.expect(401);
}

#[app_test]
async fn a_client_file_is_reached_only_under_its_own_parcours(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let agency = app.agency_of("morvan");
    let (one, other) = (made(&agency, "Lac", json!({})).await, made(&agency, "Étang", json!({})).await);
    let file = added(&agency, &one, json!({"reference": "2027-0501"})).await;
    let address = at(&other, &file);
    agency.get(&address).await.expect(404);
    put(&agency, &address, 1, json!({"reference": "x"})).await.expect(404);
    agency.clone().at_version(1).delete(&address).await.expect(404);
    for document in ["pdf", "preview"] {
        let asked = format!("{}/roadbook/{document}?client_file={}", path(&other), file["id"]);
        let refused = agency.post(&asked, json!({})).await.expect(404).problem();
        assert_eq!(refused.code, "roadbook/client-file-not-found", "{document}");
    }
    let foreign = app.media().owned_by("vercors").insert().await.id;
    let wrong = json!({"reference": "x", "stays": [{"step_id": 1, "media_id": foreign}]});
    let refused = agency.post(files(&one), wrong).await.expect(422).problem();
    let fault = &refused.errors[0];
    assert_eq!((fault.code.as_str(), fault.field.as_str()), ("validation/unknown-reference", "/stays/0/media_id"));
}

#[app_test]
async fn another_file_with_the_same_number_is_named(app: TestApp) {
    let agency = app.agency_of("morvan");
    let (lac, etang) = (made(&agency, "Lac", json!({})).await, made(&agency, "Étang", json!({})).await);
    let first = added(&agency, &lac, json!({"reference": "2027-a01"})).await;
    assert_eq!(first["same_reference"], json!([]));
    let second = added(&agency, &etang, json!({"reference": " 2027-A01 "})).await;
    let named = |parcours: &Value, file: &Value| json!([{"parcours_id": parcours["id"], "id": file["id"]}]);
    assert_eq!(second["same_reference"], named(&lac, &first));
    let show = async |parcours: &Value, file: &Value| {
        agency.get(at(parcours, file)).await.expect(200).json()["same_reference"].clone()
    };
    assert_eq!(show(&lac, &first).await, named(&etang, &second), "the first one names the second since");
    // Another white-label has its own numbers.
    let others = app.agency_of("vercors");
    let theirs = made(&others, "Mont", json!({})).await;
    let theirs = added(&others, &theirs, json!({"reference": "2027-A01"})).await;
    assert_eq!(theirs["same_reference"], json!([]));
    assert_eq!(show(&lac, &first).await, named(&etang, &second));
    let saved = put(&agency, &at(&etang, &second), 1, json!({"reference": "2027-A02"})).await.expect(200).json();
    assert_eq!((&saved["same_reference"], show(&lac, &first).await), (&json!([]), json!([])));
    // The file of a parcours in the bin is not named, until it comes back.
    put(&agency, &at(&etang, &second), 2, json!({"reference": "2027-A01"})).await.expect(200);
    assert_eq!(show(&lac, &first).await, named(&etang, &second));
    agency.clone().at_version(1).delete(path(&etang)).await.expect(204);
    assert_eq!(show(&lac, &first).await, json!([]));
}

#[app_test]
async fn an_invalid_value_is_reported_on_its_field(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = made(&agency, "Lac", json!({})).await;
    let wrong = json!({"reference": " ", "language": "it", "starts_on": "demain",
        "vouchers": [{"provider": "Auberge"}], "stays": [{"step_id": 1, "check_in": "25:00"}]});
    let problem = agency.post(files(&parcours), wrong).await.expect(422).problem();
    let codes: Vec<_> = problem.errors.iter().map(|fault| (fault.code.as_str(), fault.field.as_str())).collect();
    assert_eq!(
        codes,
        [
            ("validation/required", "/reference"),
            ("validation/unknown-language", "/language"),
            ("validation/bad-date", "/starts_on"),
            ("roadbook/bad-hour", "/stays/0/check_in"),
            ("validation/required", "/vouchers/0/service"),
        ]
    );
    let unknown = agency.post(files(&parcours), json!({"reference": "x", "passport": "1"})).await.expect(422);
    assert_eq!(unknown.problem().code, "request/bad-field");
    assert_eq!(agency.get(files(&parcours)).await.expect(200).json()["total"], 0);
}

/// Writes files past the API, which would take long.
async fn filled(app: &TestApp, parcours: &Value, count: i64) {
    let id = ParcoursId(parcours["id"].as_i64().unwrap());
    let by = app.user(domain::Role::Agency, "morvan").await;
    let tx = app.store().begin().await.unwrap();
    for number in 0..count {
        let file = ClientFile { reference: format!("2027-{number}"), ..ClientFile::default() };
        rows::insert(&tx, id, &file, by, app.app().now()).await.unwrap();
    }
    tx.commit().await.unwrap();
}

#[app_test]
async fn a_parcours_has_five_hundred_client_files_at_most(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = made(&agency, "Lac", json!({})).await;
    filled(&app, &parcours, MAX_CLIENT_FILES).await;
    let refused = agency.post(files(&parcours), json!({"reference": "x"})).await.expect(422).problem();
    assert_eq!((refused.code.as_str(), &refused.params["max"]), ("roadbook/too-many-client-files", &json!(500)));
    let page = agency.get(format!("{}?per_page=200", files(&parcours))).await.expect(200).json();
    assert_eq!((&page["total"], page["items"].as_array().unwrap().len()), (&json!(500), 200));
    let last = &page["items"][0];
    agency.clone().at_version(1).delete(at(&parcours, last)).await.expect(204);
    added(&agency, &parcours, json!({"reference": "x"})).await;
}

#[app_test]
async fn files_go_to_the_bin_and_come_back_with_their_parcours_and_are_erased_with_it(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = made(&agency, "Lac", json!({})).await;
    let file = added(&agency, &parcours, json!({"reference": "2027-0501", "clients": ["Noé"]})).await;
    agency.clone().at_version(1).delete(path(&parcours)).await.expect(204);
    agency.get(files(&parcours)).await.expect(404);
    agency.get(at(&parcours, &file)).await.expect(404);
    let bin = agency.get("/api/v1/bin").await.expect(200);
    assert!(!bin.text().contains("Noé") && !bin.text().contains("2027-0501"), "{}", bin.text());
    let restoration = format!("/api/v1/bin/{}/restoration", bin.json()["items"][0]["id"]);
    agency.post(restoration, json!({})).await.expect(200);
    assert_eq!(agency.get(at(&parcours, &file)).await.expect(200).json()["file"]["clients"], json!(["Noé"]));

    let again = now(&agency, &parcours).await;
    let held = agency.clone().at_version(again["version"].as_i64().unwrap());
    held.delete(path(&parcours)).await.expect(204);
    app.clock().advance_s(31 * 86_400);
    api::tidy::tidy(app.app()).await.unwrap();
    let id = ParcoursId(parcours["id"].as_i64().unwrap());
    assert_eq!(rows::count(app.store().read(), id).await.unwrap(), 0);
}

#[app_test]
async fn a_copy_of_a_parcours_has_no_client_file(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = made(&agency, "Lac", json!({})).await;
    added(&agency, &parcours, json!({"reference": "2027-0501"})).await;
    let copy = agency.post(format!("{}/duplicate", path(&parcours)), json!({"title": "Copie"})).await;
    let copy = copy.expect(201).json();
    assert_eq!(agency.get(files(&copy)).await.expect(200).json()["total"], 0);
}

/// Beside the test of every operation of the contract (`nothing_crosses`): what visitors take away, and what a deletion leaves.
#[app_test]
async fn nothing_of_a_client_is_public_nor_in_the_journal(app: TestApp) {
    let (app, renderer, parcours) = set_trip(&app).await;
    let agency = app.agency_of("morvan");
    let file = json!({"reference": "REF7QX", "clients": ["Quentin Zyl"], "starts_on": "2029-09-09"});
    let file = added(&agency, &parcours, file).await;
    let admin = app.admin_of("morvan");
    published(&admin, &now(&admin, &parcours).await).await;
    renderer.forget();
    let open = format!("/p/le-morvan-des-lacs-{}", parcours["id"]);
    let mut found = Vec::new();
    for page in ["", "/roadbook.pdf", "/card.jpg", "/trace.gpx"] {
        found.push(app.anonymous().get(format!("{open}{page}?client_file={}", file["id"])).await.expect(200).text());
    }
    found.extend(renderer.printed());
    let search = admin.get("/api/v1/search?q=Quentin").await.expect(200);
    found.push(search.text());
    for query in ["search=Quentin&progress=any", "search=REF7QX&progress=any"] {
        let list = admin.get(format!("/api/v1/parcours?{query}")).await.expect(200).json();
        assert_eq!(list["total"], 0, "{query}");
    }
    agency.clone().at_version(1).delete(at(&parcours, &file)).await.expect(204);
    let journal = admin.get("/api/v1/audit-events").await.expect(200);
    assert!(journal.text().contains("client_file_deleted"));
    found.push(journal.text());
    for (at, text) in found.iter().enumerate() {
        for secret in ["Quentin", "Zyl", "REF7QX", "2029-09-09"] {
            assert!(!text.contains(secret), "{secret} in answer {at}");
        }
    }
}

fn references(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|one| one["reference"].as_str().unwrap()).collect()
}

/// Three departures and one without a date.
async fn departures(agency: &Client, parcours: &Value) -> Vec<Value> {
    let mut made = Vec::new();
    for (reference, day, name) in [
        ("2027-0501", json!("2027-05-01"), "Noé Petit"),
        ("2027-0502", json!("2027-05-01"), "Inès Roy"),
        ("2027-0801", json!("2027-08-01"), "Ada Noël"),
        ("2027-0900", json!(null), "Zoé Roy"),
    ] {
        let file = json!({"reference": reference, "starts_on": day, "clients": [name]});
        made.push(added(agency, parcours, file).await);
    }
    made
}

#[app_test]
async fn files_are_found_by_number_by_name_and_by_first_day(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = made(&agency, "Lac", json!({})).await;
    departures(&agency, &parcours).await;
    for (asked, expected) in [
        ("q=ROY", vec!["2027-0900", "2027-0502"]),
        ("q=roy+zoe", vec!["2027-0900"]),
        ("q=050", vec!["2027-0502", "2027-0501"]),
        ("q=noe", vec!["2027-0801", "2027-0501"]),
        ("q=personne", vec![]),
        ("from=2027-05-01&to=2027-05-01", vec!["2027-0502", "2027-0501"]),
        ("from=2027-05-02", vec!["2027-0801"]),
        ("to=2027-07-31&q=petit", vec!["2027-0501"]),
        ("q=&from=&to=", vec!["2027-0900", "2027-0801", "2027-0502", "2027-0501"]),
    ] {
        let page = agency.get(format!("{}?{asked}", files(&parcours))).await.expect(200).json();
        assert_eq!((references(&page), &page["total"]), (expected.clone(), &json!(expected.len())), "{asked}");
    }
    let page = agency.get(format!("{}?q=2027&per_page=3&page=2", files(&parcours))).await.expect(200).json();
    assert_eq!((references(&page), &page["total"]), (vec!["2027-0501"], &json!(4)));
    for wrong in ["from=demain", "to=2027-02-30"] {
        let refused = agency.get(format!("{}?{wrong}", files(&parcours))).await.expect(400).problem();
        assert_eq!(refused.code, "request/bad-query", "{wrong}");
    }
}

const BATCHES: &str = "/api/v1/roadbook-batches";

/// The names in the ZIP file of a batch.
async fn names_in(by: &Client, batch: &Value) -> Vec<String> {
    let zip = by.get(format!("{BATCHES}/{}/file", batch["id"])).await.expect(200);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&zip.bytes)).unwrap();
    (0..archive.len()).map(|at| archive.by_index(at).unwrap().name().unwrap().to_string()).collect()
}

async fn settled(app: &TestApp, by: &Client, batch: &Value) -> Value {
    outputs::roadbook::batch::settle(app.app()).await.unwrap();
    by.get(format!("{BATCHES}/{}", batch["id"])).await.expect(200).json()
}

#[app_test]
async fn the_roadbooks_of_a_departure_are_printed_together_and_kept_for_a_day(app: TestApp) {
    let (app, renderer, parcours) = set_trip(&app).await;
    let agency = app.agency_of("morvan");
    let of = departures(&agency, &parcours).await;
    renderer.forget();
    let day = json!({"from": "2027-05-01", "to": "2027-05-01"});
    let asked = json!({"client_files": {"parcours_id": parcours["id"], "filter": day}});
    let begun = agency.post(BATCHES, &asked).await.expect(201).json();
    assert_eq!((&begun["total"], &begun["client_files_of"]), (&json!(2), &parcours["id"]));
    let made = settled(&app, &agency, &begun).await;
    assert_eq!((&made["state"], &made["printed"]), (&json!("done"), &json!(2)), "{made}");
    let printed = renderer.printed();
    assert_eq!(printed.len(), 2);
    for (text, own, other) in [(&printed[0], "Inès Roy", "Noé Petit"), (&printed[1], "Noé Petit", "Inès Roy")] {
        assert!(text.contains(own) && !text.contains(other) && !text.contains("Claire"), "{text}");
    }
    let expected = [&of[1], &of[0]].map(|file| {
        let reference = file["file"]["reference"].as_str().unwrap();
        format!("carnet-le-morvan-des-lacs-{reference}-{}.pdf", file["id"])
    });
    assert_eq!(names_in(&agency, &begun).await, expected);
    let list = agency.get(BATCHES).await.expect(200).text();
    assert!(!list.contains("2027-050") && !list.contains("Noé"), "a batch names no client: {list}");

    // The batch belongs to the person who started it, and only people of its white-label see it.
    app.admin_of("morvan").get(format!("{BATCHES}/{}", begun["id"])).await.expect(404);
    let theirs = app.admin_of("vercors").post(BATCHES, &asked).await.expect(404).problem();
    assert_eq!(theirs.code, "parcours/not-found");
    let none = json!({"client_files": {"parcours_id": parcours["id"], "filter": {"q": "personne"}}});
    assert_eq!(agency.post(BATCHES, none).await.expect(422).problem().code, "roadbook/nothing-chosen");
    for (filter, field) in [(json!({"from": "hier"}), "from"), (json!({"to": "2027-02-30"}), "to")] {
        let wrong = json!({"client_files": {"parcours_id": parcours["id"], "filter": filter}});
        let refused = agency.post(BATCHES, wrong).await.expect(422).problem();
        assert_eq!(refused.errors[0].field, format!("/client_files/filter/{field}"));
    }
    let wrong = agency.post(BATCHES, json!({"filter": {"sort": "title", "lack": "no_luck"}})).await;
    assert_eq!(wrong.expect(422).problem().errors[0].field, "/filter/lack");
    for wrong in [json!({}), json!({"filter": {}, "client_files": asked["client_files"]})] {
        assert_eq!(agency.post(BATCHES, wrong).await.expect(422).problem().code, "roadbook/nothing-chosen");
    }
    app.clock().advance_s(86_401);
    api::tidy::tidy(app.app()).await.unwrap();
    app.sign_in_again().await;
    agency.get(format!("{BATCHES}/{}", begun["id"])).await.expect(404);
}

#[app_test]
async fn a_file_that_is_erased_is_in_no_batch_any_more(app: TestApp) {
    let (app, _, parcours) = set_trip(&app).await;
    let agency = app.agency_of("morvan");
    let of = departures(&agency, &parcours).await;
    let asked = json!({"client_files": {"parcours_id": parcours["id"]}});
    let made = agency.post(BATCHES, &asked).await.expect(201).json();
    settled(&app, &agency, &made).await;
    let waiting = agency.post(BATCHES, &asked).await.expect(201).json();
    assert_eq!(names_in(&agency, &made).await.len(), 4);
    agency.clone().at_version(1).delete(at(&parcours, &of[0])).await.expect(204);
    agency.get(format!("{BATCHES}/{}/file", made["id"])).await.expect(404);
    let stopped = settled(&app, &agency, &waiting).await;
    assert_eq!((&stopped["state"], &stopped["printed"]), (&json!("cancelled"), &json!(0)));
    api::tidy::tidy(app.app()).await.unwrap();
    let mut left = app.app().blobs.list("roadbook-batches");
    assert!(left.next().await.is_none(), "the files are erased");
    assert_eq!(agency.get(BATCHES).await.expect(200).json(), json!([]));
}

#[app_test]
async fn files_are_erased_after_the_number_of_days_set_by_the_white_label(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = trip(&app).await;
    let today = app.app().now();
    let ago = |days: i64| json!(today.plus_s(-days * 86_400).day());
    // The trip has three days: its last day is two after the first.
    for (reference, day) in [("over", ago(33)), ("last day", ago(32)), ("to come", ago(-9)), ("undated", json!(null))] {
        added(&agency, &parcours, json!({"reference": reference, "starts_on": day})).await;
    }
    let left = async || {
        app.sign_in_again().await;
        let page = agency.get(files(&parcours)).await.expect(200).json();
        references(&page).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    api::tidy::tidy(app.app()).await.unwrap();
    assert_eq!(left().await.len(), 4, "nothing is erased by age unless the white-label says so");
    crate::feeds::patch_white_label(&app, "morvan", json!({"client_files_kept_days": 30})).await;
    api::tidy::tidy(app.app()).await.unwrap();
    assert_eq!(left().await, ["undated", "to come", "last day"]);
    app.clock().advance_s(86_400);
    api::tidy::tidy(app.app()).await.unwrap();
    assert_eq!(left().await, ["undated", "to come"]);
    // Without a first day the last save counts.
    app.clock().advance_s(30 * 86_400);
    api::tidy::tidy(app.app()).await.unwrap();
    assert_eq!(left().await, ["to come"]);
    let admin = app.admin_of("morvan");
    let white_label = app.white_label("morvan").await;
    let too_many = json!({"client_files_kept_days": 0});
    let refused = admin.with("if-match", "*").patch(format!("/api/v1/white-labels/{white_label}"), too_many).await;
    assert_eq!(refused.expect(422).problem().errors[0].field, "/client_files_kept_days");
}

#[app_test]
async fn a_file_without_a_day_that_is_saved_before_it_is_erased_stays(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = trip(&app).await;
    let file = added(&agency, &parcours, json!({"reference": "undated"})).await;
    app.clock().advance_s(86_400 - 60);
    app.sign_in_again().await;
    let limit = app.app().now().plus_s(-3_600);
    let white_label = app.white_label("morvan").await;
    let aged = rows::aged(app.store().read(), white_label, (&limit.day(), limit)).await.unwrap();
    assert_eq!(aged.len(), 1);
    put(&agency, &at(&parcours, &file), 1, json!({"reference": "saved since"})).await.expect(200);
    let erase = async || outputs::roadbook::erase_aged_client_file(app.app(), &aged[0], limit).await.unwrap();
    erase().await;
    assert_eq!(references(&agency.get(files(&parcours)).await.expect(200).json()), ["saved since"]);
}

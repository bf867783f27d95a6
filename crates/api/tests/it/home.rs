//! The bin, saved views, quick search, home.

use domain::Role;
use macros::app_test;
use serde_json::json;
use testkit::{Client, TestApp};

use crate::catalogue_kit::{column, delete, faults, id, made, moved_to_vercors, one, version};
use crate::parcours_kit;

const BIN: &str = "/api/v1/bin";
const POIS: &str = "/api/v1/pois";

#[app_test]
async fn a_deleted_record_can_be_restored_with_its_number_for_thirty_days(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, json!({"title": {"fr": "Étang du Loup"}, "location": [4.1, 47.2]})).await;
    delete(&editor, POIS, &poi, "").await.expect(204);
    let binned = editor.get(format!("{BIN}?search=etang&kind=poi")).await.expect(200).json();
    assert_eq!((column(&binned, "/title/fr"), binned["total"].as_i64()), (vec!["Étang du Loup".to_owned()], Some(1)));
    let item = &binned["items"][0];
    assert_eq!((&item["record_id"], &item["deleted_by"]["name"]), (&poi["id"], &json!("Camille editor")));
    assert_eq!(item["expires_at"], "2026-12-20T08:00:00Z");
    assert_eq!(app.editor_of("vercors").get(BIN).await.json()["total"], 0);
    let path = format!("{}/restoration", one(BIN, item));
    assert_eq!(app.editor_of("vercors").post(&path, json!({})).await.expect(404).problem().code, "bin/not-found");
    let back = editor.post(&path, json!({})).await.expect(200).json();
    assert_eq!(back, json!({"kind": "poi", "record_id": poi["id"], "put_back": 0, "left": 0}));
    let now = editor.get(one(POIS, &poi)).await.expect(200).json();
    assert_eq!((now["title"]["fr"].as_str(), version(&now)), (Some("Étang du Loup"), 2));
}

#[app_test]
async fn expired_data_are_erased_by_the_hourly_cleanup(app: TestApp) {
    // A session that is never used lasts its whole day here.
    let app = app.changed(|parts| parts.settings.session_idle_s = 86_400);
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, json!({"title": {"fr": "Étang"}, "location": [4.1, 47.2]})).await;
    delete(&editor, POIS, &poi, "").await.expect(204);
    let left = || async {
        let (db, id) = (app.store().read(), id(&poi));
        let binned = store::binned::number_of(db, domain::record::Kind::Poi, id).await.unwrap().is_some();
        let history = store::record::revisions(db, domain::record::Kind::Poi, id).await.unwrap().len();
        (binned, history)
    };
    let token = app::session::start(app.app(), app.user(domain::Role::Editor, "morvan").await).await.unwrap();
    let session = || async { store::session::find(app.store().read(), &token.hash()).await.unwrap().is_some() };
    app.clock().advance_s(86_399);
    api::tidy::tidy(app.app()).await.unwrap();
    assert!(session().await);
    app.clock().advance_s(1);
    api::tidy::tidy(app.app()).await.unwrap();
    assert!(!session().await, "a session is a day old");
    app.clock().advance_s(29 * 86_400 - 1);
    api::tidy::tidy(app.app()).await.unwrap();
    assert_eq!(left().await, (true, 1));
    app.clock().advance_s(1);
    api::tidy::tidy(app.app()).await.unwrap();
    assert_eq!(left().await, (false, 0), "the bin keeps for thirty days");
}

#[app_test]
async fn a_parcours_comes_back_with_its_trace_and_its_history(app: TestApp) {
    let editor = app.editor_of("morvan");
    let tour = parcours_kit::made(&editor, "Tour", json!({"summary": {"fr": "Court."}})).await;
    parcours_kit::imported(&editor, &tour, "t.gpx", parcours_kit::gpx(&parcours_kit::eastward())).await.expect(200);
    let tour = parcours_kit::now(&editor, &tour).await;
    let path = parcours_kit::path(&tour);
    editor.clone().at_version(version(&tour)).delete(&path).await.expect(204);
    editor.get(&path).await.expect(404);
    let binned = editor.get(BIN).await.json();
    assert_eq!(binned["items"][0]["kind"], "parcours");
    editor.post(format!("{}/restoration", one(BIN, &binned["items"][0])), json!({})).await.expect(200);
    let back = parcours_kit::now(&editor, &tour).await;
    assert_eq!((&back["summary"], &back["trace"]["distance_m"]), (&tour["summary"], &tour["trace"]["distance_m"]));
    assert_eq!(version(&back), version(&tour) + 1);
    let history = editor.get(format!("{path}/revisions")).await.json();
    assert_eq!(history["items"].as_array().unwrap().len() as i64, version(&back));
    assert_eq!(parcours_kit::titles(&editor, "search=tour").await, ["Tour"], "it is found by its words again");
}

/// The number in the bin of what was deleted last.
async fn last_in_bin(by: &Client) -> String {
    one(BIN, &by.get(BIN).await.expect(200).json()["items"][0])
}

#[app_test]
async fn a_restored_record_is_put_back_where_it_was_and_later_changes_stay(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = |name: &str| json!({"title": {"fr": name}, "location": [4.1, 47.2]});
    let spring = made(&editor, POIS, poi("Source")).await;
    let lake = made(&editor, POIS, poi("Étang")).await;
    let tower = made(&editor, POIS, poi("Tour")).await;
    let ids = json!([spring["id"], lake["id"], tower["id"]]);
    let calm = parcours_kit::made(&editor, "Tour du lac", json!({"poi_ids": ids})).await;
    let changed = parcours_kit::made(&editor, "Boucle", json!({"poi_ids": ids})).await;
    delete(&editor, POIS, &lake, "?force=true").await.expect(204);
    let changed = parcours_kit::now(&editor, &changed).await;
    let changed = parcours_kit::patch(&editor, &changed, json!({"poi_ids": [tower["id"]]})).await;

    let item = last_in_bin(&editor).await;
    let was = editor.get(format!("{item}/uses")).await.expect(200).json();
    assert_eq!((&was["total"], &was["hidden_total"]), (&json!(2), &json!(0)));
    assert_eq!(column(&was, "/title/fr"), ["Tour du lac", "Boucle"]);
    let back = editor.post(format!("{item}/restoration?put_back=true"), json!({})).await.expect(200).json();
    assert_eq!((&back["put_back"], &back["left"]), (&json!(2), &json!(0)));
    assert_eq!(parcours_kit::now(&editor, &calm).await["poi_ids"], ids, "at its place among the others");
    assert_eq!(
        parcours_kit::now(&editor, &changed).await["poi_ids"],
        json!([tower["id"], lake["id"]]),
        "what was taken out since does not come back"
    );

    // Without the question nothing else changes.
    delete(&editor, POIS, &editor.get(one(POIS, &lake)).await.json(), "?force=true").await.expect(204);
    let back = editor.post(format!("{}/restoration", last_in_bin(&editor).await), json!({})).await.expect(200).json();
    assert_eq!((&back["put_back"], &back["left"]), (&json!(0), &json!(0)));
    assert_eq!(parcours_kit::now(&editor, &calm).await["poi_ids"], json!([spring["id"], tower["id"]]));
}

#[app_test]
async fn places_in_records_of_other_tenants_are_counted_and_not_changed(app: TestApp) {
    let poi = app.poi().owned_by("vercors").published().insert().await;
    let (ours, theirs) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let hidden = parcours_kit::made(&ours, "Le brouillon du Morvan", json!({"poi_ids": [poi.id]})).await;
    let own = parcours_kit::made(&theirs, "Le tour du Vercors", json!({"poi_ids": [poi.id]})).await;
    let at = format!("{POIS}/{}", poi.id);
    theirs.clone().with("if-match", "*").delete(format!("{at}?force=true")).await.expect(204);
    let item = last_in_bin(&theirs).await;
    assert_eq!(ours.get(format!("{item}/uses")).await.expect(404).problem().code, "bin/not-found");
    let was = theirs.get(format!("{item}/uses")).await.expect(200);
    assert!(!was.text().contains("brouillon"), "{}", was.text());
    let was = was.json();
    assert_eq!((&was["total"], &was["hidden_total"]), (&json!(2), &json!(1)));
    let back = theirs.post(format!("{item}/restoration?put_back=true"), json!({})).await.expect(200).json();
    assert_eq!((&back["put_back"], &back["left"]), (&json!(1), &json!(1)));
    assert_eq!(parcours_kit::now(&theirs, &own).await["poi_ids"], json!([poi.id]));
    assert_eq!(parcours_kit::now(&ours, &hidden).await["poi_ids"], json!([]));
}

#[app_test]
async fn a_media_in_the_bin_has_its_legend_as_title(app: TestApp) {
    let editor = app.editor_of("morvan");
    let media = app.media().insert().await;
    let at = format!("/api/v1/medias/{}", media.id);
    editor.clone().with("if-match", "*").patch(&at, json!({"legend": {"fr": "Le lavoir au matin"}})).await.expect(200);
    editor.clone().with("if-match", "*").delete(&at).await.expect(204);
    let binned = editor.get(format!("{BIN}?kind=media&search=lavoir")).await.expect(200).json();
    assert_eq!(column(&binned, "/title/fr"), ["Le lavoir au matin"]);
}

#[app_test]
async fn a_restoration_is_refused_when_its_unique_value_is_taken(app: TestApp) {
    let admin = app.admin_of("morvan");
    let contacts = "/api/v1/contacts";
    let roux = made(&admin, contacts, json!({"last_name": "Roux", "email": "a@roux.fr"})).await;
    delete(&admin, contacts, &roux, "").await.expect(204);
    made(&admin, contacts, json!({"last_name": "Autre", "email": "a@roux.fr"})).await;
    let binned = admin.get(BIN).await.json();
    let path = format!("{}/restoration", one(BIN, &binned["items"][0]));
    assert_eq!(admin.post(&path, json!({})).await.expect(409).problem().code, "bin/taken");
    assert_eq!(admin.get(BIN).await.json()["total"], 1, "it is still there");
}

#[app_test]
async fn a_saved_view_is_personal_or_shared_with_the_white_label(app: TestApp) {
    let (editor, reader, other) = (app.editor_of("morvan"), app.reader_of("morvan"), app.editor_of("vercors"));
    let views = "/api/v1/saved-views";
    let body = json!({"resource": "pois", "name": " Lacs ", "query": "search=lac", "columns": ["title"]});
    let view = made(&editor, views, body).await;
    assert_eq!(
        (view["name"].as_str(), view["mine"].as_bool(), view["shared"].as_bool()),
        (Some("Lacs"), Some(true), Some(false))
    );
    let listed = async |who: &testkit::Client| column(&who.get(format!("{views}?resource=pois")).await.json(), "/name");
    assert_eq!((listed(&editor).await.len(), listed(&reader).await.len()), (1, 0));
    editor.patch(one(views, &view), json!({"shared": true})).await.expect(200);
    assert_eq!((listed(&reader).await.len(), listed(&other).await.len()), (1, 0));
    assert_eq!(reader.delete(one(views, &view)).await.expect(404).problem().code, "saved-view/not-found");
    let faults_found = faults(editor.post(views, json!({"resource": "trails", "name": " "})).await);
    assert_eq!(faults_found, ["validation/unknown-reference /resource", "validation/required /name"]);
    // Who works elsewhere since changes it no longer.
    let kept = made(&editor, views, json!({"resource": "pois", "name": "Sources", "shared": true})).await;
    editor.delete(one(views, &view)).await.expect(204);
    assert_eq!(column(&editor.get(format!("{views}?resource=pois")).await.json(), "/name"), ["Sources"]);
    moved_to_vercors(&app, Role::Editor).await;
    let refused = editor.patch(one(views, &kept), json!({"name": "Vu de loin"})).await;
    assert_eq!(refused.expect(404).problem().code, "saved-view/not-found");
    assert_eq!(editor.delete(one(views, &kept)).await.expect(404).problem().code, "saved-view/not-found");
}

#[app_test]
async fn quick_search_finds_every_kind_even_with_a_typing_error(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, json!({"title": {"fr": "Belvédère"}, "location": [4.1, 47.2]})).await;
    parcours_kit::made(&editor, "Tour du belvédère", json!({})).await;
    app.poi().owned_by("vercors").titled("Belvédère caché").insert().await;
    let found = editor.get("/api/v1/search?q=BELVEDERE").await.expect(200).json();
    let groups: Vec<(&str, i64)> = found["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| (group["kind"].as_str().unwrap(), group["total"].as_i64().unwrap()))
        .collect();
    assert_eq!(groups, [("parcours", 1), ("poi", 1)]);
    assert_eq!(found["groups"][1]["items"][0]["href"], format!("/pois/{}", id(&poi)));
    let way = json!({"name": {"fr": "Belvédère du canal"}, "kind": "river"});
    let way = made(&app.superadmin(), "/api/v1/itineraries", way).await;
    let bus = made(&editor, "/api/v1/transport-lines", json!({"long_name": "Gare – Belvédère"})).await;
    let tag = made(&app.superadmin(), "/api/v1/vocabularies/tag", json!({"label": {"fr": "Belvédère"}})).await;
    let found =
        editor.get("/api/v1/search?q=belved&kinds=itinerary,transport_line,vocabulary,white_label").await.json();
    let hrefs: Vec<&str> =
        found["groups"].as_array().unwrap().iter().map(|group| group["items"][0]["href"].as_str().unwrap()).collect();
    let pages = ["/settings/itineraires", "/lignes", "/settings/tags"];
    let expected: Vec<String> =
        pages.iter().zip([&way, &bus, &tag]).map(|(page, record)| format!("{page}/{}", id(record))).collect();
    assert_eq!(hrefs, expected);
    assert_eq!(found["groups"][2]["items"][0]["subtitle"], "tag");
    let slipped = editor.get("/api/v1/search?q=belv%C3%A9drre&kinds=poi").await.json();
    assert_eq!((slipped["instead"].as_str(), slipped["groups"][0]["total"].as_i64()), (Some("belved"), Some(1)));
    assert_eq!(editor.get("/api/v1/search?q=").await.json()["groups"], json!([]));
    assert_eq!(editor.get("/api/v1/search?q=x&kinds=trail").await.expect(400).problem().code, "request/bad-query");
    let people = app.admin_of("morvan").get("/api/v1/search?q=camille&kinds=user").await.json();
    assert_eq!(people["groups"][0]["total"], 5);
    assert_eq!(
        editor.get("/api/v1/search?q=camille&kinds=user").await.json()["groups"],
        json!([]),
        "users are their admin's"
    );
}

#[app_test]
async fn the_home_page_lists_pending_work_latest_edits_and_counts(app: TestApp) {
    let editor = app.editor_of("morvan");
    let tour = parcours_kit::made(&editor, "Tour", json!({})).await;
    parcours_kit::patch(&editor, &tour, json!({"progress_status": "to_review"})).await;
    app.clock().advance_s(60);
    made(&editor, POIS, json!({"title": {"fr": "Lac"}, "location": [4.1, 47.2]})).await;
    let home = editor.get("/api/v1/dashboard").await.expect(200).json();
    assert_eq!(home["waiting"]["drafts"], json!({"count": 1, "query": "owner=mine&published=false&progress=any"}));
    assert_eq!(
        (home["waiting"]["to_review"]["count"].as_i64(), home["waiting"]["to_fix"]["count"].as_i64()),
        (Some(1), Some(0))
    );
    assert_eq!(home["counts"], json!({"parcours": 1, "pois": 1, "medias": 0}));
    let latest: Vec<&str> =
        home["latest"].as_array().unwrap().iter().map(|edit| edit["kind"].as_str().unwrap()).collect();
    assert_eq!(latest, ["poi", "parcours"]);
    assert_eq!(home["checklist"], json!({"import": true, "reliability": false, "published": false}));
}

//! Moving from Geotrek to Jalon: the dry run, the points of interest along the routes, undoing the whole import, the addresses of
//! the former portal.

use std::sync::{Arc, Mutex};

use ::feeds::incoming::{GeotrekDatabase, GeotrekPart};
use domain::WhiteLabelId;
use domain::imports::ImportMode;
use macros::app_test;
use serde_json::{Value, json};
use sources::imports::command::{self, Move, MoveError, Origin};
use testkit::{Client, TestApp};

use crate::catalogue_kit::column;
use crate::feeds::{patch_white_label, term};
use crate::imports_kit::{
    Answer, Stub, codes, dry_run, geotrek_answer, lines_of_run, run_source, settled, source, trek,
};

const HOST: &str = "morvan.carte.localhost";

/// The number of a trek, and the numbers of the POIs along it.
type PoisOfTrek = (u32, Vec<u32>);

/// A Geotrek server: its treks, its POIs, and which POIs it shows along which trek.
#[derive(Clone, Default)]
struct Server {
    treks: Arc<Mutex<Vec<Value>>>,
    pois: Arc<Mutex<Vec<Value>>>,
    along: Arc<Mutex<Vec<PoisOfTrek>>>,
    desks: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    fn start(&self) -> Stub {
        let server = self.clone();
        Stub::start(move |path, _| server.answer(path))
    }

    fn answer(&self, asked: &str) -> Answer {
        let (path, query) = asked.split_once('?').unwrap_or((asked, ""));
        let of = |name: &str| query.split('&').find_map(|part| part.strip_prefix(&format!("{name}=")));
        let number = |name: &str| of(name).and_then(|text| text.parse::<usize>().ok());
        let page_of = |items: Vec<Value>| -> Answer {
            let (page, size) = (number("page").unwrap_or(1), number("page_size").unwrap_or(10));
            let next = (page * size < items.len()).then_some("http://ailleurs.example/?page=2");
            let part: Vec<&Value> = items.iter().skip((page - 1) * size).take(size).collect();
            json!({"count": items.len(), "next": next, "results": part}).into()
        };
        match path {
            "/api/v2/poi/" => {
                let mut pois = self.pois.lock().unwrap().clone();
                if let Some(trek) = number("trek") {
                    let along = self.along.lock().unwrap();
                    let shown = along.iter().find(|(number, _)| *number as usize == trek).map(|(_, pois)| pois.clone());
                    let shown = shown.unwrap_or_default();
                    pois.retain(|poi| shown.iter().any(|number| poi["id"] == *number));
                }
                page_of(pois)
            }
            "/api/v2/informationdesk/" => page_of(self.desks.lock().unwrap().clone()),
            "/api/v2/signage/" => page_of(
                (1..=7)
                    .map(|id| {
                        json!({
                            "id": id, "uuid": format!("sign-{id}"), "name": format!("Panneau {id}"), "type": 2, "condition": 1,
                            "geometry": {"type": "Point", "coordinates": [4.0, 47.0 + f64::from(id) / 100.0]},
                        })
                    })
                    .collect(),
            ),
            // It names a next page on every page, and has one.
            "/api/v2/signage_type/" => {
                let types = [json!({"id": 2, "label": "Directionnelle"})];
                json!({"count": 1, "next": "http://ailleurs.example/?page=2", "results": types}).into()
            }
            // One item on each page, whatever size is asked for.
            "/api/v2/signage_condition/" => {
                let states = [json!({"id": 9, "label": "Neuf"}), json!({"id": 1, "label": "Usé"})];
                let page = number("page").unwrap_or(1);
                let next = (page < states.len()).then_some("http://ailleurs.example/?page=2");
                let part: Vec<&Value> = states.iter().skip(page - 1).take(1).collect();
                json!({"count": states.len(), "next": next, "results": part}).into()
            }
            "/api/v2/touristiccontent/" => page_of(vec![json!({"id": 1})]),
            "/api/v2/touristicevent/" => page_of(vec![json!({"id": 1}), json!({"id": 2})]),
            "/api/v2/infrastructure/" => Answer(401, Vec::new(), Vec::new()),
            "/api/v2/flatpage/" => Answer(200, Vec::new(), b"<html>".to_vec()),
            _ => geotrek_answer(&self.treks, asked),
        }
    }
}

fn poi(number: u32, name: &str, kind: &str) -> Value {
    json!({
        "id": number, "uuid": format!("poi-{number}"), "name": {"fr": name, "en": ""}, "attachments": [],
        "description": {"fr": "<p>&Agrave; voir.</p>", "en": "<p>Worth seeing.</p>"}, "type": 1, "type_label": {"fr": kind, "en": null},
        "geometry": {"type": "Point", "coordinates": [4.005, 47.004, 500.0]}, "published": {"fr": true, "en": true},
    })
}

/// Two treks, of which the first shows two POIs and the second one of them.
fn park() -> Server {
    let server = Server::default();
    *server.treks.lock().unwrap() = vec![trek(1, "Le tour du lac"), trek(2, "Le bois")];
    *server.pois.lock().unwrap() = vec![
        poi(11, "Le lavoir", "Petit patrimoine"),
        poi(12, "La tour", "Histoire"),
        poi(13, "Le hêtre", "Dendrologie"),
    ];
    *server.along.lock().unwrap() = vec![(1, vec![11, 12]), (2, vec![12])];
    server
}

fn desk(number: u32, name: &str, email: Option<&str>) -> Value {
    json!({
        "id": number, "uuid": format!("desk-{number}"), "name": {"fr": name, "en": ""}, "email": email, "phone": "03 86 11 11 11",
        "type": {"id": 1, "label": {"fr": "Maison du parc", "en": "Park house"}}, "street": "1 rue du Lac", "postal_code": "58230",
        "municipality": "Montsauche", "website": null, "latitude": 47.2, "longitude": 4.0,
    })
}

/// The contacts that have one of these addresses, by name.
async fn contacts(by: &Client) -> Vec<Value> {
    let page = by.get("/api/v1/contacts?per_page=200&sort=title").await.expect(200).json();
    let all = page["items"].as_array().unwrap().iter();
    all.filter(|contact| contact["email"].as_str().unwrap().ends_with("@geotrek.example")).cloned().collect()
}

async fn parcours(by: &Client, title: &str) -> Value {
    let page = by.get("/api/v1/parcours?per_page=50").await.expect(200).json();
    let found = page["items"].as_array().unwrap().iter().find(|row| row["title"]["fr"] == title).cloned();
    by.get(format!("/api/v1/parcours/{}", found.expect(title)["id"])).await.expect(200).json()
}

async fn pois(by: &Client) -> Vec<Value> {
    by.get("/api/v1/pois?owner=mine&sort=title").await.expect(200).json()["items"].as_array().unwrap().clone()
}

async fn poi_of(by: &Client, title: &str) -> Value {
    let found = pois(by).await.into_iter().find(|poi| poi["title"]["fr"] == title).expect(title);
    by.get(format!("/api/v1/pois/{}", found["id"])).await.expect(200).json()
}

fn titles(pois: &[Value]) -> Vec<&str> {
    let mut titles: Vec<&str> = pois.iter().filter_map(|poi| poi["title"]["fr"].as_str()).collect();
    titles.sort_unstable();
    titles
}

#[app_test]
async fn a_dry_run_counts_what_a_geotrek_has_and_writes_nothing(app: TestApp) {
    let server = park();
    let stub = server.start();
    let editor = app.editor_of("morvan");
    let parc = source(&editor, json!({"url": stub.url, "takes_pois": true})).await;
    let run = dry_run(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(2)), "{run}");
    let of = |list: &str| {
        let found = run["inventory"].as_array().unwrap().iter().find(|item| item["list"] == list);
        let item = found.unwrap_or_else(|| panic!("no {list} in {run}"));
        (item["place"].as_str().unwrap().to_owned(), item["count"].clone())
    };
    let expected = [
        ("trek", "parcours", json!(2)),
        ("poi", "poi", json!(3)),
        ("touristiccontent", "sit", json!(1)),
        ("touristicevent", "sit", json!(2)),
        ("theme", "words", json!(2)),
        ("signage", "nowhere", json!(7)),
        // A list that the server refuses, does not have, or answers with a page of a site, is not counted.
        ("infrastructure", "nowhere", Value::Null),
        ("outdoor_site", "nowhere", Value::Null),
        ("flatpage", "nowhere", Value::Null),
    ];
    for (list, place, count) in expected {
        assert_eq!(of(list), (place.to_owned(), count), "{list}");
    }
    assert!(pois(&editor).await.is_empty(), "nothing is written");
    assert_eq!(editor.get("/api/v1/parcours").await.expect(200).json()["total"], 0);
    assert_eq!(stub.request_count("/api/v2/poi/?trek="), 0);

    // Without POIs of its own they are what a source of tourist records reads.
    let version = parc["version"].as_i64().unwrap();
    let at = format!("/api/v1/import-sources/{}", parc["id"]);
    editor.clone().at_version(version).patch(at, json!({"takes_pois": false})).await.expect(200);
    let run = dry_run(&app, &editor, &parc).await;
    let kept = run["inventory"].as_array().unwrap().iter().find(|item| item["list"] == "poi").cloned();
    assert_eq!(kept.unwrap()["place"], "sit");
    let real = run_source(&app, &editor, &parc).await;
    assert_eq!((&real["state"], &real["inventory"], &real["counts"]["pois"]), (&json!("done"), &json!([]), &json!(0)));
    assert!(pois(&editor).await.is_empty());
}

#[app_test]
async fn the_pois_of_a_geotrek_are_imported_with_their_treks_and_updated(app: TestApp) {
    let server = park();
    let stub = server.start();
    let editor = app.editor_of("morvan");
    let parc = source(&editor, json!({"url": stub.url, "takes_pois": true, "force_published": "published"})).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["pois"]), (&json!("done"), &json!(3)), "{run}");
    assert_eq!(titles(&pois(&editor).await), ["La tour", "Le hêtre", "Le lavoir"]);
    let (washhouse, tower) = (poi_of(&editor, "Le lavoir").await, poi_of(&editor, "La tour").await);
    assert_eq!(
        (&washhouse["published"], &washhouse["location"], &washhouse["description"]["en"]),
        (&json!(true), &json!([4.005, 47.004]), &json!("<p>Worth seeing.</p>"))
    );
    let heritage = term(&app, "poi_category", "patrimoine").await;
    assert_eq!(tower["category_ids"], json!([heritage]), "a type of Geotrek's own is known");
    let along = |parcours: &Value| parcours["poi_ids"].clone();
    assert_eq!(along(&parcours(&editor, "Le tour du lac").await), json!([washhouse["id"], tower["id"]]));
    assert_eq!(along(&parcours(&editor, "Le bois").await), json!([tower["id"]]));

    // A type that nothing here is called like waits for a meaning, and gets it at the next run.
    let mapping = format!("/api/v1/import-sources/{}/mapping", parc["id"]);
    let words = editor.get(&mapping).await.expect(200).json()["words"].as_array().unwrap().clone();
    let waiting = words.iter().find(|word| word["list"] == "poi_category" && word["state"] == "waiting");
    let word = waiting.expect("a word that waits");
    assert_eq!(word["label"]["fr"], "Dendrologie");
    let tree = term(&app, "poi_category", "chateau").await;
    let at = format!("/api/v1/import-sources/{}", parc["id"]);
    let values = json!({"values": [{"list": "poi_category", "key": word["key"], "term_id": tree}]});
    editor.clone().with("if-match", "*").patch(&at, values).await.expect(200);
    let asked = stub.request_count("/api/v2/poi/?trek=");
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(run["counts"]["pois"], 1, "{run}");
    assert_eq!(poi_of(&editor, "Le hêtre").await["category_ids"], json!([tree]));
    assert_eq!(stub.request_count("/api/v2/poi/?trek="), asked, "as many POIs as before: no trek is asked again");

    // What an editor changed stays, the rest follows; a POI deleted here stays away; a new one is found along a trek that did not change.
    let at = format!("/api/v1/pois/{}", washhouse["id"]);
    editor.clone().with("if-match", "*").patch(&at, json!({"title": {"fr": "Le grand lavoir"}})).await.expect(200);
    let gone = format!("/api/v1/pois/{}?force=true", tower["id"]);
    editor.clone().with("if-match", "*").delete(gone).await.expect(204);
    {
        let mut pois = server.pois.lock().unwrap();
        pois[0]["name"]["fr"] = json!("Lavoir");
        pois[0]["description"]["fr"] = json!("<p>Restauré.</p>");
        pois[1]["name"]["fr"] = json!("Tour de guet");
        pois.push(poi(14, "Le gué", "Lac"));
        server.along.lock().unwrap()[1].1.push(14);
    }
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["pois"]), (&json!("done"), &json!(2)), "{run}");
    assert_eq!(titles(&pois(&editor).await), ["Le grand lavoir", "Le gué", "Le hêtre"]);
    let washhouse = poi_of(&editor, "Le grand lavoir").await;
    assert_eq!(washhouse["description"]["fr"], "<p>Restauré.</p>");
    assert_eq!(along(&parcours(&editor, "Le bois").await), json!([poi_of(&editor, "Le gué").await["id"]]));

    // A POI that the Geotrek no longer has is kept, and reported once.
    server.pois.lock().unwrap().retain(|poi| poi["id"] != 13);
    let run = run_source(&app, &editor, &parc).await;
    let kept = lines_of_run(&editor, &run, "kept").await;
    let line = kept.iter().find(|line| codes(line) == ["import/poi-gone"]).expect("it is reported");
    assert_eq!((&line["title"], &poi_of(&editor, "Le hêtre").await["published"]), (&json!("Le hêtre"), &json!(true)));
    let run = run_source(&app, &editor, &parc).await;
    assert!(lines_of_run(&editor, &run, "kept").await.iter().all(|line| codes(line) != ["import/poi-gone"]));
}

#[app_test]
async fn signage_and_infrastructure_are_imported_as_drafts_on_request(app: TestApp) {
    let server = park();
    let stub = server.start();
    let editor = app.editor_of("morvan");
    let wanted = json!({"url": stub.url, "takes_pois": true, "takes_equipment": true, "force_published": "published", "distribute_own": true});
    let parc = source(&editor, wanted).await;
    let run = dry_run(&app, &editor, &parc).await;
    let place = |list: &str| {
        run["inventory"].as_array().unwrap().iter().find(|item| item["list"] == list).unwrap()["place"].clone()
    };
    assert_eq!((place("signage"), place("infrastructure")), (json!("poi"), json!("poi")));
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["pois"]), (&json!("done"), &json!(10)), "{run}");
    let sign = poi_of(&editor, "Panneau 3").await;
    assert_eq!(
        (&sign["published"], &sign["distribute"], &sign["location"]),
        (&json!(false), &json!(false), &json!([4.0, 47.03]))
    );
    assert_eq!(sign["description"]["fr"], "<ul><li>État : Usé</li></ul>", "its name is on the second page");
    assert_eq!(poi_of(&editor, "La tour").await["published"], true);
    assert_eq!(
        parcours(&editor, "Le tour du lac").await["poi_ids"].as_array().map(Vec::len),
        Some(2),
        "no sign is along it"
    );
    // Their types are words of the mapping, as those of POIs are.
    let mapping = editor.get(format!("/api/v1/import-sources/{}/mapping", parc["id"])).await.expect(200).json();
    assert!(
        mapping["words"].as_array().unwrap().iter().any(|word| word["label"]["fr"] == "Directionnelle"),
        "{mapping}"
    );
    // Nothing changed: nothing is written, and no trek is asked again for the POIs along it.
    let asked = stub.request_count("/api/v2/poi/?trek=");
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["counts"]["pois"], stub.request_count("/api/v2/poi/?trek=")), (&json!(0), asked), "{run}");
}

#[app_test]
async fn a_partial_import_brings_only_the_pois_of_its_treks(app: TestApp) {
    let server = park();
    let stub = server.start();
    let editor = app.editor_of("morvan");
    let url = format!("{}/?portals=2", stub.url);
    let parc = source(&editor, json!({"url": url, "takes_pois": true})).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["pois"]), (&json!("done"), &json!(2)), "{run}");
    assert_eq!(titles(&pois(&editor).await), ["La tour", "Le lavoir"], "no trek of this portal shows the beech");
    let drafts: Vec<bool> = pois(&editor).await.iter().filter_map(|poi| poi["published"].as_bool()).collect();
    assert_eq!(drafts, [false, false], "nothing is published unless that was asked for");
}

#[app_test]
async fn an_unreadable_poi_is_reported_and_the_others_are_imported(app: TestApp) {
    let server = park();
    {
        let mut pois = server.pois.lock().unwrap();
        pois[0]["name"] = json!({"fr": "", "en": ""});
        pois[0]["type_label"] = json!(null);
        pois[1]["geometry"] = json!({"type": "Point", "coordinates": [400.0, 47.0]});
    }
    let stub = server.start();
    let editor = app.editor_of("morvan");
    let parc = source(&editor, json!({"url": stub.url, "takes_pois": true})).await;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!(
        (&run["state"], &run["counts"]["pois"], &run["counts"]["refused"]),
        (&json!("done"), &json!(1), &json!(2)),
        "{run}"
    );
    let refused = lines_of_run(&editor, &run, "refused").await;
    let named: Vec<(&str, Vec<&str>)> =
        refused.iter().map(|line| (line["item"].as_str().unwrap(), codes(line))).collect();
    assert_eq!(named, [("poi poi-11", vec!["sit/no-name"]), ("poi poi-12", vec!["sit/no-position"])]);
}

#[app_test]
async fn undoing_a_whole_move_removes_its_pois_except_edited_ones(app: TestApp) {
    let server = park();
    let stub = server.start();
    let editor = app.editor_of("morvan");
    let parc = source(&editor, json!({"url": stub.url, "takes_pois": true})).await;
    let run = run_source(&app, &editor, &parc).await;
    let beech = poi_of(&editor, "Le hêtre").await;
    let at = format!("/api/v1/pois/{}", beech["id"]);
    editor.clone().with("if-match", "*").patch(at, json!({"phone": "03 86 11 11 11"})).await.expect(200);
    // A parcours of another origin shows the wash-house.
    let own = crate::parcours_kit::made(&editor, "Un tour d’ici", json!({})).await;
    let washhouse = poi_of(&editor, "Le lavoir").await;
    crate::parcours_kit::patch(&editor, &own, json!({"poi_ids": [washhouse["id"]]})).await;

    let undone = editor.post(format!("/api/v1/import-runs/{}/undo", run["id"]), json!({})).await.expect(202).json();
    let undone = settled(&app, &editor, &undone).await;
    assert_eq!((&undone["state"], &undone["counts"]["undone"]), (&json!("done"), &json!(2)), "{undone}");
    assert_eq!((&undone["counts"]["pois"], &undone["counts"]["kept"]), (&json!(1), &json!(2)), "{undone}");
    assert_eq!(titles(&pois(&editor).await), ["Le hêtre", "Le lavoir"]);
    let kept = lines_of_run(&editor, &undone, "kept").await;
    let mut reasons: Vec<(&str, Vec<&str>)> =
        kept.iter().map(|line| (line["title"].as_str().unwrap(), codes(line))).collect();
    reasons.sort();
    assert_eq!(reasons, [("Le hêtre", vec!["import/edited-since"]), ("Le lavoir", vec!["import/in-use"])]);
    let bin = editor.get("/api/v1/bin?kind=poi").await.expect(200).json();
    assert_eq!(column(&bin, "/title/fr"), ["La tour"]);
    // The next run brings back what was taken back, and makes nothing twice.
    let again = run_source(&app, &editor, &parc).await;
    assert_eq!((&again["counts"]["created"], &again["counts"]["pois"]), (&json!(2), &json!(1)), "{again}");
    assert_eq!(titles(&pois(&editor).await), ["La tour", "Le hêtre", "Le lavoir"]);
}

#[app_test]
async fn a_run_interrupted_between_two_pois_is_continued(app: TestApp) {
    let server = park();
    let away = Arc::new(Mutex::new(false));
    let stub = {
        let (server, away) = (server.clone(), Arc::clone(&away));
        Stub::start(move |path, _| {
            if path.starts_with("/api/v2/poi/?page=1&page_size=50") && *away.lock().unwrap() {
                return Answer(503, Vec::new(), Vec::new());
            }
            server.answer(path)
        })
    };
    let editor = app.editor_of("morvan");
    let parc = source(&editor, json!({"url": stub.url, "takes_pois": true})).await;
    *away.lock().unwrap() = true;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["failure"]["code"]), (&json!("failed"), &json!("fetch/status")), "{run}");
    assert_eq!(run["counts"]["created"], 2, "the treks are there");
    *away.lock().unwrap() = false;
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["pois"]), (&json!("done"), &json!(3)), "{run}");
    let lake = parcours(&editor, "Le tour du lac").await;
    assert_eq!(lake["poi_ids"].as_array().map(Vec::len), Some(2));
}

#[app_test]
async fn the_addresses_of_the_former_portal_lead_to_the_pages_here_on_the_own_domain_alone(app: TestApp) {
    let server = park();
    let stub = server.start();
    let editor = app.editor_of("morvan");
    patch_white_label(&app, "morvan", json!({"domain": format!("https://{HOST}")})).await;
    let parc = source(&editor, json!({"url": stub.url, "force_published": "published"})).await;
    run_source(&app, &editor, &parc).await;
    let (lake, wood) = (parcours(&editor, "Le tour du lac").await, parcours(&editor, "Le bois").await);
    let visitor = app.anonymous().with("host", HOST);
    let leads = async |path: &str| visitor.get(path).await.expect(301).header("location").to_owned();
    let page = format!("/p/le-tour-du-lac-{}", lake["id"]);
    assert_eq!(leads("/trek/1-Le-tour-du-lac").await, page);
    assert_eq!(leads("/trek/1").await, page, "the number is enough");
    assert_eq!(leads("/fr/trek/1-le-tour-du-lac").await, page);
    assert_eq!(leads("/en/trek/1-lake-loop").await, format!("/en{page}"));
    visitor.get(&page).await.expect(200);
    for path in ["/trek/3-ailleurs", "/trek/lac", "/trek/1%25", "/trek/99999999999999999999-x", "/trek/-1"] {
        visitor.get(path).await.expect(404);
    }
    // Another host is not the former portal, and what is not published has no address.
    app.anonymous().get("/trek/1-Le-tour-du-lac").await.expect(404);
    patch_white_label(&app, "vercors", json!({"domain": "https://vercors.carte.localhost"})).await;
    app.anonymous().with("host", "vercors.carte.localhost").get("/trek/1-Le-tour-du-lac").await.expect(404);
    let publication = format!("/api/v1/parcours/{}/publication", wood["id"]);
    editor.clone().with("if-match", "*").delete(publication).await.expect(200);
    visitor.get("/trek/2-Le-bois").await.expect(404);
    assert!(visitor.get("/robots.txt").await.expect(200).text().contains("Allow: /trek/"));

    // A second server gives the same number to another trek: the name tells them apart.
    let other = Server::default();
    let mut castle = trek(40, "Le château");
    castle["id"] = json!(1);
    *other.treks.lock().unwrap() = vec![castle];
    let second = other.start();
    let neighbour = source(&editor, json!({"name": "Voisin", "url": second.url, "force_published": "published"})).await;
    run_source(&app, &editor, &neighbour).await;
    let castle = parcours(&editor, "Le château").await;
    assert_eq!(leads("/trek/1-Le-Chateau").await, format!("/p/le-chateau-{}", castle["id"]));
    assert_eq!(leads("/trek/1-Le-tour-du-lac").await, page);
    visitor.get("/trek/1-autre-chose").await.expect(404);
}

#[app_test]
async fn unsupported_content_is_listed_in_the_report_with_its_address(app: TestApp) {
    let stub = park().start();
    let editor = app.editor_of("morvan");
    let parc = source(&editor, json!({"url": format!("{}/?portals=2", stub.url), "takes_pois": true})).await;
    let run = dry_run(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["kept"]), (&json!("done"), &json!(0)), "{run}");
    let at = format!("/api/v1/import-runs/{}/lines?note=import/no-place&per_page=200", run["id"]);
    let lines = editor.get(at).await.expect(200).json();
    assert_eq!(lines["total"], 7);
    let first = &lines["items"][0];
    assert_eq!((&first["item"], &first["title"]), (&json!("signage 1"), &json!("Panneau 1")));
    let params = json!({"list": "signage", "url": format!("{}/api/v2/signage/1/", stub.url)});
    assert_eq!(first["notes"][0]["params"], params);
    // A real run lists nothing of it.
    let run = run_source(&app, &editor, &parc).await;
    let at = format!("/api/v1/import-runs/{}/lines?note=import/no-place", run["id"]);
    assert_eq!(editor.get(at).await.expect(200).json()["total"], 0);
}

#[app_test]
async fn information_desks_become_contacts_of_the_parcours_that_name_them_and_follow_the_server(app: TestApp) {
    let server = park();
    server.treks.lock().unwrap()[0]["information_desks"] = json!([6, 5]);
    server.treks.lock().unwrap()[1]["information_desks"] = json!([7]);
    *server.desks.lock().unwrap() = vec![
        desk(5, "Maison du parc", Some("Accueil@geotrek.example")),
        desk(6, "Gîte", None),
        desk(7, "Office du lac", Some("lac@geotrek.example")),
    ];
    let stub = server.start();
    let admin = app.admin_of("morvan");
    let parc = source(&admin, json!({"url": stub.url, "takes_pois": true})).await;
    let dry = dry_run(&app, &admin, &parc).await;
    let desks = dry["inventory"].as_array().unwrap().iter().find(|item| item["list"] == "informationdesk").cloned();
    assert_eq!(desks.unwrap(), json!({"list": "informationdesk", "place": "contact", "count": 3}));
    assert!(contacts(&admin).await.is_empty(), "nothing is written");

    let run = run_source(&app, &admin, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["contacts"]), (&json!("done"), &json!(2)), "{run}");
    let here = contacts(&admin).await;
    assert_eq!(column(&json!({"items": here}), "/last_name"), ["Maison du parc", "Office du lac"]);
    let (house, office) = (&here[0], &here[1]);
    assert_eq!(
        (&house["email"], &house["phone"], &house["function"]),
        (&json!("accueil@geotrek.example"), &json!("03 86 11 11 11"), &json!("Maison du parc"))
    );
    let refused = lines_of_run(&admin, &run, "refused").await;
    let named: Vec<(&str, Vec<&str>)> =
        refused.iter().map(|line| (line["item"].as_str().unwrap(), codes(line))).collect();
    assert_eq!(named, [("desk 6", vec!["import/desk-without-email"])]);
    let (lake, wood) = (parcours(&admin, "Le tour du lac").await, parcours(&admin, "Le bois").await);
    assert_eq!((&lake["contact_id"], &wood["contact_id"]), (&house["id"], &office["id"]));
    assert!(lake["description"]["fr"].as_str().unwrap().contains("1 rue du Lac"), "the text names both desks");

    // What was edited here stays, the rest follows; a desk that cannot be taken is reported once.
    let at = format!("/api/v1/contacts/{}", house["id"]);
    admin.clone().with("if-match", "*").patch(&at, json!({"phone": "+33386222222"})).await.expect(200);
    crate::parcours_kit::patch(&admin, &wood, json!({"contact_id": house["id"]})).await;
    {
        let mut desks = server.desks.lock().unwrap();
        desks[0]["name"]["fr"] = json!("Maison du lac");
        desks[0]["phone"] = json!("03 86 33 33 33");
    }
    let run = run_source(&app, &admin, &parc).await;
    assert_eq!((&run["counts"]["contacts"], &run["counts"]["refused"]), (&json!(1), &json!(0)), "{run}");
    let house = admin.get(&at).await.expect(200).json();
    assert_eq!((&house["last_name"], &house["phone"]), (&json!("Maison du lac"), &json!("+33386222222")));
    assert_eq!(parcours(&admin, "Le bois").await["contact_id"], house["id"], "an editor chose another contact");
}

#[app_test]
async fn a_contact_with_the_address_of_a_desk_is_taken_and_contacts_are_taken_back_with_their_run(app: TestApp) {
    let server = park();
    server.treks.lock().unwrap()[0]["information_desks"] = json!([5]);
    *server.desks.lock().unwrap() = vec![
        desk(5, "Maison du parc", Some("accueil@geotrek.example")),
        desk(6, "Office", Some("office@geotrek.example")),
        desk(7, "Office, annexe", Some("office@geotrek.example")),
        desk(8, "Ailleurs", Some("ailleurs@geotrek.example")),
    ];
    let stub = server.start();
    let admin = app.admin_of("morvan");
    let own = json!({"last_name": "Accueil", "email": "accueil@geotrek.example"});
    let own = admin.post("/api/v1/contacts", own).await.expect(201).json();
    let other = json!({"last_name": "Voisin", "email": "ailleurs@geotrek.example"});
    app.admin_of("vercors").post("/api/v1/contacts", other).await.expect(201);
    let parc = source(&admin, json!({"url": stub.url, "takes_pois": true})).await;
    let run = run_source(&app, &admin, &parc).await;
    assert_eq!(run["counts"]["contacts"], 2, "one is filled, one is made: {run}");
    let refused = lines_of_run(&admin, &run, "refused").await;
    assert_eq!(refused.iter().flat_map(codes).collect::<Vec<_>>(), ["import/desk-email-taken"]);
    let here = contacts(&admin).await;
    assert_eq!(column(&json!({"items": here}), "/last_name"), ["Accueil", "Office"]);
    assert_eq!(here[0]["phone"], "03 86 11 11 11", "an empty field is filled");
    assert_eq!(parcours(&admin, "Le tour du lac").await["contact_id"], own["id"]);

    let undone = admin.post(format!("/api/v1/import-runs/{}/undo", run["id"]), json!({})).await.expect(202).json();
    let undone = settled(&app, &admin, &undone).await;
    assert_eq!((&undone["state"], &undone["counts"]["contacts"]), (&json!("done"), &json!(1)), "{undone}");
    assert_eq!(column(&json!({"items": contacts(&admin).await}), "/last_name"), ["Accueil"]);
}

#[app_test]
async fn contacts_are_imported_only_by_people_who_may_change_them(app: TestApp) {
    let server = park();
    server.treks.lock().unwrap()[0]["information_desks"] = json!([5]);
    *server.desks.lock().unwrap() = vec![desk(5, "Maison du parc", Some("accueil@geotrek.example"))];
    let stub = server.start();
    let editor = app.editor_of("morvan");
    let parc = source(&editor, json!({"url": stub.url, "takes_pois": true})).await;
    let dry = dry_run(&app, &editor, &parc).await;
    let desks = dry["inventory"].as_array().unwrap().iter().find(|item| item["list"] == "informationdesk").cloned();
    assert_eq!(desks.unwrap()["place"], "text", "parcours name them all the same");
    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["contacts"]), (&json!("done"), &json!(0)), "{run}");
    assert!(contacts(&app.admin_of("morvan")).await.is_empty());
    let lake = parcours(&editor, "Le tour du lac").await;
    assert!(lake["contact_id"].is_null() && lake["description"]["fr"].as_str().unwrap().contains("Maison du parc"));
}

/// Uploads the archive of a small Geotrek database to a source.
async fn uploaded(by: &Client, source: &Value, treks: &[testkit::geotrek::Trek<'_>]) -> Value {
    let database = GeotrekDatabase::read(testkit::geotrek::dump(treks).as_bytes()).unwrap();
    let mut archive = std::io::Cursor::new(Vec::new());
    database.write_archive(&mut archive, None, &GeotrekPart::default()).unwrap();
    let path = format!("/api/v1/import-sources/{}/file?file_name=geotrek.zip", source["id"]);
    let by = by.clone().at_version(source["version"].as_i64().unwrap());
    by.send(axum::http::Method::PUT, &path, None, archive.into_inner().into()).await.expect(200).json()
}

#[app_test]
async fn the_archive_of_a_database_is_read_like_its_server(app: TestApp) {
    let editor = app.editor_of("morvan");
    let fields = json!({"kind": "geotrek", "takes_pois": true, "force_published": "published"});
    let parc = source(&editor, fields).await;
    assert_eq!(
        editor.post(format!("/api/v1/import-sources/{}/runs", parc["id"]), json!({})).await.expect(422).problem().code,
        "import/nothing-to-read"
    );
    let parc = uploaded(&editor, &parc, &[(1, "Le tour du lac", true), (2, "Le bois", false)]).await;
    let run = dry_run(&app, &editor, &parc).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(2)), "{run}");
    let of =
        |list: &str| run["inventory"].as_array().unwrap().iter().find(|item| item["list"] == list).cloned().unwrap();
    assert_eq!((&of("poi")["count"], &of("signage")["count"]), (&json!(2), &json!(1)));
    let left = lines_of_run(&editor, &run, "kept").await;
    assert_eq!((&left[0]["item"], &left[0]["title"]), (&json!("signage 950"), &json!("Panneau du lac")));

    let run = run_source(&app, &editor, &parc).await;
    assert_eq!((&run["counts"]["created"], &run["counts"]["pois"]), (&json!(2), &json!(2)), "{run}");
    let (lake, wood) = (parcours(&editor, "Le tour du lac").await, parcours(&editor, "Le bois").await);
    assert_eq!((&lake["published"], &wood["published"]), (&json!(true), &json!(false)), "a draft stays one");
    let lavoir = poi_of(&editor, "Le lavoir").await;
    assert_eq!(lake["poi_ids"], json!([lavoir["id"]]), "the draft of a POI is along no trek");
    assert_eq!(
        (&lavoir["published"], &poi_of(&editor, "À vérifier").await["published"]),
        (&json!(true), &json!(false))
    );

    // A newer archive without the second trek.
    let parc = uploaded(&editor, &parc, &[(1, "Le grand tour du lac", true)]).await;
    let run = run_source(&app, &editor, &parc).await;
    let counts = &run["counts"];
    assert_eq!((&counts["updated"], &counts["gone"], &counts["pois"]), (&json!(1), &json!(1), &json!(0)), "{run}");
    assert_eq!(parcours(&editor, "Le grand tour du lac").await["id"], lake["id"]);

    // Another file is refused by the run, in words.
    let path = format!("/api/v1/import-sources/{}/file?file_name=photos.zip", parc["id"]);
    let by = editor.clone().at_version(parc["version"].as_i64().unwrap());
    let other = by.send(axum::http::Method::PUT, &path, None, b"PK photos".to_vec().into()).await.expect(200).json();
    let run = run_source(&app, &editor, &other).await;
    assert_eq!(
        (&run["state"], &run["failure"]["code"]),
        (&json!("failed"), &json!("import/no-geotrek-archive")),
        "{run}"
    );
}

/// A command that was stopped continues its run. Meanwhile the source cannot be read from elsewhere.
#[app_test]
async fn a_move_that_was_stopped_is_continued(app: TestApp) {
    let stub = park().start();
    let editor = app.editor_of("morvan");
    let other = source(&editor, json!({"url": "https://ailleurs.example"})).await;
    let white_label = WhiteLabelId(other["white_label"]["id"].as_i64().unwrap());
    // The port of the stub is of this test alone, which runs on both databases at once.
    let port = stub.url.rsplit(':').next().unwrap();
    let file = std::env::temp_dir().join(format!("jalon-moving-{port}.zip"));
    std::fs::write(&file, b"PK").unwrap();
    let from = |from| Move { white_label, from, takes_pois: false, takes_equipment: false, publishes: false };
    let server = from(Origin::Server(&stub.url));
    let made = command::source(app.app(), server, true).await.unwrap().unwrap();
    let (run, continues) = command::ask(app.app(), &made, ImportMode::Real).await.unwrap();
    assert!(!continues);
    let again = command::source(app.app(), server, true).await.unwrap().unwrap();
    assert_eq!(command::ask(app.app(), &again, ImportMode::Real).await.unwrap(), (run, true));
    let archive = from(Origin::Archive { file: &file, name: "geotrek.dump", address: Some(&stub.url) });
    let refused = command::source(app.app(), archive, true).await;
    std::fs::remove_file(&file).unwrap();
    assert!(matches!(refused, Err(MoveError::Running(open)) if open == run), "{refused:?}");
}

/// The report of a dry run of the command is printed. One of the back-office is shown there.
#[app_test]
async fn a_dry_run_of_the_command_is_deleted_with_its_lines_once_it_has_ended(app: TestApp) {
    let stub = park().start();
    let editor = app.editor_of("morvan");
    let of_user = source(&editor, json!({"url": stub.url})).await;
    let of_user_run = dry_run(&app, &editor, &of_user).await["id"].as_i64().unwrap();
    let white_label = WhiteLabelId(of_user["white_label"]["id"].as_i64().unwrap());
    let from = Origin::Server(&stub.url);
    let wanted = Move { white_label, from, takes_pois: false, takes_equipment: false, publishes: false };
    let known = command::source(app.app(), wanted, false).await.unwrap().unwrap();
    let (run, _) = command::ask(app.app(), &known, ImportMode::Dry).await.unwrap();
    command::delete_dry(app.app(), run).await.unwrap();
    assert!(command::run(app.app(), run).await.unwrap().is_some(), "it is at work");
    settled(&app, &editor, &json!({"id": run})).await;
    assert!(command::lines(app.app(), run, false, 1).await.unwrap().1 > 0);
    for one in [run, of_user_run] {
        command::delete_dry(app.app(), one).await.unwrap();
    }
    assert!(command::run(app.app(), run).await.unwrap().is_none());
    assert_eq!(command::lines(app.app(), run, false, 1).await.unwrap().1, 0);
    assert!(command::run(app.app(), of_user_run).await.unwrap().is_some(), "a user asked for it");
}

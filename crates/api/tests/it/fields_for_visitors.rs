//! How fields of sheets and settings of white-labels appear to visitors, in feeds, and on the staff's maps.

use axum::body::Body;
use axum::http::Method;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp, samples};

use crate::catalogue_kit::one;
use crate::feeds::{api_client, distributed_parcours, id, patch_white_label, unzipped};
use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, patched, path, published, put_trace, version};

const HOST: &str = "morvan.carte.localhost";

/// The numbers of the items of a page of a feed, in its order.
async fn listed(by: &Client, query: &str) -> Vec<i64> {
    let page = by.get(format!("/api/public/v1/parcours?{query}")).await.expect(200).json();
    page["items"].as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect()
}

async fn page_of(app: &TestApp, parcours: &Value, language: &str) -> String {
    let title = parcours["title"]["fr"].as_str().unwrap().to_lowercase().replace(' ', "-");
    app.anonymous().get(format!("{language}/p/{title}-{}", parcours["id"])).await.expect(200).text()
}

#[app_test]
async fn parcours_with_priority_come_first_on_the_site_and_in_a_feed_sorted_by_priority(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (plain, favoured, first) = (
        distributed_parcours(&app, "Normal").await,
        distributed_parcours(&app, "Favori").await,
        distributed_parcours(&app, "Premier").await,
    );
    patch(&editor, &favoured, json!({"display_priority": 1})).await;
    patch(&editor, &first, json!({"display_priority": 2})).await;
    let [plain, favoured, first] = [plain, favoured, first].map(|one| id(&one));
    let client = api_client(&app, "morvan").await;
    assert_eq!(listed(&client, "").await, [plain, favoured, first], "in the order of numbers");
    assert_eq!(listed(&client, "sort=priority").await, [first, favoured, plain]);
    for (page, expected) in [(1, first), (2, favoured), (3, plain)] {
        assert_eq!(listed(&client, &format!("sort=priority&per_page=1&page={page}")).await, [expected]);
    }
    let two = client.get("/api/public/v1/parcours?sort=priority&per_page=2&page=2").await.expect(200).json();
    assert_eq!((&two["total"], &two["items"][0]["display_priority"]), (&json!(3), &json!(0)));
    assert_eq!(client.get("/api/public/v1/parcours?sort=title").await.expect(400).problem().code, "request/bad-query");
    patch_white_label(&app, "morvan", json!({"domain": format!("https://{HOST}")})).await;
    let home = app.anonymous().with("host", HOST).get("/").await.expect(200).text();
    let places = ["Premier", "Favori", "Normal"].map(|title| home.find(title).expect("it is on the page"));
    assert!(places.is_sorted(), "{places:?}");
}

#[app_test]
async fn a_price_is_shown_with_the_deposit_of_the_parcours_else_of_its_white_label(app: TestApp) {
    let agency = app.agency_of("morvan");
    let parcours = distributed_parcours(&app, "Sejour").await;
    let fields = json!({
        "price_cents": 45_000, "max_price_cents": 62_000, "price_includes": {"fr": "<p>Les nuits</p>"},
        "price_excludes": {"fr": "<p>Le train</p>"},
    });
    let mut parcours = patch(&agency, &parcours, fields).await;
    let client = api_client(&app, "morvan").await;
    let deposit = async |parcours: &Value| {
        let whole = client.get(format!("/api/public/v1/parcours/{}", id(parcours))).await.expect(200).json();
        assert_eq!(whole["price_cents"], 45_000);
        whole["deposit_percent"].clone()
    };
    let page = page_of(&app, &parcours, "").await;
    assert!(page.contains("De 450\u{a0}€ à 620\u{a0}€. Acompte de 30\u{202f}% à la réservation."), "{page}");
    assert!(page.contains("Le prix comprend") && page.contains("<p>Les nuits</p>"));
    assert!(page.contains("Le prix ne comprend pas") && page.contains("<p>Le train</p>"));
    assert_eq!(deposit(&parcours).await, 30);
    patch_white_label(&app, "morvan", json!({"deposit_percent": 25})).await;
    assert!(page_of(&app, &parcours, "/en").await.contains("A deposit of 25% is paid when booking."));
    let mine = agency.get("/api/v1/session").await.expect(200).json();
    assert_eq!(mine["deposit_percent"], 25);
    parcours = patch(&agency, &parcours, json!({"deposit_percent": 40})).await;
    assert_eq!(deposit(&parcours).await, 40);
    parcours = patch(&agency, &parcours, json!({"deposit_percent": 0})).await;
    assert_eq!(deposit(&parcours).await, Value::Null, "0 means none");
    assert!(!page_of(&app, &parcours, "").await.contains("Acompte"));
    parcours = patch(&agency, &parcours, json!({"deposit_percent": null, "bookable": "no"})).await;
    let page = page_of(&app, &parcours, "").await;
    assert!(!page.contains("Acompte") && page.contains("450\u{a0}€"), "what cannot be booked has no deposit: {page}");
}

#[app_test]
async fn a_parcours_is_bookable_by_its_link_unless_a_setting_says_otherwise(app: TestApp) {
    let agency = app.agency_of("morvan");
    let alone = made(&agency, "Seul", json!({})).await;
    assert_eq!(alone["effective_bookable"], false);
    let linked = patch(&agency, &alone, json!({"booking_url": "https://reserver.example/lac"})).await;
    assert_eq!(linked["effective_bookable"], true, "as the public page shows the link");
    let refused = patch(&agency, &linked, json!({"bookable": "no"})).await;
    assert_eq!(refused["effective_bookable"], false);
    let child = made(
        &agency,
        "Enfant",
        json!({"relation": "child", "parent_id": refused["id"], "booking_url": "https://reserver.example/e"}),
    )
    .await;
    assert_eq!(child["effective_bookable"], false, "its parent says no");
}

#[app_test]
async fn visitors_get_the_file_of_a_media_in_their_language(app: TestApp) {
    let editor = app.editor_of("morvan");
    let mut ids = Vec::new();
    let files = [
        ("carte.jpg", samples::jpeg(1300, 900), samples::jpeg(1200, 900)),
        ("autre.jpg", samples::jpeg(1300, 800), samples::jpeg(1200, 800)),
        ("guide.wav", samples::wav(2), samples::wav(3)),
    ];
    for (name, french, english) in files {
        let media = editor.post_bytes(format!("/api/v1/medias?file_name={name}"), french).await.expect(201).json();
        let other = format!("{}/translations/en?file_name=en-{name}", one("/api/v1/medias", &media));
        editor.send(Method::PUT, &other, Some("application/octet-stream"), Body::from(english)).await.expect(200);
        ids.push(media["id"].as_i64().unwrap());
    }
    content::media::work::settle(app.app()).await.unwrap();
    let parcours = distributed_parcours(&app, "Langues").await;
    let parcours = patch(&editor, &parcours, json!({ "media_ids": ids })).await;
    let (french, english) = (page_of(&app, &parcours, "").await, page_of(&app, &parcours, "/en").await);
    for media in &ids {
        let address = format!("/media/{media}/{media}-file-en-v");
        assert!(english.contains(&address) && !french.contains(&address), "{english}");
        let start = english.find(&address).unwrap();
        let end = start + english[start..].find('"').unwrap();
        let file = app.anonymous().get(&english[start..end]).await.expect(200);
        assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable");
    }
    let client = api_client(&app, "morvan").await;
    let media = async |query: &str| {
        let whole = client.get(format!("/api/public/v1/parcours/{}?{query}", id(&parcours))).await.expect(200).json();
        whole["media"].as_array().unwrap().clone()
    };
    let in_english = media("language=en").await;
    assert!(in_english.iter().all(|one| one["url"].as_str().unwrap().contains("-file-en-v")), "{in_english:?}");
    assert!(in_english.iter().all(|one| one.get("translations").is_none()));
    for one in media("").await {
        assert!(!one["url"].as_str().unwrap().contains("-file-en-v"), "{one}");
        assert!(one["translations"]["en"].as_str().unwrap().contains("-file-en-v"), "{one}");
    }
    let german = format!("/media/{0}/{0}-file-de-v1.webp", ids[0]);
    app.anonymous().get(german).await.expect(404);
    // A sound with a file in another language is two files of a pack, each once.
    let stops = json!([{"title": "La source", "position": [4.002, 47.0], "story": {"media_id": ids[2]}}]);
    for language in ["fr", "en"] {
        let walk = json!({"enabled": true, "stops": stops});
        let walk_of = format!("{}/audio/{language}", path(&parcours));
        editor.clone().at_version(0).put(walk_of, walk).await.expect(200);
    }
    let pack = client.get(format!("/api/public/v1/parcours/{}/pack.zip", id(&parcours))).await.expect(200);
    let entries = unzipped(&pack.bytes);
    let audio: Value = serde_json::from_slice(&entries["audio.json"]).unwrap();
    let heard = |language: &str| {
        let walk = audio["items"].as_array().unwrap().iter().find(|walk| walk["language"] == language).unwrap();
        entries[walk["stops"][0]["sound"]["url"].as_str().unwrap()].clone()
    };
    assert!(heard("fr") != heard("en"), "two and three seconds");
    let whole: Value = serde_json::from_slice(&entries["parcours.json"]).unwrap();
    let sound = whole["media"].as_array().unwrap().iter().find(|media| media["kind"] == "audio").unwrap();
    assert!(entries[sound["url"].as_str().unwrap()] == heard("fr"), "the file of all languages is the French one");
    let files = entries.keys().filter(|name| name.starts_with("media/")).count();
    assert_eq!(files, 4, "{:?}", entries.keys());
}

#[app_test]
async fn the_flags_of_a_poi_are_on_the_page_and_in_the_feed(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = app.poi().titled("Lavoir").at(4.1, 47.1).published().insert().await;
    let fields = json!({
        "flags": {"must_see": true, "landmark": true, "bookable": true}, "booking_url": "https://reserver.example/lavoir",
        "description": {"fr": "<p>Frais.</p>"}, "distribute": true,
    });
    editor.clone().with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), fields).await.expect(200);
    let parcours = distributed_parcours(&app, "Lavoirs").await;
    let parcours = patch(&editor, &parcours, json!({"poi_ids": [poi.id]})).await;
    let page = page_of(&app, &parcours, "").await;
    for word in ["Incontournable", "Point de repère", "Réservable", "https://reserver.example/lavoir"] {
        assert!(page.contains(word), "{word}: {page}");
    }
    assert!(!page.contains("Bonne adresse") && !page.contains("Point de détour"));
    assert!(page_of(&app, &parcours, "/en").await.contains("Must-see"));
    let client = api_client(&app, "morvan").await;
    let shown = client.get(format!("/api/public/v1/pois/{}", poi.id)).await.expect(200).json();
    assert_eq!((&shown["flags"]["must_see"], &shown["flags"]["good_address"]), (&json!(true), &json!(false)));
    let unticked = json!({"flags": {"bookable": false}});
    editor.with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), unticked).await.expect(200);
    assert!(!page_of(&app, &parcours, "").await.contains("https://reserver.example/lavoir"));
}

#[app_test]
async fn the_settings_of_a_white_label_reach_its_pages_its_applications_and_the_maps_of_its_staff(app: TestApp) {
    let bounds = json!({"sw": [3.5, 46.9], "ne": [4.5, 47.5]});
    let settings = json!({
        "domain": format!("https://{HOST}"), "return_url": format!("https://{HOST}/retour"), "bounds": bounds,
        "center": [4.0, 47.2], "zoom": 9, "planner_profiles": ["hiking"],
        "analytics": {"web": "G-ABCDEF1234", "android": "1:123456789012:android:0123456789abcdef"},
    });
    let parcours = distributed_parcours(&app, "Lac").await;
    let before = app.anonymous().get(format!("/p/lac-{}", parcours["id"])).await.expect(200);
    assert!(!before.header("content-security-policy").contains("googletagmanager"));
    assert!(!before.text().contains("id=\"audience\"") && !before.text().contains("Retour au site"));
    patch_white_label(&app, "morvan", settings).await;

    let page = app.anonymous().get(format!("/p/lac-{}", parcours["id"])).await.expect(200);
    assert!(page.header("content-security-policy").contains("script-src 'self' https://*.googletagmanager.com;"));
    let text = page.text();
    assert!(text.contains("data-id=\"G-ABCDEF1234\"") && !text.contains("googletagmanager"), "{text}");
    assert!(text.contains(&format!("href=\"https://{HOST}/retour\">Retour au site")), "{text}");
    let home = app.anonymous().with("host", HOST).get("/en/").await.expect(200);
    assert!(home.header("content-security-policy").contains("https://*.google-analytics.com"));
    let home = home.text();
    assert!(home.contains("data-bounds=\"3.5,46.9,4.5,47.5\"") && home.contains("Back to the site"), "{home}");
    // A link that is handed to some is not measured.
    let editor = app.editor_of("morvan");
    let share = editor.post(format!("{}/shares", path(&parcours)), json!({"kind": "permanent"})).await;
    let share = share.expect(201).json()["token"].as_str().unwrap().to_owned();
    let shared = app.anonymous().get(format!("/s/{share}")).await.expect(200);
    assert!(!shared.text().contains("G-ABCDEF1234"));
    assert!(!shared.header("content-security-policy").contains("googletagmanager"));

    let client = api_client(&app, "morvan").await;
    let shown = client.get("/api/public/v1/white-label").await.expect(200).json();
    assert_eq!((&shown["name"], &shown["site_url"]), (&json!("Morvan"), &json!(format!("https://{HOST}"))));
    assert_eq!(shown["map"]["first_view"], json!([3.5, 46.9, 4.5, 47.5]));
    assert_eq!((&shown["map"]["center"], &shown["map"]["zoom"]), (&json!([4.0, 47.2]), &json!(9.0)));
    assert_eq!(shown["analytics"]["android"], "1:123456789012:android:0123456789abcdef");
    assert_eq!((&shown["planner_profiles"], &shown["analytics"]["ios"]), (&json!(["hiking"]), &Value::Null));
    let theirs = api_client(&app, "vercors").await.get("/api/public/v1/white-label").await.expect(200).json();
    assert_eq!((&theirs["analytics"]["web"], &theirs["map"]["first_view"]), (&Value::Null, &Value::Null));
    assert_eq!(theirs["planner_profiles"].as_array().map(Vec::len), Some(8), "all where none is chosen");

    // Before it is published, or after, its own programs alone read them.
    let at_its_domain = app.anonymous().with("host", HOST);
    at_its_domain.get("/api/public/v1/white-label").await.expect(200);
    patch_white_label(&app, "morvan", json!({"published": false})).await;
    at_its_domain.get("/api/public/v1/white-label").await.expect(404);
    client.get("/api/public/v1/white-label").await.expect(200);

    let mine = editor.get("/api/v1/session").await.expect(200).json();
    assert_eq!((&mine["map_bbox"], &mine["deposit_percent"]), (&json!([3.5, 46.9, 4.5, 47.5]), &json!(30)));
    let theirs = app.editor_of("vercors").get("/api/v1/session").await.expect(200).json();
    assert_eq!(theirs["map_bbox"], Value::Null);
}

#[app_test]
async fn a_missing_duration_is_reported_and_an_existing_one_is_kept(app: TestApp) {
    let editor = app.editor_of("morvan");
    let lacks = |parcours: &Value| {
        let stamps = parcours["passport"].as_array().unwrap().clone();
        stamps.iter().all(|stamp| stamp["lacks"].as_array().unwrap().iter().any(|lack| lack["code"] == "no_duration"))
    };
    let parcours = made(&editor, "Lac", json!({})).await;
    assert!(!lacks(&parcours), "without a trace only the trace is missing");
    // The file has no times, and there is no planner.
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let parcours = now(&editor, &parcours).await;
    assert_eq!(parcours["trace"]["duration_s"], Value::Null);
    assert!(lacks(&parcours), "{}", parcours["passport"]);
    let found = editor.get("/api/v1/parcours?lack=no_duration").await.expect(200).json();
    assert_eq!(found["total"], 1);
    let line = json!([[4.0, 47.0], [4.01, 47.0]]);
    let steps = json!([{"kind": "departure", "position": [4.0, 47.0]}, {"kind": "arrival", "position": [4.01, 47.0]}]);
    let drawn =
        json!({"mode": "source", "legs": [{"kind": "free", "line": line}], "steps": steps, "duration_typed_s": 3_600});
    put_trace(&editor, &parcours, drawn).await.expect(200);
    let parcours = now(&editor, &parcours).await;
    assert!(!lacks(&parcours));
    let again = editor
        .clone()
        .at_version(version(&parcours))
        .post(format!("{}/recalculation", path(&parcours)), json!({"forced": true}))
        .await;
    assert_eq!(again.expect(422).problem().code, "trace/distance-duration-required");
    assert_eq!(now(&editor, &parcours).await["trace"]["duration_typed_s"], 3_600.0);
    let published = published(&editor, &parcours).await;
    patched(&editor, &published, json!({"copyright": "Office"})).await.expect(200);
}

/// The items of a reference list.
async fn terms(app: &TestApp, kind: &str) -> Vec<Value> {
    let list = app.reader_of("morvan").get(format!("/api/v1/vocabularies/{kind}")).await.expect(200).json();
    list["items"].as_array().unwrap().clone()
}

#[app_test]
async fn the_other_fields_of_a_sheet_are_on_the_page(app: TestApp) {
    let field = json!({"key": "sol", "type": "text", "label": {"fr": "Revêtement", "en": "Surface"}, "on": "parcours"});
    let tick = json!({"key": "ombre", "type": "bool", "label": {"fr": "Ombragé"}, "on": "parcours"});
    let link = json!({"key": "lien", "type": "url", "label": {"fr": "Plus"}, "on": "parcours"});
    patch_white_label(&app, "morvan", json!({"custom_fields": [field, tick, link]})).await;
    let editor = app.editor_of("morvan");
    let document = editor.post_bytes("/api/v1/medias?file_name=plan.pdf", samples::pdf(2)).await.expect(201).json();
    let film = samples::mp4(2, 640, 360);
    let film = editor.post_bytes("/api/v1/medias?file_name=film.mp4", film).await.expect(201).json();
    let photo =
        editor.post_bytes("/api/v1/medias?file_name=lavoir.jpg", samples::jpeg(1300, 900)).await.expect(201).json();
    content::media::work::settle(app.app()).await.unwrap();
    let equipment = terms(&app, "equipment").await[0].clone();
    let poi = app.poi().titled("Lavoir").at(4.1, 47.1).published().insert().await;
    let child = terms(&app, "poi_category").await.into_iter().find(|item| !item["parent_id"].is_null()).unwrap();
    let theme = terms(&app, "poi_theme").await[0].clone();
    let fields = json!({
        "opening": {"fr": "L’été"}, "phone": "+33 3 86 00 00 00", "email": "lavoir@breve.example", "media_ids": [photo["id"]],
        "address": {"street": "1 rue du Lac", "postcode": "58000", "city": "Brève"}, "category_ids": [child["id"]],
        "theme_ids": [theme["id"]],
    });
    editor.clone().with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), fields).await.expect(200);
    let parcours = distributed_parcours(&app, "Tout").await;
    let fields = json!({
        "custom": {"sol": "Sable", "ombre": true, "lien": "https://sol.example/"}, "equipment_ids": [equipment["id"]], "is_stay": true,
        "media_ids": [document["id"], film["id"]], "poi_ids": [poi.id],
    });
    let parcours = patch(&editor, &parcours, fields).await;
    let page = page_of(&app, &parcours, "").await;
    let theme_line = format!("Thème\u{202f}: <span>{}</span>", theme["label"]["fr"].as_str().unwrap());
    let words = [
        "Revêtement</span>\u{202f}: Sable",
        "Ombragé</span>\u{202f}: oui",
        "<li>Séjour</li>",
        "fill=\"#FFFFFF\"></circle></svg> <svg class=\"dot\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><circle cx=\"5\" cy=\"5\" r=\"4.5\" fill=\"#D32F2F\"",
        "Balisage\u{202f}: <svg class=\"dot\"",
        equipment["label"]["fr"].as_str().unwrap(),
        "plan.pdf</a> (PDF, ",
        "<a href=\"https://sol.example/\" rel=\"noopener\">https://sol.example/</a>",
        "<video controls",
        "<p>L’été</p>",
        "href=\"tel:+33386000000\"",
        "lavoir@breve.example",
        "1 rue du Lac, 58000 Brève",
        child["label"]["fr"].as_str().unwrap(),
        &theme_line,
        "id=\"pois\"",
        "[4.1,47.1]",
    ];
    for word in words {
        assert!(page.contains(word), "{word}: {page}");
    }
    assert!(page.contains(&format!("/media/{}/w1280-webp", photo["id"])), "{page}");
    // A POI of another white-label is listed while that white-label distributes its POIs.
    let theirs = app.poi().titled("Belvédère").at(4.1, 47.1).owned_by("vercors").published().insert().await;
    let described = json!({"description": {"fr": "<p>Haut.</p>"}, "distribute": true});
    let owner = app.editor_of("vercors");
    owner.with("if-match", "*").patch(format!("/api/v1/pois/{}", theirs.id), described).await.expect(200);
    let link = format!("/api/v1/pois/{}/white-labels/{}", theirs.id, app.white_label("morvan").await);
    editor.put(link, json!({"published": true})).await.expect(204);
    let parcours = patch(&editor, &parcours, json!({"poi_ids": [poi.id, theirs.id]})).await;
    assert!(page_of(&app, &parcours, "").await.contains("Belvédère"));
    patch_white_label(&app, "vercors", json!({"flags": {"distribute_pois": false}})).await;
    assert!(!page_of(&app, &parcours, "").await.contains("Belvédère"));
    // A category that is chosen takes in those under it, on the page and in the feed.
    patch_white_label(&app, "morvan", json!({"poi_filter": {"category_ids": [child["parent_id"]]}})).await;
    assert!(page_of(&app, &parcours, "").await.contains("Lavoir"));
    let described = json!({"description": {"fr": "<p>Frais.</p>"}, "distribute": true});
    editor.clone().with("if-match", "*").patch(format!("/api/v1/pois/{}", poi.id), described).await.expect(200);
    let client = api_client(&app, "morvan").await;
    client.get(format!("/api/public/v1/pois/{}", poi.id)).await.expect(200);
    let whole = client.get(format!("/api/public/v1/parcours/{}", id(&parcours))).await.expect(200).json();
    assert_eq!(whole["guided"], false);
    assert!(whole["steps"][0]["distance_to_next_m"].as_f64().is_some_and(|metres| metres > 0.0), "{}", whole["steps"]);
}

#[app_test]
async fn the_long_distance_ways_of_a_parcours_are_named_on_its_page_and_in_the_feed(app: TestApp) {
    const WAYS: &str = "/api/v1/itineraries";
    let keeper = app.superadmin();
    let way = json!({"name": {"fr": "La Lorne à vélo", "en": "The Lorne by bike"}, "kind": "cycle_route", "code": "EV 6", "color": "#00695c"});
    let way = crate::catalogue_kit::made(&keeper, WAYS, way).await;
    let editor = app.editor_of("morvan");
    let (parcours, other) = (distributed_parcours(&app, "Lorne").await, distributed_parcours(&app, "Autre").await);
    let parcours = patch(&editor, &parcours, json!({"itinerary_ids": [way["id"]]})).await;
    let page = page_of(&app, &parcours, "").await;
    assert!(page.contains("Suit\u{202f}: ") && page.contains("EV 6 · <span>La Lorne à vélo</span>"), "{page}");
    assert!(page.contains("fill=\"#00695C\""), "{page}");
    assert!(page_of(&app, &parcours, "/en").await.contains("The Lorne by bike"));
    assert!(!page_of(&app, &other, "").await.contains("Suit\u{202f}"));
    let client = api_client(&app, "morvan").await;
    let named = async || {
        let page = client.get("/api/public/v1/parcours?fields=id,itineraries").await.expect(200).json();
        let ways = page["items"].as_array().unwrap().iter().map(|item| item["itineraries"].clone());
        ways.collect::<Vec<_>>()
    };
    let expected = |name: &str| json!([{"id": way["id"], "name": {"fr": name, "en": "The Lorne by bike"}, "kind": "cycle_route", "code": "EV 6", "color": "#00695C"}]);
    assert_eq!(named().await, [expected("La Lorne à vélo"), json!([])]);
    // Their descriptions are beside their names, and those of waymarks too.
    assert!(!page.contains("À propos de"), "{page}");
    let signs = "GR – sentier de grande randonnée</span> (<span>Deux traits horizontaux, blanc sur rouge</span>)";
    assert!(page.contains(signs), "{page}");
    let description = json!({"description": {"fr": "<p>Au fil de la <strong>Lorne</strong>.</p>"}});
    let way = crate::catalogue_kit::patch(&keeper, WAYS, &way, description).await.expect(200).json();
    let page = page_of(&app, &parcours, "").await;
    let about = "À propos de <span>La Lorne à vélo</span></summary><div class=\"prose\"><p>Au fil de la <strong>Lorne</strong>.</p>";
    assert!(page.contains(about), "{page}");
    // A renamed field has its new name in the next answer.
    let renamed = json!({"name": {"fr": "La Lorne"}});
    crate::catalogue_kit::patch(&keeper, WAYS, &way, renamed).await.expect(200);
    assert_eq!(named().await[0], expected("La Lorne"));
    assert_eq!(listed(&client, &format!("itineraries={}", way["id"])).await, [id(&parcours)]);
    assert_eq!(listed(&client, "itineraries=999999").await, [0_i64; 0]);
    let refused = client.get("/api/public/v1/parcours?itineraries=ev6").await.expect(400).problem();
    assert_eq!(refused.code, "request/bad-query");
}

#[app_test]
async fn steps_in_the_feed_have_their_practice_and_the_lines_that_stop_there(app: TestApp) {
    let editor = app.editor_of("morvan");
    let own = app.white_label("morvan").await;
    let practice = terms(&app, "practice_type").await[0].clone();
    let line = json!({"long_name": "Autun – Le lac", "short_name": "C38", "mode": "coach", "bike_carriage": "conditions",
        "bookable": true, "booking_url": "https://reserver.example/c38", "booking_phone": "03 86 00 00 00",
        "conditions": [{"white_label_id": own, "region": "Morvan", "text": {"fr": "Six vélos"}}]});
    let line = crate::catalogue_kit::made(&editor, "/api/v1/transport-lines", line).await;
    let both = json!({"conditions": [{"white_label_id": own, "region": "Morvan", "text": {"fr": "Six vélos"}},
        {"white_label_id": app.white_label("vercors").await, "text": {"fr": "Autre public"}}]});
    crate::catalogue_kit::patch(&app.superadmin(), "/api/v1/transport-lines", &line, both).await.expect(200);
    let parcours = distributed_parcours(&app, "Car").await;
    let mut steps = parcours["steps"].clone();
    steps[0]["line_ids"] = json!([line["id"]]);
    // The arrival says the same practice again: it begins once.
    steps[0]["practice_type_id"] = practice["id"].clone();
    steps[1]["practice_type_id"] = practice["id"].clone();
    let parcours = patch(&editor, &parcours, json!({"steps": steps})).await;
    let client = api_client(&app, "morvan").await;
    let steps = async || {
        let whole =
            client.get(format!("/api/public/v1/parcours/{}?language=fr", id(&parcours))).await.expect(200).json();
        whole["steps"].clone()
    };
    let found = steps().await;
    assert_eq!((&found[0]["practice"]["id"], &found[1]["practice"]["id"]), (&practice["id"], &practice["id"]));
    assert_eq!(found[0]["lines"], json!([]), "the white-label shows no public transport");
    let page = page_of(&app, &parcours, "").await;
    let name = practice["label"]["fr"].as_str().unwrap();
    assert_eq!(page.matches("à partir d’ici").count(), 1, "{page}");
    assert!(page.contains(&format!("à partir d’ici\u{202f}: <span>{name}</span>")), "{page}");
    patch_white_label(&app, "morvan", json!({"flags": {"public_transport": true}})).await;
    let expected = |booking_url: Value| {
        json!([{"id": line["id"], "mode": "coach", "short_name": "C38", "long_name": "Autun – Le lac", "operator": null, "color": null,
            "bike_carriage": "conditions", "conditions": [{"region": "Morvan", "text": "Six vélos"}], "bookable": true,
            "booking_url": booking_url, "booking_phone": "03 86 00 00 00", "booking_note": "", "website": null}])
    };
    assert_eq!(steps().await[0]["lines"], expected(Value::Null));
    patch_white_label(&app, "morvan", json!({"flags": {"public_transport": true, "tourist_maas": true}})).await;
    let found = steps().await;
    assert_eq!(found[0]["lines"], expected(json!("https://reserver.example/c38")));
    assert_eq!(found[1]["lines"], json!([]));
    let row = client.get("/api/public/v1/parcours?fields=steps").await.expect(200).json();
    assert_eq!(row["items"][0]["steps"][0]["lines"][0]["id"], line["id"]);
}

#[app_test]
async fn the_logo_of_a_white_label_is_the_pictogram_of_its_source(app: TestApp) {
    distributed_parcours(&app, "Logo").await;
    let client = api_client(&app, "morvan").await;
    let source = async || client.get("/api/v2/source/").await.expect(200).json()["results"][0]["pictogram"].clone();
    assert_eq!(source().await, "");
    let editor = app.editor_of("morvan");
    let logo =
        editor.post_bytes("/api/v1/medias?file_name=logo.jpg", samples::jpeg(1300, 900)).await.expect(201).json();
    content::media::work::settle(app.app()).await.unwrap();
    patch_white_label(&app, "morvan", json!({"logo_media_id": logo["id"]})).await;
    let address = source().await;
    let path = address.as_str().unwrap().trim_start_matches(&app.app().settings.public_url).to_owned();
    assert!(path.starts_with(&format!("/media/{}/", logo["id"])), "{address}");
    app.anonymous().get(path).await.expect(200);
}

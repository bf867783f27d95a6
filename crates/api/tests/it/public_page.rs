//! The public page of a parcours: what visitors see, and what they never see.

use std::sync::Arc;

use domain::{DAY_S, Role};
use macros::app_test;
use serde_json::{Value, json};
use store::server::run_sql;
use testkit::{Client, InProcessRenderer, Reply, TestApp};
use trace::Position;

use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, path, published, put_trace, version};

/// A published parcours with a trace, steps and texts, some in French only.
async fn published_parcours(editor: &Client) -> Value {
    let fields = json!({
        "title": {"fr": "Tour du lac", "en": "Around the lake"},
        "summary": {"fr": "Une journée facile.", "en": "An easy day."},
        "description": {"fr": "<p>Au départ de la <strong>halle</strong>.</p>"},
        "is_loop": false,
        "availability": [{"from": "2026-05-01", "to": "2026-09-30"}],
        "booking_url": "https://reserver.example/lac",
    });
    let parcours = made(editor, "Tour du lac", fields).await;
    imported(editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let parcours = now(editor, &parcours).await;
    let mut steps = parcours["steps"].clone();
    steps[0]["title"] = json!({"fr": "La halle", "en": "The market hall"});
    steps[0]["description"] =
        json!({"fr": "Passer sous l’arche.\n\nPuis à gauche.", "en": "Under the arch.\n\nThen left."});
    let parcours = patch(editor, &parcours, json!({"steps": steps})).await;
    published(editor, &parcours).await
}

fn public_path(parcours: &Value) -> String {
    format!("/p/tour-du-lac-{}", parcours["id"])
}

/// Makes a share and gives its number and its path.
async fn share(editor: &Client, parcours: &Value, asked: Value) -> (i64, String) {
    let made = editor.post(format!("{}/shares", path(parcours)), asked).await.expect(201).json();
    let token = made["token"].as_str().expect("a share has a token").to_owned();
    (made["id"].as_i64().expect("a number"), format!("/s/{token}"))
}

async fn unpublish(editor: &Client, parcours: &Value) {
    let parcours = now(editor, parcours).await;
    editor.clone().at_version(version(&parcours)).delete(format!("{}/publication", path(&parcours))).await.expect(200);
}

/// Fails unless the answer is a page with this status and these words, which search engines do not index.
fn assert_message_page(reply: Reply, status: u16, words: &str) {
    let reply = reply.expect(status);
    assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(reply.header("x-robots-tag"), "noindex");
    assert!(reply.text().contains(words), "{}", reply.text());
}

#[app_test]
async fn a_published_parcours_is_read_in_both_languages(app: TestApp) {
    let parcours = published_parcours(&app.editor_of("morvan")).await;
    let french = app.anonymous().get(public_path(&parcours)).await.expect(200).text();
    for words in [
        "<html lang=\"fr\">",
        "Tour du lac",
        "Une journée facile.",
        "760\u{202f}m",
        "La halle",
        "<p>Puis à gauche.</p>",
        "Ouvert du 1er mai 2026",
        "Morvan",
        "La source",
    ] {
        assert!(french.contains(words), "{words} is missing: {french}");
    }
    let english = app.anonymous().get(format!("/en{}", public_path(&parcours))).await.expect(200).text();
    for words in [
        "<html lang=\"en\">",
        "Around the lake",
        "An easy day.",
        "760\u{202f}m",
        "The market hall",
        "<p>Then left.</p>",
        "Open from 1 May 2026",
        "class=\"profile\"",
    ] {
        assert!(english.contains(words), "{words} is missing: {english}");
    }
    assert!(
        english.contains("<div lang=\"fr\"><p>Au départ de la <strong>halle</strong>"),
        "French on an English page says so"
    );
    assert!(english.contains("<h3 lang=\"fr\">La source</h3>"));
    assert!(!french.contains("<div lang="));
}

#[app_test]
async fn other_addresses_of_a_page_redirect_to_the_canonical_one(app: TestApp) {
    let parcours = published_parcours(&app.editor_of("morvan")).await;
    let right = public_path(&parcours);
    for wrong in
        [format!("/p/le-lac-{}", parcours["id"]), format!("/p/{}", parcours["id"]), format!("/p/-{}", parcours["id"])]
    {
        assert_eq!(app.anonymous().get(wrong).await.expect(301).header("location"), right);
    }
    let english = app.anonymous().get(format!("/en/p/lake-{}", parcours["id"])).await.expect(301);
    assert_eq!(english.header("location"), format!("/en{right}"));
    let page = app.anonymous().get(&right).await.text();
    assert!(page.contains(&format!("rel=\"canonical\" href=\"http://localhost:8080{right}\"")));
    assert!(page.contains(&format!("hreflang=\"en\" href=\"http://localhost:8080/en{right}\"")));
}

#[app_test]
async fn an_unpublished_parcours_is_not_found(app: TestApp) {
    let editor = app.editor_of("morvan");
    let draft = made(&editor, "Brouillon secret", json!({"summary": {"fr": "Secret."}})).await;
    let asked = [
        format!("/p/x-{}", draft["id"]),
        format!("/p/brouillon-secret-{}", draft["id"]),
        format!("/p/x-{}/trace.gpx", draft["id"]),
    ];
    for page in asked.iter().map(String::as_str).chain([
        "/p/lac-999999999",
        "/p/lac",
        "/p/lac--1",
        "/p/lac-99999999999999999999",
    ]) {
        // A signed-in user gets no more at this address than a visitor.
        for client in [app.anonymous(), editor.clone()] {
            let reply = client.get(page).await;
            assert!(!reply.text().to_lowercase().contains("secret"), "{}", reply.text());
            assert_message_page(reply, 404, "Ce parcours n’est pas là");
        }
    }
    assert_message_page(app.anonymous().get("/en/p/lac-999999999").await, 404, "This route is not here");
    let parcours = published_parcours(&editor).await;
    unpublish(&editor, &parcours).await;
    assert_message_page(app.anonymous().get(public_path(&parcours)).await, 404, "Ce parcours n’est pas là");
    assert_message_page(
        app.anonymous().get(format!("{}/trace.gpx", public_path(&parcours))).await,
        404,
        "Ce parcours n’est pas là",
    );
}

#[app_test]
async fn a_model_has_no_public_page_and_a_child_only_one_is_shown_under_its_parent(app: TestApp) {
    let editor = app.editor_of("morvan");
    let model = made(&editor, "Modèle", json!({"relation": "model_only"})).await;
    let model = published(&editor, &model).await;
    assert_message_page(app.anonymous().get(format!("/p/modele-{}", model["id"])).await, 404, "n’est pas là");
    let parent = published_parcours(&editor).await;
    let parent = patch(&editor, &parent, json!({"bike_carriage": "yes"})).await;
    let only = made(&editor, "Variante courte", json!({"relation": "child_only", "parent_id": parent["id"]})).await;
    let alone = made(&editor, "Variante longue", json!({"relation": "child", "parent_id": parent["id"]})).await;
    made(&editor, "Variante cachée", json!({"relation": "child", "parent_id": parent["id"]})).await;
    published(&editor, &only).await;
    published(&editor, &alone).await;
    assert_message_page(app.anonymous().get(format!("/p/variante-courte-{}", only["id"])).await, 404, "n’est pas là");
    let page = app.anonymous().get(public_path(&parent)).await.expect(200).text();
    assert!(page.contains("<strong>Variante courte</strong>"));
    assert!(page.contains(&format!("<a href=\"/p/variante-longue-{}\">Variante longue</a>", alone["id"])));
    assert!(!page.contains("cachée"));
    let child = app.anonymous().get(format!("/p/variante-longue-{}", alone["id"])).await.expect(200).text();
    assert!(child.contains("Vélos acceptés à bord"), "bike carriage is read through the parent");
    let sitemap = app.anonymous().get("/sitemap.xml").await.expect(200).text();
    for (page, listed) in [
        ("/p/tour-du-lac-", true),
        ("/en/p/tour-du-lac-", true),
        ("/p/variante-longue-", true),
        ("variante-courte", false),
        ("cachee", false),
        ("modele", false),
    ] {
        assert_eq!(sitemap.contains(page), listed, "{page}: {sitemap}");
    }
    // The parts that an index of many would name.
    let first = app.anonymous().get("/sitemap.xml?part=0").await.expect(200).text();
    assert!(first.contains("/p/tour-du-lac-"), "{first}");
    assert_message_page(app.anonymous().get("/sitemap.xml?part=1").await, 404, "n’est pas là");
    let sites = store::white_label::public_sites(app.store().read()).await.unwrap();
    assert_eq!(store::parcours::count_in_public(app.store().read(), &sites, 2).await.unwrap(), 2);
    let parts = store::parcours::parts_in_public(app.store().read(), &sites, 1).await.unwrap();
    let ids: Vec<i64> = [&parent, &alone].iter().map(|shown| shown["id"].as_i64().unwrap()).collect();
    assert!(ids.iter().all(|id| parts.iter().any(|(part, _)| part == id)), "{parts:?} {ids:?}");
    app.anonymous().get("/sitemap.xml?part=x").await.expect(400);
}

#[app_test]
async fn a_child_that_is_shown_only_under_its_parent_stays_hidden_when_the_parent_is_deleted(app: TestApp) {
    let editor = app.editor_of("morvan").with("if-match", "*");
    let parent = published_parcours(&editor).await;
    let child = async |title: &str, relation: &str| {
        let child = made(&editor, title, json!({"relation": relation, "parent_id": parent["id"]})).await;
        published(&editor, &child).await
    };
    let (only, alone) = (child("Variante courte", "child_only").await, child("Variante longue", "child").await);
    editor.delete(format!("{}?force=true", path(&parent))).await.expect(204);
    let page = async |title: &str, child: &Value| app.anonymous().get(format!("/p/{title}-{}", child["id"])).await;
    assert_message_page(page("variante-courte", &only).await, 404, "n’est pas là");
    page("variante-longue", &alone).await.expect(200);
    let sitemap = app.anonymous().get("/sitemap.xml").await.expect(200).text();
    assert!(sitemap.contains("variante-longue") && !sitemap.contains("variante-courte"), "{sitemap}");
    let kept = now(&editor, &only).await;
    assert_eq!((&kept["relation"], &kept["parent_id"]), (&json!("child_only"), &Value::Null));
    // Its sheet is saved without a parent, and its people may show it again.
    patch(&editor, &kept, json!({"subtitle": {"fr": "Sans parent"}})).await;
    editor.patch(path(&only), json!({"relation": "child"})).await.expect(422);
    editor.patch(path(&only), json!({"relation": "none"})).await.expect(200);
    page("variante-courte", &only).await.expect(200);
}

#[app_test]
async fn a_temporary_link_opens_a_draft_until_it_expires(app: TestApp) {
    let editor = app.editor_of("morvan");
    let draft = published_parcours(&editor).await;
    unpublish(&editor, &draft).await;
    let (_, link) = share(&editor, &draft, json!({"kind": "temporary", "days": 7})).await;
    let reply = app.anonymous().get(&link).await.expect(200);
    assert!(
        reply.text().contains("Tour du lac") && reply.text().contains("valable jusqu’au 27 novembre 2026"),
        "{}",
        reply.text()
    );
    assert!(reply.text().contains("<meta name=\"robots\" content=\"noindex\">") && !reply.text().contains("canonical"));
    assert_eq!(reply.header("cache-control"), "private, no-store");
    assert_eq!(reply.header("x-robots-tag"), "noindex");
    assert_eq!(reply.header("referrer-policy"), "no-referrer");
    let english = app.anonymous().get(format!("/en{link}")).await.expect(200).text();
    assert!(english.contains("Around the lake") && english.contains("valid until 27 November 2026"));
    let file = app.anonymous().get(format!("{link}/trace.gpx")).await.expect(200);
    assert_eq!(file.header("cache-control"), "private, no-store");
    app.clock().advance_s(7 * DAY_S - 1);
    app.anonymous().get(&link).await.expect(200);
    app.clock().advance_s(1);
    for gone in [link.clone(), format!("{link}/trace.gpx"), format!("{link}/cover")] {
        assert_message_page(app.anonymous().get(gone).await, 410, "Ce lien n’est plus valable");
    }
    assert_message_page(app.anonymous().get(format!("/en{link}")).await, 410, "This link is no longer valid");
}

#[app_test]
async fn a_revoked_link_is_reported_as_revoked(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = published_parcours(&editor).await;
    let (id, link) = share(&editor, &parcours, json!({"kind": "temporary", "days": 1})).await;
    editor.delete(format!("{}/shares/{id}", path(&parcours))).await.expect(204);
    assert_message_page(app.anonymous().get(&link).await, 410, "Ce lien n’est plus valable");
    assert_message_page(app.anonymous().get("/s/abcdefghijkmnpqrstuvwxyz23").await, 404, "n’est pas là");
}

#[app_test]
async fn a_permanent_link_lasts_while_the_parcours_is_published(app: TestApp) {
    // A session lasts its whole day here, used or not.
    let app = app.changed(|parts| parts.settings.session_idle_s = 86_400);
    let editor = app.editor_of("morvan");
    let parcours = published_parcours(&editor).await;
    let (_, link) = share(&editor, &parcours, json!({"kind": "permanent"})).await;
    app.clock().advance_s(DAY_S / 2);
    let page = app.anonymous().get(&link).await.expect(200).text();
    assert!(page.contains("Tour du lac") && page.contains("noindex") && !page.contains("valable jusqu"));
    unpublish(&editor, &parcours).await;
    assert_message_page(app.anonymous().get(&link).await, 404, "n’est pas là");
}

#[app_test]
async fn the_files_of_a_page_can_be_parsed(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = published_parcours(&editor).await;
    let (_, link) = share(&editor, &parcours, json!({"kind": "permanent"})).await;
    for base in [public_path(&parcours), format!("/en{}", public_path(&parcours)), link] {
        for (extension, mime) in [("gpx", "application/gpx+xml"), ("kml", "application/vnd.google-earth.kml+xml")] {
            let reply = app.anonymous().get(format!("{base}/trace.{extension}")).await.expect(200);
            assert_eq!(reply.header("content-type"), mime);
            let is_english = base.starts_with("/en");
            let saved_as = if is_english { "around-the-lake" } else { "tour-du-lac" };
            assert!(
                reply
                    .header("content-disposition")
                    .starts_with(&format!("attachment; filename=\"{saved_as}.{extension}\""))
            );
            let read = trace::read(&reply.bytes, "x").expect("it reads back");
            let there: Vec<Position> = read.line();
            assert_eq!((there.len(), there[0].lon, there[10].lon), (11, 4.0, 4.01));
            let name = if is_english { "Around the lake" } else { "Tour du lac" };
            assert_eq!(read.name.as_deref(), Some(name));
            assert!(read.waypoints.iter().any(|waypoint| waypoint.name.as_deref() == Some("La source")));
        }
        assert_message_page(
            app.anonymous().get(format!("{base}/trace.exe")).await,
            404,
            if base.starts_with("/en") { "This route" } else { "n’est pas là" },
        );
    }
}

#[app_test]
async fn markup_in_stored_texts_is_escaped_and_scripts_never_run(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = published_parcours(&editor).await;
    let mut stored = store::parcours::load(app.store().read(), domain::ParcoursId(parcours["id"].as_i64().unwrap()))
        .await
        .unwrap()
        .unwrap();
    // Stored without the sanitising of a request: content that an import or an older version may have left.
    let evil = "\"><script>alert(1)</script></title></script><img src=x onerror=alert(1)>";
    stored.sheet.title = domain::Text::new(evil, evil);
    stored.sheet.summary = domain::Text::new(evil, evil);
    stored.sheet.copyright = Some(evil.to_owned());
    stored.sheet.booking_url = Some("javascript:alert(1)".to_owned());
    for step in &mut stored.steps {
        step.title = domain::Text::in_french(evil);
        step.description = domain::Text::in_french(evil);
    }
    save(&app, stored).await;
    let moved = app.anonymous().get(public_path(&parcours)).await.expect(301);
    let page = app.anonymous().get(moved.header("location")).await.expect(200).text();
    assert!(page.contains("&lt;script&gt;"), "{page}");
    for harm in ["<script>alert", "<img src=x", "</title></script>", "javascript:alert"] {
        assert!(!page.contains(harm), "{harm}: {page}");
    }
    assert_eq!(page.matches("<script").count(), 4, "the page's own: its script and three blocks of data");
    let file = app.anonymous().get(format!("{}/trace.gpx", moved.header("location"))).await.expect(200);
    trace::read(&file.bytes, "x").expect("it reads back");
}

/// Saves a parcours past the checks of the API.
async fn save(app: &TestApp, after: store::parcours::Stored) {
    let languages = ["fr".to_owned(), "en".to_owned()];
    let by = app.user(Role::Editor, "morvan").await;
    let tx = app.store().begin().await.unwrap();
    let before = store::parcours::lock(&tx, after.id).await.unwrap().unwrap();
    let change = store::parcours::Change { by: Some(by), at: app.app().now(), reason: None, languages: &languages };
    store::parcours::save(&tx, &before, after, None, change).await.unwrap();
    tx.commit().await.unwrap();
}

#[app_test]
async fn a_page_is_cached_for_a_minute_and_revalidated_by_its_etag(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = published_parcours(&editor).await;
    let first = app.anonymous().get(public_path(&parcours)).await.expect(200);
    assert_eq!(first.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(first.header("cache-control"), "public, max-age=60");
    assert_eq!(first.header("x-robots-tag"), "");
    let policy = first.header("content-security-policy");
    assert!(policy.contains("script-src 'self';") && policy.contains("default-src 'self'"), "{policy}");
    let again = app.anonymous().with("if-none-match", first.header("etag"));
    assert!(again.get(public_path(&parcours)).await.expect(304).bytes.is_empty());
    again.get(format!("/en{}", public_path(&parcours))).await.expect(200);
    patch(&editor, &parcours, json!({"summary": {"fr": "Autre chose."}})).await;
    assert!(again.get(public_path(&parcours)).await.expect(200).text().contains("Autre chose."));
    let other_build = app.changed(|parts| parts.settings.build_id = "b2".to_owned());
    let newer = other_build.anonymous().get(public_path(&parcours)).await.expect(200);
    assert!(newer.header("etag") != again.get(public_path(&parcours)).await.header("etag"));
}

#[app_test]
async fn a_file_is_revalidated_by_its_etag(app: TestApp) {
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let editor = app.editor_of("morvan");
    let parcours = published_parcours(&editor).await;
    for file in ["trace.gpx", "trace.kml", "roadbook.pdf"] {
        let address = format!("{}/{file}", public_path(&parcours));
        let first = app.anonymous().get(&address).await.expect(200);
        assert_eq!(first.header("cache-control"), "public, max-age=60");
        let known = app.anonymous().with("if-none-match", first.header("etag"));
        assert!(known.get(&address).await.expect(304).bytes.is_empty(), "{file}");
        let title = json!({"title": {"fr": format!("Tour du lac, {file}")}});
        patch(&editor, &now(&editor, &parcours).await, title).await;
        assert!(known.get(&address).await.expect(200).bytes != first.bytes, "{file}");
    }
}

#[app_test]
async fn words_between_angle_brackets_are_kept_and_shown_as_words(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Le <GR 70> et <PR>", json!({"summary": {"fr": "<b>x</b><y et z>w"}})).await;
    assert_eq!(parcours["title"]["fr"], "Le <GR 70> et <PR>");
    assert_eq!(parcours["summary"]["fr"], "x<y et z>w");
    let parcours = published(&editor, &parcours).await;
    let page = app.anonymous().get(format!("/p/le-gr-70-et-pr-{}", parcours["id"])).await.expect(200).text();
    assert!(page.contains("Le &lt;GR 70&gt; et &lt;PR&gt;") && page.contains("x&lt;y et z&gt;w"), "{page}");
    assert!(!page.contains("<GR") && !page.contains("<PR") && !page.contains("<y"), "{page}");
}

#[app_test]
async fn a_picture_is_shown_with_its_words_and_a_draft_keeps_its_own(app: TestApp) {
    let editor = app.editor_of("morvan");
    let media = app.media().made().insert().await;
    let draft = made(&editor, "Tour du lac", json!({"media_ids": [media.id]})).await;
    let bytes = format!("/media/{}/w1200-webp?v=1", media.id);
    app.anonymous().get(&bytes).await.expect(404);
    let (_, link) = share(&editor, &draft, json!({"kind": "temporary", "days": 1})).await;
    let page = app.anonymous().get(&link).await.expect(200).text();
    assert!(page.contains(&format!("<img src=\"{link}/cover\" alt=\"\" width=\"1200\" height=\"800\">")), "{page}");
    assert!(page.contains("L’étang") && page.contains("© C. Le Goff"));
    let cover = app.anonymous().get(format!("{link}/cover")).await.expect(200);
    assert_eq!((cover.header("content-type"), &cover.bytes[..4]), ("image/webp", &b"RIFF"[..]));
    assert!(cover.header("content-security-policy").contains("sandbox"));
    published(&editor, &now(&editor, &draft).await).await;
    assert!(app.anonymous().get(public_path(&draft)).await.expect(200).text().contains(&bytes));
    app.anonymous().get(&bytes).await.expect(200);
    assert!(
        app.anonymous()
            .get(format!("/en{}", public_path(&draft)))
            .await
            .text()
            .contains("<span lang=\"fr\">L’étang</span>")
    );
}

#[app_test]
async fn a_parcours_without_a_trace_has_a_page_and_no_file(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = published(&editor, &made(&editor, "Tour du lac", json!({})).await).await;
    let page = app.anonymous().get(public_path(&parcours)).await.expect(200).text();
    assert!(!page.contains("trace.gpx") && !page.contains("id=\"map\""));
    assert_message_page(
        app.anonymous().get(format!("{}/trace.gpx", public_path(&parcours))).await,
        404,
        "n’est pas là",
    );
}

#[app_test]
async fn the_white_labels_colour_and_the_operators_map_are_taken(app: TestApp) {
    let parcours = published_parcours(&app.editor_of("morvan")).await;
    let page = app.anonymous().get(public_path(&parcours)).await.text();
    assert!(page.contains("<style>:root{--primary:#00695c;"), "{page}");
    assert!(page.contains("data-style=\"/map/style-light.json?locale=fr&amp;cycle=off\""));
    assert!(page.contains("openstreetmap.org/copyright\""), "the attribution is a link");
    let other =
        app.changed(|parts| parts.settings.map_style_url = Some("https://tuiles.example/style.json".to_owned()));
    assert!(
        other
            .anonymous()
            .get(public_path(&parcours))
            .await
            .text()
            .contains("data-style=\"https://tuiles.example/style.json\"")
    );
}

#[app_test]
async fn robots_txt_allows_the_public_pages_in_production_only(app: TestApp) {
    let robots = app.anonymous().get("/robots.txt").await.expect(200);
    assert_eq!(robots.header("content-type"), "text/plain; charset=utf-8");
    assert!(robots.text().contains("Allow: /p/\n") && robots.text().contains("Disallow: /\n"));
    assert!(robots.text().contains("Sitemap: http://localhost:8080/sitemap.xml"));
    let trial = app.changed(|parts| parts.settings.environment = app::Environment::Preproduction);
    assert_eq!(trial.anonymous().get("/robots.txt").await.text(), "User-agent: *\nDisallow: /\n");
    let parcours = published_parcours(&app.editor_of("morvan")).await;
    assert!(trial.anonymous().get(public_path(&parcours)).await.text().contains("content=\"noindex\""));
}

/// Changes the switches of the white-label that owns the parcours of these tests.
#[app_test]
async fn an_identifier_in_linked_data_leads_to_a_page_that_shows_the_record(app: TestApp) {
    let editor = app.editor_of("morvan");
    let shown = app.poi().titled("Lavoir").at(4.1, 47.1).published().insert().await;
    let theirs = app.poi().titled("Pas chez nous").at(4.1, 47.1).owned_by("vercors").published().insert().await;
    let parcours = published_parcours(&editor).await;
    patch(&editor, &parcours, json!({"poi_ids": [shown.id, theirs.id]})).await;
    let identified = async |kind: &str, id: String, status: u16| {
        app.anonymous().get(format!("/id/{kind}/{id}")).await.expect(status).header("location").to_owned()
    };
    let (page, number) = (public_path(&parcours), parcours["id"].to_string());
    assert_eq!(identified("parcours", number.clone(), 303).await, page);
    assert_eq!(identified("poi", shown.id.to_string(), 303).await, page);
    identified("poi", theirs.id.to_string(), 404).await;
    identified("parcours", format!("-{number}"), 404).await;
    unpublish(&editor, &parcours).await;
    assert_message_page(app.anonymous().get(format!("/id/parcours/{number}")).await, 404, "Ce parcours n’est pas là");
    identified("poi", shown.id.to_string(), 404).await;
}

#[app_test]
async fn the_identifier_of_a_poi_leads_past_the_parcours_of_a_white_label_that_does_not_show_it(app: TestApp) {
    let shown = app.poi().titled("Lavoir").at(4.1, 47.1).published().insert().await;
    let elsewhere = app.editor_of("vercors");
    for number in 0..11 {
        let fields = json!({"description": {"fr": "<p>À voir.</p>"}, "poi_ids": [shown.id]});
        let parcours = made(&elsewhere, &format!("Ailleurs {number}"), fields).await;
        published(&elsewhere, &parcours).await;
    }
    let editor = app.editor_of("morvan");
    let parcours = published_parcours(&editor).await;
    patch(&editor, &parcours, json!({"poi_ids": [shown.id]})).await;
    let found = app.anonymous().get(format!("/id/poi/{}", shown.id)).await.expect(303);
    assert_eq!(found.header("location"), public_path(&parcours));
}

#[app_test]
async fn the_search_for_a_page_that_shows_a_poi_ends_after_ten_that_are_refused(app: TestApp) {
    let editor = app.editor_of("morvan");
    let shown = app.poi().titled("Lavoir").at(4.1, 47.1).published().insert().await;
    let mut refused = Vec::new();
    for number in 0..10 {
        let fields = json!({"description": {"fr": "<p>À voir.</p>"}, "poi_ids": [shown.id]});
        let parcours = made(&editor, &format!("Lac {number}"), fields).await;
        published(&editor, &parcours).await;
        refused.push(parcours["id"].to_string());
    }
    patch(&editor, &published_parcours(&editor).await, json!({"poi_ids": [shown.id]})).await;
    patch_morvan(&app, json!({"rating_min": 3.0})).await;
    for (rated, status) in [(&refused[..9], 303), (&refused[9..], 404)] {
        let tx = app.store().begin().await.expect("a transaction");
        for id in rated {
            let row = format!(
                "INSERT INTO parcours_feedback (parcours_id, stars, reviews, changed_at) VALUES ({id}, 1, 1, 0)"
            );
            run_sql(&tx, &row).await.expect("a row");
        }
        tx.commit().await.expect("it is kept");
        app.anonymous().get(format!("/id/poi/{}", shown.id)).await.expect(status);
    }
}

#[app_test]
async fn a_price_of_zero_is_free_and_says_what_is_in_it(app: TestApp) {
    let parcours = published_parcours(&app.editor_of("morvan")).await;
    let price = json!({"price_cents": 0, "price_includes": {"fr": "<p>Le pique-nique</p>"}});
    patch(&app.agency_of("morvan"), &parcours, price).await;
    let page = app.anonymous().get(public_path(&parcours)).await.expect(200).text();
    for words in ["<li>Gratuit.</li>", "Le prix comprend", "Le pique-nique", "\"priceCurrency\":\"EUR\""] {
        assert!(page.contains(words), "{words} is missing: {page}");
    }
}

#[app_test]
async fn a_highest_price_that_stands_alone_is_shown_as_such(app: TestApp) {
    let parcours = published_parcours(&app.editor_of("morvan")).await;
    patch(&app.agency_of("morvan"), &parcours, json!({"max_price_cents": 62_000})).await;
    let page = app.anonymous().get(public_path(&parcours)).await.expect(200).text();
    assert!(page.contains("<li>Jusqu’à 620\u{a0}€.") && page.contains("\"maxPrice\":\"620.00\""), "{page}");
}

async fn patch_morvan(app: &TestApp, fields: Value) {
    let id = app.white_label("morvan").await;
    let root = app.superadmin();
    let own = root.get(format!("/api/v1/white-labels/{id}")).await.expect(200).json();
    crate::catalogue_kit::patch(&root, "/api/v1/white-labels", &own, fields).await.expect(200);
}

#[app_test]
async fn pois_are_shown_where_the_white_label_hands_them_on_and_chose_them(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (shown, draft, theirs) = (
        app.poi().titled("Lavoir").at(4.1, 47.1).published().insert().await,
        app.poi().titled("Brouillon").at(4.1, 47.1).insert().await,
        app.poi().titled("Pas chez nous").at(4.1, 47.1).owned_by("vercors").published().insert().await,
    );
    let parcours = published_parcours(&editor).await;
    patch(&editor, &parcours, json!({"poi_ids": [shown.id, draft.id, theirs.id]})).await;
    let page = || async { app.anonymous().get(public_path(&parcours)).await.expect(200).text() };
    let text = page().await;
    assert!(text.contains("À voir en chemin") && text.contains("Lavoir"), "{text}");
    assert!(!text.contains("Brouillon") && !text.contains("Pas chez nous"), "neither a draft nor what is not on it");
    let category = id_of_a(&editor, "poi_category").await;
    patch_morvan(&app, json!({"poi_filter": {"category_ids": [category]}})).await;
    assert!(!page().await.contains("À voir en chemin"), "it is of another category");
    patch_morvan(&app, json!({"poi_filter": {"category_ids": []}, "flags": {"distribute_pois": false}})).await;
    assert!(!page().await.contains("À voir en chemin"));
}

#[app_test]
async fn the_kilometres_of_a_page_are_scaled_to_the_length_that_was_typed(app: TestApp) {
    let editor = app.editor_of("morvan");
    let fountain = app.poi().titled("La fontaine").at(4.02, 47.0).published().insert().await;
    let fields = json!({"description": {"fr": "<p>À voir.</p>"}, "poi_ids": [fountain.id]});
    let parcours = made(&editor, "Tour du lac", fields).await;
    // 2,280 m long.
    let line: Vec<[f64; 3]> = (0..=30).map(|i| [4.0 + f64::from(i) * 0.001, 47.0, 500.0 + f64::from(i)]).collect();
    let step = |kind: &str, lon: f64| json!({"kind": kind, "position": [lon, 47.0], "title": {"fr": kind}});
    let mut steps = json!([step("departure", 4.0), step("step", 4.01), step("arrival", 4.03)]);
    steps[1]["distance_to_next_typed_m"] = json!(7_000);
    let body = json!({"mode": "source", "legs": [{"kind": "free", "line": line}], "steps": steps,
        "distance_typed_m": 4_560, "duration_typed_s": 3_600});
    put_trace(&editor, &parcours, body).await.expect(200);
    published(&editor, &now(&editor, &parcours).await).await;
    // 300 to 450 m, 380 m and 810 m along the line.
    let place = json!({"type": "Polygon", "coordinates":
        [[[4.004, 46.999], [4.006, 46.999], [4.006, 47.001], [4.004, 47.001], [4.004, 46.999]]]});
    let works = json!({"title": {"fr": "Travaux"}, "kind": "works", "from": app.app().now().day(), "geometry": place});
    crate::catalogue_kit::made(&editor, "/api/v1/closures", works).await;
    reported_and_shown(&app, &parcours, [4.005, 47.0]).await;
    let stop = json!({"title": "Le lac", "position": [4.011, 47.0], "story": {"transcript": "Voici le lac."}});
    let walk = json!({"enabled": true, "stops": [stop]});
    editor.clone().at_version(0).put(format!("{}/audio/fr", path(&parcours)), walk).await.expect(200);
    let page = app.anonymous().get(public_path(&parcours)).await.expect(200).text();
    for words in [
        "<dd>4,6\u{202f}km</dd>",
        // The step at 760 m of the line, the way to it, and the way from it, which was typed.
        " · 1,5\u{202f}km",
        "Prochaine étape à 1,5\u{202f}km",
        "Prochaine étape à 7,0\u{202f}km",
        "Au kilomètre 3,0",
        "du km 0,6 au km 0,9.",
        "Danger au km\u{a0}0,8",
        "Au km 1,6",
        "d’altitude sur 4,6\u{202f}km",
        ">4</text>",
        "data-length-m=\"4560\"",
    ] {
        assert!(page.contains(words), "{words} is missing: {page}");
    }
    assert!(!page.contains("2,3\u{202f}km"), "no length is that of the line: {page}");
}

/// A field report at a place, with the kilometre 0,8 in its mail, which the page shows.
async fn reported_and_shown(app: &TestApp, parcours: &Value, place: [f64; 2]) {
    app.admin_of("morvan");
    let sent = json!({"parcours_id": parcours["id"], "kind": "danger", "position": place, "text": "Un câble au sol."});
    app.anonymous().post("/api/public/v1/field-reports", sent).await.expect(201);
    let mail = app.mail().next().await.text;
    assert!(mail.contains("Danger au km\u{a0}0,8"), "{mail}");
    let editor = app.editor_of("morvan");
    let reports = format!("{}/field-reports", path(parcours));
    let report = editor.get(&reports).await.expect(200).json()["items"][0]["id"].clone();
    let seen = json!({"action": "see", "shown": true});
    editor.post(format!("{reports}/{report}/decision"), seen).await.expect(200);
}

async fn id_of_a(editor: &Client, kind: &str) -> i64 {
    let list = editor.get(format!("/api/v1/vocabularies/{kind}")).await.expect(200).json();
    list["items"][0]["id"].as_i64().expect("a number")
}

#[app_test]
async fn lines_are_shown_with_public_transport_and_booked_with_the_mobility_service(app: TestApp) {
    let editor = app.editor_of("morvan");
    let own = app.white_label("morvan").await;
    let line = json!({"long_name": "Autun – Le lac", "short_name": "C38", "mode": "coach", "bike_carriage": "yes",
        "bookable": true, "booking_url": "https://reserver.example/c38", "booking_phone": "03 86 00 00 00",
        "booking_note": {"fr": "La veille avant 17 h"},
        "conditions": [{"white_label_id": own, "region": "Morvan", "text": {"fr": "Six vélos"}}]});
    let line = crate::catalogue_kit::made(&editor, "/api/v1/transport-lines", line).await;
    // Only a person who works in both white-labels may set conditions of both.
    let both = json!({"conditions": [{"white_label_id": own, "region": "Morvan", "text": {"fr": "Six vélos"}},
        {"white_label_id": app.white_label("vercors").await, "text": {"fr": "Autre public"}}]});
    crate::catalogue_kit::patch(&app.superadmin(), "/api/v1/transport-lines", &line, both).await.expect(200);
    let parcours = published_parcours(&editor).await;
    let mut steps = parcours["steps"].clone();
    steps[0]["line_ids"] = json!([line["id"]]);
    patch(&editor, &parcours, json!({"steps": steps})).await;
    let page = |path: String| {
        let visitor = app.anonymous();
        async move { visitor.get(path).await.expect(200).text() }
    };
    assert!(!page(public_path(&parcours)).await.contains("Autun – Le lac"), "the switch is off");
    patch_morvan(&app, json!({"flags": {"public_transport": true}})).await;
    let text = page(public_path(&parcours)).await;
    for words in [
        "Venir sans voiture",
        "Car C38 · Autun – Le lac",
        "La halle",
        "Vélos acceptés à bord",
        "Morvan\u{202f}: Six vélos",
        "Sur réservation",
        "La veille avant 17 h",
        "href=\"tel:0386000000\"",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("Autre public") && !text.contains("reserver.example/c38"));
    patch_morvan(&app, json!({"flags": {"public_transport": true, "tourist_maas": true}})).await;
    let text = page(format!("/en{}", public_path(&parcours))).await;
    assert!(text.contains("Come without a car") && text.contains("https://reserver.example/c38"), "{text}");
}

#[app_test]
async fn the_cycle_networks_are_on_the_map_of_a_white_label_that_shows_them(app: TestApp) {
    let parcours = published_parcours(&app.editor_of("morvan")).await;
    patch_morvan(&app, json!({"flags": {"cycle_map": true}})).await;
    let page = app.anonymous().get(public_path(&parcours)).await.text();
    assert!(page.contains("data-style=\"/map/style-light.json?locale=fr\""), "{page}");
    let layers = |style: Value| style["layers"].to_string().contains("network-cycle");
    assert!(layers(app.anonymous().get("/map/style-light.json").await.expect(200).json()));
    assert!(!layers(app.anonymous().get("/map/style-light.json?cycle=off").await.expect(200).json()));
}

#[app_test]
async fn a_white_label_that_distributes_no_parcours_offers_no_file_and_is_not_indexed(app: TestApp) {
    let parcours = published_parcours(&app.editor_of("morvan")).await;
    let file = format!("{}/trace.gpx", public_path(&parcours));
    app.anonymous().get(file.clone()).await.expect(200);
    patch_morvan(&app, json!({"flags": {"distribute_parcours": false}})).await;
    let page = app.anonymous().get(public_path(&parcours)).await.expect(200).text();
    assert!(page.contains("noindex") && !page.contains("trace.gpx"));
    assert_message_page(app.anonymous().get(file).await, 404, "n’est pas là");
    assert!(!app.anonymous().get("/sitemap.xml").await.expect(200).text().contains(&public_path(&parcours)));
}

#[app_test]
async fn the_public_pages_of_a_white_label_are_there_while_it_is_published(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = published_parcours(&editor).await;
    let (_, link) = share(&editor, &parcours, json!({"kind": "permanent"})).await;
    patch_morvan(&app, json!({"published": false})).await;
    app.anonymous().get(public_path(&parcours)).await.expect(404);
    assert!(!app.anonymous().get("/sitemap.xml").await.expect(200).text().contains(&public_path(&parcours)));
    app.anonymous().get(link).await.expect(200);
    let shares = editor.get(format!("{}/shares", path(&parcours))).await.expect(200).json();
    assert_eq!(shares["public_url"], Value::Null);
}

/// The content of a `meta` tag of a page.
fn meta_content<'a>(page: &'a str, property: &str) -> &'a str {
    let start = format!("<meta property=\"{property}\" content=\"");
    page.split_once(&start).map_or("", |(_, rest)| rest.split('"').next().unwrap_or_default())
}

#[app_test]
async fn the_preview_picture_of_a_page_is_rendered_once(app: TestApp) {
    let without = app.clone();
    let app = app.changed(|parts| parts.renderer = Some(Arc::new(InProcessRenderer)));
    let editor = app.editor_of("morvan");
    let parcours = published_parcours(&editor).await;
    let page = app.anonymous().get(public_path(&parcours)).await.expect(200).text();
    let address = meta_content(&page, "og:image").split_once("/p/").expect("an address").1;
    assert_eq!((meta_content(&page, "og:image:width"), meta_content(&page, "og:image:height")), ("1200", "630"));
    assert!(meta_content(&page, "og:image:alt").starts_with("Carte du parcours Tour du lac, "), "{page}");
    assert!(page.contains("\"@type\":\"TouristTrip\"") && page.contains("\"name\":\"La halle\""), "{page}");
    let card = app.anonymous().get(format!("/p/{address}")).await.expect(200);
    assert_eq!((card.header("content-type"), &card.bytes[..3]), ("image/jpeg", &[0xff, 0xd8, 0xff][..]));
    let known = app.anonymous().with("if-none-match", card.header("etag"));
    assert!(known.get(format!("/p/{address}")).await.expect(304).bytes.is_empty());
    // The stored card is sent even where there is no renderer, and a change of a field that it does not show keeps it.
    patch(&editor, &now(&editor, &parcours).await, json!({"description": {"fr": "<p>Autre chose.</p>"}})).await;
    assert_eq!(without.anonymous().get(format!("/p/{address}")).await.expect(200).bytes, card.bytes);
    patch(&editor, &now(&editor, &parcours).await, json!({"title": {"fr": "Tour du lac en un jour"}})).await;
    assert!(known.get(format!("/p/{address}")).await.expect(200).bytes != card.bytes);
    unpublish(&editor, &parcours).await;
    assert_message_page(app.anonymous().get(format!("/p/{address}")).await, 404, "n’est pas là");
}

#[app_test]
async fn a_link_preview_uses_the_photo_without_a_renderer_and_a_share_has_no_preview(app: TestApp) {
    let editor = app.editor_of("morvan");
    let media = app.media().made().insert().await;
    let parcours = made(&editor, "Tour du lac", json!({"media_ids": [media.id]})).await;
    let parcours = published(&editor, &now(&editor, &parcours).await).await;
    let page = app.anonymous().get(public_path(&parcours)).await.expect(200).text();
    assert!(meta_content(&page, "og:image").ends_with(&format!("/media/{}/w1200-webp?v=1", media.id)), "{page}");
    app.anonymous().get(format!("{}/card.jpg", public_path(&parcours))).await.expect(404);
    let (_, link) = share(&editor, &parcours, json!({"kind": "permanent"})).await;
    let shared = app.anonymous().get(&link).await.expect(200).text();
    assert!(!shared.contains("og:") && !shared.contains("TouristTrip") && !shared.contains("data-keep"));
    assert!(page.contains(&format!("data-keep=\"{}\"", parcours["id"])));
}

#[app_test]
async fn the_other_pictures_of_a_published_parcours_follow_the_first(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (first, second) = (app.media().made().insert().await, app.media().named("digue.jpg").made().insert().await);
    let draft = made(&editor, "Tour du lac", json!({"media_ids": [first.id, second.id]})).await;
    let (_, link) = share(&editor, &draft, json!({"kind": "temporary", "days": 1})).await;
    assert!(!app.anonymous().get(&link).await.expect(200).text().contains("En images"), "a draft keeps its own");
    published(&editor, &now(&editor, &draft).await).await;
    let page = app.anonymous().get(public_path(&draft)).await.expect(200).text();
    let (_, gallery) = page.split_once("En images").expect("a gallery");
    assert!(gallery.contains(&format!("<img src=\"/media/{}/w1200-webp?v=1\"", second.id)), "{gallery}");
    assert!(gallery.contains("loading=\"lazy\"") && !gallery.contains(&format!("/media/{}/", first.id)));
}

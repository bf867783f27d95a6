//! The brand on a white-label's pages, who may fetch its files, and previews of its pages before they are saved.

use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, Reply, TestApp, samples};

use crate::exposure_kit::save_record_unchecked;
use crate::feeds::patch_white_label;
use crate::parcours_kit::{eastward, gpx, imported, made, now, path, published};

const MEDIAS: &str = "/api/v1/medias";
const HOST: &str = "morvan.carte.localhost";
const COLORS: &str = "--canvas:#f4efe3;--primary:#14507a;";

/// A file in the library of a white-label, with all that is made of it.
async fn file(app: &TestApp, by: &Client, name: &str, bytes: Vec<u8>) -> i64 {
    let purpose = if name.ends_with("png") { "logo" } else { "content" };
    let media = by.post_bytes(format!("{MEDIAS}?file_name={name}&purpose={purpose}"), bytes).await.expect(201).json();
    content::media::work::settle(app.app()).await.unwrap();
    media["id"].as_i64().unwrap()
}

/// The Morvan in its colours, with a logo and two fonts: their numbers.
async fn branded_morvan(app: &TestApp) -> [i64; 3] {
    let editor = app.editor_of("morvan");
    let logo = file(app, &editor, "logo.png", samples::png_mark(640, 160)).await;
    let title = file(app, &editor, "titre.ttf", samples::font()).await;
    let text = file(app, &editor, "texte.ttf", samples::font()).await;
    let look = json!({
        "domain": format!("https://{HOST}"),
        "colors": {"primary": "#14507A", "secondary": "#AD5315", "tertiary": "#F4EFE3"},
        "logo_media_id": logo,
        "fonts": {"title_media_id": title, "text_media_id": text},
    });
    patch_white_label(app, "morvan", look).await;
    [logo, title, text]
}

/// A published parcours of the Morvan with a trace.
async fn published_parcours(app: &TestApp) -> Value {
    let editor = app.editor_of("morvan");
    let fields = json!({"description": {"fr": "<p>À voir.</p>"}, "distribute_own": true});
    let lake = made(&editor, "Tour du lac", fields).await;
    imported(&editor, &lake, "lac.gpx", gpx(&eastward())).await.expect(200);
    published(&editor, &now(&editor, &lake).await).await
}

/// Fails unless a page wears the Morvan's colours, fonts and logo.
fn assert_branded(what: &str, page: &str, [logo, title, text]: [i64; 3]) {
    for words in [
        COLORS.to_owned(),
        "--trace:#ad5315".to_owned(),
        format!("/media/{logo}/w"),
        "alt=\"Morvan\" width=\"192\" height=\"48\"".to_owned(),
        format!("font-family:brand-title;src:url(\"/media/{title}/file?v="),
        format!("font-family:brand-text;src:url(\"/media/{text}/file?v="),
        "font-display:swap".to_owned(),
    ] {
        assert!(page.contains(&words), "{what}: {words} is missing: {page}");
    }
    assert!(!page.contains("<span class=\"publisher\">"), "{what}: the name is not written beside the logo: {page}");
}

#[app_test]
async fn every_page_has_the_logo_the_fonts_and_the_colours(app: TestApp) {
    let worn = branded_morvan(&app).await;
    let lake = published_parcours(&app).await;
    let (editor, visitor) = (app.editor_of("morvan"), app.anonymous());
    let home = app.anonymous().with("host", HOST);
    let page = format!("/p/tour-du-lac-{}", lake["id"]);
    let link = json!({"name": "Hôtel", "location": [4.0, 47.0]});
    let link = editor.post("/api/v1/provider-links", link).await.expect(201).json();
    let share = editor.post(format!("{}/shares", path(&lake)), json!({"kind": "temporary", "days": 1})).await;
    let share = share.expect(201).json();
    let token = share["token"].as_str().unwrap();
    for (client, address, status) in [
        (&visitor, page.clone(), 200),
        (&visitor, format!("/en{page}"), 200),
        (&visitor, format!("/s/{token}"), 200),
        (&visitor, format!("/chez/hotel-{}", link["id"]), 200),
        (&home, "/".to_owned(), 200),
        (&home, "/en/".to_owned(), 200),
        (&home, "/p/nulle-part-999999".to_owned(), 404),
    ] {
        assert_branded(&address, &client.get(&address).await.expect(status).text(), worn);
    }
    // At the server's own host a missing page has no white-label's brand.
    let lost = visitor.get("/p/nulle-part-999999").await.expect(404).text();
    assert!(lost.contains(">Jalon<") && !lost.contains("<style>"), "{lost}");
    // A link that ended is still that of its white-label.
    editor.delete(format!("{}/shares/{}", path(&lake), share["id"])).await.expect(204);
    assert_branded("an ended share", &visitor.get(format!("/s/{token}")).await.expect(410).text(), worn);
}

/// What an anonymous reader gets of a font or a logo.
async fn fetched(app: &TestApp, media: i64, variant: &str) -> Reply {
    app.anonymous().get(format!("/media/{media}/{variant}")).await
}

#[app_test]
async fn the_files_of_a_published_white_label_are_sent_to_everybody_and_shared_with_nobody(app: TestApp) {
    let [logo, title, text] = branded_morvan(&app).await;
    for font in [title, text] {
        let reply = fetched(&app, font, "file").await.expect(200);
        assert_eq!(reply.header("content-type"), "font/ttf");
        assert_eq!(reply.header("access-control-allow-origin"), "*", "a widget on another site reads it");
        fetched(&app, font, "original").await.expect(404);
    }
    let picture = fetched(&app, logo, "w640-webp").await.expect(200);
    assert_eq!(picture.header("content-type"), "image/webp");
    fetched(&app, logo, "original").await.expect(404);

    // People of other white-labels fetch what visitors fetch; they do not find the record, and cannot use it.
    let stranger = app.admin_of("vercors");
    stranger.get(format!("/media/{logo}/w640-webp")).await.expect(200);
    stranger.get(format!("{MEDIAS}/{logo}")).await.expect(404);
    assert_eq!(stranger.get(MEDIAS).await.expect(200).json()["total"], 0);
    let vercors = app.white_label("vercors").await;
    let change = json!({"logo_media_id": logo, "fonts": {"title_media_id": title, "text_media_id": null}});
    let refused = stranger.with("if-match", "*").patch(format!("/api/v1/white-labels/{vercors}"), change).await;
    assert_eq!(refused.expect(422).problem().code, "validation/failed");

    patch_white_label(&app, "morvan", json!({"published": false})).await;
    for (media, variant) in [(logo, "w640-webp"), (title, "file"), (text, "file")] {
        fetched(&app, media, variant).await.expect(404);
    }
}

#[app_test]
async fn naming_the_files_of_another_white_label_does_not_make_them_public(app: TestApp) {
    let editor = app.editor_of("morvan");
    let logo = file(&app, &editor, "secret.png", samples::png_mark(640, 160)).await;
    let font = file(&app, &editor, "secret.ttf", samples::font()).await;
    // No request of today writes this; older data may hold it.
    let vercors = app.white_label("vercors").await.0;
    save_record_unchecked::<store::white_label::WhiteLabels>(&app, vercors, |sheet| {
        sheet.logo_media_id = Some(logo);
        sheet.fonts.text_media_id = Some(font);
        sheet.domain = Some(format!("https://{HOST}"));
    })
    .await;
    fetched(&app, logo, "w640-webp").await.expect(404);
    fetched(&app, font, "file").await.expect(404);
    let page = app.anonymous().with("host", HOST).get("/").await.expect(200).text();
    assert!(!page.contains("/media/") && page.contains("Vercors"), "{page}");
}

#[app_test]
async fn the_page_of_a_share_of_an_unpublished_site_keeps_the_colours_and_no_file(app: TestApp) {
    branded_morvan(&app).await;
    let lake = published_parcours(&app).await;
    let editor = app.editor_of("morvan");
    let share = editor.post(format!("{}/shares", path(&lake)), json!({"kind": "temporary", "days": 1})).await;
    let share = format!("/s/{}", share.expect(201).json()["token"].as_str().unwrap());
    patch_white_label(&app, "morvan", json!({"published": false})).await;
    let page = app.anonymous().get(&share).await.expect(200).text();
    assert!(page.contains(COLORS) && page.contains("<span class=\"publisher\">Morvan</span>"), "{page}");
    assert!(!page.contains("@font-face") && !page.contains("rel=\"preload\""), "{page}");
}

async fn preview(app: &TestApp, by: &Client, query: &str) -> Reply {
    let id = app.white_label("morvan").await;
    by.get(format!("/api/v1/white-labels/{id}/preview{query}")).await
}

#[app_test]
async fn the_preview_is_the_public_page_with_the_unsaved_brand(app: TestApp) {
    let worn = branded_morvan(&app).await;
    let lake = published_parcours(&app).await;
    let editor = app.editor_of("morvan");
    let reply = preview(&app, &editor, "").await.expect(200);
    assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(reply.header("cache-control"), "no-store");
    let policy = reply.header("content-security-policy").to_owned();
    assert!(policy.ends_with("frame-ancestors 'self'") && policy.contains("script-src 'self';"), "{policy}");
    let home = reply.text();
    assert_branded("the preview", &home, worn);
    // The document is the same, except for the attribute that disables its links.
    let public = app.anonymous().with("host", HOST).get("/").await.expect(200).text();
    assert_eq!(home.replace("<body inert>", "<body>"), public);
    let page = app.anonymous().get(format!("/en/p/tour-du-lac-{}", lake["id"])).await.expect(200).text();
    let shown = preview(&app, &editor, "?page=parcours&language=en").await.expect(200).text();
    assert!(shown.contains("<html lang=\"en\">") && shown.contains("<body inert>"), "{shown}");
    assert!(!shown.contains("data-keep") && !shown.contains("data-give"), "nothing is kept and nothing sent: {shown}");
    let head =
        |page: &str| page.split("<header").nth(1).and_then(|rest| rest.split("</header").next()).map(str::to_owned);
    assert_eq!(head(&shown), head(&page));

    // Unsaved values change the look of the preview and of no other page.
    let query = "?name=Haut%20Morvan&primary=%23F6C445&secondary=&tertiary=%23222222&logo_media_id=&text_media_id=";
    let tried = preview(&app, &editor, query).await.expect(200).text();
    assert!(tried.contains("<span class=\"publisher\">Haut Morvan</span>"), "{tried}");
    assert!(tried.contains("--bar:#f6c445;--on-bar:#000000") && !tried.contains("#ad5315"), "{tried}");
    assert!(!tried.contains("--canvas") && !tried.contains("brand-text") && tried.contains("brand-title"), "{tried}");
    assert!(!app.anonymous().with("host", HOST).get("/").await.text().contains("#f6c445"));
    for wrong in ["?primary=red", "?logo_media_id=x", "?page=provider", "?language=de", "?tertiary=%23000%3B%7D"] {
        assert_eq!(preview(&app, &editor, wrong).await.expect(400).problem().code, "request/bad-query", "{wrong}");
    }
}

#[app_test]
async fn a_site_is_previewed_before_it_is_published_and_by_its_own_people_alone(app: TestApp) {
    let worn = branded_morvan(&app).await;
    patch_white_label(&app, "morvan", json!({"published": false})).await;
    let editor = app.editor_of("morvan");
    let empty = preview(&app, &editor, "?page=parcours").await.expect(200).text();
    assert_branded("a preview without a parcours", &empty, worn);
    assert!(empty.contains("n’a pas encore de parcours"), "{empty}");
    let draft = made(&editor, "Encore un brouillon", json!({})).await;
    let shown = preview(&app, &editor, "?page=parcours").await.expect(200).text();
    assert!(shown.contains("Encore un brouillon"), "{shown}");
    assert!(draft["published"] == json!(false));
    let lake = published_parcours(&app).await;
    let home = preview(&app, &editor, "").await.expect(200).text();
    assert!(home.contains(&format!("/p/tour-du-lac-{}", lake["id"])), "as it will be once published: {home}");
    app.anonymous().with("host", HOST).get("/").await.expect(404);
    for stranger in [app.editor_of("vercors"), app.admin_of("vercors")] {
        for query in ["", "?page=parcours"] {
            assert_eq!(preview(&app, &stranger, query).await.expect(404).problem().code, "white-label/not-found");
        }
    }
    preview(&app, &app.anonymous(), "").await.expect(401);
}

#[app_test]
async fn a_preview_shows_no_file_of_another_tenant(app: TestApp) {
    let theirs = file(&app, &app.editor_of("vercors"), "secret.png", samples::png_mark(640, 160)).await;
    let font = file(&app, &app.editor_of("vercors"), "secret.ttf", samples::font()).await;
    let editor = app.editor_of("morvan");
    let page = preview(&app, &editor, &format!("?logo_media_id={theirs}&title_media_id={font}")).await.expect(200);
    assert!(!page.text().contains("/media/"), "{}", page.text());
}

#[app_test]
async fn the_widget_has_the_brand_of_its_key_on_every_site(app: TestApp) {
    let [logo, title, text] = branded_morvan(&app).await;
    let id = app.white_label("morvan").await;
    let facts = app.superadmin().get(format!("/api/v1/white-labels/{id}/widget")).await.expect(200).json();
    let key = facts["key"].as_str().unwrap();
    let town = app.anonymous().with("origin", "https://mairie.example");
    let reply = town.get(format!("/widget/v1/brand?key={key}")).await.expect(200);
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    let brand = reply.json();
    assert_eq!(brand["name"], "Morvan");
    let css = brand["css"].as_str().unwrap();
    assert!(css.starts_with(".box{--fill:#14507a;--on:#ffffff;--words:#14507a;--line:#ad5315}"), "{css}");
    assert!(css.contains(".logo img{width:192px;") && css.contains(&format!("jalon-title-{title},")), "{css}");
    assert!(brand["logo"].as_str().unwrap().starts_with(&format!("/media/{logo}/w")), "{brand}");
    let paths: Vec<String> =
        brand["fonts"].as_array().unwrap().iter().map(|font| font["path"].as_str().unwrap().to_owned()).collect();
    assert!(paths[0].starts_with(&format!("/media/{text}/file")) && paths[1].starts_with(&format!("/media/{title}/")));
    for font in &paths {
        assert_eq!(town.get(font).await.expect(200).header("access-control-allow-origin"), "*");
    }
    // The colour of the code counts more; an invalid colour is ignored.
    let with = async |color: &str| {
        let brand = town.get(format!("/widget/v1/brand?key={key}&color={color}")).await.expect(200).json();
        brand["css"].as_str().unwrap().to_owned()
    };
    assert!(with("%23F6C445").await.starts_with(".box{--fill:#f6c445;--on:#000000;--words:#17211c;"));
    assert!(with("red%3B%7Dbody%7B").await.starts_with(".box{--fill:#14507a;"));
    let unknown = town.get("/widget/v1/brand?key=w1-0").await.expect(401);
    assert_eq!(unknown.problem().code, "feed/key-unknown");
    patch_white_label(&app, "morvan", json!({"published": false})).await;
    let brand = town.get(format!("/widget/v1/brand?key={key}")).await.expect(200).json();
    assert_eq!((&brand["logo"], &brand["fonts"]), (&Value::Null, &json!([])));
}

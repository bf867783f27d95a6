//! Media: the library, their files, what is made of them.

use ::media::PdfQuestion;
use axum::body::Body;
use axum::http::Method;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, LimitedPdfReader, Reply, TestApp, samples};

use crate::catalogue_kit::{delete, faults, id, one, patch};

const PATH: &str = "/api/v1/medias";

async fn uploaded(by: &Client, name: &str, bytes: Vec<u8>) -> Value {
    by.post_bytes(format!("{PATH}?file_name={name}"), bytes).await.expect(201).json()
}

async fn now(by: &Client, media: &Value) -> Value {
    by.get(one(PATH, media)).await.expect(200).json()
}

async fn settle(app: &TestApp) {
    content::media::work::settle(app.app()).await.unwrap();
}

async fn put(by: &Client, path: String, bytes: Vec<u8>) -> Reply {
    by.send(Method::PUT, &path, Some("application/octet-stream"), Body::from(bytes)).await
}

fn names(media: &Value) -> Vec<&str> {
    media["variants"].as_array().unwrap().iter().map(|variant| variant["name"].as_str().unwrap()).collect()
}

#[app_test]
async fn an_uploaded_photo_gets_its_sizes(app: TestApp) {
    let editor = app.editor_of("morvan");
    let bytes = samples::jpeg_with_notes(1600, 1000, 6, Some([4.5, 47.25]));
    let media = uploaded(&editor, "Lac%20du%20matin.jpg", bytes.clone()).await;
    assert_eq!(
        (&media["kind"], &media["state"], &media["mime"]),
        (&json!("image"), &json!("processing"), &json!("image/jpeg"))
    );
    assert_eq!((&media["width"], &media["height"], &media["bytes"]), (&json!(1000), &json!(1600), &json!(bytes.len())));
    assert_eq!((&media["file_name"], &media["location"]), (&json!("Lac du matin.jpg"), &Value::Null));
    assert_eq!(media["location_offered"], json!([4.5, 47.25]));
    assert_eq!(media["missing"], json!(["legend", "copyright", "alt"]));
    settle(&app).await;
    let media = now(&editor, &media).await;
    assert_eq!(media["state"], "ready");
    assert_eq!(names(&media)[..2], ["w320-webp", "w320-jpeg"]);
    let thumb = editor.get(media["thumb_url"].as_str().unwrap()).await.expect(200);
    assert_eq!(thumb.header("content-type"), "image/webp");
    let original = editor.get(media["url"].as_str().unwrap()).await.expect(200);
    assert_eq!(original.bytes, bytes);
    let taken = patch(&editor, PATH, &media, json!({"location": [4.5, 47.25]})).await.expect(200).json();
    assert_eq!((&taken["location"], &taken["location_offered"]), (&json!([4.5, 47.25]), &Value::Null));
}

#[app_test]
async fn two_servers_make_the_sizes_of_each_picture_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let mut pictures = Vec::new();
    for number in 0..4 {
        let bytes = samples::jpeg_with_notes(1600 + number, 1000, 1, None);
        pictures.push(uploaded(&editor, &format!("{number}.jpg"), bytes).await);
    }
    let other = app.changed(|_| {});
    let work = (content::media::work::settle(app.app()), content::media::work::settle(other.app()));
    let (first, second) = tokio::join!(work.0, work.1);
    first.unwrap();
    second.unwrap();
    for picture in &pictures {
        let media = now(&editor, picture).await;
        assert_eq!(media["state"], "ready");
        editor.get(media["thumb_url"].as_str().unwrap()).await.expect(200);
    }
    let filter = store::job::JobFilter { kind: Some(store::media::SIZES.to_owned()), ..Default::default() };
    let jobs = store::job::list(app.store().read(), &filter, None, 10).await.unwrap();
    let runs: Vec<_> = jobs.iter().map(|job| (job.state, job.lease)).collect();
    assert_eq!(runs, [(domain::job::JobState::Done, 1); 4]);
}

#[app_test]
async fn sizes_are_made_once_a_media_is_back_from_the_bin(app: TestApp) {
    let editor = app.editor_of("morvan");
    let media = uploaded(&editor, "a.jpg", samples::jpeg_with_notes(1600, 1000, 1, None)).await;
    delete(&editor, PATH, &media, "").await.expect(204);
    settle(&app).await;
    let bin = editor.get("/api/v1/bin?kind=media").await.expect(200).json();
    editor.post(format!("/api/v1/bin/{}/restoration", id(&bin["items"][0])), json!({})).await.expect(200);
    assert_eq!(now(&editor, &media).await["state"], "processing");
    app.clock().advance_s(3_601);
    settle(&app).await;
    assert_eq!(now(&editor, &media).await["state"], "ready");
}

#[app_test]
async fn variants_are_public_once_a_published_record_shows_them_and_the_original_never(app: TestApp) {
    let media = app.media().made().insert().await;
    let poi = app.poi().showing(domain::MediaId(media.id)).insert().await;
    let shown = app.editor_of("morvan").get(format!("{PATH}/{}", media.id)).await.json();
    let (thumb, original) = (shown["thumb_url"].as_str().unwrap(), shown["url"].as_str().unwrap());
    app.anonymous().get(thumb).await.expect(404);
    app.editor_of("vercors").get(thumb).await.expect(404);
    assert_eq!(app.reader_of("morvan").get(thumb).await.expect(200).header("cache-control"), "private, no-cache");
    let publication = format!("/api/v1/pois/{}/publication", poi.id);
    app.editor_of("morvan").with("if-match", "*").post(publication, json!({})).await.expect(200);
    let public = app.anonymous().get(thumb).await.expect(200);
    assert_eq!(public.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!((public.header("content-type"), public.header("accept-ranges")), ("image/webp", "bytes"));
    assert!(public.header("content-security-policy").contains("sandbox"));
    let plain = thumb.split('?').next().unwrap();
    assert_eq!(app.anonymous().get(plain).await.expect(200).header("cache-control"), "public, max-age=300");
    let again = app.anonymous().with("if-none-match", public.header("etag")).get(thumb).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    app.anonymous().get(original).await.expect(404);
    // Staff of other white-labels see what the public sees, with the public version of the original.
    app.editor_of("vercors").get(original).await.expect(200);
    for variant in ["large", "file", "..%2F..%2Fjalon.sqlite", "%00"] {
        app.editor_of("morvan").get(format!("/media/{}/{variant}", media.id)).await.expect(404);
    }
}

#[app_test]
async fn a_refused_file_is_reported_with_its_code(app: TestApp) {
    let editor = app.editor_of("morvan");
    let truncated = samples::jpeg(1600, 1000)[..20_000].to_vec();
    for (name, bytes, code) in [
        ("photo.jpg", samples::executable(), "media/not-supported"),
        ("photo.jpg", samples::heic(), "media/heic"),
        ("photo.jpg", samples::jpeg(800, 600), "media/too-small"),
        ("photo.png", samples::png_bomb(50_000, 50_000), "media/too-many-pixels"),
        ("photo.jpg", truncated, "media/broken"),
        ("titre.ttf", b"\0\x01\0\0 nothing of a font".to_vec(), "media/not-a-font"),
        ("page.html", b"<html></html>".to_vec(), "media/not-supported"),
    ] {
        let problem = editor.post_bytes(format!("{PATH}?file_name={name}"), bytes).await.expect(422).problem();
        assert_eq!(problem.code, code);
    }
    let small = editor.post_bytes(PATH, samples::jpeg(800, 600)).await.expect(422).problem();
    assert_eq!((&small.params["width"], &small.params["min_width"]), (&json!(800), &json!(1200)));
    assert_eq!(editor.get(PATH).await.json()["total"], 0);
}

#[app_test]
async fn limits_are_set_by_the_operator_and_reported(app: TestApp) {
    let limits = app.anonymous().get("/payload.json").await.json()["limits"]["media"].clone();
    assert_eq!(limits["image"]["min_width"], 1200);
    assert_eq!(
        (&limits["video"]["advice_bytes_per_s"], &limits["audio"]["advice_bytes_per_min"]),
        (&json!(200_000), &json!(1_000_000))
    );
    assert_eq!(limits["image"]["formats"], json!(["JPEG", "PNG", "WebP", "AVIF"]));
    let tight = app.changed(|parts| {
        let mut limits = domain::media::MediaLimits::default();
        limits.image.min_width = 100;
        limits.image.min_height = 100;
        limits.image.max_bytes = 5000;
        parts.settings.media = std::sync::Arc::new(limits);
    });
    let editor = tight.editor_of("morvan");
    uploaded(&editor, "petit.jpg", samples::jpeg(120, 120)).await;
    let heavy = editor.post_bytes(PATH, samples::jpeg(1600, 1000)).await.expect(422).problem();
    assert_eq!((heavy.code.as_str(), &heavy.params["max_bytes"]), ("media/too-large", &json!(5000)));
    assert_eq!(tight.anonymous().get("/payload.json").await.json()["limits"]["media"]["image"]["max_bytes"], 5000);
}

#[app_test]
async fn a_logo_may_be_small_and_an_svg_loses_its_script(app: TestApp) {
    let editor = app.editor_of("morvan");
    let mark = editor.post_bytes(format!("{PATH}?purpose=logo&file_name=m.png"), samples::png_mark(300, 90)).await;
    assert_eq!(mark.expect(201).json()["purpose"], "logo");
    let drawing = uploaded(&editor, "marque.svg", samples::svg_with_script()).await;
    settle(&app).await;
    let drawing = now(&editor, &drawing).await;
    let clean = editor.get(drawing["file_url"].as_str().unwrap()).await.expect(200);
    assert_eq!(clean.header("content-type"), "image/svg+xml");
    assert!(clean.text().contains("M0 0L300 120") && !clean.text().contains("alert"), "{}", clean.text());
}

#[app_test]
async fn sounds_pdfs_fonts_and_videos_have_their_properties(app: TestApp) {
    let editor = app.editor_of("morvan");
    let sound = uploaded(&editor, "source.wav", samples::wav(12)).await;
    let document = uploaded(&editor, "plan.pdf", samples::pdf(4)).await;
    let font = uploaded(&editor, "titre.ttf", samples::font()).await;
    let film = uploaded(&editor, "lac.mp4", samples::mp4(8, 1280, 720)).await;
    settle(&app).await;
    let sound = now(&editor, &sound).await;
    assert_eq!((&sound["kind"], &sound["duration_s"]), (&json!("audio"), &json!(12.0)));
    assert!(sound["waveform"].as_array().unwrap().len() > 10);
    let document = now(&editor, &document).await;
    assert_eq!((&document["kind"], &document["pages"]), (&json!("pdf"), &json!(4)));
    editor.get(document["poster_url"].as_str().unwrap()).await.expect(200);
    let font = now(&editor, &font).await;
    assert!(editor.get(font["specimen_url"].as_str().unwrap()).await.expect(200).text().starts_with("<svg"));
    let film = now(&editor, &film).await;
    assert_eq!((&film["kind"], &film["duration_s"], &film["width"]), (&json!("video"), &json!(8.0), &json!(1280)));
    assert_eq!(film["poster_url"], Value::Null);
    // The browser draws it.
    put(&editor, format!("{}/poster", one(PATH, &film)), samples::jpeg(640, 360)).await.expect(200);
    settle(&app).await;
    let film = now(&editor, &film).await;
    editor.get(film["poster_url"].as_str().unwrap()).await.expect(200);
    let refused = put(&editor, format!("{}/poster", one(PATH, &sound)), samples::jpeg(640, 360)).await;
    assert_eq!(refused.expect(422).problem().code, "media/no-poster");
}

#[app_test]
async fn a_document_over_the_limits_fails_and_later_files_are_processed(app: TestApp) {
    let limited =
        |question| app.changed(|parts| parts.pdf_reader = std::sync::Arc::new(LimitedPdfReader::refusing(question)));
    let opening = limited(PdfQuestion::Pages).editor_of("morvan");
    let refused = opening.post_bytes(PATH, samples::pdf_bomb(20_000_000)).await.expect(422).problem();
    assert_eq!(refused.code, "media/broken");
    uploaded(&opening, "lac.jpg", samples::jpeg(1600, 1000)).await;

    let drawing = limited(PdfQuestion::FirstPage);
    let editor = drawing.editor_of("morvan");
    let document = uploaded(&editor, "plan.pdf", samples::pdf_endless()).await;
    let photo = uploaded(&editor, "lac.jpg", samples::jpeg(1600, 1000)).await;
    settle(&drawing).await;
    let document = now(&editor, &document).await;
    assert_eq!((&document["pages"], &document["state"]), (&json!(1), &json!("broken")));
    assert_eq!(now(&editor, &photo).await["state"], "ready");
}

#[app_test]
async fn a_video_is_served_by_ranges_and_without_its_location(app: TestApp) {
    let editor = app.editor_of("morvan");
    let bytes = samples::mp4(8, 1280, 720);
    let film = uploaded(&editor, "lac.mp4", bytes.clone()).await;
    let url = film["file_url"].as_str().unwrap();
    let whole = editor.get(url).await.expect(200);
    assert_eq!((whole.bytes.len(), whole.header("content-length")), (bytes.len(), bytes.len().to_string().as_str()));
    let tells = |bytes: &[u8]| bytes.windows(8).any(|window| window == b"+47.1234");
    assert!(tells(&bytes) && !tells(&whole.bytes));
    let part = editor.clone().with("range", "bytes=100-199").get(url).await.expect(206);
    assert_eq!(part.bytes, whole.bytes[100..200]);
    assert_eq!(part.header("content-range"), format!("bytes 100-199/{}", bytes.len()));
    let beyond = editor.clone().with("range", "bytes=999999-").get(url).await;
    assert_eq!(
        (beyond.status.as_u16(), beyond.header("content-range")),
        (416, format!("bytes */{}", bytes.len()).as_str())
    );
}

#[app_test]
async fn a_new_crop_makes_the_sizes_again_at_new_addresses(app: TestApp) {
    let editor = app.editor_of("morvan");
    let media = app.media().made().insert().await;
    let before = editor.get(format!("{PATH}/{}", media.id)).await.json();
    assert!(names(&before).contains(&"w1200-webp"));
    let wrong = patch(
        &editor,
        PATH,
        &before,
        json!({"crop": {"x": 0.5, "y": 0.0, "w": 0.7, "h": 1.0}, "focal": {"x": 2.0, "y": 0.0}}),
    )
    .await;
    assert_eq!(faults(wrong), ["media/focal-outside /focal", "media/crop-outside /crop"]);
    let cut = patch(&editor, PATH, &before, json!({"crop": {"x": 0.0, "y": 0.0, "w": 0.5, "h": 0.5}}))
        .await
        .expect(200)
        .json();
    // Until it is made again, what is there is shown.
    assert_eq!((&cut["state"], &cut["thumb_url"]), (&json!("processing"), &before["thumb_url"]));
    settle(&app).await;
    let after = now(&editor, &cut).await;
    assert!(names(&after).contains(&"w600-webp") && !names(&after).contains(&"w1200-webp"));
    assert_ne!(after["thumb_url"], before["thumb_url"]);
    editor.get(format!("/media/{}/w1200-webp", media.id)).await.expect(404);
    // Words change nothing of the picture.
    let named = patch(&editor, PATH, &after, json!({"legend": {"fr": "Le lac"}})).await.expect(200).json();
    assert_eq!(named["state"], "ready");
}

#[app_test]
async fn a_file_is_replaced_and_restored(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (first, second) = (samples::jpeg(1300, 900), samples::png(1400, 900));
    let media = uploaded(&editor, "lac.jpg", first.clone()).await;
    let path = format!("{}/file?file_name=lac.png", one(PATH, &media));
    let replaced = put(&editor.clone().at_version(1), path.clone(), second.clone()).await.expect(200).json();
    assert_eq!(
        (&replaced["file_name"], &replaced["mime"], &replaced["width"]),
        (&json!("lac.png"), &json!("image/png"), &json!(1400))
    );
    assert_eq!(editor.get(replaced["url"].as_str().unwrap()).await.bytes, second);
    let other = put(&editor.clone().at_version(2), path.clone(), samples::wav(1)).await.expect(422).problem();
    assert_eq!(other.code, "media/other-kind");
    put(&editor.clone().at_version(1), path, samples::png(1500, 900)).await.expect(412);
    let restoration = format!("{}/revisions/1/restoration", one(PATH, &media));
    let back = editor.clone().at_version(2).post(restoration, json!({})).await.expect(200).json();
    assert_eq!((&back["mime"], &back["width"]), (&json!("image/jpeg"), &json!(1300)));
    assert_eq!(editor.get(back["url"].as_str().unwrap()).await.bytes, first);
    // A form cannot change the file.
    let refused = patch(&editor, PATH, &back, json!({"file": {"mime": "text/html"}, "sha256": "x"})).await;
    assert_eq!(faults(refused), ["validation/read-only /file", "validation/unknown-field /sha256"]);
}

#[app_test]
async fn a_media_has_a_file_for_each_language(app: TestApp) {
    let editor = app.editor_of("morvan");
    let media = uploaded(&editor, "audio.wav", samples::wav(2)).await;
    let path = format!("{}/translations/en?file_name=audio-en.wav", one(PATH, &media));
    let translated = put(&editor, path, samples::wav(3)).await.expect(200).json();
    let english = &translated["translated"]["en"];
    assert_eq!(english["file_name"], "audio-en.wav");
    assert_eq!(editor.get(english["url"].as_str().unwrap()).await.expect(200).bytes, samples::wav(3));
    let unknown = put(&editor, format!("{}/translations/xx", one(PATH, &media)), samples::wav(3)).await;
    assert_eq!(unknown.expect(422).problem().code, "validation/unknown-language");
    let gone = editor.delete(format!("{}/translations/en", one(PATH, &media))).await.expect(200).json();
    assert_eq!(gone["translated"], json!({}));
    // A picture in another language contains no place either.
    let picture = uploaded(&editor, "carte.jpg", samples::jpeg(1300, 900)).await;
    let path = format!("{}/translations/en?file_name=map.jpg", one(PATH, &picture));
    let picture =
        put(&editor, path, samples::jpeg_with_notes(1300, 900, 1, Some([4.5, 47.25]))).await.expect(200).json();
    let shown = editor.get(picture["translated"]["en"]["url"].as_str().unwrap()).await.expect(200);
    assert!(shown.header("content-type") == "image/webp" && !shown.bytes.windows(4).any(|window| window == b"Exif"));
}

#[app_test]
async fn media_are_listed_by_what_they_are_and_lack(app: TestApp) {
    let editor = app.editor_of("morvan");
    let church = app.media().named("Église.jpg").insert().await;
    app.media().named("grotte.jpg").owned_by("vercors").insert().await;
    uploaded(&editor, "son.wav", samples::wav(1)).await;
    uploaded(&editor, "plan.pdf", samples::pdf(1)).await;
    app.poi().showing(domain::MediaId(church.id)).insert().await;
    let total =
        async |query: &str| editor.get(format!("{PATH}?{query}")).await.expect(200).json()["total"].as_i64().unwrap();
    for (query, expected) in [
        ("", 3),
        ("search=eglise", 1),
        ("search=etang", 1),
        ("search=grotte", 0),
        ("kind=image", 1),
        ("kind=image,audio", 2),
        ("lacking=legend", 2),
        // A document needs no author, and only a picture an alternative text.
        ("lacking=copyright", 1),
        ("lacking=alt", 1),
        ("lacking=alt&kind=audio,pdf", 0),
        ("lacking=legend,copyright", 1),
        ("unused=true", 2),
        ("unused=false", 1),
        ("min_width=1000", 1),
        ("owner=shared", 0),
        ("owner=all", 3),
    ] {
        assert_eq!(total(query).await, expected, "{query}");
    }
    for wrong in ["kind=smell", "lacking=hat", "unused=maybe", "owner=us", "sort=smell", "min_width=x"] {
        editor.get(format!("{PATH}?{wrong}")).await.expect(400);
    }
    let by_name = editor.get(format!("{PATH}?sort=title")).await.json();
    assert_eq!((&by_name["items"][0]["file_name"], &by_name["counts"]["mine"]), (&json!("Église.jpg"), &json!(3)));
    assert_eq!(by_name["items"][0]["uses_total"], 1);
}

#[app_test]
async fn a_duplicate_file_is_reported(app: TestApp) {
    let editor = app.editor_of("morvan");
    let first = uploaded(&editor, "a.wav", samples::wav(1)).await;
    let second = uploaded(&editor, "b.wav", samples::wav(1)).await;
    assert_eq!((&second["duplicates"], &second["sha256"]), (&json!([id(&first)]), &first["sha256"]));
    let theirs = uploaded(&app.editor_of("vercors"), "c.wav", samples::wav(1)).await;
    assert_eq!(theirs["duplicates"], json!([]), "files of other tenants are not reported as duplicates");
}

#[app_test]
async fn an_author_is_set_on_many_media_and_undone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let own = app.media().insert().await;
    let theirs = app.media().owned_by("vercors").insert().await;
    app.poi().owned_by("vercors").showing(domain::MediaId(theirs.id)).published().insert().await;
    let body = json!({"ids": [own.id, theirs.id], "action": "set_copyright", "value": "R. Vial", "dry_run": false});
    let report = editor.post(format!("{PATH}/bulk"), body).await.expect(200).json();
    let outcomes: Vec<_> =
        report["items"].as_array().unwrap().iter().map(|item| item["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["applied", "refused"]);
    let path = format!("{PATH}/{}", own.id);
    assert_eq!(editor.get(&path).await.json()["copyright"], "R. Vial");
    let legend = json!({"ids": [own.id], "action": "set_legend", "value": {"en": "The pond"}});
    editor.post(format!("{PATH}/bulk"), legend).await.expect(200);
    assert_eq!(editor.get(&path).await.json()["legend"], json!({"fr": "L’étang", "en": "The pond"}));
    let wrong = json!({"ids": [own.id], "action": "set_legend", "value": "words"});
    assert_eq!(faults(editor.post(format!("{PATH}/bulk"), wrong).await), ["validation/wrong-type /value"]);
    let undo = json!({"undo_token": report["undo_token"]});
    let undone = editor.post(format!("{PATH}/bulk/undo"), undo).await.expect(200).json();
    assert_eq!(undone["items"][0]["outcome"], "refused", "the legend was changed since");
}

#[app_test]
async fn a_media_in_use_stays_unless_it_is_forced_and_comes_back_with_its_sizes(app: TestApp) {
    let editor = app.editor_of("morvan");
    let media = app.media().made().insert().await;
    let poi = app.poi().showing(domain::MediaId(media.id)).insert().await;
    let shown = editor.get(format!("{PATH}/{}", media.id)).await.json();
    let refused = delete(&editor, PATH, &shown, "").await.expect(409).problem();
    assert_eq!((refused.code.as_str(), &refused.params["uses"][0]["id"]), ("media/in-use", &json!(poi.id)));
    delete(&editor, PATH, &shown, "?force=true").await.expect(204);
    editor.get(format!("{PATH}/{}", media.id)).await.expect(404);
    editor.get(shown["thumb_url"].as_str().unwrap()).await.expect(404);
    let poi = editor.get(format!("/api/v1/pois/{}", poi.id)).await.json();
    assert_eq!(poi["media_ids"], json!([]));
}

#[app_test]
async fn a_media_of_others_is_added_and_never_changed(app: TestApp) {
    let theirs = app.media().owned_by("vercors").insert().await;
    let path = format!("{PATH}/{}", theirs.id);
    let editor = app.editor_of("morvan");
    editor.get(&path).await.expect(404);
    app.poi().owned_by("vercors").showing(domain::MediaId(theirs.id)).published().insert().await;
    let seen = editor.get(&path).await.expect(200).json();
    assert_eq!((&seen["editable"], &seen["mine"]), (&json!(false), &json!(false)));
    assert_eq!(
        patch(&editor, PATH, &seen, json!({"copyright": "moi"})).await.expect(403).problem().code,
        "media/not-yours"
    );
    let own = app.white_label("morvan").await;
    editor.put(format!("{path}/white-labels/{own}"), json!({"published": true})).await.expect(204);
    assert_eq!(editor.get(&path).await.json()["published_on_mine"], true);
    assert_eq!(editor.get(format!("{PATH}?owner=shared")).await.json()["total"], 1);
    editor.delete(format!("{path}/white-labels/{own}")).await.expect(204);
}

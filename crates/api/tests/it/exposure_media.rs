//! Which media leave the back office, and what leaves with them. Each test is an attack first.

use domain::roadbook::RoadbookSettings;
use domain::white_label::WhiteLabelSheet;
use macros::app_test;
use outputs::roadbook::{Audience, assemble};
use serde_json::{Value, json};
use store::provider_link::ProviderLinks;
use store::white_label::WhiteLabels;
use testkit::{TestApp, samples};

use crate::exposure_kit::{
    assert_no_camera_metadata, contains_bytes, is_public, save_record_unchecked, save_unchecked, stored,
};
use crate::feeds::{api_client, distributed_parcours, id, unzipped};
use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, path, published, version};

const MEDIAS: &str = "/api/v1/medias";

/// A public parcours of the Vercors.
async fn foreign_parcours(app: &TestApp, title: &str) -> Value {
    let editor = app.editor_of("vercors");
    let parcours = made(&editor, title, json!({"description": {"fr": "<p>À voir.</p>"}, "distribute_own": true})).await;
    imported(&editor, &parcours, "x.gpx", gpx(&eastward())).await.expect(200);
    published(&editor, &now(&editor, &parcours).await).await
}

/// Every answer about a parcours that needs no session, with its address.
async fn public_outputs(app: &TestApp, parcours: &Value, title: &str) -> Vec<(String, Vec<u8>)> {
    let number = parcours["id"].as_i64().unwrap();
    let editor = app.editor_of("vercors");
    let share = editor.post(format!("{}/shares", path(parcours)), json!({"kind": "temporary", "days": 1})).await;
    let share = format!("/s/{}", share.expect(201).json()["token"].as_str().unwrap());
    let page = format!("/p/{title}-{number}");
    let reader = api_client(app, "vercors").await;
    let asked = [
        page.clone(),
        format!("/en{page}"),
        share.clone(),
        format!("{share}/cover"),
        format!("/api/public/v1/parcours/{number}"),
        "/api/public/v1/parcours".to_owned(),
        "/api/v2/trek/".to_owned(),
    ];
    let mut found = Vec::new();
    for address in asked {
        let answer = reader.get(&address).await;
        found.push((address, answer.bytes));
    }
    let pack = reader.get(format!("/api/public/v1/parcours/{number}/pack.zip")).await.expect(200);
    found.extend(unzipped(&pack.bytes));
    found
}

#[app_test]
async fn a_published_record_does_not_make_the_media_of_another_tenant_public(app: TestApp) {
    let secret = app.media().named("marqueur-secret.jpg").made().insert().await;
    let address = format!("/media/{}/w1200-webp", secret.id);
    // The other tenant names it in all that it publishes.
    app.poi().owned_by("vercors").showing(secret.id).published().insert().await;
    let parcours = foreign_parcours(&app, "Tour du Vercors").await;
    save_unchecked(&app, &parcours, |sheet| sheet.media_ids = vec![secret.id]).await;

    app.anonymous().get(&address).await.expect(404);
    assert!(!is_public(&app, secret.id).await);
    for stranger in [app.editor_of("vercors"), app.admin_of("vercors")] {
        stranger.get(&address).await.expect(404);
        stranger.get(format!("/media/{}/original", secret.id)).await.expect(404);
        stranger.get(format!("{MEDIAS}/{}", secret.id)).await.expect(404);
        assert_eq!(stranger.get(MEDIAS).await.expect(200).json()["total"], 0, "it is not listed either");
    }
    for (what, bytes) in public_outputs(&app, &parcours, "tour-du-vercors").await {
        for words in [format!("/media/{}/", secret.id), "marqueur-secret".to_owned(), "C. Le Goff".to_owned()] {
            assert!(!contains_bytes(&bytes, words.as_bytes()), "{what} tells {words}");
        }
        assert!(!bytes.starts_with(b"RIFF"), "{what} is the picture itself");
    }
}

#[app_test]
async fn a_roadbook_and_a_card_print_no_media_of_another_tenant(app: TestApp) {
    let secret = app.media().made().insert().await;
    let parcours = foreign_parcours(&app, "Tour du Vercors").await;
    save_unchecked(&app, &parcours, |sheet| sheet.media_ids = vec![secret.id]).await;
    let owner = app.white_label("vercors").await.0;
    let marks = |sheet: &mut WhiteLabelSheet| {
        (sheet.logo_media_id, sheet.pdf_background_media_id) = (Some(secret.id), Some(secret.id));
    };
    save_record_unchecked::<WhiteLabels>(&app, owner, marks).await;
    for audience in [Audience::Everybody, Audience::Clients] {
        let db = app.store().read();
        let assembled = assemble(app.app(), db, &stored(&app, &parcours).await, RoadbookSettings::default(), audience)
            .await
            .unwrap();
        assert!(assembled.blobs.is_empty(), "{:?}", assembled.blobs);
    }
}

#[app_test]
async fn the_logo_of_a_provider_belongs_to_the_white_label_of_the_link(app: TestApp) {
    let secret = app.media().made().insert().await;
    let body = json!({"name": "Hôtel", "location": [5.4, 45.0]});
    let editor = app.editor_of("vercors");
    let link = editor.post("/api/v1/provider-links", body).await.expect(201).json();
    let id = link["id"].as_i64().unwrap();
    save_record_unchecked::<ProviderLinks>(&app, id, |sheet| sheet.logo_media_id = Some(secret.id)).await;
    app.anonymous().get(format!("/chez/hotel-{id}/logo")).await.expect(404);
    let page = app.anonymous().get(format!("/chez/hotel-{id}")).await.expect(200).text();
    assert!(!page.contains("/logo"), "{page}");
}

#[app_test]
async fn a_media_is_public_everywhere_only_while_its_own_tenant_publishes_it(app: TestApp) {
    let media = app.media().made().insert().await;
    let address = format!("/media/{}/w1200-webp", media.id);
    let parcours = foreign_parcours(&app, "Tour du Vercors").await;
    save_unchecked(&app, &parcours, |sheet| sheet.media_ids = vec![media.id]).await;
    let page = format!("/p/tour-du-vercors-{}", parcours["id"]);
    let shown = app.anonymous().get(&page).await.expect(200).text();
    assert!(!shown.contains(&address));
    let editor = app.editor_of("morvan");
    let own = made(&editor, "Lac", json!({"media_ids": [media.id]})).await;
    let own = published(&editor, &own).await;
    app.anonymous().get(&address).await.expect(200);
    assert!(app.anonymous().get(&page).await.expect(200).text().contains(&address));
    // After its own tenant withdrew it, no other tenant can publish it.
    editor.clone().at_version(version(&own)).delete(format!("{}/publication", path(&own))).await.expect(200);
    app.anonymous().get(&address).await.expect(404);
    assert!(!app.anonymous().get(&page).await.expect(200).text().contains(&address));
}

#[app_test]
async fn a_media_shared_within_a_structure_is_public_when_either_white_label_publishes_it(app: TestApp) {
    let media = app.media().made().insert().await;
    let address = format!("/media/{}/w1200-webp", media.id);
    app.poi().owned_by("morvan-velo").showing(media.id).published().insert().await;
    app.anonymous().get(&address).await.expect(404);
    let second = app.white_label("morvan-velo").await;
    let link = format!("{MEDIAS}/{}/white-labels/{second}", media.id);
    app.admin_of("morvan").put(&link, json!({"published": true})).await.expect(204);
    app.anonymous().get(&address).await.expect(200);
    app.admin_of("morvan").put(&link, json!({"published": false})).await.expect(204);
    app.anonymous().get(&address).await.expect(404);
    // A white-label of another structure that adds a media does not make it public: only its owner does.
    app.poi().owned_by("vercors").showing(media.id).published().insert().await;
    let other = app.white_label("vercors").await;
    app.superadmin()
        .put(format!("{MEDIAS}/{}/white-labels/{other}", media.id), json!({"published": true}))
        .await
        .expect(204);
    app.anonymous().get(&address).await.expect(404);
}

/// A PDF with a photo that contains where it was taken, as word processors put it in, and an XMP packet.
fn document() -> Vec<u8> {
    let plain = samples::pdf(1);
    let table = plain.windows(5).position(|window| window == b"xref\n").expect("a table");
    let photo = samples::jpeg_with_notes(64, 64, 1, Some([4.5, 47.25]));
    let packet = b"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF exif:GPSLatitude=\"47,15N\"/></x:xmpmeta>";
    let object = |number: u32, bytes: &[u8]| {
        let head = format!("{number} 0 obj\n<< /Length {} >>\nstream\n", bytes.len());
        [head.as_bytes(), bytes, b"\nendstream\nendobj\n"].concat()
    };
    let added = [object(90, &photo), object(91, packet)].concat();
    let tail = String::from_utf8_lossy(&plain[table..])
        .replace(&format!("\n{table}\n"), &format!("\n{}\n", table + added.len()));
    [&plain[..table], &added, tail.as_bytes()].concat()
}

/// An MP3 whose cover was taken with a telephone.
fn sound() -> Vec<u8> {
    let cover = [&b"\0image/jpeg\0\x03\0"[..], &samples::jpeg_with_notes(64, 64, 1, Some([4.5, 47.25]))].concat();
    let size = |length: usize| [21, 14, 7, 0].map(|shift| (length >> shift) as u8 & 0x7F);
    let frame = [&b"APIC"[..], &(cover.len() as u32).to_be_bytes(), &[0, 0], &cover].concat();
    [&b"ID3\x03\0\0"[..], &size(frame.len()), &frame, &samples::mp3(2)].concat()
}

/// A PNG and a WebP with a camera's metadata in a separate chunk.
fn png_with_notes() -> Vec<u8> {
    let plain = samples::png(1300, 900);
    let notes = samples::exif(1, Some([4.5, 47.25]));
    let chunk = [&b"eXIf"[..], &notes].concat();
    let crc = chunk.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 })
    });
    let chunk = [&(notes.len() as u32).to_be_bytes()[..], &chunk, &(!crc).to_be_bytes()].concat();
    [&plain[..33], &chunk, &plain[33..]].concat()
}

#[app_test]
async fn no_public_file_contains_where_it_was_taken(app: TestApp) {
    let editor = app.editor_of("morvan");
    let place = Some([4.5, 47.25]);
    let files = [
        ("photo.jpg", samples::jpeg_with_notes(1600, 1000, 1, place)),
        ("photo.png", png_with_notes()),
        ("photo.avif", samples::avif(1600, 1000, place)),
        ("plan.pdf", document()),
        ("source.mp3", sound()),
        ("lac.mp4", samples::mp4(8, 1280, 720)),
    ];
    let mut medias = Vec::new();
    for (name, bytes) in files {
        let media = editor.post_bytes(format!("{MEDIAS}?file_name={name}"), bytes.clone()).await.expect(201).json();
        let place = [&b"Exif"[..], b"eXIf", b"+47.1234"].iter().any(|mark| contains_bytes(&bytes, mark));
        assert!(place, "{name} tells a place before it comes in");
        medias.push((name, media["id"].as_i64().unwrap(), bytes));
    }
    content::media::work::settle(app.app()).await.unwrap();
    let ids: Vec<i64> = medias.iter().map(|(_, id, _)| *id).collect();
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let parcours = patch(&editor, &parcours, json!({"media_ids": ids})).await;
    let stranger = app.editor_of("vercors");
    for (name, id, bytes) in &medias {
        let view = editor.get(format!("{MEDIAS}/{id}")).await.expect(200).json();
        let variants = view["variants"].as_array().unwrap().iter().map(|variant| variant["url"].clone());
        let addresses = variants.chain([view["file_url"].clone()]).filter(Value::is_string);
        let mut asked = 0;
        for address in addresses {
            let address = address.as_str().unwrap();
            let answer = app.anonymous().get(address).await.expect(200);
            assert_no_camera_metadata(address, &answer.bytes);
            assert!(!contains_bytes(&answer.bytes, b"+47.1234"), "{address}");
            asked += 1;
        }
        assert!(asked > 0, "{name} has a public address");
        // The original, byte for byte, is for people of its white-label; others get what is public.
        assert_eq!(editor.get(format!("/media/{id}/original")).await.expect(200).bytes, *bytes);
        let others = stranger.get(format!("/media/{id}/original")).await.expect(200);
        assert_no_camera_metadata(name, &others.bytes);
        assert!(others.bytes != *bytes, "{name}");
        let seen = stranger.get(format!("{MEDIAS}/{id}")).await.expect(200).json();
        assert_eq!((&seen["location"], &seen["location_offered"]), (&Value::Null, &Value::Null), "{name}");
    }
    let reader = api_client(&app, "morvan").await;
    let pack = reader.get(format!("/api/public/v1/parcours/{}/pack.zip", id(&parcours))).await.expect(200);
    let entries = unzipped(&pack.bytes);
    assert!(entries.keys().any(|name| name.starts_with("media/")), "{:?}", entries.keys());
    for (name, bytes) in entries.iter().filter(|(name, _)| name.starts_with("media/")) {
        assert_no_camera_metadata(name, bytes);
    }
}

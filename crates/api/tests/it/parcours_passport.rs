//! What a parcours points to beside its texts, and its publication passport.

use domain::MediaKind;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::catalogue_kit::{column, faults, id, one};
use crate::parcours_kit::{gpx, made, now, patch, patched, path, titles, version};

const MEDIAS: &str = "/api/v1/medias";
const LINES: &str = "/api/v1/transport-lines";

/// A lake's shore.
const SHORE: [(f64, f64); 3] = [(4.0, 47.0), (4.01, 47.0), (4.02, 47.01)];

async fn sound(by: &Client, name: &str) -> Value {
    by.post_bytes(format!("{MEDIAS}?file_name={name}.wav"), testkit::samples::wav(2)).await.expect(201).json()
}

async fn picture(by: &Client) -> Value {
    let bytes = testkit::samples::jpeg(1600, 1000);
    by.post_bytes(format!("{MEDIAS}?file_name=lac.jpg"), bytes).await.expect(201).json()
}

fn stamp<'a>(parcours: &'a Value, channel: &str) -> &'a Value {
    parcours["passport"].as_array().unwrap().iter().find(|stamp| stamp["channel"] == channel).unwrap()
}

fn codes(parcours: &Value, channel: &str) -> Vec<String> {
    let lacks = stamp(parcours, channel)["lacks"].as_array().unwrap();
    lacks.iter().map(|lack| lack["code"].as_str().unwrap().to_owned()).collect()
}

#[app_test]
async fn a_parcours_names_its_contact_its_sounds_and_what_it_follows(app: TestApp) {
    let editor = app.editor_of("morvan");
    let way = json!({"name": {"fr": "Voie verte"}});
    let way = app.superadmin().post("/api/v1/itineraries", way).await.expect(201).json();
    let roux = json!({"last_name": "Roux", "email": "a@roux.fr"});
    let roux = app.admin_of("morvan").post("/api/v1/contacts", roux).await.expect(201).json();
    let (stream, birds) = (sound(&editor, "ruisseau").await, sound(&editor, "oiseaux").await);
    let fields = json!({
        "itinerary_ids": [id(&way), id(&way)], "contact_id": id(&roux), "audio_main_media_id": id(&stream),
        "audio_transition_media_id": id(&birds), "audio_guide": {"fr": " Bienvenue <b>au lac</b>. "},
    });
    let tour = made(&editor, "Tour", fields).await;
    assert_eq!((&tour["itinerary_ids"], &tour["contact_id"]), (&json!([id(&way)]), &json!(id(&roux))));
    assert_eq!(tour["audio_guide"]["fr"], "Bienvenue au lac.");
    for (record, kind) in [(one(MEDIAS, &stream), "media"), (one("/api/v1/contacts", &roux), "contact")] {
        let uses = app.admin_of("morvan").get(format!("{record}/uses")).await.expect(200).json();
        assert_eq!(column(&uses, "/title/fr"), ["Tour"], "the {kind} is in use");
    }
    let copy = editor.post(format!("{}/duplicate", path(&tour)), json!({"title": "Copie"})).await.expect(201).json();
    assert_eq!((&copy["audio_main_media_id"], &copy["contact_id"]), (&json!(id(&stream)), &json!(id(&roux))));
    let emptied = patch(&editor, &tour, json!({"contact_id": null, "audio_main_media_id": null})).await;
    let restoration = format!("{}/revisions/1/restoration", path(&tour));
    let back = editor.clone().at_version(version(&emptied)).post(restoration, json!({"fields": ["contact_id"]})).await;
    let back = back.expect(200).json();
    assert_eq!((&back["contact_id"], &back["audio_main_media_id"]), (&json!(id(&roux)), &Value::Null));
}

#[app_test]
async fn an_invalid_reference_of_a_parcours_is_reported_on_its_field(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (image, stream) = (picture(&editor).await, sound(&editor, "ruisseau").await);
    let theirs = json!({"last_name": "Die", "email": "b@die.fr"});
    let theirs = app.admin_of("vercors").post("/api/v1/contacts", theirs).await.expect(201).json();
    let tour = made(&editor, "Tour", json!({})).await;
    for (fields, told) in [
        (json!({"audio_main_media_id": id(&image)}), "parcours/not-a-sound /audio_main_media_id"),
        (json!({"audio_transition_media_id": 999}), "validation/unknown-reference /audio_transition_media_id"),
        (json!({"media_ids": [id(&stream), id(&image)]}), "parcours/cover-not-a-picture /media_ids"),
        (json!({"itinerary_ids": [999]}), "validation/unknown-reference /itinerary_ids"),
        (json!({"contact_id": id(&theirs)}), "validation/unknown-reference /contact_id"),
        (json!({"contact_id": 999}), "validation/unknown-reference /contact_id"),
        (json!({"passport": []}), "validation/read-only /passport"),
    ] {
        assert_eq!(faults(patched(&editor, &tour, fields).await), [told]);
    }
    patch(&editor, &tour, json!({"media_ids": [id(&image), id(&stream)]})).await;
}

#[app_test]
async fn lines_of_transport_stop_at_steps(app: TestApp) {
    let editor = app.editor_of("morvan");
    let bus = editor.post(LINES, json!({"long_name": "Autun – Château-Chinon"})).await.expect(201).json();
    let step = |lines: Value| json!({"kind": "departure", "position": [4.0, 47.0], "line_ids": lines});
    let tour = made(&editor, "Tour", json!({"steps": [step(json!([id(&bus), id(&bus)]))]})).await;
    assert_eq!(tour["steps"][0]["line_ids"], json!([id(&bus)]));
    let ghost = patched(&editor, &tour, json!({"steps": [step(json!([999]))]})).await;
    assert_eq!(faults(ghost), ["validation/unknown-reference /steps/0/line_ids"]);
    let refused = editor.clone().at_version(1).delete(one(LINES, &bus)).await.expect(409).problem();
    assert_eq!(
        (refused.code.as_str(), &refused.params["uses"][0]["title"]["fr"]),
        ("transport-line/in-use", &json!("Tour"))
    );
    editor.clone().at_version(1).delete(format!("{}?force=true", one(LINES, &bus))).await.expect(204);
    let freed = now(&editor, &tour).await;
    assert_eq!(freed["steps"][0]["line_ids"], json!([]));
    let restoration = format!("{}/revisions/1/restoration", path(&tour));
    let back = editor.clone().at_version(version(&freed)).post(restoration, json!({"fields": ["steps"]})).await;
    assert_eq!(back.expect(200).json()["steps"][0]["line_ids"], json!([]), "what is gone does not come back");
}

/// A GPX file with a time at each point, an hour apart.
fn timed(file: &str) -> String {
    let mut pieces = file.split("</trkpt>").enumerate();
    let first = pieces.next().map_or(String::new(), |(_, piece)| piece.to_owned());
    pieces.fold(first, |text, (hour, piece)| text + &format!("<time>2026-05-01T0{hour}:00:00Z</time></trkpt>{piece}"))
}

#[app_test]
async fn the_passport_lists_what_each_channel_lacks(app: TestApp) {
    let editor = app.editor_of("morvan");
    let tour = made(&editor, "Tour", json!({})).await;
    assert_eq!(tour["passport"].as_array().unwrap().len(), 5);
    assert_eq!(stamp(&tour, "app")["state"], "missing");
    let photo = json!({"code": "no_photo", "field": "/media_ids", "severity": "missing"});
    assert!(stamp(&tour, "app")["lacks"].as_array().unwrap().contains(&photo), "{}", tour["passport"]);
    let upload = format!("{}/trace/source?file_name=tour.gpx", path(&tour));
    editor.clone().at_version(version(&tour)).post_bytes(upload, timed(&gpx(&SHORE))).await.expect(200);
    let tour = now(&editor, &tour).await;
    let steps: Vec<Value> = tour["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(
            |step| json!({"id": step["id"], "kind": step["kind"], "position": step["position"], "title": {"fr": "Là"}}),
        )
        .collect();
    let image = picture(&editor).await;
    let practices = editor.get("/api/v1/vocabularies/practice_type").await.json();
    let levels = editor.get("/api/v1/vocabularies/level").await.json();
    let general = levels["items"].as_array().unwrap().iter().find(|level| level["attributes"]["scale"] == "general");
    let text = |words: &str| json!({"fr": words, "en": words});
    let fields = json!({
        "title": text("Tour"), "summary": text("Un lac."), "description": text("<p>Un lac.</p>"), "steps": steps,
        "media_ids": [id(&image)], "practice_type_id": practices["items"][0]["id"], "level_id": general.unwrap()["id"],
        "distribute_own": true, "distribute_partners": true, "copyright": "Morvan",
    });
    let full = patch(&editor, &tour, fields).await;
    assert_eq!(codes(&full, "widget"), ["no_legend", "no_photo_copyright", "no_alt"], "{}", full["passport"]);
    assert_eq!(
        (&stamp(&full, "app")["state"], &stamp(&full, "open_data")["state"]),
        (&json!("to_check"), &json!("missing"))
    );
    // Only the media file is changed: the passports of the parcours that show it are updated.
    let legend = json!({"legend": text("Le lac"), "alt": text("Un lac bleu"), "copyright": "Camille"});
    let stored = editor.get(one(MEDIAS, &image)).await.json();
    editor.clone().at_version(version(&stored)).patch(one(MEDIAS, &image), legend).await.expect(200);
    let mended = now(&editor, &full).await;
    assert_eq!((codes(&mended, "widget"), version(&mended)), (Vec::new(), version(&full)));
    assert_eq!(stamp(&mended, "open_data")["state"], "ready");
    let list = editor.get("/api/v1/parcours").await.json();
    assert_eq!(list["items"][0]["passport"], json!(["to_check", "ready", "ready", "ready", "to_check"]));
}

#[app_test]
async fn parcours_that_lack_a_field_are_listed_and_completed_in_bulk(app: TestApp) {
    let editor = app.editor_of("morvan");
    let image = picture(&editor).await;
    let kinds = store::media::kinds(app.store().read(), &[id(&image)]).await.unwrap();
    assert_eq!(kinds.get(&id(&image)), Some(&MediaKind::Image));
    let shown = made(&editor, "Avec photo", json!({"media_ids": [id(&image)]})).await;
    let bare = made(&editor, "Sans photo", json!({})).await;
    assert_eq!(titles(&editor, "lack=no_photo").await, ["Sans photo"]);
    assert_eq!(titles(&editor, "lack=no_legend").await, ["Avec photo"]);
    assert_eq!(titles(&editor, "lack=no_photo,no_legend").await, Vec::<String>::new());
    assert_eq!(titles(&editor, "search=photo&lack=no_photo").await, ["Sans photo"]);
    assert_eq!(titles(&editor, "channel=app:missing&sort=title").await, ["Avec photo", "Sans photo"]);
    assert_eq!(titles(&editor, "channel=app:ready").await, Vec::<String>::new());
    let home = editor.get("/api/v1/dashboard").await.json();
    assert_eq!(home["waiting"]["no_photo"], json!({"count": 1, "query": "owner=mine&lack=no_photo&progress=any"}));
    editor.get("/api/v1/parcours?lack=no_luck").await.expect(400);
    editor.get("/api/v1/parcours?channel=app:perhaps").await.expect(400);
    let ask = json!({"filter": {"lack": "no_photo"}, "action": "add_media", "value": id(&image)});
    let done = editor.post("/api/v1/parcours/bulk", ask).await.expect(200).json();
    assert_eq!((done["applied"].as_i64(), done["items"][0]["id"].as_i64()), (Some(1), bare["id"].as_i64()));
    assert_eq!(titles(&editor, "lack=no_photo").await, Vec::<String>::new());
    editor.post("/api/v1/parcours/bulk/undo", json!({"undo_token": done["undo_token"]})).await.expect(200);
    assert_eq!(now(&editor, &bare).await["media_ids"], json!([]));
    assert_eq!(now(&editor, &shown).await["media_ids"], json!([id(&image)]));
}

#[app_test]
async fn each_bulk_value_is_set_checked_and_undone(app: TestApp) {
    let editor = app.editor_of("morvan");
    let tour = made(&editor, "Tour", json!({})).await;
    let tags = app.superadmin().post("/api/v1/vocabularies/tag", json!({"label": {"fr": "Nuit"}})).await.json();
    let practices = editor.get("/api/v1/vocabularies/practice_type").await.json();
    let practice = practices["items"][0]["id"].clone();
    for (action, value, field, then) in [
        ("add_tag", tags["id"].clone(), "tag_ids", json!([tags["id"]])),
        ("set_practice", practice.clone(), "practice_type_id", practice),
        ("set_copyright", json!(" Morvan "), "copyright", json!("Morvan")),
        ("distribute_partners", Value::Null, "distribute_partners", json!(true)),
    ] {
        let before = now(&editor, &tour).await[field].clone();
        let ask = json!({"ids": [tour["id"]], "action": action, "value": value});
        let done = editor.post("/api/v1/parcours/bulk", &ask).await.expect(200).json();
        assert_eq!((done["applied"].as_i64(), &now(&editor, &tour).await[field]), (Some(1), &then), "{action}");
        assert_eq!(editor.post("/api/v1/parcours/bulk", &ask).await.json()["unchanged"], 1, "{action}");
        editor.post("/api/v1/parcours/bulk/undo", json!({"undo_token": done["undo_token"]})).await.expect(200);
        assert_eq!(now(&editor, &tour).await[field], before, "{action}");
    }
    for (action, value, told) in [
        ("set_contact", json!(999), "validation/unknown-reference /value"),
        ("add_theme", json!(999), "validation/unknown-reference /value"),
        ("add_tag", json!("nuit"), "validation/wrong-type /value"),
        ("set_copyright", json!("x".repeat(501)), "validation/too-long /value"),
    ] {
        let ask = json!({"ids": [tour["id"]], "action": action, "value": value});
        assert_eq!(faults(editor.post("/api/v1/parcours/bulk", ask).await), [told], "{action}");
    }
    let without = editor.post("/api/v1/parcours/bulk", json!({"ids": [tour["id"]], "action": "set_level"})).await;
    assert_eq!(faults(without), ["validation/required /value"]);
}

//! Audio walks: their settings, the voices that read them, which sounds are public.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use connect::speech::{VoiceSettings, Voices};
use futures_util::StreamExt as _;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, Reply, TestApp, samples, until};

use crate::feeds::{api_client, distributed_parcours, id, unzipped};
use crate::imports_kit::Answer;
use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, path, version};
use crate::service_kit::{Service, refusal};

fn walk_path(parcours: &Value) -> String {
    format!("{}/audio/fr", path(parcours))
}

async fn put(by: &Client, parcours: &Value, version: i64, walk: Value) -> Reply {
    by.clone().at_version(version).put(walk_path(parcours), walk).await
}

async fn shown(by: &Client, parcours: &Value) -> Value {
    by.get(walk_path(parcours)).await.expect(200).json()
}

fn stop(title: &str, lon: f64, story: Value) -> Value {
    json!({"title": title, "position": [lon, 47.0], "story": story})
}

fn findings(view: &Value) -> Vec<String> {
    let list = view["findings"].as_array().unwrap();
    list.iter().map(|one| format!("{} {}", one["story"].as_str().unwrap(), one["kind"].as_str().unwrap())).collect()
}

fn sources(view: &Value) -> Vec<String> {
    let list = view["sounds"].as_array().unwrap();
    list.iter().map(|one| format!("{} {}", one["story"].as_str().unwrap(), one["source"].as_str().unwrap())).collect()
}

/// A parcours of 760 m with two stops that a voice is to read.
async fn walk(app: &TestApp) -> Value {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let stops = json!([
        stop("La source", 4.002, json!({"text": "Voici la source. [pause 1s] Écoutez."})),
        stop("Le lac", 4.008, json!({"text": "Voici le lac."}))
    ]);
    put(&editor, &parcours, 0, json!({ "enabled": true, "stops": stops })).await.expect(200);
    parcours
}

/// The application with a program in the place of espeak-ng: it keeps what it is asked, and says `sound`.
fn with_program(app: &TestApp, script: &str) -> (TestApp, std::path::PathBuf) {
    let folder = app.scratch().path().to_owned();
    std::fs::write(folder.join("voice.wav"), samples::wav(3)).unwrap();
    let program = folder.join("espeak");
    let script = script.replace("FOLDER", folder.to_str().unwrap());
    std::fs::write(&program, format!("#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let settings = VoiceSettings { espeak: Some(program), ..VoiceSettings::default() };
    (app.changed(|parts| parts.voices = Voices::new(settings, parts.services.clone())), folder.join("said"))
}

const SPEAKS: &str = "cat >> FOLDER/said; echo '|' >> FOLDER/said; cat FOLDER/voice.wav";

async fn spoken(app: &TestApp, parcours: &Value) -> Value {
    let editor = app.editor_of("morvan");
    editor.post(format!("{}/speech", walk_path(parcours)), json!({})).await.expect(202);
    outputs::audio::work::settle(app.app()).await.unwrap();
    shown(&editor, parcours).await
}

#[app_test]
async fn an_audio_walk_has_defaults_before_its_first_save_and_stores_what_is_set(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({"audio_guide": {"fr": "Bienvenue au lac."}})).await;
    let fresh = editor.get(walk_path(&parcours)).await.expect(200);
    assert_eq!(fresh.header("etag"), "\"0\"");
    let fresh = fresh.json();
    assert_eq!((&fresh["intro_of_sheet"], &fresh["trace_m"]), (&json!(true), &Value::Null));
    assert_eq!(sources(&fresh), ["intro unsaid", "outro nothing"], "the sheet's audio guide is the introduction");
    let mut walk = fresh["walk"].clone();
    walk["stops"] = json!([stop("<b>La source</b>", 4.002, json!({"text": "Ici.", "transcript": "Là."}))]);
    walk["lexicon"] = json!([{"word": "Trégunc", "say": "Trégun"}]);
    let kept = put(&editor, &parcours, 0, walk).await.expect(200).json();
    assert_eq!((&kept["version"], &kept["updated_by"]["name"]), (&json!(1), &json!("Camille editor")));
    assert_eq!((&kept["walk"]["stops"][0]["id"], &kept["walk"]["stops"][0]["title"]), (&json!(1), &json!("La source")));
    assert_eq!(kept["walk"]["stops"][0]["radius_m"], 25.0);
    let read = app.reader_of("morvan").get(walk_path(&parcours)).await.expect(200).json();
    assert_eq!((&read["walk"], &read["locked_reason"]), (&kept["walk"], &json!("role")));
    assert_eq!(
        read["languages"],
        json!([{"language": "fr", "enabled": false, "stops": 1}, {"language": "en", "enabled": false, "stops": null}])
    );
}

#[app_test]
async fn a_stale_version_is_refused_and_invalid_fields_are_reported(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    put(&editor, &parcours, 0, json!({"going": "cycling"})).await.expect(200);
    let stale = put(&editor, &parcours, 0, json!({})).await.expect(412).problem();
    assert_eq!(stale.code, "version/stale");
    assert_eq!(editor.put(walk_path(&parcours), json!({})).await.expect(428).problem().code, "version/required");
    let wrong = json!({"voice": "--path=/etc", "transition_media_id": 999, "stops": [
        {"position": [4.0, 47.0], "radius_m": 5000.0}, {"position": [4.0, 47.0], "corners": [[4.0, 47.0]]}]});
    let problem = put(&editor, &parcours, 1, wrong).await.expect(422).problem();
    let codes: Vec<_> = problem.errors.iter().map(|fault| (fault.code.as_str(), fault.field.as_str())).collect();
    assert_eq!(
        codes,
        [
            ("audio/voice", "/voice"),
            ("validation/out-of-range", "/stops/0/radius_m"),
            ("audio/zone-incomplete", "/stops/1/corners"),
            ("validation/unknown-reference", "/transition_media_id"),
        ]
    );
    let picture = app.media().insert().await.id;
    let problem = put(&editor, &parcours, 1, json!({"intro": {"media_id": picture}})).await.expect(422).problem();
    assert_eq!(problem.errors[0].code, "parcours/not-a-sound");
    let unknown = editor.get(format!("{}/audio/xx", path(&parcours))).await.expect(422).problem();
    assert_eq!(unknown.errors[0].code, "validation/unknown-language");
    assert_eq!(put(&editor, &parcours, 1, json!({"stops": [{}]})).await.status, 422);
}

#[app_test]
async fn an_audio_walk_reports_what_needs_attention(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = walk(&app).await;
    let view = shown(&editor, &parcours).await;
    assert_eq!(findings(&view), ["stop/1 not_spoken", "stop/2 not_spoken"]);
    let met = view["on_trace"][0]["pass"]["enters_m"].as_f64().unwrap();
    assert!((met - 127.0).abs() < 6.0, "{met}");
    let text = "mot ".repeat(1_200);
    let stops = json!([
        stop("Loin", 5.0, json!({"text": "Ici."})),
        stop("Long", 4.002, json!({ "text": text })),
        stop("Muet", 4.008, json!({})),
        stop("Avant", 4.004, json!({"text": "Ici."}))
    ]);
    let view = put(&editor, &parcours, 1, json!({ "stops": stops })).await.expect(200).json();
    let found = [
        "stop/1 off_trace",
        "stop/1 not_spoken",
        "stop/2 too_long",
        "stop/2 not_spoken",
        "stop/3 silent",
        "stop/4 order",
        "stop/4 not_spoken",
    ];
    assert_eq!(findings(&view), found);
    assert_eq!(view["findings"][2]["value"].as_f64().map(f64::round), Some(480.0), "1,200 words are eight minutes");
}

#[app_test]
async fn a_voice_reads_each_text_once(app: TestApp) {
    let (app, said) = with_program(&app, SPEAKS);
    let (editor, parcours) = (app.editor_of("morvan"), walk(&app).await);
    let view = spoken(&app, &parcours).await;
    assert_eq!(sources(&view), ["intro nothing", "stop/1 voice", "stop/2 voice", "outro nothing"]);
    assert_eq!(
        (&view["job"]["state"], &view["job"]["done"], &view["job"]["total"]),
        (&json!("done"), &json!(2), &json!(2))
    );
    assert!(findings(&view).is_empty(), "{:?}", findings(&view));
    assert_eq!(view["version"], 1, "speech saves no new version, which would conflict with an open editor");
    let first = &view["sounds"][1];
    // Two sentences of three seconds, the silence between them, and the edges.
    let seconds = first["duration_s"].as_f64().unwrap();
    assert!((7.0..7.6).contains(&seconds), "{seconds}");
    assert!(first["bytes"].as_f64().unwrap() * 60.0 / seconds < 1_000_000.0);
    let sound = editor.get(first["url"].as_str().unwrap()).await.expect(200);
    assert_eq!(sound.header("content-type"), "audio/mpeg");
    assert_eq!(std::fs::read_to_string(&said).unwrap(), "Voici la source.|\nÉcoutez.|\nVoici le lac.|\n");
    let again = editor.post(format!("{}/speech", walk_path(&parcours)), json!({})).await.expect(409).problem();
    assert_eq!(again.code, "audio/nothing-to-say");

    // Only the changed text is read again. The third stop has the text of the second, whose sound is reused.
    let stops = json!([
        stop("La source", 4.002, json!({"text": "Voici la fontaine."})),
        stop("Le lac", 4.005, json!({"text": "Voici le lac."})),
        stop("Encore", 4.008, json!({"text": "Voici le lac."}))
    ]);
    let view = put(&editor, &parcours, 1, json!({ "enabled": true, "stops": stops })).await.expect(200).json();
    assert_eq!(sources(&view)[1..4], ["stop/1 unsaid", "stop/2 voice", "stop/3 voice"]);
    std::fs::remove_file(&said).unwrap();
    spoken(&app, &parcours).await;
    assert_eq!(std::fs::read_to_string(&said).unwrap(), "Voici la fontaine.|\n");
}

#[app_test]
async fn speech_continues_on_another_server_and_a_recording_replaces_the_voice(app: TestApp) {
    let (app, said) = with_program(&app, SPEAKS);
    let (editor, parcours) = (app.editor_of("morvan"), walk(&app).await);
    editor.post(format!("{}/speech", walk_path(&parcours)), json!({})).await.expect(202);
    let busy = editor.post(format!("{}/speech", walk_path(&parcours)), json!({})).await.expect(409).problem();
    assert_eq!(busy.code, "audio/already-speaking");
    assert!(outputs::audio::work::step(app.app()).await.unwrap());
    // Another server over the same database reads the remaining texts, and none twice.
    let (other, _) = with_program(&app, SPEAKS);
    outputs::audio::work::settle(other.app()).await.unwrap();
    assert_eq!(std::fs::read_to_string(&said).unwrap().matches('|').count(), 3);
    assert_eq!(shown(&editor, &parcours).await["job"]["state"], "done");

    let bird = editor.post_bytes("/api/v1/medias?file_name=oiseau.wav", samples::wav(12)).await.expect(201).json();
    let stops = json!([stop("Oiseaux", 4.002, json!({"text": "Le loriot chante.", "media_id": id(&bird)}))]);
    let view = put(&editor, &parcours, 1, json!({ "stops": stops })).await.expect(200).json();
    assert_eq!(sources(&view)[1], "stop/1 recording");
    assert_eq!((&view["sounds"][1]["duration_s"], &view["findings"]), (&json!(12.0), &json!([])));
    let uses = editor.get(format!("/api/v1/medias/{}/uses", id(&bird))).await.expect(200).json();
    assert_eq!((&uses["items"][0]["kind"], &uses["items"][0]["id"]), (&json!("parcours"), &parcours["id"]));
    let kept = editor.clone().with("if-match", "*").delete(format!("/api/v1/medias/{}", id(&bird))).await;
    assert_eq!(kept.expect(409).problem().code, "media/in-use");
    let forced = format!("/api/v1/medias/{}?force=true", id(&bird));
    editor.clone().with("if-match", "*").delete(forced).await.expect(204);
    let view = shown(&editor, &parcours).await;
    assert_eq!((&view["version"], &view["walk"]["stops"][0]["story"]["media_id"]), (&json!(3), &Value::Null));
    assert_eq!(sources(&view)[1], "stop/1 unsaid");
}

/// Reads as `SPEAKS` does; the first text that names the lake is not read until the file `open` is there.
const SPEAKS_SLOWLY: &str = "cat > FOLDER/text.$$; cat FOLDER/text.$$ >> FOLDER/said; echo '|' >> FOLDER/said
if grep -q lac FOLDER/text.$$ && mkdir FOLDER/stuck 2> /dev/null; then while [ ! -e FOLDER/open ]; do sleep 0.05; done; fi
cat FOLDER/voice.wav";

#[app_test]
async fn two_servers_read_each_text_once(app: TestApp) {
    let (app, said) = with_program(&app, SPEAKS);
    let (editor, parcours) = (app.editor_of("morvan"), walk(&app).await);
    editor.post(format!("{}/speech", walk_path(&parcours)), json!({})).await.expect(202);
    let (other, _) = with_program(&app, SPEAKS);
    let (first, second) =
        tokio::join!(outputs::audio::work::settle(app.app()), outputs::audio::work::settle(other.app()));
    first.unwrap();
    second.unwrap();
    let view = shown(&editor, &parcours).await;
    assert_eq!((&view["job"]["state"], &view["job"]["done"]), (&json!("done"), &json!(2)));
    assert_eq!(std::fs::read_to_string(&said).unwrap(), "Voici la source.|\nÉcoutez.|\nVoici le lac.|\n");
    let filter = store::job::JobFilter { kind: Some("audio_speech".to_owned()), ..Default::default() };
    let jobs = store::job::list(app.store().read(), &filter, None, 10).await.unwrap();
    let runs: Vec<_> = jobs.iter().map(|job| (job.state, job.done, job.total)).collect();
    assert_eq!(runs, [(domain::job::JobState::Done, Some(2), Some(2))]);
}

#[app_test]
async fn speech_of_a_dead_server_continues_after_a_minute_and_repeats_no_text(app: TestApp) {
    let (dying, said) = with_program(&app, SPEAKS_SLOWLY);
    let (next, _) = with_program(&app, SPEAKS_SLOWLY);
    let (editor, parcours) = (dying.editor_of("morvan"), walk(&dying).await);
    editor.post(format!("{}/speech", walk_path(&parcours)), json!({})).await.expect(202);
    let died = tokio::spawn({
        let dying = dying.clone();
        async move { outputs::audio::work::settle(dying.app()).await }
    });
    let read = || std::fs::read_to_string(&said).unwrap_or_default();
    until("three texts were read", async || read().matches('|').count() >= 3).await;
    died.abort();
    outputs::audio::work::settle(next.app()).await.unwrap();
    assert_eq!(shown(&editor, &parcours).await["job"]["done"], 1, "its lease holds");
    next.clock().advance_s(61);
    outputs::audio::work::settle(next.app()).await.unwrap();
    let view = shown(&editor, &parcours).await;
    assert_eq!((&view["job"]["state"], &view["job"]["done"]), (&json!("done"), &json!(2)));
    assert_eq!(read(), "Voici la source.|\nÉcoutez.|\nVoici le lac.|\nVoici le lac.|\n");
    // The server that lost its lease receives its sound late: it writes nothing.
    std::fs::write(app.scratch().path().join("open"), "").unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(shown(&editor, &parcours).await["job"], view["job"]);
    assert_eq!(editor.get("/api/v1/medias").await.expect(200).json()["total"], 2);
}

#[app_test]
async fn a_missing_or_failing_speech_engine_is_reported_and_stores_nothing(app: TestApp) {
    let (editor, parcours) = (app.editor_of("morvan"), walk(&app).await);
    let speech = format!("{}/speech", walk_path(&parcours));
    assert_eq!(editor.post(&speech, json!({})).await.expect(409).problem().code, "speech/engine-missing");
    let voices = editor.get("/api/v1/voices").await.expect(200).json();
    assert!(voices["items"].as_array().unwrap().iter().all(|one| one["is_there"] == false), "{voices}");

    for (script, code) in [
        ("echo 'Error: The specified espeak-ng voice does not exist.' >&2; exit 1", "speech/voice-unknown"),
        ("exit 9", "speech/failed"),
        ("cat > /dev/null; echo '<html>this is no sound, but a page that says so at length</html>'", "speech/nonsense"),
    ] {
        let (app, _) = with_program(&app, script);
        let view = spoken(&app, &parcours).await;
        assert_eq!((&view["job"]["state"], &view["job"]["failure"]["code"]), (&json!("failed"), &json!(code)));
        assert_eq!(sources(&view)[1], "stop/1 unsaid");
    }
    assert_eq!(editor.get("/api/v1/medias").await.expect(200).json()["total"], 0);
    assert_eq!(editor.delete(&speech).await.expect(409).problem().code, "audio/not-speaking");
    let (app, said) = with_program(&app, SPEAKS);
    let editor = app.editor_of("morvan");
    editor.post(&speech, json!({})).await.expect(202);
    editor.delete(&speech).await.expect(204);
    outputs::audio::work::settle(app.app()).await.unwrap();
    assert_eq!(shown(&editor, &parcours).await["job"]["state"], "cancelled");
    assert!(!said.exists(), "nothing was said any more");
}

#[app_test]
async fn each_speech_service_gets_requests_in_its_own_format(app: TestApp) {
    let service = Service::start(|_, _| Answer(200, vec!["Content-Type: audio/wav".to_owned()], samples::wav(2)));
    let url = service.url.clone();
    let settings = VoiceSettings {
        openai_url: Some(format!("{url}/")),
        openai_key: Some("sk-abc".to_owned()),
        openai_model: "tts-1".to_owned(),
        azure_url: Some(url),
        azure_key: Some("azure-key".to_owned()),
        espeak: None,
    };
    let app = app.changed(|parts| parts.voices = Voices::new(settings, parts.services.clone()));
    let (editor, parcours) = (app.editor_of("morvan"), walk(&app).await);
    let one = |engine: &str| {
        let stops = json!([stop("A", 4.002, json!({"text": "Trégunc & co."}))]);
        let lexicon = json!([{"word": "trégunc", "say": "Trégun"}]);
        json!({"engine": engine, "words_a_minute": 120, "lexicon": lexicon, "stops": stops})
    };
    put(&editor, &parcours, 1, one("openai")).await.expect(200);
    assert_eq!(sources(&spoken(&app, &parcours).await)[1], "stop/1 voice");
    let heard = service.requests().pop().unwrap();
    assert_eq!((heard.path.as_str(), heard.headers["authorization"].as_str()), ("/v1/audio/speech", "Bearer sk-abc"));
    assert_eq!(
        heard.body,
        json!({"model": "tts-1", "input": "Trégun & co.", "voice": "alloy", "response_format": "wav", "speed": 0.8})
    );
    put(&editor, &parcours, 2, one("azure")).await.expect(200);
    assert_eq!(sources(&spoken(&app, &parcours).await)[1], "stop/1 voice", "another engine is another sound");
    let heard = service.requests().pop().unwrap();
    assert_eq!(heard.path, "/cognitiveservices/v1");
    let headers = ["content-type", "ocp-apim-subscription-key", "x-microsoft-outputformat"];
    let listed: Vec<&str> = headers.iter().map(|name| heard.headers[*name].as_str()).collect();
    assert_eq!(listed, ["application/ssml+xml", "azure-key", "riff-24khz-16bit-mono-pcm"]);
    let voices = editor.get("/api/v1/voices?language=en").await.expect(200).json();
    assert_eq!(
        (&voices["items"][2]["engine"], &voices["items"][2]["voices"][0]),
        (&json!("azure"), &json!("en-GB-SoniaNeural"))
    );
    let unknown = editor.get("/api/v1/voices?language=xx").await.expect(422).problem();
    assert_eq!(unknown.errors[0].code, "validation/unknown-language");
}

#[app_test]
async fn a_text_that_fails_in_the_middle_pays_again_for_no_piece(app: TestApp) {
    let service = Service::start(|_, before| match before {
        1 => refusal(418),
        3 => Answer(200, Vec::new(), b"<html>no sound, but a page that says so at length</html>".to_vec()),
        _ => Answer(200, vec!["Content-Type: audio/wav".to_owned()], samples::wav(2)),
    });
    let settings = VoiceSettings { openai_url: Some(service.url.clone()), ..VoiceSettings::default() };
    let app = app.changed(|parts| parts.voices = Voices::new(settings, parts.services.clone()));
    let (editor, parcours) = (app.editor_of("morvan"), walk(&app).await);
    let text = "Voici la source. [pause 1s] Écoutez. [pause 1s] Partez.";
    let stops = json!([stop("La source", 4.002, json!({ "text": text }))]);
    put(&editor, &parcours, 1, json!({"engine": "openai", "stops": stops})).await.expect(200);
    let kept = async || app.app().blobs.list("speech").count().await;
    for (source, code, pieces) in [
        ("stop/1 unsaid", json!("speech/refused"), 1),
        ("stop/1 unsaid", json!("speech/nonsense"), 2),
        ("stop/1 voice", Value::Null, 0),
    ] {
        let view = spoken(&app, &parcours).await;
        assert_eq!((sources(&view)[1].as_str(), &view["job"]["failure"]["code"]), (source, &code));
        assert_eq!(kept().await, pieces, "until the text is whole");
    }
    let said: Vec<Value> = service.requests().into_iter().map(|heard| heard.body["input"].clone()).collect();
    assert_eq!(said, ["Voici la source.", "Écoutez.", "Écoutez.", "Partez.", "Partez."]);
    let seconds = shown(&editor, &parcours).await["sounds"][1]["duration_s"].as_f64().unwrap();
    assert!((8.0..8.6).contains(&seconds), "three pieces of two seconds and two silences: {seconds}");
}

#[app_test]
async fn a_piece_that_another_model_read_is_no_part_of_a_text(app: TestApp) {
    let service = Service::start(|_, before| match before {
        1 => refusal(418),
        _ => Answer(200, vec!["Content-Type: audio/wav".to_owned()], samples::wav(2)),
    });
    let with_model = |model: &str| {
        let url = Some(service.url.clone());
        let settings = VoiceSettings { openai_url: url, openai_model: model.to_owned(), ..VoiceSettings::default() };
        app.changed(|parts| parts.voices = Voices::new(settings, parts.services.clone()))
    };
    let first = with_model("tts-1");
    let (editor, parcours) = (first.editor_of("morvan"), walk(&first).await);
    let stops = json!([stop("La source", 4.002, json!({"text": "Voici la source. [pause 1s] Écoutez."}))]);
    put(&editor, &parcours, 1, json!({"engine": "openai", "stops": stops})).await.expect(200);
    assert_eq!(sources(&spoken(&first, &parcours).await)[1], "stop/1 unsaid", "the second piece failed");
    assert_eq!(sources(&spoken(&with_model("tts-1-hd"), &parcours).await)[1], "stop/1 voice");
    let said: Vec<[Value; 2]> =
        service.requests().into_iter().map(|heard| ["model", "input"].map(|name| heard.body[name].clone())).collect();
    let both = |model: &str| ["Voici la source.", "Écoutez."].map(|words| [json!(model), json!(words)]);
    assert_eq!(said, [both("tts-1"), both("tts-1-hd")].concat());
}

#[app_test]
async fn a_refusal_of_a_speech_service_is_reported_with_its_reason(app: TestApp) {
    let html = || Answer(200, vec!["Content-Type: text/html".to_owned()], b"<html>".to_vec());
    let says = [
        (401, "speech/key-refused"),
        (429, "speech/too-many-requests"),
        (503, "speech/unreachable"),
        (418, "speech/refused"),
    ];
    let service = Service::start(move |heard, _| {
        let asked = heard.body["voice"].as_str().unwrap_or_default().to_owned();
        asked.parse::<u16>().map_or_else(|_| html(), refusal)
    });
    let settings = VoiceSettings { openai_url: Some(service.url.clone()), ..VoiceSettings::default() };
    let app = app.changed(|parts| parts.voices = Voices::new(settings, parts.services.clone()));
    let (editor, parcours) = (app.editor_of("morvan"), walk(&app).await);
    let cases = says.into_iter().map(|(status, code)| (status.to_string(), code));
    for (index, (voice, code)) in cases.chain([("page".to_owned(), "speech/nonsense")]).enumerate() {
        let one = json!({"engine": "openai", "voice": voice, "stops": [stop("A", 4.002, json!({"text": "Ici."}))]});
        put(&editor, &parcours, index as i64 + 1, one).await.expect(200);
        let view = spoken(&app, &parcours).await;
        assert_eq!(view["job"]["failure"]["code"], code);
    }
}

/// The real program, where it is installed: its absence is reported, and is no success.
#[app_test]
async fn espeak_ng_reads_french_where_it_is_installed(app: TestApp) {
    let settings = VoiceSettings { espeak: Some("espeak-ng".into()), ..VoiceSettings::default() };
    let app = app.changed(|parts| parts.voices = Voices::new(settings, parts.services.clone()));
    let (editor, parcours) = (app.editor_of("morvan"), walk(&app).await);
    let there = editor.get("/api/v1/voices").await.expect(200).json()["items"][0].clone();
    if there["is_there"] == false {
        let refused = editor.post(format!("{}/speech", walk_path(&parcours)), json!({})).await.expect(409).problem();
        assert_eq!(refused.code, "speech/engine-missing");
        eprintln!("espeak-ng is not installed: only its absence was tried");
        return;
    }
    assert_eq!(there["voices"][0], "fr");
    let view = spoken(&app, &parcours).await;
    assert_eq!(sources(&view)[1..3], ["stop/1 voice", "stop/2 voice"]);
    let sound = editor.get(view["sounds"][1]["url"].as_str().unwrap()).await.expect(200).bytes;
    let heard = media::voice::samples(sound).unwrap();
    let loudness = media::voice::loudness_lufs(&heard).unwrap();
    assert!((loudness + 16.0).abs() <= 1.0, "{loudness} LUFS");
    let seconds = heard.values.len() as f64 / f64::from(heard.rate);
    assert!((2.0..6.0).contains(&seconds), "{seconds} s");
}

#[app_test]
async fn a_restored_recording_is_put_back_into_its_stop(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, "Lac", json!({})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let bell = editor.post_bytes("/api/v1/medias?file_name=cloche.wav", samples::wav(2)).await.expect(201).json();
    let other = editor.post_bytes("/api/v1/medias?file_name=eau.wav", samples::wav(3)).await.expect(201).json();
    let stops = json!([
        stop("La source", 4.002, json!({"media_id": id(&bell)})),
        stop("Le lac", 4.008, json!({"media_id": id(&bell)}))
    ]);
    put(&editor, &parcours, 0, json!({"enabled": true, "stops": stops})).await.expect(200);
    let medias = "/api/v1/medias";
    let gone = editor.get(format!("{medias}/{}", id(&bell))).await.expect(200).json();
    editor.clone().at_version(version(&gone)).delete(format!("{medias}/{}?force=true", id(&bell))).await.expect(204);
    let mut silent = shown(&editor, &parcours).await;
    assert_eq!(silent["walk"]["stops"][0]["story"]["media_id"], Value::Null);
    // The second stop was given another recording meanwhile: it keeps it.
    silent["walk"]["stops"][1]["story"]["media_id"] = id(&other).into();
    put(&editor, &parcours, silent["version"].as_i64().unwrap(), silent["walk"].clone()).await.expect(200);

    let bin = editor.get("/api/v1/bin?kind=media").await.expect(200).json();
    let item = format!("/api/v1/bin/{}", bin["items"][0]["id"]);
    assert_eq!(editor.get(format!("{item}/uses")).await.expect(200).json()["total"], 1);
    let back = editor.post(format!("{item}/restoration?put_back=true"), json!({})).await.expect(200).json();
    assert_eq!((&back["put_back"], &back["left"]), (&json!(1), &json!(0)));
    let heard = shown(&editor, &parcours).await;
    let media = |at: usize| heard["walk"]["stops"][at]["story"]["media_id"].clone();
    assert_eq!((media(0), media(1)), (json!(id(&bell)), json!(id(&other))));
    let uses = editor.get(format!("{medias}/{}/uses", id(&bell))).await.expect(200).json();
    assert_eq!(uses["total"], 1, "the walk is a use of it again");
}

#[app_test]
async fn only_sounds_of_enabled_walks_of_published_parcours_are_public(app: TestApp) {
    let (app, _) = with_program(&app, SPEAKS);
    let editor = app.editor_of("morvan");
    let parcours = distributed_parcours(&app, "Tour du lac").await;
    let bell = editor.post_bytes("/api/v1/medias?file_name=cloche.wav", samples::wav(2)).await.expect(201).json();
    let walk = |enabled: bool| {
        let stops = json!([stop("La source", 4.002, json!({"text": "Voici la source <vive>. [pause 1s] Écoutez."}))]);
        json!({"enabled": enabled, "transition_media_id": id(&bell), "stops": stops, "outro": {"transcript": "Merci."}})
    };
    put(&editor, &parcours, 0, walk(false)).await.expect(200);
    let view = spoken(&app, &parcours).await;
    let sound = view["sounds"][1]["url"].as_str().unwrap().to_owned();
    let (ours, anybody) = (api_client(&app, "morvan").await, app.anonymous());
    let at = format!("/api/public/v1/parcours/{}/audio", id(&parcours));
    let page = format!("/p/tour-du-lac-{}", id(&parcours));
    ours.get(&at).await.expect(404);
    anybody.get(&sound).await.expect(404);
    assert!(!anybody.get(&page).await.expect(200).text().contains("Balade audio"));

    put(&editor, &parcours, 1, walk(true)).await.expect(200);
    let answer = ours.get(&at).await.expect(200).json();
    assert_eq!(
        (&answer["language"], &answer["going"], &answer["intro"]),
        (&json!("fr"), &json!("walking"), &Value::Null)
    );
    let first = &answer["stops"][0];
    assert_eq!((&first["title"], &first["radius_m"]), (&json!("La source"), &json!(25.0)));
    assert_eq!(first["transcript"], "Voici la source <vive>. Écoutez.");
    assert!(first["enters_m"].as_f64().is_some() && first["transition"]["url"].as_str().is_some());
    assert!(first["sound"]["url"].as_str().unwrap().ends_with(&sound), "{first}");
    assert_eq!(answer["outro"]["transcript"], "Merci.");
    assert_eq!(
        ours.get(format!("{at}?language=en")).await.expect(200).json()["language"],
        "fr",
        "it is in French alone"
    );
    ours.get(format!("{at}?language=xx")).await.expect(400);
    anybody.get(&sound).await.expect(200);
    let read = anybody.get(&page).await.expect(200).text();
    for part in ["Balade audio", "La source", "Lire le texte", "Voici la source &lt;vive&gt;. Écoutez.", &sound] {
        assert!(read.contains(part), "{part}");
    }
    let english = anybody.get(format!("/en{page}")).await.expect(200).text();
    assert!(english.contains("Audio walk") && english.contains(r#"<h3 lang="fr">La source</h3>"#));

    let pack = ours.get(format!("/api/public/v1/parcours/{}/pack.zip", id(&parcours))).await.expect(200);
    let entries = unzipped(&pack.bytes);
    let packed: Value = serde_json::from_slice(&entries["audio.json"]).unwrap();
    let file = packed["items"][0]["stops"][0]["sound"]["url"].as_str().unwrap();
    assert!(file.starts_with("media/") && entries[file].len() > 1_000, "{file}");
    assert!(entries.contains_key(packed["items"][0]["stops"][0]["transition"]["url"].as_str().unwrap()));

    // A disabled walk has no public sound, nor has a deleted parcours; a restored one has it again.
    put(&editor, &parcours, 2, walk(false)).await.expect(200);
    anybody.get(&sound).await.expect(404);
    put(&editor, &parcours, 3, walk(true)).await.expect(200);
    let parcours = now(&editor, &parcours).await;
    let parcours = patch(&editor, &parcours, json!({"subtitle": {"fr": "À pied"}})).await;
    anybody.get(&sound).await.expect(200);
    editor.clone().at_version(version(&parcours)).delete(path(&parcours)).await.expect(204);
    anybody.get(&sound).await.expect(404);
    let bin = editor.get("/api/v1/bin").await.expect(200).json();
    editor.post(format!("/api/v1/bin/{}/restoration", bin["items"][0]["id"]), json!({})).await.expect(200);
    anybody.get(&sound).await.expect(200);
    assert_eq!(shown(&editor, &parcours).await["version"], 4);
}

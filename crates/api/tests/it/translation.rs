//! Texts translated while a person waits: by four services, each sentence once, protected parts unchanged, nothing stored without a save.

use domain::record::Kind;
use macros::app_test;
use serde_json::{Value, json};
use store::translation::Translators;
use testkit::TestApp;
use teststore::until_waited_for;

use crate::imports_kit::Answer;
use crate::parcours_kit::{made, now, patch};
use crate::service_kit::{Service, deepl, deepl_response, proposed, refusal, translator, words};

#[app_test]
async fn a_translator_is_set_by_the_platform_and_its_key_is_never_returned(app: TestApp) {
    let service = deepl();
    let set = translator(&app, json!({"base_url": service.url, "protected": ["Lac Bleu", "Lac Bleu", " "]})).await;
    assert_eq!((&set["key_hint"], &set["protected"]), (&json!("42a0"), &json!(["Lac Bleu"])));
    let path = format!("/api/v1/translators/{}", set["id"]);
    for text in [set.to_string(), app.superadmin().get(format!("{path}/revisions/1")).await.text()] {
        assert!(!text.contains("279a2e9d"), "{text}");
    }
    let sealed = store::translation::key(app.store().read(), set["id"].as_i64().unwrap()).await.unwrap().unwrap();
    assert!(!sealed.windows(8).any(|part| part == b"279a2e9d"), "sealed at rest");
    assert_eq!(app::seal::opens(&app.app().key, app.store().read()).await.unwrap(), Some(true));

    let tested = app.superadmin().post(format!("{path}/test"), json!({})).await.expect(200).json();
    assert_eq!(tested["usage"], json!({"used": 180_118, "limit": 1_250_000, "sent": 0}));
    assert_eq!((&tested["check"]["code"], tested["check"]["at"].is_null()), (&Value::Null, false));
    assert_eq!(service.requests()[0].headers["authorization"], "DeepL-Auth-Key 279a2e9d-83b3-c416-7e2d-f721593e42a0");
    assert!(service.requests()[0].headers["user-agent"].starts_with("Jalon/"));

    // Another one that becomes the default takes its place.
    let other = translator(&app, json!({"name": "Autre", "base_url": refusing(403).url})).await;
    assert_eq!(app.superadmin().get(&path).await.json()["is_default"], false);
    let refused = app.superadmin().post(format!("/api/v1/translators/{}/test", other["id"]), json!({})).await;
    assert_eq!(refused.expect(502).problem().code, "translation/key-refused");
    let seen = app.admin_of("morvan").get(format!("/api/v1/translators/{}", other["id"])).await.expect(200).json();
    assert_eq!((&seen["check"]["code"], &seen["editable"]), (&json!("translation/key-refused"), &json!(false)));

    let keeper = app.superadmin();
    let bad =
        keeper.post("/api/v1/translators", json!({"name": "Libre", "service": "libretranslate"})).await.expect(422);
    assert_eq!(bad.json()["errors"][0]["field"], "/base_url");
    let bad = keeper.clone().with("if-match", "*").put(format!("{path}/key"), json!({"key": "clé"})).await.expect(422);
    assert_eq!(bad.json()["errors"][0]["code"], "white-label/translation-key");
    keeper.with("if-match", "*").delete(format!("{path}/key")).await.expect(204);
    let bare = app.superadmin().post(format!("{path}/test"), json!({})).await;
    assert_eq!(bare.expect(409).problem().code, "translation/no-key");
}

/// The numbers of the translators that are the default.
async fn defaults(app: &TestApp) -> Vec<i64> {
    let all = app.superadmin().get("/api/v1/translators").await.expect(200).json();
    let items = all["items"].as_array().unwrap().iter();
    items.filter(|one| one["is_default"] == true).filter_map(|one| one["id"].as_i64()).collect()
}

#[app_test]
async fn of_two_translators_that_become_the_default_at_once_one_is_it(app: TestApp) {
    let usual = json!({"base_url": deepl().url, "is_default": false});
    let (first, second) = (translator(&app, usual.clone()).await, translator(&app, usual).await);
    let [first, second] = [first, second].map(|made| made["id"].as_i64().unwrap());
    let tx = app.store().begin().await.unwrap();
    store::translation::lock_default(&tx).await.unwrap();
    let before = store::record::lock::<Translators>(&tx, second).await.unwrap().unwrap();
    let mut after = before.clone();
    after.sheet.is_default = true;
    let change = store::record::Change { by: None, at: app.app().now(), reason: None, languages: &[] };
    store::record::save::<Translators>(&tx, &before, after, change).await.unwrap();
    let keeper = app.superadmin().with("if-match", "*");
    let (saved, ()) =
        tokio::join!(keeper.patch(format!("/api/v1/translators/{first}"), json!({"is_default": true})), async {
            until_waited_for(app.store(), &tx).await;
            tx.commit().await.unwrap();
        });
    saved.expect(200);
    assert_eq!(defaults(&app).await, [first]);
}

#[app_test]
async fn a_restored_translator_is_the_default_again_only_where_no_other_is(app: TestApp) {
    let keeper = app.superadmin();
    let binned = async |id: &Value| {
        keeper.clone().with("if-match", "*").delete(format!("/api/v1/translators/{id}")).await.expect(204);
        let item = keeper.get("/api/v1/bin?kind=translator").await.expect(200).json()["items"][0]["id"].clone();
        format!("/api/v1/bin/{item}/restoration")
    };
    let first = translator(&app, json!({"base_url": deepl().url})).await["id"].clone();
    let item = binned(&first).await;
    keeper.post(item, json!({})).await.expect(200);
    assert_eq!(defaults(&app).await, [first.as_i64().unwrap()]);
    let item = binned(&first).await;
    let second = translator(&app, json!({"base_url": deepl().url})).await["id"].clone();
    keeper.post(item, json!({})).await.expect(200);
    assert_eq!(defaults(&app).await, [second.as_i64().unwrap()]);
}

#[app_test]
async fn british_english_is_requested_where_it_is_chosen(app: TestApp) {
    let service = deepl();
    translator(&app, json!({"base_url": service.url, "english": "british"})).await;
    proposed(&app.editor_of("morvan"), json!({"fields": {"title": "Tour du lac"}})).await;
    assert_eq!(service.requests()[0].body["target_lang"], "EN-GB");
}

fn refusing(status: u16) -> Service {
    Service::start(move |_, _| refusal(status))
}

#[app_test]
async fn a_translated_text_keeps_its_protected_parts_and_each_sentence_is_sent_once(app: TestApp) {
    let service = deepl();
    translator(&app, json!({"base_url": service.url, "protected": ["Lac Bleu"], "formality": "more"})).await;
    let editor = app.editor_of("morvan");
    let source = "<p>Le chemin longe le <strong>Lac Bleu</strong> sur 12,5 km jusqu’au village. Voir [ID_OBJET] \
        ou https://lac.fr/a pour les horaires du bac.</p><ul><li>Prenez de l’eau pour toute la journée.</li></ul>";
    let first = proposed(&editor, json!({"fields": {"description": source, "title": "Tour du lac"}})).await;
    assert_eq!(
        words(&first, "description"),
        "<p>LE CHEMIN LONGE LE <strong>Lac Bleu</strong> SUR 12,5 km JUSQU’AU VILLAGE. VOIR [ID_OBJET] OU \
        https://lac.fr/a POUR LES HORAIRES DU BAC.</p><ul><li>PRENEZ DE L’EAU POUR TOUTE LA JOURNÉE.</li></ul>"
    );
    assert_eq!(
        (&first["detected"], &first["unexpected"], &first["sent"], &first["known"], &first["service"]),
        (&json!("fr"), &json!(false), &json!(4), &json!(0), &json!("deepl"))
    );
    let body = &service.requests()[0].body;
    assert_eq!((&body["target_lang"], &body["formality"]), (&json!("EN-US"), &json!("prefer_more")));
    let short = service.requests().into_iter().find(|heard| heard.texts() == ["Tour du lac"]).unwrap();
    assert_eq!(short.body["source_lang"], "FR", "of a few words no language is found out");

    let changed = source.replace("Prenez", "Emportez");
    let second = proposed(&editor, json!({"fields": {"description": changed, "title": "Tour du lac"}})).await;
    assert_eq!((&second["sent"], &second["known"]), (&json!(1), &json!(3)), "only the sentence that changed");
    let mut sent = service.texts();
    let count = sent.len();
    sent.sort();
    sent.dedup();
    assert_eq!((sent.len(), count), (5, 5), "no sentence twice");
}

#[app_test]
async fn a_link_that_does_not_come_back_is_reported_and_asked_for_again(app: TestApp) {
    let service = Service::start(|heard, before| {
        let one = |text: &String| {
            let text = if before == 0 { domain::html::plain(text) } else { text.replace("Voir", "See") };
            json!({"detected_source_language": "FR", "text": text})
        };
        json!({"translations": heard.texts().iter().map(one).collect::<Vec<_>>()}).into()
    });
    translator(&app, json!({"base_url": service.url})).await;
    let editor = app.editor_of("morvan");
    let source = "<p>Voir <a href=\"https://lac.fr/a\" rel=\"noopener noreferrer\">les horaires</a> du <strong>bac</strong> du village.</p>";
    for (lost, sent, translated) in [
        (true, 1, "<p>Voir les horaires du bac du village.</p>".to_owned()),
        (false, 1, source.replace("Voir", "See")),
        (false, 0, source.replace("Voir", "See")),
    ] {
        let found = proposed(&editor, json!({"fields": {"description": source}})).await;
        assert_eq!((&found["fields"][0]["lost"], &found["sent"]), (&json!(lost), &json!(sent)));
        assert_eq!(words(&found, "description"), translated);
    }
}

#[app_test]
async fn an_unexpected_language_is_reported_and_can_be_overruled(app: TestApp) {
    let service = deepl();
    translator(&app, json!({"base_url": service.url})).await;
    let editor = app.editor_of("morvan");
    let fields = json!({"title": "Lac", "description": "Around the lake and back to the village of the valley."});
    let found = proposed(&editor, json!({"fields": fields})).await;
    assert_eq!((&found["detected"], &found["unexpected"]), (&json!("en"), &json!(true)));
    let of =
        |field: &str| found["fields"].as_array().unwrap().iter().find(|one| one["field"] == field).unwrap().clone();
    assert_eq!((&of("description")["unexpected"], &of("title")["unexpected"]), (&json!(true), &json!(false)));
    let said = proposed(&editor, json!({"fields": fields, "said": true})).await;
    assert_eq!((&said["detected"], &said["unexpected"]), (&Value::Null, &json!(false)));
    assert_eq!(service.requests().last().unwrap().body["source_lang"], "FR");
}

#[app_test]
async fn a_translation_is_marked_until_a_person_edits_it_or_its_source(app: TestApp) {
    let service = deepl();
    translator(&app, json!({"base_url": service.url})).await;
    let editor = app.editor_of("morvan");
    let lake = made(&editor, "Tour du lac", json!({"summary": {"fr": "Une boucle autour du lac."}})).await;
    let lake = patch(
        &editor,
        &lake,
        json!({"steps": [
        {"kind": "step", "title": {"fr": "Le moulin"}, "position": [4.0, 47.0]}]}),
    )
    .await;
    let step = format!("steps/{}/title", lake["steps"][0]["id"]);
    let fields = json!({"title": "Tour du lac", "summary": "Une boucle autour du lac.", step.clone(): "Le moulin"});
    let found = proposed(&editor, json!({"kind": "parcours", "id": lake["id"], "fields": fields})).await;
    assert_eq!(now(&editor, &lake).await["title"], json!({"fr": "Tour du lac"}), "nothing is written unasked");
    let states = async || -> Vec<String> {
        let path = format!("/api/v1/texts/parcours/{}", lake["id"]);
        let items = app.reader_of("morvan").get(path).await.expect(200).json()["items"].as_array().unwrap().clone();
        items
            .iter()
            .map(|item| format!("{}.{} {}", item["field"], item["language"], item["state"]).replace('"', ""))
            .collect()
    };
    assert_eq!(states().await, ["title.en missing", "summary.en missing", &format!("{step}.en missing")]);
    let accepted = json!({"title": {"en": words(&found, "title")}, "summary": {"en": words(&found, "summary")}});
    let lake = patch(&editor, &lake, accepted).await;
    assert_eq!(states().await, ["title.en machine", "summary.en machine", &format!("{step}.en missing")]);
    let lake =
        patch(&editor, &lake, json!({"title": {"en": "Around the lake"}, "summary": {"fr": "Une grande boucle."}}))
            .await;
    assert_eq!(states().await, ["summary.en stale", &format!("{step}.en missing")], "edited words are a person's");
    // Proposed again and not accepted: the stored text keeps its state.
    proposed(&editor, json!({"kind": "parcours", "id": lake["id"], "fields": {"summary": "Une grande boucle."}})).await;
    assert_eq!(states().await, ["summary.en stale", &format!("{step}.en missing")]);
}

#[app_test]
async fn each_translation_service_gets_requests_in_its_own_format(app: TestApp) {
    let editor = app.editor_of("morvan");
    let text = "Le chemin longe la rivière jusqu’au village de R&D";
    for service in ["libretranslate", "google", "azure"] {
        let stub = Service::start(move |heard, _| match service {
            "libretranslate" => {
                let found: Vec<Value> =
                    heard.texts().iter().map(|_| json!({"confidence": 90.0, "language": "fr"})).collect();
                json!({"translatedText": heard.texts().iter().map(|text| text.to_uppercase()).collect::<Vec<_>>(), "detectedLanguage": found}).into()
            }
            "google" => {
                let one =
                    |text: &String| json!({"translatedText": text.to_uppercase(), "detectedSourceLanguage": "fr"});
                json!({"data": {"translations": heard.texts().iter().map(one).collect::<Vec<_>>()}}).into()
            }
            _ => {
                let one = |text: &Value| {
                    json!({"detectedLanguage": {"language": "fr", "score": 1.0},
                    "translations": [{"text": text["Text"].as_str().unwrap().to_uppercase(), "to": "en"}]})
                };
                heard.body.as_array().unwrap().iter().map(one).collect::<Value>().into()
            }
        });
        let fields = json!({"service": service, "base_url": stub.url, "region": "westeurope"});
        translator(&app, fields).await;
        let found = proposed(&editor, json!({"fields": {"title": text}})).await;
        assert_eq!(
            (words(&found, "title"), &found["detected"]),
            ("LE CHEMIN LONGE LA RIVIÈRE JUSQU’AU VILLAGE DE R&D", &json!("fr")),
            "{service}"
        );
        let heard = stub.requests()[0].clone();
        let key = "279a2e9d-83b3-c416-7e2d-f721593e42a0";
        match service {
            "libretranslate" => assert_eq!(
                heard.body,
                json!({"q": [text], "source": "auto", "target": "en", "format": "text", "api_key": key})
            ),
            "google" => {
                assert_eq!(
                    (heard.path.as_str(), heard.headers["x-goog-api-key"].as_str()),
                    ("/language/translate/v2", key)
                );
                assert_eq!(heard.body, json!({"q": [text], "target": "en", "format": "text"}));
            }
            _ => {
                assert_eq!(heard.path, "/translate?api-version=3.0&to=en&textType=plain");
                assert_eq!(
                    (
                        heard.headers["ocp-apim-subscription-key"].as_str(),
                        heard.headers["ocp-apim-subscription-region"].as_str()
                    ),
                    (key, "westeurope")
                );
                assert_eq!(heard.body, json!([{"Text": text}]));
            }
        }
    }
}

#[app_test]
async fn refusals_of_every_service_are_reported_with_the_same_codes(app: TestApp) {
    let editor = app.editor_of("morvan");
    let body = |text: &str| text.as_bytes().to_vec();
    let cases: [(&str, u16, &str, &str); 15] = [
        ("deepl", 403, "", "translation/key-refused"),
        ("deepl", 456, r#"{"message":"Quota for this billing period has been exceeded."}"#, "translation/quota"),
        ("deepl", 429, "", "translation/too-many-requests"),
        ("deepl", 400, r#"{"message":"Value for 'target_lang' not supported."}"#, "translation/language-unknown"),
        ("deepl", 413, "", "translation/too-large"),
        ("deepl", 503, "", "translation/unreachable"),
        ("deepl", 418, "", "translation/refused"),
        ("deepl", 200, "<html>Bienvenue</html>", "translation/nonsense"),
        (
            "libretranslate",
            400,
            r#"{"error":"Please contact the server operator to get an API key"}"#,
            "translation/key-refused",
        ),
        ("libretranslate", 403, r#"{"error":"Too many request limits violations"}"#, "translation/too-many-requests"),
        ("libretranslate", 403, r#"{"error":"Invalid API key"}"#, "translation/key-refused"),
        ("google", 403, r#"{"error":{"errors":[{"reason":"dailyLimitExceeded"}]}}"#, "translation/quota"),
        (
            "google",
            400,
            r#"{"error":{"message":"API key not valid. Please pass a valid API key."}}"#,
            "translation/key-refused",
        ),
        (
            "azure",
            403,
            r#"{"error":{"code":403001,"message":"The operation isn't allowed because the subscription has exceeded its free quota."}}"#,
            "translation/quota",
        ),
        (
            "azure",
            400,
            r#"{"error":{"code":400036,"message":"The target language is not valid."}}"#,
            "translation/language-unknown",
        ),
    ];
    for (service, status, says, code) in cases {
        let says = body(says);
        let stub = Service::start(move |_, _| Answer(status, Vec::new(), says.clone()));
        translator(&app, json!({"service": service, "base_url": stub.url})).await;
        let asked = json!({"kind": "poi", "source": "fr", "target": "en", "fields": {"title": "Le lac"}});
        let refused = editor.post("/api/v1/translations", asked).await.expect(502);
        assert_eq!(refused.problem().code, code, "{service} {status}");
        assert_eq!(
            stub.requests().len(),
            if matches!(status, 429 | 503) { 3 } else { 1 },
            "{service} {status}: asked again where it helps"
        );
    }
    translator(&app, json!({"base_url": "http://127.0.0.1:9"})).await;
    let asked = json!({"kind": "poi", "source": "fr", "target": "en", "fields": {"title": "Le lac"}});
    assert_eq!(editor.post("/api/v1/translations", asked).await.expect(502).problem().code, "translation/unreachable");
}

#[app_test]
async fn the_key_and_translator_of_a_white_label_have_priority(app: TestApp) {
    let (platform, chosen) = (deepl(), deepl());
    translator(&app, json!({"base_url": platform.url})).await;
    let other = translator(&app, json!({"name": "Leur choix", "base_url": chosen.url, "is_default": false})).await;
    let own = format!("/api/v1/white-labels/{}", app.white_label("morvan").await.0);
    let admin = app.admin_of("morvan");
    admin.clone().with("if-match", "*").patch(&own, json!({"translator_id": other["id"]})).await.expect(200);
    admin
        .clone()
        .with("if-match", "*")
        .put(format!("{own}/translation-key"), json!({"key": "la-leur:fx"}))
        .await
        .expect(204);
    let editor = app.editor_of("morvan");
    proposed(&editor, json!({"fields": {"title": "Le lac"}})).await;
    assert_eq!(chosen.requests()[0].headers["authorization"], "DeepL-Auth-Key la-leur:fx");
    proposed(&app.editor_of("vercors"), json!({"fields": {"title": "Le col"}})).await;
    assert_eq!((platform.requests().len(), chosen.requests().len()), (1, 1), "others have the platform's");
    let taken = app.superadmin().with("if-match", "*").delete(format!("/api/v1/translators/{}", other["id"])).await;
    assert_eq!(taken.expect(409).problem().code, "translation/translator-in-use");
    let unknown = admin.with("if-match", "*").patch(&own, json!({"translator_id": 999})).await.expect(422);
    assert_eq!(unknown.json()["errors"][0]["field"], "/translator_id");
}

#[app_test]
async fn an_invalid_request_is_reported_on_its_field(app: TestApp) {
    let editor = app.editor_of("morvan");
    let send = |body: Value| editor.post("/api/v1/translations", body);
    let none = send(json!({"kind": "poi", "source": "fr", "target": "en", "fields": {"title": "Le lac"}})).await;
    assert_eq!(none.expect(409).problem().code, "translation/no-translator");
    let fault = async |body: Value| {
        let answer = send(body).await.expect(422).json();
        (
            answer["errors"][0]["code"].as_str().unwrap().to_owned(),
            answer["errors"][0]["field"].as_str().unwrap().to_owned(),
        )
    };
    let of = |source: &str, target: &str, fields: Value| json!({"kind": "poi", "source": source, "target": target, "fields": fields});
    let pair = |code: &str, field: &str| (code.to_owned(), field.to_owned());
    assert_eq!(fault(of("fr", "fr", json!({}))).await, pair("translation/same-language", "/target"));
    assert_eq!(fault(of("fr", "xx", json!({}))).await, pair("validation/unknown-language", "/target"));
    assert_eq!(fault(of("fr", "en", json!({"location": "x"}))).await, pair("validation/unknown-field", "/fields"));
    assert_eq!(
        fault(of("fr", "en", json!({"title": "x".repeat(400_001)}))).await,
        pair("validation/too-long", "/fields")
    );
    let theirs = app.poi().owned_by("vercors").published().insert().await;
    let body = json!({"kind": "poi", "id": theirs.id, "source": "fr", "target": "en", "fields": {"title": "Le lac"}});
    let status = send(body).await.status.as_u16();
    assert!(matches!(status, 403 | 404), "{status}");
    assert_eq!(Kind::Translator.code(), 16, "a number that never changes");
    // A service that hangs up, and one that sends elsewhere: the key goes nowhere else.
    let away = Service::start(|_, _| Answer(302, vec!["Location: http://127.0.0.1:9/".to_owned()], Vec::new()));
    translator(&app, json!({"base_url": away.url})).await;
    let refused = send(of("fr", "en", json!({"title": "Le lac"}))).await.expect(502);
    assert_eq!(refused.problem().code, "translation/refused");
    assert!(deepl_response(&away.requests()[0]).0 == 200);
}

//! Many sheets translated by a job: batches of fifty, no sentence twice, and nothing lost when the service fails.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant as Clock};

use api::translation::work;
use domain::job::JobState;
use domain::parcours::Sheet;
use domain::{Instant, Text, WhiteLabelId};
use macros::app_test;
use serde_json::{Value, json};
use store::job::JobFilter;
use store::parcours::{Change, NewParcours};
use testkit::{Client, TestApp, until};

use crate::parcours_kit::{made, now, patch, shared};
use crate::service_kit::{Service, deepl, deepl_response, proposed, refusal, translator, words};

/// Parcours with a title and three sentences each, one of which all share.
async fn parcours(app: &TestApp, count: usize) {
    let white_label_id: WhiteLabelId = app.white_label("morvan").await;
    let languages = ["fr".to_owned(), "en".to_owned()];
    let change = Change { by: None, at: Instant(1_795_161_600), reason: Some("import"), languages: &languages };
    let tx = app.store().begin().await.unwrap();
    for number in 1..=count {
        let description = format!(
            "<p>Le parcours numéro {number} part de la place du village. Suivez la rive du lac numéro {number} sur 12 km. \
            Tenez les chiens en laisse dans la réserve.</p>"
        );
        let sheet = Sheet {
            title: Text::in_french(format!("Boucle du vallon {number}")),
            description: Text::in_french(description),
            ..Sheet::default()
        };
        let new = NewParcours { white_label_id, published: false, sheet, steps: Vec::new(), trace: None };
        store::parcours::insert(&tx, &new, change).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn started(by: &Client, fields: Value) -> Value {
    let mut body = json!({"kind": "parcours", "source": "fr", "target": "en"});
    if let (Some(body), Value::Object(fields)) = (body.as_object_mut(), fields) {
        body.extend(fields);
    }
    by.post("/api/v1/translation-jobs", body).await.expect(202).json()
}

async fn job(by: &Client, job: &Value) -> Value {
    by.get(format!("/api/v1/translation-jobs/{}", job["id"])).await.expect(200).json()
}

async fn lines(by: &Client, job: &Value) -> Vec<Value> {
    let path = format!("/api/v1/translation-jobs/{}/lines?per_page=200", job["id"]);
    by.get(path).await.expect(200).json()["items"].as_array().unwrap().clone()
}

/// How often each text was translated: those of questions that were refused are not counted.
fn translated(service: &Service, refused: &HashSet<usize>) -> HashMap<String, usize> {
    let mut times = HashMap::new();
    for (at, heard) in service.requests().iter().enumerate() {
        assert!(heard.texts().len() <= 50, "a batch of {}", heard.texts().len());
        if !refused.contains(&at) {
            heard.texts().into_iter().for_each(|text| *times.entry(text).or_insert(0) += 1);
        }
    }
    times
}

#[app_test]
async fn a_thousand_sheets_are_translated_despite_refusals_and_no_sentence_is_sent_twice(app: TestApp) {
    // Too many requests once (asked again), three times (the job waits), and a quota in the middle (an editor lets it go on).
    let refusals = |at: usize| match at {
        7 | 20..=22 => Some(429),
        35 => Some(456),
        _ => None,
    };
    let service = Service::start(move |heard, at| refusals(at).map_or_else(|| deepl_response(heard), refusal));
    translator(&app, json!({"base_url": service.url})).await;
    parcours(&app, 1_000).await;
    let editor = app.editor_of("morvan");
    let begun = Clock::now();
    let all = json!({"kind": "parcours", "source": "fr", "target": "en"});
    let cost = |body: Value| editor.post("/api/v1/translation-jobs/estimate", body);
    let before = cost(all.clone()).await.expect(200).json();
    assert_eq!((&before["sheets"], &before["texts"], &before["sent"]), (&json!(1_000), &json!(2_000), &json!(3_001)));
    assert!(service.requests().is_empty(), "telling the cost asks the service nothing");
    let run = started(&editor, json!({})).await;
    assert_eq!((&run["total"], &run["everything"]), (&json!(1_000), &json!(true)));
    work::settle(app.app()).await.unwrap();
    let waiting = job(&editor, &run).await;
    assert_eq!(
        (&waiting["state"], &waiting["failure"]["code"]),
        (&json!("running"), &json!("translation/too-many-requests"))
    );
    assert!(waiting["waits_until"].is_string(), "{waiting}");
    app.clock().advance_s(61);
    work::settle(app.app()).await.unwrap();
    let paused = job(&editor, &run).await;
    assert_eq!((&paused["state"], &paused["failure"]["code"]), (&json!("paused"), &json!("translation/quota")));
    assert!(paused["done"].as_i64().unwrap() > 0, "what was done is done: {paused}");
    editor.post(format!("/api/v1/translation-jobs/{}/resumption", run["id"]), json!({})).await.expect(204);
    work::settle(app.app()).await.unwrap();
    let took = begun.elapsed();

    let done = job(&editor, &run).await;
    let counts = &done["counts"];
    assert_eq!(
        (&done["state"], &counts["translated"], &counts["failed"]),
        (&json!("done"), &json!(1_000), &json!(0)),
        "{done}"
    );
    let refused: HashSet<usize> = (0..service.requests().len()).filter(|at| refusals(*at).is_some()).collect();
    let times = translated(&service, &refused);
    // A title and two sentences each, and the one they share.
    assert_eq!((times.len(), times.values().max()), (3_001, Some(&1)), "no sentence twice");
    assert_eq!((&counts["sent"], refused.len()), (&json!(3_001), 5));
    assert_eq!(counts["characters"], before["characters"], "the cost is that of the estimate");
    let after = cost(all).await.expect(200).json();
    assert_eq!((&after["texts"], &after["characters"]), (&json!(0), &json!(0)));
    let page = editor.get("/api/v1/parcours?search=boucle&per_page=1").await.expect(200).json();
    let one = editor.get(format!("/api/v1/parcours/{}", page["items"][0]["id"])).await.expect(200).json();
    let words = one["description"]["en"].as_str().unwrap();
    assert!(words.contains("SUR 12 km. TENEZ LES CHIENS EN LAISSE"), "{words}");
    let asked = service.requests().len();
    #[expect(clippy::print_stdout, reason = "the figure is what is asked for")]
    {
        println!("1,000 sheets, 3,001 sentences, {asked} requests of which 5 refused, in {took:.1?}");
    }

    let again = started(&editor, json!({})).await;
    work::settle(app.app()).await.unwrap();
    let again = job(&editor, &again).await;
    assert_eq!((&again["counts"]["unchanged"], &again["counts"]["sent"]), (&json!(1_000), &json!(0)));
    assert_eq!(service.requests().len(), asked, "nothing to ask");
}

#[app_test]
async fn a_killed_server_continues_where_it_stopped(app: TestApp) {
    let service = Service::start(|heard, at| if at == 4 { refusal(403) } else { deepl_response(heard) });
    translator(&app, json!({"base_url": service.url})).await;
    parcours(&app, 130).await;
    let editor = app.editor_of("morvan");
    let run = started(&editor, json!({})).await;
    // The service refuses the key in the middle of the first step: what it said before is kept.
    work::step(app.app()).await.unwrap();
    let paused = job(&editor, &run).await;
    assert_eq!(
        (&paused["state"], &paused["failure"]["code"], &paused["done"]),
        (&json!("paused"), &json!("translation/key-refused"), &json!(0))
    );
    editor.post(format!("/api/v1/translation-jobs/{}/resumption", run["id"]), json!({})).await.expect(204);
    // Another server over the same database.
    let other = app.changed(|_| ());
    work::settle(other.app()).await.unwrap();
    let done = job(&editor, &run).await;
    assert_eq!((&done["state"], &done["counts"]["translated"]), (&json!("done"), &json!(130)));
    let times = translated(&service, &HashSet::from([4]));
    assert_eq!((times.len(), times.values().max()), (391, Some(&1)));
    let over = editor.post(format!("/api/v1/translation-jobs/{}/resumption", run["id"]), json!({})).await;
    assert_eq!(over.expect(409).problem().code, "translation/job-over");
}

/// The jobs of translations, the newest first: state, reason, leases.
async fn jobs(app: &TestApp) -> Vec<(JobState, Option<String>, i64)> {
    let filter = JobFilter { kind: Some("translation".to_owned()), ..JobFilter::default() };
    let jobs = store::job::list(app.store().read(), &filter, None, 10).await.unwrap();
    jobs.into_iter().map(|job| (job.state, job.reason.map(|reason| reason.code), job.lease)).collect()
}

#[app_test]
async fn two_servers_run_a_translation_once_and_pay_for_each_sentence_once(app: TestApp) {
    let service = deepl();
    translator(&app, json!({"base_url": service.url})).await;
    parcours(&app, 130).await;
    let editor = app.editor_of("morvan");
    let run = started(&editor, json!({})).await;
    let other = app.changed(|_| ());
    let (first, second) = tokio::join!(work::settle(app.app()), work::settle(other.app()));
    first.unwrap();
    second.unwrap();
    let done = job(&editor, &run).await;
    assert_eq!((&done["state"], &done["counts"]["translated"]), (&json!("done"), &json!(130)), "{done}");
    assert_eq!(lines(&editor, &run).await.len(), 130, "each sheet once");
    let times = translated(&service, &HashSet::new());
    assert_eq!((times.len(), times.values().max()), (391, Some(&1)));
    // Two steps, and a last step that finds nothing left.
    assert_eq!(jobs(&app).await, [(JobState::Done, None, 3)]);

    // More parcours, and two users ask at once: each server runs one job.
    parcours(&app, 60).await;
    for _ in 0..2 {
        started(&editor, json!({})).await;
    }
    let (first, second) = tokio::join!(work::settle(app.app()), work::settle(other.app()));
    first.unwrap();
    second.unwrap();
    let list = editor.get("/api/v1/translation-jobs").await.expect(200).json();
    let states: Vec<&Value> = list["items"].as_array().unwrap().iter().map(|job| &job["state"]).collect();
    assert_eq!(states, ["done", "done", "done"], "{list}");
    let times = translated(&service, &HashSet::new());
    assert_eq!(times.values().max(), Some(&1), "no sentence is paid twice");
}

#[app_test]
async fn a_translation_of_a_dead_server_continues_after_a_minute_and_pays_at_most_one_batch_twice(app: TestApp) {
    // The third question is never answered in time.
    let open = Arc::new(AtomicBool::new(false));
    let gate = Arc::clone(&open);
    let service = Service::start(move |heard, at| {
        while at == 2 && !gate.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        deepl_response(heard)
    });
    translator(&app, json!({"base_url": service.url})).await;
    parcours(&app, 130).await;
    let editor = app.editor_of("morvan");
    let run = started(&editor, json!({})).await;
    let dying = app.changed(|_| ());
    let died = tokio::spawn({
        let dying = dying.clone();
        async move { work::settle(dying.app()).await }
    });
    until("the service got three requests", async || service.requests().len() >= 3).await;
    died.abort();
    let next = app.changed(|_| ());
    work::settle(next.app()).await.unwrap();
    assert_eq!((&job(&editor, &run).await["done"], service.requests().len()), (&json!(0), 3), "its lease holds");
    next.clock().advance_s(61);
    work::settle(next.app()).await.unwrap();
    let done = job(&editor, &run).await;
    assert_eq!((&done["state"], &done["counts"]["translated"]), (&json!("done"), &json!(130)), "{done}");
    let in_flight: HashSet<String> = service.requests()[2].texts().into_iter().collect();
    let times = translated(&service, &HashSet::new());
    assert_eq!(times.len(), 391);
    for (text, times) in times {
        assert_eq!(times, if in_flight.contains(&text) { 2 } else { 1 }, "{text}");
    }
    // The server that lost its lease receives its answer late: it writes nothing.
    open.store(true, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(job(&editor, &run).await, done);
    assert_eq!(lines(&editor, &run).await.len(), 130);
    assert_eq!(jobs(&app).await.len(), 1);
}

#[app_test]
async fn a_translation_that_a_service_refuses_is_a_failed_job_that_is_tried_again(app: TestApp) {
    let service = Service::start(|heard, at| if at == 0 { refusal(456) } else { deepl_response(heard) });
    translator(&app, json!({"base_url": service.url})).await;
    parcours(&app, 3).await;
    let (editor, admin) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let run = started(&editor, json!({})).await;
    work::settle(app.app()).await.unwrap();
    assert_eq!(jobs(&app).await, [(JobState::Dead, Some("translation/quota".to_owned()), 1)]);
    let paused = job(&editor, &run).await;
    assert_eq!((&paused["state"], &paused["failure"]["code"]), (&json!("paused"), &json!("translation/quota")));
    let dead = admin.get("/api/v1/jobs?kind=translation").await.expect(200).json()["items"][0]["id"].clone();
    admin.post(format!("/api/v1/jobs/{dead}/retry"), json!({})).await.expect(200);
    assert_eq!(job(&editor, &run).await["state"], "running");
    work::settle(app.app()).await.unwrap();
    assert_eq!(job(&editor, &run).await["counts"]["translated"], 3);

    // A job that an administrator cancels before it starts is cancelled for its editors too.
    let run = started(&editor, json!({})).await;
    let waiting = admin.get("/api/v1/jobs?kind=translation&state=waiting").await.expect(200).json();
    admin.post(format!("/api/v1/jobs/{}/cancel", waiting["items"][0]["id"]), json!({})).await.expect(200);
    assert_eq!(job(&editor, &run).await["state"], "cancelled");
}

#[app_test]
async fn texts_written_by_people_are_kept_and_stale_translations_are_renewed(app: TestApp) {
    let service = deepl();
    translator(&app, json!({"base_url": service.url})).await;
    let editor = app.editor_of("morvan");
    let fields = json!({"subtitle": {"fr": "Une boucle au bord de l’eau", "en": "Ours"}, "price_includes": {}});
    let lake = made(&editor, "Tour du lac", fields).await;
    let other = shared(&app.editor_of("vercors"), "Pas à eux").await;
    let closed = made(&app.editor_of("vercors"), "Un brouillon d’ailleurs", json!({})).await;
    let unchanged = made(&editor, "Tour", json!({"title": {"fr": "Tour", "en": "Round"}})).await;
    let ids = json!({"ids": [lake["id"], lake["id"], unchanged["id"], closed["id"], 9_999]});
    let run = started(&editor, ids).await;
    assert_eq!(run["total"], 2, "once each, without what the person does not see");
    work::settle(app.app()).await.unwrap();
    let after = now(&editor, &lake).await;
    assert_eq!((&after["title"]["en"], &after["subtitle"]["en"]), (&json!("TOUR DU LAC"), &json!("Ours")));
    let done = job(&editor, &run).await;
    assert_eq!((&done["counts"]["translated"], &done["counts"]["unchanged"]), (&json!(1), &json!(1)));
    let found = lines(&editor, &run).await;
    assert_eq!((&found[0]["fields"], &found[0]["title"]), (&json!(["title"]), &json!("Tour du lac")));
    assert_eq!(found.len(), 1);
    let history = editor.get(format!("/api/v1/parcours/{}/revisions", lake["id"])).await.expect(200).json();
    assert_eq!(history["items"][0]["reason"], "translation");

    patch(&editor, &after, json!({"title": {"fr": "Grand tour du lac"}, "subtitle": {"fr": "Au bord de l’eau"}})).await;
    let theirs = json!({"ids": [lake["id"], other["id"]]});
    let again = started(&editor, theirs).await;
    work::settle(app.app()).await.unwrap();
    let after = now(&editor, &lake).await;
    assert_eq!((&after["title"]["en"], &after["subtitle"]["en"]), (&json!("GRAND TOUR DU LAC"), &json!("Ours")));
    let found = lines(&editor, &again).await;
    assert_eq!(
        (&found[0]["outcome"], &found[0]["notes"][0]["code"]),
        (&json!("kept"), &json!("translation/sheet-not-yours"))
    );
    assert_eq!(found[0]["title"], "");
    assert_eq!(now(&app.editor_of("vercors"), &other).await["title"]["en"], Value::Null);
}

#[app_test]
async fn a_text_in_another_language_or_too_long_is_skipped_and_reported(app: TestApp) {
    let long = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&long);
    let service = Service::start(move |heard, _| {
        count.fetch_add(1, Ordering::Relaxed);
        let one = |text: &String| {
            let detected = if text.contains("the ") { "EN" } else { "FR" };
            let text = if text.contains("vallon") { "x".repeat(201) } else { text.to_uppercase() };
            json!({"detected_source_language": detected, "text": text})
        };
        json!({"translations": heard.texts().iter().map(one).collect::<Vec<_>>()}).into()
    });
    translator(&app, json!({"base_url": service.url})).await;
    let editor = app.editor_of("morvan");
    let english = made(&editor, "Around the lake and back to the village", json!({})).await;
    let tight = made(&editor, "La boucle du vallon des sources claires", json!({})).await;
    let run = started(&editor, json!({"ids": [english["id"], tight["id"]]})).await;
    work::settle(app.app()).await.unwrap();
    let found = lines(&editor, &run).await;
    let of = |id: &Value| found.iter().find(|line| line["record_id"] == *id).unwrap();
    assert_eq!(of(&english["id"])["outcome"], "kept");
    let note = &of(&english["id"])["notes"][0];
    assert_eq!(
        (&note["code"], &note["params"], &note["field"]),
        (&json!("translation/other-language"), &json!({"found": "en", "expected": "fr"}), &json!("title"))
    );
    let tight_line = of(&tight["id"]);
    assert_eq!(
        (&tight_line["outcome"], &tight_line["notes"][0]["code"]),
        (&json!("failed"), &json!("validation/too-long"))
    );
    assert_eq!(now(&editor, &tight).await["title"], json!({"fr": "La boucle du vallon des sources claires"}));
    assert!(long.load(Ordering::Relaxed) > 0);
}

#[app_test]
async fn an_answer_without_a_translation_is_neither_written_nor_used_again(app: TestApp) {
    let editor = app.editor_of("morvan");
    for (number, bad) in [String::new(), "x".repeat(300_000)].into_iter().enumerate() {
        let is_sound = Arc::new(AtomicBool::new(false));
        let sound = Arc::clone(&is_sound);
        let service = Service::start(move |heard, _| {
            if sound.load(Ordering::Relaxed) {
                return deepl_response(heard);
            }
            let one = |_: &String| json!({"detected_source_language": "FR", "text": bad});
            json!({"translations": heard.texts().iter().map(one).collect::<Vec<_>>()}).into()
        });
        translator(&app, json!({"base_url": service.url})).await;
        let title = format!("La boucle du moulin de la rivière {number}");
        let lake = made(&editor, &title, json!({})).await;
        let run = started(&editor, json!({"ids": [lake["id"]]})).await;
        work::settle(app.app()).await.unwrap();
        let found = lines(&editor, &run).await;
        assert_eq!(
            (&found[0]["outcome"], &found[0]["notes"][0]["code"], &found[0]["notes"][0]["field"]),
            (&json!("kept"), &json!("translation/lost"), &json!("title"))
        );
        assert_eq!(now(&editor, &lake).await["title"], json!({"fr": title}), "the French is no translation");

        is_sound.store(true, Ordering::Relaxed);
        let run = started(&editor, json!({"ids": [lake["id"]]})).await;
        work::settle(app.app()).await.unwrap();
        let done = job(&editor, &run).await;
        assert_eq!((&done["counts"]["translated"], &done["counts"]["sent"]), (&json!(1), &json!(1)), "{done}");
        assert_eq!(now(&editor, &lake).await["title"]["en"], json!(title.to_uppercase()));

        // An older version stored such answers.
        let tx = app.store().begin().await.unwrap();
        store::server::run_sql(&tx, "UPDATE translation_memory SET words = ''").await.unwrap();
        tx.commit().await.unwrap();
        let again = proposed(&editor, json!({"kind": "parcours", "fields": {"title": title}})).await;
        assert_eq!((words(&again, "title"), &again["sent"]), (title.to_uppercase().as_str(), &json!(1)));
    }
}

#[app_test]
async fn the_list_finds_the_parcours_whose_english_is_older_than_the_french(app: TestApp) {
    let service = deepl();
    translator(&app, json!({"base_url": service.url})).await;
    let editor = app.editor_of("morvan");
    let changed = made(&editor, "La boucle du vallon des sources claires", json!({})).await;
    let same = made(&editor, "La boucle du moulin de la rivière", json!({})).await;
    let typed =
        made(&editor, "Le tour du lac", json!({"title": {"fr": "Le tour du lac", "en": "Around the lake"}})).await;
    let run = started(&editor, json!({"ids": [changed["id"], same["id"]]})).await;
    work::settle(app.app()).await.unwrap();
    assert_eq!(job(&editor, &run).await["counts"]["translated"], 2);
    let stale = || crate::parcours_kit::titles(&editor, "stale=en");
    assert!(stale().await.is_empty());
    for (parcours, title) in [(&changed, "La boucle des sources"), (&typed, "Le grand tour du lac")] {
        let now = now(&editor, parcours).await;
        let english = now["title"]["en"].clone();
        patch(&editor, &now, json!({"title": {"fr": title, "en": english}})).await;
    }
    // For a text that a person typed, the French text that it was made from is unknown.
    assert_eq!(stale().await, ["La boucle des sources"]);
    assert!(crate::parcours_kit::titles(&editor, &format!("stale=en&ids={}", same["id"])).await.is_empty());
    assert!(crate::parcours_kit::titles(&app.editor_of("vercors"), "stale=en").await.is_empty());
    editor.get("/api/v1/parcours?stale=xx").await.expect(400);
}

#[app_test]
async fn a_job_is_stopped_and_the_kinds_it_takes_are_reported(app: TestApp) {
    let service = deepl();
    translator(&app, json!({"base_url": service.url})).await;
    let editor = app.editor_of("morvan");
    let mill = app.poi().owned_by("morvan").titled("Le moulin de la rivière").insert().await;
    let run = started(&editor, json!({"kind": "poi", "filter": {"search": "moulin"}})).await;
    editor.post(format!("/api/v1/translation-jobs/{}/cancellation", run["id"]), json!({})).await.expect(204);
    assert_eq!(job(&editor, &run).await["cancelling"], true);
    work::settle(app.app()).await.unwrap();
    let stopped = job(&editor, &run).await;
    assert_eq!((&stopped["state"], &stopped["done"]), (&json!("cancelled"), &json!(0)));
    assert_eq!(jobs(&app).await[0].0, JobState::Cancelled);
    assert!(service.requests().is_empty());
    let run = started(&editor, json!({"kind": "poi", "filter": {"search": "moulin"}})).await;
    work::settle(app.app()).await.unwrap();
    assert_eq!(job(&editor, &run).await["counts"]["translated"], 1);
    let poi = editor.get(format!("/api/v1/pois/{}", mill.id)).await.expect(200).json();
    assert_eq!(poi["title"]["en"], "LE MOULIN DE LA RIVIÈRE");
    let list = editor.get("/api/v1/translation-jobs").await.expect(200).json();
    assert_eq!((&list["total"], &list["items"][0]["id"]), (&json!(2), &run["id"]));
    assert_eq!(list["translates"], true);
    for (kind, filter, code, field) in [
        ("poi", json!({"owner": "nobody"}), "validation/bad-filter", "/filter/owner"),
        ("parcours", json!({"practice": "1,x"}), "validation/bad-filter", "/filter/practice"),
        ("parcours", json!({"search": 3}), "request/bad-field", "/filter/search"),
        ("poi", json!({"serch": "moulin"}), "request/bad-field", "/filter/serch"),
    ] {
        let body = json!({"kind": kind, "filter": filter, "source": "fr", "target": "en"});
        let refused = editor.post("/api/v1/translation-jobs", body).await.expect(422).problem();
        let (found, at) = refused.errors.first().map_or_else(
            || (refused.code.clone(), refused.field.clone().unwrap_or_default()),
            |fault| (fault.code.clone(), fault.field.clone()),
        );
        assert_eq!((found.as_str(), at.as_str()), (code, field));
    }
    let body = json!({"kind": "closure", "source": "fr", "target": "en"});
    let answer = editor.post("/api/v1/translation-jobs", body).await.expect(422).json();
    assert_eq!(
        (&answer["errors"][0]["code"], &answer["errors"][0]["field"]),
        (&json!("translation/kind"), &json!("/kind"))
    );
}

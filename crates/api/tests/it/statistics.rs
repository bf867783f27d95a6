//! Statistics: events are received, figures are read, and no personal data is stored.

use std::io::Write;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::Method;
use domain::{DAY_S, HOUR_S, TimeZone, TrustedProxies};
use macros::app_test;
use public::statistics::settle;
use serde_json::{Value, json};
use testkit::{Client, Reply, TestApp};
use tokio::task::JoinSet;

use crate::parcours_kit::{eastward, gpx, imported, made, now, path, published};

const EVENTS: &str = "/api/public/v1/events";
const FIGURES: &str = "/api/v1/statistics";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

/// A visitor with a browser.
fn visitor(app: &TestApp) -> Client {
    app.anonymous().with("user-agent", FIREFOX)
}

/// A published parcours of the Morvan, with a line.
async fn published_parcours(app: &TestApp, title: &str) -> Value {
    let editor = app.editor_of("morvan");
    let parcours = made(&editor, title, json!({})).await;
    imported(&editor, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
    let parcours = now(&editor, &parcours).await;
    published(&editor, &parcours).await
}

async fn sent(by: &Client, events: Value) -> Reply {
    by.post(EVENTS, json!({ "events": events })).await
}

async fn figures(by: &Client, query: &str) -> Value {
    by.get(format!("{FIGURES}?{query}")).await.expect(200).json()
}

async fn groups(by: &Client, query: &str) -> Vec<(String, i64)> {
    let found = by.get(format!("{FIGURES}/breakdown?{query}")).await.expect(200).json();
    let row = |row: &Value| (row["key"].as_str().unwrap().to_owned(), row["counts"]["total"].as_i64().unwrap());
    found["rows"].as_array().unwrap().iter().map(row).collect()
}

fn keys(rows: &[(&str, i64)]) -> Vec<(String, i64)> {
    rows.iter().map(|(key, total)| ((*key).to_owned(), *total)).collect()
}

#[app_test]
async fn events_are_counted_by_origin_and_language(app: TestApp) {
    let app = app.changed(|parts| parts.settings.country_header = Some("x-country".to_owned()));
    let (lake, hill) = (published_parcours(&app, "Tour du lac").await, published_parcours(&app, "Tour du mont").await);
    let view = |of: &Value, lang: &str| json!({"kind": "view", "parcours_id": of["id"], "language": lang});
    let found = json!({"kind": "view", "parcours_id": lake["id"], "language": "fr-FR", "referrer": "https://Exemple.fr/ou?q=marie"});
    let french = visitor(&app).with("x-country", "fr");
    sent(&french, json!([found, view(&lake, "fr"), view(&hill, "en")])).await.expect(200);
    let elsewhere = visitor(&app).with("x-country", "T1");
    let reply = sent(
        &elsewhere,
        json!([
            {"kind": "widget_view", "parcours_id": lake["id"]},
            {"kind": "guidance", "parcours_id": lake["id"]},
            {"kind": "share", "parcours_id": lake["id"], "source": "app"},
        ]),
    );
    assert_eq!(reply.await.expect(200).json(), json!({"kept": 3, "left_out": 0}));

    let reader = app.reader_of("morvan");
    let totals = figures(&reader, "").await["totals"].clone();
    assert_eq!(
        totals,
        json!({"total": 6, "view": 3, "widget_view": 1, "download": 0, "share": 1, "pdf": 0, "guidance": 1})
    );
    assert_eq!(groups(&reader, "by=country").await, keys(&[("unknown", 3), ("FR", 3)]));
    assert_eq!(groups(&reader, "by=language").await, keys(&[("unknown", 3), ("fr", 2), ("en", 1)]));
    assert_eq!(groups(&reader, "by=source").await, keys(&[("public_page", 3), ("app", 2), ("widget", 1)]));
    assert_eq!(groups(&reader, "by=referrer").await, keys(&[("exemple.fr", 1)]));
    let (lake_id, hill_id) = (lake["id"].to_string(), hill["id"].to_string());
    assert_eq!(groups(&reader, "by=parcours").await, keys(&[(&lake_id, 5), (&hill_id, 1)]));
    assert_eq!(groups(&reader, "by=parcours&country=FR&language=fr").await, keys(&[(&lake_id, 2)]));
    assert_eq!(groups(&reader, "by=parcours&limit=1").await, keys(&[(&lake_id, 5)]));
    let named = reader.get(format!("{FIGURES}/breakdown?by=white_label")).await.expect(200).json();
    assert_eq!(named["rows"][0]["name"], "Morvan");
    assert_eq!(figures(&reader, &format!("parcours_id={hill_id}")).await["totals"]["total"], 1);
    assert_eq!(groups(&reader, "by=parcours&kind=guidance").await, keys(&[(&lake_id, 1)]));
    assert_eq!(figures(&reader, "country=unknown&source=widget").await["totals"]["total"], 1);

    let map = reader.get(format!("{FIGURES}/map")).await.expect(200).json();
    assert_eq!(map["points"][0]["title"]["fr"], "Tour du lac");
    assert_eq!(
        (map["points"][0]["position"].clone(), map["points"][1]["counts"]["total"].clone()),
        (json!([4.0, 47.0]), json!(1))
    );
    let table = app.editor_of("morvan").get(format!("{FIGURES}/export.csv?by=parcours")).await.expect(200);
    assert!(table.header("content-disposition").contains("statistiques-parcours-"));
    assert_eq!(
        table.text(),
        format!(
            "\u{feff}parcours;name;total;total_before\r\n{lake_id};Tour du lac;5;0\r\n{hill_id};Tour du mont;1;0\r\n"
        )
    );
    let days = app.editor_of("morvan").get(format!("{FIGURES}/export.csv")).await.expect(200).text();
    assert!(days.ends_with(";3;1;0;1;0;1;6\r\n") && days.lines().count() == 2, "{days}");
}

/// 08:00 in UTC is 19:00 in Nouméa, where midnight comes five hours later.
#[app_test]
async fn events_are_counted_on_the_day_of_the_time_zone(app: TestApp) {
    let app = app.changed(|parts| parts.settings.time_zone = TimeZone::parse("Pacific/Noumea").unwrap());
    let lake = published_parcours(&app, "Tour du lac").await;
    let view = json!([{"kind": "view", "parcours_id": lake["id"], "referrer": "https://exemple.fr/"}]);
    sent(&visitor(&app), view.clone()).await.expect(200);
    app.clock().advance_s(6 * HOUR_S);
    sent(&visitor(&app), view).await.expect(200);
    let reader = app.reader_of("morvan");
    let shown = figures(&reader, "").await;
    assert_eq!(
        (&shown["first_day"], &shown["period"]["to"], &shown["totals"]["view"]),
        (&json!("2026-11-20"), &json!("2026-11-21"), &json!(2))
    );
    for day in ["2026-11-20", "2026-11-21"] {
        let query = format!("from={day}&to={day}");
        assert_eq!(figures(&reader, &query).await["totals"]["view"], 1, "{day}");
        assert_eq!(groups(&reader, &format!("by=referrer&{query}")).await, keys(&[("exemple.fr", 1)]), "{day}");
    }
}

#[app_test]
async fn a_period_is_reported_beside_the_previous_one(app: TestApp) {
    let lake = published_parcours(&app, "Tour du lac").await;
    let view = json!([{"kind": "view", "parcours_id": lake["id"]}]);
    let reader = app.reader_of("morvan");
    assert_eq!(figures(&reader, "").await["first_day"], Value::Null);
    for (days, count) in [(0, 1), (2, 2), (9, 3)] {
        app.clock().advance_s(days * DAY_S);
        for _ in 0..count {
            sent(&visitor(&app), view.clone()).await.expect(200);
        }
    }
    // A new application starts its clock anew, at the first of these days, on which people's sessions hold.
    let first_day = app.changed(|_| {});
    let reader = first_day.reader_of("morvan");
    let first = figures(&reader, "").await;
    assert_eq!(first["totals"]["view"], 1);
    let start = first["period"]["to"].as_str().unwrap();
    assert_eq!(first["first_day"], start);
    let start = domain::statistics::Day::parse(start).unwrap();
    let query = |from: i64, to: i64| format!("from={}&to={}", start.plus(from), start.plus(to));

    // Twelve days in all: one view on the first, two on the third, three on the last.
    let found = figures(&reader, &query(2, 11)).await;
    assert_eq!((found["totals"]["total"].clone(), found["totals_before"]["total"].clone()), (json!(5), json!(1)));
    let points: Vec<i64> =
        found["points"].as_array().unwrap().iter().map(|p| p["counts"]["view"].as_i64().unwrap()).collect();
    assert_eq!(points, [2, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
    let before: Vec<i64> =
        found["points"].as_array().unwrap().iter().map(|p| p["before"]["view"].as_i64().unwrap()).collect();
    assert_eq!(before, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    let rows = reader.get(format!("{FIGURES}/breakdown?{}", query(2, 11))).await.expect(200).json();
    assert_eq!(rows["rows"][0]["total_before"], 1);

    for (query, code) in [
        ("from=2026-05-02&to=2026-05-01", "statistics/bad-period"),
        ("from=2001-01-01&to=2026-05-01", "statistics/bad-period"),
    ] {
        assert_eq!(reader.get(format!("{FIGURES}?{query}")).await.expect(422).problem().code, code, "{query}");
    }
    for query in ["from=2026-02-30", "source=telepathy", "white_label_id=x"] {
        assert_eq!(
            reader.get(format!("{FIGURES}?{query}")).await.expect(400).problem().code,
            "request/bad-query",
            "{query}"
        );
    }
}

#[app_test]
async fn nothing_stored_identifies_a_visitor(app: TestApp) {
    const ADDRESS: &str = "203.0.113.77";
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);
    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let app = app.changed(|parts| {
        parts.settings.trusted_proxies = TrustedProxies::Hops(1);
        parts.settings.country_header = Some("x-country".to_owned());
    });
    let lake = published_parcours(&app, "Tour du lac").await;
    let log = Log::default();
    let writer = {
        let log = log.clone();
        move || log.clone()
    };
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(writer).finish();
    let listening = testkit::listen(subscriber);
    let marie = visitor(&app)
        .with("x-forwarded-for", ADDRESS)
        .with("x-real-ip", ADDRESS)
        .with("cookie", "suivi=marie-dupont")
        .with("referer", "https://exemple.fr/marie-dupont")
        .with("x-country", "CH");
    let referrer = format!("http://{ADDRESS}/marie-dupont");
    let reply = sent(
        &marie,
        json!([
            {"kind": "view", "parcours_id": lake["id"], "referrer": referrer},
            {"kind": "view", "parcours_id": lake["id"], "referrer": "https://exemple.fr/marie-dupont?mail=marie-dupont"},
        ]),
    );
    let reply = reply.await.expect(200);
    sent(&marie, json!([{"kind": "forged", "parcours_id": lake["id"]}])).await.expect(422);
    marie.get(format!("/p/tour-du-lac-{}/trace.gpx", lake["id"])).await.expect(200);
    settle(app.app()).await;
    drop(listening);

    assert!(reply.headers.get("set-cookie").is_none(), "no cookie is set");
    let database = store::server::every_row(app.store().read()).await.unwrap();
    assert!(database.contains("exemple.fr") && database.contains("CH"), "the events are there");
    let log = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(log.contains(EVENTS), "the log speaks of the request: {log}");
    for (place, text) in [("database", &database), ("log", &log)] {
        for word in [ADDRESS, "marie-dupont", FIREFOX] {
            assert!(!text.contains(word), "the {place} has {word}");
        }
    }
}

#[app_test]
async fn forged_events_are_refused_in_words_and_none_of_their_batch_is_kept(app: TestApp) {
    let lake = published_parcours(&app, "Tour du lac").await;
    let editor = app.editor_of("morvan");
    let draft = made(&editor, "Brouillon", json!({})).await;
    let by = visitor(&app);
    let good = json!({"kind": "view", "parcours_id": lake["id"]});
    let other = app.white_label("vercors").await.0;
    let later = (app.app().now().plus_s(3_600)).to_string();
    let earlier = (app.app().now().plus_s(-11 * DAY_S)).to_string();
    for (event, code, field) in [
        (json!({"kind": "purchase", "parcours_id": lake["id"]}), "events/unknown-kind", "/events/1/kind"),
        (
            json!({"kind": "view", "parcours_id": lake["id"], "source": "tv"}),
            "events/unknown-source",
            "/events/1/source",
        ),
        (
            json!({"kind": "widget_view", "parcours_id": lake["id"], "source": "app"}),
            "events/not-of-source",
            "/events/1/source",
        ),
        (json!({"kind": "view", "parcours_id": draft["id"]}), "events/not-shown", "/events/1/parcours_id"),
        (json!({"kind": "view", "parcours_id": 999_999}), "events/not-shown", "/events/1/parcours_id"),
        (json!({"kind": "view"}), "events/not-shown", "/events/1/parcours_id"),
        (
            json!({"kind": "view", "parcours_id": lake["id"], "white_label_id": other}),
            "events/not-shown",
            "/events/1/parcours_id",
        ),
        (json!({"kind": "view", "share": "x"}), "events/not-shown", "/events/1/share"),
        (json!({"kind": "view", "parcours_id": lake["id"], "at": later}), "events/bad-instant", "/events/1/at"),
        (json!({"kind": "view", "parcours_id": lake["id"], "at": earlier}), "events/bad-instant", "/events/1/at"),
        (
            json!({"kind": "view", "parcours_id": lake["id"], "referrer": "a".repeat(3_000)}),
            "validation/too-long",
            "/events/1/referrer",
        ),
    ] {
        let problem = sent(&by, json!([good, event])).await.expect(422).problem();
        assert_eq!(problem.code, "events/refused");
        let codes: Vec<_> = problem.errors.iter().map(|fault| (fault.code.as_str(), fault.field.as_str())).collect();
        assert_eq!(codes, [(code, field)]);
    }
    for events in [json!([]), json!(vec![good.clone(); 101])] {
        assert_eq!(sent(&by, events).await.expect(422).problem().errors[0].code, "events/batch-size");
    }
    let text = |body: String| by.send(Method::POST, EVENTS, Some("text/plain"), Body::from(body));
    for (body, status, code) in [
        ("{".to_owned(), 400, "request/bad-json"),
        (r#"{"events":[{"kind":"view","who":"marie"}]}"#.to_owned(), 422, "request/bad-field"),
        (format!(r#"{{"events":[],"x":"{}"}}"#, "a".repeat(70_000)), 413, "request/too-large"),
    ] {
        assert_eq!(text(body).await.expect(status).problem().code, code);
    }
    assert_eq!(figures(&app.reader_of("morvan"), "").await["totals"]["total"], 0);
    // An event of an offline application comes late, and counts on its day.
    let late = app.app().now().plus_s(-9 * DAY_S);
    text(json!({"events": [{"kind": "view", "parcours_id": lake["id"], "at": late}]}).to_string()).await.expect(200);
    assert_eq!(figures(&app.reader_of("morvan"), "").await["first_day"], late.day());
}

#[app_test]
async fn bots_are_ignored_and_events_of_one_address_are_limited(app: TestApp) {
    let app = app.changed(|parts| parts.settings.events_per_minute = 5);
    let lake = published_parcours(&app, "Tour du lac").await;
    let view = json!({"kind": "view", "parcours_id": lake["id"]});
    for program in ["Mozilla/5.0 (compatible; Googlebot/2.1)", "curl/8.5.0"] {
        let reply = sent(&app.anonymous().with("user-agent", program), json!([view])).await.expect(200).json();
        assert_eq!(reply, json!({"kept": 0, "left_out": 1}), "{program}");
    }
    sent(&visitor(&app), json!([view, view, view])).await.expect(200);
    let refused = sent(&visitor(&app), json!([view])).await.expect(429);
    assert_eq!(refused.problem().code, "events/too-many");
    let wait: i64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    app.clock().advance_s(wait);
    sent(&visitor(&app), json!([view])).await.expect(200);
    assert_eq!(figures(&app.reader_of("morvan"), "").await["totals"]["total"], 4);
}

#[app_test]
async fn events_that_come_together_are_all_kept_and_counted_once(app: TestApp) {
    let (lake, hill) = (published_parcours(&app, "Tour du lac").await, published_parcours(&app, "Tour du mont").await);
    let mut senders = JoinSet::new();
    for _ in 0..40 {
        let (by, lake, hill) = (visitor(&app), lake["id"].clone(), hill["id"].clone());
        senders.spawn(async move {
            let lake = json!({"kind": "view", "parcours_id": lake});
            sent(&by, json!([lake, lake, {"kind": "view", "parcours_id": hill}])).await.expect(200);
        });
    }
    while let Some(sender) = senders.join_next().await {
        sender.unwrap();
    }
    let reader = app.reader_of("morvan");
    assert_eq!(figures(&reader, "").await["totals"]["total"], 120);
    let (lake, hill) = (lake["id"].to_string(), hill["id"].to_string());
    assert_eq!(groups(&reader, "by=parcours").await, keys(&[(&lake, 80), (&hill, 40)]));
}

#[app_test]
async fn only_events_of_the_widget_may_be_sent_from_another_site(app: TestApp) {
    let lake = published_parcours(&app, "Tour du lac").await;
    let elsewhere = visitor(&app).with("origin", "https://exemple.fr").with("sec-fetch-site", "cross-site");
    let reply = sent(&elsewhere, json!([{"kind": "widget_view", "parcours_id": lake["id"]}])).await.expect(200);
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    assert_eq!(elsewhere.post("/api/v1/session", json!({})).await.expect(403).problem().code, "auth/foreign-origin");
}

#[app_test]
async fn a_download_is_counted_without_a_script(app: TestApp) {
    let lake = published_parcours(&app, "Tour du lac").await;
    let page = format!("/en/p/tour-du-lac-{}", lake["id"]);
    let file = visitor(&app).get(format!("{page}/trace.gpx")).await.expect(200);
    let known = visitor(&app).with("if-none-match", file.header("etag"));
    known.get(format!("{page}/trace.gpx")).await.expect(304);
    visitor(&app).get(format!("{page}/trace.png")).await.expect(404);
    app.anonymous().with("user-agent", "Googlebot").get(format!("{page}/trace.kml")).await.expect(200);
    let asked = json!({"kind": "temporary", "days": 1});
    let share = app.editor_of("morvan").post(format!("{}/shares", path(&lake)), asked).await.expect(201).json();
    let token = share["token"].as_str().unwrap();
    visitor(&app).get(format!("/s/{token}/trace.kml")).await.expect(200);
    // These are no downloads: the head alone, and what a browser fetches in advance.
    for file in [format!("{page}/trace.gpx"), format!("/s/{token}/trace.kml")] {
        visitor(&app).send(Method::HEAD, &file, None, Body::empty()).await.expect(200);
        for (name, purpose) in
            [("sec-purpose", "prefetch"), ("sec-purpose", "prefetch;prerender"), ("purpose", "prefetch")]
        {
            visitor(&app).with(name, purpose).get(&file).await.expect(200);
        }
    }
    settle(app.app()).await;
    sent(&visitor(&app), json!([{"kind": "view", "share": token, "language": "fr"}])).await.expect(200);
    let reader = app.reader_of("morvan");
    let totals = figures(&reader, "").await["totals"].clone();
    assert_eq!((totals["download"].clone(), totals["view"].clone()), (json!(2), json!(1)));
    assert_eq!(groups(&reader, "by=source").await, keys(&[("share_link", 2), ("public_page", 1)]));
    assert_eq!(groups(&reader, "by=language").await, keys(&[("fr", 2), ("en", 1)]));
}

#[app_test]
async fn nobody_receives_figures_of_white_labels_they_do_not_work_in(app: TestApp) {
    let lake = published_parcours(&app, "Tour du lac").await;
    sent(&visitor(&app), json!([{"kind": "view", "parcours_id": lake["id"]}])).await.expect(200);
    let morvan = app.white_label("morvan").await.0;
    let other = app.editor_of("vercors");
    assert_eq!(figures(&other, &format!("parcours_id={}", lake["id"])).await["totals"]["total"], 0);
    assert!(groups(&other, "by=parcours").await.is_empty());
    for asked in ["", "/breakdown", "/map", "/export.csv"] {
        let reply = other.get(format!("{FIGURES}{asked}?white_label_id={morvan}")).await.expect(404);
        assert_eq!(reply.problem().code, "statistics/white-label-not-found", "{asked}");
    }
    assert_eq!(figures(&app.superadmin(), &format!("white_label_id={morvan}")).await["totals"]["total"], 1);
}

#[app_test]
async fn old_events_are_erased_and_their_daily_sums_kept(app: TestApp) {
    let lake = published_parcours(&app, "Tour du lac").await;
    sent(&visitor(&app), json!([{"kind": "view", "parcours_id": lake["id"], "language": "oc"}])).await.expect(200);
    let rows = async || store::server::every_row(app.store().read()).await.unwrap().matches("public_page").count();
    // The event, the day of the parcours, of the white-label, of all white-labels.
    assert_eq!(rows().await, 4);
    app.clock().advance_s(domain::statistics::EVENTS_KEPT_S);
    api::tidy::tidy(app.app()).await.unwrap();
    assert_eq!(rows().await, 4, "25 months to the second are not over");
    app.clock().advance_s(1);
    api::tidy::tidy(app.app()).await.unwrap();
    assert_eq!(rows().await, 3);
    assert_eq!(figures(&app.changed(|_| {}).reader_of("morvan"), "language=oc").await["totals"]["view"], 1);
}

#[app_test]
async fn a_report_of_an_app_store_is_imported_once_or_refused_with_its_line(app: TestApp) {
    let editor = app.editor_of("morvan");
    let morvan = app.white_label("morvan").await.0;
    let today = domain::statistics::Day::of(app.app().now());
    let upload = |store: &str, text: String| {
        let path = format!("{FIGURES}/installs?white_label_id={morvan}&store={store}");
        let editor = editor.clone();
        async move { editor.post_bytes(path, text).await }
    };
    let report = format!(
        "Date,Package Name,Country,Daily Device Installs,Daily Device Uninstalls\n{},fr.exemple,FR,12,3\n{today},fr.exemple,FR,8,1\n",
        today.plus(-40)
    );
    let taken = upload("play_store", report.clone()).await.expect(200).json();
    assert_eq!(
        (taken["rows"].clone(), taken["replaced"].clone(), taken["installs"].clone()),
        (json!(2), json!(0), json!(20))
    );
    let again = upload("play_store", report).await.expect(200).json();
    assert_eq!(again["replaced"], 2);
    upload("app_store", format!("Date,App Units\n{today},5\n")).await.expect(200);
    let found = figures(&app.reader_of("morvan"), "").await["installs"].clone();
    assert_eq!((found[0]["store"].clone(), found[0]["installs"].clone()), (json!("app_store"), json!(5)));
    let (now, before) = (found[1]["installs"].clone(), found[1]["installs_before"].clone());
    assert_eq!((now, before, found[1]["uninstalls"].clone()), (json!(8), json!(12), json!(1)));
    assert_eq!(found[1]["points"].as_array().unwrap().last(), Some(&json!(8)));

    for (store, text, code) in [
        ("play_store", "Recettes;Montant\n1;2\n".to_owned(), "statistics/report-no-header"),
        ("play_store", "Date;Recettes\n2026-01-01;2\n".to_owned(), "statistics/report-no-figures"),
        ("play_store", "Date,Installs\n2026-01-01,3\nhier,3\n".to_owned(), "statistics/report-bad-day"),
        ("play_store", "Date,Installs\n2026-01-01,beaucoup\n".to_owned(), "statistics/report-bad-number"),
        ("play_store", "Date,Installs\n".to_owned(), "statistics/report-empty"),
        ("play_store", format!("Date,Installs\n{},3\n", today.plus(3)), "statistics/report-future"),
        (
            "app_store",
            format!("Date,Package Name,Installs\n{today},fr.exemple,3\n"),
            "statistics/report-of-other-store",
        ),
    ] {
        assert_eq!(upload(store, text).await.expect(422).problem().code, code);
    }
    let refused = upload("play_store", "Date,Installs\n2026-01-01,3\nhier,3\n".to_owned()).await.problem();
    assert_eq!((refused.params["line"].clone(), refused.params["value"].clone()), (json!(3), json!("hier")));
    let other = format!("{FIGURES}/installs?white_label_id={morvan}&store=app_store");
    app.editor_of("vercors").post_bytes(other, "Date,App Units\n").await.expect(404);
}

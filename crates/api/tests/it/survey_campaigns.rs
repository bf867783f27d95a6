//! Survey campaigns: which surveys count, who sees them, exports of their coverage.

use domain::Role;
use macros::app_test;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::catalogue_kit::{column, faults, made, one, patch};
use crate::parcours_kit;
use crate::rows_ground::new_id;

const PATH: &str = "/api/v1/survey-campaigns";

/// A parcours of 3 km eastward on the 47th parallel.
async fn parcours(by: &Client, title: &str) -> Value {
    let parcours = parcours_kit::made(by, title, json!({})).await;
    let line: Vec<(f64, f64)> = (0..=40).map(|n| (4.0 + f64::from(n) * 0.001, 47.0)).collect();
    parcours_kit::imported(by, &parcours, "a.gpx", parcours_kit::gpx(&line)).await.expect(200);
    parcours_kit::now(by, &parcours).await
}

fn campaign(stretches: Value) -> Value {
    json!({"name": "Récolement 2026", "starts_on": "2026-03-01", "due_on": "2026-04-15", "stretches": stretches})
}

/// Says on the ground that a stretch is right, an hour before it is sent.
async fn survey(by: &Client, parcours: &Value, stretch: Value) {
    let mut entry = json!({"kind": "survey", "parcours_id": parcours["id"], "language": "fr",
        "made_at": "2026-04-30T10:00:00Z", "sent_at": "2026-04-30T11:00:00Z"});
    entry.as_object_mut().unwrap().extend(stretch.as_object().unwrap().clone());
    by.put(format!("/api/v1/ground/entries/{}", new_id()), entry).await.expect(201);
}

#[app_test]
async fn a_survey_counts_for_the_stretch_it_covers(app: TestApp) {
    let (editor, reader) = (app.editor_of("morvan"), app.reader_of("morvan"));
    let (lake, ridge) = (parcours(&editor, "Tour du lac").await, parcours(&editor, "La crête").await);
    let warden = app.user(Role::Editor, "morvan").await.0;
    let mut body = campaign(json!([
        {"parcours_id": lake["id"]},
        {"parcours_id": ridge["id"], "from_m": 1_000.0, "to_m": 2_000.0, "user_id": warden},
    ]));
    body["user_ids"] = json!([warden]);
    let kept = made(&editor, PATH, body).await;
    let length = kept["length_m"].as_f64().unwrap();
    assert!((4_000.0..4_080.0).contains(&length), "{length}");
    assert_eq!(
        (&kept["surveyed_m"], &kept["overdue"], &kept["people"][0]["id"]),
        (&json!(0.0), &json!(true), &json!(warden))
    );
    assert_eq!(column(&json!({"items": kept["parcours"]}), "/title/fr"), ["La crête", "Tour du lac"]);

    survey(&editor, &lake, json!({"from_m": 0.0, "to_m": 1_500.0})).await;
    survey(&editor, &ridge, json!({})).await;
    let now = reader.get(one(PATH, &kept)).await.expect(200).json();
    assert_eq!((&now["surveyed_m"], &now["overdue"]), (&json!(2_500.0), &json!(true)));
    let found = reader.get(format!("{}/coverage", one(PATH, &kept))).await.expect(200).json();
    let [first, second] = [&found["stretches"][0], &found["stretches"][1]];
    assert_eq!((&first["parcours"]["title"]["fr"], &first["surveyed_m"]), (&json!("Tour du lac"), &json!(1_500.0)));
    assert_eq!(
        (&first["parts"][0]["to_m"], &first["parts"][0]["surveyed_by"]["id"]),
        (&json!(1_500.0), &json!(warden))
    );
    assert_eq!((&first["parts"][1]["surveyed_at"], first["parts"].as_array().unwrap().len()), (&Value::Null, 2));
    let drawn = first["parts"][0]["line"].as_array().unwrap();
    assert_eq!(drawn[0], json!([4.0, 47.0]));
    assert!((drawn.last().unwrap()[0].as_f64().unwrap() - 4.019_77).abs() < 1e-4, "{drawn:?}");
    assert_eq!(
        (&second["user"]["id"], &second["surveyed_m"], &second["length_m"]),
        (&json!(warden), &json!(1_000.0), &json!(1_000.0))
    );

    survey(&editor, &lake, json!({})).await;
    let done = reader.get(one(PATH, &kept)).await.expect(200).json();
    assert_eq!((&done["surveyed_m"], &done["overdue"]), (&done["length_m"], &json!(false)));
    // Surveys before its first day do not count.
    let later =
        patch(&editor, PATH, &kept, json!({"starts_on": "2030-01-01", "due_on": null})).await.expect(200).json();
    assert_eq!((&later["surveyed_m"], &later["overdue"]), (&json!(0.0), &json!(false)));
}

#[app_test]
async fn the_coverage_of_a_campaign_is_exported_as_csv_and_geojson(app: TestApp) {
    let editor = app.editor_of("morvan");
    let lake = parcours(&editor, "Tour du lac").await;
    let kept = made(&editor, PATH, campaign(json!([{"parcours_id": lake["id"]}]))).await;
    survey(&editor, &lake, json!({"from_m": 0.0, "to_m": 1_500.0})).await;
    let table = editor.get(format!("{}/coverage.csv", one(PATH, &kept))).await.expect(200);
    assert!(table.header("content-disposition").contains(&format!("recolement-2026-{}.csv", kept["id"])));
    let text = table.text();
    let rows: Vec<Vec<&str>> =
        text.trim_start_matches('\u{feff}').lines().map(|line| line.split(';').collect()).collect();
    assert_eq!(rows[0][..2], ["parcours_id", "parcours"]);
    assert_eq!((rows[1][1], rows[1][6], rows[1][10]), ("Tour du lac", "1500", "true"));
    let lines = editor.get(format!("{}/coverage.geojson", one(PATH, &kept))).await.expect(200).json();
    let of = |at: usize| &lines["features"][at]["properties"];
    assert_eq!((&of(0)["to_m"], &of(1)["surveyed_at"]), (&json!(1_500.0), &Value::Null));
    assert_eq!(lines["features"][0]["geometry"]["type"], "LineString");
}

#[app_test]
async fn a_campaign_has_only_parcours_and_people_of_its_white_label(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let lake = parcours(&editor, "Tour du lac").await;
    let shared = parcours_kit::shared(&other, "Le pas").await;
    let warden = app.user(Role::Editor, "morvan").await.0;
    let stranger = app.user(Role::Editor, "vercors").await.0;
    let refused = |stretches: Value, user_ids: Value| {
        let mut body = campaign(stretches);
        body["user_ids"] = user_ids;
        let editor = editor.clone();
        async move { faults(editor.post(PATH, body).await) }
    };
    assert_eq!(
        refused(json!([{"parcours_id": shared["id"]}]), json!([])).await,
        ["survey-campaign/other-white-label /stretches/0/parcours_id"]
    );
    assert_eq!(
        refused(json!([{"parcours_id": 999_999}]), json!([stranger])).await,
        ["validation/unknown-reference /user_ids", "validation/unknown-reference /stretches"]
    );
    assert_eq!(
        refused(json!([{"parcours_id": lake["id"], "user_id": warden}]), json!([])).await,
        ["survey-campaign/person /stretches/0/user_id"]
    );
    assert_eq!(
        refused(json!([{"parcours_id": lake["id"], "from_m": 9_000.0, "to_m": 9_500.0}]), json!([])).await,
        ["ground/stretch /stretches/0/to_m"]
    );
    let people = editor.get(format!("{PATH}/people")).await.expect(200).json();
    let ids: Vec<&Value> = people["items"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert!(ids.contains(&&json!(warden)) && !ids.contains(&&json!(stranger)), "{people}");
    let reader = app.user(Role::Reader, "morvan").await.0;
    assert!(!ids.contains(&&json!(reader)), "a reader records nothing");
    assert_eq!(refused(json!([]), json!([warden, reader])).await, ["survey-campaign/cannot-record /user_ids"]);
}

#[app_test]
async fn stretches_that_overlap_count_once(app: TestApp) {
    let editor = app.editor_of("morvan");
    let lake = parcours(&editor, "Tour du lac").await;
    let stretch = |from_m: f64, to_m: f64| json!({"parcours_id": lake["id"], "from_m": from_m, "to_m": to_m});
    let kept = made(&editor, PATH, campaign(json!([stretch(0.0, 1_500.0), stretch(1_000.0, 2_500.0)]))).await;
    assert_eq!((&kept["length_m"], &kept["surveyed_m"]), (&json!(2_500.0), &json!(0.0)));
    survey(&editor, &lake, json!({"from_m": 0.0, "to_m": 2_000.0})).await;
    let now = editor.get(one(PATH, &kept)).await.expect(200).json();
    assert_eq!((&now["surveyed_m"], &now["overdue"]), (&json!(2_000.0), &json!(true)));
    survey(&editor, &lake, json!({})).await;
    let done = editor.get(one(PATH, &kept)).await.expect(200).json();
    assert_eq!((&done["surveyed_m"], &done["overdue"]), (&json!(2_500.0), &json!(false)));
}

#[app_test]
async fn a_person_lists_their_own_open_campaigns(app: TestApp) {
    let (editor, admin, other) = (app.editor_of("morvan"), app.admin_of("morvan"), app.editor_of("vercors"));
    let warden = app.user(Role::Editor, "morvan").await.0;
    let of = |name: &str, due: &str, people: Value, closed: bool| json!({"name": name, "starts_on": "2026-03-01", "due_on": due, "user_ids": people, "closed": closed});
    made(&admin, PATH, of("Nord", "2026-06-30", json!([warden]), false)).await;
    made(&admin, PATH, of("Sud", "2026-05-31", json!([warden]), false)).await;
    made(&admin, PATH, of("Ouest", "2026-04-30", json!([]), false)).await;
    made(&admin, PATH, of("Est", "2026-04-30", json!([warden]), true)).await;
    let names = |by: &Client, query: &'static str| {
        let by = by.clone();
        async move { column(&by.get(format!("{PATH}?{query}")).await.expect(200).json(), "/name") }
    };
    assert_eq!(names(&editor, "mine=true&closed=false").await, ["Sud", "Nord"]);
    assert_eq!(names(&admin, "mine=true").await, Vec::<String>::new());
    assert_eq!(names(&admin, "search=ou").await, ["Ouest"]);
    assert_eq!(names(&admin, "closed=true").await, ["Est"]);
    assert_eq!(names(&other, "").await, Vec::<String>::new());
}

#[app_test]
async fn the_list_of_parcours_says_when_each_was_last_surveyed_to_its_own_people(app: TestApp) {
    let (editor, other) = (app.editor_of("morvan"), app.editor_of("vercors"));
    let lake = parcours_kit::shared(&editor, "Tour du lac").await;
    let row = |by: &Client| {
        let by = by.clone();
        async move { by.get("/api/v1/parcours?search=lac").await.expect(200).json()["items"][0].clone() }
    };
    assert_eq!(row(&editor).await["surveyed_at"], Value::Null);
    survey(&editor, &lake, json!({})).await;
    assert!(row(&editor).await["surveyed_at"].as_str().unwrap().starts_with("2026-"));
    assert_eq!((&row(&other).await["id"], &row(&other).await["surveyed_at"]), (&lake["id"], &Value::Null));
}

#[app_test]
async fn people_get_one_mail_when_a_campaign_begins_and_one_when_it_is_overdue(app: TestApp) {
    let (editor, admin) = (app.editor_of("morvan"), app.admin_of("morvan"));
    let (lake, ridge) = (parcours(&editor, "Tour du lac").await, parcours(&editor, "La crête").await);
    let warden = app.user(Role::Editor, "morvan").await.0;
    let stretches = json!([{"parcours_id": lake["id"]}, {"parcours_id": ridge["id"], "from_m": 0.0, "to_m": 1_000.0}]);
    let body = |starts: &str, due: &str| {
        json!({"name": "Récolement", "instructions": "Regardez les balises.", "starts_on": starts,
        "due_on": due, "user_ids": [warden], "stretches": stretches})
    };
    // Now is 20 November.
    made(&admin, PATH, body("2026-11-22", "2026-12-10")).await;
    let begun = made(&admin, PATH, body("2026-11-10", "2026-12-10")).await;
    let other = app.changed(|_| {});
    let looked = async || {
        for server in [&app, &other] {
            api::job::enqueue_hourly(server.app()).await.unwrap();
            api::job::settle(server.app()).await.unwrap();
        }
    };
    looked().await;
    let mail = app.mail().next().await;
    assert_eq!(
        (mail.to.as_str(), mail.subject.as_str()),
        ("editor@morvan.example", "À vérifier sur le terrain : « Récolement »")
    );
    for words in [
        "jusqu’au 10/12/2026",
        "Il reste 4,0 km",
        "- Tour du lac (3,0 km)",
        "- La crête (1,0 km)",
        "Regardez les balises.",
    ] {
        assert!(mail.text.contains(words), "{words}: {}", mail.text);
    }
    app.clock().advance_s(3_600);
    looked().await;
    assert!(app.mail().is_empty() && other.mail().is_empty(), "once, and not before it begins");

    // Overdue, the lake surveyed: the person who surveys and the one who changed it last, each in their own language.
    admin.patch("/api/v1/me", json!({"locale": "en"})).await.expect(200);
    let ridge = parcours_kit::now(&editor, &ridge).await;
    patch(&editor, "/api/v1/parcours", &ridge, json!({"title": {"fr": "La crête", "en": "The ridge"}}))
        .await
        .expect(200);
    survey(&editor, &lake, json!({})).await;
    patch(&admin, PATH, &begun, json!({"due_on": "2026-11-19"})).await.expect(200);
    looked().await;
    let mut mails = [app.mail().next().await, app.mail().next().await];
    mails.sort_by(|a, b| a.to.cmp(&b.to));
    let to: Vec<&str> = mails.iter().map(|mail| mail.to.as_str()).collect();
    assert_eq!(to, ["admin@morvan.example", "editor@morvan.example"]);
    assert_eq!(mails[0].subject, "The campaign “Récolement” is overdue");
    assert!(mails[0].text.contains("- The ridge (1.0 km)"), "{}", mails[0].text);
    assert!(
        mails[1].text.contains("- La crête (1,0 km)") && !mails[1].text.contains("Tour du lac"),
        "{}",
        mails[1].text
    );

    // A campaign that has ended or is complete sends no mail.
    let closed = json!({"name": "Finie", "starts_on": "2026-11-01", "user_ids": [warden], "closed": true, "stretches": stretches});
    made(&admin, PATH, closed).await;
    let done = json!({"name": "Faite", "starts_on": "2026-11-01", "user_ids": [warden], "stretches": [{"parcours_id": lake["id"]}]});
    made(&admin, PATH, done).await;
    app.clock().advance_s(3_600);
    looked().await;
    assert!(app.mail().is_empty() && other.mail().is_empty());
}

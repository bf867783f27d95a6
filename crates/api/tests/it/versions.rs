//! Two versions on one database: fields, steps of the tables and chunks that this version does not know (decision 0051).

use std::borrow::Cow;
use std::sync::Arc;

use app::{Asset, Assets};
use domain::record::Kind;
use futures_util::future::try_join_all;
use macros::app_test;
use serde_json::{Value, json};
use store::server::{run_sql, texts};
use testkit::{Client, TestApp};

use crate::catalogue_kit::{delete, id, made, one, patch};
use crate::parcours_kit;

/// What the names of fields start with that only a newer version knows.
const LATER: &str = "later_";

async fn run(app: &TestApp, sql: &str) {
    let tx = app.store().begin().await.unwrap();
    run_sql(&tx, sql).await.unwrap();
    tx.commit().await.unwrap();
}

/// A JSON column of one row.
#[derive(Clone)]
struct Column {
    table: &'static str,
    name: &'static str,
    row: String,
}

impl Column {
    fn sheet(kind: Kind, id: i64) -> Self {
        Self { table: "record_sheet", name: "sheet", row: format!("kind = {} AND id = {id}", kind.code()) }
    }

    fn of_parcours(column: &'static str, parcours: &Value) -> Self {
        Self { table: "parcours_sheet", name: column, row: format!("parcours_id = {}", id(parcours)) }
    }

    async fn read(&self, app: &TestApp) -> Value {
        let sql = format!("SELECT {} FROM {} WHERE {}", self.name, self.table, self.row);
        let found = texts(app.store().read(), &sql).await.unwrap();
        serde_json::from_str(&found[0]).unwrap()
    }

    /// Adds fields of a newer version to objects of the document, as that version would store them.
    async fn grow(&self, app: &TestApp, objects: &[&str]) {
        let mut document = self.read(app).await;
        for (number, object) in objects.iter().enumerate() {
            let fields = document.pointer_mut(object).and_then(Value::as_object_mut);
            let fields = fields.unwrap_or_else(|| panic!("{object} of {} is no object", self.table));
            fields.insert(format!("{LATER}{number}"), json!({"x": [number, null]}));
        }
        let text = document.to_string().replace('\'', "''");
        run(app, &format!("UPDATE {} SET {} = '{text}' WHERE {}", self.table, self.name, self.row)).await;
    }

    /// How many fields of a newer version are stored.
    async fn later(&self, app: &TestApp) -> usize {
        count(&self.read(app).await)
    }
}

fn count(value: &Value) -> usize {
    match value {
        Value::Object(fields) => {
            let own = fields.keys().filter(|name| name.starts_with(LATER)).count();
            own + fields.values().map(count).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(count).sum(),
        _ => 0,
    }
}

/// What is answered names no field of a newer version.
async fn assert_no_newer_field(by: &Client, paths: &[String]) {
    for path in paths {
        let answer = by.get(path).await.expect(200).text();
        assert!(!answer.contains(LATER), "{path}: {answer}");
    }
}

async fn restore_last(by: &Client, kind: &str) {
    let bin = by.get(format!("/api/v1/bin?kind={kind}")).await.expect(200).json();
    let restoration = format!("/api/v1/bin/{}/restoration?put_back=true", bin["items"][0]["id"]);
    by.post(restoration, json!({})).await.expect(200);
}

const POIS: &str = "/api/v1/pois";

#[app_test]
async fn a_record_keeps_fields_of_a_newer_version_through_every_write(app: TestApp) {
    let editor = app.editor_of("morvan");
    let body = json!({"title": {"fr": "Étang"}, "location": [4.1, 47.2], "address": {"city": "Autun"}});
    let poi = made(&editor, POIS, body).await;
    let (path, stored) = (one(POIS, &poi), Column::sheet(Kind::Poi, id(&poi)));
    stored.grow(&app, &["", "/address", "/flags"]).await;
    assert_no_newer_field(&editor, &[path.clone(), format!("{path}/revisions/1"), POIS.to_owned()]).await;

    let poi = patch(&editor, POIS, &poi, json!({"title": {"fr": "Lac"}})).await.expect(200).json();
    let poi = patch(&editor, POIS, &poi, json!({"address": {"street": "Rue du Lac"}})).await.expect(200).json();
    assert_eq!(stored.later(&app).await, 3, "a patch");
    let refused = patch(&editor, POIS, &poi, json!({"later_0": 1})).await.expect(422).problem();
    assert_eq!(refused.errors[0].code, "validation/unknown-field", "requests stay strict");
    patch(&editor, POIS, &poi, json!({"address": {"later_1": 1}})).await.expect(422);

    let ids = json!([poi["id"]]);
    let done = editor.post(format!("{POIS}/bulk"), json!({"ids": ids, "action": "publish"})).await.expect(200).json();
    assert_eq!((stored.later(&app).await, &done["applied"]), (3, &json!(1)), "many at once");
    let undo = json!({"undo_token": done["undo_token"]});
    assert_eq!(editor.post(format!("{POIS}/bulk/undo"), undo).await.expect(200).json()["applied"], 1);
    assert_eq!(stored.later(&app).await, 3, "their undoing");

    // The first revision has none of these fields: this version cannot know whether the newer one would have emptied them.
    for fields in [json!({"fields": ["title", "address"]}), json!({})] {
        let now = editor.get(&path).await.json();
        let restoring = editor.clone().at_version(now["version"].as_i64().unwrap());
        restoring.post(format!("{path}/revisions/1/restoration"), &fields).await.expect(200);
        assert_eq!(stored.later(&app).await, 3, "a revision that comes back: {fields}");
    }

    let picture = app.media().owned_by("morvan").made().insert().await;
    let now = editor.get(&path).await.json();
    patch(&editor, POIS, &now, json!({"media_ids": [picture.id]})).await.expect(200);
    let media = editor.get(format!("/api/v1/medias/{}", picture.id)).await.expect(200).json();
    delete(&editor, "/api/v1/medias", &media, "?force=true").await.expect(204);
    assert_eq!(editor.get(&path).await.json()["media_ids"], json!([]));
    assert_eq!(stored.later(&app).await, 3, "a reference that is removed");
    restore_last(&editor, "media").await;
    assert_eq!(editor.get(&path).await.json()["media_ids"], json!([picture.id]));
    assert_eq!(stored.later(&app).await, 3, "and put back");

    let now = editor.get(&path).await.json();
    delete(&editor, POIS, &now, "?force=true").await.expect(204);
    restore_last(&editor, "poi").await;
    assert_eq!(stored.later(&app).await, 3, "the bin");

    let other = made(&editor, POIS, json!({"title": {"fr": "Lac"}, "location": [4.1, 47.2]})).await;
    let now = editor.get(&path).await.json();
    let merge = json!({"into_id": other["id"]});
    let by = editor.clone().at_version(now["version"].as_i64().unwrap());
    by.post(format!("{path}/merge"), merge).await.expect(200);
    let kept = Column::sheet(Kind::Poi, id(&other)).read(&app).await;
    assert_eq!(kept["later_0"], json!({"x": [0, null]}), "what is merged brings what it knew more");
    assert_no_newer_field(&editor, &[one(POIS, &other), format!("{}/revisions", one(POIS, &other))]).await;
}

#[app_test]
async fn records_of_other_kinds_keep_fields_of_a_newer_version_too(app: TestApp) {
    let (editor, admin, superadmin) = (app.editor_of("morvan"), app.admin_of("morvan"), app.superadmin());
    let white_label = app.white_label("morvan").await.0;
    let picture = app.media().owned_by("morvan").made().insert().await.id;
    let terms = "/api/v1/vocabularies/marking";
    let term = made(&superadmin, terms, json!({"label": {"fr": "Jaune"}, "attributes": {"numbered": true}})).await;
    let structure = admin.get("/api/v1/structures").await.expect(200).json()["items"][0].clone();
    let lines = "/api/v1/transport-lines";
    let line =
        made(&editor, lines, json!({"long_name": "Autun", "mode": "coach", "conditions": [{"white_label_id": white_label, "text": {"fr": "Six vélos"}}]})).await;
    let white_label_objects =
        ["", "/colors", "/fonts", "/analytics", "/poi_filter", "/parcours_filter", "/flags"].as_slice();
    for (by, list, kind, id, body, objects) in [
        (
            &superadmin,
            "/api/v1/white-labels",
            Kind::WhiteLabel,
            white_label,
            json!({"name": "Morvan !"}),
            white_label_objects,
        ),
        (&editor, "/api/v1/medias", Kind::Media, picture, json!({"legend": {"fr": "Vue"}}), &["", "/focal", "/file"]),
        (
            &superadmin,
            terms,
            Kind::Vocabulary,
            id(&term),
            json!({"attributes": {"registered": "FFRandonnée"}}),
            &["", "/attributes"],
        ),
        (
            &superadmin,
            "/api/v1/structures",
            Kind::Structure,
            id(&structure),
            json!({"name": "Parc"}),
            &["", "/address"],
        ),
        (&editor, lines, Kind::TransportLine, id(&line), json!({"short_name": "A"}), &["", "/conditions/0"]),
    ] {
        let (path, stored) = (format!("{list}/{id}"), Column::sheet(kind, id));
        stored.grow(&app, objects).await;
        let before = by.get(&path).await.expect(200);
        assert!(!before.text().contains(LATER), "{path}: {}", before.text());
        by.clone().at_version(before.json()["version"].as_i64().unwrap()).patch(&path, body).await.expect(200);
        assert_eq!(stored.later(&app).await, objects.len(), "{path}");
        assert_no_newer_field(by, &[path]).await;
    }
    let now = superadmin.get(one(terms, &term)).await.json();
    assert_eq!(now["attributes"], json!({"numbered": true, "registered": "FFRandonnée"}));
    patch(&superadmin, terms, &now, json!({"attributes": {"colour": 1}})).await.expect(422);
    let me = app.user(domain::Role::Editor, "morvan").await;
    let stored = Column::sheet(Kind::User, me.0);
    stored.grow(&app, &[""]).await;
    editor.patch("/api/v1/me", json!({"locale": "en"})).await.expect(200);
    assert_eq!(stored.later(&app).await, 1, "one's own account");
}

#[app_test]
async fn a_change_does_not_validate_attributes_of_a_newer_version(app: TestApp) {
    let keeper = app.superadmin();
    let practices = "/api/v1/vocabularies/practice_type";
    let glider = json!({"label": {"fr": "Essai"}, "attributes": {"profile": "road"}});
    let glider = made(&keeper, practices, glider).await;
    let stored = Column::sheet(Kind::Vocabulary, id(&glider));
    let text = stored.read(&app).await.to_string().replace("\"road\"", "\"glider\"").replace('\'', "''");
    run(&app, &format!("UPDATE {} SET {} = '{text}' WHERE {}", stored.table, stored.name, stored.row)).await;
    let change =
        async |now: &Value, attributes: Value| patch(&keeper, practices, now, json!({"attributes": attributes})).await;
    let now = change(&glider, json!({"flat_kmh": 30})).await.expect(200).json();
    assert_eq!(now["attributes"], json!({"profile": "glider", "flat_kmh": 30.0}));
    change(&now, json!({"profile": "rocket"})).await.expect(422);
    let now = change(&now, json!({"profile": "gravel"})).await.expect(200).json();
    assert_eq!(now["attributes"]["profile"], "gravel");
}

#[app_test]
async fn a_parcours_keeps_fields_of_a_newer_version_through_every_write(app: TestApp) {
    let editor = app.editor_of("morvan");
    let step = |title: &str, lon: f64| json!({"kind": "step", "title": {"fr": title}, "position": [lon, 47.0]});
    let fields = json!({"availability": [{"from": "2027-05-01", "to": "2027-09-30"}],
        "steps": [step("Un", 4.0), step("Deux", 4.01)]});
    let parcours = parcours_kit::made(&editor, "Lac", fields).await;
    let path = parcours_kit::path(&parcours);
    let (sheet, steps) = (Column::of_parcours("sheet", &parcours), Column::of_parcours("steps", &parcours));
    sheet.grow(&app, &["", "/availability/0"]).await;
    steps.grow(&app, &["/0", "/1"]).await;
    let kept = async |when: &str| assert_eq!((sheet.later(&app).await, steps.later(&app).await), (2, 2), "{when}");
    let list = "/api/v1/parcours".to_owned();
    assert_no_newer_field(&editor, &[path.clone(), list, format!("{path}/revisions/1")]).await;
    let shown = editor.get(&path).await.json();
    assert_eq!((&shown["steps"], &shown["availability"]), (&parcours["steps"], &parcours["availability"]));

    let parcours = parcours_kit::patch(&editor, &parcours, json!({"summary": {"fr": "Un lac."}})).await;
    kept("a patch").await;
    parcours_kit::patched(&editor, &parcours, json!({"later_0": 1})).await.expect(422);
    let mut reordered = parcours["steps"].as_array().unwrap().clone();
    reordered.reverse();
    reordered[0]["title"]["fr"] = json!("Le second");
    let parcours = parcours_kit::patch(&editor, &parcours, json!({"steps": reordered})).await;
    kept("steps that are sent back, changed and in another order").await;
    let points = [(4.0, 47.0), (4.005, 47.001), (4.01, 47.0)];
    parcours_kit::imported(&editor, &parcours, "un.gpx", parcours_kit::gpx(&points)).await.expect(200);
    kept("a recording").await;

    let bulk = "/api/v1/parcours/bulk";
    let done = editor.post(bulk, json!({"ids": [parcours["id"]], "action": "publish", "dry_run": false})).await;
    kept("many at once").await;
    let token = done.expect(200).json()["undo_token"].clone();
    editor.post(format!("{bulk}/undo"), json!({"undo_token": token})).await.expect(200);
    kept("their undoing").await;
    for fields in [json!({"fields": ["title", "availability", "steps"]}), json!({})] {
        let now = parcours_kit::now(&editor, &parcours).await;
        let restoring = editor.clone().at_version(parcours_kit::version(&now));
        restoring.post(format!("{path}/revisions/1/restoration"), &fields).await.expect(200);
        kept(&format!("a revision that comes back: {fields}")).await;
    }

    let poi = made(&editor, POIS, json!({"title": {"fr": "Lac"}, "location": [4.1, 47.2]})).await;
    let now = parcours_kit::now(&editor, &parcours).await;
    parcours_kit::patch(&editor, &now, json!({"poi_ids": [poi["id"]]})).await;
    delete(&editor, POIS, &poi, "?force=true").await.expect(204);
    kept("a reference that is removed").await;
    restore_last(&editor, "poi").await;
    assert_eq!(parcours_kit::now(&editor, &parcours).await["poi_ids"], json!([poi["id"]]));
    kept("and put back").await;

    let now = parcours_kit::now(&editor, &parcours).await;
    editor.clone().at_version(parcours_kit::version(&now)).delete(&path).await.expect(204);
    restore_last(&editor, "parcours").await;
    kept("the bin").await;

    let copied = editor.post(format!("{path}/duplicate"), json!({"title": "Copie"})).await.expect(201).json();
    let copy = (Column::of_parcours("sheet", &copied), Column::of_parcours("steps", &copied));
    assert_eq!((copy.0.later(&app).await, copy.1.later(&app).await), (2, 2), "a copy of one's own");
    let now = parcours_kit::now(&editor, &parcours).await;
    let shared = json!({"description": {"fr": "<p>À voir.</p>"}, "distribute_own": true});
    let now = parcours_kit::patch(&editor, &now, shared).await;
    parcours_kit::published(&editor, &now).await;
    let other = app.editor_of("vercors");
    assert_no_newer_field(&other, std::slice::from_ref(&path)).await;
    let copied = other.post(format!("{path}/duplicate"), json!({"title": "La nôtre"})).await.expect(201).json();
    let copy = (Column::of_parcours("sheet", &copied), Column::of_parcours("steps", &copied));
    assert_eq!((copy.0.later(&app).await, copy.1.later(&app).await), (0, 0), "another white-label's copy");
}

/// A step of a newer version was run on the tables.
async fn newer_step(app: &TestApp, oldest_binary: &str) {
    run(app, "ALTER TABLE poi ADD COLUMN later BIGINT NOT NULL DEFAULT 7").await;
    run(app, "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9001_later', 1)").await;
    run(app, &format!("UPDATE schema_version SET version = 9001, oldest_binary = {oldest_binary}")).await;
}

#[app_test]
async fn an_older_version_serves_newer_tables_that_say_it_may_while_it_is_written_to(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = |number: usize| {
        let editor = editor.clone();
        async move {
            let body = json!({"title": {"fr": format!("Lac {number}")}, "location": [4.1, 47.2]});
            let made = editor.post(POIS, body).await;
            let made = if made.status == 201 { made.json() } else { return Err(made.text()) };
            let saved = patch(&editor, POIS, &made, json!({"phone": "0385000000"})).await;
            if saved.status == 200 { Ok(id(&made)) } else { Err(saved.text()) }
        }
    };
    // The step is run between and beside the writes.
    let (first, ()) = tokio::join!(try_join_all((0..10).map(&poi)), newer_step(&app, "oldest_binary"));
    let second = try_join_all((10..20).map(&poi)).await;
    let ids: Vec<i64> = [first.unwrap(), second.unwrap()].concat();
    for id in &ids {
        let stored = Column::sheet(Kind::Poi, *id);
        stored.grow(&app, &["", "/flags"]).await;
        let path = format!("{POIS}/{id}");
        let now = editor.get(&path).await.expect(200).json();
        patch(&editor, POIS, &now, json!({"phone": null})).await.expect(200);
        assert_eq!(stored.later(&app).await, 2);
    }
    let sevens = texts(app.store().read(), "SELECT CAST(id AS TEXT) FROM poi WHERE later = 7").await.unwrap();
    assert!(ids.iter().all(|id| sevens.contains(&id.to_string())), "the new column is left alone");
    let schema = app.store().schema().await.unwrap();
    assert_eq!((schema.fault(), schema.has_unknown, schema.database), (None, true, Some(9001)));
    // A start does not run, revert or complain about what it does not know.
    app.store().migrate(app.clock()).await.unwrap();
    assert_eq!(app.store().schema().await.unwrap(), schema);
    assert_eq!(app.anonymous().get("/readyz").await.expect(200).json()["schema"], "ok");
}

#[app_test]
async fn an_older_version_refuses_incompatible_newer_tables_and_names_both_versions(app: TestApp) {
    newer_step(&app, "9001").await;
    let refused = app.store().migrate(app.clock()).await.unwrap_err().to_string();
    let own = app.store().schema().await.unwrap().own;
    let words = format!(
        "the tables have version 9001, and only versions of Jalon from 9001 on may run on them; this one knows versions up to {own}. \
         Start the newer Jalon"
    );
    assert_eq!(refused, words);
    let probe = app.anonymous().get("/readyz").await.expect(503).json();
    assert_eq!(
        (&probe["status"], &probe["database"], &probe["schema"]),
        (&json!("not_ready"), &json!("ok"), &json!("failing"))
    );
    let steps =
        texts(app.store().read(), "SELECT version FROM seaql_migrations WHERE version LIKE 'm9%'").await.unwrap();
    assert_eq!(steps, ["m9001_later"], "nothing was changed");
}

/// The web app of one build: a page, and a chunk whose name only this build has.
struct Build(&'static str);

impl Assets for Build {
    fn get(&self, path: &str) -> Option<Asset> {
        let asset = |bytes: String, mime: &str| {
            Some(Asset { bytes: Cow::Owned(bytes.into_bytes()), mime: mime.to_owned(), etag: self.0.to_owned() })
        };
        let name = path.strip_prefix("assets/map-")?;
        match name.strip_prefix(self.0)? {
            ".js" => asset(format!("chunk of {}", self.0), "text/javascript"),
            ".js.br" => asset(format!("packed chunk of {}", self.0), "application/octet-stream"),
            _ => None,
        }
    }

    fn paths(&self) -> Vec<String> {
        vec!["index.html".to_owned(), format!("assets/map-{}.js", self.0)]
    }
}

async fn server_of(app: &TestApp, build: &'static str, minute: i64) -> TestApp {
    let server = app.changed(|parts| {
        parts.assets = Arc::new(Build(build));
        parts.settings.build_id = build.to_owned();
    });
    server.clock().advance_s(minute * 60);
    public::web_build::publish(server.app()).await.unwrap();
    server
}

#[app_test]
async fn servers_of_two_versions_serve_each_others_chunks_and_older_ones_are_swept(app: TestApp) {
    let old = server_of(&app, "one", 0).await;
    let new = server_of(&app, "two", 1).await;
    for (server, build) in [(&old, "two"), (&new, "one"), (&old, "one"), (&new, "two")] {
        let path = format!("/assets/map-{build}.js");
        let chunk = server.anonymous().get(&path).await.expect(200);
        assert_eq!((chunk.text(), chunk.header("content-type")), (format!("chunk of {build}"), "text/javascript"));
        assert_eq!(chunk.header("cache-control"), "public, max-age=31536000, immutable");
        let packed = server.anonymous().with("accept-encoding", "br").get(&path).await.expect(200);
        assert_eq!((packed.text(), packed.header("content-encoding")), (format!("packed chunk of {build}"), "br"));
        let known = server.anonymous().with("if-none-match", chunk.header("etag")).get(&path).await;
        assert_eq!(known.status, 304);
    }
    for path in
        ["/assets/map-three.js", "/assets/map-one.js.br", "/web/one/assets/map-one.js", "/assets/..%2Fmap-one.js"]
    {
        new.anonymous().get(path).await.expect(404);
    }
    let newest = server_of(&app, "three", 2).await;
    assert_eq!(newest.anonymous().get("/assets/map-two.js").await.expect(200).text(), "chunk of two");
    newest.anonymous().get("/assets/map-one.js").await.expect(404);
    assert!(!app.scratch().path().join("blobs/web/one/assets/map-one.js").exists(), "its bytes are gone too");
    // A server that starts again stores nothing twice; one whose blobs were lost stores them again.
    std::fs::remove_dir_all(app.scratch().path().join("blobs/web")).unwrap();
    new.anonymous().get("/assets/map-three.js").await.expect(404);
    server_of(&app, "three", 3).await;
    new.anonymous().get("/assets/map-three.js").await.expect(200);
}

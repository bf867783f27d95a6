//! Keys of outside services: bound to the server they were entered for, in clear nowhere, sealed again when the key rotates.

use std::sync::Arc;

use app::seal::{self, DoesNotOpen, KeyRing, Place, SecretKey, ServerKey, bind_old_keys, reseal, survey};
use connect::http::{Addresses, FetchSettings, Fetcher};
use connect::{ServiceSettings, Services};
use domain::Clock as _;
use macros::app_test;
use serde_json::{Value, json};
use store::sealed::{self, SealedColumn};
use testkit::{Client, TestApp, TestStore};

use crate::imports_kit::{Stub, run_source, trek};

const KEY: &str = "k3y-of-the-service:fx";
const HERE: &str = "https://one.example/v1/";
const THERE: &str = "https://two.example/v1/";

/// The records of the events of one action, in the journal.
async fn recorded(app: &TestApp, action: &str) -> Vec<Value> {
    let path = format!("/api/v1/audit-events?action={action}&per_page=100");
    let answer = app.superadmin().get(path).await.expect(200).json();
    answer["items"].as_array().unwrap().iter().map(|one| one["record"].clone()).collect()
}

fn any_version(by: &Client) -> Client {
    by.clone().with("if-match", "*")
}

/// A record whose address a key belongs to: where it is, what makes it, its address field, where its key goes, how it shows it.
struct KeyedRecord {
    path: String,
    field: &'static str,
    key: &'static str,
    shown: &'static str,
    by: Client,
}

impl KeyedRecord {
    async fn has_key(&self) -> bool {
        let seen = self.by.get(&self.path).await.expect(200).json();
        !matches!(seen[self.shown], Value::Null | Value::Bool(false))
    }

    async fn put_key(&self) {
        any_version(&self.by).put(format!("{}/{}", self.path, self.key), json!({"key": KEY})).await.expect(204);
    }

    async fn moved(&self, address: &str) {
        any_version(&self.by).patch(&self.path, json!({self.field: address})).await.expect(200);
    }
}

async fn keyed_records(app: &TestApp) -> Vec<KeyedRecord> {
    let (editor, keeper) = (app.editor_of("morvan"), app.superadmin());
    let of = [
        (
            editor.clone(),
            "/api/v1/sit-sources",
            json!({"name": "SIT", "kind": "cirkwi", "url": HERE}),
            "url",
            "credential",
            "credential_set",
        ),
        (
            editor.clone(),
            "/api/v1/import-sources",
            json!({"name": "Parc", "kind": "geotrek", "url": HERE}),
            "url",
            "credential",
            "credential_set",
        ),
        (
            editor,
            "/api/v1/transport-feeds",
            json!({"name": "Région", "url": HERE}),
            "url",
            "credential",
            "credential_set",
        ),
        (keeper, "/api/v1/translators", json!({"name": "Traducteur", "base_url": HERE}), "base_url", "key", "key_hint"),
    ];
    let mut found = Vec::new();
    for (by, base, body, field, key, shown) in of {
        let made = by.post(base, body).await.expect(201).json();
        found.push(KeyedRecord { path: format!("{base}/{}", made["id"]), field, key, shown, by });
    }
    found
}

#[app_test]
async fn a_key_is_forgotten_when_the_address_moves_to_another_server(app: TestApp) {
    let mut forgotten = 0;
    for one in keyed_records(&app).await {
        one.put_key().await;
        one.moved("https://ONE.example:443/other/path").await;
        assert!(one.has_key().await, "{}: the same server", one.path);
        // A change of server, of port, of encryption; and back by the history, wholly or in one field.
        for elsewhere in [THERE, "https://one.example:8443/v1/", "http://one.example/v1/"] {
            one.moved(HERE).await;
            one.put_key().await;
            one.moved(elsewhere).await;
            assert!(!one.has_key().await, "{}: {elsewhere}", one.path);
        }
        one.moved(THERE).await;
        one.put_key().await;
        for restored in [json!({"fields": [one.field]}), json!({})] {
            one.moved(THERE).await;
            one.put_key().await;
            any_version(&one.by).post(format!("{}/revisions/1/restoration", one.path), restored).await.expect(200);
            assert!(!one.has_key().await, "{}: restored", one.path);
        }
        forgotten += 5;
        assert_eq!(recorded(&app, "service_key_removed").await.len(), forgotten, "{}: in the journal", one.path);
    }
    let database = store::server::every_row(app.store().read()).await.unwrap();
    assert!(!database.contains("k3y-of"), "in clear nowhere");
}

#[app_test]
async fn a_key_is_set_and_forgotten_over_the_version_that_was_read(app: TestApp) {
    let mut records = keyed_records(&app).await;
    records.push(KeyedRecord {
        path: format!("/api/v1/white-labels/{}", app.white_label("morvan").await.0),
        field: "translator_id",
        key: "translation-key",
        shown: "translation_key_set",
        by: app.admin_of("morvan"),
    });
    for one in records {
        let version = async || one.by.get(&one.path).await.expect(200).json()["version"].as_i64().unwrap();
        let key = format!("{}/{}", one.path, one.key);
        let first = version().await;
        let read = one.by.clone().at_version(first);
        read.put(&key, json!({"key": KEY})).await.expect(204);
        let stale = read.put(&key, json!({"key": "another"})).await.expect(412);
        assert_eq!(stale.problem().code, "version/stale", "{key}");
        read.delete(&key).await.expect(412);
        assert_eq!(version().await, first + 1, "{key}");
        let history = one.by.get(format!("{}/revisions", one.path)).await.expect(200).json();
        let latest = &history["items"][0];
        assert_eq!((&latest["reason"], &latest["fields"]), (&json!("service_key"), &json!([])), "{key}");
        let read = one.by.clone().at_version(first + 1);
        read.delete(&key).await.expect(204);
        read.put(&key, json!({"key": KEY})).await.expect(412);
        assert!(!one.has_key().await, "{key}");
        // Where there is no key, nothing changes.
        any_version(&one.by).delete(&key).await.expect(204);
        assert_eq!(version().await, first + 2, "{key}");
    }
}

#[app_test]
async fn the_key_of_a_model_is_set_and_forgotten_over_the_version_that_was_read(app: TestApp) {
    let admin = app.admin_of("morvan");
    let white_label = format!("/api/v1/white-labels/{}", app.white_label("morvan").await.0);
    let path = format!("{white_label}/assistant");
    let key = format!("{path}/key");
    any_version(&admin).put(&path, json!({"base_url": HERE, "model": "m"})).await.expect(200);
    let version = async || admin.get(&white_label).await.expect(200).json()["version"].as_i64().unwrap();
    let first = version().await;
    assert_eq!(admin.put(&key, json!({"key": KEY})).await.expect(428).problem().code, "version/required");
    admin.delete(&key).await.expect(428);
    let read = admin.clone().at_version(first);
    read.put(&key, json!({"key": KEY})).await.expect(204);
    let hint = admin.get(&path).await.expect(200).json()["key_hint"].clone();
    let stale = read.put(&key, json!({"key": "another-key-1234"})).await.expect(412);
    assert_eq!(stale.problem().code, "version/stale");
    read.delete(&key).await.expect(412);
    assert_eq!(admin.get(&path).await.expect(200).json()["key_hint"], hint);
    assert_eq!(version().await, first + 1);
    let history = admin.get(format!("{white_label}/revisions")).await.expect(200).json();
    let latest = &history["items"][0];
    assert_eq!((&latest["reason"], &latest["fields"]), (&json!("service_key"), &json!([])));
    admin.clone().at_version(first + 1).delete(&key).await.expect(204);
    // Where there is no key, nothing changes.
    any_version(&admin).delete(&key).await.expect(204);
    assert_eq!(version().await, first + 2);
}

#[app_test]
async fn a_key_that_was_typed_for_the_former_server_of_a_model_is_refused(app: TestApp) {
    let admin = app.admin_of("morvan");
    let white_label = format!("/api/v1/white-labels/{}", app.white_label("morvan").await.0);
    let path = format!("{white_label}/assistant");
    let set = async |url: &str| {
        any_version(&admin).put(&path, json!({"base_url": url, "model": "m"})).await.expect(200).json()
    };
    let version = async || admin.get(&white_label).await.expect(200).json()["version"].as_i64().unwrap();
    let put_key =
        async |read: i64| admin.clone().at_version(read).put(format!("{path}/key"), json!({"key": KEY})).await;
    set(HERE).await;
    let first = version().await;
    set(THERE).await;
    assert_eq!(put_key(first).await.expect(412).problem().code, "version/stale");
    assert_eq!(admin.get(&path).await.expect(200).json()["key_hint"], Value::Null);
    assert_eq!(version().await, first + 1);
    put_key(first + 1).await.expect(204);
}

#[app_test]
async fn the_key_of_a_model_is_forgotten_with_its_server(app: TestApp) {
    let admin = app.admin_of("morvan");
    let path = format!("/api/v1/white-labels/{}/assistant", app.white_label("morvan").await.0);
    let set = async |url: &str| {
        any_version(&admin).put(&path, json!({"base_url": url, "model": "m"})).await.expect(200).json()
    };
    let put_key = async || any_version(&admin).put(format!("{path}/key"), json!({"key": KEY})).await;
    let first = put_key().await.expect(422).json();
    assert_eq!(first["errors"][0]["code"], "service-key/address-first");
    set(HERE).await;
    put_key().await.expect(204);
    assert_ne!(set("https://one.example/v2").await["key_hint"], Value::Null);
    assert_eq!(set(THERE).await["key_hint"], Value::Null);
    assert_eq!(set(HERE).await["key_hint"], Value::Null, "it does not come back with the address");
    assert_eq!(recorded(&app, "service_key_removed").await.len(), 1);
}

#[app_test]
async fn the_own_key_of_a_white_label_goes_to_the_translator_it_was_entered_for(app: TestApp) {
    let (admin, keeper) = (app.admin_of("morvan"), app.superadmin());
    let path = format!("/api/v1/white-labels/{}", app.white_label("morvan").await.0);
    let mut ids = Vec::new();
    for address in [HERE, THERE] {
        let made = keeper.post("/api/v1/translators", json!({"name": address, "base_url": address})).await;
        ids.push(made.expect(201).json()["id"].as_i64().unwrap());
    }
    let choose =
        async |id: Option<i64>| any_version(&admin).patch(&path, json!({"translator_id": id})).await.expect(200).json();
    let put =
        async || any_version(&admin).put(format!("{path}/translation-key"), json!({"key": KEY})).await.expect(204);
    choose(Some(ids[0])).await;
    put().await;
    assert_eq!(choose(Some(ids[0])).await["translation_key_set"], true);
    assert_eq!(choose(Some(ids[1])).await["translation_key_set"], false, "another choice");
    choose(Some(ids[0])).await;
    put().await;
    // The platform moves the translator: the white-label's own key does not follow.
    let translator = format!("/api/v1/translators/{}", ids[0]);
    any_version(&keeper).patch(translator, json!({"base_url": "https://pirate.example"})).await.expect(200);
    assert_eq!(admin.get(&path).await.json()["translation_key_set"], false);
    // Another default is another server for those that choose none.
    choose(None).await;
    put().await;
    any_version(&keeper)
        .patch(format!("/api/v1/translators/{}", ids[1]), json!({"is_default": true}))
        .await
        .expect(200);
    assert_eq!(admin.get(&path).await.json()["translation_key_set"], false);
}

#[app_test]
async fn a_key_in_clear_in_an_address_is_refused_with_a_reason(app: TestApp) {
    for one in keyed_records(&app).await {
        for (address, name) in [
            ("https://one.example/gtfs.zip?apikey=abc123", "apikey"),
            ("https://one.example/?query=%7B%22apiKey%22%3A%22abc123%22%7D", "apiKey"),
        ] {
            let refused = any_version(&one.by).patch(&one.path, json!({one.field: address})).await.expect(422).json();
            let fault = &refused["errors"][0];
            assert_eq!((&fault["code"], &fault["params"]["name"]), (&json!("service-key/in-address"), &json!(name)));
        }
        any_version(&one.by).patch(&one.path, json!({one.field: "https://moi:abc123@one.example/"})).await.expect(422);
    }
    let database = store::server::every_row(app.store().read()).await.unwrap();
    assert!(!database.contains("abc123"));
}

#[app_test]
async fn the_key_of_a_source_is_sent_to_it_and_shown_nowhere(app: TestApp) {
    let stub = Stub::start(|path, _| {
        if path.contains("k3y-of-the-service") {
            json!({"results": [trek(1, "Tour")], "next": null}).into()
        } else {
            json!({"results": []}).into()
        }
    });
    let editor = app.editor_of("morvan");
    let address = format!("{}/api/v2/?apikey=[CLE]", stub.url);
    let source = editor.post("/api/v1/import-sources", json!({"name": "Parc", "kind": "geotrek", "url": address}));
    let source = source.await.expect(201).json();
    assert_eq!(run_source(&app, &editor, &source).await["failure"]["code"], "sit/key-missing");
    let path = format!("/api/v1/import-sources/{}", source["id"]);
    any_version(&editor).put(format!("{path}/credential"), json!({"key": KEY})).await.expect(204);
    let run = run_source(&app, &editor, &source).await;
    assert_eq!((&run["state"], &run["counts"]["created"]), (&json!("done"), &json!(1)), "{run}");
    assert!(
        stub.requests().iter().any(|asked| asked.contains("apikey=k3y-of-the-service%3Afx")),
        "{:?}",
        stub.requests()
    );
    assert_eq!(editor.get(&path).await.json()["credential_set"], true);
    let database = store::server::every_row(app.store().read()).await.unwrap();
    assert!(!database.contains("k3y-of-the-service"), "neither in the run nor in its pages");
    any_version(&editor).delete(format!("{path}/credential")).await.expect(204);
    assert_eq!(editor.get(&path).await.json()["credential_set"], false);
}

#[app_test]
async fn a_key_is_entered_for_https_alone_where_private_addresses_are_not_allowed(app: TestApp) {
    let public = app.changed(|parts| {
        parts.services = Services::new(ServiceSettings::default());
        parts.fetcher =
            Arc::new(Fetcher::new(FetchSettings { addresses: Addresses::Public, ..FetchSettings::default() }));
    });
    for one in keyed_records(&public).await {
        one.put_key().await;
        one.moved("http://one.example/").await;
        let refused = any_version(&one.by).put(format!("{}/{}", one.path, one.key), json!({"key": KEY})).await;
        assert_eq!(refused.expect(422).json()["errors"][0]["code"], "service-key/https-required", "{}", one.path);
    }
}

#[app_test]
async fn every_column_of_bytes_is_sealed_or_known_not_to_be(app: TestApp) {
    // Columns of bytes that need no seal: hashes, checksums, geometry, drawn pictures.
    const OTHER: [&str; 0] = [];
    let sealed: Vec<String> = SealedColumn::ALL.iter().map(|column| column.name()).collect();
    let found = sealed::byte_columns(app.store().read()).await.unwrap();
    for name in &sealed {
        assert!(found.contains(name), "{name} is a column of bytes: {found:?}");
    }
    let others: Vec<&String> =
        found.iter().filter(|name| !sealed.contains(name) && !OTHER.contains(&name.as_str())).collect();
    let suspicious: Vec<_> = others
        .iter()
        .filter(|name| {
            ["secret", "sealed", "credential", "password", "api_key", "_key"].iter().any(|word| name.ends_with(word))
        })
        .collect();
    assert!(suspicious.is_empty(), "sealed columns that a rotation of the key would leave behind: {suspicious:?}");
}

/// A secret in each column, sealed by `seal`, and its plain text.
async fn filled(app: &TestApp, seal: impl Fn(Place<'_>, &[u8]) -> Vec<u8>) -> Vec<(SealedColumn, i64, String)> {
    let origin = "https://one.example:443";
    let mut found = Vec::new();
    for one in keyed_records(app).await {
        let id: i64 = one.path.rsplit('/').next().unwrap().parse().unwrap();
        let column = match one.path.split('/').nth(3).unwrap() {
            "sit-sources" => SealedColumn::SitCredential,
            "import-sources" => SealedColumn::ImportCredential,
            "transport-feeds" => SealedColumn::TransportCredential,
            _ => SealedColumn::TranslatorKey,
        };
        found.push((column, id, origin.to_owned()));
    }
    let label = app.white_label("morvan").await.0;
    let admin = app.admin_of("morvan");
    let path = format!("/api/v1/white-labels/{label}/assistant");
    any_version(&admin).put(path, json!({"base_url": HERE, "model": "m"})).await.expect(200);
    found.push((SealedColumn::AssistantKey, label, origin.to_owned()));
    found.push((SealedColumn::TranslationKey, label, "service:deepl".to_owned()));
    let tx = app.store().begin().await.unwrap();
    for (column, id, origin) in &found {
        let sealed = seal(Place::of(*column, *id, origin), column.name().as_bytes());
        sealed::put(&tx, *column, *id, Some((sealed, origin))).await.unwrap();
    }
    // More people than a slice holds.
    let mut people = Vec::new();
    for role in domain::Role::ALL {
        people.push(app.user(role, "morvan").await);
        people.push(app.user(role, "vercors").await);
    }
    for id in people {
        let sealed = seal(Place::Totp(id.0), SealedColumn::TotpSecret.name().as_bytes());
        assert!(store::user::offer_totp(&tx, id, sealed).await.unwrap());
        found.push((SealedColumn::TotpSecret, id.0, String::new()));
    }
    let job = store::job::NewJob::new("mail", "{}", app.clock().now());
    let id = store::job::enqueue(&tx, &job, app.clock().now()).await.unwrap();
    let sealed = seal(Place::JobPayload(id), SealedColumn::JobPayload.name().as_bytes());
    store::job::put_sealed(&tx, id, sealed).await.unwrap();
    found.push((SealedColumn::JobPayload, id, String::new()));
    tx.commit().await.unwrap();
    found
}

async fn assert_all_open(app: &TestApp, key: &ServerKey, places: &[(SealedColumn, i64, String)]) {
    for (column, id, origin) in places {
        let value = sealed::find(app.store().read(), *column, *id).await.unwrap().unwrap();
        let opened = key.open(Place::of(*column, *id, origin), &value.sealed);
        assert_eq!(opened.as_deref(), Ok(column.name().as_bytes()), "{} {id}", column.name());
    }
}

#[app_test]
async fn everything_is_sealed_again_with_the_new_key_while_servers_run(app: TestApp) {
    let [old, new] = [(); 2].map(|()| SecretKey::random());
    let before = ServerKey::new(old.clone());
    let places = filled(&app, |place, secret| before.seal(place, secret)).await;
    let columns: std::collections::BTreeSet<_> = places.iter().map(|(column, ..)| *column).collect();
    assert_eq!(columns.len(), SealedColumn::ALL.len(), "each column holds one");

    // A server with the new key alone says which one is missing.
    let bare = ServerKey::new(new.clone());
    let found = survey(&bare, app.store().read()).await.unwrap();
    assert_eq!((found.current, found.missing.get(&old.id())), (0, Some(&places.len())));
    let sentence = found.missing_keys().unwrap();
    assert!(sentence.contains(&old.id().to_string()) && sentence.contains("old_server_keys"), "{sentence}");
    assert_eq!(
        reseal(&bare, app.store(), app.clock().now()).await.unwrap().left,
        places.len(),
        "what it cannot open it leaves alone"
    );

    // With both everything opens, before, meanwhile and after; a second time nothing is left to do.
    let both = ServerKey::of(KeyRing { current: new.clone(), old: vec![old] }, None);
    assert_all_open(&app, &both, &places).await;
    let shown = reseal(&both, app.store(), app.clock().now()).await.unwrap();
    assert_eq!((shown.done, shown.changed, shown.left), (places.len(), 0, 0));
    assert_all_open(&app, &both, &places).await;
    assert_all_open(&app, &bare, &places).await;
    assert_eq!(reseal(&both, app.store(), app.clock().now()).await.unwrap().done, 0);
    let found = survey(&bare, app.store().read()).await.unwrap();
    assert_eq!((found.current, found.total(), found.missing_keys()), (places.len(), places.len(), None));
    assert_eq!(recorded(&app, "sealing_key_rotated").await.len(), 3);
}

#[app_test]
async fn a_secret_changed_during_resealing_is_kept(app: TestApp) {
    let key = ServerKey::random();
    let places = filled(&app, |place, secret| key.seal(place, secret)).await;
    let (column, id, origin) = &places[0];
    let read = sealed::find(app.store().read(), *column, *id).await.unwrap().unwrap();
    let tx = app.store().begin().await.unwrap();
    let entered = key.seal(Place::of(*column, *id, origin), b"entered meanwhile");
    sealed::put(&tx, *column, *id, Some((entered.clone(), origin))).await.unwrap();
    assert!(!sealed::replace(&tx, *column, &read, b"late".to_vec(), Some(origin)).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(sealed::find(app.store().read(), *column, *id).await.unwrap().unwrap().sealed, entered);
}

#[app_test]
async fn keys_that_an_older_version_sealed_are_bound_to_their_server_at_the_start(app: TestApp) {
    let key = ServerKey::random();
    let places = filled(&app, |place, secret| key.seal_unbound(place, secret)).await;
    assert_all_open(&app, &key, &places).await;
    // They had no server beside them.
    let tx = app.store().begin().await.unwrap();
    for (column, id, _) in &places {
        let value = sealed::find(&tx, *column, *id).await.unwrap().unwrap();
        assert!(sealed::replace(&tx, *column, &value, value.sealed.clone(), None).await.unwrap());
    }
    tx.commit().await.unwrap();
    let found = bind_old_keys(&key, app.store()).await.unwrap();
    assert_eq!((found.done, found.left), (places.len(), 0));
    assert_all_open(&app, &key, &places).await;
    assert_eq!(bind_old_keys(&key, app.store()).await.unwrap().done, 0);
    let (column, id, _) = &places[0];
    let value = sealed::find(app.store().read(), *column, *id).await.unwrap().unwrap();
    let moved = key.open(Place::of(*column, *id, "https://pirate.example:443"), &value.sealed);
    assert_eq!(moved, Err(DoesNotOpen::Elsewhere));
}

#[app_test]
async fn servers_of_one_database_have_one_key(test: TestStore) {
    let now = testkit::NOW;
    let ring = |current: &SecretKey, old: &[&SecretKey]| KeyRing {
        current: current.clone(),
        old: old.iter().map(|key| (*key).clone()).collect(),
    };
    let [first, second, third] = [(); 3].map(|()| SecretKey::random());
    seal::agree(&ring(&first, &[]), &test.store, now).await.unwrap().unwrap();
    seal::agree(&ring(&first, &[&second]), &test.store, now).await.unwrap().unwrap();
    let refused = seal::agree(&ring(&third, &[&second]), &test.store, now).await.unwrap().unwrap_err();
    assert_eq!((refused.recorded, refused.here), (first.id().to_string(), third.id()));
    // A rotation: a server that still has the old key among its own goes over to the new one, and none without it starts.
    seal::agree(&ring(&second, &[&first]), &test.store, now).await.unwrap().unwrap();
    assert!(seal::agree(&ring(&first, &[]), &test.store, now).await.unwrap().is_err(), "the key before");
    seal::adopt(&ring(&third, &[]), &test.store, now).await.unwrap();
    seal::agree(&ring(&third, &[]), &test.store, now).await.unwrap().unwrap();
    assert!(seal::agree(&ring(&second, &[&first]), &test.store, now).await.unwrap().is_err());
}

//! Deadlocks: an operation and another transaction wait for each other, PostgreSQL ends one of the two, and the operation is retried.

use domain::record::Kind;
use macros::app_test;
use serde_json::{Value, json};
use store::server::{run_sql, texts};
use store::{Dialect, Tx};
use testkit::{Reply, TestApp};
use teststore::{until, until_waited_for};

use crate::catalogue_kit::{delete, id, made, one, patch, version};
use crate::parcours_kit;

const POIS: &str = "/api/v1/pois";
const TABLE: &str = "/api/v1/tables/pois";

/// The answer to a request that waits for a transaction, which then wants a row that the request has locked. On SQLite, which has one
/// writer, the request only waits.
///
/// PostgreSQL ends the transaction that finds the deadlock, each looks for it once, when it has waited for a second. So that it is the
/// request's on a slow machine too, ours never looks for it, and the request begins to wait for ours last: another transaction keeps the
/// row from both until ours waits for it behind the request.
async fn crossed(app: &TestApp, tx: Tx, (table, id): (&str, i64), asked: impl Future<Output = Reply>) -> Reply {
    let locked = row(table, id);
    if app.store().dialect() == Dialect::Sqlite {
        let (reply, ()) = tokio::join!(asked, async {
            run_sql(&tx, &locked).await.unwrap();
            tx.commit().await.unwrap();
        });
        return reply;
    }
    let first = app.store().begin().await.unwrap();
    // No new version of the row: the next in the queue has it when this one ends.
    run_sql(&first, &format!("SELECT 1 FROM {table} WHERE id = {id} FOR UPDATE")).await.unwrap();
    run_sql(&tx, "SET LOCAL deadlock_timeout = '1min'").await.unwrap();
    let own = texts(&tx, "SELECT CAST(pg_backend_pid() AS TEXT)").await.unwrap().concat();
    let blocked = format!("SELECT CAST(cardinality(pg_blocking_pids({own})) AS TEXT)");
    let (reply, ()) = tokio::join!(asked, async {
        until_waited_for(app.store(), &first).await;
        let release = async {
            let waits = async || texts(app.store().read(), &blocked).await.unwrap() != ["0"];
            until("our transaction waits behind the request", waits).await;
            first.commit().await.unwrap();
        };
        let (taken, ()) = tokio::join!(run_sql(&tx, &locked), release);
        // The request cannot end while ours has its other row. The row is free once the request's transaction was ended: what it
        // answers was done by another try.
        taken.expect("PostgreSQL ends the transaction of the request");
        tx.commit().await.unwrap();
    });
    reply
}

/// Locks a row and changes nothing of it.
fn row(table: &str, id: i64) -> String {
    format!("UPDATE {table} SET version = version WHERE id = {id}")
}

#[app_test]
async fn a_bulk_action_is_retried_after_a_deadlock(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (one, two) =
        (parcours_kit::made(&editor, "Un", json!({})).await, parcours_kit::made(&editor, "Deux", json!({})).await);
    let tx = app.store().begin().await.unwrap();
    run_sql(&tx, &row("parcours", id(&two))).await.unwrap();
    let asked = json!({"ids": [id(&one), id(&two)], "action": "publish", "dry_run": false});
    let done = crossed(&app, tx, ("parcours", id(&one)), editor.post("/api/v1/parcours/bulk", asked)).await;
    assert_eq!(done.expect(200).json()["applied"], 2);
}

#[app_test]
async fn a_merge_is_retried_after_a_deadlock(app: TestApp) {
    let editor = app.editor_of("morvan");
    let (gone, stays) = (app.poi().titled("Lavoir").insert().await, app.poi().titled("Le lavoir").insert().await);
    let tx = app.store().begin().await.unwrap();
    run_sql(&tx, &row("poi", stays.id)).await.unwrap();
    let path = format!("{POIS}/{}/merge", gone.id);
    let asked = editor.clone().at_version(gone.version);
    let merged = crossed(&app, tx, ("poi", gone.id), asked.post(&path, json!({"into_id": stays.id}))).await;
    assert_eq!(merged.expect(200).json()["id"], stays.id);
}

#[app_test]
async fn the_restoration_of_a_version_is_retried_after_a_deadlock(app: TestApp) {
    let editor = app.editor_of("morvan");
    let media = app.media().insert().await.id;
    let sheet = json!({"title": {"fr": "Lavoir"}, "location": [4.0, 47.0], "media_ids": [media]});
    let poi = made(&editor, POIS, sheet).await;
    let poi = patch(&editor, POIS, &poi, json!({"media_ids": []})).await.expect(200).json();
    let tx = app.store().begin().await.unwrap();
    store::record::hold_to_delete(&tx, Kind::Media, media).await.unwrap();
    let path = format!("{}/revisions/1/restoration", one(POIS, &poi));
    let asked = editor.clone().at_version(version(&poi));
    let restored = crossed(&app, tx, ("poi", id(&poi)), asked.post(&path, json!({}))).await;
    assert_eq!(restored.expect(200).json()["media_ids"], json!([media]));
}

#[app_test]
async fn a_restoration_from_the_bin_is_retried_after_a_deadlock(app: TestApp) {
    let editor = app.editor_of("morvan");
    let poi = made(&editor, POIS, json!({"title": {"fr": "Lavoir"}, "location": [4.0, 47.0]})).await;
    let lake = parcours_kit::made(&editor, "Lac", json!({"poi_ids": [id(&poi)]})).await;
    delete(&editor, POIS, &poi, "?force=true").await.expect(204);
    let item = id(&editor.get("/api/v1/bin?kind=poi").await.expect(200).json()["items"][0]);
    let tx = app.store().begin().await.unwrap();
    run_sql(&tx, &row("parcours", id(&lake))).await.unwrap();
    let path = format!("/api/v1/bin/{item}/restoration?put_back=true");
    let back = crossed(&app, tx, ("bin", item), editor.post(&path, json!({}))).await;
    assert_eq!(back.expect(200).json()["put_back"], 1);
}

#[app_test]
async fn the_deletion_of_a_parcours_is_retried_after_a_deadlock(app: TestApp) {
    let editor = app.editor_of("morvan");
    let parent = parcours_kit::made(&editor, "Grand tour", json!({})).await;
    let child = json!({"relation": "child", "parent_id": id(&parent)});
    let child = parcours_kit::made(&editor, "Étape", child).await;
    let tx = app.store().begin().await.unwrap();
    run_sql(&tx, &row("parcours", id(&child))).await.unwrap();
    let path = format!("{}?force=true", parcours_kit::path(&parent));
    let asked = editor.clone().with("if-match", "*");
    crossed(&app, tx, ("parcours", id(&parent)), asked.delete(path)).await.expect(204);
    assert_eq!(parcours_kit::now(&editor, &child).await["parent_id"], Value::Null);
}

#[app_test]
async fn writing_a_table_and_undoing_it_are_retried_after_a_deadlock(app: TestApp) {
    let editor = app.editor_of("morvan");
    let sheet = |title: &str| json!({"title": {"fr": title}, "location": [4.0, 47.0]});
    let (one, two) = (made(&editor, POIS, sheet("Un")).await, made(&editor, POIS, sheet("Deux")).await);
    let file = format!("id;phone\n{};04 92 11 11 11\n{};04 92 11 11 11\n", id(&one), id(&two));
    let report = editor.post_bytes(TABLE, file.clone()).await.expect(200).json();
    let tx = app.store().begin().await.unwrap();
    run_sql(&tx, &row("poi", id(&two))).await.unwrap();
    let path = format!("{TABLE}?token={}", report["token"].as_str().unwrap());
    let written = crossed(&app, tx, ("poi", id(&one)), editor.post_bytes(path, file)).await.expect(200).json();
    assert_eq!((&written["written"], &written["changed"]), (&json!(true), &json!(2)), "{written}");

    let tx = app.store().begin().await.unwrap();
    run_sql(&tx, &row("poi", id(&two))).await.unwrap();
    let asked = json!({"undo_token": written["token"]});
    let undone = crossed(&app, tx, ("poi", id(&one)), editor.post(format!("{TABLE}/undo"), asked)).await;
    assert_eq!(undone.expect(200).json()["applied"], 2);
}

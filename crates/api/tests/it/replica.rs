//! Public feeds and statistics read from a replica of PostgreSQL, only while it is close to the primary (decision 0062).

use std::time::{Duration, Instant};

use serde_json::json;
use store::ReplicaState;
use testkit::{Client, ReplicatedApp, TestApp};

use crate::feeds::{distributed_parcours, new_api_key};
use crate::parcours_kit::{now, patch};

const LIST: &str = "/api/public/v1/parcours";
const STATISTICS: &str = "/api/v1/statistics?from=2026-01-01&to=2026-01-31";

/// Reads that the replica answered, and those that the primary answered instead of it.
fn reads(app: &TestApp) -> (u64, u64) {
    let found = app.store().replica().expect("a replica is set up");
    (found.reads, found.reads_instead)
}

/// Asks until the replica has answered, and returns what it said.
async fn from_replica(app: &TestApp, by: &Client, path: &str) -> serde_json::Value {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        // Another question each time: answers are remembered for a second.
        let asked = format!("{path}{}omit=x{}", if path.contains('?') { '&' } else { '?' }, reads(app).1);
        let before = reads(app);
        let answer = by.get(asked).await.expect(200).json();
        let after = reads(app);
        if after.0 > before.0 && after.1 == before.1 {
            return answer;
        }
        assert!(Instant::now() < until, "the replica is not asked: {:?}", app.store().replica());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until the replica is in a state.
async fn until_state(app: &TestApp, state: ReplicaState) {
    let until = Instant::now() + Duration::from_secs(20);
    while app.store().replica().expect("a replica is set up").state != state {
        assert!(Instant::now() < until, "{:?}", app.store().replica());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn ready(app: &TestApp) -> (String, String) {
    let found = app.anonymous().get("/readyz").await.expect(200).json();
    (found["status"].as_str().unwrap().to_owned(), found["replica"].as_str().unwrap().to_owned())
}

/// Whether a list shows a title.
async fn shows(by: &Client, title: &str) -> bool {
    by.get(LIST).await.expect(200).text().contains(title)
}

#[test]
fn feeds_and_statistics_are_read_from_a_replica_only_while_it_is_close() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        match ReplicatedApp::start().await {
            Some(pair) => story(&pair).await,
            None => testkit::skipped("replica", "PostgreSQL is not installed"),
        }
    });
}

async fn story(pair: &ReplicatedApp) {
    let app = &pair.app;
    let (editor, reader) = (app.editor_of("morvan"), app.reader_of("morvan"));
    let made = distributed_parcours(app, "Tour du lac").await;
    let program = app.anonymous().with("x-api-key", &new_api_key(app, "morvan").await);

    // Lists, one parcours, Geotrek's dialect, statistics.
    assert_eq!(from_replica(app, &program, LIST).await["total"], 1);
    assert_eq!(from_replica(app, &program, &format!("{LIST}/{}", made["id"])).await["title"]["fr"], "Tour du lac");
    assert_eq!(from_replica(app, &program, "/api/v2/trek/").await["count"], 1);
    from_replica(app, &reader, STATISTICS).await;
    assert_eq!(ready(app).await, ("ready".to_owned(), "ok".to_owned()));

    // Changes since an instant are read from the primary; the back office reads nothing from the replica.
    let before = reads(app);
    program.get(format!("{LIST}/changes?since=2026-01-01")).await.expect(200);
    program.get(format!("{LIST}?updated_after=2026-01-01")).await.expect(200);
    program.get("/api/v2/trek/?updated_after=2026-01-01").await.expect(200);
    editor.get("/api/v1/parcours").await.expect(200);
    assert_eq!(reads(app), before);

    // A server sees what it wrote at once, and what another one wrote within a second.
    let other = pair.other_server().await;
    let mut slowest = Duration::ZERO;
    for turn in 0..10 {
        app.clock().advance_s(60);
        let title = format!("Tour numéro {turn}.");
        patch(&editor, &now(&editor, &made).await, json!({"title": {"fr": title}})).await;
        assert!(shows(&program, &title).await, "{title}");
        let title = format!("D’ailleurs {turn}.");
        let there = other.editor_of("morvan");
        patch(&there, &now(&there, &made).await, json!({"title": {"fr": title}})).await;
        let written = Instant::now();
        while !shows(&program, &title).await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        slowest = slowest.max(written.elapsed());
    }
    // A request takes some time too, on a machine under load.
    assert!(slowest < Duration::from_millis(1_500), "{slowest:?}");

    // A replica that does not follow is not asked once it lacks something.
    pair.servers.follow(false).await;
    patch(&editor, &now(&editor, &made).await, json!({"title": {"fr": "Pendant la pause"}})).await;
    let before = reads(app);
    for _ in 0..20 {
        app.clock().advance_s(10);
        assert!(shows(&program, "Pendant la pause").await);
        reader.get(STATISTICS).await.expect(200);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(reads(app).0, before.0);
    assert!(reads(app).1 > before.1, "the primary answers");
    until_state(app, ReplicaState::Late).await;
    assert_eq!(ready(app).await, ("degraded".to_owned(), "failing".to_owned()));
    pair.servers.follow(true).await;
    until_state(app, ReplicaState::Ok).await;
    assert_eq!(from_replica(app, &program, LIST).await["items"][0]["title"]["fr"], "Pendant la pause");

    // It crashes while it is asked: no request fails.
    let asking = {
        let (app, program, reader) = (app.clone(), program.clone(), reader.clone());
        tokio::spawn(async move {
            let until = Instant::now() + Duration::from_secs(4);
            let mut asked = 0;
            while Instant::now() < until {
                app.clock().advance_s(1);
                let (list, sums) = tokio::join!(program.get(format!("{LIST}?omit=y{asked}")), reader.get(STATISTICS));
                list.expect(200);
                sums.expect(200);
                asked += 1;
            }
            asked
        })
    };
    tokio::time::sleep(Duration::from_secs(1)).await;
    let before = reads(app);
    assert!(before.0 > 0);
    pair.servers.stop_replica();
    assert!(asking.await.unwrap() > 20);
    until_state(app, ReplicaState::Away).await;
    assert_eq!(ready(app).await, ("degraded".to_owned(), "failing".to_owned()));
    assert!(shows(&program, "Pendant la pause").await);

    // It is there again, with what was written meanwhile.
    patch(&editor, &now(&editor, &made).await, json!({"title": {"fr": "Sans réplique"}})).await;
    pair.servers.start_replica().await;
    until_state(app, ReplicaState::Ok).await;
    assert_eq!(from_replica(app, &program, LIST).await["items"][0]["title"]["fr"], "Sans réplique");
    assert_eq!(ready(app).await, ("ready".to_owned(), "ok".to_owned()));
}

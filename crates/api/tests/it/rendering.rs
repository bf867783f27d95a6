//! Files of public pages: equal requests share one rendering, results are stored, and no client takes all places.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use app::{PdfRenderer, Printing};
use macros::app_test;
use outputs::roadbook::{FAILED_S, FILES_A_MINUTE, PUBLIC_WAITING, RENDERINGS_A_MINUTE};
use roadbook::{Request, RoadbookError};
use serde_json::{Value, json};
use testkit::{Client, CountingRenderer, Reply, TestApp};
use tokio::task::JoinSet;

use crate::parcours_kit::{now, patch, path, shared};

/// Upper bound for events that must happen; longer than any of them takes.
const LONG: Duration = Duration::from_secs(20);
/// Time after which an event that must not happen would have happened.
const SHORT: Duration = Duration::from_millis(300);

fn printing(app: &TestApp, renderer: &Arc<CountingRenderer>) -> TestApp {
    app.changed(|parts| parts.renderer = Some(Arc::clone(renderer) as _))
}

fn file(parcours: &Value, name: &str) -> String {
    format!("/p/x-{}/{name}", parcours["id"])
}

fn ask(asking: &mut JoinSet<Reply>, by: &Client, path: String) {
    let by = by.clone();
    asking.spawn(async move { by.get(path).await });
}

#[app_test]
async fn fifty_identical_requests_share_one_rendering(app: TestApp) {
    let renderer = Arc::new(CountingRenderer::closed());
    let app = printing(&app, &renderer);
    let parcours = shared(&app.editor_of("morvan"), "Lac").await;
    let mut asking = JoinSet::new();
    for _ in 0..50 {
        ask(&mut asking, &app.anonymous(), file(&parcours, "roadbook.pdf"));
    }
    assert!(renderer.reaches(1, LONG).await);
    assert!(!renderer.reaches(2, SHORT).await, "a second rendering of the same began");
    renderer.open(50);
    let answers = asking.join_all().await;
    assert!(answers.iter().all(|reply| reply.status == 200 && reply.bytes == answers[0].bytes));
    assert_eq!((answers.len(), renderer.started()), (50, 1));
}

#[app_test]
async fn a_result_is_cached_until_its_content_changes_and_shared_by_servers(app: TestApp) {
    let renderer = Arc::new(CountingRenderer::default());
    let app = printing(&app, &renderer);
    let editor = app.editor_of("morvan");
    let parcours = shared(&editor, "Lac").await;
    let (pdf, everybody) = (file(&parcours, "roadbook.pdf"), app.anonymous());
    let first = everybody.get(&pdf).await.expect(200).bytes;
    assert_eq!(everybody.get(&pdf).await.expect(200).bytes, first);
    assert_eq!(renderer.started(), 1);
    let elsewhere = Arc::new(CountingRenderer::default());
    let other = printing(&app, &elsewhere);
    assert_eq!(other.anonymous().get(&pdf).await.expect(200).bytes, first);
    assert_eq!(elsewhere.started(), 0, "the other server reads what the first kept");
    everybody.get(format!("/en{pdf}")).await.expect(200);
    assert_eq!(renderer.started(), 2, "another language is another file");
    patch(&editor, &now(&editor, &parcours).await, json!({"title": {"fr": "Lac bleu"}})).await;
    assert!(other.anonymous().get(&pdf).await.expect(200).bytes != first);
    assert_eq!((renderer.started(), elsewhere.started()), (2, 1), "a change is rendered, once");
}

#[app_test]
async fn a_result_that_cannot_be_stored_is_still_sent(app: TestApp) {
    let renderer = Arc::new(CountingRenderer::default());
    let app = printing(&app, &renderer);
    let parcours = shared(&app.editor_of("morvan"), "Lac").await;
    // A folder with a file in it, where the result is kept: it cannot be written.
    let place = app.scratch().path().join(format!("blobs/roadbook/{}-fr.pdf", parcours["id"]));
    std::fs::create_dir_all(place.join("inside")).unwrap();
    for number in 1..=2 {
        let sent = app.anonymous().get(file(&parcours, "roadbook.pdf")).await.expect(200);
        assert!(sent.bytes.starts_with(b"%PDF-"));
        assert_eq!(renderer.started(), number, "nothing was kept");
    }
}

/// A renderer that always fails, and counts how often it was called.
#[derive(Debug)]
struct FailingRenderer {
    started: AtomicUsize,
    error: RoadbookError,
}

impl PdfRenderer for FailingRenderer {
    fn print(&self, _request: Request) -> Printing<'_> {
        self.started.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::ready(Err(self.error.clone())))
    }
}

#[app_test]
async fn a_rendering_that_failed_is_not_tried_again_for_some_minutes(app: TestApp) {
    let editor = app.editor_of("morvan");
    for (number, error) in [
        RoadbookError::TimedOut { after: Duration::from_secs(60) },
        RoadbookError::Crashed { detail: "no memory".to_owned() },
    ]
    .into_iter()
    .enumerate()
    {
        let renderer = Arc::new(FailingRenderer { started: AtomicUsize::new(0), error });
        let failing = app.changed(|parts| parts.renderer = Some(Arc::clone(&renderer) as _));
        let (parcours, other) =
            (shared(&editor, &format!("Lac {number}")).await, shared(&editor, &format!("Bois {number}")).await);
        let (pdf, everybody) = (file(&parcours, "roadbook.pdf"), failing.anonymous());
        let tried = || renderer.started.load(Ordering::SeqCst);
        let wait = |reply: Reply| reply.expect(503).header("retry-after").to_owned();
        let first = everybody.get(&pdf).await;
        assert!(first.text().contains("quelques minutes"), "{}", first.text());
        assert_eq!(wait(first), FAILED_S.to_string());
        failing.clock().advance_s(60);
        assert_eq!(wait(everybody.get(&pdf).await), (FAILED_S - 60).to_string());
        assert_eq!(tried(), 1);
        everybody.get(file(&other, "roadbook.pdf")).await.expect(503);
        assert_eq!(tried(), 2, "another roadbook is tried");
        failing.clock().advance_s(FAILED_S - 60);
        everybody.get(&pdf).await.expect(503);
        assert_eq!(tried(), 3);
        patch(&editor, &now(&editor, &parcours).await, json!({"title": {"fr": "Lac bleu"}})).await;
        everybody.get(&pdf).await.expect(503);
        assert_eq!(tried(), 4, "changed content is tried");
    }
}

#[app_test]
async fn a_rendering_goes_on_when_the_client_leaves(app: TestApp) {
    let renderer = Arc::new(CountingRenderer::closed());
    let app = printing(&app, &renderer);
    let parcours = shared(&app.editor_of("morvan"), "Lac").await;
    let mut asking = JoinSet::new();
    ask(&mut asking, &app.anonymous(), file(&parcours, "roadbook.pdf"));
    assert!(renderer.reaches(1, LONG).await);
    asking.shutdown().await;
    ask(&mut asking, &app.anonymous(), file(&parcours, "roadbook.pdf"));
    assert!(!renderer.reaches(2, SHORT).await);
    renderer.open(1);
    assert_eq!(asking.join_next().await.unwrap().unwrap().status, 200);
    assert_eq!(renderer.started(), 1);
}

#[app_test]
async fn requests_over_the_public_queue_are_refused_and_staff_have_a_separate_queue(app: TestApp) {
    let renderer = Arc::new(CountingRenderer::closed());
    let app = printing(&app, &renderer);
    let editor = app.editor_of("morvan");
    let (mut asking, extra) = (JoinSet::new(), 4);
    let mut last = Value::Null;
    for number in 0..usize::midpoint(PUBLIC_WAITING, extra) {
        last = shared(&editor, &format!("Lac {number}")).await;
        for language in ["", "/en"] {
            ask(&mut asking, &app.anonymous(), format!("{language}{}", file(&last, "roadbook.pdf")));
        }
    }
    for _ in 0..extra {
        let refused = asking.join_next().await.unwrap().unwrap().expect(503);
        assert_eq!(refused.header("retry-after"), "10");
        assert!(refused.text().contains("<html"), "visitors get an HTML page");
    }
    assert!(renderer.reaches(1, LONG).await);
    assert!(!renderer.reaches(2, SHORT).await, "visitors have one place");
    let printed = format!("{}/roadbook/pdf", path(&last));
    let staff = tokio::spawn(async move { editor.post(printed, json!({})).await });
    assert!(renderer.reaches(2, LONG).await, "staff do not wait behind visitors");
    renderer.open(PUBLIC_WAITING + 1);
    assert_eq!(staff.await.unwrap().status, 200);
    let answers = asking.join_all().await;
    assert_eq!(answers.iter().filter(|reply| reply.status == 200).count(), PUBLIC_WAITING);
}

#[app_test]
async fn file_requests_of_one_address_are_limited_per_minute(app: TestApp) {
    let renderer = Arc::new(CountingRenderer::default());
    let app = printing(&app, &renderer);
    let everybody = app.anonymous();
    for _ in 0..FILES_A_MINUTE {
        everybody.get("/p/x-999999/card.jpg").await.expect(404);
    }
    for path in ["/p/x-999999/card.jpg", "/en/p/x-999999/roadbook.pdf", "/s/none/roadbook.pdf"] {
        let refused = everybody.get(path).await.expect(429);
        assert_eq!(refused.header("retry-after"), "1", "{path}");
    }
    everybody.get("/p/x-999999/trace.gpx").await.expect(404);
    app.clock().advance_s(1);
    everybody.get("/p/x-999999/card.jpg").await.expect(404);
}

#[app_test]
async fn renderings_for_one_address_are_limited_per_minute(app: TestApp) {
    let renderer = Arc::new(CountingRenderer::default());
    let app = printing(&app, &renderer);
    let (editor, everybody) = (app.editor_of("morvan"), app.anonymous());
    let parcours = shared(&editor, "Lac").await;
    let pdf = file(&parcours, "roadbook.pdf");
    for number in 0..RENDERINGS_A_MINUTE {
        patch(&editor, &now(&editor, &parcours).await, json!({"title": {"fr": format!("Lac {number}")}})).await;
        everybody.get(&pdf).await.expect(200);
        everybody.get(&pdf).await.expect(200);
    }
    patch(&editor, &now(&editor, &parcours).await, json!({"title": {"fr": "Lac bleu"}})).await;
    let refused = everybody.get(&pdf).await.expect(429);
    assert_eq!(refused.header("retry-after"), "3");
    assert_eq!(renderer.started(), RENDERINGS_A_MINUTE as usize);
}

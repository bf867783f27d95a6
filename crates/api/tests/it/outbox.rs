//! Mails wait in the database until a mail server takes them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use connect::{Mail, MailError, Mailer, Sending};
use domain::job::{Job, JobState};
use macros::app_test;
use serde_json::json;
use store::job::JobFilter;
use testkit::{Mailbox, TestApp};

use crate::catalogue_kit::made;

const RESETS: &str = "/api/v1/password-resets";
const EDITOR: &str = "editor@morvan.example";
const USERS: &str = "/api/v1/users";

/// A mail server that refuses every mail until it is repaired.
#[derive(Debug, Default)]
struct FailingMailServer {
    is_well: AtomicBool,
    taken: Mailbox,
}

impl Mailer for FailingMailServer {
    fn send(&self, mail: Mail) -> Sending<'_> {
        if self.is_well.load(Ordering::SeqCst) {
            return self.taken.send(mail);
        }
        Box::pin(async { Err(MailError::Outbox(std::io::Error::other("451 try again later"))) })
    }
}

/// A mail server that never answers: the process dies before it does.
#[derive(Debug)]
struct UnresponsiveMailServer;

impl Mailer for UnresponsiveMailServer {
    fn send(&self, _: Mail) -> Sending<'_> {
        Box::pin(std::future::pending())
    }
}

/// A mail server that takes no mail to this address, now or later.
#[derive(Debug)]
struct RejectingMailServer;

impl Mailer for RejectingMailServer {
    fn send(&self, mail: Mail) -> Sending<'_> {
        Box::pin(async { Err(MailError::Address(mail.to)) })
    }
}

async fn jobs(app: &TestApp, kind: &str) -> Vec<Job> {
    let filter = JobFilter { kind: Some(kind.to_owned()), ..JobFilter::default() };
    store::job::list(app.store().read(), &filter, None, 100).await.unwrap()
}

#[app_test]
async fn a_mail_server_that_refuses_for_ten_seconds_loses_no_mail(app: TestApp) {
    let server = Arc::new(FailingMailServer::default());
    let app = app.changed(|parts| parts.mail = Arc::clone(&server) as _);
    app.anonymous().post(RESETS, json!({"email": EDITOR})).await.expect(202);
    api::job::settle(app.app()).await.unwrap();
    while jobs(&app, "mail").await.iter().all(|mail| mail.reason.is_none()) {
        tokio::task::yield_now().await;
    }
    let mail = jobs(&app, "mail").await.remove(0);
    assert_eq!((mail.state, mail.reason.unwrap().code.as_str()), (JobState::Waiting, "mail/not-taken"));
    assert!(server.taken.is_empty());
    for _ in 0..2 {
        app.clock().advance_s(6);
        api::job::settle(app.app()).await.unwrap();
    }
    server.is_well.store(true, Ordering::SeqCst);
    app.clock().advance_s(60);
    api::job::settle(app.app()).await.unwrap();
    assert_eq!((server.taken.next().await.to.as_str(), server.taken.len()), (EDITOR, 0));
    assert_eq!(jobs(&app, "mail").await[0].state, JobState::Done);
}

#[app_test]
async fn a_process_that_dies_after_its_answer_loses_no_mail(app: TestApp) {
    let dying = app.changed(|parts| parts.mail = Arc::new(UnresponsiveMailServer));
    dying.anonymous().post(RESETS, json!({"email": EDITOR})).await.expect(202);
    // The job that makes the mail has ended, else its lease runs out too and another one is made.
    let are_in = async |kind, state| jobs(&app, kind).await.iter().any(|job| job.state == state);
    while !are_in("mail", JobState::Running).await || !are_in("password_reset", JobState::Done).await {
        tokio::task::yield_now().await;
    }
    // Another server over the same database. The lease of the first one still holds, then it runs out.
    api::job::settle(app.app()).await.unwrap();
    assert!(app.mail().is_empty());
    app.clock().advance_s(61);
    api::job::settle(app.app()).await.unwrap();
    assert_eq!((app.mail().next().await.to.as_str(), app.mail().len()), (EDITOR, 0));
}

#[app_test]
async fn a_waiting_mail_is_encrypted_and_erased_once_sent(app: TestApp) {
    let server = Arc::new(FailingMailServer::default());
    let app = app.changed(|parts| parts.mail = Arc::clone(&server) as _);
    app.anonymous().post(RESETS, json!({"email": EDITOR})).await.expect(202);
    while jobs(&app, "mail").await.iter().all(|mail| mail.reason.is_none()) {
        tokio::task::yield_now().await;
    }
    let id = jobs(&app, "mail").await[0].id;
    assert!(store::job::sealed(app.store().read(), id).await.unwrap().is_some());
    let (_, _, payload) = store::job::payload(app.store().read(), id).await.unwrap().unwrap();
    assert_eq!(payload, "{}");
    server.is_well.store(true, Ordering::SeqCst);
    app.clock().advance_s(60);
    api::job::settle(app.app()).await.unwrap();
    server.taken.next().await;
    assert_eq!(store::job::sealed(app.store().read(), id).await.unwrap(), None);
}

#[app_test]
async fn a_link_that_no_longer_works_is_not_sent(app: TestApp) {
    let server = Arc::new(FailingMailServer::default());
    let app = app.changed(|parts| parts.mail = Arc::clone(&server) as _);
    app.anonymous().post(RESETS, json!({"email": EDITOR})).await.expect(202);
    while jobs(&app, "mail").await.iter().all(|mail| mail.reason.is_none()) {
        tokio::task::yield_now().await;
    }
    server.is_well.store(true, Ordering::SeqCst);
    app.clock().advance_s(3_601);
    api::job::settle(app.app()).await.unwrap();
    let mail = jobs(&app, "mail").await.remove(0);
    assert_eq!((mail.state, mail.reason.unwrap().code.as_str()), (JobState::Dead, "mail/too-late"));
    assert!(server.taken.is_empty());
}

#[app_test]
async fn an_undeliverable_invitation_is_not_shown_as_sent(app: TestApp) {
    let app = app.changed(|parts| parts.mail = Arc::new(RejectingMailServer));
    let admin = app.admin_of("morvan");
    let anna = json!({"first_name": "Anna", "last_name": "Roux", "email": "anna@roux.example", "role": "editor", "white_label_ids": [1]});
    let roux = made(&admin, USERS, anna).await;
    assert_eq!(roux["invited_at"], json!(null));
    let again = admin.post(format!("{USERS}/{}/invitation", roux["id"]), json!({})).await;
    assert_eq!(again.expect(503).problem().code, "user/mail-not-sent");
    assert!(jobs(&app, "mail").await.iter().all(|mail| mail.state == JobState::Dead));
}

#[app_test]
async fn an_invitation_waits_for_the_mail_server(app: TestApp) {
    let server = Arc::new(FailingMailServer::default());
    let app = app.changed(|parts| parts.mail = Arc::clone(&server) as _);
    let anna = json!({"first_name": "Anna", "last_name": "Roux", "email": "anna@roux.example", "role": "editor", "white_label_ids": [1]});
    let roux = made(&app.admin_of("morvan"), USERS, anna).await;
    assert!(roux["invited_at"].is_string(), "it is on its way");
    server.is_well.store(true, Ordering::SeqCst);
    app.clock().advance_s(60);
    api::job::settle(app.app()).await.unwrap();
    assert_eq!(server.taken.next().await.to, "anna@roux.example");
}

//! Mails wait in the database until a mail server takes them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use connect::{Mail, MailError, Mailer, Sending, Smtp};
use domain::job::{Job, JobState};
use macros::app_test;
use serde_json::json;
use store::job::JobFilter;
use testkit::{Mailbox, TestApp};
use teststore::until;

use crate::catalogue_kit::made;

const RESETS: &str = "/api/v1/password-resets";
const EDITOR: &str = "editor@morvan.example";
const USERS: &str = "/api/v1/users";

/// A mail server that refuses every mail until it is repaired.
#[derive(Debug, Default)]
struct FailingMailServer {
    is_well: AtomicBool,
    taken: Mailbox,
    message_ids: Mutex<Vec<String>>,
}

impl Mailer for FailingMailServer {
    fn send(&self, mail: Mail, message_id: String) -> Sending<'_> {
        self.message_ids.lock().unwrap().push(message_id.clone());
        if self.is_well.load(Ordering::SeqCst) {
            return self.taken.send(mail, message_id);
        }
        Box::pin(async { Err(MailError::Outbox(std::io::Error::other("451 try again later"))) })
    }
}

/// A mail server that never answers: the process dies before it does.
#[derive(Debug)]
struct UnresponsiveMailServer;

impl Mailer for UnresponsiveMailServer {
    fn send(&self, _: Mail, _: String) -> Sending<'_> {
        Box::pin(std::future::pending())
    }
}

/// A mail server that takes no mail to this address, now or later.
#[derive(Debug)]
struct RejectingMailServer;

impl Mailer for RejectingMailServer {
    fn send(&self, mail: Mail, _: String) -> Sending<'_> {
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

#[app_test]
async fn a_mail_that_is_sent_again_has_the_same_message_id(app: TestApp) {
    let server = Arc::new(FailingMailServer::default());
    let app = app.changed(|parts| parts.mail = Arc::clone(&server) as _);
    for email in [EDITOR, "admin@morvan.example"] {
        app.anonymous().post(RESETS, json!({"email": email})).await.expect(202);
        api::job::settle(app.app()).await.unwrap();
    }
    while jobs(&app, "mail").await.iter().filter(|mail| mail.reason.is_some()).count() < 2 {
        tokio::task::yield_now().await;
    }
    server.is_well.store(true, Ordering::SeqCst);
    app.clock().advance_s(60);
    api::job::settle(app.app()).await.unwrap();
    assert!(jobs(&app, "mail").await.iter().all(|mail| mail.state == JobState::Done));
    let mut ids = server.message_ids.lock().unwrap().clone();
    let sent = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert!(sent >= 4 && ids.len() == 2, "one for each mail: {ids:?} of {sent}");
}

/// A mail server that answers the recipients of its mails with these lines, one after the other, and then accepts each. Returns its address.
fn answering(answers: &'static [&'static str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut answers = answers.iter();
        for socket in listener.incoming().flatten() {
            let mut write = socket.try_clone().unwrap();
            // A client that was refused may have gone.
            let _ = write.write_all(b"220 stub ESMTP\r\n");
            for line in BufReader::new(socket).lines().map_while(Result::ok) {
                let answer = match line.get(..4).unwrap_or(&line) {
                    "RCPT" => answers.next().copied().unwrap_or("250 ok"),
                    "DATA" => "354 go on",
                    "EHLO" | "MAIL" | "RSET" | "QUIT" | "." => "250 ok",
                    // A line of the mail.
                    _ => continue,
                };
                let _ = write.write_all(format!("{answer}\r\n").as_bytes());
            }
        }
    });
    url
}

/// The mail to a person after this many attempts, ten minutes apart.
async fn mail_after(app: &TestApp, email: &str, attempts: i64) -> Job {
    let known = jobs(app, "mail").await.len();
    app.anonymous().post(RESETS, json!({ "email": email })).await.expect(202);
    for attempt in 1..=attempts {
        let has_ended = async || {
            api::job::settle(app.app()).await.unwrap();
            let mails = jobs(app, "mail").await;
            let is_new = mails.len() > known;
            is_new && mails.first().is_some_and(|mail| mail.attempts >= attempt && mail.state != JobState::Running)
        };
        until("the attempt has ended", has_ended).await;
        app.clock().advance_s(600);
    }
    jobs(app, "mail").await.remove(0)
}

#[app_test]
async fn a_mail_is_given_up_after_three_permanent_refusals_whatever_came_between(app: TestApp) {
    const NOT_NOW: &str = "451 4.7.1 try again later";
    const REFUSED: &str = "550 5.1.1 no such mailbox";
    let with = |answers: &'static [&'static str]| {
        let mailer = Smtp::new(&answering(answers), "jalon@morvan.example").unwrap();
        app.changed(|parts| parts.mail = Arc::new(mailer))
    };
    let sent = mail_after(&with(&[NOT_NOW, NOT_NOW, REFUSED, REFUSED]), EDITOR, 5).await;
    assert_eq!(sent.state, JobState::Done, "two refusals are not three: {sent:?}");
    let dead = mail_after(&with(&[REFUSED, NOT_NOW, REFUSED, NOT_NOW, REFUSED]), "admin@morvan.example", 5).await;
    assert_eq!((dead.state, dead.attempts), (JobState::Dead, 5), "{dead:?}");
    assert_eq!(dead.reason.unwrap().code, "mail/refused");
}

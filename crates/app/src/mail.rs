//! The outbox: a mail is enqueued in the transaction that wants it, and sent by a job. It waits while no mail server accepts it,
//! and survives a restart of the process.

use std::time::Duration;

use connect::{Mail, MailError};
use domain::job::{JobReason, JobState};
use domain::{Instant, UserId, WhiteLabelId};
use jobs::{Backoff, Enqueue, Failure, JobEvent, JobKind, Lease, Step};
use serde::{Deserialize, Serialize};
use store::{StoreError, Tx};

use crate::App;
use crate::seal::Place;
use crate::token::checksum;
use crate::worker::worker;

/// Longest wait for a mail before a request that asks is answered.
const TIMEOUT: Duration = Duration::from_secs(3);
/// How often the state of a mail is read meanwhile.
const LOOK: Duration = Duration::from_millis(50);
/// Permanent refusals of the mail server, for instance because the mailbox is unknown, after which a mail is given up. Attempts that it did not
/// take for another reason do not count.
const MAX_REFUSALS: i64 = 3;
/// The value in the reason of a failed mail: how often it was refused permanently so far.
const REFUSALS: &str = "refusals";

/// The length of the part of a `Message-ID` before the `@`, 128 bits: with most domains the header is not folded, which some mail servers
/// do not read.
const MESSAGE_ID_CHARS: usize = 32;

/// The part of a mail that the table of jobs shows; the rest is sealed.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct About {
    /// The user whom it invites, and when: an invitation that failed is not shown as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invited: Option<(i64, i64)>,
}

/// The sealed part.
#[derive(Serialize, Deserialize)]
struct Sealed {
    to: String,
    subject: String,
    text: String,
    expires_at: Option<Instant>,
}

/// A mail to be enqueued.
pub struct Letter {
    mail: Mail,
    about: About,
    white_label_id: Option<WhiteLabelId>,
    expires_at: Option<Instant>,
}

impl From<Mail> for Letter {
    fn from(mail: Mail) -> Self {
        Self { mail, about: About::default(), white_label_id: None, expires_at: None }
    }
}

impl Letter {
    /// A mail in plain text.
    pub fn new(to: String, subject: String, text: String) -> Self {
        Mail { to, subject, text }.into()
    }

    /// For the jobs of a white-label.
    #[must_use]
    pub fn of_white_label(mut self, id: WhiteLabelId) -> Self {
        self.white_label_id = Some(id);
        self
    }

    /// It is not sent after this instant: its link no longer works.
    #[must_use]
    pub fn expires_at(mut self, at: Instant) -> Self {
        self.expires_at = Some(at);
        self
    }

    /// Invites a user.
    #[must_use]
    pub fn inviting(mut self, user: UserId, at: Instant) -> Self {
        self.about.invited = Some((user.0, at.0));
        self
    }

    /// Enqueues it and returns the number of its job.
    pub async fn enqueue(self, app: &App, tx: &Tx) -> Result<i64, StoreError> {
        let job = Enqueue::<SendMail>::new(self.about).of_white_label(self.white_label_id).put(tx, app.now()).await?;
        let Mail { to, subject, text } = self.mail;
        seal(app, tx, job, &Sealed { to, subject, text, expires_at: self.expires_at }).await?;
        Ok(job)
    }
}

/// Stores the sealed part of a job's payload.
pub async fn seal<T: Serialize>(app: &App, tx: &Tx, job: i64, secret: &T) -> Result<(), StoreError> {
    // Cannot fail: only maps with keys that are no text fail.
    let bytes = serde_json::to_vec(secret).unwrap_or_default();
    store::job::put_sealed(tx, job, app.key.seal(Place::JobPayload(job), &bytes)).await
}

/// Reads the sealed part of a job's payload.
pub async fn open<T: serde::de::DeserializeOwned>(app: &App, lease: &Lease) -> Result<T, Failure> {
    let unreadable = || Failure::Final(JobReason::new("job/sealed-unreadable"));
    let sealed = store::job::sealed(app.store.read(), lease.job()).await?.ok_or_else(unreadable)?;
    let bytes = app.key.open(Place::JobPayload(lease.job()), &sealed).map_err(|_| unreadable())?;
    serde_json::from_slice(&bytes).map_err(|_| unreadable())
}

/// Sends a mail.
pub struct SendMail;

impl JobKind for SendMail {
    type Context = App;
    type Payload = About;
    const NAME: &'static str = "mail";
    const LIMIT: i64 = 4;
    /// With the waits below, for about a day.
    const MAX_ATTEMPTS: i64 = 32;
    const BACKOFF: Backoff = Backoff { first_s: 5, max_s: 3_600 };
    /// Before long work: people wait for mails.
    const PRIORITY: i64 = -10;

    async fn run(app: App, lease: Lease, _: About) -> Result<Step, Failure> {
        let Sealed { to, subject, text, expires_at } = open(&app, &lease).await?;
        if expires_at.is_some_and(|at| at <= app.now()) {
            return Err(Failure::Final(JobReason::new("mail/too-late")));
        }
        let mut message_id = checksum(format!("{}\n{to}\n{subject}\n{text}", lease.job()).as_bytes());
        message_id.truncate(MESSAGE_ID_CHARS);
        let Err(error) = app.mail.send(Mail { to, subject, text }, message_id).await else { return Ok(Step::Done) };
        let before = store::job::find(app.store.read_now(), lease.job()).await?.and_then(|job| job.reason);
        Err(failure(lease.job(), &error, before.as_ref()))
    }

    async fn on_event(_: &App, tx: &Tx, about: &About, event: JobEvent) -> Result<(), StoreError> {
        match about.invited {
            Some((user, at)) if event != JobEvent::TriedAgain => {
                store::user::clear_invitation(tx, UserId(user), Instant(at)).await
            }
            Some((user, at)) => store::user::set_invited_at(tx, UserId(user), Instant(at)).await,
            None => Ok(()),
        }
    }
}

/// What follows from a failed attempt; `before` is the reason of the attempt before it.
fn failure(job: i64, error: &MailError, before: Option<&JobReason>) -> Failure {
    let refusals = before.and_then(|before| before.params.get(REFUSALS)?.as_i64()).unwrap_or(0);
    tracing::error!(job, %error, "a mail was not sent");
    match error {
        MailError::Address(_) | MailError::Message(_) => Failure::Final(JobReason::new("mail/address")),
        refused if refused.is_permanent() => {
            let reason = JobReason::new("mail/refused").with(REFUSALS, refusals + 1);
            if refusals + 1 < MAX_REFUSALS { Failure::again(reason) } else { Failure::Final(reason) }
        }
        _ if refusals > 0 => Failure::again(JobReason::new("mail/not-taken").with(REFUSALS, refusals)),
        _ => Failure::again(JobReason::new("mail/not-taken")),
    }
}

/// Where no worker runs in this process, sends these mails.
pub async fn flush(app: &App, jobs: &[i64]) {
    if app.jobs().is_worked() {
        return;
    }
    for job in jobs {
        if let Err(error) = worker(app).run_one(*job).await {
            tracing::error!(job, %error, "a mail waits: it could not be taken up");
        }
    }
}

/// Like [`flush`], in a task that is not waited for.
pub fn flush_in_background(app: &App, jobs: Vec<i64>) {
    if jobs.is_empty() || app.jobs().is_worked() {
        return;
    }
    let app = app.clone();
    tokio::spawn(async move { flush(&app, &jobs).await });
}

/// The state of a mail `TIMEOUT` after it was enqueued, or earlier where it is sent or given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailState {
    /// A mail server took it, or the outbox folder.
    Sent,
    /// It waits, or is on its way.
    Waits,
    /// It was given up at once: its address is not one that a mail can go to.
    GivenUp,
}

/// Waits up to `TIMEOUT` for a mail that is enqueued and committed.
pub async fn state_after_wait(app: &App, job: i64) -> Result<MailState, StoreError> {
    flush_in_background(app, vec![job]);
    let settled = async {
        loop {
            let found = store::job::find(app.store.read(), job).await?;
            let state = found.as_ref().map(|found| found.state);
            match state {
                Some(JobState::Done) | None => return Ok(MailState::Sent),
                Some(JobState::Dead | JobState::Cancelled) => return Ok(MailState::GivenUp),
                // It failed once, and is tried again later.
                Some(JobState::Waiting) if found.is_some_and(|found| found.reason.is_some()) => {
                    return Ok(MailState::Waits);
                }
                Some(JobState::Waiting | JobState::Running) => tokio::time::sleep(LOOK).await,
            }
        }
    };
    tokio::time::timeout(TIMEOUT, settled).await.unwrap_or(Ok(MailState::Waits))
}

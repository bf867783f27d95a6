//! Answers a forgotten password by a job: the time of the request does not reveal whether the account exists, and a promised mail
//! survives a restart.

use app::mail::{Letter, flush_in_background, open, seal};
use app::token::Token;
use app::{App, audit};
use domain::audit::{Action, Detail, Event, On, Outcome, Who};
use domain::{UserId, UserStatus, typed_emails};
use jobs::{Enqueue, Failure, JobKind, Lease, Step};
use serde::{Deserialize, Serialize};
use store::{StoreError, Tx, password_reset};

use super::{LINK_S, mail};

/// The sealed part: the address of the account, and the client's.
#[derive(Serialize, Deserialize)]
struct ResetRequest {
    email: String,
    network: Option<String>,
    request_id: String,
}

/// Sends the link to an address, if it is that of an account.
pub(crate) struct AnswerPasswordReset;

/// Enqueues the answer and returns the number of its job.
pub(super) async fn enqueue(app: &App, tx: &Tx, email: &str) -> Result<i64, StoreError> {
    let job = Enqueue::<AnswerPasswordReset>::new(()).put(tx, app.now()).await?;
    let (network, request_id) = audit::origin();
    seal(app, tx, job, &ResetRequest { email: email.to_owned(), network, request_id }).await?;
    Ok(job)
}

impl JobKind for AnswerPasswordReset {
    type Context = App;
    type Payload = ();
    const NAME: &'static str = "password_reset";
    const LIMIT: i64 = 4;
    const PRIORITY: i64 = -10;

    async fn run(app: App, lease: Lease, (): ()) -> Result<Step, Failure> {
        let request: ResetRequest = open(&app, &lease).await?;
        let mut found = None;
        for email in typed_emails(&request.email) {
            found = found.or(store::user::find_by_email(app.store.read(), &email).await?);
        }
        let Some((user, _)) = found else { return Ok(Step::Done) };
        let request = ResetRequest { email: user.email, ..request };
        if let Some(letter) = written(&app, &lease, user.id, request).await? {
            // In the background: this job is done even if the mail fails.
            flush_in_background(&app, vec![letter]);
        }
        Ok(Step::Done)
    }
}

/// Makes the link, and enqueues its mail. None for a person who is blocked, or whose address is another one since it was looked up.
async fn written(app: &App, lease: &Lease, id: UserId, request: ResetRequest) -> Result<Option<i64>, Failure> {
    let (token, now) = (Token::random(), app.now());
    let tx = app.store.begin().await?;
    let user = store::user::lock(&tx, id).await?;
    let Some(user) = user.filter(|user| user.status == UserStatus::Active && user.email == request.email) else {
        return Ok(None);
    };
    password_reset::insert(&tx, &token.hash(), user.id, now.plus_s(LINK_S)).await?;
    // The user is not signed in: the event names the account, and no author.
    let event = Event {
        at: now,
        who: Who::default(),
        network: request.network,
        action: Action::PasswordResetAsked,
        on: On::user(&user),
        outcome: Outcome::Done,
        detail: Detail::None,
        request_id: request.request_id,
    };
    store::audit::record(&tx, event).await?;
    let letter = Letter::from(mail::reset(&user, &app.settings.public_url, &token)).expires_at(now.plus_s(LINK_S));
    let job = letter.enqueue(app, &tx).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    Ok(Some(job))
}

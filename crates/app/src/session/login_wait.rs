//! The growing delay after failed tries: for the account and the address, or for the device alone.

use domain::login_wait::{ACCOUNT, ADDRESS, DEVICE, Limits};
use domain::{ClientNetwork, Instant, composed};
use store::{StoreError, Tx, login_failure};

use super::device::KnownDevice;
use crate::App;
use crate::token::pseudonym;

/// A try to prove who one is, counted as a failure before it is judged: many at once do not pass for one.
pub struct Attempt {
    at: Instant,
    counted: Vec<Counted>,
}

/// A subject the try is counted on, and by how much its failures fade later for it.
struct Counted {
    subject: String,
    added_s: i64,
}

impl Attempt {
    /// Counts a try on an account, known or not, from an address. On a device where the account signed in before, only the device's
    /// own failures count: tries from elsewhere cannot lock its owner out.
    ///
    /// Returns the seconds to wait where the try is not to be judged at all.
    pub async fn begin(
        app: &App,
        email: &str,
        client: ClientNetwork,
        device: Option<&KnownDevice>,
    ) -> Result<Result<Self, i64>, StoreError> {
        let subjects: Vec<(String, Limits)> = match device {
            Some(device) => vec![(device.subject(), DEVICE)],
            None => vec![(account(email), ACCOUNT), (hashed("address", &client.to_string()), ADDRESS)],
        };
        let now = app.now();
        let tx = app.store.begin().await?;
        let (mut wait_s, mut faded) = (0, Vec::new());
        for (subject, limits) in &subjects {
            login_failure::lock(&tx, subject).await?;
            let failures = login_failure::find(&tx, subject).await?;
            wait_s = wait_s.max(limits.wait_s(failures, now.0));
            faded.push((limits.faded_at_s(failures, now.0), limits.faded_at_s_after(failures, now.0)));
        }
        if wait_s > 0 {
            return Ok(Err(wait_s));
        }
        let mut counted = Vec::new();
        for ((subject, _), (before_s, after_s)) in subjects.into_iter().zip(faded) {
            login_failure::add(&tx, &subject, after_s, now).await?;
            counted.push(Counted { subject, added_s: after_s - before_s });
        }
        tx.commit_aside().await?;
        Ok(Ok(Self { at: now, counted }))
    }

    /// The try failed: the next wait begins with it.
    pub async fn failed(&self, app: &App) -> Result<(), StoreError> {
        let tx = app.store.begin().await?;
        for one in &self.counted {
            login_failure::confirm(&tx, &one.subject, self.at).await?;
        }
        tx.commit_aside().await
    }

    /// The try was no failure: it is as if it had not been. Failures of others stay, and their wait is not renewed.
    pub async fn take_back(&self, tx: &Tx) -> Result<(), StoreError> {
        for one in &self.counted {
            login_failure::take_back(tx, &one.subject, one.added_s, self.at).await?;
        }
        Ok(())
    }
}

/// Ends the wait of an account: its owner proved by mail who they are.
pub async fn end_wait(tx: &Tx, email: &str) -> Result<(), StoreError> {
    login_failure::clear(tx, &account(email)).await
}

fn account(email: &str) -> String {
    // Composed: an address that is typed in several ways has one count.
    hashed("account", &composed(email))
}

/// Names and addresses are stored as hashes, so that the table does not show who works where.
fn hashed(kind: &str, name: &str) -> String {
    format!("{kind}:{}", pseudonym(name))
}

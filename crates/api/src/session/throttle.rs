//! The growing delay after failed tries, for the account and for the address.

use domain::throttle::{FREE_TRIES_ACCOUNT, FREE_TRIES_ADDRESS, wait_s};
use store::{StoreError, login_failure};

use super::token::pseudonym;
use crate::App;

/// Who tries: an account by the address typed (known or not), and the place the try comes from.
pub struct Subjects {
    account: String,
    address: String,
}

impl Subjects {
    /// Those of a try. Neither is kept in clear: the table is no list of who works where.
    pub fn new(email: &str, address: &str) -> Self {
        Self { account: hashed("account", email), address: hashed("address", address) }
    }

    /// Counts the try as a failure before it is judged, so that many at once do not pass for one.
    /// The seconds to wait, where it is not to be judged at all.
    pub async fn count(&self, app: &App) -> Result<Option<i64>, StoreError> {
        let now = app.now();
        let tx = app.store.begin().await?;
        let mut wait = 0;
        for (subject, free_tries) in [(&self.account, FREE_TRIES_ACCOUNT), (&self.address, FREE_TRIES_ADDRESS)] {
            login_failure::lock(&tx, subject).await?;
            let failures = login_failure::find(&tx, subject).await?;
            wait = wait.max(wait_s(failures.count, failures.last_at_s, now.0, free_tries));
        }
        if wait > 0 {
            return Ok(Some(wait));
        }
        login_failure::add(&tx, &self.account, now).await?;
        login_failure::add(&tx, &self.address, now).await?;
        tx.commit_aside().await?;
        Ok(None)
    }

    /// The try was neither good nor bad: it is as if it had not been.
    pub async fn take_back(&self, tx: &store::Tx) -> Result<(), StoreError> {
        login_failure::take_back(tx, &self.account).await?;
        login_failure::take_back(tx, &self.address).await
    }

    /// The try was a good one: the account starts anew, the address is not charged for it.
    pub async fn clear(&self, tx: &store::Tx) -> Result<(), StoreError> {
        login_failure::clear(tx, &self.account).await?;
        login_failure::take_back(tx, &self.address).await
    }
}

fn hashed(kind: &str, name: &str) -> String {
    format!("{kind}:{}", pseudonym(name))
}

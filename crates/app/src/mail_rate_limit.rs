//! Limits how many mails one address can be sent at another person's request.

use domain::login_wait::MAIL;
use store::{StoreError, login_failure};

use crate::App;
use crate::token::pseudonym;

/// Counts a mail to an address against the limit of three for each purpose and returns 0, or returns the seconds to wait before the next
/// one is allowed. Addresses without an account are limited in the same way.
pub async fn take_mail_slot(app: &App, purpose: &str, email: &str) -> Result<i64, StoreError> {
    let subject = format!("{purpose}:{}", pseudonym(email));
    let now = app.now();
    let tx = app.store.begin().await?;
    login_failure::lock(&tx, &subject).await?;
    let asked = login_failure::find(&tx, &subject).await?;
    let retry_after_s = MAIL.wait_s(asked, now.0);
    if retry_after_s == 0 {
        login_failure::add(&tx, &subject, MAIL.faded_at_s_after(asked, now.0), now).await?;
        tx.commit().await?;
    }
    Ok(retry_after_s)
}

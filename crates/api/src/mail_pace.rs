//! Nobody's mailbox is filled by somebody else's finger.

use domain::throttle::wait_s;
use store::{StoreError, login_failure};

use crate::App;
use crate::session::pseudonym;

/// Mails an address may be sent before it has to wait between them.
const FREE_MAILS: i64 = 3;

/// Seconds to wait before a mail that a stranger asks for may go to an address; 0 counts it as sent. Known here or not, an
/// address waits after three mails for the same purpose.
pub async fn wait_to_mail(app: &App, purpose: &str, email: &str) -> Result<i64, StoreError> {
    let subject = format!("{purpose}:{}", pseudonym(email));
    let now = app.now();
    let tx = app.store.begin().await?;
    login_failure::lock(&tx, &subject).await?;
    let asked = login_failure::find(&tx, &subject).await?;
    let retry_after_s = wait_s(asked.count, asked.last_at_s, now.0, FREE_MAILS);
    if retry_after_s == 0 {
        login_failure::add(&tx, &subject, now).await?;
        tx.commit().await?;
    }
    Ok(retry_after_s)
}

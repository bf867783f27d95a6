//! Limits on how much one address may send in a period, counted by all servers together. They protect people. No address is
//! stored, only a hash with the server key, until the period is over. Limits that protect a server alone are counted by each server in its
//! memory (`rate_limit`, `window_limit`).

use domain::{ClientNetwork, Instant};
use store::{StoreError, client_count};

use crate::App;

/// Adds one to the count of a client network in this period. `max` 0 sets no limit.
///
/// # Errors
/// The seconds until the period ends, in the inner result, where the count is above `max`.
pub async fn admit(
    app: &App,
    purpose: &str,
    client: ClientNetwork,
    max: u64,
    period_s: i64,
) -> Result<Result<(), i64>, StoreError> {
    if max == 0 {
        return Ok(Ok(()));
    }
    let now = app.now();
    let wait_s = period_s - now.0.rem_euclid(period_s);
    let ends_at = Instant(now.0 + wait_s);
    let subject = app.key.sign(&format!("client-limit {purpose} {client} {}", ends_at.0));
    let tx = app.store.begin().await?;
    let count = client_count::add(&tx, &subject, ends_at, 1).await?;
    tx.commit_aside().await?;
    Ok(if u64::try_from(count).is_ok_and(|count| count > max) { Err(wait_s) } else { Ok(()) })
}

//! Rules for reviews and reports: who may send them, how often, to which parcours.

use app::client_address::ClientAddress;
use app::{App, client_limit};
use domain::{HOUR_S, ParcoursId, WhiteLabelId};
use outputs::feed::{PublicKey, reached};

use super::GiveError;

/// A parcours, and the white-label on whose site it is shown.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub parcours: ParcoursId,
    pub white_label: WhiteLabelId,
}

/// Counts one more thing that is about to be kept of an address: who mistypes pays nothing, and a hundred from one place are
/// held off, over all servers. The address is not kept.
pub async fn admit(app: &App, client: ClientAddress) -> Result<(), GiveError> {
    let most = app.settings.feedback_an_hour;
    let admitted = client_limit::admit(app, "feedback", client.network(), most, HOUR_S).await?;
    admitted.map_err(|retry_after_s| GiveError::TooMany { retry_after_s })
}

/// A parcours that has a public page, on the site of its owner.
pub async fn public(app: &App, id: i64) -> Result<Place, GiveError> {
    let parcours = ParcoursId(id);
    let shown = store::statistics::shown_on(app.store.read(), parcours, None).await?;
    Ok(Place { parcours, white_label: shown.ok_or(GiveError::NotShown)? })
}

/// A parcours that a white-label's key reaches.
pub async fn by_key(app: &App, key: &PublicKey, id: i64) -> Result<Place, GiveError> {
    let parcours = reached(app, key, id).await?.ok_or(GiveError::NotShown)?;
    Ok(Place { parcours, white_label: WhiteLabelId(key.id) })
}

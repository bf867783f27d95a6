//! The permissions on a parcours, checked in one place for every handler.

use app::App;
use app::extract::IfMatch;
use domain::{Actor, ParcoursId};
use store::parcours::{self as rows, Header, Stored};
use store::{Connection, Tx};

use super::error::ParcoursError;
use super::view;

/// The header of a parcours that the person may see; 404 for all others, which does not reveal whether they exist.
pub async fn seen(db: &impl Connection, id: ParcoursId, actor: &Actor) -> Result<Header, ParcoursError> {
    rows::header(db, id, actor).await?.ok_or(ParcoursError::NotFound { id })
}

/// The same of the user's own white-labels: sharing a parcours does not share its history nor its links.
pub async fn own(db: &impl Connection, id: ParcoursId, actor: &Actor) -> Result<Header, ParcoursError> {
    let header = seen(db, id, actor).await?;
    if actor.works_in(header.white_label_id) { Ok(header) } else { Err(ParcoursError::NotYours) }
}

/// A parcours that the person may change, locked until the transaction ends.
pub async fn held(tx: &Tx, id: ParcoursId, actor: &Actor) -> Result<Stored, ParcoursError> {
    let stored = rows::lock(tx, id).await?.ok_or(ParcoursError::NotFound { id })?;
    if !actor.works_in(stored.white_label_id) {
        seen(tx, id, actor).await?;
        return Err(ParcoursError::NotYours);
    }
    Ok(stored)
}

/// The same, if it was not saved in between.
pub(crate) async fn held_at(
    app: &App,
    tx: &Tx,
    id: ParcoursId,
    actor: &Actor,
    version: IfMatch,
) -> Result<Stored, ParcoursError> {
    let stored = held(tx, id, actor).await?;
    if version.accepts(stored.version) {
        return Ok(stored);
    }
    let current = view::show_value(app, tx, id, actor).await?;
    Err(ParcoursError::Stale { base_version: version.version(), current })
}

//! The permissions on a parcours, checked in one place for every handler.

use app::App;
use app::extract::IfMatch;
use app::record::{Refusal, operations};
use domain::{Actor, ParcoursId};
use store::parcours::{self as rows, Header, Stored};
use store::{Connection, Tx};

use super::content::{ParcoursContent, at};
use super::error::{ParcoursError, not_found};

/// The header of a parcours that the person may see; 404 for all others, which does not reveal whether they exist.
pub async fn seen(db: &impl Connection, id: ParcoursId, actor: &Actor) -> Result<Header, ParcoursError> {
    rows::header(db, id, actor).await?.ok_or_else(|| not_found(id))
}

/// The header of a parcours of one of the user's white-labels. Sharing a parcours shares neither its history nor its links.
pub async fn own(db: &impl Connection, id: ParcoursId, actor: &Actor) -> Result<Header, ParcoursError> {
    let header = seen(db, id, actor).await?;
    if actor.works_in(header.white_label_id) { Ok(header) } else { Err(Refusal::NotYours.into()) }
}

/// A parcours that the person may change, locked until the transaction ends.
pub async fn held(tx: &Tx, id: ParcoursId, actor: &Actor) -> Result<Stored, ParcoursError> {
    operations::held::<ParcoursContent>(tx, actor, &at(id)).await
}

/// A parcours as for [`held`], if its version is still `version`.
pub(crate) async fn held_at(
    app: &App,
    tx: &Tx,
    id: ParcoursId,
    actor: &Actor,
    version: IfMatch,
) -> Result<Stored, ParcoursError> {
    operations::held_at::<ParcoursContent>(app, tx, actor, &at(id), version).await
}

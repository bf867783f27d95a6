//! Content that a white-label owns and others may add: publication, and others' switches.

use std::collections::HashMap;

use axum::http::StatusCode;
use domain::{Actor, Capability, Fault, WhiteLabelId};
use serde::Serialize;
use store::record::{self as rows, Record as _, Stored};
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;

use super::operations::{change, held_at, saved, seen};
use super::{At, RecordError, Refusal, Reply, Resource};
use crate::App;
use crate::extract::IfMatch;
use crate::record::{LockedReason, Named, WhiteLabelLink, lock_of};

/// The owner of content, and where else it is shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Ownership {
    /// The white-label that owns it.
    pub white_label: Named,
    /// Whether it is the active white-label's.
    pub mine: bool,
    /// The owner's switch.
    pub published: bool,
    /// The active white-label's own switch, where it added it.
    pub published_on_mine: Option<bool>,
    /// White-labels that added it; to people of other tenants, those that publish it and their own.
    pub white_labels: Vec<WhiteLabelLink>,
}

/// The ownership of several records of a kind, in their order.
pub async fn ownerships<R: Resource>(
    db: &impl Connection,
    actor: &Actor,
    records: &[Stored<R::Sheet>],
) -> Result<Vec<Ownership>, StoreError> {
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let mut owners: Vec<WhiteLabelId> = records.iter().filter_map(|record| record.white_label_id).collect();
    owners.sort_unstable();
    owners.dedup();
    let names: HashMap<WhiteLabelId, String> =
        store::white_label::find_many(db, &owners).await?.into_iter().map(|found| (found.id, found.name)).collect();
    let mut links = rows::links_of(db, R::Record::KIND, &ids).await?;
    let one = |record: &Stored<R::Sheet>| {
        let owner = record.white_label_id.unwrap_or_default();
        let links = links.remove(&record.id).unwrap_or_default();
        Ownership {
            white_label: Named { id: owner.0, name: names.get(&owner).cloned().unwrap_or_default() },
            mine: owner == actor.active_white_label_id,
            published: record.published,
            published_on_mine: links
                .iter()
                .find(|link| link.id == actor.active_white_label_id)
                .map(|link| link.published),
            white_labels: store::parcours::shown_to(actor, owner, links)
                .into_iter()
                .map(|link| WhiteLabelLink { id: link.id, name: link.name, published: link.published })
                .collect(),
        }
    };
    Ok(records.iter().map(one).collect())
}

/// Why the person cannot change a record; `None` if they can.
pub fn locked<R: Resource>(actor: &Actor, record: &Stored<R::Sheet>, needed: Capability) -> Option<LockedReason> {
    match record.white_label_id {
        Some(owner) => lock_of(actor, owner),
        None if !actor.can(needed) => Some(LockedReason::Role),
        None if !R::is_theirs(actor, record) => Some(LockedReason::NotYours),
        None => None,
    }
}

/// Turns the owner's switch.
pub async fn publish<R: Resource>(
    app: &App,
    actor: &Actor,
    at: At,
    based_on: IfMatch,
    published: bool,
) -> Result<Reply<R::View>, RecordError<R>> {
    let tx = app.store.begin().await?;
    let before = held_at::<R>(app, &tx, actor, &at, based_on).await?;
    let faults = turn::<R>(app, &tx, actor, &before, published, None).await?;
    if !faults.is_empty() {
        return Err(faults.into());
    }
    saved::<R>(app, tx, actor, at.id).await
}

/// Turns the owner's switch in a transaction of the caller's. Where it may not be turned nothing is written, and the faults say why.
pub async fn turn<R: Resource>(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    before: &Stored<R::Sheet>,
    published: bool,
    reason: Option<&'static str>,
) -> Result<Vec<Fault>, RecordError<R>> {
    let mut after = Stored { published, ..before.clone() };
    let faults = R::check(app, tx, actor, before, &mut after, &["published"]).await?;
    if faults.is_empty() {
        rows::save::<R::Record>(tx, before, after, change(app, actor, reason)).await?;
    }
    Ok(faults)
}

/// Refuses to add what is of the owner itself, and to add to a white-label that is not the person's.
pub fn may_link(actor: &Actor, owner: Option<WhiteLabelId>, white_label: WhiteLabelId) -> Result<(), Refusal> {
    if !actor.works_in(white_label) {
        return Err(Refusal::WhiteLabelNotYours);
    }
    if owner == Some(white_label) { Err(Refusal::AlreadyYours) } else { Ok(()) }
}

/// Adds a record of another white-label to the user's own, or changes its switch there.
pub async fn link<R: Resource>(
    app: &App,
    actor: &Actor,
    at: At,
    published: bool,
) -> Result<StatusCode, RecordError<R>> {
    let white_label = WhiteLabelId(at.white_label_id);
    let tx = app.store.begin().await?;
    let record = seen::<R>(&tx, actor, &at).await?;
    may_link(actor, record.white_label_id, white_label)?;
    rows::link_white_label(&tx, R::Record::KIND, record.id, white_label, published).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a record of another white-label away from the user's own.
pub async fn unlink<R: Resource>(app: &App, actor: &Actor, at: At) -> Result<StatusCode, RecordError<R>> {
    let white_label = WhiteLabelId(at.white_label_id);
    let tx = app.store.begin().await?;
    let record = seen::<R>(&tx, actor, &at).await?;
    if !actor.works_in(white_label) {
        return Err(Refusal::WhiteLabelNotYours.into());
    }
    if !rows::unlink_white_label(&tx, R::Record::KIND, record.id, white_label).await? {
        return Err(Refusal::NotFound { id: at.id }.into());
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

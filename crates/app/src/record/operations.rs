//! The handlers of records, for every resource.

use axum::http::StatusCode;
use domain::audit::{Action, Detail, On};
use domain::record::{Sheet, check, clean_changed};
use domain::rest::KeepsRest as _;
use domain::{Actor, Fault, rest};
use serde_json::{Map, Value, json};
use store::access::Access;
use store::binned;
use store::record::{self as rows, Change, Record as _, Stored, Versioned as _};
use store::uses::{self, FreeOutcome, Freeing, OthersPolicy};
use store::visible::uses_seen_by;
use store::{Connection, StoreError, Tx, tree};

use super::{
    At, Content, Deletion, Past, RecordError, Refusal, Reply, Resource, Restoration, TakenBack, UsesView, fields_of,
    references, retry_races,
};
use crate::extract::IfMatch;
use crate::markup::sanitise;
use crate::record::{RevisionView, Revisions};
use crate::{App, audit, markup};

/// Most uses that are listed by name.
pub(crate) const MAX_LISTED_USES: usize = 50;

/// The author of a save, for the store.
pub fn change<'a>(app: &'a App, actor: &Actor, reason: Option<&'static str>) -> Change<'a> {
    Change { by: Some(actor.user_id), at: app.now(), reason, languages: &app.settings.content_languages }
}

/// A record that the person may see; 404 for all others, which does not reveal whether they exist.
pub async fn seen<R: Resource>(
    db: &impl Connection,
    actor: &Actor,
    at: &At,
) -> Result<Stored<R::Sheet>, RecordError<R>> {
    let not_found = || Refusal::NotFound { id: at.id };
    let record = rows::load::<R::Record>(db, at.id).await?.ok_or_else(not_found)?;
    if R::stands_at(at, &record) && R::sees(db, actor, &record).await? { Ok(record) } else { Err(not_found().into()) }
}

/// A record that the person may change, read without a lock.
pub async fn own<R: Resource>(
    db: &impl Connection,
    actor: &Actor,
    at: &At,
) -> Result<Stored<R::Sheet>, RecordError<R>> {
    let record = seen::<R>(db, actor, at).await?;
    if R::is_theirs(actor, &record) { Ok(record) } else { Err(Refusal::NotYours.into()) }
}

/// A record or a parcours that the person may change, locked until the transaction ends.
pub async fn held<C: Content>(tx: &Tx, actor: &Actor, at: &At) -> Result<C::Stored, RecordError<C>> {
    let not_found = || Refusal::NotFound { id: at.id };
    let stored = C::lock(tx, at.id).await?.ok_or_else(not_found)?;
    if !C::is_at(at, &stored) || !C::is_seen(tx, actor, &stored).await? {
        return Err(not_found().into());
    }
    if C::is_own(actor, &stored) { Ok(stored) } else { Err(Refusal::NotYours.into()) }
}

/// A record that the person may change, locked: refused with 412 if it was saved after the version that the request names.
pub async fn held_at<C: Content>(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    at: &At,
    based_on: IfMatch,
) -> Result<C::Stored, RecordError<C>> {
    let stored = held::<C>(tx, actor, at).await?;
    if based_on.accepts(stored.version()) {
        return Ok(stored);
    }
    let current = C::current(app, tx, actor, stored).await?;
    Err(Refusal::Stale { base_version: based_on.version(), current }.into())
}

/// One record for one reader.
pub(crate) async fn view<R: Resource>(
    app: &App,
    db: &impl Connection,
    actor: &Actor,
    record: Stored<R::Sheet>,
) -> Result<R::View, RecordError<R>> {
    let id = record.id;
    let shown = R::views(app, db, actor, vec![record]).await?.pop();
    shown.ok_or_else(|| Refusal::NotFound { id }.into())
}

/// The answer to a save: the new state of the record.
pub async fn saved<R: Resource>(app: &App, tx: Tx, actor: &Actor, id: i64) -> Result<Reply<R::View>, RecordError<R>> {
    let record = rows::load::<R::Record>(&tx, id).await?.ok_or(Refusal::NotFound { id })?;
    audit::forgotten_keys(app, &tx, actor, audit::on::<R::Record>(&record)).await?;
    let version = record.version;
    let reply = Reply::new(view::<R>(app, &tx, actor, record).await?, version);
    tx.commit().await?;
    R::written(app, id);
    Ok(reply)
}

/// Returns one record.
pub async fn show<R: Resource>(app: &App, actor: &Actor, at: At) -> Result<Reply<R::View>, RecordError<R>> {
    let db = app.store.read();
    let record = seen::<R>(db, actor, &at).await?;
    let version = record.version;
    Ok(Reply::new(view::<R>(app, db, actor, record).await?, version))
}

/// Checks a save: cleans it, then checks each field by its rule, the references, the resource's own rules.
pub async fn checked<R: Resource>(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    before: &Stored<R::Sheet>,
    mut after: Stored<R::Sheet>,
) -> Result<Stored<R::Sheet>, RecordError<R>> {
    clean_changed(&mut after.sheet, &before.sheet, &sanitise);
    let mut changed = after.sheet.changed_since(&before.sheet);
    if before.version == 0 {
        // Every field of a new record is checked, also the empty ones.
        changed = fields_of::<R::Sheet>().collect();
    }
    let own = R::check(app, tx, actor, before, &mut after, &changed).await?;
    let mut faults = check(&after.sheet, &changed, &app.settings.content_languages);
    let unknown = references::faults(tx, actor, &before.sheet, &after.sheet).await?;
    let own = references::without_those_of_unknown(own, &unknown);
    faults.extend(unknown);
    faults.extend(own);
    if faults.is_empty() { Ok(after) } else { Err(faults.into()) }
}

/// Records in the journal what a resource wants recorded of a save or a deletion.
pub(super) async fn audited<R: Resource>(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    on: On,
    before: Option<&R::Sheet>,
    after: Option<&R::Sheet>,
) -> Result<(), store::StoreError> {
    for (action, detail) in R::audited(before, after) {
        audit::done(app, tx, actor, action, on, detail).await?;
    }
    Ok(())
}

/// Makes one.
pub async fn create<R: Resource>(
    app: &App,
    actor: &Actor,
    at: At,
    sent: &Map<String, Value>,
) -> Result<Reply<R::View>, RecordError<R>> {
    markup::prepare::<R::Sheet>(sent).await?;
    let (tx, id) = retry_races(|| begin_insert::<R>(app, actor, at, sent)).await?;
    let path = at.kind.map_or(R::PATH.to_owned(), |kind| R::PATH.replace("{kind}", kind.as_str()));
    Ok(saved::<R>(app, tx, actor, id).await?.made(format!("{path}/{id}")))
}

/// Makes one in a transaction that is still open.
async fn begin_insert<R: Resource>(
    app: &App,
    actor: &Actor,
    at: At,
    sent: &Map<String, Value>,
) -> Result<(Tx, i64), RecordError<R>> {
    let tx = app.store.begin().await?;
    let id = insert::<R>(app, &tx, actor, &R::blank(app, actor, &at), sent, None).await?;
    Ok((tx, id))
}

/// Makes one in a transaction of the caller's, from a blank one and what was sent, whose markup is prepared; returns its number.
pub async fn insert<R: Resource>(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    blank: &Stored<R::Sheet>,
    sent: &Map<String, Value>,
    reason: Option<&'static str>,
) -> Result<i64, RecordError<R>> {
    let new = R::patched(app, tx, actor, blank, sent).await?;
    if !R::is_theirs(actor, &new) {
        return Err(Refusal::NotYours.into());
    }
    let sheet = new.sheet.clone();
    let made = rows::insert::<R::Record>(tx, new, change(app, actor, reason)).await?;
    audited::<R>(app, tx, actor, audit::on::<R::Record>(&made), None, Some(&sheet)).await?;
    Ok(made.id)
}

/// Changes a record or a parcours by JSON merge patch (RFC 7396).
pub async fn update<C: Content>(
    app: &App,
    actor: &Actor,
    at: At,
    based_on: IfMatch,
    sent: &Map<String, Value>,
) -> Result<C::Answer, RecordError<C>> {
    markup::prepare::<C::Sheet>(sent).await?;
    let tx = retry_races(|| begin_update::<C>(app, actor, at, based_on, sent)).await?;
    C::answer(app, tx, actor, at.id).await
}

/// Changes one in a transaction that is still open.
async fn begin_update<C: Content>(
    app: &App,
    actor: &Actor,
    at: At,
    based_on: IfMatch,
    sent: &Map<String, Value>,
) -> Result<Tx, RecordError<C>> {
    let tx = app.store.begin().await?;
    tree::lock(&tx, C::KIND, |field| sent.get(field).is_some_and(|value| !value.is_null())).await?;
    let before = held_at::<C>(app, &tx, actor, &at, based_on).await?;
    let draft = C::patched(app, &tx, actor, &before, sent).await?;
    C::save(app, &tx, actor, &before, draft, None).await?;
    Ok(tx)
}

/// Deletes one: into the bin. Refused while something uses it, unless something takes its place or it is forced.
pub async fn delete<R: Resource>(
    app: &App,
    actor: &Actor,
    at: At,
    based_on: IfMatch,
    asked: Deletion,
) -> Result<StatusCode, RecordError<R>> {
    retry_races(|| delete_once::<R>(app, actor, at, based_on, asked)).await
}

async fn delete_once<R: Resource>(
    app: &App,
    actor: &Actor,
    at: At,
    based_on: IfMatch,
    asked: Deletion,
) -> Result<StatusCode, RecordError<R>> {
    let tx = app.store.begin().await?;
    // What is under it goes under its replacement.
    tree::lock(&tx, R::Record::KIND, |_| asked.replace_by.is_some()).await?;
    let gone = held_at::<R>(app, &tx, actor, &at, based_on).await?;
    R::may_go(&tx, actor, &gone).await?;
    if let Some(instead) = asked.replace_by {
        let other = rows::load::<R::Record>(&tx, instead).await?;
        let fits = other.as_ref().is_some_and(|other| other.id != gone.id && R::stands_at(&at, other));
        if !fits || !Access::of(actor).may_use(&tx, R::Record::KIND, instead).await? {
            return Err(Fault::new("validation/unknown-reference", "/replace_by").with("id", instead).into());
        }
        if let Some(other) = other {
            R::carry(&tx, &gone.sheet, &other.sheet, change(app, actor, Some("freed"))).await?;
        }
    }
    rows::hold_to_delete(&tx, R::Record::KIND, gone.id).await?;
    let uses = uses_seen_by(&tx, actor, R::Record::KIND, gone.id, MAX_LISTED_USES).await?;
    if uses.total > 0 && !asked.force && asked.replace_by.is_none() {
        return Err(in_use(uses.into(), false).into());
    }
    // Only what this person may change is changed; the others are freed of it where the deletion is forced.
    let others = if asked.force { OthersPolicy::Free } else { OthersPolicy::Keep };
    part_with::<R>(app, &tx, actor, &gone, (asked.replace_by, others)).await?;
    let on = audit::on::<R::Record>(&gone);
    audited::<R>(app, &tx, actor, on, Some(&gone.sheet), None).await?;
    audit::forgotten_keys(app, &tx, actor, on).await?;
    if let Some(id) = asked.replace_by {
        audit::done(app, &tx, actor, Action::RecordReplaced, on, Detail::Into { id }).await?;
    } else if uses.total > 0 {
        let count = uses.total.unsigned_abs();
        audit::done(app, &tx, actor, Action::DeletionForced, on, Detail::Count { count }).await?;
    }
    tx.commit().await?;
    R::written(app, gone.id);
    Ok(StatusCode::NO_CONTENT)
}

/// Saves a sheet and a publication that an action or a table replaced in place of the present ones, without references that the person
/// may no longer use.
pub(crate) async fn put_back<R: Resource>(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    now: &Stored<R::Sheet>,
    (sheet, published): (R::Sheet, bool),
    reason: &'static str,
) -> Result<(), StoreError> {
    let mut after = Stored { sheet: rest::in_place_of(sheet, &now.sheet), published, ..now.clone() };
    Access::of(actor).forget_unusable(tx, &now.sheet, &mut after.sheet).await?;
    R::Record::settle(tx, Some(&now.sheet), &mut after).await?;
    rows::save::<R::Record>(tx, now, after, change(app, actor, Some(reason))).await.map(|_| ())
}

/// Removes the references to a record that the caller holds (`hold_to_delete`), and puts it into the bin.
pub(crate) async fn part_with<R: Resource>(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    gone: &Stored<R::Sheet>,
    (to, others): (Option<i64>, OthersPolicy),
) -> Result<(), RecordError<R>> {
    let because = change(app, actor, Some("freed"));
    let mut outcome = uses::free(tx, R::Record::KIND, gone.id, Freeing { actor, to, others }, because).await?;
    if let Some(to) = to {
        let left = added_instead::<R>(tx, actor, gone.id, to).await?;
        if others == OthersPolicy::Keep {
            outcome.other_uses += left;
        }
    }
    if !outcome.is_free() {
        return Err(still_in_use(outcome, others == OthersPolicy::Free).into());
    }
    binned::remove::<R::Record>(tx, gone, &outcome.freed, change(app, actor, None)).await?;
    Ok(())
}

/// Adds the replacement of a record to the white-labels of this person that had added the record. Gives how many others had: they would
/// miss it.
async fn added_instead<R: Resource>(tx: &Tx, actor: &Actor, gone: i64, to: i64) -> Result<i64, StoreError> {
    let links = rows::linked_white_labels(tx, R::Record::KIND, gone).await?;
    if links.is_empty() {
        return Ok(0);
    }
    let owner = rows::load::<R::Record>(tx, to).await?.and_then(|other| other.white_label_id);
    let there = rows::linked_white_labels(tx, R::Record::KIND, to).await?;
    let mut left = 0;
    for link in links {
        if Some(link.id) == owner || there.iter().any(|other| other.id == link.id) {
            continue;
        }
        let own = actor.works_in(link.id);
        if own && Access::of_white_label(tx, link.id).await?.may_use(tx, R::Record::KIND, to).await? {
            rows::link_white_label(tx, R::Record::KIND, to, link.id, link.published).await?;
        } else {
            left += 1;
        }
    }
    Ok(left)
}

/// The uses that prevent a deletion: the user's own by name, those of others as a number.
fn still_in_use(outcome: FreeOutcome, required: bool) -> Refusal {
    let total = outcome.own_uses.len() as i64 + outcome.other_uses;
    let items = outcome.own_uses.into_iter().take(MAX_LISTED_USES).map(Into::into).collect();
    in_use(UsesView { items, total, hidden_total: outcome.other_uses }, required)
}

fn in_use(uses: UsesView, required: bool) -> Refusal {
    Refusal::InUse { total: uses.total, hidden_total: uses.hidden_total, uses: json!(uses.items), required }
}

/// What uses one.
pub async fn uses<R: Resource>(app: &App, actor: &Actor, at: At) -> Result<UsesView, RecordError<R>> {
    let db = app.store.read();
    let record = seen::<R>(db, actor, &at).await?;
    let found = uses_seen_by(db, actor, R::Record::KIND, record.id, MAX_LISTED_USES).await?;
    Ok(if R::is_theirs(actor, &record) { found } else { found.without_hidden() }.into())
}

/// A record whose history the person may read: sharing a record does not share its history.
async fn with_history<R: Resource>(
    db: &impl Connection,
    actor: &Actor,
    at: &At,
) -> Result<Stored<R::Sheet>, RecordError<R>> {
    let record = seen::<R>(db, actor, at).await?;
    let open = R::is_theirs(actor, &record) || R::has_open_history(&record);
    if open { Ok(record) } else { Err(Refusal::NotYours.into()) }
}

/// The history of one.
pub async fn revisions<R: Resource>(app: &App, actor: &Actor, at: At) -> Result<Revisions, RecordError<R>> {
    let db = app.store.read();
    let record = with_history::<R>(db, actor, &at).await?;
    let items = rows::revisions(db, R::Record::KIND, record.id).await?.into_iter().map(RevisionView::from).collect();
    Ok(Revisions { items })
}

/// A record as it was after a save.
pub async fn revision<R: Resource>(app: &App, actor: &Actor, at: At) -> Result<Past<R::Sheet>, RecordError<R>> {
    let db = app.store.read();
    let record = with_history::<R>(db, actor, &at).await?;
    let past = rows::revision::<R::Record>(db, record.id, at.version).await?;
    let past = past.ok_or(Refusal::RevisionNotFound { version: at.version })?;
    Ok(Past { head: past.head.into(), published: past.published, record: past.sheet })
}

/// Takes back what one was, wholly or in some fields.
pub async fn restore<R: Resource>(
    app: &App,
    actor: &Actor,
    at: At,
    based_on: IfMatch,
    sent: &Restoration,
) -> Result<Reply<R::View>, RecordError<R>> {
    if let Some(past) = rows::revision::<R::Record>(app.store.read(), at.id, at.version).await? {
        markup::prepare_stored(&past.sheet).await;
    }
    take_back::<R>(app, actor, at, based_on, sent.fields.as_deref()).await
}

/// Takes back what a record or a parcours was, wholly or in some fields: a new revision, nothing is lost.
pub async fn take_back<C: Content>(
    app: &App,
    actor: &Actor,
    at: At,
    based_on: IfMatch,
    fields: Option<&[String]>,
) -> Result<C::Answer, RecordError<C>> {
    let tx = retry_races(|| begin_take_back::<C>(app, actor, at, based_on, fields)).await?;
    C::answer(app, tx, actor, at.id).await
}

/// Takes one back in a transaction that is still open.
async fn begin_take_back<C: Content>(
    app: &App,
    actor: &Actor,
    at: At,
    based_on: IfMatch,
    fields: Option<&[String]>,
) -> Result<Tx, RecordError<C>> {
    let tx = app.store.begin().await?;
    tree::lock(&tx, C::KIND, |field| fields.is_none_or(|fields| fields.iter().any(|name| name == field))).await?;
    let before = held_at::<C>(app, &tx, actor, &at, based_on).await?;
    let past = C::past(&tx, at.id, at.version).await?.ok_or(Refusal::RevisionNotFound { version: at.version })?;
    let TakenBack { draft, on, names } = C::taken_back(app, &tx, actor, &before, past, fields).await?;
    audit::done(app, &tx, actor, Action::RevisionRestored, on, Detail::Fields { names }).await?;
    C::save(app, &tx, actor, &before, draft, Some("restore")).await?;
    Ok(tx)
}

/// One field as it was: `title`, or one language of it, `title/fr`.
pub fn take_field_back<S: Sheet>(sheet: &mut S, past: &S, name: &str) -> Result<(), Fault> {
    let known = match name.split_once('/') {
        None => sheet.take_field(name, past),
        Some((field, part)) => {
            let all = serde_json::to_value(past).unwrap_or(Value::Null);
            all.get(field)
                .and_then(Value::as_object)
                .is_some_and(|parts| sheet.merge_field(field, &json!({ part: parts.get(part) })).is_ok())
        }
    };
    if known { Ok(()) } else { Err(Fault::new("validation/unknown-field", "/fields").with("name", name)) }
}

/// The record that another is merged into. One that this person does not see is refused like one that is not there.
async fn target_of_merge<R: Resource>(tx: &Tx, actor: &Actor, at: &At) -> Result<Stored<R::Sheet>, RecordError<R>> {
    let found = rows::lock::<R::Record>(tx, at.id).await?.filter(|record| R::stands_at(at, record));
    match found {
        Some(record) if R::is_theirs(actor, &record) => Ok(record),
        Some(record) if R::sees(tx, actor, &record).await? => Err(Refusal::NotYours.into()),
        _ => Err(Fault::new("validation/unknown-reference", "/into_id").with("id", at.id).into()),
    }
}

/// Merges one into another of its kind: every link follows, what it knew more is kept, and it goes to the bin.
pub async fn merge<R: Resource>(
    app: &App,
    actor: &Actor,
    at: At,
    based_on: IfMatch,
    into_id: i64,
    completed: impl Fn(R::Sheet, &R::Sheet) -> R::Sheet,
) -> Result<Reply<R::View>, RecordError<R>> {
    let tx = retry_races(|| begin_merge::<R>(app, actor, at, based_on, into_id, &completed)).await?;
    saved::<R>(app, tx, actor, into_id).await
}

/// Merges one in a transaction that is still open.
async fn begin_merge<R: Resource>(
    app: &App,
    actor: &Actor,
    at: At,
    based_on: IfMatch,
    into_id: i64,
    completed: &impl Fn(R::Sheet, &R::Sheet) -> R::Sheet,
) -> Result<Tx, RecordError<R>> {
    let tx = app.store.begin().await?;
    tree::lock(&tx, R::Record::KIND, |_| true).await?;
    let gone = held_at::<R>(app, &tx, actor, &at, based_on).await?;
    if into_id == gone.id {
        return Err(Refusal::CannotMerge { into_id }.into());
    }
    let stays = target_of_merge::<R>(&tx, actor, &At { id: into_id, ..at }).await?;
    R::may_go(&tx, actor, &gone).await?;
    rows::hold_to_delete(&tx, R::Record::KIND, gone.id).await?;
    let because = change(app, actor, Some("merge"));
    let freeing = Freeing { actor, to: Some(into_id), others: OthersPolicy::Follow };
    let outcome = uses::free(&tx, R::Record::KIND, gone.id, freeing, because).await?;
    if !outcome.is_free() {
        return Err(still_in_use(outcome, true).into());
    }
    for link in rows::linked_white_labels(&tx, R::Record::KIND, gone.id).await? {
        if Some(link.id) == stays.white_label_id {
            continue;
        }
        // To be added where it may not be used would show it there.
        if !Access::of_white_label(&tx, link.id).await?.may_use(&tx, R::Record::KIND, into_id).await? {
            return Err(still_in_use(FreeOutcome { other_uses: 1, ..FreeOutcome::default() }, true).into());
        }
        rows::link_white_label(&tx, R::Record::KIND, into_id, link.id, link.published).await?;
    }
    // What stays may have pointed to what goes: it was freed above.
    let stays = rows::lock::<R::Record>(&tx, into_id).await?.unwrap_or(stays);
    let mut after = stays.clone();
    after.sheet = completed(after.sheet, &gone.sheet);
    after.sheet.rest_mut().take_missing(gone.sheet.rest());
    Access::of(actor).forget_unusable(&tx, &stays.sheet, &mut after.sheet).await?;
    let stays = rows::save::<R::Record>(&tx, &stays, after, because).await?;
    R::carry(&tx, &gone.sheet, &stays.sheet, because).await?;
    binned::remove::<R::Record>(&tx, &gone, &outcome.freed, because).await?;
    audit::done(app, &tx, actor, Action::RecordMerged, audit::on::<R::Record>(&gone), Detail::Into { id: into_id })
        .await?;
    Ok(tx)
}

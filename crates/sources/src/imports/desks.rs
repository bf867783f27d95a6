//! The information desks of a Geotrek server, as contacts of the white-label's structure. A contact has no place, address or picture: those
//! stay in the texts of the parcours, which name the desks. Only a user who may change contacts brings them in.

use app::App;
use app::markup::as_plain;
use app::problem::Internal;
use domain::imports::{ImportNote, ImportOutcome, ImportSourceSheet};
use domain::{Capability, ContactSheet, Role, StructureId, Text, UserId, normalise_email, one_space};
use feeds::incoming::GeotrekDesk;
use jobs::{Failure, Lease};
use serde_json::{Map, json};
use store::contact::Contacts;
use store::imports::{self as rows, CompanionKind, ImportItem, ImportLine, ImportRun, SourceRecord};
use store::parcours::{self, Change};
use store::record::Stored;
use store::{Connection, StoreError, Tx};

use super::beside::{self, Arrived, item_of};
use super::prepare::sum_of;
use super::work::{author, commit, fail, on};
use super::{fetch, writable};

/// The most pages of desks of one server.
const MAX_PAGES: usize = 100;

/// The structure whose contacts a run may write: the white-label's, where the user who asked for it may change them. The operator of the
/// server starts runs without a user.
pub(super) async fn structure_of(
    db: &impl Connection,
    run: &ImportRun,
    by: Option<UserId>,
) -> Result<Option<StructureId>, StoreError> {
    let Some(owner) = store::white_label::find(db, run.white_label_id).await? else { return Ok(None) };
    let Some(by) = by else { return Ok(Some(owner.structure_id)) };
    let user = store::user::find(db, by).await?;
    let may = user.is_some_and(|user| {
        user.role == Role::Superadmin
            || (user.role.can(Capability::UsersManage) && user.structure_id == owner.structure_id)
    });
    Ok(may.then_some(owner.structure_id))
}

/// Imports a page of desks.
pub(super) async fn step(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    let db = app.store.read();
    let by = author(run, source);
    let structure = structure_of(db, run, by).await?;
    let Some(structure) = structure else {
        return on(app, lease, run.clone(), "near", "").await;
    };
    // None where all desks of the server are wanted.
    let wanted =
        if fetch::is_narrowed(&source.sheet) { Some(beside::all_named(app, run.source_id, LIST).await?) } else { None };
    let page = run.page.parse().unwrap_or(1);
    let (desks, has_more) = match fetch::desks(app, source, page).await {
        Ok(read) => read,
        Err(halt) => return fail(app, lease, run, halt.note()?).await,
    };
    let mut run = run.clone();
    let mut lines = Vec::new();
    for desk in desks {
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&desk.number)) {
            continue;
        }
        let known = rows::source_record(db, CompanionKind::Contact, run.source_id, &desk.number).await?;
        match one(app, lease, &run, structure, (&desk, known), by).await? {
            Ok(true) => run.counts.contacts += 1,
            Ok(false) => {}
            Err(note) => {
                let item = item_of(CompanionKind::Contact, &desk.number);
                lines.push(ImportLine::new(&item, desk.name.best("fr"), ImportOutcome::Refused, vec![note]));
            }
        }
    }
    let tx = app.store.begin().await?;
    beside::add_once(&tx, &mut run, lines).await?;
    if has_more && page < MAX_PAGES {
        run.page = (page + 1).to_string();
    } else {
        (run.phase, run.page, run.page_sum) = ("near".to_owned(), String::new(), String::new());
    }
    commit(lease, tx, &run).await.map(|_| ())
}

/// Makes the contact of a desk, updates it, or takes the contact that has its address; or why not. Whether something changed.
async fn one(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    structure: StructureId,
    (desk, known): (&GeotrekDesk, Option<SourceRecord>),
    by: Option<UserId>,
) -> Result<Result<bool, ImportNote>, Failure> {
    // A contact that was deleted here is not imported again.
    if known.as_ref().is_some_and(|known| known.id != 0 && !known.is_here) {
        return Ok(Ok(false));
    }
    let digest = sum_of(format!("{desk:?}").as_bytes());
    if known.as_ref().is_some_and(|known| known.digest == digest) {
        return Ok(Ok(false));
    }
    let mut row = known.unwrap_or_else(|| SourceRecord { number: desk.number.clone(), ..SourceRecord::default() });
    row.digest = digest;
    let (name, mut email) = (line(&desk.name, 100), desk.email.as_deref().and_then(normalise_email));
    let db = app.store.read();
    let owner = match &email {
        Some(email) => store::contact::find_by_email(db, email).await?,
        None => None,
    };
    if row.id == 0 {
        let refusal = match owner {
            _ if name.is_empty() => Some("sit/no-name"),
            _ if email.is_none() => Some("import/desk-without-email"),
            // The contact is here already, or two desks have one address.
            Some(id) if is_of(db, id, structure).await? => {
                row.id = id;
                None
            }
            Some(_) => Some("import/desk-email-taken"),
            None => None,
        };
        if let Some(code) = refusal {
            // It is reported again once it changes there.
            let tx = app.store.begin().await?;
            rows::put_source_record(&tx, CompanionKind::Contact, run.source_id, &row).await?;
            lease.hold(&tx).await?;
            tx.commit().await?;
            return Ok(Err(ImportNote::new(code)));
        }
    } else if owner.is_some_and(|id| id != row.id) {
        // Another contact has the new address: the contact of this desk keeps its own.
        email = None;
    }
    let kind = line(&desk.kind, 200);
    let mut patch = Map::new();
    let said = [
        ("last_name", (!name.is_empty()).then(|| json!(name))),
        ("email", email.map(|email| json!(email))),
        ("phone", Some(json!(desk.phone))),
        ("function", Some(json!((!kind.is_empty()).then_some(kind)))),
        ("white_label_ids", Some(json!([run.white_label_id]))),
    ];
    patch.extend(said.into_iter().filter_map(|(field, value)| Some((field.to_owned(), value?))));
    let mut blank = Stored::blank(None, app.now());
    blank.sheet = ContactSheet { structure_id: structure.0, ..ContactSheet::default() };
    let is_whole = |sheet: &ContactSheet| !sheet.last_name.is_empty() && !sheet.email.is_empty();
    let arrived = Arrived { of: CompanionKind::Contact, row, blank, patch: &patch, texts: &[], is_whole };
    beside::write::<Contacts>(app, lease, run, arrived, by).await.map(Ok)
}

/// Words as a line of a contact, without markup.
fn line(words: &Text, max_chars: usize) -> String {
    one_space(&as_plain(words.best("fr"))).chars().take(max_chars).collect()
}

/// Whether a contact answers for a structure.
async fn is_of(db: &impl Connection, contact: i64, structure: StructureId) -> Result<bool, StoreError> {
    let found = store::record::load::<Contacts>(db, contact).await?;
    Ok(found.is_some_and(|contact| contact.sheet.structure_id == structure.0))
}

/// Makes the contact of the first desk that an item names the contact of its parcours, unless an editor chose another one.
pub(super) async fn bind(
    app: &App,
    tx: &Tx,
    source: i64,
    mut item: ImportItem,
    contact: Option<i64>,
    by: Option<UserId>,
) -> Result<(), Internal> {
    let Some(id) = item.parcours_id else { return Ok(()) };
    let Some(before) = parcours::lock(tx, id).await? else { return Ok(()) };
    let stands = before.sheet.contact_id;
    let is_ours = match item.applied.get(FIELD) {
        Some(applied) => *applied == writable::sum(&json!(stands)),
        None => stands.is_none(),
    };
    if !is_ours || stands == contact {
        return Ok(());
    }
    item.applied.insert(FIELD.to_owned(), writable::sum(&json!(contact)));
    let mut after = before.clone();
    after.sheet.contact_id = contact;
    let change = Change { by, at: app.now(), reason: Some("import"), languages: &app.settings.content_languages };
    parcours::save(tx, &before, after, None, change).await?;
    rows::put_item(tx, source, &item).await?;
    Ok(())
}

/// Whether the last import already made a contact the one of the item's parcours.
pub(super) fn is_bound(item: &ImportItem, contact: Option<i64>) -> bool {
    item.applied.get(FIELD).map_or(contact.is_none(), |applied| *applied == writable::sum(&json!(contact)))
}

/// The field of a parcours that names its contact.
const FIELD: &str = "contact_id";

/// The list of an item that names its desks.
pub(super) const LIST: &str = "desks";

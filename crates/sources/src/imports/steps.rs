//! What a source shows under a route is shown under it here: once all items are in, for a step may come before what it belongs to.

use std::collections::{HashMap, HashSet};

use app::App;
use app::problem::Internal;
use domain::imports::{ImportNote, ImportSourceSheet};
use domain::parcours::Relation;
use domain::parcours::relation::check_no_circle;
use domain::record::Kind;
use jobs::{Failure, Lease};
use serde_json::json;
use store::imports::{self as rows, ImportItem, ImportRun};
use store::parcours::{self, Ancestry, Change};
use store::record::Stored;

use super::work::author;
use super::writable;

/// The most steps that a report names.
const MAX_SHOWN: usize = 10;
/// Tours of one transaction. While it holds the tree, a person who gives a parcours another parent waits.
const BATCH: usize = 20;

/// Puts the steps of a source's tours under them. A step that an editor moved to another parent stays there.
pub(super) async fn link(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    let db = app.store.read_now();
    let parents = rows::with_steps(db, run.source_id).await?;
    let numbers = if parents.is_empty() { HashMap::new() } else { rows::by_number(db, run.source_id).await? };
    let mut placed = HashSet::new();
    for some in parents.chunks(BATCH) {
        let tx = app.store.begin().await?;
        store::tree::lock(&tx, Kind::Parcours, |field| field == "parent_id").await?;
        link_some(app, &tx, (run, source), (some, &numbers), &mut placed).await?;
        lease.hold(&tx).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Puts the steps of some tours under them. `placed` are those of the tours before, and of these.
async fn link_some(
    app: &App,
    tx: &store::Tx,
    (run, source): (&ImportRun, &Stored<ImportSourceSheet>),
    (parents, numbers): (&[ImportItem], &HashMap<String, String>),
    placed: &mut HashSet<String>,
) -> Result<(), Internal> {
    let by = author(run, source);
    let languages = &app.settings.content_languages;
    let change = Change { by, at: app.now(), reason: Some("import"), languages };
    for parent in parents {
        let Some(above) = parent.parcours_id else { continue };
        let (mut missing, mut met) = (Vec::new(), HashSet::new());
        for named in parent.steps.iter().filter(|named| met.insert(*named)) {
            let name = numbers.get(named).unwrap_or(named);
            let Some(child) = rows::item(tx, run.source_id, name).await?.filter(|child| child.parcours_id.is_some())
            else {
                missing.push(named.clone());
                continue;
            };
            // A trek of Geotrek may be under several; here it is shown under the first.
            if placed.insert(child.item.clone()) {
                place(tx, run.source_id, child, above.0, change).await?;
            } else {
                missing.push(named.clone());
            }
        }
        let line = if missing.is_empty() { None } else { rows::line_of(tx, run.id, &parent.item).await? };
        if let Some(line) = line {
            let note = ImportNote::new("import/steps-elsewhere").with("steps", shown(&missing)).on("parent_id");
            // A server that died after these tours has noted it.
            if !line.notes.contains(&note) {
                rows::add_notes(tx, line.id, line.notes.into_iter().chain([note])).await?;
            }
        }
    }
    Ok(())
}

/// The names of steps in a report: the first ones.
fn shown(names: &[String]) -> String {
    let more = if names.len() > MAX_SHOWN { ", …" } else { "" };
    names[..names.len().min(MAX_SHOWN)].join(", ") + more
}

/// Puts one under its parent, unless it is under another one here.
async fn place(
    tx: &store::Tx,
    source: i64,
    mut child: ImportItem,
    above: i64,
    change: Change<'_>,
) -> Result<(), Internal> {
    let Some(id) = child.parcours_id else { return Ok(()) };
    let Some(before) = parcours::lock(tx, id).await? else { return Ok(()) };
    let sum = writable::sum(&json!(before.sheet.parent_id));
    let is_ours = match child.applied.get("parent_id") {
        Some(applied) => *applied == sum,
        None => before.sheet.parent_id.is_none() && before.sheet.relation == Relation::None,
    };
    if !is_ours || before.sheet.parent_id == Some(above) {
        return Ok(());
    }
    let Some(ancestors) = parcours::ancestors(tx, above.into(), Ancestry::Parent).await? else { return Ok(()) };
    if check_no_circle(Some(id.0), above, &ancestors, "/parent_id").is_err() {
        return Ok(());
    }
    child.applied.insert("parent_id".to_owned(), writable::sum(&json!(above)));
    let mut after = before.clone();
    (after.sheet.parent_id, after.sheet.relation) = (Some(above), Relation::Child);
    parcours::save(tx, &before, after, None, change).await?;
    rows::put_item(tx, source, &child).await?;
    Ok(())
}

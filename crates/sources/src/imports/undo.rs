//! Taking a run back: what it made goes into the bin, POIs and contacts after the parcours that showed them; what it changed is as it was before. What
//! was edited here since stays.

use app::App;
use app::problem::Internal;
use domain::imports::{ImportNote, ImportOutcome, ImportState};
use domain::parcours::relation::check_no_circle;
use domain::record::Kind;
use domain::{Actor, ParcoursId, Role, StructureId, UserId, rest, step};
use jobs::{Failure, Lease};
use store::Tx;
use store::access::Access;
use store::contact::Contacts;
use store::imports::{self as rows, CompanionKind, ImportItem, ImportLine, ImportRun, ItemState, Undo};
use store::parcours::{self, Ancestry, Change, NewTrace, Stored};
use store::poi::Pois;
use store::tree;

use super::beside;
use super::work::{commit, end, finish};

/// Lines of one step.
const BATCH: u32 = 50;

/// Takes some lines back, the last ones first.
pub(super) async fn step(app: &App, lease: &Lease, run: &ImportRun) -> Result<(), Failure> {
    let Some(of) = run.of_run else { return finish(app, lease, run).await };
    let lines = rows::lines_to_undo(app.store.read(), of, run.at, BATCH).await?;
    if lines.is_empty()
        && (beside::undo::<Pois>(app, lease, run, (CompanionKind::Poi, of)).await?
            || beside::undo::<Contacts>(app, lease, run, (CompanionKind::Contact, of)).await?)
    {
        return Ok(());
    }
    let tx = app.store.begin().await?;
    let Some(last) = lines.last().map(|line| line.id) else {
        rows::mark_undone(&tx, of, app.now()).await?;
        // A scheduled run would import it all again.
        rows::paused(&tx, run.source_id, change(app, run)).await?;
        return end(app, lease, tx, run, ImportState::Done, None).await;
    };
    tree::lock(&tx, Kind::Parcours, |field| field == "parent_id").await?;
    let mut run = run.clone();
    let mut lines_made = Vec::new();
    for line in lines {
        let note = one(app, &tx, &run, &line).await?;
        let outcome = if note.is_some() { ImportOutcome::Kept } else { ImportOutcome::Undone };
        run.counts.add(Some(outcome));
        let notes = note.into_iter().collect();
        lines_made.push(ImportLine { id: 0, outcome, notes, changes: Vec::new(), undo: None, ..line });
    }
    rows::add_lines(&tx, run.id, &lines_made).await?;
    run.at = last;
    if commit(lease, tx, &run).await? {
        for id in lines_made.iter().filter_map(|line| line.parcours_id) {
            content::printed::forget_printed(app, id).await?;
        }
    }
    Ok(())
}

fn change<'a>(app: &'a App, run: &ImportRun) -> Change<'a> {
    let by = run.asked_by.as_ref().map(|(id, _)| *id);
    Change { by, at: app.now(), reason: Some("import"), languages: &app.settings.content_languages }
}

/// Takes one line back; or why not.
async fn one(app: &App, tx: &Tx, run: &ImportRun, line: &ImportLine) -> Result<Option<ImportNote>, Internal> {
    let (Some(id), Some(undo)) = (line.parcours_id, &line.undo) else { return Ok(None) };
    let item = rows::item(tx, run.source_id, &line.item).await?;
    let Some(now) = parcours::lock(tx, id).await? else {
        rows::drop_item(tx, run.source_id, &line.item).await?;
        return Ok(None);
    };
    if edited_since(tx, id, undo).await? {
        return Ok(Some(ImportNote::new("import/edited-since")));
    }
    if line.outcome == ImportOutcome::Created {
        let actor = acting(run, &now);
        if !parcours::uses(tx, &actor, (id, now.white_label_id), app.now().0).await?.is_empty() {
            return Ok(Some(ImportNote::new("import/in-use")));
        }
        store::binned::delete_parcours(tx, &now, &[], &actor, app.now()).await?;
        rows::drop_item(tx, run.source_id, &line.item).await?;
        return Ok(None);
    }
    let Some(past) = parcours::revision(tx, id, undo.version).await?.map(|found| found.body) else { return Ok(None) };
    let mut after = Stored { published: undo.published, ..now.clone() };
    after.sheet = rest::in_place_of(past.sheet, &now.sheet);
    after.steps = step::in_place_of(past.steps, &now.steps);
    // No user is signed in: what the white-label of the source may point to decides.
    let access = Access::of_white_label(tx, run.white_label_id).await?;
    let (was, is) = ((&now.sheet, now.steps.as_slice()), (&mut after.sheet, after.steps.as_mut_slice()));
    access.forget_unusable_of_parcours(tx, was, is).await?;
    keep_tree(tx, &now, &mut after).await?;
    let trace: Option<NewTrace> = match undo.trace_revision.filter(|number| now.trace_revision != Some(*number)) {
        Some(number) => parcours::trace_at(tx, id, number).await?.as_ref().map(Into::into),
        None => None,
    };
    let saved = parcours::save(tx, &now, after, trace.as_ref(), change(app, run)).await?;
    if let Some(item) = item {
        let (state, digest) = (ItemState::Linked, String::new());
        let trace_revision = if trace.is_some() { saved.trace_revision } else { item.trace_revision };
        let back = ImportItem { state, digest, applied: undo.applied.clone(), trace_revision, waits: false, ..item };
        rows::put_item(tx, run.source_id, &back).await?;
    }
    Ok(None)
}

/// Leaves it under its present parent where the former one is under it by now.
async fn keep_tree(tx: &Tx, now: &Stored, after: &mut Stored) -> Result<(), Internal> {
    let Some(former) = after.sheet.parent_id.filter(|former| now.sheet.parent_id != Some(*former)) else {
        return Ok(());
    };
    let above = parcours::ancestors(tx, former.into(), Ancestry::Parent).await?.unwrap_or_default();
    if check_no_circle(Some(now.id.0), former, &above, "/parent_id").is_err() {
        (after.sheet.parent_id, after.sheet.relation) = (now.sheet.parent_id, now.sheet.relation);
    }
    Ok(())
}

/// Whether a person saved it after the import did.
async fn edited_since(tx: &Tx, id: ParcoursId, undo: &Undo) -> Result<bool, Internal> {
    Ok(store::record::is_saved_otherwise(tx, Kind::Parcours, id.0, undo.version, "import").await?)
}

/// The actor who puts it into the bin.
fn acting(run: &ImportRun, gone: &Stored) -> Actor {
    Actor {
        user_id: run.asked_by.as_ref().map_or(UserId(0), |(id, _)| *id),
        role: Role::Editor,
        structure_id: StructureId(0),
        white_label_ids: vec![gone.white_label_id],
        active_white_label_id: gone.white_label_id,
    }
}

//! An item written, or shown as it would be: what is new is made, what changed is changed, what was edited here stays.

use std::collections::BTreeMap;

use app::App;
use app::markup::sanitise;
use app::problem::Internal;
use content::parcours::compute::{arrange_steps, pace_of};
use domain::imports::{ForcePublished, ImportMode, ImportNote, ImportOutcome, ImportSourceSheet};
use domain::parcours::{Sheet, apply_patch, clean, rules};
use domain::record::{Kind, Sheet as _};
use domain::step::Step;
use domain::{ParcoursId, UserId, WhiteLabelId};
use serde_json::{Map, Value, json};
use store::imports::{self as kept, FieldChange, ImportItem, ImportLine, ImportRun, ItemState, Undo};
use store::parcours::{self as rows, Change, NewParcours, Stored};
use store::{StoreError, Tx};

use super::duplicates::same_shape;
use super::prepare::{Prepared, PreparedLine};
use super::writable;

/// Characters of a value that the log shows.
const SHOWN_CHARS: usize = 400;

/// What all items of a step share.
pub(super) struct Ctx<'a> {
    pub app: &'a App,
    pub run: i64,
    pub mode: ImportMode,
    pub source: i64,
    pub white_label: WhiteLabelId,
    pub sheet: &'a ImportSourceSheet,
    pub recipe: &'a str,
    pub by: Option<UserId>,
}

/// The outcome of an item, and its line in the report of the run.
pub(super) type Done = (Option<ImportOutcome>, Option<ImportLine>);

impl<'a> Ctx<'a> {
    pub(super) fn of(app: &'a App, run: &'a ImportRun, sheet: &'a ImportSourceSheet, by: Option<UserId>) -> Self {
        let (mode, white_label) = (run.mode, run.white_label_id);
        Self { app, run: run.id, mode, source: run.source_id, white_label, sheet, recipe: &run.recipe, by }
    }

    fn change(&self) -> Change<'a> {
        let languages = &self.app.settings.content_languages;
        Change { by: self.by, at: self.app.now(), reason: Some("import"), languages }
    }

    /// Whether an item is published here. A draft of its source stays a draft.
    fn publishes(&self, new: &Prepared) -> bool {
        self.sheet.force_published == ForcePublished::Published && !new.said.contains_key("draft")
    }

    fn is_dry(&self) -> bool {
        self.mode == ImportMode::Dry
    }

    /// An item that is not taken, with its title where it has one.
    pub(super) fn refused(&self, item: &str, title: &str, note: ImportNote) -> Done {
        let outcome = ImportOutcome::Refused;
        let title = if title.is_empty() { item } else { title };
        (Some(outcome), Some(ImportLine::new(item, title, outcome, vec![note])))
    }
}

/// Writes one, or shows what it would.
pub(super) async fn apply(
    ctx: &Ctx<'_>,
    tx: &Tx,
    new: &Prepared,
    known: Option<&ImportItem>,
) -> Result<Done, Internal> {
    match known {
        Some(item) if item.state == ItemState::ToMerge => {
            let line = asked_to_merge(new, item.candidate_id);
            keep(ctx, tx, &ImportItem { digest: new.digest.clone(), recipe: ctx.recipe.to_owned(), ..item.clone() })
                .await?;
            Ok((Some(ImportOutcome::ToMerge), Some(line)))
        }
        Some(item) if item.parcours_id.is_some() && is_cut_off(new, item) => {
            Ok(ctx.refused(&new.item, &new.mapped.title(), ImportNote::new("import/truncated")))
        }
        Some(item) if item.parcours_id.is_some() => change(ctx, tx, new, item).await,
        _ => make(ctx, tx, new, known.is_some_and(|item| item.state == ItemState::Apart)).await,
    }
}

/// Whether the line of an item comes from a file that stops in the middle, and is not the line that was taken before: it would shorten the parcours.
fn is_cut_off(new: &Prepared, item: &ImportItem) -> bool {
    new.line.as_ref().is_some_and(|line| line.is_truncated && item.applied.get("trace") != Some(&line.sum))
}

async fn keep(ctx: &Ctx<'_>, tx: &Tx, item: &ImportItem) -> Result<(), Internal> {
    if !ctx.is_dry() {
        kept::put_item(tx, ctx.source, item).await?;
    }
    Ok(())
}

fn asked_to_merge(new: &Prepared, candidate: Option<ParcoursId>) -> ImportLine {
    let note = ImportNote::new("import/looks-the-same");
    let line = ImportLine::new(&new.item, &new.mapped.title(), ImportOutcome::ToMerge, vec![note]);
    ImportLine { parcours_id: candidate, ..line }
}

fn blank(new: &Prepared) -> ImportItem {
    ImportItem {
        item: new.item.clone(),
        state: ItemState::Linked,
        parcours_id: None,
        candidate_id: None,
        digest: String::new(),
        recipe: String::new(),
        applied: BTreeMap::new(),
        locked: Vec::new(),
        trace_revision: None,
        media: Vec::new(),
        waits: false,
        said: new.said.clone(),
        steps: new.under.clone(),
    }
}

/// Makes one, unless one here looks the same.
async fn make(ctx: &Ctx<'_>, tx: &Tx, new: &Prepared, apart: bool) -> Result<Done, Internal> {
    let (digest, recipe) = (new.digest.clone(), ctx.recipe.to_owned());
    let alike = match &new.line {
        Some(line) if !apart => same_shape(tx, ctx.white_label, ctx.source, &line.trace.line()).await?,
        _ => None,
    };
    if let Some(candidate) = alike {
        let item =
            ImportItem { state: ItemState::ToMerge, candidate_id: Some(candidate), digest, recipe, ..blank(new) };
        keep(ctx, tx, &item).await?;
        return Ok((Some(ImportOutcome::ToMerge), Some(asked_to_merge(new, Some(candidate)))));
    }
    let mut notes = new.mapped.notes.clone();
    let mut sheet = Sheet::default();
    fill(ctx, &mut sheet, (&Sheet::default(), false), &new.mapped.patch, &mut notes);
    if sheet.title.is_empty() {
        return Ok(ctx.refused(&new.item, "", ImportNote::new("import/no-title")));
    }
    let published = ctx.publishes(new) && publishable(ctx, &sheet, &mut notes);
    let mut line = ImportLine::new(&new.item, sheet.title.best("fr"), ImportOutcome::Created, notes);
    if ctx.is_dry() {
        line.changes = shown(&Sheet::default(), &sheet);
        let came = new.line.iter().map(|line| json!(line.trace.summary.distance_m));
        line.changes.extend(came.map(|metres| change_of("trace", Value::Null, metres)));
        return Ok((Some(ImportOutcome::Created), Some(line)));
    }
    let made = NewParcours {
        white_label_id: ctx.white_label,
        published,
        sheet,
        steps: new.steps.clone(),
        trace: new.line.as_ref().map(|line| line.trace.clone()),
    };
    let stored = rows::insert(tx, &made, ctx.change()).await?;
    let recipe = recipe_of(ctx, new);
    let mut item = ImportItem { parcours_id: Some(stored.id), digest, recipe, media: new.media.clone(), ..blank(new) };
    remember(&mut item, &stored, &new.mapped.patch);
    if let Some(came) = &new.line {
        item.applied.insert("trace".to_owned(), came.sum.clone());
        item.trace_revision = stored.trace_revision;
        item.waits = must_wait(ctx);
    }
    keep(ctx, tx, &item).await?;
    line.parcours_id = Some(stored.id);
    line.undo = Some(Undo { version: stored.version, ..Undo::default() });
    Ok((Some(ImportOutcome::Created), Some(line)))
}

/// What is kept of how an item was written. Empty where a word of it has no name in its source yet: the next run reads it again.
fn recipe_of(ctx: &Ctx<'_>, new: &Prepared) -> String {
    if new.mapped.unnamed.is_empty() { ctx.recipe.to_owned() } else { String::new() }
}

/// Whether the line is laid on the network afterwards.
fn must_wait(ctx: &Ctx<'_>) -> bool {
    !ctx.sheet.force_source_geometry && ctx.app.region().engine.is_some()
}

/// Changes one: field by field, and in texts language by language, what was edited here stays.
async fn change(ctx: &Ctx<'_>, tx: &Tx, new: &Prepared, item: &ImportItem) -> Result<Done, Internal> {
    let Some(id) = item.parcours_id else { return Ok((None, None)) };
    let (digest, recipe) = (new.digest.clone(), ctx.recipe.to_owned());
    let Some(before) = rows::lock(tx, id).await? else {
        let note = ImportNote::new("import/deleted-here");
        let line = ImportLine::new(&new.item, &new.mapped.title(), ImportOutcome::Kept, vec![note]);
        keep(ctx, tx, &ImportItem { digest, recipe, ..item.clone() }).await?;
        return Ok((Some(ImportOutcome::Kept), Some(line)));
    };
    let recipe = recipe_of(ctx, new);
    let (mut notes, mut locked) = (new.mapped.notes.clone(), Vec::new());
    let stands = serde_json::to_value(&before.sheet).unwrap_or_default();
    let mut wanted = new.mapped.patch.clone();
    wanted.retain(|field, _| !new.mapped.unnamed.contains(field.as_str()));
    let patch = writable::unlocked(&TEXTS, &wanted, &stands, &item.applied, &mut locked);
    let mut after = before.clone();
    fill(ctx, &mut after.sheet, (&before.sheet, before.published), &patch, &mut notes);
    let trace_free = before.trace_revision == item.trace_revision || before.trace_revision.is_none();
    let moved = new.line.as_ref().filter(|line| item.applied.get("trace") != Some(&line.sum));
    let taken = moved.filter(|_| trace_free);
    if moved.is_some() && !trace_free {
        locked.push("trace".to_owned());
    }
    let practice = after.sheet.practice_type_id;
    after.steps = steps_after(tx, new, item, (&before, practice), taken, &mut locked).await?;
    after.published = is_published(ctx, tx, new, item, (&before, &after.sheet), (&mut notes, &mut locked)).await?;
    if !locked.is_empty() {
        notes.push(ImportNote::new("import/locked").with("fields", locked.join(", ")));
    }
    let changes = changes_of(&before, &after, taken);
    let media = if new.mapped.absent.contains("photos") { &item.media } else { &new.media };
    // An item whose pictures did not all come has no digest (`media::step`): they are asked for again.
    let (media_before, media_wanted) = (before.sheet.media_ids.len(), media.len());
    let wants_media = item.media != *media || (item.digest.is_empty() && media_before < media_wanted);
    // The source of a route that did not change shows the same POIs along it.
    let pois = item.said.get("pois").filter(|_| item.digest == new.digest).cloned();
    let applied_before = item.applied.clone();
    let mut item =
        ImportItem { state: ItemState::Linked, digest, recipe, locked, media: media.clone(), ..item.clone() };
    (item.said, item.steps) = (new.said.clone(), new.under.clone());
    // What comes back and lacks something to be published is published once it is complete.
    let is_decided = after.published || item.locked.iter().any(|field| field == PUBLISHED_FIELD);
    if is_decided || ctx.sheet.force_published == ForcePublished::Unpublished {
        item.applied.remove(PUBLISHED_FIELD);
    }
    if let Some(pois) = pois {
        item.said.entry("pois".to_owned()).or_insert(pois);
    }
    let is_same = changes.is_empty();
    if is_same && !wants_media {
        remember(&mut item, &before, &patch);
        keep(ctx, tx, &item).await?;
        return Ok((None, None));
    }
    let title = after.sheet.title.best("fr").to_owned();
    let mut line = ImportLine::new(&new.item, &title, ImportOutcome::Updated, notes);
    line.parcours_id = Some(id);
    line.changes = changes;
    if wants_media {
        line.changes.push(change_of("media_ids", json!(media_before), json!(media_wanted)));
    }
    if ctx.is_dry() {
        return Ok((Some(ImportOutcome::Updated), Some(line)));
    }
    line.undo = Some(Undo {
        version: before.version,
        trace_revision: before.trace_revision,
        applied: applied_before,
        published: before.published,
    });
    let stored = if is_same {
        before
    } else {
        rows::save(tx, &before, after, taken.map(|taken| &taken.trace), ctx.change()).await?
    };
    remember(&mut item, &stored, &patch);
    if let Some(taken) = taken {
        item.trace_revision = stored.trace_revision;
        item.applied.insert("trace".to_owned(), taken.sum.clone());
        item.waits = must_wait(ctx);
    }
    keep(ctx, tx, &item).await?;
    Ok((Some(ImportOutcome::Updated), Some(line)))
}

/// The steps of a parcours after its item came again. Those that were edited here stay, arranged along a line that changed.
async fn steps_after(
    tx: &Tx,
    new: &Prepared,
    item: &ImportItem,
    (before, practice): (&Stored, Option<i64>),
    taken: Option<&PreparedLine>,
    locked: &mut Vec<String>,
) -> Result<Vec<Step>, Internal> {
    let mut wanted = new.steps.clone();
    // The names of its ends, whose columns are gone.
    if new.mapped.absent.contains("departure")
        && let (Some(step), Some(was)) = (wanted.first_mut(), before.steps.first())
    {
        step.title = was.title.clone();
    }
    if new.mapped.absent.contains("arrival")
        && let (Some(step), Some(was)) = (wanted.last_mut(), before.steps.last())
    {
        step.title = was.title.clone();
    }
    let mut steps = before.steps.clone();
    if taken.is_some() || item.applied.get("steps") != Some(&sum_of_steps(&wanted)) {
        if before.steps.is_empty() || item.applied.get("steps") == Some(&sum_of_steps(&before.steps)) {
            steps = renumbered(&wanted, before.last_step_id);
        } else {
            if let Some(taken) = taken {
                let pace = pace_of(tx, practice).await?.1;
                for step in &mut steps {
                    step.at_m = None;
                }
                arrange_steps(&mut steps, &taken.trace, pace, None);
            }
            locked.push("steps".to_owned());
        }
    }
    let is_same = taken.is_none() && sum_of_steps(&steps) == sum_of_steps(&before.steps);
    Ok(if is_same { before.steps.clone() } else { steps })
}

/// The field of a parcours that says whether it is published. Among the fields an import wrote, it marks that the import unpublished
/// the parcours because its source no longer had it.
pub(super) const PUBLISHED_FIELD: &str = "published";

/// Whether a parcours of an item is published after it came again. One that a person unpublished here stays so.
async fn is_published(
    ctx: &Ctx<'_>,
    tx: &Tx,
    new: &Prepared,
    item: &ImportItem,
    (before, sheet): (&Stored, &Sheet),
    (notes, locked): (&mut Vec<ImportNote>, &mut Vec<String>),
) -> Result<bool, Internal> {
    let is_draft = new.said.contains_key("draft");
    // It was taken off there, which a server shows by leaving it out.
    if is_draft && !item.said.contains_key("draft") && before.published {
        notes.push(ImportNote::new("import/now-draft"));
        return Ok(false);
    }
    if ctx.sheet.force_published == ForcePublished::Unpublished {
        return Ok(false);
    }
    if before.published {
        return Ok(true);
    }
    let comes_back = item.applied.contains_key(PUBLISHED_FIELD) && !is_draft;
    if !comes_back && !ctx.publishes(new) {
        return Ok(false);
    }
    // A person may let the source decide again (`decide::unlock_import_item`).
    let is_unlocked = item.applied.get(PUBLISHED_FIELD) == Some(&writable::sum(&Value::Null));
    if !is_unlocked && was_unpublished_by_hand(tx, before.id).await? {
        locked.push(PUBLISHED_FIELD.to_owned());
        return Ok(false);
    }
    Ok(publishable(ctx, sheet, notes))
}

/// Whether a person, not an import, changed last whether a parcours is published.
async fn was_unpublished_by_hand(tx: &Tx, id: ParcoursId) -> Result<bool, StoreError> {
    let last = store::record::last_change_of(tx, Kind::Parcours, id.0, PUBLISHED_FIELD).await?;
    Ok(last.is_some_and(|reason| reason.as_deref() != Some("import")))
}

/// What is reported of a parcours that an import changes.
fn changes_of(before: &Stored, after: &Stored, taken: Option<&PreparedLine>) -> Vec<FieldChange> {
    let mut changes = shown(&before.sheet, &after.sheet);
    if let Some(taken) = taken {
        let was = before.trace.as_ref().and_then(|trace| trace.distance_m);
        changes.push(change_of("trace", json!(was), json!(taken.trace.summary.distance_m)));
    }
    if after.steps != before.steps {
        changes.push(change_of("steps", json!(before.steps.len()), json!(after.steps.len())));
    }
    if after.published != before.published {
        changes.push(change_of("published", json!(before.published), json!(after.published)));
    }
    changes
}

/// Merges a patch into a sheet. A field that breaks a rule is left as it was, and reported: the rest is taken.
fn fill(
    ctx: &Ctx<'_>,
    sheet: &mut Sheet,
    (before, published): (&Sheet, bool),
    patch: &Map<String, Value>,
    notes: &mut Vec<ImportNote>,
) {
    let mut patch = patch.clone();
    for _ in 0..patch.len().max(1) {
        let faults = match apply_patch(before, &patch) {
            Ok(mut filled) => {
                clean::clean_changed(&mut filled, before, &sanitise);
                let changed = filled.changed_since(before);
                let languages = &ctx.app.settings.content_languages;
                let mut faults = rules::check(&filled, &changed, rules::RuleContext { languages });
                faults.retain(|fault| {
                    patch.contains_key(field_of(&fault.field)) || fault.code == "parcours/description-required"
                });
                faults.extend(rules::title_lost(before, &filled, published, languages));
                if faults.is_empty() {
                    *sheet = filled;
                    return;
                }
                faults
            }
            Err(faults) => faults,
        };
        for fault in faults {
            let mut note = ImportNote::new(fault.code);
            for (name, value) in &fault.params {
                note = note.with(name, value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            }
            // Without a description a parcours is not distributed; everything else is imported.
            let field =
                if fault.code == "parcours/description-required" { "distribute_own" } else { field_of(&fault.field) };
            notes.push(note.on(field));
            patch.remove(field);
        }
    }
    *sheet = before.clone();
}

fn field_of(pointer: &str) -> &str {
    pointer.split('/').nth(1).unwrap_or_default()
}

fn publishable(ctx: &Ctx<'_>, sheet: &Sheet, notes: &mut Vec<ImportNote>) -> bool {
    let may = rules::titled(sheet, &ctx.app.settings.content_languages);
    if !may {
        notes.push(ImportNote::new("parcours/title-required-to-publish").on("published"));
    }
    may
}

/// Fields with a text per language.
const TEXTS: [&str; 5] = ["title", "subtitle", "summary", "description", "audio_guide"];

/// Notes what was written, by its new value.
fn remember(item: &mut ImportItem, stored: &Stored, patch: &Map<String, Value>) {
    let now = serde_json::to_value(&stored.sheet).unwrap_or_default();
    writable::remember(&TEXTS, patch, &now, &mut item.applied);
    if !item.locked.iter().any(|field| field == "steps") {
        item.applied.insert("steps".to_owned(), sum_of_steps(&stored.steps));
    }
}

/// Checksum of what people edit in steps. It leaves out places along the line, which move when the line is laid on the network.
fn sum_of_steps(steps: &[Step]) -> String {
    let edited: Vec<Value> = steps
        .iter()
        .map(|step| {
            let at = [step.position.lon, step.position.lat].map(|degrees| (degrees * 1e5).round() as i64);
            json!([step.kind, step.title, step.description, at, step.nights, step.line_ids])
        })
        .collect();
    writable::sum(&Value::Array(edited))
}

fn renumbered(steps: &[Step], last: i64) -> Vec<Step> {
    steps.iter().zip(last + 1..).map(|(step, id)| Step { id, ..step.clone() }).collect()
}

/// What changed between two sheets, as the log shows it.
fn shown(before: &Sheet, after: &Sheet) -> Vec<FieldChange> {
    let all = |sheet: &Sheet| serde_json::to_value(sheet).unwrap_or_default();
    let (was, is) = (all(before), all(after));
    let of = |all: &Value, field: &str| all.get(field).cloned().unwrap_or_default();
    after.changed_since(before).into_iter().map(|field| change_of(field, of(&was, field), of(&is, field))).collect()
}

fn change_of(field: &str, before: Value, after: Value) -> FieldChange {
    FieldChange { field: field.to_owned(), before: short(before), after: short(after) }
}

fn short(value: Value) -> Value {
    match value {
        Value::String(words) if words.chars().count() > SHOWN_CHARS => {
            Value::String(words.chars().take(SHOWN_CHARS).chain(['…']).collect())
        }
        Value::Object(members) => members.into_iter().map(|(name, value)| (name, short(value))).collect(),
        other => other,
    }
}

//! Saves parcours: the row, the sheet, derived values and the revision, in the transaction of the caller.

use domain::parcours::passport::Lacks;
use domain::parcours::{Card, Drawing, Leg, Sheet, TraceSummary, card::search_text};
use domain::record::{Kind, Sheet as _};
use domain::rest;
use domain::step::Step;
use domain::{Instant, ParcoursId, UserId, WhiteLabelId};
use sea_orm::Value;
use trace::Position;

use super::batch::Batch;
use super::children::note_family;
use super::narrow::{COLUMNS, Narrow};
use super::passport::lacks_of;
use super::revision::{self, body_text};
use super::trace::{next_revision, write_trace};
use super::{dialect, links};
use crate::parcours_trace::{StoredTrace, TraceExtra, line_in_use};
use crate::record::{Change, Versioned};
use crate::sql::{get, inserted, one, text};
use crate::{Connection as _, Dialect, StoreError, Tx, custom};

/// A stored parcours, read whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// Identifier.
    pub id: ParcoursId,
    /// The white-label that owns it.
    pub white_label_id: WhiteLabelId,
    /// Number of its last save.
    pub version: i64,
    /// The owner's switch.
    pub published: bool,
    /// What the staff filled in.
    pub sheet: Sheet,
    /// In the order of the line.
    pub steps: Vec<Step>,
    /// The last number given to a step.
    pub last_step_id: i64,
    /// The figures of its trace.
    pub trace: Option<TraceSummary>,
    /// The drawing of its trace for lists.
    pub drawing: Drawing,
    /// Which revision of the trace is in use.
    pub trace_revision: Option<i64>,
    pub created_at: Instant,
    pub updated_at: Instant,
    /// The user who saved it last.
    pub updated_by: Option<UserId>,
}

impl Versioned for Stored {
    fn id(&self) -> i64 {
        self.id.0
    }

    fn version(&self) -> i64 {
        self.version
    }
}

/// A trace to store: figures and lines.
#[derive(Debug, Clone, PartialEq)]
pub struct NewTrace {
    /// Its figures; the revision number is set when it is stored.
    pub summary: TraceSummary,
    /// The ribbon, the glyph and the start.
    pub drawing: Drawing,
    /// The working revision.
    pub legs: Vec<Leg>,
    /// The line that the planner made.
    pub planned_line: Option<Vec<Position>>,
    /// The line read from the bytes, where the legs differ from it.
    pub source_line: Option<Vec<Position>>,
    /// Instructions and gaps of the source.
    pub extra: TraceExtra,
    /// The line in use, with few points, for maps of many.
    pub shape: Vec<Position>,
}

/// A parcours to insert.
#[derive(Debug, Clone, PartialEq)]
pub struct NewParcours {
    /// The white-label that owns it.
    pub white_label_id: WhiteLabelId,
    /// The owner's switch.
    pub published: bool,
    /// What the staff filled in, cleaned and checked.
    pub sheet: Sheet,
    /// Numbered from 1, in the order they are met.
    pub steps: Vec<Step>,
    /// Its trace, computed.
    pub trace: Option<NewTrace>,
}

/// Makes a parcours. This is also the fast path of imports: one call each, many in one transaction.
pub async fn insert(tx: &Tx, new: &NewParcours, change: Change<'_>) -> Result<Stored, StoreError> {
    insert_as(tx, new, None, change).await
}

/// The identity of a parcours that is restored from the bin: its number, its last version, when it was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Former {
    pub(crate) id: i64,
    pub(crate) version: i64,
    pub(crate) created_at: Instant,
    pub(crate) trace_revision: Option<i64>,
}

/// Inserts a parcours; a restored one under its former number.
pub(crate) async fn insert_as(
    tx: &Tx,
    new: &NewParcours,
    former: Option<Former>,
    change: Change<'_>,
) -> Result<Stored, StoreError> {
    let version = former.map_or(1, |former| former.version + 1);
    let created_at = former.map_or(change.at, |former| former.created_at);
    let number = former.and_then(|former| former.trace_revision).unwrap_or(1);
    let drawing = new.trace.as_ref().map(|trace| trace.drawing.clone()).unwrap_or_default();
    let summary = new.trace.as_ref().map(|trace| TraceSummary { revision: number, ..trace.summary.clone() });
    let card = Card::of(&new.sheet, &new.steps, summary.as_ref(), &drawing, change.languages);
    let narrow = Narrow::of(&new.sheet, new.published, &card, summary.as_ref());
    let last_step_id = new.steps.iter().map(|step| step.id).max().unwrap_or(0);
    let trace_revision = summary.as_ref().map(|_| number);
    let stored = Stored {
        id: ParcoursId(0),
        white_label_id: new.white_label_id,
        version,
        published: new.published,
        sheet: new.sheet.clone(),
        steps: new.steps.clone(),
        last_step_id,
        trace: summary,
        drawing,
        trace_revision,
        created_at,
        updated_at: change.at,
        updated_by: change.by,
    };
    let lacks = lacks_of(tx, &stored, change.languages).await?;

    let mut own: Vec<(&str, Value)> = vec![
        ("white_label_id", new.white_label_id.0.into()),
        ("version", version.into()),
        ("published", i16::from(new.published).into()),
        ("trace_revision", trace_revision.into()),
        ("last_step_id", last_step_id.into()),
        ("created_at", created_at.0.into()),
        ("updated_at", change.at.0.into()),
        ("updated_by", change.by.map(|id| id.0).into()),
        ("lack_bits", lacks.0.into()),
    ];
    own.extend(former.map(|former| ("id", former.id.into())));
    let names: Vec<&str> = own.iter().map(|(name, _)| *name).chain(COLUMNS).collect();
    let places: Vec<String> = (1..=names.len()).map(|n| format!("${n}")).collect();
    let sql = format!("INSERT INTO parcours ({}) VALUES ({}) RETURNING id", names.join(", "), places.join(", "));
    let values = own.into_iter().map(|(_, value)| value).chain(narrow.values());
    let id = inserted(tx, "parcours", &sql, values).await?;

    let stored = Stored { id: ParcoursId(id), ..stored };
    let (texts, mut batch) = (Texts::of(&stored), Batch::default());
    let sql = "INSERT INTO parcours_sheet (parcours_id, sheet, steps, trace, drawing) VALUES ($1, $2, $3, $4, $5)";
    batch.add(sql, texts.values(id));
    let sql = "INSERT INTO parcours_card (parcours_id, card) VALUES ($1, $2)";
    batch.add(sql, [id.into(), text(&card).into()]);
    links::insert(&mut batch, id, &stored.sheet, &stored.steps);
    index(&mut batch, tx.dialect(), &stored, &narrow);
    if let Some(trace) = &new.trace {
        write_trace(&mut batch, tx.dialect(), id, number, trace);
    }
    let body = body_text(&stored, &texts.sheet, &texts.steps, texts.trace.as_deref());
    revision::write(&mut batch, &stored, &["*".to_owned()], change, body);
    batch.run(tx).await?;
    if !stored.sheet.custom.is_empty() {
        custom::write(tx, Kind::Parcours, id, stored.white_label_id, &stored.sheet.custom).await?;
    }
    touch_closures(tx, &stored, new.trace.as_ref()).await?;
    Ok(stored)
}

/// Saves a parcours. `after` has the new content with the old version; the result has the new version. With `trace`, its figures
/// and its drawing replace those of `after`. If nothing changed, nothing is written.
pub async fn save(
    tx: &Tx,
    before: &Stored,
    mut after: Stored,
    trace: Option<&NewTrace>,
    change: Change<'_>,
) -> Result<Stored, StoreError> {
    let (id, mut batch) = (before.id.0, Batch::default());
    if let Some(new) = trace {
        store_trace(&mut batch, tx, &mut after, new).await?;
    }
    let fields = changed_fields(before, &after);
    if fields.is_empty() {
        return Ok(after);
    }
    after.version = before.version + 1;
    after.updated_at = change.at;
    after.updated_by = change.by;
    after.last_step_id = after.steps.iter().map(|step| step.id).fold(after.last_step_id, i64::max);

    let texts = settle(&mut batch, tx, before, &after, change.languages).await?;
    links::update(&mut batch, id, (&before.sheet, &before.steps), (&after.sheet, &after.steps));
    let body = body_text(&after, &texts.sheet, &texts.steps, texts.trace.as_deref());
    revision::write(&mut batch, &after, &fields, change, body);
    batch.run(tx).await?;
    if after.sheet.custom != before.sheet.custom {
        custom::write(tx, Kind::Parcours, id, after.white_label_id, &after.sheet.custom).await?;
    }
    if after.sheet.parent_id != before.sheet.parent_id {
        note_family(tx, before.sheet.parent_id, change.at).await?;
    }
    touch_closures(tx, &after, trace).await?;
    Ok(after)
}

/// Stores a new trace as the one in use, with the next revision number.
pub(super) async fn store_trace(
    batch: &mut Batch,
    tx: &Tx,
    after: &mut Stored,
    new: &NewTrace,
) -> Result<i64, StoreError> {
    let number = next_revision(tx, after.id.0).await?;
    after.trace = Some(TraceSummary { revision: number, ..new.summary.clone() });
    after.drawing = new.drawing.clone();
    after.trace_revision = Some(number);
    write_trace(batch, tx.dialect(), after.id.0, number, new);
    Ok(number)
}

/// Writes the row of a parcours with its present content, and the columns that lists read.
pub(super) async fn settle(
    batch: &mut Batch,
    tx: &Tx,
    before: &Stored,
    after: &Stored,
    languages: &[String],
) -> Result<Texts, StoreError> {
    let (was, is) = (drawn(before, languages), drawn(after, languages));
    let lacks = lacks_of(tx, after, languages).await?;
    write_row(batch, (before, &was), (after, &is), lacks);
    write_index(batch, tx.dialect(), (before, &was.1), (after, &is.1));
    let texts = Texts::of(after);
    let sql = "UPDATE parcours_sheet SET sheet = $2, steps = $3, trace = $4, drawing = $5 WHERE parcours_id = $1";
    batch.add(sql, texts.values(after.id.0));
    Ok(texts)
}

/// Recalculates which closures touch the line.
pub(super) async fn touch_closures(tx: &Tx, stored: &Stored, trace: Option<&NewTrace>) -> Result<(), StoreError> {
    match trace.and_then(|trace| trace.summary.bbox.map(|bbox| (trace.line(), bbox))) {
        Some((line, bbox)) if stored.version == 1 => crate::closure::touch_new(tx, stored.id, &line, bbox).await,
        Some((line, bbox)) => crate::closure::touch(tx, stored.id, &line, bbox).await,
        None => Ok(()),
    }
}

/// The values that lists read of a parcours.
fn drawn(stored: &Stored, languages: &[String]) -> (Card, Narrow) {
    let card = Card::of(&stored.sheet, &stored.steps, stored.trace.as_ref(), &stored.drawing, languages);
    let narrow = Narrow::of(&stored.sheet, stored.published, &card, stored.trace.as_ref());
    (card, narrow)
}

fn facets_of(stored: &Stored, narrow: &Narrow) -> Vec<String> {
    narrow.facets(stored.white_label_id.0, stored.published, &stored.sheet.theme_ids)
}

/// Updates the index of words, if a word or a fact of the parcours changed.
fn write_index(batch: &mut Batch, dialect: Dialect, before: (&Stored, &Narrow), after: (&Stored, &Narrow)) {
    let same_facts = facets_of(before.0, before.1) == facets_of(after.0, after.1);
    let words = |stored: &Stored| search_text(&stored.sheet, &stored.steps);
    if !(same_facts && words(before.0) == words(after.0)) {
        index(batch, dialect, after.0, after.1);
    }
}

fn index(batch: &mut Batch, dialect: Dialect, stored: &Stored, narrow: &Narrow) {
    let (words, facets) = (search_text(&stored.sheet, &stored.steps), facets_of(stored, narrow));
    dialect::write_words(batch, dialect, stored.id.0, &words, &facets);
}

/// Writes the words' index of a parcours anew, as after a white-label added it.
pub(super) async fn reindex(tx: &Tx, id: ParcoursId) -> Result<(), StoreError> {
    let Some(stored) = super::detail::load(tx, id).await? else { return Ok(()) };
    // Languages only decide which translations are missing, which is no searched word; the fact of it is read from the row.
    let lacks: i16 = one(tx, "SELECT lacks FROM parcours WHERE id = $1", [id.0.into()])
        .await?
        .map(|row| get(&row, 0))
        .transpose()?
        .unwrap_or(0);
    let (_, narrow) = drawn(&stored, &[]);
    let mut batch = Batch::default();
    index(&mut batch, tx.dialect(), &stored, &narrow.lacking(lacks));
    batch.run(tx).await
}

/// Makes the words and the box of a parcours, whose rows were put by an import.
pub(crate) async fn index_again(tx: &Tx, id: ParcoursId) -> Result<(), StoreError> {
    reindex(tx, id).await?;
    let trace = super::detail::load(tx, id).await?.and_then(|stored| stored.trace);
    if let Some(bbox) = trace.and_then(|trace| trace.bbox) {
        let mut batch = Batch::default();
        dialect::write_box(&mut batch, tx.dialect(), id.0, bbox);
        batch.run(tx).await?;
    }
    Ok(())
}

/// Updates the row and the card, which lists read. Unchanged columns are not in the statement, so that their indexes are not updated.
fn write_row(
    batch: &mut Batch,
    (before, (old_card, old)): (&Stored, &(Card, Narrow)),
    (after, (card, new)): (&Stored, &(Card, Narrow)),
    lacks: Lacks,
) {
    let (old, new) = (old.values(), new.values());
    let mut sets: Vec<(&str, Value)> = vec![
        ("version", after.version.into()),
        ("published", i16::from(after.published).into()),
        ("trace_revision", after.trace_revision.into()),
        ("last_step_id", after.last_step_id.into()),
        ("updated_at", after.updated_at.0.into()),
        ("updated_by", after.updated_by.map(|id| id.0).into()),
        ("lack_bits", lacks.0.into()),
    ];
    sets.retain(|(name, _)| *name != "published" || before.published != after.published);
    sets.extend(
        COLUMNS.into_iter().zip(old).zip(new).filter(|((_, old), new)| old != new).map(|((name, _), new)| (name, new)),
    );
    let names: Vec<String> =
        sets.iter().enumerate().map(|(index, (name, _))| format!("{name} = ${}", index + 2)).collect();
    let sql = format!("UPDATE parcours SET {} WHERE id = $1", names.join(", "));
    batch.add(&sql, std::iter::once(Value::from(after.id.0)).chain(sets.into_iter().map(|(_, value)| value)));
    if card != old_card {
        let sql = "UPDATE parcours_card SET card = $2 WHERE parcours_id = $1";
        batch.add(sql, [after.id.0.into(), text(card).into()]);
    }
}

/// The names of what a save changed: fields of the sheet, then `steps`, `trace` and `published`. No statement but that of [`save`] changes
/// `published` of a stored parcours, so that the history names each change of it. Feeds find by the history which parcours were published
/// ([`was_published`](super::remove::was_published)).
fn changed_fields(before: &Stored, after: &Stored) -> Vec<String> {
    let mut fields: Vec<String> = after.sheet.changed_since(&before.sheet).into_iter().map(str::to_owned).collect();
    for (name, changed) in [
        ("steps", before.steps != after.steps),
        ("trace", before.trace_revision != after.trace_revision),
        ("published", before.published != after.published),
    ] {
        if changed {
            fields.push(name.to_owned());
        }
    }
    fields
}

/// The JSON texts of a sheet's row, made once and used twice.
pub(super) struct Texts {
    sheet: String,
    steps: String,
    trace: Option<String>,
    drawing: String,
}

impl Texts {
    fn of(stored: &Stored) -> Self {
        Self {
            sheet: rest::text(&stored.sheet),
            steps: rest::list_text(&stored.steps),
            trace: stored.trace.as_ref().map(text),
            drawing: text(&stored.drawing),
        }
    }

    fn values(&self, id: i64) -> [Value; 5] {
        [
            id.into(),
            self.sheet.clone().into(),
            self.steps.clone().into(),
            self.trace.clone().into(),
            self.drawing.clone().into(),
        ]
    }
}

impl NewTrace {
    /// The line the applications use.
    pub fn line(&self) -> Vec<Position> {
        line_in_use(&self.summary, self.planned_line.as_deref(), &self.legs)
    }
}

impl From<&StoredTrace> for NewTrace {
    /// The same trace again, as a restoration needs it.
    fn from(kept: &StoredTrace) -> Self {
        Self {
            summary: kept.summary.clone(),
            drawing: kept.drawing.clone(),
            legs: kept.legs.clone(),
            planned_line: kept.planned_line.clone(),
            source_line: kept.source_line.clone(),
            extra: kept.extra.clone(),
            shape: kept.shape(),
        }
    }
}

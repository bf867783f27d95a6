//! Public feeds: the parcours and the POIs that the readers of a white-label get, in the order of their numbers.

use std::collections::{BTreeMap, HashMap};

use domain::parcours::{Leg, Relation, ReliabilityState};
use domain::record::Kind;
use domain::sit::SitSourceSheet;
use domain::{Instant, ParcoursId, WhiteLabelId, fold};
use sea_orm::Value;
use trace::Position;

use crate::imports::ImportSources;
use crate::parcours::{decided_after, has_words, question, relation_code, stands_under, state_code};
use crate::parcours_link::LinkKind;
use crate::parcours_trace::{TraceExtra, is_in_box, is_small_box, joined};
use crate::record::load_many;
use crate::session::TokenHash;
use crate::sit::SitSources;
use crate::sql::{NumberList, all, get, json, numbers, numbers_of, one, remembered};
use crate::{Connection, Dialect, StoreError, feedback};

/// A page further down a list than this is counted from a mark, not from the list's beginning.
const ROWS_BETWEEN_MARKS: u64 = 4_000;

/// The white-label of a key.
pub async fn white_label_of_key(db: &impl Connection, hash: &TokenHash) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT white_label_id FROM white_label_key WHERE key_hash = $1";
    one(db, sql, [hash.to_vec().into()]).await?.map(|row| get(&row, 0)).transpose()
}

/// The filters of a feed of parcours.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParcoursFeed {
    /// The white-label that reads: what it owns, and what it added and shows.
    pub white_label: i64,
    /// White-labels whose parcours are in no feed of others.
    pub unlisted: Vec<i64>,
    /// A parcours that lacks one of these is left out: bits of [`domain::parcours::passport::Lack`].
    pub barred: i64,
    /// Whether parcours that are shown only under a parent are listed too.
    pub under_parents: bool,
    /// Only those of one of these practices, for each of the lists.
    pub practices: Vec<Vec<i64>>,
    /// Loops, or ways from one place to another.
    pub is_loop: Option<bool>,
    /// With one of these themes.
    pub themes: Option<Vec<i64>>,
    /// Only those of one of these white-labels.
    pub owners: Option<Vec<i64>>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
    /// Only those whose line's box touches this one: west, south, east, north.
    pub bbox: Option<[f64; 4]>,
    /// Whether the box holds few parcours: found out by the store.
    pub is_small_box: bool,
    /// Saved after this.
    pub updated_after: Option<Instant>,
    /// With children.
    pub parents: bool,
    /// The minimum and the maximum average that the reading white-label shows; a parcours without reviews is listed.
    pub ratings: (Option<f64>, Option<f64>),
    /// Only those of one of these levels.
    pub levels: Option<Vec<i64>>,
    /// With one of these tags.
    pub tags: Option<Vec<i64>>,
    /// Without any of these tags.
    pub without_tags: Vec<i64>,
    /// With one of these markings.
    pub markings: Option<Vec<i64>>,
    /// On one of these itineraries.
    pub itineraries: Option<Vec<i64>>,
    /// Only those of one of these levels on another scale.
    pub special_levels: Option<Vec<i64>>,
    /// Minimum and maximum, metres.
    pub distance_m: Range,
    /// Minimum and maximum, seconds.
    pub duration_s: Range,
    /// Minimum and maximum, metres up.
    pub ascent_m: Range,
    /// With these words, the last of them begun.
    pub search: Option<String>,
    /// Only favoured ones (a display priority above 0), or only the others.
    pub favoured: Option<bool>,
}

/// The minimum and the maximum of a figure, both included.
pub type Range = (Option<f64>, Option<f64>);

impl ParcoursFeed {
    /// The condition on the row `p`, of any owner. The corners of the box are the first values of the statement.
    fn condition(&self, db: &impl Connection, after: i64) -> String {
        let (none, child, under) =
            (relation_code(Relation::None), relation_code(Relation::Child), relation_code(Relation::ChildOnly));
        let mut all = vec!["p.published = 1".to_owned(), "p.lack_bits >= 0".to_owned()];
        all.push(format!("p.lack_bits & {} = 0", self.barred));
        if self.under_parents {
            let parent = format!(
                "EXISTS (SELECT 1 FROM parcours q WHERE q.id = p.parent_id AND q.published = 1 AND q.relation IN ({none}, {child}) AND {})",
                stands_under("p", "q")
            );
            all.push(format!("(p.relation IN ({none}, {child}) OR (p.relation = {under} AND {parent}))"));
        } else {
            all.push(format!("p.relation IN ({none}, {child})"));
        }
        if !self.unlisted.is_empty() {
            all.push(format!("p.white_label_id NOT IN {}", numbers(&self.unlisted)));
        }
        all.extend(self.practices.iter().map(|ids| format!("p.practice_type_id IN {}", numbers(ids))));
        all.extend(self.favoured.map(|favoured| format!("p.priority {} 0", if favoured { ">" } else { "=" })));
        all.extend(self.is_loop.map(|is_loop| format!("p.is_loop = {}", i16::from(is_loop))));
        let linked = [
            (LinkKind::Theme, &self.themes),
            (LinkKind::Tag, &self.tags),
            (LinkKind::Marking, &self.markings),
            (LinkKind::Itinerary, &self.itineraries),
            (LinkKind::SpecialLevel, &self.special_levels),
        ];
        all.extend(linked.into_iter().filter_map(|(kind, ids)| {
            let (kind, ids) = (kind as i16, numbers(ids.as_ref()?));
            Some(format!("p.id IN (SELECT parcours_id FROM parcours_link WHERE kind = {kind} AND target_id IN {ids})"))
        }));
        if !self.without_tags.is_empty() {
            let (kind, ids) = (LinkKind::Tag as i16, numbers(&self.without_tags));
            all.push(format!(
                "p.id NOT IN (SELECT parcours_id FROM parcours_link WHERE kind = {kind} AND target_id IN {ids})"
            ));
        }
        all.extend(self.levels.as_ref().map(|ids| format!("p.level_id IN {}", numbers(ids))));
        let (min, max) = self.distance_m;
        all.extend(min.map(|metres| format!("p.distance_dm >= {}", (metres * 10.0).ceil() as i64)));
        all.extend(max.map(|metres| format!("p.distance_dm <= {}", (metres * 10.0).floor() as i64)));
        all.extend(measured(db.dialect(), "duration_s", self.duration_s));
        all.extend(measured(db.dialect(), "ascent_m", self.ascent_m));
        if self.question(db.dialect()).is_some() {
            let place = if self.bbox.is_some() { "$5" } else { "$1" };
            all.push(has_words(db.dialect(), place));
        }
        all.extend(self.owners.as_ref().map(|ids| format!("p.white_label_id IN {}", numbers(ids))));
        all.extend(self.ids.as_ref().map(|ids| format!("p.id IN {}", numbers(ids))));
        all.extend(feedback::within("p.id", self.ratings));
        all.extend(self.updated_after.map(changed_after));
        all.extend((after > 0).then(|| format!("p.id > {after}")));
        if self.bbox.is_some() {
            // Without words PostgreSQL joins what is in the box with the rows of the white-label, in the order that reads fewer.
            let has_words = self.question(db.dialect()).is_some();
            all.push(is_in_box(db.dialect(), ["$1", "$2", "$3", "$4"], self.is_small_box && has_words, has_words));
        }
        if self.parents {
            all.push(format!(
                "EXISTS (SELECT 1 FROM parcours q WHERE q.parent_id = p.id AND q.published = 1 AND q.relation IN ({child}, {under}) AND {})",
                stands_under("q", "p")
            ));
        }
        all.join(" AND ")
    }

    fn values(&self, dialect: Dialect) -> Vec<Value> {
        let corners = self.bbox.into_iter().flatten().map(Value::from);
        corners.chain(self.question(dialect).map(Value::from)).collect()
    }

    /// The query for the index of words.
    fn question(&self, dialect: Dialect) -> Option<String> {
        question(dialect, self.search.as_deref()?)
    }

    /// The white-label's own, then what it added, past a number: each side walks its index in the order of numbers.
    fn rows(&self, db: &impl Connection, added: &[i64], after: i64) -> String {
        self.columns("p.id", db, added, after)
    }

    /// Columns of the same rows.
    fn columns(&self, columns: &str, db: &impl Connection, added: &[i64], after: i64) -> String {
        let condition = self.condition(db, after);
        let own =
            format!("SELECT {columns} FROM parcours p WHERE p.white_label_id = {} AND {condition}", self.white_label);
        if added.is_empty() {
            return own;
        }
        let others = format!(
            "SELECT {columns} FROM parcours p WHERE p.id IN {} AND p.white_label_id <> {} AND {condition}",
            numbers(added),
            self.white_label
        );
        format!("SELECT {columns} FROM ({own} UNION ALL {others}) p")
    }
}

/// The condition that a figure of the trace is within a range. An unknown figure is not.
fn measured(dialect: Dialect, name: &str, (min, max): Range) -> Option<String> {
    let value = match dialect {
        Dialect::Sqlite => format!("json_extract(s.trace, '$.{name}')"),
        Dialect::Postgres => format!("CAST(CAST(s.trace AS JSONB) ->> '{name}' AS DOUBLE PRECISION)"),
    };
    let bounds = [(">=", min), ("<=", max)];
    let asked = bounds.into_iter().filter_map(|(sign, bound)| Some(format!("{value} {sign} {}", bound?)));
    let asked = asked.collect::<Vec<_>>().join(" AND ");
    let row = "SELECT 1 FROM parcours_sheet s WHERE s.parcours_id = p.id AND s.trace IS NOT NULL";
    (!asked.is_empty()).then(|| format!("EXISTS ({row} AND {asked})"))
}

/// The condition that a parcours was saved after an instant, that its reviews or reports changed, that a closure on it was saved,
/// that its parent was saved (it may be withdrawn), or that a child was accepted or refused. One list, not several joined by OR, for
/// which PostgreSQL reads all parcours.
fn changed_after(after: Instant) -> String {
    let decided = decided_after(after);
    let after = after.0;
    let saved = format!("SELECT id FROM parcours WHERE updated_at > {after}");
    let feedback = format!("SELECT parcours_id FROM parcours_feedback WHERE changed_at > {after}");
    let closures = format!(
        "SELECT t.parcours_id FROM closure c JOIN parcours_closure t ON t.closure_id = c.id WHERE c.updated_at > {after}"
    );
    let children =
        format!("SELECT id FROM parcours WHERE parent_id IN (SELECT id FROM parcours WHERE updated_at > {after})");
    format!("p.id IN ({saved} UNION {children} UNION {feedback} UNION {closures} UNION {decided})")
}

/// The same feed, after counting the parcours in its box where words are asked for too: only then the number matters.
async fn boxed(db: &impl Connection, feed: &ParcoursFeed) -> Result<ParcoursFeed, StoreError> {
    let box_with_words = feed.bbox.filter(|_| feed.search.is_some());
    Ok(ParcoursFeed { is_small_box: is_small_box(db, box_with_words).await?, ..feed.clone() })
}

/// What a white-label added of others' parcours and shows.
async fn added_parcours(db: &impl Connection, white_label: i64) -> Result<Vec<i64>, StoreError> {
    let sql =
        "SELECT parcours_id FROM parcours_white_label WHERE white_label_id = $1 AND published = 1 ORDER BY parcours_id";
    all(db, sql, [white_label.into()]).await?.iter().map(|row| get(row, 0)).collect()
}

/// A page of numbers in their order, and how many there are on all pages.
async fn page(
    db: &impl Connection,
    rows: impl Fn(i64) -> String,
    values: &[Value],
    (offset, limit): (u64, u64),
) -> Result<(Vec<i64>, u64), StoreError> {
    let ids = numbers_of_page(db, &rows, values, (offset, limit)).await?;
    let here = ids.len() as u64;
    // A page that is not full is the last one: what comes before it is all there is. An empty one may be beyond the last.
    let is_last = here < limit && (here > 0 || offset == 0);
    let total = if is_last { offset + here } else { count(db, &rows(0), values).await? };
    Ok((ids, total))
}

/// A page of numbers in their order. `rows` is the statement of all rows past a number: far down the list a page is counted from the
/// mark before it, and each stretch between two marks is walked once until the next write.
async fn numbers_of_page(
    db: &impl Connection,
    rows: impl Fn(i64) -> String,
    values: &[Value],
    (offset, limit): (u64, u64),
) -> Result<Vec<i64>, StoreError> {
    let mut after = 0;
    for _ in 0..offset / ROWS_BETWEEN_MARKS {
        let sql = format!("{} ORDER BY id LIMIT 1 OFFSET {}", rows(after), ROWS_BETWEEN_MARKS - 1);
        let [found] = remembered(db, &sql, values.to_vec()).await?;
        if found == 0 {
            return Ok(Vec::new());
        }
        after = found;
    }
    let sql = format!("{} ORDER BY id LIMIT {limit} OFFSET {}", rows(after), offset % ROWS_BETWEEN_MARKS);
    all(db, &sql, values.to_vec()).await?.iter().map(|row| get(row, 0)).collect()
}

/// At most `limit` numbers greater than `after`, in their order, and how many there are in all. Entries that leave the list between two
/// requests do not shift the next page.
async fn past(
    db: &impl Connection,
    rows: impl Fn(i64) -> String,
    values: &[Value],
    (after, limit): (i64, u64),
) -> Result<(Vec<i64>, u64), StoreError> {
    let sql = format!("{} ORDER BY id LIMIT {limit}", rows(after));
    let ids = all(db, &sql, values.to_vec()).await?.iter().map(|row| get(row, 0)).collect::<Result<_, _>>()?;
    Ok((ids, count(db, &rows(0), values).await?))
}

async fn count(db: &impl Connection, rows: &str, values: &[Value]) -> Result<u64, StoreError> {
    let [total] = remembered(db, &format!("SELECT COUNT(*) FROM ({rows}) n"), values.to_vec()).await?;
    Ok(total.unsigned_abs())
}

/// A page of a feed: numbers of parcours, and how many there are on all pages.
pub async fn parcours(
    db: &impl Connection,
    feed: &ParcoursFeed,
    (offset, limit): (u64, u64),
) -> Result<(Vec<ParcoursId>, u64), StoreError> {
    let feed = &boxed(db, feed).await?;
    let added = added_parcours(db, feed.white_label).await?;
    let (ids, total) =
        page(db, |after| feed.rows(db, &added, after), &feed.values(db.dialect()), (offset, limit)).await?;
    Ok((ids.into_iter().map(ParcoursId).collect(), total))
}

/// Parcours of a feed past a number: at most `limit`, and how many the feed has in all.
pub async fn parcours_past(
    db: &impl Connection,
    feed: &ParcoursFeed,
    (after, limit): (i64, u64),
) -> Result<(Vec<ParcoursId>, u64), StoreError> {
    let feed = &boxed(db, feed).await?;
    let added = added_parcours(db, feed.white_label).await?;
    let (ids, total) =
        past(db, |after| feed.rows(db, &added, after), &feed.values(db.dialect()), (after, limit)).await?;
    Ok((ids.into_iter().map(ParcoursId).collect(), total))
}

/// A page of a feed with the favoured ones first, those of the highest display priority before the others, each rank in the order of numbers.
pub async fn parcours_favoured_first(
    db: &impl Connection,
    feed: &ParcoursFeed,
    (offset, limit): (u64, u64),
) -> Result<(Vec<ParcoursId>, u64), StoreError> {
    let feed = boxed(db, feed).await?;
    let added = added_parcours(db, feed.white_label).await?;
    let values = feed.values(db.dialect());
    let favoured = ParcoursFeed { favoured: Some(true), ..feed.clone() };
    let total = count(db, &feed.rows(db, &added, 0), &values).await?;
    let ahead = count(db, &favoured.rows(db, &added, 0), &values).await?;
    let mut ids: Vec<i64> = Vec::new();
    if offset < ahead {
        let rows = favoured.columns("p.id, p.priority", db, &added, 0);
        let sql = format!("{rows} ORDER BY priority DESC, id LIMIT {limit} OFFSET {offset}");
        ids = all(db, &sql, values.clone()).await?.iter().map(|row| get(row, 0)).collect::<Result<_, _>>()?;
    }
    let left = limit.saturating_sub(ids.len() as u64);
    if left > 0 {
        let others = ParcoursFeed { favoured: Some(false), ..feed };
        let part = (offset.saturating_sub(ahead), left);
        ids.extend(numbers_of_page(db, |after| others.rows(db, &added, after), &values, part).await?);
    }
    Ok((ids.into_iter().map(ParcoursId).collect(), total))
}

/// How many parcours a feed has, the sum of their numbers, and when the last one of them was saved: this identifies a state of the feed.
pub async fn parcours_state(db: &impl Connection, feed: &ParcoursFeed) -> Result<[i64; 3], StoreError> {
    let feed = boxed(db, feed).await?;
    let rows = feed.columns("p.id, p.updated_at", db, &added_parcours(db, feed.white_label).await?, 0);
    let sql = format!("SELECT COUNT(*), CAST(SUM(p.id) AS BIGINT), MAX(p.updated_at) FROM ({rows}) p");
    remembered(db, &sql, feed.values(db.dialect())).await
}

/// The state of what feeds contain and no save of a parcours changes: closures, reviews and reports, decisions on children.
pub async fn attached_state(db: &impl Connection) -> Result<[i64; 5], StoreError> {
    let sql = "SELECT c.total, c.saved, f.changed, d.total, d.decided
        FROM (SELECT COUNT(*) AS total, MAX(updated_at) AS saved FROM closure) c,
          (SELECT MAX(changed_at) AS changed FROM parcours_feedback) f,
          (SELECT COUNT(*) AS total, MAX(decided_at) AS decided FROM parcours_child_decision) d";
    remembered(db, sql, Vec::new()).await
}

/// Seconds by which two consecutive requests for changes overlap: more than a transaction takes from the time it records to its commit, and
/// more than the clocks of two servers differ.
pub const CHANGES_OVERLAP_S: i64 = 300;

/// Parcours that were, or may have been, in a feed before `since` and no longer are: deleted, unpublished, or no longer fit for it.
/// Those made up to the question that gave `since` may have been in it.
pub async fn parcours_gone(
    db: &impl Connection,
    feed: &ParcoursFeed,
    since: Instant,
) -> Result<Vec<ParcoursId>, StoreError> {
    let feed = ParcoursFeed { updated_after: None, ids: None, bbox: None, search: None, ..feed.clone() };
    let rows = feed.rows(db, &added_parcours(db, feed.white_label).await?, 0);
    let (own, at, asked_at) = (feed.white_label, since.0, since.plus_s(CHANGES_OVERLAP_S).0);
    let sql = format!(
        "SELECT parcours_id FROM parcours_deleted WHERE white_label_id = {own} AND deleted_at > {at}
        UNION SELECT parcours_id FROM parcours_deleted_elsewhere
        WHERE white_label_id = {own} AND deleted_at > {at} AND parcours_id NOT IN ({rows})
        UNION SELECT p.id FROM parcours p WHERE {} AND p.created_at <= {asked_at} AND p.id NOT IN ({rows})
        AND (p.white_label_id = {own} OR p.id IN (SELECT parcours_id FROM parcours_white_label WHERE white_label_id = {own}))
        ORDER BY 1",
        changed_after(since)
    );
    all(db, &sql, []).await?.iter().map(|row| get(row, 0).map(ParcoursId)).collect()
}

/// The lines in use of parcours; those without a trace are left out.
pub async fn lines(db: &impl Connection, ids: &[ParcoursId]) -> Result<HashMap<i64, Vec<Position>>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let list = NumberList::of(db, &ids);
    let guided = format!("p.reliability_state = {} AND t.planned_line IS NOT NULL", state_code(ReliabilityState::Ok));
    let sql = format!(
        "SELECT p.id, CASE WHEN {guided} THEN t.planned_line END, CASE WHEN {guided} THEN NULL ELSE t.legs END
        FROM parcours p JOIN parcours_trace t ON t.parcours_id = p.id AND t.revision = p.trace_revision WHERE {}",
        list.has("p.id", 1)
    );
    let mut found = HashMap::with_capacity(ids.len());
    for row in all(db, &sql, list.value()).await? {
        let (id, planned, legs): (i64, Option<String>, Option<String>) = (get(&row, 0)?, get(&row, 1)?, get(&row, 2)?);
        let line = match (planned, legs) {
            (Some(line), _) => json("parcours_trace", id, &line)?,
            (None, Some(legs)) => joined(&json::<Vec<Leg>>("parcours_trace", id, &legs)?),
            (None, None) => continue,
        };
        found.insert(id, line);
    }
    Ok(found)
}

/// The planner's instructions of parcours that a walker may be guided along; the others are left out.
pub async fn instructions(
    db: &impl Connection,
    ids: &[ParcoursId],
) -> Result<HashMap<i64, serde_json::Value>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let list = NumberList::of(db, &ids);
    let sql = format!(
        "SELECT p.id, t.extra FROM parcours p JOIN parcours_trace t ON t.parcours_id = p.id AND t.revision = p.trace_revision
        WHERE {} AND p.reliability_state = {}",
        list.has("p.id", 1),
        state_code(ReliabilityState::Ok)
    );
    let one = |row| {
        let id: i64 = get(row, 0)?;
        let extra: TraceExtra = json("parcours_trace", id, &get::<String>(row, 1)?)?;
        Ok((id, extra.instructions))
    };
    all(db, &sql, list.value()).await?.iter().map(one).collect()
}

/// The published children that published parcours show under themselves, in that order.
pub async fn families(db: &impl Connection, parents: &[i64]) -> Result<HashMap<i64, Vec<i64>>, StoreError> {
    let mut found: HashMap<i64, Vec<i64>> = HashMap::new();
    if parents.is_empty() {
        return Ok(found);
    }
    let list = NumberList::of(db, parents);
    let sql = format!(
        "SELECT p.parent_id, p.id FROM parcours p JOIN parcours q ON q.id = p.parent_id
        WHERE {} AND p.published = 1 AND q.published = 1 AND p.relation IN ({}, {}) AND {} ORDER BY p.title_sort, p.id",
        list.has("p.parent_id", 1),
        relation_code(Relation::Child),
        relation_code(Relation::ChildOnly),
        stands_under("p", "q")
    );
    for row in all(db, &sql, list.value()).await? {
        found.entry(get(&row, 0)?).or_default().push(get(&row, 1)?);
    }
    Ok(found)
}

/// The origin of an imported record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The source's identifier of it.
    pub item: String,
    /// The name of its source.
    pub source: String,
    /// The licence its source gives it under, where it is known.
    pub licence: Option<String>,
    /// Values of the source that no field holds.
    pub said: BTreeMap<String, String>,
}

/// The origins of those of these parcours that were imported.
pub async fn origins(db: &impl Connection, ids: &[ParcoursId]) -> Result<HashMap<i64, Origin>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let list = NumberList::of(db, &ids);
    let sql = format!(
        "SELECT parcours_id, item, source_id, said FROM import_item WHERE {} ORDER BY source_id DESC",
        list.has("parcours_id", 1)
    );
    let rows = all(db, &sql, list.value()).await?;
    let sources: Vec<i64> = rows.iter().map(|row| get(row, "source_id")).collect::<Result<_, _>>()?;
    let sources = load_many::<ImportSources>(db, &sources).await?;
    let names: HashMap<i64, String> = sources.into_iter().map(|one| (one.id, one.sheet.name)).collect();
    let mut found = HashMap::new();
    for row in rows {
        let (id, source, said): (i64, i64, Option<String>) =
            (get(&row, "parcours_id")?, get(&row, "source_id")?, get(&row, "said")?);
        let said = said.map(|said| json("import_item", id, &said)).transpose()?.unwrap_or_default();
        let source = names.get(&source).cloned().unwrap_or_default();
        found.insert(id, Origin { item: get(&row, "item")?, source, licence: None, said });
    }
    Ok(found)
}

/// The same of POIs: the record that each follows.
pub async fn poi_origins(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, Origin>, StoreError> {
    let list = NumberList::of(db, ids);
    let sql = format!("SELECT poi_id, item, source_id FROM sit_record WHERE {}", list.has("poi_id", 1));
    let rows = all(db, &sql, list.value()).await?;
    let sources: Vec<i64> = rows.iter().map(|row| get(row, 2)).collect::<Result<_, _>>()?;
    let sources = load_many::<SitSources>(db, &sources).await?;
    let sources: HashMap<i64, SitSourceSheet> = sources.into_iter().map(|one| (one.id, one.sheet)).collect();
    let mut found = HashMap::new();
    for row in rows {
        let (id, source): (i64, i64) = (get(&row, 0)?, get(&row, 2)?);
        let source = sources.get(&source);
        let licence = source.and_then(SitSourceSheet::shown_licence).map(str::to_owned);
        let source = source.map(|source| source.name.clone()).unwrap_or_default();
        found.insert(id, Origin { item: get(&row, 1)?, source, licence, said: BTreeMap::new() });
    }
    Ok(found)
}

/// The parcours, of these, that a closure touches, also a past one.
pub async fn touched_by_closures(db: &impl Connection, ids: &[ParcoursId]) -> Result<Vec<ParcoursId>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let list = NumberList::of(db, &ids);
    let sql = format!("SELECT DISTINCT parcours_id FROM parcours_closure WHERE {}", list.has("parcours_id", 1));
    all(db, &sql, list.value()).await?.iter().map(|row| get(row, 0).map(ParcoursId)).collect()
}

/// The filters of a feed of POIs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PoiFeed {
    /// The white-label that reads: what it owns, and what it added and shows.
    pub white_label: i64,
    /// White-labels whose POIs are in no feed of others.
    pub unlisted: Vec<i64>,
    /// In one of these categories, or of one of these themes; each list is a separate condition.
    pub terms: Vec<Vec<i64>>,
    /// Only those of one of these white-labels.
    pub owners: Option<Vec<i64>>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
    /// Inside west, south, east, north.
    pub bbox: Option<[f64; 4]>,
    /// Saved after this.
    pub updated_after: Option<Instant>,
    /// Good addresses only, or all others.
    pub good_address: Option<bool>,
    /// Only those whose name has these words.
    pub search: Option<String>,
}

impl PoiFeed {
    /// The condition on the row `n`, of any owner. The corners of the box are the first values of the statement.
    fn condition(&self, after: i64) -> String {
        let kind = Kind::Poi.code();
        let mut all = vec!["n.published = TRUE AND n.distribute = TRUE".to_owned()];
        if !self.unlisted.is_empty() {
            all.push(format!("n.white_label_id NOT IN {}", numbers(&self.unlisted)));
        }
        all.extend(self.terms.iter().map(|ids| {
            format!(
                "EXISTS (SELECT 1 FROM record_link k WHERE k.from_kind = {kind} AND k.from_id = n.id AND k.to_kind = {} AND k.to_id IN {})",
                Kind::Vocabulary.code(),
                numbers(ids)
            )
        }));
        all.extend(self.owners.as_ref().map(|ids| format!("n.white_label_id IN {}", numbers(ids))));
        all.extend(self.ids.as_ref().map(|ids| format!("n.id IN {}", numbers(ids))));
        all.extend(self.updated_after.map(|after| format!("n.updated_at > {}", after.0)));
        all.extend(self.good_address.map(|good| if good { "n.good_address" } else { "NOT n.good_address" }.to_owned()));
        // Folded words are letters and digits: nothing in them needs escaping.
        let words = self.search.as_deref().map(fold).unwrap_or_default();
        all.extend(words.split_whitespace().map(|word| format!("n.sort_title LIKE '%{word}%'")));
        all.extend((after > 0).then(|| format!("n.id > {after}")));
        if self.bbox.is_some() {
            all.push("n.lon >= $1 AND n.lat >= $2 AND n.lon <= $3 AND n.lat <= $4".to_owned());
        }
        all.join(" AND ")
    }

    /// As for parcours: its own, then what it added, past a number.
    fn rows(&self, added: &[i64], after: i64) -> String {
        self.columns("n.id", added, after)
    }

    /// Columns of the same rows.
    fn columns(&self, columns: &str, added: &[i64], after: i64) -> String {
        let (me, condition) = (self.white_label, self.condition(after));
        let own = format!("SELECT {columns} FROM poi n WHERE n.white_label_id = {me} AND {condition}");
        if added.is_empty() {
            return own;
        }
        let others = format!(
            "SELECT {columns} FROM poi n WHERE n.id IN {} AND n.white_label_id <> {me} AND {condition}",
            numbers(added)
        );
        format!("SELECT {columns} FROM ({own} UNION ALL {others}) n")
    }

    fn values(&self) -> Vec<Value> {
        self.bbox.into_iter().flatten().map(Value::from).collect()
    }
}

/// What a white-label added of others' POIs and shows.
async fn added_pois(db: &impl Connection, white_label: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT record_id FROM record_white_label WHERE white_label_id = $1 AND kind = $2 AND published = TRUE ORDER BY record_id";
    all(db, sql, [white_label.into(), Kind::Poi.code().into()]).await?.iter().map(|row| get(row, 0)).collect()
}

/// A page of a feed: numbers of POIs, and how many there are on all pages.
pub async fn pois(
    db: &impl Connection,
    feed: &PoiFeed,
    (offset, limit): (u64, u64),
) -> Result<(Vec<i64>, u64), StoreError> {
    let added = added_pois(db, feed.white_label).await?;
    page(db, |after| feed.rows(&added, after), &feed.values(), (offset, limit)).await
}

/// POIs of a feed past a number: at most `limit`, and how many the feed has in all.
pub async fn pois_past(
    db: &impl Connection,
    feed: &PoiFeed,
    (after, limit): (i64, u64),
) -> Result<(Vec<i64>, u64), StoreError> {
    let added = added_pois(db, feed.white_label).await?;
    past(db, |after| feed.rows(&added, after), &feed.values(), (after, limit)).await
}

/// Published parcours with a page of their own that name a published POI, each with its white-label, in the order of their numbers.
pub async fn naming_poi(
    db: &impl Connection,
    poi: i64,
    limit: u64,
) -> Result<Vec<(ParcoursId, WhiteLabelId)>, StoreError> {
    let sql = format!(
        "SELECT p.id, p.white_label_id FROM parcours_link l JOIN parcours p ON p.id = l.parcours_id
        WHERE l.kind = {} AND l.target_id = $1 AND p.published = 1 AND p.relation IN ({}, {})
        AND EXISTS (SELECT 1 FROM poi n WHERE n.id = $1 AND n.published = TRUE) ORDER BY l.parcours_id LIMIT {limit}",
        LinkKind::Poi as i16,
        relation_code(Relation::None),
        relation_code(Relation::Child)
    );
    let one = |row| Ok((ParcoursId(get(row, "id")?), WhiteLabelId(get(row, "white_label_id")?)));
    all(db, &sql, [poi.into()]).await?.iter().map(one).collect()
}

/// How many POIs a feed has, and when the last one of them was saved.
pub async fn pois_state(db: &impl Connection, feed: &PoiFeed) -> Result<[i64; 3], StoreError> {
    let rows = feed.columns("n.id, n.updated_at", &added_pois(db, feed.white_label).await?, 0);
    let sql = format!("SELECT COUNT(*), CAST(SUM(n.id) AS BIGINT), MAX(n.updated_at) FROM ({rows}) n");
    remembered(db, &sql, feed.values()).await
}

/// The white-labels whose content a feed may hold: its own, and those it added something of.
pub async fn owners(db: &impl Connection, white_label: i64) -> Result<Vec<i64>, StoreError> {
    let sql = format!(
        "SELECT {white_label} AS id UNION SELECT p.white_label_id FROM parcours_white_label l JOIN parcours p ON p.id = l.parcours_id
        WHERE l.white_label_id = {white_label} AND l.published = 1
        UNION SELECT n.white_label_id FROM record_white_label l JOIN poi n ON n.id = l.record_id
        WHERE l.white_label_id = {white_label} AND l.kind = {} AND l.published = TRUE ORDER BY 1",
        Kind::Poi.code()
    );
    all(db, &sql, []).await?.iter().map(|row| get(row, 0)).collect()
}

/// A state of the reference lists, the white-labels and the structures: another one after each save, addition or deletion of one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferenceState([i64; 12]);

/// The state of the reference lists, the white-labels and the structures. It is asked in place of reading them all again.
pub async fn reference_state(db: &impl Connection) -> Result<ReferenceState, StoreError> {
    let columns = ["v", "w", "s"].map(|row| format!("{row}.total, {row}.versions, {row}.last, {row}.saved"));
    let sql = format!(
        "SELECT {} FROM {} v, {} w, {} s",
        columns.join(", "),
        state_of("vocabulary"),
        state_of("white_label"),
        state_of("structure")
    );
    numbers_of(db, &sql, Vec::new()).await.map(ReferenceState)
}

/// The same of the itineraries, which open data do not contain.
pub async fn itinerary_state(db: &impl Connection) -> Result<[i64; 4], StoreError> {
    let sql = format!("SELECT i.total, i.versions, i.last, i.saved FROM {} i", state_of("itinerary"));
    numbers_of(db, &sql, Vec::new()).await
}

/// The state of a table. A save raises a version, so that the sum grows; a new row has a new number; an old row that is gone is one row
/// less.
fn state_of(table: &str) -> String {
    format!(
        "(SELECT COUNT(*) AS total, CAST(SUM(version) AS BIGINT) AS versions, MAX(id) AS last, MAX(updated_at) AS saved FROM {table})"
    )
}

/// The offset and the limit of a page: pages of a feed may be longer than those of a screen.
pub const fn part(page: u64, per_page: u64) -> (u64, u64) {
    ((page.saturating_sub(1)).saturating_mul(per_page), per_page)
}

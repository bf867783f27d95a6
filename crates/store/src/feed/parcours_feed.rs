//! The parcours of a feed: their filters, their pages, and what changed among them.

use domain::parcours::Relation;
use domain::{Instant, ParcoursId};
use sea_orm::Value;

use super::paging::{count, numbers_of_page, page, past};
use crate::parcours::{decided_after, has_words, question, relation_code, stands_under, was_published};
use crate::parcours_link::LinkKind;
use crate::parcours_trace::{BoxPlan, is_in_box, is_small_box};
use crate::sql::{all, get, numbers, remembered};
use crate::{Connection, Dialect, StoreError, feedback};

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
        let changed = |after| format!("p.id IN ({} UNION {})", changed_after(after), families_after(after));
        all.extend(self.updated_after.map(changed));
        all.extend((after > 0).then(|| format!("p.id > {after}")));
        if self.bbox.is_some() {
            let plan = match (db.dialect(), self.question(db.dialect())) {
                // Without words PostgreSQL joins what is in the box with the rows of the white-label, in the order that reads fewer.
                (Dialect::Postgres, None) => BoxPlan::Walk,
                (Dialect::Postgres, Some(_)) if !self.is_small_box => BoxPlan::TestEach,
                (Dialect::Sqlite, _) | (Dialect::Postgres, Some(_)) => BoxPlan::FindFirst,
            };
            all.push(is_in_box(db.dialect(), ["$1", "$2", "$3", "$4"], plan));
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

/// The numbers of the parcours that were saved after an instant, whose reviews or reports changed, that a white-label added, on which a closure was
/// saved, whose parent was saved (it may be withdrawn), or of which a child was accepted or refused. One list, not several joined by OR, for
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
    format!("{saved} UNION {children} UNION {feedback} UNION {closures} UNION {decided}")
}

/// The numbers of the parents of what was saved after an instant, and of the children that are before or after it under the same
/// parent: parents name their children, and children their neighbours. A parent that a child left, or of which a child was added to a
/// white-label or taken away, is noted in `parcours_feedback`.
fn families_after(after: Instant) -> String {
    let decided = decided_after(after);
    let after = after.0;
    let parents = format!("SELECT parent_id FROM parcours WHERE updated_at > {after} AND parent_id IS NOT NULL");
    let feedback = format!("SELECT parcours_id FROM parcours_feedback WHERE changed_at > {after}");
    format!("{parents} UNION SELECT id FROM parcours WHERE parent_id IN ({parents} UNION {feedback} UNION {decided})")
}

/// The same feed, after counting the parcours in its box where words are asked for too: only then the number matters, and to PostgreSQL alone.
async fn boxed(db: &impl Connection, feed: &ParcoursFeed) -> Result<ParcoursFeed, StoreError> {
    let box_with_words = feed.bbox.filter(|_| feed.search.is_some() && db.dialect() == Dialect::Postgres);
    Ok(ParcoursFeed { is_small_box: is_small_box(db, box_with_words).await?, ..feed.clone() })
}

/// What a white-label added of others' parcours and shows.
async fn added_parcours(db: &impl Connection, white_label: i64) -> Result<Vec<i64>, StoreError> {
    let sql =
        "SELECT parcours_id FROM parcours_white_label WHERE white_label_id = $1 AND published = 1 ORDER BY parcours_id";
    all(db, sql, [white_label.into()]).await?.iter().map(|row| get(row, 0)).collect()
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

/// Seconds by which two consecutive requests for changes overlap: more than a transaction takes from the time it records to its commit, and
/// more than the clocks of two servers differ.
pub const CHANGES_OVERLAP_S: i64 = 300;

/// Parcours that were, or may have been, in a feed before `since` and no longer are: deleted, unpublished, no longer fit for it, or taken away
/// from the white-label. Those made up to the question that gave `since` may have been in it, unless they were never published.
pub async fn parcours_gone(
    db: &impl Connection,
    feed: &ParcoursFeed,
    since: Instant,
) -> Result<Vec<ParcoursId>, StoreError> {
    // A stage that is shown under its parent alone is handed out with it and by its number.
    let feed =
        ParcoursFeed { updated_after: None, ids: None, bbox: None, search: None, under_parents: true, ..feed.clone() };
    let rows = feed.rows(db, &added_parcours(db, feed.white_label).await?, 0);
    let (own, at, asked_at) = (feed.white_label, since.0, since.plus_s(CHANGES_OVERLAP_S).0);
    let sql = format!(
        "SELECT parcours_id FROM parcours_deleted WHERE white_label_id = {own} AND deleted_at > {at}
        UNION SELECT parcours_id FROM parcours_deleted_elsewhere
        WHERE white_label_id = {own} AND deleted_at > {at} AND parcours_id NOT IN ({rows})
        UNION SELECT p.id FROM parcours p WHERE p.id IN ({}) AND p.created_at <= {asked_at} AND p.id NOT IN ({rows})
        AND {} AND (p.white_label_id = {own} OR p.id IN (SELECT parcours_id FROM parcours_white_label WHERE white_label_id = {own}))
        ORDER BY 1",
        changed_after(since),
        was_published("p")
    );
    all(db, &sql, []).await?.iter().map(|row| get(row, 0).map(ParcoursId)).collect()
}

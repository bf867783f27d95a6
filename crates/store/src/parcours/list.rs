//! A page of the list, its counts, and the rows by number.

use domain::parcours::ReliabilityState;
use domain::parcours::passport::Lacks;
use domain::{Actor, Instant, ParcoursId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use super::dialect::{ids_with_words, is_tested, rows_with_words};
use super::facets::{Question, hidden_facets, owned};
use super::filter::{Filter, ProgressFilter, Sort, SortKey, WordPlan, owner_clause};
use super::narrow::{network_number, state_of};
use super::spread::{is_common, spread, tested_question, widened};
use crate::parcours_counts::{Counted, ListCounts, Spread};
use crate::parcours_trace::{BoxPlan, rows_in_box};
use crate::record::{Conditions, MAX_COUNT};
use crate::sql::{NumberList, all, flag, get, one};
use crate::{Connection, Dialect, OwnerFilter, Page, StoreError};

/// A row of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedRow {
    /// Identifier.
    pub id: ParcoursId,
    /// The white-label that owns it: number and name.
    pub white_label: (WhiteLabelId, String),
    /// Number of its last save.
    pub version: i64,
    /// The owner's switch.
    pub published: bool,
    /// The switch of the active white-label, where it added it.
    pub published_on_mine: Option<bool>,
    pub updated_at: Instant,
    /// Whether its reliability is of today's network.
    pub reliability_state: ReliabilityState,
    /// How many have it as parent.
    pub children: i64,
    /// JSON object of its card.
    pub card: String,
    /// What it lacks.
    pub lacks: Lacks,
}

/// A page of parcours.
#[derive(Debug, Clone, PartialEq)]
pub struct ParcoursPage {
    pub items: Vec<ListedRow>,
    /// How many in all, at most 10,000.
    pub total: i64,
    /// Whether there are more than `total`.
    pub total_capped: bool,
    pub counts: ListCounts,
}

/// Counts for the tabs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ViewCounts {
    /// All of the list.
    pub all: i64,
    /// With something still to fill in.
    pub incomplete: i64,
    /// Scored below 95.
    pub low_reliability: i64,
}

/// A page of the list. `network` is the checksum of today's network.
pub async fn list(
    db: &impl Connection,
    actor: &Actor,
    filter: &Filter,
    sort: Sort,
    page: Page,
    network: Option<&str>,
) -> Result<ParcoursPage, StoreError> {
    let filter = &widened(db, actor, filter).await?;
    let faceted = filter.faceted(db.dialect());
    let Counted { counts, spread } = counted(db, actor, filter, faceted.as_ref()).await?;
    let everywhere = if faceted.is_some() && counts.mine + counts.shared > MAX_COUNT {
        tested_question(db, filter, spread).await?
    } else {
        None
    };
    let walked = spread.is_some_and(|spread| spread.is_walked(page));
    let shown = shown(counts, filter.owner);
    let reading = Reading { everywhere: everywhere.as_deref(), walked, few: shown <= MAX_ROWS_BY_NUMBER };
    let items = match shown {
        0 => Vec::new(),
        // What is beyond the total that a list says is not walked to.
        _ if page.is_beyond(MAX_COUNT) => Vec::new(),
        _ => page_rows(db, actor, filter, sort, page, reading, network).await?,
    };
    Ok(ParcoursPage { items, total: shown.min(MAX_COUNT), total_capped: shown > MAX_COUNT, counts })
}

/// How many of the counted rows belong to a list.
const fn shown(counts: ListCounts, owner: OwnerFilter) -> i64 {
    match owner {
        OwnerFilter::All => counts.mine + counts.shared,
        OwnerFilter::Mine => counts.mine,
        OwnerFilter::Shared => counts.shared,
    }
}

/// Up to this many rows PostgreSQL looks up one by one, by the numbers that the index of words gives.
const MAX_ROWS_BY_NUMBER: i64 = 1_000;

/// The counts of a list, without its rows.
pub async fn counts(db: &impl Connection, actor: &Actor, filter: &Filter) -> Result<ListCounts, StoreError> {
    let filter = &widened(db, actor, filter).await?;
    let faceted = filter.faceted(db.dialect());
    Ok(counted(db, actor, filter, faceted.as_ref()).await?.counts)
}

async fn counted(
    db: &impl Connection,
    actor: &Actor,
    filter: &Filter,
    faceted: Option<&Question>,
) -> Result<Counted, StoreError> {
    let Some(totals) = db.totals() else { return count(db, actor, filter, faceted).await };
    let question = format!("{} {filter:?}", actor.active_white_label_id);
    if let Some(known) = totals.memo.get(&question, totals.writes) {
        return Ok(known);
    }
    let found = count(db, actor, filter, faceted).await?;
    totals.memo.put(question, totals.writes, found);
    Ok(found)
}

async fn count(
    db: &impl Connection,
    actor: &Actor,
    filter: &Filter,
    faceted: Option<&Question>,
) -> Result<Counted, StoreError> {
    let spread = spread(db, filter, faceted.is_some()).await?;
    let counts = match faceted {
        Some(question) if !spread.is_some_and(Spread::is_counted_by_rows) => {
            counts_by_words(db, actor, filter, question).await?
        }
        None if filter.search.is_none() && !filter.narrows() => counts_by_index(db, actor, filter).await?,
        None if filter.is_published_alone() => counts_one_by_one(db, actor, filter).await?,
        _ => counts_by_rows(db, actor, filter).await?,
    };
    Ok(Counted { counts, spread })
}

fn filtered(db: &impl Connection, actor: &Actor, filter: &Filter, plan: WordPlan<'_>) -> Conditions {
    let mut found = filter.conditions(db.dialect(), plan, filter.box_of_page());
    found.and(filter.owner_clause(db.dialect(), actor));
    if let Some(progress) = filter.progress_clause() {
        found.and(progress);
    }
    found
}

/// What counts read from: the words' index first where words are asked for, the boxes first where they are walked.
fn counted_from(db: &impl Connection, filter: &Filter, in_box: BoxPlan) -> &'static str {
    match in_box {
        _ if filter.question(db.dialect()).is_some() => rows_with_words(db.dialect()),
        BoxPlan::Walk => rows_in_box(db.dialect()),
        _ if filter.rare_facts.is_some() && db.dialect() == Dialect::Sqlite => "parcours p NOT INDEXED",
        BoxPlan::FindFirst | BoxPlan::TestEach => "parcours p",
    }
}

async fn page_rows(
    db: &impl Connection,
    actor: &Actor,
    filter: &Filter,
    sort: Sort,
    page: Page,
    reading: Reading<'_>,
    network: Option<&str>,
) -> Result<Vec<ListedRow>, StoreError> {
    let ordered = sort.index(&filter.progress);
    let walk = ordered.filter(|_| reading.walked);
    // Testing each is for a walk that ends soon; SQLite without an index of the order would test them all.
    let everywhere = reading.everywhere.filter(|_| ordered.is_some() || db.dialect() == Dialect::Postgres);
    let narrowed = filter
        .faceted(db.dialect())
        .map(|question| owned(question, filter.owner, actor).and_any(&filter.progress_facets()).text());
    let question = narrowed.clone().or_else(|| filter.question(db.dialect()));
    let few = question.as_deref().filter(|_| reading.few && db.dialect() == Dialect::Postgres);
    let plan = match (everywhere, walk, few, narrowed.as_deref()) {
        (Some(question), ..) => WordPlan::TestEach(question),
        (None, Some(_), ..) => WordPlan::WalkAmong,
        (None, None, Some(question), _) => WordPlan::FindFew(question),
        (None, None, None, Some(question)) => WordPlan::FindThese(question),
        (None, None, None, None) => WordPlan::FindAll,
    };
    let found = filtered(db, actor, filter, plan);
    let by = match plan {
        WordPlan::WalkAmong => walk,
        WordPlan::TestEach(_) => ordered,
        _ => None,
    };
    let by = match by {
        // Few are found by their facts: they are looked up by their numbers.
        _ if filter.rare_facts.is_some() => Some("NOT INDEXED".to_owned()),
        by => by.map(|index| format!("INDEXED BY {index}")),
    };
    let by = by.filter(|_| db.dialect() == Dialect::Sqlite);
    // The page is chosen on narrow rows and indexes alone; what is wide is fetched for its 25.
    let chosen = format!(
        "SELECT p.id FROM parcours p {} {} {} LIMIT {} OFFSET {}",
        by.unwrap_or_default(),
        found.sql(),
        sort.order("p"),
        page.per_page(),
        page.offset()
    );
    let sql = format!("{} JOIN ({chosen}) q ON q.id = p.id {}", wide(actor), sort.order("p"));
    let today = network.map(network_number);
    all(db, &sql, found.values).await?.iter().map(|row| listed(row, today)).collect()
}

/// The way in which the rows of a search are found.
#[derive(Debug, Clone, Copy)]
struct Reading<'a> {
    /// Nearly all have the words: the question to test one row after another for.
    everywhere: Option<&'a str>,
    /// Many have them: rows are walked in order, among those found.
    walked: bool,
    /// Few rows are listed.
    few: bool,
}

/// Rows by number, in no order, of those the person may see.
pub async fn rows(
    db: &impl Connection,
    actor: &Actor,
    ids: &[ParcoursId],
    network: Option<&str>,
) -> Result<Vec<ListedRow>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let list = NumberList::of(db, &ids);
    let sql = format!("{} WHERE {} AND {}", wide(actor), list.has("p.id", 1), super::detail::visible_to(actor));
    let today = network.map(network_number);
    all(db, &sql, list.value()).await?.iter().map(|row| listed(row, today)).collect()
}

fn wide(actor: &Actor) -> String {
    format!(
        "SELECT p.id, p.white_label_id, w.name AS white_label_name, p.version, p.published, l.published AS published_on_mine, p.updated_at,
        p.reliability_state, p.network, (SELECT COUNT(*) FROM parcours c WHERE c.parent_id = p.id) AS children, k.card, p.lack_bits
        FROM parcours p JOIN parcours_card k ON k.parcours_id = p.id JOIN white_label w ON w.id = p.white_label_id
        LEFT JOIN parcours_white_label l ON l.parcours_id = p.id AND l.white_label_id = {}",
        actor.active_white_label_id
    )
}

fn listed(row: &QueryResult, today: Option<i64>) -> Result<ListedRow, StoreError> {
    Ok(ListedRow {
        id: ParcoursId(get(row, "id")?),
        white_label: (WhiteLabelId(get(row, "white_label_id")?), get(row, "white_label_name")?),
        version: get(row, "version")?,
        published: flag(row, "published")?,
        published_on_mine: get::<Option<i16>>(row, "published_on_mine")?.map(|on| on != 0),
        updated_at: Instant(get(row, "updated_at")?),
        reliability_state: state_of(get(row, "reliability_state")?, get(row, "network")?, today),
        children: get(row, "children")?,
        card: get(row, "card")?,
        lacks: Lacks(get(row, "lack_bits")?),
    })
}

/// All counts by the words' index. Of words that most parcours have, PostgreSQL tests the rows of few instead: its index would collect millions of
/// entries for each begun word before a rare fact narrows them.
async fn counts_by_words(
    db: &impl Connection,
    actor: &Actor,
    filter: &Filter,
    question: &Question,
) -> Result<ListCounts, StoreError> {
    let is_common = is_common(db, question.clone().text()).await?;
    let counted = |rows: String| format!("(SELECT COUNT(*) FROM ({rows} LIMIT {}) c)", MAX_COUNT + 1);
    let by_index = |at: usize| counted(ids_with_words(db.dialect(), &format!("${at}")));
    let among = |at: usize, rows: String| {
        if is_common {
            counted(format!("SELECT 1 FROM parcours p WHERE {rows} AND {}", is_tested(&format!("${at}"))))
        } else {
            by_index(at)
        }
    };
    let (active, listed) = (actor.active_white_label_id, filter.progress_facets());
    let mut asked = vec![
        owned(question.clone(), OwnerFilter::Mine, actor).and_any(&listed).text(),
        owned(question.clone(), OwnerFilter::Shared, actor).and_any(&listed).text(),
    ];
    if filter.progress == ProgressFilter::None {
        asked.push(owned(question.clone(), filter.owner, actor).and_any(&hidden_facets()).text());
    }
    let mine = among(1, owner_clause(db.dialect(), OwnerFilter::Mine, active));
    let hidden = if asked.len() == 3 { among(3, "p.progress > 0".to_owned()) } else { "CAST(0 AS BIGINT)".to_owned() };
    let sql = format!("SELECT {mine}, {}, {hidden}", by_index(2));
    three(db, &sql, asked.into_iter().map(Into::into).collect()).await
}

/// All counts in one reading of what the filter leaves: best when a filter leaves little. When it leaves more than [`MAX_COUNT`], each count has a
/// reading of its own, since the first rows may all be of one kind.
async fn counts_by_rows(db: &impl Connection, actor: &Actor, filter: &Filter) -> Result<ListCounts, StoreError> {
    let in_box = filter.box_of_count(db.dialect());
    let mut found = filter.conditions(db.dialect(), WordPlan::Joined, in_box);
    found.and(owner_clause(db.dialect(), OwnerFilter::All, actor.active_white_label_id));
    if let ProgressFilter::These(_) = filter.progress {
        found.and(filter.progress_clause().unwrap_or_default());
    }
    let (mine, owned) = (format!("w = {}", actor.active_white_label_id), owned_case(filter.owner, actor));
    let listed = if filter.progress == ProgressFilter::None { "g = 0" } else { "1 = 1" };
    let hidden = if filter.progress == ProgressFilter::None { "g <> 0" } else { "1 = 0" };
    let sql = format!(
        "SELECT COUNT(*) FILTER (WHERE {listed} AND {mine}), COUNT(*) FILTER (WHERE {listed} AND NOT {mine}), COUNT(*) FILTER (WHERE {hidden} AND {owned}), COUNT(*) AS found
        FROM (SELECT p.white_label_id AS w, p.progress AS g FROM {} {} LIMIT {}) c",
        counted_from(db, filter, in_box),
        found.sql(),
        MAX_COUNT + 1
    );
    let Some(row) = one(db, &sql, found.values).await? else { return Ok(ListCounts::default()) };
    if get::<i64>(&row, "found")? > MAX_COUNT { counts_one_by_one(db, actor, filter).await } else { list_counts(&row) }
}

/// The same counts, each read for itself and up to [`MAX_COUNT`] and one more.
async fn counts_one_by_one(db: &impl Connection, actor: &Actor, filter: &Filter) -> Result<ListCounts, StoreError> {
    let dialect = db.dialect();
    let counted = |in_box: BoxPlan, owner: OwnerFilter, progress: Option<String>| {
        let mut rows = filter.conditions(dialect, WordPlan::Joined, in_box);
        rows.and(owner_clause(dialect, owner, actor.active_white_label_id));
        if let Some(progress) = progress {
            rows.and(progress);
        }
        let from = counted_from(db, filter, in_box);
        format!("(SELECT COUNT(*) FROM (SELECT 1 FROM {from} {} LIMIT {}) c)", rows.sql(), MAX_COUNT + 1)
    };
    // What is the white-label's own, or has a progress status, is found without the box, and may be a small part of it.
    let mine = counted(filter.box_of_page(), OwnerFilter::Mine, filter.progress_clause());
    let shared = counted(filter.box_of_count(dialect), OwnerFilter::Shared, filter.progress_clause());
    let hidden = match filter.progress {
        ProgressFilter::None => counted(filter.box_of_page(), filter.owner, Some("p.progress > 0".to_owned())),
        ProgressFilter::Any | ProgressFilter::These(_) => "CAST(0 AS BIGINT)".to_owned(),
    };
    let values = filter.conditions(dialect, WordPlan::Joined, filter.box_of_page()).values;
    three(db, &format!("SELECT {mine}, {shared}, {hidden}"), values).await
}

fn owned_case(owner: OwnerFilter, actor: &Actor) -> String {
    match owner {
        OwnerFilter::All => "1 = 1".to_owned(),
        OwnerFilter::Mine => format!("w = {}", actor.active_white_label_id),
        OwnerFilter::Shared => format!("w <> {}", actor.active_white_label_id),
    }
}

/// The same counts where nothing narrows: each is a stretch of an index.
async fn counts_by_index(db: &impl Connection, actor: &Actor, filter: &Filter) -> Result<ListCounts, StoreError> {
    let active = actor.active_white_label_id;
    let and = |clause: Option<String>| clause.map_or_else(String::new, |clause| format!(" AND {clause}"));
    let progress = and(filter.progress_clause());
    let capped = |condition: String| {
        format!("(SELECT COUNT(*) FROM (SELECT 1 FROM parcours p WHERE {condition} LIMIT {}) c)", MAX_COUNT + 1)
    };
    let mine = capped(format!("p.white_label_id = {active}{progress}"));
    let shared = capped(format!("p.shared = 1 AND p.white_label_id <> {active}{progress}"));
    // The signs keep SQLite from beginning with all parcours that are not shared: there are far more than were added.
    let linked = format!(
        "(SELECT COUNT(*) FROM parcours_white_label l JOIN parcours p ON p.id = l.parcours_id WHERE l.white_label_id = {active} AND +p.shared = 0 AND p.white_label_id <> {active}{})",
        and(filter.progress_of("+p.progress"))
    );
    let hidden = if filter.progress == ProgressFilter::None {
        capped(format!("p.progress > 0 AND {}", owner_clause(db.dialect(), filter.owner, active)))
    } else {
        "CAST(0 AS BIGINT)".to_owned()
    };
    three(db, &format!("SELECT {mine}, {shared} + {linked}, {hidden}"), Vec::new()).await
}

async fn three(db: &impl Connection, sql: &str, values: Vec<Value>) -> Result<ListCounts, StoreError> {
    one(db, sql, values).await?.map_or_else(|| Ok(ListCounts::default()), |row| list_counts(&row))
}

fn list_counts(row: &QueryResult) -> Result<ListCounts, StoreError> {
    Ok(ListCounts { mine: get(row, 0)?, shared: get(row, 1)?, hidden_by_progress: get(row, 2)? })
}

/// Counts for the tabs, of what the filter leaves without `incomplete` and `reliability_below`: in one reading when it leaves at most [`MAX_COUNT`],
/// else as each tab's list counts them.
pub async fn views(db: &impl Connection, actor: &Actor, filter: &Filter) -> Result<ViewCounts, StoreError> {
    let all = Filter { incomplete: false, reliability_below: None, ..filter.clone() };
    let all = widened(db, actor, &all).await?;
    let in_box = all.box_of_page();
    let found = filtered(db, actor, &all, WordPlan::Joined);
    let sql = format!(
        "SELECT COUNT(*), COUNT(*) FILTER (WHERE lacks > 0), COUNT(*) FILTER (WHERE r BETWEEN 0 AND 949)
        FROM (SELECT p.lacks AS lacks, p.reliability_pm AS r FROM {} {} LIMIT {}) c",
        counted_from(db, &all, in_box),
        found.sql(),
        MAX_COUNT + 1
    );
    let read = three(db, &sql, found.values).await?;
    if read.mine <= MAX_COUNT {
        return Ok(ViewCounts { all: read.mine, incomplete: read.shared, low_reliability: read.hidden_by_progress });
    }
    let incomplete = Filter { incomplete: true, ..all.clone() };
    let low_reliability = Filter { reliability_below: Some(95.0), ..all };
    let of = async |tab: Filter| {
        let counts = counts(db, actor, &tab).await?;
        Ok::<_, StoreError>(shown(counts, tab.owner).min(MAX_COUNT + 1))
    };
    Ok(ViewCounts { all: read.mine, incomplete: of(incomplete).await?, low_reliability: of(low_reliability).await? })
}

/// The numbers of what the filter leaves, in the order of the list, at most `limit`.
pub async fn ids(
    db: &impl Connection,
    actor: &Actor,
    filter: &Filter,
    limit: u64,
) -> Result<Vec<ParcoursId>, StoreError> {
    let found = filtered(db, actor, &widened(db, actor, filter).await?, WordPlan::FindAll);
    let sort = Sort { key: SortKey::Updated, descending: true };
    let sql = format!("SELECT p.id FROM parcours p {} {} LIMIT {limit}", found.sql(), sort.order("p"));
    all(db, &sql, found.values).await?.iter().map(|row| get(row, 0).map(ParcoursId)).collect()
}

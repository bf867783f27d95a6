//! What runs found: one row a parcours whose score truly changed.

use domain::watch::{ChangedStretch, Guidance, Scoring, Turn, WatchChange};
use domain::{Actor, Instant, ParcoursId, Text, UserId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use crate::parcours::{owner_clause, title_of, visible_to};
use crate::record::Counted;
use crate::sql::{all, execute, get, json, one, person, text};
use crate::{Connection, Dialect, OwnerFilter, Page, StoreError, Tx};

/// A change that no user has reviewed yet and that is still current.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenChange {
    pub id: i64,
    /// The revision of the trace before it.
    pub before_revision: i64,
}

/// The filters of the list.
#[derive(Debug, Clone, Default)]
pub struct ChangeFilter {
    /// How guidance changed; empty for all.
    pub guidance: Vec<Guidance>,
    /// The owner of the parcours.
    pub owner: OwnerFilter,
    /// Also those seen, or that are no longer current.
    pub with_seen: bool,
    /// Only changes of this run.
    pub run: Option<i64>,
}

/// How changes share out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TurnCounts([i64; 4]);

impl TurnCounts {
    /// How many turned so.
    pub const fn of(self, turn: Turn) -> i64 {
        self.0[turn as usize]
    }

    /// How many with these changes of guidance, or all.
    fn total(self, guidance: &[Guidance]) -> i64 {
        let asked = |turn: &Turn| guidance.is_empty() || guidance.contains(&turn.guidance());
        Turn::ALL.into_iter().filter(asked).map(|turn| self.of(turn)).sum()
    }
}

/// A change as a list shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedChange {
    pub id: i64,
    /// The run that found it.
    pub run_id: i64,
    /// The change that was found.
    pub change: WatchChange,
    /// The parcours' name.
    pub title: Text,
    /// The white-label that owns it, by number and name.
    pub white_label: (WhiteLabelId, String),
    /// When it was reviewed, and the user who did.
    pub seen: Option<(Instant, Option<(UserId, String)>)>,
}

/// The owner of a change: needed before it is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeHead {
    pub parcours_id: ParcoursId,
    /// The white-label that owns it.
    pub white_label_id: WhiteLabelId,
}

/// The change of a parcours that was not reviewed yet, if the trace has not changed since.
pub async fn open_change(
    db: &impl Connection,
    id: ParcoursId,
    revision: i64,
) -> Result<Option<OpenChange>, StoreError> {
    let sql = "SELECT id, before_revision FROM watch_change
        WHERE parcours_id = $1 AND after_revision = $2 AND seen_at IS NULL ORDER BY id DESC LIMIT 1";
    let Some(row) = one(db, sql, [id.0.into(), revision.into()]).await? else { return Ok(None) };
    Ok(Some(OpenChange { id: get(&row, 0)?, before_revision: get(&row, 1)? }))
}

/// Forgets a change that another one takes the place of.
pub async fn drop_change(tx: &Tx, id: i64) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM watch_change WHERE id = $1", [id.into()]).await?;
    Ok(())
}

/// Keeps what a run found.
pub async fn put_change(tx: &Tx, run_id: i64, found: &WatchChange) -> Result<(), StoreError> {
    let points = (found.before.points_to(&found.after) * 1_000.0).round() as i64;
    let sql = "INSERT INTO watch_change (run_id, parcours_id, turn, points, before_score, after_score, before_revision,
        after_revision, stretches, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let values: [Value; 10] = [
        run_id.into(),
        found.parcours_id.0.into(),
        found.turn.code().into(),
        points.into(),
        text(&found.before).into(),
        text(&found.after).into(),
        found.before_revision.into(),
        found.after_revision.into(),
        text(&found.stretches).into(),
        found.at.0.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

const JOINED: &str = "FROM watch_change c JOIN parcours p ON p.id = c.parcours_id";

fn condition(dialect: Dialect, actor: &Actor, filter: &ChangeFilter) -> String {
    let mut found = vec![owner_clause(dialect, filter.owner, actor.active_white_label_id), visible_to(actor)];
    if !filter.with_seen {
        found.push("c.seen_at IS NULL AND c.after_revision = p.trace_revision".to_owned());
    }
    found.extend(filter.run.map(|run| format!("c.run_id = {run}")));
    found.join(" AND ")
}

/// The numbers of changes, without regard to guidance.
pub async fn counts(db: &impl Connection, actor: &Actor, filter: &ChangeFilter) -> Result<TurnCounts, StoreError> {
    let sql =
        format!("SELECT c.turn, COUNT(*) {JOINED} WHERE {} GROUP BY c.turn", condition(db.dialect(), actor, filter));
    let mut counts = TurnCounts::default();
    for row in all(db, &sql, []).await? {
        if let Some(count) = usize::try_from(get::<i16>(&row, 0)?).ok().and_then(|turn| counts.0.get_mut(turn)) {
            *count = get(&row, 1)?;
        }
    }
    Ok(counts)
}

/// The changes that the person may see: guidance lost, then gained, then the largest difference first.
pub async fn list(
    db: &impl Connection,
    actor: &Actor,
    filter: &ChangeFilter,
    page: Page,
) -> Result<(Vec<ListedChange>, Counted, TurnCounts), StoreError> {
    let counts = counts(db, actor, filter).await?;
    let turns: Vec<String> = Turn::ALL
        .into_iter()
        .filter(|turn| filter.guidance.is_empty() || filter.guidance.contains(&turn.guidance()))
        .map(|turn| turn.code().to_string())
        .collect();
    let sql = format!(
        r#"SELECT c.id, c.run_id, c.parcours_id, c.turn, c.before_score, c.after_score, c.before_revision, c.after_revision,
        c.stretches, c.at, k.card, p.white_label_id, w.name AS white_label_name, c.seen_at, c.seen_by, u.first_name, u.last_name
        {JOINED} JOIN parcours_card k ON k.parcours_id = p.id JOIN white_label w ON w.id = p.white_label_id
        LEFT JOIN "user" u ON u.id = c.seen_by WHERE {} AND c.turn IN ({})
        ORDER BY CASE WHEN c.turn > 2 THEN 2 ELSE c.turn END, c.points DESC, c.id LIMIT {} OFFSET {}"#,
        condition(db.dialect(), actor, filter),
        turns.join(","),
        page.per_page(),
        page.offset()
    );
    let rows = all(db, &sql, []).await?.iter().map(listed).collect::<Result<_, _>>()?;
    Ok((rows, Counted::of(counts.total(&filter.guidance)), counts))
}

fn listed(row: &QueryResult) -> Result<ListedChange, StoreError> {
    let (id, parcours): (i64, i64) = (get(row, "id")?, get(row, "parcours_id")?);
    let turn: i16 = get(row, "turn")?;
    let turn = Turn::ALL.into_iter().find(|known| known.code() == turn);
    let table = "watch_change";
    let score = |column: &str| -> Result<Scoring, StoreError> { json(table, id, &get::<String>(row, column)?) };
    let stretches: Vec<ChangedStretch> = json(table, id, &get::<String>(row, "stretches")?)?;
    let by = person(row, ["seen_by", "first_name", "last_name"])?;
    Ok(ListedChange {
        id,
        run_id: get(row, "run_id")?,
        change: WatchChange {
            parcours_id: ParcoursId(parcours),
            turn: turn.ok_or_else(|| StoreError::row(table, id, "no such turn"))?,
            before: score("before_score")?,
            after: score("after_score")?,
            before_revision: get(row, "before_revision")?,
            after_revision: get(row, "after_revision")?,
            stretches,
            at: Instant(get(row, "at")?),
        },
        title: title_of(parcours, &get::<String>(row, "card")?)?,
        white_label: (WhiteLabelId(get(row, "white_label_id")?), get(row, "white_label_name")?),
        seen: get::<Option<i64>>(row, "seen_at")?.map(|at| (Instant(at), by)),
    })
}

/// The owner of a change, of a parcours that the person may see.
pub async fn head(db: &impl Connection, actor: &Actor, id: i64) -> Result<Option<ChangeHead>, StoreError> {
    let sql = format!("SELECT p.id, p.white_label_id {JOINED} WHERE c.id = $1 AND {}", visible_to(actor));
    let Some(row) = one(db, &sql, [id.into()]).await? else { return Ok(None) };
    Ok(Some(ChangeHead { parcours_id: ParcoursId(get(&row, 0)?), white_label_id: WhiteLabelId(get(&row, 1)?) }))
}

/// Records that a user has reviewed a change; only the first time counts.
pub async fn mark_seen(tx: &Tx, id: i64, by: UserId, now: Instant) -> Result<(), StoreError> {
    let sql = "UPDATE watch_change SET seen_at = $2, seen_by = $3 WHERE id = $1 AND seen_at IS NULL";
    execute(tx, sql, [id.into(), now.0.into(), by.0.into()]).await?;
    Ok(())
}

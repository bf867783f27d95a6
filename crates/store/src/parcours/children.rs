//! Children of another white-label. A child is shown under its parent when both have the same owner, or once the owner of the
//! parent accepted it (decision 0030).

use domain::parcours::Relation;
use domain::{Instant, ParcoursId, Text, UserId, WhiteLabelId};

use super::narrow::relation_code;
use super::relations::title_of;
use crate::sql::{all, execute, get, one, person};
use crate::{Connection, StoreError, Tx, feedback};

/// What the owner of a parent decided of a child of another white-label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildState {
    /// Nothing yet: it is not shown.
    Waiting,
    /// It is shown under the parent.
    Accepted,
    /// It is not shown.
    Refused,
}

/// A published child of another white-label, for the owner of its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildRequest {
    /// The child.
    pub id: ParcoursId,
    pub title: Text,
    /// The white-label that owns it, by number and name.
    pub white_label: (WhiteLabelId, String),
    /// The decision.
    pub state: ChildState,
    /// When, once it was decided.
    pub decided_at: Option<Instant>,
    /// The user who decided: id and full name.
    pub decided_by: Option<(UserId, String)>,
}

/// The condition that the child in the row `child` is shown under the parent in the row `parent`, as far as owners decide.
pub(crate) fn stands_under(child: &str, parent: &str) -> String {
    format!(
        "({child}.white_label_id = {parent}.white_label_id OR EXISTS (SELECT 1 FROM parcours_child_decision d
            WHERE d.parent_id = {parent}.id AND d.child_id = {child}.id AND d.accepted = 1))"
    )
}

/// The condition that the row `child` is published as a child.
fn is_published_child(child: &str) -> String {
    let (both, under) = (relation_code(Relation::Child), relation_code(Relation::ChildOnly));
    format!("{child}.published = 1 AND {child}.relation IN ({both}, {under})")
}

/// The numbers of the parcours under which a child of another white-label waits.
pub(super) fn with_waiting_children() -> String {
    // `> 0` and not `IS NOT NULL`, for which SQLite reads all parcours.
    format!(
        "SELECT c.parent_id FROM parcours c JOIN parcours q ON q.id = c.parent_id
        WHERE c.parent_id > 0 AND c.white_label_id <> q.white_label_id AND {}
        AND NOT EXISTS (SELECT 1 FROM parcours_child_decision d WHERE d.parent_id = q.id AND d.child_id = c.id)",
        is_published_child("c")
    )
}

fn state(accepted: Option<i16>) -> ChildState {
    match accepted {
        None => ChildState::Waiting,
        Some(0) => ChildState::Refused,
        Some(_) => ChildState::Accepted,
    }
}

/// The published children of other white-labels under a parcours: those that wait first, then by title.
pub async fn child_requests(db: &impl Connection, parent: ParcoursId) -> Result<Vec<ChildRequest>, StoreError> {
    let sql = format!(
        r#"SELECT c.id, k.card, c.white_label_id, w.name AS white_label_name, d.accepted, d.decided_at, d.decided_by, u.first_name, u.last_name
        FROM parcours c JOIN parcours q ON q.id = c.parent_id JOIN parcours_card k ON k.parcours_id = c.id
        JOIN white_label w ON w.id = c.white_label_id
        LEFT JOIN parcours_child_decision d ON d.parent_id = q.id AND d.child_id = c.id
        LEFT JOIN "user" u ON u.id = d.decided_by
        WHERE c.parent_id = $1 AND c.white_label_id <> q.white_label_id AND {}
        ORDER BY CASE WHEN d.accepted IS NULL THEN 0 ELSE 1 END, c.title_sort, c.id LIMIT 200"#,
        is_published_child("c")
    );
    let rows = all(db, &sql, [parent.0.into()]).await?;
    let request = |row| {
        let id: i64 = get(row, "id")?;
        Ok(ChildRequest {
            id: ParcoursId(id),
            title: title_of(id, &get::<String>(row, "card")?)?,
            white_label: (WhiteLabelId(get(row, "white_label_id")?), get(row, "white_label_name")?),
            state: state(get(row, "accepted")?),
            decided_at: get::<Option<i64>>(row, "decided_at")?.map(Instant),
            decided_by: person(row, ["decided_by", "first_name", "last_name"])?,
        })
    };
    rows.iter().map(request).collect()
}

/// The decision about a child under its parent; none where its parent is of the same white-label, or it has no parent.
pub async fn state_under_parent(db: &impl Connection, child: ParcoursId) -> Result<Option<ChildState>, StoreError> {
    let sql = format!(
        "SELECT d.accepted FROM parcours c JOIN parcours q ON q.id = c.parent_id
        LEFT JOIN parcours_child_decision d ON d.parent_id = q.id AND d.child_id = c.id
        WHERE c.id = $1 AND c.white_label_id <> q.white_label_id AND c.relation IN ({}, {})",
        relation_code(Relation::Child),
        relation_code(Relation::ChildOnly)
    );
    one(db, &sql, [child.0.into()]).await?.map(|row| Ok(state(get(&row, 0)?))).transpose()
}

/// Accepts or refuses a published child of another white-label. False when there is no such child under the parent. The same decision
/// again keeps the user and the instant of the first.
pub async fn decide_child(
    tx: &Tx,
    (parent, child): (ParcoursId, ParcoursId),
    accepted: bool,
    (by, at): (UserId, Instant),
) -> Result<bool, StoreError> {
    let same = "parcours_child_decision.accepted = excluded.accepted";
    let sql = format!(
        "INSERT INTO parcours_child_decision (parent_id, child_id, accepted, decided_at, decided_by)
        SELECT q.id, c.id, $3, $4, $5 FROM parcours c JOIN parcours q ON q.id = c.parent_id
        WHERE q.id = $1 AND c.id = $2 AND c.white_label_id <> q.white_label_id AND {}
        ON CONFLICT (parent_id, child_id) DO UPDATE SET accepted = excluded.accepted,
        decided_at = CASE WHEN {same} THEN parcours_child_decision.decided_at ELSE excluded.decided_at END,
        decided_by = CASE WHEN {same} THEN parcours_child_decision.decided_by ELSE excluded.decided_by END",
        is_published_child("c")
    );
    let values = [parent.0.into(), child.0.into(), i16::from(accepted).into(), at.0.into(), by.0.into()];
    Ok(execute(tx, &sql, values).await? > 0)
}

/// The numbers of the parcours whose pages and feeds a decision changed after an instant: parents and children.
pub(crate) fn decided_after(after: Instant) -> String {
    let after = after.0;
    format!(
        "SELECT parent_id FROM parcours_child_decision WHERE decided_at > {after}
        UNION SELECT child_id FROM parcours_child_decision WHERE decided_at > {after}"
    )
}

/// Notes for feeds that a parent and its children name other parcours: one is no longer under this parent, or a white-label added one of
/// its children or took it away. No row of theirs is saved: the instant is stored with the reviews and reports of the parent.
pub(super) async fn note_family(tx: &Tx, parent: Option<i64>, at: Instant) -> Result<(), StoreError> {
    let Some(parent) = parent.map(ParcoursId) else { return Ok(()) };
    note_changed(tx, parent, at).await
}

/// Notes for feeds that a parcours is to be read again, although its row is not saved.
pub(super) async fn note_changed(tx: &Tx, id: ParcoursId, at: Instant) -> Result<(), StoreError> {
    feedback::hold(tx, id).await?;
    feedback::settle(tx, id, at).await
}

/// Forgets the decisions about a deleted parcours: if it is restored, they are made again.
pub(super) async fn forget_decisions(tx: &Tx, id: i64) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM parcours_child_decision WHERE parent_id = $1", [id.into()]).await?;
    execute(tx, "DELETE FROM parcours_child_decision WHERE child_id = $1", [id.into()]).await?;
    Ok(())
}

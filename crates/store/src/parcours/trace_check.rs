//! Which stored traces were checked, and what was found: one row a parcours, for one version of it and one revision of its trace.

use domain::parcours::TraceFault;
use domain::{Actor, ParcoursId, Text, WhiteLabelId};

use super::{owner_clause, title_of, visible_to};
use crate::record::Counted;
use crate::sql::{all, execute, get, json, numbers, one, text};
use crate::{Connection, OwnerFilter, Page, StoreError, Tx};

/// A state of a parcours that is to be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unchecked {
    pub id: ParcoursId,
    pub version: i64,
    pub trace_revision: i64,
}

/// A parcours whose stored trace has faults.
#[derive(Debug, Clone, PartialEq)]
pub struct FaultyTrace {
    pub id: ParcoursId,
    pub title: Text,
    /// The white-label that owns it, by number and name.
    pub white_label: (WhiteLabelId, String),
    pub faults: Vec<TraceFault>,
}

/// The next parcours after a number whose trace was never checked, or not since it changed.
pub async fn next_unchecked(db: &impl Connection, after: ParcoursId) -> Result<Option<Unchecked>, StoreError> {
    // Not an outer join: PostgreSQL expects it to find one row, and reads both tables whole for each answer. The second `> $1`
    // says nothing new: with it PostgreSQL begins in both tables at that number.
    let sql = "SELECT p.id, p.version, p.trace_revision FROM parcours p WHERE p.id > $1 AND p.trace_revision IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM trace_check c
            WHERE c.parcours_id = p.id AND c.parcours_id > $1 AND c.version = p.version AND c.trace_revision = p.trace_revision)
        ORDER BY p.id LIMIT 1";
    let Some(row) = one(db, sql, [after.0.into()]).await? else { return Ok(None) };
    let (version, trace_revision) = (get(&row, "version")?, get(&row, "trace_revision")?);
    Ok(Some(Unchecked { id: ParcoursId(get(&row, "id")?), version, trace_revision }))
}

/// Notes what was found of a state of a parcours. Two servers that check the same write the same.
pub async fn note_check(tx: &Tx, checked: Unchecked, faults: &[TraceFault]) -> Result<(), StoreError> {
    // Deleted meanwhile: nothing is left to note.
    let sql = "INSERT INTO trace_check (parcours_id, version, trace_revision, faults)
        SELECT p.id, $2, $3, $4 FROM parcours p WHERE p.id = $1
        ON CONFLICT (parcours_id) DO UPDATE SET version = excluded.version, trace_revision = excluded.trace_revision,
        faults = excluded.faults";
    let stored = (!faults.is_empty()).then(|| text(&faults));
    execute(tx, sql, [checked.id.0.into(), checked.version.into(), checked.trace_revision.into(), stored.into()])
        .await?;
    Ok(())
}

/// The parcours that the person may see whose trace has faults, as far as it did not change since it was checked.
pub async fn faulty_traces(
    db: &impl Connection,
    actor: &Actor,
    owner: OwnerFilter,
    page: Page,
) -> Result<(Vec<FaultyTrace>, Counted), StoreError> {
    let joined = format!(
        "FROM trace_check c JOIN parcours p ON p.id = c.parcours_id AND p.version = c.version
        AND p.trace_revision = c.trace_revision WHERE c.faults IS NOT NULL AND {} AND {}",
        owner_clause(db.dialect(), owner, actor.active_white_label_id),
        visible_to(actor)
    );
    let count = one(db, &format!("SELECT COUNT(*) {joined}"), []).await?;
    let count = count.map_or(Ok(0), |row| get(&row, 0))?;
    let ids = format!("SELECT p.id {joined} ORDER BY p.id LIMIT {} OFFSET {}", page.per_page(), page.offset());
    let ids: Vec<i64> = all(db, &ids, []).await?.iter().map(|row| get(row, 0)).collect::<Result<_, _>>()?;
    let sql = format!(
        "SELECT c.parcours_id, k.card, p.white_label_id, w.name AS white_label_name, c.faults FROM trace_check c
        JOIN parcours p ON p.id = c.parcours_id JOIN parcours_card k ON k.parcours_id = p.id
        JOIN white_label w ON w.id = p.white_label_id WHERE c.parcours_id IN {} ORDER BY c.parcours_id",
        numbers(&ids)
    );
    let mut found = Vec::new();
    for row in all(db, &sql, []).await? {
        let id: i64 = get(&row, "parcours_id")?;
        found.push(FaultyTrace {
            id: ParcoursId(id),
            title: title_of(id, &get::<String>(&row, "card")?)?,
            white_label: (WhiteLabelId(get(&row, "white_label_id")?), get(&row, "white_label_name")?),
            faults: json(
                "trace_check",
                id,
                &get::<Option<String>>(&row, "faults")?.unwrap_or_else(|| "[]".to_owned()),
            )?,
        });
    }
    Ok((found, Counted::of(count)))
}

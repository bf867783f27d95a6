//! One parcours: whole for a rule, or as texts that are passed through for a look.

use std::collections::HashMap;

use domain::parcours::Drawing;
use domain::parcours::passport::Lacks;
use domain::{Actor, Instant, ParcoursId, UserId, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use super::write::Stored;
use crate::sql::{NumberList, all, flag, for_update, get, is_own, json, one, person, whole, whole_list};
use crate::{Connection, StoreError, Tx};

const COLUMNS: &str =
    "p.id, p.white_label_id, p.version, p.published, p.last_step_id, p.trace_revision, p.created_at, p.updated_at,
    p.updated_by, s.sheet, s.steps, s.trace, s.drawing";

/// A parcours, whole.
pub async fn load(db: &impl Connection, id: ParcoursId) -> Result<Option<Stored>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM parcours p JOIN parcours_sheet s ON s.parcours_id = p.id WHERE p.id = $1");
    one(db, &sql, [id.0.into()]).await?.map(|row| stored(&row)).transpose()
}

/// Several parcours, whole, in the order of their numbers; those that are not there are left out.
pub async fn load_many(db: &impl Connection, ids: &[ParcoursId]) -> Result<Vec<Stored>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let list = NumberList::of(db, &ids);
    let sql = format!(
        "SELECT {COLUMNS} FROM parcours p JOIN parcours_sheet s ON s.parcours_id = p.id WHERE {} ORDER BY p.id",
        list.has("p.id", 1)
    );
    all(db, &sql, list.value()).await?.iter().map(stored).collect()
}

/// A parcours, whole, locked until the transaction ends.
pub async fn lock(tx: &Tx, id: ParcoursId) -> Result<Option<Stored>, StoreError> {
    let hold = for_update(tx.dialect(), "p, s");
    let sql =
        format!("SELECT {COLUMNS} FROM parcours p JOIN parcours_sheet s ON s.parcours_id = p.id WHERE p.id = $1{hold}");
    one(tx, &sql, [id.0.into()]).await?.map(|row| stored(&row)).transpose()
}

fn stored(row: &QueryResult) -> Result<Stored, StoreError> {
    let id: i64 = get(row, "id")?;
    let table = "parcours_sheet";
    let (trace, drawing): (Option<String>, Option<String>) = (get(row, "trace")?, get(row, "drawing")?);
    Ok(Stored {
        id: ParcoursId(id),
        white_label_id: WhiteLabelId(get(row, "white_label_id")?),
        version: get(row, "version")?,
        published: flag(row, "published")?,
        last_step_id: get(row, "last_step_id")?,
        trace_revision: get(row, "trace_revision")?,
        created_at: Instant(get(row, "created_at")?),
        updated_at: Instant(get(row, "updated_at")?),
        updated_by: get::<Option<i64>>(row, "updated_by")?.map(UserId),
        sheet: whole(table, id, &get::<String>(row, "sheet")?)?,
        steps: whole_list(table, id, &get::<String>(row, "steps")?)?,
        trace: trace.map(|text| json(table, id, &text)).transpose()?,
        drawing: drawing.map_or_else(|| Ok(Drawing::default()), |text| json(table, id, &text))?,
    })
}

/// The owner of a parcours and whether it is visible: what most requests need first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Identifier.
    pub id: ParcoursId,
    /// The white-label that owns it.
    pub white_label_id: WhiteLabelId,
    /// Number of its last save.
    pub version: i64,
    /// The owner's switch.
    pub published: bool,
    /// Whether it is shown to other white-labels.
    pub shared: bool,
}

/// The condition under which the person sees the row `p`: their white-labels' own, what others share, what they added.
pub(crate) fn visible_to(actor: &Actor) -> String {
    format!(
        "({} OR p.shared = 1 OR EXISTS (SELECT 1 FROM parcours_white_label l WHERE l.parcours_id = p.id AND {}))",
        is_own(actor, "p.white_label_id"),
        is_own(actor, "l.white_label_id")
    )
}

/// The header of a parcours that the person may see.
pub async fn header(db: &impl Connection, id: ParcoursId, actor: &Actor) -> Result<Option<Header>, StoreError> {
    let sql = format!(
        "SELECT p.white_label_id, p.version, p.published, p.shared FROM parcours p WHERE p.id = $1 AND {}",
        visible_to(actor)
    );
    let Some(row) = one(db, &sql, [id.0.into()]).await? else { return Ok(None) };
    Ok(Some(Header {
        id,
        white_label_id: WhiteLabelId(get(&row, "white_label_id")?),
        version: get(&row, "version")?,
        published: flag(&row, "published")?,
        shared: flag(&row, "shared")?,
    }))
}

/// A parcours as texts, to be passed through.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    /// Identifier.
    pub id: ParcoursId,
    /// The white-label that owns it, by number and name.
    pub white_label: (WhiteLabelId, String),
    /// The structure behind it, by number and name.
    pub structure: (i64, String),
    /// Number of its last save.
    pub version: i64,
    /// The owner's switch.
    pub published: bool,
    /// The parcours it inherits from.
    pub parent_id: Option<ParcoursId>,
    pub created_at: Instant,
    pub updated_at: Instant,
    /// The user who saved it last: id, first and last name.
    pub updated_by: Option<(UserId, String)>,
    /// JSON object of the sheet.
    pub sheet: String,
    /// JSON list of the steps.
    pub steps: String,
    /// JSON object of the trace in figures.
    pub trace: Option<String>,
    /// Whether it was scored on another network than `today`.
    pub stale: bool,
    /// How many have it as parent.
    pub children: i64,
    /// How many white-labels added it.
    pub links: i64,
    /// What it lacks.
    pub lacks: Lacks,
    /// How many closures touch it, past ones too.
    pub closures: i64,
}

/// A parcours for one reader. `network` is the checksum of today's.
pub async fn show(
    db: &impl Connection,
    id: ParcoursId,
    actor: &Actor,
    network: Option<&str>,
) -> Result<Option<Detail>, StoreError> {
    let sql = format!(
        r#"SELECT p.white_label_id, w.name AS white_label_name, w.structure_id, o.name AS structure_name, p.version, p.published,
        p.parent_id, p.created_at, p.updated_at, p.updated_by, u.first_name, u.last_name, s.sheet, s.steps, s.trace,
        p.reliability_state, p.network, p.lack_bits,
        (SELECT COUNT(*) FROM parcours c WHERE c.parent_id = p.id) AS children,
        (SELECT COUNT(*) FROM parcours_white_label l WHERE l.parcours_id = p.id) AS links,
        (SELECT COUNT(*) FROM parcours_closure x WHERE x.parcours_id = p.id) AS closures
        FROM parcours p JOIN parcours_sheet s ON s.parcours_id = p.id
        JOIN white_label w ON w.id = p.white_label_id JOIN structure o ON o.id = w.structure_id
        LEFT JOIN "user" u ON u.id = p.updated_by WHERE p.id = $1 AND {}"#,
        visible_to(actor)
    );
    let Some(row) = one(db, &sql, [Value::from(id.0)]).await? else { return Ok(None) };
    detail(id, &row, network).map(Some)
}

fn detail(id: ParcoursId, row: &QueryResult, network: Option<&str>) -> Result<Detail, StoreError> {
    let today = network.map(super::narrow::network_number);
    let state = super::narrow::state_of(get(row, "reliability_state")?, get(row, "network")?, today);
    Ok(Detail {
        id,
        white_label: (WhiteLabelId(get(row, "white_label_id")?), get(row, "white_label_name")?),
        structure: (get(row, "structure_id")?, get(row, "structure_name")?),
        version: get(row, "version")?,
        published: flag(row, "published")?,
        parent_id: get::<Option<i64>>(row, "parent_id")?.map(ParcoursId),
        created_at: Instant(get(row, "created_at")?),
        updated_at: Instant(get(row, "updated_at")?),
        updated_by: person(row, ["updated_by", "first_name", "last_name"])?,
        sheet: get(row, "sheet")?,
        steps: get(row, "steps")?,
        trace: get(row, "trace")?,
        stale: state == domain::parcours::ReliabilityState::Stale,
        children: get(row, "children")?,
        links: get(row, "links")?,
        lacks: Lacks(get(row, "lack_bits")?),
        closures: get(row, "closures")?,
    })
}

/// The numbers of the published parcours of each white-label, at most `limit` of one: for the command line.
pub async fn published_of_each(db: &impl Connection, limit: usize) -> Result<HashMap<i64, Vec<i64>>, StoreError> {
    let sql = "SELECT white_label_id, id FROM parcours WHERE published = 1 ORDER BY white_label_id, id";
    let mut found: HashMap<i64, Vec<i64>> = HashMap::new();
    for row in all(db, sql, []).await? {
        let of_one = found.entry(get(&row, 0)?).or_default();
        if of_one.len() < limit {
            of_one.push(get(&row, 1)?);
        }
    }
    Ok(found)
}

/// The numbers of all parcours of all owners: for the command line.
pub async fn all_ids(db: &impl Connection) -> Result<Vec<ParcoursId>, StoreError> {
    all(db, "SELECT id FROM parcours ORDER BY id", []).await?.iter().map(|row| get(row, 0).map(ParcoursId)).collect()
}

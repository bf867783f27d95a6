//! What a feed says of its parcours and POIs beside their own rows: lines, instructions, children, origins, closures.

use std::collections::{BTreeMap, HashMap};

use domain::parcours::{Leg, Relation, ReliabilityState};
use domain::sit::SitSourceSheet;
use domain::{ParcoursId, WhiteLabelId};
use trace::Position;

use crate::imports::ImportSources;
use crate::parcours::{relation_code, stands_under, state_code};
use crate::parcours_link::LinkKind;
use crate::parcours_trace::{TraceExtra, joined};
use crate::record::load_many;
use crate::sit::SitSources;
use crate::sql::{NumberList, all, get, json};
use crate::{Connection, StoreError};

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

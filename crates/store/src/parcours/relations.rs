//! Parents and children.

use std::collections::HashMap;

use domain::parcours::{Sheet, relation::MAX_DEPTH};
use domain::{Actor, ParcoursId, Text};
use sea_orm::Value;

use super::detail::visible_to;
use crate::parcours_trace::ids_in_box;
use crate::sql::{NumberList, all, get, json, numbers, one, whole};
use crate::{Connection, StoreError};

/// The parents above a parcours, nearest first, at most [`MAX_DEPTH`] of them: `None` when `id` itself is not there.
/// `column` is `parent_id` or `model_id`.
pub async fn ancestors(db: &impl Connection, id: ParcoursId, column: Ancestry) -> Result<Option<Vec<i64>>, StoreError> {
    let sql = match column {
        Ancestry::Parent => "SELECT parent_id FROM parcours WHERE id = $1",
        Ancestry::Model => "SELECT model_id FROM parcours WHERE id = $1",
    };
    let Some(mut row) = one(db, sql, [id.0.into()]).await? else { return Ok(None) };
    let mut above = Vec::new();
    while let Some(next) = get::<Option<i64>>(&row, 0)? {
        above.push(next);
        if above.len() >= MAX_DEPTH {
            break;
        }
        let Some(found) = one(db, sql, [next.into()]).await? else { break };
        row = found;
    }
    Ok(Some(above))
}

/// Which line of ancestors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ancestry {
    /// Parents: what a child is shown under.
    Parent,
    /// Models: what a copy was made from.
    Model,
}

/// The children of a parcours that the person may see, by title.
pub async fn children(
    db: &impl Connection,
    id: ParcoursId,
    actor: &Actor,
) -> Result<Vec<(ParcoursId, Text)>, StoreError> {
    let sql = format!(
        "SELECT p.id, c.card FROM parcours p JOIN parcours_card c ON c.parcours_id = p.id WHERE p.parent_id = $1 AND {} ORDER BY p.title_sort, p.id LIMIT 200",
        visible_to(actor)
    );
    all(db, &sql, [Value::from(id.0)])
        .await?
        .iter()
        .map(|row| {
            let child: i64 = get(row, "id")?;
            Ok((ParcoursId(child), title_of(child, &get::<String>(row, "card")?)?))
        })
        .collect()
}

/// All that have a parcours as parent or as model, without regard to who may see them.
pub async fn relatives(db: &impl Connection, id: ParcoursId) -> Result<Vec<ParcoursId>, StoreError> {
    let sql = "SELECT id FROM parcours WHERE parent_id = $1 OR model_id = $1 ORDER BY id";
    all(db, sql, [Value::from(id.0)]).await?.iter().map(|row| get(row, 0).map(ParcoursId)).collect()
}

/// The title in a card.
pub(crate) fn title_of(id: i64, card: &str) -> Result<Text, StoreError> {
    #[derive(serde::Deserialize)]
    struct Titled {
        title: Text,
    }
    Ok(json::<Titled>("parcours_card", id, card)?.title)
}

/// The names of parcours.
pub(crate) async fn titles(db: &impl Connection, ids: &[i64]) -> Result<Vec<(i64, Text)>, StoreError> {
    let sql = format!(
        "SELECT parcours_id, card FROM parcours_card WHERE parcours_id IN {} ORDER BY parcours_id",
        numbers(ids)
    );
    let rows = all(db, &sql, []).await?;
    rows.iter()
        .map(|row| get(row, "parcours_id").and_then(|id| Ok((id, title_of(id, &get::<String>(row, "card")?)?))))
        .collect()
}

/// A parcours whose line's box touches another box.
#[derive(Debug, Clone, PartialEq)]
pub struct Passing {
    pub id: ParcoursId,
    pub title: Text,
    /// The POIs it names.
    pub poi_ids: Vec<i64>,
}

/// The parcours that the person sees whose line's box touches this one, at most fifty.
pub async fn passing(db: &impl Connection, actor: &Actor, bbox: [f64; 4]) -> Result<Vec<Passing>, StoreError> {
    let places = ["$1", "$2", "$3", "$4"];
    let sql = format!(
        "SELECT p.id, s.sheet FROM parcours p JOIN parcours_sheet s ON s.parcours_id = p.id
        WHERE p.id IN ({}) AND {} ORDER BY p.id LIMIT 50",
        ids_in_box(db.dialect(), places),
        visible_to(actor)
    );
    let rows = all(db, &sql, bbox.map(Value::from)).await?;
    let one = |row| {
        let id: i64 = get(row, "id")?;
        let sheet: Sheet = whole("parcours_sheet", id, &get::<String>(row, "sheet")?)?;
        Ok(Passing { id: ParcoursId(id), title: sheet.title, poi_ids: sheet.poi_ids })
    };
    rows.iter().map(one).collect()
}

/// The values that are inherited from the parents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Inherited {
    /// Bike carriage, as a parent has it.
    pub bike_carriage: Option<bool>,
    /// Reservation, as a parent has it.
    pub bookable: Option<bool>,
}

/// What the parents above say, from `parent` on: the nearest answer wins.
pub async fn inherited(db: &impl Connection, parent: ParcoursId) -> Result<Inherited, StoreError> {
    Ok(inherited_from(db, &[parent.0]).await?.remove(&parent.0).unwrap_or_default())
}

/// The same for several parents, by their numbers, in one query.
pub async fn inherited_from(db: &impl Connection, parents: &[i64]) -> Result<HashMap<i64, Inherited>, StoreError> {
    let mut found: HashMap<i64, Inherited> = HashMap::new();
    if parents.is_empty() {
        return Ok(found);
    }
    let list = NumberList::of(db, parents);
    // Each row is looked up by its number: for a join PostgreSQL may read all parcours that have a parent, and all sheets.
    let sql = format!(
        "WITH RECURSIVE above(heir, id, depth) AS (
          SELECT p.id, p.id, 1 FROM parcours p WHERE {}
          UNION ALL SELECT a.heir, (SELECT p.parent_id FROM parcours p WHERE p.id = a.id), a.depth + 1 FROM above a
            WHERE a.id IS NOT NULL AND a.depth < {MAX_DEPTH})
        SELECT a.heir, a.id, (SELECT s.sheet FROM parcours_sheet s WHERE s.parcours_id = a.id) FROM above a
        WHERE a.id IS NOT NULL ORDER BY a.heir, a.depth",
        list.has("p.id", 1)
    );
    for row in all(db, &sql, list.value()).await? {
        let (heir, id): (i64, i64) = (get(&row, 0)?, get(&row, 1)?);
        let Some(sheet) = get::<Option<String>>(&row, 2)? else { continue };
        let slot = found.entry(heir).or_default();
        if slot.bike_carriage.is_some() && slot.bookable.is_some() {
            continue;
        }
        let sheet: Sheet = whole("parcours_sheet", id, &sheet)?;
        slot.bike_carriage = slot.bike_carriage.or(sheet.bike_carriage.own());
        slot.bookable = slot.bookable.or(sheet.bookable.own());
    }
    Ok(found)
}

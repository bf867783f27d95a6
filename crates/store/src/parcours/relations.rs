//! Parents and children.

use domain::parcours::{Inheritable, Sheet, relation::MAX_DEPTH};
use domain::{Actor, ParcoursId, Text};
use sea_orm::Value;

use super::detail::visible_to;
use super::sql::{all, get, json, one};
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

/// The children of a parcours that somebody may see, by title.
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
            let child: i64 = get(row, 0)?;
            Ok((ParcoursId(child), title_of(child, &get::<String>(row, 1)?)?))
        })
        .collect()
}

/// All that have a parcours as parent or as model, whoever may see them.
pub async fn relatives(db: &impl Connection, id: ParcoursId) -> Result<Vec<ParcoursId>, StoreError> {
    let sql = "SELECT id FROM parcours WHERE parent_id = $1 OR model_id = $1 ORDER BY id";
    all(db, sql, [Value::from(id.0)]).await?.iter().map(|row| get(row, 0).map(ParcoursId)).collect()
}

/// The title in a card.
pub(super) fn title_of(id: i64, card: &str) -> Result<Text, StoreError> {
    #[derive(serde::Deserialize)]
    struct Titled {
        title: Text,
    }
    Ok(json::<Titled>("parcours_card", id, card)?.title)
}

/// What is read through the parents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Inherited {
    /// Bike carriage, where a parent says.
    pub bike_carriage: Option<bool>,
    /// Reservation, where a parent says.
    pub bookable: Option<bool>,
}

/// What the parents above say, from `parent` on: the nearest answer wins.
pub async fn inherited(db: &impl Connection, parent: ParcoursId) -> Result<Inherited, StoreError> {
    let mut found = Inherited::default();
    let mut next = Some(parent.0);
    for _ in 0..MAX_DEPTH {
        let Some(id) = next else { break };
        let Some(row) = one(db, "SELECT sheet FROM parcours_sheet WHERE parcours_id = $1", [id.into()]).await? else {
            break;
        };
        let sheet: Sheet = json("parcours_sheet", id, &get::<String>(&row, 0)?)?;
        let take = |slot: &mut Option<bool>, own: Inheritable| *slot = slot.or(own.own());
        take(&mut found.bike_carriage, sheet.bike_carriage);
        take(&mut found.bookable, sheet.bookable);
        if found.bike_carriage.is_some() && found.bookable.is_some() {
            break;
        }
        next = sheet.parent_id;
    }
    Ok(found)
}

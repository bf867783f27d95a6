//! The parcours that a closure touches.

use domain::closure::ClosedStretch;
use domain::{Actor, ParcoursId, Text};

use super::detail::visible_to;
use super::relations::titles;
use crate::closure::stretches;
use crate::sql::{all, get};
use crate::{Connection, StoreError};

/// A parcours that a closure touches.
#[derive(Debug, Clone, PartialEq)]
pub struct TouchedParcours {
    pub id: ParcoursId,
    pub title: Text,
    /// Where it is closed.
    pub stretches: Vec<ClosedStretch>,
}

/// The parcours that a closure touches, of those that the person sees.
pub async fn touched_by(
    db: &impl Connection,
    closure_id: i64,
    actor: &Actor,
) -> Result<Vec<TouchedParcours>, StoreError> {
    let sql = format!(
        "SELECT c.parcours_id, c.stretches FROM parcours_closure c JOIN parcours p ON p.id = c.parcours_id
        WHERE c.closure_id = $1 AND {} ORDER BY c.parcours_id LIMIT 500",
        visible_to(actor)
    );
    let rows = all(db, &sql, [closure_id.into()]).await?;
    let found = rows
        .iter()
        .map(|row| Ok((get(row, "parcours_id")?, stretches(row, "stretches")?)))
        .collect::<Result<Vec<_>, StoreError>>()?;
    let ids: Vec<i64> = found.iter().map(|(id, _)| *id).collect();
    let names = titles(db, &ids).await?;
    let touched = |(id, stretches): (i64, Vec<ClosedStretch>)| TouchedParcours {
        id: ParcoursId(id),
        title: names.iter().find(|(named, _)| *named == id).map(|(_, title)| title.clone()).unwrap_or_default(),
        stretches,
    };
    Ok(found.into_iter().map(touched).collect())
}

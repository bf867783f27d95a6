//! What visitors see without signing in.

use std::fmt::Write as _;

use domain::parcours::{Card, Relation};
use domain::{Instant, ParcoursId, Text, WhiteLabelId};

use super::children::stands_under;
use super::narrow::relation_code;
use super::relations::title_of;
use crate::sql::{all, get, json, numbers, one};
use crate::white_label::PublicSites;
use crate::{Connection, StoreError, feedback};

/// A parcours with a separate public page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicRow {
    /// Identifier.
    pub id: ParcoursId,
    /// Name.
    pub title: Text,
    /// When it was last saved.
    pub updated_at: Instant,
}

/// A published child, as its parent shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct PublicChild {
    /// Identifier.
    pub id: ParcoursId,
    /// Whether it has a separate page too.
    pub alone: bool,
    /// Its name and figures.
    pub card: Card,
}

/// The parcours with a public page that white-labels let be found, the last saved first, at most `limit` of them.
pub async fn listed_in_public(
    db: &impl Connection,
    sites: &PublicSites,
    limit: u64,
) -> Result<Vec<PublicRow>, StoreError> {
    let mut but = String::new();
    if !sites.unlisted.is_empty() {
        let _ = write!(but, " AND p.white_label_id NOT IN {}", numbers(&sites.unlisted));
    }
    for (id, bounds) in &sites.bounded {
        if let Some(within) = feedback::within("p.id", *bounds) {
            let _ = write!(but, " AND (p.white_label_id <> {id} OR {within})");
        }
    }
    let sql = format!(
        "SELECT p.id, c.card, p.updated_at FROM parcours p JOIN parcours_card c ON c.parcours_id = p.id
        WHERE p.published = 1 AND p.relation IN ({}, {}){but} ORDER BY p.updated_at DESC, p.id DESC LIMIT {limit}",
        relation_code(Relation::None),
        relation_code(Relation::Child)
    );
    let rows = all(db, &sql, []).await?;
    let rows = rows.iter().map(|row| {
        let id: i64 = get(row, "id")?;
        Ok(PublicRow {
            id: ParcoursId(id),
            title: title_of(id, &get::<String>(row, "card")?)?,
            updated_at: Instant(get(row, "updated_at")?),
        })
    });
    rows.collect()
}

/// The example parcours in previews of a white-label's pages: the last saved of those that are published, else the last saved of
/// all.
pub async fn example_of(db: &impl Connection, white_label: WhiteLabelId) -> Result<Option<ParcoursId>, StoreError> {
    let sql = format!(
        "SELECT id FROM parcours WHERE white_label_id = $1 AND relation <> {MODEL_ONLY}
        ORDER BY published DESC, updated_at DESC, id DESC LIMIT 1"
    );
    let row = one(db, &sql, [white_label.0.into()]).await?;
    row.map(|row| get(&row, 0).map(ParcoursId)).transpose()
}

/// The published children of a parcours that are shown under it, by title.
pub async fn public_children(db: &impl Connection, id: ParcoursId) -> Result<Vec<PublicChild>, StoreError> {
    let (alone, under) = (relation_code(Relation::Child), relation_code(Relation::ChildOnly));
    let sql = format!(
        "SELECT p.id, p.relation, c.card FROM parcours p JOIN parcours_card c ON c.parcours_id = p.id
        JOIN parcours q ON q.id = p.parent_id
        WHERE p.parent_id = $1 AND p.published = 1 AND p.relation IN ({alone}, {under}) AND {}
        ORDER BY p.title_sort, p.id LIMIT 200",
        stands_under("p", "q")
    );
    let rows = all(db, &sql, [id.0.into()]).await?;
    let rows = rows.iter().map(|row| {
        let (child, relation): (i64, i16) = (get(row, "id")?, get(row, "relation")?);
        Ok(PublicChild {
            id: ParcoursId(child),
            alone: relation == alone,
            card: json("parcours_card", child, &get::<String>(row, "card")?)?,
        })
    });
    rows.collect()
}

/// The code of a parcours that is a model and nothing else: its media are not public.
pub(crate) const MODEL_ONLY: i16 = relation_code(Relation::ModelOnly);

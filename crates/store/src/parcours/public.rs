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
    pub title: Text,
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

/// The parcours with a public page that white-labels let be found, the last saved first, at most `limit` of them; `among` are the first number
/// and the one after the last.
pub async fn listed_in_public(
    db: &impl Connection,
    sites: &PublicSites,
    among: Option<[i64; 2]>,
    limit: u64,
) -> Result<Vec<PublicRow>, StoreError> {
    let among = among.map(|[from, to]| format!(" AND p.id >= {from} AND p.id < {to}")).unwrap_or_default();
    let sql = format!(
        "SELECT p.id, c.card, p.updated_at FROM parcours p JOIN parcours_card c ON c.parcours_id = p.id
        WHERE {}{among} ORDER BY p.updated_at DESC, p.id DESC LIMIT {limit}",
        is_listed(sites)
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

/// How many parcours [`listed_in_public`] lists, at most `limit`.
pub async fn count_in_public(db: &impl Connection, sites: &PublicSites, limit: u64) -> Result<i64, StoreError> {
    let sql = format!("SELECT COUNT(*) FROM (SELECT 1 FROM parcours p WHERE {} LIMIT {limit}) c", is_listed(sites));
    one(db, &sql, []).await?.map_or(Ok(0), |row| get(&row, 0))
}

/// The parts of [`listed_in_public`] that have a parcours, where each is of `size` numbers: which part, and when one of it was last saved.
pub async fn parts_in_public(
    db: &impl Connection,
    sites: &PublicSites,
    size: i64,
) -> Result<Vec<(i64, Instant)>, StoreError> {
    let sql = format!(
        "SELECT p.id / {size}, MAX(p.updated_at) FROM parcours p WHERE {} GROUP BY 1 ORDER BY 1",
        is_listed(sites)
    );
    all(db, &sql, []).await?.iter().map(|row| Ok((get(row, 0)?, Instant(get(row, 1)?)))).collect()
}

/// The condition on a parcours `p` that it has a public page which its white-label lets be found.
fn is_listed(sites: &PublicSites) -> String {
    let mut listed = format!(
        "p.published = 1 AND p.relation IN ({}, {})",
        relation_code(Relation::None),
        relation_code(Relation::Child)
    );
    // Writing into a text does not fail.
    if !sites.unlisted.is_empty() {
        let _ = write!(listed, " AND p.white_label_id NOT IN {}", numbers(&sites.unlisted));
    }
    for (id, bounds) in &sites.bounded {
        if let Some(within) = feedback::within("p.id", *bounds) {
            let _ = write!(listed, " AND (p.white_label_id <> {id} OR {within})");
        }
    }
    listed
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

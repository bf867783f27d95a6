//! What everybody sees without signing in.

use std::fmt::Write as _;

use domain::parcours::{Card, Relation};
use domain::{Instant, ParcoursId, Text};

use super::links::LinkKind;
use super::narrow::relation_code;
use super::relations::title_of;
use super::sql::{all, get, json, numbers, one};
use crate::white_label::PublicSites;
use crate::{Connection, StoreError, feedback};

/// A parcours that has a public page of its own.
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
    /// Whether it has a page of its own too.
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
        let id: i64 = get(row, 0)?;
        Ok(PublicRow {
            id: ParcoursId(id),
            title: title_of(id, &get::<String>(row, 1)?)?,
            updated_at: Instant(get(row, 2)?),
        })
    });
    rows.collect()
}

/// The published children of a parcours, by title.
pub async fn public_children(db: &impl Connection, id: ParcoursId) -> Result<Vec<PublicChild>, StoreError> {
    let (alone, under) = (relation_code(Relation::Child), relation_code(Relation::ChildOnly));
    let sql = format!(
        "SELECT p.id, p.relation, c.card FROM parcours p JOIN parcours_card c ON c.parcours_id = p.id
        WHERE p.parent_id = $1 AND p.published = 1 AND p.relation IN ({alone}, {under}) ORDER BY p.title_sort, p.id LIMIT 200"
    );
    let rows = all(db, &sql, [id.0.into()]).await?;
    let rows = rows.iter().map(|row| {
        let (child, relation): (i64, i16) = (get(row, 0)?, get(row, 1)?);
        Ok(PublicChild {
            id: ParcoursId(child),
            alone: relation == alone,
            card: json("parcours_card", child, &get::<String>(row, 2)?)?,
        })
    });
    rows.collect()
}

/// Whether a published parcours shows a media.
pub(crate) async fn shows_media(db: &impl Connection, media: i64) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT p.id FROM parcours_link k JOIN parcours p ON p.id = k.parcours_id
        WHERE k.kind IN ({}, {}) AND k.target_id = $1 AND p.published = 1 AND p.relation <> {} LIMIT 1",
        LinkKind::Media as i16,
        LinkKind::WalkSound as i16,
        relation_code(Relation::ModelOnly)
    );
    Ok(one(db, &sql, [media.into()]).await?.is_some())
}

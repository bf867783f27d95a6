//! The uses of a parcours, and the white-labels that added it.

use domain::parcours::Relation;
use domain::record::Kind;
use domain::{Actor, Instant, ParcoursId, Text, WhiteLabelId};

use super::children::{note_changed, note_family, stands_under};
use super::detail::visible_to;
use super::narrow::relation_code;
use super::relations::title_of;
use super::remove::note_taken_away;
use crate::record::{self, LinkedWhiteLabel};
use crate::sql::{all, get, one};
use crate::{Connection, StoreError, Tx};

/// Something that would miss a parcours.
#[derive(Debug, Clone, PartialEq)]
pub struct Use {
    /// `child`, `model`, `share` or `white_label`.
    pub kind: &'static str,
    pub id: i64,
    /// Its name; a share has none.
    pub title: Text,
}

/// Everything that uses a parcours, as a person may see it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Uses {
    /// What they see, the first fifty of each kind.
    pub items: Vec<Use>,
    /// How many they do not see: they are not named. 0 for a person of another white-label than its owner's.
    pub hidden_total: i64,
}

impl Uses {
    /// Whether nothing uses it.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.hidden_total == 0
    }
}

/// What uses a parcours of the white-label `owner`: children, copies of a model, active shares, other white-labels. `now`
/// ends old shares. The shares, the white-labels that have not published it, and how many uses are hidden are the owner's to know: only the
/// owner's people may delete it, and need the reason of a refusal.
pub async fn uses(
    db: &impl Connection,
    actor: &Actor,
    (id, owner): (ParcoursId, WhiteLabelId),
    now: i64,
) -> Result<Uses, StoreError> {
    let mut found = Uses::default();
    let is_theirs = actor.works_in(owner);
    for (kind, column) in [("child", "parent_id"), ("model", "model_id")] {
        let sql = format!(
            "SELECT p.id, c.card FROM parcours p JOIN parcours_card c ON c.parcours_id = p.id WHERE p.{column} = $1 AND {} ORDER BY p.id LIMIT 50",
            visible_to(actor)
        );
        for row in all(db, &sql, [id.0.into()]).await? {
            let user: i64 = get(&row, "id")?;
            found.items.push(Use { kind, id: user, title: title_of(user, &get::<String>(&row, "card")?)? });
        }
        if is_theirs {
            let sql = format!("SELECT COUNT(*) FROM parcours p WHERE p.{column} = $1 AND NOT {}", visible_to(actor));
            let hidden: Option<i64> = one(db, &sql, [id.0.into()]).await?.map(|row| get(&row, 0)).transpose()?;
            found.hidden_total += hidden.unwrap_or(0);
        }
    }
    if is_theirs {
        let sql = "SELECT id FROM parcours_share WHERE parcours_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) ORDER BY id LIMIT 50";
        for row in all(db, sql, [id.0.into(), now.into()]).await? {
            found.items.push(Use { kind: "share", id: get(&row, 0)?, title: Text::default() });
        }
    }
    // People of the owner are shown all of them.
    let shown = shown_to(actor, owner, record::linked_white_labels(db, Kind::Parcours, id.0).await?);
    let named = |link: LinkedWhiteLabel| Use { kind: "white_label", id: link.id.0, title: Text::in_french(link.name) };
    found.items.extend(shown.into_iter().map(named));
    Ok(found)
}

/// The parent under which a parcours is shown, where a person may see it: number and name.
pub async fn shown_under(
    db: &impl Connection,
    actor: &Actor,
    id: ParcoursId,
) -> Result<Option<(ParcoursId, Text)>, StoreError> {
    let (both, under) = (relation_code(Relation::Child), relation_code(Relation::ChildOnly));
    let sql = format!(
        "SELECT p.id, c.card FROM parcours child JOIN parcours p ON p.id = child.parent_id JOIN parcours_card c ON c.parcours_id = p.id
        WHERE child.id = $1 AND child.relation IN ({both}, {under}) AND {} AND {}",
        stands_under("child", "p"),
        visible_to(actor)
    );
    let Some(row) = one(db, &sql, [id.0.into()]).await? else { return Ok(None) };
    let parent: i64 = get(&row, "id")?;
    Ok(Some((ParcoursId(parent), title_of(parent, &get::<String>(&row, "card")?)?)))
}

/// The white-labels that added a record, as a person may see them: all of them where the record is theirs; else those
/// that publish it, and their own.
pub fn shown_to(actor: &Actor, owner: WhiteLabelId, links: Vec<LinkedWhiteLabel>) -> Vec<LinkedWhiteLabel> {
    let all = actor.works_in(owner);
    links.into_iter().filter(|link| all || link.published || actor.works_in(link.id)).collect()
}

/// Adds a parcours to a white-label, or changes its switch there. It is among the changes of feeds, and so is its parent's family: feeds name what
/// their white-label added. Where its switch is the same already, nothing is written.
pub async fn link_white_label(
    tx: &Tx,
    id: ParcoursId,
    white_label: WhiteLabelId,
    published: bool,
    at: Instant,
) -> Result<(), StoreError> {
    // Its words are written anew: a save of the same moment must not be overwritten with those from before.
    let stored = super::detail::lock(tx, id).await?;
    let links = record::linked_white_labels(tx, Kind::Parcours, id.0).await?;
    if links.iter().any(|link| link.id == white_label && link.published == published) {
        return Ok(());
    }
    if published {
        note_changed(tx, id, at).await?;
    } else {
        note_taken_away(tx, id, Some(white_label), at).await?;
    }
    record::link_white_label(tx, Kind::Parcours, id.0, white_label, published).await?;
    super::write::reindex(tx, id).await?;
    note_family(tx, stored.and_then(|stored| stored.sheet.parent_id), at).await
}

/// Takes a parcours away from a white-label, whose feed lists it as removed. False when it was not there.
pub async fn unlink_white_label(
    tx: &Tx,
    id: ParcoursId,
    white_label: WhiteLabelId,
    at: Instant,
) -> Result<bool, StoreError> {
    let stored = super::detail::lock(tx, id).await?;
    note_taken_away(tx, id, Some(white_label), at).await?;
    let gone = record::unlink_white_label(tx, Kind::Parcours, id.0, white_label).await?;
    super::write::reindex(tx, id).await?;
    if gone {
        note_family(tx, stored.and_then(|stored| stored.sheet.parent_id), at).await?;
    }
    Ok(gone)
}

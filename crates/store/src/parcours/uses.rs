//! Who uses a parcours, what it uses that is not there, and the white-labels that added it.

use domain::parcours::{STEP_LINES, Sheet};
use domain::step::StepReferences;
use domain::vocabulary::VocabularyKind;
use domain::{Actor, ParcoursId, Text, WhiteLabelId};
use sea_orm::Value;

use super::detail::visible_to;
use super::relations::title_of;
use super::sql::{all, execute, flag, get, numbers, one};
use crate::{Connection, StoreError, Tx};

/// Something that would miss a parcours.
#[derive(Debug, Clone, PartialEq)]
pub struct Use {
    /// `child`, `model`, `share` or `white_label`.
    pub kind: &'static str,
    /// Its number.
    pub id: i64,
    /// Its name; a share has none.
    pub title: Text,
}

/// Everything that uses a parcours, as a person may be told of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Uses {
    /// What they see, the first fifty of each kind.
    pub items: Vec<Use>,
    /// How many they do not see: they are not named.
    pub hidden_total: i64,
}

impl Uses {
    /// Whether nothing uses it.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.hidden_total == 0
    }
}

/// What uses a parcours of the white-label `owner`: children, copies of a model, active shares, other white-labels. `now`
/// ends old shares. The shares, and the white-labels that have not published it, are the owner's to know.
pub async fn uses(
    db: &impl Connection,
    actor: &Actor,
    (id, owner): (ParcoursId, WhiteLabelId),
    now: i64,
) -> Result<Uses, StoreError> {
    let mut found = Uses::default();
    for (kind, column) in [("child", "parent_id"), ("model", "model_id")] {
        let sql = format!(
            "SELECT p.id, c.card FROM parcours p JOIN parcours_card c ON c.parcours_id = p.id WHERE p.{column} = $1 AND {} ORDER BY p.id LIMIT 50",
            visible_to(actor)
        );
        for row in all(db, &sql, [id.0.into()]).await? {
            let user: i64 = get(&row, 0)?;
            found.items.push(Use { kind, id: user, title: title_of(user, &get::<String>(&row, 1)?)? });
        }
        let sql = format!("SELECT COUNT(*) FROM parcours p WHERE p.{column} = $1 AND NOT {}", visible_to(actor));
        found.hidden_total += one(db, &sql, [id.0.into()]).await?.map(|row| get(&row, 0)).transpose()?.unwrap_or(0);
    }
    let sql = "SELECT id FROM parcours_share WHERE parcours_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) ORDER BY id LIMIT 50";
    let shares = all(db, sql, [id.0.into(), now.into()]).await?;
    if actor.works_in(owner) {
        for row in shares {
            found.items.push(Use { kind: "share", id: get(&row, 0)?, title: Text::default() });
        }
    } else {
        found.hidden_total += shares.len() as i64;
    }
    let links = linked_white_labels(db, id).await?;
    let all_links = links.len();
    let shown = shown_to(actor, owner, links);
    found.hidden_total += (all_links - shown.len()) as i64;
    let named = |link: LinkedWhiteLabel| Use { kind: "white_label", id: link.id.0, title: Text::in_french(link.name) };
    found.items.extend(shown.into_iter().map(named));
    Ok(found)
}

/// Those of the white-labels that added a record which a person is told: all of them where its owner is theirs; else those
/// that publish it, and their own.
pub fn shown_to(actor: &Actor, owner: WhiteLabelId, links: Vec<LinkedWhiteLabel>) -> Vec<LinkedWhiteLabel> {
    let all = actor.works_in(owner);
    links.into_iter().filter(|link| all || link.published || actor.works_in(link.id)).collect()
}

/// A white-label that added a parcours of another.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkedWhiteLabel {
    /// Which.
    pub id: WhiteLabelId,
    /// Its name.
    pub name: String,
    /// Its own switch.
    pub published: bool,
}

/// The white-labels that added a parcours, by name.
pub async fn linked_white_labels(db: &impl Connection, id: ParcoursId) -> Result<Vec<LinkedWhiteLabel>, StoreError> {
    let sql =
        "SELECT w.id, w.name, l.published FROM parcours_white_label l JOIN white_label w ON w.id = l.white_label_id
        WHERE l.parcours_id = $1 ORDER BY w.name, w.id";
    all(db, sql, [id.0.into()])
        .await?
        .iter()
        .map(|row| {
            Ok(LinkedWhiteLabel { id: WhiteLabelId(get(row, 0)?), name: get(row, 1)?, published: flag(row, 2)? })
        })
        .collect()
}

/// Adds a parcours to a white-label, or changes its switch there.
pub async fn link_white_label(
    tx: &Tx,
    id: ParcoursId,
    white_label: WhiteLabelId,
    published: bool,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO parcours_white_label (parcours_id, white_label_id, published) VALUES ($1, $2, $3)
        ON CONFLICT (parcours_id, white_label_id) DO UPDATE SET published = excluded.published";
    execute(tx, sql, [id.0.into(), white_label.0.into(), i16::from(published).into()]).await?;
    super::write::reindex(tx, id).await
}

/// Takes a parcours away from a white-label. False when it was not there.
pub async fn unlink_white_label(tx: &Tx, id: ParcoursId, white_label: WhiteLabelId) -> Result<bool, StoreError> {
    let sql = "DELETE FROM parcours_white_label WHERE parcours_id = $1 AND white_label_id = $2";
    let gone = execute(tx, sql, [id.0.into(), white_label.0.into()]).await? > 0;
    super::write::reindex(tx, id).await?;
    Ok(gone)
}

/// What a sheet and its steps point to and is not there: the field's name, see [`domain::parcours::kind_of_reference`],
/// and the number. Only `changed` fields are looked at.
pub async fn missing_references(
    db: &impl Connection,
    sheet: &Sheet,
    steps: &StepReferences,
    changed: &[&str],
) -> Result<Vec<(String, i64)>, StoreError> {
    let mut missing = Vec::new();
    let one = |id: Option<i64>| id.into_iter().collect::<Vec<_>>();
    let special: Vec<i64> = sheet.special_levels.values().copied().collect();
    let terms: [(&str, &str, Vec<i64>); 8] = [
        ("practice_type_id", VocabularyKind::PracticeType.as_str(), one(sheet.practice_type_id)),
        ("level_id", VocabularyKind::Level.as_str(), one(sheet.level_id)),
        ("special_levels", VocabularyKind::Level.as_str(), special),
        ("theme_ids", VocabularyKind::ParcoursTheme.as_str(), sheet.theme_ids.clone()),
        ("tag_ids", VocabularyKind::Tag.as_str(), sheet.tag_ids.clone()),
        ("marking_ids", VocabularyKind::Marking.as_str(), sheet.marking_ids.clone()),
        ("equipment_ids", VocabularyKind::Equipment.as_str(), sheet.equipment_ids.clone()),
        ("steps", VocabularyKind::PracticeType.as_str(), steps.practices.clone()),
    ];
    for (field, kind, ids) in terms.into_iter().filter(|(field, _, ids)| changed.contains(field) && !ids.is_empty()) {
        let sql = format!("SELECT id FROM vocabulary WHERE kind = $1 AND id IN {}", numbers(&ids));
        absent(db, &sql, vec![kind.into()], field, &ids, &mut missing).await?;
    }
    let records: [(&str, &str, &[i64]); 7] = [
        ("poi_ids", "poi", &sheet.poi_ids),
        ("media_ids", "media", &sheet.media_ids),
        ("audio_main_media_id", "media", sheet.audio_main_media_id.as_slice()),
        ("audio_transition_media_id", "media", sheet.audio_transition_media_id.as_slice()),
        ("itinerary_ids", "itinerary", &sheet.itinerary_ids),
        ("contact_id", "contact", sheet.contact_id.as_slice()),
        (STEP_LINES, "transport_line", &steps.lines),
    ];
    for (field, table, ids) in records {
        let touched = changed.contains(&field) || (field == STEP_LINES && changed.contains(&"steps"));
        if touched && !ids.is_empty() {
            let sql = format!("SELECT id FROM {table} WHERE id IN {}", numbers(ids));
            absent(db, &sql, Vec::new(), field, ids, &mut missing).await?;
        }
    }
    Ok(missing)
}

async fn absent(
    db: &impl Connection,
    sql: &str,
    values: Vec<Value>,
    field: &str,
    asked: &[i64],
    missing: &mut Vec<(String, i64)>,
) -> Result<(), StoreError> {
    let there = all(db, sql, values).await?.iter().map(|row| get::<i64>(row, 0)).collect::<Result<Vec<_>, _>>()?;
    missing.extend(asked.iter().filter(|id| !there.contains(id)).map(|id| (field.to_owned(), *id)));
    Ok(())
}

//! Walks: one row for each saved language of a parcours; and the links to its sounds.

use std::collections::BTreeMap;

use domain::audio::AudioWalk;
use domain::{Instant, ParcoursId, UserId};
use sea_orm::{QueryResult, Value};

use crate::parcours_link::LinkKind;
use crate::record::restore_reference;
use crate::sql::{all, execute, flag, get, json, one, person, text};
use crate::{Connection, StoreError, Tx};

const TABLE: &str = "audio_walk";

/// A saved walk.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredWalk {
    pub language: String,
    /// Number of its last save, from 1.
    pub version: i64,
    pub walk: AudioWalk,
    /// When it was saved.
    pub updated_at: Instant,
    /// The user who saved it last: id and full name.
    pub updated_by: Option<(UserId, String)>,
}

/// A walk in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkHead {
    pub language: String,
    /// Whether it is shown.
    pub enabled: bool,
    /// How many stops it has.
    pub stops: usize,
}

const COLUMNS: &str = r#"w.language, w.version, w.walk, w.updated_at, w.updated_by, u.first_name, u.last_name
    FROM audio_walk w LEFT JOIN "user" u ON u.id = w.updated_by"#;

fn read(id: ParcoursId, row: &QueryResult) -> Result<StoredWalk, StoreError> {
    Ok(StoredWalk {
        language: get(row, "language")?,
        version: get(row, "version")?,
        walk: json(TABLE, id.0, &get::<String>(row, "walk")?)?,
        updated_at: Instant(get(row, "updated_at")?),
        updated_by: person(row, ["updated_by", "first_name", "last_name"])?,
    })
}

/// The walk of a parcours in a language, if one was saved.
pub async fn find(db: &impl Connection, id: ParcoursId, language: &str) -> Result<Option<StoredWalk>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE w.parcours_id = $1 AND w.language = $2");
    one(db, &sql, [id.0.into(), language.into()]).await?.map(|row| read(id, &row)).transpose()
}

async fn of(db: &impl Connection, id: ParcoursId) -> Result<Vec<StoredWalk>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE w.parcours_id = $1 ORDER BY w.language");
    all(db, &sql, [id.0.into()]).await?.iter().map(|row| read(id, row)).collect()
}

/// The walks of a parcours in short.
pub async fn heads(db: &impl Connection, id: ParcoursId) -> Result<Vec<WalkHead>, StoreError> {
    let head =
        |one: StoredWalk| WalkHead { language: one.language, enabled: one.walk.enabled, stops: one.walk.stops.len() };
    Ok(of(db, id).await?.into_iter().map(head).collect())
}

/// The walks of a parcours that are shown.
pub async fn enabled(db: &impl Connection, id: ParcoursId) -> Result<Vec<StoredWalk>, StoreError> {
    Ok(of(db, id).await?.into_iter().filter(|one| one.walk.enabled).collect())
}

/// Stores a walk as the next version, with the media of its sounds. The caller has locked the parcours, so that no other save comes
/// in between.
pub async fn save(
    tx: &Tx,
    id: ParcoursId,
    language: &str,
    walk: &AudioWalk,
    sounds: &[i64],
    by: UserId,
    at: Instant,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO audio_walk (parcours_id, language, version, enabled, walk, sounds, updated_at, updated_by)
        VALUES ($1, $2, 1, $3, $4, $5, $6, $7)
        ON CONFLICT (parcours_id, language) DO UPDATE SET version = audio_walk.version + 1, enabled = excluded.enabled,
        walk = excluded.walk, sounds = excluded.sounds, updated_at = excluded.updated_at, updated_by = excluded.updated_by";
    let values: [Value; 7] = [
        id.0.into(),
        language.into(),
        i16::from(walk.enabled).into(),
        text(walk).into(),
        text(&sounds).into(),
        at.0.into(),
        by.0.into(),
    ];
    execute(tx, sql, values).await?;
    relink(tx, id).await
}

/// Keeps the media a walk is heard with: a voice made one.
pub async fn set_sounds(tx: &Tx, id: ParcoursId, language: &str, sounds: &[i64]) -> Result<(), StoreError> {
    let sql = "UPDATE audio_walk SET sounds = $3 WHERE parcours_id = $1 AND language = $2";
    execute(tx, sql, [id.0.into(), language.into(), text(&sounds).into()]).await?;
    relink(tx, id).await
}

/// The number of each media, and whether a walk that is shown has it.
async fn sounds(tx: &Tx, id: i64) -> Result<BTreeMap<i64, bool>, StoreError> {
    let mut found = BTreeMap::new();
    for row in all(tx, "SELECT enabled, sounds FROM audio_walk WHERE parcours_id = $1", [id.into()]).await? {
        let (enabled, sounds) = (flag(&row, 0)?, json::<Vec<i64>>(TABLE, id, &get::<String>(&row, 1)?)?);
        for media in sounds {
            *found.entry(media).or_default() |= enabled;
        }
    }
    Ok(found)
}

/// Writes the links of the walks of a parcours: who uses a media, and whether it is shown, follow from them.
pub(crate) async fn relink(tx: &Tx, id: ParcoursId) -> Result<(), StoreError> {
    let (shown_sound, sound_aside) = (LinkKind::WalkSound as i16, LinkKind::WalkSoundAside as i16);
    let sql = format!("DELETE FROM parcours_link WHERE parcours_id = $1 AND kind IN ({shown_sound}, {sound_aside})");
    execute(tx, &sql, [id.0.into()]).await?;
    let rows: Vec<String> = sounds(tx, id.0)
        .await?
        .into_iter()
        .map(|(media, shown)| format!("({}, {media}, {})", if shown { shown_sound } else { sound_aside }, id.0))
        .collect();
    if !rows.is_empty() {
        let sql = format!("INSERT INTO parcours_link (kind, target_id, parcours_id) VALUES {}", rows.join(","));
        execute(tx, &sql, []).await?;
    }
    Ok(())
}

/// Makes the walks of a parcours hear another media than this one, or none. False when they did not hear it.
pub(crate) async fn repoint(tx: &Tx, id: ParcoursId, from: i64, to: Option<i64>) -> Result<bool, StoreError> {
    if !sounds(tx, id.0).await?.contains_key(&from) {
        return Ok(false);
    }
    // A deleted recording of a spoken text is made again at the next request.
    execute(tx, "DELETE FROM audio_clip WHERE media_id = $1", [from.into()]).await?;
    for stored in of(tx, id).await? {
        let before_walk = stored.walk.clone();
        let mut walk = stored.walk;
        if walk.repoint(from, to) {
            keep_freed(tx, id, from, &stored.language, (&before_walk, &walk)).await?;
        }
        let row = one(
            tx,
            "SELECT sounds FROM audio_walk WHERE parcours_id = $1 AND language = $2",
            [id.0.into(), stored.language.clone().into()],
        );
        let Some(row) = row.await? else { continue };
        let before: Vec<i64> = json(TABLE, id.0, &get::<String>(&row, 0)?)?;
        let sounds: Vec<i64> =
            before.iter().filter_map(|media| if *media == from { to } else { Some(*media) }).collect();
        if sounds != before {
            let sql = "UPDATE audio_walk SET version = version + 1, walk = $3, sounds = $4
                WHERE parcours_id = $1 AND language = $2";
            let values: [Value; 4] = [id.0.into(), stored.language.into(), text(&walk).into(), text(&sounds).into()];
            execute(tx, sql, values).await?;
        }
    }
    relink(tx, id).await?;
    Ok(true)
}

/// Keeps a walk as it was before a recording was taken out of it, and after.
async fn keep_freed(
    tx: &Tx,
    id: ParcoursId,
    media: i64,
    language: &str,
    (before, after): (&AudioWalk, &AudioWalk),
) -> Result<(), StoreError> {
    let sql = "INSERT INTO audio_walk_freed (media_id, parcours_id, language, walk_before, walk_after)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (media_id, parcours_id, language) DO UPDATE SET
        walk_before = excluded.walk_before, walk_after = excluded.walk_after";
    let values: [Value; 5] = [media.into(), id.0.into(), language.into(), text(before).into(), text(after).into()];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Whether a recording was taken out of the walks of a parcours.
pub(crate) async fn is_freed(tx: &Tx, id: ParcoursId, media: i64) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM audio_walk_freed WHERE media_id = $1 AND parcours_id = $2 LIMIT 1";
    Ok(one(tx, sql, [media.into(), id.0.into()]).await?.is_some())
}

/// Restores a recording in the walks of a parcours that it was removed from. `false` if the walks no longer exist, or if its places
/// were filled since.
pub(crate) async fn restore_recording(tx: &Tx, id: ParcoursId, media: i64) -> Result<bool, StoreError> {
    let sql = "SELECT language, walk_before, walk_after FROM audio_walk_freed WHERE media_id = $1 AND parcours_id = $2";
    let mut done = false;
    for row in all(tx, sql, [media.into(), id.0.into()]).await? {
        let language: String = get(&row, 0)?;
        let before: AudioWalk = json("audio_walk_freed", id.0, &get::<String>(&row, 1)?)?;
        let freed: AudioWalk = json("audio_walk_freed", id.0, &get::<String>(&row, 2)?)?;
        let place: [Value; 2] = [id.0.into(), language.clone().into()];
        let sql = "SELECT walk, sounds FROM audio_walk WHERE parcours_id = $1 AND language = $2";
        let Some(row) = one(tx, sql, place.clone()).await? else { continue };
        let now: AudioWalk = json(TABLE, id.0, &get::<String>(&row, 0)?)?;
        let walk = restore_reference(&before, &freed, &now, media);
        if walk == now {
            continue;
        }
        let mut sounds: Vec<i64> = json(TABLE, id.0, &get::<String>(&row, 1)?)?;
        if !sounds.contains(&media) {
            sounds.push(media);
        }
        let sql = "UPDATE audio_walk SET version = version + 1, walk = $3, sounds = $4
            WHERE parcours_id = $1 AND language = $2";
        execute(tx, sql, place.into_iter().chain([text(&walk).into(), text(&sounds).into()])).await?;
        done = true;
    }
    if done {
        relink(tx, id).await?;
    }
    Ok(done)
}

/// Forgets where a deleted recording was used: it was restored, or is erased for good.
pub(crate) async fn forget_freed(tx: &Tx, media: i64) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM audio_walk_freed WHERE media_id = $1", [media.into()]).await?;
    Ok(())
}

/// Forgets the walks of a parcours that is erased for good.
pub(crate) async fn forget(tx: &Tx, id: i64) -> Result<(), StoreError> {
    for table in ["audio_walk", "audio_job", "audio_walk_freed"] {
        execute(tx, &format!("DELETE FROM {table} WHERE parcours_id = $1"), [id.into()]).await?;
    }
    Ok(())
}

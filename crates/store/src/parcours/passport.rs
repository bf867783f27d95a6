//! What each parcours lacks, beside its row: written with each save, and when a picture it shows changes.

use domain::parcours::passport::{Lacks, Pictures};
use sea_orm::Value;

use super::detail;
use super::write::Stored;
use crate::parcours_link::LinkKind;
use crate::sql::{all, execute, get, numbers};
use crate::{Connection, Store, StoreError, Tx};

/// What the pictures among some media have.
async fn pictures(db: &impl Connection, media_ids: &[i64]) -> Result<Pictures, StoreError> {
    let mut found = Pictures::default();
    if media_ids.is_empty() {
        return Ok(found);
    }
    let sql = format!("SELECT lacks FROM media WHERE kind = 'image' AND id IN {}", numbers(media_ids));
    for row in all(db, &sql, []).await? {
        let lacks: i16 = get(&row, 0)?;
        let lacking = |lack: domain::media::MediaLack| lacks & lack as i16 != 0;
        found.count += 1;
        found.without_legend |= lacking(domain::media::MediaLack::Legend);
        found.without_copyright |= lacking(domain::media::MediaLack::Copyright);
        found.without_alt |= lacking(domain::media::MediaLack::Alt);
    }
    Ok(found)
}

/// What a parcours lacks.
pub(super) async fn lacks_of(db: &impl Connection, stored: &Stored, languages: &[String]) -> Result<Lacks, StoreError> {
    let pictures = pictures(db, &stored.sheet.media_ids).await?;
    Ok(Lacks::of(&stored.sheet, &stored.steps, stored.trace.as_ref(), pictures, languages))
}

/// Checks again the pictures of the parcours that show a media, after it was saved; the other lacks are not changed.
pub(crate) async fn look_again(tx: &Tx, media: i64) -> Result<(), StoreError> {
    let sql = "SELECT parcours_id FROM parcours_link WHERE kind = $1 AND target_id = $2 ORDER BY parcours_id";
    let values: [Value; 2] = [(LinkKind::Media as i16).into(), media.into()];
    let users = all(tx, sql, values).await?.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    for id in users {
        let seen = pictures(tx, &shown_by(tx, id).await?).await?.bits();
        let sql = "UPDATE parcours SET lack_bits = (lack_bits & $2) | $3 WHERE id = $1 AND lack_bits >= 0 AND lack_bits <> ((lack_bits & $2) | $3)";
        execute(tx, sql, [id.into(), (!Pictures::BITS).into(), seen.into()]).await?;
    }
    Ok(())
}

/// The media a parcours shows.
async fn shown_by(tx: &Tx, id: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT target_id FROM parcours_link WHERE parcours_id = $1 AND kind = $2";
    all(tx, sql, [id.into(), (LinkKind::Media as i16).into()]).await?.iter().map(|row| get(row, 0)).collect()
}

/// Parcours worked out in one transaction.
const AT_ONCE: usize = 500;

/// Works out what was not yet: parcours of a version that had no passport. How many there were.
pub async fn work_out_lacks(store: &Store, languages: &[String]) -> Result<usize, StoreError> {
    let (mut done, mut after) = (0, i64::MIN);
    loop {
        let sql = format!("SELECT id FROM parcours WHERE lack_bits < 0 AND id > $1 ORDER BY id LIMIT {AT_ONCE}");
        let ids = all(store.read(), &sql, [after.into()])
            .await?
            .iter()
            .map(|row| get(row, 0).map(domain::ParcoursId))
            .collect::<Result<Vec<_>, _>>()?;
        let Some(last) = ids.last() else { return Ok(done) };
        after = last.0;
        let tx = store.begin().await?;
        for stored in detail::load_many(&tx, &ids).await? {
            let lacks = lacks_of(&tx, &stored, languages).await?;
            let sql = "UPDATE parcours SET lack_bits = $2 WHERE id = $1";
            execute(&tx, sql, [stored.id.0.into(), lacks.0.into()]).await?;
        }
        done += ids.len();
        tx.commit().await?;
    }
}

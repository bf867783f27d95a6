//! Media: what is known of them, what was made of them. Their bytes are in [`crate::Blobs`].

mod blob;
mod list;
mod made;
mod public;

use std::collections::HashMap;

pub use blob::{forget_blobs, orphans, remember_blobs};
use domain::media::MediaSheet;
use domain::record::Kind;
use domain::{Actor, MediaId, MediaKind, Text, fold};
pub use list::{MediaCounts, MediaFilter, MediaPage, duplicates, ids, list};
pub use made::{SIZES, SIZES_ATTEMPTS, ask_again, is_waiting, made_of, set_made, waiting};
pub(crate) use public::is_shown_in_public;
pub use public::{is_public, public_among, shown_by, worn_among};
use sea_orm::Value;

use crate::record::{Record, Stored, Words};
use crate::sql::{all, get, numbers};
use crate::{Connection, StoreError, Tx, search};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct Medias;

impl Record for Medias {
    type Sheet = MediaSheet;
    const KIND: Kind = Kind::Media;
    const TABLE: &'static str = "media";
    const OWNED: bool = true;
    const WORDS: Option<Words> = Some(Words(search::MEDIA));

    fn columns(record: &Stored<MediaSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let MediaSheet { file_name, file, .. } = &record.sheet;
        vec![
            ("file_name", file_name.clone().into()),
            ("sort_title", fold(file_name).into()),
            ("kind", file.kind.as_str().into()),
            ("bytes", (file.bytes as i64).into()),
            ("width", file.width.map(i64::from).into()),
            ("height", file.height.map(i64::from).into()),
            ("sha256", file.sha256.clone().into()),
            ("lacks", record.sheet.lacks().into()),
        ]
    }

    /// Its legend, as people call it; a media that has none is called by its file.
    fn title(sheet: &MediaSheet) -> Text {
        if sheet.legend.is_empty() { Text::in_french(sheet.file_name.clone()) } else { sheet.legend.clone() }
    }

    fn words(sheet: &MediaSheet) -> String {
        let texts = sheet.legend.iter().chain(sheet.alt.iter()).map(|(_, words)| words);
        let words: Vec<&str> = texts.chain([sheet.file_name.as_str()]).chain(sheet.copyright.as_deref()).collect();
        words.join(" ")
    }

    async fn saved(tx: &Tx, record: &Stored<MediaSheet>) -> Result<(), StoreError> {
        blob::remember_blobs(tx, MediaId(record.id), &record.sheet.blobs()).await?;
        made::ask(tx, record).await?;
        crate::parcours::look_again(tx, record.id).await
    }
}

/// One media.
pub async fn find(db: &impl Connection, id: MediaId) -> Result<Option<Stored<MediaSheet>>, StoreError> {
    crate::record::load::<Medias>(db, id.0).await
}

/// What each of these media is; those that are not there are left out.
pub async fn kinds(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, MediaKind>, StoreError> {
    let sql = format!("SELECT id, kind FROM media WHERE id IN {}", numbers(ids));
    let mut found = HashMap::new();
    for row in all(db, &sql, []).await? {
        let (id, word): (i64, String) = (get(&row, 0)?, get(&row, 1)?);
        found.extend(MediaKind::parse(&word).map(|kind| (id, kind)));
    }
    Ok(found)
}

/// Whether the person sees a media: of their white-labels, added by one of theirs, or shown by a published record.
pub async fn is_seen(db: &impl Connection, actor: &Actor, media: &Stored<MediaSheet>) -> Result<bool, StoreError> {
    if media.white_label_id.is_some_and(|owner| actor.works_in(owner)) {
        return Ok(true);
    }
    let added = crate::record::linked_white_labels(db, Kind::Media, media.id).await?;
    Ok(added.iter().any(|link| actor.works_in(link.id)) || is_public(db, MediaId(media.id)).await?)
}

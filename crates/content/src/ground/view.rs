//! The view of an entry.

use std::collections::HashMap;

use app::record::{Named, TitledParcours};
use domain::ground::{GroundKind, GroundText};
use domain::{Actor, Instant, MediaKind, UserId};
use serde::Serialize;
use store::ground::{self as rows, Entry};
use store::media::{Medias, made_of};
use store::record::load_many;
use store::{Connection, StoreError};
use utoipa::ToSchema;

use super::GroundError;
use crate::media::{address, original_address};

/// An entry that was made on the ground.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = GroundEntry)]
pub struct GroundEntryView {
    /// The UUID that the device made.
    id: String,
    kind: GroundKind,
    /// The parcours it is about, while it is there.
    parcours: Option<TitledParcours>,
    /// Who made it.
    by: Named,
    /// When it was made, by the clock of the server.
    made_at: Instant,
    /// When it came to the server.
    received_at: Instant,
    /// Longitude and latitude.
    #[schema(value_type = Option<trace::Place>)]
    position: Option<[f64; 2]>,
    /// Radius of the position, metres.
    accuracy_m: Option<f64>,
    #[serde(flatten)]
    body: GroundText,
    /// Its photos and sounds, as far as they are there.
    media: Vec<GroundMedia>,
    /// What was made from it.
    result: Option<GroundResult>,
    /// When it was reviewed; none while it waits.
    reviewed_at: Option<Instant>,
    /// Who reviewed it; none where it went in without a review.
    reviewed_by: Option<Named>,
}

/// A photo or a sound of an entry.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GroundMedia {
    id: i64,
    /// A small picture, once it is made.
    thumb_url: Option<String>,
    /// The sound itself; null for a photo.
    sound_url: Option<String>,
}

/// What was made from an entry. It may be deleted since.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GroundResult {
    /// `poi` or `field_report`.
    kind: String,
    id: i64,
}

fn named((id, name): (UserId, String)) -> Named {
    Named { id: id.0, name }
}

/// The views of entries, for one reader.
pub(super) async fn views(
    actor: &Actor,
    db: &impl Connection,
    entries: Vec<Entry>,
) -> Result<Vec<GroundEntryView>, StoreError> {
    let ids: Vec<i64> = entries.iter().flat_map(|entry| entry.media_ids.iter().copied()).collect();
    let theirs = load_many::<Medias>(db, &ids)
        .await?
        .into_iter()
        .filter(|one| one.white_label_id.is_some_and(|owner| actor.works_in(owner)));
    let made = made_of(db, &ids).await?;
    let shown = |id: i64, kind: MediaKind| {
        let made = made.get(&id).filter(|made| made.variants.iter().any(|one| one.name == THUMBNAIL));
        let sound_url = (kind == MediaKind::Audio).then(|| original_address(id));
        GroundMedia { id, thumb_url: made.map(|made| address(id, THUMBNAIL, made.made)), sound_url }
    };
    let medias: HashMap<i64, GroundMedia> =
        theirs.map(|media| (media.id, shown(media.id, media.sheet.file.kind))).collect();
    let view = |entry: Entry| GroundEntryView {
        id: entry.id,
        kind: entry.kind,
        parcours: entry.parcours_id.zip(entry.parcours_title).map(|(id, title)| TitledParcours { id: id.0, title }),
        by: named(entry.by),
        made_at: entry.made_at,
        received_at: entry.received_at,
        position: entry.position,
        accuracy_m: entry.accuracy_m,
        body: entry.body,
        media: entry.media_ids.iter().filter_map(|id| medias.get(id).cloned()).collect(),
        result: entry.result.map(|(kind, id)| GroundResult { kind, id }),
        reviewed_at: entry.reviewed_at,
        reviewed_by: entry.reviewed_by.map(named),
    };
    Ok(entries.into_iter().map(view).collect())
}

/// The view of one entry that is there.
pub(super) async fn one(actor: &Actor, db: &impl Connection, id: &str) -> Result<GroundEntryView, GroundError> {
    let entry = rows::find(db, id).await?.ok_or(GroundError::NotFound)?;
    views(actor, db, vec![entry]).await?.pop().ok_or(GroundError::NotFound)
}

/// The variant that lists show.
const THUMBNAIL: &str = "thumb-webp";

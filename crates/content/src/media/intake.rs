//! Checks an uploaded file and stores it as media.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use app::App;
use app::extract::broken_body;
use app::problem::Internal;
use app::record::operations::change;
use app::record::{Refusal as Refused, Resource as _};
use app::token::new_token;
use axum::body::Body;
use domain::media::{MediaFile, MediaPurpose, MediaSheet};
use domain::{Actor, WhiteLabelId, hexadecimal};
use http_body_util::BodyExt;
use media::{Inspection, Refusal};
use sha2::{Digest, Sha256};
use store::Tx;
use store::media::Medias;
use store::record::{self as rows, Stored};
use tokio::io::AsyncWriteExt;
use tokio::sync::OwnedSemaphorePermit;

use super::work::MediaProcessing;
use super::{MediaError, MediaResource, refused};

/// A temporary file, deleted when the value is dropped.
#[derive(Debug)]
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// A name in the folder of files that are on their way.
    pub fn new(app: &App) -> Result<Self, Internal> {
        std::fs::create_dir_all(&app.uploads).map_err(Internal::new)?;
        Ok(Self(app.uploads.join(format!("{}.tmp", new_token()))))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Writes a body into a file, piece by piece, up to a number of bytes.
pub async fn receive(app: &App, body: Body, max_bytes: u64) -> Result<Scratch, MediaError> {
    let scratch = Scratch::new(app)?;
    let mut file = tokio::fs::File::create(&scratch.0).await.map_err(Internal::new)?;
    let (mut body, mut received) = (body, 0_u64);
    while let Some(frame) = body.frame().await {
        let Ok(piece) = frame.map_err(|error| Refused::Rejected(broken_body(&error)))?.into_data() else { continue };
        received += piece.len() as u64;
        if received > max_bytes {
            return Err(refused(Refusal::TooLarge { max_bytes }).into());
        }
        file.write_all(&piece).await.map_err(Internal::new)?;
    }
    file.flush().await.map_err(Internal::new)?;
    Ok(scratch)
}

/// Inspects a file, stores its bytes, and returns what is stored. A file of another kind than `wanted` is refused by its first bytes.
pub(crate) async fn take(
    app: &App,
    path: &Path,
    purpose: MediaPurpose,
    wanted: Option<domain::MediaKind>,
) -> Result<MediaFile, MediaError> {
    // Two at the same time: a photo of 25 MB is read whole. The work has the permit: that of a request that ended meanwhile counts too.
    let processing = app.shared::<MediaProcessing>();
    let turn = Arc::clone(&processing.inspections).acquire_owned().await.map_err(Internal::new)?;
    let (limits, pdfs, at) = (Arc::clone(&app.settings.media), Arc::clone(&app.pdf_reader), path.to_owned());
    let looked = tokio::task::spawn_blocking(move || -> std::io::Result<_> {
        let found = match media::inspect(&at, &limits, purpose, wanted, pdfs.as_ref())? {
            Ok(found) => found,
            Err(refusal) => return Ok(Err(refusal)),
        };
        Ok(Ok((found, checksum(&at)?, std::fs::metadata(&at)?.len(), turn)))
    });
    // A panic of a reader means that the file is damaged.
    let looked = looked.await.unwrap_or(Ok(Err(Refusal::Broken))).map_err(Internal::new)?;
    let (found, sha256, bytes, turn) = looked.map_err(super::refused)?;
    let blob_key = format!("media/{}", new_token());
    app.blobs.put_file(&blob_key, path).await?;
    let shown_key =
        if found.places.is_empty() { None } else { Some(shown_copy(app, path, &found, &blob_key, turn).await?) };
    let file = MediaFile {
        kind: found.format.kind(),
        mime: found.format.mime().to_owned(),
        bytes,
        width: found.width,
        height: found.height,
        duration_ms: found.duration_ms,
        pages: found.pages,
        location: found.location,
        sha256,
        purpose: found.purpose,
        blob_key,
        shown_key,
    };
    Ok(file)
}

/// Inspects bytes in memory as content, stores them, and returns what is stored.
pub async fn take_bytes(app: &App, bytes: &[u8]) -> Result<MediaFile, MediaError> {
    let scratch = Scratch::new(app)?;
    tokio::fs::write(&scratch.0, bytes).await.map_err(Internal::new)?;
    take(app, &scratch.0, MediaPurpose::Content, None).await
}

/// Inspects a copy of a file on the disk as content, stores it, and returns what is stored.
pub async fn take_file(app: &App, path: &Path) -> Result<MediaFile, MediaError> {
    let scratch = Scratch::new(app)?;
    tokio::fs::copy(path, &scratch.0).await.map_err(Internal::new)?;
    take(app, &scratch.0, MediaPurpose::Content, None).await
}

/// A copy without the place where it was taken.
async fn shown_copy(
    app: &App,
    path: &Path,
    found: &Inspection,
    key: &str,
    turn: OwnedSemaphorePermit,
) -> Result<String, MediaError> {
    let copy = Scratch::new(app)?;
    let (found, from, to) = (found.clone(), path.to_owned(), copy.0.clone());
    let copied = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        found.copy_without_place(&from, &to)
    });
    let copied = copied.await;
    copied.map_err(Internal::new)?.map_err(Internal::new)?;
    let key = format!("{key}.shown");
    app.blobs.put_file(&key, &copy.0).await?;
    Ok(key)
}

/// The SHA-256 of a file's bytes, in lower-case hexadecimal.
pub fn checksum(path: &Path) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    let mut file = std::fs::File::open(path)?;
    let mut piece = vec![0; 256 * 1024];
    loop {
        let read = std::io::Read::read(&mut file, &mut piece)?;
        if read == 0 {
            break;
        }
        hash.update(&piece[..read]);
    }
    Ok(hexadecimal(&hash.finalize()))
}

/// Inspects a file that has come and stores its bytes: the media that it becomes, not yet in the database.
pub(crate) async fn prepare(
    app: &App,
    actor: &Actor,
    white_label: WhiteLabelId,
    path: &Path,
    file_name: &str,
    purpose: MediaPurpose,
) -> Result<Stored<MediaSheet>, MediaError> {
    if !actor.may_write_in(white_label) {
        return Err(Refused::WhiteLabelNotYours.into());
    }
    let file = take(app, path, purpose, None).await?;
    let sheet = MediaSheet { file_name: named(file_name, &file), file, ..MediaSheet::default() };
    let blank = MediaResource::blank(app, actor, &app::record::At::default());
    Ok(Stored { white_label_id: Some(white_label), sheet, ..blank })
}

/// Makes the media that was prepared, in a transaction of the caller.
pub(crate) async fn insert(app: &App, tx: &Tx, actor: &Actor, prepared: Stored<MediaSheet>) -> Result<i64, MediaError> {
    Ok(rows::insert::<Medias>(tx, prepared, change(app, actor, None)).await?.id)
}

/// Makes a media of a file that has come.
pub(super) async fn make(
    app: &App,
    actor: &Actor,
    white_label: WhiteLabelId,
    path: &Path,
    file_name: &str,
    purpose: MediaPurpose,
) -> Result<i64, MediaError> {
    let prepared = prepare(app, actor, white_label, path, file_name, purpose).await?;
    let tx = app.store.begin().await?;
    let id = insert(app, &tx, actor, prepared).await?;
    tx.commit().await?;
    Ok(id)
}

/// The last part of a path, as some browsers send it; a generated name where it is empty.
pub(super) fn named(file_name: &str, file: &MediaFile) -> String {
    let last = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|c| !c.is_control()).take(200).collect();
    let name = name.trim();
    if name.is_empty() { file.kind.as_str().to_owned() } else { name.to_owned() }
}

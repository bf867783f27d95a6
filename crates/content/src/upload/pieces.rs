//! The pieces of files on their way: a blob each, with a key of its own, and a row that says where it is in the file.

use app::App;
use app::problem::Internal;
use app::token::new_token;
use futures_util::StreamExt;
use store::upload::{self as rows, Piece, Upload};
use tokio::io::AsyncWriteExt;

use super::UploadError;
use crate::media::intake::Scratch;
use crate::media::work::MediaProcessing;

/// Stores a piece behind what came before; gives the new length. Of two servers that store a piece of the same place, one
/// succeeds and the other deletes its blob.
pub(super) async fn add(app: &App, token: &str, at: u64, bytes: Vec<u8>) -> Result<u64, UploadError> {
    let blob_key = format!("upload/{token}/{}", new_token());
    let piece = Piece { blob_key, first_byte: at, bytes: bytes.len() as u64 };
    let tx = app.store.begin().await?;
    rows::announce_piece(&tx, token, &piece, app.now()).await?;
    tx.commit().await?;
    app.blobs.put(&piece.blob_key, bytes).await?;
    let tx = app.store.begin().await?;
    if rows::add_piece(&tx, token, &piece).await? {
        tx.commit().await?;
        return Ok(at + piece.bytes);
    }
    rows::forget_pieces(&tx, std::slice::from_ref(&piece.blob_key)).await?;
    tx.commit().await?;
    app.blobs.delete(&piece.blob_key).await?;
    let offset = rows::received(app.store.read(), token).await?.ok_or(UploadError::NotFound)?;
    Err(UploadError::Offset { offset })
}

/// Puts the pieces of a complete file together in a temporary file.
pub(super) async fn assemble(app: &App, upload: &Upload) -> Result<Scratch, Internal> {
    let scratch = Scratch::new(app)?;
    let mut file = tokio::fs::File::create(&scratch.0).await.map_err(Internal::new)?;
    let mut at = 0;
    for piece in rows::pieces(app.store.read(), &upload.token).await? {
        let lost =
            || Internal::new(format!("the piece of an upload from byte {at} on is missing or has another length"));
        let found = app.blobs.stream(&piece.blob_key, None).await?;
        let (_, mut bytes) =
            found.filter(|(total, _)| piece.first_byte == at && *total == piece.bytes).ok_or_else(lost)?;
        while let Some(bytes) = bytes.next().await {
            file.write_all(&bytes?).await.map_err(Internal::new)?;
        }
        at += piece.bytes;
    }
    file.flush().await.map_err(Internal::new)?;
    if at == upload.bytes {
        Ok(scratch)
    } else {
        Err(Internal::new(format!("an upload has {at} bytes of {}", upload.bytes)))
    }
}

/// Deletes the pieces of an upload that is over. What fails here is left to `tidy`.
pub(super) async fn delete(app: &App, token: &str) -> Result<(), Internal> {
    let keys: Vec<_> = rows::pieces(app.store.read(), token).await?.into_iter().map(|piece| piece.blob_key).collect();
    for key in &keys {
        app.blobs.delete(key).await?;
    }
    let tx = app.store.begin().await?;
    rows::forget_pieces(&tx, &keys).await?;
    Ok(tx.commit().await?)
}

/// The right to write a file: one request of this server at a time has it. Between servers the database decides (`add`).
pub(super) struct Writing<'a> {
    app: &'a App,
    token: &'a str,
}

impl<'a> Writing<'a> {
    /// Takes the lock, or fails when another request has it.
    pub(super) fn take(app: &'a App, token: &'a str) -> Result<Self, UploadError> {
        let processing = app.shared::<MediaProcessing>();
        let mut writing = processing.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if writing.insert(token.to_owned()) { Ok(Self { app, token }) } else { Err(UploadError::Locked) }
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        let processing = self.app.shared::<MediaProcessing>();
        processing.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner).remove(self.token);
    }
}

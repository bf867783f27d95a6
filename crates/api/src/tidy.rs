//! Erases expired data every hour: rows and files that users could no longer see.
//!
//! Rows, and files that all servers share, are erased by a job on one of the servers. Files in a folder that only one server may have
//! are deleted by each server.

use std::time::{Duration, UNIX_EPOCH};

use app::App;
use app::hourly::{self, Nothing};
use app::problem::Internal;
use domain::{DAY_S, HOUR_S};
use jobs::{Failure, JobEvent, JobKind, Lease, Step};
use store::{
    StoreError, Tx, audit, client_count, feedback, ground, known_device, login_failure, media, password_reset,
    personal_token, session, statistics, upload,
};

/// Blobs that are deleted in one go.
const ORPHANS: u32 = 200;

/// The most bytes of PDFs and pictures of public pages that are kept.
const MAX_KEPT_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// The most bytes of sounds of pieces of texts that were never read to the end.
const MAX_SPEECH_BYTES: u64 = 512 * 1024 * 1024;

/// How often each server looks at its own files.
const EVERY: Duration = Duration::from_secs(3600);

/// Erases old data. Every part can be repeated, and two servers that erase the same do no harm: no part needs the lease.
pub(crate) struct EraseExpired;

impl JobKind for EraseExpired {
    type Context = App;
    type Payload = Nothing;
    const NAME: &'static str = "erase_expired";
    const LIMIT: i64 = 1;

    async fn run(app: App, _: Lease, _: Nothing) -> Result<Step, Failure> {
        erase(&app).await?;
        Ok(Step::Later { seconds: HOUR_S })
    }

    async fn on_event(app: &App, tx: &Tx, _: &Nothing, event: JobEvent) -> Result<(), StoreError> {
        hourly::on_event::<Self>(app, tx, event).await
    }
}

/// Starts the deletion of this server's own files; it ends with the runtime.
pub fn start(app: App) {
    tokio::spawn(async move {
        loop {
            if let Err(error) = own_files(&app).await {
                tracing::warn!(%error, "files that are too old could not be deleted");
            }
            tokio::time::sleep(EVERY).await;
        }
    });
}

/// Erases all expired data before it returns: for tests.
pub async fn tidy(app: &App) -> Result<(), Internal> {
    erase(app).await?;
    own_files(app).await
}

/// Erases what left the bin, uploads that were never finished, expired sessions and links.
async fn erase(app: &App) -> Result<(), Internal> {
    let now = app.now();
    let tx = app.store.begin().await?;
    store::binned::expire(&tx, now).await?;
    upload::expire(&tx, now).await?;
    tx.commit().await?;
    upload_pieces(app).await?;
    sign_ins(app).await?;
    feedback(app).await?;
    // Single events are erased; their sums by day are kept.
    in_slices(app, async move |tx| statistics::tidy(tx, now).await, Tx::commit_aside).await?;
    let oldest = now.plus_s(-DAY_S * i64::from(app.settings.audit_retention_days));
    in_slices(app, async move |tx| audit::erase_before(tx, oldest).await, Tx::commit_aside).await?;
    // `commit`, not `commit_aside`: remembered lists of stops contain the deleted rows and must be read again.
    in_slices(app, async move |tx| store::transit::sweep(tx).await, Tx::commit).await?;
    in_slices(app, async move |tx| store::job::tidy(tx, now).await, Tx::commit_aside).await?;
    outputs::roadbook::expire_client_files(app).await?;
    outputs::roadbook::batch::tidy(app).await?;
    orphans(app).await
}

/// Erases slice after slice, each in a separate transaction, until nothing is left.
async fn in_slices(
    app: &App,
    erase: impl AsyncFn(&Tx) -> Result<bool, StoreError>,
    commit: impl AsyncFn(Tx) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    loop {
        let tx = app.store.begin().await?;
        let more = erase(&tx).await?;
        commit(tx).await?;
        if !more {
            return Ok(());
        }
    }
}

/// Deletes sessions, tokens and links that expired, devices that were not used for long, and failed sign-ins that no longer count.
///
/// In a separate transaction: it may have to wait for others, and holds no lock meanwhile.
async fn sign_ins(app: &App) -> Result<(), StoreError> {
    let (tx, now) = (app.store.begin().await?, app.now());
    login_failure::delete_faded(&tx, now).await?;
    client_count::delete_ended(&tx, now).await?;
    session::delete_expired(&tx, now, app.settings.session_idle_s).await?;
    known_device::delete_unused(&tx, now.plus_s(-app::session::DEVICE_S)).await?;
    password_reset::delete_expired(&tx, now).await?;
    personal_token::delete_expired(&tx, now).await?;
    tx.commit_aside().await
}

/// Erases reviews that were never confirmed, addresses that are no longer needed, reviews and reports of parcours that are
/// gone, and entries from the ground about such parcours.
async fn feedback(app: &App) -> Result<(), StoreError> {
    let (tx, now) = (app.store.begin().await?, app.now());
    feedback::tidy_reviews(&tx, now).await?;
    let photos = feedback::tidy_reports(&tx, now).await?;
    feedback::tidy_rest(&tx).await?;
    ground::delete_of_erased(&tx).await?;
    tx.commit_aside().await?;
    for key in &photos {
        app.blobs.delete(key).await?;
    }
    Ok(())
}

/// Deletes the pieces of uploads that are over, and those that a request did not finish storing within the hour.
async fn upload_pieces(app: &App) -> Result<(), Internal> {
    loop {
        let keys = upload::stale_pieces(app.store.read(), app.now().plus_s(-HOUR_S), ORPHANS.into()).await?;
        if keys.is_empty() {
            return Ok(());
        }
        for key in &keys {
            app.blobs.delete(key).await?;
        }
        let tx = app.store.begin().await?;
        upload::forget_pieces(&tx, &keys).await?;
        tx.commit().await?;
    }
}

/// Deletes the blobs of media that left the bin.
async fn orphans(app: &App) -> Result<(), Internal> {
    loop {
        let keys = media::orphans(app.store.read(), ORPHANS).await?;
        if keys.is_empty() {
            return Ok(());
        }
        for key in &keys {
            app.blobs.delete(key).await?;
        }
        let tx = app.store.begin().await?;
        media::forget_blobs(&tx, &keys).await?;
        tx.commit().await?;
    }
}

/// Deletes the files that only this server may have. Servers that share the folders may do it at the same time.
pub async fn own_files(app: &App) -> Result<(), Internal> {
    uploads(app).await?;
    // The PDFs and pictures of public pages. One that was deleted is made again at the next request.
    app.blobs.evict(&["roadbook", "card"], MAX_KEPT_BYTES).await?;
    Ok(app.blobs.evict(&["speech"], MAX_SPEECH_BYTES).await?)
}

/// Deletes the files in which an older version stored uploads, once the database no longer knows them.
async fn uploads(app: &App) -> Result<(), Internal> {
    let mut entries = match tokio::fs::read_dir(&app.uploads).await {
        Ok(entries) => entries,
        // Nothing was uploaded yet.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Internal::new(error)),
    };
    while let Some(entry) = entries.next_entry().await.map_err(Internal::new)? {
        let Ok(name) = entry.file_name().into_string() else { continue };
        // Other temporary files in this folder have a dot in their names: the code that writes them deletes them.
        if name.contains('.') || !is_old(app, &entry).await || upload::exists(app.store.read(), &name).await? {
            continue;
        }
        // Another server may have deleted it.
        let _ = tokio::fs::remove_file(entry.path()).await;
    }
    Ok(())
}

/// Whether nothing was written into a file for an hour.
async fn is_old(app: &App, entry: &tokio::fs::DirEntry) -> bool {
    let Ok(written_at) = entry.metadata().await.and_then(|found| found.modified()) else { return false };
    let Ok(since) = written_at.duration_since(UNIX_EPOCH) else { return true };
    i64::try_from(since.as_secs()).is_ok_and(|at_s| at_s <= app.now().plus_s(-HOUR_S).0)
}

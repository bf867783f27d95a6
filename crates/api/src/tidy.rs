//! What is too old goes for good. It was hidden at once; here its rows and files are erased, every hour.

use std::time::Duration;

use store::{StoreError, audit, feedback, known_device, login_failure, media, password_reset, session, statistics};

use crate::App;
use crate::problem::Internal;

/// Blobs that are deleted in one go.
const ORPHANS: u32 = 200;

/// The most bytes of PDFs and pictures of public pages that are kept.
const MOST_KEPT: u64 = 2 * 1024 * 1024 * 1024;

/// How often.
const EVERY: Duration = Duration::from_secs(3600);

/// Starts the erasing; it ends with the runtime.
pub fn start(app: App) {
    tokio::spawn(async move {
        loop {
            if let Err(error) = tidy(&app).await {
                tracing::warn!(%error, "what is too old could not be thrown away");
            }
            tokio::time::sleep(EVERY).await;
        }
    });
}

/// Erases what left the bin, files that never came to their end, sessions and links that are over.
pub async fn tidy(app: &App) -> Result<(), Internal> {
    let tx = app.store.begin().await?;
    store::record::expire(&tx, app.now()).await?;
    let uploads = store::upload::expire(&tx, app.now()).await?;
    tx.commit().await?;
    for token in uploads {
        let _ = tokio::fs::remove_file(app.uploads.join(&token)).await;
    }
    doors(app).await?;
    feedback(app).await?;
    events(app).await?;
    journal(app).await?;
    crate::roadbook::batch::tidy(app).await?;
    // The PDFs and pictures of public pages; whoever asks for one that is gone has it made again.
    app.blobs.evict(&["roadbook", "card"], MOST_KEPT).await?;
    orphans(app).await
}

/// Forgets the doors that are shut: sessions and links that are over, failures that count no more.
///
/// In a transaction of its own: it may have to wait for others, and holds nothing meanwhile.
async fn doors(app: &App) -> Result<(), StoreError> {
    let (tx, now) = (app.store.begin().await?, app.now());
    login_failure::delete_faded(&tx, now).await?;
    session::delete_expired(&tx, now, app.settings.session_idle_s).await?;
    known_device::delete_unused(&tx, now.plus_s(-crate::session::DEVICE_S)).await?;
    password_reset::delete_expired(&tx, now).await?;
    tx.commit_aside().await
}

/// Erases reviews that nobody confirmed, addresses that are no longer needed, and what was said of parcours that are gone.
async fn feedback(app: &App) -> Result<(), StoreError> {
    let (tx, now) = (app.store.begin().await?, app.now());
    feedback::tidy_reviews(&tx, now).await?;
    let photos = feedback::tidy_reports(&tx, now).await?;
    feedback::tidy_rest(&tx).await?;
    tx.commit_aside().await?;
    for key in &photos {
        app.blobs.delete(key).await?;
    }
    Ok(())
}

/// Erases events that are over their time; the sums of their days stay.
async fn events(app: &App) -> Result<(), StoreError> {
    loop {
        let tx = app.store.begin().await?;
        let more = statistics::tidy(&tx, app.now()).await?;
        tx.commit_aside().await?;
        if !more {
            return Ok(());
        }
    }
}

/// Erases events of the journal that are over the time the operator set.
async fn journal(app: &App) -> Result<(), StoreError> {
    let oldest = app.now().plus_s(-86_400 * i64::from(app.settings.audit_retention_days));
    loop {
        let tx = app.store.begin().await?;
        let more = audit::erase_before(&tx, oldest).await?;
        tx.commit_aside().await?;
        if !more {
            return Ok(());
        }
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

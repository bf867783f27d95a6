//! The file of a feed: fetched through the guarded client, or uploaded.

use std::sync::Arc;

use app::App;
use app::problem::Internal;
use app::source_key::{self, Keyed};
use app::token::checksum;
use connect::http::{Ask, Fetched, Validators};
use domain::DAY_S;
use domain::imports::ImportNote;
use domain::transit::TransportFeedSheet;
use jobs::{Failure, Lease, Step};
use store::record::Stored;
use store::sealed::SealedColumn;
use store::transit::{self as rows, TransitRun};

use super::work::{fail, finish};
use crate::imports::halt::Halt;

/// The most bytes of a feed: five million stop times are a third of it.
pub(super) const MAX_FEED_BYTES: u64 = 128 * 1024 * 1024;
/// Seconds after which an unchanged file is read again, because its dates may have expired.
const STALE_S: i64 = 7 * DAY_S;

/// Where the bytes of a feed are kept.
pub(super) fn file_key(feed: i64, sha256: &str) -> String {
    format!("transport/{feed}/{sha256}")
}

/// Fetches the file. The next step reads it, unless it is the file whose data are shown already.
pub(super) async fn step(
    app: &App,
    lease: &Lease,
    run: &TransitRun,
    feed: &Stored<TransportFeedSheet>,
) -> Result<Step, Failure> {
    let shown = rows::edition(app.store.read(), feed.id).await?;
    let fresh = shown.as_ref().filter(|shown| shown.read_at.plus_s(STALE_S) > app.now());
    let mut run = run.clone();
    let sha256 = match feed.sheet.url.as_deref() {
        None => feed.sheet.file.as_ref().map(|file| file.sha256.clone()),
        Some(url) => {
            let (etag, last_modified) = fresh.map(|shown| shown.validators.clone()).unwrap_or_default();
            match fetched(app, feed.id, url, Validators { etag, last_modified }).await {
                Err(halt) => return fail(app, lease, &run, halt.note()?).await,
                Ok(Fetched::Same) => fresh.map(|shown| shown.sha256.clone()),
                Ok(Fetched::New { bytes, validators, .. }) => {
                    let sha256 = checksum(&bytes);
                    if fresh.is_none_or(|shown| shown.sha256 != sha256) {
                        app.blobs.put(&file_key(feed.id, &sha256), bytes).await?;
                    }
                    run.validators = (validators.etag, validators.last_modified);
                    Some(sha256)
                }
            }
        }
    };
    let Some(sha256) = sha256 else {
        return fail(app, lease, &run, ImportNote::new("transport/nothing-to-read")).await;
    };
    if let Some(shown) = fresh.filter(|shown| shown.sha256 == sha256) {
        run.unchanged = true;
        run.counts = shown.counts;
        return finish(app, lease, &run).await;
    }
    (run.sha256, run.phase, run.at) = (Some(sha256), "read".to_owned(), 0);
    let tx = app.store.begin().await?;
    if rows::advance(&tx, &run).await? {
        // Each step needs what is read of the file, and the server keeps that of one run: no other run comes between.
        lease.put_first_in(&tx).await?;
        tx.commit().await?;
    }
    Ok(Step::Again)
}

async fn fetched(app: &App, feed: i64, url: &str, known: Validators) -> Result<Fetched, Halt> {
    let column = SealedColumn::TransportCredential;
    let key = source_key::opened(app, app.store.read(), column, feed, Some(url)).await??;
    let Keyed { url, headers } = source_key::keyed(url, key.as_deref())?;
    let (fetcher, has_key) = (Arc::clone(&app.fetcher), key.is_some());
    let got = tokio::task::spawn_blocking(move || {
        let max_bytes = MAX_FEED_BYTES;
        fetcher.fetch_with(Ask { url: &url, known: &known, headers: &headers, has_key, max_bytes, into: None })
    });
    Ok(got.await.map_err(Internal::new)?.map_err(|error| {
        error.params().into_iter().fold(ImportNote::new(error.code()), |note, (name, value)| note.with(name, value))
    })?)
}

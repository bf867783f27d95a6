//! `jalon blobs …`: compares the blobs with the database, deletes orphans, copies the folder to a bucket.

use domain::DAY_S;
use store::{Blobs, blob_check};

use crate::cli::BlobsCommand;
use crate::config::Config;
use crate::{Failure, output, wiring};

/// The most keys that are printed.
const SHOWN: usize = 50;

/// Runs a command; `false` if a blob is missing, or orphans are not deleted.
pub async fn run(config: &Config, command: &BlobsCommand) -> Result<bool, Failure> {
    match command {
        BlobsCommand::Verify => verify(config).await,
        BlobsCommand::Sweep { delete, all, days } => sweep(config, *delete, *all, *days).await,
        BlobsCommand::Move { to } => copy_folder(config, to).await.map(|()| true),
    }
}

async fn verify(config: &Config) -> Result<bool, Failure> {
    let (store, blobs) = (wiring::store(config).await?, wiring::blobs(config)?);
    let verified = blob_check::verify(store.read(), &blobs, content::parcours::trace::source_key).await?;
    show(verified.missing.iter().map(|key| format!("missing: {key}")));
    output::line(format!("{} of {} blobs are missing", verified.missing.len(), verified.needed));
    store.close().await?;
    Ok(verified.missing.is_empty())
}

async fn sweep(config: &Config, delete: bool, all: bool, days: u32) -> Result<bool, Failure> {
    let (store, blobs) = (wiring::store(config).await?, wiring::blobs(config)?);
    let before = wiring::now().plus_s(-i64::from(days) * DAY_S);
    let found = blob_check::sweep(store.read(), &blobs, before).await?;
    store.close().await?;
    let refusal = found.refusal().filter(|_| !all);
    let (orphans, younger) = (found.orphans, found.younger);
    show(orphans.iter().map(|blob| format!("orphan: {} ({} bytes)", blob.key, blob.bytes)));
    let bytes: u64 = orphans.iter().map(|blob| blob.bytes).sum();
    if !delete {
        output::line(format!("{} orphans, {bytes} bytes; `--delete` deletes them", orphans.len()));
    }
    if younger > 0 {
        output::line(format!("{younger} younger ones are left: they were written in the last {days} days (--days)"));
    }
    if let Some(refusal) = refusal {
        output::line(format!(
            "Nothing is deleted: {refusal}. Check database_url and [blobs]; where both are right, `--delete --all` deletes \
             the orphans."
        ));
        return Ok(!delete);
    }
    if delete {
        for blob in &orphans {
            blobs.delete(&blob.key).await?;
        }
        output::line(format!("{} orphans deleted, {bytes} bytes", orphans.len()));
    }
    Ok(true)
}

/// Copies the blobs of the folder to a bucket. While servers write to the folder, it copies again, until a pass finds no new blob.
/// Nothing in the folder is changed or deleted.
async fn copy_folder(config: &Config, to: &str) -> Result<(), Failure> {
    let folder = config.data.join("blobs");
    if !wiring::exists(&folder)? {
        return Err(format!("there are no blobs at {}: check the data folder (--data)", folder.display()).into());
    }
    let mut target = config.clone();
    to.clone_into(&mut target.blobs.url);
    let bucket = wiring::blobs(&target)?;
    wiring::check_blobs(&target, &bucket).await?;
    let folder = Blobs::folder(&folder)?;
    let mut all = 0_u64;
    loop {
        let (copied, bytes) = blob_check::copy_missing(&folder, &bucket, |_| {
            all += 1;
            if all.is_multiple_of(1_000) {
                output::line(format!("{all} blobs copied"));
            }
        })
        .await?;
        output::line(format!("{copied} blobs copied to {}, {bytes} bytes", wiring::blobs_place(&target)));
        if copied == 0 {
            break;
        }
    }
    output::line(
        "All blobs of the folder are in the bucket. Now set blobs.url, start the servers again, and run this command once more for \
         what came in between.",
    );
    Ok(())
}

fn show(lines: impl ExactSizeIterator<Item = String>) {
    let more = lines.len().saturating_sub(SHOWN);
    for line in lines.take(SHOWN) {
        output::line(line);
    }
    if more > 0 {
        output::line(format!("… and {more} more"));
    }
}

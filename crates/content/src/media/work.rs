//! Makes the sizes of a media by jobs, on one thread with low priority.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use app::background_thread::{BackgroundThread, NotDone};
use app::problem::Internal;
use app::{App, Rejection};
use domain::media::{MediaMade, MediaSheet, MediaState, MediaVariant};
use domain::{HOUR_S, MediaId, MediaKind};
use jobs::{Failure, JobEvent, JobKind, Lease, Step};
use media::{Format, Framing, Made, Refusal};
use serde::{Deserialize, Serialize};
use store::{StoreError, Tx, media as rows};
use tokio::sync::Semaphore;

use super::MediaError;
use super::intake::Scratch;

/// The limits of the processing of files on this server.
#[derive(Debug)]
pub struct MediaProcessing {
    /// The thread for heavy work.
    thread: BackgroundThread,
    /// How many files are inspected at the same time.
    pub(crate) inspections: Arc<Semaphore>,
    /// Uploads that a request is writing to.
    pub(crate) writing: Mutex<HashSet<String>>,
}

impl Default for MediaProcessing {
    fn default() -> Self {
        let inspections = Arc::new(Semaphore::new(2));
        Self { thread: BackgroundThread::new("media"), inspections, writing: Mutex::default() }
    }
}

/// When a client may send a file again whose work did not begin.
const BUSY_RETRY_S: i64 = 30;

/// Why the work on a file was not done, which says nothing of the file.
#[derive(Debug)]
pub(crate) enum NotProcessed {
    /// The files before it took too long.
    Busy,
    /// A failure of the server.
    Internal(Internal),
}

impl MediaProcessing {
    /// Runs heavy work on a file on the thread. A file on which it panics, or takes too long, is damaged.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> std::io::Result<Result<T, Refusal>> + Send + 'static,
    ) -> Result<Result<T, Refusal>, NotProcessed> {
        of_work(self.thread.run(work).await)
    }
}

fn of_work<T>(done: Result<std::io::Result<Result<T, Refusal>>, NotDone>) -> Result<Result<T, Refusal>, NotProcessed> {
    match done {
        Ok(done) => done.map_err(|error| NotProcessed::Internal(Internal::new(error))),
        Err(NotDone::Panicked | NotDone::TookTooLong) => Ok(Err(Refusal::Broken)),
        Err(NotDone::NeverBegun) => Err(NotProcessed::Busy),
    }
}

/// In a request: a client that comes too early may send the file again.
impl From<NotProcessed> for MediaError {
    fn from(error: NotProcessed) -> Self {
        match error {
            NotProcessed::Busy => Rejection::Overloaded { retry_after_s: BUSY_RETRY_S }.into(),
            NotProcessed::Internal(error) => error.into(),
        }
    }
}

/// In a job, which is tried again.
impl From<NotProcessed> for Internal {
    fn from(error: NotProcessed) -> Self {
        match error {
            NotProcessed::Busy => Self::new(NotDone::NeverBegun),
            NotProcessed::Internal(error) => error,
        }
    }
}

/// The payload of [`MakeSizes`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct MakeSizesPayload {
    /// The number of the media file.
    media: i64,
}

/// Makes the sizes of a media, and what else belongs to it. Enqueued by the store, with each save that wants them.
pub struct MakeSizes;

/// How long a job waits for a media that is in the bin, seconds.
const IN_BIN_S: i64 = HOUR_S;

impl JobKind for MakeSizes {
    type Context = App;
    type Payload = MakeSizesPayload;
    const NAME: &'static str = rows::SIZES;
    const LIMIT: i64 = 16;
    /// One thread does what is heavy.
    const LIMIT_PER_SERVER: i64 = 1;
    const MAX_ATTEMPTS: i64 = rows::SIZES_ATTEMPTS;

    async fn run(app: App, lease: Lease, asked: MakeSizesPayload) -> Result<Step, Failure> {
        let id = MediaId(asked.media);
        if let Some(recipe) = rows::waiting(app.store.read(), id).await? {
            make(&app, &lease, id, &recipe).await?;
            return Ok(Step::Done);
        }
        let is_in_bin = rows::is_waiting(app.store.read(), id).await?;
        Ok(if is_in_bin { Step::Later { seconds: IN_BIN_S } } else { Step::Done })
    }

    async fn on_event(_: &App, tx: &Tx, asked: &MakeSizesPayload, event: JobEvent) -> Result<(), StoreError> {
        rows::ask_again(tx, MediaId(asked.media), event != JobEvent::TriedAgain).await
    }
}

/// Makes the sizes of all media files that wait, before it returns. For commands and tests, which end before a job in the background would run.
pub async fn settle(app: &App) -> Result<(), Internal> {
    Ok(app::worker::settle_only(app, MakeSizes::NAME).await?)
}

/// Makes what belongs to a media by a recipe.
async fn make(app: &App, lease: &Lease, id: MediaId, recipe: &str) -> Result<(), Failure> {
    let Some(record) = rows::find(app.store.read(), id).await? else { return Ok(()) };
    let before = rows::made_of(app.store.read(), &[id.0]).await?.remove(&id.0).unwrap_or_default();
    let made = match made(app, &record.sheet).await? {
        Ok(made) => made,
        Err(refusal) => {
            tracing::warn!(media = %id, %refusal, "nothing could be made of a media");
            let broken = MediaMade { state: MediaState::Broken, ..before.clone() };
            return keep(app, lease, (id, recipe), &before, broken, &[]).await;
        }
    };
    // Each run has a number of its own in the blob keys: a run that lost its lease never overwrites or deletes the files of another run.
    let number = before.made + u32::try_from(lease.number()).unwrap_or(1);
    let mut variants = Vec::with_capacity(made.variants.len());
    let mut keys = Vec::with_capacity(made.variants.len());
    for variant in made.variants {
        let key = key(&record.sheet.file.blob_key, number, &variant.name);
        variants.push(MediaVariant {
            name: variant.name,
            mime: variant.mime.to_owned(),
            width: variant.width,
            height: variant.height,
            bytes: variant.bytes.len() as u64,
        });
        app.blobs.put(&key, variant.bytes).await?;
        keys.push(key);
    }
    let after = MediaMade {
        state: MediaState::Ready,
        made: number,
        variants,
        waveform: made.waveform,
        duration_ms: made.duration_ms,
        base: record.sheet.file.blob_key.clone(),
    };
    keep(app, lease, (id, recipe), &before, after, &keys).await
}

/// The blob key of a made file.
pub fn variant_key(made: &MediaMade, name: &str) -> String {
    key(&made.base, made.made, name)
}

fn key(base: &str, made: u32, name: &str) -> String {
    format!("{base}.{made}.{name}")
}

/// Stores the new files and deletes those that they replace. Where the recipe was changed meanwhile, it deletes the new files instead.
async fn keep(
    app: &App,
    lease: &Lease,
    (id, recipe): (MediaId, &str),
    before: &MediaMade,
    after: MediaMade,
    keys: &[String],
) -> Result<(), Failure> {
    let kept = keep_in(app, lease, (id, recipe), before, after, keys).await;
    let gone = match &kept {
        Ok(gone) => gone.as_slice(),
        Err(Failure::LeaseLost) => keys,
        // It may be committed nevertheless: nothing that may be in use is deleted.
        Err(_) => &[],
    };
    for key in gone {
        app.blobs.delete(key).await?;
    }
    kept.map(|_| ())
}

/// Stores what was made, in one transaction. Returns the blob keys to delete after its commit.
async fn keep_in(
    app: &App,
    lease: &Lease,
    (id, recipe): (MediaId, &str),
    before: &MediaMade,
    after: MediaMade,
    keys: &[String],
) -> Result<Vec<String>, Failure> {
    let old: Vec<String> = before.variants.iter().map(|old| variant_key(before, &old.name)).collect();
    let tx = app.store.begin().await?;
    rows::remember_blobs(&tx, id, keys).await?;
    let kept = rows::set_made(&tx, id, recipe, &after).await?;
    let gone = if after.state == MediaState::Broken {
        Vec::new()
    } else if kept {
        old
    } else {
        keys.to_vec()
    };
    rows::forget_blobs(&tx, &gone).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    Ok(gone)
}

/// Everything that belongs to a media, made from its original.
async fn made(app: &App, sheet: &MediaSheet) -> Result<Result<Made, Refusal>, Internal> {
    let Some(format) = Format::of_mime(&sheet.file.mime) else { return Ok(Err(Refusal::NotSupported)) };
    let mut made = drawn(app, sheet, format).await?;
    if let Ok(made) = &mut made {
        made.variants.extend(without_metadata(app, sheet, format).await?);
    }
    Ok(made)
}

/// The copy without metadata of a document or a sound, for files from older versions: today each upload makes this copy (`shown_key`).
async fn without_metadata(app: &App, sheet: &MediaSheet, format: Format) -> Result<Option<media::Variant>, Internal> {
    if sheet.file.shown_key.is_some() || !matches!(format.kind(), MediaKind::Pdf | MediaKind::Audio) {
        return Ok(None);
    }
    let original = Scratch::new(app)?;
    if !app.blobs.get_file(&sheet.file.blob_key, &original.0).await? {
        return Ok(None);
    }
    let path = original.0.clone();
    let processing = app.shared::<MediaProcessing>();
    let copied = processing.run(move || media::without_metadata(&path, format).map(Ok)).await?;
    Ok(copied.unwrap_or_default())
}

/// The sizes and figures of a media file: made from its poster where it has one, else from the original; nothing for a format that is not processed.
async fn drawn(app: &App, sheet: &MediaSheet, format: Format) -> Result<Result<Made, Refusal>, Internal> {
    let (limits, pdfs) = (Arc::clone(&app.settings.media), Arc::clone(&app.pdf_reader));
    let processing = app.shared::<MediaProcessing>();
    if let Some(poster) = &sheet.poster {
        let Some(bytes) = app.blobs.get(poster).await? else { return Ok(Err(Refusal::Broken)) };
        let drawn = processing.run(move || Ok(media::poster(&bytes, &limits))).await?;
        return Ok(drawn.map(|variants| Made { variants, ..Made::default() }));
    }
    if !format.is_worked_on() {
        return Ok(Ok(Made::default()));
    }
    let original = Scratch::new(app)?;
    if !app.blobs.get_file(&sheet.file.blob_key, &original.0).await? {
        return Ok(Err(Refusal::Broken));
    }
    let (path, framing) = (original.0.clone(), Framing { crop: sheet.crop, focal: sheet.focal });
    Ok(processing.run(move || media::make(&path, format, framing, &limits, pdfs.as_ref())).await?)
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse as _;

    use super::*;

    #[test]
    fn work_that_did_not_begin_says_nothing_of_the_file() {
        let of = |why| of_work::<()>(Err(why));
        for why in [NotDone::Panicked, NotDone::TookTooLong] {
            assert!(matches!(of(why), Ok(Err(Refusal::Broken))), "{why}");
        }
        let Err(busy) = of(NotDone::NeverBegun) else { panic!("the file is not damaged") };
        let answer = MediaError::from(busy).into_response();
        assert_eq!(answer.status().as_u16(), 503);
        assert_eq!(answer.headers()["retry-after"], "30");
    }
}

//! The worker: one thread that yields to everybody else, and a queue that stands in the database, so that a server that
//! was killed goes on where it was.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::media::{MediaMade, MediaSheet, MediaState, MediaVariant};
use domain::{MediaId, MediaKind};
use media::{Format, Framing, Made, Refusal};
use store::media as rows;
use tokio::sync::Semaphore;

use super::intake::Scratch;
use crate::App;
use crate::bench::Bench;
use crate::problem::Internal;
use crate::worker::{self, Bell, Worker};

/// How long the worker waits to be asked before it looks by itself.
const UNASKED: Duration = Duration::from_secs(3600);

/// What media keep in the application.
#[derive(Debug)]
pub struct MediaRoom {
    /// The thread that does what is heavy.
    pub(crate) bench: Bench,
    /// Files that are looked at at once.
    pub(crate) looking: Semaphore,
    /// Files on their way that are being written now.
    pub(crate) writing: Mutex<HashSet<String>>,
    bell: Bell,
}

impl Default for MediaRoom {
    fn default() -> Self {
        Self {
            bench: Bench::new("media"),
            looking: Semaphore::new(2),
            writing: Mutex::default(),
            bell: Bell::default(),
        }
    }
}

impl MediaRoom {
    /// Tells the worker that something waits.
    pub(crate) fn wake(&self) {
        self.bell.ring();
    }
}

struct Sizes;

impl Worker for Sizes {
    const FAILURE: &'static str = "the sizes of a media could not be made";

    fn bell(app: &App) -> &Bell {
        &app.media.bell
    }

    fn patience(_: &App) -> Duration {
        UNASKED
    }

    async fn step(app: &App) -> Result<bool, Internal> {
        step(app).await
    }
}

/// Starts the worker; it ends with the runtime.
pub fn start(app: App) {
    worker::start::<Sizes>(app);
}

/// Makes everything that waits: for commands and tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    worker::settle::<Sizes>(app).await
}

/// Makes what belongs to the media that has waited longest. False when none waits.
async fn step(app: &App) -> Result<bool, Internal> {
    let Some((id, recipe)) = rows::next_waiting(app.store.read()).await? else { return Ok(false) };
    let Some(record) = rows::find(app.store.read(), id).await? else { return Ok(false) };
    let before = rows::made_of(app.store.read(), &[id.0]).await?.remove(&id.0).unwrap_or_default();
    let made = match made(app, &record.sheet).await? {
        Ok(made) => made,
        Err(refusal) => {
            tracing::warn!(media = %id, %refusal, "nothing could be made of a media");
            return keep(app, id, &recipe, &before, MediaMade { state: MediaState::Broken, ..before.clone() }, &[])
                .await;
        }
    };
    let number = before.made + 1;
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
    keep(app, id, &recipe, &before, after, &keys).await
}

/// Where something that was made stands.
pub(crate) fn variant_key(made: &MediaMade, name: &str) -> String {
    key(&made.base, made.made, name)
}

fn key(base: &str, made: u32, name: &str) -> String {
    format!("{base}.{made}.{name}")
}

/// Writes down what was made and throws away what it replaces; when something else was asked for meanwhile, the other
/// way round.
async fn keep(
    app: &App,
    id: MediaId,
    recipe: &str,
    before: &MediaMade,
    after: MediaMade,
    keys: &[String],
) -> Result<bool, Internal> {
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
    tx.commit().await?;
    for key in &gone {
        app.blobs.delete(key).await?;
    }
    Ok(true)
}

/// Everything that belongs to a media, made from its original.
async fn made(app: &App, sheet: &MediaSheet) -> Result<Result<Made, Refusal>, Internal> {
    let Some(format) = Format::of_mime(&sheet.file.mime) else { return Ok(Err(Refusal::NotSupported)) };
    let mut made = drawn(app, sheet, format).await?;
    if let Ok(made) = &mut made {
        made.variants.extend(without_notes(app, sheet, format).await?);
    }
    Ok(made)
}

/// The copy without notes of a document or a sound that was uploaded before such copies were made at once.
async fn without_notes(app: &App, sheet: &MediaSheet, format: Format) -> Result<Option<media::Variant>, Internal> {
    if sheet.file.shown_key.is_some() || !matches!(format.kind(), MediaKind::Pdf | MediaKind::Audio) {
        return Ok(None);
    }
    let original = Scratch::new(app)?;
    if !app.blobs.get_file(&sheet.file.blob_key, &original.0).await? {
        return Ok(None);
    }
    let path = original.0.clone();
    let copied = app.media.bench.run(move || media::without_notes(&path, format)).await;
    copied.unwrap_or(Ok(None)).map_err(Internal::new)
}

async fn drawn(app: &App, sheet: &MediaSheet, format: Format) -> Result<Result<Made, Refusal>, Internal> {
    let limits = Arc::clone(&app.settings.media);
    if let Some(poster) = &sheet.poster {
        let Some(bytes) = app.blobs.get(poster).await? else { return Ok(Err(Refusal::Broken)) };
        let drawn = app.media.bench.run(move || media::poster(&bytes, &limits)).await;
        return Ok(drawn.unwrap_or(Err(Refusal::Broken)).map(|variants| Made { variants, ..Made::default() }));
    }
    if !format.is_worked_on() {
        return Ok(Ok(Made::default()));
    }
    let original = Scratch::new(app)?;
    if !app.blobs.get_file(&sheet.file.blob_key, &original.0).await? {
        return Ok(Err(Refusal::Broken));
    }
    let (path, framing) = (original.0.clone(), Framing { crop: sheet.crop, focal: sheet.focal });
    let done = app.media.bench.run(move || media::make(&path, format, framing, &limits)).await;
    done.unwrap_or(Ok(Err(Refusal::Broken))).map_err(Internal::new)
}

//! The worker: one text a step. What a voice said, the media it became and how far the job came are one transaction: a server
//! that is killed says nothing twice, and leaves nothing half made.

use std::time::Duration;

use connect::speech::{SpeechError, ToSay};
use domain::Text;
use domain::audio::{AudioJobState, AudioWalk, Piece, pieces};
use domain::imports::ImportNote;
use domain::media::MediaSheet;
use media::voice::{Said, spoken};
use store::audio::{self as rows, AudioJob};
use store::media::Medias;
use store::parcours as parcours_rows;
use store::record::{Change, Stored};

use super::error::note_of;
use super::sounds::{Sounds, as_heard};
use super::speech::engine_of;
use crate::App;
use crate::media::take_bytes;
use crate::problem::Internal;
use crate::worker::{self, Bell, Worker};

/// How long the worker waits to be asked before it looks by itself.
const UNASKED: Duration = Duration::from_secs(60);
/// The longest name of a file.
const MAX_NAME_CHARS: usize = 80;

/// What jobs keep in the application.
#[derive(Debug, Default)]
pub struct AudioRoom {
    bell: Bell,
}

impl AudioRoom {
    /// Tells the worker that a job waits.
    pub(super) fn wake(&self) {
        self.bell.ring();
    }
}

struct Speeches;

impl Worker for Speeches {
    const FAILURE: &'static str = "the voices of an audio walk could not be made";

    fn bell(app: &App) -> &Bell {
        &app.audio.bell
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
    worker::start::<Speeches>(app);
}

/// Does everything that waits: for commands and tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    worker::settle::<Speeches>(app).await
}

/// One text of what waits. False when nothing does.
pub async fn step(app: &App) -> Result<bool, Internal> {
    let db = app.store.read();
    let Some(job) = rows::next(db).await? else { return Ok(false) };
    if job.cancel {
        return ended(app, &job, AudioJobState::Cancelled, None).await;
    }
    let Some(parcours) = parcours_rows::load(db, job.parcours_id).await? else {
        return ended(app, &job, AudioJobState::Cancelled, None).await;
    };
    let Some(kept) = rows::find(db, job.parcours_id, &job.language).await? else {
        return ended(app, &job, AudioJobState::Cancelled, None).await;
    };
    let walk = as_heard(&kept.walk, &parcours.sheet, &job.language);
    let sounds = Sounds::of(db, parcours.white_label_id, walk, &job.language).await?;
    let Some((story, sum)) = sounds.unsaid().first().map(|(story, sum)| ((*story).clone(), (*sum).clone())) else {
        return ended(app, &job, AudioJobState::Done, None).await;
    };
    match said(app, &sounds.walk, &job.language, &story).await? {
        Ok(mp3) => keep(app, &job, &parcours, &sounds.walk, (&story, &sum), &mp3).await,
        Err(error) => {
            tracing::warn!(job = job.id, code = error.code(), %error, "a voice failed");
            ended(app, &job, AudioJobState::Failed, Some(&note_of(&error))).await
        }
    }
}

async fn ended(
    app: &App,
    job: &AudioJob,
    state: AudioJobState,
    failure: Option<&ImportNote>,
) -> Result<bool, Internal> {
    let tx = app.store.begin().await?;
    rows::finish(&tx, job, state, failure, app.now()).await?;
    tx.commit().await?;
    tracing::info!(job = job.id, state = state.as_str(), "the reading of an audio walk ended");
    Ok(true)
}

/// Has a story read: its words piece by piece, its silences put in, as loud as others.
async fn said(
    app: &App,
    walk: &AudioWalk,
    language: &str,
    story: &str,
) -> Result<Result<Vec<u8>, SpeechError>, Internal> {
    let text = walk.stories().find(|(name, _)| name == story).map(|(_, story)| story.text.clone()).unwrap_or_default();
    let pieces = pieces(&text, &walk.lexicon);
    let (voices, engine, language) = (app.voices.clone(), engine_of(walk.engine), language.to_owned());
    let (voice, words_a_minute) = (walk.voice.clone(), walk.words_a_minute);
    let work = move || -> Result<Vec<u8>, SpeechError> {
        let speaker = voices.of(engine)?;
        let mut heard = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            heard.push(match piece {
                Piece::Pause(ms) => Said::Silence(*ms),
                Piece::Say(words) => {
                    Said::Sound(speaker.speak(ToSay { words, language: &language, voice: &voice, words_a_minute })?)
                }
            });
        }
        Ok(spoken(&heard).map_err(|_| SpeechError::Nonsense)?.mp3)
    };
    tokio::task::spawn_blocking(work).await.map_err(Internal::new)
}

async fn keep(
    app: &App,
    job: &AudioJob,
    parcours: &parcours_rows::Stored,
    walk: &AudioWalk,
    (story, sum): (&str, &str),
    mp3: &[u8],
) -> Result<bool, Internal> {
    let file = take_bytes(app, mp3).await.map_err(Internal::new)?;
    let title = title_of(walk, story, &job.language);
    let name: String =
        format!("{} – {title}", parcours.sheet.title.best(&job.language)).chars().take(MAX_NAME_CHARS).collect();
    let mut new = Stored::blank(Some(parcours.white_label_id), app.now());
    new.sheet = MediaSheet {
        file_name: format!("{} ({}).mp3", name.trim(), job.language),
        file,
        legend: Text::default().with(&job.language, title),
        ..MediaSheet::default()
    };
    let languages = &app.settings.content_languages;
    let change = Change { by: Some(job.asked_by), at: app.now(), reason: Some("audio"), languages };
    let tx = app.store.begin().await?;
    // Somebody may have saved meanwhile: what the walk is heard with is read again, held.
    let parcours = parcours_rows::lock(&tx, job.parcours_id).await?;
    let media = store::record::insert::<Medias>(&tx, new, change).await?;
    rows::put_clip(&tx, sum, media.id, app.now()).await?;
    if let (Some(parcours), Some(kept)) = (parcours, rows::find(&tx, job.parcours_id, &job.language).await?) {
        let heard = as_heard(&kept.walk, &parcours.sheet, &job.language);
        let sounds = Sounds::of(&tx, parcours.white_label_id, heard, &job.language).await?;
        rows::set_sounds(&tx, parcours.id, &job.language, &sounds.to_link(&kept.walk)).await?;
    }
    if rows::advance(&tx, job).await? {
        tx.commit().await?;
        app.media.wake();
    }
    Ok(true)
}

fn title_of(walk: &AudioWalk, story: &str, language: &str) -> String {
    let french = language == "fr";
    match story {
        "intro" => "Introduction".to_owned(),
        "outro" => if french { "Conclusion" } else { "Closing" }.to_owned(),
        story => {
            let at = walk.stops.iter().position(|stop| stop.name() == story).unwrap_or_default();
            let title = walk.stops.get(at).map(|stop| stop.title.clone()).unwrap_or_default();
            let number = at + 1;
            if title.is_empty() { format!("{} {number}", if french { "Arrêt" } else { "Stop" }) } else { title }
        }
    }
}

//! Has the texts of an audio walk spoken by a job, one text a step. A text is claimed before the voice is requested; the sounds of its
//! pieces are stored as they come; its sound, its media and the progress of the job are stored in one transaction: a server that continues
//! for a stopped one repeats at most the piece in progress, and leaves nothing half made.

use app::App;
use app::paid_call::Payer;
use app::problem::Internal;
use app::token::{checksum, new_token};
use app::worker::reason_of;
use connect::speech::{SpeechError, SpeechRequest};
use content::media::take_bytes;
use domain::audio::{AudioJobState, AudioWalk, Piece, pieces};
use domain::imports::ImportNote;
use domain::media::MediaSheet;
use domain::{Text, WhiteLabelId};
use jobs::{Enqueue, Failure, JobEvent, JobKind, Lease, Step};
use media::voice::{SpeechPart, samples, spoken};
use serde::{Deserialize, Serialize};
use store::audio::{self as rows, AudioJob};
use store::media::Medias;
use store::parcours as parcours_rows;
use store::record::{Change, Stored};
use store::{Connection, StoreError, Tx};

use super::error::note_of;
use super::sounds::{Sounds, as_heard};
use super::speech::engine_of;

/// The longest name of a file.
const MAX_NAME_CHARS: usize = 80;
/// The folder of the blobs with the sounds of pieces of texts that are not whole yet.
const PIECES: &str = "speech";
/// How long a job waits for a text that another one has read just now, seconds.
const OTHERS_S: i64 = 5;

/// Which reading.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Speech {
    speech: i64,
}

/// Has the texts of an audio walk read.
pub struct ReadTexts;

impl JobKind for ReadTexts {
    type Context = App;
    type Payload = Speech;
    const NAME: &'static str = "audio_speech";
    const LIMIT: i64 = 4;
    const LIMIT_PER_SERVER: i64 = 1;

    async fn run(app: App, lease: Lease, asked: Speech) -> Result<Step, Failure> {
        let found = rows::job(app.store.read(), asked.speech).await?;
        let Some(job) = found.filter(|job| job.state == AudioJobState::Running) else { return Ok(Step::Done) };
        let sounds = sounds_of(app.store.read(), &job).await?;
        let Some((parcours, sounds)) = sounds.filter(|_| !job.cancel) else { return Ok(Step::Cancelled) };
        let Some((story, sum)) = first_unread(&sounds) else {
            end(&app, &lease, &job, AudioJobState::Done, None).await?;
            return Ok(Step::Done);
        };
        // No text is paid for while its sound cannot be stored.
        app.blobs.check(&new_token()).await?;
        let payer = Payer::job(&lease);
        match claim(&app, &payer, &job, &sum).await? {
            Claim::Ours => {}
            Claim::Others => return Ok(Step::Later { seconds: OTHERS_S }),
            Claim::Read => return Ok(Step::Again),
        }
        match said(&app, &sounds.walk, &job.language, &story).await? {
            Ok(sound) => {
                let text = Unread { story: &story, sum: &sum };
                keep(&app, (&lease, &payer), &job, &parcours, &sounds.walk, text, &sound).await?;
                Ok(Step::Again)
            }
            Err(error) => {
                tracing::warn!(job = job.id, code = error.code(), %error, "a voice failed");
                payer.release(&app, &[sum]).await?;
                let note = note_of(&error);
                end(&app, &lease, &job, AudioJobState::Failed, Some(&note)).await?;
                Err(Failure::Final(reason_of(&note)))
            }
        }
    }

    async fn on_event(app: &App, tx: &Tx, asked: &Speech, event: JobEvent) -> Result<(), StoreError> {
        let (id, now) = (asked.speech, app.now());
        match event {
            JobEvent::Dead => {
                rows::finish(tx, id, AudioJobState::Failed, Some(&ImportNote::new("job/internal")), now).await
            }
            JobEvent::Cancelled => rows::finish(tx, id, AudioJobState::Cancelled, None, now).await,
            JobEvent::TriedAgain => rows::resume(tx, id).await,
        }
    }
}

/// Enqueues the job of a reading that begins or is to stop.
pub(super) async fn enqueue(app: &App, tx: &Tx, job: &AudioJob, white_label: WhiteLabelId) -> Result<(), StoreError> {
    let asked = Enqueue::<ReadTexts>::new(Speech { speech: job.id }).unique(job.id).of_white_label(white_label);
    asked.asked_by(job.asked_by).total(job.total).put(tx, app.now()).await.map(|_| ())
}

/// Does everything that waits: for tests, which end.
pub async fn settle(app: &App) -> Result<(), Internal> {
    Ok(app::worker::settle_only(app, ReadTexts::NAME).await?)
}

/// One text of what waits. False when nothing does.
pub async fn step(app: &App) -> Result<bool, Internal> {
    Ok(app::worker::step_only(app, ReadTexts::NAME).await?)
}

/// The sounds of a job's walk. `None` once the parcours or its walk is deleted.
async fn sounds_of(
    db: &impl Connection,
    job: &AudioJob,
) -> Result<Option<(parcours_rows::Stored, Sounds)>, StoreError> {
    let Some(parcours) = parcours_rows::load(db, job.parcours_id).await? else { return Ok(None) };
    let Some(kept) = rows::find(db, job.parcours_id, &job.language).await? else { return Ok(None) };
    let walk = as_heard(&kept.walk, &parcours.sheet, &job.language);
    let sounds = Sounds::of(db, parcours.white_label_id, walk, &job.language).await?;
    Ok(Some((parcours, sounds)))
}

/// The first text that no voice has read yet: its story and its checksum.
fn first_unread(sounds: &Sounds) -> Option<(String, String)> {
    sounds.unsaid().first().map(|(story, sum)| ((*story).clone(), (*sum).clone()))
}

/// Which job has a text spoken.
enum Claim {
    /// This job pays for the text.
    Ours,
    /// Another job pays for it now.
    Others,
    /// Its sound is stored already.
    Read,
}

async fn claim(app: &App, payer: &Payer, job: &AudioJob, sum: &String) -> Result<Claim, Failure> {
    let tx = app.store.begin().await?;
    if payer.claim(app, &tx, std::slice::from_ref(sum)).await?.is_empty() {
        return Ok(Claim::Others);
    }
    // Another job may have stored this text's sound just before the claim. Since the claim, none can.
    let sounds = sounds_of(&tx, job).await?;
    if sounds.is_none_or(|(_, sounds)| sounds.unsaid().iter().all(|(_, unread)| *unread != sum)) {
        return Ok(Claim::Read);
    }
    payer.hold(&tx).await?;
    tx.commit_aside().await?;
    Ok(Claim::Ours)
}

async fn end(
    app: &App,
    lease: &Lease,
    job: &AudioJob,
    state: AudioJobState,
    failure: Option<&ImportNote>,
) -> Result<(), Failure> {
    let tx = app.store.begin().await?;
    rows::finish(&tx, job.id, state, failure, app.now()).await?;
    lease.hold(&tx).await?;
    tx.commit().await?;
    tracing::info!(job = job.id, state = state.as_str(), "the reading of an audio walk ended");
    Ok(())
}

/// The sound of a text.
struct TextSound {
    mp3: Vec<u8>,
    /// The blobs with the sounds of its pieces.
    piece_keys: Vec<String>,
}

/// Has a story read: its words piece by piece, its silences put in, as loud as others.
async fn said(
    app: &App,
    walk: &AudioWalk,
    language: &str,
    story: &str,
) -> Result<Result<TextSound, SpeechError>, Failure> {
    let text = walk.stories().find(|(name, _)| name == story).map(|(_, story)| story.text.clone()).unwrap_or_default();
    let mut heard = Vec::new();
    let mut piece_keys = Vec::new();
    for piece in pieces(&text, &walk.lexicon) {
        heard.push(match piece {
            Piece::Pause(ms) => SpeechPart::Silence(ms),
            Piece::Say(words) => {
                let key = piece_key(app, walk, language, &words);
                match said_piece(app, walk, language, words, &key).await? {
                    Ok(sound) => {
                        piece_keys.push(key);
                        SpeechPart::Sound(sound)
                    }
                    Err(error) => return Ok(Err(error)),
                }
            }
        });
    }
    let work = move || spoken(&heard).map_err(|_| SpeechError::BadAnswer);
    let joined = tokio::task::spawn_blocking(work).await.map_err(Failure::internal)?;
    Ok(joined.map(|joined| TextSound { mp3: joined.mp3, piece_keys }))
}

/// The blob with the sound of a piece of a text: of all that it depends on. A piece that was read by another model of the service is
/// not part of the text: it is read anew. A text that is whole stays as it was read.
fn piece_key(app: &App, walk: &AudioWalk, language: &str, words: &str) -> String {
    let (engine, model) = (walk.engine.as_str(), app.voices.model(engine_of(walk.engine)));
    let of = serde_json::json!([engine, model, walk.voice, walk.words_a_minute, language, words]);
    format!("{PIECES}/{}", checksum(of.to_string().as_bytes()))
}

/// The sound of a piece. It is kept until its text is whole: where a later piece fails, this one is not paid for again.
async fn said_piece(
    app: &App,
    walk: &AudioWalk,
    language: &str,
    words: String,
    key: &str,
) -> Result<Result<Vec<u8>, SpeechError>, Failure> {
    if let Some(known) = app.blobs.get(key).await? {
        return Ok(Ok(known.to_vec()));
    }
    let (voices, engine, language) = (app.voices.clone(), engine_of(walk.engine), language.to_owned());
    let (voice, words_a_minute) = (walk.voice.clone(), walk.words_a_minute);
    let work = move || -> Result<Vec<u8>, SpeechError> {
        let asked = SpeechRequest { words: &words, language: &language, voice: &voice, words_a_minute };
        let sound = voices.of(engine)?.speak(asked)?;
        // An answer that is no sound is not kept.
        samples(sound.clone()).map_err(|_| SpeechError::BadAnswer)?;
        Ok(sound)
    };
    let sound = match tokio::task::spawn_blocking(work).await.map_err(Failure::internal)? {
        Ok(sound) => sound,
        Err(error) => return Ok(Err(error)),
    };
    // The text can be finished without it.
    if let Err(error) = app.blobs.put(key, sound.clone()).await {
        tracing::warn!(%error, key, "a piece of a text was read and cannot be stored");
    }
    Ok(Ok(sound))
}

/// A text that no voice has read yet.
struct Unread<'a> {
    story: &'a str,
    sum: &'a String,
}

async fn keep(
    app: &App,
    (lease, payer): (&Lease, &Payer),
    job: &AudioJob,
    parcours: &parcours_rows::Stored,
    walk: &AudioWalk,
    Unread { story, sum }: Unread<'_>,
    sound: &TextSound,
) -> Result<(), Failure> {
    let file = take_bytes(app, &sound.mp3).await?;
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
    // An editor may have saved meanwhile: the walk is read again, locked.
    let parcours = parcours_rows::lock(&tx, job.parcours_id).await?;
    let media = store::record::insert::<Medias>(&tx, new, change).await?;
    rows::put_clip(&tx, sum, media.id, app.now()).await?;
    if let (Some(parcours), Some(kept)) = (parcours, rows::find(&tx, job.parcours_id, &job.language).await?) {
        let heard = as_heard(&kept.walk, &parcours.sheet, &job.language);
        let sounds = Sounds::of(&tx, parcours.white_label_id, heard, &job.language).await?;
        rows::set_sounds(&tx, parcours.id, &job.language, &sounds.to_link(&kept.walk)).await?;
    }
    // A person may have ended the job during the paid call: then the transaction is dropped.
    if !rows::advance(&tx, job.id).await? {
        drop(tx);
        return Ok(payer.release(app, std::slice::from_ref(sum)).await?);
    }
    payer.release_in(&tx, std::slice::from_ref(sum)).await?;
    // It fails where the lease is lost, as `Lease::hold` does.
    lease.progress_in(&tx, job.done + 1, job.total).await?;
    tx.commit().await?;
    for key in &sound.piece_keys {
        // One that stays is deleted with the oldest.
        if let Err(error) = app.blobs.delete(key).await {
            tracing::warn!(%error, key, "a piece of a text cannot be deleted");
        }
    }
    Ok(())
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

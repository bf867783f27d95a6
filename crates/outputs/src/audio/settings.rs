//! The settings of an audio walk: read with its sounds, and saved whole.

use app::App;
use app::extract::{Body, Editor, IfMatch, Path, Reader};
use app::record::Refusal;
use app::record::{LockedReason, Named, lock_of};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::ETAG;
use content::parcours::access::{held, own};
use content::parcours::{ParcoursError, not_found};
use domain::audio::{AudioFinding, AudioJobState, AudioWalk, StopOnTrace, findings};
use domain::imports::ImportNote;
use domain::record::Kind;
use domain::{Actor, Fault, Instant, MediaKind, ParcoursId};
use serde::Serialize;
use serde_json::json;
use store::access::Access;
use store::audio::{self as rows, AudioJob};
use store::parcours::{self as parcours_rows, Stored};
use store::{Connection, StoreError};
use trace::cumulative_m;
use utoipa::ToSchema;

use super::AudioError;
use super::sounds::{Sounds, as_heard};

/// Where the sound of a story comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SoundSource {
    /// A recording.
    Recording,
    /// A voice read the current text.
    Voice,
    /// A voice has not read the current text yet.
    Unsaid,
    /// There is nothing.
    Nothing,
}

/// The sound of a story.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct StorySound {
    /// `intro`, `stop/3`, `outro`.
    pub story: String,
    /// Where it comes from.
    pub source: SoundSource,
    /// Where it can be listened to.
    pub url: Option<String>,
    /// How long it is; worked out from the text where it is still to be read.
    pub duration_s: Option<f64>,
    /// Bytes of its file.
    pub bytes: Option<i64>,
    /// The sound before it.
    pub transition_url: Option<String>,
}

/// The making of voices.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AudioJobView {
    pub state: AudioJobState,
    /// Texts read.
    pub done: i64,
    /// Texts to read.
    pub total: i64,
    /// Why it stopped.
    pub failure: Option<ImportNote>,
    /// Whether it was asked to stop.
    pub cancelling: bool,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

impl From<AudioJob> for AudioJobView {
    fn from(job: AudioJob) -> Self {
        let cancelling = job.cancel && job.state == AudioJobState::Running;
        let AudioJob { state, done, total, failure, finished_at, .. } = job;
        Self { state, done, total, failure, cancelling, finished_at }
    }
}

/// A walk of the parcours in another language.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AudioLanguage {
    pub language: String,
    /// Whether it is shown.
    pub enabled: bool,
    /// How many stops it has; absent where the walk was never saved.
    pub stops: Option<usize>,
}

/// The audio walk of a parcours in a language.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AudioWalkView {
    pub id: ParcoursId,
    pub language: String,
    /// Number of its last save, also its ETag; 0 before the first save.
    pub version: i64,
    /// The settings.
    pub walk: AudioWalk,
    /// The sounds, in the order of the walk.
    pub sounds: Vec<StorySound>,
    /// What the editor should check.
    pub findings: Vec<AudioFinding>,
    /// Where its stops are met.
    pub on_trace: Vec<StopOnTrace>,
    /// Metres of the trace; none without one.
    pub trace_m: Option<f64>,
    /// Walking speed of the listener, metres a second.
    pub speed_mps: f64,
    /// Whether the introduction is the sheet's text, as the walk has none of its own.
    pub intro_of_sheet: bool,
    /// The walks in all languages content is written in.
    pub languages: Vec<AudioLanguage>,
    /// The last making of voices.
    pub job: Option<AudioJobView>,
    /// Whether this person may change it.
    pub editable: bool,
    /// Why it cannot be changed.
    pub locked_reason: Option<LockedReason>,
    pub updated_at: Option<Instant>,
    /// Who saved it last.
    pub updated_by: Option<Named>,
}

type Tagged = ([(HeaderName, String); 1], Json<AudioWalkView>);

fn tagged(view: AudioWalkView) -> Tagged {
    ([(ETAG, format!("\"{}\"", view.version))], Json(view))
}

/// A language content is written in.
pub(super) fn known(app: &App, language: &str) -> Result<(), ParcoursError> {
    if app.settings.content_languages.iter().any(|one| one == language) {
        return Ok(());
    }
    let sent: String = language.chars().take(20).collect();
    Err(Fault::new("validation/unknown-language", "/language").with("language", sent).into())
}

/// The audio walk of a parcours in a language: settings, sounds, findings. For people of its white-label.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/audio/{language}", tag = "audio",
    params(("id" = i64, Path), ("language" = String, Path)), security(("session" = ["content.read"])),
    responses((status = 200, body = AudioWalkView), AudioError))]
#[tracing::instrument(name = "audio.show", skip_all, fields(parcours.id = %id))]
pub async fn show_audio_walk(
    State(app): State<App>,
    reader: Reader,
    Path((id, language)): Path<(ParcoursId, String)>,
) -> Result<Tagged, AudioError> {
    let db = app.store.read();
    let header = own(db, id, &reader).await?;
    known(&app, &language)?;
    let stored = parcours_rows::load(db, id).await?.ok_or_else(|| not_found(id))?;
    Ok(tagged(view(&app, db, &stored, &language, lock_of(&reader, header.white_label_id)).await?))
}

/// Save an audio walk, whole. `If-Match` names the version it was made from; `"0"` for one never saved.
#[utoipa::path(put, path = "/api/v1/parcours/{id}/audio/{language}", tag = "audio", request_body(content = AudioWalk),
    params(("id" = i64, Path), ("language" = String, Path), ("If-Match" = String, Header)),
    security(("session" = ["content.write"])), responses((status = 200, body = AudioWalkView), AudioError))]
#[tracing::instrument(name = "audio.update", skip_all, fields(parcours.id = %id))]
pub async fn update_audio_walk(
    State(app): State<App>,
    editor: Editor,
    Path((id, language)): Path<(ParcoursId, String)>,
    version: IfMatch,
    Body(mut walk): Body<AudioWalk>,
) -> Result<Tagged, AudioError> {
    known(&app, &language)?;
    let tx = app.store.begin().await?;
    let stored = held(&tx, id, &editor).await?;
    let (before, old) = rows::find(&tx, id, &language).await?.map(|kept| (kept.version, kept.walk)).unwrap_or_default();
    if !version.accepts(before) {
        let current = json!(view(&app, &tx, &stored, &language, None).await?);
        return Err(ParcoursError::from(Refusal::Stale { base_version: version.version(), current }).into());
    }
    walk.clean(&old);
    let mut errors = walk.faults();
    errors.extend(recording_faults(&tx, &editor, &old, &walk).await?);
    if !errors.is_empty() {
        return Err(ParcoursError::from(errors).into());
    }
    let sounds = Sounds::of(&tx, stored.white_label_id, as_heard(&walk, &stored.sheet, &language), &language).await?;
    rows::save(&tx, id, &language, &walk, &sounds.to_link(&walk), editor.user_id, app.now()).await?;
    let after = view(&app, &tx, &stored, &language, None).await?;
    tx.commit().await?;
    Ok(tagged(after))
}

/// Recordings are there, are sounds, and those that are new may be used by this person.
async fn recording_faults(
    db: &impl Connection,
    actor: &Actor,
    before: &AudioWalk,
    walk: &AudioWalk,
) -> Result<Vec<Fault>, StoreError> {
    let named = walk.media();
    let ids: Vec<i64> = named.iter().map(|(_, id)| *id).collect();
    let kinds = store::media::kinds(db, &ids).await?;
    let known: Vec<i64> = before.media().into_iter().map(|(_, id)| id).collect();
    let new: Vec<i64> = ids.into_iter().filter(|id| !known.contains(id)).collect();
    let refused = Access::of(actor).unusable_of(db, Kind::Media, &new).await?;
    let fault = |(field, id): (String, i64)| match kinds.get(&id) {
        None => Some(Fault::new("validation/unknown-reference", field).with("id", id)),
        Some(_) if refused.contains(&id) => Some(Fault::new("validation/unknown-reference", field).with("id", id)),
        Some(MediaKind::Audio) => None,
        Some(_) => Some(Fault::new("parcours/not-a-sound", field)),
    };
    Ok(named.into_iter().filter_map(fault).collect())
}

pub(super) async fn view(
    app: &App,
    db: &impl Connection,
    stored: &Stored,
    language: &str,
    locked_reason: Option<LockedReason>,
) -> Result<AudioWalkView, StoreError> {
    let id = stored.id;
    // Before the sounds: a job that is shown as done has all of its sounds shown.
    let job = rows::latest(db, id, language).await?.map(Into::into);
    let kept = rows::find(db, id, language).await?;
    let updated_at = kept.as_ref().map(|kept| kept.updated_at);
    let (version, walk, by) = kept.map_or_else(Default::default, |kept| (kept.version, kept.walk, kept.updated_by));
    let line = parcours_rows::trace(db, id).await?.map(|trace| trace.line()).unwrap_or_default();
    let sounds = Sounds::of(db, stored.white_label_id, as_heard(&walk, &stored.sheet, language), language).await?;
    let (findings, on_trace) = findings(&sounds.walk, &line, &|name| sounds.heard(name));
    let heads = rows::heads(db, id).await?;
    let languages = app.settings.content_languages.iter().map(|language| {
        let head = heads.iter().find(|head| head.language == *language);
        AudioLanguage {
            language: language.clone(),
            enabled: head.is_some_and(|head| head.enabled),
            stops: head.map(|head| head.stops),
        }
    });
    Ok(AudioWalkView {
        id,
        language: language.to_owned(),
        version,
        sounds: story_sounds(&sounds),
        findings,
        on_trace,
        trace_m: cumulative_m(&line).last().copied().filter(|_| line.len() > 1),
        speed_mps: walk.going.speed_mps(),
        intro_of_sheet: walk.intro.is_empty() && !sounds.walk.intro.is_empty(),
        languages: languages.collect(),
        job,
        editable: locked_reason.is_none(),
        locked_reason,
        updated_at,
        updated_by: by.map(|(user, name)| Named { id: user.0, name }),
        walk,
    })
}

fn story_sounds(sounds: &Sounds) -> Vec<StorySound> {
    let transition = |name: &str| {
        let stop = sounds.walk.stops.iter().find(|stop| stop.name() == name)?;
        Some(sounds.transition(stop)?.path.clone())
    };
    let one = |(name, story): (String, &domain::audio::AudioStory)| {
        let sound = sounds.story(&name);
        let source = match sound {
            Some(sound) if sound.spoken => SoundSource::Voice,
            Some(_) => SoundSource::Recording,
            None if story.is_read_aloud() => SoundSource::Unsaid,
            None => SoundSource::Nothing,
        };
        StorySound {
            source,
            url: sound.map(|sound| sound.path.clone()),
            duration_s: sounds.heard(&name).duration_s,
            bytes: sound.map(|sound| sound.bytes),
            transition_url: transition(&name),
            story: name,
        }
    };
    sounds.walk.stories().map(one).collect()
}

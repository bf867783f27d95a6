//! The voices of this server, and the job that reads the texts of an audio walk aloud.

use app::App;
use app::extract::{Editor, Path, Query, Reader};
use app::problem::Internal;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use connect::speech::Engine;
use content::parcours::access::held;
use domain::ParcoursId;
use domain::audio::{AudioEngine, AudioJobState};
use serde::{Deserialize, Serialize};
use store::audio as rows;
use utoipa::{IntoParams, ToSchema};

use super::AudioError;
use super::settings::{AudioWalkView, known, view};
use super::sounds::{Sounds, as_heard};
use super::work::enqueue;

/// The engine of a walk.
pub(super) const fn engine_of(engine: AudioEngine) -> Engine {
    match engine {
        AudioEngine::Espeak => Engine::Espeak,
        AudioEngine::Openai => Engine::Openai,
        AudioEngine::Azure => Engine::Azure,
    }
}

/// What reads aloud here.
#[derive(Debug, Serialize, ToSchema)]
pub struct VoiceEngine {
    pub engine: AudioEngine,
    /// Whether it is installed, or set up.
    pub is_there: bool,
    /// Voices to propose, the usual one first.
    pub voices: Vec<String>,
}

/// The voices of this server.
#[derive(Debug, Serialize, ToSchema)]
pub struct VoiceList {
    /// All engines, those that are not there too.
    pub items: Vec<VoiceEngine>,
}

/// The language of the voices.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct VoicesQuery {
    /// `fr` by default.
    language: Option<String>,
}

/// What reads texts aloud here, with the voices of a language.
#[utoipa::path(get, path = "/api/v1/voices", tag = "audio", params(VoicesQuery), security(("session" = ["content.read"])),
    responses((status = 200, body = VoiceList), AudioError))]
pub async fn list_voices(
    State(app): State<App>,
    _reader: Reader,
    Query(query): Query<VoicesQuery>,
) -> Result<Json<VoiceList>, AudioError> {
    let language = query.language.unwrap_or_else(|| "fr".to_owned());
    known(&app, &language)?;
    let voices = app.voices.clone();
    let list = move || {
        let one = |engine| {
            let is_there = voices.is_there(engine_of(engine));
            let known = voices.of(engine_of(engine)).ok().filter(|_| is_there);
            let voices = known.map(|speaker| speaker.voices(&language)).unwrap_or_default();
            VoiceEngine { engine, is_there, voices }
        };
        [AudioEngine::Espeak, AudioEngine::Openai, AudioEngine::Azure].map(one).into_iter().collect()
    };
    let items = tokio::task::spawn_blocking(list).await.map_err(Internal::new)?;
    Ok(Json(VoiceList { items }))
}

/// Have the texts of a saved walk read that no voice read yet, as a job. Recordings are not changed.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/audio/{language}/speech", tag = "audio",
    params(("id" = i64, Path), ("language" = String, Path)), security(("session" = ["content.write"])),
    responses((status = 202, body = AudioWalkView), AudioError))]
#[tracing::instrument(name = "audio.speak", skip_all, fields(parcours.id = %id))]
pub async fn start_audio_speech(
    State(app): State<App>,
    editor: Editor,
    Path((id, language)): Path<(ParcoursId, String)>,
) -> Result<(StatusCode, Json<AudioWalkView>), AudioError> {
    known(&app, &language)?;
    let tx = app.store.begin().await?;
    let stored = held(&tx, id, &editor).await?;
    let walk = rows::find(&tx, id, &language).await?.ok_or(AudioError::NothingToSay)?.walk;
    let sounds = Sounds::of(&tx, stored.white_label_id, as_heard(&walk, &stored.sheet, &language), &language).await?;
    let total = sounds.unsaid().len() as i64;
    if total == 0 {
        return Err(AudioError::NothingToSay);
    }
    let last = rows::latest(&tx, id, &language).await?;
    if last.is_some_and(|job| job.state == AudioJobState::Running) {
        return Err(AudioError::AlreadySpeaking);
    }
    // A missing engine is reported now, not by a job that cannot begin.
    let (voices, engine) = (app.voices.clone(), engine_of(walk.engine));
    if !tokio::task::spawn_blocking(move || voices.is_there(engine)).await.map_err(Internal::new)? {
        return Err(AudioError::EngineMissing);
    }
    let begun = rows::begin(&tx, id, &language, total, editor.user_id, app.now()).await?;
    if let Some(job) = rows::job(&tx, begun).await? {
        enqueue(&app, &tx, &job, stored.white_label_id).await?;
    }
    let after = view(&app, &tx, &stored, &language, None).await?;
    tx.commit().await?;
    Ok((StatusCode::ACCEPTED, Json(after)))
}

/// Stop the reading after the text it is at: what was read stays.
#[utoipa::path(delete, path = "/api/v1/parcours/{id}/audio/{language}/speech", tag = "audio",
    params(("id" = i64, Path), ("language" = String, Path)), security(("session" = ["content.write"])),
    responses((status = 204, description = "It stops"), AudioError))]
#[tracing::instrument(name = "audio.cancel", skip_all, fields(parcours.id = %id))]
pub async fn cancel_audio_speech(
    State(app): State<App>,
    editor: Editor,
    Path((id, language)): Path<(ParcoursId, String)>,
) -> Result<StatusCode, AudioError> {
    known(&app, &language)?;
    let tx = app.store.begin().await?;
    let stored = held(&tx, id, &editor).await?;
    let stopping = rows::ask_to_stop(&tx, id, &language).await?;
    if stopping.is_empty() {
        return Err(AudioError::NotSpeaking);
    }
    for job in &stopping {
        enqueue(&app, &tx, job, stored.white_label_id).await?;
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

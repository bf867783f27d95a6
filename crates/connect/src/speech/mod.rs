//! Text to speech, behind one trait: espeak-ng on this machine, OpenAI's speech endpoint, Azure AI Speech.

mod azure;
mod error;
mod espeak;
mod openai;

use std::path::PathBuf;

pub use error::SpeechError;

use crate::Services;
use crate::http::{Answer, Question};

/// The speech engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// espeak-ng.
    Espeak,
    /// A service with OpenAI's speech endpoint: OpenAI itself, Kokoro, speaches …
    Openai,
    /// Azure AI Speech.
    Azure,
}

/// The settings of the operator. It has no `Debug`: nothing prints a key by mistake.
#[derive(Clone, Default)]
pub struct VoiceSettings {
    /// The program of espeak-ng; none disables espeak-ng.
    pub espeak: Option<PathBuf>,
    /// The address of the speech endpoint, without `/v1`; none without such a service.
    pub openai_url: Option<String>,
    /// Its key; a server in the private network may need none.
    pub openai_key: Option<String>,
    /// Which of its models.
    pub openai_model: String,
    /// The address of Azure: `https://<region>.tts.speech.microsoft.com`; none without this service.
    pub azure_url: Option<String>,
    pub azure_key: Option<String>,
}

/// A text to be spoken.
#[derive(Debug, Clone, Copy)]
pub struct SpeechRequest<'a> {
    /// Plain, at most a thousand characters.
    pub words: &'a str,
    /// Their language, `fr`.
    pub language: &'a str,
    /// The voice; empty for the usual one.
    pub voice: &'a str,
    /// The speed, in words per minute.
    pub words_a_minute: i64,
}

/// A speech engine. It blocks the thread: handlers and workers call it on another one.
pub trait Speak: Send + Sync {
    /// The bytes of a sound file.
    fn speak(&self, asked: SpeechRequest<'_>) -> Result<Vec<u8>, SpeechError>;

    /// Voices to propose for a language, the usual one first; there may be others.
    fn voices(&self, language: &str) -> Vec<String>;
}

/// The engines that are set up. Cloning it is cheap.
#[derive(Clone)]
pub struct Voices {
    settings: VoiceSettings,
    services: Services,
}

impl Voices {
    /// The voices of these settings.
    pub fn new(settings: VoiceSettings, services: Services) -> Self {
        Self { settings, services }
    }

    /// An engine, if the operator set it up. No request is sent yet.
    pub fn of(&self, engine: Engine) -> Result<Box<dyn Speak>, SpeechError> {
        let (set, services) = (&self.settings, self.services.clone());
        Ok(match engine {
            Engine::Espeak => {
                Box::new(espeak::Espeak { program: set.espeak.clone().ok_or(SpeechError::EngineMissing)? })
            }
            Engine::Openai => Box::new(openai::OpenAi {
                url: set.openai_url.clone().ok_or(SpeechError::EngineMissing)?,
                key: set.openai_key.clone(),
                model: set.openai_model.clone(),
                services,
            }),
            Engine::Azure => Box::new(azure::Azure {
                url: set.azure_url.clone().ok_or(SpeechError::EngineMissing)?,
                key: set.azure_key.clone().ok_or(SpeechError::EngineMissing)?,
                services,
            }),
        })
    }

    /// The model of an engine's service. Empty for an engine without models.
    pub fn model(&self, engine: Engine) -> &str {
        match engine {
            Engine::Openai => &self.settings.openai_model,
            Engine::Espeak | Engine::Azure => "",
        }
    }

    /// Whether an engine can be used: its program is installed, or its service is set up.
    pub fn is_there(&self, engine: Engine) -> bool {
        match engine {
            Engine::Espeak => self.settings.espeak.as_deref().is_some_and(espeak::is_there),
            other => self.of(other).is_ok(),
        }
    }
}

/// Sends a request and returns the sound in the answer.
fn exchange(
    services: &Services,
    name: &str,
    question: Question<'_>,
    refused: fn(u16, &str) -> Option<SpeechError>,
) -> Result<Vec<u8>, SpeechError> {
    let Answer { reply, .. } = services.ask(name, question)?;
    if (200..=299).contains(&reply.status) {
        let is_text = reply.media_type.starts_with("text/") || reply.media_type.ends_with("json");
        return if reply.body.is_empty() || is_text { Err(SpeechError::BadAnswer) } else { Ok(reply.body) };
    }
    let text = String::from_utf8_lossy(&reply.body);
    tracing::warn!(service = name, status = reply.status, "refused to speak");
    Err(refused(reply.status, &text).unwrap_or(match reply.status {
        401 | 403 => SpeechError::Key,
        429 => SpeechError::TooMany,
        500..=599 => SpeechError::Unavailable,
        status => SpeechError::Status(status),
    }))
}

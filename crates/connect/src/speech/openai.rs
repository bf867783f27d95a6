//! `POST /v1/audio/speech`, of OpenAI and of many servers that can be installed.

use serde_json::json;

use super::{Speak, SpeechError, SpeechRequest, exchange};
use crate::Services;
use crate::http::Question;

/// The usual speed of its voices, in words per minute.
const USUAL_WORDS_A_MINUTE: f64 = 150.0;

pub(super) struct OpenAi {
    pub url: String,
    pub key: Option<String>,
    pub model: String,
    pub services: Services,
}

fn refused(status: u16, words: &str) -> Option<SpeechError> {
    match status {
        429 if words.contains("insufficient_quota") => Some(SpeechError::Quota),
        400 | 404 | 422 if words.contains("voice") => Some(SpeechError::Voice),
        _ => None,
    }
}

impl Speak for OpenAi {
    fn speak(&self, asked: SpeechRequest<'_>) -> Result<Vec<u8>, SpeechError> {
        let voice = if asked.voice.is_empty() { "alloy" } else { asked.voice };
        let speed = (asked.words_a_minute as f64 / USUAL_WORDS_A_MINUTE).clamp(0.25, 4.0);
        let body = json!({
            "model": self.model,
            "input": asked.words,
            "voice": voice,
            "response_format": "wav",
            "speed": (speed * 100.0).round() / 100.0,
        });
        let url = format!("{}/v1/audio/speech", self.url.trim_end_matches('/'));
        let key = self.key.as_deref().map(|key| format!("Bearer {key}"));
        let headers: Vec<(&str, &str)> = key.as_deref().map(|key| ("authorization", key)).into_iter().collect();
        let body = body.to_string().into_bytes();
        exchange(&self.services, "speech", Question { url: &url, headers: &headers, body: Some(&body) }, refused)
    }

    fn voices(&self, _: &str) -> Vec<String> {
        ["alloy", "echo", "fable", "onyx", "nova", "shimmer"].map(str::to_owned).to_vec()
    }
}

//! Azure AI Speech: SSML in, WAV out.

use super::{Speak, SpeechError, SpeechRequest, exchange};
use crate::Services;
use crate::http::Question;

/// The usual speed of its voices, in words per minute.
const USUAL_WORDS_A_MINUTE: i64 = 150;

/// A voice of each language, with the language as Azure names it.
const VOICES: [(&str, &str, [&str; 2]); 7] = [
    ("fr", "fr-FR", ["fr-FR-DeniseNeural", "fr-FR-HenriNeural"]),
    ("en", "en-GB", ["en-GB-SoniaNeural", "en-GB-RyanNeural"]),
    ("de", "de-DE", ["de-DE-KatjaNeural", "de-DE-ConradNeural"]),
    ("es", "es-ES", ["es-ES-ElviraNeural", "es-ES-AlvaroNeural"]),
    ("it", "it-IT", ["it-IT-ElsaNeural", "it-IT-DiegoNeural"]),
    ("nl", "nl-NL", ["nl-NL-ColetteNeural", "nl-NL-MaartenNeural"]),
    ("pt", "pt-PT", ["pt-PT-RaquelNeural", "pt-PT-DuarteNeural"]),
];

pub(super) struct Azure {
    pub url: String,
    pub key: String,
    pub services: Services,
}

fn refused(status: u16, words: &str) -> Option<SpeechError> {
    (status == 400 && words.to_ascii_lowercase().contains("voice")).then_some(SpeechError::Voice)
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Speak for Azure {
    fn speak(&self, asked: SpeechRequest<'_>) -> Result<Vec<u8>, SpeechError> {
        let known = VOICES.iter().find(|(language, ..)| *language == asked.language);
        let voice = match (asked.voice, known) {
            ("", Some((_, _, voices))) => voices[0],
            ("", None) => return Err(SpeechError::Voice),
            (voice, _) => voice,
        };
        let language = known.map_or(asked.language, |(_, language, _)| language);
        let rate = asked.words_a_minute * 100 / USUAL_WORDS_A_MINUTE - 100;
        let ssml = format!(
            r#"<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="{}"><voice name="{}"><prosody rate="{rate:+}%">{}</prosody></voice></speak>"#,
            escaped(language),
            escaped(voice),
            escaped(asked.words),
        );
        let url = format!("{}/cognitiveservices/v1", self.url.trim_end_matches('/'));
        let headers = [
            ("ocp-apim-subscription-key", self.key.as_str()),
            ("x-microsoft-outputformat", "riff-24khz-16bit-mono-pcm"),
            ("content-type", "application/ssml+xml"),
        ];
        let question = Question { url: &url, headers: &headers, body: Some(ssml.as_bytes()) };
        exchange(&self.services, "azure-speech", question, refused)
    }

    fn voices(&self, language: &str) -> Vec<String> {
        let known = VOICES.iter().find(|(known, ..)| *known == language);
        known.map(|(_, _, voices)| voices.map(str::to_owned).to_vec()).unwrap_or_default()
    }
}

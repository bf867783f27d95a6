//! A LibreTranslate server.

use serde_json::{Value, json};

use super::{
    Account, Translate, TranslateError, Translated, TranslationRequest, Usage, counted, exchange, language_of,
};
use crate::Services;

pub(super) struct LibreTranslate {
    pub account: Account,
    pub services: Services,
}

fn refused(status: u16, words: &str) -> Option<TranslateError> {
    let words = words.to_ascii_lowercase();
    match status {
        400 if words.contains("api key") => Some(TranslateError::Key),
        400 if words.contains("not supported") => Some(TranslateError::Language),
        400 if words.contains("exceed") || words.contains("too long") => Some(TranslateError::TooLarge),
        // « Too many request limits violations »: a ban for a while, whatever the key.
        403 if words.contains("too many request") => Some(TranslateError::TooMany { retry_after_s: None }),
        _ => None,
    }
}

impl Translate for LibreTranslate {
    fn translate(&self, asked: TranslationRequest<'_>) -> Result<Vec<Translated>, TranslateError> {
        let mut body = json!({
            "q": asked.texts,
            "source": asked.source.unwrap_or("auto"),
            "target": asked.target,
            "format": if asked.html { "html" } else { "text" },
        });
        if let Some(key) = &self.account.key {
            body["api_key"] = key.as_str().into();
        }
        // There is no public server for everyone: without an address there is no server to call.
        let url = self.account.url("", "/translate");
        let answer = exchange(&self.services, "libretranslate", &url, &[], Some(&body), refused)?;
        let texts = answer["translatedText"].as_array().ok_or(TranslateError::BadAnswer)?;
        let detected = |at: usize| {
            let found = &answer["detectedLanguage"];
            // One for all, or one each.
            let one = if found.is_array() { &found[at] } else { found };
            one["language"].as_str().or(asked.source).and_then(language_of)
        };
        let one =
            |(at, text): (usize, &Value)| Some(Translated { text: text.as_str()?.to_owned(), detected: detected(at) });
        counted(texts.iter().enumerate().filter_map(one).collect(), asked)
    }

    /// LibreTranslate counts no characters: the translation of one word shows that server and key work.
    fn usage(&self) -> Result<Usage, TranslateError> {
        let texts = ["Bonjour".to_owned()];
        self.translate(TranslationRequest { texts: &texts, source: Some("fr"), target: "en", html: false })?;
        Ok(Usage::default())
    }
}

//! Google Cloud Translation, basic edition (v2).

use serde_json::{Value, json};

use super::{
    Account, Translate, TranslateError, Translated, TranslationRequest, Usage, counted, exchange, language_of,
};
use crate::Services;

const HOST: &str = "https://translation.googleapis.com";

pub(super) struct Google {
    pub account: Account,
    pub services: Services,
}

fn refused(status: u16, words: &str) -> Option<TranslateError> {
    let has = |part: &str| words.contains(part);
    match status {
        400 if has("API key") || has("API_KEY_INVALID") => Some(TranslateError::Key),
        400 if has("too long") || has("Too many text segments") => Some(TranslateError::TooLarge),
        400 if has("language") || has("Invalid Value") => Some(TranslateError::Language),
        403 if has("userRateLimitExceeded") || has("rateLimitExceeded") => {
            Some(TranslateError::TooMany { retry_after_s: None })
        }
        403 if has("LimitExceeded") || has("quota") => Some(TranslateError::Quota),
        _ => None,
    }
}

impl Translate for Google {
    fn translate(&self, asked: TranslationRequest<'_>) -> Result<Vec<Translated>, TranslateError> {
        let mut body = json!({
            "q": asked.texts,
            "target": asked.target,
            "format": if asked.html { "html" } else { "text" },
        });
        if let Some(source) = asked.source {
            body["source"] = source.into();
        }
        // In a header, not in the address: addresses end in logs.
        let headers = [("x-goog-api-key", self.account.key())];
        let url = self.account.url(HOST, "/language/translate/v2");
        let answer = exchange(&self.services, "google", &url, &headers, Some(&body), refused)?;
        let found = answer["data"]["translations"].as_array().ok_or(TranslateError::BadAnswer)?;
        let one = |found: &Value| {
            let detected = found["detectedSourceLanguage"].as_str().or(asked.source);
            Some(Translated {
                text: found["translatedText"].as_str()?.to_owned(),
                detected: detected.and_then(language_of),
            })
        };
        counted(found.iter().filter_map(one).collect(), asked)
    }

    /// The service has no request that names the account of a key: the key works if it translates a word.
    fn usage(&self) -> Result<Usage, TranslateError> {
        let texts = ["Bonjour".to_owned()];
        self.translate(TranslationRequest { texts: &texts, source: Some("fr"), target: "en", html: false })?;
        Ok(Usage::default())
    }
}

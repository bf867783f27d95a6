//! Azure AI Translator v3.

use serde_json::{Value, json};

use super::{
    Account, Translate, TranslateError, Translated, TranslationRequest, Usage, counted, exchange, language_of,
};
use crate::Services;

const HOST: &str = "https://api.cognitive.microsofttranslator.com";

pub(super) struct Azure {
    pub account: Account,
    pub services: Services,
}

/// Azure gives the reason as a number of six digits.
fn refused(status: u16, words: &str) -> Option<TranslateError> {
    let parsed: Value = serde_json::from_str(words).unwrap_or_default();
    match (status, parsed["error"]["code"].as_i64()) {
        (_, Some(403_001)) => Some(TranslateError::Quota),
        (_, Some(400_023 | 400_035 | 400_036)) => Some(TranslateError::Language),
        (_, Some(400_050 | 400_077)) => Some(TranslateError::TooLarge),
        _ => None,
    }
}

impl Translate for Azure {
    fn translate(&self, asked: TranslationRequest<'_>) -> Result<Vec<Translated>, TranslateError> {
        let from = asked.source.map_or(String::new(), |source| format!("&from={source}"));
        let kind = if asked.html { "html" } else { "plain" };
        let path = format!("/translate?api-version=3.0&to={}{from}&textType={kind}", asked.target);
        let mut headers = vec![("ocp-apim-subscription-key", self.account.key())];
        headers.extend(self.account.region.as_deref().map(|region| ("ocp-apim-subscription-region", region)));
        let body: Value = asked.texts.iter().map(|text| json!({ "Text": text })).collect();
        let url = self.account.url(HOST, &path);
        let answer = exchange(&self.services, "azure", &url, &headers, Some(&body), refused)?;
        let found = answer.as_array().ok_or(TranslateError::BadAnswer)?;
        let one = |found: &Value| {
            let detected = found["detectedLanguage"]["language"].as_str().or(asked.source);
            Some(Translated {
                text: found["translations"][0]["text"].as_str()?.to_owned(),
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

    /// 50,000 characters of what is sent, of which each may be several bytes: a margin for the JSON around them.
    fn max_bytes(&self) -> usize {
        45_000
    }
}

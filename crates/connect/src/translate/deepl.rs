//! DeepL's API v2.

use serde_json::{Value, json};

use super::{
    Account, English, Manner, Translate, TranslateError, Translated, TranslationRequest, Usage, counted, exchange,
    language_of,
};
use crate::Services;

const FREE: &str = "https://api-free.deepl.com";
const PRO: &str = "https://api.deepl.com";
/// The limit of what is not limited.
const UNLIMITED: i64 = 1_000_000_000_000;

pub(super) struct DeepL {
    pub account: Account,
    pub services: Services,
}

/// DeepL wants a variant of some languages it translates into.
fn target(language: &str, english: English) -> String {
    match language {
        "en" if english == English::British => "EN-GB".to_owned(),
        "en" => "EN-US".to_owned(),
        "pt" => "PT-PT".to_owned(),
        "zh" => "ZH-HANS".to_owned(),
        other => other.to_ascii_uppercase(),
    }
}

fn refused(status: u16, words: &str) -> Option<TranslateError> {
    match status {
        456 => Some(TranslateError::Quota),
        400 if words.contains("target_lang") || words.contains("source_lang") => Some(TranslateError::Language),
        _ => None,
    }
}

impl DeepL {
    fn ask(&self, path: &str, body: Option<&Value>) -> Result<Value, TranslateError> {
        // Keys of the free plan say so.
        let host = if self.account.key().ends_with(":fx") { FREE } else { PRO };
        let key = format!("DeepL-Auth-Key {}", self.account.key());
        let url = self.account.url(host, path);
        exchange(&self.services, "deepl", &url, &[("authorization", &key)], body, refused)
    }
}

impl Translate for DeepL {
    fn translate(&self, asked: TranslationRequest<'_>) -> Result<Vec<Translated>, TranslateError> {
        let mut body = json!({ "text": asked.texts, "target_lang": target(asked.target, self.account.english) });
        if let Some(source) = asked.source {
            body["source_lang"] = source.to_ascii_uppercase().into();
        }
        if asked.html {
            body["tag_handling"] = "html".into();
        }
        // The forms that do not fail on a language without the difference.
        match self.account.manner {
            Manner::Usual => {}
            Manner::More => body["formality"] = "prefer_more".into(),
            Manner::Less => body["formality"] = "prefer_less".into(),
        }
        let answer = self.ask("/v2/translate", Some(&body))?;
        let found = answer["translations"].as_array().ok_or(TranslateError::BadAnswer)?;
        let one = |found: &Value| {
            Some(Translated {
                text: found["text"].as_str()?.to_owned(),
                detected: found["detected_source_language"].as_str().and_then(language_of),
            })
        };
        counted(found.iter().filter_map(one).collect(), asked)
    }

    fn usage(&self) -> Result<Usage, TranslateError> {
        let answer = self.ask("/v2/usage", None)?;
        let number = |name: &str| answer[name].as_i64();
        if number("character_count").is_none() {
            return Err(TranslateError::BadAnswer);
        }
        let limit = number("character_limit").filter(|limit| *limit < UNLIMITED);
        Ok(Usage { used: number("character_count"), limit })
    }
}

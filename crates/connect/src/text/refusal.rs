//! What a service says when it refuses: the fields that OpenAI documents for an error, and those of the services that differ.
//!
//! OpenAI, Azure and Ollama have them in the object `error`; Mistral and vLLM at the top; a server made with FastAPI only has `detail`.

use serde_json::Value;

use super::TextError;

/// Values of `code` or `type`: the account has nothing left.
const QUOTA: &[&str] = &["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "402"];
/// Too many requests: OpenAI, Anthropic's endpoint, Mistral; a number where a service repeats the status in its stream.
const TOO_MANY: &[&str] =
    &["rate_limit_exceeded", "rate_limit_error", "rate_limit", "rate_limited", "too_many_requests", "429"];
/// The model does not exist: OpenAI, Mistral, Azure, vLLM, Ollama.
const MODEL: &[&str] = &["model_not_found", "invalid_model", "deploymentnotfound", "notfounderror", "not_found_error"];
/// The question is too long.
const TOO_LONG: &[&str] = &["context_length_exceeded", "string_above_max_length"];
/// The content filter of the service refused the question.
const FILTERED: &[&str] = &["content_filter", "content_policy_violation"];
/// The key is refused.
const KEY: &[&str] = &["invalid_api_key", "authentication_error", "permission_error", "401", "403"];

/// Words of services without a code for it: vLLM, llama.cpp, older Mistral.
const SAYS_TOO_LONG: &[&str] =
    &["maximum context", "context length", "context window", "context size", "too long", "too many tokens"];
/// Words beside "model".
const SAYS_UNKNOWN: &[&str] = &["not found", "does not exist", "unknown model", "invalid model", "no such model"];
const SAYS_QUOTA: &[&str] = &["quota"];
const SAYS_TOO_MANY: &[&str] = &["rate limit", "rate limited", "rate limits", "too many requests"];

/// What a service says of an error, in small letters.
#[derive(Debug, Default)]
pub(super) struct ErrorBody {
    /// Its `code` and its `type`.
    names: Vec<String>,
    /// The field of the request that it is about.
    param: String,
    message: String,
}

impl ErrorBody {
    /// Reads the body of an answer. A body that is not JSON is taken as the message.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(bytes) {
            Ok(value) if value.is_object() => Self::of(&value),
            _ => Self { message: String::from_utf8_lossy(bytes).to_ascii_lowercase(), ..Self::default() },
        }
    }

    /// Reads an answer, or one part of a streamed answer.
    pub fn of(value: &Value) -> Self {
        let error = value.get("error").filter(|error| error.is_object()).unwrap_or(value);
        let word = |field: &str| match &error[field] {
            Value::String(text) => text.to_ascii_lowercase(),
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        let plain = [&error["message"], &error["detail"], &value["error"]].into_iter().find_map(Value::as_str);
        Self {
            names: vec![word("code"), word("type")],
            param: word("param"),
            message: plain.map_or_else(|| error.to_string(), str::to_owned).to_ascii_lowercase(),
        }
    }

    /// Whether its message has one of these phrases, as whole words.
    pub fn says(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| has_words(&self.message, phrase))
    }

    fn is_named(&self, names: &[&str]) -> bool {
        self.names.iter().any(|name| names.contains(&name.as_str()))
    }

    /// The cause by the names that services document.
    fn named(&self, retry_after_s: Option<u64>) -> Option<TextError> {
        Some(if self.is_named(QUOTA) {
            TextError::Quota
        } else if self.is_named(TOO_MANY) {
            TextError::TooMany { retry_after_s }
        } else if self.is_named(TOO_LONG) {
            TextError::TooLong
        } else if self.is_named(MODEL) {
            TextError::Model
        } else if self.is_named(FILTERED) {
            TextError::Filtered
        } else if self.is_named(KEY) {
            TextError::Key
        } else {
            return None;
        })
    }

    /// Why a stream that had begun well ended. It has no status.
    pub fn in_stream(&self) -> TextError {
        self.named(None).unwrap_or_else(|| {
            if self.says(SAYS_QUOTA) {
                TextError::Quota
            } else if self.says(SAYS_TOO_MANY) {
                TextError::TooMany { retry_after_s: None }
            } else {
                TextError::Failed
            }
        })
    }

    /// Why a request of which the service understands the form is refused.
    fn of_bad_request(&self, status: u16) -> TextError {
        let is_unknown_model =
            || self.param == "model" || (has_words(&self.message, "model") && self.says(SAYS_UNKNOWN));
        self.named(None).unwrap_or_else(|| {
            if self.says(SAYS_TOO_LONG) {
                TextError::TooLong
            } else if is_unknown_model() {
                TextError::Model
            } else {
                TextError::Status(status)
            }
        })
    }
}

/// Whether a text has a phrase as whole words: "rate" is in "generate", and does not count there.
fn has_words(text: &str, phrase: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(phrase).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + phrase.len()..).unwrap_or_default();
        !before.ends_with(is_of_word) && !after.starts_with(is_of_word)
    })
}

/// An answer that refuses.
pub(super) struct Refused {
    pub status: u16,
    /// When the next request may be made, seconds.
    pub retry_after_s: Option<u64>,
    pub body: ErrorBody,
}

impl From<Refused> for TextError {
    fn from(Refused { status, retry_after_s, body }: Refused) -> Self {
        match status {
            401 | 403 => Self::Key,
            402 => Self::Quota,
            404 => Self::Model,
            413 => Self::TooLong,
            429 if body.is_named(QUOTA) => Self::Quota,
            429 => Self::TooMany { retry_after_s },
            400 | 422 => body.of_bad_request(status),
            500..=599 => Self::Failed,
            status => Self::Status(status),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(status: u16, body: &str) -> &'static str {
        let body = ErrorBody::of_bytes(body.as_bytes());
        TextError::from(Refused { status, retry_after_s: None, body }).code()
    }

    #[test]
    fn a_refusal_is_classed_by_its_status_and_by_the_names_that_services_document() {
        for (status, body, code) in [
            (
                429,
                r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}"#,
                "assistant/quota",
            ),
            (
                429,
                r#"{"object":"error","message":"Rate limit","type":"rate_limited","code":"1300"}"#,
                "assistant/too-many-requests",
            ),
            (400, r#"{"error":{"message":"Too big","code":"context_length_exceeded"}}"#, "assistant/too-long"),
            (
                400,
                r#"{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}"#,
                "assistant/too-long",
            ),
            (
                400,
                r#"{"object":"error","message":"Invalid model: mistral-x","type":"invalid_model","code":"1500"}"#,
                "assistant/no-model",
            ),
            (400, r#"{"error":{"message":"The model `x` does not exist"}}"#, "assistant/no-model"),
            (422, r#"{"detail":"Model not found."}"#, "assistant/no-model"),
            (400, r#"{"error":{"message":"Wrong","param":"model"}}"#, "assistant/no-model"),
            (400, r#"{"error":{"message":"Flagged","code":"content_filter"}}"#, "assistant/filtered"),
            // A word of another fault.
            (
                400,
                r#"{"error":{"message":"'temperature' is not supported with this model","param":"temperature","code":"unsupported_value"}}"#,
                "assistant/refused",
            ),
            (400, r#"{"error":{"message":"Remodelled prompts are not found here"}}"#, "assistant/refused"),
            (400, "Use 'max_completion_tokens' instead.", "assistant/refused"),
            (503, r#"{"error":{"code":"rate_limit_exceeded"}}"#, "assistant/service-failed"),
        ] {
            assert_eq!(refusal(status, body), code, "{status} {body}");
        }
    }

    #[test]
    fn an_error_in_a_stream_is_classed_by_names_and_by_whole_words() {
        for (error, code) in [
            (r#"{"error":{"message":"Rate limit","type":"rate_limit"}}"#, "assistant/too-many-requests"),
            (r#"{"error":{"message":"Slow down","code":429}}"#, "assistant/too-many-requests"),
            (r#"{"error":{"message":"Your quota is used up"}}"#, "assistant/quota"),
            (r#"{"error":"rate limit reached"}"#, "assistant/too-many-requests"),
            (
                r#"{"error":{"message":"Failed to generate a separate answer at this rate"}}"#,
                "assistant/service-failed",
            ),
            (r#"{"error":{"message":"quotation marks are not closed"}}"#, "assistant/service-failed"),
        ] {
            let value = serde_json::from_str(error).unwrap_or_default();
            assert_eq!(ErrorBody::of(&value).in_stream().code(), code, "{error}");
        }
    }
}

//! Language models behind the endpoint that OpenAI made usual: Mistral, Ollama, vLLM, Albert and others use its format.

mod refusal;

use std::io::Read;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::http::Response;

use self::refusal::{ErrorBody, Refused};
use crate::Services;
use crate::http::{HttpError, Question, retry_after_s};

/// Time for a whole text.
const TEXT_TIMEOUT: Duration = Duration::from_secs(60);
/// The largest text.
const MAX_BYTES: usize = 2 * 1024 * 1024;

/// The service to call. It has no `Debug`: nothing prints the key by mistake.
#[derive(Clone)]
pub struct TextAccount {
    /// Up to `/v1`.
    pub base_url: String,
    /// Its key; a private server may need none.
    pub key: Option<String>,
    pub model: String,
}

/// A request to the model.
#[derive(Debug, Clone)]
pub struct TextRequest {
    /// The system prompt: the role and the rules.
    pub system: String,
    /// The prompt of the user.
    pub person: String,
    /// The largest length of the text.
    pub max_tokens: u32,
}

/// How a text ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextEnd {
    /// Whether it stopped at the largest length.
    pub is_cut: bool,
    /// Whether the user stopped it.
    pub is_stopped: bool,
    /// The tokens it used, where the service reports them. Not checked: a service may report any number.
    pub tokens: Option<i64>,
}

/// Why there is no text, or only a part.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// The key is wrong, or lacks this right.
    #[error("the service refuses the key")]
    Key,
    /// The account has no credit left.
    #[error("the account has nothing left")]
    Quota,
    /// The service has no such model.
    #[error("the service has no such model")]
    Model,
    /// The request is too long for the model.
    #[error("the question is too long for the model")]
    TooLong,
    /// Too many requests.
    #[error("the service refuses further requests for a while")]
    TooMany {
        /// When the next request may be made.
        retry_after_s: Option<u64>,
    },
    /// The filter of the service withheld the text.
    #[error("the service's filter kept the text back")]
    Filtered,
    /// The connection broke in the middle.
    #[error("the text was cut in the middle")]
    Cut,
    /// The service failed in the middle, or is temporarily not available.
    #[error("the service failed")]
    Failed,
    /// The answer cannot be understood.
    #[error("the service's answer makes no sense")]
    BadAnswer,
    /// An error status with an unknown reason.
    #[error("the service answered with status {0}")]
    Status(u16),
    /// There was no answer.
    #[error(transparent)]
    Http(#[from] HttpError),
}

impl TextError {
    /// The stable code that the interface translates.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Key => "assistant/key-refused",
            Self::Quota => "assistant/quota",
            Self::Model => "assistant/no-model",
            Self::TooLong => "assistant/too-long",
            Self::TooMany { .. } => "assistant/too-many-requests",
            Self::Filtered => "assistant/filtered",
            Self::Cut => "assistant/cut",
            Self::Failed => "assistant/service-failed",
            Self::BadAnswer | Self::Http(HttpError::BadAnswer(_) | HttpError::TooLarge { .. }) => "assistant/nonsense",
            Self::Status(_) => "assistant/refused",
            Self::Http(HttpError::TimedOut) => "assistant/timed-out",
            Self::Http(HttpError::NotPublic | HttpError::NotEncrypted | HttpError::BadUrl(_)) => {
                "assistant/address-refused"
            }
            Self::Http(HttpError::Unreachable(_) | HttpError::BackingOff | HttpError::NotKept(_)) => {
                "assistant/unreachable"
            }
        }
    }
}

impl TextAccount {
    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base_url.trim_end_matches('/'))
    }

    fn bearer(&self) -> Option<String> {
        self.key.as_ref().map(|key| format!("Bearer {key}"))
    }
}

fn open(
    services: &Services,
    account: &TextAccount,
    path: &str,
    body: Option<&Value>,
) -> Result<Result<Response<ureq::Body>, Refused>, TextError> {
    let (url, bearer) = (account.url(path), account.bearer());
    let headers: Vec<(&str, &str)> = bearer.iter().map(|key| ("authorization", key.as_str())).collect();
    let body = body.map(|body| body.to_string().into_bytes());
    let question = Question { url: &url, headers: &headers, body: body.as_deref() };
    let mut reply = services.client.open(question, TEXT_TIMEOUT)?;
    let status = reply.status().as_u16();
    if (200..=299).contains(&status) {
        return Ok(Ok(reply));
    }
    let retry_after_s = retry_after_s(&reply);
    let body = reply.body_mut().with_config().limit(64 * 1024).read_to_vec().unwrap_or_default();
    tracing::warn!(service = "text", status, "refused");
    Ok(Err(Refused { status, retry_after_s, body: ErrorBody::of_bytes(&body) }))
}

/// The models of a service: shows that the key works.
pub fn models(services: &Services, account: &TextAccount) -> Result<Vec<String>, TextError> {
    let mut reply = open(services, account, "/models", None)??;
    let bytes = reply.body_mut().with_config().limit(MAX_BYTES as u64).read_to_vec().map_err(|_| TextError::Cut)?;
    let parsed: Value = serde_json::from_slice(&bytes).map_err(|_| TextError::BadAnswer)?;
    let items = parsed["data"].as_array().ok_or(TextError::BadAnswer)?;
    Ok(items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)).collect())
}

/// Requests a text, and passes it to `takes` while it arrives; `takes` returns whether to go on. It blocks the thread.
pub fn stream(
    services: &Services,
    account: &TextAccount,
    asked: &TextRequest,
    takes: &mut dyn FnMut(&str) -> bool,
) -> Result<TextEnd, TextError> {
    let body = |limit: &str| {
        let mut body = json!({
            "model": account.model,
            "messages": [{"role": "system", "content": asked.system}, {"role": "user", "content": asked.person}],
            "stream": true,
        });
        body[limit] = asked.max_tokens.into();
        if limit == "max_tokens" {
            body["temperature"] = json!(0.4);
        }
        body
    };
    let path = "/chat/completions";
    let reply = match open(services, account, path, Some(&body("max_tokens")))? {
        // Newer models of OpenAI accept the limit by another name only, and report this; they choose the temperature themselves.
        Err(refused) if refused.status == 400 && refused.body.says(&["max_completion_tokens"]) => {
            open(services, account, path, Some(&body("max_completion_tokens")))??
        }
        reply => reply?,
    };
    let mut reader = reply.into_body().into_reader();
    let mut heard = Received::default();
    let mut buffer = [0_u8; 8 * 1024];
    let mut rest: Vec<u8> = Vec::new();
    let mut total = 0;
    loop {
        let count = match reader.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if is_time_out(&error) => return Err(HttpError::TimedOut.into()),
            Err(_) => return Err(TextError::Cut),
        };
        total += count;
        if total > MAX_BYTES {
            return Err(TextError::BadAnswer);
        }
        rest.extend_from_slice(&buffer[..count]);
        // A letter may be cut between two reads: only whole lines are parsed.
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=at).collect();
            if !heard.line(&line, takes)? {
                return Ok(TextEnd { is_stopped: true, ..heard.end });
            }
            if heard.is_done {
                return Ok(heard.end);
            }
        }
        if count == 0 {
            heard.line(&rest, takes)?;
            return heard.ended(takes);
        }
    }
}

fn is_time_out(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::TimedOut | std::io::ErrorKind::WouldBlock)
        || error.to_string().contains("timeout")
}

/// The parts received so far.
#[derive(Debug, Default)]
struct Received {
    end: TextEnd,
    /// The service gave a reason to end; the number of tokens may still follow.
    is_over: bool,
    /// Nothing follows, even where the connection stays open.
    is_done: bool,
    said_something: bool,
    /// Lines that are not events: the service did not stream its answer.
    whole: Vec<u8>,
}

impl Received {
    /// Takes one line. `false` if the caller wants no further text.
    fn line(&mut self, line: &[u8], takes: &mut dyn FnMut(&str) -> bool) -> Result<bool, TextError> {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        let Some(data) = text.strip_prefix("data:").map(str::trim) else {
            // Comments keep the connection open; other fields of an event are not used.
            let is_field =
                text.starts_with(':') || ["event:", "id:", "retry:"].iter().any(|field| text.starts_with(field));
            if !is_field {
                self.whole.extend_from_slice(line);
            }
            return Ok(true);
        };
        if data == "[DONE]" {
            self.is_done = true;
            return Ok(true);
        }
        let parsed: Value = serde_json::from_str(data).map_err(|_| TextError::BadAnswer)?;
        self.chunk(&parsed, "delta", takes)
    }

    fn chunk(&mut self, parsed: &Value, part: &str, takes: &mut dyn FnMut(&str) -> bool) -> Result<bool, TextError> {
        if parsed.get("error").is_some_and(|error| !error.is_null()) {
            return Err(ErrorBody::of(parsed).in_stream());
        }
        if let Some(tokens) = parsed["usage"]["total_tokens"].as_i64() {
            self.end.tokens = Some(tokens);
        }
        let Some(choice) = parsed["choices"].get(0) else { return Ok(true) };
        if let Some(words) = choice[part]["content"].as_str().filter(|words| !words.is_empty()) {
            self.said_something = true;
            if !takes(words) {
                return Ok(false);
            }
        }
        match choice["finish_reason"].as_str() {
            Some("content_filter") => return Err(TextError::Filtered),
            Some(reason) => {
                self.is_over = true;
                self.end.is_cut = reason == "length";
            }
            None => {}
        }
        Ok(true)
    }

    /// The connection ended: returns an error if the text is not complete.
    fn ended(mut self, takes: &mut dyn FnMut(&str) -> bool) -> Result<TextEnd, TextError> {
        if !self.said_something && !self.is_over {
            let parsed: Value = serde_json::from_slice(&self.whole).map_err(|_| TextError::BadAnswer)?;
            self.chunk(&parsed, "message", takes)?;
        }
        if self.is_over || self.is_done { Ok(self.end) } else { Err(TextError::Cut) }
    }
}

//! Services that translate, behind one trait: DeepL, LibreTranslate, Google, Azure.

mod azure;
mod batch;
mod deepl;
mod error;
mod google;
mod libretranslate;

use crate::Services;
use crate::http::{Answer, Question};

pub use batch::{MAX_TEXTS, batches, in_parts};
pub use error::TranslateError;

/// Which service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    Deepl,
    /// A LibreTranslate server.
    LibreTranslate,
    /// Google Cloud Translation, basic edition (v2).
    Google,
    /// Azure AI Translator v3.
    Azure,
}

/// How readers are addressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// As the service does.
    Usual,
    /// Formally.
    More,
    /// Familiarly.
    Less,
}

/// Which English is written, where the service knows both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum English {
    /// English of the United States.
    American,
    /// English of the United Kingdom.
    British,
}

/// The service to call, and its key. It has no `Debug`: nothing prints the key by mistake.
#[derive(Clone)]
pub struct Account {
    /// Which service.
    pub service: Service,
    /// Its key; a LibreTranslate server may need none.
    pub key: Option<String>,
    /// Its address; `None` for the service's public one.
    pub base_url: Option<String>,
    /// The region of an Azure key.
    pub region: Option<String>,
    /// How readers are addressed.
    pub manner: Manner,
    /// Which English is written.
    pub english: English,
}

/// Texts to translate, all from and into the same languages.
#[derive(Debug, Clone, Copy)]
pub struct TranslationRequest<'a> {
    /// At most [`MAX_TEXTS`].
    pub texts: &'a [String],
    /// Their language; `None` lets the service detect it.
    pub source: Option<&'a str>,
    /// The language wanted.
    pub target: &'a str,
    /// Whether they hold markup.
    pub html: bool,
}

/// A text that came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translated {
    /// In the language wanted.
    pub text: String,
    /// The language that the service detected, such as `fr`, where it says so.
    pub detected: Option<String>,
}

/// The characters used of an account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Characters used in this period.
    pub used: Option<i64>,
    /// The most characters of a period.
    pub limit: Option<i64>,
}

/// A service that translates. It blocks: handlers and workers call it on a thread for blocking work.
pub trait Translate: Send + Sync {
    /// Translates texts; as many come back, in their order.
    fn translate(&self, asked: TranslationRequest<'_>) -> Result<Vec<Translated>, TranslateError>;

    /// Checks that the key works. Returns the characters used so far, where the service says so.
    fn usage(&self) -> Result<Usage, TranslateError>;

    /// The most bytes of texts it takes at once.
    fn max_bytes(&self) -> usize {
        100_000
    }
}

/// The client for the service of an account. It sends no request yet.
pub fn translator(account: Account, services: &Services) -> Box<dyn Translate> {
    let services = services.clone();
    match account.service {
        Service::Deepl => Box::new(deepl::DeepL { account, services }),
        Service::LibreTranslate => Box::new(libretranslate::LibreTranslate { account, services }),
        Service::Google => Box::new(google::Google { account, services }),
        Service::Azure => Box::new(azure::Azure { account, services }),
    }
}

impl Account {
    fn key(&self) -> &str {
        self.key.as_deref().unwrap_or_default()
    }

    fn url(&self, usual: &str, path: &str) -> String {
        format!("{}{path}", self.base_url.as_deref().unwrap_or(usual).trim_end_matches('/'))
    }
}

/// Sends a POST request with `body` as JSON, or a GET request without a body, and reads the JSON of the answer. For a status outside 2xx,
/// `refused` gives the error of this service; where it returns `None`, the error common to all services is returned.
fn exchange(
    services: &Services,
    name: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: Option<&serde_json::Value>,
    refused: fn(u16, &str) -> Option<TranslateError>,
) -> Result<serde_json::Value, TranslateError> {
    let body = body.map(|body| body.to_string().into_bytes());
    let Answer { reply, retry_after_s, .. } = services.ask(name, Question { url, headers, body: body.as_deref() })?;
    if (200..=299).contains(&reply.status) {
        return serde_json::from_slice(&reply.body).map_err(|_| TranslateError::BadAnswer);
    }
    // Often the body is empty or not JSON: what can be read is read.
    let words = String::from_utf8_lossy(&reply.body);
    tracing::warn!(service = name, status = reply.status, "refused");
    Err(refused(reply.status, &words).unwrap_or(match reply.status {
        401 | 403 => TranslateError::Key,
        413 | 414 => TranslateError::TooLarge,
        429 | 529 => TranslateError::TooMany { retry_after_s },
        500..=599 => TranslateError::Unavailable,
        status => TranslateError::Status(status),
    }))
}

/// The translations, if there is one for each text of the request; else [`TranslateError::BadAnswer`].
fn counted(found: Vec<Translated>, asked: TranslationRequest<'_>) -> Result<Vec<Translated>, TranslateError> {
    if found.len() == asked.texts.len() { Ok(found) } else { Err(TranslateError::BadAnswer) }
}

/// `FR`, `pt-BR` → `fr`, `pt`.
fn language_of(code: &str) -> Option<String> {
    let code = code.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    (!code.is_empty()).then_some(code)
}

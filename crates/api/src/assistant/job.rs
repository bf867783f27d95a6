//! A text in progress: requested from a model, sent on as it arrives, counted, and marked as written by a model.

use app::App;
use connect::text::{TextAccount, TextEnd, TextError, TextRequest, stream};
use content::sheet_texts::{sum_of, words_of};
use domain::assistant::MAX_TEXT_TOKENS;
use domain::translation::{TextFormat, TextOrigin};
use domain::{UserId, WhiteLabelId};
use serde_json::{Value, json};
use store::assistant::{self as rows, AssistantUse};
use store::translation::{Mark, put_marks};
use tokio::sync::mpsc::Sender;

use super::finish::{finished_html, finished_plain};
use super::write::TextWanted;

/// Characters of a token, where the service does not count.
const TOKEN_CHARS: usize = 4;

/// An event of the stream.
pub(super) fn event(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

/// A text on its way.
pub(super) struct Job {
    pub app: App,
    pub by: UserId,
    pub white_label: WhiteLabelId,
    pub wanted: TextWanted,
    pub format: TextFormat,
}

impl Job {
    /// Asks a model and sends on what it writes as it arrives.
    pub async fn ask(self, account: TextAccount, asked: TextRequest, sender: Sender<String>) {
        let begun = std::time::Instant::now();
        let model = account.model.clone();
        let (services, parts_sender) = (self.app.services.clone(), sender.clone());
        let sent_chars = asked.system.chars().count() + asked.person.chars().count();
        let work = move || {
            let mut whole = String::new();
            let mut takes = |part: &str| {
                whole.push_str(part);
                // The client hung up: the model is stopped.
                parts_sender.blocking_send(event("delta", &json!({ "text": part }))).is_ok()
            };
            let end = stream(&services, &account, &asked, &mut takes);
            (whole, end)
        };
        let Ok((whole, end)) = tokio::task::spawn_blocking(work).await else { return };
        let estimated = (sent_chars + whole.chars().count()).div_ceil(TOKEN_CHARS) as i64;
        let counted = end.as_ref().ok().and_then(|end| end.tokens);
        // A negative count would lower the use of the month, and a huge one would overflow its sum.
        let tokens = counted.filter(|tokens| (0..=MAX_TEXT_TOKENS).contains(tokens)).unwrap_or(estimated);
        // A request that was refused before the first word costs nothing.
        if end.is_ok() || !whole.is_empty() {
            self.count(&model, tokens, begun.elapsed().as_millis() as i64).await;
        }
        match end {
            Ok(end) if !end.is_stopped => {
                self.done(&whole, &model, TextEnd { tokens: Some(tokens), ..end }, &sender).await;
            }
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(%error, "no text");
                let _ = sender.send(event("error", &failure(&error, &whole))).await;
            }
        }
    }

    async fn count(&self, model: &str, tokens: i64, duration_ms: i64) {
        let done = AssistantUse {
            white_label_id: self.white_label,
            user_id: self.by,
            task: self.wanted.task.as_str(),
            model: model.to_owned(),
            tokens,
            duration_ms,
        };
        let kept = async {
            let now = self.app.now();
            let tx = self.app.store.begin().await?;
            rows::count(&tx, &done, now, &self.app.day_of(now)).await?;
            tx.commit().await
        };
        if let Err(error) = kept.await {
            tracing::error!(%error, "a text was not counted");
        }
    }

    /// Sends the whole text, made safe and cut to the longest that its field allows; and notes who wrote it.
    pub async fn done(&self, text: &str, by: &str, end: TextEnd, sender: &Sender<String>) {
        let (said, format, max_chars) = (text.to_owned(), self.format, self.wanted.max_chars());
        let finished = move || match format {
            TextFormat::Html => finished_html(&said, max_chars),
            TextFormat::Plain => finished_plain(&said, max_chars),
        };
        let text = tokio::task::spawn_blocking(finished).await.unwrap_or_default();
        if text.is_empty() {
            let _ = sender.send(event("error", &failure(&TextError::BadAnswer, ""))).await;
            return;
        }
        if let Err(error) = self.mark(&text).await {
            tracing::error!(%error, "a text was not marked");
        }
        let data = json!({ "text": text, "by": by, "is_cut": end.is_cut, "tokens": end.tokens });
        let _ = sender.send(event("done", &data)).await;
    }

    async fn mark(&self, text: &str) -> Result<(), store::StoreError> {
        let (kind, id) = (self.wanted.kind.record(), self.wanted.id);
        let sum = sum_of(text, self.format);
        let tx = self.app.store.begin().await?;
        let now = words_of(&tx, kind, id, &self.wanted.field, &self.wanted.language).await?;
        let mark = Mark {
            field: self.wanted.field.clone(),
            language: self.wanted.language.clone(),
            words_sum: sum,
            origin: TextOrigin::Assistant,
            source_language: self.wanted.language.clone(),
            source_sum: String::new(),
        };
        put_marks(&tx, kind, id, &[(mark, sum_of(&now, self.format))], self.app.now()).await?;
        tx.commit().await
    }
}

fn failure(error: &TextError, text: &str) -> Value {
    let params = match error {
        TextError::Status(status) => json!({ "status": status.to_string() }),
        _ => json!({}),
    };
    json!({ "code": error.code(), "params": params, "text": text })
}

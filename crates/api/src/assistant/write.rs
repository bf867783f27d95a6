//! Streams a text: each part is an event, the last event has the whole text. The server does not store it.

use std::convert::Infallible;

use app::App;
use app::extract::{Body, Editor, Path};
use app::problem::Internal;
use app::record::{At, operations};
use app::seal::Place;
use axum::Json;
use axum::body::Body as Bytes;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::Response;
use connect::text::{TextAccount, TextEnd, TextRequest};
use content::media::MediaResource;
use content::parcours::{access, not_found};
use content::sheet_texts::format_of;
use domain::assistant::{AssistantTask, Facts, Subject, TEMPLATE_LANGUAGES, Tone, WritingRequest, prompt, written};
use domain::media::MediaSheet;
use domain::translation::TextFormat;
use domain::{Fault, ParcoursId, WhiteLabelId, service_key};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::Connection;
use store::assistant::{self as rows, AssistantSetting};
use tokio::sync::mpsc::channel;
use utoipa::ToSchema;

use super::AssistantError;
use super::facts::{facts_of, facts_of_media};
use super::finish::safe;
use super::job::{Job, event};

/// The most tokens of one text.
const MAX_TOKENS: u32 = 1_500;
/// The longest text that is worked on, in characters.
const MAX_TEXT_CHARS: usize = 20_000;
/// The longest instructions.
const MAX_INSTRUCTION_CHARS: usize = 500;
/// How long a text may be wanted, in characters.
const LENGTHS: std::ops::RangeInclusive<u32> = 20..=10_000;

/// What can be written of a sheet.
#[derive(Debug, Serialize, ToSchema)]
pub struct Assistant {
    /// The model that is asked; none where only our own sentences are there.
    model: Option<String>,
    /// What our own sentences do.
    templates: Vec<AssistantTask>,
    /// The languages of the built-in sentences.
    template_languages: Vec<String>,
    /// Tokens left this month; none where there is no limit.
    tokens_left: Option<i64>,
}

/// Which texts of a sheet can be written, and by what: the model of the white-label that owns it, or built-in sentences.
#[utoipa::path(get, path = "/api/v1/assistant/{kind}/{id}", tag = "assistant",
    params(("kind" = Subject, Path), ("id" = i64, Path)), security(("session" = ["content.write"])),
    responses((status = 200, body = Assistant), AssistantError))]
pub async fn show_assistant(
    State(app): State<App>,
    editor: Editor,
    Path((kind, id)): Path<(Subject, i64)>,
) -> Result<Json<Assistant>, AssistantError> {
    let db = app.store.read();
    let white_label = match kind {
        Subject::Media => media_of(db, &editor, id).await?.0,
        Subject::Parcours => access::own(db, ParcoursId(id), &editor).await?.white_label_id,
    };
    let set = rows::setting(db, white_label).await?;
    let used = rows::used(db, white_label, &app.today()).await?;
    let model = set.model.filter(|_| set.enabled && set.base_url.is_some());
    let tokens_left = set.monthly_tokens.map(|most| (most - used).max(0));
    let template_languages = TEMPLATE_LANGUAGES.iter().map(|&language| language.to_owned()).collect();
    Ok(Json(Assistant { model, templates: AssistantTask::TEMPLATES.to_vec(), template_languages, tokens_left }))
}

/// A text that is wanted.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TextWanted {
    /// What the text is about: a parcours or a picture.
    #[serde(default)]
    pub kind: Subject,
    pub id: i64,
    pub task: AssistantTask,
    /// For this field: `summary`, `steps/12/description`.
    pub field: String,
    /// In this language.
    pub language: String,
    /// In this tone.
    #[serde(default)]
    pub tone: Tone,
    /// The text that is there, for the tasks that work on one.
    #[serde(default)]
    pub text: String,
    /// What the person adds.
    #[serde(default)]
    pub instructions: String,
    /// The most characters of it.
    #[serde(default)]
    #[schema(minimum = 20, maximum = 10_000)]
    pub length: Option<u32>,
    /// Uses the built-in sentences, even where there is a model.
    #[serde(default)]
    pub template: bool,
}

impl TextWanted {
    /// The most characters of it.
    pub(super) fn max_chars(&self) -> Option<usize> {
        [self.task.max_chars(), self.length.map(|length| length as usize)].into_iter().flatten().min()
    }
}

/// The model of a white-label, where it has one that may be asked.
pub(super) fn account_of(
    app: &App,
    white_label: WhiteLabelId,
    set: &AssistantSetting,
) -> Result<Option<TextAccount>, AssistantError> {
    let (Some(base_url), Some(model)) = (set.base_url.clone(), set.model.clone()) else { return Ok(None) };
    let key = match &set.api_key {
        Some(sealed) => {
            let origin = service_key::origin(&base_url);
            let opened = app.key.open(Place::AssistantKey(white_label.0, &origin), sealed);
            let opened = opened.map_err(|_| AssistantError::OtherKey)?;
            Some(String::from_utf8(opened).map_err(|_| AssistantError::OtherKey)?)
        }
        None => None,
    };
    Ok(Some(TextAccount { base_url, key, model }))
}

/// Write a text of a parcours' own facts. It comes as events: `delta` with a part, then `done` with the whole, or `error` with a
/// code. Nothing is written into the parcours. Who hangs up stops the model.
#[utoipa::path(post, path = "/api/v1/assistant/texts", tag = "assistant", request_body = TextWanted,
    security(("session" = ["content.write"])),
    responses((status = 200, description = "Events", body = String, content_type = "text/event-stream"), AssistantError))]
#[tracing::instrument(name = "assistant.write", skip_all, fields(task = wanted.task.as_str()))]
pub async fn write_text(
    State(app): State<App>,
    editor: Editor,
    Body(wanted): Body<TextWanted>,
) -> Result<Response, AssistantError> {
    let format = checked(&app, &wanted)?;
    let db = app.store.read();
    let (white_label, facts) = subject(db, &editor, &wanted).await?;
    let set = rows::setting(db, white_label).await?;
    let used = rows::used(db, white_label, &app.today()).await?;
    let account = if wanted.template || !set.enabled { None } else { account_of(&app, white_label, &set)? };
    let (sender, mut receiver) = channel::<String>(64);
    let job = Job { app: app.clone(), by: editor.user_id, white_label, wanted, format };
    if let Some(account) = account {
        if let Some(ceiling) = set.monthly_tokens.filter(|most| used >= *most) {
            return Err(AssistantError::Ceiling { ceiling });
        }
        let asked = model_request(&job.wanted, &facts, format);
        tokio::spawn(async move { job.ask(account, asked, sender).await });
    } else {
        let (task, language) = (job.wanted.task, job.wanted.language.as_str());
        if !AssistantTask::TEMPLATES.contains(&task) {
            return Err(AssistantError::NotSetUp);
        }
        if !TEMPLATE_LANGUAGES.contains(&language) {
            return Err(AssistantError::OtherLanguage);
        }
        let text = written(task, &facts, language).ok_or(AssistantError::NoFacts)?;
        tokio::spawn(async move {
            let _ = sender.send(event("delta", &json!({ "text": text }))).await;
            job.done(&text, "jalon", TextEnd { tokens: Some(0), ..TextEnd::default() }, &sender).await;
        });
    }
    let events = futures_util::stream::poll_fn(move |context| {
        receiver.poll_recv(context).map(|event| event.map(Ok::<_, Infallible>))
    });
    let reply = Response::builder()
        .header(CONTENT_TYPE, "text/event-stream")
        .header(CACHE_CONTROL, "no-store")
        // A proxy that gathers answers would give the text all at once.
        .header("x-accel-buffering", "no")
        .body(Bytes::from_stream(events));
    reply.map_err(|error| Internal::new(error).into())
}

/// A picture that the person may change, and the white-label whose model is used: its owner, else the person's active one.
async fn media_of(
    db: &impl Connection,
    editor: &Editor,
    id: i64,
) -> Result<(WhiteLabelId, MediaSheet), AssistantError> {
    let media = operations::own::<MediaResource>(db, editor, &At { id, ..At::default() }).await?;
    Ok((media.white_label_id.unwrap_or(editor.active_white_label_id), media.sheet))
}

/// The white-label whose model writes, and the facts of a sheet that the person may change.
async fn subject(
    db: &impl Connection,
    editor: &Editor,
    wanted: &TextWanted,
) -> Result<(WhiteLabelId, Facts), AssistantError> {
    let language = wanted.language.as_str();
    if wanted.kind == Subject::Media {
        let (white_label, media) = media_of(db, editor, wanted.id).await?;
        let facts = facts_of_media(&media, language);
        if facts.legend.is_none() && !wanted.task.needs_text() {
            return Err(AssistantError::NoFacts);
        }
        return Ok((white_label, facts));
    }
    let id = ParcoursId(wanted.id);
    access::own(db, id, editor).await?;
    let parcours = store::parcours::load(db, id).await?.ok_or_else(|| not_found(id))?;
    let facts = facts_of(db, &parcours, &wanted.field, language).await?;
    if facts.focus.is_none() && wanted.field.starts_with("steps/") {
        return Err(unknown_field(&wanted.field).into());
    }
    Ok((parcours.white_label_id, facts))
}

/// The request to the model.
fn model_request(wanted: &TextWanted, facts: &Facts, format: TextFormat) -> TextRequest {
    let text = if format.is_html() { safe(&wanted.text) } else { wanted.text.clone() };
    let (system, person) = prompt(&WritingRequest {
        task: wanted.task,
        tone: wanted.tone,
        language: &wanted.language,
        facts,
        text: &text,
        format,
        max_chars: wanted.max_chars(),
        instructions: &wanted.instructions,
    });
    TextRequest { system, person, max_tokens: MAX_TOKENS }
}

fn unknown_field(field: &str) -> Fault {
    Fault::new("validation/unknown-field", "/field").with("name", field)
}

/// The format of the field; or the faults of the request.
fn checked(app: &App, wanted: &TextWanted) -> Result<TextFormat, AssistantError> {
    let mut errors = Vec::new();
    if !app.settings.content_languages.contains(&wanted.language) {
        let shown: String = wanted.language.chars().take(20).collect();
        errors.push(Fault::new("validation/unknown-language", "/language").with("language", shown));
    }
    if wanted.task.needs_text() && wanted.text.trim().is_empty() {
        errors.push(Fault::new("validation/required", "/text"));
    }
    for (at, text, max) in
        [("/text", &wanted.text, MAX_TEXT_CHARS), ("/instructions", &wanted.instructions, MAX_INSTRUCTION_CHARS)]
    {
        if text.chars().count() > max {
            errors.push(Fault::new("validation/too-long", at).with("max", max));
        }
    }
    if wanted.length.is_some_and(|length| !LENGTHS.contains(&length)) {
        let (min, max) = (*LENGTHS.start(), *LENGTHS.end());
        errors.push(Fault::new("validation/out-of-range", "/length").with("min", min).with("max", max));
    }
    let format = format_of(wanted.kind.record(), &wanted.field);
    // Texts of a step and alternative texts each have their own field.
    let fits = match wanted.task {
        AssistantTask::StepInstructions => wanted.field.starts_with("steps/"),
        AssistantTask::ImageAlt => wanted.kind == Subject::Media,
        task => wanted.kind == Subject::Parcours || task.needs_text(),
    };
    if format.is_none() || !fits {
        errors.push(unknown_field(&wanted.field));
    }
    match format {
        Some(format) if errors.is_empty() => Ok(format),
        _ => Err(AssistantError::Invalid { errors }),
    }
}

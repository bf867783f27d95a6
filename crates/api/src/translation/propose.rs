//! Texts translated at a glance: what comes back is proposed, and nothing is written.

use std::collections::BTreeMap;

use app::App;
use app::extract::{Body, Editor};
use app::paid_call::Payer;
use axum::Json;
use axum::extract::State;
use content::sheet_texts::{self, sum_of};
use domain::Fault;
use domain::record::Kind;
use domain::translation::{TextFormat, TextOrigin};
use serde::{Deserialize, Serialize};
use store::translation::{self as rows, Mark};
use utoipa::ToSchema;

use super::sentences::{Cost, Pair, ask, composed, plan};
use super::service::translator_of;
use super::{TranslationError, sheet};

/// The most texts at once.
const MAX_FIELDS: usize = 2_500;
/// The most characters of all of them.
const MAX_CHARS: usize = 400_000;

/// Texts to translate.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TranslationAsked {
    /// The kind of the sheet.
    pub kind: Kind,
    /// Its number; none for one that is not saved yet.
    #[serde(default)]
    pub id: Option<i64>,
    /// Their language.
    pub source: String,
    /// The language wanted.
    pub target: String,
    /// Take `source` as given; else the service detects the language, and the answer has it.
    #[serde(default)]
    pub said: bool,
    /// The words, by field: `title`, `description`, `steps/12/title`.
    pub fields: BTreeMap<String, String>,
}

/// What is proposed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Translations {
    /// The service it is from.
    pub service: &'static str,
    /// The language that was detected in most of the texts; absent where it was given, or where the texts are too short.
    pub detected: Option<String>,
    /// Whether that is another than the one expected.
    pub unexpected: bool,
    /// Each text.
    pub fields: Vec<ProposedText>,
    /// Sentences that were sent.
    pub sent: i64,
    /// Sentences that were known from before, and cost nothing.
    pub known: i64,
}

/// A text that is proposed.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProposedText {
    pub field: String,
    /// In the language wanted.
    pub words: String,
    /// The language that was found in it.
    pub detected: Option<String>,
    /// Whether that is another than the one expected.
    pub unexpected: bool,
    /// Whether a name, an address, a measure, a link or other markup did not come back as it was, or a sentence has no translation that
    /// can be used and stays as it was.
    pub lost: bool,
    /// Whether a sentence was too long for the service and stays as it was.
    pub too_large: bool,
}

/// Translate texts of a sheet, as they are in its form. Nothing is written: an editor accepts or rejects the proposals.
#[utoipa::path(post, path = "/api/v1/translations", tag = "translation", security(("session" = ["content.write"])),
    request_body(content = TranslationAsked), responses((status = 200, body = Translations), TranslationError))]
#[tracing::instrument(name = "translation.propose", skip_all, fields(kind = asked.kind.as_str(), target = asked.target))]
pub async fn propose_translations(
    State(app): State<App>,
    editor: Editor,
    Body(asked): Body<TranslationAsked>,
) -> Result<Json<Translations>, TranslationError> {
    let wanted = wanted(&app, &asked)?;
    if let Some(id) = asked.id {
        let own = sheet::rights(app.store.read(), &editor, asked.kind, id).await?;
        match own {
            None => return Err(TranslationError::SheetNotFound { id }),
            Some(false) => return Err(TranslationError::NotYours),
            Some(true) => {}
        }
    }
    let translator = translator_of(&app, editor.active_white_label_id).await?;
    let pair = Pair { source: &asked.source, target: &asked.target, is_source_given: asked.said };
    let planned: Vec<_> = wanted.iter().map(|(_, words, format)| plan(&translator, pair, words, *format)).collect();
    let mut cost = Cost::default();
    let translations = ask(&app, &Payer::request(), &translator, pair, &planned, &mut cost).await?;
    let is_other = |found: Option<&str>| found.is_some_and(|found| found != asked.source);
    let mut fields = Vec::with_capacity(wanted.len());
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let composed = composed(planned, translations).await?;
    for ((field, source, _), done) in wanted.iter().zip(composed) {
        if let Some(language) = &done.detected {
            *found.entry(language.clone()).or_default() += source.chars().count();
        }
        fields.push(ProposedText {
            field: (*field).clone(),
            unexpected: is_other(done.detected.as_deref()),
            words: done.words,
            detected: done.detected,
            lost: done.lost,
            too_large: done.too_large,
        });
    }
    if let Some(id) = asked.id {
        mark(&app, &asked, id, &wanted, &fields).await?;
    }
    let detected = found.into_iter().max_by_key(|(_, chars)| *chars).map(|(language, _)| language);
    Ok(Json(Translations {
        service: translator.name,
        unexpected: is_other(detected.as_deref()),
        detected,
        fields,
        sent: cost.sent,
        known: cost.known,
    }))
}

type SourceText<'a> = (&'a String, &'a String, TextFormat);

/// The texts to translate, or why not: each fault on its field.
fn wanted<'a>(app: &App, asked: &'a TranslationAsked) -> Result<Vec<SourceText<'a>>, TranslationError> {
    let mut errors = pair_faults(app, &asked.source, &asked.target);
    let mut wanted = Vec::with_capacity(asked.fields.len());
    let chars: usize = asked.fields.values().map(|words| words.chars().count()).sum();
    if asked.fields.len() > MAX_FIELDS {
        errors.push(Fault::new("validation/too-many", "/fields").with("max", MAX_FIELDS));
    } else if chars > MAX_CHARS {
        errors.push(Fault::new("validation/too-long", "/fields").with("max", MAX_CHARS));
    }
    for (field, words) in &asked.fields {
        match sheet_texts::format_of(asked.kind, field) {
            Some(format) if !words.trim().is_empty() => wanted.push((field, words, format)),
            Some(_) => {}
            None => errors.push(Fault::new("validation/unknown-field", "/fields").with("name", field.as_str())),
        }
    }
    if errors.is_empty() { Ok(wanted) } else { Err(TranslationError::Invalid { errors }) }
}

/// The faults of two languages.
pub(super) fn pair_faults(app: &App, source: &str, target: &str) -> Vec<Fault> {
    let known = &app.settings.content_languages;
    let unknown = |(at, language): (&str, &str)| {
        let shown: String = language.chars().take(20).collect();
        (!known.iter().any(|known| known == language))
            .then(|| Fault::new("validation/unknown-language", at).with("language", shown))
    };
    let mut faults: Vec<Fault> = [("/source", source), ("/target", target)].into_iter().filter_map(unknown).collect();
    if faults.is_empty() && source == target {
        faults.push(Fault::new("translation/same-language", "/target"));
    }
    faults
}

/// Notes that the service made the words, in case they are accepted.
async fn mark(
    app: &App,
    asked: &TranslationAsked,
    id: i64,
    wanted: &[SourceText<'_>],
    fields: &[ProposedText],
) -> Result<(), TranslationError> {
    let tx = app.store.begin().await?;
    let stands = sheet_texts::load(&tx, asked.kind, &[id]).await?.pop();
    let now = |field: &str, format: TextFormat| {
        let text = stands.as_ref().and_then(|found| found.texts.iter().find(|text| text.field == field));
        sum_of(text.and_then(|text| text.text.get(&asked.target)).unwrap_or_default(), format)
    };
    let marks: Vec<(Mark, String)> = wanted
        .iter()
        .zip(fields)
        .map(|((field, source, format), proposed)| {
            let mark = Mark {
                field: (*field).clone(),
                language: asked.target.clone(),
                words_sum: sum_of(&proposed.words, *format),
                origin: TextOrigin::Machine,
                source_language: asked.source.clone(),
                source_sum: sum_of(source, *format),
            };
            (mark, now(field, *format))
        })
        .collect();
    rows::put_marks(&tx, asked.kind, id, &marks, app.now()).await?;
    tx.commit().await?;
    Ok(())
}

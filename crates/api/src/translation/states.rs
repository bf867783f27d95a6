//! What the texts of a sheet are, by field and language: missing, translated, out of date.

use app::App;
use app::extract::{Path, Reader};
use axum::Json;
use axum::extract::State;
use content::sheet_texts;
use domain::record::Kind;
use domain::translation::TextState;
use serde::Serialize;
use store::translation as rows;
use utoipa::ToSchema;

use super::{TranslationError, sheet};

/// The texts of a sheet.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextStates {
    /// Those that no person wrote, and those that are missing though their field is written in another language.
    pub items: Vec<TextStateView>,
    /// Whether a translation service is set up here.
    pub translates: bool,
}

/// A text in a language.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextStateView {
    pub field: String,
    pub language: String,
    pub state: TextState,
    /// The language it was made from.
    pub source: Option<String>,
}

/// The origin of a sheet's texts, where it was no person, and the texts that are missing or out of date.
#[utoipa::path(get, path = "/api/v1/texts/{kind}/{id}", tag = "translation",
    params(("kind" = Kind, Path), ("id" = i64, Path)), security(("session" = ["content.read"])),
    responses((status = 200, body = TextStates), TranslationError))]
pub async fn list_text_states(
    State(app): State<App>,
    reader: Reader,
    Path((kind, id)): Path<(Kind, i64)>,
) -> Result<Json<TextStates>, TranslationError> {
    let db = app.store.read();
    if sheet::rights(db, &reader, kind, id).await?.is_none() {
        return Err(TranslationError::SheetNotFound { id });
    }
    let found = sheet_texts::load(db, kind, &[id]).await?.pop().ok_or(TranslationError::SheetNotFound { id })?;
    let marks = rows::marks(db, kind, &[id]).await?.remove(&id).unwrap_or_default();
    let mut items = Vec::new();
    for text in found.texts.iter().filter(|text| !text.text.is_empty()) {
        for language in &app.settings.content_languages {
            let (state, source) = sheet_texts::judged(text, language, &marks);
            if state != TextState::Human {
                items.push(TextStateView { field: text.field.clone(), language: language.clone(), state, source });
            }
        }
    }
    let translates = super::service::translates(&app, reader.active_white_label_id).await;
    Ok(Json(TextStates { items, translates }))
}

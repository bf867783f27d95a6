//! One action on many POIs.

use app::App;
use app::extract::{Body, Editor};
use app::record::bulk::{self, BulkOf, Does, MAX_BULK, RecordChange};
use app::record::{BulkView, UndoInput};
use axum::Json;
use axum::extract::State;
use domain::vocabulary::VocabularyKind;
use domain::white_label::CustomOn;
use domain::white_label::custom::lacking;
use domain::{Fault, PoiSheet, VocabularyId};
use serde::{Deserialize, Serialize};
use store::record::Stored;
use utoipa::ToSchema;

use super::list::PoiQuery;
use super::{PoiError, PoiResource};
use crate::custom;

/// What is done to many POIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PoiAction {
    /// Turn the owner's switch on.
    Publish,
    /// Turn it off.
    Unpublish,
    /// Hand to our own applications.
    Distribute,
    /// Stop that.
    Undistribute,
    /// Add a category, the value.
    AddCategory,
    /// Add a theme, the value.
    AddTheme,
    /// Into the bin.
    Delete,
}

/// Do one thing to many POIs; with `dry_run`, only report what would be done.
#[utoipa::path(post, path = "/api/v1/pois/bulk", tag = "pois", request_body(content = BulkOf<PoiQuery, PoiAction>),
    security(("session" = ["content.write"])), responses((status = 200, body = BulkView), PoiError))]
#[tracing::instrument(name = "poi.bulk", skip_all)]
pub async fn change_many_pois(
    State(app): State<App>,
    editor: Editor,
    Body(sent): Body<BulkOf<PoiQuery, PoiAction>>,
) -> Result<Json<BulkView>, PoiError> {
    let term = term(&app, &sent).await?;
    let ids = match (&sent.ids, &sent.filter) {
        (Some(ids), _) => ids.clone(),
        (None, Some(query)) => {
            let filter = query.filter(&app, &editor).await.map_err(|refused| refused.in_body("/filter"))?;
            store::poi::ids(app.store.read(), &filter, MAX_BULK as u64 + 1).await?
        }
        (None, None) => return Err(Fault::new("validation/required", "/ids").into()),
    };
    let languages = app.settings.content_languages.clone();
    let fields = custom::Shown::of(app.store.read(), editor.white_label_ids.iter().copied()).await?;
    let does = |poi: &Stored<PoiSheet>| {
        let own = fields.fields(poi.white_label_id.unwrap_or_default());
        let publishes = sent.action == PoiAction::Publish && !poi.published;
        if publishes && !lacking(&poi.sheet.custom, own, CustomOn::Poi).is_empty() {
            return Does::Refuses("custom/required");
        }
        does(sent.action, term, poi, &languages)
    };
    bulk::apply::<PoiResource>(&app, &editor, &ids, sent.dry_run, does).await.map(Json)
}

/// The category or the theme that an action adds; it must be one.
async fn term(app: &App, sent: &BulkOf<PoiQuery, PoiAction>) -> Result<i64, PoiError> {
    let list = match sent.action {
        PoiAction::AddCategory => VocabularyKind::PoiCategory,
        PoiAction::AddTheme => VocabularyKind::PoiTheme,
        _ => return Ok(0),
    };
    let id = sent.value.as_ref().and_then(serde_json::Value::as_i64);
    let id = id.ok_or_else(|| Fault::new("validation/required", "/value"))?;
    let found = store::vocabulary::find(app.store.read(), VocabularyId(id)).await?;
    if found.is_some_and(|term| term.kind == list) {
        Ok(id)
    } else {
        Err(Fault::new("validation/unknown-reference", "/value").with("id", id).into())
    }
}

fn does(action: PoiAction, term: i64, poi: &Stored<PoiSheet>, languages: &[String]) -> Does<RecordChange<PoiSheet>> {
    let mut after = poi.clone();
    match action {
        PoiAction::Publish => after.published = true,
        PoiAction::Unpublish => after.published = false,
        PoiAction::Distribute if !poi.sheet.distribute && !poi.sheet.is_described(languages) => {
            return Does::Refuses("poi/description-required");
        }
        PoiAction::Distribute => after.sheet.distribute = true,
        PoiAction::Undistribute => after.sheet.distribute = false,
        PoiAction::AddCategory if !poi.sheet.category_ids.contains(&term) => after.sheet.category_ids.push(term),
        PoiAction::AddTheme if !poi.sheet.theme_ids.contains(&term) => after.sheet.theme_ids.push(term),
        PoiAction::AddCategory | PoiAction::AddTheme => {}
        PoiAction::Delete => return Does::Changes(RecordChange::Deletes),
    }
    if after == *poi { Does::Nothing } else { Does::Changes(RecordChange::Becomes(Box::new(after))) }
}

/// Undo an action on many POIs: those changed since are left as they are, and listed.
#[utoipa::path(post, path = "/api/v1/pois/bulk/undo", tag = "pois", request_body(content = UndoInput),
    security(("session" = ["content.write"])), responses((status = 200, body = BulkView), PoiError))]
pub async fn undo_poi_bulk(
    State(app): State<App>,
    editor: Editor,
    Body(sent): Body<UndoInput>,
) -> Result<Json<BulkView>, PoiError> {
    bulk::undo::<PoiResource>(&app, &editor, &sent.undo_token).await.map(Json)
}

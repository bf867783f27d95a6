//! One action on many media.

use app::extract::{Body, Editor};
use app::markup::sanitise;
use app::record::bulk::{self, BulkOf, Does, MAX_BULK, RecordChange};
use app::record::{BulkView, UndoInput};
use app::{App, body_filter};
use axum::Json;
use axum::extract::State;
use domain::media::MediaSheet;
use domain::record::Sheet as _;
use domain::{Fault, Text};
use serde::{Deserialize, Serialize};
use store::record::Stored;
use utoipa::ToSchema;

use super::list::MediaQuery;
use super::{MediaError, MediaResource};

/// What is done to many media.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MediaAction {
    /// Write the legend: the value, words by language.
    SetLegend,
    /// Write the author: the value, words.
    SetCopyright,
    /// Write the words instead of it: the value, words by language.
    SetAlt,
    /// Into the bin.
    Delete,
}

/// Do one thing to many media; with `dry_run`, only report what would be done.
#[utoipa::path(post, path = "/api/v1/medias/bulk", tag = "medias", request_body(content = BulkOf<MediaQuery, MediaAction>),
    security(("session" = ["content.write"])), responses((status = 200, body = BulkView), MediaError))]
#[tracing::instrument(name = "media.bulk", skip_all)]
pub async fn change_many_medias(
    State(app): State<App>,
    editor: Editor,
    Body(sent): Body<BulkOf<MediaQuery, MediaAction>>,
) -> Result<Json<BulkView>, MediaError> {
    let written = written(&app, &sent)?;
    let ids = match (&sent.ids, &sent.filter) {
        (Some(ids), _) => ids.clone(),
        (None, Some(query)) => {
            let filter = query.filter(&editor);
            let filter = filter.map_err(|rejection| body_filter::refused::<MediaError>("/filter", rejection))?;
            store::media::ids(app.store.read(), &filter, MAX_BULK as u64 + 1).await?
        }
        (None, None) => return Err(Fault::new("validation/required", "/ids").into()),
    };
    let does = |media: &Stored<MediaSheet>| does(sent.action, &written, media);
    bulk::apply::<MediaResource>(&app, &editor, &ids, sent.dry_run, does).await.map(Json)
}

/// A sheet with the value, cleaned and checked like one from a form.
fn written(app: &App, sent: &BulkOf<MediaQuery, MediaAction>) -> Result<MediaSheet, MediaError> {
    let field = match sent.action {
        MediaAction::SetLegend => "legend",
        MediaAction::SetCopyright => "copyright",
        MediaAction::SetAlt => "alt",
        MediaAction::Delete => return Ok(MediaSheet::default()),
    };
    let value = sent.value.as_ref().ok_or_else(|| Fault::new("validation/required", "/value"))?;
    let mut sheet = MediaSheet::default();
    let at = |fault: Fault| Fault { field: "/value".to_owned(), ..fault };
    sheet.merge_field(field, value).map_err(at)?;
    sheet.clean(&sanitise);
    let faults = domain::record::check(&sheet, &[field], &app.settings.content_languages);
    if faults.is_empty() { Ok(sheet) } else { Err(faults.into_iter().map(at).collect::<Vec<_>>().into()) }
}

fn does(action: MediaAction, written: &MediaSheet, media: &Stored<MediaSheet>) -> Does<RecordChange<MediaSheet>> {
    let mut after = media.clone();
    match action {
        MediaAction::SetLegend => write(&mut after.sheet.legend, &written.legend),
        MediaAction::SetAlt => write(&mut after.sheet.alt, &written.alt),
        MediaAction::SetCopyright => after.sheet.copyright.clone_from(&written.copyright),
        MediaAction::Delete => return Does::Changes(RecordChange::Deletes),
    }
    if after == *media { Does::Nothing } else { Does::Changes(RecordChange::Becomes(Box::new(after))) }
}

/// Languages that the value does not have stay.
fn write(text: &mut Text, words: &Text) {
    for (language, words) in words.iter() {
        text.set(language, words);
    }
}

/// Undo an action on many media: those changed since are left as they are, and listed.
#[utoipa::path(post, path = "/api/v1/medias/bulk/undo", tag = "medias", request_body(content = UndoInput),
    security(("session" = ["content.write"])), responses((status = 200, body = BulkView), MediaError))]
pub async fn undo_media_bulk(
    State(app): State<App>,
    editor: Editor,
    Body(sent): Body<UndoInput>,
) -> Result<Json<BulkView>, MediaError> {
    bulk::undo::<MediaResource>(&app, &editor, &sent.undo_token).await.map(Json)
}

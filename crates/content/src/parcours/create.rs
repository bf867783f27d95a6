//! Make a parcours.

use app::App;
use app::extract::{Body, Editor};
use app::markup::prepare;
use axum::extract::State;
use domain::Fault;
use domain::parcours::Sheet;
use serde_json::{Map, Value};
use store::parcours::{self as rows, NewParcours};

use super::error::ParcoursError;
use super::input::patched;
use super::json::JsonText;
use super::saving::{blank, change, shown};
use super::view::ParcoursView;

/// Create a parcours in the active white-label. A title is required; all else may come later.
#[utoipa::path(post, path = "/api/v1/parcours", tag = "parcours", request_body(content = Sheet), security(("session" = ["content.write"])),
    responses((status = 201, body = ParcoursView), ParcoursError))]
#[tracing::instrument(name = "parcours.create", skip_all)]
pub async fn create_parcours(
    State(app): State<App>,
    editor: Editor,
    Body(sent): Body<Map<String, Value>>,
) -> Result<JsonText, ParcoursError> {
    prepare::<Sheet>(&sent).await?;
    let tx = app.store.begin().await?;
    let new = patched(&app, &tx, &editor, &blank(&editor, app.now()), &sent).await?;
    if new.sheet.title.is_empty() {
        return Err(Fault::new("parcours/title-required", "/title").into());
    }
    let new = NewParcours {
        white_label_id: new.white_label_id,
        published: false,
        sheet: new.sheet,
        steps: new.steps,
        trace: None,
    };
    let made = rows::insert(&tx, &new, change(&app, &editor, None)).await?;
    let reply = shown(&app, &tx, made.id, &editor).await?;
    tx.commit().await?;
    Ok(reply.created(format!("/api/v1/parcours/{}", made.id)))
}

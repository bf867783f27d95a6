//! Shared by all saves: the user, and the reply with the new state of the parcours.

use app::App;
use domain::parcours::{Drawing, Sheet};
use domain::{Actor, ParcoursId};
use store::parcours::{Change, Stored};

use super::error::{ParcoursError, not_found};
use super::json::JsonText;
use super::view::show;

/// The author of a save, for the store.
pub(crate) fn change<'a>(app: &'a App, actor: &Actor, reason: Option<&'static str>) -> Change<'a> {
    Change { by: Some(actor.user_id), at: app.now(), reason, languages: &app.settings.content_languages }
}

/// The reply to a save: the present state of the parcours.
pub(crate) async fn shown(
    app: &App,
    db: &impl store::Connection,
    id: ParcoursId,
    actor: &Actor,
) -> Result<JsonText, ParcoursError> {
    show(app, db, id, actor).await?.ok_or_else(|| not_found(id))
}

/// A parcours that is not there yet, for the rules that compare.
pub(super) fn blank(actor: &Actor, at: domain::Instant) -> Stored {
    Stored {
        id: ParcoursId(0),
        white_label_id: actor.active_white_label_id,
        version: 0,
        published: false,
        sheet: Sheet::default(),
        steps: Vec::new(),
        last_step_id: 0,
        trace: None,
        drawing: Drawing::default(),
        trace_revision: None,
        created_at: at,
        updated_at: at,
        updated_by: None,
    }
}

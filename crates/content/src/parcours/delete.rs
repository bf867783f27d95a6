//! Delete a parcours, and what would miss it.

use app::extract::{Editor, IfMatch, Path, Query, Reader};
use app::record::{Refusal, retry_races};
use app::{App, audit};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::audit::{Action, Detail, On};
use domain::parcours::repoint;
use domain::record::Kind;
use domain::{Actor, ParcoursId, Text};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Tx;
use store::parcours::{self as rows, Use};
use store::uses::FormerUse;
use utoipa::{IntoParams, ToSchema};

use super::access::{held_at, seen};
use super::error::ParcoursError;
use super::saving::change;

/// The parameters of a deletion.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Deletion {
    /// Delete although it is in use: children lose their parent, shares end.
    pub force: bool,
}

/// Delete a parcours. Refused while something uses it, unless forced.
#[utoipa::path(delete, path = "/api/v1/parcours/{id}", tag = "parcours", params(("id" = i64, Path), ("If-Match" = String, Header), Deletion),
    security(("session" = ["content.write"])), responses((status = 204), ParcoursError))]
#[tracing::instrument(name = "parcours.delete", skip_all, fields(parcours.id = %id))]
pub async fn delete_parcours(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<ParcoursId>,
    version: IfMatch,
    Query(asked): Query<Deletion>,
) -> Result<StatusCode, ParcoursError> {
    retry_races(|| delete_once(&app, &editor, id, version, asked)).await?;
    crate::printed::forget_printed(&app, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn delete_once(
    app: &App,
    editor: &Actor,
    id: ParcoursId,
    version: IfMatch,
    asked: Deletion,
) -> Result<(), ParcoursError> {
    let tx = app.store.begin().await?;
    let gone = held_at(app, &tx, id, editor, version).await?;
    store::record::hold_to_delete(&tx, Kind::Parcours, id.0).await?;
    let uses = rows::uses(&tx, editor, (id, gone.white_label_id), app.now().0).await?;
    if !uses.is_empty() && !asked.force {
        let total = uses.items.len() as i64 + uses.hidden_total;
        let refusal =
            Refusal::InUse { uses: listed(&uses.items), total, hidden_total: uses.hidden_total, required: false };
        return Err(refusal.into());
    }
    let freed = free_relatives(app, &tx, editor, id).await?;
    store::binned::delete_parcours(&tx, &gone, &freed, editor, app.now()).await?;
    if !uses.is_empty() {
        let on = On::record(Kind::Parcours, id.0).of_white_label(gone.white_label_id);
        let detail = Detail::Count { count: uses.items.len() as u64 + uses.hidden_total.unsigned_abs() };
        audit::done(app, &tx, editor, Action::DeletionForced, on, detail).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Removes the references of children and copies to a deleted parcours; gives the versions in which they were removed.
async fn free_relatives(app: &App, tx: &Tx, actor: &Actor, id: ParcoursId) -> Result<Vec<FormerUse>, ParcoursError> {
    let mut freed = Vec::new();
    for relative in rows::relatives(tx, id).await? {
        let Some(before) = rows::lock(tx, relative).await? else { continue };
        let mut after = before.clone();
        repoint(&mut after.sheet, &mut after.steps, Kind::Parcours, id.0, None);
        // The history of another tenant's parcours does not name who deleted this one.
        let own = actor.works_in(before.white_label_id);
        let change = change(app, actor, None);
        let change = if own { change } else { rows::Change { by: None, ..change } };
        let version = rows::save(tx, &before, after, None, change).await?.version;
        freed.push(FormerUse { kind: Kind::Parcours, id: relative.0, version });
    }
    Ok(freed)
}

/// Something that would miss a parcours.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = ParcoursUseView)]
pub struct UseView {
    /// `parent`, `child`, `model`, `share` or `white_label`.
    pub kind: &'static str,
    pub id: i64,
    pub title: Text,
}

/// All that uses a parcours.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = ParcoursUses)]
pub struct Uses {
    /// Those that this person sees.
    pub items: Vec<UseView>,
    /// How many they do not see: they are not named. 0 for people of another white-label than its owner's.
    pub hidden_total: i64,
    /// The parent under which it is shown. Its deletion needs no force.
    pub shown_under: Option<UseView>,
}

/// List what uses a parcours, before it is deleted.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/uses", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.read"])),
    responses((status = 200, body = Uses), ParcoursError))]
pub async fn list_parcours_uses(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
) -> Result<Json<Uses>, ParcoursError> {
    let header = seen(app.store.read(), id, &reader).await?;
    let uses = rows::uses(app.store.read(), &reader, (id, header.white_label_id), app.now().0).await?;
    let parent = rows::shown_under(app.store.read(), &reader, id).await?;
    Ok(Json(Uses {
        items: uses.items.into_iter().map(|one| UseView { kind: one.kind, id: one.id, title: one.title }).collect(),
        hidden_total: uses.hidden_total,
        shown_under: parent.map(|(parent, title)| UseView { kind: "parent", id: parent.0, title }),
    }))
}

fn listed(uses: &[Use]) -> Value {
    uses.iter().map(|one| json!({"kind": one.kind, "id": one.id, "title": one.title})).collect()
}

//! The revisions of a parcours, and restoring some fields from one.

use std::collections::BTreeSet;

use app::App;
use app::extract::{Body, Editor, IfMatch, Path, Reader};
use app::record::operations::{self, take_field_back};
use app::record::{At, Refusal, RevisionView, Revisions, TakenBack};
use axum::Json;
use axum::extract::State;
use domain::audit::On;
use domain::parcours::{Sheet, TraceSummary, arrange};
use domain::record::{Kind, Sheet as _};
use domain::step::{self, Step};
use domain::{Actor, ParcoursId};
use serde::{Deserialize, Serialize};
use store::Tx;
use store::access::Access;
use store::parcours::{self as rows, NewTrace, RevisionBody, Stored};
use store::record::revisions;
use utoipa::ToSchema;

use super::access::own;
use super::compute::{arrange_steps, pace_of};
use super::content::{Draft, ParcoursContent, at};
use super::error::ParcoursError;
use super::json::JsonText;
use super::view::ParcoursView;

/// A parcours as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PastParcours {
    pub id: ParcoursId,
    pub version: i64,
    /// The fields that the staff had filled in.
    #[serde(flatten)]
    pub sheet: Sheet,
    /// The owner's switch.
    pub published: bool,
    pub steps: Vec<Step>,
    /// Its trace in figures.
    pub trace: Option<TraceSummary>,
}

/// A save with what the parcours was after it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RevisionDetail {
    /// User, time and changed fields.
    #[serde(flatten)]
    pub head: RevisionView,
    /// The parcours after that save.
    pub parcours: PastParcours,
}

/// List the revisions of a parcours.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/revisions", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.read"])),
    responses((status = 200, body = Revisions), ParcoursError))]
pub async fn list_parcours_revisions(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
) -> Result<Json<Revisions>, ParcoursError> {
    own(app.store.read(), id, &reader).await?;
    let items = revisions(app.store.read(), Kind::Parcours, id.0).await?.into_iter().map(Into::into).collect();
    Ok(Json(Revisions { items }))
}

/// Show a parcours as it was after one save.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/revisions/{version}", tag = "parcours", params(("id" = i64, Path), ("version" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 200, body = RevisionDetail), ParcoursError))]
pub async fn show_parcours_revision(
    State(app): State<App>,
    reader: Reader,
    Path((id, version)): Path<(ParcoursId, i64)>,
) -> Result<Json<RevisionDetail>, ParcoursError> {
    own(app.store.read(), id, &reader).await?;
    let found = rows::revision(app.store.read(), id, version).await?.ok_or(Refusal::RevisionNotFound { version })?;
    let RevisionBody { sheet, steps, trace, published, .. } = found.body;
    Ok(Json(RevisionDetail {
        head: found.head.into(),
        parcours: PastParcours { id, version, sheet, published, steps, trace },
    }))
}

/// What to take back.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RestorationInput {
    /// These fields, `steps` and `trace` among them; absent: all but the publication.
    pub fields: Option<Vec<String>>,
}

/// Restore a parcours to a revision, wholly or in some fields. This writes a new revision; nothing is lost.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/revisions/{version}/restoration", tag = "parcours",
    params(("id" = i64, Path), ("version" = i64, Path), ("If-Match" = String, Header)), security(("session" = ["content.write"])),
    request_body(content = RestorationInput), responses((status = 200, body = ParcoursView), ParcoursError))]
#[tracing::instrument(name = "parcours.restore", skip_all, fields(parcours.id = %id))]
pub async fn restore_parcours_revision(
    State(app): State<App>,
    editor: Editor,
    Path((id, version)): Path<(ParcoursId, i64)>,
    based_on: IfMatch,
    Body(sent): Body<RestorationInput>,
) -> Result<JsonText, ParcoursError> {
    let at = At { version, ..at(id) };
    operations::take_back::<ParcoursContent>(&app, &editor, at, based_on, sent.fields.as_deref()).await
}

/// An earlier version in place of the present one: all but the publication, or these fields.
pub(super) async fn taken_back(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    before: &Stored,
    past: RevisionBody,
    fields: Option<&[String]>,
) -> Result<TakenBack<Draft>, ParcoursError> {
    let all = || Sheet::NAMES.iter().copied().chain(["steps", "trace"]).map(str::to_owned).collect();
    let names: Vec<String> = fields.map_or_else(all, <[String]>::to_vec);
    let mut after = with_fields(before, &past, &names)?;
    if fields.is_none() {
        after.sheet.rest = past.sheet.rest.over(&before.sheet.rest);
    }
    forget_unusable_steps(tx, actor, before, &mut after).await?;
    super::input::checked(app, tx, actor, before, &after.sheet, None).await?;
    let has = |name: &str| names.iter().any(|one| one == name);
    let trace = if has("trace") { past_trace(tx, before, &past).await? } else { None };
    let measured_on = if has("steps") { past.trace_revision } else { before.trace_revision };
    let in_use = if trace.is_some() { past.trace_revision } else { before.trace_revision };
    if measured_on != in_use {
        move_steps(tx, &mut after, trace.as_ref(), measured_on).await?;
    }
    let on = On::record(Kind::Parcours, before.id.0).of_white_label(before.white_label_id);
    // Of `title/fr` only the field `title` is recorded: the language was typed by the user.
    let recorded: BTreeSet<&str> = names.iter().filter_map(|name| name.split('/').next()).collect();
    let names = recorded.into_iter().map(str::to_owned).collect();
    Ok(TakenBack { draft: Draft { after, trace }, on, names })
}

/// Removes references to deleted records from restored steps.
async fn forget_unusable_steps(
    tx: &Tx,
    actor: &Actor,
    before: &Stored,
    after: &mut Stored,
) -> Result<(), ParcoursError> {
    // The sheet is checked as a save of the same fields is.
    let mut sheet = before.sheet.clone();
    let now = (&before.sheet, before.steps.as_slice());
    Access::of(actor).forget_unusable_of_parcours(tx, now, (&mut sheet, &mut after.steps)).await?;
    Ok(())
}

/// The parcours with some fields as they were: `title`, or one language of it, `title/fr`.
fn with_fields(before: &Stored, past: &RevisionBody, names: &[String]) -> Result<Stored, ParcoursError> {
    let mut after = before.clone();
    for name in names {
        match name.as_str() {
            "steps" => after.steps = step::in_place_of(past.steps.clone(), &before.steps),
            "trace" => {}
            name => take_field_back(&mut after.sheet, &past.sheet, name)?,
        }
    }
    Ok(after)
}

/// Puts steps that were measured on the trace of one revision on the trace from now on: the restored one, or that of the parcours.
async fn move_steps(
    tx: &Tx,
    after: &mut Stored,
    restored: Option<&NewTrace>,
    measured_on: Option<i64>,
) -> Result<(), ParcoursError> {
    let kept = match restored {
        Some(_) => None,
        None => rows::trace(tx, after.id).await?.as_ref().map(NewTrace::from),
    };
    let Some(trace) = restored.or(kept.as_ref()) else {
        arrange::measure(&mut after.steps, None);
        return Ok(());
    };
    let old = match measured_on {
        Some(revision) => rows::trace_at(tx, after.id, revision).await?,
        None => None,
    };
    let old_length_m = old.map(|old| trace::measure(&old.line()).distance_m);
    let (_, pace) = pace_of(tx, after.sheet.practice_type_id).await?;
    arrange_steps(&mut after.steps, trace, pace, old_length_m);
    Ok(())
}

/// The trace of a revision, if it was another one; a parcours that had none keeps the one it has.
async fn past_trace(tx: &Tx, before: &Stored, past: &RevisionBody) -> Result<Option<NewTrace>, ParcoursError> {
    let Some(number) = past.trace_revision.filter(|number| before.trace_revision != Some(*number)) else {
        return Ok(None);
    };
    Ok(rows::trace_at(tx, before.id, number).await?.as_ref().map(Into::into))
}

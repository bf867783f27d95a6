//! Children of another white-label: the owner of the parent accepts or refuses each.

use app::App;
use app::extract::{Body, Path, Publisher};
use app::record::Named;
use axum::extract::State;
use domain::{Actor, Instant, ParcoursId, Text};
use serde::{Deserialize, Serialize};
use store::parcours::{self as rows, ChildRequest, ChildState};
use store::{Connection, StoreError};
use utoipa::ToSchema;

use super::access::held;
use super::error::{ParcoursError, not_found};
use super::json::JsonText;
use super::saving::shown;
use super::view::ParcoursView;

/// What the owner of a parent decided of a child of another white-label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChildDecision {
    /// Nothing yet: the child is not shown under the parent.
    Waiting,
    /// The child is shown under the parent.
    Accepted,
    /// The child is not shown under the parent.
    Refused,
}

impl From<ChildState> for ChildDecision {
    fn from(state: ChildState) -> Self {
        match state {
            ChildState::Waiting => Self::Waiting,
            ChildState::Accepted => Self::Accepted,
            ChildState::Refused => Self::Refused,
        }
    }
}

/// A published child of another white-label under a parcours, for the people of the parcours' white-label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChildRequestView {
    /// The child.
    pub id: ParcoursId,
    pub title: Text,
    /// The white-label that owns it.
    pub white_label: Named,
    /// What was decided.
    pub decision: ChildDecision,
    /// When, once it was decided.
    pub decided_at: Option<Instant>,
    /// Who decided.
    pub decided_by: Option<Named>,
}

impl From<ChildRequest> for ChildRequestView {
    fn from(request: ChildRequest) -> Self {
        let (owner, name) = request.white_label;
        Self {
            id: request.id,
            title: request.title,
            white_label: Named { id: owner.0, name },
            decision: request.state.into(),
            decided_at: request.decided_at,
            decided_by: request.decided_by.map(|(id, name)| Named { id: id.0, name }),
        }
    }
}

/// The decisions between white-labels on the sheet: the owner of the parent sees children of others, the owner of the child sees
/// the parent's answer. No other tenant sees either.
pub(super) async fn decisions(
    db: &impl Connection,
    actor: &Actor,
    detail: &rows::Detail,
) -> Result<(Vec<ChildRequestView>, Option<ChildDecision>), StoreError> {
    if !actor.works_in(detail.white_label.0) {
        return Ok((Vec::new(), None));
    }
    let requests = if detail.children == 0 { Vec::new() } else { rows::child_requests(db, detail.id).await? };
    let answer = match detail.parent_id {
        Some(_) => rows::state_under_parent(db, detail.id).await?,
        None => None,
    };
    Ok((requests.into_iter().map(Into::into).collect(), answer.map(Into::into)))
}

/// Whether a child is shown.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChildDecisionInput {
    /// True: show it under the parent; false: do not, and take it off if it was shown.
    pub accepted: bool,
}

/// Accept or refuse a published child of another white-label. It is on the parent's public page, in feeds and packs while it is
/// accepted; a refusal takes it off at once. Answers with the parent.
#[utoipa::path(put, path = "/api/v1/parcours/{id}/children/{child_id}", tag = "parcours",
    params(("id" = i64, Path, description = "The parent"), ("child_id" = i64, Path, description = "The child")),
    request_body = ChildDecisionInput, security(("session" = ["content.publish"])),
    responses((status = 200, body = ParcoursView), ParcoursError))]
#[tracing::instrument(name = "parcours.decide_child", skip_all, fields(parcours.id = %id))]
pub async fn decide_parcours_child(
    State(app): State<App>,
    publisher: Publisher,
    Path((id, child)): Path<(ParcoursId, ParcoursId)>,
    Body(sent): Body<ChildDecisionInput>,
) -> Result<JsonText, ParcoursError> {
    let tx = app.store.begin().await?;
    held(&tx, id, &publisher).await?;
    if !rows::decide_child(&tx, (id, child), sent.accepted, (publisher.user_id, app.now())).await? {
        return Err(not_found(child));
    }
    let reply = shown(&app, &tx, id, &publisher).await?;
    tx.commit().await?;
    Ok(reply)
}

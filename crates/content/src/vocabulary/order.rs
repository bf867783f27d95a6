//! The order of siblings.

use app::App;
use app::extract::{Body, Path, Superadmin};
use app::problem::Internal;
use app::record::operations::change;
use app::record::{At, Refusal};
use axum::Json;
use axum::extract::State;
use domain::Fault;
use domain::vocabulary::VocabularyKind;
use serde::Deserialize;
use store::record as rows;
use store::vocabulary::Terms;
use utoipa::ToSchema;

use super::list::VocabularyView;
use super::{TermError, list};

/// An order.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderInput {
    /// Siblings, in the order they are to have; those that are not named come after.
    pub ids: Vec<i64>,
}

/// Put the items under one parent in order.
#[utoipa::path(put, path = "/api/v1/vocabularies/{kind}/order", tag = "reference", params(("kind" = VocabularyKind, Path)),
    request_body(content = OrderInput), security(("session" = ["reference.manage"])),
    responses((status = 200, body = VocabularyView), TermError))]
pub async fn order_vocabulary(
    State(app): State<App>,
    keeper: Superadmin,
    Path(at): Path<At>,
    Body(sent): Body<OrderInput>,
) -> Result<Json<VocabularyView>, TermError> {
    let kind = at.kind.ok_or(Refusal::NotFound { id: 0 })?;
    let tx = app.store.begin().await?;
    let items = store::vocabulary::list(&tx, kind).await?;
    let parent_of = |id: i64| items.iter().find(|item| item.id.0 == id).map(|item| item.parent_id);
    let parents: Vec<_> = sent.ids.iter().map(|id| parent_of(*id)).collect();
    let parent = parents.first().copied().flatten().flatten();
    for (index, found) in parents.iter().enumerate() {
        if *found != Some(parent) {
            return Err(Fault::new("vocabulary/not-siblings", format!("/ids/{index}")).into());
        }
    }
    let unnamed = items.iter().filter(|item| item.parent_id == parent && !sent.ids.contains(&item.id.0));
    let ordered: Vec<i64> = sent.ids.iter().copied().chain(unnamed.map(|item| item.id.0)).collect();
    for (order, id) in (1..).zip(ordered) {
        let Some(before) = rows::lock::<Terms>(&tx, id).await? else { continue };
        let mut after = before.clone();
        after.sheet.order = order;
        rows::save::<Terms>(&tx, &before, after, change(&app, &keeper, Some("order"))).await?;
    }
    tx.commit().await?;
    let shown = list::shown(&app, kind.as_str(), false).await;
    shown.map(Json).map_err(|error| Internal::new(error).into())
}

//! The campaigns.

use app::extract::{Paging, Query, Reader};
use app::record::{ListOf, Named, Resource, no_such_sort, sort_of};
use app::{App, filter};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use store::survey_campaign::{self as rows, CampaignFilter};
use store::white_label;
use utoipa::{IntoParams, ToSchema};

use super::{SurveyCampaignError, SurveyCampaignResource, SurveyCampaignView};

/// The filters of the list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct SurveyCampaignQuery {
    /// Words of the name.
    search: Option<String>,
    /// `true`: those that are over; `false`: the others.
    closed: Option<bool>,
    /// `true`: those in which one surveys.
    mine: Option<bool>,
    /// Identifiers, with commas.
    ids: Option<String>,
    /// `due_on` (the default), `title`, `updated_at`, each with `-`.
    sort: Option<String>,
}

/// The campaigns of the white-labels one works in, the first to end first.
#[utoipa::path(get, path = "/api/v1/survey-campaigns", tag = "survey-campaigns", security(("session" = ["content.read"])),
    params(SurveyCampaignQuery, Paging), responses((status = 200, body = ListOf<SurveyCampaignView>), SurveyCampaignError))]
pub async fn list_survey_campaigns(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<SurveyCampaignQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ListOf<SurveyCampaignView>>, SurveyCampaignError> {
    let filter = CampaignFilter {
        search: query.search,
        closed: query.closed,
        person: query.mine.unwrap_or_default().then_some(reader.user_id),
        ids: filter::ids("ids", query.ids.as_deref())?,
        ..CampaignFilter::of(&reader)
    };
    let db = app.store.read();
    let found = rows::list(db, &filter, sort_of(query.sort.as_deref(), "due_on"), paging.page()).await?;
    let (records, counted) = found.ok_or_else(no_such_sort)?;
    Ok(Json(ListOf::new(SurveyCampaignResource::views(&app, db, &reader, records).await?, counted)))
}

/// People who may survey.
#[derive(Debug, Serialize, ToSchema)]
pub struct Surveyors {
    /// By name.
    items: Vec<Named>,
}

/// The people of one's structure who may record on the ground in the active white-label.
#[utoipa::path(get, path = "/api/v1/survey-campaigns/people", tag = "survey-campaigns", security(("session" = ["content.read"])),
    responses((status = 200, body = Surveyors), SurveyCampaignError))]
pub async fn list_surveyors(State(app): State<App>, reader: Reader) -> Result<Json<Surveyors>, SurveyCampaignError> {
    let db = app.store.read();
    let owner = white_label::find(db, reader.active_white_label_id).await?;
    // A superadmin is seldom of the structure that the campaign is for.
    let structure = owner.map(|owner| owner.structure_id).filter(|structure| reader.may_see_inside(*structure));
    let structure = structure.unwrap_or(reader.structure_id);
    let people = rows::people(db, structure, reader.active_white_label_id).await?;
    Ok(Json(Surveyors { items: people.into_iter().map(|(id, name)| Named { id, name }).collect() }))
}

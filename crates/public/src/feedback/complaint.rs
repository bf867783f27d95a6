//! A reader reports a review. The review stays public until the staff have looked at it: a report alone removes nothing.

use app::App;
use app::client_address::ClientAddress;
use app::extract::{Body, Path};
use axum::extract::State;
use axum::http::StatusCode;
use domain::ParcoursId;
use domain::feedback::{Objection, ReviewState, check_words};
use serde::Deserialize;
use store::feedback::{self as rows, Subject};
use tracing::instrument;
use utoipa::ToSchema;

use super::{GiveError, rules};

/// What a reader has against a review.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ComplaintInput {
    /// The parcours of the review.
    pub parcours_id: i64,
    /// What is wrong with it.
    pub reason: Objection,
    /// An explanation, where the reason is another one.
    #[serde(default)]
    pub words: String,
    /// To be left empty, as in a review.
    #[serde(default)]
    pub website: String,
}

/// Report a published review to the staff.
#[utoipa::path(post, path = "/api/public/v1/reviews/{id}/complaints", tag = "public", security(()), params(("id" = i64, Path)),
    request_body = ComplaintInput, responses((status = 202, description = "The staff will look at it"), GiveError))]
#[instrument(name = "review.report", skip_all)]
pub async fn report_review(
    State(app): State<App>,
    client: ClientAddress,
    Path(id): Path<i64>,
    Body(sent): Body<ComplaintInput>,
) -> Result<StatusCode, GiveError> {
    let parcours = ParcoursId(sent.parcours_id);
    let words = check_words(sent.reason, &sent.words).map_err(|errors| GiveError::Refused { errors })?;
    if !sent.website.is_empty() {
        return Ok(StatusCode::ACCEPTED);
    }
    rules::admit(&app, client).await?;
    let tx = app.store.begin().await?;
    rows::hold(&tx, parcours).await?;
    let found = rows::find_review(&tx, parcours, id).await?.filter(|review| review.state == ReviewState::Published);
    let mut review = found.ok_or(GiveError::NotShown)?;
    review.complaints += 1;
    rows::save_review(&tx, &review).await?;
    let happened = ("complaint", sent.reason.as_str(), words.as_str());
    rows::note(&tx, (Subject::Review, id), happened, None, app.now()).await?;
    tx.commit().await?;
    Ok(StatusCode::ACCEPTED)
}

//! The reviews of a parcours, as the staff see them.

use std::collections::HashMap;

use app::App;
use app::extract::{Paging, Path, Query, Reader};
use axum::Json;
use axum::extract::State;
use content::parcours::access::own;
use domain::feedback::{Objection, Rating, ReviewState};
use domain::{Actor, Capability, Instant, ParcoursId};
use serde::{Deserialize, Serialize};
use store::feedback::{self as rows, HistoryEntry, Review, ReviewCounts, ReviewFilter, Subject};
use store::record::load;
use store::white_label::WhiteLabels;
use store::{Connection, StoreError};
use tracing::instrument;
use utoipa::{IntoParams, ToSchema};

use super::FeedbackError;
use super::history::HappenedView;

/// A review.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReviewView {
    pub id: i64,
    /// `waiting`, `published` or `refused`.
    pub state: ReviewState,
    /// 1 to 5.
    pub rating: i64,
    /// The line above the text; may be empty.
    pub title: String,
    pub text: String,
    /// The name shown beside it.
    pub author: String,
    /// Where its author is reached; for those who moderate, and none once it is erased.
    pub email: Option<String>,
    /// `fr` or `en`.
    pub language: String,
    /// The day its author was there, `YYYY-MM-DD`.
    pub walked_on: Option<String>,
    /// When it was sent.
    pub sent_at: Instant,
    /// When it was published or refused last.
    pub decided_at: Option<Instant>,
    /// Why it is refused.
    pub objection: Option<Objection>,
    /// The explanation of the refusal, written by the staff; may be empty.
    pub objection_words: String,
    /// The answer of the staff; empty without one.
    pub answer: String,
    /// When it was given.
    pub answered_at: Option<Instant>,
    /// Number of readers who reported it since the staff last looked.
    pub complaints: i64,
    /// What was done with it, the oldest entry first.
    pub history: Vec<HappenedView>,
}

impl ReviewView {
    fn of(review: Review, actor: &Actor, history: &mut HashMap<i64, Vec<HistoryEntry>>) -> Self {
        let Review { id, state, said, .. } = review;
        let email = Some(said.email).filter(|email| !email.is_empty() && actor.can(Capability::ContentPublish));
        Self {
            id,
            state,
            rating: said.rating,
            title: said.title,
            text: said.text,
            author: said.author,
            email,
            language: said.language,
            walked_on: said.walked_on,
            sent_at: review.sent_at,
            decided_at: review.decided_at,
            objection: review.objection,
            objection_words: review.objection_words,
            answer: review.answer,
            answered_at: review.answered_at,
            complaints: review.complaints,
            history: history.remove(&id).unwrap_or_default().into_iter().map(Into::into).collect(),
        }
    }
}

/// The views of reviews, for one reader.
pub async fn views(db: &impl Connection, actor: &Actor, reviews: Vec<Review>) -> Result<Vec<ReviewView>, StoreError> {
    let ids: Vec<i64> = reviews.iter().map(|review| review.id).collect();
    let mut history = rows::history(db, Subject::Review, &ids).await?;
    Ok(reviews.into_iter().map(|review| ReviewView::of(review, actor, &mut history)).collect())
}

/// How many reviews a parcours has, by state and by stars.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = ReviewCounts)]
pub struct ReviewCountsView {
    /// That wait for the staff.
    waiting: i64,
    published: i64,
    /// That were refused.
    refused: i64,
    /// That readers reported.
    reported: i64,
    /// Published ones with one star, two … five.
    stars: [i64; 5],
}

impl From<ReviewCounts> for ReviewCountsView {
    fn from(counts: ReviewCounts) -> Self {
        let ReviewCounts { waiting, published, refused, reported, stars } = counts;
        Self { waiting, published, refused, reported, stars }
    }
}

/// A page of the reviews of a parcours, with their counts and average.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReviewList {
    /// The items of the page, the last sent first.
    items: Vec<ReviewView>,
    /// How many reviews the filter selects.
    total: i64,
    /// Counts by state.
    counts: ReviewCountsView,
    /// The average rating of the published ones, to one decimal.
    average: Option<f64>,
    /// The bounds of its white-label, where the average is outside: it is not distributed there.
    held_back: Option<RatingBounds>,
}

/// Between which averages a white-label distributes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct RatingBounds {
    /// The least.
    min: Option<f64>,
    /// The most.
    max: Option<f64>,
}

/// Which reviews.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ReviewQuery {
    /// `waiting`, `published` or `refused`; all of them by default.
    #[param(inline)]
    state: Option<ReviewState>,
    /// `true`: those that readers reported.
    reported: bool,
}

/// The confirmed reviews of a parcours of the user's white-labels, the last sent first.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/reviews", tag = "feedback", params(("id" = i64, Path), ReviewQuery, Paging),
    security(("session" = ["content.read"])), responses((status = 200, body = ReviewList), FeedbackError))]
#[instrument(name = "review.list", skip_all, fields(parcours.id = %id))]
pub async fn list_reviews(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
    Query(query): Query<ReviewQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ReviewList>, FeedbackError> {
    let db = app.store.read();
    let owner = own(db, id, &reader).await?.white_label_id;
    let filter = ReviewFilter { state: query.state, reported: query.reported };
    let found = rows::reviews(db, id, filter, paging.page()).await?;
    let counts = rows::count_reviews(db, id).await?;
    let rating = rows::rating(db, id).await?;
    let total = match (query.reported, query.state) {
        (true, _) => counts.reported,
        (_, Some(ReviewState::Waiting)) => counts.waiting,
        (_, Some(ReviewState::Published)) => counts.published,
        (_, Some(ReviewState::Refused)) => counts.refused,
        (_, Some(ReviewState::Unconfirmed)) => 0,
        (_, None) => counts.waiting + counts.published + counts.refused,
    };
    Ok(Json(ReviewList {
        items: views(db, &reader, found).await?,
        total,
        counts: counts.into(),
        average: rating.shown(),
        held_back: held_back(db, owner.0, rating).await?,
    }))
}

async fn held_back(db: &impl Connection, owner: i64, rating: Rating) -> Result<Option<RatingBounds>, StoreError> {
    let sheet = load::<WhiteLabels>(db, owner).await?.map(|owner| owner.sheet);
    let bounds = sheet.map(|sheet| (sheet.rating_min, sheet.rating_max)).filter(|bounds| !rating.is_within(*bounds));
    Ok(bounds.map(|(min, max)| RatingBounds { min, max }))
}

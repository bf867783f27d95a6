//! Published reviews, for a white-label's own site or application.

use app::App;
use app::extract::{Paging, Path, Query};
use axum::Json;
use axum::extract::State;
use domain::Instant;
use outputs::feed::PublicKey;
use serde::Serialize;
use store::feedback::{self as rows, Review};
use tracing::instrument;
use utoipa::ToSchema;

use super::{GiveError, rules};

/// A published review.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PublicReviewView {
    id: i64,
    /// 1 to 5.
    rating: i64,
    /// The line above the text; may be empty.
    title: String,
    text: String,
    /// Who wrote it.
    author: String,
    /// `fr` or `en`.
    language: String,
    /// The day its author was there, `YYYY-MM-DD`.
    walked_on: Option<String>,
    /// When it was sent.
    sent_at: Instant,
    /// The answer of the staff; empty without one.
    answer: String,
}

impl From<Review> for PublicReviewView {
    fn from(review: Review) -> Self {
        let Review { id, said, sent_at, answer, .. } = review;
        let (rating, title, text, author) = (said.rating, said.title, said.text, said.author);
        Self { id, rating, title, text, author, language: said.language, walked_on: said.walked_on, sent_at, answer }
    }
}

/// Published reviews, and what they come to.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PublicReviews {
    /// The average, to one decimal; none without a review.
    average: Option<f64>,
    /// How many there are.
    total: i64,
    /// The items of the page, the last sent first.
    items: Vec<PublicReviewView>,
}

/// The published reviews of a parcours, the last sent first.
#[utoipa::path(get, path = "/api/public/v1/parcours/{id}/reviews", tag = "feeds", security(("api_key" = [])),
    params(("id" = i64, Path), Paging), responses((status = 200, body = PublicReviews), GiveError))]
#[instrument(name = "review.list_public", skip_all)]
pub async fn list_public_reviews(
    State(app): State<App>,
    key: PublicKey,
    Path(id): Path<i64>,
    Query(paging): Query<Paging>,
) -> Result<Json<PublicReviews>, GiveError> {
    let place = rules::by_key(&app, &key, id).await?;
    let db = app.store.read();
    let rating = rows::rating(db, place.parcours).await?;
    let found = rows::published_reviews(db, place.parcours, paging.page()).await?;
    Ok(Json(PublicReviews {
        average: rating.shown(),
        total: rating.reviews,
        items: found.into_iter().map(Into::into).collect(),
    }))
}

//! What the staff do with a review. None of it touches its rating.

use app::App;
use app::extract::{Body, Path, Publisher};
use app::mail::flush_in_background;
use axum::Json;
use axum::extract::State;
use content::parcours::access::held;
use domain::feedback::{Objection, ReviewState, check_answer, check_words};
use domain::{Instant, ParcoursId};
use serde::Deserialize;
use store::feedback::{self as rows, Review, Subject};
use tracing::instrument;
use utoipa::ToSchema;

use super::review_list::{ReviewView, views};
use super::{FeedbackError, mail};

/// What is done with a review.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub enum ReviewDecision {
    /// It is public, and it counts.
    Publish {},
    /// It is not public and does not count. The reason is stored and mailed to its author.
    Refuse {
        reason: Objection,
        /// An explanation, where the reason is another one.
        #[serde(default)]
        words: String,
    },
    /// Answer a published one, below it; empty words take the answer back.
    Answer {
        /// The answer.
        text: String,
    },
    /// What readers reported of it does not hold.
    Dismiss {},
}

/// The recorded parts of a decision: action, reason, words.
type Noted = (&'static str, &'static str, String);

impl ReviewDecision {
    /// Applies it to a review.
    fn apply(self, review: &mut Review, now: Instant) -> Result<Noted, FeedbackError> {
        let refused = |errors| FeedbackError::Refused { errors };
        match self {
            Self::Publish {} => {
                (review.state, review.decided_at) = (ReviewState::Published, Some(now));
                (review.objection, review.objection_words) = (None, String::new());
                Ok(("published", "", String::new()))
            }
            Self::Refuse { reason, words } => {
                let words = check_words(reason, &words).map_err(refused)?;
                (review.state, review.decided_at) = (ReviewState::Refused, Some(now));
                (review.objection, review.objection_words) = (Some(reason), words.clone());
                review.complaints = 0;
                Ok(("refused", reason.as_str(), words))
            }
            Self::Answer { text } => {
                if review.state != ReviewState::Published {
                    return Err(FeedbackError::NotPublished);
                }
                let text = check_answer(&text).map_err(refused)?;
                review.answered_at = (!text.is_empty()).then_some(now);
                review.answer.clone_from(&text);
                Ok((if text.is_empty() { "unanswered" } else { "answered" }, "", text))
            }
            Self::Dismiss {} => {
                review.complaints = 0;
                Ok(("dismissed", "", String::new()))
            }
        }
    }
}

/// Publish, refuse or answer a review, or put aside what readers reported of it.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/reviews/{review_id}/decision", tag = "feedback",
    params(("id" = i64, Path), ("review_id" = i64, Path)), request_body = ReviewDecision,
    security(("session" = ["content.publish"])), responses((status = 200, body = ReviewView), FeedbackError))]
#[instrument(name = "review.decide", skip_all, fields(parcours.id = %id))]
pub async fn decide_review(
    State(app): State<App>,
    publisher: Publisher,
    Path((id, review_id)): Path<(ParcoursId, i64)>,
    Body(decision): Body<ReviewDecision>,
) -> Result<Json<ReviewView>, FeedbackError> {
    let (tx, now) = (app.store.begin().await?, app.now());
    held(&tx, id, &publisher).await?;
    rows::hold(&tx, id).await?;
    let no_review = FeedbackError::NoReview { id: review_id };
    let mut review = rows::find_review(&tx, id, review_id).await?.ok_or(no_review)?;
    let (what, kind, words) = decision.apply(&mut review, now)?;
    rows::save_review(&tx, &review).await?;
    rows::note(&tx, (Subject::Review, review_id), (what, kind, &words), Some(publisher.user_id), now).await?;
    rows::settle(&tx, id, now).await?;
    let view = views(&tx, &publisher, vec![review.clone()]).await?.pop();
    let letter = match what {
        "refused" | "answered" => mail::decided(&app, &tx, &review).await?,
        _ => None,
    };
    let mail = match letter {
        Some(letter) => Some(letter.enqueue(&app, &tx).await?),
        None => None,
    };
    tx.commit().await?;
    flush_in_background(&app, mail.into_iter().collect());
    view.map(Json).ok_or(FeedbackError::NoReview { id: review_id })
}

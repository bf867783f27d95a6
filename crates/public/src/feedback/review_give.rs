//! A visitor leaves a review.

use app::App;
use app::client_address::ClientAddress;
use app::extract::{Body, Path};
use app::mail::flush_in_background;
use app::mail_rate_limit::take_mail_slot;
use app::token::Token;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Instant;
use domain::feedback::{NewReview, UNCONFIRMED_KEPT_S};
use outputs::feed::PublicKey;
use serde::{Deserialize, Serialize};
use store::feedback as rows;
use tracing::instrument;
use utoipa::ToSchema;
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, SchemaFormat, Type};

use super::rules::{self, Place};
use super::{GiveError, mail};

/// A review.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReviewInput {
    /// The parcours of the review; with a key in the address it may be absent.
    pub parcours_id: i64,
    /// 1 to 5.
    #[schema(required = true, schema_with = rating)]
    pub rating: i64,
    /// A line above the text, or nothing.
    pub title: String,
    /// The text, without markup.
    pub text: String,
    /// The name shown beside it.
    pub author: String,
    /// Where the link is mailed that confirms it. It is never shown.
    pub email: String,
    /// `fr` or `en`: the language of the mails.
    pub language: String,
    /// The day one was there, `YYYY-MM-DD`.
    pub walked_on: Option<String>,
    /// To be left empty: programs that fill every field show themselves by it.
    pub website: String,
}

/// The schema of a rating, without the default that the other fields have: one that is not sent is refused, with its other faults.
fn rating() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
        .description(Some("1 to 5."))
        .minimum(Some(1))
        .maximum(Some(5))
        .build()
}

/// The answer to a review that was accepted.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct ReviewTaken {
    /// Its author opens the mailed link before that, else it is erased.
    pub confirm_before: Instant,
}

/// Leave a review from a public page. Nothing counts until the mailed link is opened; then the staff look at it.
#[utoipa::path(post, path = "/api/public/v1/reviews", tag = "public", security(()), request_body = ReviewInput,
    responses((status = 202, body = ReviewTaken), GiveError))]
#[instrument(name = "review.give", skip_all)]
pub async fn give_review(
    State(app): State<App>,
    client: ClientAddress,
    Body(sent): Body<ReviewInput>,
) -> Result<(StatusCode, Json<ReviewTaken>), GiveError> {
    let place = rules::public(&app, sent.parcours_id).await?;
    take(&app, client, place, sent).await
}

/// Leave a review with the key of a white-label.
#[utoipa::path(post, path = "/api/public/v1/parcours/{id}/reviews", tag = "feeds", security(("api_key" = [])),
    params(("id" = i64, Path)), request_body = ReviewInput, responses((status = 202, body = ReviewTaken), GiveError))]
#[instrument(name = "review.give_by_key", skip_all)]
pub async fn give_review_by_key(
    State(app): State<App>,
    key: PublicKey,
    client: ClientAddress,
    Path(id): Path<i64>,
    Body(sent): Body<ReviewInput>,
) -> Result<(StatusCode, Json<ReviewTaken>), GiveError> {
    let place = rules::by_key(&app, &key, id).await?;
    take(&app, client, place, sent).await
}

async fn take(
    app: &App,
    client: ClientAddress,
    place: Place,
    sent: ReviewInput,
) -> Result<(StatusCode, Json<ReviewTaken>), GiveError> {
    let now = app.now();
    let taken = (StatusCode::ACCEPTED, Json(ReviewTaken { confirm_before: now.plus_s(UNCONFIRMED_KEPT_S) }));
    // A program that filled in the invisible field gets the usual answer, and nothing is stored.
    if !sent.website.is_empty() {
        return Ok(taken);
    }
    let ReviewInput { rating, title, text, author, email, language, walked_on, .. } = sent;
    let said = NewReview { rating, title, text, author, email, language, walked_on };
    let said = said.checked(&app.today()).map_err(|errors| GiveError::Refused { errors })?;
    rules::admit(app, client).await?;
    let retry_after_s = take_mail_slot(app, "review", &said.email).await?;
    if retry_after_s > 0 {
        return Err(GiveError::TooMany { retry_after_s });
    }
    let token = Token::random();
    let tx = app.store.begin().await?;
    rows::insert_review(&tx, (place.parcours, place.white_label), &said, &token.hash(), now).await?;
    let letter = mail::to_confirm(app, &tx, place.parcours, &said, &token).await?;
    let mail = letter.of_white_label(place.white_label).enqueue(app, &tx).await?;
    tx.commit().await?;
    flush_in_background(app, vec![mail]);
    Ok(taken)
}

//! The mailed link: a page with a button. Opening it changes nothing, because mail programs open links automatically.

use app::App;
use app::extract::Path;
use app::token::Token;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::WhiteLabelId;
use domain::feedback::ReviewState;
use outputs::visitor_words::Language;
use store::feedback::{self as rows, Review, Subject};
use store::{Connection, StoreError};
use tracing::instrument;

use super::access::PageRequest;
use super::answer::{Refusal, confirmation, or_words};

/// What the page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConfirmationState {
    Ask,
    Done,
    Before,
    Twice,
    Gone,
}

/// The page of the mailed link, which asks to confirm. In English at `/en/avis/…`.
#[utoipa::path(get, path = "/avis/{token}", tag = "public", security(()), params(("token" = String, Path)),
    responses((status = 200, description = "A page with a button", content_type = "text/html"),
        (status = 410, description = "The link is over", content_type = "text/html")))]
#[instrument(name = "review.ask", skip_all)]
pub async fn ask_to_confirm_review(
    State(app): State<App>,
    request: PageRequest,
    Path(token): Path<String>,
) -> Response {
    or_words(&app, &request, async {
        let review = found(&app, app.store.read(), &token).await?;
        let said = match &review {
            None => ConfirmationState::Gone,
            Some(review) if review.state == ReviewState::Unconfirmed => ConfirmationState::Ask,
            Some(_) => ConfirmationState::Before,
        };
        page(&app, request.language, review.map(|review| review.white_label_id), said).await
    })
    .await
}

/// Confirm a review: from now on it waits for the staff.
#[utoipa::path(post, path = "/avis/{token}", tag = "public", security(()), params(("token" = String, Path)),
    responses((status = 200, description = "A page that says so", content_type = "text/html"),
        (status = 410, description = "The link is over", content_type = "text/html")))]
#[instrument(name = "review.confirm", skip_all)]
pub async fn confirm_review(State(app): State<App>, request: PageRequest, Path(token): Path<String>) -> Response {
    or_words(&app, &request, async {
        let (said, owner) = confirm(&app, &token).await?;
        page(&app, request.language, owner, said).await
    })
    .await
}

/// Confirms a review; returns the white-label it was written for, if the review is known.
async fn confirm(app: &App, token: &str) -> Result<(ConfirmationState, Option<WhiteLabelId>), StoreError> {
    let (tx, now) = (app.store.begin().await?, app.now());
    let Some(review) = found(app, &tx, token).await? else { return Ok((ConfirmationState::Gone, None)) };
    let owner = Some(review.white_label_id);
    if review.state != ReviewState::Unconfirmed {
        return Ok((ConfirmationState::Before, owner));
    }
    rows::hold(&tx, review.parcours_id).await?;
    if rows::has_other_review(&tx, &review).await? {
        return Ok((ConfirmationState::Twice, owner));
    }
    if !rows::confirm(&tx, review.id, now).await? {
        return Ok((ConfirmationState::Before, owner));
    }
    rows::note(&tx, (Subject::Review, review.id), ("confirmed", "", ""), None, now).await?;
    tx.commit().await?;
    Ok((ConfirmationState::Done, owner))
}

async fn found(app: &App, db: &impl Connection, token: &str) -> Result<Option<Review>, StoreError> {
    let Some(token) = Token::parse(token) else { return Ok(None) };
    rows::by_token(db, &token.hash(), app.now()).await
}

async fn page(
    app: &App,
    language: Language,
    owner: Option<WhiteLabelId>,
    said: ConfirmationState,
) -> Result<Response, Refusal> {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let (title, message) = match said {
        ConfirmationState::Ask => (
            t("Confirmer votre avis", "Confirm your review"),
            t(
                "Un clic suffit\u{202f}: votre avis sera ensuite relu, puis publié avec le nom que vous avez donné.",
                "One click is enough: your review will then be read, and published under the name you gave.",
            ),
        ),
        ConfirmationState::Done => (
            t("Merci, votre avis est confirmé", "Thank you, your review is confirmed"),
            t(
                "Il paraîtra une fois relu. Votre adresse e-mail n’est montrée à personne.",
                "It will appear once it has been read. Your e-mail address is shown to nobody.",
            ),
        ),
        ConfirmationState::Before => (
            t("Votre avis est déjà confirmé", "Your review is already confirmed"),
            t("Il n’y a plus rien à faire.", "There is nothing left to do."),
        ),
        ConfirmationState::Twice => (
            t("Vous avez déjà donné votre avis", "You have already reviewed this route"),
            t(
                "Un seul avis par personne et par parcours\u{202f}: celui-ci sera effacé, le premier reste.",
                "One review for each person and route: this one will be erased, the first one stays.",
            ),
        ),
        ConfirmationState::Gone => (
            t("Ce lien n’est plus valable", "This link is no longer valid"),
            t(
                "Un lien fonctionne pendant sept jours. Un avis qui n’est pas confirmé est ensuite effacé\u{202f}: vous pouvez en écrire un autre.",
                "A link works for seven days. A review that is not confirmed is then erased: you can write another one.",
            ),
        ),
    };
    let button = (said == ConfirmationState::Ask).then(|| t("Confirmer mon avis", "Confirm my review"));
    let mut response = confirmation(app, owner, language, (title, message), button).await?;
    match said {
        ConfirmationState::Gone => *response.status_mut() = StatusCode::GONE,
        ConfirmationState::Twice => *response.status_mut() = StatusCode::CONFLICT,
        ConfirmationState::Ask | ConfirmationState::Done | ConfirmationState::Before => {}
    }
    Ok(response)
}

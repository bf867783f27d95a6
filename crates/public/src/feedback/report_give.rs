//! A visitor reports what they found.

use app::App;
use app::client_address::ClientAddress;
use app::extract::{Body, Path};
use app::mail::{MailState, flush_in_background, state_after_wait};
use app::token::Token;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use content::parcours::beside;
use domain::feedback::{NewReport, ReportKind};
use outputs::feed::PublicKey;
use serde::{Deserialize, Serialize};
use store::feedback as rows;
use tracing::instrument;
use utoipa::ToSchema;

use super::rules::{self, Place};
use super::{GiveError, mail};

/// A field report.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReportInput {
    /// The parcours of the report; with a key in the address it may be absent.
    pub parcours_id: i64,
    /// What was found.
    pub kind: ReportKind,
    /// Longitude and latitude, where one knows.
    #[schema(value_type = Option<trace::Place>)]
    pub position: Option<[f64; 2]>,
    /// The text; required where the kind is another one.
    pub text: String,
    /// Where one can be asked, if one likes.
    pub email: String,
    /// `fr` or `en`.
    pub language: String,
    /// Whether a photo is sent next. A report without a place, a photo or words is refused.
    pub has_photo: bool,
    /// To be left empty: programs that fill every field show themselves by it.
    pub website: String,
}

/// The answer to a report that was accepted.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReportTaken {
    /// Where its photo may be sent within the hour: `POST /api/public/v1/field-reports/{photo_token}/photo`.
    pub photo_token: String,
    /// Whether a mail about it has left.
    pub notified: bool,
}

/// Report something from a public page. The people in charge of the parcours get a mail.
#[utoipa::path(post, path = "/api/public/v1/field-reports", tag = "public", security(()), request_body = ReportInput,
    responses((status = 201, body = ReportTaken), GiveError))]
#[instrument(name = "report.give", skip_all)]
pub async fn give_report(
    State(app): State<App>,
    client: ClientAddress,
    Body(sent): Body<ReportInput>,
) -> Result<(StatusCode, Json<ReportTaken>), GiveError> {
    let place = rules::public(&app, sent.parcours_id).await?;
    take(&app, client, place, sent).await
}

/// Report something with the key of a white-label.
#[utoipa::path(post, path = "/api/public/v1/parcours/{id}/field-reports", tag = "feeds", security(("api_key" = [])),
    params(("id" = i64, Path)), request_body = ReportInput, responses((status = 201, body = ReportTaken), GiveError))]
#[instrument(name = "report.give_by_key", skip_all)]
pub async fn give_report_by_key(
    State(app): State<App>,
    key: PublicKey,
    client: ClientAddress,
    Path(id): Path<i64>,
    Body(sent): Body<ReportInput>,
) -> Result<(StatusCode, Json<ReportTaken>), GiveError> {
    let place = rules::by_key(&app, &key, id).await?;
    take(&app, client, place, sent).await
}

async fn take(
    app: &App,
    client: ClientAddress,
    place: Place,
    sent: ReportInput,
) -> Result<(StatusCode, Json<ReportTaken>), GiveError> {
    let (token, now) = (Token::random(), app.now());
    let taken = |notified: bool| {
        Ok((StatusCode::CREATED, Json(ReportTaken { photo_token: token.as_str().to_owned(), notified })))
    };
    if !sent.website.is_empty() {
        return taken(true);
    }
    let ReportInput { kind, position, text, email, language, has_photo, .. } = sent;
    let said = NewReport { kind, position, text, email, language, has_photo };
    let said = said.checked().map_err(|errors| GiveError::Refused { errors })?;
    rules::admit(app, client).await?;
    let at_m = beside::at_m(app, place.parcours, said.position).await?;
    let tx = app.store.begin().await?;
    let id = rows::insert_report(&tx, (place.parcours, place.white_label), &said, at_m, &token.hash(), now).await?;
    let report = rows::find_report(&tx, place.parcours, id).await?;
    let letters = match report {
        Some(report) => mail::reported(app, &tx, &report).await?,
        None => Vec::new(),
    };
    let mut mails = Vec::with_capacity(letters.len());
    for letter in letters {
        mails.push(letter.enqueue(app, &tx).await?);
    }
    tx.commit().await?;
    // They are sent together: one that was sent is enough for `notified`.
    flush_in_background(app, mails.clone());
    let mut notified = false;
    for mail in mails {
        notified = notified || (app.mail.reaches_people() && state_after_wait(app, mail).await? == MailState::Sent);
    }
    taken(notified)
}

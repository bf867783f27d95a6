//! Visitors' feedback: reviews, which their author confirms and the staff moderate, and field reports, which
//! the staff put right. Decision 0020.

mod complaint;
mod error;
mod history;
mod mail;
mod photo;
mod public_list;
mod report_decide;
mod report_give;
mod report_list;
mod review_decide;
mod review_give;
mod review_list;
mod rules;

use app::App;
use app::error_text::{asked_locale, in_words};
use app::routes;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
pub use error::{FeedbackError, GiveError};
pub(crate) use mail::objection_words;
use utoipa_axum::router::OpenApiRouter;

/// A refusal of a visitor's request, as a sentence in their language: the page has no texts for it.
async fn refusals_in_words(request: Request, next: Next) -> Response {
    let locale = asked_locale(request.uri(), request.headers());
    in_words(next.run(request).await, locale).await
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    let given = OpenApiRouter::new()
        .routes(routes!(review_give::give_review))
        .routes(routes!(complaint::report_review))
        .routes(routes!(report_give::give_report))
        .routes(routes!(photo::add_report_photo))
        .layer(from_fn(refusals_in_words));
    OpenApiRouter::new()
        .merge(given)
        .routes(routes!(public_list::list_public_reviews, review_give::give_review_by_key))
        .routes(routes!(report_give::give_report_by_key))
        .routes(routes!(review_list::list_reviews))
        .routes(routes!(review_decide::decide_review))
        .routes(routes!(report_list::list_reports))
        .routes(routes!(report_decide::decide_report))
        .routes(routes!(report_list::show_report, report_decide::delete_report))
        .routes(routes!(photo::show_report_photo))
}

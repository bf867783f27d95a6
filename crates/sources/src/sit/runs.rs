//! A run of a source is requested here; its progress is with the runs of routes (`/api/v1/import-runs`).

use app::App;
use app::extract::{Importer, Path};
use app::problem::Internal;
use app::record::At;
use app::record::operations::seen;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use store::imports::find_run;

use super::work::begin;
use super::{SitError, SitSourceResource};
use crate::imports::runs::ImportRunView;

/// Ask a source for its records, now.
#[utoipa::path(post, path = "/api/v1/sit-sources/{id}/runs", tag = "sit", params(("id" = i64, Path)),
    security(("session" = ["content.import"])), responses((status = 202, body = ImportRunView), SitError))]
#[tracing::instrument(name = "sit.start", skip_all)]
pub async fn start_sit_run(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
) -> Result<(StatusCode, Json<ImportRunView>), SitError> {
    let source = seen::<SitSourceResource>(app.store.read(), &importer, &at).await?;
    if source.sheet.url.is_none() && source.sheet.file.is_none() {
        return Err(SitError::NothingToRead);
    }
    let id = begin(&app, &source, Some(importer.user_id)).await?.ok_or(SitError::Running)?;
    let run = find_run(app.store.read(), id).await?.ok_or_else(|| Internal::new("a run that was just made"))?;
    Ok((StatusCode::ACCEPTED, Json(ImportRunView::of(run, app.now()))))
}

//! Roadbooks printed many at once: asked for together, made in the background, taken away in one file.

mod file;
mod work;

use std::collections::HashSet;

use app::extract::{Body, Exporter, Path};
use app::record::Refusal;
use app::{App, audit, body_filter};
use axum::Json;
use axum::body::Body as Bytes;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use content::parcours::ParcoursError;
use content::parcours::access::held;
use content::parcours::list_query::ListQuery;
use domain::audit::{Action, Detail, ExportedList, On};
use domain::record::Kind;
use domain::roadbook::{Batch, BatchItem, BatchState, MAX_BATCH};
use domain::{Actor, Instant, ParcoursId};
use jobs::Enqueue;
use serde::{Deserialize, Serialize};
use serde_json::Map;
use store::{StoreError, roadbook_batch as rows};
use utoipa::ToSchema;
use work::Print;
pub use work::{PrintBatch, PrintClientFiles};
pub use work::{settle, tidy};

use super::RoadbookProblem;
use super::client_file::{self, ClientFileFilter};

/// What to print: the roadbooks of parcours, or of client files. Exactly one of the two is given.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRoadbookBatch {
    /// The filter of a list of parcours: their roadbooks are printed.
    #[serde(default, deserialize_with = "body_filter::strict_or_null")]
    pub filter: Option<ListQuery>,
    /// Client files of a parcours: their roadbooks are printed.
    pub client_files: Option<ChosenClientFiles>,
}

/// The client files of a parcours that a filter leaves.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChosenClientFiles {
    #[schema(value_type = i64)]
    pub parcours_id: ParcoursId,
    /// Which of its files: all without it.
    #[serde(default, deserialize_with = "body_filter::strict")]
    pub filter: ClientFileFilter,
}

/// Roadbooks that were asked for together.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct RoadbookBatch {
    pub id: i64,
    pub state: BatchState,
    /// The parcours whose client files are printed; none where roadbooks of parcours are.
    #[schema(value_type = Option<i64>)]
    pub client_files_of: Option<ParcoursId>,
    /// How many were asked for.
    pub total: usize,
    /// How many of them are settled: printed or not to be printed.
    pub done: usize,
    /// How many were printed.
    pub printed: usize,
    /// Those that were not, each with the reason.
    pub refused: Vec<BatchItem>,
    /// Length of the file, in bytes, once it is made.
    pub size_bytes: Option<i64>,
    /// When it was asked for.
    pub created_at: Instant,
    /// When it was made, or stopped.
    pub finished_at: Option<Instant>,
}

impl From<Batch> for RoadbookBatch {
    fn from(batch: Batch) -> Self {
        let (total, done) = (batch.wanted.len(), batch.items.len());
        let client_files_of = batch.of_clients();
        let refused: Vec<BatchItem> = batch.items.into_iter().filter(|item| item.code.is_some()).collect();
        Self {
            id: batch.id,
            state: batch.state,
            client_files_of,
            total,
            done,
            printed: done - refused.len(),
            refused,
            size_bytes: batch.size_bytes,
            created_at: batch.created_at,
            finished_at: batch.finished_at,
        }
    }
}

/// Print the roadbooks of a list, or of client files of a parcours, in the background.
#[utoipa::path(post, path = "/api/v1/roadbook-batches", tag = "roadbook", security(("session" = ["content.export"])),
    request_body(content = NewRoadbookBatch), responses((status = 201, body = RoadbookBatch), RoadbookProblem))]
#[tracing::instrument(name = "roadbook.batch", skip_all)]
pub async fn create_roadbook_batch(
    State(app): State<App>,
    exporter: Exporter,
    Body(sent): Body<NewRoadbookBatch>,
) -> Result<impl IntoResponse, RoadbookProblem> {
    if app.renderer.is_none() {
        return Err(RoadbookProblem::Absent);
    }
    let id = match (sent.filter, sent.client_files) {
        (Some(filter), None) => of_parcours(&app, &exporter, &filter).await?,
        (None, Some(chosen)) => of_client_files(&app, &exporter, &chosen).await?,
        _ => return Err(RoadbookProblem::NothingChosen),
    };
    Ok((StatusCode::CREATED, Json(RoadbookBatch::from(own(&app, id, &exporter).await?))))
}

/// A batch of roadbooks of parcours.
async fn of_parcours(app: &App, exporter: &Exporter, filter: &ListQuery) -> Result<i64, RoadbookProblem> {
    let (settled, open) = sorted(app, exporter, filter).await?;
    if settled.is_empty() && open.is_empty() {
        return Err(RoadbookProblem::NothingChosen);
    }
    let wanted: Vec<_> = settled.iter().map(|item| item.id).chain(open).collect();
    let tx = app.store.begin().await?;
    let id = rows::start(&tx, exporter.user_id, &wanted, &settled, app.now()).await?;
    let detail = Detail::Exported { list: ExportedList::Roadbooks, count: wanted.len() as u64 };
    let on = On::NOTHING.of_white_label(exporter.active_white_label_id);
    audit::done(app, &tx, &**exporter, Action::ListExported, on, detail).await?;
    let job = Enqueue::<PrintBatch>::new(Print { batch: id }).unique(id).asked_by(exporter.user_id);
    job.of_white_label(exporter.active_white_label_id).total(wanted.len() as i64).put(&tx, app.now()).await?;
    tx.commit_aside().await?;
    Ok(id)
}

/// A batch of roadbooks of client files of one parcours, in the order of their list.
async fn of_client_files(app: &App, exporter: &Exporter, chosen: &ChosenClientFiles) -> Result<i64, RoadbookProblem> {
    let parcours = chosen.parcours_id;
    let tx = app.store.begin().await?;
    // Locked: a client file that is erased meanwhile withdraws this batch.
    let white_label = held(&tx, parcours, exporter).await?.white_label_id;
    let files = client_file::chosen(&tx, parcours, &chosen.filter).await.map_err(|refused| match refused {
        RoadbookProblem::Rejected(rejection) => {
            body_filter::refused::<ParcoursError>("/client_files/filter", rejection).into()
        }
        other => other,
    })?;
    if files.is_empty() {
        return Err(RoadbookProblem::NothingChosen);
    }
    let files: Vec<i64> = files.iter().map(|file| file.id).collect();
    let id = rows::start_of_clients(&tx, exporter.user_id, parcours, &files, app.now()).await?;
    let detail = Detail::Exported { list: ExportedList::Roadbooks, count: files.len() as u64 };
    let on = On::record(Kind::Parcours, parcours.0).of_white_label(white_label);
    audit::done(app, &tx, &**exporter, Action::ListExported, on, detail).await?;
    let job = Enqueue::<PrintClientFiles>::new(Print { batch: id }).unique(id).asked_by(exporter.user_id);
    job.of_white_label(white_label).total(files.len() as i64).put(&tx, app.now()).await?;
    tx.commit_aside().await?;
    Ok(id)
}

/// What a filter leaves: those whose roadbook is another white-label's matter, and those that are printed.
async fn sorted(
    app: &App,
    actor: &Actor,
    asked: &ListQuery,
) -> Result<(Vec<BatchItem>, Vec<domain::ParcoursId>), RoadbookProblem> {
    let db = app.store.read();
    let filter = asked.filter_for(app, actor).await;
    let filter = filter.map_err(|rejection| body_filter::refused::<ParcoursError>("/filter", rejection))?;
    let ids = store::parcours::ids(db, actor, &filter, MAX_BATCH as u64 + 1).await?;
    if ids.len() > MAX_BATCH {
        return Err(ParcoursError::from(Refusal::TooMany { max: MAX_BATCH }).into());
    }
    let (mut settled, mut open) = (Vec::new(), Vec::new());
    for stored in store::parcours::load_many(db, &ids).await? {
        if actor.works_in(stored.white_label_id) {
            open.push(stored.id);
        } else {
            let code = Some("parcours/not-yours".to_owned());
            let (id, title) = (stored.id, stored.sheet.title);
            settled.push(BatchItem { id, client_file: None, title, file: None, code, params: Map::new() });
        }
    }
    Ok((settled, open))
}

/// The batches one asked for, the newest first.
#[utoipa::path(get, path = "/api/v1/roadbook-batches", tag = "roadbook", security(("session" = ["content.export"])),
    responses((status = 200, body = Vec<RoadbookBatch>), RoadbookProblem))]
pub async fn list_roadbook_batches(
    State(app): State<App>,
    exporter: Exporter,
) -> Result<Json<Vec<RoadbookBatch>>, RoadbookProblem> {
    let mut batches = Vec::new();
    for batch in rows::list(app.store.read(), exporter.user_id).await? {
        if is_open_to(&app, &batch, &exporter).await? {
            batches.push(batch.into());
        }
    }
    Ok(Json(batches))
}

/// How far a batch has come.
#[utoipa::path(get, path = "/api/v1/roadbook-batches/{id}", tag = "roadbook", params(("id" = i64, Path)), security(("session" = ["content.export"])),
    responses((status = 200, body = RoadbookBatch), RoadbookProblem))]
pub async fn show_roadbook_batch(
    State(app): State<App>,
    exporter: Exporter,
    Path(id): Path<i64>,
) -> Result<Json<RoadbookBatch>, RoadbookProblem> {
    Ok(Json(own(&app, id, &exporter).await?.into()))
}

/// Stop a batch that is being printed; forget one that is made, with its file.
#[utoipa::path(delete, path = "/api/v1/roadbook-batches/{id}", tag = "roadbook", params(("id" = i64, Path)), security(("session" = ["content.export"])),
    responses((status = 204), RoadbookProblem))]
pub async fn delete_roadbook_batch(
    State(app): State<App>,
    exporter: Exporter,
    Path(id): Path<i64>,
) -> Result<StatusCode, RoadbookProblem> {
    let batch = own(&app, id, &exporter).await?;
    let tx = app.store.begin().await?;
    if rows::cancel(&tx, id, app.now()).await? {
        tx.commit_aside().await?;
        file::drop_pieces(&app, &batch).await?;
    } else {
        rows::delete(&tx, id).await?;
        tx.commit_aside().await?;
        file::drop_all(&app, &batch).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The roadbooks of a batch, in one file.
#[utoipa::path(get, path = "/api/v1/roadbook-batches/{id}/file", tag = "roadbook", params(("id" = i64, Path)), security(("session" = ["content.export"])),
    responses((status = 200, description = "ZIP", content_type = "application/zip"), RoadbookProblem))]
pub async fn download_roadbook_batch(
    State(app): State<App>,
    exporter: Exporter,
    Path(id): Path<i64>,
) -> Result<Response, RoadbookProblem> {
    let batch = own(&app, id, &exporter).await?;
    let is_made = batch.state == BatchState::Done;
    let stored = if is_made { app.blobs.stream(&file::key(&batch), None).await? } else { None };
    let Some((length, bytes)) = stored else {
        return Err(RoadbookProblem::BatchNotFound { id });
    };
    let name = format!("attachment; filename=\"carnets-{id}.zip\"");
    let headers: [(HeaderName, String); 3] = [
        (CONTENT_TYPE, "application/zip".to_owned()),
        (CONTENT_LENGTH, length.to_string()),
        (CONTENT_DISPOSITION, name),
    ];
    Ok((headers, Bytes::from_stream(bytes)).into_response())
}

/// Whether a person sees every parcours whose roadbook a batch prints: they may work elsewhere since they asked for it.
async fn is_open_to(app: &App, batch: &Batch, actor: &Actor) -> Result<bool, StoreError> {
    let refused: HashSet<ParcoursId> =
        batch.items.iter().filter(|item| item.code.is_some()).map(|item| item.id).collect();
    let printed: Vec<i64> = batch.wanted.iter().filter(|id| !refused.contains(id)).map(|id| id.0).collect();
    Ok(!store::visible::is_one_hidden(app.store.read(), actor, Kind::Parcours, &printed).await?)
}

async fn own(app: &App, id: i64, actor: &Actor) -> Result<Batch, RoadbookProblem> {
    let found = rows::find(app.store.read(), id).await?.filter(|batch| batch.asked_by == actor.user_id);
    let found = found.ok_or(RoadbookProblem::BatchNotFound { id })?;
    if !is_open_to(app, &found, actor).await? {
        return Err(RoadbookProblem::BatchNotFound { id });
    }
    if let Some(parcours) = found.of_clients() {
        // The person may work elsewhere since, or the parcours may be in the bin.
        content::parcours::access::own(app.store.read(), parcours, actor).await?;
    }
    Ok(found)
}

//! The sources of a white-label, each with its last run.

use app::App;
use app::extract::Importer;
use app::record::Resource;
use axum::Json;
use axum::extract::State;
use domain::record::Kind;
use serde::Serialize;
use store::Page;
use store::imports::{self as rows};
use utoipa::ToSchema;

use super::runs::ImportRunView;
use super::{ImportError, ImportSourceResource, ImportSourceView};

/// Sources.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportSourceList {
    pub items: Vec<ListedSource>,
    pub total: i64,
}

/// A source in the list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedSource {
    #[serde(flatten)]
    pub source: ImportSourceView,
    pub last_run: Option<ImportRunView>,
}

/// The sources of the active white-label, by name.
#[utoipa::path(get, path = "/api/v1/import-sources", tag = "imports", security(("session" = ["content.import"])),
    responses((status = 200, body = ImportSourceList), ImportError))]
pub async fn list_import_sources(
    State(app): State<App>,
    importer: Importer,
) -> Result<Json<ImportSourceList>, ImportError> {
    let db = app.store.read();
    let white_label = importer.active_white_label_id;
    let records = rows::list(db, white_label).await?;
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let mut items = Vec::with_capacity(ids.len());
    for (id, source) in ids.into_iter().zip(ImportSourceResource::views(&app, db, &importer, records).await?) {
        let (mut last, _) = rows::runs(db, white_label, Kind::ImportSource, Some(id), Page::new(1, 1)).await?;
        items.push(ListedSource { source, last_run: last.pop().map(|run| ImportRunView::of(run, app.now())) });
    }
    Ok(Json(ImportSourceList { total: items.len() as i64, items }))
}

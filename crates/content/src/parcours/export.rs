//! The list of parcours as a file.

use std::collections::HashMap;

use app::contract::files::ParcoursCollection;
use app::csv::csv_line;
use app::download::attachment;
use app::extract::{Exporter, Query};
use app::streamed_body::streamed_body;
use app::{App, audit};
use axum::extract::State;
use axum::response::Response;
use domain::audit::ExportedList;
use domain::record::Kind;
use domain::white_label::custom::CustomValues;
use domain::white_label::{CustomField, CustomOn};
use domain::{ParcoursId, WhiteLabelId};
use serde_json::{Value, json};
use store::parcours::{self as rows, ListedRow};

use super::error::ParcoursError;
use super::list_query::ListQuery;
use crate::custom;

/// The most parcours of one file.
const MAX_EXPORT: u64 = 10_000;
/// Rows read at once.
const CHUNK: usize = 500;
/// Rows of a file of lines that are read at once: it is written while it is sent.
const OF_A_PIECE: usize = 50;

/// What is listed, as GeoJSON: each line in use with the facts of its row.
#[utoipa::path(get, path = "/api/v1/parcours/export.geojson", tag = "parcours", params(ListQuery), security(("session" = ["content.export"])),
    responses((status = 200, description = "Their lines", body = ParcoursCollection, content_type = "application/geo+json"), ParcoursError))]
pub async fn export_parcours_geojson(
    State(app): State<App>,
    exporter: Exporter,
    Query(asked): Query<ListQuery>,
) -> Result<Response, ParcoursError> {
    let ids = asked_for(&app, &exporter, &asked).await?;
    audit::list_exported(&app, &exporter, ExportedList::ParcoursGeojson, ids.len()).await?;
    // Lines of 10,000 parcours may be a gigabyte: one at a time is in memory.
    let body = streamed_body(move |pieces| async move {
        let mut before = r#"{"type":"FeatureCollection","features":["#;
        for chunk in ids.chunks(OF_A_PIECE) {
            let (rows, customs) = listed(&app, &exporter, chunk).await?;
            for row in rows {
                let feature = feature(&app, &row, &customs).await?;
                if !pieces.send(format!("{before}{feature}")).await {
                    return Ok(());
                }
                before = ",";
            }
        }
        let end = if before == "," { "]}" } else { r#"{"type":"FeatureCollection","features":[]}"# };
        pieces.send(end).await;
        Ok::<(), ParcoursError>(())
    });
    Ok(attachment("parcours.geojson", "application/geo+json", body))
}

/// The line in use of a parcours with the facts of its row.
async fn feature(app: &App, row: &ListedRow, customs: &CustomColumns) -> Result<Value, ParcoursError> {
    let line = rows::trace(app.store.read(), row.id).await?.map(|trace| trace.line()).unwrap_or_default();
    let geometry = if line.len() < 2 { Value::Null } else { json!({"type": "LineString", "coordinates": line}) };
    Ok(json!({"type": "Feature", "id": row.id, "geometry": geometry, "properties": facts(row, customs)}))
}

/// What is listed, as a table: semicolons, a decimal point, UTF-8 with a mark that spreadsheets know.
#[utoipa::path(get, path = "/api/v1/parcours/export.csv", tag = "parcours", params(ListQuery), security(("session" = ["content.export"])),
    responses((status = 200, description = "A table", body = String, content_type = "text/csv"), ParcoursError))]
pub async fn export_parcours_csv(
    State(app): State<App>,
    exporter: Exporter,
    Query(asked): Query<ListQuery>,
) -> Result<Response, ParcoursError> {
    let languages = &app.settings.content_languages;
    let mut text = String::from("\u{feff}");
    let titles = languages.iter().map(|lang| format!("title_{lang}"));
    let ids = asked_for(&app, &exporter, &asked).await?;
    let (rows, customs) = listed(&app, &exporter, &ids).await?;
    audit::list_exported(&app, &exporter, ExportedList::ParcoursCsv, rows.len()).await?;
    let own: Vec<&str> = customs.keys(exporter.active_white_label_id).collect();
    let header: Vec<String> = std::iter::once("id".to_owned())
        .chain(titles)
        .chain(COLUMNS.map(str::to_owned))
        .chain(own.iter().map(|key| format!("custom.{key}")))
        .collect();
    text.push_str(&csv_line(header.iter().map(String::as_str)));
    for row in rows {
        let facts = facts(&row, &customs);
        // A column is of the active white-label: a field of the same key elsewhere means something else.
        let mine = row.white_label.0 == exporter.active_white_label_id;
        let own = own.iter().map(|key| facts.pointer(&format!("/custom/{key}")).filter(|_| mine));
        let titles =
            languages.iter().map(|lang| facts.pointer(&format!("/title/{lang}")).map(plain).unwrap_or_default());
        let cells: Vec<String> = std::iter::once(row.id.to_string())
            .chain(titles)
            .chain(COLUMNS.iter().map(|name| facts.get(*name).map(plain).unwrap_or_default()))
            .chain(own.map(|value| value.map(plain).unwrap_or_default()))
            .collect();
        text.push_str(&csv_line(cells.iter().map(String::as_str)));
    }
    Ok(attachment("parcours.csv", "text/csv; charset=utf-8", text.into_bytes()))
}

/// Columns after the titles.
const COLUMNS: [&str; 15] = [
    "white_label",
    "published",
    "practice_type_id",
    "level_id",
    "is_loop",
    "is_stay",
    "relation",
    "distance_m",
    "duration_s",
    "ascent_m",
    "stages",
    "reliability",
    "reliability_state",
    "progress_status",
    "updated_at",
];

/// The values of white-labels' own fields.
struct CustomColumns {
    values: HashMap<i64, CustomValues>,
    shown: custom::Shown,
}

impl CustomColumns {
    /// The keys of a white-label's fields, in its order.
    fn keys(&self, owner: WhiteLabelId) -> impl Iterator<Item = &str> {
        let on_parcours = |field: &&CustomField| field.on == CustomOn::Parcours;
        self.shown.fields(owner).iter().filter(on_parcours).map(|field| field.key.as_str())
    }

    /// The shown values of a parcours.
    fn of(&self, row: &ListedRow) -> CustomValues {
        let values = self.values.get(&row.id.0);
        values.map(|values| self.shown.values(row.white_label.0, CustomOn::Parcours, values).0).unwrap_or_default()
    }
}

/// The parcours of the list that is asked for.
async fn asked_for(app: &App, exporter: &Exporter, asked: &ListQuery) -> Result<Vec<ParcoursId>, ParcoursError> {
    let filter = asked.filter_for(app, exporter).await?;
    Ok(rows::ids(app.store.read(), exporter, &filter, MAX_EXPORT).await?)
}

async fn listed(
    app: &App,
    exporter: &Exporter,
    ids: &[ParcoursId],
) -> Result<(Vec<ListedRow>, CustomColumns), ParcoursError> {
    let network = app.region().engine.as_deref().and_then(super::compute::network_name);
    let mut found: Vec<ListedRow> = Vec::with_capacity(ids.len());
    let mut values = HashMap::new();
    for chunk in ids.chunks(CHUNK) {
        let mut rows = rows::rows(app.store.read(), exporter, chunk, network.as_deref()).await?;
        rows.sort_by_key(|row| chunk.iter().position(|id: &ParcoursId| *id == row.id));
        found.extend(rows);
        let numbers: Vec<i64> = chunk.iter().map(|id| id.0).collect();
        values.extend(store::custom::values_of(app.store.read(), Kind::Parcours, &numbers).await?);
    }
    let owners = found.iter().map(|row| row.white_label.0).chain([exporter.active_white_label_id]);
    let shown = custom::Shown::of(app.store.read(), owners).await?;
    Ok((found, CustomColumns { values, shown }))
}

/// The facts of a row, without its drawings.
fn facts(row: &ListedRow, customs: &CustomColumns) -> Value {
    let mut facts: Value = serde_json::from_str(&row.card).unwrap_or_default();
    if let Some(map) = facts.as_object_mut() {
        for drawing in ["ribbon", "glyph", "missing", "languages"] {
            map.remove(drawing);
        }
        map.insert("custom".to_owned(), json!(customs.of(row)));
        map.insert("white_label".to_owned(), row.white_label.1.clone().into());
        map.insert("published".to_owned(), row.published.into());
        map.insert("updated_at".to_owned(), row.updated_at.to_string().into());
        map.insert("reliability_state".to_owned(), row.reliability_state.as_str().into());
    }
    facts
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

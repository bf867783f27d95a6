//! Data for the screen that makes a widget's code.

use app::App;
use app::extract::{Path, Reader};
use app::record::{At, Refusal, operations};
use axum::Json;
use axum::extract::State;
use outputs::feed::{origins, page_key};
use serde::Serialize;
use utoipa::ToSchema;

use super::{WhiteLabelError, WhiteLabelResource};

/// What the code of a widget is made from.
#[derive(Debug, Serialize, ToSchema)]
pub struct WidgetView {
    /// The key in the page; it opens what the widget shows, from the sites below only.
    key: String,
    /// The address of the script.
    script_url: String,
    /// The address of the page for an `<iframe>`, without what it is asked.
    frame_url: String,
    /// The sites whose pages may show it, beside ours.
    origins: Vec<String>,
    /// Whether the white-label shows anything at all: its site is published and hands parcours on.
    open: bool,
    /// Its colour.
    color: String,
    /// What the widget and the portals of Geotrek are given.
    geotrek: GeotrekWidgetView,
}

/// The addresses that the widget and the portals of Geotrek are given: they know no key, so the address carries it.
#[derive(Debug, Serialize, ToSchema)]
pub struct GeotrekWidgetView {
    /// The address of the API, with the key of pages in it.
    api_url: String,
    /// The squares of the map, `{z}`, `{x}` and `{y}` in it.
    layer_url: String,
    /// The attribution on the map, as HTML.
    attribution: &'static str,
}

/// The squares of a map for pages that draw no vector tiles: ours where it is prepared, else that of OpenStreetMap itself.
fn squares(app: &App) -> String {
    match (&app.region().tiles, &app.settings.map_style_url) {
        (Some(_), None) => format!("{}/map/squares/{{z}}/{{x}}/{{y}}.svg", app.settings.public_url),
        _ => "https://tile.openstreetmap.org/{z}/{x}/{y}.png".to_owned(),
    }
}

/// What the code of a white-label's widget is made from.
#[utoipa::path(get, path = "/api/v1/white-labels/{id}/widget", tag = "widget", params(("id" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 200, body = WidgetView), WhiteLabelError))]
pub async fn show_widget(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
) -> Result<Json<WidgetView>, WhiteLabelError> {
    let record = operations::seen::<WhiteLabelResource>(app.store.read(), &reader, &at).await?;
    if !reader.works_in(domain::WhiteLabelId(record.id)) {
        return Err(Refusal::NotFound { id: record.id }.into());
    }
    let url = &app.settings.public_url;
    let key = page_key::of(&app.key, record.id);
    Ok(Json(WidgetView {
        geotrek: GeotrekWidgetView {
            api_url: format!("{url}/k/{key}/api/v2/"),
            layer_url: squares(&app),
            attribution: content::map::ATTRIBUTION,
        },
        key,
        script_url: format!("{url}/widget/v1.js"),
        frame_url: format!("{url}/widget/v1/frame"),
        origins: origins(&record.sheet).map(str::to_owned).collect(),
        open: record.sheet.published && record.sheet.flags.distribute_parcours,
        color: record.sheet.color().to_owned(),
    }))
}

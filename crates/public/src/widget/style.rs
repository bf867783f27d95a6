//! Which map the widget draws on: ours, or the one the operator chose.

use app::App;
use app::extract::Query;
use axum::extract::State;
use axum::response::Redirect;
use content::map;
use serde::Deserialize;
use utoipa::IntoParams;

/// The language of the names.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct WidgetMapQuery {
    /// `fr` or `en`.
    locale: Option<String>,
}

/// Leads to the style of the map that a widget draws on.
#[utoipa::path(get, path = "/widget/v1/map-style", tag = "widget", security(()), params(WidgetMapQuery),
    responses((status = 307, description = "Leads to a MapLibre style")))]
pub async fn show_widget_map_style(State(app): State<App>, Query(query): Query<WidgetMapQuery>) -> Redirect {
    let locale = query.locale.as_deref().filter(|locale| *locale == "en").unwrap_or("fr");
    match &app.settings.map_style_url {
        Some(url) => Redirect::temporary(url),
        None => Redirect::temporary(&map::style_url(None, locale, true)),
    }
}

//! The widget: what a page of another site needs to show parcours. Its script is built beside the public page's (`web/src/widget`);
//! its data are the public feed's, with the key in the page. Decision 0021.

mod brand;
mod frame;
mod style;

use app::App;
use app::every_site::for_every_site;
use app::routes;
use axum::middleware::map_response;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    let open = OpenApiRouter::new()
        .routes(routes!(style::show_widget_map_style))
        .routes(routes!(brand::show_widget_brand))
        .layer(map_response(for_every_site));
    OpenApiRouter::new().routes(routes!(frame::show_widget_frame)).merge(open)
}

//! Public feeds: published content for clients of others, read-only, by the key of a white-label.
//!
//! `/api/public/v1` is our own, `/api/v2` the dialect of Geotrek, `/api/public/v1/open-data` whole files of open data. The
//! middleware [`authorize`] checks key, origin and rate of each request. The crate `feeds` writes the answers.

mod access;
mod answer;
mod audio;
mod error;
mod facts;
mod gather;
mod geotrek;
mod lists;
pub mod near;
mod open_data;
mod own;
mod pack;
pub mod page_key;
mod pictogram;
mod query;
mod reach;
mod state;
mod tour_class;
mod white_label;
mod zip;

pub use access::{PublicKey, allows, authorize, find_key, is_dialect, needs_key, origins, plain, retried, tell_origin};
pub(crate) use answer::{JSON, remembered};
use app::App;
use app::routes;
use app::second_path::also_at;
pub use error::FeedError;
pub use facts::{itineraries, terms, white_labels_without_pois, with_those_under};
pub use near::{Near, near, shown, site_address, site_at, site_of};
pub use own::reach as reached;
pub(crate) use query::{RecordPath, language_of};
use utoipa_axum::router::OpenApiRouter;

/// The routes of this folder. Addresses of Geotrek end with a slash; without it they are the same.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(own::list_public_parcours))
        .routes(routes!(own::show_public_parcours))
        .routes(routes!(own::list_public_changes))
        .routes(routes!(own::download_public_trace))
        .routes(routes!(pack::download_public_pack))
        .routes(routes!(audio::show_public_audio))
        .routes(routes!(own::list_public_pois))
        .routes(routes!(own::show_public_poi))
        .routes(routes!(white_label::show_public_white_label))
        .routes(routes!(open_data::download_open_data))
        .routes(routes!(pictogram::draw_pictogram))
        .routes(routes!(geotrek::list_geotrek))
        .routes(routes!(geotrek::show_geotrek))
        .routes(routes!(geotrek::show_geotrek_profile))
        .routes(routes!(geotrek::show_geotrek_dem))
        .routes(also_at("/api/v2/{endpoint}", "unslashed", routes!(geotrek::list_geotrek)))
        .routes(also_at("/api/v2/{endpoint}/{id}", "unslashed", routes!(geotrek::show_geotrek)))
        .merge(keyed())
}

/// The same routes below an address that contains the key of pages, for programs that can be given an address alone: a widget, a portal,
/// a player.
fn keyed() -> OpenApiRouter<App> {
    const OWN: &str = "/k/{key}/api/public/v1";
    let own = |path: &str| format!("{OWN}{path}");
    OpenApiRouter::new()
        .routes(also_at("/k/{key}/api/v2/{endpoint}/", "keyed", routes!(geotrek::list_geotrek)))
        .routes(also_at("/k/{key}/api/v2/{endpoint}/{id}/", "keyed", routes!(geotrek::show_geotrek)))
        .routes(also_at("/k/{key}/api/v2/{endpoint}/{id}/profile/", "keyed", routes!(geotrek::show_geotrek_profile)))
        .routes(also_at("/k/{key}/api/v2/{endpoint}/{id}/dem/", "keyed", routes!(geotrek::show_geotrek_dem)))
        .routes(also_at("/k/{key}/api/v2/{endpoint}", "keyed_unslashed", routes!(geotrek::list_geotrek)))
        .routes(also_at("/k/{key}/api/v2/{endpoint}/{id}", "keyed_unslashed", routes!(geotrek::show_geotrek)))
        .routes(also_at(&own("/parcours"), "keyed", routes!(own::list_public_parcours)))
        .routes(also_at(&own("/parcours/{id}"), "keyed", routes!(own::show_public_parcours)))
        .routes(also_at(&own("/parcours/changes"), "keyed", routes!(own::list_public_changes)))
        .routes(also_at(&own("/parcours/{id}/{file}"), "keyed", routes!(own::download_public_trace)))
        .routes(also_at(&own("/parcours/{id}/pack.zip"), "keyed", routes!(pack::download_public_pack)))
        .routes(also_at(&own("/parcours/{id}/audio"), "keyed", routes!(audio::show_public_audio)))
        .routes(also_at(&own("/pois"), "keyed", routes!(own::list_public_pois)))
        .routes(also_at(&own("/pois/{id}"), "keyed", routes!(own::show_public_poi)))
        .routes(also_at(&own("/white-label"), "keyed", routes!(white_label::show_public_white_label)))
}

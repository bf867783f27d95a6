//! The public page of a parcours, its files, and what search engines read: HTML without signing in.
//!
//! `/` is the home page of a white-label's own domain, `/chez/{slug}-{id}` the page of a provider, `/p/{slug}-{id}` the page of a published parcours, `/s/{token}` that of a share; `/en` before either gives English. `/trek/{number}-{slug}` leads from
//! the address on the portal of a Geotrek server to the page here, `/id/parcours/{number}` and `/id/poi/{number}` from the identifier in
//! linked data.

mod access;
mod answer;
mod around;
mod around_parts;
mod audio_parts;
mod brand;
mod brand_parts;
mod certificate;
mod color;
mod confirm;
mod detour;
mod download;
mod drawing;
mod give;
mod home;
mod identifier;
mod load;
mod moved;
mod page;
mod palette;
mod parts;
mod preview;
mod provider;
mod provider_page;
mod reviews;
mod robots;
mod schema_org;
mod show;
mod texts;
mod view;

pub use answer::Refusal;
use app::App;
use app::routes;
use app::second_path::also_at;
pub(crate) use brand::Brand;
pub use color::Color;
pub use preview::{Previewed, preview};
use utoipa_axum::router::OpenApiRouter;

/// The routes of this folder. The contract lists the French addresses; the English ones are the same handlers.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(home::show_home))
        .routes(also_at("/en/", "en", routes!(home::show_home)))
        .routes(routes!(show::show_public_page))
        .routes(routes!(download::download_public_file))
        .routes(routes!(show::show_shared_page))
        .routes(routes!(download::download_shared_file))
        .routes(routes!(confirm::ask_to_confirm_review, confirm::confirm_review))
        .routes(also_at("/en/avis/{token}", "en", routes!(confirm::ask_to_confirm_review, confirm::confirm_review)))
        .routes(routes!(certificate::ask_for_certificate))
        .routes(routes!(moved::show_former_address))
        .routes(also_at("/en/trek/{page}", "en", routes!(moved::show_former_address)))
        .routes(also_at("/fr/trek/{page}", "fr", routes!(moved::show_former_address)))
        .routes(routes!(identifier::identify_parcours))
        .routes(routes!(identifier::identify_poi))
        .routes(routes!(robots::show_robots))
        .routes(routes!(robots::show_sitemap))
        .routes(routes!(provider::show_provider_page))
        .routes(routes!(provider::show_provider_logo))
        .routes(also_at("/en/chez/{page}", "en", routes!(provider::show_provider_page)))
        .routes(also_at("/en/chez/{page}/logo", "en", routes!(provider::show_provider_logo)))
        .routes(also_at("/en/p/{page}", "en", routes!(show::show_public_page)))
        .routes(also_at("/en/p/{page}/{file}", "en", routes!(download::download_public_file)))
        .routes(also_at("/en/s/{token}", "en", routes!(show::show_shared_page)))
        .routes(also_at("/en/s/{token}/{file}", "en", routes!(download::download_shared_file)))
}

//! The roadbook (carnet de voyage) of a parcours: what is set of it, its client files, what it is made from, and its making.

mod assemble;
pub mod batch;
mod card;
mod client_file;
mod error;
mod pdf;
mod preview;
mod renderer;
mod rendering;
mod settings;

use app::App;
use app::routes;
pub use assemble::{Assembled, Audience, assemble};
pub use card::public_card;
pub use client_file::{
    ClientFileRow, ClientFileView, erase_aged as erase_aged_client_file, expire as expire_client_files,
};
pub use error::RoadbookProblem;
pub use pdf::public_roadbook;
pub use preview::Previews;
pub use rendering::count_file;
pub use rendering::{FAILED_S, FILES_A_MINUTE, PUBLIC_WAITING, RENDERINGS_A_MINUTE};
pub use settings::RoadbookView;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(settings::show_roadbook, settings::update_roadbook))
        .routes(routes!(client_file::list_client_files, client_file::create_client_file))
        .routes(routes!(
            client_file::show_client_file,
            client_file::update_client_file,
            client_file::delete_client_file
        ))
        .routes(routes!(preview::preview_roadbook))
        .routes(routes!(pdf::print_roadbook))
        .routes(routes!(batch::list_roadbook_batches, batch::create_roadbook_batch))
        .routes(routes!(batch::show_roadbook_batch, batch::delete_roadbook_batch))
        .routes(routes!(batch::download_roadbook_batch))
}

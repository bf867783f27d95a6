//! The journal as administrators read it: a list with filters, and the same as a table.

mod error;
mod export;
mod list;
mod view;

use app::App;
use app::routes;
pub use error::AuditError;
use utoipa_axum::router::OpenApiRouter;

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list::list_audit_events)).routes(routes!(export::export_audit_events_csv))
}

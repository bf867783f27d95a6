//! The same operations at a second path, in the contract too: the English pages, and addresses with or without a slash.

use utoipa_axum::router::UtoipaMethodRouter;

use crate::App;
use crate::openapi::operations;

/// The routes of `routes!` moved to another path. Each operation gets an identifier of its own, which ends in `suffix`.
pub(crate) fn also_at(
    path: &str,
    suffix: &str,
    (schemas, mut paths, handlers): UtoipaMethodRouter<App>,
) -> UtoipaMethodRouter<App> {
    let items = std::mem::take(&mut paths.paths);
    for (_, mut item) in items {
        for (_, operation) in operations(&mut item) {
            operation.operation_id = operation.operation_id.take().map(|name| format!("{name}_{suffix}"));
        }
        paths.paths.insert(path.to_owned(), item);
    }
    (schemas, paths, handlers)
}

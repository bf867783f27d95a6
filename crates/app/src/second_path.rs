//! The same operations at a second path, in the contract too: the English pages, and addresses with or without a slash.

use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{ObjectBuilder, RefOr, Required, Type};
use utoipa_axum::router::UtoipaMethodRouter;

use crate::App;
use crate::contract::operations;

/// The routes of `routes!` moved to another path. Each operation gets another identifier, which ends in `suffix`.
pub fn also_at(
    path: &str,
    suffix: &str,
    (schemas, mut paths, handlers): UtoipaMethodRouter<App>,
) -> UtoipaMethodRouter<App> {
    let items = std::mem::take(&mut paths.paths);
    for (_, mut item) in items {
        for (_, operation) in operations(&mut item) {
            operation.operation_id = operation.operation_id.take().map(|name| format!("{name}_{suffix}"));
            if path.contains("{key}") {
                with_key(operation);
            }
        }
        paths.paths.insert(path.to_owned(), item);
    }
    (schemas, paths, handlers)
}

/// Documents that the address contains the key of pages.
fn with_key(operation: &mut Operation) {
    let key: Parameter = ParameterBuilder::new()
        .name("key")
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some("The key of the white-label’s pages, which everybody may read; a secret key is refused here"))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String).build()))
        .build();
    operation.parameters.get_or_insert_default().insert(0, RefOr::T(key));
}

//! Handlers as values of one type, for the router.

use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use futures_util::future::BoxFuture;

use crate::App;

/// A handler of any type. The layers that axum puts around a handler are compiled once for all of them, and the compiler proves once for each
/// handler, not for each layer, that its future may change threads.
#[derive(Clone)]
pub struct BoxedHandler(Arc<dyn Fn(Request, App) -> BoxFuture<'static, Response> + Send + Sync>);

/// A handler for [`routes!`](crate::routes).
pub fn boxed<H, T>(handler: H) -> BoxedHandler
where
    H: Handler<T, App, Future = BoxFuture<'static, Response>> + Sync,
{
    BoxedHandler(Arc::new(move |request, app| handler.clone().call(request, app)))
}

impl Handler<(), App> for BoxedHandler {
    type Future = BoxFuture<'static, Response>;

    fn call(self, request: Request, app: App) -> Self::Future {
        (self.0)(request, app)
    }
}

/// Gives the operations of handlers that share one path, and the routes to them, as `utoipa_axum::routes!` does. The routes lead to [`boxed`]
/// handlers.
#[macro_export]
macro_rules! routes {
    ($($handler:path),+ $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let mut schemas = Vec::<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>::new();
        let mut paths = utoipa::openapi::path::Paths::new();
        let mut router = axum::routing::MethodRouter::new();
        $(
            let (path, operation, methods) = utoipa_axum::routes!(@resolve_types $handler : schemas);
            for method in &methods {
                router = router.on(method.to_method_filter(), $crate::handler::boxed($handler));
            }
            paths.add_path_operation(&path, methods, operation);
        )+
        (schemas, paths, router)
    }};
}

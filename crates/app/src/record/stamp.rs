//! Macros for the handlers of a resource: `utoipa` wants each operation as a separate function.

/// Writes the eight handlers that every record has, and `operations()`, the router with them.
///
/// `noun` is written with its article. `base` is the path of the list, `params` are the parameters of that path. Each pair in brackets is an
/// extractor and the capability that it requires.
#[macro_export]
macro_rules! record_operations {
    (
        $resource:ident, $sheet:ident, $view:ident, $error:ident;
        noun: $noun:literal, tag: $tag:literal, base: $base:literal, params: [$($params:tt)*],
        create: ($creator:ty, $creates:literal), change: ($changer:ty, $changes:literal), delete: ($deleter:ty, $deletes:literal),
        $show:ident, $create:ident, $update:ident, $delete:ident, $uses:ident, $revisions:ident, $revision:ident, $restore:ident $(,)?
    ) => {
        $crate::record_changes! {
            $resource, $sheet, $view, $error;
            noun: $noun, tag: $tag, base: $base, params: [$($params)*],
            change: ($changer, $changes), delete: ($deleter, $deletes),
            $show, $update, $delete, $uses, $revisions, $revision, $restore,
        }

        #[utoipa::path(post, path = $base, tag = $tag, summary = concat!("Create ", $noun, "."), params($($params)*),
            request_body(content = $sheet), security(("session" = [$creates])),
            responses((status = 201, body = $view), $error))]
        pub(crate) async fn $create(
            axum::extract::State(app): axum::extract::State<$crate::App>,
            actor: $creator,
            $crate::extract::Path(at): $crate::extract::Path<$crate::record::At>,
            $crate::extract::Body(sent): $crate::extract::Body<serde_json::Map<String, serde_json::Value>>,
        ) -> Result<$crate::record::Reply<$view>, $error> {
            $crate::record::operations::create::<$resource>(&app, &actor, at, &sent).await
        }

        /// The routes that every record has.
        fn operations() -> utoipa_axum::router::OpenApiRouter<$crate::App> {
            changes().routes(utoipa_axum::routes!($create))
        }
    };
}

/// Writes seven of these handlers, without the one that creates, and `changes()`, the router with them: for records that another handler
/// creates, as from an uploaded file.
#[macro_export]
macro_rules! record_changes {
    (
        $resource:ident, $sheet:ident, $view:ident, $error:ident;
        noun: $noun:literal, tag: $tag:literal, base: $base:literal, params: [$($params:tt)*],
        change: ($changer:ty, $changes:literal), delete: ($deleter:ty, $deletes:literal),
        $show:ident, $update:ident, $delete:ident, $uses:ident, $revisions:ident, $revision:ident, $restore:ident $(,)?
    ) => {
        // By its bare name: the contract names the schema after it.
        use $crate::record::Past;

        #[utoipa::path(get, path = concat!($base, "/{id}"), tag = $tag, summary = concat!("Show ", $noun, "."),
            params($($params)* ("id" = i64, Path)), security(("session" = ["content.read"])),
            responses((status = 200, body = $view), $error))]
        pub(crate) async fn $show(
            axum::extract::State(app): axum::extract::State<$crate::App>,
            reader: $crate::extract::Reader,
            $crate::extract::Path(at): $crate::extract::Path<$crate::record::At>,
        ) -> Result<$crate::record::Reply<$view>, $error> {
            $crate::record::operations::show::<$resource>(&app, &reader, at).await
        }

        #[utoipa::path(patch, path = concat!($base, "/{id}"), tag = $tag,
            summary = concat!("Change ", $noun, " by JSON merge patch (RFC 7396)."),
            params($($params)* ("id" = i64, Path), ("If-Match" = String, Header)), request_body(content = $sheet),
            security(("session" = [$changes])), responses((status = 200, body = $view), $error))]
        pub(crate) async fn $update(
            axum::extract::State(app): axum::extract::State<$crate::App>,
            actor: $changer,
            $crate::extract::Path(at): $crate::extract::Path<$crate::record::At>,
            based_on: $crate::extract::IfMatch,
            $crate::extract::Body(sent): $crate::extract::Body<serde_json::Map<String, serde_json::Value>>,
        ) -> Result<$crate::record::Reply<$view>, $error> {
            $crate::record::operations::update::<$resource>(&app, &actor, at, based_on, &sent).await
        }

        #[utoipa::path(delete, path = concat!($base, "/{id}"), tag = $tag,
            summary = concat!("Put ", $noun, " into the bin; refused while something uses it."),
            params($($params)* ("id" = i64, Path), ("If-Match" = String, Header), $crate::record::Deletion),
            security(("session" = [$deletes])), responses((status = 204), $error))]
        pub(crate) async fn $delete(
            axum::extract::State(app): axum::extract::State<$crate::App>,
            actor: $deleter,
            $crate::extract::Path(at): $crate::extract::Path<$crate::record::At>,
            based_on: $crate::extract::IfMatch,
            $crate::extract::Query(asked): $crate::extract::Query<$crate::record::Deletion>,
        ) -> Result<axum::http::StatusCode, $error> {
            $crate::record::operations::delete::<$resource>(&app, &actor, at, based_on, asked).await
        }

        #[utoipa::path(get, path = concat!($base, "/{id}/uses"), tag = $tag, summary = concat!("List what uses ", $noun, "."),
            params($($params)* ("id" = i64, Path)), security(("session" = ["content.read"])),
            responses((status = 200, body = $crate::record::UsesView), $error))]
        pub(crate) async fn $uses(
            axum::extract::State(app): axum::extract::State<$crate::App>,
            reader: $crate::extract::Reader,
            $crate::extract::Path(at): $crate::extract::Path<$crate::record::At>,
        ) -> Result<axum::Json<$crate::record::UsesView>, $error> {
            $crate::record::operations::uses::<$resource>(&app, &reader, at).await.map(axum::Json)
        }

        #[utoipa::path(get, path = concat!($base, "/{id}/revisions"), tag = $tag,
            summary = concat!("List the revisions of ", $noun, "."), params($($params)* ("id" = i64, Path)),
            security(("session" = ["content.read"])), responses((status = 200, body = $crate::record::Revisions), $error))]
        pub(crate) async fn $revisions(
            axum::extract::State(app): axum::extract::State<$crate::App>,
            reader: $crate::extract::Reader,
            $crate::extract::Path(at): $crate::extract::Path<$crate::record::At>,
        ) -> Result<axum::Json<$crate::record::Revisions>, $error> {
            $crate::record::operations::revisions::<$resource>(&app, &reader, at).await.map(axum::Json)
        }

        #[utoipa::path(get, path = concat!($base, "/{id}/revisions/{version}"), tag = $tag,
            summary = concat!("Show ", $noun, " as it was after one save."),
            params($($params)* ("id" = i64, Path), ("version" = i64, Path)), security(("session" = ["content.read"])),
            responses((status = 200, body = Past<$sheet>), $error))]
        pub(crate) async fn $revision(
            axum::extract::State(app): axum::extract::State<$crate::App>,
            reader: $crate::extract::Reader,
            $crate::extract::Path(at): $crate::extract::Path<$crate::record::At>,
        ) -> Result<axum::Json<Past<$sheet>>, $error> {
            $crate::record::operations::revision::<$resource>(&app, &reader, at).await.map(axum::Json)
        }

        #[utoipa::path(post, path = concat!($base, "/{id}/revisions/{version}/restoration"), tag = $tag,
            summary = concat!("Restore ", $noun, " to a revision, wholly or in some fields."),
            params($($params)* ("id" = i64, Path), ("version" = i64, Path), ("If-Match" = String, Header)),
            request_body(content = $crate::record::Restoration),
            security(("session" = [$changes])), responses((status = 200, body = $view), $error))]
        pub(crate) async fn $restore(
            axum::extract::State(app): axum::extract::State<$crate::App>,
            actor: $changer,
            $crate::extract::Path(at): $crate::extract::Path<$crate::record::At>,
            based_on: $crate::extract::IfMatch,
            $crate::extract::Body(sent): $crate::extract::Body<$crate::record::Restoration>,
        ) -> Result<$crate::record::Reply<$view>, $error> {
            $crate::record::operations::restore::<$resource>(&app, &actor, at, based_on, &sent).await
        }

        /// The routes for records that exist.
        fn changes() -> utoipa_axum::router::OpenApiRouter<$crate::App> {
            use $crate::routes;
            utoipa_axum::router::OpenApiRouter::new()
                .routes(routes!($show, $update, $delete))
                .routes(routes!($uses))
                .routes(routes!($revisions))
                .routes(routes!($revision))
                .routes(routes!($restore))
        }
    };
}

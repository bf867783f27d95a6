//! A server of the Model Context Protocol at `/mcp`: an assistant searches, reads, plans and proposes for a person, with a personal token of
//! theirs (decision 0067).
//!
//! A tool asks operations of the contract in this process, for the person behind the token. So their rights, limits and refusals are those of
//! the application. Nothing is kept between two requests: any server answers any of them.

mod access;
mod arguments;
mod caller;
mod message;
mod operations;
mod refusal;
mod server;
mod tools;

use std::sync::Arc;

use app::error_text::{asked_locale, in_words};
use app::{App, extract};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::WWW_AUTHENTICATE;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use http_body_util::{BodyExt, Full};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

pub use self::access::{CALLS_A_MINUTE, McpRefusal, WRONG_TOKENS_A_MINUTE};
use self::operations::Operations;
use self::server::Server;
pub use self::tools::{TOOLS, Tool};

/// The path of the MCP server.
pub const PATH: &str = "/mcp";
/// What each personal token begins with, so that programs which search files for secrets know it.
pub const TOKEN_PREFIX: &str = "jalon_";

type Service = StreamableHttpService<Server, NeverSessionManager>;

/// Adds `/mcp` to the routes. Its tools call the operations of these routes.
pub(crate) fn add_route(routes: Router<App>, app: &App) -> Router<App> {
    let operations = Arc::new(Operations::new(routes.clone(), app.clone()));
    let service = service(operations, app);
    let handler = move |State(app): State<App>, request: Request| {
        let service = service.clone();
        async move { answer(&app, service, request).await }
    };
    routes.route(PATH, any(handler))
}

/// Without sessions, so that nothing of a client is in the memory of one server. The host and the origin of a request are compared with the
/// server's own: a page that made the browser believe its name is that of this machine is refused (DNS rebinding).
fn service(operations: Arc<Operations>, app: &App) -> Service {
    let public_url = app.settings.public_url.as_str();
    let authority = public_url.split_once("://").map_or(public_url, |(_, rest)| rest);
    let hosts = [authority, "localhost", "127.0.0.1", "::1"];
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts)
        .with_allowed_origins([origin_of(public_url)])
        // No limit here: the outer layers have limited the body already.
        .with_max_request_body_bytes(usize::MAX);
    let app = app.clone();
    let server = move || Ok(Server::new(app.clone(), Arc::clone(&operations)));
    StreamableHttpService::new(server, Arc::default(), config)
}

/// The origin of `public_url` with an explicit port: 443 for `https` and 80 for `http` where the address has none.
fn origin_of(public_url: &str) -> String {
    let after_scheme = public_url.split_once("://").map_or(public_url, |(_, rest)| rest);
    let has_port =
        after_scheme.rsplit_once(':').is_some_and(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    let port = if public_url.starts_with("https://") { 443 } else { 80 };
    if has_port { public_url.to_owned() } else { format!("{public_url}:{port}") }
}

async fn answer(app: &App, service: Service, request: Request) -> Response {
    let locale = asked_locale(request.uri(), request.headers());
    let (mut parts, body) = request.into_parts();
    let caller = match access::admit(app, &parts).await {
        Ok(caller) => Arc::new(caller),
        Err(refusal) => {
            let mut response = in_words(refusal.into_response(), locale).await;
            if response.status() == StatusCode::UNAUTHORIZED {
                response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"Jalon\""));
            }
            return response;
        }
    };
    let bytes = match body.collect().await {
        Ok(collected) => collected.to_bytes(),
        Err(error) => return in_words(extract::broken_body(&error).into_response(), caller.locale()).await,
    };
    if parts.method == Method::POST
        && let Err(unreadable) = message::check(&bytes)
    {
        return unreadable.into_response();
    }
    // The token goes no further than this.
    parts.headers.remove(axum::http::header::AUTHORIZATION);
    // The caller is dropped with the request: until then this call counts among the simultaneous calls of its token.
    parts.extensions.insert(Arc::clone(&caller));
    service.handle(Request::from_parts(parts, Full::new(bytes))).await.map(Body::new)
}

#[cfg(test)]
mod tests {
    use super::origin_of;

    #[test]
    fn an_origin_has_its_port() {
        assert_eq!(origin_of("https://jalon.example"), "https://jalon.example:443");
        assert_eq!(origin_of("http://localhost:8080"), "http://localhost:8080");
    }
}

//! A real MCP client (rmcp) over the requests of a test.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Request};
use futures_util::stream::BoxStream;
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientJsonRpcMessage};
use rmcp::service::RunningService;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse,
};
use rmcp::{RoleClient, ServiceError, ServiceExt};
use serde_json::{Value, json};
use sse_stream::{Error as SseError, Sse};
use testkit::{Client, PASSWORD, Reply, TestApp};

pub const TOKENS: &str = "/api/v1/me/tokens";

/// The transport between the client and the server under test, without a network.
#[derive(Clone)]
struct TestTransport(TestApp);

impl StreamableHttpClient for TestTransport {
    type Error = io::Error;

    async fn post_message(
        &self,
        _: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        token: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, StreamableHttpError<io::Error>> {
        assert!(session_id.is_none(), "the server keeps no session");
        let reply = raw(&self.0, &token.unwrap_or_default(), headers, serde_json::to_vec(&message)?).await;
        if reply.status == 202 {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        match serde_json::from_slice(&reply.bytes) {
            Ok(answer) if reply.status.is_success() => Ok(StreamableHttpPostResponse::Json(answer, None)),
            _ => {
                let words = format!("{} {}", reply.status.as_u16(), reply.text());
                Err(StreamableHttpError::UnexpectedServerResponse(words.into()))
            }
        }
    }

    async fn delete_session(
        &self,
        _: Arc<str>,
        _: Arc<str>,
        _: Option<String>,
        _: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), StreamableHttpError<io::Error>> {
        Err(StreamableHttpError::ServerDoesNotSupportDeleteSession)
    }

    async fn get_stream(
        &self,
        _: Arc<str>,
        _: Option<Arc<str>>,
        _: Option<String>,
        _: Option<String>,
        _: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, StreamableHttpError<io::Error>> {
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }
}

/// A POST to the server as a client sends it.
pub async fn raw(
    app: &TestApp,
    token: &str,
    headers: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
    body: impl Into<Body>,
) -> Reply {
    let mut request = Request::builder()
        .method(Method::POST)
        .uri("/mcp")
        .header("host", "localhost:8080")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let mut request = request.body(body.into()).unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(name, value);
    }
    app.send(request).await
}

/// A request for the list of tools, as an old client sends it.
pub fn listing() -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string()
}

/// The status and the code with which the server answers to a token.
pub async fn token_response(app: &TestApp, token: &str) -> String {
    let reply = raw(app, token, [], listing()).await;
    let code = if reply.status.is_success() { String::new() } else { format!(" {}", reply.problem().code) };
    format!("{}{code}", reply.status.as_u16())
}

/// Makes a personal token that may only read.
pub async fn reading_token(by: &Client) -> Value {
    new_token(by, json!({"name": "Assistant de test", "propose": false, "days": 30, "password": PASSWORD})).await
}

/// Makes a personal token that may read and propose.
pub async fn proposing_token(by: &Client) -> Value {
    new_token(by, json!({"name": "Assistant de test", "propose": true, "days": 30, "password": PASSWORD})).await
}

async fn new_token(by: &Client, body: Value) -> Value {
    by.post(TOKENS, body).await.expect(201).json()
}

/// An assistant that is connected with a token.
pub struct Assistant(RunningService<RoleClient, ()>);

impl Assistant {
    /// Connects, with the handshake of the protocol.
    pub async fn with(app: &TestApp, token: &str) -> Self {
        let config = StreamableHttpClientTransportConfig::with_uri("http://localhost:8080/mcp").auth_header(token);
        let transport = StreamableHttpClientTransport::with_client(TestTransport(app.clone()), config);
        Self(().serve(transport).await.expect("the server takes the handshake"))
    }

    /// An assistant of a person that may only read.
    pub async fn reading(app: &TestApp, by: &Client) -> Self {
        Self::with(app, reading_token(by).await["token"].as_str().unwrap()).await
    }

    /// An assistant of a person that may read and propose.
    pub async fn proposing(app: &TestApp, by: &Client) -> Self {
        Self::with(app, proposing_token(by).await["token"].as_str().unwrap()).await
    }

    /// The names of the tools it may use.
    pub async fn tools(&self) -> Vec<String> {
        let tools = self.0.list_all_tools().await.expect("the tools are listed");
        tools.into_iter().map(|tool| tool.name.into_owned()).collect()
    }

    /// The server's description of itself.
    pub fn server(&self) -> Value {
        serde_json::to_value(self.0.peer_info()).unwrap()
    }

    /// Calls a tool.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        self.0.call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)).await
    }

    /// Calls a tool that must answer.
    pub async fn ask(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone()).await.expect("the call is answered");
        let answer = result.structured_content.unwrap_or_default();
        assert_ne!(result.is_error, Some(true), "{tool} {arguments}: {answer}");
        answer
    }

    /// Calls a tool that must refuse, and gives the code.
    pub async fn refused(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments.clone()).await.expect("the call is answered");
        let answer = result.structured_content.unwrap_or_default();
        assert_eq!(result.is_error, Some(true), "{tool} {arguments}: {answer}");
        assert!(answer["sentence"].as_str().is_some_and(|words| words.contains(' ')), "{tool}: {answer}");
        answer["code"].as_str().unwrap().to_owned()
    }
}

//! The MCP server of an installation, asked by `jalon mcp` for a program on this machine.

use std::time::Duration;

use crate::http::{Addresses, Client, HttpError, Limits, Question, Reply};

/// Planning waits up to 20 seconds for its turn.
const TIMEOUT: Duration = Duration::from_secs(60);
const MAX_ANSWER_BYTES: u64 = 8 * 1024 * 1024;

/// A server and a personal token. It has no `Debug`: nothing prints the token.
pub struct McpServer {
    client: Client,
    url: String,
    authorization: String,
}

impl McpServer {
    /// The server at an address such as `https://jalon.example/mcp`. The token crosses the public Internet by https alone.
    pub fn new(url: &str, token: &str) -> Self {
        let limits = Limits { timeout: TIMEOUT, max_body_bytes: MAX_ANSWER_BYTES };
        Self {
            client: Client::with_key("mcp", Addresses::Any, limits),
            url: url.to_owned(),
            authorization: format!("Bearer {token}"),
        }
    }

    /// Sends a message with headers of the protocol.
    pub fn send(&self, message: &[u8], headers: &[(&str, &str)]) -> Result<Reply, HttpError> {
        let own = [("accept", "application/json, text/event-stream"), ("authorization", self.authorization.as_str())];
        let headers: Vec<(&str, &str)> = own.into_iter().chain(headers.iter().copied()).collect();
        let question = Question { url: &self.url, headers: &headers, body: Some(message) };
        Ok(self.client.ask(question, TIMEOUT)?.reply)
    }
}

//! `jalon mcp`: an MCP server on standard input and output, for assistants that start a program instead of opening an address.
//!
//! It opens no database: each message goes to the `/mcp` of a running server with a personal token, so the rights, limits and refusals are
//! those of that server (decision 0067).

use std::io::BufRead;
use std::path::Path;

use connect::McpServer;
use serde_json::{Value, json};

use crate::cli::McpCommand;
use crate::{Failure, config, output};

/// A longer line is not passed on: the server refuses a body of this size.
const MAX_LINE_BYTES: u64 = 64 * 1024;
/// JSON-RPC: the message is not JSON.
const PARSE_ERROR: i64 = -32_700;
/// JSON-RPC: an error of the server.
const SERVER_ERROR: i64 = -32_000;
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// Passes messages on until standard input ends.
pub fn run(asked: &McpCommand) -> Result<(), Failure> {
    let token = match &asked.token_file {
        Some(file) => token_of(file)?,
        None => config::mcp_token()
            .ok_or("give a personal token: --token-file FILE, or JALON_MCP_TOKEN in the environment")?,
    };
    let server = McpServer::new(&asked.url, token.trim());
    let mut bridge = Bridge { server, url: asked.url.clone(), version: None };
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let read = std::io::Read::take(&mut input, MAX_LINE_BYTES + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        if line.len() as u64 > MAX_LINE_BYTES {
            // The rest of the line belongs to the same message.
            skip_line(&mut input, &line)?;
            output::json(&failure(&Value::Null, SERVER_ERROR, "the message is longer than 64 kB", None));
        } else if let Some(answer) = bridge.answer(&line) {
            output::json(&answer);
        }
    }
}

fn token_of(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|error| format!("{} cannot be read: {error}", file.display()).into())
}

fn skip_line(input: &mut impl BufRead, begun: &[u8]) -> std::io::Result<()> {
    if !begun.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(())
}

struct Bridge {
    server: McpServer,
    /// Its address, for messages.
    url: String,
    /// The version of the protocol that was agreed on.
    version: Option<String>,
}

impl Bridge {
    /// The answer to a message; none for a notification.
    fn answer(&mut self, line: &[u8]) -> Option<Value> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            return Some(failure(&Value::Null, PARSE_ERROR, "the message is not JSON", None));
        };
        let id = message.get("id").filter(|_| message["method"].is_string()).cloned();
        let answer = self.passed_on(&message, line);
        match (id, answer) {
            (Some(id), Ok(None)) => Some(failure(&id, SERVER_ERROR, "the server gave no answer", None)),
            (_, Ok(answer)) => answer,
            (Some(id), Err((sentence, problem))) => Some(failure(&id, SERVER_ERROR, &sentence, problem)),
            // Nothing is answered to a notification.
            (None, Err(_)) => None,
        }
    }

    fn passed_on(&mut self, message: &Value, line: &[u8]) -> Result<Option<Value>, (String, Option<Value>)> {
        let headers = self.headers(message);
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let unreachable =
            |error| (format!("{}: {error}. --url names the server, such as https://jalon.example/mcp", self.url), None);
        let reply = self.server.send(line.trim_ascii(), &headers).map_err(unreachable)?;
        let body: Option<Value> = serde_json::from_slice(&reply.body).ok();
        let is_message = body.as_ref().is_some_and(|body| body["jsonrpc"].is_string());
        if is_message {
            if message["method"] == "initialize" {
                let agreed = body.as_ref().and_then(|body| body["result"]["protocolVersion"].as_str());
                self.version = agreed.map(str::to_owned);
            }
            return Ok(body);
        }
        if (200..300).contains(&reply.status) {
            return Ok(None);
        }
        let detail = body.as_ref().and_then(|problem| problem["detail"].as_str()).map(str::to_owned);
        let sentence = detail.unwrap_or_else(|| format!("the server answered with the status {}", reply.status));
        Err((sentence, body))
    }

    /// The headers that the transport over HTTP asks for.
    fn headers(&self, message: &Value) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        let of_message = message["params"]["_meta"][VERSION].as_str();
        if let Some(version) = of_message.or(self.version.as_deref()).filter(|_| message["method"] != "initialize") {
            headers.push(("mcp-protocol-version", version.to_owned()));
        }
        let names = [("mcp-method", &message["method"]), ("mcp-name", &message["params"]["name"])];
        for (header, value) in names {
            // Names of tools and methods are plain; another one is refused by the server.
            let plain = |text: &&str| text.bytes().all(|byte| byte.is_ascii_graphic());
            if let Some(text) = value.as_str().filter(plain) {
                headers.push((header, text.to_owned()));
            }
        }
        headers
    }
}

fn failure(id: &Value, code: i64, sentence: &str, problem: Option<Value>) -> Value {
    let mut error = json!({"code": code, "message": sentence});
    if let Some(problem) = problem {
        error["data"] = problem;
    }
    json!({"jsonrpc": "2.0", "id": id, "error": error})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bridge(version: Option<&str>) -> Bridge {
        // Nothing listens there.
        let url = "http://127.0.0.1:9/mcp";
        Bridge { server: McpServer::new(url, "x"), url: url.to_owned(), version: version.map(str::to_owned) }
    }

    #[test]
    fn a_request_has_an_answer_even_without_a_server_and_a_notification_none() {
        let mut bridge = bridge(None);
        let refused = bridge.answer(br#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#).unwrap_or_default();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(7), &json!(SERVER_ERROR)));
        assert!(
            refused["error"]["message"].as_str().is_some_and(|words| words.contains("cannot be reached")),
            "{refused}"
        );
        assert_eq!(bridge.answer(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), None);
        assert_eq!(bridge.answer(b"  \n"), None);
        assert_eq!(bridge.answer(b"{").unwrap_or_default()["error"]["code"], PARSE_ERROR);
    }

    #[test]
    fn the_agreed_version_goes_along_and_the_one_of_a_message_before_it() {
        let bridge = bridge(Some("2025-06-18"));
        let call = json!({"method": "tools/call", "params": {"name": "search"}});
        let sent = |message: &Value| {
            bridge.headers(message).into_iter().map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>()
        };
        assert_eq!(sent(&call), ["mcp-protocol-version: 2025-06-18", "mcp-method: tools/call", "mcp-name: search"]);
        let own = json!({"method": "tools/list", "params": {"_meta": {VERSION: "2026-07-28"}}});
        assert_eq!(sent(&own), ["mcp-protocol-version: 2026-07-28", "mcp-method: tools/list"]);
        assert_eq!(sent(&json!({"method": "initialize", "params": {}})), ["mcp-method: initialize"]);
    }
}

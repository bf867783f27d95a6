//! A refusal as the answer of a tool: a sentence in the person's language, and the same for programs.

use app::error_text::in_words;
use axum::response::{IntoResponse, Response};
use domain::Locale;
use http_body_util::BodyExt;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

/// A refusal of a tool.
pub(super) struct Refused(Response);

impl<E: IntoResponse> From<E> for Refused {
    fn from(error: E) -> Self {
        Self(error.into_response())
    }
}

impl Refused {
    /// The answer of the tool.
    pub(super) async fn result(self, locale: Locale) -> CallToolResult {
        let status = self.0.status().as_u16();
        let body = in_words(self.0, locale).await.into_body().collect().await;
        let body = body.map(http_body_util::Collected::to_bytes).unwrap_or_default();
        let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
        let detail = |of: &Value| of["detail"].as_str().map(str::to_owned);
        let faults = problem["errors"].as_array().into_iter().flatten();
        let faults: Vec<Value> = faults
            .map(|fault| json!({"field": fault["field"], "code": fault["code"], "sentence": detail(fault)}))
            .collect();
        let of_faults: Vec<&str> = faults.iter().filter_map(|fault| fault["sentence"].as_str()).collect();
        let sentence = if of_faults.is_empty() { detail(&problem) } else { Some(of_faults.join(" ")) };
        let code = problem["code"].as_str().unwrap_or("internal");
        let sentence = sentence.unwrap_or_else(|| code.to_owned());
        let mut result = CallToolResult::error(vec![ContentBlock::text(sentence.clone())]);
        result.structured_content = Some(json!({
            "code": code,
            "status": status,
            "sentence": sentence,
            "field": problem["field"],
            "params": problem["params"],
            "faults": faults,
        }));
        result
    }
}

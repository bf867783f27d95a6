//! How an engine asks a planning server: `planner` writes the questions and reads the answers, `connect` sends them.

/// The response of a server: an answer or a refusal, each in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Status 200?
    pub is_ok: bool,
    /// JSON.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswered {
    /// No server there, or not asked because it failed too often just now.
    Unreachable,
    /// The time was up.
    TimedOut,
    /// The response cannot be read.
    BadAnswer,
}

/// Sends questions to a server: `route`, `height` …, each a JSON object.
pub trait Exchange: Send + Sync {
    /// Sends one question and waits for the response.
    fn ask(&self, action: &str, question: &[u8]) -> Result<Answer, Unanswered>;
}

//! How a server is asked: who carries the question there stands outside this room.

/// An answer: JSON, of a status that says whether it is one or a refusal.
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
    /// Nobody there, or not asked because it failed too often just now.
    Unreachable,
    /// The time was up.
    TimedOut,
    /// Something came that is no answer.
    Nonsense,
}

/// Carries questions to a server: `route`, `height` …, each a JSON object.
pub trait Exchange: Send + Sync {
    /// Ask.
    fn ask(&self, action: &str, question: &[u8]) -> Result<Answer, Unanswered>;
}

//! Work that a server does after its answer: what a job is, in which state it is and why it failed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{Instant, UserId, WhiteLabelId};

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ServerJobState)]
pub enum JobState {
    /// No server works on it. It starts once `run_after` has passed.
    Waiting,
    /// A server works on it, or died doing so: its lease then runs out.
    Running,
    /// It ended well.
    Done,
    /// It failed too often, or can never succeed. It stays until a user tries it again, or it is deleted as too old.
    Dead,
    /// A person cancelled it.
    Cancelled,
}

impl JobState {
    /// All states.
    pub const ALL: [Self; 5] = [Self::Waiting, Self::Running, Self::Done, Self::Dead, Self::Cancelled];

    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Dead => "dead",
            Self::Cancelled => "cancelled",
        }
    }

    /// The state of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

/// Why a job failed: a code of `errors.json` and the values of its sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobReason {
    /// The stable code.
    #[schema(example = "job/panicked")]
    pub code: String,
    /// The values of its sentence.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
}

impl JobReason {
    /// A reason without values.
    pub fn new(code: &str) -> Self {
        Self { code: code.to_owned(), params: Map::new() }
    }

    /// The reason with one more value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }
}

/// A stored job, without its payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Number of the job.
    pub id: i64,
    /// `mail`, `roadbook_batch` …
    pub kind: String,
    /// Version of the payload.
    pub version: i64,
    /// The white-label it works for. None for the platform.
    pub white_label_id: Option<WhiteLabelId>,
    /// The user who asked for it.
    pub asked_by: Option<UserId>,
    pub state: JobState,
    /// Jobs with a lower number start first.
    pub priority: i64,
    /// It does not start before.
    pub run_after: Instant,
    /// Starts since it was enqueued, tried again by hand, or last made progress.
    pub attempts: i64,
    /// Attempts after which it is dead.
    pub max_attempts: i64,
    /// Number of its last lease: how often a server took it.
    pub lease: i64,
    /// When the lease of a running job runs out.
    pub lease_until: Option<Instant>,
    /// The server that works on it, or did last.
    pub node: Option<String>,
    /// Whether a running job was asked to stop.
    pub is_cancelling: bool,
    /// Steps done.
    pub done: Option<i64>,
    /// Steps in all.
    pub total: Option<i64>,
    /// Why it failed last.
    pub reason: Option<JobReason>,
    /// When it was enqueued.
    pub created_at: Instant,
    /// When it first started.
    pub started_at: Option<Instant>,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

//! Roadbooks printed many at once, for a season or a fair.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{Instant, ParcoursId, Text, UserId};

/// The most roadbooks of one batch.
pub const MAX_BATCH: usize = 500;
/// How long a batch is kept once it is made, in days.
pub const BATCH_DAYS: i64 = 7;
/// How long a batch of client files is kept once it is made, in days. It holds personal data.
pub const CLIENT_BATCH_DAYS: i64 = 1;

/// How far a batch has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BatchState {
    /// Roadbooks are being printed.
    Running,
    /// All were, and lie in one file.
    Done,
    /// A user stopped it.
    Cancelled,
}

impl BatchState {
    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
        }
    }

    /// The state of a word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Running, Self::Done, Self::Cancelled].into_iter().find(|state| state.as_str() == word)
    }
}

/// The outcome of one parcours of a batch, or of one client file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BatchItem {
    #[schema(value_type = i64)]
    pub id: ParcoursId,
    /// The client file whose roadbook it is; none for the roadbook of the parcours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_file: Option<i64>,
    /// Its name, as it was.
    pub title: Text,
    /// The name of its file; none where nothing was printed.
    pub file: Option<String>,
    /// Why nothing was printed.
    pub code: Option<String>,
    /// What the sentence of that reason needs.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub params: Map<String, Value>,
}

/// Roadbooks that a user requested together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub id: i64,
    /// The user who asked for it: no other user sees it.
    pub asked_by: UserId,
    pub state: BatchState,
    /// The parcours, in their order.
    pub wanted: Vec<ParcoursId>,
    /// The client files whose roadbooks are printed: one for each of the parcours, all of one parcours. Empty for roadbooks of
    /// parcours.
    pub client_files: Vec<i64>,
    /// The outcomes of the first of them.
    pub items: Vec<BatchItem>,
    /// Length of the file, in bytes, once it is made.
    pub size_bytes: Option<i64>,
    /// When it was asked for.
    pub created_at: Instant,
    /// When it was made, or stopped.
    pub finished_at: Option<Instant>,
    /// Key of its file, once it is made; none for one of an older version.
    pub file: Option<String>,
}

impl Batch {
    /// The parcours that is next, if one is left, and its client file.
    pub fn next(&self) -> Option<(ParcoursId, Option<i64>)> {
        let at = self.items.len();
        Some((self.wanted.get(at).copied()?, self.client_files.get(at).copied()))
    }

    /// The parcours whose client files are printed; none where roadbooks of parcours are.
    pub fn of_clients(&self) -> Option<ParcoursId> {
        self.wanted.first().copied().filter(|_| !self.client_files.is_empty())
    }
}

//! The network watch: how scores of parcours change when the map's data is replaced.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::parcours::ReliabilityState;
use crate::region::BundleId;
use crate::{Instant, ParcoursId, UserId};

/// A smaller difference of the index is ignored: the index has one decimal.
const MIN_DIFFERENCE: f64 = 0.1;

/// A network that parcours are scored on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownNetwork {
    /// What scores remember of it: another name is another network.
    pub name: String,
    /// The planner it belongs to.
    pub engine: Option<String>,
    /// The day of its data (ISO 8601).
    pub data_date: Option<String>,
    /// Checksum of the data it was made from, hexadecimal.
    pub checksum: Option<String>,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Parcours are being scored.
    Running,
    /// All were.
    Done,
    /// Given up: another network came meanwhile.
    Failed,
}

impl RunState {
    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    /// The state of a word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Running, Self::Done, Self::Failed].into_iter().find(|state| state.as_str() == word)
    }
}

/// Everything scored once more, because the network was replaced or a user asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchRun {
    pub id: i64,
    pub state: RunState,
    /// Whether also what was scored on this very network is scored again.
    pub forced: bool,
    /// The user who asked for it; absent when a new network started it.
    pub asked_by: Option<(UserId, String)>,
    /// The network before, where it is known.
    pub before: Option<KnownNetwork>,
    /// The network that is scored on.
    pub after: KnownNetwork,
    /// The bundle of this network, where it is a region that was published to all servers.
    pub bundle: Option<BundleId>,
    /// The parcours it has come to.
    pub cursor: i64,
    /// Parcours to go through.
    pub total: i64,
    /// Parcours processed.
    pub scored: i64,
    /// Parcours that could not be scored.
    pub failed: i64,
    /// When it began.
    pub started_at: Instant,
    /// When it ended.
    pub finished_at: Option<Instant>,
}

/// How step-by-step guidance changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Guidance {
    /// Guidance was available before, and no longer is.
    Lost,
    /// There was no guidance, and there is some now.
    Gained,
    /// Unchanged.
    None,
}

impl Guidance {
    /// The value of `lost`, `gained` or `none`.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "lost" => Some(Self::Lost),
            "gained" => Some(Self::Gained),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

/// How a score changed. The order puts first what most needs attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Guidance is lost.
    Lost,
    /// Guidance is gained.
    Gained,
    /// Lower, guidance unchanged.
    Worse,
    /// Higher, guidance unchanged.
    Better,
}

impl Turn {
    /// All, in their order.
    pub const ALL: [Self; 4] = [Self::Lost, Self::Gained, Self::Worse, Self::Better];

    /// The stored number: its place in the order.
    pub const fn code(self) -> i16 {
        self as i16
    }

    /// What it means for guidance.
    pub const fn guidance(self) -> Guidance {
        match self {
            Self::Lost => Guidance::Lost,
            Self::Gained => Guidance::Gained,
            Self::Worse | Self::Better => Guidance::None,
        }
    }
}

/// What a trace was worth on a network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Scoring {
    /// The index; none where it cannot be worked out.
    pub percent: Option<f64>,
    /// The same in one word: `ok`, `low` or `not_calculable`.
    pub state: ReliabilityState,
    /// The day of the network's data.
    pub data_date: Option<String>,
}

impl Scoring {
    /// How the score turned; none where nothing truly changed.
    pub fn turned_to(&self, after: &Self) -> Option<Turn> {
        let guided = |scoring: &Self| scoring.state == ReliabilityState::Ok;
        match (guided(self), guided(after)) {
            (true, false) => return Some(Turn::Lost),
            (false, true) => return Some(Turn::Gained),
            _ => {}
        }
        match (self.percent, after.percent) {
            (None, None) => None,
            (Some(_), None) => Some(Turn::Worse),
            (None, Some(_)) => Some(Turn::Better),
            // Half a step below the least difference, so that 95.3 − 95.2 is one.
            (Some(was), Some(is)) if (is - was).abs() < MIN_DIFFERENCE / 2.0 => None,
            (Some(was), Some(is)) => Some(if is < was { Turn::Worse } else { Turn::Better }),
        }
    }

    /// How many points apart two scores are; what cannot be worked out is as far as can be.
    pub fn points_to(&self, after: &Self) -> f64 {
        match (self.percent, after.percent) {
            (Some(was), Some(is)) => (is - was).abs(),
            _ => 100.0,
        }
    }
}

/// A stretch whose fit with the network changed. Kilometres run along the source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChangedStretch {
    /// Where it starts.
    pub from_km: f64,
    /// Where it ends.
    pub to_km: f64,
    pub length_m: f64,
    /// What it is on the new network: the cause of a gap, or `now_on_way`.
    pub cause: String,
    /// The cause of the gap it was on the old one; none where it fitted.
    pub was: Option<String>,
    /// Its greatest distance to a way: of the gap there is, else of the gap there was.
    pub max_offset_m: f64,
    /// The source's line here.
    #[schema(value_type = Vec<trace::Place>)]
    pub geometry: Vec<[f64; 2]>,
    /// OpenStreetMap ways that the planned line used here and no longer uses.
    pub ways_left: Vec<i64>,
    /// OpenStreetMap ways that it uses here and did not use before.
    pub ways_used: Vec<i64>,
    /// The way that may not be used, for `forbidden`.
    pub way_id: Option<i64>,
    /// Where the map can be corrected.
    pub edit_url: Option<String>,
}

/// What a run found of a parcours.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchChange {
    pub parcours_id: ParcoursId,
    /// How its score changed.
    pub turn: Turn,
    /// Its score before.
    pub before: Scoring,
    /// Its score now.
    pub after: Scoring,
    /// The revision of its trace before.
    pub before_revision: i64,
    /// The revision of its trace now.
    pub after_revision: i64,
    /// Where it changed.
    pub stretches: Vec<ChangedStretch>,
    /// When it was found.
    pub at: Instant,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parcours::TraceMode;

    fn score(percent: Option<f64>) -> Scoring {
        Scoring { percent, state: ReliabilityState::of(TraceMode::Planner, percent), data_date: None }
    }

    #[test]
    fn only_what_truly_changed_is_reported() {
        let turn = |was, is| score(was).turned_to(&score(is));
        assert_eq!(turn(Some(95.0), Some(94.9)), Some(Turn::Lost));
        assert_eq!(turn(Some(94.9), Some(95.0)), Some(Turn::Gained));
        assert_eq!(turn(Some(98.0), Some(98.0)), None);
        assert_eq!(turn(Some(98.0), Some(98.04)), None);
        assert_eq!(turn(Some(98.0), Some(98.1)), Some(Turn::Better));
        assert_eq!(turn(Some(60.2), Some(60.1)), Some(Turn::Worse));
        assert_eq!(turn(Some(98.0), None), Some(Turn::Lost));
        assert_eq!(turn(Some(60.0), None), Some(Turn::Worse));
        assert_eq!(turn(None, Some(60.0)), Some(Turn::Better));
        assert_eq!(turn(None, Some(99.0)), Some(Turn::Gained));
        assert_eq!(turn(None, None), None);
    }
}

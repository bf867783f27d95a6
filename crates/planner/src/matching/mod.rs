//! Laying a recording on the network: a hidden Markov model with an explicit state for "on no way".

mod types;

pub use types::{Fix, FixKind, Gap, GapCause, Match, MatchRequest, NotCalculable, NotCalculableReason, Reliability, Remark, RemarkKind};

//! Gaps that an editor chose to ignore: they are found again on a trace that was planned again, and marked on its gaps.

use domain::Instant;
use domain::parcours::line::{Along, Pace};
use domain::parcours::{By, IgnoredGap};
use routing::{Gap, Reliability};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// A gap is an ignored one when it has the same cause and its line passes at most this far from the middle of the ignored one.
const SAME_GAP_M: f64 = 40.0;

/// The reliability in an answer: each gap says whether it is ignored.
#[expect(dead_code, reason = "only describes")]
#[derive(Debug, ToSchema)]
#[schema(as = TraceReliability)]
pub struct ReliabilityView {
    #[serde(flatten)]
    whole: Reliability,
    /// Every stretch that does not fit, in order.
    gaps: Vec<GapView>,
}

/// A stretch that does not fit, with the mark that it is ignored.
#[expect(dead_code, reason = "only describes")]
#[derive(Debug, ToSchema)]
#[schema(as = TraceGap)]
pub struct GapView {
    #[serde(flatten)]
    gap: Gap,
    /// Who ignored it and why, when it is ignored.
    ignored: Option<IgnoredMark>,
}

/// The mark of an ignored gap.
#[expect(dead_code, reason = "only describes")]
#[derive(Debug, ToSchema)]
pub struct IgnoredMark {
    reason: String,
    /// The user who ignored it.
    by: Option<By>,
    at: Instant,
}

/// Writes `ignored` on each gap of a reliability in JSON. Returns the ignored gaps that are still gaps, at their new places.
pub(super) fn mark(reliability: &Reliability, written: &mut Value, ignored: &[IgnoredGap]) -> Vec<IgnoredGap> {
    let mut left: Vec<&IgnoredGap> = ignored.iter().collect();
    let mut found = Vec::new();
    for (index, gap) in reliability.gaps.iter().enumerate() {
        let cause =
            written.pointer(&format!("/gaps/{index}/cause")).and_then(Value::as_str).unwrap_or_default().to_owned();
        let at = left.iter().position(|known| known.cause == cause && is_at(gap, known));
        let mark = at.map(|at| left.remove(at));
        if let Some(gap) = written.pointer_mut(&format!("/gaps/{index}")).and_then(Value::as_object_mut) {
            let mark = mark.map(|mark| json!({"reason": mark.reason, "by": mark.by, "at": mark.at}));
            gap.insert("ignored".to_owned(), mark.unwrap_or(Value::Null));
        }
        found.extend(mark.map(|mark| IgnoredGap { from_m: gap.from_m, to_m: gap.to_m, ..mark.clone() }));
    }
    found
}

fn is_at(gap: &Gap, known: &IgnoredGap) -> bool {
    let foot = Along::new(&gap.line, Pace::default(), None).nearest(known.position, None, 0.0);
    foot.is_some_and(|foot| foot.offset_m <= SAME_GAP_M)
}

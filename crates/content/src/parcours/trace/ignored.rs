//! Gaps that a user chose to ignore, as sent: checked, dated, signed.

use app::App;
use domain::parcours::line::{Along, Pace};
use domain::parcours::{By, IgnoredGap, Leg};
use domain::{Actor, Fault};
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::compute::joined;
use super::super::error::ParcoursError;

/// The longest reason, in characters.
const REASON_CHARS: usize = 500;
/// A mark whose place moved by less than this is the one there was: who made it and when stays.
const SAME_M: f64 = 40.0;

/// A gap that the user ignores.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct IgnoredGapInput {
    /// Why the planner found it.
    pub cause: String,
    /// Metres along the working revision, as in the gap.
    pub from_m: f64,
    /// Metres along the working revision.
    pub to_m: f64,
    /// The user's reason for ignoring it.
    pub reason: String,
}

/// The gaps to store: a gap that was already ignored keeps its user and its day.
pub(crate) async fn settled(
    app: &App,
    actor: &Actor,
    sent: &[IgnoredGapInput],
    known: &[IgnoredGap],
    legs: &[Leg],
) -> Result<Vec<IgnoredGap>, ParcoursError> {
    let errors = faults(sent);
    if !errors.is_empty() {
        return Err(errors.into());
    }
    let person = store::user::find(app.store.read(), actor.user_id).await?;
    let by = person.map(|user| By { id: user.id.0, name: format!("{} {}", user.first_name, user.last_name) });
    let line = joined(legs);
    let along = Along::new(&line, Pace::default(), None);
    let marks = sent.iter().filter_map(|gap| {
        let position = along.at(f64::midpoint(gap.from_m, gap.to_m))?;
        let reason = gap.reason.trim().to_owned();
        let same = known.iter().find(|known| {
            known.cause == gap.cause
                && known.reason == reason
                && trace::distance_m(known.position, position) < SAME_M.max(known.to_m - known.from_m)
        });
        let mark = IgnoredGap {
            cause: gap.cause.clone(),
            from_m: gap.from_m,
            to_m: gap.to_m,
            position,
            reason,
            by: by.clone(),
            at: app.now(),
        };
        Some(same.map_or(mark.clone(), |same| IgnoredGap { by: same.by.clone(), at: same.at, ..mark }))
    });
    Ok(marks.collect())
}

fn faults(sent: &[IgnoredGapInput]) -> Vec<Fault> {
    let mut errors = Vec::new();
    for (index, gap) in sent.iter().enumerate() {
        let field = format!("/ignored_gaps/{index}/reason");
        if gap.reason.trim().is_empty() {
            errors.push(Fault::new("validation/required", field));
        } else if gap.reason.chars().count() > REASON_CHARS {
            errors.push(Fault::new("validation/too-long", field).with("max", REASON_CHARS));
        }
    }
    errors
}

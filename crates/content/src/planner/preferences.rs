//! Applies the preferences of the active white-label to the profiles of the planner.

use app::App;
use app::problem::Internal;
use domain::Actor;
use domain::white_label::{PlannerLevel, PlannerPreference};
use routing::{Level, Preferences};

/// The preferences of the active white-label for a profile; the usual ones if none are set.
pub(super) async fn of(app: &App, actor: &Actor, profile: &str) -> Result<Preferences, Internal> {
    let all = store::white_label::planner_preferences(app.store.read(), actor.active_white_label_id).await;
    Ok(all.map_err(Internal::new)?.get(profile).copied().map(in_the_planners_words).unwrap_or_default())
}

fn in_the_planners_words(set: PlannerPreference) -> Preferences {
    let level = |level: PlannerLevel| match level {
        PlannerLevel::Less => Level::Less,
        PlannerLevel::Usual => Level::Usual,
        PlannerLevel::More => Level::More,
    };
    let PlannerPreference { signed, quiet, gentle, paved } = set;
    Preferences { signed: level(signed), quiet: level(quiet), gentle: level(gentle), paved: level(paved) }
}

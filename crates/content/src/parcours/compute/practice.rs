//! From a practice to what the planner needs to know of it.

use domain::VocabularyId;
use domain::parcours::line::Pace;
use domain::vocabulary::{Attributes, PracticeTypeAttributes, VocabularyKind, practice_in};
use routing::Profile;
use store::{Connection, StoreError};

/// The profile and the speeds of a practice, with what those above and under it tell where it sets none itself. Without a practice,
/// hiking; one that is drawn by hand has no profile.
pub async fn pace_of(
    db: &impl Connection,
    practice_type_id: Option<i64>,
) -> Result<(Option<Profile>, Pace), StoreError> {
    let Some(id) = practice_type_id.map(VocabularyId) else {
        return Ok(planned_as(&PracticeTypeAttributes::default()));
    };
    match store::vocabulary::find(db, id).await?.map(|item| item.attributes) {
        // Most practices are: the others are not read.
        Some(Attributes::PracticeType(practice)) if practice.is_complete() => Ok(planned_as(&practice)),
        Some(Attributes::PracticeType(_)) => {
            let list = store::vocabulary::list(db, VocabularyKind::PracticeType).await?;
            Ok(planned_as(&practice_in(&list, id)))
        }
        _ => Ok(planned_as(&PracticeTypeAttributes::default())),
    }
}

/// The profile and the speeds that a practice has; those of a hiker where it has none.
pub fn planned_as(practice: &PracticeTypeAttributes) -> (Option<Profile>, Pace) {
    let usual = Pace::default();
    let pace = Pace {
        flat_kmh: practice.flat_kmh.unwrap_or(usual.flat_kmh),
        ascent_mh: practice.ascent_mh.unwrap_or(usual.ascent_mh),
        descent_mh: practice.descent_mh.unwrap_or(usual.descent_mh),
    };
    (profile_named(practice.profile.as_deref()), pace)
}

/// The planner's profile for a practice of the reference lists.
fn profile_named(name: Option<&str>) -> Option<Profile> {
    match name {
        None => Some(Profile::Hiking),
        // A boat's way is drawn by hand: the planner's own profile of that name is for towpaths.
        Some("waterway") => None,
        Some(name) => name.parse().ok(),
    }
}

/// The profile that a trace was made with, else the one of its practice.
pub fn profile_kept(of_trace: Option<&str>, of_practice: Option<Profile>) -> Option<Profile> {
    of_trace.and_then(|name| name.parse().ok()).or(of_practice)
}

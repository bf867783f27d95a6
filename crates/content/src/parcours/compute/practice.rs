//! From a practice to what the planner needs to know of it.

use domain::VocabularyId;
use domain::parcours::line::Pace;
use domain::vocabulary::Attributes;
use routing::Profile;
use store::{Connection, StoreError};

/// The profile and the speeds of a practice. Without one, hiking; a practice that is drawn by hand has no profile.
pub async fn pace_of(
    db: &impl Connection,
    practice_type_id: Option<i64>,
) -> Result<(Option<Profile>, Pace), StoreError> {
    let item = match practice_type_id {
        Some(id) => store::vocabulary::find(db, VocabularyId(id)).await?,
        None => None,
    };
    let Some(Attributes::PracticeType(attributes)) = item.map(|item| item.attributes) else {
        return Ok((Some(Profile::Hiking), Pace::default()));
    };
    let usual = Pace::default();
    let pace = Pace {
        flat_kmh: attributes.flat_kmh.unwrap_or(usual.flat_kmh),
        ascent_mh: attributes.ascent_mh.unwrap_or(usual.ascent_mh),
        descent_mh: attributes.descent_mh.unwrap_or(usual.descent_mh),
    };
    Ok((profile_named(attributes.profile.as_deref()), pace))
}

/// The planner's profile for a practice of the reference lists.
pub fn profile_named(name: Option<&str>) -> Option<Profile> {
    match name {
        None => Some(Profile::Hiking),
        // A boat's way is drawn by hand: the planner's own profile of that name is for towpaths.
        Some("waterway") => None,
        Some(name) => name.parse().ok(),
    }
}

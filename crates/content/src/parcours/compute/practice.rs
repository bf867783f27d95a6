//! The profile and the pace of the planner for a practice.

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

/// The profile and the speeds that a practice has; a speed that it does not set is the usual one of its profile, a hiker's without
/// a profile.
pub fn planned_as(practice: &PracticeTypeAttributes) -> (Option<Profile>, Pace) {
    let profile = profile_named(practice.profile.as_deref());
    let usual = profile.map_or_else(Pace::default, usual_pace);
    let pace = Pace {
        flat_kmh: practice.flat_kmh.unwrap_or(usual.flat_kmh),
        ascent_mh: practice.ascent_mh.unwrap_or(usual.ascent_mh),
        descent_mh: practice.descent_mh.unwrap_or(usual.descent_mh),
        is_set: practice.flat_kmh.or(practice.ascent_mh).or(practice.descent_mh).is_some(),
    };
    (profile, pace)
}

/// The pace that the planner's time of a profile is taken for: that of the practice which is typical for the profile in
/// `store/seeds/practice_type.json`. A practice with another pace takes proportionally more or less time.
///
/// | profile | speed of the engine on flat ground | typical practice |
/// | --- | --- | --- |
/// | touring | 17.5 km/h | `itinerance-velo` |
/// | road | 25 km/h | `velo-route` |
/// | gravel | 19 km/h | `gravel` |
/// | mtb | 14 km/h | `vtt-randonnee` |
/// | ebike | 21 km/h | `vae` |
/// | hiking | 4 km/h | `randonnee` |
/// | family | 3.5 km/h | `balade-pied` |
/// | waterway | 15 km/h | none: the engine's times are of a bike on a towpath |
///
/// By bike the engine is at least as fast on flat ground as these practices: ways and gates slow it down.
pub(super) const fn usual_pace(profile: Profile) -> Pace {
    let (flat_kmh, ascent_mh, descent_mh) = match profile {
        Profile::Touring => (15.0, 350.0, 1_500.0),
        Profile::Road => (25.0, 700.0, 2_500.0),
        Profile::Gravel => (17.0, 450.0, 1_500.0),
        Profile::Mtb => (11.0, 350.0, 1_200.0),
        Profile::Ebike => (18.0, 600.0, 1_500.0),
        Profile::Hiking => (4.0, 300.0, 500.0),
        Profile::Family => (3.5, 300.0, 500.0),
        Profile::Waterway => (15.0, 300.0, 500.0),
    };
    Pace { flat_kmh, ascent_mh, descent_mh, is_set: false }
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_usual_pace_of_a_profile_is_that_of_its_typical_practice() {
        let seeds: Vec<Value> =
            serde_json::from_str(include_str!("../../../../store/seeds/practice_type.json")).unwrap();
        for (profile, typical) in [
            (Profile::Touring, "itinerance-velo"),
            (Profile::Road, "velo-route"),
            (Profile::Gravel, "gravel"),
            (Profile::Mtb, "vtt-randonnee"),
            (Profile::Ebike, "vae"),
            (Profile::Hiking, "randonnee"),
            (Profile::Family, "balade-pied"),
        ] {
            let seed = seeds.iter().find(|seed| seed["code"] == typical).unwrap();
            let practice: PracticeTypeAttributes = serde_json::from_value(seed["attributes"].clone()).unwrap();
            assert!(practice.is_complete(), "{typical} sets its own speeds");
            let (planned, pace) = planned_as(&practice);
            assert_eq!((planned, Pace { is_set: false, ..pace }), (Some(profile), usual_pace(profile)), "{typical}");
        }
    }
}

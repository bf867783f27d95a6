//! Links of providers: a hotel or a hire shop gets a web address with the parcours that start nearby.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Text;
use crate::record::{Kind, between, free, line, lines, sheet, text_line, to, to_term, url};
use crate::transport_line::words;
use crate::vocabulary::VocabularyKind;

/// Default distance from the provider within which parcours start, in kilometres.
const USUAL_RADIUS_KM: f64 = 15.0;

sheet! {
    /// What the staff say of a provider and its link.
    ProviderLinkSheet {
        /// What the provider is called.
        name: String = line(120).required(),
        /// A line under its name: « Vélos à louer ».
        tagline: Text = text_line(200),
        /// Its mark.
        logo_media_id: Option<i64> = to(Kind::Media),
        /// Its place: degrees east and north.
        #[schema(value_type = Option<trace::Place>)]
        location: Option<[f64; 2]> = free().required(),
        /// Its address, as it is written on a letter.
        address: Option<String> = line(300),
        /// Its own site.
        website: Option<String> = url(),
        /// How far from it parcours may start, in kilometres.
        radius_km: Option<f64> = between(1, 100),
        /// Parcours of one of these practices; all if empty.
        practice_ids: Vec<i64> = to_term(VocabularyKind::PracticeType),
        /// Parcours with one of these themes; all if empty.
        theme_ids: Vec<i64> = to_term(VocabularyKind::ParcoursTheme),
        /// The language its address opens in.
        language: PageLanguage = free(),
        /// The link no longer works.
        revoked: bool = free(),
        /// What the staff should know; never shown.
        note: Option<String> = lines(500),
    }
}

words! {
    /// A language the public pages have.
    PageLanguage {
        /// French.
        Fr "fr",
        /// English.
        En "en",
    } default Fr
}

impl ProviderLinkSheet {
    /// How far from it parcours may start, in metres.
    pub fn radius_m(&self) -> f64 {
        self.radius_km.unwrap_or(USUAL_RADIUS_KM) * 1_000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Sheet as _;

    #[test]
    fn a_provider_has_a_name_and_a_door_in_the_world() {
        let faults_at = |location| {
            let sheet = ProviderLinkSheet { location, radius_km: Some(0.5), ..ProviderLinkSheet::default() };
            let faults = sheet.faults(&["fr".to_owned()]);
            faults.iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect::<Vec<_>>()
        };
        assert_eq!(
            faults_at(None),
            ["validation/required /name", "validation/required /location", "validation/out-of-range /radius_km"]
        );
        assert!(faults_at(Some([4.0, 147.0])).contains(&"validation/position-outside-world /location".to_owned()));
    }

    #[test]
    fn parcours_start_within_fifteen_kilometres_unless_asked() {
        let sheet = ProviderLinkSheet::default();
        assert!((sheet.radius_m() - 15_000.0).abs() < 1e-9);
        assert!((ProviderLinkSheet { radius_km: Some(2.5), ..sheet }.radius_m() - 2_500.0).abs() < 1e-9);
    }
}

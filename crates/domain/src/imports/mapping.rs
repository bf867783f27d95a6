//! The mapping: our field takes these of theirs, our item stands for this word of theirs.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ImportKind;
use crate::record::{Field, Rule, Shape};
use crate::transport_line::words;
use crate::vocabulary::VocabularyKind;
use crate::{Fault, fold};

words! {
    /// A field of ours that an import may fill.
    ImportTarget {
        /// Its name.
        Title "title",
        /// The line under it.
        Subtitle "subtitle",
        /// Two or three sentences.
        Summary "summary",
        /// The whole text.
        Description "description",
        /// What the audio guide says.
        AudioGuide "audio_guide",
        /// Who holds the rights.
        Copyright "copyright",
        /// Where to book.
        BookingUrl "booking_url",
        /// How one moves.
        Practice "practice_type_id",
        /// How hard it is.
        Level "level_id",
        /// What it is about.
        Themes "theme_ids",
        /// What is told beside.
        Tags "tag_ids",
        /// How it is marked.
        Markings "marking_ids",
        /// Loop or one way.
        Shape "is_loop",
        /// Length, in metres.
        Distance "distance_m",
        /// Duration, in seconds.
        Duration "duration_s",
        /// Name of where it starts.
        Departure "departure",
        /// Name of where it ends.
        Arrival "arrival",
    } default Title
}

impl ImportTarget {
    /// All of them, in the order of the mapping screen.
    pub const ALL: [Self; 17] = [
        Self::Title,
        Self::Subtitle,
        Self::Summary,
        Self::Description,
        Self::Practice,
        Self::Level,
        Self::Themes,
        Self::Tags,
        Self::Markings,
        Self::Shape,
        Self::Distance,
        Self::Duration,
        Self::Departure,
        Self::Arrival,
        Self::Copyright,
        Self::BookingUrl,
        Self::AudioGuide,
    ];

    /// Whether several of their fields may stand one after the other in it.
    pub const fn takes_several(self) -> bool {
        matches!(
            self,
            Self::Summary | Self::Description | Self::AudioGuide | Self::Themes | Self::Tags | Self::Markings
        )
    }
}

/// The reference list whose items a target takes.
pub const fn list_of_target(target: ImportTarget) -> Option<VocabularyKind> {
    match target {
        ImportTarget::Practice => Some(VocabularyKind::PracticeType),
        ImportTarget::Level => Some(VocabularyKind::Level),
        ImportTarget::Themes => Some(VocabularyKind::ParcoursTheme),
        ImportTarget::Tags => Some(VocabularyKind::Tag),
        ImportTarget::Markings => Some(VocabularyKind::Marking),
        _ => None,
    }
}

/// A field of ours and the fields of theirs that fill it, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldRule {
    /// Ours.
    pub to: ImportTarget,
    /// Theirs; none leaves ours alone.
    pub from: Vec<String>,
}

/// A word of theirs and the item of ours that stands for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueRule {
    /// Our list.
    pub list: VocabularyKind,
    /// Their word, as `/words` tells it.
    pub key: String,
    /// Our item; absent leaves the word out.
    pub term_id: Option<i64>,
}

/// What a word of theirs is compared by: accents, capitals and blanks make no other word.
pub fn word_key(word: &str) -> String {
    fold(word).split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect()
}

fn many(count: usize, rule: Rule, at: &str, faults: &mut Vec<Fault>) {
    if let Shape::List(max) = rule.shape
        && count > max
    {
        faults.push(Fault::new("validation/too-many", at).with("max", max));
    }
}

impl Field for Vec<FieldRule> {
    fn clean(&mut self, _shape: Shape, _sanitise: &dyn Fn(&str) -> String) {
        for rule in &mut *self {
            rule.from.iter_mut().for_each(|from| *from = from.trim().chars().take(80).collect());
            rule.from.retain(|from| !from.is_empty());
        }
        let mut seen = HashSet::new();
        self.retain(|rule| seen.insert(rule.to.as_str()));
    }

    fn check(&self, rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        many(self.len(), rule, at, faults);
        for (index, rule) in self.iter().enumerate() {
            let most = if rule.to.takes_several() { 20 } else { 1 };
            if rule.from.len() > most {
                faults.push(Fault::new("validation/too-many", format!("{at}/{index}/from")).with("max", most));
            }
        }
    }
}

impl Field for Vec<ValueRule> {
    fn clean(&mut self, _shape: Shape, _sanitise: &dyn Fn(&str) -> String) {
        for rule in self.iter_mut() {
            rule.key = word_key(&rule.key);
        }
        let mut seen = HashSet::new();
        self.retain(|rule| !rule.key.is_empty() && seen.insert((rule.list, rule.key.clone())));
    }

    fn check(&self, rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        many(self.len(), rule, at, faults);
    }
}

/// What follows from the kind: what a source of it calls each thing.
pub fn defaults(kind: ImportKind) -> Vec<FieldRule> {
    use ImportTarget as T;
    let rules: &[(T, &[&str])] = match kind {
        ImportKind::Files | ImportKind::Features => &[(T::Title, &["name"]), (T::Description, &["description"])],
        ImportKind::Geotrek => &[
            (T::Title, &["name"]),
            (T::Summary, &["description_teaser"]),
            (
                T::Description,
                &[
                    "ambiance",
                    "description",
                    "advice",
                    "access",
                    "public_transport",
                    "parking",
                    "equipment",
                    "accessibility",
                    "ratings",
                    "cities",
                    "desks",
                    "links",
                ],
            ),
            (T::Practice, &["practice"]),
            (T::Level, &["difficulty"]),
            (T::Themes, &["themes"]),
            (T::Tags, &["labels"]),
            (T::Markings, &["networks"]),
            (T::Shape, &["route"]),
            (T::Duration, &["duration"]),
            (T::Departure, &["departure"]),
            (T::Arrival, &["arrival"]),
            (T::Copyright, &["source"]),
            (T::BookingUrl, &["booking"]),
        ],
        ImportKind::SchemaRandonnee => &[
            (T::Title, &["nom_itineraire"]),
            (T::Summary, &["presentation_courte"]),
            (
                T::Description,
                &["presentation", "instructions", "recommandations", "acces_routier", "transports_commun"],
            ),
            (T::Practice, &["pratique"]),
            (T::Level, &["difficulte"]),
            (T::Themes, &["themes"]),
            (T::Markings, &["balisage"]),
            (T::Shape, &["type_itineraire"]),
            (T::Duration, &["duree"]),
            (T::Departure, &["depart"]),
            (T::Arrival, &["arrivee"]),
            (T::Copyright, &["producteur"]),
        ],
        ImportKind::Cirkwi => &[
            (T::Title, &["titre"]),
            (T::Description, &["description", "informations_complementaires"]),
            (T::Practice, &["locomotion"]),
            (T::Level, &["difficulte"]),
            (T::Tags, &["tags_publics"]),
            (T::Shape, &["sens"]),
            (T::Duration, &["duree"]),
        ],
        ImportKind::Apidae => &[
            (T::Title, &["nom"]),
            (T::Summary, &["descriptifCourt"]),
            (
                T::Description,
                &["descriptifDetaille", "etapes", "passagesDelicats", "precisionsBalisage", "complement", "ouverture"],
            ),
            (T::Practice, &["activites"]),
            (T::Level, &["typesClientele"]),
            (T::Themes, &["typologies"]),
            (T::Shape, &["itineraireType"]),
            (T::Duration, &["dureeSeance"]),
            (T::Departure, &["lieu"]),
            (T::Copyright, &["producteur"]),
        ],
        ImportKind::Datatourisme => &[
            (T::Title, &["nom"]),
            (T::Summary, &["descriptifCourt"]),
            (T::Description, &["descriptifDetaille"]),
            (T::Practice, &["type"]),
            (T::Themes, &["hasTheme"]),
            (T::Shape, &["hasTourType"]),
            (T::Distance, &["tourDistance"]),
            (T::Departure, &["commune"]),
            (T::Copyright, &["producteur"]),
        ],
        ImportKind::Jalon => &[
            (T::Title, &["title"]),
            (T::Subtitle, &["subtitle"]),
            (T::Summary, &["summary"]),
            (T::Description, &["warning", "description"]),
            (T::Practice, &["practice"]),
            (T::Level, &["level"]),
            (T::Themes, &["themes"]),
            (T::Tags, &["tags"]),
            (T::Markings, &["markings"]),
            (T::Shape, &["is_loop"]),
            (T::Duration, &["duration_s"]),
            (T::Copyright, &["copyright"]),
            (T::BookingUrl, &["booking_url"]),
        ],
    };
    let owned = |from: &&str| (*from).to_owned();
    rules.iter().map(|(to, from)| FieldRule { to: *to, from: from.iter().map(owned).collect() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_capitals_and_blanks_make_no_other_word() {
        assert_eq!(word_key("  Très   Facile "), word_key("tres facile"));
    }

    #[test]
    fn each_kind_fills_the_title_and_no_field_twice() {
        for kind in ["files", "geotrek", "schema_randonnee", "cirkwi", "features", "apidae", "datatourisme", "jalon"]
            .map(ImportKind::parse)
        {
            let rules = kind.map(defaults).unwrap_or_default();
            assert!(rules.iter().any(|rule| rule.to == ImportTarget::Title));
            let (mut cleaned, mut faults) = (rules.clone(), Vec::new());
            cleaned.clean(Shape::Free, &str::to_owned);
            cleaned.check(crate::record::list_of(40), "/fields", &[], &mut faults);
            assert_eq!((cleaned, faults), (rules, Vec::new()));
        }
    }
}

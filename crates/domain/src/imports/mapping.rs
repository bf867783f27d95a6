//! The mapping: which fields of the source fill each field here, and which item here corresponds to each of its words.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ImportKind;
use crate::record::{Field, Rule, Shape};
use crate::transport_line::words;
use crate::vocabulary::VocabularyKind;
use crate::{Fault, fold, one_space};

words! {
    /// A field of Jalon that an import may fill.
    ImportTarget {
        /// Its name.
        Title "title",
        /// The line under it.
        Subtitle "subtitle",
        /// Two or three sentences.
        Summary "summary",
        /// The whole text.
        Description "description",
        /// The text of the audio guide.
        AudioGuide "audio_guide",
        /// The holder of the rights.
        Copyright "copyright",
        /// Where to book.
        BookingUrl "booking_url",
        /// How one moves.
        Practice "practice_type_id",
        /// How hard it is.
        Level "level_id",
        /// What it is about.
        Themes "theme_ids",
        /// Its tags.
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
        /// Addresses of pictures.
        Photos "photos",
        /// What kind of point of interest it is.
        PoiCategory "category_ids",
        /// Street of a point of interest.
        Street "street",
        /// Its postcode.
        Postcode "postcode",
        /// Its town.
        City "city",
        /// Its telephone.
        Phone "phone",
        /// Its e-mail address.
        Email "email",
        /// Its site.
        Website "website",
        /// When it is open.
        Opening "opening",
    } default Title
}

impl ImportTarget {
    /// The targets of parcours, in the order of the mapping screen.
    pub const OF_PARCOURS: [Self; 18] = [
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
        Self::Photos,
    ];

    /// The targets that only a point of interest has.
    pub const OF_POIS: [Self; 8] = [
        Self::PoiCategory,
        Self::Street,
        Self::Postcode,
        Self::City,
        Self::Phone,
        Self::Email,
        Self::Website,
        Self::Opening,
    ];

    /// Whether several source fields may be joined in it.
    pub const fn takes_several(self) -> bool {
        matches!(
            self,
            Self::Summary
                | Self::Description
                | Self::AudioGuide
                | Self::Themes
                | Self::Tags
                | Self::Markings
                | Self::Photos
                | Self::PoiCategory
                | Self::Opening
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
        ImportTarget::PoiCategory => Some(VocabularyKind::PoiCategory),
        _ => None,
    }
}

/// A field of Jalon and the source's fields that fill it, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldRule {
    /// Ours.
    pub to: ImportTarget,
    /// Theirs; none leaves ours alone.
    pub from: Vec<String>,
}

/// A word of the source and the corresponding item of our reference lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueRule {
    /// Our list.
    pub list: VocabularyKind,
    /// Their word, as `/words` gives it.
    pub key: String,
    /// Our item; without it the word is left out.
    pub term_id: Option<i64>,
}

/// The form that words are compared by: accents, capitals and blanks make no difference.
pub fn word_key(word: &str) -> String {
    one_space(&fold(word)).chars().take(200).collect()
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

/// The source's fields that fill each field here.
type FieldNames = &'static [(ImportTarget, &'static [&'static str])];

const FILE_NAMES: FieldNames = &[(ImportTarget::Title, &["name"]), (ImportTarget::Description, &["description"])];

const GEOTREK_NAMES: FieldNames = &[
    (ImportTarget::Title, &["name"]),
    (ImportTarget::Summary, &["description_teaser"]),
    (
        ImportTarget::Description,
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
    (ImportTarget::Practice, &["practice"]),
    (ImportTarget::Level, &["difficulty"]),
    (ImportTarget::Themes, &["themes"]),
    (ImportTarget::Tags, &["labels"]),
    (ImportTarget::Markings, &["networks"]),
    (ImportTarget::Shape, &["route"]),
    (ImportTarget::Duration, &["duration"]),
    (ImportTarget::Departure, &["departure"]),
    (ImportTarget::Arrival, &["arrival"]),
    (ImportTarget::Copyright, &["source"]),
    (ImportTarget::BookingUrl, &["booking"]),
];

const SCHEMA_RANDONNEE_NAMES: FieldNames = &[
    (ImportTarget::Title, &["nom_itineraire"]),
    (ImportTarget::Summary, &["presentation_courte"]),
    (
        ImportTarget::Description,
        &["presentation", "instructions", "recommandations", "acces_routier", "transports_commun"],
    ),
    (ImportTarget::Practice, &["pratique"]),
    (ImportTarget::Level, &["difficulte"]),
    (ImportTarget::Themes, &["themes"]),
    (ImportTarget::Markings, &["balisage"]),
    (ImportTarget::Shape, &["type_itineraire"]),
    (ImportTarget::Duration, &["duree"]),
    (ImportTarget::Departure, &["depart"]),
    (ImportTarget::Arrival, &["arrivee"]),
    (ImportTarget::Copyright, &["producteur"]),
];

const CIRKWI_NAMES: FieldNames = &[
    (ImportTarget::Title, &["titre"]),
    (ImportTarget::Description, &["description", "informations_complementaires"]),
    (ImportTarget::Practice, &["locomotion"]),
    (ImportTarget::Level, &["difficulte"]),
    (ImportTarget::Tags, &["tags_publics"]),
    (ImportTarget::Shape, &["sens"]),
    (ImportTarget::Duration, &["duree"]),
];

const APIDAE_NAMES: FieldNames = &[
    (ImportTarget::Title, &["nom"]),
    (ImportTarget::Summary, &["descriptifCourt"]),
    (
        ImportTarget::Description,
        &["descriptifDetaille", "etapes", "passagesDelicats", "precisionsBalisage", "complement", "ouverture"],
    ),
    (ImportTarget::Practice, &["activites"]),
    (ImportTarget::Level, &["typesClientele"]),
    (ImportTarget::Themes, &["typologies"]),
    (ImportTarget::Shape, &["itineraireType"]),
    (ImportTarget::Duration, &["dureeSeance"]),
    (ImportTarget::Departure, &["lieu"]),
    (ImportTarget::Copyright, &["producteur"]),
];

const DATATOURISME_NAMES: FieldNames = &[
    (ImportTarget::Title, &["nom"]),
    (ImportTarget::Summary, &["descriptifCourt"]),
    (ImportTarget::Description, &["descriptifDetaille"]),
    (ImportTarget::Practice, &["type"]),
    (ImportTarget::Themes, &["hasTheme"]),
    (ImportTarget::Shape, &["hasTourType"]),
    (ImportTarget::Distance, &["tourDistance"]),
    (ImportTarget::Departure, &["commune"]),
    (ImportTarget::Copyright, &["producteur"]),
];

const JALON_NAMES: FieldNames = &[
    (ImportTarget::Title, &["title"]),
    (ImportTarget::Subtitle, &["subtitle"]),
    (ImportTarget::Summary, &["summary"]),
    (ImportTarget::Description, &["warning", "description"]),
    (ImportTarget::Practice, &["practice"]),
    (ImportTarget::Level, &["level"]),
    (ImportTarget::Themes, &["themes"]),
    (ImportTarget::Tags, &["tags"]),
    (ImportTarget::Markings, &["markings"]),
    (ImportTarget::Shape, &["is_loop"]),
    (ImportTarget::Duration, &["duration_s"]),
    (ImportTarget::Copyright, &["copyright"]),
    (ImportTarget::BookingUrl, &["booking_url"]),
];

/// What follows from the kind: what a source of it calls each thing.
pub fn defaults(kind: ImportKind) -> Vec<FieldRule> {
    let rules = match kind {
        ImportKind::Files | ImportKind::Features | ImportKind::Directus => FILE_NAMES,
        ImportKind::Geotrek => GEOTREK_NAMES,
        ImportKind::SchemaRandonnee => SCHEMA_RANDONNEE_NAMES,
        ImportKind::Cirkwi => CIRKWI_NAMES,
        ImportKind::Apidae => APIDAE_NAMES,
        ImportKind::Datatourisme => DATATOURISME_NAMES,
        ImportKind::Jalon => JALON_NAMES,
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
        for kind in [
            "files",
            "geotrek",
            "schema_randonnee",
            "cirkwi",
            "features",
            "apidae",
            "datatourisme",
            "jalon",
            "directus",
        ]
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

//! The kinds of reference lists.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VocabularyKind {
    /// Balisages.
    #[default]
    Marking,
    /// Équipements.
    Equipment,
    /// Étiquettes.
    Tag,
    /// Niveaux de difficulté.
    Level,
    /// Types de pratique.
    PracticeType,
    /// Thématiques de parcours.
    ParcoursTheme,
    /// Thématiques de POI.
    PoiTheme,
    /// Catégories de POI.
    PoiCategory,
    /// Types de structure.
    StructureType,
}

impl VocabularyKind {
    /// All values.
    pub const ALL: [Self; 9] = [
        Self::Marking,
        Self::Equipment,
        Self::Tag,
        Self::Level,
        Self::PracticeType,
        Self::ParcoursTheme,
        Self::PoiTheme,
        Self::PoiCategory,
        Self::StructureType,
    ];

    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Marking => "marking",
            Self::Equipment => "equipment",
            Self::Tag => "tag",
            Self::Level => "level",
            Self::PracticeType => "practice_type",
            Self::ParcoursTheme => "parcours_theme",
            Self::PoiTheme => "poi_theme",
            Self::PoiCategory => "poi_category",
            Self::StructureType => "structure_type",
        }
    }

    /// The kind of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

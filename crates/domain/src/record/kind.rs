//! The kinds of record, and what a field may point to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Capability;
use crate::vocabulary_kind::VocabularyKind;

/// Declares the kinds: the word of the API and the number of the tables, which never changes.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal $word:literal,)+) => {
        /// What a record is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Kind { $($(#[$doc])* $name,)+ }

        impl Kind {
            /// All values.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The written word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// The stored number.
            pub const fn code(self) -> i16 {
                match self { $(Self::$name => $code,)+ }
            }
        }
    };
}

kinds! {
    /// A parcours.
    Parcours = 1 "parcours",
    /// A point of interest.
    Poi = 2 "poi",
    /// An image, a video, a sound, a document or a font.
    Media = 3 "media",
    /// A line of public transport.
    TransportLine = 4 "transport_line",
    /// A white-label.
    WhiteLabel = 5 "white_label",
    /// A structure.
    Structure = 6 "structure",
    /// A contact.
    Contact = 7 "contact",
    /// A person who signs in.
    User = 8 "user",
    /// A named long-distance way.
    Itinerary = 9 "itinerary",
    /// An item of a reference list.
    Vocabulary = 10 "vocabulary",
    /// A closed area or stretch.
    Closure = 11 "closure",
    /// The link of a provider.
    ProviderLink = 12 "provider_link",
    /// A source of routes that are imported.
    ImportSource = 13 "import_source",
    /// A source of tourist records.
    SitSource = 14 "sit_source",
    /// A feed of public transport.
    TransportFeed = 15 "transport_feed",
    /// A configured translation service.
    Translator = 16 "translator",
    /// A campaign of surveys.
    SurveyCampaign = 17 "survey_campaign",
}

impl Kind {
    /// The kind of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }

    /// What a person must be able to do to change one.
    pub const fn needed_to_change(self) -> Capability {
        match self {
            Self::Parcours
            | Self::Poi
            | Self::Media
            | Self::TransportLine
            | Self::Closure
            | Self::ProviderLink
            | Self::SurveyCampaign => Capability::ContentWrite,
            Self::ImportSource | Self::SitSource | Self::TransportFeed => Capability::ContentImport,
            Self::Structure | Self::Contact | Self::User => Capability::UsersManage,
            Self::WhiteLabel => Capability::SettingsManage,
            Self::Itinerary | Self::Vocabulary => Capability::ReferenceManage,
            Self::Translator => Capability::TranslatorsManage,
        }
    }

    /// The capability to make one, or to restore one from the bin.
    pub const fn needed_to_make(self) -> Capability {
        match self {
            Self::Structure | Self::WhiteLabel => Capability::ReferenceManage,
            other => other.needed_to_change(),
        }
    }

    /// The kind of a stored number, if it is one.
    pub fn of_code(code: i16) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.code() == code)
    }
}

/// What a field points to: a record of a kind, or an item of one reference list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    pub kind: Kind,
    /// The list, where it is an item of one.
    pub list: Option<VocabularyKind>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_name_one_kind_each() {
        for kind in Kind::ALL {
            assert_eq!(Kind::parse(kind.as_str()), Some(*kind));
            assert_eq!(Kind::of_code(kind.code()), Some(*kind));
        }
        assert_eq!(Kind::parse("trail"), None);
        assert_eq!(Kind::of_code(0), None);
    }
}

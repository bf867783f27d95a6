//! Roles and their capabilities, defined only here.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One thing a person may do. The client receives the list for its user; it never derives it from the role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum Capability {
    /// See what the active white-label has and what others share.
    #[serde(rename = "content.read")]
    ContentRead,
    /// Download what is listed.
    #[serde(rename = "content.export")]
    ContentExport,
    /// Create, edit and delete content of the user's white-labels.
    #[serde(rename = "content.write")]
    ContentWrite,
    /// Publish and unpublish it.
    #[serde(rename = "content.publish")]
    ContentPublish,
    /// Bring files and feeds in.
    #[serde(rename = "content.import")]
    ContentImport,
    /// Hand out links.
    #[serde(rename = "content.share")]
    ContentShare,
    /// Fill the fields reserved to a travel agency.
    #[serde(rename = "agency.fields")]
    AgencyFields,
    /// Manage the users of the user's structure.
    #[serde(rename = "users.manage")]
    UsersManage,
    /// Change the settings of the user's white-labels.
    #[serde(rename = "settings.manage")]
    SettingsManage,
    /// Change the reference lists.
    #[serde(rename = "reference.manage")]
    ReferenceManage,
    /// Configure translation services.
    #[serde(rename = "translators.manage")]
    TranslatorsManage,
}

impl Capability {
    /// All values.
    pub const ALL: [Self; 11] = [
        Self::ContentRead,
        Self::ContentExport,
        Self::ContentWrite,
        Self::ContentPublish,
        Self::ContentImport,
        Self::ContentShare,
        Self::AgencyFields,
        Self::UsersManage,
        Self::SettingsManage,
        Self::ReferenceManage,
        Self::TranslatorsManage,
    ];

    /// The written word, as in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ContentRead => "content.read",
            Self::ContentExport => "content.export",
            Self::ContentWrite => "content.write",
            Self::ContentPublish => "content.publish",
            Self::ContentImport => "content.import",
            Self::ContentShare => "content.share",
            Self::AgencyFields => "agency.fields",
            Self::UsersManage => "users.manage",
            Self::SettingsManage => "settings.manage",
            Self::ReferenceManage => "reference.manage",
            Self::TranslatorsManage => "translators.manage",
        }
    }
}

/// What a user is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Everything, on every structure and white-label.
    Superadmin,
    /// Everything inside its structure's white-labels.
    Admin,
    /// An editor that may also fill the fields of a travel agency.
    Agency,
    /// Content of its white-labels.
    Editor,
    /// Reads and exports.
    #[default]
    Reader,
}

impl Role {
    /// All of them, the mightiest first.
    pub const ALL: [Self; 5] = [Self::Superadmin, Self::Admin, Self::Agency, Self::Editor, Self::Reader];

    /// The stored and written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Superadmin => "superadmin",
            Self::Admin => "admin",
            Self::Agency => "agency",
            Self::Editor => "editor",
            Self::Reader => "reader",
        }
    }

    /// The role of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }

    /// What it may do.
    pub const fn capabilities(self) -> &'static [Capability] {
        use Capability as C;
        match self {
            Self::Superadmin => &C::ALL,
            Self::Admin => &[
                C::ContentRead,
                C::ContentExport,
                C::ContentWrite,
                C::ContentPublish,
                C::ContentImport,
                C::ContentShare,
                C::AgencyFields,
                C::UsersManage,
                C::SettingsManage,
            ],
            Self::Agency => &[
                C::ContentRead,
                C::ContentExport,
                C::ContentWrite,
                C::ContentPublish,
                C::ContentImport,
                C::ContentShare,
                C::AgencyFields,
            ],
            Self::Editor => &[
                C::ContentRead,
                C::ContentExport,
                C::ContentWrite,
                C::ContentPublish,
                C::ContentImport,
                C::ContentShare,
            ],
            Self::Reader => &[C::ContentRead, C::ContentExport],
        }
    }

    /// Whether it may do more than another.
    pub fn is_above(self, other: Self) -> bool {
        self.capabilities().len() > other.capabilities().len()
    }

    /// Whether it may do one thing.
    pub fn can(self, capability: Capability) -> bool {
        self.capabilities().contains(&capability)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn each_role_may_all_that_the_one_below_may() {
        for pair in Role::ALL.windows(2) {
            for capability in pair[1].capabilities() {
                assert!(pair[0].can(*capability), "{:?} may {capability:?}, {:?} may not", pair[1], pair[0]);
            }
            assert!(pair[0].capabilities().len() > pair[1].capabilities().len());
        }
    }

    #[test]
    fn a_capability_is_written_in_json_as_its_word() {
        for capability in Capability::ALL {
            assert_eq!(serde_json::to_value(capability).unwrap(), capability.as_str());
        }
    }
}

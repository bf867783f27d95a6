//! The journal: it records who did what. It contains no content: no titles, no values, no e-mail addresses.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::record::Kind;
use crate::{Actor, Instant, Role, StructureId, User, UserId, WhiteLabelId};

/// Declares a closed list of words, with their form in the database and in the API.
macro_rules! closed {
    ($(#[$of:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        $(#[$of])*
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// All values.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The stored and written word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The value of a word, if it is one.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == word)
            }
        }
    };
}

closed! {
    /// What was done, or tried.
    #[schema(as = AuditAction)]
    Action {
        SignIn = "sign_in",
        SignOut = "sign_out",
        /// Every session of a person ended, or one of them from another device.
        SessionsEnded = "sessions_ended",
        /// A link to choose a new password was asked for.
        PasswordResetAsked = "password_reset_asked",
        /// A new password chosen by such a link, or by an invitation.
        PasswordReset = "password_reset",
        /// A new password chosen while signed in.
        PasswordChanged = "password_changed",
        /// The second factor turned on.
        SecondFactorOn = "second_factor_on",
        /// The second factor turned off, by its owner or by an administrator.
        SecondFactorOff = "second_factor_off",
        /// A user made.
        UserCreated = "user_created",
        /// A user invited by mail.
        UserInvited = "user_invited",
        /// A user's sheet changed.
        UserChanged = "user_changed",
        UserRoleChanged = "user_role_changed",
        UserBlocked = "user_blocked",
        /// A blocked user let in again.
        UserUnblocked = "user_unblocked",
        UserDeleted = "user_deleted",
        /// A request that no other action describes, recorded because it was refused or throttled.
        Access = "access",
        /// Further refusals are left out for a while: an address, or all of them together, reached the limit of the journal.
        JournalLimited = "journal_limited",
        /// A personal token made.
        TokenMade = "token_made",
        /// A personal token ended by its owner.
        TokenEnded = "token_ended",
        /// The key of a white-label's public API made.
        ApiKeyMade = "api_key_made",
        /// The key was replaced.
        ApiKeyRotated = "api_key_rotated",
        /// The key was removed.
        ApiKeyRemoved = "api_key_removed",
        /// The key of an outside service set or replaced.
        ServiceKeySet = "service_key_set",
        /// The key of an outside service removed.
        ServiceKeyRemoved = "service_key_removed",
        /// The server's sealing key replaced.
        SealingKeyRotated = "sealing_key_rotated",
        /// An outside service or source configured.
        ServiceAdded = "service_added",
        /// The configuration of an outside service or source changed.
        ServiceChanged = "service_changed",
        /// An outside service or source deleted.
        ServiceRemoved = "service_removed",
        /// A white-label made.
        WhiteLabelCreated = "white_label_created",
        /// A white-label's settings changed.
        WhiteLabelChanged = "white_label_changed",
        WhiteLabelDeleted = "white_label_deleted",
        /// A structure made.
        StructureCreated = "structure_created",
        StructureChanged = "structure_changed",
        StructureDeleted = "structure_deleted",
        /// A former version of a record taken back.
        RevisionRestored = "revision_restored",
        /// A record was restored from the bin.
        BinRestored = "bin_restored",
        /// A record merged into another.
        RecordMerged = "record_merged",
        /// A record deleted, another one taking its place wherever it was used.
        RecordReplaced = "record_replaced",
        /// A record deleted although it was in use.
        DeletionForced = "deletion_forced",
        /// An action on many records undone.
        BulkUndone = "bulk_undone",
        ImportUndone = "import_undone",
        ListExported = "list_exported",
        /// The raw recording of a parcours downloaded.
        RecordingExported = "recording_exported",
        /// A client file of a parcours erased.
        ClientFileDeleted = "client_file_deleted",
        /// A job tried again by hand.
        JobRetried = "job_retried",
        /// A job cancelled by hand, or asked to stop.
        JobCancelled = "job_cancelled",
    }
}

closed! {
    /// What came of it.
    #[schema(as = AuditOutcome)]
    Outcome {
        /// It was done.
        Done = "done",
        /// The person may not do it.
        Refused = "refused",
        /// A wrong password or code, a link that no longer works, or a failure of the server.
        Failed = "failed",
        /// Too many tries.
        Throttled = "throttled",
    }
}

closed! {
    /// A list that leaves as a file.
    ExportedList {
        /// Parcours as a table.
        ParcoursCsv = "parcours_csv",
        ParcoursGeojson = "parcours_geojson",
        /// Figures.
        Statistics = "statistics",
        /// Roadbooks of many parcours.
        Roadbooks = "roadbooks",
        /// What was surveyed of a campaign.
        SurveyCoverage = "survey_coverage",
        /// The journal itself.
        Journal = "journal",
        /// Points of interest as a table.
        Pois = "pois",
        /// Contacts as a table.
        Contacts = "contacts",
        /// Media as a table.
        Medias = "medias",
        /// Lines of public transport as a table.
        TransportLines = "transport_lines",
    }
}

/// What else is known of an event. Every variant is closed, so that no content can get in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = AuditDetail)]
pub enum Detail {
    /// Nothing.
    #[default]
    None,
    /// A role and the one that took its place.
    Roles { before: Role, after: Role },
    /// The names of the fields that changed, without their values.
    Fields { names: Vec<String> },
    /// A list and how many records of it left.
    Exported {
        list: ExportedList,
        /// How many records.
        count: u64,
    },
    /// How many records it was done to.
    Count { count: u64 },
    /// The record that took the place of this one.
    Into { id: i64 },
    /// A job.
    Job { id: i64, kind: String },
    /// The operation that was refused.
    Operation {
        /// Verb and path as the contract writes them.
        operation: String,
        /// The stable code of the refusal.
        code: String,
    },
}

/// The person behind an event, and the structure that employs them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Who {
    /// The user; absent without a session.
    pub user: Option<UserId>,
    pub structure: Option<StructureId>,
}

impl From<&Actor> for Who {
    fn from(actor: &Actor) -> Self {
        Self { user: Some(actor.user_id), structure: Some(actor.structure_id) }
    }
}

impl From<&User> for Who {
    fn from(user: &User) -> Self {
        Self { user: Some(user.id), structure: Some(user.structure_id) }
    }
}

/// The record an event is about, with its owners.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct On {
    pub record: Option<(Kind, i64)>,
    /// The structure it belongs to, where that is known.
    pub structure: Option<StructureId>,
    /// The white-label that owns it, where one does.
    pub white_label: Option<WhiteLabelId>,
}

impl On {
    /// No record.
    pub const NOTHING: Self = Self { record: None, structure: None, white_label: None };

    /// A record by kind and number alone.
    pub const fn record(kind: Kind, id: i64) -> Self {
        Self { record: Some((kind, id)), ..Self::NOTHING }
    }

    /// A person's account.
    pub fn user(user: &User) -> Self {
        Self { structure: Some(user.structure_id), ..Self::record(Kind::User, user.id.0) }
    }

    /// The same, owned by a white-label.
    #[must_use]
    pub const fn of_white_label(self, id: WhiteLabelId) -> Self {
        Self { white_label: Some(id), ..self }
    }
}

/// An event to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub at: Instant,
    /// The author.
    pub who: Who,
    /// The network of the client, as [`network`] writes it; absent for actions of the server itself.
    pub network: Option<String>,
    pub action: Action,
    /// On what.
    pub on: On,
    /// What came of it.
    pub outcome: Outcome,
    /// What else is known.
    pub detail: Detail,
    /// The number of the request, as in the log; empty outside of one.
    pub request_id: String,
}

/// The network of a client's address: the first 24 bits of an IPv4 address, the first 64 of an IPv6 address. It distinguishes two
/// offices without naming one machine. `None` if it is not an address.
pub fn network(address: &str) -> Option<String> {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
    match address.parse::<IpAddr>().ok()?.to_canonical() {
        IpAddr::V4(four) => {
            let [a, b, c, _] = four.octets();
            Some(format!("{}/24", Ipv4Addr::new(a, b, c, 0)))
        }
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            Some(format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_one_value_each() {
        for action in Action::ALL {
            assert_eq!(Action::parse(action.as_str()), Some(*action));
            assert_eq!(serde_json::to_value(action).ok(), Some(action.as_str().into()));
        }
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::parse(outcome.as_str()), Some(*outcome));
        }
        assert_eq!(Action::parse("title"), None);
    }

    #[test]
    fn an_address_is_shortened_to_its_network() {
        assert_eq!(network("203.0.113.77").as_deref(), Some("203.0.113.0/24"));
        assert_eq!(network("2001:db8:1:2:3:4:5:6").as_deref(), Some("2001:db8:1:2::/64"));
        assert_eq!(network("::ffff:203.0.113.77").as_deref(), Some("203.0.113.0/24"));
        assert_eq!(network("unknown"), None);
    }
}

//! Shared by all views and requests of records.

use domain::record::Kind;
use domain::vocabulary::VocabularyKind;
use domain::{Instant, Text};
use serde::{Deserialize, Serialize};
use store::record::Stored;
use store::uses::{Use, Uses};
use utoipa::{IntoParams, ToSchema};

use crate::record::{LockedReason, Named, RevisionView};

/// The parameters of a record's path.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub struct At {
    /// The reference list, of an item of one.
    pub kind: Option<VocabularyKind>,
    pub id: i64,
    /// One of its versions.
    pub version: i64,
    pub white_label_id: i64,
}

/// The fields that every view starts with.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Head {
    pub id: i64,
    /// Number of its last save, also its ETag.
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
    /// Who saved it last; null for people of other tenants.
    pub updated_by: Option<Named>,
    /// Whether this person may change it.
    pub editable: bool,
    /// Why it cannot be changed.
    pub locked_reason: Option<LockedReason>,
}

impl Head {
    /// The head of a record, with why the reader may not change it.
    pub fn of<S>(record: &Stored<S>, locked: Option<LockedReason>) -> Self {
        Self {
            id: record.id,
            version: record.version,
            created_at: record.created_at,
            updated_at: record.updated_at,
            // The people of another tenant are not named.
            updated_by: record
                .updated_by
                .as_ref()
                .filter(|_| locked != Some(LockedReason::NotYours))
                .map(|(id, name)| Named { id: id.0, name: name.clone() }),
            editable: locked.is_none(),
            locked_reason: locked,
        }
    }

    /// The same without the name of who saved it, for people who do not work for its owner.
    #[must_use]
    pub fn named_to(self, is_theirs: bool) -> Self {
        Self { updated_by: self.updated_by.filter(|_| is_theirs), ..self }
    }
}

/// A record as it was after a save.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Past<S> {
    /// User, time and changed fields.
    #[serde(flatten)]
    pub head: RevisionView,
    /// The owner's switch.
    pub published: bool,
    /// The fields that the staff had filled in.
    pub record: S,
}

/// What to take back.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Restoration {
    /// These fields, `title` or one language of it, `title/fr`; absent: all.
    pub fields: Option<Vec<String>>,
}

/// The parameters of a deletion.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Deletion {
    /// Delete although it is in use: the references to it are removed.
    pub force: bool,
    /// The record that takes its place wherever it is used.
    pub replace_by: Option<i64>,
}

/// A use of a record.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct UseView {
    pub kind: Kind,
    pub id: i64,
    pub title: Text,
}

/// The uses of a record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, ToSchema)]
pub struct UsesView {
    /// The first fifty of those that this person sees.
    pub items: Vec<UseView>,
    pub total: i64,
    /// How many of them this person does not see: they are not named. 0, and not in `total`, for people who could not delete the record:
    /// those of another owner.
    pub hidden_total: i64,
}

impl From<Use> for UseView {
    fn from(one: Use) -> Self {
        Self { kind: one.kind, id: one.id, title: one.title }
    }
}

impl From<Uses> for UsesView {
    fn from(uses: Uses) -> Self {
        Self {
            items: uses.items.into_iter().map(Into::into).collect(),
            total: uses.total,
            hidden_total: uses.hidden_total,
        }
    }
}

/// The record that stays when two are merged.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeInput {
    /// The one that stays.
    pub into_id: i64,
}

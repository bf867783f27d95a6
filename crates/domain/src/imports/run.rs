//! A run of an import: how far it is, what it did, why not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::transport_line::words;

words! {
    /// What a run is for.
    ImportMode {
        /// Brings in what changed.
        Real "real",
        /// Shows what it would do, and writes nothing.
        Dry "dry",
        /// Takes once more what was refused.
        Retry "retry",
        /// Takes back what another run did.
        Undo "undo",
    } default Real
}

words! {
    /// How far a run is.
    ImportState {
        /// At work, or waiting for its turn.
        Running "running",
        /// Done; some items may be refused.
        Done "done",
        /// Ended early; the failure says why.
        Failed "failed",
        /// A user ended it.
        Cancelled "cancelled",
    } default Running
}

words! {
    /// The outcome of an item.
    ImportOutcome {
        /// Made.
        Created "created",
        /// Changed.
        Updated "updated",
        /// Not taken, with a reason.
        Refused "refused",
        /// It looks the same as a parcours here: a person must decide whether it is.
        ToMerge "to_merge",
        /// It is no longer in its source.
        Gone "gone",
        /// Left unchanged here, with a reason.
        Kept "kept",
        /// Undone.
        Undone "undone",
    } default Created
}

words! {
    /// What becomes of a list of a Geotrek server.
    ImportPlace {
        /// Its items become parcours.
        Parcours "parcours",
        /// Its items become points of interest.
        Poi "poi",
        /// Its items become contacts.
        Contact "contact",
        /// Its items are tourist records: a source of those reads them.
        Sit "sit",
        /// Its items are the words that reference lists are mapped from.
        Words "words",
        /// Its items are named in the texts of parcours.
        Text "text",
        /// Its items have no place here.
        Nowhere "nowhere",
    } default Nowhere
}

/// A list of a Geotrek server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportInventoryItem {
    /// Its name in the API: `trek`, `signage`.
    pub list: String,
    /// What becomes of its items.
    pub place: ImportPlace,
    /// Number of its items, unless the server refuses it.
    pub count: Option<i64>,
}

/// A remark on an item: a stable code, the parameters of its sentence, the field it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportNote {
    /// The code that the interface translates.
    pub code: String,
    /// What its sentence names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
    /// The field here that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

impl ImportNote {
    /// For this reason.
    pub fn new(code: impl Into<String>) -> Self {
        Self { code: code.into(), params: BTreeMap::new(), field: None }
    }

    /// With this word in its sentence.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }

    /// About this field.
    #[must_use]
    pub fn on(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }
}

/// What a run did, in figures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportCounts {
    /// Made.
    pub created: i64,
    /// Changed.
    pub updated: i64,
    /// The same as before.
    pub unchanged: i64,
    /// Not taken.
    pub refused: i64,
    /// That look the same as a parcours here.
    pub to_merge: i64,
    /// That are no longer in their source.
    pub gone: i64,
    /// Left as they are here.
    pub kept: i64,
    pub undone: i64,
    /// Points of interest made or changed.
    #[serde(default)]
    pub pois: i64,
    /// Contacts made or changed.
    #[serde(default)]
    pub contacts: i64,
    /// In a dry run: lines below 95 %, or that cannot be scored.
    #[serde(default)]
    pub unreliable: i64,
}

impl ImportCounts {
    /// One more.
    pub fn add(&mut self, outcome: Option<ImportOutcome>) {
        *match outcome {
            None => &mut self.unchanged,
            Some(ImportOutcome::Created) => &mut self.created,
            Some(ImportOutcome::Updated) => &mut self.updated,
            Some(ImportOutcome::Refused) => &mut self.refused,
            Some(ImportOutcome::ToMerge) => &mut self.to_merge,
            Some(ImportOutcome::Gone) => &mut self.gone,
            Some(ImportOutcome::Kept) => &mut self.kept,
            Some(ImportOutcome::Undone) => &mut self.undone,
        } += 1;
    }

    /// Number of processed items.
    pub fn total(&self) -> i64 {
        self.created + self.updated + self.unchanged + self.refused + self.to_merge + self.kept
    }
}

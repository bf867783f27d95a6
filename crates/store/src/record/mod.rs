//! Shared by all records of the catalogue: reading, saving, lists, links, revisions.
//!
//! A kind is a [`Record`]: the table of its narrow rows and their columns. All else is written once: here what needs no kind but the
//! caller's, and above the kinds what goes from one kind to others (`crate::access`, `crate::uses`, `crate::visible`, `crate::binned`).
//! Parcours have a separate storage (`crate::parcours`, measured for lists of 100,000) and share what is above the kinds.

mod bulk;
mod link;
mod list;
mod read;
mod restore_reference;
mod revision;
mod table;
mod tables;
mod white_labels;
mod write;

use std::future::Future;

pub use bulk::{record_bulk, take_bulk};
pub(crate) use link::forget as forget_links;
pub use list::Counted;
pub(crate) use list::{Conditions, MAX_COUNT, Sorted, capped_count, capped_count_now, owned_counts, page_ids, page_of};
pub(crate) use read::sheet;
pub use read::{hold_to_delete, load, load_many, lock};
pub(crate) use restore_reference::{restore_reference, restore_reference_in_list, restore_reference_in_sheet};
pub use revision::{Past, RevisionHead, is_saved_otherwise, last_change_of, revision, revisions};
pub(crate) use revision::{insertion, revision_of};
pub use table::{is_table_written, record_table, take_table};
pub(crate) use tables::{owner_column, table_of};
pub use white_labels::{LinkedWhiteLabel, link_white_label, linked_white_labels, links_of, unlink_white_label};
pub use write::{insert, insert_with, raise_version, save};

use domain::record::{Kind, Sheet};
use domain::{Instant, Text, UserId, WhiteLabelId};
use sea_orm::Value;

use crate::search::Index;
use crate::{StoreError, Tx};

/// A kind of record: the table of its narrow rows, and their columns.
pub trait Record: Send + Sync + 'static {
    /// What a person fills in.
    type Sheet: Sheet;
    /// What it is.
    const KIND: Kind;
    /// The table of its rows, as SQL writes it.
    const TABLE: &'static str;
    /// Whether a white-label owns each, in the column `white_label_id`.
    const OWNED: bool = false;
    /// Whether its owner publishes it, in the column `published`.
    const PUBLISHED: bool = false;
    /// The table of its words, where it is searched.
    #[doc(hidden)]
    const WORDS: Option<Words> = None;

    /// The columns of its row beside identifier, owner, version and instants.
    #[doc(hidden)]
    fn columns(record: &Stored<Self::Sheet>, languages: &[String]) -> Vec<(&'static str, Value)>;

    /// Its name.
    fn title(sheet: &Self::Sheet) -> Text;

    /// The words it is found by.
    fn words(sheet: &Self::Sheet) -> String {
        Self::title(sheet).iter().map(|(_, words)| words.to_owned()).collect::<Vec<_>>().join(" ")
    }

    /// The structure it belongs to, where it belongs to one.
    fn structure(_sheet: &Self::Sheet) -> Option<i64> {
        None
    }

    /// The columns of a new row, or of one restored from the bin, that do not follow from the sheet.
    #[doc(hidden)]
    fn born_with() -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    /// Corrects a record that is about to be written without the checks of its form: freed of another one, restored from the bin,
    /// or put back by an undo. `before` is its stored sheet; none for one that is restored.
    fn settle(
        _tx: &Tx,
        _before: Option<&Self::Sheet>,
        _after: &mut Stored<Self::Sheet>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { Ok(()) }
    }

    /// What else follows from a save.
    fn saved(_tx: &Tx, _record: &Stored<Self::Sheet>) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { Ok(()) }
    }
}

/// A table of words, as `search` reads it.
#[derive(Debug, Clone, Copy)]
pub struct Words(pub(crate) Index);

/// A stored record.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored<S> {
    pub id: i64,
    /// The owner, where a white-label owns it.
    pub white_label_id: Option<WhiteLabelId>,
    /// The owner's switch, where there is one.
    pub published: bool,
    /// What the staff filled in.
    pub sheet: S,
    /// Number of its last save.
    pub version: i64,
    pub created_at: Instant,
    pub updated_at: Instant,
    /// The user who saved it last: id and full name.
    pub updated_by: Option<(UserId, String)>,
}

/// Something stored with a number and versions: a record or a parcours.
pub trait Versioned {
    /// Its number.
    fn id(&self) -> i64;

    /// Number of its last save.
    fn version(&self) -> i64;
}

impl<S> Versioned for Stored<S> {
    fn id(&self) -> i64 {
        self.id
    }

    fn version(&self) -> i64 {
        self.version
    }
}

impl<S: Sheet> Stored<S> {
    /// A record that is not there yet.
    pub fn blank(white_label_id: Option<WhiteLabelId>, at: Instant) -> Self {
        Self {
            id: 0,
            white_label_id,
            published: false,
            sheet: S::default(),
            version: 0,
            created_at: at,
            updated_at: at,
            updated_by: None,
        }
    }

    /// What changed since `before`, by name.
    pub fn changed_since(&self, before: &Self) -> Vec<&'static str> {
        let mut names = self.sheet.changed_since(&before.sheet);
        if self.published != before.published {
            names.push("published");
        }
        names
    }
}

/// The author, the time and the reason of a save.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    /// The user; `None` for the command line.
    pub by: Option<UserId>,
    pub at: Instant,
    /// Why, for an automatic one: `import`, `restore`, `bulk`, `table`, `merge`, `order`, `freed`, `preferences`,
    /// `api_key`, `service_key`.
    pub reason: Option<&'static str>,
    /// Languages content is written in, the first one first.
    pub languages: &'a [String],
}

impl Change<'_> {
    /// The same for another reason.
    #[must_use]
    pub const fn because(self, reason: &'static str) -> Self {
        Change { reason: Some(reason), ..self }
    }
}

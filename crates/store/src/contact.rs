//! Contacts.

use domain::record::Kind;
use domain::{ContactSheet, StructureId, Text, WhiteLabelId, fold};
use sea_orm::Value;

use crate::record::{Conditions, Counted, Record, Sorted, Stored, Words, load, load_many, page_of};
use crate::sql::{all, get, one};
use crate::{Connection, Page, StoreError, search};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct Contacts;

impl Record for Contacts {
    type Sheet = ContactSheet;
    const KIND: Kind = Kind::Contact;
    const TABLE: &'static str = "contact";
    const WORDS: Option<Words> = Some(Words(search::CONTACT));

    fn columns(record: &Stored<ContactSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("structure_id", sheet.structure_id.into()),
            ("email", sheet.email.clone().into()),
            ("sort_title", fold(&format!("{} {}", sheet.last_name, sheet.first_name)).into()),
        ]
    }

    fn title(sheet: &ContactSheet) -> Text {
        Text::in_french(sheet.full_name())
    }

    fn words(sheet: &ContactSheet) -> String {
        let more = [sheet.function.as_deref(), sheet.phone.as_deref()].map(Option::unwrap_or_default);
        format!("{} {} {}", sheet.full_name(), sheet.email, more.join(" "))
    }

    fn structure(sheet: &ContactSheet) -> Option<i64> {
        Some(sheet.structure_id)
    }
}

/// The filters of a list of contacts.
#[derive(Debug, Clone, Default)]
pub struct ContactFilter {
    /// Only contacts of this structure, the reader's own.
    pub within: Option<StructureId>,
    /// Every one of these words.
    pub search: Option<String>,
    /// Only those of one of these structures.
    pub structures: Vec<i64>,
    pub white_label: Option<WhiteLabelId>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

impl ContactFilter {
    fn conditions(&self, db: &impl Connection) -> Conditions {
        let mut found = Conditions::default();
        found.within("structure_id", self.within.map(|id| vec![id.0]).as_deref());
        found.within("structure_id", Some(self.structures.as_slice()).filter(|ids| !ids.is_empty()));
        found.within("id", self.ids.as_deref());
        found.pointing(Kind::Contact, Kind::WhiteLabel, self.white_label.map(|id| vec![id.0]).as_deref());
        found.words(db, search::CONTACT, self.search.as_deref());
        found
    }
}

/// A page of contacts. `sort`: `title`, `updated_at`, each with `-` for the other way; none when it is another word.
pub async fn list(
    db: &impl Connection,
    filter: &ContactFilter,
    sort: &str,
    page: Page,
) -> Result<Option<(Vec<Stored<ContactSheet>>, Counted)>, StoreError> {
    let Some(sorted) = Sorted::parse(sort, &[("title", "sort_title"), ("updated_at", "updated_at")]) else {
        return Ok(None);
    };
    let found = filter.conditions(db);
    let (ids, counted) = page_of(db, Contacts::TABLE, &found, sorted, page).await?;
    Ok(Some((load_many::<Contacts>(db, &ids).await?, counted)))
}

/// The numbers of what a filter leaves, by name, at most `limit`.
pub async fn ids(db: &impl Connection, filter: &ContactFilter, limit: u64) -> Result<Vec<i64>, StoreError> {
    let found = filter.conditions(db);
    let sql = format!("SELECT n.id FROM contact n {} ORDER BY n.sort_title, n.id LIMIT {limit}", found.sql());
    all(db, &sql, found.values).await?.iter().map(|row| get(row, 0)).collect()
}

/// The contact of a mail address.
pub async fn find_by_email(db: &impl Connection, email: &str) -> Result<Option<i64>, StoreError> {
    one(db, "SELECT id FROM contact WHERE email = $1", [email.into()]).await?.map(|row| get(&row, 0)).transpose()
}

/// A contact as content of a white-label may name it: one of the white-label's structure. A contact of another tenant that a
/// record of this one points to stays unnamed.
pub async fn shown_by(
    db: &impl Connection,
    white_label: WhiteLabelId,
    id: i64,
) -> Result<Option<ContactSheet>, StoreError> {
    let Some(contact) = load::<Contacts>(db, id).await? else { return Ok(None) };
    let owner = crate::white_label::find(db, white_label).await?;
    let is_theirs = owner.is_some_and(|owner| owner.structure_id.0 == contact.sheet.structure_id);
    Ok(is_theirs.then_some(contact.sheet))
}

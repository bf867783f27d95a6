//! Structures.

use std::collections::HashMap;

use domain::record::Kind;
use domain::vocabulary::VocabularyKind;
use domain::{Instant, StructureId, StructureSheet, Text, fold};
use sea_orm::Value;

use crate::record::{
    Change, Conditions, Counted, Record, Sorted, Stored, Words, insert as insert_record, load_many, page_of,
};
use crate::sql::{all, get, numbers, one};
use crate::{Connection, Page, StoreError, Tx, search, vocabulary};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct Structures;

impl Record for Structures {
    type Sheet = StructureSheet;
    const KIND: Kind = Kind::Structure;
    const TABLE: &'static str = "structure";
    const WORDS: Option<Words> = Some(Words(search::STRUCTURE));

    fn columns(record: &Stored<StructureSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("name", sheet.name.clone().into()),
            ("sort_title", fold(&sheet.name).into()),
            ("kind_id", Some(sheet.kind_id).filter(|id| *id != 0).into()),
        ]
    }

    fn title(sheet: &StructureSheet) -> Text {
        Text::in_french(sheet.name.clone())
    }

    fn words(sheet: &StructureSheet) -> String {
        let more = [sheet.address.city.as_deref(), sheet.registration.as_deref(), sheet.email.as_deref()];
        format!("{} {}", sheet.name, more.map(Option::unwrap_or_default).join(" "))
    }
}

/// The filters of a list of structures.
#[derive(Debug, Clone, Default)]
pub struct StructureFilter {
    /// Every one of these words.
    pub search: Option<String>,
    /// Only those of one of these types.
    pub kinds: Vec<i64>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

/// A page of structures. `sort`: `title`, `updated_at`, each with `-` for the other way; none when it is another word.
pub async fn list(
    db: &impl Connection,
    filter: &StructureFilter,
    sort: &str,
    page: Page,
) -> Result<Option<(Vec<Stored<StructureSheet>>, Counted)>, StoreError> {
    let Some(sorted) = Sorted::parse(sort, &[("title", "sort_title"), ("updated_at", "updated_at")]) else {
        return Ok(None);
    };
    let mut found = Conditions::default();
    found.within("kind_id", Some(filter.kinds.as_slice()).filter(|ids| !ids.is_empty()));
    found.within("id", filter.ids.as_deref());
    found.words(db, search::STRUCTURE, filter.search.as_deref());
    let (ids, counted) = page_of(db, Structures::TABLE, &found, sorted, page).await?;
    Ok(Some((load_many::<Structures>(db, &ids).await?, counted)))
}

/// Adds a structure of a type, by the type's code.
pub async fn insert(tx: &Tx, name: &str, kind_code: &str, now: Instant) -> Result<StructureId, StoreError> {
    let kind = vocabulary::find_by_code(tx, VocabularyKind::StructureType, kind_code).await?;
    let kind_id = kind.ok_or_else(|| StoreError::row("structure", 0, format!("no type `{kind_code}`")))?.id.0;
    let mut new = Stored::blank(None, now);
    new.sheet = StructureSheet { name: name.to_owned(), kind_id, ..StructureSheet::default() };
    let change = Change { by: None, at: now, reason: None, languages: &[] };
    Ok(insert_record::<Structures>(tx, new, change).await?.id.into())
}

/// Its name, if it is there.
pub async fn name(db: &impl Connection, id: StructureId) -> Result<Option<String>, StoreError> {
    let found = crate::record::load::<Structures>(db, id.0).await?;
    Ok(found.map(|structure| structure.sheet.name))
}

/// The names of several.
pub async fn names(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, String>, StoreError> {
    let sql = format!("SELECT id, name FROM structure WHERE id IN {}", numbers(ids));
    all(db, &sql, []).await?.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

/// The structure of exactly this name.
pub async fn find_by_name(db: &impl Connection, name: &str) -> Result<Option<StructureId>, StoreError> {
    let found = one(db, "SELECT id FROM structure WHERE name = $1 ORDER BY id LIMIT 1", [name.into()]).await?;
    found.map(|row| get(&row, 0).map(StructureId)).transpose()
}

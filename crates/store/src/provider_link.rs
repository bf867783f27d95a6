//! Links of providers.

use std::collections::HashMap;

use domain::provider_link::ProviderLinkSheet;
use domain::record::Kind;
use domain::{Actor, Text, fold};
use sea_orm::Value;

use crate::record::{Conditions, Counted, Record, Sorted, Stored, load_many, page_of};
use crate::sql::{all, execute, get, is_own, numbers};
use crate::{Connection, Page, StoreError, Tx};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct ProviderLinks;

impl Record for ProviderLinks {
    type Sheet = ProviderLinkSheet;
    const KIND: Kind = Kind::ProviderLink;
    const TABLE: &'static str = "provider_link";
    const OWNED: bool = true;

    fn columns(record: &Stored<ProviderLinkSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![("sort_title", fold(&sheet.name).into()), ("revoked", sheet.revoked.into())]
    }

    fn title(sheet: &ProviderLinkSheet) -> Text {
        Text::in_french(sheet.name.clone())
    }
}

/// The filters of a list of links.
#[derive(Debug, Clone)]
pub struct ProviderLinkFilter {
    /// Only those of the white-labels in which this person works.
    pub reader: Actor,
    /// Every one of these words, in the name.
    pub search: Option<String>,
    /// Those that work, or those that do not.
    pub revoked: Option<bool>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

impl ProviderLinkFilter {
    /// Only links of the white-labels in which the person works.
    pub fn of(actor: &Actor) -> Self {
        Self { reader: actor.clone(), search: None, revoked: None, ids: None }
    }
}

/// A page of links. `None` if `sort` is not an order that the list offers.
pub async fn list(
    db: &impl Connection,
    filter: &ProviderLinkFilter,
    sort: &str,
    page: Page,
) -> Result<Option<(Vec<Stored<ProviderLinkSheet>>, Counted)>, StoreError> {
    let Some(sorted) = Sorted::parse(sort, &[("title", "sort_title"), ("updated_at", "updated_at")]) else {
        return Ok(None);
    };
    let mut found = Conditions::default();
    found.and(is_own(&filter.reader, "n.white_label_id"));
    for word in fold(filter.search.as_deref().unwrap_or_default()).split(' ').filter(|word| !word.is_empty()) {
        // A folded word has letters and digits only: nothing in it is a wildcard.
        let place = found.bind(format!("%{word}%"));
        found.and(format!("n.sort_title LIKE {place}"));
    }
    if let Some(revoked) = filter.revoked {
        found.and(format!("n.revoked = {}", if revoked { "TRUE" } else { "FALSE" }));
    }
    found.within("id", filter.ids.as_deref());
    let (ids, counted) = page_of(db, ProviderLinks::TABLE, &found, sorted, page).await?;
    Ok(Some((load_many::<ProviderLinks>(db, &ids).await?, counted)))
}

/// How often the pages of links were opened; those that never were are left out.
pub async fn openings(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, i64>, StoreError> {
    let sql = format!("SELECT link_id, opened FROM provider_link_opening WHERE link_id IN {}", numbers(ids));
    all(db, &sql, []).await?.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

/// Counts one more look at the page of a link.
pub async fn count_opening(tx: &Tx, id: i64) -> Result<(), StoreError> {
    let sql = "INSERT INTO provider_link_opening (link_id, opened) VALUES ($1, 1)
        ON CONFLICT (link_id) DO UPDATE SET opened = provider_link_opening.opened + 1";
    execute(tx, sql, [id.into()]).await?;
    Ok(())
}

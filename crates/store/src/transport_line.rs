//! Lines of public transport.

use domain::record::Kind;
use domain::transport_line::{LineBikes, LineMode, TransportLineSheet};
use domain::{Text, WhiteLabelId, fold};
use sea_orm::Value;

use crate::record::{Conditions, Counted, Record, Sorted, Stored, Words, load_many, page_of};
use crate::sql::{all, get};
use crate::{Connection, OwnerFilter, Page, StoreError, search};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct TransportLines;

impl Record for TransportLines {
    type Sheet = TransportLineSheet;
    const KIND: Kind = Kind::TransportLine;
    const TABLE: &'static str = "transport_line";
    const OWNED: bool = true;
    const WORDS: Option<Words> = Some(Words(search::TRANSPORT_LINE));

    fn columns(record: &Stored<TransportLineSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("sort_title", fold(&format!("{} {}", sheet.short_name, sheet.long_name)).into()),
            ("operator", fold(sheet.operator.as_deref().unwrap_or_default()).into()),
            ("mode", sheet.mode.as_str().into()),
            ("bike_carriage", sheet.bike_carriage.as_str().into()),
        ]
    }

    fn title(sheet: &TransportLineSheet) -> Text {
        Text::in_french(format!("{} {}", sheet.short_name, sheet.long_name).trim().to_owned())
    }

    fn words(sheet: &TransportLineSheet) -> String {
        format!("{} {} {}", sheet.short_name, sheet.long_name, sheet.operator.as_deref().unwrap_or_default())
    }
}

/// The filters of a list of lines.
#[derive(Debug, Clone, Default)]
pub struct LineFilter {
    /// The white-label that looks.
    pub viewer: WhiteLabelId,
    pub owner: OwnerFilter,
    /// Every one of these words.
    pub search: Option<String>,
    /// With one of these running on it.
    pub modes: Vec<LineMode>,
    /// Run by this one.
    pub operator: Option<String>,
    /// Where a bicycle comes along like this.
    pub bikes: Vec<LineBikes>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

impl LineFilter {
    fn conditions(&self, db: &impl Connection) -> Conditions {
        let mut found = Conditions::default();
        let me = self.viewer.0;
        match self.owner {
            OwnerFilter::Mine => found.and(format!("n.white_label_id = {me}")),
            // Two stretches of an index, where "another one" would be a walk through all of it.
            OwnerFilter::Shared => found.and(format!("(n.white_label_id < {me} OR n.white_label_id > {me})")),
            OwnerFilter::All => &mut found,
        };
        let modes: Vec<&str> = self.modes.iter().map(|mode| mode.as_str()).collect();
        let bikes: Vec<&str> = self.bikes.iter().map(|bikes| bikes.as_str()).collect();
        for (column, words) in [("mode", modes), ("bike_carriage", bikes)] {
            if !words.is_empty() {
                found.and(format!("n.{column} IN ('{}')", words.join("', '")));
            }
        }
        if let Some(operator) = self.operator.as_deref().map(fold).filter(|operator| !operator.is_empty()) {
            let place = found.bind(operator);
            found.and(format!("n.operator = {place}"));
        }
        found.within("id", self.ids.as_deref());
        found.words(db, search::TRANSPORT_LINE, self.search.as_deref());
        found
    }
}

/// A page of lines. `sort`: `title`, `updated_at`, each with `-` for the other way; none when it is another word.
pub async fn list(
    db: &impl Connection,
    filter: &LineFilter,
    sort: &str,
    page: Page,
) -> Result<Option<(Vec<Stored<TransportLineSheet>>, Counted)>, StoreError> {
    let Some(sorted) = Sorted::parse(sort, &[("title", "sort_title"), ("updated_at", "updated_at")]) else {
        return Ok(None);
    };
    let found = filter.conditions(db);
    let (ids, counted) = page_of(db, TransportLines::TABLE, &found, sorted, page).await?;
    Ok(Some((load_many::<TransportLines>(db, &ids).await?, counted)))
}

/// The numbers of what a filter leaves, by name, at most `limit`.
pub async fn ids(db: &impl Connection, filter: &LineFilter, limit: u64) -> Result<Vec<i64>, StoreError> {
    let found = filter.conditions(db);
    let sql = format!("SELECT n.id FROM transport_line n {} ORDER BY n.sort_title, n.id LIMIT {limit}", found.sql());
    all(db, &sql, found.values).await?.iter().map(|row| get(row, 0)).collect()
}

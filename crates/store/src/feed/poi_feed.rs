//! The POIs of a feed: their filters and their pages.

use domain::record::Kind;
use domain::{Instant, fold};
use sea_orm::Value;

use super::paging::{page, past};
use crate::sql::{all, get, numbers, remembered};
use crate::{Connection, StoreError};

/// The filters of a feed of POIs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PoiFeed {
    /// The white-label that reads: what it owns, and what it added and shows.
    pub white_label: i64,
    /// White-labels whose POIs are in no feed of others.
    pub unlisted: Vec<i64>,
    /// In one of these categories, or of one of these themes; each list is a separate condition.
    pub terms: Vec<Vec<i64>>,
    /// Only those of one of these white-labels.
    pub owners: Option<Vec<i64>>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
    /// Inside west, south, east, north.
    pub bbox: Option<[f64; 4]>,
    /// Saved after this.
    pub updated_after: Option<Instant>,
    /// Good addresses only, or all others.
    pub good_address: Option<bool>,
    /// Only those whose name has these words.
    pub search: Option<String>,
}

impl PoiFeed {
    /// The condition on the row `n`, of any owner. The corners of the box are the first values of the statement.
    fn condition(&self, after: i64) -> String {
        let kind = Kind::Poi.code();
        let mut all = vec!["n.published = TRUE AND n.distribute = TRUE".to_owned()];
        if !self.unlisted.is_empty() {
            all.push(format!("n.white_label_id NOT IN {}", numbers(&self.unlisted)));
        }
        all.extend(self.terms.iter().map(|ids| {
            format!(
                "EXISTS (SELECT 1 FROM record_link k WHERE k.from_kind = {kind} AND k.from_id = n.id AND k.to_kind = {} AND k.to_id IN {})",
                Kind::Vocabulary.code(),
                numbers(ids)
            )
        }));
        all.extend(self.owners.as_ref().map(|ids| format!("n.white_label_id IN {}", numbers(ids))));
        all.extend(self.ids.as_ref().map(|ids| format!("n.id IN {}", numbers(ids))));
        all.extend(self.updated_after.map(|after| format!("n.updated_at > {}", after.0)));
        all.extend(self.good_address.map(|good| if good { "n.good_address" } else { "NOT n.good_address" }.to_owned()));
        // Folded words are letters and digits: nothing in them needs escaping.
        let words = self.search.as_deref().map(fold).unwrap_or_default();
        all.extend(words.split_whitespace().map(|word| format!("n.sort_title LIKE '%{word}%'")));
        all.extend((after > 0).then(|| format!("n.id > {after}")));
        if self.bbox.is_some() {
            all.push("n.lon >= $1 AND n.lat >= $2 AND n.lon <= $3 AND n.lat <= $4".to_owned());
        }
        all.join(" AND ")
    }

    /// As for parcours: its own, then what it added, past a number.
    fn rows(&self, added: &[i64], after: i64) -> String {
        self.columns("n.id", added, after)
    }

    /// Columns of the same rows.
    fn columns(&self, columns: &str, added: &[i64], after: i64) -> String {
        let (me, condition) = (self.white_label, self.condition(after));
        let own = format!("SELECT {columns} FROM poi n WHERE n.white_label_id = {me} AND {condition}");
        if added.is_empty() {
            return own;
        }
        let others = format!(
            "SELECT {columns} FROM poi n WHERE n.id IN {} AND n.white_label_id <> {me} AND {condition}",
            numbers(added)
        );
        format!("SELECT {columns} FROM ({own} UNION ALL {others}) n")
    }

    fn values(&self) -> Vec<Value> {
        self.bbox.into_iter().flatten().map(Value::from).collect()
    }
}

/// What a white-label added of others' POIs and shows.
async fn added_pois(db: &impl Connection, white_label: i64) -> Result<Vec<i64>, StoreError> {
    let sql = "SELECT record_id FROM record_white_label WHERE white_label_id = $1 AND kind = $2 AND published = TRUE ORDER BY record_id";
    all(db, sql, [white_label.into(), Kind::Poi.code().into()]).await?.iter().map(|row| get(row, 0)).collect()
}

/// A page of a feed: numbers of POIs, and how many there are on all pages.
pub async fn pois(
    db: &impl Connection,
    feed: &PoiFeed,
    (offset, limit): (u64, u64),
) -> Result<(Vec<i64>, u64), StoreError> {
    let added = added_pois(db, feed.white_label).await?;
    page(db, |after| feed.rows(&added, after), &feed.values(), (offset, limit)).await
}

/// POIs of a feed past a number: at most `limit`, and how many the feed has in all.
pub async fn pois_past(
    db: &impl Connection,
    feed: &PoiFeed,
    (after, limit): (i64, u64),
) -> Result<(Vec<i64>, u64), StoreError> {
    let added = added_pois(db, feed.white_label).await?;
    past(db, |after| feed.rows(&added, after), &feed.values(), (after, limit)).await
}

/// How many POIs a feed has, and when the last one of them was saved.
pub async fn pois_state(db: &impl Connection, feed: &PoiFeed) -> Result<[i64; 3], StoreError> {
    let rows = feed.columns("n.id, n.updated_at", &added_pois(db, feed.white_label).await?, 0);
    let sql = format!("SELECT COUNT(*), CAST(SUM(n.id) AS BIGINT), MAX(n.updated_at) FROM ({rows}) n");
    remembered(db, &sql, feed.values()).await
}

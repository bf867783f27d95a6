//! The list of records, and the same on a map.

use domain::sit::SitStatus;
use domain::{Text, WhiteLabelId};

use super::record::{SitRow, load_many};
use crate::cells::micro;
use crate::cells::{Cell, Grid, Summed};
use crate::record::{Conditions, Counted, Sorted, page_of};
use crate::sql::{all, get, json};
use crate::{Connection, Page, StoreError, search, vocabulary};

/// The filters of a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SitFilter {
    /// The owner.
    pub white_label: WhiteLabelId,
    /// Every one of these words.
    pub search: Option<String>,
    /// Only those of one source.
    pub source: Option<i64>,
    /// With any of these categories, or those below them.
    pub categories: Vec<i64>,
    /// With a category, or without.
    pub sorted: Option<bool>,
    /// Written in this language.
    pub language: Option<String>,
    pub status: Option<SitStatus>,
    /// Linked to a POI here, or not.
    pub linked: Option<bool>,
    /// With overrides, or without.
    pub overridden: Option<bool>,
    /// The record of this POI.
    pub poi: Option<i64>,
    /// Inside west, south, east, north.
    pub bbox: Option<[f64; 4]>,
}

impl SitFilter {
    async fn conditions(&self, db: &impl Connection, reach: Option<[i64; 4]>) -> Result<Conditions, StoreError> {
        let mut found = Conditions::default();
        found.and(format!("n.white_label_id = {}", self.white_label.0));
        // Records of a source in the bin are not listed; they are listed again when the source is restored.
        found.and("n.source_id IN (SELECT id FROM sit_source)");
        if let Some([west, east, south, north]) = reach {
            found.and(format!("n.x BETWEEN {west} AND {east} AND n.y BETWEEN {south} AND {north}"));
        }
        if let Some(source) = self.source {
            found.and(format!("n.source_id = {source}"));
        }
        if !self.categories.is_empty() {
            let ids = vocabulary::with_those_under(db, &self.categories).await?;
            let each: Vec<String> = ids.iter().map(|id| format!("n.categories LIKE '%,{id},%'")).collect();
            found.and(format!("({})", each.join(" OR ")));
        }
        if let Some(sorted) = self.sorted {
            found.and(if sorted { "n.categories <> ''" } else { "n.categories = ''" });
        }
        if let Some(language) = &self.language {
            let place = found.bind(format!("%,{language},%"));
            found.and(format!("n.languages LIKE {place}"));
        }
        if let Some(status) = self.status {
            found.and(format!("n.status = '{}'", status.as_str()));
        }
        if let Some(linked) = self.linked {
            let is = "EXISTS (SELECT 1 FROM poi p WHERE p.id = n.poi_id)";
            found.and(if linked { is.to_owned() } else { format!("NOT {is}") });
        }
        if let Some(overridden) = self.overridden {
            found.and(if overridden { "n.overrides <> '{}'" } else { "n.overrides = '{}'" });
        }
        if let Some(poi) = self.poi {
            found.and(format!("n.poi_id = {poi}"));
        }
        found.words(db, search::SIT_RECORD, self.search.as_deref());
        Ok(found)
    }

    fn reach(&self) -> Option<[i64; 4]> {
        self.bbox.map(|[west, south, east, north]| [micro(west), micro(east), micro(south), micro(north)])
    }
}

/// A page of records.
#[derive(Debug, Clone, PartialEq)]
pub struct SitPage {
    pub items: Vec<SitRow>,
    pub counted: Counted,
}

const TABLE: &str = "sit_record";
/// The orders a list offers: word and column.
const SORTS: [(&str, &str); 3] = [("updated_at", "updated_at"), ("title", "sort_title"), ("id", "id")];

/// A page of records. `None` if `sort` is not an order that the list offers.
pub async fn list(
    db: &impl Connection,
    filter: &SitFilter,
    sort: &str,
    page: Page,
) -> Result<Option<SitPage>, StoreError> {
    let Some(sorted) = Sorted::parse(sort, &SORTS) else { return Ok(None) };
    let found = filter.conditions(db, filter.reach()).await?;
    let (ids, counted) = page_of(db, TABLE, &found, sorted, page).await?;
    Ok(Some(SitPage { items: load_many(db, &ids).await?, counted }))
}

/// A record on a map.
#[derive(Debug, Clone, PartialEq)]
pub struct SitPoint {
    pub id: i64,
    pub title: Text,
    /// Its place.
    pub position: [f64; 2],
}

/// What a map of the list shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SitMap {
    /// Clusters, in cells with many of them.
    pub clusters: Vec<Cell>,
    /// Single ones, in cells with few of them.
    pub items: Vec<SitPoint>,
    pub total: i64,
}

/// Up to this many are shown one by one.
const MAX_POINTS: i64 = 300;

/// What a map shows of the list, in the cells of a zoom.
pub async fn map(db: &impl Connection, filter: &SitFilter, grid: Grid) -> Result<SitMap, StoreError> {
    let found = filter.conditions(db, filter.bbox.map(|bbox| grid.reach(bbox))).await?;
    let mut summed = Summed::default();
    summed.add_rows(db, grid, "sit_record n", ["n.x", "n.y"], (found.sql(), found.values.clone())).await?;
    let total = summed.total();
    if total > MAX_POINTS {
        return Ok(SitMap { clusters: summed.cells(grid), items: Vec::new(), total });
    }
    let sql = format!(
        "SELECT n.id, n.title, n.lon, n.lat FROM sit_record n {} ORDER BY n.id LIMIT {MAX_POINTS}",
        found.sql()
    );
    let point = |row| {
        let id = get(row, "id")?;
        Ok(SitPoint {
            id,
            title: json(TABLE, id, &get::<String>(row, "title")?)?,
            position: [get(row, "lon")?, get(row, "lat")?],
        })
    };
    let items = all(db, &sql, found.values).await?.iter().map(point).collect::<Result<_, StoreError>>()?;
    Ok(SitMap { clusters: Vec::new(), items, total })
}

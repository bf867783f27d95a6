//! Points of interest.

use std::collections::HashSet;

use domain::record::Kind;
use domain::{Actor, PoiSheet, Text, WhiteLabelId, fold};
use sea_orm::{QueryResult, Value};

use crate::cells::micro;
use crate::cells::{Cell, Grid, Summed};
use crate::custom::{self, CustomFilter};
use crate::record::{
    Conditions, Counted, Record, Sorted, Stored, Words, capped_count, load_many, owned_counts, page_ids, page_of,
};
use crate::row::to_json;
use crate::sql::{all, execute, get, is_own, numbers, one};
use crate::{Connection, Dialect, OwnerFilter, Page, Store, StoreError, Tx, search, vocabulary};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct Pois;

impl Record for Pois {
    type Sheet = PoiSheet;
    const KIND: Kind = Kind::Poi;
    const TABLE: &'static str = "poi";
    const OWNED: bool = true;
    const PUBLISHED: bool = true;
    const WORDS: Option<Words> = Some(Words(search::POI));

    fn columns(record: &Stored<PoiSheet>, languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        let [lon, lat] = sheet.location.unwrap_or_default();
        vec![
            ("title", to_json(&sheet.title).into()),
            ("sort_title", sheet.sort_title().into()),
            ("lon", lon.into()),
            ("lat", lat.into()),
            ("x", micro(lon).into()),
            ("y", micro(lat).into()),
            ("good_address", sheet.flags.good_address.into()),
            ("must_see", sheet.flags.must_see.into()),
            ("detour_point", sheet.flags.detour_point.into()),
            ("landmark", sheet.flags.landmark.into()),
            ("bookable", sheet.flags.bookable.into()),
            ("distribute", sheet.distribute.into()),
            ("lack_bits", sheet.lack_bits(languages).into()),
            ("lacks", (sheet.missing(languages).len() as i16).into()),
        ]
    }

    fn title(sheet: &PoiSheet) -> Text {
        sheet.title.clone()
    }

    fn words(sheet: &PoiSheet) -> String {
        let titles: Vec<&str> = sheet.title.iter().map(|(_, words)| words).collect();
        format!("{} {}", titles.join(" "), sheet.address.city.as_deref().unwrap_or_default())
    }

    async fn saved(tx: &Tx, record: &Stored<PoiSheet>) -> Result<(), StoreError> {
        if record.version == 1 && record.sheet.custom.is_empty() {
            // A new record has no stored values to replace.
            return Ok(());
        }
        let owner = record.white_label_id.unwrap_or_default();
        custom::write(tx, Self::KIND, record.id, owner, &record.sheet.custom).await
    }
}

/// The filters of a list of POIs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PoiFilter {
    /// The white-label that looks: what it has is all seen, of the others what is published or was added.
    pub viewer: WhiteLabelId,
    pub owner: OwnerFilter,
    /// Every one of these words.
    pub search: Option<String>,
    /// Inside west, south, east, north.
    pub bbox: Option<[f64; 4]>,
    /// With any of these categories or themes, or their descendants; each list is a separate condition.
    pub terms: Vec<Vec<i64>>,
    /// Published or not.
    pub published: Option<bool>,
    /// Handed to our own applications or not.
    pub distribute: Option<bool>,
    /// With this tick, one of [`domain::PoiFlags::NAMES`].
    pub flag: Option<&'static str>,
    /// Lacking each of these: bits of [`domain::poi_lack_bit`].
    pub missing: Vec<i16>,
    /// With something still to fill in, or without.
    pub incomplete: Option<bool>,
    /// With these values of white-labels' own fields.
    pub custom: Vec<CustomFilter>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

impl PoiFilter {
    /// What a white-label sees.
    pub fn seen_from(viewer: WhiteLabelId) -> Self {
        Self { viewer, ..Self::default() }
    }

    fn owner_clause(&self) -> String {
        let (me, added) = (self.viewer.0, added_by(self.viewer));
        match self.owner {
            OwnerFilter::Mine => format!("n.white_label_id = {me}"),
            OwnerFilter::Shared => format!("n.white_label_id <> {me} AND (n.published = TRUE OR {added})"),
            OwnerFilter::All => format!("(n.white_label_id = {me} OR n.published = TRUE OR {added})"),
        }
    }

    /// Whether more is asked than whose they are, whether they are published, and where.
    fn is_narrowed(&self) -> bool {
        let plain = Self {
            viewer: self.viewer,
            owner: self.owner,
            published: self.published,
            bbox: self.bbox,
            ..Self::default()
        };
        *self != plain
    }

    /// All conditions but the owner's.
    async fn conditions(&self, db: &impl Connection) -> Result<Conditions, StoreError> {
        let reach = self.bbox.map(|[west, south, east, north]| [micro(west), micro(east), micro(south), micro(north)]);
        self.conditions_within(db, reach).await
    }

    /// The same, for the whole of the cells the box touches.
    async fn within_cells(&self, db: &impl Connection, grid: Grid) -> Result<Conditions, StoreError> {
        self.conditions_within(db, self.bbox.map(|bbox| grid.reach(bbox))).await
    }

    async fn conditions_within(&self, db: &impl Connection, reach: Option<[i64; 4]>) -> Result<Conditions, StoreError> {
        let mut found = Conditions::default();
        if let Some([west, east, south, north]) = reach {
            found.and(format!("n.x BETWEEN {west} AND {east} AND n.y BETWEEN {south} AND {north}"));
            if let Some(strips) = strips(west, east).filter(|_| db.dialect() == Dialect::Postgres) {
                found.and(strips);
            }
        }
        for terms in self.terms.iter().filter(|terms| !terms.is_empty()) {
            found.pointing(Kind::Poi, Kind::Vocabulary, Some(&vocabulary::with_those_under(db, terms).await?));
        }
        for (column, wanted) in [("published", self.published), ("distribute", self.distribute)] {
            if let Some(wanted) = wanted {
                found.and(format!("n.{column} = {}", if wanted { "TRUE" } else { "FALSE" }));
            }
        }
        if let Some(flag) = self.flag {
            found.and(format!("n.{flag} = TRUE"));
        }
        if let Some(incomplete) = self.incomplete {
            found.and(if incomplete { "n.lacks > 0" } else { "n.lacks = 0" });
        }
        for wanted in &self.custom {
            let among = wanted.found(Kind::Poi, |value| found.bind(value));
            found.and(format!("n.id IN ({among})"));
        }
        for bit in &self.missing {
            found.and(format!("(n.lack_bits & {bit}) <> 0"));
        }
        found.within("id", self.ids.as_deref());
        found.words(db, search::POI, self.search.as_deref());
        Ok(found)
    }
}

/// How wide the strips of the index `poi_by_strip` are, in millionths of a degree (`m0102_strips_of_places`).
const STRIP: i64 = 20_000;
/// The most strips that a question names: a box of two degrees.
const MAX_STRIPS: usize = 100;

/// The condition that a POI is in one of the strips between two longitudes; none if there are more than [`MAX_STRIPS`]. With it PostgreSQL reads, in
/// each strip, the latitudes of the box alone. By longitude alone it reads every POI between the western and the eastern side of the box.
fn strips(west: i64, east: i64) -> Option<String> {
    // As PostgreSQL divides: towards zero.
    let (first, last) = (west / STRIP, east / STRIP);
    let strips: Vec<String> = (first..=last).take(MAX_STRIPS + 1).map(|strip| strip.to_string()).collect();
    (1..=MAX_STRIPS).contains(&strips.len()).then(|| format!("(n.x / {STRIP}) = ANY (ARRAY[{}])", strips.join(", ")))
}

/// How a list of POIs shares out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PoiCounts {
    /// The viewer's own.
    pub mine: Counted,
    /// What it sees of others.
    pub shared: Counted,
}

/// A page of POIs.
#[derive(Debug, Clone, PartialEq)]
pub struct PoiPage {
    pub items: Vec<Stored<PoiSheet>>,
    pub counted: Counted,
    pub counts: PoiCounts,
}

/// The orders a list offers: word and column.
const SORTS: [(&str, &str); 3] = [("updated_at", "updated_at"), ("title", "sort_title"), ("id", "id")];

/// The last saved first.
const LAST_SAVED: Sorted = Sorted { column: "updated_at", descending: true };

/// A page of the POIs a white-label sees. `None` if `sort` is not an order that the list offers.
pub async fn list(
    db: &impl Connection,
    filter: &PoiFilter,
    sort: &str,
    page: Page,
) -> Result<Option<PoiPage>, StoreError> {
    let Some(sorted) = Sorted::parse(sort, &SORTS) else { return Ok(None) };
    let before_owner = filter.conditions(db).await?;
    let counts = counts(db, filter, &before_owner).await?;
    let counted = match filter.owner {
        OwnerFilter::Mine => counts.mine,
        OwnerFilter::Shared => counts.shared,
        OwnerFilter::All => counts.mine.and(counts.shared),
    };
    let mut found = before_owner;
    found.and(filter.owner_clause());
    let ids = page_ids(db, Pois::TABLE, &found, sorted, page, counted).await?;
    Ok(Some(PoiPage { items: load_many::<Pois>(db, &ids).await?, counted, counts }))
}

/// The first of the POIs that a filter leaves, the last saved first, and how many there are.
pub async fn first(
    db: &impl Connection,
    filter: &PoiFilter,
    page: Page,
) -> Result<(Vec<Stored<PoiSheet>>, Counted), StoreError> {
    let mut found = filter.conditions(db).await?;
    found.and(filter.owner_clause());
    let (ids, counted) = page_of(db, Pois::TABLE, &found, LAST_SAVED, page).await?;
    Ok((load_many::<Pois>(db, &ids).await?, counted))
}

/// The viewer's own, and what it sees of others: published there, or added without being.
async fn counts(db: &impl Connection, filter: &PoiFilter, before_owner: &Conditions) -> Result<PoiCounts, StoreError> {
    let me = filter.viewer.0;
    if before_owner.has_words() {
        let seen = format!("n.published = TRUE OR {}", added_by(filter.viewer));
        let [mine, shared] = owned_counts(db, Pois::TABLE, before_owner, filter.viewer, &seen).await?;
        return Ok(PoiCounts { mine, shared });
    }
    let mut mine = before_owner.clone();
    mine.and(format!("n.white_label_id = {me}"));
    let mut published = before_owner.clone();
    // Two stretches of an index, where "another one" would be a walk through all of it.
    published.and("n.published = TRUE").and(format!("(n.white_label_id < {me} OR n.white_label_id > {me})"));
    let mut added = before_owner.clone();
    added.and("n.published = FALSE").and(format!("n.white_label_id <> {me}")).and(added_by(filter.viewer));
    let published = capped_count(db, Pois::TABLE, &published).await?;
    let added = capped_count(db, Pois::TABLE, &added).await?;
    Ok(PoiCounts { mine: capped_count(db, Pois::TABLE, &mine).await?, shared: published.and(added) })
}

/// The condition that a white-label added it to its own.
fn added_by(viewer: WhiteLabelId) -> String {
    let poi = Kind::Poi.code();
    format!("n.id IN (SELECT record_id FROM record_white_label WHERE white_label_id = {viewer} AND kind = {poi})")
}

/// The numbers of what a filter leaves, the last saved first, at most `limit`.
pub async fn ids(db: &impl Connection, filter: &PoiFilter, limit: u64) -> Result<Vec<i64>, StoreError> {
    let mut found = filter.conditions(db).await?;
    found.and(filter.owner_clause());
    let sql = format!("SELECT n.id FROM poi n {} ORDER BY n.updated_at DESC, n.id DESC LIMIT {limit}", found.sql());
    all(db, &sql, found.values).await?.iter().map(|row| get(row, 0)).collect()
}

/// POIs worked out in one transaction.
const AT_ONCE: usize = 1_000;

/// Works out what POIs of an older version lack. How many there were.
pub async fn work_out_lacks(store: &Store, languages: &[String]) -> Result<usize, StoreError> {
    let (mut done, mut after) = (0, i64::MIN);
    loop {
        let sql = format!("SELECT n.id FROM poi n WHERE n.lack_bits < 0 AND n.id > $1 ORDER BY n.id LIMIT {AT_ONCE}");
        let found = all(store.read(), &sql, [after.into()]).await?;
        let ids = found.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
        let Some(last) = ids.last() else { return Ok(done) };
        after = *last;
        let tx = store.begin().await?;
        for poi in load_many::<Pois>(&tx, &ids).await? {
            let bits = poi.sheet.lack_bits(languages);
            execute(&tx, "UPDATE poi SET lack_bits = $2 WHERE id = $1", [poi.id.into(), bits.into()]).await?;
        }
        done += ids.len();
        tx.commit().await?;
    }
}

/// The filtered POIs, at most `limit`: number and place.
pub async fn places(db: &impl Connection, filter: &PoiFilter, limit: u64) -> Result<Vec<(i64, [f64; 2])>, StoreError> {
    let mut found = filter.conditions(db).await?;
    found.and(filter.owner_clause());
    let by = by_place(db, filter, &found);
    let sql = format!("SELECT n.id, n.lon, n.lat FROM poi n {by} {} ORDER BY n.id LIMIT {limit}", found.sql());
    all(db, &sql, found.values).await?.iter().map(|row| Ok((get(row, 0)?, [get(row, 1)?, get(row, 2)?]))).collect()
}

/// Whether the person sees a POI: of their white-labels, published, or added by one of theirs.
pub async fn is_seen(db: &impl Connection, actor: &Actor, poi: &Stored<PoiSheet>) -> Result<bool, StoreError> {
    if poi.published || poi.white_label_id.is_some_and(|owner| actor.works_in(owner)) {
        return Ok(true);
    }
    let sql = format!(
        "SELECT 1 FROM record_white_label WHERE kind = {} AND record_id = $1 AND {} LIMIT 1",
        Kind::Poi.code(),
        is_own(actor, "white_label_id")
    );
    Ok(one(db, &sql, [poi.id.into()]).await?.is_some())
}

/// The POIs, of these, that content of a white-label may name: published ones, those of its structure, and those it added.
/// A draft of another tenant that a record of this one points to stays unnamed.
pub async fn shown_by(
    db: &impl Connection,
    white_label: WhiteLabelId,
    ids: &[i64],
) -> Result<HashSet<i64>, StoreError> {
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let sql = format!(
        "SELECT n.id FROM poi n WHERE n.id IN {} AND (n.published = TRUE OR {}
            OR n.white_label_id IN (SELECT there.id FROM white_label there
                JOIN white_label here ON here.structure_id = there.structure_id WHERE here.id = {white_label}))",
        numbers(ids),
        added_by(white_label)
    );
    all(db, &sql, []).await?.iter().map(|row| get(row, 0)).collect()
}

/// The POIs of a name inside a box (west, south, east, north in degrees), without the POI `except`: these may be the same place entered twice.
/// Case and accents are ignored. At most 20.
pub async fn of_name(
    db: &impl Connection,
    sort_title: &str,
    bbox: [f64; 4],
    except: i64,
) -> Result<Vec<Stored<PoiSheet>>, StoreError> {
    let sql = "SELECT n.id FROM poi n WHERE n.sort_title = $1 AND n.x BETWEEN $2 AND $3 AND n.y BETWEEN $4 AND $5 AND n.id <> $6 ORDER BY n.id LIMIT 20";
    let [west, south, east, north] = bbox.map(micro);
    let values: [Value; 6] =
        [fold(sort_title).into(), west.into(), east.into(), south.into(), north.into(), except.into()];
    let ids = all(db, sql, values).await?.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    load_many::<Pois>(db, &ids).await
}

/// A POI on a map.
#[derive(Debug, Clone, PartialEq)]
pub struct PoiPoint {
    pub id: i64,
    pub title: Text,
    /// Its place.
    pub position: [f64; 2],
    /// The owner's switch.
    pub published: bool,
}

/// What a map of the list shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PoiMap {
    /// Clusters, in cells with many of them.
    pub clusters: Vec<Cell>,
    /// Single ones, in cells with few of them.
    pub items: Vec<PoiPoint>,
    pub total: i64,
}

/// Up to this many are shown one by one.
const MAX_POINTS: i64 = 300;

/// What a map shows of the list, in the cells of a zoom.
pub async fn map(db: &impl Connection, filter: &PoiFilter, grid: Grid) -> Result<PoiMap, StoreError> {
    let summed = match summed_kept(db, filter, grid).await? {
        Some(summed) => summed,
        None => summed_rows(db, filter, grid).await?,
    };
    let total = summed.total();
    if total > MAX_POINTS {
        return Ok(PoiMap { clusters: summed.cells(grid), items: Vec::new(), total });
    }
    let mut found = filter.within_cells(db, grid).await?;
    found.and(filter.owner_clause());
    let sql = format!(
        "SELECT n.id, n.title, n.lon, n.lat, n.published FROM poi n {} {} ORDER BY n.id LIMIT {MAX_POINTS}",
        by_place(db, filter, &found),
        found.sql()
    );
    let items = all(db, &sql, found.values).await?.iter().map(point_of).collect::<Result<Vec<_>, _>>()?;
    Ok(PoiMap { clusters: Vec::new(), items, total })
}

/// The index of places, where nothing but a box narrows a map: SQLite would look at all that is published instead.
fn by_place(db: &impl Connection, filter: &PoiFilter, found: &Conditions) -> &'static str {
    let plain = filter.bbox.is_some() && filter.ids.is_none() && filter.terms.is_empty() && filter.custom.is_empty();
    if db.dialect() == Dialect::Sqlite && plain && !found.has_words() { "INDEXED BY poi_by_place" } else { "" }
}

async fn summed_rows(db: &impl Connection, filter: &PoiFilter, grid: Grid) -> Result<Summed, StoreError> {
    let mut found = filter.within_cells(db, grid).await?;
    found.and(filter.owner_clause());
    let from = format!("poi n {}", by_place(db, filter, &found));
    let mut summed = Summed::default();
    summed.add_rows(db, grid, &from, ["n.x", "n.y"], (found.sql(), found.values)).await?;
    Ok(summed)
}

/// The same from the sums stored by cell, where they are enough for the filter.
async fn summed_kept(db: &impl Connection, filter: &PoiFilter, grid: Grid) -> Result<Option<Summed>, StoreError> {
    let (me, mut kept, mut summed) = (filter.viewer.0, Conditions::default(), Summed::default());
    if filter.is_narrowed() {
        return Ok(None);
    }
    match filter.owner {
        OwnerFilter::Mine => kept.and(format!("n.white_label_id = {me}")),
        OwnerFilter::Shared => kept.and(format!("n.white_label_id <> {me} AND n.state = 1")),
        OwnerFilter::All => kept.and(format!("(n.white_label_id = {me} OR n.state = 1)")),
    };
    if let Some(published) = filter.published {
        kept.and(format!("n.state = {}", i16::from(published)));
    }
    if !summed.add_stored(db, grid, Kind::Poi, filter.bbox, kept).await? {
        return Ok(None);
    }
    if filter.owner != OwnerFilter::Mine && filter.published != Some(true) {
        // POIs added without being published are found by their rows alone; there are few of them.
        let mut added = filter.within_cells(db, grid).await?;
        added.and(format!("n.white_label_id <> {me} AND n.published = FALSE")).and(added_by(filter.viewer));
        summed.add_rows(db, grid, "poi n", ["n.x", "n.y"], (added.sql(), added.values)).await?;
    }
    Ok(Some(summed))
}

fn point_of(row: &QueryResult) -> Result<PoiPoint, StoreError> {
    Ok(PoiPoint {
        id: get(row, "id")?,
        title: crate::row::text(get(row, "title")?),
        position: [get(row, "lon")?, get(row, "lat")?],
        published: get(row, "published")?,
    })
}

#[cfg(test)]
mod tests {
    use super::strips;

    #[test]
    fn a_box_names_its_strips_on_both_sides_of_greenwich() {
        assert_eq!(strips(-30_000, 39_999).as_deref(), Some("(n.x / 20000) = ANY (ARRAY[-1, 0, 1])"));
        assert_eq!(strips(2_000_000, 2_000_000).as_deref(), Some("(n.x / 20000) = ANY (ARRAY[100])"));
        assert!(strips(0, 1_999_999).is_some() && strips(0, 2_000_000).is_none(), "two degrees");
        assert_eq!(strips(10_000_000, -10_000_000), None);
    }
}

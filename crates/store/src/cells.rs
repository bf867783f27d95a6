//! Records on a map where they are many: counted in cells of about 60 pixels, whole ones, so that a count stays the same
//! while the map is moved.
//!
//! Counting the rows takes 60 ms for 100,000 on SQLite and 600 ms for 3,000,000 on PostgreSQL, so sums are read instead: `map_cell` has them at
//! five zooms, kept up by triggers (`m0009_orders`, `m0093_map_cells`). Writers of PostgreSQL would wait for each other at a sum they share:
//! there each change is a row of `map_change`, and every thousandth one adds those that are there to the sums. See `docs/decisions/0076`.

use std::collections::BTreeMap;

use domain::record::Kind;
use sea_orm::Value;

use crate::advisory_lock::MAP_SUMS;
use crate::kept_sums::KeptSums;
use crate::record::Conditions;
use crate::sql::{all, get, one};
use crate::{Connection, Dialect, Store, StoreError};

/// The side of a cell at zoom 0 in millionths of a degree: 60 of the world's 512 pixels.
const SIDE_AT_ZOOM_0: i64 = 42_187_500;
/// Added to a longitude or latitude, in millionths of a degree, so that it is positive: both databases then divide alike.
const LON_OFFSET: i64 = 180_000_000;
const LAT_OFFSET: i64 = 90_000_000;
/// The zooms at which sums are kept; a cell of a zoom between them is made of whole cells of the next.
const SUM_ZOOMS: [u32; 5] = [3, 5, 7, 9, 11];
/// The most cells of an answer; the records of further cells count only in the total.
const MAX_CELLS: usize = 2_000;

/// Degrees as whole millionths, which both databases divide alike.
pub(crate) fn micro(degrees: f64) -> i64 {
    (degrees * 1_000_000.0).round() as i64
}

/// Records in one cell of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The mean of their positions: degrees east and north.
    pub position: [f64; 2],
    pub count: i64,
    /// The cell: west, south, east, north.
    pub bbox: [f64; 4],
}

/// The cells of a zoom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    side: i64,
    /// The zoom of the sums it is made from, and how many of their cells make one side of its cells.
    kept: Option<(u32, i64)>,
}

impl Grid {
    /// The cells for a zoom of the map, the nearest whole one; 6 by default.
    pub fn at(zoom: Option<f64>) -> Self {
        let zoom = zoom.filter(|zoom| zoom.is_finite()).unwrap_or(6.0).clamp(0.0, 22.0).round() as u32;
        match SUM_ZOOMS.into_iter().find(|kept| *kept >= zoom) {
            Some(kept) => {
                let times = 1 << (kept - zoom);
                Self { side: (SIDE_AT_ZOOM_0 >> kept) * times, kept: Some((kept, times)) }
            }
            None => Self { side: (SIDE_AT_ZOOM_0 >> zoom).max(1), kept: None },
        }
    }

    /// The first and the last column, the first and the last row, of the cells that a box touches.
    fn touched(self, [west, south, east, north]: [f64; 4]) -> [i64; 4] {
        let column = |degrees| (micro(degrees) + LON_OFFSET).div_euclid(self.side);
        let row = |degrees| (micro(degrees) + LAT_OFFSET).div_euclid(self.side);
        [column(west), column(east), row(south), row(north)]
    }

    /// The least and the greatest x and y, in millionths, of the cells that a box touches.
    pub(crate) fn reach(self, bbox: [f64; 4]) -> [i64; 4] {
        let [first, last, bottom, top] = self.touched(bbox);
        let start = |cell: i64, shift: i64| cell * self.side - shift;
        [
            start(first, LON_OFFSET),
            start(last + 1, LON_OFFSET) - 1,
            start(bottom, LAT_OFFSET),
            start(top + 1, LAT_OFFSET) - 1,
        ]
    }

    fn cell(self, (column, row): (i64, i64), sums: Sums) -> Cell {
        let degrees = |micro: i64| micro as f64 / 1_000_000.0;
        let [west, south] = [column * self.side - LON_OFFSET, row * self.side - LAT_OFFSET];
        let middle = |sum: i64| degrees(sum.div_euclid(sums.count.max(1)));
        Cell {
            position: [middle(sums.x), middle(sums.y)],
            count: sums.count,
            bbox: [degrees(west), degrees(south), degrees(west + self.side), degrees(south + self.side)],
        }
    }
}

/// How many, and the sums of their coordinates in millionths.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    count: i64,
    x: i64,
    y: i64,
}

/// Sums by column and row of the cell.
#[derive(Debug, Default)]
pub(crate) struct Summed(BTreeMap<(i64, i64), Sums>);

impl Summed {
    /// How many in all cells.
    pub(crate) fn total(&self) -> i64 {
        self.0.values().map(|sums| sums.count).sum()
    }

    /// The cells, from west to east, at most as many as a map takes.
    pub(crate) fn cells(self, grid: Grid) -> Vec<Cell> {
        self.0.into_iter().take(MAX_CELLS).map(|(at, sums)| grid.cell(at, sums)).collect()
    }

    async fn add(&mut self, db: &impl Connection, sql: &str, values: Vec<Value>) -> Result<(), StoreError> {
        for row in all(db, sql, values).await? {
            let sums = self.0.entry((get(&row, "across")?, get(&row, "up")?)).or_default();
            sums.count += get::<i64>(&row, "total")?;
            sums.x += get::<i64>(&row, "sum_x")?;
            sums.y += get::<i64>(&row, "sum_y")?;
        }
        Ok(())
    }

    /// Adds rows of a table, written with its alias, by the columns of their coordinates.
    pub(crate) async fn add_rows(
        &mut self,
        db: &impl Connection,
        grid: Grid,
        from: &str,
        [x, y]: [&str; 2],
        (clause, values): (String, Vec<Value>),
    ) -> Result<(), StoreError> {
        let side = grid.side;
        let sql = format!(
            "SELECT ({x} + {LON_OFFSET}) / {side} AS across, ({y} + {LAT_OFFSET}) / {side} AS up, COUNT(*) AS total,
            CAST(SUM({x}) AS BIGINT) AS sum_x, CAST(SUM({y}) AS BIGINT) AS sum_y
            FROM {from} {clause} GROUP BY ({x} + {LON_OFFSET}) / {side}, ({y} + {LAT_OFFSET}) / {side}"
        );
        self.add(db, &sql, values).await
    }

    /// Adds the stored sums of a kind, within a box where one is given; `of` may have conditions on `n.white_label_id` and
    /// `n.state`. Returns false where this zoom or this kind has no stored sums: the caller then counts the rows.
    pub(crate) async fn add_stored(
        &mut self,
        db: &impl Connection,
        grid: Grid,
        kind: Kind,
        bbox: Option<[f64; 4]>,
        mut of: Conditions,
    ) -> Result<bool, StoreError> {
        let Some((level, times)) = grid.kept else { return Ok(false) };
        if !is_filled(db, kind).await? {
            return Ok(false);
        }
        of.and(format!("n.kind = {} AND n.level = {level}", kind.code()));
        if let Some(bbox) = bbox {
            let [first, last, bottom, top] = grid.touched(bbox);
            of.and(format!("n.across BETWEEN {} AND {}", first * times, (last + 1) * times - 1));
            of.and(format!("n.up BETWEEN {} AND {}", bottom * times, (top + 1) * times - 1));
        }
        let sql = format!(
            "SELECT n.across / {times} AS across, n.up / {times} AS up, CAST(SUM(n.total) AS BIGINT) AS total,
              CAST(SUM(n.sum_x) AS BIGINT) AS sum_x, CAST(SUM(n.sum_y) AS BIGINT) AS sum_y FROM {} {}
            GROUP BY 1, 2 HAVING SUM(n.total) > 0",
            kept(db.dialect(), level),
            of.sql()
        );
        self.add(db, &sql, of.values).await?;
        Ok(true)
    }
}

/// The sums of a zoom: on PostgreSQL with the changes that were not added to them yet.
fn kept(dialect: Dialect, level: u32) -> String {
    match dialect {
        Dialect::Sqlite => "map_cell n".to_owned(),
        Dialect::Postgres => {
            let side = SIDE_AT_ZOOM_0 >> level;
            format!(
                "(SELECT kind, level, across, up, white_label_id, state, total, sum_x, sum_y FROM map_cell
                UNION ALL SELECT kind, CAST({level} AS SMALLINT), (x + {LON_OFFSET}) / {side}, (y + {LAT_OFFSET}) / {side}, white_label_id, state, CAST(step AS BIGINT), step * x, step * y
                FROM map_change) n"
            )
        }
    }
}

/// Whether the stored sums of a kind are complete. On SQLite they always are: the migration that made the table filled it.
async fn is_filled(db: &impl Connection, kind: Kind) -> Result<bool, StoreError> {
    match db.dialect() {
        Dialect::Sqlite => Ok(true),
        Dialect::Postgres => {
            let sql = "SELECT 1 FROM map_filled WHERE kind = $1";
            Ok(one(db, sql, [kind.code().into()]).await?.is_some())
        }
    }
}

/// What the sums of a kind are made from: the table, the coordinates, and the state.
const FILLED_FROM: [(Kind, &str); 2] = [
    (
        Kind::Parcours,
        "SELECT start_x AS x, start_y AS y, white_label_id, progress * 2 + shared AS state FROM parcours WHERE start_x IS NOT NULL AND start_y IS NOT NULL",
    ),
    (Kind::Poi, "SELECT x, y, white_label_id, CAST(published AS INTEGER) AS state FROM poi"),
];

/// Works out the sums of a database of PostgreSQL that has none yet.
pub async fn fill(store: &Store) -> Result<(), StoreError> {
    for (kind, rows) in FILLED_FROM {
        let code = kind.code();
        let sums = KeptSums {
            lock: MAP_SUMS,
            is_filled: format!("SELECT 1 FROM map_filled WHERE kind = {code}"),
            fill: [
                format!("DELETE FROM map_change WHERE kind = {code}"),
                format!(
                    "INSERT INTO map_cell SELECT {code}, l.level, (r.x + {LON_OFFSET}) / l.side, (r.y + {LAT_OFFSET}) / l.side, r.white_label_id, r.state,
                    COUNT(*), SUM(r.x), SUM(r.y) FROM ({rows}) r CROSS JOIN map_level l GROUP BY 1, 2, 3, 4, 5, 6"
                ),
                format!("INSERT INTO map_filled (kind) VALUES ({code})"),
            ],
        };
        sums.work_out(store).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cells_of_every_zoom_nest_in_those_kept() {
        for zoom in 0..=11 {
            let grid = Grid::at(Some(f64::from(zoom)));
            let made_of = grid.kept.map(|(kept, times)| Grid::at(Some(f64::from(kept))).side * times);
            assert_eq!(made_of, Some(grid.side));
        }
        assert_eq!(Grid::at(Some(12.0)).kept, None);
        assert_eq!(Grid::at(Some(f64::NAN)), Grid::at(None));
        assert!(Grid::at(Some(400.0)).side > 0);
    }

    #[test]
    fn a_map_of_too_many_cells_still_tells_how_many_there_are() {
        let one = Sums { count: 3, x: 0, y: 0 };
        let summed = Summed((0..3_000).map(|column| ((column, 0), one)).collect());
        assert_eq!(summed.total(), 9_000);
        assert_eq!(summed.cells(Grid::at(Some(20.0))).len(), MAX_CELLS);
    }

    #[test]
    fn a_box_reaches_to_the_borders_of_its_cells() {
        let grid = Grid::at(Some(8.0));
        let [west, east, south, north] = grid.reach([2.5, 44.3, 3.7, 45.5]);
        assert!(west <= 2_500_000 && east >= 3_700_000 && south <= 44_300_000 && north >= 45_500_000);
        assert_eq!((west + LON_OFFSET) % grid.side, 0);
        assert_eq!((north + 1 + LAT_OFFSET) % grid.side, 0);
    }
}

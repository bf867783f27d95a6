//! Figures, all read from the sums of days.

use std::collections::HashMap;

use domain::statistics::{Day, EventKind, EventSource, Period};
use domain::{ParcoursId, Text, WhiteLabelId};
use sea_orm::{QueryResult, Value};

use crate::record::Conditions;
use crate::sql::{all, get, numbers, one};
use crate::{Connection, Dialect, StoreError};

/// Which events the figures count.
#[derive(Debug, Clone)]
pub struct Filter {
    pub period: Period,
    /// The white-labels it was shown on.
    pub white_label_ids: Vec<i64>,
    /// One parcours.
    pub parcours_id: Option<ParcoursId>,
    /// One kind of event.
    pub kind: Option<EventKind>,
    /// One source.
    pub source: Option<EventSource>,
    /// One country; empty for those that are not known.
    pub country: Option<String>,
    /// One language; empty for those that are not known.
    pub language: Option<String>,
}

/// What figures are broken down by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupBy {
    Parcours,
    WhiteLabel,
    Source,
    Country,
    Language,
}

/// How often each thing happened, in the order of [`EventKind::ALL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts(pub [i64; EventKind::ALL.len()]);

impl Counts {
    /// The count of one kind.
    pub fn of(&self, kind: EventKind) -> i64 {
        EventKind::ALL.iter().position(|one| *one == kind).map_or(0, |at| self.0[at])
    }

    /// The count of all kinds.
    pub fn total(&self) -> i64 {
        self.0.iter().sum()
    }

    /// Adds others.
    pub fn add(&mut self, others: &Self) {
        self.0.iter_mut().zip(others.0).for_each(|(sum, more)| *sum += more);
    }

    fn read(row: &QueryResult) -> Result<Self, StoreError> {
        let mut counts = Self::default();
        for (kind, count) in EventKind::ALL.into_iter().zip(counts.0.iter_mut()) {
            *count = get(row, kind.as_str())?;
        }
        Ok(counts)
    }
}

/// The figures of one group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// The number or the word of the group; empty if it is not known.
    pub key: String,
    /// Its figures.
    pub counts: Counts,
}

/// Where a parcours starts, and its figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub parcours_id: ParcoursId,
    /// Degrees east and north.
    pub position: [f64; 2],
    /// Its figures.
    pub counts: Counts,
}

/// A sum of each kind, in a column with the name of the kind.
fn kinds() -> String {
    let one = |kind: &EventKind| {
        let kind = kind.as_str();
        format!("CAST(SUM(CASE WHEN s.kind = '{kind}' THEN s.total ELSE 0 END) AS BIGINT) AS {kind}")
    };
    EventKind::ALL.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The sums that a question reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SumsOf {
    EachParcours,
    /// Of the parcours asked for, else of all parcours of each white-label.
    EachWhiteLabel,
    /// Of all white-labels together.
    All,
}

impl SumsOf {
    /// The table, as `s`.
    fn table(self, dialect: Dialect) -> &'static str {
        match (self, dialect) {
            (Self::EachParcours | Self::EachWhiteLabel, _) => "statistics_day s",
            (Self::All, Dialect::Sqlite) => "statistics_all s",
            (Self::All, Dialect::Postgres) => {
                "(SELECT day, kind, source, country, language, total FROM statistics_all
                UNION ALL SELECT day, kind, source, country, language, step FROM statistics_change) s"
            }
        }
    }
}

impl Filter {
    /// The sums that a query without groups by parcours or white-label reads: those of all white-labels together, if the filter has all of them.
    async fn of_days(&self, db: &impl Connection) -> Result<SumsOf, StoreError> {
        if self.parcours_id.is_some() || self.white_label_ids.len() < 2 {
            return Ok(SumsOf::EachWhiteLabel);
        }
        let ids = numbers(&self.white_label_ids);
        let asks_all = format!("NOT EXISTS (SELECT 1 FROM white_label WHERE id NOT IN {ids})");
        let sql = match db.dialect() {
            Dialect::Sqlite => format!("SELECT 1 WHERE {asks_all}"),
            Dialect::Postgres => format!("SELECT 1 WHERE EXISTS (SELECT 1 FROM statistics_filled) AND {asks_all}"),
        };
        Ok(if one(db, &sql, []).await?.is_some() { SumsOf::All } else { SumsOf::EachWhiteLabel })
    }

    /// The `WHERE` clause and its values.
    fn rows(&self, of: SumsOf) -> (String, Vec<Value>) {
        let mut rows = Conditions::default();
        if of != SumsOf::All {
            rows.and(format!("s.white_label_id IN {}", numbers(&self.white_label_ids)));
            match self.parcours_id {
                Some(id) => rows.and(format!("s.parcours_id = {id}")),
                None if of == SumsOf::EachParcours => rows.and("s.parcours_id > 0"),
                None => rows.and("s.parcours_id = 0"),
            };
        }
        rows.and(format!("s.day BETWEEN {} AND {}", self.period.from.0, self.period.to.0));
        if let Some(kind) = self.kind {
            rows.and(format!("s.kind = '{}'", kind.as_str()));
        }
        if let Some(source) = self.source {
            rows.and(format!("s.source = '{}'", source.as_str()));
        }
        for (column, asked) in [("country", &self.country), ("language", &self.language)] {
            if let Some(asked) = asked {
                let value = rows.bind(asked.clone());
                rows.and(format!("s.{column} = {value}"));
            }
        }
        let clause = rows.sql();
        (clause, rows.values)
    }
}

/// The figures of each day on which something happened, in order.
pub async fn by_day(db: &impl Connection, filter: &Filter) -> Result<Vec<(Day, Counts)>, StoreError> {
    let of = filter.of_days(db).await?;
    let (clause, values) = filter.rows(of);
    // What was deleted may leave a sum of 0.
    let sql = format!(
        "SELECT s.day, {} FROM {} {clause} GROUP BY s.day HAVING SUM(s.total) > 0 ORDER BY s.day",
        kinds(),
        of.table(db.dialect())
    );
    all(db, &sql, values).await?.iter().map(|row| Ok((Day(get(row, "day")?), Counts::read(row)?))).collect()
}

/// The figures broken down, the greatest first.
pub async fn by(db: &impl Connection, filter: &Filter, by: GroupBy, limit: u64) -> Result<Vec<Sum>, StoreError> {
    let column = match by {
        GroupBy::Parcours => "s.parcours_id",
        GroupBy::WhiteLabel => "s.white_label_id",
        GroupBy::Source => "s.source",
        GroupBy::Country => "s.country",
        GroupBy::Language => "s.language",
    };
    let of = match by {
        GroupBy::Parcours => SumsOf::EachParcours,
        GroupBy::WhiteLabel => SumsOf::EachWhiteLabel,
        GroupBy::Source | GroupBy::Country | GroupBy::Language => filter.of_days(db).await?,
    };
    let (clause, values) = filter.rows(of);
    let sql = format!(
        "SELECT CAST({column} AS TEXT) AS key, {} FROM {} {clause} GROUP BY {column}
        HAVING SUM(s.total) > 0 ORDER BY SUM(s.total) DESC, {column} LIMIT {limit}",
        kinds(),
        of.table(db.dialect())
    );
    let rows = all(db, &sql, values).await?;
    rows.iter().map(|row| Ok(Sum { key: get(row, "key")?, counts: Counts::read(row)? })).collect()
}

/// The hosts of the sites that led here, the one that led most often first.
pub async fn hosts(db: &impl Connection, filter: &Filter, limit: u64) -> Result<Vec<(String, i64)>, StoreError> {
    let sql = format!(
        "SELECT s.host, CAST(SUM(s.total) AS BIGINT) FROM statistics_host s
        WHERE s.white_label_id IN {} AND s.day BETWEEN $1 AND $2 GROUP BY s.host ORDER BY SUM(s.total) DESC, s.host LIMIT {limit}",
        numbers(&filter.white_label_ids)
    );
    let rows = all(db, &sql, [filter.period.from.0.into(), filter.period.to.0.into()]).await?;
    rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

/// The starts of the parcours with figures, the greatest first.
pub async fn points(db: &impl Connection, filter: &Filter, limit: u64) -> Result<Vec<Point>, StoreError> {
    let (clause, values) = filter.rows(SumsOf::EachParcours);
    let sql = format!(
        "SELECT p.id, p.start_x, p.start_y, {} FROM statistics_day s JOIN parcours p ON p.id = s.parcours_id
        {clause} AND p.start_x IS NOT NULL GROUP BY p.id, p.start_x, p.start_y ORDER BY SUM(s.total) DESC, p.id LIMIT {limit}",
        kinds()
    );
    let degrees = |micro: i64| micro as f64 / 1_000_000.0;
    let point = |row: &QueryResult| {
        Ok(Point {
            parcours_id: ParcoursId(get(row, "id")?),
            position: [degrees(get(row, "start_x")?), degrees(get(row, "start_y")?)],
            counts: Counts::read(row)?,
        })
    };
    all(db, &sql, values).await?.iter().map(point).collect()
}

/// The first day of which some white-labels have figures.
pub async fn first_day(db: &impl Connection, white_label_ids: &[i64]) -> Result<Option<Day>, StoreError> {
    // One look into the key for each white-label: a MIN over all of them would read every row.
    let first =
        "SELECT s.day FROM statistics_day s WHERE s.white_label_id = w.id AND s.parcours_id = 0 ORDER BY s.day LIMIT 1";
    let sql = format!(
        "SELECT MIN(f.day) FROM (SELECT ({first}) AS day FROM white_label w WHERE w.id IN {}) f",
        numbers(white_label_ids)
    );
    let found = one(db, &sql, []).await?.map(|row| get::<Option<i64>>(&row, 0)).transpose()?;
    Ok(found.flatten().map(Day))
}

/// The names of parcours; one that is erased for good has none.
pub async fn titles_of(db: &impl Connection, ids: &[i64]) -> Result<HashMap<i64, Text>, StoreError> {
    Ok(crate::parcours::titles(db, ids).await?.into_iter().collect())
}

/// The white-label on whose site a parcours is shown: the one asked for, its owner by default. `None` where it is not shown there,
/// is not public, or where that site is not published.
pub async fn shown_on(
    db: &impl Connection,
    parcours: ParcoursId,
    asked: Option<WhiteLabelId>,
) -> Result<Option<WhiteLabelId>, StoreError> {
    let sql = "SELECT w.id FROM parcours p JOIN white_label w ON w.id = COALESCE($2, p.white_label_id)
        LEFT JOIN parcours_white_label l ON l.parcours_id = p.id AND l.white_label_id = w.id
        WHERE p.id = $1 AND w.published
        AND CASE WHEN w.id = p.white_label_id THEN p.published ELSE COALESCE(l.published, 0) END = 1";
    let values: [Value; 2] = [parcours.0.into(), asked.map(|id| id.0).into()];
    one(db, sql, values).await?.map(|row| Ok(WhiteLabelId(get(&row, 0)?))).transpose()
}

//! Lines and stops of what was read, found by words or by place.

use domain::fold;
use domain::transit::{Departures, TransitLine};
use domain::transport_line::{LineBikes, LineMode};
use sea_orm::{QueryResult, Value};

use crate::sql::{all, escaped, get, json, numbers};
use crate::{Connection, StoreError};

/// The most lines in one answer: a longer list is of no use.
const MAX_FOUND: usize = 20_000;
/// The most stops of one place.
const MAX_STOPS: usize = 2_000;

/// The filters of the list of lines.
#[derive(Debug, Clone, Default)]
pub struct LineQuery {
    /// Words of the name, the code, the operator or a stop.
    pub search: Option<String>,
    /// With one of these running on it.
    pub modes: Vec<LineMode>,
    /// Where a bicycle comes along like this.
    pub bikes: Vec<LineBikes>,
    /// Run by this one.
    pub operator: Option<String>,
}

/// The numbers of the lines of an edition that match, best first: the code itself, codes that begin like it, names that begin
/// like it, all others by name.
pub async fn matching_lines(db: &impl Connection, edition: i64, query: &LineQuery) -> Result<Vec<i64>, StoreError> {
    let mut values: Vec<Value> = vec![edition.into()];
    let mut of = "l.edition = $1".to_owned();
    let mut rank = "0".to_owned();
    let asked = fold(query.search.as_deref().unwrap_or_default());
    if !asked.is_empty() {
        values.push(asked.clone().into());
        let begins = format!("{}%", escaped(&asked));
        values.push(begins.into());
        rank = "CASE WHEN l.code = $2 THEN 0 WHEN l.code LIKE $3 ESCAPE '!' THEN 1
            WHEN l.sort_title LIKE $3 ESCAPE '!' THEN 2 ELSE 3 END"
            .to_owned();
        // Each word is in the line's own words, or all of them in the name of one of its stops.
        let (mut own, mut stop) = (Vec::new(), Vec::new());
        for word in asked.split(' ').filter(|word| !word.is_empty()) {
            values.push(format!("%{}%", escaped(word)).into());
            let place = values.len();
            own.push(format!("l.words LIKE ${place} ESCAPE '!'"));
            stop.push(format!("s.words LIKE ${place} ESCAPE '!'"));
        }
        of += &format!(
            " AND (l.code = $2 OR ({}) OR l.number IN (SELECT c.line FROM transit_stop s
            JOIN transit_call c ON c.edition = s.edition AND c.stop = s.number WHERE s.edition = $1 AND {}))",
            own.join(" AND "),
            stop.join(" AND ")
        );
    }
    let modes: Vec<&str> = query.modes.iter().map(|mode| mode.as_str()).collect();
    let bikes: Vec<&str> = query.bikes.iter().map(|bikes| bikes.as_str()).collect();
    for (column, words) in [("mode", modes), ("bikes", bikes)] {
        if !words.is_empty() {
            of += &format!(" AND l.{column} IN ('{}')", words.join("', '"));
        }
    }
    if let Some(operator) = query.operator.as_deref().map(fold).filter(|operator| !operator.is_empty()) {
        values.push(operator.into());
        of += &format!(" AND l.operator = ${}", values.len());
    }
    let sql = format!(
        "SELECT l.number, {rank} AS ranked FROM transit_line l WHERE {of} ORDER BY ranked, l.sort_title, l.number LIMIT {MAX_FOUND}"
    );
    all(db, &sql, values).await?.iter().map(|row| get(row, 0)).collect()
}

/// The operators of an edition, unchanged, by name.
pub async fn operators(db: &impl Connection, edition: i64) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT MIN(number) FROM transit_line WHERE edition = $1 AND operator <> '' GROUP BY operator
        ORDER BY operator LIMIT 500";
    let rows = all(db, sql, [edition.into()]).await?;
    let first = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    let lines = lines_at(db, edition, &first).await?;
    Ok(lines.into_iter().filter_map(|(_, line)| line.operator).collect())
}

/// Lines of an edition by number, in the order of the numbers asked for.
pub async fn lines_at(
    db: &impl Connection,
    edition: i64,
    asked: &[i64],
) -> Result<Vec<(i64, TransitLine)>, StoreError> {
    let sql = format!("SELECT number, body FROM transit_line WHERE edition = $1 AND number IN {}", numbers(asked));
    let mut found = std::collections::HashMap::new();
    for row in all(db, &sql, [edition.into()]).await? {
        let line: TransitLine = json("transit_line", edition, &get::<String>(&row, 1)?)?;
        found.insert(get::<i64>(&row, 0)?, line);
    }
    Ok(asked.iter().filter_map(|number| Some((*number, found.remove(number)?))).collect())
}

/// A stop of an edition.
#[derive(Debug, Clone, PartialEq)]
pub struct StopAt {
    pub number: i64,
    pub name: String,
    /// Longitude and latitude.
    pub at: [f64; 2],
}

fn stop(row: &QueryResult) -> Result<StopAt, StoreError> {
    let degrees = |micro: i64| micro as f64 / 1e6;
    Ok(StopAt {
        number: get(row, "number")?,
        name: get(row, "name")?,
        at: [degrees(get(row, "x")?), degrees(get(row, "y")?)],
    })
}

/// The stops in a box: west, south, east, north.
pub async fn stops_in(db: &impl Connection, edition: i64, bbox: [f64; 4]) -> Result<Vec<StopAt>, StoreError> {
    let micro = |degrees: f64| (degrees * 1e6).round() as i64;
    let sql = format!(
        "SELECT number, name, x, y FROM transit_stop WHERE edition = $1 AND y BETWEEN $2 AND $3 AND x BETWEEN $4 AND $5
        ORDER BY number LIMIT {MAX_STOPS}"
    );
    let [west, south, east, north] = bbox.map(micro);
    let values: [Value; 5] = [edition.into(), south.into(), north.into(), west.into(), east.into()];
    all(db, &sql, values).await?.iter().map(stop).collect()
}

/// A line at a stop, by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallAt {
    pub stop: i64,
    pub line: i64,
    pub departures: Vec<Departures>,
}

/// The lines at some stops.
pub async fn calls_at(db: &impl Connection, edition: i64, stops: &[i64]) -> Result<Vec<CallAt>, StoreError> {
    let sql = format!(
        "SELECT stop, line, departures FROM transit_call WHERE edition = $1 AND stop IN {} ORDER BY stop, line",
        numbers(stops)
    );
    let rows = all(db, &sql, [edition.into()]).await?;
    rows.iter()
        .map(|row| {
            let departures = json("transit_call", edition, &get::<String>(row, 2)?)?;
            Ok(CallAt { stop: get(row, 0)?, line: get(row, 1)?, departures })
        })
        .collect()
}

/// The stops of a line, with its departures from each.
pub async fn calls_of_line(
    db: &impl Connection,
    edition: i64,
    line: i64,
) -> Result<Vec<(StopAt, Vec<Departures>)>, StoreError> {
    let sql = format!(
        "SELECT s.number, s.name, s.x, s.y, c.departures FROM transit_call c
        JOIN transit_stop s ON s.edition = c.edition AND s.number = c.stop
        WHERE c.edition = $1 AND c.line = $2 ORDER BY s.words, s.number LIMIT {MAX_STOPS}"
    );
    let rows = all(db, &sql, [edition.into(), line.into()]).await?;
    rows.iter()
        .map(|row| Ok((stop(row)?, json("transit_call", edition, &get::<String>(row, "departures")?)?)))
        .collect()
}

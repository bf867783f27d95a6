//! Itineraries, and the parcours that follow them.

use domain::itinerary::{ItineraryKind, ItinerarySheet, MultiLine};
use domain::parcours::Leg;
use domain::record::Kind;
use domain::{Actor, ParcoursId, Text, fold};
use sea_orm::Value;
use trace::Position;

use crate::parcours::{title_of, visible_to};
use crate::parcours_link::link_kinds;
use crate::parcours_trace::{boxes_touching, line_in_use};
use crate::record::{Conditions, Counted, Record, Sorted, Stored, Words, load_many, page_of};
use crate::sql::{all, execute, get, json, numbers, text};
use crate::{Connection, Page, StoreError, Tx, search};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct Itineraries;

impl Record for Itineraries {
    type Sheet = ItinerarySheet;
    const KIND: Kind = Kind::Itinerary;
    const TABLE: &'static str = "itinerary";
    const WORDS: Option<Words> = Some(Words(search::ITINERARY));

    fn columns(record: &Stored<ItinerarySheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        let line = sheet.line.as_ref();
        let mut columns: Vec<(&str, Value)> = vec![
            ("type", sheet.kind.as_str().into()),
            ("sort_title", fold(sheet.name.best("fr")).into()),
            ("length_m", line.map_or(0, |line| line.length_m().round() as i64).into()),
            ("line_key", line.map_or(0, |line| crate::parcours::network_number(&text(line))).into()),
        ];
        let bbox = line.and_then(MultiLine::bbox);
        for (index, name) in ["west", "south", "east", "north"].into_iter().enumerate() {
            columns.push((name, bbox.map(|corners| corners[index]).into()));
        }
        columns
    }

    fn title(sheet: &ItinerarySheet) -> Text {
        sheet.name.clone()
    }

    fn words(sheet: &ItinerarySheet) -> String {
        let names: Vec<&str> = sheet.name.iter().map(|(_, words)| words).collect();
        format!("{} {}", names.join(" "), sheet.code.as_deref().unwrap_or_default())
    }
}

/// The filters of a list of itineraries.
#[derive(Debug, Clone, Default)]
pub struct ItineraryFilter {
    /// Every one of these words.
    pub search: Option<String>,
    /// Only those of one of these kinds.
    pub kinds: Vec<ItineraryKind>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

/// The orders a list offers: word and column.
const SORTS: [(&str, &str); 3] = [("title", "sort_title"), ("updated_at", "updated_at"), ("length", "length_m")];

/// A page of itineraries; `None` if `sort` is not an order that the list offers.
pub async fn list(
    db: &impl Connection,
    filter: &ItineraryFilter,
    sort: &str,
    page: Page,
) -> Result<Option<(Vec<Stored<ItinerarySheet>>, Counted)>, StoreError> {
    let Some(sorted) = Sorted::parse(sort, &SORTS) else { return Ok(None) };
    let mut found = Conditions::default();
    if !filter.kinds.is_empty() {
        let words: Vec<&str> = filter.kinds.iter().map(|kind| kind.as_str()).collect();
        found.and(format!("n.type IN ('{}')", words.join("', '")));
    }
    found.within("id", filter.ids.as_deref());
    found.words(db, search::ITINERARY, filter.search.as_deref());
    let (ids, counted) = page_of(db, Itineraries::TABLE, &found, sorted, page).await?;
    Ok(Some((load_many::<Itineraries>(db, &ids).await?, counted)))
}

/// The numbers of all itineraries, with the versions of their sheets.
pub async fn versions(db: &impl Connection) -> Result<Vec<(i64, i64)>, StoreError> {
    let rows = all(db, "SELECT id, version FROM itinerary ORDER BY id", []).await?;
    rows.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

/// A key that changes with the line of an itinerary.
pub async fn line_key(db: &impl Connection, id: i64) -> Result<i64, StoreError> {
    let row = crate::sql::one(db, "SELECT line_key FROM itinerary WHERE id = $1", [id.into()]).await?;
    Ok(row.map(|row| get(&row, 0)).transpose()?.unwrap_or(0))
}

/// A parcours that comes near an itinerary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nearby {
    pub id: ParcoursId,
    pub trace_revision: i64,
    /// How many metres of it follow the itinerary, where that was worked out before.
    pub share_m: Option<i64>,
}

/// The parcours the person sees whose box touches one of these boxes (west, south, east, north), with their known shares.
pub async fn nearby(
    db: &impl Connection,
    actor: &Actor,
    id: i64,
    line_key: i64,
    boxes: &[[f64; 4]],
) -> Result<Vec<Nearby>, StoreError> {
    if boxes.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT p.id, p.trace_revision, k.share_m FROM parcours p
        LEFT JOIN itinerary_parcours k ON k.itinerary_id = $1 AND k.parcours_id = p.id AND k.line_key = $2 AND k.trace_revision = p.trace_revision
        WHERE p.trace_revision IS NOT NULL AND p.id IN ({}) AND {} ORDER BY p.id",
        boxes_touching(db.dialect(), boxes),
        visible_to(actor)
    );
    let one = |row| Ok(Nearby { id: ParcoursId(get(row, 0)?), trace_revision: get(row, 1)?, share_m: get(row, 2)? });
    all(db, &sql, [id.into(), line_key.into()]).await?.iter().map(one).collect()
}

/// The lines in use of some parcours.
pub async fn lines(db: &impl Connection, ids: &[i64]) -> Result<Vec<(ParcoursId, Vec<Position>)>, StoreError> {
    let sql = format!(
        "SELECT p.id, t.summary, t.planned_line, t.legs FROM parcours p
        JOIN parcours_trace t ON t.parcours_id = p.id AND t.revision = p.trace_revision WHERE p.id IN {}",
        numbers(ids)
    );
    let table = "parcours_trace";
    let mut found = Vec::with_capacity(ids.len());
    for row in all(db, &sql, []).await? {
        let id: i64 = get(&row, "id")?;
        let planned: Option<String> = get(&row, "planned_line")?;
        let planned: Option<Vec<Position>> = planned.map(|line| json(table, id, &line)).transpose()?;
        let legs: Vec<Leg> = json(table, id, &get::<String>(&row, "legs")?)?;
        let summary = json(table, id, &get::<String>(&row, "summary")?)?;
        found.push((ParcoursId(id), line_in_use(&summary, planned.as_deref(), &legs)));
    }
    Ok(found)
}

/// Keeps what was worked out.
pub async fn remember(tx: &Tx, id: i64, line_key: i64, found: &[Nearby]) -> Result<(), StoreError> {
    // Numbers, written into the statement: a few hundred rows each.
    for some in found.chunks(500) {
        let rows: Vec<String> = some
            .iter()
            .filter_map(|one| Some(format!("({id},{},{line_key},{},{})", one.id, one.trace_revision, one.share_m?)))
            .collect();
        if rows.is_empty() {
            continue;
        }
        let sql = format!(
            "INSERT INTO itinerary_parcours (itinerary_id, parcours_id, line_key, trace_revision, share_m) VALUES {}
            ON CONFLICT (itinerary_id, parcours_id) DO UPDATE SET line_key = excluded.line_key, trace_revision = excluded.trace_revision, share_m = excluded.share_m",
            rows.join(",")
        );
        execute(tx, &sql, []).await?;
    }
    Ok(())
}

/// Names and lengths of parcours: number, title, metres.
pub async fn followers(db: &impl Connection, ids: &[i64]) -> Result<Vec<(i64, Text, Option<f64>)>, StoreError> {
    let sql = format!(
        "SELECT p.id, k.card, p.distance_dm FROM parcours p JOIN parcours_card k ON k.parcours_id = p.id WHERE p.id IN {}",
        numbers(ids)
    );
    let one = |row| {
        let (id, metres): (i64, i64) = (get(row, 0)?, get(row, 2)?);
        Ok((id, title_of(id, &get::<String>(row, 1)?)?, (metres >= 0).then_some(metres as f64 / 10.0)))
    };
    all(db, &sql, []).await?.iter().map(one).collect()
}

/// The parcours the person sees whose sheet names an itinerary.
pub async fn naming(db: &impl Connection, actor: &Actor, id: i64) -> Result<Vec<i64>, StoreError> {
    let sql = format!(
        "SELECT p.id FROM parcours p WHERE p.id IN (SELECT parcours_id FROM parcours_link WHERE kind IN {} AND target_id = $1) AND {}",
        numbers(&link_kinds(Kind::Itinerary)),
        visible_to(actor)
    );
    all(db, &sql, [id.into()]).await?.iter().map(|row| get(row, 0)).collect()
}

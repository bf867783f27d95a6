//! Closures, and the stretches of parcours they touch.

pub mod detour;

use domain::closure::{ClosedStretch, ClosureKind, ClosureSheet, ClosureState, Detour};
use domain::record::Kind;
use domain::{ParcoursId, Text, fold};
use sea_orm::{QueryResult, Value};
use trace::Position;

use crate::parcours_trace::{in_box, line_of};
use crate::record::{Conditions, Counted, Record, Sorted, Stored, load_many, page_of};
use crate::sql::{Column, NumberList, all, execute, get, json, numbers, one, text};
use crate::{Connection, Page, StoreError, Tx};

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct Closures;

impl Record for Closures {
    type Sheet = ClosureSheet;
    const KIND: Kind = Kind::Closure;
    const TABLE: &'static str = "closure";
    const OWNED: bool = true;

    fn columns(record: &Stored<ClosureSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        let [west, south, east, north] =
            sheet.geometry.as_ref().and_then(|shape| shape.part().bbox()).unwrap_or_default();
        vec![
            ("sort_title", fold(&Self::words(sheet)).into()),
            ("kind", sheet.kind.as_str().into()),
            ("starts", sheet.from.clone().into()),
            ("ends", sheet.to.clone().into()),
            ("west", west.into()),
            ("south", south.into()),
            ("east", east.into()),
            ("north", north.into()),
        ]
    }

    fn title(sheet: &ClosureSheet) -> Text {
        sheet.title.clone()
    }

    async fn saved(tx: &Tx, record: &Stored<ClosureSheet>) -> Result<(), StoreError> {
        execute(tx, "DELETE FROM parcours_closure WHERE closure_id = $1", [record.id.into()]).await?;
        if let Some(bbox) = record.sheet.geometry.as_ref().and_then(|shape| shape.part().bbox()) {
            for id in in_box(tx, bbox).await? {
                let Some(line) = line_of(tx, id).await? else { continue };
                note(tx, record.id, &record.sheet, id, &line).await?;
            }
        }
        detour::follow_closure(tx, record).await?;
        match record.sheet.report_id {
            Some(report) => {
                let by = record.updated_by.as_ref().map(|(by, _)| *by);
                crate::feedback::answer_with_closure(tx, report, record.id, by, record.updated_at).await
            }
            None => Ok(()),
        }
    }
}

async fn note(
    tx: &Tx,
    closure_id: i64,
    closure: &ClosureSheet,
    parcours: ParcoursId,
    line: &[Position],
) -> Result<(), StoreError> {
    let Some(shape) = &closure.geometry else { return Ok(()) };
    let stretches: Vec<ClosedStretch> = shape.part().stretches(line).into_iter().map(Into::into).collect();
    if stretches.is_empty() {
        return Ok(());
    }
    // A save of the closure and one of the trace, at the same moment, both note it.
    let sql =
        "INSERT INTO parcours_closure (closure_id, parcours_id, starts, ends, stretches) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (closure_id, parcours_id)
        DO UPDATE SET starts = excluded.starts, ends = excluded.ends, stretches = excluded.stretches";
    let values: [Value; 5] = [
        closure_id.into(),
        parcours.0.into(),
        closure.from.clone().into(),
        closure.to.clone().into(),
        text(&stretches).into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Recalculates the closed stretches of a parcours whose line changed.
pub(crate) async fn touch(tx: &Tx, id: ParcoursId, line: &[Position], bbox: [f64; 4]) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM parcours_closure WHERE parcours_id = $1", [id.0.into()]).await?;
    touch_new(tx, id, line, bbox).await?;
    detour::follow_line(tx, id, line).await
}

/// The same for a new parcours, which has no stored stretches yet.
pub(crate) async fn touch_new(tx: &Tx, id: ParcoursId, line: &[Position], bbox: [f64; 4]) -> Result<(), StoreError> {
    let sql = "SELECT id FROM closure WHERE west <= $3 AND east >= $1 AND south <= $4 AND north >= $2";
    let rows = all(tx, sql, bbox.map(Value::from)).await?;
    let ids = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    for closure in load_many::<Closures>(tx, &ids).await? {
        note(tx, closure.id, &closure.sheet, id, line).await?;
    }
    Ok(())
}

/// The parts of a parcours that one closure closes.
#[derive(Debug, Clone, PartialEq)]
pub struct ParcoursClosure {
    pub closure: Stored<ClosureSheet>,
    /// Where it is closed.
    pub stretches: Vec<ClosedStretch>,
    /// The published way round each stretch, in their order.
    pub detours: Vec<Option<Detour>>,
}

/// The closures of a parcours that are not past on a day, the first to begin first.
pub async fn of_parcours(
    db: &impl Connection,
    id: ParcoursId,
    today: &str,
) -> Result<Vec<ParcoursClosure>, StoreError> {
    let sql = "SELECT closure_id, stretches FROM parcours_closure WHERE parcours_id = $1 AND (ends IS NULL OR ends >= $2) ORDER BY starts, closure_id";
    let rows = all(db, sql, [id.0.into(), today.into()]).await?;
    let found =
        rows.iter().map(|row| Ok((get(row, 0)?, stretches(row, 1)?))).collect::<Result<Vec<_>, StoreError>>()?;
    let ids: Vec<i64> = found.iter().map(|(id, _)| *id).collect();
    let closures = load_many::<Closures>(db, &ids).await?;
    let published = if ids.is_empty() { Vec::new() } else { detour::of_parcours(db, id).await? };
    let of = |closure: Stored<ClosureSheet>| {
        let stretches = found.iter().find(|(id, _)| *id == closure.id).map(|(_, list)| list.clone());
        let stretches = stretches.unwrap_or_default();
        let around = |closed: &ClosedStretch| {
            let own = published.iter().find(|one| one.closure_id == closure.id && one.closed == *closed);
            own.map(|one| one.detour.clone())
        };
        ParcoursClosure { detours: stretches.iter().map(around).collect(), stretches, closure }
    };
    Ok(closures.into_iter().map(of).collect())
}

/// Where a closure closes a parcours.
async fn stretches_of(db: &impl Connection, closure: i64, id: ParcoursId) -> Result<Vec<ClosedStretch>, StoreError> {
    let sql = "SELECT stretches FROM parcours_closure WHERE closure_id = $1 AND parcours_id = $2";
    let row = one(db, sql, [closure.into(), id.0.into()]).await?;
    Ok(row.map(|row| stretches(&row, 0)).transpose()?.unwrap_or_default())
}

/// The stretches in a column of `parcours_closure`.
pub(crate) fn stretches(row: &QueryResult, column: impl Column) -> Result<Vec<ClosedStretch>, StoreError> {
    json("parcours_closure", 0, &get::<String>(row, column)?)
}

/// The parcours, of these, that are closed on a day.
pub async fn closed_among(
    db: &impl Connection,
    ids: &[ParcoursId],
    today: &str,
) -> Result<Vec<ParcoursId>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let list = NumberList::of(db, &ids);
    let sql = format!(
        "SELECT DISTINCT parcours_id FROM parcours_closure WHERE {} AND starts <= $1 AND (ends IS NULL OR ends >= $1)",
        list.has("parcours_id", 2)
    );
    all(db, &sql, std::iter::once(today.into()).chain(list.value()))
        .await?
        .iter()
        .map(|row| get(row, 0).map(ParcoursId))
        .collect()
}

/// How many parcours each of some closures touches.
pub async fn touched_totals(db: &impl Connection, ids: &[i64]) -> Result<Vec<(i64, i64)>, StoreError> {
    let sql = format!(
        "SELECT closure_id, COUNT(*) FROM parcours_closure WHERE closure_id IN {} GROUP BY closure_id",
        numbers(ids)
    );
    all(db, &sql, []).await?.iter().map(|row| Ok((get(row, 0)?, get(row, 1)?))).collect()
}

/// The filters of a list of closures.
#[derive(Debug, Clone, Default)]
pub struct ClosureFilter {
    /// Every one of these words, in the title.
    pub search: Option<String>,
    /// In this state on that day.
    pub state: Option<(ClosureState, String)>,
    /// For one of these reasons.
    pub kinds: Vec<ClosureKind>,
    /// Only closures whose box touches this one: west, south, east, north.
    pub bbox: Option<[f64; 4]>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

/// The orders a list offers: word and column.
const SORTS: [(&str, &str); 3] = [("from", "starts"), ("title", "sort_title"), ("updated_at", "updated_at")];

/// A page of closures. `None` if `sort` is not an order that the list offers.
pub async fn list(
    db: &impl Connection,
    filter: &ClosureFilter,
    sort: &str,
    page: Page,
) -> Result<Option<(Vec<Stored<ClosureSheet>>, Counted)>, StoreError> {
    let Some(sorted) = Sorted::parse(sort, &SORTS) else { return Ok(None) };
    let mut found = Conditions::default();
    for word in fold(filter.search.as_deref().unwrap_or_default()).split(' ').filter(|word| !word.is_empty()) {
        // A folded word has letters and digits only: nothing in it is a wildcard.
        let place = found.bind(format!("%{word}%"));
        found.and(format!("n.sort_title LIKE {place}"));
    }
    if let Some((state, today)) = &filter.state {
        let day = found.bind(today.clone());
        found.and(match state {
            ClosureState::Later => format!("n.starts > {day}"),
            ClosureState::Now => format!("n.starts <= {day} AND (n.ends IS NULL OR n.ends >= {day})"),
            ClosureState::Past => format!("n.ends < {day}"),
        });
    }
    if !filter.kinds.is_empty() {
        let words: Vec<&str> = filter.kinds.iter().map(|kind| kind.as_str()).collect();
        found.and(format!("n.kind IN ('{}')", words.join("', '")));
    }
    if let Some([west, south, east, north]) = filter.bbox {
        let [west, south, east, north] = [west, south, east, north].map(|degrees| found.bind(degrees));
        found.and(format!("n.west <= {east} AND n.east >= {west} AND n.south <= {north} AND n.north >= {south}"));
    }
    found.within("id", filter.ids.as_deref());
    let (ids, counted) = page_of(db, Closures::TABLE, &found, sorted, page).await?;
    Ok(Some((load_many::<Closures>(db, &ids).await?, counted)))
}

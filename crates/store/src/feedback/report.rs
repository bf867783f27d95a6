//! Field reports.

use domain::feedback::{NewReport, REPORT_EMAIL_KEPT_S, ReportKind, ReportState, SOLVED_EMAIL_KEPT_S};
use domain::{Instant, ParcoursId, Text, UserId, WhiteLabelId};
use sea_orm::QueryResult;

use super::{Subject, hold, is_parcours_erased, note, settle};
use crate::row::word;
use crate::session::TokenHash;
use crate::sql::{NumberList, all, execute, flag, get, inserted, json, numbers, one, text};
use crate::{Connection, Page, StoreError, Tx};

/// The most warnings of a parcours that are shown.
const MAX_WARNINGS: u64 = 20;

/// A stored field report.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub id: i64,
    /// Where it was made.
    pub parcours_id: ParcoursId,
    /// On whose site.
    pub white_label_id: WhiteLabelId,
    pub state: ReportState,
    /// The report as sent; the e-mail address is empty once it is erased.
    pub said: NewReport,
    /// Metres from the departure, where the place is on the line.
    pub at_m: Option<f64>,
    /// The blob of its photo.
    pub photo_key: Option<String>,
    /// Whether walkers are warned while it is seen and not solved.
    pub shown: bool,
    /// The staff's own words for that.
    pub warning: Text,
    /// When it was sent.
    pub sent_at: Instant,
    /// When it was solved.
    pub solved_at: Option<Instant>,
    /// The closure that answers it; it may be deleted since.
    pub closure_id: Option<i64>,
}

const COLUMNS: &str =
    "id, parcours_id, white_label_id, state, kind, lon, lat, at_m, body, email, language, photo_key, shown,
    warning, sent_at, solved_at, closure_id";

fn report(row: &QueryResult) -> Result<Report, StoreError> {
    let id: i64 = get(row, "id")?;
    let (state, kind): (String, String) = (get(row, "state")?, get(row, "kind")?);
    let place: (Option<f64>, Option<f64>) = (get(row, "lon")?, get(row, "lat")?);
    Ok(Report {
        id,
        parcours_id: ParcoursId(get(row, "parcours_id")?),
        white_label_id: WhiteLabelId(get(row, "white_label_id")?),
        state: word("field_report", id, &state, ReportState::parse(&state))?,
        said: NewReport {
            kind: word("field_report", id, &kind, ReportKind::parse(&kind))?,
            position: place.0.zip(place.1).map(|(lon, lat)| [lon, lat]),
            text: get(row, "body")?,
            email: get(row, "email")?,
            language: get(row, "language")?,
            has_photo: get::<Option<String>>(row, "photo_key")?.is_some(),
        },
        at_m: get(row, "at_m")?,
        photo_key: get(row, "photo_key")?,
        shown: flag(row, "shown")?,
        warning: json("field_report", id, &get::<String>(row, "warning")?)?,
        sent_at: Instant(get(row, "sent_at")?),
        solved_at: get::<Option<i64>>(row, "solved_at")?.map(Instant),
        closure_id: get(row, "closure_id")?,
    })
}

/// Keeps a report; a photo may follow with the token of this hash.
pub async fn insert_report(
    tx: &Tx,
    (parcours, white_label): (ParcoursId, WhiteLabelId),
    said: &NewReport,
    at_m: Option<f64>,
    hash: &TokenHash,
    now: Instant,
) -> Result<i64, StoreError> {
    let sql = "INSERT INTO field_report (parcours_id, white_label_id, state, kind, lon, lat, at_m, body, email, language, photo_hash, sent_at)
        VALUES ($1, $2, 'new', $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id";
    let values = [
        parcours.0.into(),
        white_label.0.into(),
        said.kind.as_str().into(),
        said.position.map(|[lon, _]| lon).into(),
        said.position.map(|[_, lat]| lat).into(),
        at_m.into(),
        said.text.clone().into(),
        said.email.clone().into(),
        said.language.clone().into(),
        hash.to_vec().into(),
        now.0.into(),
    ];
    inserted(tx, "field_report", sql, values).await
}

/// The report a photo may still be added to.
pub async fn report_of_photo(
    db: &impl Connection,
    hash: &TokenHash,
    sent_after: Instant,
) -> Result<Option<Report>, StoreError> {
    let sql =
        format!("SELECT {COLUMNS} FROM field_report WHERE photo_hash = $1 AND sent_at > $2 AND photo_key IS NULL");
    one(db, &sql, [hash.to_vec().into(), sent_after.0.into()]).await?.as_ref().map(report).transpose()
}

/// Adds the photo. False when there is one already, or no report any more.
pub async fn add_photo(tx: &Tx, id: i64, key: &str) -> Result<bool, StoreError> {
    let sql = "UPDATE field_report SET photo_key = $2, photo_hash = NULL WHERE id = $1 AND photo_key IS NULL";
    Ok(execute(tx, sql, [id.into(), key.into()]).await? > 0)
}

/// A report of a parcours.
pub async fn find_report(db: &impl Connection, parcours: ParcoursId, id: i64) -> Result<Option<Report>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM field_report WHERE parcours_id = $1 AND id = $2");
    one(db, &sql, [parcours.0.into(), id.into()]).await?.as_ref().map(report).transpose()
}

/// Reports by their numbers, of any parcours.
pub async fn reports_by_id(db: &impl Connection, ids: &[i64]) -> Result<Vec<Report>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("SELECT {COLUMNS} FROM field_report WHERE id IN {}", numbers(ids));
    all(db, &sql, []).await?.iter().map(report).collect()
}

/// Notes that a closure answers a report: a new one is seen from then on. Nothing where it is noted already, or the report is
/// gone.
pub async fn answer_with_closure(
    tx: &Tx,
    id: i64,
    closure: i64,
    by: Option<UserId>,
    at: Instant,
) -> Result<(), StoreError> {
    let Some(found) = reports_by_id(tx, &[id]).await?.pop().filter(|found| found.closure_id != Some(closure)) else {
        return Ok(());
    };
    hold(tx, found.parcours_id).await?;
    let sql = "UPDATE field_report SET closure_id = $2, state = CASE WHEN state = 'new' THEN 'seen' ELSE state END WHERE id = $1";
    execute(tx, sql, [id.into(), closure.into()]).await?;
    note(tx, (Subject::Report, id), ("closed", "", ""), by, at).await?;
    settle(tx, found.parcours_id, at).await
}

/// Writes what the staff changed of it.
pub async fn save_report(tx: &Tx, after: &Report) -> Result<(), StoreError> {
    let sql = "UPDATE field_report SET state = $2, shown = $3, warning = $4, solved_at = $5 WHERE id = $1";
    let values = [
        after.id.into(),
        after.state.as_str().into(),
        i16::from(after.shown).into(),
        text(&after.warning).into(),
        after.solved_at.map(|at| at.0).into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Deletes a report. Its photo is the caller's to delete.
pub async fn delete_report(tx: &Tx, id: i64) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM field_report WHERE id = $1", [id.into()]).await?;
    Ok(())
}

/// Reports of a parcours, the last sent first.
pub async fn reports(
    db: &impl Connection,
    parcours: ParcoursId,
    state: Option<ReportState>,
    page: Page,
) -> Result<Vec<Report>, StoreError> {
    let state = state.map(|state| format!(" AND state = '{}'", state.as_str())).unwrap_or_default();
    let sql = format!(
        "SELECT {COLUMNS} FROM field_report WHERE parcours_id = $1{state} ORDER BY id DESC LIMIT {} OFFSET {}",
        page.per_page(),
        page.offset()
    );
    all(db, &sql, [parcours.0.into()]).await?.iter().map(report).collect()
}

/// How the reports of a parcours share out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReportCounts {
    /// Not looked at yet.
    pub new: i64,
    pub seen: i64,
    pub solved: i64,
}

/// How the reports of a parcours share out.
pub async fn count_reports(db: &impl Connection, parcours: ParcoursId) -> Result<ReportCounts, StoreError> {
    let sql = "SELECT state, COUNT(*) FROM field_report WHERE parcours_id = $1 GROUP BY state";
    let mut counts = ReportCounts::default();
    for row in all(db, sql, [parcours.0.into()]).await? {
        let count = get(&row, 1)?;
        match ReportState::parse(&get::<String>(&row, 0)?) {
            Some(ReportState::New) => counts.new = count,
            Some(ReportState::Seen) => counts.seen = count,
            Some(ReportState::Solved) => counts.solved = count,
            None => {}
        }
    }
    Ok(counts)
}

/// What walkers are warned of: a report that the staff saw, show, and have not solved.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    pub kind: ReportKind,
    /// Metres from the departure.
    pub at_m: Option<f64>,
    /// The staff's words.
    pub words: Text,
    /// When it was reported.
    pub at: Instant,
}

/// What walkers of a parcours are warned of, in the order they meet it.
pub async fn warnings(db: &impl Connection, parcours: ParcoursId) -> Result<Vec<Warning>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM field_report WHERE parcours_id = $1 AND state = 'seen' AND shown = 1
        ORDER BY CASE WHEN at_m IS NULL THEN 1 ELSE 0 END, at_m, id LIMIT {MAX_WARNINGS}"
    );
    let rows = all(db, &sql, [parcours.0.into()]).await?;
    let warning = |report: Report| Warning {
        kind: report.said.kind,
        at_m: report.at_m,
        words: report.warning,
        at: report.sent_at,
    };
    rows.iter().map(|row| report(row).map(warning)).collect()
}

/// The parcours, of these, whose walkers are warned.
pub async fn warned(db: &impl Connection, ids: &[ParcoursId]) -> Result<Vec<ParcoursId>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let list = NumberList::of(db, &ids);
    let sql = format!(
        "SELECT DISTINCT parcours_id FROM field_report WHERE {} AND state = 'seen' AND shown = 1",
        list.has("parcours_id", 1)
    );
    all(db, &sql, list.value()).await?.iter().map(|row| get(row, 0).map(ParcoursId)).collect()
}

/// Erases addresses that are over their time, and what was reported of parcours that are gone; gives the photos of those.
pub async fn tidy_reports(tx: &Tx, now: Instant) -> Result<Vec<String>, StoreError> {
    let addresses = "UPDATE field_report SET email = '' WHERE email <> '' AND (solved_at <= $1 OR sent_at <= $2)";
    let before = [now.plus_s(-SOLVED_EMAIL_KEPT_S).0.into(), now.plus_s(-REPORT_EMAIL_KEPT_S).0.into()];
    execute(tx, addresses, before).await?;
    let sql = format!("DELETE FROM field_report WHERE {} RETURNING photo_key", is_parcours_erased("field_report"));
    let rows = all(tx, &sql, []).await?;
    let keys = rows.iter().map(|row| get::<Option<String>>(row, 0)).collect::<Result<Vec<_>, _>>()?;
    Ok(keys.into_iter().flatten().collect())
}

//! Feedback of visitors: reviews, field reports, the decisions on them, and the average of a parcours.
//!
//! A writer locks the parcours first ([`hold`]) and recalculates its average last ([`settle`]): the average is then always that
//! of the published reviews, also with several writers.

mod report;
mod review;

use std::collections::HashMap;

use domain::feedback::Rating;
use domain::{Instant, ParcoursId, UserId};

pub use report::{
    Report, ReportCounts, Warning, add_photo, answer_with_closure, count_reports, delete_report, find_report,
    insert_report, report_of_photo, reports, reports_by_id, save_report, tidy_reports, warned, warnings,
};
pub use review::{
    Review, ReviewCounts, ReviewFilter, by_token, confirm, count_reviews, find_review, has_other_review, insert_review,
    published_reviews, reviews, save_review, tidy_reviews,
};

use crate::sql::{NumberList, all, execute, get, numbers, person};
use crate::{Connection, StoreError, Tx};

/// The kind of feedback that a history entry belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Review,
    /// A field report.
    Report,
}

impl Subject {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Report => "report",
        }
    }
}

/// An entry of the history of a review or of a field report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry {
    /// `published`, `refused`, `answered`, `complaint`, `seen` …
    pub what: String,
    /// The reason, where it has one.
    pub kind: String,
    pub words: String,
    /// The user who did it: id and full name; absent for a visitor.
    pub by: Option<(UserId, String)>,
    pub at: Instant,
}

/// Feedback that waits for the staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// A review to read, or one that a reader reported.
    Reviews,
    /// A report that was not looked at yet.
    Reports,
}

impl Waiting {
    /// The state with this name.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "reviews" => Some(Self::Reviews),
            "reports" => Some(Self::Reports),
            _ => None,
        }
    }

    /// The SQL query for the parcours that have such feedback. It reads a partial index of waiting feedback.
    pub(crate) const fn rows(self) -> &'static str {
        match self {
            Self::Reviews => "SELECT parcours_id FROM review WHERE state = 'waiting' OR complaints > 0",
            Self::Reports => "SELECT parcours_id FROM field_report WHERE state = 'new'",
        }
    }
}

/// Locks the reviews and field reports of a parcours until the transaction ends.
pub async fn hold(tx: &Tx, id: ParcoursId) -> Result<(), StoreError> {
    let sql = "INSERT INTO parcours_feedback (parcours_id, stars, reviews, changed_at) VALUES ($1, 0, 0, 0)
        ON CONFLICT (parcours_id) DO UPDATE SET parcours_id = excluded.parcours_id";
    execute(tx, sql, [id.0.into()]).await?;
    Ok(())
}

/// Recalculates the sum of stars and the number of reviews from the published reviews.
pub async fn settle(tx: &Tx, id: ParcoursId, now: Instant) -> Result<(), StoreError> {
    let of = "FROM review WHERE parcours_id = $1 AND state = 'published'";
    let sql = format!(
        "UPDATE parcours_feedback SET stars = (SELECT CAST(COALESCE(SUM(rating), 0) AS BIGINT) {of}),
        reviews = (SELECT COUNT(*) {of}), changed_at = $2 WHERE parcours_id = $1"
    );
    execute(tx, &sql, [id.0.into(), now.0.into()]).await?;
    Ok(())
}

/// The rating of a parcours.
pub async fn rating(db: &impl Connection, id: ParcoursId) -> Result<Rating, StoreError> {
    Ok(ratings(db, &[id]).await?.remove(&id.0).unwrap_or_default())
}

/// The ratings of parcours that have one.
pub async fn ratings(db: &impl Connection, ids: &[ParcoursId]) -> Result<HashMap<i64, Rating>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let list = NumberList::of(db, &ids);
    let sql = format!(
        "SELECT parcours_id, stars, reviews FROM parcours_feedback WHERE reviews > 0 AND {}",
        list.has("parcours_id", 1)
    );
    let rows = all(db, &sql, list.value()).await?;
    rows.iter().map(|row| Ok((get(row, 0)?, Rating { stars: get(row, 1)?, reviews: get(row, 2)? }))).collect()
}

/// The condition that a parcours' average is within the bounds of a white-label; `id` is the column of its number.
pub(crate) fn within(id: &str, (min, max): (Option<f64>, Option<f64>)) -> Option<String> {
    let sides: Vec<String> = [min.map(|min| ("<", min)), max.map(|max| (">", max))]
        .into_iter()
        .flatten()
        // A checked number between 0 and 5: no user input is in the statement.
        .map(|(operator, bound)| format!("f.stars {operator} {bound:?} * f.reviews"))
        .collect();
    let outside = sides.join(" OR ");
    (!sides.is_empty()).then(|| {
        format!(
            "NOT EXISTS (SELECT 1 FROM parcours_feedback f WHERE f.parcours_id = {id} AND f.reviews > 0 AND ({outside}))"
        )
    })
}

/// Adds an entry to the history.
pub async fn note(
    tx: &Tx,
    (subject, id): (Subject, i64),
    happened: (&str, &str, &str),
    by: Option<UserId>,
    at: Instant,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO feedback_history (subject, subject_id, what, kind, words, user_id, at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let (what, kind, words) = happened;
    let values = [
        subject.as_str().into(),
        id.into(),
        what.into(),
        kind.into(),
        words.into(),
        by.map(|by| by.0).into(),
        at.0.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// The actions on each of these, the oldest first.
pub async fn history(
    db: &impl Connection,
    subject: Subject,
    ids: &[i64],
) -> Result<HashMap<i64, Vec<HistoryEntry>>, StoreError> {
    let sql = format!(
        r#"SELECT h.subject_id, h.what, h.kind, h.words, h.user_id, u.first_name, u.last_name, h.at
        FROM feedback_history h LEFT JOIN "user" u ON u.id = h.user_id
        WHERE h.subject = $1 AND h.subject_id IN {} ORDER BY h.id"#,
        numbers(ids)
    );
    let mut found: HashMap<i64, Vec<HistoryEntry>> = HashMap::new();
    for row in all(db, &sql, [subject.as_str().into()]).await? {
        found.entry(get(&row, "subject_id")?).or_default().push(HistoryEntry {
            what: get(&row, "what")?,
            kind: get(&row, "kind")?,
            words: get(&row, "words")?,
            by: person(&row, ["user_id", "first_name", "last_name"])?,
            at: Instant(get(&row, "at")?),
        });
    }
    Ok(found)
}

/// Erases the history of erased reviews and reports, and sums without a parcours.
pub async fn tidy_rest(tx: &Tx) -> Result<(), StoreError> {
    for (subject, table) in [(Subject::Review, "review"), (Subject::Report, "field_report")] {
        let sql =
            format!("DELETE FROM feedback_history WHERE subject = $1 AND subject_id NOT IN (SELECT id FROM {table})");
        execute(tx, &sql, [subject.as_str().into()]).await?;
    }
    let sql = format!("DELETE FROM parcours_feedback WHERE {}", is_parcours_erased("parcours_feedback"));
    execute(tx, &sql, []).await?;
    Ok(())
}

/// The condition that the parcours of a row is erased for good: one in the bin still has its revisions.
pub(crate) fn is_parcours_erased(table: &str) -> String {
    format!("NOT EXISTS (SELECT 1 FROM parcours_revision r WHERE r.parcours_id = {table}.parcours_id)")
}

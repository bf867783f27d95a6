//! Reviews.

use domain::feedback::{NewReview, Objection, REVIEW_EMAIL_KEPT_S, ReviewState, UNCONFIRMED_KEPT_S};
use domain::{Instant, ParcoursId, WhiteLabelId};
use sea_orm::QueryResult;

use super::is_parcours_erased;
use crate::row::word;
use crate::session::TokenHash;
use crate::sql::{all, execute, get, inserted, one};
use crate::{Connection, Page, StoreError, Tx};

/// A stored review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    pub id: i64,
    pub parcours_id: ParcoursId,
    /// Where it was written.
    pub white_label_id: WhiteLabelId,
    pub state: ReviewState,
    /// What its author wrote; the address is empty once it is erased.
    pub said: NewReview,
    /// When it was sent.
    pub sent_at: Instant,
    /// When its author opened the link.
    pub confirmed_at: Option<Instant>,
    /// When the staff published or refused it last.
    pub decided_at: Option<Instant>,
    /// Why it is refused.
    pub objection: Option<Objection>,
    pub objection_words: String,
    /// What the staff answer; empty without an answer.
    pub answer: String,
    /// When they did.
    pub answered_at: Option<Instant>,
    /// Readers who reported it since the staff last looked.
    pub complaints: i64,
}

const COLUMNS: &str = "id, parcours_id, white_label_id, state, rating, title, body, author, email, language, walked_on,
    sent_at, confirmed_at, decided_at, objection, objection_words, answer, answered_at, complaints";

fn review(row: &QueryResult) -> Result<Review, StoreError> {
    let id: i64 = get(row, "id")?;
    let state: String = get(row, "state")?;
    let instant = |column: &str| Ok::<_, StoreError>(get::<Option<i64>>(row, column)?.map(Instant));
    Ok(Review {
        id,
        parcours_id: ParcoursId(get(row, "parcours_id")?),
        white_label_id: WhiteLabelId(get(row, "white_label_id")?),
        state: word("review", id, &state, ReviewState::parse(&state))?,
        said: NewReview {
            rating: i64::from(get::<i16>(row, "rating")?),
            title: get(row, "title")?,
            text: get(row, "body")?,
            author: get(row, "author")?,
            email: get(row, "email")?,
            language: get(row, "language")?,
            walked_on: get(row, "walked_on")?,
        },
        sent_at: Instant(get(row, "sent_at")?),
        confirmed_at: instant("confirmed_at")?,
        decided_at: instant("decided_at")?,
        objection: get::<Option<String>>(row, "objection")?.and_then(|word| Objection::parse(&word)),
        objection_words: get(row, "objection_words")?,
        answer: get(row, "answer")?,
        answered_at: instant("answered_at")?,
        complaints: get(row, "complaints")?,
    })
}

/// Keeps a review until its author opens the link of this token.
pub async fn insert_review(
    tx: &Tx,
    (parcours, white_label): (ParcoursId, WhiteLabelId),
    said: &NewReview,
    hash: &TokenHash,
    now: Instant,
) -> Result<i64, StoreError> {
    let sql = "INSERT INTO review (parcours_id, white_label_id, state, rating, title, body, author, email, language, walked_on, confirm_hash, sent_at)
        VALUES ($1, $2, 'unconfirmed', $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id";
    let values = [
        parcours.0.into(),
        white_label.0.into(),
        (said.rating as i16).into(),
        said.title.clone().into(),
        said.text.clone().into(),
        said.author.clone().into(),
        said.email.clone().into(),
        said.language.clone().into(),
        said.walked_on.clone().into(),
        hash.to_vec().into(),
        now.0.into(),
    ];
    inserted(tx, "review", sql, values).await
}

/// The review of a mailed link, confirmed or not, while the link works.
pub async fn by_token(db: &impl Connection, hash: &TokenHash, now: Instant) -> Result<Option<Review>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM review WHERE confirm_hash = $1 AND sent_at > $2");
    let since = now.plus_s(-UNCONFIRMED_KEPT_S).0;
    one(db, &sql, [hash.to_vec().into(), since.into()]).await?.as_ref().map(review).transpose()
}

/// Whether the same address has another review of the parcours that is waiting or published.
pub async fn has_other_review(db: &impl Connection, of: &Review) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM review WHERE parcours_id = $1 AND email = $2 AND id <> $3 AND state IN ('waiting', 'published') LIMIT 1";
    let values = [of.parcours_id.0.into(), of.said.email.clone().into(), of.id.into()];
    Ok(one(db, sql, values).await?.is_some())
}

/// Its author opened the link. False when they did before.
pub async fn confirm(tx: &Tx, id: i64, now: Instant) -> Result<bool, StoreError> {
    let sql = "UPDATE review SET state = 'waiting', confirmed_at = $2 WHERE id = $1 AND state = 'unconfirmed'";
    Ok(execute(tx, sql, [id.into(), now.0.into()]).await? > 0)
}

/// A review of a parcours, once it is confirmed.
pub async fn find_review(db: &impl Connection, parcours: ParcoursId, id: i64) -> Result<Option<Review>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM review WHERE parcours_id = $1 AND id = $2 AND state <> 'unconfirmed'");
    one(db, &sql, [parcours.0.into(), id.into()]).await?.as_ref().map(review).transpose()
}

/// Writes what the staff or a reader changed of it.
pub async fn save_review(tx: &Tx, after: &Review) -> Result<(), StoreError> {
    let sql = "UPDATE review SET state = $2, decided_at = $3, objection = $4, objection_words = $5, answer = $6, answered_at = $7, complaints = $8
        WHERE id = $1";
    let values = [
        after.id.into(),
        after.state.as_str().into(),
        after.decided_at.map(|at| at.0).into(),
        after.objection.map(Objection::as_str).into(),
        after.objection_words.clone().into(),
        after.answer.clone().into(),
        after.answered_at.map(|at| at.0).into(),
        after.complaints.into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// Which reviews of a parcours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReviewFilter {
    pub state: Option<ReviewState>,
    /// Only those that readers reported.
    pub reported: bool,
}

/// Confirmed reviews of a parcours, the last sent first.
pub async fn reviews(
    db: &impl Connection,
    parcours: ParcoursId,
    filter: ReviewFilter,
    page: Page,
) -> Result<Vec<Review>, StoreError> {
    let state =
        filter.state.map_or("state <> 'unconfirmed'".to_owned(), |state| format!("state = '{}'", state.as_str()));
    let reported = if filter.reported { " AND complaints > 0" } else { "" };
    let sql = format!(
        "SELECT {COLUMNS} FROM review WHERE parcours_id = $1 AND {state}{reported} AND state <> 'unconfirmed'
        ORDER BY id DESC LIMIT {} OFFSET {}",
        page.per_page(),
        page.offset()
    );
    all(db, &sql, [parcours.0.into()]).await?.iter().map(review).collect()
}

/// Published reviews of a parcours, the last sent first.
pub async fn published_reviews(
    db: &impl Connection,
    parcours: ParcoursId,
    page: Page,
) -> Result<Vec<Review>, StoreError> {
    let published = ReviewFilter { state: Some(ReviewState::Published), reported: false };
    reviews(db, parcours, published, page).await
}

/// How the confirmed reviews of a parcours share out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReviewCounts {
    pub waiting: i64,
    pub published: i64,
    pub refused: i64,
    /// Reported by readers.
    pub reported: i64,
    /// Published with one star, two … five.
    pub stars: [i64; 5],
}

/// How the confirmed reviews of a parcours share out.
pub async fn count_reviews(db: &impl Connection, parcours: ParcoursId) -> Result<ReviewCounts, StoreError> {
    let sql = "SELECT state, rating, COUNT(*) AS total,
          CAST(COALESCE(SUM(CASE WHEN complaints > 0 THEN 1 ELSE 0 END), 0) AS BIGINT) AS reported
        FROM review WHERE parcours_id = $1 GROUP BY state, rating";
    let mut counts = ReviewCounts::default();
    for row in all(db, sql, [parcours.0.into()]).await? {
        let (state, rating, count): (String, i16, i64) =
            (get(&row, "state")?, get(&row, "rating")?, get(&row, "total")?);
        counts.reported += get::<i64>(&row, "reported")?;
        match ReviewState::parse(&state) {
            Some(ReviewState::Waiting) => counts.waiting += count,
            Some(ReviewState::Refused) => counts.refused += count,
            Some(ReviewState::Published) => {
                counts.published += count;
                let place = usize::try_from(rating - 1).ok().and_then(|place| counts.stars.get_mut(place));
                if let Some(stars) = place {
                    *stars += count;
                }
            }
            Some(ReviewState::Unconfirmed) | None => {}
        }
    }
    Ok(counts)
}

/// Erases unconfirmed reviews, old addresses of decided reviews, and reviews of parcours that are gone.
pub async fn tidy_reviews(tx: &Tx, now: Instant) -> Result<(), StoreError> {
    let unconfirmed = "DELETE FROM review WHERE state = 'unconfirmed' AND sent_at <= $1";
    execute(tx, unconfirmed, [now.plus_s(-UNCONFIRMED_KEPT_S).0.into()]).await?;
    let decided = "UPDATE review SET email = '', confirm_hash = NULL WHERE email <> '' AND decided_at <= $1";
    execute(tx, decided, [now.plus_s(-REVIEW_EMAIL_KEPT_S).0.into()]).await?;
    execute(tx, &format!("DELETE FROM review WHERE {}", is_parcours_erased("review")), []).await?;
    Ok(())
}

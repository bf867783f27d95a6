//! Pages of a feed: numbers in their order, by a place in the list or past a number.

use sea_orm::Value;

use crate::sql::{all, get, remembered};
use crate::{Connection, StoreError};

/// A page further down a list than this is counted from a mark, not from the list's beginning.
const ROWS_BETWEEN_MARKS: u64 = 4_000;

/// A page of numbers in their order, and how many there are on all pages.
pub(super) async fn page(
    db: &impl Connection,
    rows: impl Fn(i64) -> String,
    values: &[Value],
    (offset, limit): (u64, u64),
) -> Result<(Vec<i64>, u64), StoreError> {
    let ids = numbers_of_page(db, &rows, values, (offset, limit)).await?;
    let here = ids.len() as u64;
    // A page that is not full is the last one: what comes before it is all there is. An empty one may be beyond the last.
    let is_last = here < limit && (here > 0 || offset == 0);
    let total = if is_last { offset + here } else { count(db, &rows(0), values).await? };
    Ok((ids, total))
}

/// A page of numbers in their order. `rows` is the statement of all rows past a number: far down the list a page is counted from the
/// mark before it, and each stretch between two marks is walked once until the next write.
pub(super) async fn numbers_of_page(
    db: &impl Connection,
    rows: impl Fn(i64) -> String,
    values: &[Value],
    (offset, limit): (u64, u64),
) -> Result<Vec<i64>, StoreError> {
    let mut after = 0;
    for _ in 0..offset / ROWS_BETWEEN_MARKS {
        let sql = format!("{} ORDER BY id LIMIT 1 OFFSET {}", rows(after), ROWS_BETWEEN_MARKS - 1);
        let [found] = remembered(db, &sql, values.to_vec()).await?;
        if found == 0 {
            return Ok(Vec::new());
        }
        after = found;
    }
    let sql = format!("{} ORDER BY id LIMIT {limit} OFFSET {}", rows(after), offset % ROWS_BETWEEN_MARKS);
    all(db, &sql, values.to_vec()).await?.iter().map(|row| get(row, 0)).collect()
}

/// At most `limit` numbers greater than `after`, in their order, and how many there are in all. Entries that leave the list between two
/// requests do not shift the next page.
pub(super) async fn past(
    db: &impl Connection,
    rows: impl Fn(i64) -> String,
    values: &[Value],
    (after, limit): (i64, u64),
) -> Result<(Vec<i64>, u64), StoreError> {
    let sql = format!("{} ORDER BY id LIMIT {limit}", rows(after));
    let ids = all(db, &sql, values.to_vec()).await?.iter().map(|row| get(row, 0)).collect::<Result<_, _>>()?;
    Ok((ids, count(db, &rows(0), values).await?))
}

pub(super) async fn count(db: &impl Connection, rows: &str, values: &[Value]) -> Result<u64, StoreError> {
    let [total] = remembered(db, &format!("SELECT COUNT(*) FROM ({rows}) n"), values.to_vec()).await?;
    Ok(total.unsigned_abs())
}

/// The offset and the limit of a page: pages of a feed may be longer than those of a screen.
pub const fn part(page: u64, per_page: u64) -> (u64, u64) {
    ((page.saturating_sub(1)).saturating_mul(per_page), per_page)
}

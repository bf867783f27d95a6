//! What the app stores reported.

use domain::WhiteLabelId;
use domain::statistics::{AppStore, Day, Installs, Period};

use super::rows::{Column, insert};
use crate::sql::{all, execute, get, numbers};
use crate::{Connection, StoreError, Tx};

/// Installs and uninstalls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InstallSum {
    /// How often it was installed.
    pub installs: i64,
    /// How often it was removed.
    pub uninstalls: i64,
}

/// What a store reported of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstallTotals {
    /// Which store.
    pub store: AppStore,
    pub sum: InstallSum,
}

/// Takes a report in: its days replace those that are there, so that the same report twice counts once. How many rows
/// made place.
pub async fn import_installs(
    tx: &Tx,
    white_label: WhiteLabelId,
    store: AppStore,
    rows: &[Installs],
) -> Result<u64, StoreError> {
    let Some((first, last)) = rows.first().zip(rows.last()) else { return Ok(0) };
    let sql = "DELETE FROM statistics_install WHERE white_label_id = $1 AND store = $2 AND day BETWEEN $3 AND $4";
    let values = [white_label.0.into(), store.as_str().into(), first.day.0.into(), last.day.0.into()];
    let replaced = execute(tx, sql, values).await?;
    let rows: Vec<_> = rows
        .iter()
        .map(|row| (white_label.0, store.as_str(), row.day.0, &row.country, row.installs, row.uninstalls))
        .collect();
    use Column::{Number, Text};
    let into = "statistics_install (white_label_id, store, day, country, installs, uninstalls)";
    insert(tx, into, &[Number, Text, Number, Text, Number, Number], &rows, "").await?;
    Ok(replaced)
}

/// What each store reported of a time; nothing of one that reported nothing.
pub async fn install_totals(
    db: &impl Connection,
    white_label_ids: &[i64],
    period: Period,
) -> Result<Vec<InstallTotals>, StoreError> {
    let sql = format!(
        "SELECT store, CAST(SUM(installs) AS BIGINT), CAST(SUM(uninstalls) AS BIGINT) FROM statistics_install
        WHERE white_label_id IN {} AND day BETWEEN $1 AND $2 GROUP BY store ORDER BY store",
        numbers(white_label_ids)
    );
    let rows = all(db, &sql, [period.from.0.into(), period.to.0.into()]).await?;
    let mut totals = Vec::new();
    for row in &rows {
        // A word that a later version wrote is of a store we do not know.
        if let Some(store) = AppStore::parse(&get::<String>(row, 0)?) {
            totals.push(InstallTotals { store, sum: InstallSum { installs: get(row, 1)?, uninstalls: get(row, 2)? } });
        }
    }
    Ok(totals)
}

/// What the stores reported of each day, in order.
pub async fn installs_by_day(
    db: &impl Connection,
    white_label_ids: &[i64],
    period: Period,
) -> Result<Vec<(Day, AppStore, InstallSum)>, StoreError> {
    let sql = format!(
        "SELECT day, store, CAST(SUM(installs) AS BIGINT) AS installs, CAST(SUM(uninstalls) AS BIGINT) AS uninstalls
        FROM statistics_install WHERE white_label_id IN {} AND day BETWEEN $1 AND $2 GROUP BY day, store ORDER BY day, store",
        numbers(white_label_ids)
    );
    let rows = all(db, &sql, [period.from.0.into(), period.to.0.into()]).await?;
    let mut days = Vec::new();
    for row in &rows {
        if let Some(store) = AppStore::parse(&get::<String>(row, "store")?) {
            days.push((
                Day(get(row, "day")?),
                store,
                InstallSum { installs: get(row, "installs")?, uninstalls: get(row, "uninstalls")? },
            ));
        }
    }
    Ok(days)
}

//! Incoming events, and the deletion of old ones.

use std::collections::{BTreeMap, BTreeSet};

use domain::statistics::{Day, EVENTS_KEPT_S, Event, MAX_HOSTS_A_DAY, OTHER_HOSTS};
use domain::{Instant, TimeZone};

use super::rows::{Column, insert};
use crate::sql::{all, execute, get};
use crate::{StoreError, Tx};

/// White-label, parcours, day, kind, source, country, language.
type Key<'a> = (i64, i64, i64, &'a str, &'a str, &'a str, &'a str);

/// Old events that are deleted in one transaction, so that other writers do not wait long.
const ERASED_AT_ONCE: i64 = 20_000;

/// Keeps events and adds them to the sums of their days in a time zone.
pub async fn keep(tx: &Tx, events: &[Event], zone: &TimeZone) -> Result<(), StoreError> {
    let rows: Vec<_> = events
        .iter()
        .map(|event| {
            let (what, place) = (event.kind.as_str(), event.source.as_str());
            let of = (event.at.0, event.white_label_id.0, event.parcours_id.0);
            (of.0, of.1, of.2, what, place, &event.country, &event.language, &event.host)
        })
        .collect();
    use Column::{Number, Text};
    let into = "statistics_event (at, white_label_id, parcours_id, kind, source, country, language, host)";
    insert(tx, into, &[Number, Number, Number, Text, Text, Text, Text, Text], &rows, "").await?;
    let counted: Vec<_> = events.iter().map(|event| (event, 1)).collect();
    add_sums(tx, &counted, zone).await?;
    add_hosts(tx, events, zone).await
}

/// Adds to the sums of days in a time zone, each event a number of times. Without storing the events this serves figures from another source.
pub async fn add_sums(tx: &Tx, events: &[(&Event, i64)], zone: &TimeZone) -> Result<(), StoreError> {
    let mut sums: BTreeMap<Key<'_>, i64> = BTreeMap::new();
    for (event, times) in events {
        let (white_label, day) = (event.white_label_id.0, Day::in_zone(zone, event.at).0);
        for parcours in [0, event.parcours_id.0] {
            let words = (event.kind.as_str(), event.source.as_str(), event.country.as_str(), event.language.as_str());
            *sums.entry((white_label, parcours, day, words.0, words.1, words.2, words.3)).or_default() += times;
        }
    }
    // In the order of the key: two servers that add to the same sums wait for each other instead of blocking each other.
    let rows: Vec<_> = sums
        .iter()
        .map(|((w, p, d, kind, source, country, lang), n)| (w, p, d, kind, source, country, lang, n))
        .collect();
    use Column::{Number, Text};
    let into = "statistics_day (white_label_id, parcours_id, day, kind, source, country, language, total)";
    let then = "ON CONFLICT (white_label_id, parcours_id, day, kind, source, country, language)
        DO UPDATE SET total = statistics_day.total + excluded.total";
    insert(tx, into, &[Number, Number, Number, Text, Text, Text, Text, Number], &rows, then).await
}

/// Adds to the hosts that led here. Any client can send an invented host: those beyond a day's limit are summed as one.
async fn add_hosts(tx: &Tx, events: &[Event], zone: &TimeZone) -> Result<(), StoreError> {
    let mut by_day: BTreeMap<(i64, i64), BTreeMap<&str, i64>> = BTreeMap::new();
    for event in events.iter().filter(|event| !event.host.is_empty()) {
        let day = by_day.entry((event.white_label_id.0, Day::in_zone(zone, event.at).0)).or_default();
        *day.entry(&event.host).or_default() += 1;
    }
    let mut rows: Vec<(i64, i64, &str, i64)> = Vec::new();
    for ((white_label, day), hosts) in &by_day {
        let known = all(
            tx,
            "SELECT host FROM statistics_host WHERE white_label_id = $1 AND day = $2",
            [(*white_label).into(), (*day).into()],
        )
        .await?;
        let mut known = known.iter().map(|row| get(row, 0)).collect::<Result<BTreeSet<String>, _>>()?;
        let mut others = 0;
        for (host, total) in hosts {
            if known.contains(*host) || known.len() < MAX_HOSTS_A_DAY {
                known.insert((*host).to_owned());
                rows.push((*white_label, *day, host, *total));
            } else {
                others += total;
            }
        }
        if others > 0 {
            rows.push((*white_label, *day, OTHER_HOSTS, others));
        }
    }
    rows.sort_unstable();
    let into = "statistics_host (white_label_id, day, host, total)";
    let then = "ON CONFLICT (white_label_id, day, host) DO UPDATE SET total = statistics_host.total + excluded.total";
    insert(tx, into, &[Column::Number, Column::Number, Column::Text, Column::Number], &rows, then).await
}

/// Deletes events that are too old, some at a time. True while there are more.
pub async fn tidy(tx: &Tx, now: Instant) -> Result<bool, StoreError> {
    let sql =
        "DELETE FROM statistics_event WHERE id IN (SELECT id FROM statistics_event WHERE at < $1 ORDER BY at LIMIT $2)";
    let gone = execute(tx, sql, [now.plus_s(-EVENTS_KEPT_S).0.into(), ERASED_AT_ONCE.into()]).await?;
    Ok(gone as i64 == ERASED_AT_ONCE)
}

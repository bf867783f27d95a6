//! `jalon demo --events N`: as much use of the synthetic parcours over two years as N events, as the sums of days that a server would have
//! counted. Single events, which no figure is read from, are stored of the last days alone.

use std::collections::BTreeMap;

use domain::statistics::{Day, Event, EventKind, EventSource};
use domain::{DAY_S, Instant, ParcoursId, WhiteLabelId};
use store::StoreError;
use store::parcours;

use super::owners::Owners;
use super::{failure, mixed, progress, unit};
use crate::config::Config;
use crate::output;
use crate::wiring::{self, WiringError};

const DAYS: u32 = 730;
/// Days of which single events are stored.
const RECENT: u32 = 3;
/// Parcours of a white-label that are used: those beyond are so seldom that no figure changes.
const USED: usize = 5_000;

/// What is done where, in hundredths of all.
const DONE: [(EventKind, EventSource, u32); 8] = [
    (EventKind::View, EventSource::PublicPage, 50),
    (EventKind::View, EventSource::App, 14),
    (EventKind::WidgetView, EventSource::Widget, 18),
    (EventKind::Download, EventSource::PublicPage, 8),
    (EventKind::Guidance, EventSource::App, 4),
    (EventKind::Pdf, EventSource::PublicPage, 3),
    (EventKind::Share, EventSource::PublicPage, 2),
    (EventKind::Download, EventSource::App, 1),
];
/// Where visitors come from and what they read; one in two is from the first, one in four from the second, and so on.
const FROM: [(&str, &str); 14] = [
    ("FR", "fr"),
    ("FR", "en"),
    ("BE", "fr"),
    ("NL", "en"),
    ("DE", "de"),
    ("GB", "en"),
    ("CH", "fr"),
    ("ES", "es"),
    ("IT", "it"),
    ("US", "en"),
    ("NL", "nl"),
    ("BE", "nl"),
    ("LU", "fr"),
    ("", "fr"),
];

/// Adds the use.
pub async fn run(config: &Config, count: u32) -> Result<(), WiringError> {
    let store = wiring::store(config).await?;
    let failed = |source: StoreError| failure(config, source);
    let owners = Owners::load(&store).await.map_err(failed)?;
    if owners.is_empty() {
        return Ok(());
    }
    let used = parcours::published_of_each(store.read(), USED).await.map_err(failed)?;
    let (bar, zone) = (progress("days", DAYS), config.time_zone());
    let mut drawn = 0_u32;
    for back in (0..DAYS).rev() {
        let day = Day::of(Instant(wiring::now().0 - i64::from(back) * DAY_S));
        // By season: four times as many in summer as in winter.
        let season = 1.0 + 0.6 * (f64::from(back) / 365.0 * std::f64::consts::TAU).cos();
        let of_day = (f64::from(count) / f64::from(DAYS) * season) as u32;
        let mut events: BTreeMap<(i64, i64, usize, usize), i64> = BTreeMap::new();
        for _ in 0..of_day {
            drawn = drawn.wrapping_add(1);
            let owner = owners.of(drawn);
            let Some(of_owner) = used.get(&owner.id.0).filter(|used| !used.is_empty()) else { continue };
            // A few parcours have most of the use.
            let parcours = of_owner[(unit(drawn, 41).powi(4) * of_owner.len() as f64) as usize % of_owner.len()];
            *events.entry((owner.id.0, parcours, done(drawn), from(drawn))).or_default() += 1;
        }
        let events: Vec<(Event, i64)> = events.into_iter().map(|(of, times)| (event(of, day), times)).collect();
        let tx = store.begin().await.map_err(failed)?;
        if back < RECENT {
            let each = events.iter().flat_map(|(event, times)| std::iter::repeat_n(event.clone(), *times as usize));
            store::statistics::keep(&tx, &each.collect::<Vec<_>>(), &zone).await.map_err(failed)?;
        } else {
            let sums: Vec<(&Event, i64)> = events.iter().map(|(event, times)| (event, *times)).collect();
            store::statistics::add_sums(&tx, &sums, &zone).await.map_err(failed)?;
        }
        tx.commit().await.map_err(failed)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    store.close().await.map_err(failed)?;
    output::line(format!("{count} synthetic events added."));
    Ok(())
}

fn done(number: u32) -> usize {
    let mut drawn = mixed(number, 42) % 100;
    DONE.iter().position(|(_, _, share)| drawn.checked_sub(*share).map(|rest| drawn = rest).is_none()).unwrap_or(0)
}

fn from(number: u32) -> usize {
    (mixed(number, 43).leading_zeros() as usize).min(FROM.len() - 1)
}

fn event((white_label, parcours, done, from): (i64, i64, usize, usize), day: Day) -> Event {
    let ((kind, source, _), (country, language)) = (DONE[done], FROM[from]);
    Event {
        at: Instant(day.0 * DAY_S + 43_200),
        parcours_id: ParcoursId(parcours),
        white_label_id: WhiteLabelId(white_label),
        kind,
        source,
        country: country.to_owned(),
        language: language.to_owned(),
        host: String::new(),
    }
}

//! Two years of figures for the demo's published parcours: sums of days, as the server would have counted them, and the events of the
//! last days with the sites that led here. The same on every machine, but for the days, which end today.

use domain::statistics::{AppStore, Day, Event, EventKind, EventSource, Installs};
use domain::{DAY_S, Instant, ParcoursId, TimeZone, WhiteLabelId};
use store::{Store, StoreError, parcours, statistics};

use crate::wiring;

const DAYS: i64 = 730;
/// Days of which single events are kept, with the site that led here.
const RECENT: i64 = 28;

/// Visits of each month of the year, in hundredths of the usual.
const SEASON: [i64; 12] = [32, 38, 58, 96, 132, 140, 168, 182, 128, 84, 46, 34];
/// Visits of each day of the week, in hundredths of the usual, from Thursday on: 1 January 1970 was a Thursday.
const WEEK: [i64; 7] = [80, 95, 150, 170, 70, 68, 74];
/// Where visitors come from and what they read, with their share in hundredths.
const ABROAD: [(&str, &str, i64); 5] =
    [("BE", "fr", 9), ("NL", "en", 8), ("DE", "en", 7), ("GB", "en", 5), ("CH", "fr", 4)];
/// What else is done, with its share of the views in hundredths.
const ELSE: [(EventKind, EventSource, i64); 5] = [
    (EventKind::Download, EventSource::PublicPage, 17),
    (EventKind::WidgetView, EventSource::Widget, 40),
    (EventKind::Share, EventSource::PublicPage, 5),
    (EventKind::Pdf, EventSource::PublicPage, 7),
    (EventKind::Guidance, EventSource::App, 11),
];
const HOSTS: [&str; 5] =
    ["www.google.com", "rando.exemple.fr", "www.bing.com", "tourisme.exemple.fr", "www.facebook.com"];

/// Fills the figures.
pub async fn fill(store: &Store, white_label: WhiteLabelId, zone: &TimeZone) -> Result<(), StoreError> {
    let now = wiring::now();
    let ids = parcours::all_ids(store.read()).await?;
    let mut shown = parcours::load_many(store.read(), &ids).await?;
    shown.retain(|parcours| parcours.published);
    let mut sums = Vec::new();
    for (rank, parcours) in shown.iter().enumerate() {
        let of = (parcours.id, parcours.white_label_id);
        for back in 0..DAYS {
            sums.extend(of_a_day(of, rank as i64, now.plus_s(-back * DAY_S)));
        }
    }
    let sums: Vec<(&Event, i64)> = sums.iter().map(|(event, times)| (event, *times)).collect();
    let recent: Vec<Event> =
        shown.iter().flat_map(|parcours| recent((parcours.id, parcours.white_label_id), now)).collect();
    let tx = store.begin().await?;
    statistics::add_sums(&tx, &sums, zone).await?;
    statistics::keep(&tx, &recent, zone).await?;
    for store in AppStore::ALL {
        statistics::import_installs(&tx, white_label, store, &installs(store, Day::of(now))).await?;
    }
    tx.commit().await
}

/// A number between 0 and `below` that is always the same for the same three.
fn drawn(one: i64, two: i64, three: i64, below: i64) -> i64 {
    let mixed = (one * 7_919 + two * 104_729 + three * 1_299_709).wrapping_mul(6_364_136_223_846_793_005);
    (mixed as u64 >> 33) as i64 % below.max(1)
}

/// How much of the usual there is on a day, in ten thousandths.
fn weight(day: Day) -> i64 {
    let month: usize = day.to_string()[5..7].parse().unwrap_or(1);
    SEASON[month.clamp(1, 12) - 1] * WEEK[day.0.rem_euclid(7) as usize]
}

fn event((parcours_id, white_label_id): (ParcoursId, WhiteLabelId), at: Instant) -> Event {
    Event {
        at,
        parcours_id,
        white_label_id,
        kind: EventKind::View,
        source: EventSource::PublicPage,
        country: "FR".to_owned(),
        language: "fr".to_owned(),
        host: String::new(),
    }
}

/// What happened to a parcours on a day, the best known ones first.
fn of_a_day(of: (ParcoursId, WhiteLabelId), rank: i64, at: Instant) -> Vec<(Event, i64)> {
    let day = Day::of(at);
    let usual = 900 / (rank + 6) + 8;
    let views = usual * weight(day) * (80 + drawn(of.0.0, day.0, 1, 40)) / 1_000_000;
    let (country, language, share) = ABROAD[drawn(of.0.0, day.0, 2, 5) as usize];
    let (kind, source, rate) = ELSE[drawn(of.0.0, day.0, 3, 5) as usize];
    let here = event(of, at);
    let abroad = Event { country: country.to_owned(), language: language.to_owned(), ..here.clone() };
    let other = Event { kind, source, ..here.clone() };
    // One of five countries, and one of five other kinds, is drawn for each day, so it counts five times its share.
    let all = [(here, views), (abroad, views * share * 5 / 100), (other, views * rate * 5 / 100)];
    all.into_iter().filter(|(_, times)| *times > 0).collect()
}

fn recent(of: (ParcoursId, WhiteLabelId), now: Instant) -> Vec<Event> {
    let led = |back: i64| {
        let host = HOSTS[drawn(of.0.0, back, 4, 5) as usize].to_owned();
        Event { host, ..event(of, now.plus_s(-back * DAY_S)) }
    };
    (0..RECENT).map(led).collect()
}

fn installs(store: AppStore, today: Day) -> Vec<Installs> {
    let usual = if store == AppStore::PlayStore { 14 } else { 9 };
    let of_a_day = |back: i64| {
        let day = today.plus(-back);
        let installs = usual * weight(day) * (80 + drawn(usual, day.0, 5, 40)) / 1_000_000;
        // Few on iOS let the store know.
        let uninstalls = if store == AppStore::PlayStore { installs / 3 } else { installs / 9 };
        Installs { day, country: "FR".to_owned(), installs, uninstalls }
    };
    (1..DAYS).rev().map(of_a_day).collect()
}

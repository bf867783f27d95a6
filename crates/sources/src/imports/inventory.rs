//! What a Geotrek server has beside its treks, and what becomes of it here: counted at the end of a dry run.

use app::App;
use domain::imports::{ImportInventoryItem, ImportKind, ImportPlace, ImportSourceSheet, ImportState};
use jobs::{Failure, Lease};
use store::imports::{self as rows, ImportRun};
use store::record::Stored;

use super::fetch;
use super::work::{end, finish};

/// The lists of Geotrek's API, and what becomes of their items.
const LISTS: [(&str, ImportPlace); 25] = [
    ("trek", ImportPlace::Parcours),
    ("poi", ImportPlace::Poi),
    ("touristiccontent", ImportPlace::Sit),
    ("informationdesk", ImportPlace::Sit),
    ("service", ImportPlace::Sit),
    ("trek_practice", ImportPlace::Words),
    ("trek_difficulty", ImportPlace::Words),
    ("theme", ImportPlace::Words),
    ("trek_network", ImportPlace::Words),
    ("label", ImportPlace::Words),
    ("poi_type", ImportPlace::Words),
    ("source", ImportPlace::Text),
    ("city", ImportPlace::Text),
    ("trek_rating", ImportPlace::Text),
    ("trek_accessibility", ImportPlace::Text),
    ("touristicevent", ImportPlace::Nowhere),
    ("signage", ImportPlace::Nowhere),
    ("infrastructure", ImportPlace::Nowhere),
    ("outdoor_site", ImportPlace::Nowhere),
    ("outdoor_course", ImportPlace::Nowhere),
    ("sensitivearea", ImportPlace::Nowhere),
    ("structure", ImportPlace::Nowhere),
    ("portal", ImportPlace::Nowhere),
    ("reservationsystem", ImportPlace::Nowhere),
    ("flatpage", ImportPlace::Nowhere),
];

/// Counts the lists of the server of a dry run where it is a Geotrek, and ends the run. A list that cannot be counted does not make it fail.
pub(super) async fn take(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    let server = source.sheet.url.as_deref().filter(|_| source.sheet.kind == ImportKind::Geotrek);
    let Some(url) = server else { return finish(app, lease, run).await };
    let mut found = Vec::new();
    let mut is_reached = true;
    for (list, place) in LISTS {
        let mut count = None;
        if is_reached {
            match fetch::count(app, run.source_id, url, list).await? {
                Ok(counted) => count = counted.and_then(|counted| i64::try_from(counted).ok()),
                // The others would be waited for too.
                Err(_) => is_reached = false,
            }
        }
        let is_poi = place == ImportPlace::Poi && !source.sheet.takes_pois;
        let place = if is_poi { ImportPlace::Sit } else { place };
        found.push(ImportInventoryItem { list: list.to_owned(), place, count });
    }
    let tx = app.store.begin().await?;
    rows::put_inventory(&tx, run.id, &found).await?;
    end(app, lease, tx, run, ImportState::Done, None).await
}

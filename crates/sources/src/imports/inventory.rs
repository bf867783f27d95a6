//! What a Geotrek server has beside its treks, and what becomes of it here: counted at the end of a dry run. Items that have no place here
//! are listed one by one.

use app::App;
use domain::imports::{
    ImportInventoryItem, ImportKind, ImportNote, ImportOutcome, ImportPlace, ImportSourceSheet, ImportState,
};
use feeds::incoming::{GeotrekEquipment, GeotrekItem};
use jobs::{Failure, Lease};
use store::imports::{self as rows, ImportLine, ImportRun};
use store::record::Stored;

use super::halt::or_note;
use super::work::{author, commit, end, finish};
use super::{desks, fetch, pois};

/// The lists of Geotrek's API, and what becomes of their items.
const LISTS: [(&str, ImportPlace); 25] = [
    ("trek", ImportPlace::Parcours),
    ("poi", ImportPlace::Poi),
    ("touristiccontent", ImportPlace::Sit),
    ("informationdesk", ImportPlace::Contact),
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
    ("touristicevent", ImportPlace::Sit),
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

/// The most items of a list without a place that are kept with a run.
const MAX_UNPLACED: usize = 5_000;

/// Counts the lists of the server of a dry run where it is a Geotrek. A list that cannot be counted does not make it fail.
pub(super) async fn count_lists(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    if source.sheet.kind != ImportKind::Geotrek {
        return finish(app, lease, run).await;
    }
    let may_take_desks = desks::structure_of(app.store.read(), run, author(run, source)).await?.is_some();
    let mut found = Vec::new();
    let mut is_reached = true;
    for (list, place) in LISTS {
        let mut count = None;
        if is_reached {
            match or_note(fetch::count(app, source, list).await)? {
                Ok(counted) => count = counted.and_then(|counted| i64::try_from(counted).ok()),
                // The others would be waited for too.
                Err(_) => is_reached = false,
            }
        }
        let is_equipment = GeotrekEquipment::ALL.iter().any(|of| of.list() == list);
        let place = match place {
            _ if is_equipment && pois::takes_equipment(&source.sheet) => ImportPlace::Poi,
            ImportPlace::Poi | ImportPlace::Contact if !source.sheet.takes_pois => ImportPlace::Sit,
            // Parcours name them all the same.
            ImportPlace::Contact if !may_take_desks => ImportPlace::Text,
            place => place,
        };
        found.push(ImportInventoryItem { list: list.to_owned(), place, count });
    }
    let mut run = run.clone();
    (run.phase, run.page) = ("left".to_owned(), String::new());
    let tx = app.store.begin().await?;
    rows::put_inventory(&tx, run.id, &found).await?;
    commit(lease, tx, &run).await.map(|_| ())
}

/// Lists a page of the items that have no place here, with their names and addresses; ends the run after the last list. A list that cannot be
/// read is left out.
pub(super) async fn list(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    source: &Stored<ImportSourceSheet>,
) -> Result<(), Failure> {
    let has_items = |item: &&ImportInventoryItem| item.place == ImportPlace::Nowhere && item.count.unwrap_or(0) > 0;
    let lists: Vec<&str> = run.inventory.iter().filter(has_items).map(|item| item.list.as_str()).collect();
    // `signage 2`: the list, and the page of it.
    let (list, page) = run.page.split_once(' ').unwrap_or((lists.first().copied().unwrap_or_default(), "1"));
    let page: usize = page.parse().unwrap_or(1);
    let Some(at) = lists.iter().position(|one| *one == list) else { return finish(app, lease, run).await };
    let (items, has_more) = or_note(fetch::left(app, source, list, page).await)?.unwrap_or_default();
    let line = |item: GeotrekItem| {
        let address = fetch::item_address(&source.sheet, list, &item.number);
        let address = address.unwrap_or_else(|| format!("{list} {}", item.number));
        let note = ImportNote::new(WITHOUT_PLACE).with("list", list).with("url", address);
        ImportLine::new(&format!("{list} {}", item.number), item.name.best("fr"), ImportOutcome::Kept, vec![note])
    };
    let lines: Vec<ImportLine> = items.into_iter().map(line).collect();
    let mut run = run.clone();
    let next = lists.get(at + 1);
    let tx = app.store.begin().await?;
    rows::add_lines(&tx, run.id, &lines).await?;
    match next {
        _ if has_more && page * fetch::GEOTREK_LEFT < MAX_UNPLACED => run.page = format!("{list} {}", page + 1),
        Some(next) => run.page = format!("{next} 1"),
        None => return end(app, lease, tx, &run, ImportState::Done, None).await,
    }
    commit(lease, tx, &run).await.map(|_| ())
}

/// The remark on an item without a place here.
pub(crate) const WITHOUT_PLACE: &str = "import/no-place";

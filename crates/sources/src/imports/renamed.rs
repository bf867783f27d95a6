//! Items that were known by the number of their row and have an identifier, or the other way round: they stay the parcours and the POIs that they are.

use std::collections::{HashMap, HashSet};

use app::App;
use domain::Text;
use domain::imports::ImportSourceSheet;
use feeds::incoming::Package;
use jobs::{Failure, Lease};
use store::imports::{self as rows, CompanionKind, ImportItem, ImportRun};
use store::poi::Pois;
use store::{StoreError, parcours, record};

use super::places::takes_places;
use super::prepare::{PreparedLine, sum_of};

/// Items that are looked up at once.
const AT_ONCE: usize = 500;

/// Renames the items of a page that are stored under their old names. The stored item must have the same bytes or title as the feature: the number of
/// its row may be that of another feature now. A dry run does it too: nothing of a parcours changes.
pub(super) async fn rename(
    app: &App,
    lease: &Lease,
    run: &ImportRun,
    sheet: &ImportSourceSheet,
    package: &Package,
) -> Result<(), Failure> {
    let is_renamed = |index: &usize| package.former_id(*index).is_some() && !package.is_repeated(*index);
    let indexes: Vec<usize> = (0..package.len()).filter(is_renamed).collect();
    if indexes.is_empty() {
        return Ok(());
    }
    let named = (0..package.len()).filter(|index| !package.is_repeated(*index));
    let named: HashMap<&str, usize> = named.map(|index| (package.id(index), index)).collect();
    let page = Page { package, named };
    let mut items = Vec::new();
    for indexes in indexes.chunks(AT_ONCE) {
        items.extend(items_of(app, run.source_id, &page, indexes).await?);
    }
    let pois = if takes_places(sheet) { pois_of(app, run.source_id, &page, &indexes).await? } else { Vec::new() };
    if items.is_empty() && pois.is_empty() {
        return Ok(());
    }
    let tx = app.store.begin().await?;
    rows::rename_items(&tx, run.source_id, &without_taken(items)).await?;
    rows::rename_source_records(&tx, CompanionKind::Poi, run.source_id, &pois).await?;
    lease.hold(&tx).await?;
    Ok(tx.commit().await?)
}

/// A page and the places of its items by their names.
struct Page<'a> {
    package: &'a Package,
    named: HashMap<&'a str, usize>,
}

/// The old name of an item, its new one, and whether another item has the new one.
type Renamed = (String, String, bool);

async fn items_of(app: &App, source: i64, page: &Page<'_>, indexes: &[usize]) -> Result<Vec<Renamed>, StoreError> {
    let (db, package) = (app.store.read(), page.package);
    let was = |index: usize| package.former_id(index).unwrap_or_default();
    let old: Vec<String> = indexes.iter().map(|index| was(*index).to_owned()).collect();
    let known = rows::items(db, source, &old).await?;
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let new: Vec<String> = indexes.iter().map(|index| package.id(*index).to_owned()).collect();
    let taken = rows::items(db, source, &new).await?;
    let mut found = Vec::new();
    for (index, new) in indexes.iter().copied().zip(new) {
        let Some(item) = known.get(was(index)) else { continue };
        let there = taken.get(&new);
        if let Some(there) = there
            && is_of(app, package, index, there).await?
        {
            continue;
        }
        let has_bytes = package.former_raw(index).is_some_and(|raw| sum_of(raw.as_bytes()) == item.digest);
        if has_bytes || (has_title(app, package, index, item).await? && !keeps_name(app, page, item).await?) {
            found.push((item.item.clone(), new, there.is_some()));
        }
    }
    Ok(found)
}

/// Whether the feature that has the name of an item now is this item.
async fn keeps_name(app: &App, page: &Page<'_>, item: &ImportItem) -> Result<bool, StoreError> {
    let Some(index) = page.named.get(item.item.as_str()) else { return Ok(false) };
    is_of(app, page.package, *index, item).await
}

/// Whether a feature has the bytes or the title of a known item.
async fn is_of(app: &App, package: &Package, index: usize, item: &ImportItem) -> Result<bool, StoreError> {
    let has_bytes = package.raw(index).is_ok_and(|raw| sum_of(&raw) == item.digest);
    Ok(has_bytes || has_title(app, package, index, item).await?)
}

/// Whether a feature has the title of the parcours of a known item.
async fn has_title(app: &App, package: &Package, index: usize, item: &ImportItem) -> Result<bool, StoreError> {
    let Some(id) = item.parcours_id else { return Ok(false) };
    let known = parcours::load(app.store.read(), id).await?;
    Ok(known.is_some_and(|known| says(package, index, &known.sheet.title)))
}

fn says(package: &Package, index: usize, title: &Text) -> bool {
    title.iter().any(|(_, words)| !words.is_empty() && package.has_value(index, words))
}

/// The old and the new numbers of points that are POIs.
async fn pois_of(
    app: &App,
    source: i64,
    page: &Page<'_>,
    indexes: &[usize],
) -> Result<Vec<(String, String)>, StoreError> {
    let (db, package) = (app.store.read(), page.package);
    let known: HashMap<String, i64> = rows::records_of_source(db, CompanionKind::Poi, source).await?;
    let mut found = Vec::new();
    for index in indexes.iter().copied() {
        let (was, new) = (package.former_id(index).unwrap_or_default(), package.id(index));
        let Some(id) = known.get(was).filter(|_| !known.contains_key(new)) else { continue };
        let Some(poi) = record::load::<Pois>(db, *id).await? else { continue };
        let has_title = |index: usize| says(package, index, &poi.sheet.title);
        // The feature that has the old name now may be the POI.
        if has_title(index) && page.named.get(was).is_none_or(|other| !has_title(*other)) {
            found.push((was.to_owned(), new.to_owned()));
        }
    }
    Ok(found)
}

/// The file of a line has the name of its item in it: the line of an item that got another name did not change for that.
pub(super) fn keep_line(item: &mut ImportItem, line: Option<&PreparedLine>) {
    let Some(line) = line else { return };
    if line.former_sum.is_some() && item.applied.get("trace") == line.former_sum.as_ref() {
        item.applied.insert("trace".to_owned(), line.sum.clone());
    }
}

/// The names of the items whose new name is free, or becomes free.
fn without_taken(mut items: Vec<Renamed>) -> Vec<(String, String)> {
    loop {
        let moved: HashSet<String> = items.iter().map(|(old, ..)| old.clone()).collect();
        let count = items.len();
        items.retain(|(_, new, is_taken)| !is_taken || moved.contains(new));
        if items.len() == count {
            return items.into_iter().map(|(old, new, _)| (old, new)).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_another_item_keeps_is_not_given() {
        let renamed = |old: &str, new: &str, is_taken: bool| (old.to_owned(), new.to_owned(), is_taken);
        let names = |items: Vec<Renamed>| -> Vec<String> {
            without_taken(items).into_iter().map(|(old, new)| format!("{old}>{new}")).collect()
        };
        assert_eq!(names(vec![renamed("1", "2", true), renamed("2", "1", true)]), ["1>2", "2>1"]);
        assert_eq!(names(vec![renamed("1", "2", true), renamed("2", "3", true), renamed("4", "x", false)]), ["4>x"]);
    }
}

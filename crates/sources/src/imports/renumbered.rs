//! A layer whose rows were numbered anew: items that are known by the number of their row alone would take over each other's title and line.

use std::collections::HashMap;
use std::sync::Arc;

use app::App;
use app::problem::Internal;
use domain::imports::{ImportNote, ImportSourceSheet};
use feeds::incoming::{Line, Names, Package};
use store::StoreError;
use store::imports::{self as rows, ImportItem, ImportRun};

use super::mapped::{Meanings, mapped};
use super::prepare::{file_of, sum_of};
use super::writable;

/// Items that are looked up at once.
const AT_ONCE: usize = 500;
/// Items with the title and the line of another, from which on the layer was numbered anew: one may be an edit.
const MIN_MOVED: usize = 2;

/// The refusal of a page whose rows were numbered anew.
pub(super) async fn fault(
    app: &App,
    run: &ImportRun,
    sheet: &ImportSourceSheet,
    package: &Arc<Package>,
) -> Result<Option<ImportNote>, Internal> {
    let is_by_row = |index: &usize| package.is_by_row(*index) && !package.is_repeated(*index);
    // All items of the source are looked up only for a page that changed.
    let indexes = changed(app, run, package, (0..package.len()).filter(is_by_row).collect()).await?;
    if indexes.len() < MIN_MOVED {
        return Ok(None);
    }
    let names: Vec<String> = rows::keys(app.store.read(), run.source_id).await?.into_iter().collect();
    let known = items(app, run, &names).await?;
    let (package, sheet) = (Arc::clone(package), sheet.clone());
    let found = tokio::task::spawn_blocking(move || moved(&package, &indexes, &known, &sheet));
    found.await.map_err(Internal::new)
}

/// The features that the source had before with other bytes.
async fn changed(
    app: &App,
    run: &ImportRun,
    package: &Arc<Package>,
    indexes: Vec<usize>,
) -> Result<Vec<usize>, Internal> {
    let names: Vec<String> = indexes.iter().map(|index| package.id(*index).to_owned()).collect();
    let known = items(app, run, &names).await?;
    let package = Arc::clone(package);
    let has_changed = move |index: &usize| {
        let item = known.get(package.id(*index));
        item.is_some_and(|item| package.raw(*index).is_ok_and(|raw| sum_of(&raw) != item.digest))
    };
    let found = tokio::task::spawn_blocking(move || indexes.into_iter().filter(has_changed).collect::<Vec<usize>>());
    found.await.map_err(Internal::new)
}

/// The items of a source that have these names.
async fn items(app: &App, run: &ImportRun, names: &[String]) -> Result<HashMap<String, ImportItem>, StoreError> {
    let mut known = HashMap::new();
    for some in names.chunks(AT_ONCE) {
        known.extend(rows::items(app.store.read(), run.source_id, some).await?);
    }
    Ok(known)
}

/// The refusal where some of these features have the title and the line that other items had in the run before.
fn moved(
    package: &Package,
    indexes: &[usize],
    known: &HashMap<String, ImportItem>,
    sheet: &ImportSourceSheet,
) -> Option<ImportNote> {
    // A title that several items have does not show which of them a feature is.
    let mut of_title: HashMap<&str, Option<&ImportItem>> = HashMap::new();
    for item in known.values() {
        if let Some(title) = item.applied.get("title/fr") {
            of_title.entry(title).and_modify(|one| *one = None).or_insert(Some(item));
        }
    }
    let mut count = 0;
    for index in indexes.iter().copied() {
        let id = package.id(index);
        if !known.contains_key(id) {
            continue;
        }
        let Ok(route) = package.read(index, &Names::default()) else { continue };
        let Line::Pieces(pieces) = &route.line else { continue };
        let [line] = pieces.as_slice() else { continue };
        let done = mapped(&route, sheet, &Meanings::default(), &|field: &str| package.has_field(field));
        let Some(title) = done.patch.get("title").and_then(|title| title.get("fr")) else { continue };
        let Some(Some(other)) = of_title.get(writable::sum(title).as_str()) else { continue };
        if other.item == id || other.applied.get("trace") != Some(&sum_of(&file_of(&other.item, line))) {
            continue;
        }
        count += 1;
        if count == MIN_MOVED {
            let note = ImportNote::new("import/identifiers-moved").with("row", id).with("former", other.item.as_str());
            return Some(note.with("title", done.title()));
        }
    }
    None
}

//! The items of a source: their identifiers there, the parcours they are here, and what was last written into it.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::record::Kind;
use domain::{ParcoursId, Text, WhiteLabelId};
use sea_orm::{QueryResult, Value};
use serde::{Deserialize, Serialize};

use crate::sql::{all, execute, get, json, one, text};
use crate::{Connection, StoreError, Tx};

/// The state of an item here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemState {
    /// It is a parcours.
    Linked,
    /// It looks the same as a parcours here, and a person must decide whether it is.
    ToMerge,
    /// A person decided that it is another one: it is made at the next run.
    Apart,
    /// It is no longer in its source.
    Gone,
}

impl ItemState {
    /// The stored word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Linked => "linked",
            Self::ToMerge => "to_merge",
            Self::Apart => "apart",
            Self::Gone => "gone",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Linked, Self::ToMerge, Self::Apart, Self::Gone].into_iter().find(|state| state.as_str() == word)
    }
}

/// An item of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportItem {
    /// The source's identifier of it.
    pub item: String,
    /// Its state here.
    pub state: ItemState,
    /// Which parcours it is.
    pub parcours_id: Option<ParcoursId>,
    /// Which parcours looks the same.
    pub candidate_id: Option<ParcoursId>,
    /// Checksum of its bytes as received; empty if the next run must process the item again.
    pub digest: String,
    /// Checksum of how they were processed (mapping and options); empty if the next run must process the item again.
    pub recipe: String,
    /// Checksum of what was last written into each field.
    pub applied: BTreeMap<String, String>,
    /// Fields that are edited here and stay.
    pub locked: Vec<String>,
    /// The revision of the trace that was last written.
    pub trace_revision: Option<i64>,
    pub media: Vec<WantedMedia>,
    /// Whether its line is to be laid on the network.
    pub waits: bool,
    /// Values of the source that no field holds.
    pub said: BTreeMap<String, String>,
    /// The items that its source shows under it.
    pub steps: Vec<String>,
}

/// A media to fetch, and what its source says of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredMedia")]
pub struct WantedMedia {
    /// Where it is.
    pub url: String,
    pub legend: Text,
    /// Words for those who do not see it.
    #[serde(skip_serializing_if = "Text::is_empty")]
    pub alt: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Its licence, in the words of its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
}

/// The stored forms of a media. Items that were stored before it had names hold address, legend and author.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredMedia {
    Named {
        url: String,
        #[serde(default)]
        legend: Text,
        #[serde(default)]
        alt: Text,
        #[serde(default)]
        author: Option<String>,
        #[serde(default)]
        licence: Option<String>,
    },
    Unnamed(String, Text, Option<String>),
}

impl From<StoredMedia> for WantedMedia {
    fn from(stored: StoredMedia) -> Self {
        match stored {
            StoredMedia::Named { url, legend, alt, author, licence } => Self { url, legend, alt, author, licence },
            StoredMedia::Unnamed(url, legend, author) => Self { url, legend, author, ..Self::default() },
        }
    }
}

/// Under which name `said` held the licences of an item's media, by address as JSON, before they were stored with the media.
const LICENCES: &str = "licences";

fn with_licences(mut media: Vec<WantedMedia>, said: &mut BTreeMap<String, String>) -> Vec<WantedMedia> {
    let stored = said.remove(LICENCES).and_then(|text| serde_json::from_str::<HashMap<String, String>>(&text).ok());
    let mut licences = stored.unwrap_or_default();
    for one in media.iter_mut().filter(|one| one.licence.is_none()) {
        one.licence = licences.remove(&one.url);
    }
    media
}

const COLUMNS: &str = "item, state, parcours_id, candidate_id, digest, recipe, applied, locked, trace_revision, media, waits, said, steps FROM import_item";

fn read(row: &QueryResult) -> Result<ImportItem, StoreError> {
    let table = "import_item";
    let state: String = get(row, "state")?;
    let id: Option<i64> = get(row, "parcours_id")?;
    let at = id.unwrap_or_default();
    let mut said = stored_or_default(at, get(row, "said")?)?;
    Ok(ImportItem {
        item: get(row, "item")?,
        state: ItemState::parse(&state).ok_or_else(|| StoreError::row(table, at, format!("state {state}")))?,
        parcours_id: id.map(ParcoursId),
        candidate_id: get::<Option<i64>>(row, "candidate_id")?.map(ParcoursId),
        digest: get(row, "digest")?,
        recipe: get(row, "recipe")?,
        applied: json(table, at, &get::<String>(row, "applied")?)?,
        locked: json(table, at, &get::<String>(row, "locked")?)?,
        trace_revision: get(row, "trace_revision")?,
        media: with_licences(json(table, at, &get::<String>(row, "media")?)?, &mut said),
        waits: get::<i16>(row, "waits")? != 0,
        said,
        steps: stored_or_default(at, get(row, "steps")?)?,
    })
}

/// A JSON column that may be empty.
fn stored_or_default<T: serde::de::DeserializeOwned + Default>(
    at: i64,
    stored: Option<String>,
) -> Result<T, StoreError> {
    stored.map_or_else(|| Ok(T::default()), |stored| json("import_item", at, &stored))
}

/// The items, of these names, that are known, by name.
pub async fn items(
    db: &impl Connection,
    source: i64,
    names: &[String],
) -> Result<HashMap<String, ImportItem>, StoreError> {
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    let places: Vec<String> = (0..names.len()).map(|at| format!("${}", at + 2)).collect();
    let sql = format!("SELECT {COLUMNS} WHERE source_id = $1 AND item IN ({})", places.join(", "));
    let values = std::iter::once(Value::from(source)).chain(names.iter().map(|name| name.clone().into()));
    let rows = all(db, &sql, values).await?;
    rows.iter().map(|row| read(row).map(|item| (item.item.clone(), item))).collect()
}

/// One item.
pub async fn item(db: &impl Connection, source: i64, name: &str) -> Result<Option<ImportItem>, StoreError> {
    Ok(items(db, source, &[name.to_owned()]).await?.remove(name))
}

/// The items that a parcours is, each with its source's number.
pub async fn item_of_parcours(db: &impl Connection, id: ParcoursId) -> Result<Vec<(i64, ImportItem)>, StoreError> {
    let sql = format!("SELECT {} WHERE parcours_id = $1", COLUMNS.replace(" FROM", ", source_id FROM"));
    let rows = all(db, &sql, [id.0.into()]).await?;
    rows.iter().map(|row| Ok((get(row, "source_id")?, read(row)?))).collect()
}

/// The names of all that is linked of a source.
pub async fn keys(db: &impl Connection, source: i64) -> Result<HashSet<String>, StoreError> {
    let sql = "SELECT item FROM import_item WHERE source_id = $1 AND state = 'linked'";
    all(db, sql, [source.into()]).await?.iter().map(|row| get(row, 0)).collect()
}

/// The items of a source under which it shows others.
pub async fn with_steps(db: &impl Connection, source: i64) -> Result<Vec<ImportItem>, StoreError> {
    let sql = format!("SELECT {COLUMNS} WHERE source_id = $1 AND steps IS NOT NULL AND state = 'linked' ORDER BY item");
    all(db, &sql, [source.into()]).await?.iter().map(read).collect()
}

/// Walks the items of a source that name POIs or information desks, or did: some at a time, for each holds what it applied.
#[derive(Debug)]
pub struct WithLinks {
    source: i64,
    after: String,
}

impl WithLinks {
    /// The most items that are read at once.
    const AT_ONCE: usize = 100;

    /// From the first item on.
    pub const fn of(source: i64) -> Self {
        Self { source, after: String::new() }
    }

    /// The items of the next page that name some: perhaps none. `None` after the last page.
    pub async fn next(&mut self, db: &impl Connection) -> Result<Option<Vec<ImportItem>>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} WHERE source_id = $1 AND item > $2 AND said IS NOT NULL AND state = 'linked'
            ORDER BY item LIMIT {}",
            Self::AT_ONCE
        );
        let rows = all(db, &sql, [self.source.into(), self.after.as_str().into()]).await?;
        let mut items = rows.iter().map(read).collect::<Result<Vec<ImportItem>, _>>()?;
        let Some(last) = items.last() else { return Ok(None) };
        self.after.clone_from(&last.item);
        items.retain(|item| {
            ["pois", "desks"].iter().any(|list| item.said.contains_key(*list))
                || ["poi_ids", "contact_id"].iter().any(|field| item.applied.contains_key(*field))
        });
        Ok(Some(items))
    }
}

/// Some items of a source whose parcours are here, after an item, by their names.
pub async fn linked_after(
    db: &impl Connection,
    source: i64,
    after: &str,
    limit: u32,
) -> Result<Vec<ImportItem>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS} WHERE source_id = $1 AND item > $2 AND state = 'linked' AND parcours_id IS NOT NULL
        ORDER BY item LIMIT {limit}"
    );
    all(db, &sql, [source.into(), after.into()]).await?.iter().map(read).collect()
}

/// The published parcours of a white-label that the number of a source's item names: those of its sources of this kind.
pub async fn published_by_number(
    db: &impl Connection,
    white_label: WhiteLabelId,
    kind: &str,
    number: u64,
) -> Result<Vec<ParcoursId>, StoreError> {
    // The text of `said` is JSON as `text` writes it, and a number has no character that LIKE gives a meaning to.
    let sql = "SELECT i.parcours_id FROM import_item i
        JOIN import_source s ON s.id = i.source_id AND s.white_label_id = $1 AND s.kind = $2
        JOIN parcours p ON p.id = i.parcours_id AND p.white_label_id = $1 AND p.published = 1
        WHERE i.said LIKE $3 ORDER BY i.source_id, i.item LIMIT 10";
    let values: [Value; 3] = [white_label.0.into(), kind.into(), format!("%\"number\":\"{number}\"%").into()];
    all(db, sql, values).await?.iter().map(|row| Ok(ParcoursId(get(row, "parcours_id")?))).collect()
}

/// The items of a source by their number there: some sources name the children of a route by it.
pub async fn by_number(db: &impl Connection, source: i64) -> Result<HashMap<String, String>, StoreError> {
    let sql = "SELECT item, said FROM import_item WHERE source_id = $1 AND said IS NOT NULL";
    let mut found = HashMap::new();
    for row in all(db, sql, [source.into()]).await? {
        let mut said: BTreeMap<String, String> = stored_or_default(source, get(&row, 1)?)?;
        found.extend(said.remove("number").map(|number| get(&row, 0).map(|item| (number, item))).transpose()?);
    }
    Ok(found)
}

/// Whether an item of a source must be processed again although it did not change there.
pub async fn has_unread(db: &impl Connection, source: i64) -> Result<bool, StoreError> {
    let sql =
        "SELECT 1 FROM import_item WHERE source_id = $1 AND (digest = '' OR recipe = '') AND state <> 'gone' LIMIT 1";
    Ok(one(db, sql, [source.into()]).await?.is_some())
}

/// Marks an item to be processed again by the next run, although it did not change at the source.
pub async fn mark_unread(tx: &Tx, source: i64, item: &str) -> Result<(), StoreError> {
    let sql = "UPDATE import_item SET digest = '' WHERE source_id = $1 AND item = $2";
    execute(tx, sql, [source.into(), item.into()]).await?;
    Ok(())
}

/// The same for the items of a run that ended before their pictures were fetched: those of its lines after `at`.
pub async fn mark_without_media(tx: &Tx, source: i64, run: i64, at: i64) -> Result<(), StoreError> {
    let sql = "UPDATE import_item SET digest = '' WHERE source_id = $1 AND media <> '[]' AND item IN
        (SELECT item FROM import_line WHERE run_id = $2 AND id > $3 AND outcome IN ('created', 'updated'))";
    execute(tx, sql, [source.into(), run.into(), at.into()]).await?;
    Ok(())
}

/// Keeps an item.
pub async fn put_item(tx: &Tx, source: i64, item: &ImportItem) -> Result<(), StoreError> {
    let sql = "INSERT INTO import_item (source_id, item, state, parcours_id, candidate_id, digest, recipe, applied, locked,
        trace_revision, media, waits, said, steps) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        ON CONFLICT (source_id, item) DO UPDATE SET state = excluded.state, parcours_id = excluded.parcours_id,
        candidate_id = excluded.candidate_id, digest = excluded.digest, recipe = excluded.recipe, applied = excluded.applied,
        locked = excluded.locked, trace_revision = excluded.trace_revision, media = excluded.media, waits = excluded.waits,
        said = excluded.said, steps = excluded.steps";
    let values: [Value; 14] = [
        source.into(),
        item.item.clone().into(),
        item.state.as_str().into(),
        item.parcours_id.map(|id| id.0).into(),
        item.candidate_id.map(|id| id.0).into(),
        item.digest.clone().into(),
        item.recipe.clone().into(),
        text(&item.applied).into(),
        text(&item.locked).into(),
        item.trace_revision.into(),
        text(&item.media).into(),
        i16::from(item.waits).into(),
        (!item.said.is_empty()).then(|| text(&item.said)).into(),
        (!item.steps.is_empty()).then(|| text(&item.steps)).into(),
    ];
    execute(tx, sql, values).await?;
    Ok(())
}

/// The latest runs of a source whose reports get the new names of its items, to be undone.
const RUNS_RENAMED: u32 = 100;

/// Gives items of a source new names, in the reports of its latest runs too: the name of each, and its new one. A new name may be the old one of
/// another item.
pub async fn rename_items(tx: &Tx, source: i64, names: &[(String, String)]) -> Result<(), StoreError> {
    let item = "UPDATE import_item SET item = $3 WHERE source_id = $1 AND item = $2";
    let lines = format!(
        "UPDATE import_line SET item = $3 WHERE item = $2 AND run_id IN
        (SELECT id FROM import_run WHERE source_id = $1 AND source_kind = $4 ORDER BY id DESC LIMIT {RUNS_RENAMED})"
    );
    for (from, to) in super::in_two_steps(names) {
        execute(tx, item, [source.into(), from.clone().into(), to.clone().into()]).await?;
        execute(tx, &lines, [source.into(), from.into(), to.into(), Kind::ImportSource.code().into()]).await?;
    }
    Ok(())
}

/// Forgets an item.
pub async fn drop_item(tx: &Tx, source: i64, name: &str) -> Result<(), StoreError> {
    execute(tx, "DELETE FROM import_item WHERE source_id = $1 AND item = $2", [source.into(), name.into()]).await?;
    Ok(())
}

/// The next item of a source whose line waits to be laid on the network.
pub async fn next_waiting(db: &impl Connection, source: i64) -> Result<Option<String>, StoreError> {
    let sql = "SELECT item FROM import_item WHERE waits > 0 AND source_id = $1 ORDER BY item LIMIT 1";
    one(db, sql, [source.into()]).await?.map(|row| get(&row, 0)).transpose()
}

/// Notes that an item no longer waits, and the revision of its trace.
pub async fn set_waits(tx: &Tx, source: i64, name: &str, revision: Option<i64>) -> Result<(), StoreError> {
    let sql = "UPDATE import_item SET waits = 0, trace_revision = COALESCE($3, trace_revision) WHERE source_id = $1 AND item = $2";
    execute(tx, sql, [source.into(), name.into(), revision.into()]).await?;
    Ok(())
}

/// The most parcours that are looked at of those that start at one place.
const MAX_NEAR_STARTS: u32 = 20;

/// Parcours of a white-label that start within about 150 m of a place, and that no item of this source is: those first whose length is
/// nearest to that of a line. A length may be typed, so that none is left out for its own.
pub async fn near_starts(
    db: &impl Connection,
    white_label: WhiteLabelId,
    source: i64,
    [lon, lat]: [f64; 2],
    length_m: f64,
) -> Result<Vec<ParcoursId>, StoreError> {
    const NORTH: f64 = 0.0014;
    let east = NORTH / lat.to_radians().cos().max(0.05);
    let micro = |degrees: f64| (degrees * 1e6).round() as i64;
    // The progress is named so that the index on starts serves.
    let sql = format!(
        "SELECT p.id FROM parcours p WHERE p.progress IN (0, 1, 2, 3, 4) AND p.start_x BETWEEN $3 AND $4
        AND p.start_y BETWEEN $5 AND $6 AND p.white_label_id = $1
        AND NOT EXISTS (SELECT 1 FROM import_item i WHERE i.parcours_id = p.id AND i.source_id = $2)
        ORDER BY ABS(p.distance_dm - $7), p.id LIMIT {MAX_NEAR_STARTS}"
    );
    let values: [Value; 7] = [
        white_label.0.into(),
        source.into(),
        micro(lon - east).into(),
        micro(lon + east).into(),
        micro(lat - NORTH).into(),
        micro(lat + NORTH).into(),
        ((length_m * 10.0).round() as i64).into(),
    ];
    all(db, &sql, values).await?.iter().map(|row| get(row, 0).map(ParcoursId)).collect()
}

/// The media that were fetched from these addresses, for a white-label, and are still there.
pub async fn media_of(
    db: &impl Connection,
    white_label: WhiteLabelId,
    urls: &[String],
) -> Result<HashMap<String, i64>, StoreError> {
    let mut found = HashMap::new();
    for url in urls {
        let sql = "SELECT i.media_id FROM import_media i JOIN media m ON m.id = i.media_id WHERE i.white_label_id = $1 AND i.url = $2";
        if let Some(row) = one(db, sql, [white_label.0.into(), url.clone().into()]).await? {
            found.insert(url.clone(), get(&row, 0)?);
        }
    }
    Ok(found)
}

/// Notes which media came from an address.
pub async fn put_media(tx: &Tx, white_label: WhiteLabelId, url: &str, media: i64) -> Result<(), StoreError> {
    let sql = "INSERT INTO import_media (white_label_id, url, media_id) VALUES ($1, $2, $3)
        ON CONFLICT (white_label_id, url) DO UPDATE SET media_id = excluded.media_id";
    execute(tx, sql, [white_label.0.into(), url.into(), media.into()]).await?;
    Ok(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_media_is_read_in_the_form_it_had_before_and_in_todays() {
        let before =
            r#"[["https://a.example/1.jpg", {"fr": "Le lac"}, "C. Le Goff"], ["https://a.example/2.jpg", {}, null]]"#;
        let mut said = BTreeMap::from([
            (LICENCES.to_owned(), r#"{"https://a.example/1.jpg": "CC BY 4.0"}"#.to_owned()),
            ("number".to_owned(), "4".to_owned()),
        ]);
        let media = with_licences(serde_json::from_str(before).unwrap(), &mut said);
        let first = WantedMedia {
            url: "https://a.example/1.jpg".to_owned(),
            legend: Text::in_french("Le lac"),
            author: Some("C. Le Goff".to_owned()),
            licence: Some("CC BY 4.0".to_owned()),
            ..WantedMedia::default()
        };
        assert_eq!(media[0], first);
        assert_eq!((media[1].url.as_str(), &media[1].author), ("https://a.example/2.jpg", &None));
        assert_eq!(said.keys().collect::<Vec<_>>(), ["number"], "no program is given them as a number of elsewhere");
        let now = WantedMedia { alt: Text::new("Un lac au soleil", "A lake in the sun"), ..first };
        let stored = serde_json::to_string(&now).unwrap();
        assert_eq!(serde_json::from_str::<WantedMedia>(&stored).unwrap(), now);
    }
}

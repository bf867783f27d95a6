//! The structures or the portals of a Geotrek, each as an archive of its own: every one goes into a white-label of its own.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use domain::white_label::WhiteLabelSheet;
use domain::{StructureId, WhiteLabelId};
use feeds::incoming::{GeotrekDatabase, GeotrekPart};
use serde::{Deserialize, Serialize};
use store::{Store, StoreError, white_label};

use crate::{Failure, user_create, wiring};

/// The names of the parts, in their folder.
const CONTENTS: &str = "parts.json";
/// The longest name of a white-label.
const MAX_NAME: usize = 100;

/// What the parts of a Geotrek are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// Its structures.
    Structure,
    /// Its portals.
    Portal,
}

/// A part of a Geotrek that has something to import.
#[derive(Debug, Serialize, Deserialize)]
pub struct Part {
    /// The name of the structure or of the portal, and of its white-label.
    pub name: String,
    /// Its archive, in the folder of the parts.
    pub file: String,
    /// How many items each list has.
    pub counts: BTreeMap<String, u64>,
}

/// Writes an archive of each part of a database into a folder. A part without treks, contents and events is left out.
pub fn write(
    database: &GeotrekDatabase,
    kind: PartKind,
    address: Option<&str>,
    folder: &Path,
) -> Result<Vec<Part>, Failure> {
    let unwritable = |error: std::io::Error| format!("{} cannot be written: {error}", folder.display());
    fs::create_dir_all(folder).map_err(unwritable)?;
    let (of, what) = match kind {
        PartKind::Structure => (database.structures(), "Structure"),
        PartKind::Portal => (database.portals(), "Portal"),
    };
    let mut parts = Vec::new();
    for (number, name) in of {
        let mut part = GeotrekPart::default();
        match kind {
            PartKind::Structure => part.structures.push(number.clone()),
            PartKind::Portal => part.portals.push(number.clone()),
        }
        let file = format!("{number}.zip");
        let path = folder.join(&file);
        let counts =
            database.write_archive(BufWriter::new(File::create(&path).map_err(unwritable)?), address, &part)?;
        let has_items = ["trek", "touristiccontent", "touristicevent"].iter().any(|list| counts.get(*list) > Some(&0));
        if !has_items {
            fs::remove_file(&path).map_err(unwritable)?;
            continue;
        }
        let name = name.trim().chars().take(MAX_NAME).collect::<String>();
        let name = if name.is_empty() { format!("{what} {number}") } else { name };
        parts.push(Part { name, file, counts });
    }
    fs::write(folder.join(CONTENTS), serde_json::to_vec(&parts)?).map_err(unwritable)?;
    Ok(parts)
}

/// The parts in a folder.
pub fn read(folder: &Path) -> Result<Vec<Part>, Failure> {
    Ok(serde_json::from_slice(&fs::read(folder.join(CONTENTS))?)?)
}

/// The white-label of a part: the one of its name, if it is there.
pub async fn known(store: &Store, name: &str) -> Result<Option<WhiteLabelId>, StoreError> {
    let all = white_label::all(store.read()).await?;
    Ok(all.into_iter().find(|known| known.name == name).map(|known| known.id))
}

/// The white-label of a part: the one of its name, or a new one, which is not published. `owner` is the structure of a new one; without it, the
/// structure of the same name, which is made where it is missing.
pub async fn white_label(store: &Store, name: &str, owner: Option<StructureId>) -> Result<WhiteLabelId, StoreError> {
    let tx = store.begin().await?;
    let all = white_label::all(&tx).await?;
    if let Some(known) = all.iter().find(|known| known.name == name) {
        return Ok(known.id);
    }
    let structure = match owner {
        Some(owner) => owner,
        None => user_create::structure_named(&tx, name).await?,
    };
    let mut new = WhiteLabelSheet { structure_id: structure.0, name: name.to_owned(), ..WhiteLabelSheet::default() };
    new.complete(&WhiteLabelSheet::default());
    // Names that differ only in accents or signs give one short name.
    let short = if new.slug.is_empty() { "geotrek".to_owned() } else { new.slug.clone() };
    let is_free = |slug: &String| all.iter().all(|known| known.slug != *slug);
    let numbered = (2..).map(|number| format!("{short}-{number}"));
    new.slug = std::iter::once(short.clone()).chain(numbered).find(is_free).unwrap_or_default();
    let made = white_label::insert(&tx, new, wiring::now()).await?;
    tx.commit().await?;
    Ok(made)
}

/// The structure that owns a white-label.
pub async fn structure_of(store: &Store, id: WhiteLabelId) -> Result<Option<StructureId>, StoreError> {
    Ok(white_label::find(store.read(), id).await?.map(|found| found.structure_id))
}

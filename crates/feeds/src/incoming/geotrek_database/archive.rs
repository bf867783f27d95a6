//! The lists of a Geotrek in one file (ZIP): `trek-1.json` is the first page of its treks, `along/12.json` the POIs along trek 12, and
//! `geotrek.json` how many items each list has.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek, Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::lists::Lists;
use super::{DumpError, UNKNOWN_ADDRESS};
use crate::incoming::{Refused, archives};

/// What is in an archive.
#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    /// `geotrek-lists`.
    format: String,
    version: u32,
    /// The public address of the Geotrek, where it is known.
    #[serde(default)]
    address: Option<String>,
    lists: BTreeMap<String, u64>,
}

const CONTENTS: &str = "geotrek.json";
const FORMAT: &str = "geotrek-lists";
/// The version of the form that is written, and the last that is read.
const VERSION: u32 = 1;
/// The most bytes of one page.
const MAX_PAGE_BYTES: u64 = 64 * 1024 * 1024;
/// The most bytes of the list of the lists: there are some dozens.
const MAX_CONTENTS_BYTES: u64 = 64 * 1024;
/// The most files: one for each trek, and some hundred pages.
const MAX_FILES: usize = 200_000;

/// An archive of lists.
#[derive(Debug)]
pub struct GeotrekArchive<R: Read + Seek> {
    files: ZipArchive<R>,
    contents: Contents,
}

impl<B: AsRef<[u8]>> GeotrekArchive<Cursor<B>> {
    /// Opens one that is in memory.
    pub fn open(bytes: B) -> Result<Self, Refused> {
        Self::read(Cursor::new(bytes))
    }
}

impl<R: Read + Seek> GeotrekArchive<R> {
    /// Opens one, of which only the pages that are asked for are read.
    pub fn read(reader: R) -> Result<Self, Refused> {
        let other = || Refused::new("import/no-geotrek-archive");
        let mut files = archives::open(reader, MAX_FILES, |_| other())?;
        let contents = entry(&mut files, CONTENTS, MAX_CONTENTS_BYTES)?.ok_or_else(other)?;
        let contents: Contents = serde_json::from_slice(&contents).map_err(|_| other())?;
        if contents.format != FORMAT || contents.version > VERSION {
            return Err(other());
        }
        Ok(Self { files, contents })
    }

    /// The public address of the Geotrek, where it is known.
    pub fn address(&self) -> Option<&str> {
        self.contents.address.as_deref()
    }

    /// What the addresses of the files of the Geotrek begin with, which are in its media folder.
    pub fn media_base(&self) -> String {
        format!("{}/media/", files_of(self.address()))
    }

    /// How many items a list has; none where it is not in the archive.
    pub fn count(&self, list: &str) -> Option<u64> {
        self.contents.lists.get(list).copied()
    }

    /// A page of a list, from 1, as the API answers it; none after the last one.
    pub fn page(&mut self, list: &str, page: usize) -> Result<Option<Vec<u8>>, Refused> {
        entry(&mut self.files, &format!("{list}-{page}.json"), MAX_PAGE_BYTES)
    }

    /// The POIs along a trek, as a page of numbers; none of a trek that is not there.
    pub fn along(&mut self, trek: &str) -> Result<Option<Vec<u8>>, Refused> {
        entry(&mut self.files, &format!("along/{trek}.json"), MAX_PAGE_BYTES)
    }
}

fn entry<R: Read + Seek>(files: &mut ZipArchive<R>, name: &str, max: u64) -> Result<Option<Vec<u8>>, Refused> {
    let damaged = || Refused::new("import/damaged-archive").with("file", name);
    let file = match files.by_name(name) {
        Ok(file) => file,
        Err(zip::result::ZipError::FileNotFound) => return Ok(None),
        Err(_) => return Err(damaged()),
    };
    let mut bytes = Vec::new();
    // The size that it declares may be wrong: the unpacked bytes are counted.
    file.take(max + 1).read_to_end(&mut bytes).map_err(|_| damaged())?;
    if bytes.len() as u64 > max { Err(damaged()) } else { Ok(Some(bytes)) }
}

/// The address that the files of a Geotrek are named by.
pub(super) fn files_of(address: Option<&str>) -> &str {
    address.unwrap_or(UNKNOWN_ADDRESS).trim_end_matches('/')
}

/// Writes the lists of a database.
pub(super) fn write(
    lists: &mut Lists<'_>,
    address: Option<&str>,
    to: impl Write + Seek,
) -> Result<BTreeMap<String, u64>, DumpError> {
    let mut files = ZipWriter::new(to);
    let mut counts = BTreeMap::new();
    for list in Lists::names() {
        let (count, per_page) = (lists.count(list), lists.per_page(list));
        let pages = count.div_ceil(per_page).max(1);
        for page in 1..=pages {
            let results = lists.items(list, (page - 1) * per_page..(page * per_page).min(count))?;
            let next = (page < pages).then(|| format!("{list}-{}.json", page + 1));
            put(
                &mut files,
                &format!("{list}-{page}.json"),
                &json!({"count": count, "next": next, "results": results}),
            )?;
        }
        counts.insert(list.to_owned(), count as u64);
    }
    for (trek, pois) in lists.along() {
        put(&mut files, &format!("along/{trek}.json"), &json!({"count": pois.len(), "next": null, "results": pois}))?;
    }
    let contents =
        Contents { format: FORMAT.to_owned(), version: VERSION, address: address.map(str::to_owned), lists: counts };
    put(&mut files, CONTENTS, &json!(contents))?;
    files.finish()?;
    Ok(contents.lists)
}

fn put(files: &mut ZipWriter<impl Write + Seek>, name: &str, content: &Value) -> Result<(), DumpError> {
    // Its bytes are the same for the same database: without the time of writing.
    files.start_file(name, SimpleFileOptions::default().last_modified_time(zip::DateTime::default()))?;
    files.write_all(content.to_string().as_bytes())?;
    Ok(())
}

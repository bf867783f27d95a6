//! One answer of a source of records, taken apart and not yet read.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;

use domain::hexadecimal;
use domain::sit::{SitColumnRule, SitKind, SitRecord};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::super::bounds::{Items, parsed, refuse_many_values, too_many};
use super::super::package::{damaged, place_of, text_of};
use super::super::route::Refused;
use super::super::xml;
use super::archive::{Archive, MAX_ENTRIES};
use super::{apidae, cirkwi, datatourisme, geotrek, lei, tourinsoft};

/// The most bytes of an answer that is not an archive.
const MAX_TEXT_BYTES: u64 = 64 * 1024 * 1024;

/// What came, in memory or in a file.
#[derive(Debug)]
pub enum Bytes {
    Memory(Vec<u8>),
    /// In a file, which is read as needed.
    File(File),
}

/// One answer of a source.
#[derive(Debug)]
pub struct SitPackage {
    kind: SitKind,
    form: Form,
    items: Vec<Item>,
    next: Option<String>,
    total: Option<u64>,
    deleted: Vec<String>,
    whole: bool,
    /// Geotrek: names of the kinds that its items have a number for.
    kinds: BTreeMap<String, domain::Text>,
}

#[derive(Debug)]
enum Form {
    Text(String),
    Archive(Box<Archive>),
}

#[derive(Debug)]
struct Item {
    id: String,
    at: At,
}

#[derive(Debug)]
enum At {
    /// Part of the text.
    Text(Range<usize>),
    /// An entry of the archive, and its day of change in the index.
    Entry(usize, String),
    /// Part of an entry, and its checksum.
    Part(usize, Range<usize>, String),
    /// Named by the index, and not there.
    Nowhere,
}

/// Reads JSON, however it is encoded.
pub(in crate::incoming) fn json<T: DeserializeOwned>(raw: &[u8]) -> Result<T, Refused> {
    let text = trace::decoded(raw);
    refuse_many_values(text.as_bytes())?;
    serde_json::from_str(&text).map_err(|error| not_json(&text, &error))
}

/// Refuses a text that is not JSON or is broken, with the place of the fault.
fn not_json(text: &str, error: &serde_json::Error) -> Refused {
    if text.trim_start().starts_with('<') { Refused::new("sit/not-json") } else { damaged(error) }
}

fn sum(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes)[..16])
}

impl SitPackage {
    /// Takes an answer apart.
    pub fn open(kind: SitKind, bytes: Bytes) -> Result<Self, Refused> {
        let unreadable = |error: std::io::Error| Refused::new("sit/archive-damaged").with("detail", error.to_string());
        match bytes {
            Bytes::Memory(bytes) if bytes.starts_with(b"PK\x03\x04") => {
                Self::archive(kind, Archive::open(Box::new(Cursor::new(bytes)))?)
            }
            Bytes::Memory(bytes) => Self::text(kind, bytes),
            Bytes::File(mut file) => {
                let mut head = [0; 4];
                let is_archive = file.read_exact(&mut head).is_ok() && head == *b"PK\x03\x04";
                file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
                if is_archive {
                    return Self::archive(kind, Archive::open(Box::new(BufReader::new(file)))?);
                }
                let mut bytes = Vec::new();
                file.take(MAX_TEXT_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
                if bytes.len() as u64 > MAX_TEXT_BYTES {
                    return Err(
                        Refused::new("fetch/too-large").with("megabytes", (MAX_TEXT_BYTES / 1_000_000).to_string())
                    );
                }
                Self::text(kind, bytes)
            }
        }
    }

    fn text(kind: SitKind, bytes: Vec<u8>) -> Result<Self, Refused> {
        if bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
            return Err(Refused::new("trace/empty"));
        }
        let text = text_of(bytes)?;
        let (items, next, total) = match kind {
            SitKind::Cirkwi => (elements(&text, kind, "poi", "<pois")?, None, xml::number_in(&text, "nb_objects")),
            SitKind::Lei => (elements(&text, kind, "sit_liste", "<LEI")?, None, xml::number_in(&text, "TOTAL_FENETRE")),
            SitKind::Tourinsoft if text.trim_start().starts_with('<') => {
                (elements(&text, kind, "entry", "<feed")?, next_of_atom(&text), None)
            }
            _ => {
                let page = Page::of(&text)?;
                let items = page.items.iter().enumerate().map(|(index, raw)| Item {
                    id: id_of(kind, raw.as_bytes()).unwrap_or_else(|| format!("#{}", index + 1)),
                    at: At::Text(place_of(&text, raw)),
                });
                // A Geotrek has several lists, and each counts its own items alone.
                (items.collect(), page.next, page.total.filter(|_| kind != SitKind::Geotrek))
            }
        };
        Ok(Self {
            kind,
            form: Form::Text(text),
            items,
            next,
            total,
            deleted: Vec::new(),
            whole: true,
            kinds: BTreeMap::new(),
        })
    }

    fn archive(kind: SitKind, archive: Archive) -> Result<Self, Refused> {
        let (items, deleted, whole) = match kind {
            SitKind::Datatourisme => (flux(&archive)?, Vec::new(), true),
            SitKind::Apidae => {
                let gone = archive.ending("objets_supprimes.json").first().copied();
                let deleted = gone.map(|(_, at)| apidae::deleted(&archive.entry(at)?)).transpose()?;
                (export(&archive)?, deleted.unwrap_or_default(), false)
            }
            // One document in an archive is that document.
            _ => {
                let found = [".xml", ".json"].into_iter().flat_map(|ending| archive.ending(ending)).next();
                let (_, at) = found.ok_or_else(|| Refused::new("sit/nothing-inside"))?;
                return Self::text(kind, archive.entry(at)?.to_vec());
            }
        };
        let form = Form::Archive(Box::new(archive));
        Ok(Self { kind, form, items, next: None, total: None, deleted, whole, kinds: BTreeMap::new() })
    }

    /// Adds names of the kinds that its items have a number for: a page of another list. Returns how many names it has now, and where
    /// the next page is.
    pub fn name_kinds(&mut self, bytes: &[u8]) -> Result<(usize, Option<String>), Refused> {
        let (kinds, next) = geotrek::kinds(bytes)?;
        self.kinds.extend(kinds);
        Ok((self.kinds.len(), next))
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// What names an item at its source.
    pub fn id(&self, index: usize) -> &str {
        self.items.get(index).map_or("", |item| &item.id)
    }

    /// A digest that changes with the item's content.
    pub fn digest(&self, index: usize) -> Result<String, Refused> {
        match (&self.form, self.items.get(index).map(|item| &item.at)) {
            (Form::Archive(archive), Some(At::Entry(at, day))) => Ok(format!("{}{day}", archive.mark(*at)?)),
            (_, Some(At::Part(_, _, sum))) => Ok(sum.clone()),
            _ => Ok(sum(&self.raw(index)?)),
        }
    }

    /// The bytes of an item as they came.
    pub fn raw(&self, index: usize) -> Result<Cow<'_, [u8]>, Refused> {
        let missing = || Refused::new("sit/file-missing");
        match (&self.form, self.items.get(index).map(|item| &item.at)) {
            (Form::Text(text), Some(At::Text(at))) => {
                Ok(Cow::Borrowed(text.get(at.clone()).unwrap_or_default().as_bytes()))
            }
            (Form::Archive(archive), Some(At::Entry(at, _))) => Ok(Cow::Owned(archive.entry(*at)?.to_vec())),
            (Form::Archive(archive), Some(At::Part(at, part, _))) => {
                let entry = archive.entry(*at)?;
                entry.get(part.clone()).map(|part| Cow::Owned(part.to_vec())).ok_or_else(missing)
            }
            _ => Err(missing()),
        }
    }

    /// Reads an item; Tourinsoft's columns by these rules.
    pub fn read(&self, index: usize, rules: &[SitColumnRule]) -> Result<SitRecord, Refused> {
        let raw = self.raw(index)?;
        let text = || std::str::from_utf8(&raw).unwrap_or_default();
        let mut record = match self.kind {
            SitKind::Datatourisme => datatourisme::record(&raw),
            SitKind::Apidae => apidae::record(&raw),
            SitKind::Tourinsoft => tourinsoft::record(&raw, rules),
            SitKind::Cirkwi => cirkwi::record(text()),
            SitKind::Lei => lei::record(text()),
            SitKind::Geotrek => geotrek::record(&raw, &self.kinds),
        }?;
        // By one name from one run to the next: that of the index, where there is one.
        let id = self.id(index);
        if !id.starts_with('#') {
            id.clone_into(&mut record.id);
        }
        Ok(record)
    }

    /// Whether an item is a draft at its source, which only an archive of a Geotrek's database shows.
    pub fn is_draft(&self, index: usize) -> bool {
        self.kind == SitKind::Geotrek && self.raw(index).is_ok_and(|raw| geotrek::is_draft(&raw))
    }

    /// The address of the source's next page.
    pub fn next(&self) -> Option<&str> {
        self.next.as_deref().filter(|next| !next.is_empty())
    }

    /// The source's total number of items.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// The items that the source lists as gone.
    pub fn deleted(&self) -> &[String] {
        &self.deleted
    }

    /// Whether it has all items of the source: an export of changes does not.
    pub fn is_whole(&self) -> bool {
        self.whole
    }
}

/// What names an item of JSON: the name that its reader gives it, so that a run counts the item by the name of its record.
fn id_of(kind: SitKind, raw: &[u8]) -> Option<String> {
    head_id(kind, raw).or_else(|| whole_id(kind, raw))
}

/// The identifier where the members that usually have it show it: the rest is not read.
fn head_id(kind: SitKind, raw: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(default)]
        id: Value,
        #[serde(default)]
        uuid: Value,
        #[serde(default)]
        uri: Value,
        #[serde(rename = "@id", default)]
        address: Value,
        #[serde(rename = "dc:identifier", default)]
        identifier: Value,
        #[serde(rename = "SyndicObjectID", default)]
        syndic: Value,
    }
    refuse_many_values(raw).ok()?;
    let head: Head = serde_json::from_slice(raw).ok()?;
    match kind {
        SitKind::Geotrek => geotrek::id_of(&head.uuid, &head.id),
        SitKind::Apidae => apidae::id_of(&serde_json::json!({"id": head.id})),
        SitKind::Tourinsoft => {
            let id = super::super::lenient::key(Some(&head.syndic))?;
            tourinsoft::id_of(&BTreeMap::from([("SyndicObjectID".to_owned(), id)]))
        }
        _ => datatourisme::id_of(&serde_json::json!({
            "@id": head.address, "uri": head.uri, "uuid": head.uuid, "dc:identifier": head.identifier,
        })),
    }
}

/// The identifier of an item that is read whole: a member may have another name, or be written twice.
fn whole_id(kind: SitKind, raw: &[u8]) -> Option<String> {
    if kind == SitKind::Tourinsoft {
        return tourinsoft::columns_of(raw).ok().as_ref().and_then(tourinsoft::id_of);
    }
    let object: Value = json(raw).ok()?;
    match kind {
        SitKind::Geotrek => geotrek::id_of(&object["uuid"], &object["id"]),
        SitKind::Apidae => apidae::id_of(&object),
        _ => datatourisme::id_of(&object),
    }
}

/// The elements of a document; the identifier of each is in an attribute, or where its reader finds it.
fn elements(text: &str, kind: SitKind, name: &str, mark: &str) -> Result<Vec<Item>, Refused> {
    let found = xml::split(text, name, |tag| xml::attribute(tag, "id_poi"))?;
    if found.is_empty() && !text.contains(mark) {
        return Err(Refused::new("sit/not-this").with("kind", kind.as_str()));
    }
    let item = |(index, (of_tag, at)): (usize, xml::Found)| {
        let raw = text.get(at.clone()).unwrap_or_default();
        let id = match kind {
            SitKind::Lei => xml::tree(raw).ok().as_ref().and_then(lei::id_of),
            SitKind::Tourinsoft => whole_id(kind, raw.as_bytes()),
            _ => of_tag,
        };
        Item { id: id.unwrap_or_else(|| format!("#{}", index + 1)), at: At::Text(at) }
    };
    Ok(found.into_iter().enumerate().map(item).collect())
}

/// `<link rel="next" href="…"/>`.
fn next_of_atom(text: &str) -> Option<String> {
    let tag = text
        .split("<link")
        .skip(1)
        .filter_map(|rest| rest.split('>').next())
        .find(|tag| tag.contains("rel=\"next\""))?;
    let href = tag.split_once("href=\"")?.1.split('"').next()?;
    Some(href.replace("&amp;", "&"))
}

/// A page of JSON of any source, its items unread.
struct Page<'a> {
    items: Vec<&'a str>,
    next: Option<String>,
    total: Option<u64>,
}

impl<'a> Page<'a> {
    fn of(text: &'a str) -> Result<Self, Refused> {
        Self::inside(text, false)
    }

    /// The page in a text. Version 2 of OData wraps its page, once: `is_inner` where that was taken off.
    fn inside(text: &'a str, is_inner: bool) -> Result<Self, Refused> {
        #[derive(Deserialize)]
        struct Written<'a> {
            #[serde(borrow, alias = "objetsTouristiques", alias = "value", alias = "results")]
            objects: Option<Items<&'a RawValue>>,
            #[serde(borrow, rename = "@graph")]
            graph: Option<&'a RawValue>,
            #[serde(borrow)]
            d: Option<&'a RawValue>,
            #[serde(borrow, rename = "numFound", alias = "__count", alias = "odata.count", alias = "@odata.count")]
            count: Option<&'a RawValue>,
            #[serde(borrow, rename = "__next", alias = "odata.nextLink", alias = "@odata.nextLink")]
            next: Option<&'a RawValue>,
            /// Geotrek's next page: behind a proxy its address is wrong, that there is one is right.
            #[serde(borrow, rename = "next")]
            more: Option<&'a RawValue>,
            #[serde(borrow, rename = "count")]
            all: Option<&'a RawValue>,
            #[serde(borrow)]
            meta: Option<&'a RawValue>,
        }
        let failed = |error: serde_json::Error| not_json(text, &error);
        let bare = |items: Items<&'a RawValue>| items.into_iter().map(RawValue::get).collect::<Vec<_>>();
        let list = |text: &'a str| serde_json::from_str::<Items<&'a RawValue>>(text).map(bare).map_err(failed);
        if text.trim_start().starts_with('[') {
            return Ok(Self { items: list(text)?, next: None, total: None });
        }
        let page: Written = serde_json::from_str(text).map_err(failed)?;
        if let Some(inner) = page.d.filter(|_| !is_inner) {
            return Self::inside(inner.get(), true);
        }
        let items = match (page.objects, page.graph.map(RawValue::get)) {
            (Some(items), _) => Some(bare(items)),
            // JSON-LD may write a list of one without its brackets.
            (None, Some(graph)) if graph.starts_with('{') => Some(vec![graph]),
            (None, graph) => graph.map(list).transpose()?,
        };
        let Some(items) = items else {
            // One object alone.
            let is_object = ["@id", "nom", "SyndicObjectID"].iter().any(|name| text.contains(&format!("\"{name}\"")));
            let alone = is_object.then(|| Self { items: vec![text.trim()], next: None, total: None });
            return alone.ok_or_else(|| Refused::new("sit/no-list"));
        };
        let value = |raw: Option<&RawValue>| raw.and_then(|raw| parsed::<Value>(raw.get()).ok()).unwrap_or_default();
        let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.parse().ok());
        let next = |value: &Value| value.as_str().map(str::to_owned);
        let meta = value(page.meta);
        Ok(Self {
            items,
            next: next(&value(page.next)).or_else(|| next(&meta["next"])).or_else(|| next(&value(page.more))),
            total: number(&value(page.count)).or_else(|| number(&meta["total"])).or_else(|| number(&value(page.all))),
        })
    }
}

/// The objects of a flux, as its index names them; without an index, those that are there.
fn flux(archive: &Archive) -> Result<Vec<Item>, Refused> {
    #[derive(Deserialize)]
    struct Line<'a> {
        #[serde(borrow, rename = "lastUpdateDatatourisme")]
        day: Option<&'a RawValue>,
        file: String,
    }
    // `15-45dfbace-…` is the object 15/45dfbace-….
    let id = |name: &str| {
        let stem = name.rsplit('/').next().unwrap_or_default().trim_end_matches(".json");
        let id: String = stem.chars().filter(|c| !c.is_control()).take(200).collect();
        let (number, rest) = id.split_once('-').unwrap_or_default();
        let is_number = !number.is_empty() && number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { format!("{number}/{rest}") } else { id }
    };
    let mut indexes = archive.ending("index.json");
    indexes.sort_by_key(|(name, _)| name.len());
    if let Some((name, at)) = indexes.first() {
        let folder = name.trim_end_matches("index.json");
        let bytes = archive.entry(*at)?;
        let text = trace::decoded(&bytes);
        let lines: Items<Line, MAX_ENTRIES> =
            serde_json::from_str(&text).map_err(|error| damaged(&error).with("file", "index.json"))?;
        let item = |line: Line| {
            let there = archive.at(&format!("{folder}objects/{}", line.file)).or_else(|| archive.at(&line.file));
            let day = line.day.and_then(|day| parsed::<String>(day.get()).ok()).unwrap_or_default();
            let day = day.chars().take(30).collect();
            Item { id: id(&line.file), at: there.map_or(At::Nowhere, |at| At::Entry(at, day)) }
        };
        return Ok(lines.into_iter().map(item).collect());
    }
    let objects =
        archive.ending(".json").into_iter().filter(|(name, _)| name.contains("objects/") || name.contains('-'));
    let items: Vec<Item> = objects.map(|(name, at)| Item { id: id(name), at: At::Entry(at, String::new()) }).collect();
    if items.is_empty() { Err(Refused::new("sit/nothing-inside")) } else { Ok(items) }
}

/// The objects of an export: arrays of some thousands, in separate files.
fn export(archive: &Archive) -> Result<Vec<Item>, Refused> {
    let mut items = Vec::new();
    let files: Vec<usize> = archive
        .ending(".json")
        .into_iter()
        .filter(|(name, _)| name.contains("objets_modifies") || name.contains("objets_lies"))
        .map(|(_, at)| at)
        .collect();
    if files.is_empty() {
        return Err(Refused::new("sit/nothing-inside"));
    }
    for file in files {
        let bytes = archive.entry(file)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| Refused::new("sit/not-utf8"))?;
        for raw in Page::of(text)?.items {
            if items.len() == MAX_ENTRIES {
                return Err(too_many(MAX_ENTRIES));
            }
            let id = id_of(SitKind::Apidae, raw.as_bytes()).unwrap_or_else(|| format!("#{}", items.len() + 1));
            items.push(Item { id, at: At::Part(file, place_of(text, raw), sum(raw.as_bytes())) });
        }
    }
    Ok(items)
}

//! One answer of a feed, taken apart and not yet read.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::Cursor;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use domain::sit::SitKind;
use serde_json::Value;
use serde_json::value::RawValue;
use trace::{NotATrace, ReadErrorKind};
use zip::ZipArchive;

use super::features::Ids;
use super::layers::LAYER;
use super::route::{ImportedRoute, Refused};
use super::sit::{Bytes, SitPackage};
use super::{Names, bounds, cirkwi, directus, features, files, geotrek, jalon, shapefile, tourist, xml};
use crate::MediaKind;

/// How many bytes of the beginning and of the end of a file tell its format.
const SEEN: usize = 4_000;
/// The most names of fields of one answer. One with more has no table behind it: it is not said which fields it lacks.
const MAX_FIELDS: usize = 20_000;
/// What an archive begins with.
const ZIP: &[u8] = b"PK\x03\x04";

/// The format of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Files of recordings, alone or in a ZIP; also a collection of features, which is many.
    Files,
    /// Geotrek's API v2.
    Geotrek,
    /// The French national schema of hiking routes.
    Randonnee,
    /// Cirkwi's circuits.
    Cirkwi,
    /// OGC API Features, WFS as JSON.
    Features,
    /// Routes among the objects of Apidae.
    Apidae,
    /// Tours among the objects of DATAtourisme.
    Datatourisme,
    /// The public feed of another Jalon server.
    Jalon,
    /// A collection of a Directus server.
    Directus,
}

impl Dialect {
    /// All values.
    pub const ALL: [Self; 9] = [
        Self::Files,
        Self::Geotrek,
        Self::Randonnee,
        Self::Cirkwi,
        Self::Features,
        Self::Apidae,
        Self::Datatourisme,
        Self::Jalon,
        Self::Directus,
    ];
}

/// One answer of a feed.
#[derive(Debug)]
pub struct Package {
    form: Form,
    items: Vec<(String, Range<usize>)>,
    /// The items whose name an earlier one has.
    repeated: HashSet<usize>,
    next: Option<String>,
    total: Option<u64>,
    until: Option<String>,
    /// The names of the fields of its items, filled or empty, where they follow no standard.
    fields: Option<BTreeSet<String>>,
    /// What was left out of its file.
    remarks: Vec<Refused>,
    /// The other names by which some of its items may be known ([`Ids::named`]).
    former: HashMap<usize, String>,
    /// The items that the number of their row names.
    by_row: HashSet<usize>,
    /// Whether its file stops in the middle.
    is_cut: bool,
    /// The names of what it shows as deleted.
    deleted: Vec<String>,
}

#[derive(Debug)]
enum Form {
    /// Treks in a text.
    Treks(String),
    /// Features in a text.
    Features(String),
    /// Circuits in a text.
    Circuits(String),
    /// Files in an archive that is open, and its size in bytes; an item is its place in it.
    Archive(Mutex<ZipArchive<Cursor<Vec<u8>>>>, usize),
    /// One file.
    Alone(Vec<u8>),
    /// Parcours in a text.
    Parcours(String),
    /// Items of a Directus server in a text, and the address of the server.
    Items(String, String),
    /// Records of a tourist information system, of which some are routes; an item is its place among them.
    Tourist(SitKind, Box<SitPackage>),
}

impl Package {
    /// Takes an answer apart. `name` is what a lone file is called; for items of a Directus server it is the address of the server, without a path.
    pub fn open(dialect: Dialect, bytes: Vec<u8>, name: &str) -> Result<Self, Refused> {
        if bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
            return Err(Refused::new("trace/empty"));
        }
        match dialect {
            Dialect::Geotrek => Self::treks(bytes),
            Dialect::Randonnee | Dialect::Features => Self::features(bytes),
            Dialect::Cirkwi => Self::circuits(bytes),
            Dialect::Files => Self::files(bytes, name),
            Dialect::Apidae => Self::tourist(SitKind::Apidae, bytes),
            Dialect::Datatourisme => Self::tourist(SitKind::Datatourisme, bytes),
            Dialect::Jalon => Self::parcours(bytes),
            Dialect::Directus => Self::items_of_directus(bytes, name),
        }
    }

    /// One whose form says neither its total nor where the next page is.
    fn of(form: Form, items: Vec<(String, Range<usize>)>) -> Self {
        let mut seen = HashSet::new();
        let ids = items.iter().map(|(id, _)| id.as_str()).enumerate();
        let repeated = ids.filter(|(_, id)| !seen.insert(*id)).map(|(index, _)| index).collect();
        Self {
            form,
            items,
            repeated,
            next: None,
            total: None,
            until: None,
            fields: None,
            remarks: Vec::new(),
            former: HashMap::new(),
            by_row: HashSet::new(),
            is_cut: false,
            deleted: Vec::new(),
        }
    }

    fn parcours(bytes: Vec<u8>) -> Result<Self, Refused> {
        let text = text_of(bytes)?;
        let lists = ["items", "updated"];
        let page: jalon::Page = serde_json::from_str(&text).map_err(|error| not_json(&text, &error, &lists))?;
        let items = numbered(&text, &page.items);
        let (next, total, until) = (page.next.clone(), page.total, page.until.clone());
        Ok(Self { next, total, until, ..Self::of(Form::Parcours(text), items) })
    }

    fn items_of_directus(bytes: Vec<u8>, server: &str) -> Result<Self, Refused> {
        let text = text_of(bytes)?;
        let page: directus::Page = serde_json::from_str(&text).map_err(|error| not_json(&text, &error, &["data"]))?;
        let items = numbered(&text, &page.data);
        let of_item = |fields, raw: &&RawValue| with_fields(fields, directus::fields(raw.get()));
        let fields = page.data.iter().fold(Some(BTreeSet::new()), of_item);
        Ok(Self { fields, ..Self::of(Form::Items(text, server.to_owned()), items) })
    }

    fn treks(bytes: Vec<u8>) -> Result<Self, Refused> {
        let text = text_of(bytes)?;
        let page: geotrek::Page = serde_json::from_str(&text).map_err(|error| not_json(&text, &error, &["results"]))?;
        let items = numbered(&text, &page.results);
        let (next, total) = (page.next.clone(), page.count);
        Ok(Self { next, total, ..Self::of(Form::Treks(text), items) })
    }

    fn features(bytes: Vec<u8>) -> Result<Self, Refused> {
        let shapefile = if bytes.starts_with(ZIP) { shapefile::collection(&bytes)? } else { None };
        match shapefile {
            Some(text) => Self::features_of(text),
            None => Self::features_of(text_of(bytes)?),
        }
    }

    fn features_of(text: String) -> Result<Self, Refused> {
        let found: features::Collection =
            serde_json::from_str(&text).map_err(|error| not_json(&text, &error, &["features"]))?;
        let mut heads = Vec::with_capacity(found.features.len());
        let mut fields = Some(BTreeSet::new());
        for raw in found.features.iter() {
            let head: Value = shallow(raw.get()).unwrap_or_default();
            let route_of_schema = head.get("properties").filter(|of| of.get("nom_itineraire").is_some());
            if route_of_schema.is_some() {
                fields = None;
            }
            fields = with_fields(fields, features::fields(&head));
            heads.push(match route_of_schema {
                Some(properties) => (None, Ids::by_standard(super::randonnee::id_of(properties))),
                None => (head[LAYER].as_str().map(str::to_owned), Ids::of(&head)),
            });
        }
        let mut of_layers: BTreeMap<Option<&str>, Vec<&Ids>> = BTreeMap::new();
        for (layer, ids) in &heads {
            of_layers.entry(layer.as_deref()).or_default().push(ids);
        }
        let naming: BTreeMap<Option<String>, HashSet<String>> =
            of_layers.into_iter().map(|(layer, ids)| (layer.map(str::to_owned), Ids::naming(&ids))).collect();
        let (mut items, mut former) = (Vec::with_capacity(heads.len()), HashMap::new());
        let mut by_row = HashSet::new();
        for (index, (raw, (layer, ids))) in found.features.iter().zip(heads).enumerate() {
            let naming = naming.get(&layer);
            if ids.is_by_row(naming) {
                by_row.insert(index);
            }
            let (id, was) = ids.named(naming);
            // Features of several layers may have the same numbers.
            let in_layer = |id: String| match &layer {
                Some(layer) => format!("{layer} {id}"),
                None => id,
            };
            if let Some(was) = was {
                former.insert(index, in_layer(was));
            }
            let id = in_layer(id.unwrap_or_else(|| features::name_of(raw.get())));
            items.push((id, place_of(&text, raw.get())));
        }
        let (next, total, remarks, is_cut) = (found.next(), found.total(), found.remarks(), found.is_cut);
        Ok(Self { next, total, fields, remarks, former, by_row, is_cut, ..Self::of(Form::Features(text), items) })
    }

    fn circuits(bytes: Vec<u8>) -> Result<Self, Refused> {
        let text = text_of(bytes)?;
        let items = cirkwi::split(&text)?;
        let total = xml::number_in(&text, "nb_objects");
        Ok(Self { total, ..Self::of(Form::Circuits(text), items) })
    }

    fn tourist(kind: SitKind, bytes: Vec<u8>) -> Result<Self, Refused> {
        let package = SitPackage::open(kind, Bytes::Memory(bytes))?;
        let (items, deleted) = tourist::routes(&package, kind);
        let next = package.next().map(str::to_owned);
        // How many of all there are routes is not known before they are read.
        Ok(Self { next, deleted, ..Self::of(Form::Tourist(kind, Box::new(package)), items) })
    }

    fn files(bytes: Vec<u8>, name: &str) -> Result<Self, Refused> {
        if bytes.starts_with(ZIP) {
            if let Some(text) = shapefile::collection(&bytes)? {
                return Self::features_of(text);
            }
            if let Some(found) = files::entries(&bytes)? {
                let items = found.into_iter().map(|(name, index)| (name, index..index)).collect();
                let size = bytes.len();
                return Ok(Self::of(Form::Archive(Mutex::new(files::opened(bytes)?), size), items));
            }
        } else {
            let head = trace::decoded(&bytes[..bytes.len().min(SEEN)]);
            let is_json = head.trim_start_matches('\u{feff}').trim_start().starts_with('{');
            if head.contains("<circuits") {
                return Self::circuits(bytes);
            }
            if is_json && is_collection(&trace::decoded(&bytes)) {
                return Self::features(bytes);
            }
            refuse_other(&bytes, name)?;
        }
        let name = if name.trim().is_empty() { "trace" } else { name };
        Ok(Self::of(Form::Alone(bytes), vec![(name.to_owned(), 0..0)]))
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// How many items it has, those with the name of an earlier one left out.
    pub fn distinct(&self) -> usize {
        self.items.len() - self.repeated.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// What names an item in its feed.
    pub fn id(&self, index: usize) -> &str {
        self.items.get(index).map_or("", |(id, _)| id)
    }

    /// The other name by which an item may be known from earlier versions or earlier files.
    pub fn former_id(&self, index: usize) -> Option<&str> {
        self.former.get(&index).map(String::as_str)
    }

    /// Whether the number of its row is all that names an item.
    pub fn is_by_row(&self, index: usize) -> bool {
        self.by_row.contains(&index)
    }

    /// The bytes of such an item as earlier versions had them, for its checksum.
    pub fn former_raw(&self, index: usize) -> Option<String> {
        features::of_earlier_version(self.text_of_feature(index)?, self.former_id(index)?)
    }

    /// Whether one of the values of a feature is this text.
    pub fn has_value(&self, index: usize, words: &str) -> bool {
        self.text_of_feature(index).is_some_and(|raw| features::has_value(raw, words))
    }

    fn text_of_feature(&self, index: usize) -> Option<&str> {
        let Form::Features(text) = &self.form else { return None };
        text.get(self.items.get(index)?.1.clone())
    }

    /// Whether an earlier item has the name of this one.
    pub fn is_repeated(&self, index: usize) -> bool {
        self.repeated.contains(&index)
    }

    /// The bytes of an item as they came, to detect whether it changed.
    pub fn raw(&self, index: usize) -> Result<Cow<'_, [u8]>, Refused> {
        let (_, at) = self.items.get(index).ok_or_else(|| Refused::new("import/nothing-inside"))?;
        Ok(match &self.form {
            Form::Treks(text)
            | Form::Features(text)
            | Form::Circuits(text)
            | Form::Parcours(text)
            | Form::Items(text, _) => Cow::Borrowed(text.get(at.clone()).unwrap_or_default().as_bytes()),
            Form::Archive(archive, size) => {
                let mut archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
                Cow::Owned(files::entry_of(&mut archive, *size, at.start)?)
            }
            Form::Alone(bytes) => Cow::Borrowed(bytes),
            Form::Tourist(_, package) => return package.raw(at.start),
        })
    }

    /// The position of an item that is a point: longitude, latitude. None for a line.
    pub fn position(&self, index: usize) -> Option<[f64; 2]> {
        let at = self.items.get(index)?.1.clone();
        match &self.form {
            Form::Features(text) => features::position_of(text.get(at)?),
            Form::Items(text, _) => directus::position(text.get(at)?),
            _ => None,
        }
    }

    /// Reads an item.
    pub fn read(&self, index: usize, names: &Names) -> Result<ImportedRoute, Refused> {
        if let Form::Tourist(kind, package) = &self.form {
            let (_, at) = self.items.get(index).ok_or_else(|| Refused::new("import/nothing-inside"))?;
            return tourist::route(package, *kind, at.start);
        }
        let raw = self.raw(index)?;
        let text = || std::str::from_utf8(&raw).unwrap_or_default();
        match &self.form {
            Form::Treks(_) => geotrek::route(text(), names),
            Form::Parcours(_) => jalon::route(text()),
            Form::Features(_) => features::route(text(), self.id(index)),
            // Its place among the others is not the item's: one that is deleted there would have the next ones take its place here.
            Form::Items(..) if self.id(index).starts_with('#') => Err(Refused::new("import/no-id")),
            Form::Items(_, server) => directus::route(text(), self.id(index), server),
            Form::Circuits(_) => cirkwi::route(text()),
            Form::Archive(..) | Form::Alone(_) | Form::Tourist(..) => files::route(&raw, self.id(index)),
        }
    }

    /// The address of the feed's next page.
    pub fn next(&self) -> Option<&str> {
        self.next.as_deref().filter(|next| !next.is_empty())
    }

    /// The identifiers of its records, routes or not. None where its items are all that it has.
    pub fn record_ids(&self) -> Option<impl Iterator<Item = &str>> {
        let Form::Tourist(_, package) = &self.form else { return None };
        Some((0..package.len()).map(|index| package.id(index)))
    }

    /// The number of its records, routes or not, and the feed's total: they show where one page ends, and whether the feed gave all that it counts.
    pub fn records(&self) -> (usize, Option<u64>) {
        match &self.form {
            Form::Tourist(_, package) => (package.len(), package.total()),
            _ => (self.items.len(), self.total),
        }
    }

    /// The instant from which the feed is asked for changes after this answer, where the feed gives it.
    pub fn until(&self) -> Option<&str> {
        self.until.as_deref()
    }

    /// Whether it has all items of the feed: an export of changes does not, nor does a file that stops in the middle.
    pub fn is_whole(&self) -> bool {
        match &self.form {
            Form::Tourist(_, package) => package.is_whole(),
            _ => !self.is_cut,
        }
    }

    /// The names of the items that it shows as deleted, and does not have.
    pub fn deleted(&self) -> &[String] {
        &self.deleted
    }

    /// Whether the table that it was made of stops in its last row.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// What was left out of its file as a whole, and why.
    pub fn remarks(&self) -> &[Refused] {
        &self.remarks
    }

    /// Whether one of its items has a field, filled or empty. Always where the names of the fields are those of a standard.
    pub fn has_field(&self, name: &str) -> bool {
        let Some(fields) = &self.fields else { return true };
        // A relation that no item of the page has does not show its own fields.
        let is_unseen = |relation: &str| {
            let begin = format!("{relation}.");
            fields.contains(relation) && !fields.iter().any(|field| field.starts_with(&begin))
        };
        fields.contains(name) || name.split_once('.').is_some_and(|(relation, _)| is_unseen(relation))
    }

    /// The feed's total number of items.
    pub fn total(&self) -> Option<u64> {
        self.total
    }
}

/// The text of an answer; a web page is refused.
pub(super) fn text_of(bytes: Vec<u8>) -> Result<String, Refused> {
    let text = match String::from_utf8(bytes) {
        // UTF-16 without a mark: of the letters of ASCII one byte is zero.
        Ok(text) if text.bytes().take(2).any(|byte| byte == 0) => trace::decoded(text.as_bytes()).into_owned(),
        Ok(text) if !text.starts_with('\u{feff}') => text,
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(other) => trace::decoded(other.as_bytes()).into_owned(),
    };
    let head: String = text.trim_start().chars().take(200).collect::<String>().to_ascii_lowercase();
    if head.starts_with("<!doctype html") || head.starts_with("<html") {
        return Err(Refused::new("import/web-page"));
    }
    Ok(text)
}

/// The names of the fields of an answer with those of one more item. None once there are too many, or where they were not kept.
fn with_fields(known: Option<BTreeSet<String>>, more: impl IntoIterator<Item = String>) -> Option<BTreeSet<String>> {
    let mut known = known?;
    known.extend(more);
    (known.len() <= MAX_FIELDS).then_some(known)
}

/// Whether a text of JSON is a collection of features. Its members have no order: some programs write the type after the features.
fn is_collection(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = [&bytes[..bytes.len().min(SEEN)], &bytes[bytes.len().saturating_sub(SEEN)..]];
    ends.iter().any(|end| memchr::memmem::find(end, b"\"FeatureCollection\"").is_some())
}

/// Refuses a lone file that is no recording at all, such as the page of a server in maintenance: as one faulty item it would look like a source that has
/// nothing else.
fn refuse_other(bytes: &[u8], name: &str) -> Result<(), Refused> {
    let Err(error) = trace::read(bytes, name) else { return Ok(()) };
    match error.kind {
        ReadErrorKind::NotATrace(NotATrace::WebPage) => Err(Refused::new("import/web-page")),
        ReadErrorKind::NotATrace(_) => Err(error.into()),
        _ => Ok(()),
    }
}

/// An item read only to know its name. What nests without end is not read.
fn shallow(raw: &str) -> Option<Value> {
    #[derive(serde::Deserialize)]
    struct Head {
        #[serde(default)]
        uuid: Value,
        #[serde(default)]
        id: Value,
        #[serde(default)]
        properties: Value,
        #[serde(rename = "jalon_layer", default)]
        layer: Value,
    }
    let head: Head = bounds::parsed(raw).ok()?;
    let members = [("uuid", head.uuid), ("id", head.id), ("properties", head.properties), (LAYER, head.layer)];
    Some(members.into_iter().collect())
}

/// The items of a page with their names: the UUID, the number, or the place on the page.
fn numbered(text: &str, items: &[&RawValue]) -> Vec<(String, Range<usize>)> {
    let item = |(index, raw): (usize, &&RawValue)| {
        let id = shallow(raw.get()).as_ref().and_then(geotrek::id_of).unwrap_or_else(|| format!("#{}", index + 1));
        (id, place_of(text, raw.get()))
    };
    items.iter().enumerate().map(item).collect()
}

/// Where a part of a text is in it.
pub(super) fn place_of(text: &str, part: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + part.len()
}

/// Why an answer whose items are in a list of one of these names is not read.
fn not_json(text: &str, error: &serde_json::Error, lists: &[&str]) -> Refused {
    if text.trim_start().starts_with('<') {
        return Refused::new("import/not-json");
    }
    // The refusal of a server is JSON too: `{"error": "Service down"}`.
    if bounds::too_many_of(error).is_none() && bounds::lacks_members(text, lists) {
        return Refused::new("import/no-list");
    }
    damaged(error)
}

/// An answer that is damaged, and where, or that has too many items.
pub(super) fn damaged(error: &serde_json::Error) -> Refused {
    if let Some(too_many) = bounds::too_many_of(error) {
        return too_many;
    }
    Refused::new("import/damaged").with("line", error.line().to_string()).with("column", error.column().to_string())
}

/// What an address leads to, by its ending.
pub(super) fn media_kind(url: &str) -> MediaKind {
    let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| path.ends_with(ending));
    if ends(&[".mp3", ".m4a", ".ogg", ".wav"]) {
        MediaKind::Audio
    } else if ends(&[".mp4", ".webm", ".mov"]) {
        MediaKind::Video
    } else if ends(&[".pdf"]) {
        MediaKind::Document
    } else {
        MediaKind::Image
    }
}

//! What Typst can read: the templates, the data and files of one request, and nothing else. No disk, no clock, no network.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World, WorldExt};

use crate::fonts::Faces;
use crate::view::View;

macro_rules! templates {
    ($($file:literal),+ $(,)?) => {
        [$((concat!("/", $file), include_str!(concat!("../templates/", $file)))),+]
    };
}

static TEMPLATES: [(&str, &str); 12] = templates![
    "main.typ",
    "card.typ",
    "base.typ",
    "icons.typ",
    "map.typ",
    "profile.typ",
    "steps.typ",
    "cover.typ",
    "trip.typ",
    "day.typ",
    "stay.typ",
    "end.typ",
];

/// Parsed once a process.
static SOURCES: LazyLock<Vec<(FileId, Source)>> = LazyLock::new(|| {
    TEMPLATES
        .iter()
        .map(|(name, text)| id(name).map(|id| (id, Source::new(id, (*text).to_owned()))))
        .collect::<Option<_>>()
        .unwrap_or_default()
});

static LIBRARY: LazyLock<LazyHash<Library>> = LazyLock::new(|| LazyHash::new(Library::default()));

fn id(name: &str) -> Option<FileId> {
    Some(RootedPath::new(VirtualRoot::Project, VirtualPath::new(name).ok()?).intern())
}

/// The Typst world of one request.
pub(crate) struct TypstWorld {
    main: FileId,
    data: FileId,
    json: Bytes,
    files: BTreeMap<String, Bytes>,
    faces: Faces,
}

impl TypstWorld {
    pub(crate) fn new(view: &View) -> Option<Self> {
        Some(Self {
            main: id(view.main)?,
            data: id("/data.json")?,
            json: Bytes::new(serde_json::to_vec(&view.data).ok()?),
            files: view.files.clone(),
            faces: view.faces.clone(),
        })
    }
}

impl TypstWorld {
    /// Where faults are in the templates, for the log.
    pub(crate) fn places(&self, faults: &[SourceDiagnostic]) -> String {
        let place = |fault: &SourceDiagnostic| {
            let id = fault.span.id()?;
            let (range, source) = (self.range(fault.span)?, self.source(id).ok()?);
            let line = source.text().get(..range.start)?.lines().count();
            Some(format!("{}:{line}", path(id)))
        };
        faults.iter().filter_map(place).take(5).collect::<Vec<_>>().join(", ")
    }
}

impl World for TypstWorld {
    fn library(&self) -> &LazyHash<Library> {
        &LIBRARY
    }

    fn book(&self) -> &LazyHash<FontBook> {
        self.faces.book()
    }

    fn main(&self) -> FileId {
        self.main
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        SOURCES
            .iter()
            .find(|(known, _)| *known == id)
            .map(|(_, source)| source.clone())
            .ok_or_else(|| FileError::NotFound(path(id).into()))
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        if id == self.data {
            return Ok(self.json.clone());
        }
        self.files.get(path(id)).cloned().ok_or_else(|| FileError::NotFound(path(id).into()))
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.faces.fonts().get(index).cloned()
    }

    /// The data has the day it was made; the machine's clock is not used.
    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}

fn path(id: FileId) -> &'static str {
    id.get().vpath().get_with_slash()
}

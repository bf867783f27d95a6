//! Media beside a trek or a POI.

use serde::Serialize;

use crate::object::{Chosen, Object};
use crate::{Feed, Media, MediaKind, uuid};

/// A media in the words of Geotrek.
#[derive(Debug, Serialize)]
pub(super) struct Attachment {
    backend: &'static str,
    r#type: &'static str,
    filetype: FileType,
    author: String,
    license: Option<String>,
    thumbnail: String,
    legend: String,
    title: String,
    url: String,
    uuid: String,
}

/// The purpose of a media, as in Geotrek's own list.
#[derive(Debug, Serialize)]
struct FileType {
    id: i64,
    structure: Option<i64>,
    r#type: &'static str,
}

const FILE_TYPES: [&str; 4] = ["Photographie", "Vidéo", "Audio", "Document"];

fn file_type_of(kind: MediaKind) -> FileType {
    let at = match kind {
        MediaKind::Image => 0,
        MediaKind::Video => 1,
        MediaKind::Audio => 2,
        MediaKind::Document => 3,
    };
    FileType { id: at as i64 + 1, structure: None, r#type: FILE_TYPES[at] }
}

/// The list of what media are for, with their numbers.
pub fn file_types(chosen: &Chosen) -> Vec<(i64, String)> {
    let one = |(id, name): (i64, &str)| {
        let mut object = Object::new(chosen);
        object.put("id", || id).put("structure", || ()).put("type", || name);
        (id, object.end())
    };
    (1..).zip(FILE_TYPES).map(one).collect()
}

/// The media of something, in their order.
pub(super) fn attachments(feed: &Feed, media: &[Media]) -> Vec<Attachment> {
    let one = |media: &Media| Attachment {
        backend: "",
        r#type: match media.kind {
            MediaKind::Image => "image",
            MediaKind::Video => "video",
            MediaKind::Audio | MediaKind::Document => "file",
        },
        filetype: file_type_of(media.kind),
        author: media.copyright.clone().unwrap_or_default(),
        license: media.licence.clone(),
        thumbnail: media.thumbnail.clone().unwrap_or_default(),
        legend: media.legend.best(feed.main()).to_owned(),
        title: media.name.rsplit_once('.').map_or(media.name.as_str(), |(stem, _)| stem).to_owned(),
        url: media.url.clone(),
        uuid: uuid(&feed.uuid_base, "media", media.id),
    };
    media.iter().map(one).collect()
}

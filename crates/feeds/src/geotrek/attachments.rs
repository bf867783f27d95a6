//! Media beside a trek or a POI.

use serde::Serialize;

use crate::{Feed, Media, MediaKind, uuid};

/// A media in the words of Geotrek.
#[derive(Debug, Serialize)]
pub(super) struct Attachment {
    backend: &'static str,
    r#type: &'static str,
    author: String,
    license: Option<String>,
    thumbnail: String,
    legend: String,
    title: String,
    url: String,
    uuid: String,
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
        author: media.copyright.clone().unwrap_or_default(),
        license: None,
        thumbnail: media.thumbnail.clone().unwrap_or_default(),
        legend: media.legend.best(feed.main()).to_owned(),
        title: media.name.rsplit_once('.').map_or(media.name.as_str(), |(stem, _)| stem).to_owned(),
        url: media.url.clone(),
        uuid: uuid(&feed.base, "media", media.id),
    };
    media.iter().map(one).collect()
}

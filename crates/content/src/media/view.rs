//! The view of a media.

use std::collections::BTreeMap;

use app::record::Head;
use app::record::owned::Ownership;
use domain::media::{Crop, Focal, MediaMade, MediaPurpose, MediaSheet, MediaState, MediaVariant, TranslatedFile};
use domain::{MediaKind, Text};
use serde::Serialize;
use store::record::Stored;
use utoipa::ToSchema;

/// A media. Its original is at `url`, for people of its white-label (others get it without its place); everything else may be
/// public. Where it was taken is for people of its white-label too.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Media)]
pub struct MediaView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    ownership: Ownership,
    kind: MediaKind,
    /// How far the server is with its sizes.
    state: MediaState,
    purpose: MediaPurpose,
    file_name: String,
    mime: String,
    bytes: u64,
    /// In pixels, after the rotation that the file asks for.
    width: Option<u32>,
    /// In pixels, after the rotation that the file asks for.
    height: Option<u32>,
    duration_s: Option<f64>,
    pages: Option<u32>,
    legend: Text,
    alt: Text,
    copyright: Option<String>,
    /// The licence under which the author gives it, in words.
    licence: Option<String>,
    /// Where it was taken: degrees east and north.
    #[schema(value_type = Option<trace::Place>)]
    location: Option<[f64; 2]>,
    /// The place where the file says that it was taken, until an editor accepts it.
    #[schema(value_type = Option<trace::Place>)]
    location_offered: Option<[f64; 2]>,
    focal: Focal,
    crop: Option<Crop>,
    /// Files in other languages.
    translated: BTreeMap<String, TranslatedView>,
    /// What was made of it.
    variants: Vec<VariantView>,
    /// The poster of a video or a document.
    poster_url: Option<String>,
    /// Loudness of a sound from start to end, 0 to 255.
    #[schema(value_type = Option<Vec<u8>>)]
    waveform: Option<Vec<u16>>,
    /// Two lines in a font.
    specimen_url: Option<String>,
    /// The original.
    url: String,
    /// The public file, for media that are shown as uploaded.
    file_url: Option<String>,
    thumb_url: Option<String>,
    /// SHA-256 of the original, hexadecimal.
    sha256: String,
    /// What is still to be written: `legend`, `copyright`, `alt`.
    missing: Vec<&'static str>,
    /// Media of the same white-label with the same bytes.
    pub(super) duplicates: Vec<i64>,
    /// How many things use it.
    pub(super) uses_total: i64,
}

/// A file in another language.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TranslatedView {
    file_name: String,
    mime: String,
    bytes: u64,
    url: String,
}

/// Something that was made of a media.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct VariantView {
    name: String,
    /// `webp`, `jpeg`, `png` or `svg`.
    format: String,
    width: Option<u32>,
    height: Option<u32>,
    bytes: u64,
    url: String,
}

/// The address of something that was made: it changes when it is made again, so it may be kept for good.
pub fn address(id: i64, name: &str, made: u32) -> String {
    format!("/media/{id}/{name}?v={made}")
}

/// The address of the file as it came.
pub fn original_address(id: i64) -> String {
    format!("/media/{id}/original")
}

/// The address of a size for programs that expect the address of a file: it ends with an extension, has no query, and its file name is unique
/// among all media and sizes.
pub fn file_address(id: i64, name: &str, mime: &str, made: u32) -> String {
    format!("/media/{id}/{id}-{}-v{made}.{}", size_of(name), ending(mime))
}

/// The address of the file that readers of a language get instead of the media's own, and its content type; none where there is no
/// file in that language.
pub fn translated_address<'a>(media: &'a Stored<MediaSheet>, language: &str) -> Option<(String, &'a str)> {
    let TranslatedFile { mime, .. } = media.sheet.translated.get(language)?;
    let (id, version) = (media.id, media.version);
    Some((format!("/media/{id}/{id}-file-{language}-v{version}.{}", ending(mime)), mime))
}

/// The variant that an address of a file names, and the number of its making.
pub(super) fn named_by_file(id: i64, file: &str, made: &MediaMade, sheet: &MediaSheet) -> Option<(String, String)> {
    let (stem, asked) = file.rsplit_once('.')?;
    let stem = stem.strip_prefix(&format!("{id}-")).unwrap_or(stem);
    let (size, number) = stem.rsplit_once("-v")?;
    let fits = |variant: &&MediaVariant| size_of(&variant.name) == size && ending(&variant.mime) == asked;
    let found = made.variants.iter().find(fits).map(|variant| variant.name.clone());
    let file = || {
        let mime = match size.strip_prefix("file-") {
            Some(language) => &sheet.translated.get(language)?.mime,
            None => (size == "file").then_some(&sheet.file.mime)?,
        };
        (ending(mime) == asked).then(|| size.to_owned())
    };
    Some((found.or_else(file)?, number.to_owned()))
}

/// The size of a variant without its format: `w1280` of `w1280-jpeg`.
fn size_of(name: &str) -> &str {
    name.rsplit_once('-').map_or(name, |(size, _)| size)
}

/// What names of files of a content type end in.
fn ending(mime: &str) -> &str {
    match mime.split_once('/').unwrap_or(("", mime)) {
        (_, "jpeg") => "jpg",
        (_, "svg+xml") => "svg",
        ("audio", "mpeg") => "mp3",
        ("audio", "mp4" | "x-m4a") => "m4a",
        (_, "quicktime") => "mov",
        (_, other) => other,
    }
}

/// The best variant that is not wider than `width`, in a format.
pub fn fitting<'a>(made: &'a MediaMade, mime: &str, width: u32) -> Option<&'a MediaVariant> {
    let sizes = made.variants.iter().filter(|variant| variant.mime == mime && variant.name.starts_with('w'));
    sizes.filter(|variant| variant.width.is_some_and(|wide| wide <= width)).max_by_key(|variant| variant.width)
}

impl MediaView {
    /// Takes out where it was taken: people of other white-labels do not read it.
    pub(super) fn hide_place(&mut self) {
        (self.location, self.location_offered) = (None, None);
    }

    /// The view of a media.
    pub(super) fn of(head: Head, ownership: Ownership, sheet: MediaSheet, made: MediaMade) -> Self {
        let id = head.id;
        let named = |name: &str| made.variants.iter().find(|variant| variant.name == name);
        let url_of = |name: &str| named(name).map(|_| address(id, name, made.made));
        let missing = sheet.missing();
        let MediaSheet { file_name, legend, alt, copyright, licence, location, focal, crop, file, translated, .. } =
            sheet;
        let as_it_came = file.kind != MediaKind::Image || file.mime == "image/avif";
        let has_pages = matches!(file.kind, MediaKind::Video | MediaKind::Pdf);
        Self {
            kind: file.kind,
            state: made.state,
            purpose: file.purpose,
            file_name,
            mime: file.mime,
            bytes: file.bytes,
            width: file.width,
            height: file.height,
            duration_s: made.duration_ms.or(file.duration_ms).map(|ms| ms as f64 / 1000.0),
            pages: file.pages,
            legend,
            alt,
            copyright,
            licence,
            location,
            location_offered: if location.is_some() { None } else { file.location },
            focal,
            crop,
            translated: translated
                .into_iter()
                .map(|(language, file)| {
                    let url = address(id, &format!("file-{language}"), head.version as u32);
                    let view = TranslatedView { file_name: file.file_name, mime: file.mime, bytes: file.bytes, url };
                    (language, view)
                })
                .collect(),
            variants: made.variants.iter().map(|variant| VariantView::of(id, made.made, variant)).collect(),
            poster_url: if has_pages {
                fitting(&made, "image/jpeg", 1280).map(|at| address(id, &at.name, made.made))
            } else {
                None
            },
            waveform: (!made.waveform.is_empty()).then(|| made.waveform.iter().map(|peak| u16::from(*peak)).collect()),
            specimen_url: url_of("specimen"),
            url: original_address(id),
            file_url: (as_it_came || named("file").is_some()).then(|| address(id, "file", made.made)),
            thumb_url: url_of("thumb-webp")
                .or_else(|| url_of("specimen"))
                .or_else(|| url_of("file").filter(|_| file.kind == MediaKind::Image)),
            sha256: file.sha256,
            missing,
            duplicates: Vec::new(),
            uses_total: 0,
            head,
            ownership,
        }
    }
}

impl VariantView {
    fn of(id: i64, made: u32, variant: &MediaVariant) -> Self {
        let format = variant.mime.split('/').nth(1).unwrap_or_default();
        Self {
            format: format.split('+').next().unwrap_or_default().to_owned(),
            url: address(id, &variant.name, made),
            name: variant.name.clone(),
            width: variant.width,
            height: variant.height,
            bytes: variant.bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> MediaMade {
        let variant = |name: &str, mime: &str| MediaVariant {
            name: name.to_owned(),
            mime: mime.to_owned(),
            width: Some(1280),
            height: Some(800),
            bytes: 1,
        };
        let variants = vec![variant("w1280-webp", "image/webp"), variant("w1280-jpeg", "image/jpeg")];
        MediaMade { made: 3, variants, ..MediaMade::default() }
    }

    #[test]
    fn an_address_ends_like_a_file_and_leads_back_to_what_it_names() {
        assert_eq!(file_address(10, "w1280-jpeg", "image/jpeg", 3), "/media/10/10-w1280-v3.jpg");
        assert_eq!(file_address(7, "file", "application/pdf", 1), "/media/7/7-file-v1.pdf");
        let mut sheet = MediaSheet::default();
        sheet.file.mime = "application/pdf".to_owned();
        let english = TranslatedFile { mime: "application/pdf".to_owned(), ..TranslatedFile::default() };
        sheet.translated.insert("en".to_owned(), english);
        let named = |file: &str| named_by_file(10, file, &made(), &sheet);
        for name in ["10-w1280-v3.jpg", "w1280-v3.jpg"] {
            assert_eq!(named(name), Some(("w1280-jpeg".to_owned(), "3".to_owned())), "{name}");
        }
        assert_eq!(named("10-w1280-v2.webp"), Some(("w1280-webp".to_owned(), "2".to_owned())));
        assert_eq!(named("10-file-v1.pdf"), Some(("file".to_owned(), "1".to_owned())));
        assert_eq!(named("10-file-en-v4.pdf"), Some(("file-en".to_owned(), "4".to_owned())));
        for none in [
            "w1280-jpeg",
            "10-w640-v3.jpg",
            "10-w1280-v3.gif",
            "original",
            "10-original-v1.jpg",
            "10-file-de-v4.pdf",
            "-v.",
            "",
        ] {
            assert_eq!(named(none), None, "{none}");
        }
    }
}

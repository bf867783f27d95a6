//! A stored media file: data read from its bytes, texts that people wrote about it, and variants made from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::MediaKind;
use crate::record::{Field, Rule, free, line, plain, sheet};
use crate::{Fault, Text};

/// The purpose of a media file. A logo may be smaller than a photo, and may be a drawing (SVG).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MediaPurpose {
    /// Shown with content.
    #[default]
    Content,
    /// A white-label's logo.
    Logo,
}

/// The progress of the server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MediaState {
    /// All variants are made.
    #[default]
    Ready,
    /// Its variants are being made.
    Processing,
    /// It could not be read completely: there are no variants.
    Broken,
}

impl MediaState {
    /// The stored number.
    pub const fn number(self) -> i16 {
        match self {
            Self::Ready => 0,
            Self::Processing => 1,
            Self::Broken => 2,
        }
    }

    /// The state of a stored number.
    pub const fn of_number(number: i16) -> Option<Self> {
        match number {
            0 => Some(Self::Ready),
            1 => Some(Self::Processing),
            2 => Some(Self::Broken),
            _ => None,
        }
    }
}

/// The point that a crop must show, as shares (0 to 1) of width and height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Focal {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

impl Default for Focal {
    fn default() -> Self {
        Self { x: 0.5, y: 0.5 }
    }
}

impl Field for Focal {
    fn check(&self, _rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        if !(is_share(self.x) && is_share(self.y)) {
            faults.push(Fault::new("media/focal-outside", at));
        }
    }
}

/// The part of a picture that is shown, as shares (0 to 1) of width and height.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Crop {
    /// Left side.
    pub x: f64,
    /// Upper side.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Crop {
    /// Whether the part is at least a twentieth of each side, and inside the picture apart from rounding.
    fn is_inside(self) -> bool {
        let sides = [(self.x, self.w), (self.y, self.h)];
        sides.into_iter().all(|(from, length)| from >= 0.0 && length >= 0.05 && from + length <= 1.0005)
    }
}

impl Field for Option<Crop> {
    fn check(&self, _rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        if self.is_some_and(|crop| !crop.is_inside()) {
            faults.push(Fault::new("media/crop-outside", at));
        }
    }
}

fn is_share(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}

/// The bytes of a media, and what was read from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MediaFile {
    pub kind: MediaKind,
    /// Content type.
    pub mime: String,
    /// Size.
    pub bytes: u64,
    /// Width in pixels, after the rotation that the file asks for.
    pub width: Option<u32>,
    /// Height in pixels, after the rotation that the file asks for.
    pub height: Option<u32>,
    /// Length of a video or a sound, where the file gives it.
    pub duration_ms: Option<u64>,
    /// Pages of a document.
    pub pages: Option<u32>,
    /// Where the file says that it was taken; it is proposed, not applied.
    pub location: Option<[f64; 2]>,
    /// SHA-256 of the bytes, in hexadecimal.
    pub sha256: String,
    /// The purpose of its upload.
    pub purpose: MediaPurpose,
    /// Where the bytes are.
    pub blob_key: String,
    /// A public copy, where the file itself contains a place.
    pub shown_key: Option<String>,
}

impl Default for MediaFile {
    fn default() -> Self {
        Self {
            kind: MediaKind::Image,
            mime: String::new(),
            bytes: 0,
            width: None,
            height: None,
            duration_ms: None,
            pages: None,
            location: None,
            sha256: String::new(),
            purpose: MediaPurpose::Content,
            blob_key: String::new(),
            shown_key: None,
        }
    }
}

impl Field for MediaFile {}

/// The same content in another language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranslatedFile {
    /// Name of the file as it came.
    pub file_name: String,
    /// Content type, read from the bytes.
    pub mime: String,
    /// Size.
    pub bytes: u64,
    /// Where its bytes are.
    pub blob_key: String,
    /// The key of the public copy.
    pub shown_key: String,
}

impl Field for BTreeMap<String, TranslatedFile> {}

sheet! {
    /// The fields of a media with a history: what people write of it, and which file it is.
    MediaSheet {
        /// Name of the file.
        file_name: String = line(200).required(),
        /// The caption.
        legend: Text = plain(2_000),
        /// The alternative text.
        alt: Text = plain(1_000),
        /// The author.
        copyright: Option<String> = line(300),
        /// The licence, as text: `CC BY-SA 4.0`.
        licence: Option<String> = line(200),
        /// Where it was taken: degrees east and north.
        #[schema(value_type = Option<trace::Place>)]
        location: Option<[f64; 2]> = free(),
        /// The point that a crop must show.
        focal: Focal = free(),
        /// The part that is shown.
        crop: Option<Crop> = free(),
        /// The file itself.
        #[schema(value_type = Object)]
        file: MediaFile = free(),
        /// Files in other languages.
        #[schema(value_type = Object)]
        translated: BTreeMap<String, TranslatedFile> = free(),
        /// The key of a video's or a document's poster.
        poster: Option<String> = free(),
    }
}

impl MediaSheet {
    /// What it lacks: a bit each for the legend, the author and the alternative text.
    pub fn lacks(&self) -> i16 {
        let lack = |missing: bool, bit: MediaLack| if missing { bit as i16 } else { 0 };
        lack(self.legend.is_empty(), MediaLack::Legend)
            + lack(self.copyright.is_none(), MediaLack::Copyright)
            + lack(self.alt.is_empty(), MediaLack::Alt)
    }

    /// The blobs it points to.
    pub fn blobs(&self) -> Vec<String> {
        let translated = self.translated.values().flat_map(|file| [&file.blob_key, &file.shown_key]);
        let own = [&self.file.blob_key].into_iter().chain(&self.file.shown_key).chain(&self.poster);
        own.chain(translated).filter(|key| !key.is_empty()).cloned().collect()
    }

    /// What is shown beside it: « © » and the author, then the licence.
    pub fn credit(&self) -> Option<String> {
        // Many authors are typed with the sign.
        let author = self.copyright.as_deref().map(|author| author.trim_start_matches('©').trim_start());
        let author = author.filter(|author| !author.is_empty()).map(|author| format!("© {author}"));
        let parts: Vec<String> = author.into_iter().chain(self.licence.clone()).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// The names of the missing texts, of those that its kind needs.
    pub fn missing(&self) -> Vec<&'static str> {
        let lacks = self.lacks();
        let is_missing = |lack: MediaLack| lacks & lack as i16 != 0 && lack.is_of(self.file.kind);
        MediaLack::WORDS.iter().filter(|(_, lack)| is_missing(*lack)).map(|(word, _)| *word).collect()
    }

    /// A key of everything that its variants depend on: when it changes, they are made again.
    pub fn recipe(&self) -> String {
        let Self { focal, crop, poster, file, .. } = self;
        format!("{} {focal:?} {crop:?} {poster:?}", file.blob_key)
    }
}

/// What a media may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[repr(i16)]
pub enum MediaLack {
    /// No legend in any language.
    Legend = 1,
    /// No author.
    Copyright = 2,
    /// No alternative text in any language.
    Alt = 4,
}

impl MediaLack {
    /// The sum of all of them.
    pub const ALL: i64 = Self::Legend as i64 | Self::Copyright as i64 | Self::Alt as i64;

    const WORDS: [(&'static str, Self); 3] =
        [("legend", Self::Legend), ("copyright", Self::Copyright), ("alt", Self::Alt)];

    /// Whether a media of a kind needs it: only a picture has an alternative text; documents and typefaces are shown without an author.
    pub const fn is_of(self, kind: MediaKind) -> bool {
        match self {
            Self::Legend => true,
            Self::Copyright => !matches!(kind, MediaKind::Pdf | MediaKind::Font),
            Self::Alt => matches!(kind, MediaKind::Image),
        }
    }

    /// The lack of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::WORDS.into_iter().find_map(|(name, lack)| (name == word).then_some(lack))
    }
}

/// Something that was made of a media: a size of a picture, a specimen of a font.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MediaVariant {
    /// Its name, and the end of its address.
    pub name: String,
    /// Its content type.
    pub mime: String,
    /// Width in pixels, of what has one.
    pub width: Option<u32>,
    /// Height in pixels, of what has one.
    pub height: Option<u32>,
    /// Size.
    pub bytes: u64,
}

/// What was made of a media.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MediaMade {
    /// The progress of the server.
    pub state: MediaState,
    /// How many times the variants were made. It is part of their URLs, so that caches may keep them for ever.
    pub made: u32,
    /// What was made.
    pub variants: Vec<MediaVariant>,
    /// Loudness of a sound from its start to its end, 0 to 255.
    pub waveform: Vec<u8>,
    /// Duration of a sound in milliseconds, once it was decoded.
    pub duration_ms: Option<u64>,
    /// The prefix of the keys of its blobs.
    pub base: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Sheet as _;

    fn codes(sheet: &MediaSheet) -> Vec<String> {
        sheet.faults(&["fr".to_owned()]).iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect()
    }

    #[test]
    fn a_crop_and_a_focal_point_lie_inside() {
        let good = MediaSheet { file_name: "lac.jpg".into(), ..MediaSheet::default() };
        assert!(codes(&good).is_empty());
        let crop = Some(Crop { x: 0.5, y: 0.0, w: 0.6, h: 1.0 });
        let wrong = MediaSheet { crop, focal: Focal { x: 1.2, y: f64::NAN }, ..good };
        assert_eq!(codes(&wrong), ["media/focal-outside /focal", "media/crop-outside /crop"]);
    }

    #[test]
    fn the_credit_is_the_author_with_one_sign_and_the_licence() {
        let credit = |copyright: Option<&str>, licence: Option<&str>| {
            let words = |text: &str| text.to_owned();
            let sheet =
                MediaSheet { copyright: copyright.map(words), licence: licence.map(words), ..MediaSheet::default() };
            sheet.credit()
        };
        assert_eq!(credit(Some("C. Le Goff"), None).as_deref(), Some("© C. Le Goff"));
        assert_eq!(credit(Some("© C. Le Goff"), Some("CC BY 4.0")).as_deref(), Some("© C. Le Goff · CC BY 4.0"));
        assert_eq!(credit(None, Some("CC0")).as_deref(), Some("CC0"));
        assert_eq!(credit(Some("© "), None), None);
    }

    #[test]
    fn what_it_lacks_goes_when_it_is_written() {
        let mut sheet = MediaSheet::default();
        assert_eq!(sheet.lacks(), 7);
        sheet.legend = Text::in_french("Le lac");
        sheet.copyright = Some("C. Le Goff".into());
        assert_eq!(sheet.lacks(), MediaLack::Alt as i16);
    }

    #[test]
    fn what_is_missing_is_what_its_kind_needs() {
        let missing = |kind| {
            let file = MediaFile { kind, ..MediaFile::default() };
            MediaSheet { file, ..MediaSheet::default() }.missing()
        };
        assert_eq!(missing(MediaKind::Image), ["legend", "copyright", "alt"]);
        assert_eq!(missing(MediaKind::Audio), ["legend", "copyright"]);
        assert_eq!(missing(MediaKind::Pdf), ["legend"]);
        assert_eq!(missing(MediaKind::Font), ["legend"]);
    }

    #[test]
    fn only_what_is_seen_is_made_again() {
        let sheet = MediaSheet::default();
        let named = MediaSheet { legend: Text::in_french("Le lac"), ..sheet.clone() };
        assert_eq!(sheet.recipe(), named.recipe());
        assert_ne!(sheet.recipe(), MediaSheet { focal: Focal { x: 0.1, y: 0.5 }, ..sheet.clone() }.recipe());
    }
}

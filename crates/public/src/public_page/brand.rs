//! The look of a white-label's pages: its name, its logo, its fonts and its colours (decision 0040); and where they lead back to.

use std::collections::HashSet;
use std::fmt::Write as _;

use content::media::address;
use domain::link::check_link;
use domain::media::{MediaMade, MediaSheet, MediaVariant};
use domain::white_label::WhiteLabelSheet;
use domain::{MediaKind, WhiteLabelId};
use store::media::{self, Medias};
use store::record::{Stored, load_many};
use store::{Connection, StoreError};

use super::palette::Palette;

/// The largest a logo is shown, in pixels.
const LOGO: (f64, f64) = (200.0, 48.0);
/// Dense screens have twice the pixels.
const DENSITY: f64 = 2.0;

/// The look of a page.
#[derive(Debug, Clone, Default)]
pub struct Brand {
    /// What the white-label is called.
    pub name: String,
    /// Its logo, where the reader may have it.
    pub logo: Option<Logo>,
    /// Its colours.
    pub palette: Palette,
    /// The font of titles.
    pub title_font: Option<Font>,
    pub text_font: Option<Font>,
    /// Where a reader goes back to, on the white-label's site.
    pub back: Option<String>,
}

/// A logo as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// The path of its bytes.
    pub src: String,
    /// Width and height it is shown at, in pixels.
    pub size: (u32, u32),
}

/// A font file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Font {
    /// Its number among the media.
    pub media: i64,
    /// The path of its bytes.
    pub src: String,
    /// Its content type.
    pub mime: &'static str,
    /// Its name in a style.
    format: &'static str,
}

impl Brand {
    /// The pages that are no white-label's.
    pub fn jalon() -> Self {
        Self { name: "Jalon".to_owned(), ..Self::default() }
    }

    /// The look of a white-label's pages. While its site is not published its files are not served, and its pages (those of shares)
    /// do without them.
    pub async fn of(db: &impl Connection, id: WhiteLabelId, sheet: &WhiteLabelSheet) -> Result<Self, StoreError> {
        let wanted = [sheet.logo_media_id, sheet.fonts.title_media_id, sheet.fonts.text_media_id];
        let ids: Vec<i64> = wanted.into_iter().flatten().collect();
        let shown = if sheet.published { media::shown_by(db, id, &ids).await? } else { HashSet::new() };
        let ids: Vec<i64> = ids.into_iter().filter(|id| shown.contains(id)).collect();
        let (found, made) = (load_many::<Medias>(db, &ids).await?, media::made_of(db, &ids).await?);
        let [logo, title, text] = wanted.map(|wanted| found.iter().find(|media| Some(media.id) == wanted));
        Ok(Self {
            name: sheet.name.clone(),
            logo: logo.and_then(|media| Logo::of(media, made.get(&media.id)?)),
            palette: Palette::of(&sheet.colors),
            title_font: title.and_then(|media| Font::of(media, made.get(&media.id))),
            text_font: text.and_then(|media| Font::of(media, made.get(&media.id))),
            back: sheet.return_url.clone().filter(|back| check_link(back).is_ok()),
        })
    }

    /// Its fonts, each once.
    pub fn fonts(&self) -> impl Iterator<Item = &Font> {
        let text = self.text_font.iter().filter(|font| Some(*font) != self.title_font.as_ref());
        self.title_font.iter().chain(text)
    }

    /// The style of the page in its colours and fonts: colours that were read, and addresses made of numbers, nothing else.
    pub fn css(&self) -> String {
        let mut css = self.palette.css();
        // A font for titles is used in its own weight: the browser makes no bold of it. A font for texts may be made bold.
        for (role, font, weights) in
            [("title", &self.title_font, "font-weight:100 900;"), ("text", &self.text_font, "")]
        {
            let Some(Font { src, format, .. }) = font else { continue };
            let face = format!("font-family:brand-{role};src:url(\"{src}\") format(\"{format}\");{weights}");
            let _ = write!(css, "@font-face{{{face}font-display:swap}}:root{{--font-{role}:brand-{role}}}");
        }
        css
    }
}

impl Logo {
    fn of(media: &Stored<MediaSheet>, made: &MediaMade) -> Option<Self> {
        if media.sheet.file.kind != MediaKind::Image {
            return None;
        }
        let drawn = made.variants.iter().find(|one| one.mime == "image/svg+xml");
        let variant = drawn.or_else(|| sharp_enough(made))?;
        let (width, height) = (f64::from(variant.width?), f64::from(variant.height?));
        if width < 1.0 || height < 1.0 {
            return None;
        }
        let scale = (LOGO.0 / width).min(LOGO.1 / height);
        // A drawing may be enlarged, a picture not.
        let scale = if drawn.is_some() { scale } else { scale.min(1.0) };
        let side = |length: f64| (length * scale).round().max(1.0) as u32;
        Some(Self { src: address(media.id, &variant.name, made.made), size: (side(width), side(height)) })
    }
}

/// The smallest size that a dense screen shows sharply, else the largest.
fn sharp_enough(made: &MediaMade) -> Option<&MediaVariant> {
    let sizes = || made.variants.iter().filter(|one| one.mime == "image/webp" && one.name.starts_with('w'));
    let is_sharp = |one: &&MediaVariant| {
        let (width, height) = (one.width.map_or(0.0, f64::from), one.height.map_or(0.0, f64::from));
        width >= LOGO.0 * DENSITY || height >= LOGO.1 * DENSITY
    };
    sizes().filter(is_sharp).min_by_key(|one| one.width).or_else(|| sizes().max_by_key(|one| one.width))
}

impl Font {
    fn of(media: &Stored<MediaSheet>, made: Option<&MediaMade>) -> Option<Self> {
        let (mime, format) = match media.sheet.file.mime.as_str() {
            "font/woff2" => ("font/woff2", "woff2"),
            "font/ttf" => ("font/ttf", "truetype"),
            "font/otf" => ("font/otf", "opentype"),
            _ => return None,
        };
        let src = address(media.id, "file", made.map_or(0, |made| made.made));
        Some(Self { media: media.id, src, mime, format })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use domain::media::MediaFile;

    use super::*;

    fn media(kind: MediaKind, mime: &str) -> Stored<MediaSheet> {
        let file = MediaFile { kind, mime: mime.to_owned(), ..MediaFile::default() };
        let sheet = MediaSheet { file, ..MediaSheet::default() };
        Stored { id: 7, sheet, ..Stored::blank(Some(WhiteLabelId(1)), domain::Instant(0)) }
    }

    fn made(sizes: &[(&str, &str, u32, u32)]) -> MediaMade {
        let variant = |&(name, mime, width, height): &(&str, &str, u32, u32)| MediaVariant {
            name: name.to_owned(),
            mime: mime.to_owned(),
            width: Some(width),
            height: Some(height),
            bytes: 1,
        };
        MediaMade { made: 2, variants: sizes.iter().map(variant).collect(), ..MediaMade::default() }
    }

    #[test]
    fn a_logo_is_48_pixels_high_at_most_and_sharp_on_dense_screens() {
        let logo = |sizes: &[(&str, &str, u32, u32)]| Logo::of(&media(MediaKind::Image, "image/png"), &made(sizes));
        let wide = [("w320-webp", "image/webp", 320, 80), ("w640-webp", "image/webp", 640, 160)];
        assert_eq!(logo(&wide).unwrap(), Logo { src: "/media/7/w640-webp?v=2".into(), size: (192, 48) });
        let square = [("w320-webp", "image/webp", 320, 320), ("w1280-webp", "image/webp", 1280, 1280)];
        assert_eq!(logo(&square).unwrap(), Logo { src: "/media/7/w320-webp?v=2".into(), size: (48, 48) });
        let banner = [("w640-webp", "image/webp", 640, 40)];
        assert_eq!(logo(&banner).unwrap().size, (200, 13));
        let small = [("w60-webp", "image/webp", 60, 30)];
        assert_eq!(logo(&small).unwrap().size, (60, 30), "a small picture is not blown up");
        assert_eq!(logo(&[("file", "image/svg+xml", 24, 24)]).unwrap().size, (48, 48), "a drawing is");
        assert_eq!(logo(&[]), None, "its sizes are still made");
        assert_eq!(Logo::of(&media(MediaKind::Pdf, "application/pdf"), &made(&wide)), None);
    }

    #[test]
    fn only_fonts_that_browsers_read_are_named_in_the_style() {
        let font = |mime: &str| Font::of(&media(MediaKind::Font, mime), None);
        assert_eq!((font("text/html"), font("application/pdf")), (None, None));
        let brand = Brand { title_font: font("font/woff2"), text_font: font("font/otf"), ..Brand::jalon() };
        let css = brand.css();
        assert!(css.contains("src:url(\"/media/7/file?v=0\") format(\"woff2\");font-weight:100 900;"), "{css}");
        assert!(css.contains("font-display:swap}:root{--font-text:brand-text}"), "{css}");
        assert_eq!(brand.fonts().count(), 2);
        let twice = Brand { text_font: font("font/woff2"), ..brand };
        assert_eq!(twice.fonts().count(), 1, "one font in both places is fetched once");
        assert_eq!(Brand::jalon().css(), "");
    }
}

//! The data made ready to be set: texts cleaned and spaced, numbers written, pictures checked, maps and profiles drawn.
//! The result is one JSON value and the files it names; the templates only set and draw.

mod card;
mod day;
mod pictures;
mod stay;
mod trip;

use std::collections::BTreeMap;

pub(crate) use card::card;
use serde_json::{Map, Value, json};
use typst::foundations::Bytes;

use crate::blob::Blob;
use crate::colour::{self, Change, Theme};
use crate::data::{PageChoice, PageKind, Roadbook, Step};
use crate::error::RoadbookError;
use crate::fonts::{self, Faces};
use crate::map::Tileset;
use crate::pages::{self, Part};
use crate::report::{Warning, WarningCode};
use crate::request::Request;
use crate::sheet::Sheet;
use crate::text::coverage::Coverage;
use crate::text::numbers::Date;
use crate::text::rich::{self, Block};
use crate::text::typography::{breakable, typeset};
use crate::words::Words;

/// All that typesetting needs.
pub(crate) struct View {
    /// The template that sets it.
    pub(crate) main: &'static str,
    pub(crate) data: Value,
    /// Pictures by the names the data uses.
    pub(crate) files: BTreeMap<String, Bytes>,
    pub(crate) faces: Faces,
    pub(crate) warnings: Vec<Warning>,
}

/// Where a warning belongs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct At {
    day: Option<u32>,
    step: Option<u32>,
}

/// Prepares texts, pictures and maps, and collects the report.
pub(crate) struct ViewBuilder<'a> {
    book: &'a Roadbook,
    blobs: &'a BTreeMap<String, Blob>,
    words: &'static Words,
    sheet: Sheet,
    theme: Theme,
    tiles: Option<Tileset>,
    coverage: Coverage,
    pictures: BTreeMap<String, Option<pictures::Picture>>,
    files: BTreeMap<String, Bytes>,
    warnings: Vec<Warning>,
}

/// The most days of a roadbook: a longer one would take too long to typeset.
const MAX_DAYS: usize = 120;

/// Reads a request into what the templates want.
pub(crate) fn build(request: &Request) -> Result<View, RoadbookError> {
    let book = &request.roadbook;
    if book.schema != crate::data::SCHEMA {
        return Err(RoadbookError::Schema { found: book.schema });
    }
    if book.days.is_empty() {
        return Err(RoadbookError::NoDays);
    }
    if book.days.len() > MAX_DAYS {
        return Err(RoadbookError::TooLong { limit: MAX_DAYS as u32 });
    }
    if book.trip.title.trim().is_empty() {
        return Err(RoadbookError::NoTitle);
    }
    let parts = pages::order(&book.pages);
    if parts.is_empty() {
        return Err(RoadbookError::NoPages);
    }
    let mut builder = ViewBuilder::new(request);
    let faces = builder.faces();
    builder.coverage = Coverage::of(faces.fonts());
    let data = builder.data(&parts, &faces);
    builder.warnings.dedup();
    Ok(View { main: "/main.typ", data, files: builder.files, faces, warnings: builder.warnings })
}

impl<'a> ViewBuilder<'a> {
    fn new(request: &'a Request) -> Self {
        let book = &request.roadbook;
        let (words, known) = Words::of(&book.locale);
        let brand = &book.brand;
        let (theme, changes) = colour::theme([&brand.primary, &brand.secondary, &brand.tertiary]);
        let mut builder = Self {
            book,
            blobs: &request.blobs,
            words,
            sheet: Sheet::of(book.format, book.bleed && !book.booklet),
            theme,
            tiles: request.tiles.as_deref().and_then(Tileset::open),
            coverage: Coverage::of(&[]),
            pictures: BTreeMap::new(),
            files: BTreeMap::new(),
            warnings: Vec::new(),
        };
        if !known {
            builder.warn(WarningCode::WordsInEnglish, At::default(), &book.locale);
        }
        for change in changes {
            let (code, subject) = match change {
                Change::Darkened(subject) => (WarningCode::ColourDarkened, subject),
                Change::Unreadable(subject) => (WarningCode::ColourUnreadable, subject),
            };
            builder.warn(code, At::default(), &subject);
        }
        builder
    }

    pub(crate) fn warn(&mut self, code: WarningCode, at: At, subject: &str) {
        let subject: String = if subject.chars().count() > 60 {
            subject.chars().take(59).chain(['…']).collect()
        } else {
            subject.to_owned()
        };
        let day = self.book.days.iter().find(|day| Some(day.number) == at.day);
        let step = day.and_then(|day| day.steps.iter().find(|step| Some(step.number) == at.step));
        let warning = Warning { code, day: at.day, step: step.map(Step::disc), subject };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn french(&self) -> bool {
        self.words.lang == "fr" && self.book.locale.to_ascii_lowercase().starts_with("fr")
    }

    /// Our faces and the white-label's.
    fn faces(&mut self) -> Faces {
        let Some(own) = &self.book.brand.fonts else { return Faces::ours().clone() };
        let mut more = Vec::new();
        for name in own.display.iter().chain(&own.sans) {
            let fonts = self.blob(name).map(fonts::read).unwrap_or_default();
            if fonts.is_empty() {
                self.warn(WarningCode::FontMissing, At::default(), name);
            }
            more.extend(fonts);
        }
        Faces::ours().with(more)
    }

    /// The families of some font files, in order; those that cannot be read are in the report.
    fn families(&self, names: &[String]) -> Vec<String> {
        let mut families: Vec<String> = Vec::new();
        for font in names.iter().filter_map(|name| self.blob(name)).flat_map(fonts::read) {
            let family = font.info().family.as_str().to_owned();
            if !families.contains(&family) {
                families.push(family);
            }
        }
        families
    }

    fn blob(&self, name: &str) -> Option<Vec<u8>> {
        match self.blobs.get(name)? {
            Blob::Bytes(bytes) => Some(bytes.clone()),
            Blob::File(path) => std::fs::read(path).ok(),
        }
    }

    /// A plain text on one line, cut to a number of characters.
    pub(crate) fn capped(&mut self, text: &str, most: usize, at: At) -> String {
        let mut line = rich::one_line(text);
        if line.chars().count() > most {
            self.warn(WarningCode::TextCut, at, &line);
            line = cut(&line, most);
        }
        self.printable(&typeset(&line, self.french()), at)
    }

    /// The first lines of a list that may be longer than its place: each of the others is in the report.
    pub(crate) fn first<'t, T>(&mut self, all: &'t [T], most: usize, at: At, words: impl Fn(&T) -> &str) -> &'t [T] {
        let (first, others) = all.split_at(most.min(all.len()));
        for other in others {
            self.warn(WarningCode::TextCut, at, words(other));
        }
        first
    }

    /// One line of ordinary length: a name, a phone number, an address.
    pub(crate) fn line(&mut self, text: &str, at: At) -> String {
        self.capped(text, 200, at)
    }

    /// Paragraphs of HTML, however long.
    pub(crate) fn html(&mut self, texts: &[String], at: At) -> Vec<Block> {
        self.set(texts.iter().flat_map(|text| rich::html(text)).collect(), at)
    }

    /// Paragraphs of a plain text, however long.
    pub(crate) fn plain(&mut self, text: &str, at: At) -> Vec<Block> {
        self.set(rich::plain(text), at)
    }

    fn set(&mut self, mut blocks: Vec<Block>, at: At) -> Vec<Block> {
        for run in blocks.iter_mut().flat_map(|block| &mut block.runs) {
            // Its ends touch the next run: the spaces there stay.
            let (start, end) = (run.text.starts_with(' '), run.text.ends_with(' '));
            let set = self.printable(&typeset(&run.text, self.french()), at);
            let set = set.trim();
            run.text =
                format!("{}{set}{}", if start { " " } else { "" }, if end && !set.is_empty() { " " } else { "" });
        }
        blocks.retain(|block| block.runs.iter().any(|run| !run.text.trim().is_empty()));
        blocks
    }

    fn printable(&mut self, text: &str, at: At) -> String {
        let fit = self.coverage.fit(text);
        for lost in fit.lost {
            self.warn(WarningCode::GlyphReplaced, at, &lost.to_string());
        }
        breakable(&fit.text)
    }

    pub(crate) fn date(&mut self, text: Option<&String>, at: At) -> Option<Date> {
        let text = text.filter(|text| !text.is_empty() && !self.book.anonymous)?;
        let date = Date::parse(text);
        if date.is_none() {
            self.warn(WarningCode::DateUnreadable, at, text);
        }
        date
    }

    /// Adds a file for Typst; returns its name there.
    pub(crate) fn file(&mut self, name: &str, bytes: impl Into<Vec<u8>>) -> String {
        let name = format!("/files/{name}");
        self.files.insert(name.clone(), Bytes::new(bytes.into()));
        name
    }

    fn data(&mut self, parts: &[Part], faces: &Faces) -> Value {
        let book = self.book;
        let wanted = |kind: PageKind| parts.iter().any(|part| matches!(part, Part::Page(page) if page.kind == kind));
        let daily: Vec<PageChoice> = parts
            .iter()
            .find_map(|part| match part {
                Part::Days(pages) => Some(pages.clone()),
                Part::Page(_) => None,
            })
            .unwrap_or_default();
        let days: Vec<day::Ready> = book.days.iter().map(|day| self.day(day, &daily)).collect();
        let overview = wanted(PageKind::Overview).then(|| self.overview(&days));
        let cover_edge = self.cover_edge(&days);
        let vouchers = if wanted(PageKind::Voucher) { self.vouchers() } else { Vec::new() };
        let pages: Vec<Value> = parts.iter().filter_map(|part| self.page(part, &vouchers)).collect();
        let qr = self.qr();
        let own = book.brand.fonts.clone().unwrap_or_default();
        let fonts = json!({
            "display": self.families(&own.display),
            "sans": self.families(&own.sans),
            "all": families(faces),
        });
        let made_on = Date::parse(&book.generated_on);
        json!({
            "lang": language(&book.locale),
            "region": region(&book.locale),
            "words": typeset_words(self.words),
            "decimal": self.words.decimal,
            "sheet": self.sheet,
            "theme": self.theme,
            "fonts": fonts,
            "pages": pages,
            "brand": self.brand(),
            "trip": self.trip(),
            "figures": self.figures(),
            "made_on": made_on.map(|date| json!({"year": date.year, "month": date.month, "day": date.day, "text": date.full(self.words)})),
            "days": days.into_iter().map(|day| day.value).collect::<Vec<_>>(),
            "overview": overview,
            "cover_edge": cover_edge,
            "slips": vouchers.chunks(self.sheet.slips).map(<[Value]>::to_vec).collect::<Vec<_>>(),
            "attribution": self.line(&book.attribution, At::default()),
            "qr": qr,
        })
    }

    /// A page of the list, or nothing where it has nothing to say.
    fn page(&mut self, part: &Part, vouchers: &[Value]) -> Option<Value> {
        let page = match part {
            Part::Days(pages) => {
                let on = |kind| pages.iter().any(|page| page.kind == kind);
                let order: Vec<&str> = pages.iter().filter_map(|page| day::place(page.kind)).collect();
                return Some(json!({"page": "days", "order": order, "profile": on(PageKind::Profile)}));
            }
            Part::Page(page) => page,
        };
        let title =
            page.title.as_deref().map(|title| self.capped(title, 90, At::default())).filter(|title| !title.is_empty());
        Some(match page.kind {
            PageKind::FrontCover => {
                let photo = page.photo.as_ref().or(self.book.trip.cover_photo.as_ref());
                let trip = &self.book.trip;
                let place = if self.book.anonymous {
                    trip.anonymous_title.clone().unwrap_or_default()
                } else {
                    trip.title.clone()
                };
                let slot = [self.sheet.width, self.sheet.height * 0.605];
                json!({"page": "cover", "photo": photo.and_then(|photo| self.photo(photo, slot, &place, At::default())), "profile": page.profile})
            }
            PageKind::Welcome => json!({"page": "welcome", "toc": page.table}),
            PageKind::Description => {
                let own = page.text.as_deref().filter(|text| !text.trim().is_empty());
                if own.is_none() && self.lacks_anonymous_description() {
                    self.warn(WarningCode::AnonymousDescriptionMissing, At::default(), "");
                }
                let slot = [self.sheet.text_width(), 60.0];
                let photo = page.photo.as_ref().and_then(|photo| self.photo(photo, slot, "", At::default()));
                json!({
                    "page": "about",
                    "title": title,
                    "text": own.map(|text| self.plain(text, At::default())),
                    "figures": page.table && own.is_none(),
                    "photo": photo,
                })
            }
            PageKind::Overview => {
                json!({"page": "overview", "table": page.table && self.book.days.len() > 1, "profile": page.profile})
            }
            PageKind::Notes => json!({
                "page": "notes",
                "title": title,
                "count": page.count.unwrap_or(1).clamp(1, 20),
            }),
            PageKind::Voucher if vouchers.is_empty() => return None,
            PageKind::Voucher => json!({"page": "vouchers"}),
            PageKind::Memo => json!({"page": "memo"}),
            PageKind::BackCover => json!({"page": "back", "qr": page.table}),
            PageKind::Map | PageKind::Profile | PageKind::Steps | PageKind::Stay | PageKind::Photos => return None,
        })
    }
}

/// Every family that is loaded, ours first: what a character falls back through.
fn families(faces: &Faces) -> Vec<String> {
    let mut families: Vec<String> = Vec::new();
    for font in faces.fonts() {
        let family = font.info().family.as_str().to_owned();
        if !families.contains(&family) {
            families.push(family);
        }
    }
    families
}

/// The language of a BCP 47 tag, `fr` where it cannot be read.
fn language(locale: &str) -> String {
    let language = locale.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    if (2..=3).contains(&language.len()) && language.chars().all(|char| char.is_ascii_lowercase()) {
        language
    } else {
        "fr".to_owned()
    }
}

/// The country of a BCP 47 tag.
fn region(locale: &str) -> Option<String> {
    let region = locale
        .split(['-', '_'])
        .skip(1)
        .find(|part| part.len() == 2 && part.chars().all(|char| char.is_ascii_alphabetic()))?;
    Some(region.to_ascii_uppercase())
}

/// The book's own words with the spaces and signs of their language.
fn typeset_words(words: &Words) -> Map<String, Value> {
    let set =
        |value: &Value| value.as_str().map_or_else(|| value.clone(), |text| typeset(text, words.lang == "fr").into());
    words.rest.iter().map(|(key, value)| (key.clone(), set(value))).collect()
}

/// The first characters, to the end of a word where one is near, and « … ».
fn cut(text: &str, most: usize) -> String {
    let short: String = text.chars().take(most.saturating_sub(1)).collect();
    let end = short.rfind(' ').filter(|end| short.len() - end < 24).unwrap_or(short.len());
    format!("{}…", short[..end].trim_end_matches([' ', ',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::{cut, language, region, typeset_words};
    use crate::words::Words;

    #[test]
    fn french_signs_of_the_books_own_words_never_begin_a_line() {
        let french = typeset_words(Words::of("fr").0);
        assert_eq!(french["undated"], "sans date\u{a0}: à convenir");
        for (key, text) in &french {
            let text = text.as_str().unwrap_or_default();
            assert!(![" :", " ;", " !", " ?"].iter().any(|sign| text.contains(sign)), "{key}: {text}");
        }
    }

    #[test]
    fn a_cut_text_ends_at_a_word() {
        assert_eq!(cut("Une chambre double avec vue sur le lac", 25), "Une chambre double avec…");
        assert_eq!(cut(&"x".repeat(50), 10), format!("{}…", "x".repeat(9)));
    }

    #[test]
    fn a_language_tag_is_read_whatever_its_shape() {
        assert_eq!((language("fr-FR"), region("fr-FR")), ("fr".to_owned(), Some("FR".to_owned())));
        assert_eq!((language("pt_br"), region("pt_br")), ("pt".to_owned(), Some("BR".to_owned())));
        assert_eq!((language("<script>"), region("")), ("fr".to_owned(), None));
    }
}

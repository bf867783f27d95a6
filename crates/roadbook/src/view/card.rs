//! The picture for links to the trip: read at the size of a thumb, so it has little text.

use serde_json::{Value, json};

use crate::error::RoadbookError;
use crate::map::{self, Stop};
use crate::request::Request;
use crate::sheet::Sheet;
use crate::text::coverage::Coverage;
use crate::text::numbers::{duration, grouped, km};
use crate::view::{At, View, ViewBuilder, language, region};

/// Millimetres of the side with the words, and of the map beside it.
const PANEL_MM: f64 = 52.0;
/// Millimetres of the photo above the words.
const PHOTO_MM: f64 = 25.0;
/// Longest title in letters.
const TITLE: usize = 80;

/// Reads a request into what the card's template wants.
pub(crate) fn card(request: &Request) -> Result<View, RoadbookError> {
    if request.roadbook.trip.title.trim().is_empty() {
        return Err(RoadbookError::NoTitle);
    }
    let mut builder = ViewBuilder::new(request);
    builder.sheet = Sheet::card();
    let faces = builder.faces();
    builder.coverage = Coverage::of(faces.fonts());
    let own = request.roadbook.brand.fonts.clone().unwrap_or_default();
    let fonts = json!({
        "display": builder.families(&own.display),
        "sans": builder.families(&own.sans),
        "all": super::families(&faces),
    });
    let data = builder.card(&fonts);
    Ok(View { main: "/card.typ", data, files: builder.files, faces, warnings: builder.warnings })
}

impl ViewBuilder<'_> {
    fn card(&mut self, fonts: &Value) -> Value {
        let (book, at) = (self.book, At::default());
        let drawn = self.card_map();
        let slot = [if drawn.is_some() { PANEL_MM } else { self.sheet.width }, PHOTO_MM];
        let photo = book.trip.cover_photo.as_ref();
        json!({
            "lang": language(&book.locale),
            "region": region(&book.locale),
            "words": self.words.rest,
            "sheet": self.sheet,
            "theme": self.theme,
            "fonts": fonts,
            "panel": if drawn.is_some() { PANEL_MM } else { self.sheet.width },
            "photo_height": PHOTO_MM,
            "brand": {
                "name": self.capped(&book.brand.name, 60, at),
                "tagline": "",
                "logo": self.mark(book.brand.logo.as_ref()),
            },
            "trip": {
                "title": self.capped(&book.trip.title, TITLE, at),
                "practice": self.capped(&book.trip.practice, 40, at),
            },
            "photo": photo.and_then(|photo| self.photo(photo, slot, &book.trip.title, at)),
            "figures": self.card_figures(),
            "map": drawn,
            "attribution": self.line(&book.attribution, at),
        })
    }

    /// The known ones of distance, climb and time, each as a value and its unit's symbol.
    fn card_figures(&self) -> Vec<String> {
        let days = &self.book.days;
        let total = |pick: &dyn Fn(&crate::data::Day) -> Option<f64>| days.iter().map(pick).sum::<Option<f64>>();
        let length_m: f64 = days.iter().map(|day| day.length_m).sum();
        // A short length is printed with one decimal.
        let digits = usize::from(length_m < 100_000.0);
        let distance = (length_m > 0.0).then(|| format!("{}\u{202f}km", km(length_m, digits, self.words)));
        let climb = total(&|day| day.ascent_m).map(|climb| format!("↗\u{202f}{}\u{202f}m", grouped(climb)));
        let time = total(&|day| day.duration_s).filter(|time| *time > 0.0).map(duration);
        [distance, climb, time].into_iter().flatten().collect()
    }

    fn card_map(&mut self) -> Option<map::Map> {
        let traces: Vec<_> =
            self.book.days.iter().map(|day| day.trace.as_slice()).filter(|trace| trace.len() >= 2).collect();
        let ends = [traces.first()?.first()?, traces.last()?.last()?];
        let stops = ends.into_iter().zip(["departure", "arrival"]).map(|(&(lon, lat, _), kind)| Stop {
            label: String::new(),
            kind,
            at: [lon, lat],
            kept: true,
            size: 1.25,
        });
        let spec = map::MapSpec {
            size: [self.sheet.width - PANEL_MM, self.sheet.height],
            stops: stops.collect(),
            traces,
            names: Vec::new(),
            colour: &self.theme.accent,
            lang: self.words.lang.as_str(),
        };
        let mut map = map::draw(&spec, self.tiles.as_ref());
        self.finish_map(&mut map, "card", "", At::default());
        Some(map)
    }
}

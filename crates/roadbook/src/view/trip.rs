//! The trip as a whole: brand, texts, figures, overview, links.

use domain::roadbook::MAX_CONTACTS;
use serde_json::{Value, json};

use crate::data::{Contact, Step};
use crate::map::{self, Stop};
use crate::profile::{self, Heights};
use crate::qr;
use crate::report::WarningCode;
use crate::text::numbers::{duration, grouped, km, span};
use crate::text::rich::one_line;
use crate::text::typography::typeset;
use crate::view::day::Ready;
use crate::view::{At, ViewBuilder};

/// Longest title that fits on the cover, in three sizes.
const TITLE: usize = 90;

impl ViewBuilder<'_> {
    pub(crate) fn brand(&mut self) -> Value {
        let (brand, at) = (&self.book.brand, At::default());
        json!({
            "name": self.capped(&brand.name, 60, at),
            "tagline": self.capped(&brand.tagline, 80, at),
            "logo": self.mark(brand.logo.as_ref()),
            "background": self.mark(brand.background.as_ref()),
            "address": self.first(&brand.address, 5, at, String::as_str).iter().map(|line| self.capped(line, 80, at)).collect::<Vec<_>>(),
            "phone": self.capped(&brand.phone, 30, at),
            "email": self.capped(&brand.email, 60, at),
            "web": self.capped(&brand.web, 60, at),
            "legal": self.first(&brand.legal, 12, at, String::as_str).iter().map(|line| self.capped(line, 300, at)).collect::<Vec<_>>(),
        })
    }

    pub(crate) fn travellers(&mut self) -> Vec<String> {
        if self.book.anonymous {
            return Vec::new();
        }
        let names = self.book.trip.travellers.iter().filter(|name| !name.trim().is_empty());
        names.map(|name| self.capped(name, 60, At::default())).collect()
    }

    /// The first names that fit in some characters, then « 2 autres », each of whom is in the report.
    pub(crate) fn names(&mut self, names: &[String], most: usize) -> Vec<String> {
        let mut end = 0;
        let fits = names.iter().take_while(|name| {
            // With the comma and the space before the next one.
            end += name.chars().count() + 2;
            end <= most
        });
        let (shown, others) = names.split_at(fits.count().max(1).min(names.len()));
        let mut shown = shown.to_vec();
        for other in others {
            self.warn(WarningCode::TextCut, At::default(), other);
        }
        if !others.is_empty() {
            let count = others.len().to_string();
            shown.push(self.words.say(if others.len() == 1 { "one_other" } else { "others" }, &[("n", &count)]));
        }
        shown
    }

    pub(crate) fn trip(&mut self) -> Value {
        let (trip, at, named) = (&self.book.trip, At::default(), !self.book.anonymous);
        let anonymous_title = trip.anonymous_title.as_ref().filter(|title| !named && !title.trim().is_empty());
        if !named && anonymous_title.is_none() {
            self.warn(WarningCode::AnonymousTitleMissing, at, "");
        }
        let wanted = anonymous_title.unwrap_or(&trip.title);
        if wanted.chars().count() > TITLE {
            self.warn(WarningCode::TitleCut, at, wanted);
        }
        let title = self.capped(wanted, TITLE, at);
        let (from, to) = (self.date(trip.starts_on.as_ref(), at), self.date(trip.ends_on.as_ref(), at));
        let dates = match (from, to) {
            (Some(from), Some(to)) => Some(span(from, to, self.words)),
            (Some(day), None) | (None, Some(day)) => Some(day.full(self.words)),
            (None, None) => None,
        };
        let description = trip.anonymous_description.as_ref().filter(|_| !named).unwrap_or(&trip.description);
        let contacts: &[Contact] = if named { &trip.contacts } else { &[] };
        let contacts = self.first(contacts, MAX_CONTACTS, at, |contact| &contact.name);
        let includes = self.first(&trip.includes, 60, at, String::as_str);
        let excludes = self.first(&trip.excludes, 60, at, String::as_str);
        let advice = self.first(&trip.advice, 40, at, |advice| &advice.title);
        let travellers = self.travellers();
        json!({
            "title": if title.is_empty() { "…".to_owned() } else { title },
            "whole_title": self.coverage.fit(&typeset(&one_line(wanted), self.french())).text,
            "subtitle": if named { self.capped(&trip.subtitle, 160, at) } else { String::new() },
            "reference": if named { self.capped(&trip.reference, 40, at) } else { String::new() },
            "practice": self.capped(&trip.practice, 40, at),
            "on_foot": trip.on_foot,
            "travellers": self.names(&travellers, self.sheet.cover_names()),
            "dates": dates,
            "welcome": if named { self.plain(&trip.welcome.join("\n"), at) } else { Vec::new() },
            "signature": if named { self.line(&trip.signature, at) } else { String::new() },
            "contacts": contacts.iter().map(|contact| self.contact(contact)).collect::<Vec<_>>(),
            "description": self.html(description, at),
            "includes": includes.iter().map(|item| self.capped(item, 300, at)).collect::<Vec<_>>(),
            "excludes": excludes.iter().map(|item| self.capped(item, 300, at)).collect::<Vec<_>>(),
            "advice": advice.iter().map(|advice| json!({"title": self.capped(&advice.title, 30, at), "text": self.plain(&advice.text, at)})).collect::<Vec<_>>(),
        })
    }

    /// Whether an anonymous roadbook has the description of the parcours.
    pub(crate) fn lacks_anonymous_description(&self) -> bool {
        let trip = &self.book.trip;
        self.book.anonymous && trip.anonymous_description.is_none() && !trip.description.is_empty()
    }

    fn contact(&mut self, contact: &Contact) -> Value {
        let at = At::default();
        json!({
            "role": self.capped(&contact.role, 60, at),
            "name": self.capped(&contact.name, 60, at),
            "phone": self.capped(&contact.phone, 30, at),
            "note": self.capped(&contact.note, 80, at),
        })
    }

    /// The four figures of the description and the last line of the table of days.
    pub(crate) fn figures(&mut self) -> Value {
        let days = &self.book.days;
        let nights = || days.iter().filter_map(|day| day.stay.as_ref()).map(|stay| stay.nights.max(1) as usize);
        // Who stays several nights has days without a stage.
        let resting: usize = nights().map(|nights| nights - 1).sum();
        let total = |pick: &dyn Fn(&crate::data::Day) -> Option<f64>| days.iter().map(pick).sum::<Option<f64>>();
        let length_m: f64 = days.iter().map(|day| day.length_m).sum();
        json!({
            "days": days.len() + resting,
            "nights": nights().sum::<usize>(),
            "km": km(length_m, 0, self.words),
            "ascent": total(&|day| day.ascent_m).map(grouped),
            "descent": total(&|day| day.descent_m).map(grouped),
            "time": total(&|day| day.duration_s).map(duration),
        })
    }

    /// The whole trip's map and profile.
    pub(crate) fn overview(&mut self, days: &[Ready]) -> Value {
        let book = self.book;
        let drawable: Vec<_> = book.days.iter().filter(|day| day.trace.len() >= 2).collect();
        let map = (!drawable.is_empty()).then(|| {
            let mut stops: Vec<Stop> = Vec::new();
            for (index, day) in drawable.iter().enumerate() {
                let (lon, lat, _) = day.trace[day.trace.len() / 2];
                if drawable.len() > 1 {
                    stops.push(Stop {
                        label: day.number.to_string(),
                        kind: "day",
                        at: [lon, lat],
                        kept: true,
                        size: 1.25,
                    });
                }
                // Where a day starts and where the last one ends, with what the day's own page has on its disc there.
                let first = index == 0;
                let mut ends = vec![(day.trace.first(), day.steps.first(), if first { "departure" } else { "night" })];
                if index + 1 == drawable.len() {
                    ends.push((day.trace.last(), day.steps.last(), "arrival"));
                }
                for (place, step, kind) in ends {
                    stops.extend(place.map(|&(lon, lat, _)| Stop {
                        label: step.map(Step::disc).unwrap_or_default(),
                        kind,
                        at: [lon, lat],
                        kept: true,
                        size: 1.0,
                    }));
                }
            }
            let mut map = map::draw(
                &map::MapSpec {
                    size: [self.sheet.text_width(), self.sheet.overview_height()],
                    traces: drawable.iter().map(|day| day.trace.as_slice()).collect(),
                    stops,
                    names: book
                        .overview
                        .places
                        .iter()
                        .map(|place| (place.name.clone(), [place.lon, place.lat]))
                        .collect(),
                    colour: &self.theme.accent,
                    lang: self.words.lang.as_str(),
                },
                self.tiles.as_ref(),
            );
            let count = drawable.len().to_string();
            let alt = self.words.say("overview_alt", &[("n", &count)]);
            self.finish_map(&mut map, "overview", &alt, At::default());
            map
        });
        let profile = days.iter().all(|day| day.heights.is_some()).then(|| {
            let joined = Heights::joined(
                days.iter().filter_map(|day| day.heights.as_ref().map(|heights| (heights, day.length_m))),
            );
            let mut ends = Vec::new();
            let mut end = 0.0;
            for day in days {
                end += day.length_m;
                ends.push(end);
            }
            let word = self.words.say("day", &[]);
            let mut profile = profile::draw(&profile::ProfileSpec {
                heights: &joined,
                width_mm: self.sheet.text_width(),
                height_mm: 34.0,
                marks: Vec::new(),
                day_ends_m: if days.len() > 1 { ends } else { Vec::new() },
                day_word: &word,
                length: km(end, 0, self.words),
            });
            self.finish_profile(&mut profile, "profile", &joined);
            profile
        });
        json!({"map": map, "profile": profile, "photo": self.overview_photo(days)})
    }

    /// The photo for free space under the table of days: the first of the last day that has one which is on no other page.
    fn overview_photo(&mut self, days: &[Ready]) -> Option<Value> {
        let slot = [self.sheet.text_width(), 66.0 * self.sheet.zoom];
        let free = self.book.days.iter().zip(days).rev().find_map(|(day, ready)| {
            day.photos.get(ready.photos_used).map(|photo| (photo, day.destination.as_str(), day.number))
        });
        let (photo, place, number) = free?;
        self.photo(photo, slot, place, At { day: Some(number), step: None })
    }

    /// The trip's own profile as the edge of the cover's panel: shares of the width and of its height, left to right.
    pub(crate) fn cover_edge(&self, days: &[Ready]) -> Vec<[f64; 2]> {
        let heights = Heights::joined(
            days.iter().filter_map(|day| day.heights.as_ref().map(|heights| (heights, heights.length_m()))),
        );
        if heights.points.len() < 2 {
            return Vec::new();
        }
        let (length, [low, high]) = (heights.length_m().max(1.0), heights.range());
        // A plain stays flat instead of becoming Alps.
        let span = (high - low).max(120.0);
        heights.even().points.iter().map(|[at, height]| [at / length, (height - low) / span]).collect()
    }

    pub(crate) fn qr(&mut self) -> Value {
        let links = [("app", self.book.qr.app.clone()), ("gpx", self.book.qr.gpx.clone())];
        let codes: Vec<Value> = links
            .into_iter()
            .filter_map(|(name, link)| {
                let link = link.filter(|link| !link.trim().is_empty())?;
                let Some(svg) = qr::svg(link.trim()) else {
                    self.warn(WarningCode::QrTooLong, At::default(), &link);
                    return None;
                };
                let shown = link.trim_start_matches("https://").trim_start_matches("http://").to_owned();
                let shown = self.coverage.fit(&shown).text;
                Some(json!({"name": name, "file": self.file(&format!("qr-{name}.svg"), svg), "url": link.trim(), "shown": shown}))
            })
            .collect();
        json!(codes)
    }
}

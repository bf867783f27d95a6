//! A day: its figures, map, profile, steps and photos.

use serde_json::{Value, json};

use crate::data::{Day, Maneuver, PageChoice, PageKind, Service, Step, StepKind};
use crate::map::{self, Map, Stop};
use crate::profile::{self, Heights, Mark, Profile};
use crate::report::WarningCode;
use crate::text::numbers::{duration, grouped, km};
use crate::view::{At, ViewBuilder};

/// Below this reliability, percent, turns are not printed.
const SURE: f64 = 95.0;
/// Texts of steps are read on the way: longer ones are reported.
const LONG_STEP: usize = 220;

/// A day as the templates want it, and what the whole trip's pages still need of it.
pub(crate) struct Ready {
    pub(crate) value: Value,
    pub(crate) heights: Option<Heights>,
    pub(crate) length_m: f64,
    /// How many of its photos are on its own pages, from the first.
    pub(crate) photos_used: usize,
}

/// A daily page's name in the templates; the profile is above the steps.
pub(crate) const fn place(kind: PageKind) -> Option<&'static str> {
    match kind {
        PageKind::Map => Some("map"),
        PageKind::Steps => Some("steps"),
        PageKind::Stay => Some("stay"),
        PageKind::Photos => Some("photos"),
        _ => None,
    }
}

const fn kind_name(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Waypoint | StepKind::Step => "step",
        StepKind::OptionalStep => "optional",
        StepKind::Night | StepKind::Nights | StepKind::StepNight => "night",
        StepKind::Departure => "departure",
        StepKind::Arrival => "arrival",
        StepKind::Favourite => "favourite",
        StepKind::Advice => "advice",
    }
}

const fn maneuver_name(maneuver: Maneuver) -> &'static str {
    match maneuver {
        Maneuver::Straight => "straight",
        Maneuver::SlightLeft => "slight_left",
        Maneuver::TurnLeft => "turn_left",
        Maneuver::SharpLeft => "sharp_left",
        Maneuver::SlightRight => "slight_right",
        Maneuver::TurnRight => "turn_right",
        Maneuver::SharpRight => "sharp_right",
        Maneuver::UTurn => "u_turn",
        Maneuver::Roundabout => "roundabout",
        Maneuver::Ferry => "ferry",
        Maneuver::Steps => "stairs",
        Maneuver::Departure => "departure",
        Maneuver::Arrival => "arrival",
    }
}

const fn service_name(service: Service) -> &'static str {
    match service {
        Service::Water => "water",
        Service::Food => "food",
        Service::Viewpoint => "viewpoint",
        Service::Caution => "caution",
        Service::Repair => "repair",
        Service::Train => "train",
    }
}

/// What stays when numbers are thinned.
fn kept(step: &Step) -> bool {
    !matches!(step.kind, StepKind::Waypoint | StepKind::Step) || step.services.contains(&Service::Water)
}

impl ViewBuilder<'_> {
    pub(crate) fn day(&mut self, day: &Day, pages: &[PageChoice]) -> Ready {
        let at = At { day: Some(day.number), step: None };
        let on = |kind| pages.iter().find(|page| page.kind == kind);
        let sure = day.reliability.is_none_or(|reliability| reliability >= SURE);
        let turns = day
            .steps
            .iter()
            .any(|step| step.maneuver.is_some_and(|m| !matches!(m, Maneuver::Departure | Maneuver::Arrival)));
        // A pure turn on an unsure line would send people astray; places stay.
        let steps: Vec<&Step> = day
            .steps
            .iter()
            .filter(|step| {
                sure || step.kind != StepKind::Waypoint || step.maneuver.is_none() || !step.services.is_empty()
            })
            .collect();
        let drawable = day.trace.len() >= 2 && day.trace.iter().all(|(lon, lat, _)| lon.is_finite() && lat.is_finite());
        if !drawable {
            self.warn(WarningCode::TraceMissing, at, "");
        }
        // A trace below the threshold has no instructions: the steps cannot say that turns are missing.
        let unsure = !sure && drawable;
        if unsure && on(PageKind::Steps).is_some() {
            self.warn(WarningCode::TurnsLeftOut, at, "");
        }
        let heights = drawable.then(|| Heights::of(&day.trace, day.length_m)).flatten();
        let origin = self.capped(&day.origin, 60, at);
        let destination = self.capped(&day.destination, 60, at);
        let intro = self.plain(&day.intro, at);
        let intro_chars: usize = intro.iter().flat_map(|block| &block.runs).map(|run| run.text.chars().count()).sum();
        // A long introduction gets the place it needs, after the map.
        let intro_first = intro_chars <= 420 && !self.sheet.a4;
        let map = (drawable && on(PageKind::Map).is_some())
            .then(|| self.day_map(day, &steps, if intro_first { intro_chars } else { 0 }, [&origin, &destination]));
        if drawable && heights.is_none() && on(PageKind::Profile).is_some() {
            self.warn(WarningCode::AltitudesMissing, at, "");
        }
        let profile = heights
            .as_ref()
            .filter(|_| on(PageKind::Profile).is_some())
            .map(|heights| self.day_profile(day, &steps, heights));
        let photos_at_most = on(PageKind::Photos).map_or(0, |page| usize::from(page.count.unwrap_or(3).clamp(1, 12)));
        let slot = [self.sheet.text_width(), 66.0 * self.sheet.zoom];
        let photos: Vec<Value> = day
            .photos
            .iter()
            .take(photos_at_most)
            .filter_map(|photo| self.photo(photo, slot, &day.destination, at))
            .collect();
        // Free space at the foot of the steps, where they are many or no night follows: a photo that the photos page does
        // not show.
        let stays = day.stay.is_some() && on(PageKind::Stay).is_some();
        let with_spare = on(PageKind::Steps).is_some() && (steps.len() > 13 || !stays);
        let spare = day.photos.get(photos_at_most).filter(|_| with_spare);
        let spare = spare.and_then(|photo| self.photo(photo, slot, &day.destination, at));
        let date = self.date(day.date.as_ref(), at);
        let value = json!({
            "number": day.number,
            "date": date.map(|date| date.full(self.words)),
            "date_long": date.map(|date| date.long(self.words)),
            "date_short": date.map(|date| date.short(self.words)),
            "origin": origin,
            "destination": destination,
            "intro": intro,
            "intro_first": intro_first,
            "intro_short": intro_chars <= 420,
            "km": km(day.length_m, 1, self.words),
            "km_whole": km(day.length_m, 0, self.words),
            "ascent": day.ascent_m.map(grouped),
            "descent": day.descent_m.map(grouped),
            "time": day.duration_s.map(duration),
            "level": self.capped(&day.level, 24, at),
            "level_rank": day.level_rank.min(4),
            "map": map,
            "profile": profile,
            "turns": sure && turns,
            "unsure": unsure,
            "notices": self.first(&day.notices, 12, at, String::as_str).iter().map(|notice| self.capped(notice, 300, at)).collect::<Vec<_>>(),
            "steps": if on(PageKind::Steps).is_some() { self.steps(&steps, day, sure, heights.as_ref()) } else { Vec::new() },
            "stay": if on(PageKind::Stay).is_some() { day.stay.as_ref().map(|stay| self.stay(stay, day, at)) } else { None },
            "night": day.stay.as_ref().map(|stay| self.capped(&stay.name, 60, at)),
            "photos": photos,
            "spare": spare,
        });
        Ready { value, heights, length_m: day.length_m, photos_used: photos_at_most + usize::from(with_spare) }
    }

    fn steps(&mut self, steps: &[&Step], day: &Day, sure: bool, heights: Option<&Heights>) -> Vec<Value> {
        let last = steps.len().saturating_sub(1);
        let on_foot = self.book.trip.on_foot;
        steps
            .iter()
            .enumerate()
            .map(|(index, step)| {
                let at = At { day: Some(day.number), step: Some(step.number) };
                if step.text.chars().count() > LONG_STEP {
                    self.warn(WarningCode::StepTextLong, at, &step.text);
                }
                let then_m = step.distance_to_next_m.or_else(|| steps.get(index + 1).map(|next| next.at_m - step.at_m));
                let altitude = step.altitude_m.or_else(|| heights.map(|heights| heights.at(step.at_m)));
                let services = step.services.iter().filter(|service| !on_foot || **service != Service::Repair);
                let turn = step.maneuver.filter(|m| sure || matches!(m, Maneuver::Departure | Maneuver::Arrival));
                json!({
                    "number": step.disc(),
                    "kind": kind_name(step.kind),
                    "turn": turn.map(maneuver_name),
                    "title": self.capped(&step.title, 160, at),
                    "text": self.capped(&step.text, 900, at),
                    "services": services.map(|service| service_name(*service)).collect::<Vec<_>>(),
                    "km": km(step.at_m, 1, self.words),
                    "altitude": altitude.filter(|metres| metres.is_finite()).map(grouped),
                    "then": then_m.filter(|metres| index < last && metres.is_finite()).map(|metres| km(metres, 1, self.words)),
                })
            })
            .collect()
    }

    fn day_map(&mut self, day: &Day, steps: &[&Step], intro_chars: usize, ends: [&str; 2]) -> Map {
        let at = At { day: Some(day.number), step: None };
        let two_lines = ends[0].chars().count() + ends[1].chars().count() > 36;
        let stops: Vec<Stop> = steps
            .iter()
            .enumerate()
            .filter(|(_, step)| step.lon.is_finite() && step.lat.is_finite() && (step.lon, step.lat) != (0.0, 0.0))
            .map(|(index, step)| Stop {
                label: step.disc(),
                kind: kind_name(step.kind),
                at: [step.lon, step.lat],
                kept: kept(step) || index == 0 || index + 1 == steps.len(),
                size: 1.0,
            })
            .collect();
        let mut map = map::draw(
            &map::MapSpec {
                size: [self.sheet.text_width(), self.sheet.day_map_height(intro_chars, two_lines)],
                traces: vec![&day.trace],
                stops,
                names: Vec::new(),
                colour: &self.theme.accent,
                lang: self.words.lang.as_str(),
            },
            self.tiles.as_ref(),
        );
        let length = km(day.length_m, 1, self.words);
        let count = steps.len().to_string();
        let alt = self.words.say("map_alt", &[("from", ends[0]), ("to", ends[1]), ("km", &length), ("n", &count)]);
        self.finish_map(&mut map, &format!("map-{}", day.number), &alt, at);
        map
    }

    pub(crate) fn finish_map(&mut self, map: &mut Map, name: &str, alt: &str, at: At) {
        if !map.grounded {
            self.warn(WarningCode::MapGroundMissing, at, "");
        }
        if map.thinned {
            self.warn(WarningCode::MarkersThinned, at, "");
        }
        for label in &mut map.labels {
            label.text = self.coverage.fit(&label.text).text;
        }
        let svg = std::mem::take(&mut map.svg);
        map.file = self.file(&format!("{name}.svg"), svg);
        map.alt = self.capped(alt, 300, at);
    }

    fn day_profile(&mut self, day: &Day, steps: &[&Step], heights: &Heights) -> Profile {
        let marks = steps
            .iter()
            .enumerate()
            .map(|(index, step)| Mark {
                label: step.disc(),
                kind: kind_name(step.kind),
                at_m: step.at_m,
                kept: kept(step) || index == 0 || index + 1 == steps.len(),
            })
            .collect();
        let tall = if steps.len() > 14 || self.sheet.a4 { 24.0 } else { 20.0 };
        let mut profile = profile::draw(&profile::ProfileSpec {
            heights,
            width_mm: self.sheet.text_width(),
            height_mm: tall,
            marks,
            day_ends_m: Vec::new(),
            day_word: "",
            length: km(day.length_m, 1, self.words),
        });
        let at = At { day: Some(day.number), step: None };
        if profile.thinned {
            self.warn(WarningCode::MarkersThinned, at, "");
        }
        self.finish_profile(&mut profile, &format!("profile-{}", day.number), heights);
        profile
    }

    pub(crate) fn finish_profile(&mut self, profile: &mut Profile, name: &str, heights: &Heights) {
        let [low, high] = heights.range().map(grouped);
        let (first, last) = (grouped(heights.at(0.0)), grouped(heights.at(heights.length_m())));
        let alt = self.words.say("profile_alt", &[("first", &first), ("high", &high), ("low", &low), ("last", &last)]);
        let svg = std::mem::take(&mut profile.svg);
        profile.file = self.file(&format!("{name}.svg"), svg);
        profile.alt = self.capped(&alt, 300, At::default());
    }
}

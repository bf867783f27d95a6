//! Validates an audio walk, and cleans its texts before they are stored.

use std::collections::HashSet;

use trace::Position;

use super::walk::{AudioStory, AudioWalk};
use crate::Fault;
use crate::html::{plain, plain_line};

const MAX_STOPS: usize = 200;
const MAX_LEXICON: usize = 200;
const MAX_CORNERS: usize = 100;
/// Largest distance of a corner from the middle of its zone, in metres.
const MAX_CORNER_M: f64 = 2_000.0;
const MAX_TEXT_CHARS: usize = 10_000;
const MAX_LINE_CHARS: usize = 200;
const RADIUS_M: [f64; 2] = [10.0, 200.0];
const DELAY_S: [f64; 2] = [0.0, 120.0];
const WORDS_A_MINUTE: [i64; 2] = [80, 300];

/// The largest number of a stop that is kept: there must be room for numbers after it.
const MAX_STOP_ID: i64 = 1 << 32;

impl AudioWalk {
    /// Cleans it in place: no markup, no empty entries. A stop whose number the stored walk does not have is new, and gets one
    /// after the largest that is kept.
    pub fn clean(&mut self, stored: &Self) {
        let stories = self.stops.iter_mut().map(|stop| &mut stop.story);
        for story in stories.chain([&mut self.intro, &mut self.outro]) {
            story.text = plain(&story.text);
            story.transcript = plain(&story.transcript);
        }
        self.voice = plain(&self.voice);
        for entry in &mut self.lexicon {
            (entry.word, entry.say) = (plain(&entry.word), plain(&entry.say));
        }
        self.lexicon.retain(|entry| !entry.word.is_empty() || !entry.say.is_empty());
        let known: HashSet<i64> =
            stored.stops.iter().map(|stop| stop.id).filter(|id| (1..=MAX_STOP_ID).contains(id)).collect();
        let mut last = self.stops.iter().map(|stop| stop.id).filter(|id| known.contains(id)).max().unwrap_or_default();
        for stop in &mut self.stops {
            stop.title = plain_line(&stop.title);
            if !known.contains(&stop.id) {
                last += 1;
                stop.id = last;
            }
        }
    }

    /// All faults of the walk, each with the JSON pointer of its field.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (field, count, max) in
            [("/stops", self.stops.len(), MAX_STOPS), ("/lexicon", self.lexicon.len(), MAX_LEXICON)]
        {
            if count > max {
                faults.push(Fault::new("validation/too-many", field).with("max", max));
            }
        }
        if !(WORDS_A_MINUTE[0]..=WORDS_A_MINUTE[1]).contains(&self.words_a_minute) {
            faults.push(
                Fault::new("validation/out-of-range", "/words_a_minute")
                    .with("min", WORDS_A_MINUTE[0])
                    .with("max", WORDS_A_MINUTE[1]),
            );
        }
        // The voice becomes an argument of a command: only letters, digits and separators.
        if !self.voice.chars().all(|c| c.is_alphanumeric() || "-_+./ ".contains(c)) || self.voice.starts_with('-') {
            faults.push(Fault::new("audio/voice", "/voice"));
        }
        check_length("/voice", &self.voice, &mut faults);
        for (index, entry) in self.lexicon.iter().enumerate() {
            for (name, text) in [("word", &entry.word), ("say", &entry.say)] {
                let field = format!("/lexicon/{index}/{name}");
                if text.is_empty() {
                    faults.push(Fault::new("validation/required", field.as_str()));
                }
                check_length(&field, text, &mut faults);
            }
        }
        check_story("/intro", &self.intro, &mut faults);
        check_story("/outro", &self.outro, &mut faults);
        self.check_stops(&mut faults);
        faults
    }

    fn check_stops(&self, faults: &mut Vec<Fault>) {
        let mut seen = HashSet::new();
        for (index, stop) in self.stops.iter().enumerate() {
            let at = format!("/stops/{index}");
            if !seen.insert(stop.id) {
                faults.push(Fault::new("audio/stop-twice", format!("{at}/id")));
            }
            check_length(&format!("{at}/title"), &stop.title, faults);
            if !is_on_earth(stop.position) {
                faults.push(Fault::new("validation/position-outside-world", format!("{at}/position")));
                continue;
            }
            check_range(&format!("{at}/radius_m"), stop.radius_m, RADIUS_M, faults);
            check_range(&format!("{at}/delay_s"), stop.delay_s, DELAY_S, faults);
            let corners = format!("{at}/corners");
            if stop.corners.len() > MAX_CORNERS {
                faults.push(Fault::new("validation/too-many", corners.as_str()).with("max", MAX_CORNERS));
            } else if !stop.corners.is_empty() && stop.corners.len() < 3 {
                faults.push(Fault::new("audio/zone-incomplete", corners.as_str()));
            } else if !stop.corners.iter().all(|[lon, lat]| is_on_earth(Position::new(*lon, *lat))) {
                faults.push(Fault::new("validation/position-outside-world", corners.as_str()));
            } else if stop
                .corners
                .iter()
                .any(|[lon, lat]| trace::distance_m(stop.position, Position::new(*lon, *lat)) > MAX_CORNER_M)
            {
                faults.push(Fault::new("audio/zone-too-large", corners.as_str()).with("max_m", MAX_CORNER_M));
            }
            check_story(&format!("{at}/story"), &stop.story, faults);
        }
    }
}

fn is_on_earth(at: Position) -> bool {
    (-180.0..=180.0).contains(&at.lon) && (-90.0..=90.0).contains(&at.lat)
}

fn check_range(field: &str, value: f64, [min, max]: [f64; 2], faults: &mut Vec<Fault>) {
    if !(min..=max).contains(&value) {
        faults.push(Fault::new("validation/out-of-range", field).with("min", min).with("max", max));
    }
}

fn check_length(field: &str, text: &str, faults: &mut Vec<Fault>) {
    if text.chars().count() > MAX_LINE_CHARS {
        faults.push(Fault::new("validation/too-long", field).with("max", MAX_LINE_CHARS));
    }
}

fn check_story(at: &str, story: &AudioStory, faults: &mut Vec<Fault>) {
    for (name, text) in [("text", &story.text), ("transcript", &story.transcript)] {
        if text.chars().count() > MAX_TEXT_CHARS {
            faults.push(Fault::new("validation/too-long", format!("{at}/{name}")).with("max", MAX_TEXT_CHARS));
        }
    }
}

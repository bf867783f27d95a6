//! What an editor should check before a walk is used. A finding does not keep a walk from being saved.

use serde::{Deserialize, Serialize};
use trace::Position;
use utoipa::ToSchema;

use super::pass::{StopOnTrace, along};
use super::walk::{AudioStory, AudioWalk};
use crate::transport_line::words;

/// Advice for sounds: bytes a minute.
const ADVICE_BYTES_A_MINUTE: f64 = 1_000_000.0;

words! {
    /// What should be checked.
    AudioFindingKind {
        /// The trace does not come through its zone: it is never heard.
        OffTrace "off_trace",
        /// The trace meets it before the stop that precedes it.
        Order "order",
        /// Its zone begins before the one before ends.
        Overlap "overlap",
        /// It is longer than the way to the next one.
        TooLong "too_long",
        /// There is nothing to hear.
        Silent "silent",
        /// Its voice is still to be made.
        NotSpoken "not_spoken",
        /// It has no text for people who cannot hear it (RGAA 4.1).
        NoTranscript "no_transcript",
        /// Its file is larger than advised.
        Heavy "heavy",
        /// Its circle is smaller than positions of a phone are sure.
        SmallRadius "small_radius",
    } default Silent
}

/// Something to look at.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AudioFinding {
    pub kind: AudioFindingKind,
    /// The text it is about: `intro`, `outro`, `stop/3`.
    pub story: String,
    /// How much it is: seconds of a sound, metres of a radius, bytes a minute.
    pub value: Option<f64>,
    /// How much it should be.
    pub limit: Option<f64>,
}

/// The sound of a story.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SoundOf {
    /// Whether there is a sound.
    pub is_there: bool,
    /// How long, in seconds; worked out from the text where there is no sound yet.
    pub duration_s: Option<f64>,
    /// Bytes of its file.
    pub bytes: Option<i64>,
}

/// The findings, in the order of the walk; and where its stops are met.
pub fn findings(
    walk: &AudioWalk,
    line: &[Position],
    heard: &dyn Fn(&str) -> SoundOf,
) -> (Vec<AudioFinding>, Vec<StopOnTrace>) {
    let met = along(line, &walk.stops);
    let mut found = Vec::new();
    if !walk.intro.is_empty() {
        of_story("intro", &walk.intro, heard("intro"), &mut found);
    }
    let speed_mps = walk.going.speed_mps();
    for (index, (stop, on)) in walk.stops.iter().zip(&met).enumerate() {
        let name = stop.name();
        let mut add_finding = |kind, value, limit| {
            found.push(AudioFinding { kind, story: name.clone(), value, limit });
        };
        let sure = walk.going.sure_radius_m();
        if stop.corners.is_empty() && stop.radius_m < sure {
            add_finding(AudioFindingKind::SmallRadius, Some(stop.radius_m), Some(sure));
        }
        let sound = heard(&name);
        if line.len() > 1 {
            match on.pass {
                None if on.times == 0 => add_finding(AudioFindingKind::OffTrace, None, None),
                None => add_finding(AudioFindingKind::Order, None, None),
                Some(pass) => {
                    let before = met[..index].iter().rev().find_map(|before| before.pass);
                    if let Some(before) = before.filter(|before| before.leaves_m > pass.enters_m) {
                        add_finding(AudioFindingKind::Overlap, Some(before.leaves_m - pass.enters_m), None);
                    }
                    let is_last = met[index + 1..].iter().all(|next| next.pass.is_none());
                    let way_s = on.leg_m.unwrap_or_default() / speed_mps;
                    let takes_s = sound.duration_s.unwrap_or_default() + stop.delay_s;
                    if !is_last && takes_s > way_s {
                        add_finding(AudioFindingKind::TooLong, Some(takes_s), Some(way_s));
                    }
                }
            }
        }
        of_story(&name, &stop.story, sound, &mut found);
    }
    if !walk.outro.is_empty() {
        of_story("outro", &walk.outro, heard("outro"), &mut found);
    }
    (found, met)
}

fn of_story(name: &str, story: &AudioStory, heard: SoundOf, found: &mut Vec<AudioFinding>) {
    let mut add_finding = |kind, value, limit| {
        found.push(AudioFinding { kind, story: name.to_owned(), value, limit });
    };
    if !heard.is_there {
        let kind = if story.is_read_aloud() { AudioFindingKind::NotSpoken } else { AudioFindingKind::Silent };
        add_finding(kind, None, None);
    } else if story.transcript().is_empty() {
        add_finding(AudioFindingKind::NoTranscript, None, None);
    }
    let a_minute =
        heard.bytes.zip(heard.duration_s).filter(|(_, s)| *s >= 1.0).map(|(bytes, s)| bytes as f64 * 60.0 / s);
    if let Some(bytes) = a_minute.filter(|bytes| *bytes > ADVICE_BYTES_A_MINUTE) {
        add_finding(AudioFindingKind::Heavy, Some(bytes.round()), Some(ADVICE_BYTES_A_MINUTE));
    }
}

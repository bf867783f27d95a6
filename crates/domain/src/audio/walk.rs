//! What an audio walk is made of.

use serde::{Deserialize, Serialize};
use trace::Position;
use utoipa::ToSchema;

use crate::transport_line::words;

words! {
    /// How people go while they listen.
    AudioGoing {
        /// On foot, 4 km/h.
        Walking "walking",
        /// By bike, 15 km/h.
        Cycling "cycling",
    } default Walking
}

impl AudioGoing {
    /// How fast, in metres a second.
    pub const fn speed_mps(self) -> f64 {
        match self {
            Self::Walking => 4.0 / 3.6,
            Self::Cycling => 15.0 / 3.6,
        }
    }

    /// The radius under which positions of a phone may miss a stop, in metres.
    pub const fn sure_radius_m(self) -> f64 {
        match self {
            Self::Walking => 15.0,
            Self::Cycling => 40.0,
        }
    }
}

words! {
    /// The order in which stops are played.
    AudioPlayback {
        /// In their order: each waits for the one before.
        Sequential "sequential",
        /// In the order in which the walker enters their zones.
        Free "free",
    } default Sequential
}

words! {
    /// What reads texts aloud.
    AudioEngine {
        /// espeak-ng, on the server itself.
        Espeak "espeak",
        /// A service with OpenAI's speech endpoint.
        Openai "openai",
        /// Azure AI Speech.
        Azure "azure",
    } default Espeak
}

words! {
    /// How far the making of voices is.
    AudioJobState {
        /// At work, or waiting for its turn.
        Running "running",
        /// Done.
        Done "done",
        /// The engine failed: what was made before stays.
        Failed "failed",
        /// A user ended it.
        Cancelled "cancelled",
    } default Running
}

/// A word and its pronunciation: « Trégunc » as « Trégun ».
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LexiconEntry {
    /// The written word.
    pub word: String,
    /// Its pronunciation.
    pub say: String,
}

/// A story of a walk: a recording, or a text that is read aloud.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AudioStory {
    /// What a voice reads, plain. `[pause 1s]` is a silence.
    pub text: String,
    /// The same to read, where there is a recording or where it is to be another; else the text is shown.
    pub transcript: String,
    /// A recording, which is heard in the place of the voice.
    pub media_id: Option<i64>,
}

impl AudioStory {
    /// The text for people who read instead of listening.
    pub fn transcript(&self) -> String {
        if self.transcript.is_empty() { super::shown(&self.text) } else { self.transcript.clone() }
    }

    /// Whether a voice is to read it.
    pub fn is_read_aloud(&self) -> bool {
        self.media_id.is_none() && !self.text.is_empty()
    }

    /// Nothing to hear, nothing to read.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.transcript.is_empty() && self.media_id.is_none()
    }
}

/// A stop: where it is heard, and what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AudioStop {
    /// Its number in the stored walk; 0, or one that this does not have, for a new one.
    #[serde(default)]
    pub id: i64,
    #[serde(default)]
    pub title: String,
    /// Its middle.
    pub position: Position,
    /// How near its sound starts, in metres, where it is a circle.
    #[serde(default = "usual_radius_m")]
    pub radius_m: f64,
    /// The corners of its zone; none where it is a circle.
    #[serde(default)]
    #[schema(value_type = Vec<trace::Place>)]
    pub corners: Vec<[f64; 2]>,
    /// Whether it is heard the first time only.
    #[serde(default = "yes")]
    pub once: bool,
    /// Seconds between coming in and its sound.
    #[serde(default)]
    pub delay_s: f64,
    /// What is heard.
    #[serde(default)]
    pub story: AudioStory,
    /// A sound before it; the walk's own by default.
    #[serde(default)]
    pub transition_media_id: Option<i64>,
}

fn usual_radius_m() -> f64 {
    25.0
}

fn yes() -> bool {
    true
}

/// The audio walk of a parcours in a language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AudioWalk {
    /// Whether the public page and the API show it.
    pub enabled: bool,
    /// How people go while they listen.
    pub going: AudioGoing,
    /// The order in which stops are played.
    pub playback: AudioPlayback,
    /// What reads texts aloud.
    pub engine: AudioEngine,
    /// One of its voices; its usual one of the language by default.
    pub voice: String,
    /// How fast it reads, in words a minute.
    pub words_a_minute: i64,
    /// How local names are pronounced.
    pub lexicon: Vec<LexiconEntry>,
    /// A sound before each stop.
    pub transition_media_id: Option<i64>,
    /// Heard at the start.
    pub intro: AudioStory,
    /// Heard at the end.
    pub outro: AudioStory,
    /// In the order of the walk.
    pub stops: Vec<AudioStop>,
}

impl Default for AudioWalk {
    fn default() -> Self {
        Self {
            enabled: false,
            going: AudioGoing::default(),
            playback: AudioPlayback::default(),
            engine: AudioEngine::default(),
            voice: String::new(),
            words_a_minute: 150,
            lexicon: Vec::new(),
            transition_media_id: None,
            intro: AudioStory::default(),
            outro: AudioStory::default(),
            stops: Vec::new(),
        }
    }
}

impl AudioStop {
    /// Its name in the walk: `stop/3`.
    pub fn name(&self) -> String {
        format!("stop/{}", self.id)
    }
}

impl AudioWalk {
    /// Everything that is heard, with its name in the walk: `intro`, `stop/3`, `outro`.
    pub fn stories(&self) -> impl Iterator<Item = (String, &AudioStory)> {
        let stops = self.stops.iter().map(|stop| (stop.name(), &stop.story));
        [("intro".to_owned(), &self.intro)].into_iter().chain(stops).chain([("outro".to_owned(), &self.outro)])
    }

    /// The recordings it names, with the field of each, each time it is named.
    pub fn media(&self) -> Vec<(String, i64)> {
        let own = [
            ("/transition_media_id", self.transition_media_id),
            ("/intro/media_id", self.intro.media_id),
            ("/outro/media_id", self.outro.media_id),
        ];
        let own = own.into_iter().map(|(field, id)| (field.to_owned(), id));
        let stops = self.stops.iter().enumerate().flat_map(|(index, stop)| {
            [
                (format!("/stops/{index}/story/media_id"), stop.story.media_id),
                (format!("/stops/{index}/transition_media_id"), stop.transition_media_id),
            ]
        });
        own.chain(stops).filter_map(|(field, id)| id.map(|id| (field, id))).collect()
    }

    /// Makes what names a recording name another one, or none. False when it named none.
    pub fn repoint(&mut self, from: i64, to: Option<i64>) -> bool {
        let mut found = false;
        let stops = self.stops.iter_mut().flat_map(|stop| [&mut stop.story.media_id, &mut stop.transition_media_id]);
        let own = [&mut self.transition_media_id, &mut self.intro.media_id, &mut self.outro.media_id];
        for id in own.into_iter().chain(stops).filter(|id| **id == Some(from)) {
            *id = to;
            found = true;
        }
        found
    }

    /// The walk with defaults from the sheet of its parcours: the main sound and the audio guide for an empty introduction, the
    /// transition sound for the stops.
    #[must_use]
    pub fn with_usual(mut self, main: Option<i64>, transition: Option<i64>, guide: &str) -> Self {
        if self.intro.is_empty() {
            self.intro = AudioStory { text: guide.to_owned(), transcript: String::new(), media_id: main };
        }
        self.transition_media_id = self.transition_media_id.or(transition);
        self
    }

    /// All that the sound of a spoken text depends on, as one string.
    pub fn said(&self, language: &str, text: &str) -> String {
        let pieces = super::pieces(text, &self.lexicon);
        let engine = self.engine.as_str();
        serde_json::json!([1, engine, self.voice, self.words_a_minute, language, pieces]).to_string()
    }
}

//! The audio walks that the public may play: published walks of published parcours.

use app::App;
use app::problem::Internal;
use domain::ParcoursId;
use domain::audio::{AudioGoing, AudioPlayback, AudioStop, AudioStory, Pass, StopOnTrace, along};
use serde::Serialize;
use store::audio as rows;
use store::parcours as parcours_rows;
use trace::Position;
use utoipa::ToSchema;

use super::sounds::{Sound, Sounds, as_heard};

/// A sound to fetch.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PublicSound {
    /// Number of its media.
    pub id: i64,
    /// Its address.
    pub url: String,
    /// `audio/mpeg` …
    pub mime: String,
    /// How long it is.
    pub duration_s: Option<f64>,
    /// Bytes of its file.
    pub bytes: i64,
    /// Who made it.
    pub copyright: Option<String>,
    /// Under which licence, in words.
    pub licence: Option<String>,
    /// Both, as they are shown.
    #[serde(skip)]
    pub credit: Option<String>,
}

/// A sound of the walk.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PublicStory {
    /// The number of its stop; none of the introduction and the closing words.
    pub id: Option<i64>,
    pub title: String,
    /// Its middle.
    pub position: Option<Position>,
    /// How near its sound starts, where its zone is a circle.
    pub radius_m: Option<f64>,
    /// The corners of its zone, where the zone is not a circle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<trace::Place>)]
    pub corners: Vec<[f64; 2]>,
    /// Where the trace comes through its zone, in metres along it.
    #[serde(flatten)]
    pub pass: Option<Pass>,
    /// Whether it is heard the first time only.
    pub once: bool,
    /// Seconds between coming in and its sound.
    pub delay_s: f64,
    /// What is heard.
    pub sound: Option<PublicSound>,
    /// Played before `sound`.
    pub transition: Option<PublicSound>,
    /// The text of `sound`, to be read.
    pub transcript: String,
}

/// An audio walk, ready to be played.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct PublicAudioWalk {
    pub parcours: i64,
    pub language: String,
    /// The languages it can be heard in.
    pub languages: Vec<String>,
    /// On foot or by bicycle.
    pub going: AudioGoing,
    /// The order in which stops are played.
    pub playback: AudioPlayback,
    /// Played at the start.
    pub intro: Option<PublicStory>,
    /// Played along the way, in order.
    pub stops: Vec<PublicStory>,
    /// Played at the end.
    pub outro: Option<PublicStory>,
}

impl PublicAudioWalk {
    /// All its parts, in the order in which they are played.
    pub fn stories(&self) -> impl Iterator<Item = &PublicStory> {
        self.intro.iter().chain(&self.stops).chain(&self.outro)
    }

    /// All sounds, mutable.
    pub fn sounds_mut(&mut self) -> impl Iterator<Item = &mut PublicSound> {
        let stories = self.intro.iter_mut().chain(&mut self.stops).chain(&mut self.outro);
        stories.flat_map(|story| story.sound.iter_mut().chain(story.transition.iter_mut()))
    }
}

/// Which of the public walks.
#[derive(Debug, Clone, Copy)]
pub enum WalkSelection<'a> {
    /// All of them.
    All,
    /// The walk of this language only.
    Only(&'a str),
    /// The walk of this language, else the first one.
    Preferred(&'a str),
}

/// The public walks of a parcours, in the order of the languages of the content; addresses begin with `base`.
pub async fn public_walks(
    app: &App,
    base: &str,
    id: ParcoursId,
    wanted: WalkSelection<'_>,
) -> Result<Vec<PublicAudioWalk>, Internal> {
    let db = app.store.read();
    let mut walks = rows::enabled(db, id).await?;
    let place = |language: &String| app.settings.content_languages.iter().position(|one| one == language);
    walks.sort_by_key(|one| place(&one.language).unwrap_or(usize::MAX));
    let languages: Vec<String> = walks.iter().map(|one| one.language.clone()).collect();
    let at = |language: &str| languages.iter().position(|one| one == language);
    let at = match wanted {
        WalkSelection::All => None,
        WalkSelection::Only(language) => Some(at(language).unwrap_or(walks.len())),
        WalkSelection::Preferred(language) => Some(at(language).unwrap_or_default()),
    };
    if let Some(at) = at {
        walks = walks.into_iter().skip(at).take(1).collect();
    }
    if walks.is_empty() {
        return Ok(Vec::new());
    }
    let Some(parcours) = parcours_rows::load(db, id).await? else { return Ok(Vec::new()) };
    let line = parcours_rows::trace(db, id).await?.map(|trace| trace.line()).unwrap_or_default();
    let mut found = Vec::with_capacity(walks.len());
    for one in walks {
        let walk = as_heard(&one.walk, &parcours.sheet, &one.language);
        let met = along(&line, &walk.stops);
        let sounds = Sounds::of(db, parcours.white_label_id, walk, &one.language).await?;
        let walk = &sounds.walk;
        let spoken_frame = |name: &str, story: &AudioStory| {
            let sound = sounds.story(name).map(|sound| public(base, sound));
            (sound.is_some() || !story.transcript().is_empty()).then(|| PublicStory {
                id: None,
                title: String::new(),
                position: None,
                radius_m: None,
                corners: Vec::new(),
                pass: None,
                once: true,
                delay_s: 0.0,
                sound,
                transition: None,
                transcript: story.transcript(),
            })
        };
        let stops = walk.stops.iter().zip(&met).map(|(stop, met)| stop_of(base, &sounds, stop, met)).collect();
        found.push(PublicAudioWalk {
            parcours: id.0,
            language: one.language.clone(),
            languages: languages.clone(),
            going: walk.going,
            playback: walk.playback,
            intro: spoken_frame("intro", &walk.intro),
            stops,
            outro: spoken_frame("outro", &walk.outro),
        });
    }
    Ok(found)
}

fn public(base: &str, sound: &Sound) -> PublicSound {
    PublicSound {
        id: sound.media_id,
        url: format!("{base}{}", sound.path),
        mime: sound.mime.clone(),
        duration_s: sound.duration_s,
        bytes: sound.bytes,
        copyright: sound.copyright.clone(),
        licence: sound.licence.clone(),
        credit: sound.credit.clone(),
    }
}

fn stop_of(base: &str, sounds: &Sounds, stop: &AudioStop, met: &StopOnTrace) -> PublicStory {
    PublicStory {
        id: Some(stop.id),
        title: stop.title.clone(),
        position: Some(stop.position),
        radius_m: stop.corners.is_empty().then_some(stop.radius_m),
        corners: stop.corners.clone(),
        pass: met.pass,
        once: stop.once,
        delay_s: stop.delay_s,
        sound: sounds.story(&stop.name()).map(|sound| public(base, sound)),
        transition: sounds.transition(stop).map(|sound| public(base, sound)),
        transcript: stop.story.transcript(),
    }
}

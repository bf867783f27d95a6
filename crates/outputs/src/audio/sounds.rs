//! The sounds of a walk: recordings, and its texts spoken by voices.

use std::collections::{BTreeMap, HashMap};

use app::token::checksum;
use content::media::{address, translated_address};
use domain::audio::{AudioStop, AudioStory, AudioWalk, SoundOf, estimated_s};
use domain::media::MediaSheet;
use domain::parcours::Sheet;
use domain::{MediaKind, WhiteLabelId};
use store::audio::clips;
use store::media::Medias;
use store::record::{Stored, load_many};
use store::{Connection, StoreError};

/// A sound that is there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sound {
    pub media_id: i64,
    /// Its address on this server.
    pub path: String,
    pub mime: String,
    pub duration_s: Option<f64>,
    pub bytes: i64,
    pub copyright: Option<String>,
    pub licence: Option<String>,
    pub credit: Option<String>,
    /// Whether a voice made it.
    pub spoken: bool,
}

/// A walk with what is heard of it.
#[derive(Debug, Clone)]
pub(super) struct Sounds {
    /// The walk with the defaults of the sheet filled in.
    pub walk: AudioWalk,
    by_story: BTreeMap<String, Sound>,
    by_media: HashMap<i64, Sound>,
    sums: BTreeMap<String, String>,
}

/// The walk with the sheet's sounds and guide as defaults.
pub(super) fn as_heard(walk: &AudioWalk, sheet: &Sheet, language: &str) -> AudioWalk {
    let guide = sheet.audio_guide.get(language).unwrap_or_default();
    walk.clone().with_usual(sheet.audio_main_media_id, sheet.audio_transition_media_id, guide)
}

/// The key of a spoken text: it depends on the white-label, as each has its own library.
fn sum_of(white_label: WhiteLabelId, walk: &AudioWalk, language: &str, story: &AudioStory) -> String {
    checksum(format!("{white_label} {}", walk.said(language, &story.text)).as_bytes())
}

/// The file of a sound in a language, else its own; `made` is the number of its making. How long a file in another language lasts is
/// not known.
fn sound_of(media: Stored<MediaSheet>, made: u32, language: &str) -> Sound {
    let other = translated_address(&media, language).map(|(path, mime)| (path, mime.to_owned()));
    let credit = media.sheet.credit();
    let (id, MediaSheet { file, copyright, licence, translated, .. }) = (media.id, media.sheet);
    let (path, mime, duration_ms, bytes) = match other {
        Some((path, mime)) => (path, mime, None, translated.get(language).map_or(0, |other| other.bytes)),
        None => (address(id, "file", made), file.mime, file.duration_ms, file.bytes),
    };
    Sound {
        media_id: id,
        path,
        mime,
        duration_s: duration_ms.map(|ms| ms as f64 / 1000.0),
        bytes: bytes as i64,
        copyright,
        licence,
        credit,
        spoken: false,
    }
}

impl Sounds {
    /// The sounds of a walk that has its defaults.
    pub(super) async fn of(
        db: &impl Connection,
        white_label: WhiteLabelId,
        walk: AudioWalk,
        language: &str,
    ) -> Result<Self, StoreError> {
        let read_aloud = walk.stories().filter(|(_, story)| story.is_read_aloud());
        let sums: BTreeMap<String, String> =
            read_aloud.map(|(name, story)| (name, sum_of(white_label, &walk, language, story))).collect();
        let said = clips(db, &sums.values().cloned().collect::<Vec<_>>()).await?;
        let mut of_story: Vec<(String, i64, bool)> =
            sums.iter().filter_map(|(name, sum)| Some((name.clone(), *said.get(sum)?, true))).collect();
        of_story.extend(walk.stories().filter_map(|(name, story)| Some((name, story.media_id?, false))));
        let own = walk.media().into_iter().map(|(_, id)| id);
        let mut ids: Vec<i64> = of_story.iter().map(|(_, id, _)| *id).chain(own).collect();
        ids.sort_unstable();
        ids.dedup();
        let shown = store::media::shown_by(db, white_label, &ids).await?;
        ids.retain(|id| shown.contains(id));
        let made = store::media::made_of(db, &ids).await?;
        let medias = load_many::<Medias>(db, &ids).await?;
        let by_media: HashMap<i64, Sound> = medias
            .into_iter()
            .filter(|media| media.sheet.file.kind == MediaKind::Audio)
            .map(|media| {
                let number = made.get(&media.id).map_or(0, |made| made.made);
                (media.id, sound_of(media, number, language))
            })
            .collect();
        let by_story = of_story
            .into_iter()
            .filter_map(|(name, id, spoken)| Some((name, Sound { spoken, ..by_media.get(&id)?.clone() })))
            .collect();
        Ok(Self { walk, by_story, by_media, sums })
    }

    /// The sound of a story.
    pub(super) fn story(&self, name: &str) -> Option<&Sound> {
        self.by_story.get(name)
    }

    /// The sound before a stop: its own, else the walk's.
    pub(super) fn transition(&self, stop: &AudioStop) -> Option<&Sound> {
        self.by_media.get(&stop.transition_media_id.or(self.walk.transition_media_id)?)
    }

    /// The stories that no voice read yet, with the checksum of each.
    pub(super) fn unsaid(&self) -> Vec<(&String, &String)> {
        self.sums.iter().filter(|(name, _)| !self.by_story.contains_key(*name)).collect()
    }

    /// Length and size of a story's sound, for the findings.
    pub(super) fn heard(&self, name: &str) -> SoundOf {
        if let Some(sound) = self.story(name) {
            return SoundOf { is_there: true, duration_s: sound.duration_s, bytes: Some(sound.bytes) };
        }
        let text = self.walk.stories().find(|(one, _)| one == name).map(|(_, story)| story.text.as_str());
        let duration_s = text.filter(|text| !text.is_empty()).map(|text| estimated_s(text, self.walk.words_a_minute));
        SoundOf { is_there: false, duration_s, bytes: None }
    }

    /// The media of a saved walk: its own, and its spoken texts.
    pub(super) fn to_link(&self, saved: &AudioWalk) -> Vec<i64> {
        let said = self.by_story.values().filter(|sound| sound.spoken).map(|sound| sound.media_id);
        let own = saved.media().into_iter().map(|(_, id)| id).filter(|id| self.by_media.contains_key(id));
        let mut ids: Vec<i64> = said.chain(own).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

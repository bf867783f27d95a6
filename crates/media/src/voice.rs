//! Joins the spoken parts of an audio walk to one MP3 file: with silences, at the target loudness.

mod level;
mod mp3;

use symphonia::core::codecs::audio::AudioDecoderOptions;
use symphonia::core::errors::Error;
use symphonia::core::formats::TrackType;

use crate::{Refusal, sound};

pub use level::{TARGET_LUFS, loudness_lufs};

/// The longest sound.
const MAX_S: usize = 3_600;
/// A WAV that gives this length or more does not know its length: programs that write to a pipe give 0x7ffff000 or 0xffffffff.
const UNKNOWN_LENGTH: u32 = 0x4000_0000;
/// Silence before and after, in milliseconds: players cut the first and last moments of a sound.
const EDGE_MS: u64 = 120;

/// A part of a spoken text.
#[derive(Debug, Clone, PartialEq)]
pub enum SpeechPart {
    /// A sound in a file of any format we listen to.
    Sound(Vec<u8>),
    /// A silence, in milliseconds.
    Silence(u64),
}

/// A sound with one channel.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Samples {
    /// From -1 to 1.
    pub values: Vec<f32>,
    /// So many a second.
    pub rate: u32,
}

/// A sound that is finished.
#[derive(Debug, Clone, PartialEq)]
pub struct Spoken {
    /// An MP3 file, mono.
    pub mp3: Vec<u8>,
    /// How loud it is (ITU-R BS.1770), before it was packed.
    pub loudness_lufs: f64,
}

/// Joins the pieces to one sound of the target loudness, as MP3.
pub fn spoken(pieces: &[SpeechPart]) -> Result<Spoken, Refusal> {
    let mut heard = Vec::with_capacity(pieces.len());
    for piece in pieces {
        heard.push(match piece {
            SpeechPart::Sound(bytes) => Some(samples(bytes.clone())?),
            SpeechPart::Silence(_) => None,
        });
    }
    let rate = heard.iter().flatten().map(|heard| heard.rate).next().ok_or(Refusal::Broken)?;
    let mut all = Samples { values: Vec::new(), rate };
    push_silence(&mut all, EDGE_MS);
    for (piece, heard) in pieces.iter().zip(heard) {
        match (piece, heard) {
            (SpeechPart::Silence(ms), _) => push_silence(&mut all, *ms),
            (SpeechPart::Sound(_), heard) => all.values.extend(at_rate(heard.unwrap_or_default(), rate)),
        }
        if all.values.len() > MAX_S * rate as usize {
            return Err(Refusal::Broken);
        }
    }
    push_silence(&mut all, EDGE_MS);
    let loudness_lufs = level::level(&mut all)?;
    Ok(Spoken { mp3: mp3::packed(&all)?, loudness_lufs })
}

fn push_silence(into: &mut Samples, ms: u64) {
    let count = u64::from(into.rate) * ms / 1000;
    into.values.resize(into.values.len() + count as usize, 0.0);
}

/// Listens to a file: its channels in one.
pub fn samples(bytes: Vec<u8>) -> Result<Samples, Refusal> {
    let mut format = sound::open(sound::of_bytes(with_true_length(bytes)?))?;
    let track = format.default_track(TrackType::Audio).ok_or(Refusal::Broken)?;
    let id = track.id;
    let codec = track.codec_params.as_ref().and_then(|codec| codec.audio()).ok_or(Refusal::Broken)?;
    let decoder = symphonia::default::get_codecs().make_audio_decoder(codec, &AudioDecoderOptions::default());
    let mut decoder = decoder.map_err(|_| Refusal::Broken)?;
    let mut heard = Samples::default();
    let mut frames: Vec<f32> = Vec::new();
    while let Ok(Some(packet)) = format.next_packet() {
        if packet.track_id != id {
            continue;
        }
        match decoder.decode(&packet) {
            Ok(decoded) => {
                let channels = decoded.num_planes().max(1);
                heard.rate = decoded.spec().rate();
                decoded.copy_to_vec_interleaved(&mut frames);
                let one = |frame: &[f32]| frame.iter().sum::<f32>() / channels as f32;
                heard.values.extend(frames.chunks(channels).map(one));
            }
            Err(Error::DecodeError(_)) => {}
            Err(_) => break,
        }
        if heard.values.len() > MAX_S * heard.rate.max(1) as usize {
            return Err(Refusal::Broken);
        }
    }
    let is_heard = heard.rate > 0 && !heard.values.is_empty() && heard.values.iter().all(|value| value.is_finite());
    if is_heard { Ok(heard) } else { Err(Refusal::Broken) }
}

/// A WAV that was written to a pipe gives a length that no sound has: it is replaced by the real one. One that gives a length of which more
/// than a tenth is missing was cut.
fn with_true_length(mut bytes: Vec<u8>) -> Result<Vec<u8>, Refusal> {
    if !(bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE")) {
        return Ok(bytes);
    }
    let le =
        |bytes: &[u8], at: usize| bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    let mut at = 12;
    while let (Some(name), Some(length)) = (bytes.get(at..at + 4), le(&bytes, at + 4)) {
        let there = bytes.len() - at - 8;
        if name == b"data" {
            if length < UNKNOWN_LENGTH && there < length as usize / 10 * 9 {
                return Err(Refusal::Broken);
            }
            if length as usize > there {
                let [data, riff] = [there, bytes.len() - 8].map(|length| (length as u32).to_le_bytes());
                bytes[at + 4..at + 8].copy_from_slice(&data);
                bytes[4..8].copy_from_slice(&riff);
            }
            break;
        }
        at += 8 + length as usize + (length as usize & 1);
    }
    Ok(bytes)
}

/// The same at another rate: between two samples, a straight line.
fn at_rate(heard: Samples, rate: u32) -> Vec<f32> {
    if heard.rate == rate {
        return heard.values;
    }
    let step = f64::from(heard.rate) / f64::from(rate);
    let count = (heard.values.len() as f64 / step) as usize;
    let value = |index: usize| heard.values.get(index).or(heard.values.last()).copied().unwrap_or_default();
    (0..count)
        .map(|index| {
            let at = index as f64 * step;
            let share = at.fract() as f32;
            value(at as usize) * (1.0 - share) + value(at as usize + 1) * share
        })
        .collect()
}

//! Sounds: how long, and how loud from start to end.

use std::fs::File;
use std::io::Cursor;

use symphonia::core::codecs::audio::AudioDecoderOptions;
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, Track, TrackType};
use symphonia::core::io::{MediaSource, MediaSourceStream};
use symphonia::core::meta::MetadataOptions;

use crate::Refusal;

/// Peaks of a waveform.
pub(crate) const PEAKS: usize = 200;
/// A sound is read in blocks of this many frames before it is folded into its peaks.
const BLOCK: u64 = 4096;
/// Blocks kept at most: over a day of sound.
const MAX_BLOCKS: usize = 1_200_000;

/// How long a sound is, and how loud at each place.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SoundInfo {
    pub duration_ms: Option<u64>,
    pub peaks: Vec<u8>,
}

/// A file to listen to.
pub(crate) fn of_file(file: File) -> Box<dyn MediaSource> {
    Box::new(file)
}

/// Bytes to listen to.
pub(crate) fn of_bytes(bytes: Vec<u8>) -> Box<dyn MediaSource> {
    Box::new(Cursor::new(bytes))
}

pub(crate) fn open(source: Box<dyn MediaSource>) -> Result<Box<dyn FormatReader>, Refusal> {
    let stream = MediaSourceStream::new(source, symphonia::core::io::MediaSourceStreamOptions::default());
    symphonia::default::get_probe()
        .probe(&Hint::new(), stream, FormatOptions::default(), MetadataOptions::default())
        .map_err(|_| Refusal::Broken)
}

/// Checks that it is a sound; returns its length where the file gives it.
pub(crate) fn duration_ms(source: Box<dyn MediaSource>) -> Result<Option<u64>, Refusal> {
    let format = open(source)?;
    let track = format.default_track(TrackType::Audio).ok_or(Refusal::Broken)?;
    Ok(track_ms(track))
}

fn track_ms(track: &Track) -> Option<u64> {
    let time = track.time_base?.calc_duration(track.duration?)?;
    u64::try_from(time.as_millis()).ok().filter(|ms| *ms > 0)
}

/// Listens to all of it. A sound whose code is not known has a length and no peaks.
pub(crate) fn listen(source: Box<dyn MediaSource>) -> Result<SoundInfo, Refusal> {
    let mut format = open(source)?;
    let track = format.default_track(TrackType::Audio).ok_or(Refusal::Broken)?;
    let (id, given_ms) = (track.id, track_ms(track));
    let decoder = track.codec_params.as_ref().and_then(|codec| codec.audio()).and_then(|codec| {
        symphonia::default::get_codecs().make_audio_decoder(codec, &AudioDecoderOptions::default()).ok()
    });
    let Some(mut decoder) = decoder else { return Ok(SoundInfo { duration_ms: given_ms, peaks: Vec::new() }) };
    let mut blocks = Blocks::default();
    let mut samples: Vec<f32> = Vec::new();
    while let Ok(Some(packet)) = format.next_packet() {
        if packet.track_id != id {
            continue;
        }
        match decoder.decode(&packet) {
            Ok(heard) => {
                let channels = heard.num_planes().max(1);
                blocks.rate = heard.spec().rate();
                heard.copy_to_vec_interleaved(&mut samples);
                blocks.add(&samples, channels);
            }
            // One packet that cannot be read is a click, not an end.
            Err(Error::DecodeError(_)) => {}
            Err(_) => break,
        }
        if blocks.peaks.len() > MAX_BLOCKS {
            break;
        }
    }
    if blocks.frames == 0 {
        return Err(Refusal::Broken);
    }
    let heard = (blocks.rate > 0).then(|| blocks.frames * 1000 / u64::from(blocks.rate));
    Ok(SoundInfo { duration_ms: heard.or(given_ms), peaks: blocks.folded() })
}

/// The loudest sample of each block.
#[derive(Debug, Default)]
struct Blocks {
    peaks: Vec<f32>,
    current: f32,
    filled: u64,
    frames: u64,
    rate: u32,
}

impl Blocks {
    fn add(&mut self, samples: &[f32], channels: usize) {
        for frame in samples.chunks(channels) {
            let loudest = frame.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
            self.current = self.current.max(loudest);
            self.filled += 1;
            self.frames += 1;
            if self.filled == BLOCK {
                self.peaks.push(self.current);
                (self.current, self.filled) = (0.0, 0);
            }
        }
    }

    /// Two hundred peaks, the loudest at 255; a short sound has as many as it has blocks.
    fn folded(mut self) -> Vec<u8> {
        if self.filled > 0 {
            self.peaks.push(self.current);
        }
        let most = self.peaks.iter().fold(0.0_f32, |most, peak| most.max(*peak));
        let count = self.peaks.len().min(PEAKS);
        (0..count)
            .map(|at| {
                let (from, to) = (at * self.peaks.len() / count, (at + 1) * self.peaks.len() / count);
                let loudest = self.peaks[from..to.max(from + 1)].iter().fold(0.0_f32, |most, peak| most.max(*peak));
                if most > 0.0 { (loudest / most * 255.0) as u8 } else { 0 }
            })
            .collect()
    }
}

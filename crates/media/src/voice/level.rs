//! Loudness normalisation: one gain for the whole sound, then a limiter for the peaks.

use std::collections::VecDeque;

use ebur128::{EbuR128, Mode};

use super::Samples;
use crate::Refusal;

/// The target loudness of a voice (ITU-R BS.1770), that of podcasts.
pub const TARGET_LUFS: f64 = -16.0;
/// No sample is larger: -2 dBFS, which leaves the true peak and what MP3 adds under -1 dBTP.
const CEILING: f32 = 0.794;
/// The window of the limiter, in milliseconds.
const LOOK_AHEAD_MS: usize = 10;
/// The loudness may differ by this much, in loudness units.
const TOLERANCE_LU: f64 = 0.2;
/// The peak of a sound that is too short to be measured.
const SHORT_PEAK: f32 = 0.6;

/// How loud a sound is; `None` where it is too short or too quiet.
pub fn loudness_lufs(sound: &Samples) -> Option<f64> {
    let mut meter = EbuR128::new(1, sound.rate, Mode::I).ok()?;
    meter.add_frames_f32(&sound.values).ok()?;
    meter.loudness_global().ok().filter(|loudness| loudness.is_finite())
}

/// Brings a sound to the standard loudness, and returns its loudness.
pub(super) fn level(sound: &mut Samples) -> Result<f64, Refusal> {
    let peak = sound.values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    if peak < 0.001 {
        return Err(Refusal::Broken);
    }
    let Some(before) = loudness_lufs(sound) else {
        let gain = SHORT_PEAK / peak;
        sound.values.iter_mut().for_each(|value| *value *= gain);
        return Ok(TARGET_LUFS);
    };
    let source = std::mem::take(&mut sound.values);
    let mut gain_db = TARGET_LUFS - before;
    let mut reached = before;
    // Limiting lowers the loudness: the gain is raised, and the peaks are limited again.
    for _ in 0..4 {
        let gain = 10_f64.powf(gain_db / 20.0) as f32;
        sound.values = source.iter().map(|value| value * gain).collect();
        limit_peaks(sound);
        reached = loudness_lufs(sound).unwrap_or(TARGET_LUFS);
        if (reached - TARGET_LUFS).abs() <= TOLERANCE_LU {
            break;
        }
        gain_db += TARGET_LUFS - reached;
    }
    Ok(reached)
}

/// Limits peaks to the ceiling. The gain of each sample is the mean of the least gains around it: never above what it needs, never
/// a step.
fn limit_peaks(sound: &mut Samples) {
    let width = (sound.rate as usize * LOOK_AHEAD_MS / 1000).max(1);
    let gains: Vec<f32> = sound.values.iter().map(|value| (CEILING / value.abs().max(CEILING)).min(1.0)).collect();
    if gains.iter().all(|gain| *gain >= 1.0) {
        return;
    }
    let least = min_ahead(&gains, width);
    let mut sum: f64 = width as f64;
    for (index, value) in sound.values.iter_mut().enumerate() {
        sum += f64::from(least[index]) - if index >= width { f64::from(least[index - width]) } else { 1.0 };
        *value = (*value * (sum / width as f64) as f32).clamp(-CEILING, CEILING);
    }
}

/// For each sample, the minimum of its gain and those of the window ahead of it.
fn min_ahead(gains: &[f32], width: usize) -> Vec<f32> {
    let mut least = vec![1.0; gains.len()];
    let mut window: VecDeque<usize> = VecDeque::new();
    for index in (0..gains.len()).rev() {
        while window.back().is_some_and(|last| gains[*last] >= gains[index]) {
            window.pop_back();
        }
        window.push_back(index);
        while window.front().is_some_and(|first| *first >= index + width) {
            window.pop_front();
        }
        least[index] = window.front().map_or(1.0, |first| gains[*first]);
    }
    least
}

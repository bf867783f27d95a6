//! What a voice said, put together.

use media::voice::{SpeechPart, TARGET_LUFS, loudness_lufs, samples, spoken};

/// A voice made here: tones that come and go like syllables, so loud, as a WAV; with a true length in its header or not.
fn wav(seconds: f64, rate: u32, loud: f64, states_length: bool) -> Vec<u8> {
    let count = (seconds * f64::from(rate)) as usize;
    let mut data = Vec::with_capacity(count * 2);
    for index in 0..count {
        let at = index as f64 / f64::from(rate);
        let syllable = (at * 4.0 * std::f64::consts::PI).sin().abs();
        let tone = (at * 220.0 * std::f64::consts::TAU).sin() * 0.7 + (at * 1300.0 * std::f64::consts::TAU).sin() * 0.3;
        // One plosive a second, much louder than the rest.
        let plosive = if at.fract() < 0.004 { 3.0 } else { 1.0 };
        let value = (tone * syllable * loud * plosive).clamp(-1.0, 1.0);
        data.extend(((value * 32_767.0) as i16).to_le_bytes());
    }
    let length = if states_length { data.len() as u32 } else { 0x7FFF_F000 };
    let riff = if states_length { length + 36 } else { 0x7FFF_F024 };
    [
        &b"RIFF"[..],
        &riff.to_le_bytes(),
        b"WAVEfmt ",
        &16_u32.to_le_bytes(),
        &1_u16.to_le_bytes(),
        &1_u16.to_le_bytes(),
        &rate.to_le_bytes(),
        &(rate * 2).to_le_bytes(),
        &2_u16.to_le_bytes(),
        &16_u16.to_le_bytes(),
        b"data",
        &length.to_le_bytes(),
        &data,
    ]
    .concat()
}

#[test]
fn a_voice_is_as_loud_as_others_and_under_a_megabyte_a_minute() {
    for loud in [0.02, 0.2, 0.9] {
        let done = spoken(&[SpeechPart::Sound(wav(20.0, 22_050, loud, true))]).unwrap();
        assert!((done.loudness_lufs - TARGET_LUFS).abs() < 1.0, "{loud}: {}", done.loudness_lufs);
        let heard = samples(done.mp3.clone()).unwrap();
        let seconds = heard.values.len() as f64 / f64::from(heard.rate);
        assert!((20.0..21.0).contains(&seconds), "{seconds} s");
        assert!((done.mp3.len() as f64) * 60.0 / seconds < 800_000.0, "{} bytes", done.mp3.len());
        let again = loudness_lufs(&heard).unwrap();
        assert!((again - TARGET_LUFS).abs() < 1.0, "as packed: {again}");
        let peak = heard.values.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        assert!(peak < 0.9, "{peak}");
    }
}

#[test]
fn silences_are_as_long_as_they_are_to_be() {
    let one = wav(2.0, 22_050, 0.2, true);
    let with = |ms| {
        let done =
            spoken(&[SpeechPart::Sound(one.clone()), SpeechPart::Silence(ms), SpeechPart::Sound(one.clone())]).unwrap();
        let heard = samples(done.mp3).unwrap();
        heard.values.len() as f64 / f64::from(heard.rate)
    };
    let more = with(3_000) - with(1_000);
    assert!((more - 2.0).abs() < 0.1, "{more}");
}

#[test]
fn a_sound_from_a_pipe_that_tells_no_length_is_heard_whole() {
    let (with_length, without_length) = (wav(3.0, 22_050, 0.2, true), wav(3.0, 22_050, 0.2, false));
    assert_eq!(samples(with_length).unwrap(), samples(without_length).unwrap());
}

#[test]
fn a_sound_that_is_much_shorter_than_it_says_is_refused() {
    let whole = wav(10.0, 22_050, 0.2, true);
    let cut = |seconds: f64| samples(whole[..44 + (seconds * 44_100.0) as usize].to_vec());
    assert!(cut(1.0).is_err() && cut(8.9).is_err());
    assert_eq!(cut(9.5).unwrap().values.len(), 209_475, "headers are off by some bytes");
}

#[test]
fn pieces_of_other_rates_are_put_together() {
    let pieces = [SpeechPart::Sound(wav(2.0, 24_000, 0.2, true)), SpeechPart::Sound(wav(2.0, 16_000, 0.2, true))];
    let heard = samples(spoken(&pieces).unwrap().mp3).unwrap();
    assert_eq!(heard.rate, 24_000);
    let seconds = heard.values.len() as f64 / 24_000.0;
    assert!((4.0..4.6).contains(&seconds), "{seconds}");
}

#[test]
fn a_word_too_short_to_measure_is_heard_too() {
    let done = spoken(&[SpeechPart::Sound(wav(0.1, 22_050, 0.05, true))]).unwrap();
    let heard = samples(done.mp3).unwrap();
    assert!(heard.values.iter().any(|value| value.abs() > 0.3));
}

#[test]
fn what_is_no_sound_or_silent_is_refused() {
    let html = b"<html>too many requests</html>".to_vec();
    for wrong in [
        vec![],
        html,
        b"RIFF\0\0\0\0WAVE".to_vec(),
        wav(1.0, 22_050, 0.0, true),
        wav(1.0, 22_050, 0.2, true)[..44].to_vec(),
    ] {
        let length = wrong.len();
        if let Ok(done) = spoken(&[SpeechPart::Sound(wrong)]) {
            panic!("{length} bytes became {} bytes", done.mp3.len());
        }
    }
    assert!(spoken(&[]).is_err() && spoken(&[SpeechPart::Silence(1_000)]).is_err());
}

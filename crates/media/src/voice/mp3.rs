//! A sound packed as MP3: 96 kbit a second, mono, 0.72 MB a minute.

use mp3lame_encoder::{Bitrate, Builder, FlushNoGap, Mode, MonoPcm, Quality, max_required_buffer_size};

use super::Samples;
use crate::Refusal;

/// Samples packed at once.
const AT_ONCE: usize = 64 * 1024;

pub(super) fn packed(sound: &Samples) -> Result<Vec<u8>, Refusal> {
    let broken = |_| Refusal::Broken;
    let mut builder = Builder::new().ok_or(Refusal::Broken)?;
    builder.set_num_channels(1).map_err(broken)?;
    builder.set_sample_rate(sound.rate).map_err(broken)?;
    builder.set_mode(Mode::Mono).map_err(broken)?;
    builder.set_brate(Bitrate::Kbps96).map_err(broken)?;
    builder.set_quality(Quality::Good).map_err(broken)?;
    builder.set_to_write_vbr_tag(false).map_err(broken)?;
    let mut encoder = builder.build().map_err(broken)?;
    let mut out = Vec::new();
    for values in sound.values.chunks(AT_ONCE) {
        let values: Vec<i16> = values.iter().map(|value| (value.clamp(-1.0, 1.0) * 32_767.0) as i16).collect();
        out.reserve(max_required_buffer_size(values.len()));
        encoder.encode_to_vec(MonoPcm(&values), &mut out).map_err(|_| Refusal::Broken)?;
    }
    out.reserve(7_200);
    encoder.flush_to_vec::<FlushNoGap>(&mut out).map_err(|_| Refusal::Broken)?;
    Ok(out)
}

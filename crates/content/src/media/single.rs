//! A picture of a visitor: stored in one size, without its original and its metadata.

use std::path::Path;
use std::sync::Arc;

use app::App;
use app::problem::Internal;
use domain::MediaKind;
use domain::media::{ImageLimits, MediaLimits, MediaPurpose};
use media::{Framing, Made, Refusal, Variant};

use super::work::MediaProcessing;
use super::{MediaError, refused};

/// The widest it is kept, pixels.
const WIDEST: u32 = 1280;

/// The picture in a file, in one size: turned upright, without metadata such as the place and the camera. Small pictures
/// are accepted.
pub async fn single_size(app: &App, path: &Path) -> Result<Variant, MediaError> {
    let processing = app.shared::<MediaProcessing>();
    let turn = processing.inspections.acquire().await.map_err(Internal::new)?;
    let image = ImageLimits { min_width: 1, min_height: 1, ..app.settings.media.image.clone() };
    let limits = Arc::new(MediaLimits { image, ..MediaLimits::clone(&app.settings.media) });
    let (at, looking) = (path.to_owned(), Arc::clone(&limits));
    let looked = tokio::task::spawn_blocking(move || media::inspect(&at, &looking, MediaPurpose::Content)).await;
    drop(turn);
    // A panic of a reader means that the file is damaged.
    let format = looked.unwrap_or(Ok(Err(Refusal::Broken))).map_err(Internal::new)?.map_err(refused)?.format;
    if format.kind() != MediaKind::Image {
        return Err(refused(Refusal::NotSupported).into());
    }
    let at = path.to_owned();
    let made = processing.thread.run(move || media::make(&at, format, Framing::default(), &limits)).await;
    let made = made.unwrap_or(Ok(Err(Refusal::Broken))).map_err(Internal::new)?.map_err(refused)?;
    Ok(best(made).ok_or_else(|| refused(Refusal::NotSupported))?)
}

/// The widest size that every browser shows, up to `WIDEST`. `None` for a drawing, which has no sizes.
fn best(made: Made) -> Option<Variant> {
    let shown = |one: &Variant| ["image/jpeg", "image/png"].contains(&one.mime) && one.name.starts_with('w');
    let sizes = made.variants.into_iter().filter(shown).filter(|one| one.width.is_some_and(|wide| wide <= WIDEST));
    sizes.max_by_key(|one| one.width)
}

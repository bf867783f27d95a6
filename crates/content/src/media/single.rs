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
    let turn = Arc::clone(&processing.inspections).acquire_owned().await.map_err(Internal::new)?;
    let image = ImageLimits { min_width: 1, min_height: 1, ..app.settings.media.image.clone() };
    let limits = Arc::new(MediaLimits { image, ..MediaLimits::clone(&app.settings.media) });
    let (at, looking, pdfs) = (path.to_owned(), Arc::clone(&limits), Arc::clone(&app.pdf_reader));
    let looked = tokio::task::spawn_blocking(move || {
        // Work of a request that ended meanwhile counts too.
        let _turn = turn;
        media::inspect(&at, &looking, MediaPurpose::Content, Some(MediaKind::Image), pdfs.as_ref())
    });
    // A panic of a reader means that the file is damaged.
    let format = match looked.await.unwrap_or(Ok(Err(Refusal::Broken))).map_err(Internal::new)? {
        Ok(found) => found.format,
        Err(Refusal::OtherKind) => return Err(refused(Refusal::NotSupported).into()),
        Err(refusal) => return Err(refused(refusal).into()),
    };
    let (at, pdfs) = (path.to_owned(), Arc::clone(&app.pdf_reader));
    let made = processing.run(move || media::make(&at, format, Framing::default(), &limits, pdfs.as_ref())).await?;
    let made = made.map_err(refused)?;
    Ok(best(made).ok_or_else(|| refused(Refusal::NotSupported))?)
}

/// The widest size that every browser shows, up to `WIDEST`. `None` for a drawing, which has no sizes.
fn best(made: Made) -> Option<Variant> {
    let shown = |one: &Variant| ["image/jpeg", "image/png"].contains(&one.mime) && one.name.starts_with('w');
    let sizes = made.variants.into_iter().filter(shown).filter(|one| one.width.is_some_and(|wide| wide <= WIDEST));
    sizes.max_by_key(|one| one.width)
}

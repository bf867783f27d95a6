//! The files of a Geotrek that an operator has in a folder: the originals of its attachments become media before they are asked for.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use app::App;
use app::problem::{AsProblem as _, Internal};
use content::media::take_file;
use domain::WhiteLabelId;
use domain::imports::{ImportNote, ImportSourceSheet};
use domain::sit::SitKind;
use feeds::incoming::sit::{Bytes, SitPackage};
use feeds::incoming::{Dialect, Names, Package, geotrek_pois};
use jobs::Failure;
use store::imports::WantedMedia;
use store::record::Stored;

use super::archive;
use super::command::MoveError;
use super::halt::or_note;
use super::media::{keep, known, refused_as};
use super::pois::MAX_MEDIA;
use super::prepare::{note_of, wanted_of};
use crate::sit_record::wanted_pictures;

/// What became of the files that an archive names.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Originals {
    /// Files that are media now.
    pub taken: u64,
    /// Files that were media before.
    pub known: u64,
    /// Files that are not in the folder.
    pub missing: u64,
    /// Files that cannot be taken: their place in the folder, and why.
    pub refused: Vec<(String, ImportNote)>,
}

/// Makes media of the files in a folder, the media folder of the Geotrek, that the treks and the points of interest of an archive name, and where
/// `with_tourism` its tourist contents and events. Does nothing twice. `progress` is called after each file.
pub async fn take(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    folder: &Path,
    with_tourism: bool,
    mut progress: impl FnMut(&Originals),
) -> Result<Originals, MoveError> {
    let mut done = Originals::default();
    let (Some(white_label), Some(file)) = (source.white_label_id, archive::of(&source.sheet)) else { return Ok(done) };
    let base = archive::read(app, source.id, file, |archive| Ok(archive.media_base())).await;
    let base = or_note(base)?.map_err(MoveError::Archive)?;
    let mut seen = HashSet::new();
    let lists = [
        ("trek", of_treks as fn(Vec<u8>) -> Page),
        ("poi", of_pois),
        ("touristiccontent", of_records),
        ("touristicevent", of_records),
    ];
    for (list, read) in lists.into_iter().take(if with_tourism { 4 } else { 2 }) {
        for page in 1.. {
            let asked = archive::read(app, source.id, file, move |archive| archive.page(list, page)).await;
            let Some(bytes) = or_note(asked)?.map_err(MoveError::Archive)? else { break };
            let read = tokio::task::spawn_blocking(move || read(bytes)).await.map_err(Internal::new)?;
            let (wanted, has_more) = read.map_err(MoveError::Archive)?;
            for wanted in wanted {
                let Some(place) = wanted.url.strip_prefix(&base) else { continue };
                if seen.insert(place.to_owned()) {
                    one(app, white_label, folder, (place, &wanted), &mut done).await?;
                    progress(&done);
                }
            }
            if !has_more {
                break;
            }
        }
    }
    Ok(done)
}

/// Makes a media of a file, unless it is one already.
async fn one(
    app: &App,
    white_label: WhiteLabelId,
    folder: &Path,
    (place, wanted): (&str, &WantedMedia),
    done: &mut Originals,
) -> Result<(), MoveError> {
    if known(app, white_label, &wanted.url).await?.is_some() {
        done.known += 1;
        return Ok(());
    }
    let Some(path) = inside(folder, place).filter(|path| path.is_file()) else {
        done.missing += 1;
        return Ok(());
    };
    match take_file(app, &path).await {
        Ok(file) => {
            let kept = keep(app, None, white_label, None, wanted, file).await;
            kept.map_err(|failure| Internal::new(Unkept(failure)))?;
            done.taken += 1;
        }
        Err(failed) if failed.problem().is_ours() => return Err(Internal::new(failed).into()),
        Err(refused) => done.refused.push((place.to_owned(), refused_as(&refused))),
    }
    Ok(())
}

/// Why a file that was read is not kept.
#[derive(Debug, thiserror::Error)]
#[error("the file is not kept: {0:?}")]
struct Unkept(Failure);

/// The media of a page, and whether there is another page.
type Page = Result<(Vec<WantedMedia>, bool), ImportNote>;

fn of_treks(bytes: Vec<u8>) -> Page {
    let package = Package::open(Dialect::Geotrek, bytes, "").map_err(|refused| note_of(&refused))?;
    let routes = (0..package.len()).filter_map(|index| package.read(index, &Names::default()).ok());
    Ok((routes.flat_map(|route| wanted_of(&route.media)).collect(), package.next().is_some()))
}

fn of_pois(bytes: Vec<u8>) -> Page {
    let page = geotrek_pois(&bytes).map_err(|refused| note_of(&refused))?;
    let wanted = page.pois.iter().flat_map(|poi| wanted_of(&poi.media).into_iter().take(MAX_MEDIA));
    Ok((wanted.collect(), page.has_more))
}

fn of_records(bytes: Vec<u8>) -> Page {
    let page = SitPackage::open(SitKind::Geotrek, Bytes::Memory(bytes)).map_err(|refused| note_of(&refused))?;
    let records = (0..page.len()).filter_map(|index| page.read(index, &[]).ok());
    Ok((records.flat_map(|record| wanted_pictures(&record)).collect(), page.next().is_some()))
}

/// The place of a file in a folder; none of a name that leads out of it.
fn inside(folder: &Path, place: &str) -> Option<PathBuf> {
    let place = Path::new(place);
    place.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let folder = Path::new("/srv/media");
        assert_eq!(inside(folder, "paperclip/1/a.jpg"), Some(PathBuf::from("/srv/media/paperclip/1/a.jpg")));
        for other in ["../etc/passwd", "/etc/passwd", "paperclip/../../x"] {
            assert_eq!(inside(folder, other), None, "{other}");
        }
    }
}

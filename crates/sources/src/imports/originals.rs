//! The files of a Geotrek that an operator has in a folder: the originals of its attachments become media before they are asked for.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use app::App;
use app::problem::{AsProblem as _, Internal};
use content::media::take_file;
use domain::imports::{ImportNote, ImportSourceSheet};
use feeds::incoming::{Dialect, Names, Package, UNKNOWN_ADDRESS, geotrek_pois};
use jobs::Failure;
use store::imports::WantedMedia;
use store::record::Stored;

use super::command::MoveError;
use super::media::{keep, known, refused_as};
use super::pois::MAX_MEDIA;
use super::prepare::wanted_of;
use super::{archive, fetch};

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

/// Makes media of the files in a folder, the media folder of the Geotrek, that the treks and the points of interest of an archive name. Does
/// nothing twice. `progress` is called after each file.
pub async fn take(
    app: &App,
    source: &Stored<ImportSourceSheet>,
    folder: &Path,
    mut progress: impl FnMut(&Originals),
) -> Result<Originals, MoveError> {
    let mut done = Originals::default();
    let Some(white_label) = source.white_label_id else { return Ok(done) };
    let base = format!("{}/media/", fetch::files_of(&source.sheet).unwrap_or(UNKNOWN_ADDRESS).trim_end_matches('/'));
    let mut seen = HashSet::new();
    for (list, read) in [("trek", of_treks as fn(Vec<u8>) -> Page), ("poi", of_pois)] {
        for page in 1.. {
            let Some(file) = archive::of(&source.sheet) else { return Ok(done) };
            let asked = archive::read(app, source.id, file, move |archive| archive.page(list, page)).await?;
            let Some(bytes) = asked.map_err(MoveError::Archive)? else { break };
            let (wanted, has_more) = tokio::task::spawn_blocking(move || read(bytes))
                .await
                .map_err(Internal::new)?
                .map_err(MoveError::Archive)?;
            for wanted in wanted {
                let Some(place) = wanted.url.strip_prefix(&base).map(str::to_owned) else { continue };
                if !seen.insert(place.clone()) {
                    continue;
                }
                if known(app, white_label, &wanted.url).await?.is_some() {
                    done.known += 1;
                } else if let Some(path) = inside(folder, &place).filter(|path| path.is_file()) {
                    match take_file(app, &path).await {
                        Ok(file) => {
                            let kept = keep(app, None, white_label, None, &wanted, file).await;
                            kept.map_err(|failure| MoveError::Internal(Internal::new(Unkept(failure))))?;
                            done.taken += 1;
                        }
                        Err(failed) if failed.problem().is_ours() => {
                            return Err(MoveError::Internal(Internal::new(failed)));
                        }
                        Err(refused) => done.refused.push((place, refused_as(&refused))),
                    }
                } else {
                    done.missing += 1;
                }
                progress(&done);
            }
            if !has_more {
                break;
            }
        }
    }
    Ok(done)
}

/// Why a file that was read is not kept.
#[derive(Debug, thiserror::Error)]
#[error("the file is not kept: {0:?}")]
struct Unkept(Failure);

/// The media of a page, and whether there is another page.
type Page = Result<(Vec<WantedMedia>, bool), ImportNote>;

fn of_treks(bytes: Vec<u8>) -> Page {
    let package = Package::open(Dialect::Geotrek, bytes, "").map_err(|refused| super::prepare::note_of(&refused))?;
    let routes = (0..package.len()).filter_map(|index| package.read(index, &Names::default()).ok());
    Ok((routes.flat_map(|route| wanted_of(&route.media)).collect(), package.next().is_some()))
}

fn of_pois(bytes: Vec<u8>) -> Page {
    let page = geotrek_pois(&bytes).map_err(|refused| super::prepare::note_of(&refused))?;
    let wanted = page.pois.iter().flat_map(|poi| wanted_of(&poi.media).into_iter().take(MAX_MEDIA));
    Ok((wanted.collect(), page.has_more))
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

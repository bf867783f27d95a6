//! PictureList of the media library, in the sizes that were prepared for pages.

use std::collections::{BTreeMap, HashMap};

use content::media::{fitting, variant_key};
use domain::media::{MediaMade, MediaSheet};
use domain::roadbook::PageKind;
use domain::{MediaKind, WhiteLabelId};
use roadbook::data::Photo;
use store::media::Medias;
use store::record::{Stored, load_many};
use store::{Connection, StoreError};
use trace::Position;

use super::texts::{TextOwner, Texts};

/// The widest that is taken: 300 dots an inch across an A5 page and its bleed.
const WIDEST_PX: u32 = 1_920;

/// Formats that are printed, those that a PDF takes without conversion first.
const PRINTED: [&str; 3] = ["image/jpeg", "image/png", "image/webp"];

/// A picture that may be printed.
struct Picture {
    id: i64,
    photo: Photo,
    place: Option<[f64; 2]>,
    taken: bool,
}

/// The pictures of a parcours in their order, and the blobs that the data names.
pub struct PictureList {
    owner: WhiteLabelId,
    pictures: Vec<Picture>,
    blobs: BTreeMap<String, String>,
}

impl PictureList {
    /// The images among these media that the white-label may show; media without sizes yet are left out.
    pub async fn of(db: &impl Connection, owner: WhiteLabelId, ids: &[i64], texts: &Texts) -> Result<Self, StoreError> {
        let shown = store::media::shown_by(db, owner, ids).await?;
        let ids: Vec<i64> = ids.iter().copied().filter(|id| shown.contains(id)).collect();
        let media = load_many::<Medias>(db, &ids).await?;
        let mut made = store::media::made_of(db, &ids).await?;
        let mut shelf = Self { owner, pictures: Vec::new(), blobs: BTreeMap::new() };
        for media in media.into_iter().filter(|media| media.sheet.file.kind == MediaKind::Image) {
            let made = made.remove(&media.id).unwrap_or_default();
            shelf.put(&media, &made, texts);
        }
        Ok(shelf)
    }

    fn put(&mut self, media: &Stored<MediaSheet>, made: &MediaMade, texts: &Texts) {
        let sheet = &media.sheet;
        let translated = sheet.translated.get(texts.language()).filter(|other| PRINTED.contains(&other.mime.as_str()));
        let Some(key) = translated.map(|other| other.shown_key.clone()).or_else(|| key_of(made)) else { return };
        let of = TextOwner::Media(media.id);
        let blob = format!("media-{}", media.id);
        self.blobs.insert(blob.clone(), key);
        let photo = Photo {
            blob,
            alt: texts.read(&of, &sheet.legend, "alt", &sheet.alt).to_owned(),
            caption: texts.read(&of, &sheet.legend, "legend", &sheet.legend).to_owned(),
            credit: sheet.credit().unwrap_or_default(),
            // It is given on the file itself: nothing is known of another.
            focus: translated.is_none().then(|| focus(sheet)),
        };
        self.pictures.push(Picture { id: media.id, photo, place: sheet.location, taken: false });
    }

    /// The picture for a page: the chosen one, else, for a cover, the first. It is on no other page.
    pub fn take(&mut self, chosen: Option<i64>, page: PageKind) -> Option<Photo> {
        let at = match chosen {
            Some(id) => self.pictures.iter().position(|picture| picture.id == id),
            None => None,
        };
        let at = at.or((page == PageKind::FrontCover && !self.pictures.is_empty()).then_some(0))?;
        let picture = self.pictures.get_mut(at)?;
        picture.taken = true;
        Some(picture.photo.clone())
    }

    /// A picture by its number.
    pub fn photo(&self, id: i64) -> Option<Photo> {
        self.pictures.iter().find(|picture| picture.id == id).map(|picture| picture.photo.clone())
    }

    /// The pictures shared out over the days: one whose place is known goes to the day that passes nearest, the others follow in
    /// their order, as evenly as they go.
    pub fn share_out(&self, lines: &[Vec<Position>]) -> Vec<Vec<Photo>> {
        let mut days: Vec<Vec<Photo>> = vec![Vec::new(); lines.len()];
        let free: Vec<&Picture> = self.pictures.iter().filter(|picture| !picture.taken).collect();
        let placeless = free.iter().filter(|picture| picture.place.is_none()).count();
        let mut met = 0;
        for picture in free {
            let day = if let Some(place) = picture.place {
                nearest(lines, place)
            } else {
                met += 1;
                (met - 1) * lines.len() / placeless.max(1)
            };
            if let Some(day) = days.get_mut(day) {
                day.push(picture.photo.clone());
            }
        }
        days
    }

    /// A mark, a background, a typeface: any media by its number, under a name.
    pub async fn fetch(&mut self, db: &impl Connection, id: Option<i64>) -> Result<Option<String>, StoreError> {
        let Some(id) = id else { return Ok(None) };
        if store::media::shown_by(db, self.owner, &[id]).await?.is_empty() {
            return Ok(None);
        }
        let Some(media) = load_many::<Medias>(db, &[id]).await?.pop() else { return Ok(None) };
        let made: HashMap<i64, MediaMade> = store::media::made_of(db, &[id]).await?;
        let key = match media.sheet.file.kind {
            MediaKind::Font => Some(media.sheet.file.blob_key.clone()).filter(|key| !key.is_empty()),
            _ => made.get(&id).and_then(key_of),
        };
        let blob = format!("media-{id}");
        Ok(key.map(|key| {
            self.blobs.insert(blob.clone(), key);
            blob
        }))
    }

    /// Where the bytes are of what the data names.
    pub fn into_blobs(self) -> BTreeMap<String, String> {
        self.blobs
    }
}

/// A drawing unchanged, else the widest size, as JPEG or PNG: a PDF takes those without conversion.
fn key_of(made: &MediaMade) -> Option<String> {
    let drawing = made.variants.iter().find(|one| one.mime == "image/svg+xml");
    let sized = || PRINTED.iter().find_map(|mime| fitting(made, mime, WIDEST_PX));
    drawing.or_else(sized).map(|one| variant_key(made, &one.name))
}

/// The focal point is given on the whole picture; this one is on the cropped picture, from which the sizes are made.
fn focus(sheet: &MediaSheet) -> [f64; 2] {
    let (x, y) = (sheet.focal.x, sheet.focal.y);
    sheet.crop.map_or([x, y], |crop| {
        [((x - crop.x) / crop.w.max(0.01)).clamp(0.0, 1.0), ((y - crop.y) / crop.h.max(0.01)).clamp(0.0, 1.0)]
    })
}

/// The line that passes nearest to a place.
fn nearest(lines: &[Vec<Position>], [lon, lat]: [f64; 2]) -> usize {
    let place = Position::new(lon, lat);
    let offset_m = |line: &Vec<Position>| trace::locate(line, place).map_or(f64::INFINITY, |found| found.offset_m);
    let offsets: Vec<f64> = lines.iter().map(offset_m).collect();
    (0..offsets.len()).min_by(|a, b| offsets[*a].total_cmp(&offsets[*b])).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use domain::media::TranslatedFile;

    use super::*;

    fn shelf(places: &[Option<[f64; 2]>]) -> PictureList {
        let picture = |(index, place): (usize, &Option<[f64; 2]>)| Picture {
            id: index as i64 + 1,
            photo: Photo { blob: format!("media-{}", index + 1), ..Photo::default() },
            place: *place,
            taken: false,
        };
        PictureList {
            owner: WhiteLabelId(1),
            pictures: places.iter().enumerate().map(picture).collect(),
            blobs: BTreeMap::new(),
        }
    }

    fn line(lon: f64) -> Vec<Position> {
        vec![Position::new(lon, 47.0), Position::new(lon + 0.1, 47.0)]
    }

    fn names(days: &[Vec<Photo>]) -> Vec<Vec<&str>> {
        days.iter().map(|day| day.iter().map(|photo| photo.blob.as_str()).collect()).collect()
    }

    #[test]
    fn a_picture_goes_to_the_day_that_passes_where_it_was_taken() {
        let mut shelf = shelf(&[None, Some([4.25, 47.0]), Some([4.05, 47.0]), None, None]);
        let cover = shelf.take(None, PageKind::FrontCover);
        assert_eq!(cover.map(|photo| photo.blob).as_deref(), Some("media-1"));
        let days = shelf.share_out(&[line(4.0), line(4.2)]);
        assert_eq!(names(&days), [vec!["media-3", "media-4"], vec!["media-2", "media-5"]]);
    }

    #[test]
    fn a_picture_has_the_file_of_the_language_that_is_printed() {
        let mut sheet = MediaSheet::default();
        let file = |mime: &str| TranslatedFile {
            mime: mime.to_owned(),
            shown_key: format!("shown of {mime}"),
            ..TranslatedFile::default()
        };
        sheet.translated.insert("en".to_owned(), file("image/webp"));
        sheet.translated.insert("de".to_owned(), file("image/avif"));
        let media = Stored {
            id: 7,
            white_label_id: None,
            published: false,
            sheet,
            version: 2,
            created_at: domain::Instant(0),
            updated_at: domain::Instant(0),
            updated_by: None,
        };
        let sized = domain::media::MediaVariant {
            name: "w1280-jpeg".to_owned(),
            mime: "image/jpeg".to_owned(),
            width: Some(1_280),
            height: Some(800),
            bytes: 1,
        };
        let made = MediaMade { made: 1, variants: vec![sized.clone()], ..MediaMade::default() };
        let printed = |language: &str| {
            let mut shelf = shelf(&[]);
            shelf.put(&media, &made, &Texts::new(language));
            let focus = shelf.photo(7).and_then(|photo| photo.focus);
            (shelf.into_blobs().remove("media-7"), focus.is_some())
        };
        assert_eq!(printed("en"), (Some("shown of image/webp".to_owned()), false));
        let own = (Some(variant_key(&made, &sized.name)), true);
        assert_eq!(printed("fr"), own);
        assert_eq!(printed("de"), own, "no PDF takes that format");
    }

    #[test]
    fn a_cover_that_was_chosen_is_taken_and_one_that_is_gone_gives_way_to_the_first() {
        let mut shelf = shelf(&[None, None]);
        assert_eq!(shelf.take(Some(2), PageKind::FrontCover).map(|photo| photo.blob).as_deref(), Some("media-2"));
        assert_eq!(shelf.take(Some(9), PageKind::FrontCover).map(|photo| photo.blob).as_deref(), Some("media-1"));
        assert!(shelf.photo(9).is_none());
    }
}

//! `jalon demo --pois N --medias N --catalogue N`: POIs, media, contacts and lines, for the benches. The media have no bytes.

use domain::media::{MediaFile, MediaKind, MediaMade, MediaSheet, MediaState};
use domain::record::Sheet;
use domain::transport_line::TransportLineSheet;
use domain::vocabulary::VocabularyKind;
use domain::{Address, ContactSheet, MediaId, PoiFlags, PoiSheet, Text};
use store::contact::Contacts;
use store::media::Medias;
use store::poi::Pois;
use store::record::{Change, Record, Stored};
use store::transport_line::TransportLines;
use store::{StoreError, Tx};

use super::owners::{Owner, Owners};
use super::{BATCH, OF, PLACES, both, failure, mixed, progress, saved_at};
use crate::config::Config;
use crate::intake::Lists;
use crate::output;
use crate::wiring::{self, WiringError};

const SORTS: [&str; 8] =
    ["Gîte", "Fontaine", "Chapelle", "Refuge", "Point de vue", "Moulin", "Auberge", "Atelier vélo"];

/// A kind of record.
#[derive(Debug, Clone, Copy)]
pub enum Made {
    /// Points of interest.
    Pois,
    /// Media.
    Medias,
    /// Contacts.
    Contacts,
    /// Transport lines.
    Lines,
}

impl Made {
    const fn word(self) -> &'static str {
        match self {
            Self::Pois => "POIs",
            Self::Medias => "media",
            Self::Contacts => "contacts",
            Self::Lines => "lines",
        }
    }
}

/// Adds `count` records, shared out among the white-labels.
pub async fn run(config: &Config, made: Made, count: u32) -> Result<(), WiringError> {
    let store = wiring::store(config).await?;
    let failed = |source: StoreError| failure(config, source);
    let lists = Lists::load(store.read()).await.map_err(failed)?;
    let owners = Owners::load(&store).await.map_err(failed)?;
    if owners.is_empty() {
        return Ok(());
    }
    let bar = progress(made.word(), count);
    for from in (0..count).step_by(BATCH as usize) {
        let numbers = from..count.min(from + BATCH);
        let tx = store.begin_filling().await.map_err(failed)?;
        add(&tx, made, numbers.clone(), &owners, &lists, &config.content_languages).await.map_err(failed)?;
        tx.commit().await.map_err(failed)?;
        bar.inc(numbers.len() as u64);
    }
    bar.finish_and_clear();
    store.close().await.map_err(failed)?;
    output::line(format!("{count} synthetic {} added.", made.word()));
    Ok(())
}

async fn add(
    tx: &Tx,
    made: Made,
    numbers: std::ops::Range<u32>,
    owners: &Owners,
    lists: &Lists,
    languages: &[String],
) -> Result<(), StoreError> {
    let mut medias = Vec::new();
    for number in numbers {
        let owner = owners.of_catalogue(number);
        let change = Change { by: None, at: saved_at(number), reason: Some("import"), languages };
        match made {
            Made::Pois => insert::<Pois>(tx, poi(number, owner, lists), owner, change).await.map(|_| ())?,
            Made::Medias => medias.push(insert::<Medias>(tx, media(number), owner, change).await?),
            Made::Contacts => insert::<Contacts>(tx, contact(number, owner), owner, change).await.map(|_| ())?,
            Made::Lines => insert::<TransportLines>(tx, line(number), owner, change).await.map(|_| ())?,
        }
    }
    let made = MediaMade { state: MediaState::Ready, ..MediaMade::default() };
    for media in medias {
        store::media::set_made(tx, MediaId(media.id), &media.sheet.recipe(), &made).await?;
    }
    Ok(())
}

async fn insert<R: Record>(
    tx: &Tx,
    sheet: R::Sheet,
    owner: &Owner,
    change: Change<'_>,
) -> Result<Stored<R::Sheet>, StoreError>
where
    R::Sheet: Sheet,
{
    let blank = Stored::blank(R::OWNED.then_some(owner.id), change.at);
    store::record::insert::<R>(tx, Stored { sheet, published: R::PUBLISHED, ..blank }, change).await
}

fn poi(number: u32, owner: &Owner, lists: &Lists) -> PoiSheet {
    let sort = SORTS[mixed(number, 21) as usize % SORTS.len()];
    let (place, of) = place_of(number);
    let village = owner.village(number);
    let title =
        format!("{sort} {place}{} {number}", village.as_ref().map(|name| format!(" {name}")).unwrap_or_default());
    PoiSheet {
        title: both(&title, &format!("Place {place} {number}")),
        description: both("<p>Au bord du chemin, à l’ombre.</p>", "<p>By the way, in the shade.</p>"),
        location: Some(owner.place(number, 22)),
        flags: PoiFlags { must_see: mixed(number, 24).is_multiple_of(9), ..PoiFlags::default() },
        category_ids: lists.ids(VocabularyKind::PoiCategory, &["eau", "patrimoine"]),
        address: Address { city: Some(village.unwrap_or_else(|| of.to_owned())), ..Address::default() },
        distribute: true,
        ..PoiSheet::default()
    }
}

fn media(number: u32) -> MediaSheet {
    let (place, of) = place_of(number);
    let file = MediaFile {
        kind: MediaKind::Image,
        mime: "image/jpeg".to_owned(),
        bytes: 3_000_000,
        width: Some(4_000),
        height: Some(3_000),
        sha256: format!("{number:064x}"),
        ..MediaFile::default()
    };
    let legend = if mixed(number, 25).is_multiple_of(3) { Text::default() } else { both(place, of) };
    MediaSheet { file_name: format!("vue {place} {of} {number}.jpg"), legend, file, ..MediaSheet::default() }
}

fn contact(number: u32, owner: &Owner) -> ContactSheet {
    let (place, of) = place_of(number);
    ContactSheet {
        first_name: format!("Camille {number}"),
        last_name: format!("Martin {place}"),
        email: format!("camille.{number}@exemple.example"),
        function: Some(format!("Accueil {of}")),
        structure_id: owner.structure_id.0,
        ..ContactSheet::default()
    }
}

fn line(number: u32) -> TransportLineSheet {
    let (place, of) = place_of(number);
    TransportLineSheet {
        long_name: format!("Ligne {place} {of} {number}"),
        short_name: format!("L{number}"),
        operator: Some(format!("Cars {of}")),
        ..TransportLineSheet::default()
    }
}

fn place_of(number: u32) -> (&'static str, &'static str) {
    (PLACES[mixed(number, 26) as usize % PLACES.len()], OF[mixed(number, 27) as usize % OF.len()])
}

//! `jalon demo --catalogue N`: as many POIs, media, contacts and lines, for the benches. The media have no bytes.

use domain::media::{MediaFile, MediaKind, MediaMade, MediaSheet, MediaState};
use domain::record::Sheet;
use domain::transport_line::TransportLineSheet;
use domain::vocabulary::VocabularyKind;
use domain::{Address, ContactSheet, MediaId, PoiFlags, PoiSheet, Text, WhiteLabel};
use indicatif::ProgressBar;
use store::contact::Contacts;
use store::media::Medias;
use store::poi::Pois;
use store::record::{Change, Record, Stored};
use store::transport_line::TransportLines;
use store::{StoreError, Tx, white_label};

use super::{BATCH, OF, PLACES, both, mixed, round, saved_at};
use crate::config::Config;
use crate::intake::Lists;
use crate::output;
use crate::wiring::{self, WiringError};

const SORTS: [&str; 8] =
    ["Gîte", "Fontaine", "Chapelle", "Refuge", "Point de vue", "Moulin", "Auberge", "Atelier vélo"];

/// Adds `count` records of each kind, shared out among the white-labels.
pub async fn run(config: &Config, count: u32) -> Result<(), WiringError> {
    let store = wiring::store(config).await?;
    let failed =
        |source: StoreError| WiringError::Database { url: wiring::without_password(&config.database_url()), source };
    let lists = Lists::load(store.read()).await.map_err(failed)?;
    let owners = white_label::all(store.read()).await.map_err(failed)?;
    let bar = ProgressBar::new(u64::from(count));
    let numbers: Vec<u32> = (0..count).collect();
    for batch in numbers.chunks(BATCH as usize) {
        let tx = store.begin().await.map_err(failed)?;
        for number in batch {
            let Some(owner) = owners.get(mixed(*number, 20) as usize % owners.len().max(1)) else { return Ok(()) };
            add(&tx, *number, owner, &lists, &config.content_languages).await.map_err(failed)?;
        }
        tx.commit().await.map_err(failed)?;
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    store.close().await.map_err(failed)?;
    output::line(format!("{count} synthetic POIs, media, contacts and lines added."));
    Ok(())
}

async fn add(tx: &Tx, number: u32, owner: &WhiteLabel, lists: &Lists, languages: &[String]) -> Result<(), StoreError> {
    let at = saved_at(number);
    let change = Change { by: None, at, reason: Some("import"), languages };
    insert::<Pois>(tx, poi(number, lists), owner, change).await?;
    insert::<Contacts>(tx, contact(number, owner), owner, change).await?;
    insert::<TransportLines>(tx, line(number), owner, change).await?;
    let media = insert::<Medias>(tx, media(number), owner, change).await?;
    let made = MediaMade { state: MediaState::Ready, ..MediaMade::default() };
    store::media::set_made(tx, MediaId(media.id), &media.sheet.recipe(), &made).await?;
    Ok(())
}

async fn insert<R: Record>(
    tx: &Tx,
    sheet: R::Sheet,
    owner: &WhiteLabel,
    change: Change<'_>,
) -> Result<Stored<R::Sheet>, StoreError>
where
    R::Sheet: Sheet,
{
    let blank = Stored::blank(R::OWNED.then_some(owner.id), change.at);
    store::record::insert::<R>(tx, Stored { sheet, published: R::PUBLISHED, ..blank }, change).await
}

fn poi(number: u32, lists: &Lists) -> PoiSheet {
    let sort = SORTS[mixed(number, 21) as usize % SORTS.len()];
    let (place, of) = place_of(number);
    let unit = |salt| f64::from(mixed(number, salt)) / f64::from(u32::MAX);
    PoiSheet {
        title: both(&format!("{sort} {place} {number}"), &format!("Place {place} {number}")),
        description: both("<p>Au bord du chemin, à l’ombre.</p>", "<p>By the way, in the shade.</p>"),
        location: Some([round(2.6 + unit(22), 1e6), round(44.4 + unit(23), 1e6)]),
        flags: PoiFlags { must_see: mixed(number, 24).is_multiple_of(9), ..PoiFlags::default() },
        category_ids: lists.ids(VocabularyKind::PoiCategory, &["eau", "patrimoine"]),
        address: Address { city: Some(of.to_owned()), ..Address::default() },
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

fn contact(number: u32, owner: &WhiteLabel) -> ContactSheet {
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

//! The demo's parcours, points of interest and pictures, from plain data to rows.

use std::collections::HashMap;

use app::App;
use demo::content::{self as plain, Choice, Content};
use domain::media::MediaSheet;
use domain::parcours::availability::Period;
use domain::parcours::{DisplayPriority, Inheritable, Progress, Relation, Sheet, TraceMode};
use domain::rest::Rest;
use domain::step::{Step, StepKind};
use domain::vocabulary::VocabularyKind;
use domain::{MediaId, ParcoursId, PoiFlags, PoiId, PoiSheet, Text};
use store::media::Medias;
use store::record::{Change, Stored};
use store::{Store, parcours};
use trace::Position;

use super::lines::{Line, stop};
use super::{DemoDataError, Keys};
use crate::config::Config;
use crate::intake::{Intake, Lists, Prepared, Recording, parallel_map};
use crate::wiring;

/// Stores everything; the drawing and the planning run side by side.
pub async fn fill(
    config: &Config,
    store: &Store,
    content: &Content,
    keys: &Keys,
    lines: &[Line],
) -> Result<(), DemoDataError> {
    let app = wiring::app(config, wiring::store(config).await?).await?;
    let blobs = &app.blobs;
    let intake = Intake { engine: app.region().engine.clone(), lists: Lists::load(store.read()).await? };
    let pictures = pictures(&app, content, keys).await?;
    let pois = pois(config, store, content, keys, &intake.lists, &pictures).await?;

    let prepared = parallel_map(&content.parcours, |sheet| prepare(&intake, sheet, keys, &pictures, &pois));
    let mut made: HashMap<&str, ParcoursId> = HashMap::new();
    for (index, (sheet, prepared)) in content.parcours.iter().zip(prepared).enumerate() {
        let mut prepared = prepared?;
        blobs.put(&prepared.blob_key, sheet.trace.gpx.clone().into_bytes()).await?;
        stop(&mut prepared.parcours.steps, lines);
        prepared.parcours.sheet.parent_id = sheet.parent.and_then(|key| made.get(key)).map(|id| id.0);
        let change = Change {
            by: keys.users.get(sheet.author).copied(),
            // Written over the last weeks, so that "modified recently" says something.
            at: domain::Instant(wiring::now().0 - (index as i64) * 19 * 3600 - 5400),
            reason: None,
            languages: &config.content_languages,
        };
        let tx = store.begin().await?;
        let stored = parcours::insert(&tx, &prepared.parcours, change).await?;
        for key in sheet.published_on {
            if let Some(&white_label) = keys.white_labels.get(key) {
                parcours::link_white_label(&tx, stored.id, white_label, true, change.at).await?;
            }
        }
        tx.commit().await?;
        made.insert(sheet.key, stored.id);
    }
    app.store.close().await?;
    Ok(())
}

type Pictures = HashMap<&'static str, MediaId>;
type Pois = HashMap<String, PoiId>;

/// Pictures are uploaded like those of users, and get their sizes here.
async fn pictures(app: &App, content: &Content, keys: &Keys) -> Result<Pictures, DemoDataError> {
    let drawn = parallel_map(&content.pictures, plain::Picture::jpeg);
    let mut ids = HashMap::new();
    for (picture, bytes) in content.pictures.iter().zip(drawn) {
        let Some(&white_label_id) = keys.white_labels.get(picture.white_label) else { continue };
        let file = content::media::take_bytes(app, &bytes?).await.map_err(DemoDataError::Picture)?;
        let mut new = Stored::blank(Some(white_label_id), wiring::now());
        new.sheet = MediaSheet {
            file_name: picture.file_name.clone(),
            legend: text(&picture.legend),
            alt: text(&picture.alt),
            copyright: Some(picture.copyright.to_owned()).filter(|copyright| !copyright.is_empty()),
            location: Some(picture.lon_lat),
            file,
            ..MediaSheet::default()
        };
        let languages = &app.settings.content_languages;
        let change = Change { by: None, at: wiring::now(), reason: None, languages };
        let tx = app.store.begin().await?;
        let made = store::record::insert::<Medias>(&tx, new, change).await?;
        tx.commit().await?;
        ids.insert(picture.key, MediaId(made.id));
    }
    content::media::work::settle(app).await.map_err(DemoDataError::Sizes)?;
    Ok(ids)
}

async fn pois(
    config: &Config,
    store: &Store,
    content: &Content,
    keys: &Keys,
    lists: &Lists,
    pictures: &Pictures,
) -> Result<Pois, DemoDataError> {
    let tx = store.begin().await?;
    let mut ids = HashMap::new();
    for place in &content.pois {
        let Some(&white_label_id) = keys.white_labels.get(place.white_label) else { continue };
        let mut new = Stored::blank(Some(white_label_id), wiring::now());
        new.published = place.published;
        new.sheet = PoiSheet {
            title: text(&place.title),
            description: text(&place.description),
            location: Some([place.lon, place.lat]),
            flags: PoiFlags {
                good_address: place.flags.good_address,
                must_see: place.flags.must_see,
                detour_point: place.flags.detour_point,
                landmark: place.flags.landmark,
                bookable: place.flags.bookable,
            },
            category_ids: lists.ids(VocabularyKind::PoiCategory, &place.categories),
            theme_ids: lists.ids(VocabularyKind::PoiTheme, &place.themes),
            media_ids: place.pictures.iter().filter_map(|key| pictures.get(key)).map(|id| id.0).collect(),
            ..PoiSheet::default()
        };
        let change = Change { by: None, at: wiring::now(), reason: None, languages: &config.content_languages };
        let made = store::record::insert::<store::poi::Pois>(&tx, new, change).await?;
        ids.insert(place.key.clone(), domain::PoiId(made.id));
    }
    tx.commit().await?;
    Ok(ids)
}

fn prepare(
    intake: &Intake,
    plain: &plain::Parcours,
    keys: &Keys,
    pictures: &Pictures,
    pois: &Pois,
) -> Result<Prepared, DemoDataError> {
    let recording = Recording {
        file_name: &plain.trace.file_name,
        bytes: plain.trace.gpx.as_bytes(),
        white_label_id: keys.white_labels.get(plain.white_label).copied().unwrap_or(domain::WhiteLabelId(1)),
        sheet: sheet(
            plain,
            &intake.lists,
            pictures,
            pois,
            keys.sites.get(plain.white_label).map_or("", String::as_str),
        ),
        steps: plain.steps.iter().zip(1..).map(|(step, id)| self::step(step, id, &intake.lists)).collect(),
        mode: match plain.trace.mode {
            plain::TraceMode::Planner => TraceMode::Planner,
            plain::TraceMode::Source => TraceMode::Source,
        },
        profile: None,
        published: plain.published,
    };
    intake.prepare(recording).map_err(|error| DemoDataError::Recording(plain.trace.file_name.clone(), error))
}

fn sheet(plain: &plain::Parcours, lists: &Lists, pictures: &Pictures, pois: &Pois, site: &str) -> Sheet {
    let sale = plain.sale.as_ref();
    let pair = |words: [&str; 2]| text(&plain::Text::new(words[0], words[1]));
    Sheet {
        title: text(&plain.title),
        subtitle: text(&plain.subtitle),
        summary: text(&plain.summary),
        description: text(&plain.description),
        copyright: Some(plain.copyright.to_owned()).filter(|copyright| !copyright.is_empty()),
        is_stay: plain.is_stay,
        is_loop: plain.is_loop,
        relation: match plain.relation {
            plain::Relation::None => Relation::None,
            plain::Relation::ModelOnly => Relation::ModelOnly,
            plain::Relation::Child => Relation::Child,
            plain::Relation::ChildOnly => Relation::ChildOnly,
        },
        practice_type_id: lists.id(VocabularyKind::PracticeType, plain.practice),
        level_id: lists.id(VocabularyKind::Level, plain.level),
        special_levels: plain.special_levels.iter().filter_map(|code| lists.level(code)).collect(),
        theme_ids: lists.ids(VocabularyKind::ParcoursTheme, plain.themes),
        tag_ids: lists.ids(VocabularyKind::Tag, plain.tags),
        marking_ids: lists.ids(VocabularyKind::Marking, plain.markings),
        equipment_ids: lists.ids(VocabularyKind::Equipment, plain.equipment),
        poi_ids: plain.pois.iter().filter_map(|key| pois.get(key)).map(|id| id.0).collect(),
        media_ids: plain.pictures.iter().filter_map(|key| pictures.get(key)).map(|id| id.0).collect(),
        price_cents: sale.map(|sale| i64::from(sale.price_cents)),
        max_price_cents: sale.and_then(|sale| sale.max_price_cents).map(i64::from),
        price_includes: sale.map(|sale| pair(sale.includes)).unwrap_or_default(),
        price_excludes: sale.map(|sale| pair(sale.excludes)).unwrap_or_default(),
        deposit_percent: sale.and_then(|sale| sale.deposit_percent).map(i64::from),
        booking_url: sale
            .filter(|sale| !sale.booking_path.is_empty())
            .map(|sale| format!("{site}{}", sale.booking_path)),
        booking_label: sale.map(|sale| pair(sale.booking_label)).unwrap_or_default(),
        file_number: sale.map(|sale| sale.file_number.to_owned()).filter(|number| !number.is_empty()),
        bookable: choice(plain.bookable),
        bike_carriage: choice(plain.bike_carriage),
        progress_status: plain.progress.map(|progress| match progress {
            plain::Progress::ToReview => Progress::ToReview,
            plain::Progress::ToFix => Progress::ToFix,
            plain::Progress::OnHold => Progress::OnHold,
            plain::Progress::Archived => Progress::Archived,
        }),
        availability: plain
            .availability
            .iter()
            .map(|period| Period { from: Some(period.from.to_owned()), to: Some(period.to.to_owned()) })
            .collect(),
        display_priority: DisplayPriority::try_from(i64::from(plain.display_priority)).unwrap_or_default(),
        distribute_own: plain.distribute_own,
        distribute_partners: plain.distribute_partners,
        ..Sheet::default()
    }
}

fn step(plain: &plain::Step, id: i64, lists: &Lists) -> Step {
    Step {
        id,
        kind: match plain.kind {
            plain::StepKind::Waypoint => StepKind::Waypoint,
            plain::StepKind::Step => StepKind::Step,
            plain::StepKind::OptionalStep => StepKind::OptionalStep,
            plain::StepKind::Night => StepKind::Night,
            plain::StepKind::Nights => StepKind::Nights,
            plain::StepKind::StepNight => StepKind::StepNight,
            plain::StepKind::Departure => StepKind::Departure,
            plain::StepKind::Arrival => StepKind::Arrival,
            plain::StepKind::Favourite => StepKind::Favourite,
            plain::StepKind::Advice => StepKind::Advice,
        },
        title: text(&plain.title),
        description: without_tags(&plain.description),
        position: Position::new(plain.lon, plain.lat),
        at_m: Some(plain.at_m),
        beside_m: None,
        distance_to_next_m: None,
        duration_to_next_s: None,
        distance_to_next_typed_m: None,
        duration_to_next_typed_s: None,
        practice_type_id: plain.practice.and_then(|code| lists.id(VocabularyKind::PracticeType, code)),
        nights: plain.nights.map(i64::from),
        line_ids: Vec::new(),
        rest: Rest::default(),
    }
}

const fn choice(choice: Choice) -> Inheritable {
    match choice {
        Choice::Yes => Inheritable::Yes,
        Choice::No => Inheritable::No,
        Choice::Inherit => Inheritable::Inherit,
    }
}

fn text(plain: &plain::Text) -> Text {
    [("fr", plain.fr.as_str()), ("en", plain.en.as_str())].into_iter().filter(|(_, words)| !words.is_empty()).collect()
}

/// A step's description is plain text.
fn without_tags(html: &plain::Text) -> Text {
    let strip = |words: &str| {
        let mut inside = false;
        words
            .chars()
            .filter(|c| {
                let keep = !inside && *c != '<';
                inside = if *c == '<' { true } else { inside && *c != '>' };
                keep
            })
            .collect::<String>()
    };
    text(&plain::Text::new(strip(&html.fr), strip(&html.en)))
}

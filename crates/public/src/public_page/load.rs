//! From the stored parcours to what the page shows.

use app::App;
use app::slug::slug;
use content::custom::Shown;
use content::media::{address, fitting, for_page, translated_address};
use domain::link::check_link;
use domain::media::{MediaMade, MediaSheet};
use domain::parcours::{ReliabilityState, Sheet};
use domain::step::{Step, StepKind, step_labels};
use domain::vocabulary::VocabularyItem;
use domain::white_label::{CustomOn, WhiteLabelSheet, deposit};
use domain::{MediaId, MediaKind, VocabularyId};
use outputs::audio::{PublicAudioWalk, WalkSelection, public_walks};
use outputs::feed::terms;
use outputs::visitor_words::{Language, Words, closures, warnings};
use store::media::Medias;
use store::parcours::{self as rows, Inherited};
use store::record::{Stored, load_many};
use store::{Connection, StoreError, media, vocabulary};

use super::access::Open;
use super::answer::Refusal;
use super::brand::Brand;
use super::view::{
    Film, Picture, PublicChild, PublicDocument, PublicItinerary, PublicMarking, PublicParcours, PublicPrice,
    PublicStep, PublicValue, Sound,
};
use super::{around, reviews, texts};

/// A parcours as a walker reads it.
pub async fn parcours(app: &App, open: &Open, language: Language) -> Result<PublicParcours, Refusal> {
    let db = app.store.read();
    let (stored, sheet) = (&open.parcours, &open.parcours.sheet);
    let words = |text| Words::of(text, language);
    let owner = &open.white_label;
    let around = (stored.white_label_id, owner);
    let summary = stored.trace.as_ref();
    let line = rows::trace(db, stored.id).await?.map(|trace| trace.line()).unwrap_or_default();
    let inherited = match sheet.parent_id {
        Some(parent) => rows::inherited(db, parent.into()).await?,
        None => Inherited::default(),
    };
    let length_m = trace::cumulative_m(&line).last().copied().unwrap_or_default();
    let sheet_per_m = summary.map_or(1.0, |summary| summary.sheet_per_m(length_m));
    let mut pois = around::pois(app, around, &sheet.poi_ids, &line, language).await?;
    for poi in &mut pois {
        poi.at_m = poi.at_m.map(|at_m| at_m * sheet_per_m);
    }
    let Beside { pictures, sounds, films, documents } = around_cover(app, open, language).await?;
    let other_levels: Vec<i64> = sheet.special_levels.values().copied().collect();
    let untitled = || Words::own(language.pick("Parcours", "Route"));
    Ok(PublicParcours {
        title: words(&sheet.title).unwrap_or_else(untitled),
        subtitle: words(&sheet.subtitle),
        summary: words(&sheet.summary),
        description_html: words(&sheet.description),
        meta: (words(&sheet.meta_title).map(|meta| meta.text), words(&sheet.meta_description).map(|meta| meta.text)),
        copyright: sheet.copyright.clone(),
        is_distributed: owner.flags.distribute_parcours,
        brand: Brand::of(db, stored.white_label_id, owner).await?,
        cover: cover(app, open, language).await?,
        pictures,
        sounds,
        films,
        documents,
        // Most have none, and its state is large.
        audio: Box::pin(audio(app, open, language)).await?,
        practice: label(db, sheet.practice_type_id, language).await?,
        level: label(db, sheet.level_id, language).await?,
        themes: names(app, &sheet.theme_ids, language).await?,
        ratings: names(app, &other_levels, language).await?,
        markings: markings(app, &sheet.marking_ids, language).await?,
        itineraries: itineraries(app, &sheet.itinerary_ids, language).await?,
        equipment: names(app, &sheet.equipment_ids, language).await?,
        custom: custom(db, open, language).await?,
        is_stay: sheet.is_stay,
        is_loop: sheet.is_loop,
        bike_carriage: sheet.bike_carriage.own().or(inherited.bike_carriage),
        distance_m: summary.and_then(|trace| trace.distance_m),
        duration_s: summary.and_then(|trace| trace.duration_s),
        ascent_m: summary.and_then(|trace| trace.ascent_m),
        descent_m: summary.and_then(|trace| trace.descent_m),
        guided: summary.map(|trace| trace.reliability_state == ReliabilityState::Ok),
        sheet_per_m,
        steps: steps(app, stored, sheet_per_m, language).await?,
        pois,
        lines: around::lines(db, around, &stored.steps, language).await?,
        transport: around::transport(db, around, stored, &line, language).await?,
        children: children(app, open, language).await?,
        availability: sheet
            .availability
            .iter()
            .filter_map(|period| period.from.clone().zip(period.to.clone()))
            .collect(),
        closures: closures(app, stored.id, language).await?,
        warnings: warnings(app, stored.id, language, sheet_per_m).await?,
        reviews: reviews::load(app, stored.id, language).await?,
        booking: booking(sheet, inherited, language),
        price: price(sheet, owner, inherited, language),
        line,
    })
}

/// The first image of a parcours, among the media it may show.
pub async fn main_image(
    db: &impl Connection,
    parcours: &rows::Stored,
) -> Result<Option<Stored<MediaSheet>>, StoreError> {
    let ids = &parcours.sheet.media_ids;
    let shown = media::shown_by(db, parcours.white_label_id, ids).await?;
    for id in ids.iter().filter(|id| shown.contains(id)) {
        let found = media::find(db, MediaId(*id)).await?;
        if let Some(image) = found.filter(|media| media.sheet.file.kind == MediaKind::Image) {
            return Ok(Some(image));
        }
    }
    Ok(None)
}

/// A picture of a published parcours is public; that of a share is read at the address of the share. One whose sizes are
/// still made is shown once they are there.
async fn cover(app: &App, open: &Open, language: Language) -> Result<Option<Picture>, StoreError> {
    let db = app.store.read();
    let Some(image) = main_image(db, &open.parcours).await? else { return Ok(None) };
    let made = media::made_of(db, &[image.id]).await?.remove(&image.id).unwrap_or_default();
    let Some((address, size)) = for_page(&image, &made, language.code()) else { return Ok(None) };
    let src = match &open.share {
        Some(_) => format!("{}/cover", open.path(app, language)),
        None => address,
    };
    Ok(Some(picture(&image, src, size, language)))
}

pub(super) fn picture(
    image: &Stored<MediaSheet>,
    src: String,
    size: Option<(u32, u32)>,
    language: Language,
) -> Picture {
    Picture {
        src,
        size: size.map(|(width, height)| (i64::from(width), i64::from(height))),
        alt: Words::of(&image.sheet.alt, language),
        legend: Words::of(&image.sheet.legend, language),
        credit: image.sheet.credit(),
    }
}

/// Most pictures and sounds of a page beside the main picture.
const MAX_MEDIA: usize = 24;

/// The media of a page beside the main picture.
#[derive(Default)]
struct Beside {
    pictures: Vec<Picture>,
    sounds: Vec<Sound>,
    films: Vec<Film>,
    documents: Vec<PublicDocument>,
}

/// The pictures after the main one, the sounds, the films and the documents. None for a draft.
async fn around_cover(app: &App, open: &Open, language: Language) -> Result<Beside, StoreError> {
    let mut beside = Beside::default();
    if !open.parcours.published {
        return Ok(beside);
    }
    let db = app.store.read();
    let ids = &open.parcours.sheet.media_ids;
    let shown = media::shown_by(db, open.parcours.white_label_id, ids).await?;
    let ids: Vec<i64> = ids.iter().copied().filter(|id| shown.contains(id)).take(MAX_MEDIA + 1).collect();
    let found = load_many::<Medias>(db, &ids).await?;
    let made = media::made_of(db, &ids).await?;
    let none = MediaMade::default();
    let mut main = true;
    for media in found {
        let made = made.get(&media.id).unwrap_or(&none);
        let file = || {
            let own = || address(media.id, "file", made.made);
            translated_address(&media, language.code()).map_or_else(own, |(address, _)| address)
        };
        let title = || Words::of(&media.sheet.legend, language).unwrap_or_else(|| Words::own(&media.sheet.file_name));
        match media.sheet.file.kind {
            MediaKind::Image if std::mem::take(&mut main) => {}
            MediaKind::Image => {
                if let Some((src, size)) = for_page(&media, made, language.code()) {
                    beside.pictures.push(picture(&media, src, size, language));
                }
            }
            MediaKind::Audio => {
                beside.sounds.push(Sound { src: file(), title: title(), credit: media.sheet.credit() });
            }
            MediaKind::Video => beside.films.push(Film {
                src: file(),
                poster: fitting(made, "image/jpeg", 1280).map(|size| address(media.id, &size.name, made.made)),
                title: title(),
                credit: media.sheet.credit(),
            }),
            MediaKind::Pdf => beside.documents.push(PublicDocument {
                href: file(),
                title: title(),
                bytes: media.sheet.translated.get(language.code()).map_or(media.sheet.file.bytes, |other| other.bytes),
            }),
            MediaKind::Font => {}
        }
    }
    Ok(beside)
}

/// The walk of a published parcours. Its sounds are media, which a draft does not publish.
async fn audio(app: &App, open: &Open, language: Language) -> Result<Option<PublicAudioWalk>, Refusal> {
    if !open.parcours.published {
        return Ok(None);
    }
    Ok(public_walks(app, "", open.parcours.id, WalkSelection::Preferred(language.code())).await?.pop())
}

async fn item(db: &impl Connection, id: i64) -> Result<Option<VocabularyItem>, StoreError> {
    vocabulary::find(db, VocabularyId(id)).await
}

async fn label(db: &impl Connection, id: Option<i64>, language: Language) -> Result<Option<Words>, StoreError> {
    let Some(id) = id else { return Ok(None) };
    Ok(item(db, id).await?.and_then(|item| Words::of(&item.label, language)))
}

/// The names of items of reference lists, internal ones left out.
pub(super) async fn names(app: &App, ids: &[i64], language: Language) -> Result<Vec<Words>, StoreError> {
    Ok(terms(app, ids).await?.iter().filter_map(|term| Words::of(&term.label, language)).collect())
}

async fn markings(app: &App, ids: &[i64], language: Language) -> Result<Vec<PublicMarking>, StoreError> {
    let found = terms(app, ids).await?;
    let shown = found.iter().filter_map(|term| {
        let name = Words::of(&term.label, language)?;
        Some(PublicMarking { name, colors: term.colors.clone(), description: Words::of(&term.description, language) })
    });
    Ok(shown.collect())
}

async fn itineraries(app: &App, ids: &[i64], language: Language) -> Result<Vec<PublicItinerary>, StoreError> {
    let found = outputs::feed::itineraries(app, ids).await?;
    let shown = found.iter().filter_map(|one| {
        let name = Words::of(&one.name, language)?;
        let description_html = Words::of(&one.description, language);
        Some(PublicItinerary { code: one.code.clone(), name, color: one.color.clone(), description_html })
    });
    Ok(shown.collect())
}

/// The values of the fields that the white-label adds, in its order.
async fn custom(
    db: &impl Connection,
    open: &Open,
    language: Language,
) -> Result<Vec<(Words, PublicValue)>, StoreError> {
    let rows::Stored { white_label_id: owner, sheet, .. } = &open.parcours;
    if sheet.custom.is_empty() {
        return Ok(Vec::new());
    }
    let fields = Shown::of(db, [*owner].into_iter()).await?;
    let (mut values, _) = fields.values(*owner, CustomOn::Parcours, &sheet.custom);
    let of_parcours = fields.fields(*owner).iter().filter(|field| field.on == CustomOn::Parcours);
    let shown = of_parcours.filter_map(|field| {
        let value = texts::value(language, field.kind, &values.remove(&field.key)?)?;
        Some((Words::of(&field.label, language)?, value))
    });
    Ok(shown.collect())
}

async fn children(app: &App, open: &Open, language: Language) -> Result<Vec<PublicChild>, StoreError> {
    let main = app.settings.main_language();
    let prefix = language.pick("", "/en");
    let found = rows::public_children(app.store.read(), open.parcours.id).await?;
    let shown = found.into_iter().filter_map(|child| {
        let href = child.alone.then(|| format!("{prefix}/p/{}-{}", slug(child.card.title.best(main)), child.id));
        Some(PublicChild {
            title: Words::of(&child.card.title, language)?,
            href,
            distance_m: child.card.distance_m,
            duration_s: child.card.duration_s,
            ascent_m: child.card.ascent_m,
        })
    });
    Ok(shown.collect())
}

/// The steps in their order, each with the practice that begins there where it is not the one before.
async fn steps(
    app: &App,
    parcours: &rows::Stored,
    sheet_per_m: f64,
    language: Language,
) -> Result<Vec<PublicStep>, StoreError> {
    let steps = &parcours.steps;
    let ids: Vec<i64> = steps.iter().filter_map(|step| step.practice_type_id).collect();
    let practices = terms(app, &ids).await?;
    let name = |id: i64| Words::of(&practices.iter().find(|term| term.id == id)?.label, language);
    let mut current = parcours.sheet.practice_type_id;
    let one = |(label, step): (String, &Step)| {
        let other = step.practice_type_id.filter(|id| current != Some(*id) && step.kind != StepKind::Arrival);
        current = other.or(current);
        PublicStep { practice: other.and_then(name), ..self::step(label, step, sheet_per_m, language) }
    };
    Ok(step_labels(steps).into_iter().zip(steps).map(one).collect())
}

fn step(label: String, step: &Step, sheet_per_m: f64, language: Language) -> PublicStep {
    PublicStep {
        label,
        kind: step.kind,
        title: Words::of(&step.title, language),
        description: Words::of(&step.description, language),
        at_m: step.at_m.map(|at_m| at_m * sheet_per_m),
        beside_m: step.beside_m,
        position: step.position.rounded(),
        distance_to_next_m: step.scaled_distance_to_next_m(sheet_per_m),
        duration_to_next_s: step.duration_to_next_s,
        nights: step.nights,
        practice: None,
    }
}

/// Whether it can be booked.
fn is_bookable(sheet: &Sheet, inherited: Inherited) -> bool {
    sheet.bookable.is_bookable(inherited.bookable, sheet.booking_url.is_some())
}

/// The link to book, where it can be booked.
fn booking(sheet: &Sheet, inherited: Inherited, language: Language) -> Option<(String, Words)> {
    let can_be = is_bookable(sheet, inherited);
    let url = sheet.booking_url.as_deref().filter(|url| can_be && check_link(url).is_ok())?;
    let label =
        Words::of(&sheet.booking_label, language).unwrap_or_else(|| Words::own(language.pick("Réserver", "Book")));
    Some((url.to_owned(), label))
}

/// What it costs, where a price is set; 0 is free.
fn price(sheet: &Sheet, owner: &WhiteLabelSheet, inherited: Inherited, language: Language) -> Option<PublicPrice> {
    let most_cents = sheet.max_price_cents.filter(|most| *most > 0);
    let cents = sheet.price_cents;
    cents.or(most_cents)?;
    Some(PublicPrice {
        cents,
        most_cents: most_cents.filter(|most| cents.is_none_or(|cents| *most > cents)),
        includes: Words::of(&sheet.price_includes, language),
        excludes: Words::of(&sheet.price_excludes, language),
        deposit_percent: deposit(sheet.deposit_percent, owner.deposit_percent).filter(|_| {
            is_bookable(sheet, inherited) && (most_cents.is_some() || cents.is_some_and(|cents| cents > 0))
        }),
    })
}

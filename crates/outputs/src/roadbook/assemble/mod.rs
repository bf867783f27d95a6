//! Assembles the data of a roadbook from the sheet of a parcours, for one language and one audience. The result needs no database.

mod brand;
mod days;
mod photos;
mod steps;
mod texts;
mod turns;
mod words;

use std::collections::BTreeMap;

use app::App;
use app::slug::slug;
use content::map::ATTRIBUTION;
use content::parcours::compute::pace_of;
use domain::VocabularyId;
use domain::parcours::Sheet;
use domain::roadbook::{PageKind, PaperFormat, RoadbookPage, RoadbookSettings, RoadbookVoucher};
use domain::vocabulary::Attributes;
use roadbook::data;
use routing::Profile;
use store::itinerary::Itineraries;
use store::parcours::{self as rows, Stored};
use store::record::{load, load_many};
use store::white_label::WhiteLabels;
use store::{Connection, StoreError, contact, vocabulary};

use self::photos::PictureList;
use self::texts::Texts;
pub use self::texts::{MissingTexts, TextOwner};

/// The readers of a roadbook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The agency's own clients, with names and codes.
    Clients,
    /// The public: no name, no door code, no voucher.
    Everybody,
}

/// A roadbook's data, and where its pictures and fonts are.
#[derive(Debug, Clone)]
pub struct Assembled {
    /// Its content.
    pub roadbook: data::Roadbook,
    /// Keys of blobs by the names the data uses.
    pub blobs: BTreeMap<String, String>,
    /// Texts that are not written in its language.
    pub missing: Vec<MissingTexts>,
}

/// What everything below needs to know.
struct Ground<'a, C> {
    app: &'a App,
    db: &'a C,
    stored: &'a Stored,
    settings: &'a RoadbookSettings,
    language: &'a str,
    audience: Audience,
    texts: Texts,
}

impl<C> Ground<'_, C> {
    /// A text of the parcours itself, in the roadbook's language where it is written in it.
    fn of_parcours<'t>(&self, field: &'static str, text: &'t domain::Text) -> &'t str {
        self.texts.read(&TextOwner::Parcours(self.stored.id.0), &self.stored.sheet.title, field, text)
    }

    /// A text of the parcours that this roadbook may leave out: where it is not printed, it is not counted as missing.
    fn of_parcours_if<'t>(&self, printed: bool, field: &'static str, text: &'t domain::Text) -> &'t str {
        if printed { self.of_parcours(field, text) } else { text.best(self.language) }
    }

    /// A text of the settings of the roadbook, in the roadbook's language where it is written in it.
    fn of_roadbook<'t>(&self, field: &'static str, text: &'t domain::Text) -> &'t str {
        self.texts.read(&TextOwner::Roadbook(self.stored.id.0), &domain::Text::default(), field, text)
    }
}

/// The roadbook of a parcours as these settings ask for it.
pub async fn assemble(
    app: &App,
    db: &impl Connection,
    stored: &Stored,
    settings: RoadbookSettings,
    audience: Audience,
) -> Result<Assembled, StoreError> {
    let settings = if audience == Audience::Everybody { settings.for_everybody() } else { settings };
    let first = app.settings.main_language();
    let language = settings.language.clone().unwrap_or_else(|| first.to_owned());
    let texts = Texts::new(&language);
    let ground = Ground { app, db, stored, settings: &settings, language: &language, audience, texts };
    let sheet = &stored.sheet;
    let trace = rows::trace(db, stored.id).await?;
    let mut shelf = PictureList::of(db, stored.white_label_id, &sheet.media_ids, &ground.texts).await?;
    let cover = cover_of(&settings);
    let cover_photo = shelf.take(cover.and_then(|page| page.media_id), PageKind::FrontCover);
    let pages = settings.pages.iter().map(|page| choice(page, &ground, &mut shelf)).collect();
    let (days, ends_on) = days::days(&ground, trace.as_ref(), &mut shelf).await?;
    let owner = load::<WhiteLabels>(db, stored.white_label_id.0).await?.map(|owner| owner.sheet).unwrap_or_default();
    let roadbook = data::Roadbook {
        schema: data::SCHEMA,
        locale: language.clone(),
        format: settings.format,
        // Two pages of A4 fit on no sheet of A4: the booklet is that of A5, and waits while A4 is chosen.
        booklet: settings.booklet && settings.format == PaperFormat::A5,
        bleed: settings.bleed,
        anonymous: settings.anonymous,
        generated_on: app.today(),
        brand: brand::brand(db, &owner, &language, &mut shelf).await?,
        trip: trip(&ground, ends_on, cover_photo).await?,
        overview: data::Overview::default(),
        days,
        vouchers: settings.vouchers.iter().map(voucher).collect(),
        attribution: words::plain_of(ATTRIBUTION),
        qr: links(app, stored, &owner, settings.anonymous),
        pages,
    };
    Ok(Assembled { roadbook, blobs: shelf.into_blobs(), missing: ground.texts.into_missing() })
}

fn cover_of(settings: &RoadbookSettings) -> Option<&RoadbookPage> {
    settings.pages.iter().find(|page| page.kind == PageKind::FrontCover)
}

async fn trip<C: Connection>(
    ground: &Ground<'_, C>,
    ends_on: Option<String>,
    cover_photo: Option<data::Photo>,
) -> Result<data::Trip, StoreError> {
    let Ground { db, stored, settings, language, audience, .. } = *ground;
    let sheet = &stored.sheet;
    let rich = |html: &str| Some(vec![html.to_owned()]).filter(|_| !html.trim().is_empty());
    let practice = match sheet.practice_type_id {
        Some(id) => vocabulary::find(db, VocabularyId(id)).await?.map(|item| item.label.best(language).to_owned()),
        None => None,
    };
    // Only one of the two titles and descriptions is printed, and the subtitle beside the title alone: what is not printed may be missing.
    let named = !settings.anonymous;
    let anonymous_title = ground.of_parcours_if(!named, "anonymous_title", &sheet.anonymous_title);
    let anonymous_description = ground.of_parcours_if(!named, "anonymous_description", &sheet.anonymous_description);
    Ok(data::Trip {
        title: ground.of_parcours_if(named, "title", &sheet.title).to_owned(),
        subtitle: ground.of_parcours_if(named, "subtitle", &sheet.subtitle).to_owned(),
        anonymous_title: Some(anonymous_title.to_owned()).filter(|title| !title.is_empty()),
        anonymous_description: rich(anonymous_description),
        reference: sheet.file_number.clone().filter(|_| audience == Audience::Clients).unwrap_or_default(),
        practice: practice.unwrap_or_default(),
        on_foot: is_on_foot(db, sheet.practice_type_id).await?,
        starts_on: settings.starts_on.clone(),
        ends_on,
        travellers: settings.clients.clone(),
        cover_photo,
        welcome: words::paragraphs(ground.of_roadbook("welcome", &settings.welcome)),
        signature: settings.signature.clone(),
        contacts: contacts(ground).await?,
        description: rich(ground.of_parcours_if(named, "description", &sheet.description)).unwrap_or_default(),
        includes: words::lines_of(ground.of_parcours("price_includes", &sheet.price_includes)),
        excludes: words::lines_of(ground.of_parcours("price_excludes", &sheet.price_excludes)),
        advice: advice(db, sheet, language).await?,
    })
}

/// At this speed on the flat one rides.
const FASTEST_STROLL_KMH: f64 = 7.0;

/// Whether the practice is one on foot; of a parcours without practice nothing is known.
async fn is_on_foot(db: &impl Connection, practice_type_id: Option<i64>) -> Result<bool, StoreError> {
    if practice_type_id.is_none() {
        return Ok(false);
    }
    let (profile, pace) = pace_of(db, practice_type_id).await?;
    // The profile for families is that of strolls, and of bikes that need wide ways.
    Ok(match profile {
        Some(Profile::Hiking) => true,
        Some(Profile::Family) => pace.flat_kmh < FASTEST_STROLL_KMH,
        _ => false,
    })
}

/// The contacts of the settings, else the person in charge of the parcours.
async fn contacts<C: Connection>(ground: &Ground<'_, C>) -> Result<Vec<data::Contact>, StoreError> {
    let set = &ground.settings.contacts;
    if !set.is_empty() || ground.audience == Audience::Everybody {
        let one = |one: &domain::roadbook::RoadbookContact| data::Contact {
            role: one.role.clone(),
            name: one.name.clone(),
            phone: one.phone.clone(),
            note: one.note.clone(),
        };
        return Ok(set.iter().map(one).collect());
    }
    let Some(id) = ground.stored.sheet.contact_id else { return Ok(Vec::new()) };
    let found = contact::shown_by(ground.db, ground.stored.white_label_id, id).await?;
    Ok(found
        .map(|who| data::Contact {
            role: who.function.clone().unwrap_or_default(),
            name: who.full_name(),
            phone: who.phone.clone().unwrap_or_default(),
            note: String::new(),
        })
        .into_iter()
        .collect())
}

/// The long-distance ways it follows, and what to take along, by name.
async fn advice(db: &impl Connection, sheet: &Sheet, language: &str) -> Result<Vec<data::Advice>, StoreError> {
    let mut names = Vec::new();
    for id in &sheet.equipment_ids {
        let found = vocabulary::find(db, VocabularyId(*id)).await?;
        names.extend(found.map(|item| item.label.best(language).to_owned()).filter(|name| !name.is_empty()));
    }
    let ways = load_many::<Itineraries>(db, &sheet.itinerary_ids).await?.into_iter().map(|way| {
        let name = way.sheet.name.best(language);
        way.sheet.code.as_deref().map_or_else(|| name.to_owned(), |code| format!("{code} · {name}"))
    });
    let titles =
        if language == "fr" { ["Itinéraires suivis", "À emporter"] } else { ["Long-distance ways", "To take along"] };
    let advice = titles.into_iter().zip([ways.collect::<Vec<_>>(), names]).filter(|(_, names)| !names.is_empty());
    Ok(advice.map(|(title, names)| data::Advice { title: title.to_owned(), text: names.join(", ") }).collect())
}

/// The public page and its GPX, where visitors may open them: a printed code must not lead to an error. Their addresses contain the
/// title, so an anonymous roadbook has none.
fn links(app: &App, stored: &Stored, owner: &domain::white_label::WhiteLabelSheet, is_anonymous: bool) -> data::Qr {
    if is_anonymous {
        return data::Qr::default();
    }
    let shown = stored.published && owner.published && stored.sheet.relation.is_listed_in_public();
    let first = app.settings.main_language();
    let page = format!("{}/p/{}-{}", app.settings.public_url, slug(stored.sheet.title.best(first)), stored.id);
    let traced = shown && owner.flags.distribute_parcours && stored.trace.is_some();
    data::Qr { gpx: traced.then(|| format!("{page}/trace.gpx")), app: shown.then_some(page) }
}

fn choice<C>(page: &RoadbookPage, ground: &Ground<'_, C>, shelf: &mut PictureList) -> data::PageChoice {
    let written = |text: &domain::Text| {
        let words = if page.on { ground.of_roadbook("pages", text) } else { text.best(ground.language) };
        Some(words.to_owned()).filter(|words| !words.is_empty())
    };
    let own_photo = page.on && page.kind == PageKind::Description;
    data::PageChoice {
        kind: page.kind,
        on: page.on,
        title: written(&page.title),
        text: written(&page.text),
        photo: if own_photo { shelf.take(page.media_id, page.kind) } else { None },
        count: page.count.and_then(|count| u8::try_from(count).ok()),
        table: page.table,
        profile: page.profile,
    }
}

/// Its number and its client follow from the trip: the roadbook crate, which prints it, knows both.
fn voucher(voucher: &RoadbookVoucher) -> data::Voucher {
    data::Voucher {
        number: String::new(),
        client: String::new(),
        provider: voucher.provider.clone(),
        place: voucher.place.clone(),
        phone: voucher.phone.clone(),
        date: voucher.date.clone(),
        service: voucher.service.clone(),
        people: voucher.people.clone(),
        settlement: voucher.settlement.clone(),
    }
}

/// A level's name, and how many of four dots are full.
async fn level(db: &impl Connection, id: Option<i64>, language: &str) -> Result<(String, u8), StoreError> {
    let Some(id) = id else { return Ok(Default::default()) };
    let Some(item) = vocabulary::find(db, VocabularyId(id)).await? else { return Ok(Default::default()) };
    let rank = match &item.attributes {
        Attributes::Level(level) => level.rank.clamp(0, 4) as u8,
        _ => 0,
    };
    Ok((item.label.best(language).to_owned(), rank))
}

//! Quick search over everything (Ctrl K): the first of each kind that the person sees, and how many there are.

use app::extract::{Query, Reader};
use app::problem::Internal;
use app::routes;
use app::{App, Rejection};
use axum::Json;
use axum::extract::State;
use content::closure::closed_today;
use domain::parcours::Card;
use domain::record::Kind;
use domain::vocabulary::VocabularyKind;
use domain::{Actor, Capability, ParcoursId, Role, Text, fold};
use macros::Problem;
use serde::{Deserialize, Serialize};
use store::closure::ClosureFilter;
use store::contact::ContactFilter;
use store::itinerary::ItineraryFilter;
use store::media::MediaFilter;
use store::poi::PoiFilter;
use store::provider_link::ProviderLinkFilter;
use store::record::Record as _;
use store::structure::StructureFilter;
use store::survey_campaign::CampaignFilter;
use store::transport_line::{LineFilter, TransportLines};
use store::white_label::WhiteLabelFilter;
use store::{Page, StoreError, parcours};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

/// The most hits of each kind in an answer.
const SHOWN: u64 = 5;
/// A word of fewer letters is not shortened when nothing is found.
const LONG_WORD: usize = 5;

/// Errors of a search.
#[derive(Debug, thiserror::Error, Problem)]
pub enum SearchError {
    /// A parameter that cannot be read.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// What is searched for.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct SearchQuery {
    /// Words, accents aside; the last may be begun.
    q: String,
    /// Kinds, with commas: `parcours,poi`; all by default.
    kinds: Option<String>,
}

/// What was found.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SearchView {
    /// One group a kind in which something was found.
    groups: Vec<SearchGroup>,
    /// The words that were looked for, where those asked for found nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<String>,
}

/// What was found of a kind.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SearchGroup {
    kind: Kind,
    /// The first of them.
    items: Vec<SearchHit>,
    /// How many in all, exact up to 10,000.
    total: i64,
}

/// Something found.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SearchHit {
    id: i64,
    title: Text,
    /// A word more on it.
    subtitle: Option<String>,
    /// Its page in the application.
    href: String,
    /// A parcours that is closed somewhere today.
    closed: bool,
}

/// Search over everything that the person sees.
#[utoipa::path(get, path = "/api/v1/search", tag = "search", params(SearchQuery), security(("session" = ["content.read"])),
    responses((status = 200, body = SearchView), SearchError))]
pub async fn search_everything(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<SearchQuery>,
) -> Result<Json<SearchView>, SearchError> {
    let kinds = kinds(query.kinds.as_deref())?;
    let groups = groups(&app, &reader, &query.q, &kinds).await?;
    if !groups.is_empty() {
        return Ok(Json(SearchView { groups, instead: None }));
    }
    // A typing mistake is most often at the end of a word: the beginnings of the long words are searched instead.
    let instead = shortened(&query.q);
    let groups = match &instead {
        Some(words) => self::groups(&app, &reader, words, &kinds).await?,
        None => Vec::new(),
    };
    Ok(Json(SearchView { instead: instead.filter(|_| !groups.is_empty()), groups }))
}

fn kinds(asked: Option<&str>) -> Result<Vec<Kind>, Rejection> {
    let Some(asked) = asked.filter(|asked| !asked.trim().is_empty()) else { return Ok(Kind::ALL.to_vec()) };
    let read: Option<Vec<Kind>> = asked.split(',').map(|word| Kind::parse(word.trim())).collect();
    read.ok_or_else(|| Rejection::BadQuery { name: "kinds".to_owned() })
}

/// Cuts each word of at least [`LONG_WORD`] letters to three fifths of its letters. `None` where no word is that long.
fn shortened(asked: &str) -> Option<String> {
    let folded = fold(asked);
    let cut = |word: &str| -> String {
        let letters = word.chars().count();
        if letters < LONG_WORD { word.to_owned() } else { word.chars().take((letters * 3).div_ceil(5)).collect() }
    };
    let words: Vec<String> = folded.split(' ').map(cut).collect();
    Some(words.join(" ")).filter(|words| *words != folded)
}

async fn groups(app: &App, actor: &Actor, asked: &str, kinds: &[Kind]) -> Result<Vec<SearchGroup>, StoreError> {
    if fold(asked).is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for kind in kinds {
        let group = match kind {
            Kind::Parcours => parcours_found(app, actor, asked).await?,
            Kind::Poi => pois(app, actor, asked).await?,
            Kind::Media => medias(app, actor, asked).await?,
            Kind::TransportLine => transport_lines(app, actor, asked).await?,
            Kind::Itinerary => itineraries(app, asked).await?,
            Kind::Closure => closures(app, asked).await?,
            Kind::ProviderLink => provider_links(app, actor, asked).await?,
            Kind::SurveyCampaign => survey_campaigns(app, actor, asked).await?,
            Kind::Vocabulary => terms(app, asked).await?,
            Kind::Structure => structures(app, asked).await?,
            Kind::Contact => contacts(app, actor, asked).await?,
            Kind::WhiteLabel => white_labels(app, asked).await?,
            Kind::User if actor.can(Capability::UsersManage) => users(app, actor, asked).await?,
            Kind::ImportSource | Kind::SitSource | Kind::TransportFeed | Kind::Translator | Kind::User => continue,
        };
        if group.total > 0 {
            found.push(group);
        }
    }
    Ok(found)
}

fn hit(id: i64, title: Text, subtitle: Option<String>, folder: &str) -> SearchHit {
    let subtitle = subtitle.filter(|words| !words.is_empty());
    SearchHit { id, title, subtitle, href: format!("{folder}/{id}"), closed: false }
}

async fn parcours_found(app: &App, actor: &Actor, asked: &str) -> Result<SearchGroup, StoreError> {
    let filter = parcours::Filter {
        search: Some(asked.to_owned()),
        progress: parcours::ProgressFilter::Any,
        ..parcours::Filter::default()
    };
    let sort = parcours::Sort::default();
    let page = parcours::list(app.store.read(), actor, &filter, sort, Page::new(1, SHOWN), None).await?;
    let items = page.items.into_iter().filter_map(|row| {
        let card: Card = serde_json::from_str(&row.card).ok()?;
        Some(hit(row.id.0, card.title, Some(row.white_label.1), "/parcours"))
    });
    let mut items: Vec<SearchHit> = items.collect();
    let closed = closed_today(app, items.iter().map(|hit| ParcoursId(hit.id))).await?;
    for hit in &mut items {
        hit.closed = closed.contains(&ParcoursId(hit.id));
    }
    Ok(SearchGroup { kind: Kind::Parcours, items, total: page.total })
}

async fn pois(app: &App, actor: &Actor, asked: &str) -> Result<SearchGroup, StoreError> {
    let filter = PoiFilter { search: Some(asked.to_owned()), ..PoiFilter::seen_from(actor.active_white_label_id) };
    let (records, counted) = store::poi::first(app.store.read(), &filter, Page::new(1, SHOWN)).await?;
    let items = records.into_iter().map(|poi| hit(poi.id, poi.sheet.title, poi.sheet.address.city, "/pois"));
    Ok(SearchGroup { kind: Kind::Poi, items: items.collect(), total: counted.total })
}

async fn medias(app: &App, actor: &Actor, asked: &str) -> Result<SearchGroup, StoreError> {
    let filter =
        MediaFilter { viewer: actor.active_white_label_id, search: Some(asked.to_owned()), ..MediaFilter::default() };
    let page = store::media::list(app.store.read(), &filter, "-updated_at", Page::new(1, SHOWN)).await?;
    let (records, total) = page.map(|page| (page.items, page.counted.total)).unwrap_or_default();
    let items = records.into_iter().map(|media| {
        let name = Text::in_french(media.sheet.file_name.clone());
        hit(media.id, name, Some(media.sheet.legend.fr().to_owned()), "/medias")
    });
    Ok(SearchGroup { kind: Kind::Media, items: items.collect(), total })
}

async fn structures(app: &App, asked: &str) -> Result<SearchGroup, StoreError> {
    let filter = StructureFilter { search: Some(asked.to_owned()), ..StructureFilter::default() };
    let page = store::structure::list(app.store.read(), &filter, "title", Page::new(1, SHOWN)).await?;
    let (records, counted) = page.unwrap_or_default();
    let items = records.into_iter().map(|found| {
        hit(found.id, Text::in_french(found.sheet.name), found.sheet.address.city, "/settings/structures")
    });
    Ok(SearchGroup { kind: Kind::Structure, items: items.collect(), total: counted.total })
}

async fn contacts(app: &App, actor: &Actor, asked: &str) -> Result<SearchGroup, StoreError> {
    let within = (actor.role != Role::Superadmin).then_some(actor.structure_id);
    let filter = ContactFilter { within, search: Some(asked.to_owned()), ..ContactFilter::default() };
    let page = store::contact::list(app.store.read(), &filter, "-updated_at", Page::new(1, SHOWN)).await?;
    let (records, counted) = page.unwrap_or_default();
    let items = records.into_iter().map(|found| {
        hit(found.id, Text::in_french(found.sheet.full_name()), Some(found.sheet.email), "/settings/contacts")
    });
    Ok(SearchGroup { kind: Kind::Contact, items: items.collect(), total: counted.total })
}

async fn transport_lines(app: &App, actor: &Actor, asked: &str) -> Result<SearchGroup, StoreError> {
    let filter =
        LineFilter { viewer: actor.active_white_label_id, search: Some(asked.to_owned()), ..LineFilter::default() };
    let page = store::transport_line::list(app.store.read(), &filter, "-updated_at", Page::new(1, SHOWN)).await?;
    let (records, counted) = page.unwrap_or_default();
    let items = records
        .into_iter()
        .map(|found| hit(found.id, TransportLines::title(&found.sheet), found.sheet.operator, "/lignes"));
    Ok(SearchGroup { kind: Kind::TransportLine, items: items.collect(), total: counted.total })
}

async fn itineraries(app: &App, asked: &str) -> Result<SearchGroup, StoreError> {
    let filter = ItineraryFilter { search: Some(asked.to_owned()), ..ItineraryFilter::default() };
    let page = store::itinerary::list(app.store.read(), &filter, "title", Page::new(1, SHOWN)).await?;
    let (records, counted) = page.unwrap_or_default();
    let items =
        records.into_iter().map(|found| hit(found.id, found.sheet.name, found.sheet.code, "/settings/itineraires"));
    Ok(SearchGroup { kind: Kind::Itinerary, items: items.collect(), total: counted.total })
}

/// The subtitle of a hit is the first and the last day of the closure.
async fn closures(app: &App, asked: &str) -> Result<SearchGroup, StoreError> {
    let filter = ClosureFilter { search: Some(asked.to_owned()), ..ClosureFilter::default() };
    let page = store::closure::list(app.store.read(), &filter, "-from", Page::new(1, SHOWN)).await?;
    let (records, counted) = page.unwrap_or_default();
    let items = records.into_iter().map(|found| {
        let days = [Some(found.sheet.from), found.sheet.to].into_iter().flatten().collect::<Vec<_>>().join(" – ");
        hit(found.id, found.sheet.title, Some(days), "/fermetures")
    });
    Ok(SearchGroup { kind: Kind::Closure, items: items.collect(), total: counted.total })
}

async fn provider_links(app: &App, actor: &Actor, asked: &str) -> Result<SearchGroup, StoreError> {
    let filter = ProviderLinkFilter { search: Some(asked.to_owned()), ..ProviderLinkFilter::of(actor) };
    let page = store::provider_link::list(app.store.read(), &filter, "title", Page::new(1, SHOWN)).await?;
    let (records, counted) = page.unwrap_or_default();
    let items = records.into_iter().map(|found| {
        hit(found.id, Text::in_french(found.sheet.name), found.sheet.address, "/marque-blanche-prestataire")
    });
    Ok(SearchGroup { kind: Kind::ProviderLink, items: items.collect(), total: counted.total })
}

async fn survey_campaigns(app: &App, actor: &Actor, asked: &str) -> Result<SearchGroup, StoreError> {
    let filter = CampaignFilter { search: Some(asked.to_owned()), ..CampaignFilter::of(actor) };
    let page = store::survey_campaign::list(app.store.read(), &filter, "title", Page::new(1, SHOWN)).await?;
    let (records, counted) = page.unwrap_or_default();
    let items = records
        .into_iter()
        .map(|found| hit(found.id, Text::in_french(found.sheet.name), found.sheet.due_on, "/campagnes"));
    Ok(SearchGroup { kind: Kind::SurveyCampaign, items: items.collect(), total: counted.total })
}

/// All items of the reference lists are read and compared here, as they are few. The subtitle of a hit is the code of its list.
async fn terms(app: &App, asked: &str) -> Result<SearchGroup, StoreError> {
    let folded = fold(asked);
    let mut found = store::vocabulary::names(app.store.read()).await?;
    found.retain(|term| {
        let names: Vec<&str> = term.label.iter().map(|(_, words)| words).collect();
        holds(&format!("{} {}", names.join(" "), term.code), &folded)
    });
    let total = found.len() as i64;
    let items = found.into_iter().take(SHOWN as usize).map(|term| {
        let list = term.kind.as_str().to_owned();
        hit(term.id.0, term.label, Some(list), folder_of(term.kind))
    });
    Ok(SearchGroup { kind: Kind::Vocabulary, items: items.collect(), total })
}

/// The path of a reference list in the web application.
const fn folder_of(list: VocabularyKind) -> &'static str {
    match list {
        VocabularyKind::Marking => "/settings/balisages",
        VocabularyKind::Equipment => "/settings/equipements",
        VocabularyKind::Tag => "/settings/tags",
        VocabularyKind::Level => "/settings/niveaux",
        VocabularyKind::PracticeType => "/settings/types-pratiques",
        VocabularyKind::ParcoursTheme => "/settings/thematiques-parcours",
        VocabularyKind::PoiTheme => "/settings/thematiques-pois",
        VocabularyKind::PoiCategory => "/settings/categories-pois",
        VocabularyKind::StructureType => "/settings/types-structures",
    }
}

/// Whether each word asked for begins a word of a name.
fn holds(name: &str, folded: &str) -> bool {
    let name = format!(" {}", fold(name));
    folded.split(' ').all(|word| name.contains(&format!(" {word}")))
}

async fn white_labels(app: &App, asked: &str) -> Result<SearchGroup, StoreError> {
    let filter = WhiteLabelFilter { search: Some(asked.to_owned()), ..WhiteLabelFilter::default() };
    let page = store::white_label::list(app.store.read(), &filter, "title", Page::new(1, SHOWN)).await?;
    let (records, counted) = page.unwrap_or_default();
    let items = records.into_iter().map(|found| {
        hit(found.id, Text::in_french(found.sheet.name), found.sheet.domain, "/settings/marques-blanches")
    });
    Ok(SearchGroup { kind: Kind::WhiteLabel, items: items.collect(), total: counted.total })
}

async fn users(app: &App, actor: &Actor, asked: &str) -> Result<SearchGroup, StoreError> {
    let within = (actor.role != Role::Superadmin).then_some(actor.structure_id);
    let filter = store::user::UserFilter { within, search: Some(asked.to_owned()), ..Default::default() };
    let found = store::user::list(app.store.read(), &filter, "title", Page::new(1, SHOWN)).await?;
    let (people, counted) = found.unwrap_or_default();
    let items = people.into_iter().map(|user| {
        let name = Text::in_french(user.sheet.full_name());
        hit(user.id, name, Some(user.sheet.email), "/settings/users")
    });
    Ok(SearchGroup { kind: Kind::User, items: items.collect(), total: counted.total })
}

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search_everything))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_words_are_shortened() {
        assert_eq!(shortened("Belvédrre du lac").as_deref(), Some("belved du lac"));
        assert_eq!(shortened("lac"), None);
    }
}

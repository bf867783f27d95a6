//! Routes among the records of a tourist information system: Apidae's equipment with an itinerary, DATAtourisme's tours.

use std::collections::HashSet;

use domain::Text;
use domain::sit::{SitKind, SitPicture, SitRecord, SitWord};
use memchr::memmem;
use serde_json::Value;
use trace::Position;

use super::lenient::key;
use super::package::media_kind;
use super::route::{ImportedMedia, ImportedRoute, Line, Place, Refused, Word};
use super::sit::json::{at, figure, first, line, lines, many, text};
use super::sit::{SitPackage, apidae, datatourisme};

/// The most files of a route that are looked at.
const MAX_FILES: usize = 20;

/// An item of a package: its name, and its place in it.
type Item = (String, std::ops::Range<usize>);

/// The items of a package that may be routes, and the names of those that it shows as deleted. An item without any mark of a route is left
/// out unread.
pub(super) fn routes(package: &SitPackage, kind: SitKind) -> (Vec<Item>, Vec<String>) {
    let marks: &[&[u8]] = match kind {
        SitKind::Apidae => &[b"\"itineraire\"", b"\"PLAN\""],
        _ => &[b"Tour\"", b"Route\""],
    };
    let may_be = |raw: &[u8]| marks.iter().any(|mark| memmem::find(raw, mark).is_some());
    let (mut items, mut deleted): (Vec<Item>, Vec<String>) = (Vec::new(), package.deleted().to_vec());
    for index in 0..package.len() {
        let id = package.id(index).to_owned();
        match package.raw(index) {
            Ok(raw) if kind == SitKind::Apidae && is_deleted(&raw) => deleted.push(id),
            Ok(raw) if !may_be(&raw) => {}
            // An item that cannot be read is reported later, when it is read.
            _ => items.push((id, index..index)),
        }
    }
    let present: HashSet<&str> = items.iter().map(|(id, _)| id.as_str()).collect();
    deleted.retain(|id| !present.contains(id.as_str()));
    (items, deleted)
}

/// Whether the state of an object of Apidae is `DELETED`: it is gone, although its texts are still sent.
fn is_deleted(raw: &[u8]) -> bool {
    memmem::find(raw, b"\"DELETED\"").is_some()
        && super::sit::read_json::<Value>(raw)
            .is_ok_and(|object| line(object.get("state")).is_some_and(|state| state == "DELETED"))
}

/// A route, by the name that its package gives it.
pub(super) fn route(package: &SitPackage, kind: SitKind, index: usize) -> Result<ImportedRoute, Refused> {
    let raw = package.raw(index)?;
    let object: Value = super::sit::read_json(&raw)?;
    let mut route = match kind {
        SitKind::Apidae => of_apidae(&object)?,
        _ => of_datatourisme(&object)?,
    };
    if !package.id(index).starts_with('#') {
        package.id(index).clone_into(&mut route.id);
    }
    Ok(route)
}

fn of_apidae(object: &Value) -> Result<ImportedRoute, Refused> {
    let found = apidae::of(object)?;
    let way = object.pointer("/informationsEquipement/itineraire").unwrap_or(&Value::Null);
    let files: Vec<&Value> = many(object.get("multimedias")).iter().take(MAX_FILES).collect();
    let plans = files.into_iter().filter(|one| line(one.get("type")).as_deref() == Some("PLAN"));
    let plan = plans.flat_map(|one| many(one.get("traductionFichiers"))).find_map(recording);
    if !way.is_object() && plan.is_none() {
        return Err(Refused::new("import/not-a-route"));
    }
    let mut route = common(&found)?;
    route.text("passagesDelicats", apidae::text(way.get("passagesDelicats")));
    route.text("precisionsBalisage", apidae::text(way.get("precisionsBalisage")));
    route.text("complement", apidae::text(object.pointer("/localisation/geolocalisation/complement")));
    route.text("ouverture", found.opening.clone());
    route.text("tarifs", found.tariff.clone());
    route.text("etapes", themed(object));
    let list = |path: &str| many(object.pointer(path)).iter().filter_map(apidae::named).map(word).collect::<Vec<_>>();
    route.words("activites", practice(list("/informationsEquipement/activites")));
    route.words("typesClientele", levels(list("/prestations/typesClientele")));
    route.words("typologies", list("/presentation/typologiesPromoSitra"));
    let one = |name: &str| line(way.get(name)).map(|code| Word::plain(&code)).into_iter().collect();
    route.words("itineraireType", one("itineraireType"));
    route.words("itineraireBalise", one("itineraireBalise"));
    let minutes = figure(object.pointer("/ouverture/dureeSeance")).filter(|minutes| *minutes > 0.0);
    route.number("dureeSeance", minutes.map(|minutes| minutes * 60.0));
    if let Some(url) = plan {
        route.line = Line::At(url);
    }
    route.places = found.position.map(|[lon, lat]| start(lon, lat, found.address.city.clone())).into_iter().collect();
    // What may be shown until a day only is not fetched: here it would stay.
    let kept =
        many(object.get("illustrations")).iter().filter(|one| line(one.get("dateLimiteDePublication")).is_none());
    route.media = apidae::pictures_of(kept).into_iter().map(media).collect();
    Ok(route)
}

/// « Départ : du parking… 1/ Suivre le chemin »: the texts of all themes, one after the other.
fn themed(object: &Value) -> Text {
    let parts = many(object.pointer("/presentation/descriptifsThematises"));
    let mut all = Text::default();
    for part in parts.iter().map(|part| apidae::text(part.get("description"))) {
        for (language, words) in part.iter() {
            let words = words.replace("\r\n", "\n");
            let before = all.get(language).map(|before| format!("{before}\n\n")).unwrap_or_default();
            all.set(language, format!("{before}{words}"));
        }
    }
    all
}

/// The most precise activity: « Itinéraire de randonnée pédestre » rather than « Sports pédestres ».
fn practice(activities: Vec<Word>) -> Vec<Word> {
    let of_way = |word: &&Word| word.label.best("fr").to_lowercase().starts_with("itinéraire");
    let found = activities.iter().find(of_way).or(activities.last()).cloned();
    found.into_iter().collect()
}

/// The level among those it suits: « Niveau rouge - Difficile ».
fn levels(suits: Vec<Word>) -> Vec<Word> {
    suits.into_iter().filter(|word| word.label.best("fr").to_lowercase().starts_with("niveau")).take(1).collect()
}

/// A file with a line.
fn recording(file: &Value) -> Option<String> {
    let url = line(file.get("url")).filter(|url| url.starts_with("http"))?;
    let path = url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let said = line(file.get("extension")).unwrap_or_default().to_ascii_lowercase();
    let holds = |ending: &&str| said == **ending || path.ends_with(&format!(".{ending}"));
    ["gpx", "kml", "kmz", "geojson", "tcx", "fit"].iter().any(holds).then_some(url)
}

fn of_datatourisme(object: &Value) -> Result<ImportedRoute, Refused> {
    let types = lines(at(object, &["@type", "type"]));
    let is_tour = |name: &String| name == "Tour" || name.ends_with("Tour") || name.ends_with("Route");
    if !types.iter().any(is_tour) {
        return Err(Refused::new("import/not-a-route"));
    }
    let found = datatourisme::of(object)?;
    let mut route = common(&found)?;
    route.number("tourDistance", figure(at(object, &["tourDistance"])).filter(|metres| *metres > 0.0));
    let labelled = |name: &str| {
        let one = |value: &Value| {
            let key = line(at(value, &["@id", "key", "uri"]))?;
            let tail = key.rsplit(['#', ':', '/']).next().unwrap_or(&key).to_owned();
            let label = text(at(value, &["rdfs:label", "label"]));
            Some(Word { label: if label.is_empty() { Text::in_french(tail.clone()) } else { label }, key: tail })
        };
        many(at(object, &[name])).iter().filter_map(one).collect::<Vec<_>>()
    };
    route.words("hasTourType", labelled("hasTourType"));
    route.words("hasTheme", labelled("hasTheme"));
    let nearest = types.iter().find(|name| is_tour(name) && *name != "Tour");
    route.words("type", nearest.map(|name| Word::plain(name)).into_iter().collect());
    let shown = many(at(object, &["hasMainRepresentation"])).iter().chain(many(at(object, &["hasRepresentation"])));
    let resources = shown.flat_map(|one| many(at(one, &["ebucore:hasRelatedResource", "hasRelatedResource"])));
    let mut addresses = resources.flat_map(|one| lines(at(one, &["ebucore:locator", "locator"]))).take(MAX_FILES);
    if let Some(url) = addresses.find_map(|url| recording_of(&url)) {
        route.line = Line::At(url);
    }
    // A tour without a line: its places are where it begins and what it passes.
    route.places = many(at(object, &["isLocatedAt"])).iter().filter_map(place).take(300).collect();
    route.media = found.pictures.iter().filter(|one| recording_of(&one.url).is_none()).cloned().map(media).collect();
    Ok(route)
}

fn recording_of(url: &str) -> Option<String> {
    recording(&serde_json::json!({ "url": url }))
}

fn place(located: &Value) -> Option<Place> {
    let geo = first(at(located, &["schema:geo", "geo"]))?;
    let lon = figure(at(geo, &["schema:longitude", "longitude"]));
    let lat = figure(at(geo, &["schema:latitude", "latitude"]));
    let [lon, lat] = super::sit::place(lon, lat)?;
    let address = first(at(located, &["schema:address", "address"])).unwrap_or(&Value::Null);
    Some(start(lon, lat, line(at(address, &["schema:addressLocality", "addressLocality"]))))
}

fn start(lon: f64, lat: f64, town: Option<String>) -> Place {
    Place {
        kind: None,
        title: town.map(Text::in_french).unwrap_or_default(),
        description: Text::default(),
        position: Position::new(lon, lat),
    }
}

/// What both say in the same manner.
fn common(found: &SitRecord) -> Result<ImportedRoute, Refused> {
    let id = key(Some(&Value::from(found.id.as_str()))).ok_or_else(|| Refused::new("import/no-id"))?;
    if found.name.is_empty() {
        return Err(Refused::new("sit/no-name"));
    }
    let mut route = ImportedRoute::new(id);
    route.text("nom", found.name.clone());
    route.text("descriptifCourt", found.short.clone());
    route.text("descriptifDetaille", found.long.clone());
    route.text("commune", found.address.city.clone().map(Text::in_french).unwrap_or_default());
    route.text("lieu", found.address.street.clone().map(Text::in_french).unwrap_or_default());
    route.text("producteur", found.author.clone().map(Text::in_french).unwrap_or_default());
    route.words("labels", found.labels.iter().cloned().map(word).collect());
    Ok(route)
}

fn word(word: SitWord) -> Word {
    Word { key: word.key, label: word.label }
}

fn media(picture: SitPicture) -> ImportedMedia {
    ImportedMedia {
        kind: media_kind(&picture.url),
        url: picture.url,
        legend: picture.legend,
        alt: Text::default(),
        author: picture.credit,
        licence: picture.licence,
    }
}

//! Apidae: objects with texts as `libelleFr`, `libelleEn`, of its API and of its exports alike.

use domain::Text;
use domain::sit::{SitAddress, SitPicture, SitRecord, SitWord};
use serde_json::Value;

use super::super::bounds::refuse_many_values;
use super::super::route::Refused;
use super::json::{at, day, figure, first, line, many, word};
use super::{place, web};

/// Numbers of the means of communication.
const PHONE: i64 = 201;
const MAIL: i64 = 204;
const SITE: i64 = 205;

/// An object.
pub(super) fn record(raw: &[u8]) -> Result<SitRecord, Refused> {
    super::whole(of(&super::package::json(raw)?)?)
}

/// The record of an object, whether or not the object is complete.
pub(in crate::incoming) fn of(object: &Value) -> Result<SitRecord, Refused> {
    if let Some(state) = line(object.get("state")).filter(|state| state != "PUBLISHED") {
        return Err(Refused::new("sit/not-published").with("state", state));
    }
    let shown = object.get("presentation").unwrap_or(&Value::Null);
    let mut found = SitRecord {
        id: id_of(object).ok_or_else(|| Refused::new("import/no-id"))?,
        name: text(object.get("nom")),
        short: text(shown.get("descriptifCourt")),
        long: text(shown.get("descriptifDetaille")),
        opening: text(object.pointer("/ouverture/periodeEnClair")),
        tariff: text(object.pointer("/descriptionTarif/tarifsEnClair")),
        position: position(object),
        address: address(object),
        pictures: pictures_of(many(object.get("illustrations")).iter()),
        words: words(object),
        labels: labels(object),
        updated: day(line(object.pointer("/gestion/dateModification"))),
        author: line(object.pointer("/gestion/membreProprietaire/nom")),
        ..SitRecord::default()
    };
    for (kind, words) in means(object.pointer("/informations/moyensCommunication")) {
        match kind {
            PHONE => found.phones.push(words),
            MAIL => found.emails.push(words),
            SITE => found.websites.extend(web(&words)),
            _ => {}
        }
    }
    let booked = many(object.pointer("/reservation/organismes")).iter();
    let booked = booked.flat_map(|one| means(one.get("moyensCommunication")));
    found.booking_url = booked.filter(|(kind, _)| *kind == SITE).find_map(|(_, words)| web(&words));
    Ok(found)
}

/// What names an object.
pub(super) fn id_of(object: &Value) -> Option<String> {
    super::super::lenient::key(object.get("id"))
}

/// `{"libelleFr": "…", "libellePtBR": "…"}`.
pub(in crate::incoming) fn text(value: Option<&Value>) -> Text {
    let languages = value.and_then(Value::as_object).into_iter().flatten();
    languages
        .filter_map(|(name, words)| {
            let written = name.strip_prefix("libelle")?;
            let language: String = written.chars().take(2).collect::<String>().to_ascii_lowercase();
            let is_word = language.len() == 2 && language.bytes().all(|byte| byte.is_ascii_lowercase());
            Some((is_word.then_some(language)?, line(Some(words))?))
        })
        .collect()
}

/// `[lng, lat]` of a point; of anything else no place.
fn position(object: &Value) -> Option<[f64; 2]> {
    let geometry = object.pointer("/localisation/geolocalisation/geoJson")?;
    let is_point = line(geometry.get("type")).is_none_or(|kind| kind.eq_ignore_ascii_case("point"));
    let parts = geometry.get("coordinates").and_then(Value::as_array)?;
    is_point.then(|| place(figure(parts.first()), figure(parts.get(1)))).flatten()
}

fn address(object: &Value) -> SitAddress {
    let Some(found) = object.pointer("/localisation/adresse") else { return SitAddress::default() };
    let street: Vec<String> = ["nomDuLieu", "adresse1", "adresse2", "adresse3"]
        .into_iter()
        .filter_map(|name| line(found.get(name)))
        .collect();
    let town = found.get("commune").unwrap_or(&Value::Null);
    SitAddress {
        street: Some(street.join(", ")).filter(|street| !street.is_empty()),
        postcode: line(found.get("codePostal")).or_else(|| line(town.get("codePostal"))),
        city: line(town.get("nom")),
        insee: line(town.get("code")),
    }
}

/// Means of communication: number of the kind, and what to call, write or open.
fn means(value: Option<&Value>) -> Vec<(i64, String)> {
    many(value)
        .iter()
        .filter_map(|one| {
            let kind = one.pointer("/type/id").and_then(Value::as_i64)?;
            let said = one.get("coordonnees")?;
            Some((
                kind,
                line(said.get("fr")).or_else(|| said.as_object()?.values().find_map(|words| line(Some(words))))?,
            ))
        })
        .collect()
}

/// Pictures; one without a file is left out.
pub(in crate::incoming) fn pictures_of<'a>(shown: impl Iterator<Item = &'a Value>) -> Vec<SitPicture> {
    shown
        .filter(|one| line(one.get("type")).is_none_or(|kind| kind == "IMAGE"))
        .filter_map(|one| {
            let files = many(one.get("traductionFichiers"));
            let french = files.iter().find(|file| line(file.get("locale")).as_deref() == Some("fr"));
            let url = line(french.or_else(|| files.first())?.get("url"))?;
            let legend = [one.get("legende"), one.get("nom")].into_iter().map(text).find(|text| !text.is_empty());
            let credit = text(one.get("copyright")).best("fr").to_owned();
            Some(SitPicture {
                url: web(&url)?,
                legend: legend.unwrap_or_default(),
                credit: Some(credit).filter(|credit| !credit.is_empty()),
                licence: None,
            })
        })
        .collect()
}

pub(in crate::incoming) fn named(value: &Value) -> Option<SitWord> {
    let label = text(Some(value));
    let key = line(value.get("id")).filter(|_| !label.is_empty())?;
    word(&key, label)
}

/// Its type: the types and categories of `informations…`, then the kind of object.
fn words(object: &Value) -> Vec<SitWord> {
    let own = object
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| name.len() > 12 && name.starts_with("informations"));
    let mut found: Vec<SitWord> = Vec::new();
    for (name, value) in own.filter_map(|(_, of)| of.as_object()).flatten() {
        if ["Type", "Types", "categories", "Categories"].iter().any(|ending| name.ends_with(ending)) {
            found.extend(many(Some(value)).iter().filter_map(named));
        }
    }
    found.extend(line(object.get("type")).and_then(|kind| word(&kind, Text::default())));
    found
}

/// Labels, and Apidae's types of promotion: `Accueil Vélo` is among them.
fn labels(object: &Value) -> Vec<SitWord> {
    let own = object.as_object().into_iter().flatten().filter(|(name, _)| name.starts_with("informations"));
    let of_own = own.filter_map(|(_, of)| at(of, &["labels", "chaines"]));
    let promoted = object.pointer("/presentation/typologiesPromoSitra");
    let adapted = object.pointer("/prestations/labelsTourismeHandicap");
    of_own.chain(promoted).chain(adapted).flat_map(|list| many(Some(list))).filter_map(named).collect()
}

/// The numbers of an export's `objets_supprimes.json`. None of a file that cannot be read.
pub(super) fn deleted(bytes: &[u8]) -> Result<Vec<String>, Refused> {
    refuse_many_values(bytes)?;
    let found: Value = serde_json::from_slice(bytes).unwrap_or_default();
    Ok(many(Some(&found)).iter().filter_map(|id| super::super::lenient::key(first(Some(id)))).collect())
}

//! DATAtourisme: objects of its ontology as JSON-LD, with prefixes in the fluxes and without in the API.

use domain::Text;
use domain::sit::{SitAddress, SitPicture, SitRecord, SitWord};
use serde_json::Value;

use super::super::route::Refused;
use super::json::{at, day, figure, first, line, lines, many, text, word};
use super::{place, web};

/// Types that every object has, or that do not describe it.
const GENERAL: [&str; 10] = [
    "PointOfInterest",
    "PlaceOfInterest",
    "Product",
    "EntertainmentAndEvent",
    "LocalBusiness",
    "Practice",
    "Place",
    "Thing",
    "Organization",
    "Agent",
];
/// Most lines of opening hours and of prices.
const MAX_LINES: usize = 40;

/// An object.
pub(super) fn record(raw: &[u8]) -> Result<SitRecord, Refused> {
    super::whole(of(&super::package::json(raw)?)?)
}

/// The record of an object, whether or not the object is complete.
pub(in crate::incoming) fn of(object: &Value) -> Result<SitRecord, Refused> {
    let located = first(at(object, &["isLocatedAt"])).unwrap_or(&Value::Null);
    let geo = first(at(located, &["schema:geo", "geo"])).unwrap_or(&Value::Null);
    let described = first(at(object, &["hasDescription"])).unwrap_or(&Value::Null);
    let comment = text(at(object, &["rdfs:comment", "comment"]));
    let short = text(at(described, &["shortDescription"]));
    let mut found = SitRecord {
        id: id_of(object).ok_or_else(|| Refused::new("import/no-id"))?,
        name: text(at(object, &["rdfs:label", "label"])),
        short: if short.is_empty() { comment } else { short },
        long: text(at(described, &["dc:description", "description"])),
        position: place(
            figure(at(geo, &["schema:longitude", "longitude"])),
            figure(at(geo, &["schema:latitude", "latitude"])),
        ),
        address: address(located),
        opening: opening(located),
        tariff: tariff(object),
        pictures: pictures(object),
        words: words(object),
        labels: labels(object),
        updated: day(line(at(object, &["lastUpdate"]))),
        author: author(object),
        by_machine: by_machine(object),
        ..SitRecord::default()
    };
    contacts(object, &mut found);
    Ok(found)
}

/// What names an object: the end of its address, `23/005424b9-…`, whatever its host.
pub(super) fn id_of(object: &Value) -> Option<String> {
    let of_address = || {
        let address = line(at(object, &["@id", "uri"]))?;
        let mut parts = address.rsplit('/');
        let (last, before) = (parts.next()?, parts.next().unwrap_or_default());
        let is_number = !before.is_empty() && before.len() <= 3 && before.bytes().all(|byte| byte.is_ascii_digit());
        Some(if is_number { format!("{before}/{last}") } else { last.to_owned() })
    };
    of_address().or_else(|| line(at(object, &["uuid", "identifier", "dc:identifier"]))).map(clean)
}

fn clean(id: String) -> String {
    id.chars().filter(|c| !c.is_control()).take(200).collect()
}

fn address(located: &Value) -> SitAddress {
    let Some(found) = first(at(located, &["schema:address", "address"])) else { return SitAddress::default() };
    let city = first(at(found, &["hasAddressCity"])).unwrap_or(&Value::Null);
    let street = lines(at(found, &["schema:streetAddress", "streetAddress"])).join(", ");
    SitAddress {
        street: Some(street).filter(|street| !street.is_empty()),
        postcode: line(at(found, &["schema:postalCode", "postalCode"])),
        city: line(at(found, &["schema:addressLocality", "addressLocality"])).or_else(|| {
            Some(text(at(city, &["rdfs:label", "label"])).best("fr").to_owned()).filter(|city| !city.is_empty())
        }),
        insee: line(at(city, &["insee"])),
    }
}

/// Contacts, and where to book.
fn contacts(object: &Value, found: &mut SitRecord) {
    for contact in many(at(object, &["hasContact"])) {
        found.phones.extend(lines(at(contact, &["schema:telephone", "telephone"])));
        found.emails.extend(lines(at(contact, &["schema:email", "email"])));
        found.websites.extend(lines(at(contact, &["foaf:homepage", "homepage"])).iter().filter_map(|words| web(words)));
    }
    let booked = first(at(object, &["hasBookingContact"])).unwrap_or(&Value::Null);
    found.booking_url = lines(at(booked, &["foaf:homepage", "homepage"])).iter().find_map(|words| web(words));
}

fn pictures(object: &Value) -> Vec<SitPicture> {
    let shown = many(at(object, &["hasMainRepresentation"])).iter().chain(many(at(object, &["hasRepresentation"])));
    let mut found: Vec<SitPicture> = Vec::new();
    for one in shown {
        let resource = first(at(one, &["ebucore:hasRelatedResource", "hasRelatedResource"])).unwrap_or(&Value::Null);
        let Some(url) = line(at(resource, &["ebucore:locator", "locator"])).as_deref().and_then(web) else { continue };
        let note = first(at(one, &["ebucore:hasAnnotation", "hasAnnotation"])).unwrap_or(&Value::Null);
        if found.iter().all(|known| known.url != url) {
            found.push(SitPicture {
                url,
                legend: text(at(note, &["ebucore:title", "title"])),
                credit: line(at(note, &["credits"])),
                licence: line(at(note, &["ebucore:isCoveredBy", "isCoveredBy"])),
            });
        }
    }
    found
}

/// Its types, the most precise first: general ones are left out, and those of other ontologies where DATAtourisme's own are there.
fn words(object: &Value) -> Vec<SitWord> {
    let types = lines(at(object, &["@type", "type"]));
    let precise = types.iter().filter(|name| !name.contains(':') && !GENERAL.contains(&name.as_str()));
    precise.filter_map(|name| word(name, Text::default())).collect()
}

/// Labels and ratings: `kb:LabelRating_AccueilVelo`.
fn labels(object: &Value) -> Vec<SitWord> {
    many(at(object, &["hasReview"]))
        .iter()
        .filter_map(|review| first(at(review, &["hasReviewValue"])))
        .filter_map(|value| {
            let key = line(at(value, &["@id", "key"]))?;
            word(key.trim_start_matches("kb:"), text(at(value, &["rdfs:label", "label"])))
        })
        .collect()
}

fn author(object: &Value) -> Option<String> {
    let name = |member: &str| line(at(first(at(object, &[member]))?, &["schema:legalName", "legalName"]));
    name("hasBeenCreatedBy").or_else(|| name("hasBeenPublishedBy"))
}

/// Languages that a machine wrote: each translated text names its own and who did it.
fn by_machine(object: &Value) -> Vec<String> {
    let described = first(at(object, &["hasDescription"])).unwrap_or(&Value::Null);
    let all =
        many(at(object, &["hasTranslatedProperty"])).iter().chain(many(at(described, &["hasTranslatedProperty"])));
    let mut found: Vec<String> = all.flat_map(|one| lines(at(one, &["rdf:language", "language"]))).collect();
    found.sort();
    found.dedup();
    found.truncate(20);
    found
}

/// Days of one and of many: `2024-07-01T16:30:00` as `01/07/2024`.
pub(in crate::incoming) fn shown_day(words: Option<String>) -> Option<String> {
    let day = day(words)?;
    let mut parts = day.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    Some(format!("{day}/{month}/{year}"))
}

/// Opening hours in words, period by period.
fn opening(located: &Value) -> Text {
    let (mut fr, mut en): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for one in many(at(located, &["schema:openingHoursSpecification", "openingHoursSpecification"])) {
        let from = shown_day(line(at(one, &["schema:validFrom", "validFrom"])));
        let to = shown_day(line(at(one, &["schema:validThrough", "validThrough"])));
        let hour = |names: &[&str]| line(at(one, names)).map(|time| time.chars().take(5).collect::<String>());
        let (opens, closes) = (hour(&["schema:opens", "opens"]), hour(&["schema:closes", "closes"]));
        let on =
            text(first(at(one, &["schema:dayOfWeek", "dayOfWeek"])).and_then(|day| at(day, &["rdfs:label", "label"])));
        let more = text(at(one, &["additionalInformation"]));
        let line_in = |language: &str, words: [&str; 2]| {
            let period = match (&from, &to) {
                (Some(from), Some(to)) if from == to => from.clone(),
                (Some(from), Some(to)) => format!("{} {from} {} {to}", words[0], words[1]),
                (Some(day), None) | (None, Some(day)) => day.clone(),
                (None, None) => String::new(),
            };
            let hours = match (&opens, &closes) {
                (Some(opens), Some(closes)) => format!("{opens} – {closes}"),
                (Some(hour), None) | (None, Some(hour)) => hour.clone(),
                (None, None) => String::new(),
            };
            let own = more.get(language).unwrap_or_default();
            let day = if on.is_empty() { "" } else { on.best(language) };
            let parts = [period.as_str(), day, hours.as_str(), own].into_iter().filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(", ")
        };
        for (list, said) in [(&mut fr, line_in("fr", ["du", "au"])), (&mut en, line_in("en", ["from", "to"]))] {
            if !said.is_empty() && !list.contains(&said) && list.len() < MAX_LINES {
                list.push(said);
            }
        }
    }
    Text::new(fr.join("\n"), en.join("\n"))
}

/// Prices in words.
fn tariff(object: &Value) -> Text {
    let (mut fr, mut en): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let prices = many(at(object, &["offers"]))
        .iter()
        .flat_map(|offer| many(at(offer, &["schema:priceSpecification", "priceSpecification"])));
    for price in prices.take(MAX_LINES) {
        let least = figure(at(price, &["schema:minPrice", "minPrice", "schema:price", "price"]));
        let most = figure(at(price, &["schema:maxPrice", "maxPrice"])).filter(|most| Some(*most) != least);
        let unit = line(at(price, &["schema:priceCurrency", "priceCurrency"])).unwrap_or_else(|| "EUR".to_owned());
        let unit = if unit == "EUR" { "€".to_owned() } else { unit };
        let label = |name: &str| text(first(at(price, &[name])).and_then(|of| at(of, &["rdfs:label", "label"])));
        let (policy, mode) = (label("hasEligiblePolicy"), label("hasPricingMode"));
        let more = text(at(price, &["additionalInformation"]));
        let said = |language: &str| {
            let amount = match (least, most) {
                (Some(least), Some(most)) => format!("{least} – {most} {unit}"),
                (Some(amount), None) | (None, Some(amount)) => format!("{amount} {unit}"),
                (None, None) => String::new(),
            };
            let parts =
                [policy.best(language), amount.as_str(), mode.best(language), more.get(language).unwrap_or_default()];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
        };
        for (list, words) in [(&mut fr, said("fr")), (&mut en, said("en"))] {
            if !words.is_empty() && !list.contains(&words) {
                list.push(words);
            }
        }
    }
    Text::new(fr.join("\n"), en.join("\n"))
}

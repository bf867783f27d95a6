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
        opening: opening(object, located),
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

/// The words of a language for when something is open or takes place.
struct PeriodWords {
    language: &'static str,
    /// Before the first and the last of several days.
    days: [&'static str; 2],
    /// Before a first day without a last one, and a last day without a first one.
    open_days: [&'static str; 2],
    /// Before an hour without a second one: that it begins with, that it ends with.
    open_hours: [&'static str; 2],
    /// The days of the week, from Monday on.
    week: [&'static str; 7],
}

const FRENCH: PeriodWords = PeriodWords {
    language: "fr",
    days: ["du", "au"],
    open_days: ["à partir du", "jusqu’au"],
    open_hours: ["dès", "jusqu’à"],
    week: ["Lundi", "Mardi", "Mercredi", "Jeudi", "Vendredi", "Samedi", "Dimanche"],
};
const ENGLISH: PeriodWords = PeriodWords {
    language: "en",
    days: ["from", "to"],
    open_days: ["from", "until"],
    open_hours: ["from", "until"],
    week: WEEK,
};
/// The days of the week as schema.org names them.
const WEEK: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// A day of the week: its label, or the day that its key (`schema:Monday`) names.
struct WeekDay {
    label: Text,
    at: Option<usize>,
}

impl WeekDay {
    fn of(value: &Value) -> Self {
        let key = line(at(value, &["@id", "key"])).or_else(|| line(Some(value))).unwrap_or_default();
        let name = key.rsplit([':', '/', '#']).next().unwrap_or_default();
        Self { label: text(at(value, &["rdfs:label", "label"])), at: WEEK.iter().position(|day| *day == name) }
    }

    fn said(&self, words: &PeriodWords) -> &str {
        match self.at {
            Some(at) if self.label.is_empty() => words.week[at],
            _ => self.label.best(words.language),
        }
    }
}

/// Days and hours at which something is open or takes place.
struct Period {
    from: Option<String>,
    to: Option<String>,
    opens: Option<String>,
    closes: Option<String>,
    week_days: Vec<WeekDay>,
    more: Text,
}

impl Period {
    /// Reads one. `names`: those of its first and last day and of its first and last hour.
    fn of(value: &Value, names: [&[&str]; 4]) -> Self {
        let day = |names: &[&str]| shown_day(line(at(value, names)));
        let hour = |names: &[&str]| line(at(value, names)).map(|time| time.chars().take(5).collect::<String>());
        let [from, to, opens, closes] = names;
        Self {
            from: day(from),
            to: day(to),
            opens: hour(opens),
            closes: hour(closes),
            week_days: many(at(value, &["schema:dayOfWeek", "dayOfWeek", "appliesOnDay"]))
                .iter()
                .map(WeekDay::of)
                .collect(),
            more: text(at(value, &["additionalInformation"])),
        }
    }

    /// `du 01/07/2026 au 31/08/2026, Lundi, Mardi, 09:00 – 17:00`.
    fn said(&self, words: &PeriodWords) -> String {
        let ([since, until], [at_first, at_last]) = (words.open_days, words.open_hours);
        let days = match (&self.from, &self.to) {
            (Some(from), Some(to)) if from == to => from.clone(),
            (Some(from), Some(to)) => format!("{} {from} {} {to}", words.days[0], words.days[1]),
            (Some(from), None) => format!("{since} {from}"),
            (None, Some(to)) => format!("{until} {to}"),
            (None, None) => String::new(),
        };
        let hours = match (&self.opens, &self.closes) {
            (Some(opens), Some(closes)) => format!("{opens} – {closes}"),
            (Some(opens), None) => format!("{at_first} {opens}"),
            (None, Some(closes)) => format!("{at_last} {closes}"),
            (None, None) => String::new(),
        };
        let own = self.more.get(words.language).unwrap_or_default();
        let week_days = self.week_days.iter().map(|day| day.said(words));
        let parts = std::iter::once(days.as_str()).chain(week_days).chain([hours.as_str(), own]);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

/// When an event takes place, then opening hours, in words, period by period.
fn opening(object: &Value, located: &Value) -> Text {
    let events = many(at(object, &["takesPlaceAt"])).iter().map(|one| {
        let of_event: [&[&str]; 4] = [
            &["schema:startDate", "startDate"],
            &["schema:endDate", "endDate"],
            &["schema:startTime", "startTime"],
            &["schema:endTime", "endTime"],
        ];
        Period::of(one, of_event)
    });
    let hours =
        many(at(located, &["schema:openingHoursSpecification", "openingHoursSpecification"])).iter().map(|one| {
            let of_hours: [&[&str]; 4] = [
                &["schema:validFrom", "validFrom"],
                &["schema:validThrough", "validThrough"],
                &["schema:opens", "opens"],
                &["schema:closes", "closes"],
            ];
            Period::of(one, of_hours)
        });
    let periods: Vec<Period> = events.chain(hours).collect();
    let said = |words: &PeriodWords| {
        let mut list: Vec<String> = Vec::new();
        for said in periods.iter().map(|period| period.said(words)) {
            if !said.is_empty() && !list.contains(&said) && list.len() < MAX_LINES {
                list.push(said);
            }
        }
        list.join("\n")
    };
    Text::new(said(&FRENCH), said(&ENGLISH))
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
            let amount = if language == "fr" { amount.replace('.', ",") } else { amount };
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

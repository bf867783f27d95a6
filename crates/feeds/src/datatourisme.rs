//! JSON-LD with the words of the DATAtourisme ontology, in the form its feeds have.

use domain::Text;
use serde_json::{Map, Value, json};

use crate::words::plain_words;
use crate::{Feed, Media, MediaKind, Owner, Parcours, Poi};

/// The context, the licence, and the beginning of the graph.
pub fn head(feed: &Feed) -> String {
    let context = json!({
        "@vocab": "https://www.datatourisme.fr/ontology/core#",
        "kb": "https://www.datatourisme.fr/resource/core#",
        "schema": "http://schema.org/",
        "dc": "http://purl.org/dc/elements/1.1/",
        "dct": "http://purl.org/dc/terms/",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
        "foaf": "http://xmlns.com/foaf/0.1/",
        "ebucore": "http://www.ebu.ch/metadata/ontologies/ebucore/ebucore#",
        "olo": "http://purl.org/ontology/olo/core#",
        "dct:license": {"@type": "@id"},
        "rdfs:label": {"@container": "@language"},
        "rdfs:comment": {"@container": "@language"},
        "dc:description": {"@container": "@language"},
        "shortDescription": {"@container": "@language"},
        "ebucore:title": {"@container": "@language"},
        "creationDate": {"@type": "xsd:date"},
        "lastUpdate": {"@type": "xsd:date"},
        "tourDistance": {"@type": "xsd:float"},
        "highDifference": {"@type": "xsd:float"},
        "minAltitude": {"@type": "xsd:float"},
        "maxAltitude": {"@type": "xsd:float"},
        "duration": {"@type": "xsd:positiveInteger"},
        "schema:latitude": {"@type": "xsd:decimal"},
        "schema:longitude": {"@type": "xsd:decimal"},
    });
    format!(r#"{{"@context":{context},"dct:license":{},"@graph":["#, json!(feed.licence.path))
}

/// What ends the graph.
pub const TAIL: &str = "]}";

/// A parcours as a tour.
pub fn tour(feed: &Feed, parcours: &Parcours) -> String {
    let own = parcours.practice.as_ref().and_then(|practice| practice.word("datatourisme"));
    let types: Vec<&str> = own.into_iter().chain(["PointOfInterest", "Tour"]).collect();
    let mut object = Map::new();
    let id = format!("{}/id/parcours/{}", feed.base, parcours.id);
    put(&mut object, "@id", Some(json!(id)));
    put(&mut object, "dc:identifier", Some(json!(parcours.id.to_string())));
    put(&mut object, "@type", Some(json!(types)));
    texts(&mut object, &parcours.title, &parcours.summary, &parcours.description);
    put(&mut object, "foaf:homepage", Some(json!([parcours.page])));
    put(&mut object, "hasTourType", parcours.is_loop.map(tour_type));
    put(&mut object, "tourDistance", parcours.distance_m.map(|metres| json!(format!("{metres:.1}"))));
    put(&mut object, "duration", parcours.duration_s.map(|seconds| json!((seconds / 60.0).round().max(1.0) as i64)));
    for (name, metres) in [
        ("highDifference", parcours.ascent_m),
        ("minAltitude", parcours.min_ele_m),
        ("maxAltitude", parcours.max_ele_m),
    ] {
        put(&mut object, name, metres.map(|metres| json!(format!("{metres:.1}"))));
    }
    let Owner { email, phone, website, .. } = &*parcours.owner;
    let contact = agent(None, email.as_deref(), phone.as_deref(), website.as_deref());
    put(&mut object, "hasContact", contact.map(|agent| json!([agent])));
    put(&mut object, "isLocatedAt", parcours.start.map(|start| json!([place(start, None)])));
    about(&mut object, &parcours.owner, &parcours.media, (parcours.created_at, parcours.updated_at));
    Value::from(object).to_string()
}

fn tour_type(is_loop: bool) -> Value {
    let (id, en, fr) = if is_loop {
        ("kb:Loop", "Loop itinerary", "En boucle")
    } else {
        ("kb:OpenJaw", "One-way itinerary", "Itinérance")
    };
    json!([{"@id": id, "@type": ["TourType"], "rdfs:label": {"en": [en], "fr": [fr]}}])
}

/// A POI as a place.
pub fn poi(feed: &Feed, poi: &Poi) -> String {
    let mut types: Vec<&str> = poi.categories.iter().filter_map(|term| term.word("datatourisme")).collect();
    types.dedup();
    types.extend(["PlaceOfInterest", "PointOfInterest"]);
    let themes: Vec<Value> = poi
        .themes
        .iter()
        .filter_map(|theme| Some(json!({"@id": theme.word("datatourisme")?, "rdfs:label": lists(&theme.label)})))
        .collect();
    let mut object = Map::new();
    put(&mut object, "@id", Some(json!(format!("{}/id/poi/{}", feed.base, poi.id))));
    put(&mut object, "dc:identifier", Some(json!(poi.id.to_string())));
    put(&mut object, "@type", Some(json!(types)));
    texts(&mut object, &poi.title, &Text::default(), &poi.description);
    put(&mut object, "hasTheme", Some(json!(themes)).filter(|_| !themes.is_empty()));
    let contact = agent(None, poi.email.as_deref(), poi.phone.as_deref(), poi.website.as_deref());
    put(&mut object, "hasContact", contact.map(|agent| json!([agent])));
    let booking = agent(None, None, None, poi.booking_url.as_deref());
    put(&mut object, "hasBookingContact", booking.map(|agent| json!([agent])));
    put(&mut object, "isLocatedAt", Some(json!([place(poi.place, Some(&poi.address))])));
    about(&mut object, &poi.owner, &poi.media, (poi.created_at, poi.updated_at));
    Value::from(object).to_string()
}

fn put(object: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value {
        object.insert(name.to_owned(), value);
    }
}

/// Each language as a list of texts, as the feeds of DATAtourisme have them.
fn lists(text: &Text) -> Value {
    let pairs = text.iter().filter(|(_, words)| !words.trim().is_empty());
    pairs.map(|(language, words)| (language.to_owned(), json!([words]))).collect::<Map<_, _>>().into()
}

fn unmarked(text: &Text) -> Text {
    text.iter().map(|(language, html)| (language.to_owned(), plain_words(html))).collect()
}

fn texts(object: &mut Map<String, Value>, title: &Text, summary: &Text, description: &Text) {
    put(object, "rdfs:label", Some(lists(title)));
    let (summary, description) = (unmarked(summary), unmarked(description));
    let brief = if summary.is_empty() { &description } else { &summary };
    if brief.is_empty() {
        return;
    }
    put(object, "rdfs:comment", Some(lists(brief)));
    let mut whole = json!({"@type": ["Description"], "shortDescription": lists(brief)});
    if !description.is_empty() {
        whole["dc:description"] = lists(&description);
    }
    put(object, "hasDescription", Some(json!([whole])));
}

fn place([lon, lat]: [f64; 2], address: Option<&domain::Address>) -> Value {
    let mut place = json!({
        "@type": ["schema:Place", "Place"],
        "schema:geo": {
            "@type": ["schema:GeoCoordinates"],
            "schema:latitude": format!("{lat:.7}"),
            "schema:longitude": format!("{lon:.7}"),
        },
    });
    let Some(address) = address.filter(|address| **address != domain::Address::default()) else { return place };
    let mut lines = Map::new();
    put(&mut lines, "@type", Some(json!(["schema:PostalAddress", "PostalAddress"])));
    put(&mut lines, "schema:addressLocality", address.city.as_ref().map(|city| json!(city)));
    put(&mut lines, "schema:postalCode", address.postcode.as_ref().map(|code| json!(code)));
    put(&mut lines, "schema:streetAddress", address.street.as_ref().map(|street| json!([street])));
    place["schema:address"] = json!([lines]);
    place
}

/// A person or a body; `None` without any data.
fn agent(name: Option<&str>, email: Option<&str>, phone: Option<&str>, site: Option<&str>) -> Option<Value> {
    let mut agent = Map::new();
    put(&mut agent, "schema:legalName", name.map(|name| json!(name)));
    put(&mut agent, "schema:email", email.map(|email| json!([email])));
    put(&mut agent, "schema:telephone", phone.map(|phone| json!([phone])));
    put(&mut agent, "foaf:homepage", site.map(|site| json!([site])));
    if agent.is_empty() {
        return None;
    }
    let types = if name.is_some() {
        json!(["schema:Organization", "foaf:Agent", "Agent"])
    } else {
        json!(["foaf:Agent", "Agent"])
    };
    agent.insert("@type".to_owned(), types);
    Some(agent.into())
}

/// The creator, the dates, and the pictures.
fn about(
    object: &mut Map<String, Value>,
    owner: &Owner,
    media: &[Media],
    (created, updated): (domain::Instant, domain::Instant),
) {
    let name = if owner.structure.is_empty() { &owner.name } else { &owner.structure };
    let maker = agent(Some(name), owner.email.as_deref(), owner.phone.as_deref(), owner.website.as_deref());
    put(object, "hasBeenCreatedBy", maker.clone());
    put(object, "hasBeenPublishedBy", maker.map(|maker| json!([maker])));
    put(object, "creationDate", Some(json!(created.day())));
    put(object, "lastUpdate", Some(json!(updated.day())));
    let pictures: Vec<Value> = media.iter().filter(|media| media.kind == MediaKind::Image).map(picture).collect();
    if let Some((first, rest)) = pictures.split_first() {
        put(object, "hasMainRepresentation", Some(json!([first])));
        put(object, "hasRepresentation", Some(json!(rest)).filter(|_| !rest.is_empty()));
    }
}

fn picture(media: &Media) -> Value {
    let mut note = json!({"@type": ["ebucore:Annotation"], "ebucore:title": lists(&media.legend)});
    if let Some(author) = &media.copyright {
        note["credits"] = json!([author]);
    }
    if let Some(licence) = &media.licence {
        note["ebucore:isCoveredBy"] = json!(licence);
    }
    json!({
        "@type": ["ebucore:EditorialObject"],
        "ebucore:hasAnnotation": [note],
        "ebucore:hasRelatedResource": [{
            "@type": ["ebucore:Resource"],
            "ebucore:locator": [media.url],
            "ebucore:hasMimeType": [{"@type": ["ebucore:MimeType"], "rdfs:label": {"en": [media.mime], "fr": [media.mime]}}],
        }],
    })
}

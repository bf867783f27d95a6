//! What search engines read of a parcours: a `TouristTrip` of schema.org.

use maud::PreEscaped;
use outputs::visitor_words::Language;
use serde_json::{Map, Value, json};

use super::view::{PageLinks, PublicParcours, PublicReview};

/// The parcours as JSON-LD, escaped for a script element.
pub fn trip(parcours: &PublicParcours, links: &PageLinks, language: Language) -> PreEscaped<String> {
    let whole = |path: &str| format!("{}{path}", links.public_url);
    let mut trip = Map::new();
    let mut put_member = |key: &str, value: Value| {
        let empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        if !empty {
            trip.insert(key.to_owned(), value);
        }
    };
    put_member("@context", json!("https://schema.org"));
    put_member("@type", json!("TouristTrip"));
    put_member("@id", json!(id(links, language)));
    put_member("name", json!(parcours.title.text));
    put_member("description", json!(parcours.summary.as_ref().map(|summary| &summary.text)));
    put_member("url", json!(whole(links.path(language))));
    put_member("inLanguage", json!(parcours.title.lang.as_deref().unwrap_or(language.code())));
    put_member("image", json!(pictures(parcours, links)));
    put_member("touristType", json!(parcours.practice.iter().map(|practice| &practice.text).collect::<Vec<_>>()));
    put_member("provider", json!({"@type": "Organization", "name": parcours.brand.name}));
    put_member("itinerary", itinerary(parcours));
    let stages: Vec<Value> = parcours
        .children
        .iter()
        .filter_map(|child| {
            let url = whole(child.href.as_deref()?);
            Some(json!({"@type": "TouristTrip", "name": child.title.text, "url": url}))
        })
        .collect();
    put_member("subTrip", json!(stages));
    put_member("offers", offer(parcours));
    script(&Value::Object(trip))
}

/// Where it is booked and what it costs; nothing without either.
fn offer(parcours: &PublicParcours) -> Value {
    let mut offer = Map::new();
    if let Some((url, label)) = &parcours.booking {
        offer.insert("url".to_owned(), json!(url));
        offer.insert("name".to_owned(), json!(label.text));
    }
    if let Some(price) = &parcours.price {
        let euros = |cents: i64| format!("{}.{:02}", cents / 100, cents % 100);
        if let Some(cents) = price.cents {
            offer.insert("price".to_owned(), json!(euros(cents)));
            offer.insert("priceCurrency".to_owned(), json!("EUR"));
        }
        if let Some(most) = price.most_cents {
            let mut range = json!({"@type": "PriceSpecification", "maxPrice": euros(most), "priceCurrency": "EUR"});
            if let Some(cents) = price.cents {
                range["minPrice"] = json!(euros(cents));
            }
            offer.insert("priceSpecification".to_owned(), range);
        }
    }
    if offer.is_empty() {
        return Value::Null;
    }
    offer.insert("@type".to_owned(), json!("Offer"));
    Value::Object(offer)
}

/// The visitors' ratings, where there are any. In schema.org a trip has no rating: ratings name the reviewed item.
pub fn ratings(parcours: &PublicParcours, links: &PageLinks, language: Language) -> Option<PreEscaped<String>> {
    let average = parcours.reviews.average?;
    let of = json!({"@id": id(links, language)});
    let whole = json!({
        "@type": "AggregateRating", "itemReviewed": of, "ratingValue": average, "reviewCount": parcours.reviews.total,
        "bestRating": 5, "worstRating": 1,
    });
    let each = parcours.reviews.items.iter().map(|review| reviewed(review, &of));
    let graph: Vec<Value> = std::iter::once(whole).chain(each).collect();
    Some(script(&json!({"@context": "https://schema.org", "@graph": graph})))
}

fn reviewed(review: &PublicReview, of: &Value) -> Value {
    let mut made = json!({
        "@type": "Review",
        "itemReviewed": of,
        "reviewBody": review.text.text,
        "datePublished": review.day,
        "author": {"@type": "Person", "name": review.author},
        "reviewRating": {"@type": "Rating", "ratingValue": review.rating, "bestRating": 5, "worstRating": 1},
    });
    if let Some(title) = &review.title {
        made["name"] = json!(title.text);
    }
    made
}

/// The name of the trip among the things of the web.
fn id(links: &PageLinks, language: Language) -> String {
    format!("{}{}#trip", links.public_url, links.path(language))
}

/// Escaped for a script element: `<` would let a text close it.
fn script(value: &Value) -> PreEscaped<String> {
    PreEscaped(value.to_string().replace('<', "\\u003c"))
}

/// The picture drawn for links, and the photo.
fn pictures(parcours: &PublicParcours, links: &PageLinks) -> Vec<String> {
    let photo = parcours.cover.as_ref().map(|cover| &cover.src);
    links.card.iter().chain(photo).map(|path| format!("{}{path}", links.public_url)).collect()
}

/// The steps that have a name, in their order.
fn itinerary(parcours: &PublicParcours) -> Value {
    let named = parcours.steps.iter().filter_map(|step| Some((step.title.as_ref()?, step.position)));
    let items: Vec<Value> = named
        .zip(1..)
        .map(|((title, place), position)| {
            let geo = json!({"@type": "GeoCoordinates", "latitude": place.lat, "longitude": place.lon});
            json!({"@type": "ListItem", "position": position, "item": {"@type": "Place", "name": title.text, "geo": geo}})
        })
        .collect();
    if items.is_empty() { Value::Null } else { json!({"@type": "ItemList", "itemListElement": items}) }
}

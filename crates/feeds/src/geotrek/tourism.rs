//! Good addresses as touristic contents, structures as information desks.

use domain::Text;
use serde_json::{Map, Value, json};

use super::attachments::attachments;
use super::trek::uuid_of;
use super::{Geometry, round7};
use crate::object::{Chosen, Object};
use crate::spoken::WrittenIn;
use crate::{Feed, Origin, Owner, Poi, Term, uuid};

/// A good address, the fields that are wanted of it. Its category is its first one.
pub fn touristic_content(feed: &Feed, poi: &Poi, chosen: &Chosen) -> String {
    let category = poi.categories.first().map(|category| category.id);
    let [lon, lat] = poi.place;
    // Geotrek has two lists of types in each category, numbered after it; ours has none.
    let types = || -> Map<String, Value> {
        category.iter().flat_map(|id| [id * 100 + 1, id * 100 + 2]).map(|id| (id.to_string(), json!([]))).collect()
    };
    let mut object = Object::new(chosen);
    object
        .put("create_datetime", || poi.created_at)
        .put("update_datetime", || poi.updated_at)
        .put("id", || poi.id)
        .put("accessibility", || feed.nothing())
        .put("attachments", || attachments(feed, &poi.media))
        .put("approved", || false)
        .put("category", || category)
        .put("description", || feed.say(&poi.description))
        .put("description_teaser", || feed.nothing())
        .put("departure_city", || ())
        .put("departure_city_code", || ())
        .put("geometry", || Geometry { r#type: "Point", coordinates: [round7(lon), round7(lat)] })
        .put("label_accessibility", || ())
        .put("practical_info", || feed.say(&poi.opening))
        .put("url", || format!("{}/api/v2/touristiccontent/{}/", feed.api, poi.id))
        .put("cities", || NONE)
        .put("city_codes", || NONE)
        .put("districts", || NONE)
        .put("external_id", || poi.origin.as_ref().and_then(Origin::external_id))
        .put("name", || feed.say(&poi.title))
        .put("pdf", || feed.nothing())
        .put("portal", || [feed.reader.id])
        .put("provider", || poi.origin.as_ref().map(Origin::provider))
        .put("published", || WrittenIn(&poi.title, feed))
        .put("source", || [poi.owner.id])
        .put("structure", || poi.owner.structure_id)
        .put("themes", || poi.themes.iter().map(|theme| theme.id).collect::<Vec<_>>())
        .put("types", types)
        .put("contact", || contact(poi))
        .put("email", || poi.email.as_deref())
        .put("website", || poi.website.as_deref().or(poi.booking_url.as_deref()))
        .put("reservation_system", || ())
        .put("reservation_id", || "")
        .put("uuid", || uuid_of(feed, "poi", poi.id, poi.origin.as_ref()));
    object.end()
}

const NONE: [i64; 0] = [];

/// Where it is and its telephone, a line each.
fn contact(poi: &Poi) -> String {
    let town = [&poi.address.postcode, &poi.address.city].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    let lines = [poi.address.street.clone().unwrap_or_default(), town, poi.phone.clone().unwrap_or_default()];
    lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// A POI category as one of touristic contents.
pub fn content_category(feed: &Feed, term: &Term, chosen: &Chosen) -> String {
    let types = || {
        let one = |number: i64| json!({"id": term.id * 100 + number, "label": feed.nothing(), "values": []});
        [one(1), one(2)]
    };
    let mut object = Object::new(chosen);
    object.put("id", || term.id).put("label", || feed.name(&term.label)).put("order", || term.order);
    object.put("pictogram", || &term.picture).put("types", types);
    object.end()
}

/// The number of the one type desks have.
const DESK_TYPE: i64 = 1;

fn desk_words() -> Text {
    Text::new("Lieu de renseignement", "Information desk")
}

/// The structure behind a white-label, where one asks.
pub fn information_desk(feed: &Feed, owner: &Owner, chosen: &Chosen) -> String {
    let name = feed.each(|_| owner.structure.clone());
    let said = |value: &Option<String>| value.clone().unwrap_or_default();
    let kind = || {
        let picture = pictogram(feed);
        json!({"id": DESK_TYPE, "label": feed.name(&desk_words()), "pictogram": picture})
    };
    let mut object = Object::new(chosen);
    object
        .put("id", || owner.structure_id)
        .put("accessibility", || feed.nothing())
        .put("description", || feed.nothing())
        .put("email", || owner.email.as_deref())
        .put("label_accessibility", || ())
        .put("latitude", || owner.location.map(|[_, lat]| lat))
        .put("longitude", || owner.location.map(|[lon, _]| lon))
        .put("municipality", || owner.address.city.as_deref())
        .put("name", || feed.say(&name))
        .put("phone", || said(&owner.phone))
        .put("photo_url", || "")
        .put("uuid", || uuid(&feed.uuid_base, "structure", owner.structure_id))
        .put("postal_code", || owner.address.postcode.as_deref())
        .put("provider", || ())
        .put("street", || owner.address.street.as_deref())
        .put("type", kind)
        .put("website", || owner.website.as_deref());
    object.end()
}

/// The one type of our desks, with its number.
pub fn desk_type(feed: &Feed, chosen: &Chosen) -> (i64, String) {
    let words = desk_words();
    let mut object = Object::new(chosen);
    object.put("id", || DESK_TYPE).put("label", || feed.name(&words)).put("pictogram", || pictogram(feed));
    (DESK_TYPE, object.end())
}

fn pictogram(feed: &Feed) -> String {
    format!("{}/api/public/v1/pictograms/desk.svg", feed.base)
}

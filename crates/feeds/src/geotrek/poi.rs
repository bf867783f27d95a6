//! A POI.

use super::attachments::attachments;
use super::trek::uuid_of;
use super::{Geometry, round7};
use crate::object::{Chosen, Object};
use crate::spoken::WrittenIn;
use crate::{Feed, Origin, Poi};

/// A POI, the fields that are wanted of it. Its type is its first category.
pub fn poi(feed: &Feed, poi: &Poi, chosen: &Chosen) -> String {
    let kind = poi.categories.first();
    let [lon, lat] = poi.place;
    let mut object = Object::new(chosen);
    object
        .put("id", || poi.id)
        .put("description", || feed.say(&poi.description))
        .put("external_id", || poi.origin.as_ref().and_then(Origin::external_id))
        .put("geometry", || Geometry { r#type: "Point", coordinates: [round7(lon), round7(lat)] })
        .put("name", || feed.say(&poi.title))
        .put("attachments", || attachments(feed, &poi.media))
        .put("provider", || poi.origin.as_ref().map(Origin::provider))
        .put("published", || WrittenIn(&poi.title, feed))
        .put("structure", || poi.owner.structure_id)
        .put("type", || kind.map(|kind| kind.id))
        .put("type_label", || kind.map_or_else(|| feed.nothing(), |kind| feed.name(&kind.label)))
        .put("type_pictogram", || kind.map(|kind| kind.picture.as_str()))
        .put("url", || format!("{}/api/v2/poi/{}/", feed.api, poi.id))
        .put("uuid", || uuid_of(feed, "poi", poi.id, poi.origin.as_ref()))
        .put("view_points", || [(); 0])
        .put("create_datetime", || poi.created_at)
        .put("update_datetime", || poi.updated_at);
    object.end()
}

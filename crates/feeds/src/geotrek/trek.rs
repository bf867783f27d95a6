//! A parcours as a trek.

use std::collections::BTreeMap;

use domain::Text;
use domain::step::StepKind;
use serde::Serialize;
use trace::Position;

use super::attachments::attachments;
use super::{Geometry, round7};
use crate::object::{Chosen, Object};
use crate::spoken::WrittenIn;
use crate::{Feed, Origin, Parcours, Stop, Term, uuid};

/// A parcours, the fields that are wanted of it.
pub fn trek(feed: &Feed, parcours: &Parcours, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    put_fields(feed, parcours, &mut object);
    object.end()
}

/// A parcours that has others under it, with these.
pub fn tour(feed: &Feed, parcours: &Parcours, steps: &[&Parcours], chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    put_fields(feed, parcours, &mut object);
    object.put("count_children", || steps.len());
    let whole = Chosen::default();
    object.put_texts("steps", || steps.iter().map(|step| trek(feed, step, &whole)));
    object.end()
}

fn put_fields(feed: &Feed, parcours: &Parcours, object: &mut Object) {
    let Parcours { id, .. } = *parcours;
    let address = |rest: &str| format!("{}/api/v2/trek/{id}/{rest}", feed.api);
    object
        .put("id", || id)
        .put("access", || feed.nothing())
        .put("accessibilities", || NONE)
        .put("accessibility_advice", || feed.nothing())
        .put("accessibility_covering", || feed.nothing())
        .put("accessibility_exposure", || feed.nothing())
        .put("accessibility_level", || NULL)
        .put("accessibility_signage", || feed.nothing())
        .put("accessibility_slope", || feed.nothing())
        .put("accessibility_width", || feed.nothing())
        .put("advice", || feed.say(&parcours.warning))
        .put("advised_parking", || feed.nothing())
        .put("altimetric_profile", || address("profile/"))
        .put("ambiance", || feed.say(&parcours.description))
        .put("arrival", || feed.say_if(parcours.arrival()))
        .put("ascent", || whole(parcours.ascent_m))
        .put("attachments", || attachments(feed, &parcours.media))
        .put("attachments_accessibility", || NONE)
        .put("children", || &parcours.children)
        .put("cities", || NONE)
        .put("city_codes", || NONE)
        .put("create_datetime", || parcours.created_at)
        .put("departure", || feed.say_if(parcours.departure()))
        .put("departure_city", || NULL)
        .put("departure_city_code", || NULL)
        .put("departure_geom", || parcours.start)
        .put("descent", || -whole(parcours.descent_m))
        .put("description", || Whole(feed.each(|language| way(parcours, language)), feed.language.is_some()))
        .put("description_teaser", || feed.say(&parcours.summary))
        .put("difficulty", || parcours.level.as_ref().map(|level| level.id))
        .put("districts", || NONE)
        .put("disabled_infrastructure", || feed.nothing())
        .put("duration", || hours(parcours.duration_s))
        .put("elevation_area_url", || address("dem/"))
        .put("elevation_svg_url", || address(&format!("profile/?language={}&format=svg", feed.main())))
        .put("external_id", || parcours.origin.as_ref().and_then(Origin::external_id))
        .put("gear", || Whole(feed.each(|language| gear(parcours, language)), feed.language.is_some()))
        .put("geometry", || line(&parcours.line))
        .put("gpx", || &parcours.gpx)
        .put("information_desks", || [parcours.owner.structure_id])
        .put("kml", || &parcours.kml)
        .put("labels", || ids(parcours.tags.iter()))
        .put("length_2d", || tenth(parcours.distance_m.unwrap_or(0.0)))
        .put("length_3d", || tenth(length_3d(parcours)))
        .put("max_elevation", || whole(parcours.max_ele_m))
        .put("min_elevation", || whole(parcours.min_ele_m))
        .put("name", || feed.say(&parcours.title))
        .put("networks", || ids(parcours.markings.iter()))
        .put("next", || beside(parcours, parcours.beside.1))
        .put("parents", || parcours.parent_id.into_iter().collect::<Vec<_>>())
        .put("parking_location", || NULL)
        .put("pdf", || feed.say(&parcours.pdf))
        .put("points_reference", || points(parcours))
        .put("portal", || [feed.reader.id])
        .put("practice", || parcours.practice.as_ref().map(|practice| practice.id))
        .put("provider", || parcours.origin.as_ref().map(Origin::provider))
        .put("ratings", || ids(parcours.ratings.iter()))
        .put("ratings_description", || feed.nothing())
        .put("previous", || beside(parcours, parcours.beside.0))
        .put("public_transport", || feed.nothing())
        .put("published", || WrittenIn(&parcours.title, feed))
        .put("reservation_system", || NULL)
        .put("reservation_id", || said(parcours, "reservation_id").unwrap_or_default())
        .put("route", || parcours.is_loop.map(super::lists::route_of))
        .put("second_external_id", || said(parcours, "second_external_id"))
        .put("source", || [parcours.owner.id])
        .put("structure", || parcours.owner.structure_id)
        .put("themes", || ids(parcours.themes.iter()))
        .put("update_datetime", || parcours.updated_at)
        .put("url", || address(""))
        .put("uuid", || uuid_of(feed, "parcours", id, parcours.origin.as_ref()))
        .put("view_points", || NONE)
        .put("web_links", || web_links(feed, parcours));
}

const NULL: () = ();
const NONE: [i64; 0] = [];

/// A text made for the feed's own languages: all of them, or the one.
struct Whole(Text, bool);

impl Serialize for Whole {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.1, self.0.iter().next()) {
            (true, words) => words.map_or("", |(_, words)| words).serialize(serializer),
            (false, _) => self.0.serialize(serializer),
        }
    }
}

fn whole(metres: Option<f64>) -> i64 {
    metres.map_or(0, |metres| metres.round() as i64)
}

fn tenth(metres: f64) -> f64 {
    (metres * 10.0).round() / 10.0
}

/// Hours, to the hundredth.
fn hours(seconds: Option<f64>) -> f64 {
    (seconds.unwrap_or(0.0) / 36.0).round() / 100.0
}

fn ids<'a>(terms: impl Iterator<Item = &'a std::sync::Arc<Term>>) -> Vec<i64> {
    terms.map(|term| term.id).collect()
}

/// A value of its source that no field takes.
fn said<'a>(parcours: &'a Parcours, name: &str) -> Option<&'a str> {
    parcours.origin.as_ref()?.said.get(name).map(String::as_str)
}

/// The UUID a record came with, so that it is the same wherever it goes; one of our own for what was made here.
pub(super) fn uuid_of(feed: &Feed, kind: &str, id: i64, origin: Option<&Origin>) -> String {
    origin.and_then(Origin::uuid).map_or_else(|| uuid(&feed.uuid_base, kind, id), str::to_owned)
}

/// By parent: a trek of Geotrek may be under several.
fn beside(parcours: &Parcours, other: Option<i64>) -> BTreeMap<String, Option<i64>> {
    parcours.parent_id.map(|parent| (parent.to_string(), other)).into_iter().collect()
}

/// Positions with their height, 0 where it is not known: a reader of Geotrek expects three numbers.
fn line(line: &[Position]) -> Option<Geometry<Vec<[f64; 3]>>> {
    let coordinates: Vec<[f64; 3]> =
        line.iter().map(|at| [round7(at.lon), round7(at.lat), at.ele.map_or(0.0, tenth)]).collect();
    (coordinates.len() > 1).then_some(Geometry { r#type: "LineString", coordinates })
}

/// The steps a walker looks for, without those the planner alone needs. The description numbers the same.
fn named(parcours: &Parcours) -> impl Iterator<Item = &Stop> {
    let has_text = |stop: &&Stop| !stop.title.is_empty() || !stop.description.is_empty();
    parcours.stops.iter().filter(move |stop| stop.kind != StepKind::Waypoint || has_text(stop))
}

fn points(parcours: &Parcours) -> Option<Geometry<Vec<[f64; 2]>>> {
    let coordinates: Vec<[f64; 2]> =
        named(parcours).map(|stop| [round7(stop.position.lon), round7(stop.position.lat)]).collect();
    (!coordinates.is_empty()).then_some(Geometry { r#type: "MultiPoint", coordinates })
}

/// Along the ground: longer than on the map where it climbs.
fn length_3d(parcours: &Parcours) -> f64 {
    let pieces = parcours.line.windows(2).map(|pair| {
        let rise = pair[0].ele.zip(pair[1].ele).map_or(0.0, |(from, to)| to - from);
        let flat = trace::distance_m(pair[0], pair[1]);
        flat.hypot(rise) - flat
    });
    parcours.distance_m.unwrap_or(0.0) + pieces.sum::<f64>()
}

/// The steps as an ordered list, in a language: an item for each point of reference, so that both have one number.
fn way(parcours: &Parcours, language: &str) -> String {
    let words = |stop: &Stop| {
        let (title, text) = (stop.title.best(language).to_owned(), stop.description.best(language).to_owned());
        (title, text)
    };
    if named(parcours).all(|stop| words(stop) == Default::default()) {
        return String::new();
    }
    let items: String = named(parcours)
        .map(|stop| match words(stop) {
            (title, text) if title.is_empty() => format!("<li>{}</li>", escaped(&text)),
            (title, text) if text.is_empty() => format!("<li><strong>{}</strong></li>", escaped(&title)),
            (title, text) => format!("<li><strong>{}</strong> {}</li>", escaped(&title), escaped(&text)),
        })
        .collect();
    format!("<ol>{items}</ol>")
}

fn gear(parcours: &Parcours, language: &str) -> String {
    let items: String =
        parcours.equipment.iter().map(|item| format!("<li>{}</li>", escaped(item.label.best(language)))).collect();
    if items.is_empty() { items } else { format!("<ul>{items}</ul>") }
}

/// Plain text escaped for markup, with its line ends.
fn escaped(text: &str) -> String {
    domain::html::escaped(text).replace('\n', "<br>")
}

#[derive(Serialize)]
struct WebLink<N: Serialize> {
    name: N,
    url: String,
    category: Category<N>,
}

#[derive(Serialize)]
struct Category<N: Serialize> {
    label: N,
    id: i64,
    pictogram: String,
}

fn booking_words(feed: &Feed) -> Whole {
    let words = |language: &str| if language == "fr" { "Réserver" } else { "Book" }.to_owned();
    Whole(feed.each(words), feed.language.is_some())
}

fn booking_category(feed: &Feed) -> Category<Whole> {
    let pictogram = format!("{}/api/public/v1/pictograms/booking.svg", feed.base);
    Category { label: booking_words(feed), id: 1, pictogram }
}

/// The one kind of link there is, with its number.
pub fn link_category(feed: &Feed, chosen: &Chosen) -> (i64, String) {
    let Category { label, id, pictogram } = booking_category(feed);
    let mut object = Object::new(chosen);
    object.put("label", || label).put("id", || id).put("pictogram", || pictogram);
    (id, object.end())
}

/// The one link a parcours has: where it is booked.
fn web_links(feed: &Feed, parcours: &Parcours) -> Vec<WebLink<Whole>> {
    let link = |(url, label): &(String, Text)| WebLink {
        name: if label.is_empty() {
            booking_words(feed)
        } else {
            Whole(feed.each(|language| label.best(language).to_owned()), feed.language.is_some())
        },
        url: url.clone(),
        category: booking_category(feed),
    };
    parcours.booking.iter().map(link).collect()
}

//! The reference lists, in the form of Geotrek.

use std::sync::Arc;

use domain::Text;

use crate::object::{Chosen, Object};
use crate::{Feed, Owner, Term};

/// A practice type.
pub fn practice(feed: &Feed, term: &Term, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    object.put("id", || term.id).put("name", || feed.name(&term.label));
    object.put("order", || term.order).put("pictogram", || &term.picture);
    object.end()
}

/// The rank of a level on Cirkwi's scale, which Geotrek compares levels by.
pub fn difficulty_rank(term: &Term) -> i64 {
    term.number("cirkwi").unwrap_or(term.rank)
}

/// A level of the general scale.
pub fn difficulty(feed: &Feed, term: &Term, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    object.put("id", || term.id).put("cirkwi_level", || difficulty_rank(term));
    object.put("label", || feed.name(&term.label)).put("pictogram", || &term.picture);
    object.end()
}

/// A theme of parcours.
pub fn theme(feed: &Feed, term: &Term, chosen: &Chosen) -> String {
    labelled(feed, term, chosen)
}

/// A marking.
pub fn network(feed: &Feed, term: &Term, chosen: &Chosen) -> String {
    labelled(feed, term, chosen)
}

/// A POI category.
pub fn poi_type(feed: &Feed, term: &Term, chosen: &Chosen) -> String {
    labelled(feed, term, chosen)
}

fn labelled(feed: &Feed, term: &Term, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    object.put("id", || term.id).put("label", || feed.name(&term.label)).put("pictogram", || &term.picture);
    object.end()
}

/// A tag.
pub fn label(feed: &Feed, term: &Term, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    object.put("id", || term.id).put("advice", || feed.name(&term.description)).put("filter", || true);
    object.put("name", || feed.name(&term.label)).put("pictogram", || &term.picture);
    object.end()
}

/// A level of another scale.
pub fn rating(feed: &Feed, term: &Term, scale: i64, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    object.put("id", || term.id).put("name", || feed.name(&term.label));
    object.put("description", || feed.say(&term.description)).put("scale", || scale);
    object.put("order", || term.rank).put("color", || term.color.as_deref().unwrap_or("#ffffff"));
    object.end()
}

/// The scales beside the general one, by their code. Their number is the least of their levels': it stays as long as the
/// level does.
pub fn scales(levels: &[Arc<Term>]) -> Vec<(i64, &str)> {
    let mut found: Vec<(i64, &str)> = Vec::new();
    for level in levels {
        let Some(scale) = level.scale.as_deref().filter(|scale| *scale != "general") else { continue };
        match found.iter_mut().find(|(_, known)| *known == scale) {
            Some((number, _)) => *number = level.id.min(*number),
            None => found.push((level.id, scale)),
        }
    }
    found
}

/// A scale.
pub fn rating_scale(feed: &Feed, (number, code): (i64, &str), chosen: &Chosen) -> String {
    let name: Text = feed.each(|_| code.replace('-', " "));
    let mut object = Object::new(chosen);
    object.put("id", || number).put("name", || feed.name(&name)).put("practice", || ());
    object.end()
}

/// Loop, there and back, one way: Geotrek's own three, by their usual numbers.
const ROUTES: [(i64, &str, &str, &str); 3] = [
    (1, "loop", "Boucle", "Loop"),
    (2, "return", "Aller-retour", "Return trip"),
    (3, "cross", "Traversée", "Crossing"),
];

/// The number of the kind of a parcours: loop, there and back, or one way.
pub(super) fn route_of(is_loop: bool) -> i64 {
    if is_loop { ROUTES[0].0 } else { ROUTES[2].0 }
}

/// The three, with their numbers.
pub fn routes(feed: &Feed, chosen: &Chosen) -> Vec<(i64, String)> {
    let one = |(id, icon, fr, en): (i64, &str, &str, &str)| {
        let name = Text::new(fr, en);
        let mut object = Object::new(chosen);
        object.put("id", || id);
        object.put("pictogram", || format!("{}/api/public/v1/pictograms/route-{icon}.svg", feed.base));
        object.put("route", || feed.name(&name));
        (id, object.end())
    };
    ROUTES.map(one).into()
}

/// A portal or an owner by number and name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<'a> {
    pub id: i64,
    pub name: &'a str,
}

/// A structure.
pub fn structure(named: Named, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    object.put("id", || named.id).put("name", || named.name);
    object.end()
}

/// A white-label that owns distributed content, with the address of its logo.
pub fn source(owner: &Owner, logo: Option<&str>, chosen: &Chosen) -> String {
    let mut object = Object::new(chosen);
    object.put("id", || owner.id).put("name", || &owner.name);
    object.put("pictogram", || logo.unwrap_or_default());
    object.put("website", || owner.site.as_deref().or(owner.website.as_deref()).unwrap_or_default());
    object.end()
}

/// The white-label whose key asks.
pub fn portal(feed: &Feed, chosen: &Chosen) -> String {
    let owner = &feed.reader;
    let title = feed.each(|_| owner.name.clone());
    let mut object = Object::new(chosen);
    object.put("id", || owner.id).put("description", || feed.nothing()).put("name", || &owner.name);
    object.put("title", || feed.say(&title)).put("website", || owner.site.as_deref().unwrap_or_default());
    object.end()
}

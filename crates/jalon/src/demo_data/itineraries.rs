//! The demo's itineraries: the cycle routes its signs show, and its rivers, as the region itself has them.

use std::collections::{BTreeMap, HashMap};

use demo::Region;
use domain::Text;
use domain::itinerary::{ItineraryKind, ItinerarySheet, MultiLine};
use extract::{Element, MemberKind, Way};
use store::itinerary::Itineraries;
use store::record::{Change, Stored};
use store::{Store, StoreError};
use trace::Position;

use crate::config::Config;
use crate::wiring;

/// Colours of cycle routes, one after another.
const COLORS: [&str; 4] = ["#00695C", "#AD1457", "#E65100", "#6A1B9A"];
/// The colour of rivers.
const RIVER: &str = "#0277BD";
/// Points closer than this to the simplified line are dropped, metres.
const SIMPLIFY_M: f64 = 2.0;

/// Stores the itineraries.
pub async fn fill(config: &Config, store: &Store, region: &Region) -> Result<(), StoreError> {
    let tx = store.begin().await?;
    for sheet in cycle_routes(region).into_iter().chain(rivers(region)) {
        let mut new = Stored::blank(None, wiring::now());
        new.sheet = sheet;
        let change = Change { by: None, at: wiring::now(), reason: None, languages: &config.content_languages };
        store::record::insert::<Itineraries>(&tx, new, change).await?;
    }
    tx.commit().await
}

/// The signed routes for bicycles.
fn cycle_routes(region: &Region) -> Vec<ItinerarySheet> {
    let ground = Ground::of(region);
    let relations = region.elements.iter().filter_map(|element| match element {
        Element::Relation(relation) if relation.tags.get("route") == Some("bicycle") => Some(relation),
        _ => None,
    });
    let sheet = |(number, relation): (usize, &extract::Relation)| {
        let members = relation.members.iter().filter(|member| member.kind == MemberKind::Way);
        ItinerarySheet {
            name: named(relation.tags.get("name").unwrap_or_default()),
            kind: ItineraryKind::CycleRoute,
            code: relation.tags.get("ref").map(str::to_owned),
            color: COLORS.get(number % COLORS.len()).map(|color| (*color).to_owned()),
            description: Text::new(
                "<p>Itinéraire cyclable balisé d’Orsel et de Sauvelle.</p>",
                "<p>A signed cycle route of Orsel and Sauvelle.</p>",
            ),
            line: Some(ground.line(members.filter_map(|member| ground.ways.get(&member.id).copied()))),
            ..ItinerarySheet::default()
        }
    };
    relations.enumerate().map(sheet).collect()
}

/// The rivers, each of all its pieces.
fn rivers(region: &Region) -> Vec<ItinerarySheet> {
    let ground = Ground::of(region);
    let mut pieces: BTreeMap<&str, Vec<&Way>> = BTreeMap::new();
    for element in &region.elements {
        if let Element::Way(way) = element
            && way.tags.get("waterway") == Some("river")
            && let Some(name) = way.tags.get("name")
        {
            pieces.entry(name).or_default().push(way);
        }
    }
    let sheet = |(name, ways): (&str, Vec<&Way>)| ItinerarySheet {
        name: named(name),
        kind: ItineraryKind::River,
        color: Some(RIVER.to_owned()),
        description: Text::new(
            "<p>Rivière : ses rives portent chemins et voies vertes.</p>",
            "<p>A river: paths and greenways run along its banks.</p>",
        ),
        line: Some(ground.line(ways.into_iter())),
        ..ItinerarySheet::default()
    };
    pieces.into_iter().map(sheet).collect()
}

/// A name of the region is the same in both languages.
fn named(name: &str) -> Text {
    Text::new(name, name)
}

/// The region's nodes and ways by their numbers.
struct Ground<'a> {
    nodes: HashMap<i64, Position>,
    ways: HashMap<i64, &'a Way>,
}

impl<'a> Ground<'a> {
    fn of(region: &'a Region) -> Self {
        let mut ground = Self { nodes: HashMap::new(), ways: HashMap::new() };
        for element in &region.elements {
            match element {
                Element::Node(node) => {
                    ground.nodes.insert(node.id, Position::new(node.lon, node.lat));
                }
                Element::Way(way) => {
                    ground.ways.insert(way.id, way);
                }
                Element::Relation(_) => {}
            }
        }
        ground
    }

    /// The ways as one line; those that go on where the last ended are one piece.
    fn line<'w>(&self, ways: impl Iterator<Item = &'w Way>) -> MultiLine {
        let mut pieces: Vec<Vec<i64>> = Vec::new();
        for way in ways {
            match pieces.last_mut() {
                Some(piece) if piece.last() == way.nodes.first() => piece.extend(way.nodes.iter().skip(1)),
                Some(piece) if piece.last() == way.nodes.last() => piece.extend(way.nodes.iter().rev().skip(1)),
                _ => pieces.push(way.nodes.clone()),
            }
        }
        let placed = |piece: Vec<i64>| piece.iter().filter_map(|id| self.nodes.get(id).copied()).collect();
        MultiLine::of(pieces.into_iter().map(placed)).thinned(SIMPLIFY_M)
    }
}

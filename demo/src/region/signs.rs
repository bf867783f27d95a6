//! Objects along the ways: settlements' names, houses, shops, tops, passes, guideposts; and the signed routes.

use std::collections::HashMap;

use extract::{Element, Member, MemberKind, Relation};

use super::lines::{Built, Layout};
use super::network::Network;
use super::plan::{Class, Size};
use super::streets::House;
use super::tags::{TagList, of};
use super::{Builder, Place};
use crate::curve::nudged;
use crate::graph::{Graph, Mood};
use crate::ground::{self, Spot, between, distance};
use crate::random::Random;
use crate::terrain;

/// Paths whose first metres are stairs.
pub fn has_stairs(name: &str) -> bool {
    ["Descente du Lavoir", "Sentier des Belvédères", "Sentier de Chantegrive", "Rue Haute", "Chemin du Port"]
        .contains(&name)
}

/// Names of places: settlements, tops, passes, viewpoints, the lake's beach and landings.
pub fn places(builder: &mut Builder, layout: &Layout) {
    for built in &layout.settlements {
        let kind = match built.size {
            Size::Town => "town",
            Size::Village => "village",
            Size::Hamlet => "hamlet",
        };
        let tags = TagList::of(&[("place", kind), ("population", &built.inhabitants.to_string())]);
        builder.place(built.name, kind, built.centre, tags);
    }
    let ele = |spot: Spot| format!("{:.0}", terrain::height(spot));
    for (name, spot) in &layout.tops {
        builder.place(name, "peak", *spot, TagList::of(&[("natural", "peak"), ("ele", &ele(*spot))]));
    }
    for (name, spot) in &layout.passes {
        let tags = TagList::of(&[("natural", "saddle"), ("mountain_pass", "yes"), ("ele", &ele(*spot))]);
        builder.place(name, "pass", *spot, tags);
    }
    for (name, spot) in &layout.viewpoints {
        builder.place(name, "viewpoint", *spot, TagList::of(&[("tourism", "viewpoint"), ("ele", &ele(*spot))]));
    }
    borders(builder);
    for (spot, name) in layout.gates.iter().zip(["Portail ouest du Grand Domaine", "Portail est du Grand Domaine"]) {
        builder.place(name, "gate", *spot, TagList::of(&[("barrier", "gate"), ("foot", "yes")]));
    }
    for (name, kind, spot, key) in STANDING {
        builder.place(name, kind, spot, TagList::of(&[(key, kind)]));
    }
}

/// Where roads leave the region: places for a parcours, nothing on the map.
fn borders(builder: &mut Builder) {
    for (name, spot) in super::plan::ANCHORS {
        let (lon, lat) = ground::degrees(spot);
        let (name, kind) = (name.to_owned(), "border".to_owned());
        builder.places.push(Place { name, kind, lon, lat, settlement: String::new() });
    }
}

/// Places drawn by hand: name, value of the main tag, spot, key of the main tag.
const STANDING: [(&str, &str, Spot, &str); 18] = [
    ("Cascade de l’Épinette", "waterfall", [10_250.0, 16_150.0], "waterway"),
    ("Plage du Ponton", "beach_resort", [7_700.0, 18_500.0], "leisure"),
    ("Camping de la Roselière", "camp_site", [10_500.0, 19_150.0], "tourism"),
    ("Refuge du Hêtre", "alpine_hut", [14_500.0, 17_750.0], "tourism"),
    ("Château de Peyregrosse", "castle", [8_000.0, 5_400.0], "historic"),
    ("Ruines de Montclar", "ruins", [3_900.0, 17_200.0], "historic"),
    ("Chapelle Sainte-Aure", "chapel", [17_650.0, 11_700.0], "historic"),
    ("Dolmen de la Fade", "archaeological_site", [20_100.0, 11_900.0], "historic"),
    ("Source de la Fontbrune", "spring", [24_650.0, 19_500.0], "natural"),
    ("Grotte des Charbonniers", "cave_entrance", [20_900.0, 16_250.0], "natural"),
    ("Moulin de la Lauze", "watermill", [11_900.0, 12_750.0], "man_made"),
    ("Table d’orientation du Plateau", "viewpoint", [19_300.0, 11_900.0], "tourism"),
    ("Abri des Bergers", "shelter", [20_300.0, 19_000.0], "amenity"),
    ("Aire de la Croix-Blanche", "picnic_site", [11_500.0, 8_300.0], "tourism"),
    ("Croix des Colporteurs", "wayside_cross", [15_600.0, 19_300.0], "historic"),
    ("Ferme des Airelles", "farm", [22_700.0, 13_300.0], "place"),
    ("Observatoire des Étangs", "hide", [9_950.0, 8_000.0], "leisure"),
    ("Rocher d’escalade de Malaval", "sports_centre", [13_300.0, 6_100.0], "leisure"),
];

/// The washhouse, where the path that is named after it comes to the shore.
pub fn washhouse(builder: &mut Builder, layout: &Layout) {
    let path = layout.lines.iter().find(|line| line.name == "Descente du Lavoir");
    let Some((shore, _)) = path.and_then(|line| line.points.last()) else { return };
    builder.place("Lavoir des Tisserands", "lavoir", *shore, TagList::of(&[("amenity", "lavoir")]));
}

/// The boat across the lake, and its landings on the shore path.
pub fn ferry(builder: &mut Builder, layout: &Layout, network: &Network, ids: &[i64]) {
    let names = ["Ponton des pêcheurs", "Port de Brévine"];
    let mut ends = Vec::new();
    for (landing, name) in layout.landings.iter().zip(names) {
        let away = |index: usize| distance(network.spots[index], *landing);
        let nearest = (0..ids.len()).filter(|i| ids[*i] > 0).min_by(|a, b| away(*a).total_cmp(&away(*b)));
        let Some(index) = nearest else { return };
        builder.place(name, "landing", network.spots[index], TagList::of(&[("amenity", "ferry_terminal")]));
        ends.push((ids[index], network.spots[index]));
    }
    let (from, to) = (ends[0], ends[1]);
    let mut nodes = vec![from.0];
    for k in 1..12 {
        let part = f64::from(k) / 12.0;
        let [x, y] = between(from.1, to.1, part);
        // The boat keeps to the middle of the water.
        let swing = (part * std::f64::consts::PI).sin() * 160.0;
        nodes.push(builder.node([x + swing, y - swing * 0.8], TagList::default()));
    }
    nodes.push(to.0);
    let tags = [
        ("route", "ferry"),
        ("name", "Bac du lac de Brève"),
        ("foot", "yes"),
        ("bicycle", "yes"),
        ("motor_vehicle", "no"),
        ("duration", "00:20"),
        ("opening_hours", "Apr-Oct"),
    ];
    builder.way(nodes, TagList::of(&tags).done());
}

/// The houses of a settlement, and what some of them are.
pub fn houses(builder: &mut Builder, built: &Built, houses: &[House], random: &mut Random) {
    let centre = |house: &House| between(house[0], house[2], 0.5);
    let mut nearest: Vec<&House> = houses.iter().collect();
    nearest.sort_by(|a, b| distance(centre(a), built.centre).total_cmp(&distance(centre(b), built.centre)));
    for house in &nearest {
        builder.ring(&house[..], TagList::of(&[("building", if random.chance(0.8) { "house" } else { "yes" })]));
    }
    let services: &[(&str, &str, &str)] = match built.size {
        Size::Town => &TOWN,
        Size::Village => &TOWN[..9],
        Size::Hamlet => &TOWN[..2],
    };
    // From the centre to the edge: a village is not all on its square.
    let apart = (nearest.len() / (services.len() + 3)).clamp(1, 12);
    for (house, (key, value, name)) in nearest.iter().step_by(apart).zip(services) {
        let name = name.replace("{}", &of(built.name));
        builder.place(&name, value, centre(house), TagList::of(&[(key, value)]));
        if let Some(place) = builder.places.last_mut() {
            built.name.clone_into(&mut place.settlement);
        }
    }
}

const TOWN: [(&str, &str, &str); 20] = [
    ("amenity", "drinking_water", "Fontaine {}"),
    ("historic", "wayside_cross", "Croix {}"),
    ("amenity", "place_of_worship", "Église {}"),
    ("amenity", "townhall", "Mairie {}"),
    ("shop", "bakery", "Fournil {}"),
    ("amenity", "cafe", "Café {}"),
    ("amenity", "parking", "Parking {}"),
    ("amenity", "toilets", "Toilettes {}"),
    ("highway", "bus_stop", "Arrêt {}"),
    ("tourism", "information", "Office de tourisme {}"),
    ("amenity", "pharmacy", "Pharmacie {}"),
    ("shop", "bicycle", "Cycles {}"),
    ("amenity", "restaurant", "Auberge {}"),
    ("tourism", "hotel", "Hôtel {}"),
    ("tourism", "museum", "Musée {}"),
    ("shop", "supermarket", "Marché couvert {}"),
    ("amenity", "school", "École {}"),
    ("amenity", "post_office", "Poste {}"),
    ("amenity", "bicycle_repair_station", "Station vélo {}"),
    ("amenity", "charging_station", "Recharge {}"),
];

/// Guideposts, benches, springs and crosses along paths and tracks.
pub fn along_paths(builder: &mut Builder, layout: &Layout, network: &Network, random: &mut Random) {
    let mut ends: HashMap<usize, (usize, usize)> = HashMap::new();
    for stretch in &network.stretches {
        let on_foot = matches!(layout.lines[stretch.line].class, Class::Path | Class::Track);
        for end in [stretch.nodes[0], stretch.nodes[stretch.nodes.len() - 1]] {
            let count = ends.entry(end).or_default();
            count.0 += 1;
            count.1 += usize::from(on_foot);
        }
    }
    let mut meetings: Vec<usize> =
        ends.into_iter().filter(|(_, (all, on_foot))| *all > 2 && *on_foot > 1).map(|(node, _)| node).collect();
    meetings.sort_unstable();
    for node in meetings {
        let beside = nudged(network.spots[node], 5.0, random);
        match random.index(5) {
            0 | 1 => {
                let ele = format!("{:.0}", terrain::height(beside));
                builder.node(
                    beside,
                    TagList::of(&[("tourism", "information"), ("information", "guidepost"), ("ele", &ele)]),
                );
            }
            2 => drop(builder.node(beside, TagList::of(&[("amenity", "bench")]))),
            _ => {}
        }
    }
}

/// A signed route: name, number, kind, network, symbol, who goes, places.
type Signed = (&'static str, &'static str, &'static str, &'static str, &'static str, Mood, &'static [&'static str]);

const SIGNED: [Signed; 14] = [
    (
        "Tour du lac de Brève",
        "TLB",
        "hiking",
        "lwn",
        "blue:white:blue_bar",
        Mood::Walk,
        &[
            "Montpezel",
            "Belvédère de la Digue",
            "Belvédère de Chantegrive",
            "Brévine",
            "Belvédère de la Roche-aux-Hérons",
            "Montpezel",
        ],
    ),
    (
        "Grande Traversée du Val d’Orsel",
        "GTO",
        "hiking",
        "rwn",
        "orange:white:orange_bar",
        Mood::Walk,
        &[
            "Orsel-le-Vieux",
            "Combe-Noire",
            "Col du Hêtre",
            "Les Échines",
            "La Roche-Vive",
            "Vernet-le-Haut",
            "Sauvelle",
        ],
    ),
    (
        "Crête des Échines",
        "CE",
        "hiking",
        "lwn",
        "yellow:white:yellow_bar",
        Mood::Walk,
        &["Montpezel", "Les Échines", "Col du Hêtre"],
    ),
    (
        "Boucle des Étangs",
        "BE",
        "hiking",
        "lwn",
        "green:white:green_dot",
        Mood::Walk,
        &["Charnoux", "Observatoire des Étangs", "Aire de la Croix-Blanche", "Charnoux"],
    ),
    (
        "Tour du Hautier",
        "TH",
        "hiking",
        "lwn",
        "yellow:white:yellow_dot",
        Mood::Walk,
        &["Hautier", "Abri des Bergers", "Aigrevent", "Hautier"],
    ),
    (
        "Chemin des Muletiers de Sauvelle",
        "CMS",
        "hiking",
        "rwn",
        "brown:white:brown_bar",
        Mood::Walk,
        &["Peyremarle", "Malaval", "Vernet-le-Haut", "Trémoulède", "La Sagne", "Fontbrune"],
    ),
    (
        "Boucle de Chantemerle",
        "BC",
        "hiking",
        "lwn",
        "blue:white:blue_dot",
        Mood::Walk,
        &["Montpezel", "Ruines de Montclar", "Chantemerle", "Montpezel"],
    ),
    (
        "Sentier de la Sauvelle",
        "SS",
        "hiking",
        "lwn",
        "green:white:green_bar",
        Mood::Walk,
        &["Sauvelle", "Vernet-le-Bas", "Valserre"],
    ),
    ("Véloroute de la Lorne", "VL", "bicycle", "rcn", "", Mood::Tour, &["Lornay", "La Roche-Vive", "Fontbrune"]),
    ("Véloroute de la Sauvelle", "VS", "bicycle", "rcn", "", Mood::Tour, &["Peyremarle", "Sauvelle", "Valserre"]),
    (
        "Boucle des Trois Bourgs",
        "B3",
        "bicycle",
        "lcn",
        "",
        Mood::Rough,
        &["Montpezel", "Lornay", "La Roche-Vive", "Les Échines", "Montpezel"],
    ),
    (
        "Tour cycliste du lac",
        "TCL",
        "bicycle",
        "lcn",
        "",
        Mood::Tour,
        &["Montpezel", "La Brède", "Brévine", "Orsel-le-Vieux"],
    ),
    (
        "Grande Traversée VTT des Trois Vallées",
        "T3",
        "mtb",
        "rcn",
        "",
        Mood::Rough,
        &["Brévine", "Combe-Noire", "Les Échines", "La Roche-Vive", "Fontaulière", "Vernet-le-Haut", "Sauvelle"],
    ),
    (
        "Circuit VTT du Bois Noir",
        "V2",
        "mtb",
        "lcn",
        "",
        Mood::Rough,
        &["Charnoux", "Bellesagne", "Peyremarle", "Malaval", "Charnoux"],
    ),
];

/// The signed routes, over the existing ways.
pub fn routes(elements: &[Element], places: &[Place], relations: &mut Vec<Relation>) {
    let graph = Graph::new(elements);
    for (name, reference, kind, network, symbol, mood, through) in SIGNED {
        let stops: Vec<i64> = through
            .iter()
            .filter_map(|name| places.iter().find(|place| place.name == *name))
            .filter_map(|place| graph.nearest(ground::spot(place.lon, place.lat), mood))
            .collect();
        let Some(journey) = graph.through(&stops, mood) else { continue };
        let mut seen = std::collections::HashSet::new();
        let members = journey
            .ways
            .into_iter()
            .filter(|way| seen.insert(*way))
            .map(|id| Member { kind: MemberKind::Way, id, role: String::new() })
            .collect();
        let tags = [
            ("type", "route"),
            ("route", kind),
            ("network", network),
            ("name", name),
            ("ref", reference),
            ("osmc:symbol", symbol),
            ("operator", "Pays d’Orsel et de Sauvelle"),
        ];
        let id = relations.len() as i64 + 1;
        relations.push(Relation { id, tags: TagList::of(&tags).done(), members });
    }
}

//! A made-up trip through the demo's made-up region: its roads, heights, names and drawn pictures; our own words.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use demo::{Graph, Mood, Region};
use extract::Element;
use roadbook::data::{
    Advice, Brand, Contact, Day, Maneuver, Meal, Photo, Qr, Service, Stay, Step, StepKind, TracePoint, Trip, Voucher,
};
use roadbook::{Blob, Output, Request, Roadbook};

/// How much of everything.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// 1 to 5; past that, the way goes round again.
    pub days: usize,
    /// A day.
    pub steps: usize,
    /// In all, on photos pages.
    pub photos: usize,
    /// Nights with a page.
    pub stays: usize,
}

/// Three days of a usual trip.
pub const USUAL: Shape = Shape { days: 3, steps: 14, photos: 6, stays: 2 };

const WAYS: [[&str; 4]; 5] = [
    ["Brévine", "Montpezel", "Lornay", "Peyremarle"],
    ["Peyremarle", "Charnoux", "Malaval", "Sauvelle"],
    ["Sauvelle", "Vernet-le-Bas", "Valserre", "Fontaulière"],
    ["Fontaulière", "La Roche-Vive", "Hautier", "Fontbrune"],
    ["Fontbrune", "Aigrevent", "Orsel-le-Vieux", "Brévine"],
];

/// Title, text, turn, kind, what is found there.
type Row = (&'static str, &'static str, Option<Maneuver>, StepKind, &'static [Service]);

const STEPS: [Row; 14] = [
    (
        "Place du Lavoir",
        "Quitter la place par l'est, entre la halle et la fontaine : les pavés glissent.",
        Some(Maneuver::Departure),
        StepKind::Departure,
        &[Service::Water],
    ),
    (
        "Porte du Moulin",
        "À gauche, descente vers la rivière. Circulation modérée, serrer à droite.",
        Some(Maneuver::TurnLeft),
        StepKind::Step,
        &[Service::Caution],
    ),
    (
        "Pont des Loges",
        "À droite après le pont. Boulangerie ouverte dès 7 h (sauf lundi).",
        Some(Maneuver::TurnRight),
        StepKind::Step,
        &[Service::Food, Service::Water],
    ),
    (
        "Chapelle Saint-Aubin",
        "Laisser le vélo au portillon : la fresque vaut cinq minutes.",
        None,
        StepKind::Favourite,
        &[Service::Viewpoint],
    ),
    (
        "Fourche des Tilleuls",
        "Obliquer à droite, la petite route monte entre deux murets.",
        Some(Maneuver::SlightRight),
        StepKind::Step,
        &[],
    ),
    (
        "Fontaine aux Mulets",
        "Remplir ici : rien avant 9 km.",
        Some(Maneuver::Straight),
        StepKind::Step,
        &[Service::Water],
    ),
    (
        "Col des Quatre-Vents",
        "Vue jusqu'aux crêtes. Enfiler un coupe-vent avant la descente.",
        None,
        StepKind::Step,
        &[Service::Viewpoint],
    ),
    (
        "Variante du lac",
        "Par la rive : 2,4 km de plus, piste stabilisée, aucune voiture.",
        Some(Maneuver::SlightLeft),
        StepKind::OptionalStep,
        &[],
    ),
    (
        "Descente du Bois-Noir",
        "Virage serré à gauche au bas de la pente ; gravillons.",
        Some(Maneuver::SharpLeft),
        StepKind::Step,
        &[Service::Caution],
    ),
    (
        "Rond-point de la gare",
        "Deuxième sortie, direction centre. Atelier vélo sous le porche.",
        Some(Maneuver::Roundabout),
        StepKind::Step,
        &[Service::Repair, Service::Train],
    ),
    ("Ferme des Essarts", "Fromages et soupe le midi, réserver la veille.", None, StepKind::Advice, &[Service::Food]),
    (
        "Barrière forestière",
        "Contourner par la gauche, la piste est interdite aux voitures.",
        Some(Maneuver::SlightLeft),
        StepKind::Step,
        &[],
    ),
    (
        "Hameau des Fontaines",
        "Tout droit dans le hameau, chiens bavards mais attachés.",
        Some(Maneuver::Straight),
        StepKind::Step,
        &[Service::Water],
    ),
    (
        "Auberge du Pré-Haut",
        "Arrivée par la cour, garage à vélos au fond à droite.",
        Some(Maneuver::Arrival),
        StepKind::StepNight,
        &[Service::Food],
    ),
];

/// The region, made once.
pub fn region() -> &'static Region {
    static REGION: OnceLock<Region> = OnceLock::new();
    REGION.get_or_init(demo::region)
}

/// Prepared tiles of the region, made once a process.
pub fn tiles() -> PathBuf {
    static TILES: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = TILES.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a folder");
        let path = write_tiles(dir.path());
        (dir, path)
    });
    path.clone()
}

/// Writes the region's tiles into a folder.
pub fn write_tiles(dir: &Path) -> PathBuf {
    let pbf = dir.join("region.osm.pbf");
    extract::write_pbf(&pbf, &region().header(), &region().elements).expect("an extract");
    let path = dir.join("basemap.pmtiles");
    basemap::build(&pbf, None, &path, &mut |_| {}).expect("tiles");
    path
}

/// A whole request.
pub fn request(shape: Shape) -> Request {
    let pictures = pictures();
    let names: Vec<String> = pictures.keys().cloned().collect();
    Request { roadbook: book(shape, &names), blobs: pictures, tiles: Some(tiles()), output: Output::Pdf }
}

/// As many as differ; a larger book shows some again.
const MAX_PICTURES: usize = 12;

/// The demo's first pictures, drawn once.
pub fn pictures() -> BTreeMap<String, Blob> {
    static PICTURES: OnceLock<BTreeMap<String, Blob>> = OnceLock::new();
    PICTURES
        .get_or_init(|| {
            let content = demo::content::content(region());
            let drawn = content.pictures.iter().take(MAX_PICTURES);
            drawn
                .map(|picture| (format!("{}.jpg", picture.key), Blob::Bytes(picture.jpeg().expect("a picture"))))
                .collect()
        })
        .clone()
}

fn trace(way: [&str; 4]) -> Vec<TracePoint> {
    static PLACES: OnceLock<(Graph, BTreeMap<i64, [f64; 2]>)> = OnceLock::new();
    let (graph, nodes) = PLACES.get_or_init(|| {
        let nodes = region().elements.iter().filter_map(|element| match element {
            Element::Node(node) => Some((node.id, [node.lon, node.lat])),
            _ => None,
        });
        (Graph::new(&region().elements), nodes.collect())
    });
    let stops: Vec<i64> = way
        .iter()
        .map(|name| {
            let place = region().place(name).unwrap_or_else(|| panic!("no {name}"));
            let near = |at: &[f64; 2]| (at[0] - place.lon).powi(2) + (at[1] - place.lat).powi(2);
            let node = nodes.iter().min_by(|a, b| near(a.1).total_cmp(&near(b.1))).expect("a node").0;
            graph.nearest(graph.spot(*node), Mood::Road).expect("a road")
        })
        .collect();
    let journey = graph.through(&stops, Mood::Road).expect("a way");
    journey.nodes.iter().map(|node| nodes[node]).map(|[lon, lat]| (lon, lat, Some(demo::ele(lon, lat)))).collect()
}

/// Metres from the start, at each point.
fn along(trace: &[TracePoint]) -> Vec<f64> {
    let mut at = 0.0;
    let mut all = vec![0.0];
    for pair in trace.windows(2) {
        let x = (pair[1].0 - pair[0].0).to_radians() * pair[0].1.to_radians().cos();
        at += x.hypot((pair[1].1 - pair[0].1).to_radians()) * 6_371_008.8;
        all.push(at);
    }
    all
}

fn photo(name: &str, caption: &str) -> Photo {
    Photo {
        blob: name.to_owned(),
        alt: "Un paysage de la vallée d'Orsel.".to_owned(),
        caption: caption.to_owned(),
        credit: "© Agence des Trois-Vallées".to_owned(),
        focus: Some([0.5, 0.6]),
    }
}

fn day(index: usize, shape: Shape, photos: &mut impl Iterator<Item = String>, photos_here: usize) -> Day {
    let way = WAYS[index % WAYS.len()];
    let trace = trace(way);
    let at = along(&trace);
    let length_m = *at.last().expect("a length");
    let climb = |sign: f64| {
        trace.windows(2).map(|pair| (sign * (pair[1].2.unwrap_or(0.0) - pair[0].2.unwrap_or(0.0))).max(0.0)).sum()
    };
    let last = shape.steps.saturating_sub(1).max(1);
    let steps = (0..shape.steps)
        .map(|k| {
            let wanted = length_m * (k as f64 / last as f64);
            let point = at.partition_point(|metres| *metres < wanted).min(trace.len() - 1);
            let (title, text, maneuver, kind, services) = match k {
                0 => STEPS[0],
                k if k == last => STEPS[13],
                k => STEPS[1 + (k - 1) % 12],
            };
            Step {
                number: k as u32 + 1,
                label: String::new(),
                kind,
                maneuver,
                title: title.to_owned(),
                text: text.to_owned(),
                services: services.to_vec(),
                at_m: at[point],
                altitude_m: trace[point].2,
                lon: trace[point].0,
                lat: trace[point].1,
                distance_to_next_m: None,
            }
        })
        .collect();
    Day {
        number: index as u32 + 1,
        date: Some(format!("2027-05-{:02}", 14 + index % 15)),
        origin: way[0].to_owned(),
        destination: way[3].to_owned(),
        intro: format!(
            "On quitte {} par les jardins, on suit l'eau, puis la route s'élève sans à-coup : une seule vraie côte, après {}.",
            way[0], way[1]
        ),
        length_m,
        ascent_m: Some(climb(1.0)),
        descent_m: Some(climb(-1.0)),
        duration_s: Some((length_m / 4.2 / 300.0).round() * 300.0),
        level: "Facile".to_owned(),
        level_rank: 2,
        reliability: Some(98.0),
        trace,
        steps,
        stay: (index < shape.stays).then(|| stay(way[3], photos.next())),
        photos: photos
            .take(photos_here)
            .map(|name| photo(&name, "Un matin sans vent, depuis la petite route."))
            .collect(),
        notices: if index == 0 {
            vec!["Passerelle des Loges fermée jusqu'au 20 mai : passer par le pont, 300 m plus bas.".to_owned()]
        } else {
            Vec::new()
        },
    }
}

fn stay(village: &str, picture: Option<String>) -> Stay {
    let meal = |name: &str, hour: &str, included, price: &str, detail: &str| Meal {
        name: name.to_owned(),
        hour: hour.to_owned(),
        included,
        price: price.to_owned(),
        detail: detail.to_owned(),
    };
    Stay {
        name: "Auberge du Pré-Haut".to_owned(),
        kind: "Hôtel-restaurant ★★".to_owned(),
        nights: 1,
        address: vec!["4, rue des Écoles".to_owned(), format!("48000 {village}")],
        phone: "+33 3 53 01 42 10".to_owned(),
        web: "pre-haut.example".to_owned(),
        lon: Some(3.5),
        lat: Some(44.55),
        check_in: "16:00".to_owned(),
        check_out: "10:30".to_owned(),
        code: Some("2741 A".to_owned()),
        room: "Chambre 7, lit double, 1ᵉʳ étage, sur jardin".to_owned(),
        meals: vec![
            meal("Dîner", "19:30", true, "", "Menu du marché, 3 plats. Sans gluten signalé pour 1 personne."),
            meal("Petit déjeuner", "7:30 – 9:30", true, "", "Buffet, produits de la ferme."),
            meal("Pique-nique", "dès 8:00", false, "12 € / pers.", "À commander la veille avant 20 h."),
        ],
        bike: "Garage fermé à clé, prises pour 4 batteries, pompe à pied et outils.".to_owned(),
        luggage: "Vos bagages vous attendent à la réception dès 15:30. Les redescendre, étiquetés, avant 8:30."
            .to_owned(),
        note: "Après 19 h, entrer par la cour : code à gauche du portail vert. M. Ferrand parle anglais.".to_owned(),
        photo: picture.map(|name| photo(&name, "")),
    }
}

fn contact(role: &str, name: &str, phone: &str, note: &str) -> Contact {
    Contact { role: role.to_owned(), name: name.to_owned(), phone: phone.to_owned(), note: note.to_owned() }
}

fn brand() -> Brand {
    let texts = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    Brand {
        name: "Trois-Vallées".to_owned(),
        tagline: "Voyages à vélo et à pied".to_owned(),
        primary: "#17463f".to_owned(),
        secondary: "#c2412c".to_owned(),
        tertiary: "#e3b04b".to_owned(),
        address: texts(&["18, quai de la Digue", "48000 Brévine"]),
        phone: "+33 3 53 01 00 18".to_owned(),
        email: "voyages@trois-vallees.example".to_owned(),
        web: "www.trois-vallees.example".to_owned(),
        legal: texts(&[
            "Trois-Vallées, SARL au capital de 30 000 €, RCS Mende 000 000 000 (exemple)",
            "Immatriculation au registre des opérateurs de voyages et de séjours : IM048000000",
            "Garantie financière : Caisse de garantie d'exemple, 15, rue Fictive, 75000 Paris",
            "Assurance responsabilité civile professionnelle : Mutuelle d'exemple, contrat nº 00-000-000",
            "Médiation : Médiateur d'exemple, BP 00, 75000 Paris",
        ]),
        ..Brand::default()
    }
}

/// The data alone.
pub fn book(shape: Shape, pictures: &[String]) -> Roadbook {
    let texts = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let mut names = pictures.iter().cycle().take(shape.photos + shape.stays + 1).cloned();
    let cover = names.next().map(|name| photo(&name, ""));
    let days: Vec<Day> = (0..shape.days)
        .map(|index| {
            let here = shape.photos / shape.days + usize::from(index < shape.photos % shape.days);
            day(index, shape, &mut names, here)
        })
        .collect();
    let vouchers = days
        .iter()
        .filter_map(|day| day.stay.as_ref().map(|stay| (day, stay)))
        .map(|(day, stay)| Voucher {
            provider: stay.name.clone(),
            place: day.destination.clone(),
            phone: stay.phone.clone(),
            date: day.date.clone(),
            service: "1 nuit en chambre double, dîner et petit déjeuner".to_owned(),
            people: "2".to_owned(),
            settlement: "Réglé par l'agence. Restent dus : boissons et taxe de séjour.".to_owned(),
            ..Voucher::default()
        })
        .collect();
    let advice = |title: &str, text: &str| Advice { title: title.to_owned(), text: text.to_owned() };
    Roadbook {
        schema: 1,
        locale: "fr-FR".to_owned(),
        format: roadbook::data::Format::A5,
        booklet: false,
        bleed: false,
        anonymous: false,
        generated_on: "2027-04-26".to_owned(),
        brand: brand(),
        trip: Trip {
            title: "Le tour du lac de Brève".to_owned(),
            subtitle: "De Brévine à Fontaulière, trois jours à vélo par les petites routes".to_owned(),
            anonymous_title: Some("Un tour de lac en Orsel".to_owned()),
            anonymous_description: Some(texts(&["Une boucle douce autour d'un lac, à vendre sous votre nom."])),
            reference: "ORS-2027-0418".to_owned(),
            practice: "Vélo de randonnée".to_owned(),
            on_foot: false,
            starts_on: Some("2027-05-14".to_owned()),
            ends_on: Some("2027-05-16".to_owned()),
            travellers: texts(&["Claire Aubertin", "Yann Le Goff"]),
            cover_photo: cover,
            welcome: texts(&[
                "Chère Claire, cher Yann,",
                "Voici votre carnet. Il tient dans une sacoche de guidon et supporte d'être corné, annoté, un peu mouillé. Chaque étape s'ouvre sur une double page : à gauche la carte, à droite le profil et les premières indications.",
                "Les distances sont cumulées depuis le départ du jour : mettez votre compteur à zéro chaque matin. Une route barrée, un doute ? Appelez-nous : quelqu'un répond « pour de vrai », de 8 h à 20 h.",
            ]),
            signature: "Maud Vasseur, votre conseillère".to_owned(),
            contacts: vec![
                contact("Votre conseillère", "Maud Vasseur", "+33 6 39 98 20 41", "de 8 h à 20 h, 7 j / 7"),
                contact("Assistance vélo", "Atelier La Roue Libre", "+33 3 53 01 61 30", "dépannage sous 2 h"),
                contact("Transfert de bagages", "Orsel Portage", "+33 6 39 98 57 12", "avant 8 h 30 et après 15 h 30"),
            ],
            description: texts(&[
                "<p>Le lac de Brève est une île d'eau posée au milieu des <strong>forêts d'Orsel</strong> : villages de schiste, barrages, et routes si calmes que l'on y entend venir l'orage.</p>",
                "<p>Le parcours emprunte des routes départementales secondaires et quelques voies forestières. Il demande <em>un vélo de randonnée</em> ou à assistance électrique :</p><ul><li>prévoir 600 Wh ;</li><li>pneus de 35 mm au moins.</li></ul>",
            ]),
            includes: texts(&[
                "2 nuits en chambre double, petits déjeuners et dîners",
                "Transfert des bagages d'hôtel en hôtel (15 kg / pers.)",
                "Ce carnet et la trace GPX",
            ]),
            excludes: texts(&["Repas de midi", "Boissons et visites", "Taxe de séjour : 0,90 € / nuit / pers."]),
            advice: vec![
                advice(
                    "Eau",
                    "Les points d'eau sont signalés sur les cartes. Deux bidons suffisent, sauf par canicule.",
                ),
                advice("Météo", "Orages fréquents en fin d'après-midi de mai à août."),
                advice("Réseau", "Zones blanches autour du lac : télécharger la trace avant de partir."),
            ],
        },
        overview: roadbook::data::Overview::default(),
        days,
        vouchers,
        attribution: "© contributeurs d’OpenStreetMap".to_owned(),
        qr: Qr {
            app: Some("https://s.jalon.example/ors27".to_owned()),
            gpx: Some("https://s.jalon.example/ors27.gpx".to_owned()),
        },
        pages: Vec::new(),
    }
}

//! A parcours and a POI with every field filled, and with none.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::itinerary::ItineraryKind;
use domain::step::StepKind;
use domain::white_label::{CustomType, OpenDataLicence};
use domain::{Address, Instant, PoiFlags, Text};
use feeds::{
    CustomValue, Feed, Instruction, Itinerary, Media, MediaKind, Origin, Owner, Parcours, Poi, Price, Stop, Term,
};
use serde_json::json;
use trace::Position;

pub const BASE: &str = "https://jalon.example";

pub fn feed() -> Feed {
    Feed {
        base: BASE.to_owned(),
        uuid_base: BASE.to_owned(),
        api: BASE.to_owned(),
        languages: vec!["fr".to_owned(), "en".to_owned()],
        language: None,
        reader: owner(),
        licence: OpenDataLicence::Etalab.into(),
    }
}

pub fn in_english() -> Feed {
    Feed { language: Some("en".to_owned()), ..feed() }
}

pub fn owner() -> Arc<Owner> {
    Arc::new(Owner {
        id: 3,
        name: "Lac de Brève".to_owned(),
        site: Some("https://lac.carte.example".to_owned()),
        structure_id: 1,
        structure: "Office de tourisme de Brève".to_owned(),
        email: Some("contact@breve.example".to_owned()),
        phone: Some("+33 1 02 03 04 05".to_owned()),
        website: Some("https://breve.example".to_owned()),
        address: Address {
            street: Some("Place de la Halle".to_owned()),
            postcode: Some("58000".to_owned()),
            city: Some("Brève".to_owned()),
            country: None,
        },
        location: Some([4.0, 47.0]),
        deposit_percent: None,
        sit_record_url: Some("https://sit.example/[ID_OBJET]".to_owned()),
        public_transport: true,
        tourist_maas: true,
    })
}

pub fn term(id: i64, label: &str, matches: serde_json::Value) -> Arc<Term> {
    Arc::new(Term {
        id,
        code: format!("code-{id}"),
        label: Text::in_french(label),
        description: Text::new("En plus.", "More."),
        icon: None,
        color: Some("#2E7D32".to_owned()),
        colors: Vec::new(),
        order: 10,
        scale: Some("general".to_owned()),
        rank: 2,
        matches,
        picture: format!("{BASE}/api/public/v1/pictograms/{id}.svg"),
    })
}

pub fn media(kind: MediaKind) -> Media {
    Media {
        id: 40,
        kind,
        url: format!("{BASE}/media/40/w1280-jpeg?v=1"),
        translations: BTreeMap::from([("en".to_owned(), format!("{BASE}/media/40/40-file-en-v2.webp"))]),
        thumbnail: Some(format!("{BASE}/media/40/thumb-webp?v=1")),
        mime: "image/jpeg".to_owned(),
        name: "Été.jpg".to_owned(),
        legend: Text::in_french("Le lac <au matin> & le soir"),
        alt: Text::in_french("Un lac"),
        copyright: Some("C. Le Goff".to_owned()),
        licence: Some("CC BY-SA 4.0".to_owned()),
    }
}

pub fn itinerary() -> Arc<Itinerary> {
    Arc::new(Itinerary {
        id: 13,
        name: Text::in_french("La Lorne à vélo"),
        kind: ItineraryKind::CycleRoute,
        code: Some("EV 6".to_owned()),
        color: Some("#00695C".to_owned()),
        description: Text::default(),
    })
}

/// It came from a Geotrek.
pub fn origin() -> Origin {
    let said = [("external_id", "EXT-44"), ("second_external_id", "SECOND-44"), ("reservation_id", "RES-44")];
    Origin {
        item: "fb831e58-d181-424d-9c88-960cb294b4ed".to_owned(),
        source: "Parc des Alpes".to_owned(),
        licence: Some("Licence Ouverte 2.0".to_owned()),
        said: said.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
    }
}

fn stop(id: i64, kind: StepKind, title: &str, lon: f64) -> Stop {
    Stop {
        id,
        kind,
        title: Text::in_french(title),
        description: Text::in_french("Passer <l’arche> & tourner."),
        position: Position::new(lon, 47.0),
        at_m: Some(12.4),
        distance_to_next_m: Some(379.2),
        duration_to_next_s: Some(600.4),
        nights: None,
        practice: None,
        lines: vec![],
    }
}

/// A parcours with everything.
pub fn full() -> Parcours {
    let high = |lon: f64, ele: f64| Position { lon, lat: 47.0, ele: Some(ele) };
    Parcours {
        id: 12,
        title: Text::new("Tour du lac", "Around the lake"),
        subtitle: Text::in_french("En famille"),
        summary: Text::new("Une journée facile.", "An easy day."),
        description: Text::in_french("<p>Au départ de la <strong>halle</strong>&nbsp;: l’eau &amp; les bois.</p>"),
        copyright: Some("OT de Brève".to_owned()),
        practice: Some(term(
            5,
            "Randonnée pédestre",
            json!({"schema_randonnee": "pédestre", "datatourisme": "WalkingTour", "cirkwi": 2}),
        )),
        level: Some(term(6, "Facile", json!({"cirkwi": 2}))),
        ratings: vec![term(7, "Effort 2", json!(null))],
        themes: vec![term(8, "Lac", json!(null)), term(9, "Forêt", json!({"cirkwi": 5}))],
        tags: vec![term(10, "Coup de cœur", json!(null))],
        markings: vec![Arc::new(Term {
            colors: vec!["#FFFFFF".to_owned(), "#D32F2F".to_owned()],
            ..(*term(11, "GR", json!(null))).clone()
        })],
        itineraries: vec![itinerary()],
        equipment: vec![term(12, "Chaussures", json!(null))],
        is_loop: Some(true),
        is_stay: Some(false),
        stops: vec![
            stop(1, StepKind::Departure, "La halle", 4.0),
            stop(2, StepKind::Waypoint, "", 4.005),
            stop(3, StepKind::Arrival, "La source", 4.01),
        ],
        instructions: vec![Instruction {
            kind: json!("left"),
            at_m: 120.5,
            length_m: 380.0,
            name: Some("Rue du Lac".to_owned()),
            exit: None,
            text: Text::new("Prenez à gauche.", "Turn left."),
            position: Position::new(4.005, 47.0),
        }],
        line: vec![high(4.0, 500.0), high(4.005, 540.25), high(4.01, 510.0)],
        start: Some([4.0, 47.0]),
        bbox: Some([4.0, 47.0, 4.01, 47.0]),
        distance_m: Some(758.4),
        duration_s: Some(1_234.0),
        ascent_m: Some(40.3),
        descent_m: Some(30.2),
        min_ele_m: Some(500.0),
        max_ele_m: Some(540.25),
        media: vec![media(MediaKind::Image), media(MediaKind::Audio)],
        poi_ids: vec![30],
        parent_id: Some(20),
        children: vec![21, 22],
        beside: (None, Some(13)),
        owner: owner(),
        origin: Some(origin()),
        booking: Some(("https://reserver.example/lac".to_owned(), Text::in_french("Réserver ici"))),
        price: Price {
            cents: Some(45_000),
            most_cents: Some(62_000),
            includes: Text::in_french("<p>Les nuits</p>"),
            excludes: Text::default(),
            deposit_percent: Some(30),
        },
        display_priority: 2,
        guided: Some(true),
        reviews: None,
        warning: Text::in_french("Fermé du 1er au 3 mai : battue."),
        bike_carriage: Some(false),
        availability: vec![("05-01".to_owned(), "09-30".to_owned())],
        custom: vec![custom("revetement", "Sable")],
        created_at: Instant(1_780_000_000),
        updated_at: Instant(1_781_000_000),
        page: format!("{BASE}/p/tour-du-lac-12"),
        pages: Text::new(format!("{BASE}/p/tour-du-lac-12"), format!("{BASE}/en/p/tour-du-lac-12")),
        gpx: format!("{BASE}/p/tour-du-lac-12/trace.gpx"),
        kml: format!("{BASE}/p/tour-du-lac-12/trace.kml"),
        pdf: Text::new(
            format!("{BASE}/p/tour-du-lac-12/roadbook.pdf"),
            format!("{BASE}/en/p/tour-du-lac-12/roadbook.pdf"),
        ),
    }
}

/// A value of a field of the white-label's own.
fn custom(key: &str, value: &str) -> CustomValue {
    CustomValue { key: key.to_owned(), label: Text::new("Champ", "Field"), kind: CustomType::Text, value: json!(value) }
}

/// A parcours with a title, a line, and nothing else.
pub fn bare() -> Parcours {
    Parcours {
        subtitle: Text::default(),
        summary: Text::default(),
        description: Text::default(),
        copyright: None,
        practice: None,
        level: None,
        ratings: Vec::new(),
        themes: Vec::new(),
        tags: Vec::new(),
        markings: Vec::new(),
        itineraries: Vec::new(),
        equipment: Vec::new(),
        is_loop: None,
        is_stay: None,
        stops: Vec::new(),
        instructions: Vec::new(),
        line: vec![Position::new(4.0, 47.0), Position::new(4.01, 47.0)],
        distance_m: None,
        duration_s: None,
        ascent_m: None,
        descent_m: None,
        min_ele_m: None,
        max_ele_m: None,
        media: Vec::new(),
        poi_ids: Vec::new(),
        parent_id: None,
        children: Vec::new(),
        beside: (None, None),
        booking: None,
        price: Price::default(),
        display_priority: 0,
        guided: None,
        reviews: None,
        warning: Text::default(),
        availability: Vec::new(),
        custom: Vec::new(),
        origin: None,
        owner: Arc::new(Owner { id: 3, name: "Lac".to_owned(), structure_id: 1, ..Owner::default() }),
        ..full()
    }
}

/// A POI with everything.
pub fn poi() -> Poi {
    Poi {
        id: 30,
        title: Text::new("Chapelle & tour", "Chapel"),
        description: Text::in_french("<p>Ouverte l’été.</p>"),
        place: [4.12, 47.21],
        categories: vec![term(31, "Chapelle", json!({"datatourisme": "Chapel", "cirkwi": 96}))],
        themes: vec![term(32, "Vin", json!({"datatourisme": "kb:Wine"}))],
        flags: PoiFlags { must_see: true, ..PoiFlags::default() },
        media: vec![media(MediaKind::Image)],
        address: Address {
            street: Some("1 rue du Lac".to_owned()),
            postcode: Some("58000".to_owned()),
            city: Some("Brève".to_owned()),
            country: Some("FR".to_owned()),
        },
        phone: Some("+33 1".to_owned()),
        email: Some("chapelle@breve.example".to_owned()),
        website: Some("https://chapelle.example".to_owned()),
        opening: Text::in_french("Tous les jours"),
        booking_url: Some("https://reserver.example/chapelle".to_owned()),
        custom: vec![custom("clef", "À la mairie")],
        owner: owner(),
        origin: Some(origin()),
        created_at: Instant(1_780_000_000),
        updated_at: Instant(1_781_000_000),
    }
}

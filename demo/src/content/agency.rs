//! The agency's stays: for sale, made from a model that is not published.

use super::sheets::StepKind::{Arrival, Departure, Favourite, Night, Nights, Step, StepNight, Waypoint};
use super::sheets::{BASE, Choice, Period, Relation, Sale, Sheet};
use crate::graph::Mood;

const OURS: Sheet = Sheet {
    white_label: "sentes-et-rivieres",
    author: "agency",
    bookable: Choice::Yes,
    distribute_partners: false,
    ..BASE
};

const SEASON: Period = Period { from: "2027-05-08", to: "2027-10-02" };

const WEEKEND: Sale = Sale {
    price_cents: 24_900,
    max_price_cents: Some(31_900),
    includes: [
        "<ul><li>Deux nuits en chambre double, petit déjeuner</li><li>Un dîner au bord du lac</li><li>Transport des bagages</li></ul>",
        "<ul><li>Two nights in a double room, breakfast</li><li>One lakeside dinner</li><li>Luggage transfer</li></ul>",
    ],
    excludes: ["<p>Les boissons, l’assurance, le bac.</p>", "<p>Drinks, insurance, the boat.</p>"],
    deposit_percent: None,
    booking_path: "/reserver/lac",
    booking_label: ["Réserver ce week-end", "Book this weekend"],
    file_number: "SR-2027-014",
};

pub(super) const SHEETS: [Sheet; 4] = [
    Sheet {
        key: "modele-bord-du-lac",
        title: ["Modèle : deux nuits au bord du lac", "Model: two nights by the lake"],
        summary: [
            "Base des séjours autour du lac de Brève. Ne pas publier.",
            "Basis for stays around Lake Brève. Not to be published.",
        ],
        description: [
            "<p>Deux nuits à Montpezel, une journée sur la rive, une journée en crête. Les séjours qui en sont tirés reprennent l’emport des vélos et la réservation.</p>",
            "<p>Two nights in Montpezel, a day on the shore, a day on the ridge. Stays made from it take over bike carriage and booking.</p>",
        ],
        themes: &["lac", "week-end"],
        is_stay: Some(true),
        relation: Relation::ModelOnly,
        stops: &[
            ("Brévine", Departure, "", ""),
            ("Camping de la Roselière", Waypoint, "", "La Roselière campsite"),
            ("Montpezel", Nights, "Montpezel, deux nuits", "Montpezel, two nights"),
            ("Ponton des pêcheurs", Arrival, "", "Anglers’ jetty"),
        ],
        day: "2026-04-11",
        bike_carriage: Choice::Yes,
        published: false,
        pictures: &["lac-soir"],
        ..OURS
    },
    Sheet {
        key: "week-end-au-bord-du-lac",
        title: ["Week-end au bord du lac de Brève", "A weekend by Lake Brève"],
        subtitle: ["Deux nuits, deux rives", "Two nights, two shores"],
        summary: [
            "Un week-end à pied sans porter son sac, entre plage et belvédères.",
            "A weekend on foot with no bag to carry, between beach and viewpoints.",
        ],
        description: [
            "<p>Votre chambre donne sur l’eau. Le premier jour suit la rive jusqu’à Brévine ; le second gagne le belvédère de la Digue avant le déjeuner.</p><p>Nous venons vous chercher au car du vendredi soir.</p>",
            "<p>Your room looks over the water. Day one follows the shore to Brévine; day two reaches the Digue viewpoint before lunch.</p><p>We meet you off the Friday evening coach.</p>",
        ],
        themes: &["lac", "week-end", "couple"],
        tags: &["reservable", "week-end"],
        is_stay: Some(true),
        relation: Relation::Child,
        parent: Some("modele-bord-du-lac"),
        stops: &[
            ("Montpezel", Departure, "", ""),
            ("Camping de la Roselière", Step, "", "La Roselière campsite"),
            ("Brévine", StepNight, "Brévine, nuit au port", "Brévine, night by the harbour"),
            ("Belvédère de la Roche-aux-Hérons", Favourite, "", "Heron Rock viewpoint"),
            ("Montpezel", Arrival, "", ""),
        ],
        day: "2026-05-30",
        availability: &[SEASON],
        sale: Some(WEEKEND),
        bookable: Choice::Inherit,
        bike_carriage: Choice::Inherit,
        pictures: &["lac-soir", "lac-digue"],
        ..OURS
    },
    Sheet {
        key: "trois-jours-de-gravel",
        title: ["Trois jours de gravel entre Lorne et Sauvelle", "Three gravel days between Lorne and Sauvelle"],
        subtitle: ["Le plateau pour terrain de jeu", "The plateau as a playground"],
        summary: [
            "Pistes, plateau et deux soirées d’auberge, avec vélos fournis si besoin.",
            "Tracks, plateau and two inn evenings, bikes provided if you need one.",
        ],
        description: [
            "<p>De la Lorne à la Sauvelle par les pistes hautes : 600 mètres de dénivelé le premier jour, presque rien le dernier.</p><p>Nos guides ouvrent la route le samedi ; le dimanche, vous partez à votre heure.</p>",
            "<p>From the Lorne to the Sauvelle by the high tracks: 600 metres of climbing on day one, next to none on the last.</p><p>Our guides lead the way on Saturday; on Sunday you leave when you like.</p>",
        ],
        practice: "gravel",
        level: "general-difficile",
        special_levels: &["velo-tourisme-rouge"],
        themes: &["sportif", "itinerance"],
        tags: &["reservable", "nouveau"],
        equipment: &["casque", "sacoches", "kit-reparation"],
        is_stay: Some(true),
        mood: Mood::Rough,
        stops: &[
            ("La Roche-Vive", Departure, "", ""),
            ("Fontaulière", Step, "", ""),
            ("Vernet-le-Haut", Night, "Vernet-le-Haut, auberge", "Vernet-le-Haut, inn"),
            ("Malaval", Waypoint, "", ""),
            ("Sauvelle", StepNight, "Sauvelle, auberge", "Sauvelle, inn"),
            ("Peyremarle", Arrival, "", ""),
        ],
        day: "2026-06-06",
        availability: &[SEASON],
        sale: Some(Sale {
            price_cents: 41_500,
            max_price_cents: None,
            includes: [
                "<ul><li>Deux nuits en auberge, demi-pension</li><li>Guide le samedi</li><li>Trace et carnet</li></ul>",
                "<ul><li>Two inn nights, half board</li><li>Guide on Saturday</li><li>Track and roadbook</li></ul>",
            ],
            excludes: ["<p>La location du vélo (35 € par jour).</p>", "<p>Bike hire (€35 a day).</p>"],
            deposit_percent: Some(40),
            booking_path: "/reserver/gravel",
            booking_label: ["Demander une date", "Ask for a date"],
            file_number: "SR-2027-021",
        }),
        bike_carriage: Choice::Yes,
        display_priority: 1,
        pictures: &["vernet-plateau", "roche-vive"],
        ..OURS
    },
    Sheet {
        key: "bivouac-a-fontbrune",
        title: [
            "Deux jours à pied vers Fontbrune, nuit sous les étoiles",
            "Two days on foot to Fontbrune, a night under the stars",
        ],
        subtitle: ["La Lorne haute", "The upper Lorne"],
        summary: [
            "De La Roche-Vive à Fontbrune par le chemin des charbonniers, bivouac préparé à mi-chemin.",
            "From La Roche-Vive to Fontbrune by the charcoal burners’ way, camp made ready halfway.",
        ],
        description: [
            "<p>Tentes, couchages et repas vous attendent au camp. Le ciel y est noir : la ville la plus proche est derrière deux crêtes.</p><p>Groupe de huit au plus, départ assuré à quatre.</p>",
            "<p>Tents, bedding and a meal wait at camp. The sky is dark there: the nearest town lies behind two ridges.</p><p>Groups of eight at most; we go with four.</p>",
        ],
        level: "general-moyen",
        special_levels: &["ffr-effort-3", "ffr-technicite-2", "ffr-risque-2"],
        themes: &["ciel-etoile", "foret", "itinerance"],
        tags: &["reservable"],
        equipment: &["chaussures-marche", "couchage", "lampe", "eau"],
        is_stay: Some(true),
        stops: &[
            ("La Roche-Vive", Departure, "", ""),
            ("Grotte des Charbonniers", StepNight, "Camp des Charbonniers", "Charcoal burners’ camp"),
            ("Fontbrune", Arrival, "", ""),
        ],
        day: "2026-08-01",
        availability: &[Period { from: "2027-06-12", to: "2027-09-11" }],
        sale: Some(Sale {
            price_cents: 18_500,
            max_price_cents: Some(21_000),
            includes: [
                "<p>Camp monté, dîner, petit déjeuner, accompagnateur.</p>",
                "<p>Camp set up, dinner, breakfast, leader.</p>",
            ],
            excludes: ["<p>Le pique-nique du premier jour.</p>", "<p>Lunch on day one.</p>"],
            deposit_percent: Some(0),
            booking_path: "/reserver/etoiles",
            booking_label: ["Réserver", "Book"],
            file_number: "SR-2027-030",
        }),
        pictures: &["fontbrune", "hautier-aube"],
        ..OURS
    },
];

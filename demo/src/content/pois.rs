//! The demo's points of interest, made from the places of the region.

use super::{Picture, Text};
use crate::ground::{distance, spot};
use crate::region::{Place, Region};
use crate::terrain;

/// The flags of a point of interest.
#[expect(clippy::struct_excessive_bools, reason = "five independent flags, as in the product")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flags {
    /// A good address.
    pub good_address: bool,
    /// A must-see.
    pub must_see: bool,
    /// Worth a detour.
    pub detour_point: bool,
    /// A landmark.
    pub landmark: bool,
    /// Can be booked.
    pub bookable: bool,
}

/// A point of interest.
#[derive(Debug, Clone, PartialEq)]
pub struct Poi {
    /// Stable name.
    pub key: String,
    /// Key of the white-label that owns it.
    pub white_label: &'static str,
    /// Name.
    pub title: Text,
    /// Description, HTML.
    pub description: Text,
    /// Longitude, degrees.
    pub lon: f64,
    /// Latitude, degrees.
    pub lat: f64,
    /// Codes of its categories.
    pub categories: Vec<&'static str>,
    /// Codes of its themes.
    pub themes: Vec<&'static str>,
    /// Its flags.
    pub flags: Flags,
    /// Whether it is published.
    pub published: bool,
    /// Keys of its pictures.
    pub pictures: Vec<&'static str>,
}

/// How many there are.
const COUNT: usize = 120;

/// A kind of place: OpenStreetMap value, category, theme, English name of what it is, two French sentences, two English ones.
type Kind = (&'static str, &'static str, &'static str, &'static str, [&'static str; 2], [&'static str; 2]);

const KINDS: [Kind; 36] = [
    (
        "viewpoint",
        "point-de-vue",
        "geologie",
        "viewpoint",
        ["Le val entier d’un seul regard ; bancs et rambarde.", "À voir tôt le matin, quand la brume quitte l’eau."],
        ["The whole valley in one look; benches and a rail.", "Best early, as mist leaves the water."],
    ),
    (
        "waterfall",
        "cascade",
        "eau",
        "falls",
        ["Dix-huit mètres d’eau claire dans une conque de roche.", "Plus belle après trois jours de pluie."],
        ["Eighteen metres of clear water in a bowl of rock.", "At its best after three days of rain."],
    ),
    (
        "beach_resort",
        "plage",
        "famille",
        "beach",
        ["Sable, pelouse et baignade surveillée en juillet et août.", "L’eau y est peu profonde."],
        ["Sand, lawn and lifeguards in July and August.", "The water is shallow."],
    ),
    (
        "camp_site",
        "camping",
        "famille",
        "campsite",
        ["Soixante emplacements sous les frênes, au bord de l’eau.", "Accueil des cyclistes sans réservation."],
        ["Sixty pitches beneath the ash trees, by the water.", "Cyclists need not book."],
    ),
    (
        "alpine_hut",
        "refuge",
        "accueil",
        "hut",
        ["Vingt couchages, soupe chaude, gardé de juin à septembre.", "Réservez pour le samedi."],
        ["Twenty beds, hot soup, a warden from June to September.", "Book for Saturdays."],
    ),
    (
        "castle",
        "chateau",
        "renaissance",
        "castle",
        ["Un logis à tourelles au milieu des vignes, privé.", "Les jardins ouvrent en septembre."],
        ["A turreted house among vines, privately owned.", "The gardens open in September."],
    ),
    (
        "ruins",
        "chateau",
        "moyen-age",
        "ruins",
        ["Un pan de mur, une porte, beaucoup de ciel.", "Ne montez pas sur les pierres."],
        ["A stretch of wall, a doorway, a lot of sky.", "Do not climb on the stones."],
    ),
    (
        "chapel",
        "chapelle",
        "roman",
        "chapel",
        ["Petite nef romane, peintures du treizième siècle.", "La clé se demande à la mairie."],
        ["A small Romanesque nave with thirteenth-century paintings.", "Ask for the key at the town hall."],
    ),
    (
        "archaeological_site",
        "megalithe",
        "antiquite",
        "dolmen",
        ["Trois dalles, un couvercle, cinq mille ans.", "Le soleil d’hiver s’y lève dans l’axe."],
        ["Three slabs, one lid, five thousand years.", "The winter sun rises along its line."],
    ),
    (
        "spring",
        "riviere",
        "eau",
        "spring",
        ["L’eau sort à huit degrés toute l’année.", "Une margelle permet de remplir les gourdes."],
        ["Water comes out at eight degrees all year.", "A stone lip lets you fill a bottle."],
    ),
    (
        "cave_entrance",
        "grotte",
        "geologie",
        "cave",
        ["Abri sec où dormaient les charbonniers.", "Fermée d’octobre à avril pour les chauves-souris."],
        ["A dry shelter where charcoal burners slept.", "Closed from October to April for the bats."],
    ),
    (
        "watermill",
        "moulin",
        "industrie",
        "mill",
        ["La roue tourne le dimanche à quinze heures.", "On y moud encore la farine de châtaigne."],
        ["The wheel turns on Sundays at three.", "Chestnut flour is still ground here."],
    ),
    (
        "shelter",
        "halte-repos",
        "agriculture",
        "shelter",
        ["Un toit, un banc, un livre d’or.", "Pas d’eau sur place."],
        ["A roof, a bench, a visitors’ book.", "No water here."],
    ),
    (
        "picnic_site",
        "aire-pique-nique",
        "famille",
        "picnic site",
        ["Six tables à l’ombre et un bac à fleurs.", "Remportez vos déchets."],
        ["Six tables in the shade and a bed of flowers.", "Take your litter home."],
    ),
    (
        "wayside_cross",
        "petit-patrimoine",
        "epoque-moderne",
        "cross",
        ["Une croix de lave à l’angle de deux chemins.", "Datée de 1742 sur le socle."],
        ["A stone cross where two tracks meet.", "Dated 1742 on its base."],
    ),
    (
        "farm",
        "producteur",
        "fromage",
        "farm",
        ["Fromages de brebis et confitures, vente le matin.", "La traite se visite à dix-sept heures."],
        ["Ewe’s cheese and jams, on sale in the morning.", "You can watch the milking at five."],
    ),
    (
        "hide",
        "faune",
        "oiseaux",
        "hide",
        ["Grèbes, foulques et, parfois, un balbuzard.", "Parlez bas : la cloison est mince."],
        ["Grebes, coots and, now and then, an osprey.", "Speak softly: the wall is thin."],
    ),
    (
        "sports_centre",
        "escalade",
        "geologie",
        "climbing rock",
        ["Quarante voies équipées, du 3 au 7a.", "Exposé au sud : évitez le plein été."],
        ["Forty bolted routes from 3 to 7a.", "South-facing: avoid high summer."],
    ),
    (
        "landing",
        "bac",
        "peche-batellerie",
        "landing stage",
        ["Le bac part toutes les heures d’avril à octobre.", "Les vélos embarquent, six à la fois."],
        ["The boat leaves every hour from April to October.", "Bikes are welcome, six at a time."],
    ),
    (
        "pass",
        "col",
        "agriculture",
        "pass",
        ["On y passe d’une vallée à l’autre depuis toujours.", "Le vent y tourne à midi."],
        ["People have always crossed here between valleys.", "The wind turns at noon."],
    ),
    (
        "peak",
        "sommet",
        "geologie",
        "",
        ["Une croupe d’herbe et trois rochers au sommet.", "Par temps clair, on compte sept crêtes."],
        ["A grassy hill with three rocks on top.", "On a clear day you can count seven ridges."],
    ),
    (
        "town",
        "village",
        "histoire",
        "",
        ["Des quais, une halle, cinq ponts dont un vieux.", "Marché le mercredi et le samedi."],
        ["Quays, a market hall, five bridges of which one is old.", "Markets on Wednesdays and Saturdays."],
    ),
    (
        "village",
        "village",
        "histoire",
        "",
        [
            "Un village serré autour de son église et de sa fontaine.",
            "Ses ruelles se visitent à pied en une demi-heure.",
        ],
        ["A village huddled round its church and fountain.", "Its lanes take half an hour on foot."],
    ),
    (
        "place_of_worship",
        "eglise",
        "roman",
        "church",
        ["Clocher à peigne et voûte en berceau.", "Ouverte tous les jours, fraîche en été."],
        ["A comb belfry and a barrel vault.", "Open daily, cool in summer."],
    ),
    (
        "bakery",
        "boulangerie",
        "cuisine-locale",
        "bakery",
        ["Pain au levain et fouace aux noix.", "Fermé le lundi."],
        ["Sourdough and walnut cake.", "Closed on Mondays."],
    ),
    (
        "cafe",
        "cafe",
        "accueil",
        "café",
        ["Terrasse au soleil, vélos bienvenus contre le mur.", "Assiette de pays à midi."],
        ["A sunny terrace; lean your bike on the wall.", "Local plate at noon."],
    ),
    (
        "information",
        "office-tourisme",
        "accueil",
        "tourist office",
        ["Cartes, cars et conseils, tous les jours en saison.", "Consigne à bagages gratuite."],
        ["Maps, coaches and advice, daily in season.", "Free left luggage."],
    ),
    (
        "drinking_water",
        "eau-potable",
        "eau",
        "fountain",
        ["Eau potable toute l’année.", "Margelle de pierre et anneau pour les chevaux."],
        ["Drinking water all year.", "A stone trough with a ring for horses."],
    ),
    (
        "museum",
        "musee",
        "artisanat",
        "museum",
        ["L’histoire des gabariers et de la rivière.", "Comptez une heure."],
        ["The story of the boatmen and the river.", "Allow an hour."],
    ),
    (
        "restaurant",
        "restaurant",
        "cuisine-locale",
        "inn",
        ["Truite, lentilles, tarte aux myrtilles.", "Réservation conseillée le dimanche."],
        ["Trout, lentils, bilberry tart.", "Booking advised on Sundays."],
    ),
    (
        "hotel",
        "hotel",
        "accueil-velo",
        "hotel",
        ["Dix-huit chambres et un local à vélos fermé.", "Petit déjeuner dès six heures et demie."],
        ["Eighteen rooms and a locked bike store.", "Breakfast from half past six."],
    ),
    (
        "bicycle",
        "location-velo",
        "accueil-velo",
        "bike shop",
        ["Location, réparation, sièges enfants.", "Prêt de cartes avec chaque vélo."],
        ["Hire, repairs, child seats.", "A map lent with every bike."],
    ),
    (
        "supermarket",
        "marche",
        "cuisine-locale",
        "covered market",
        ["Producteurs du pays sous une charpente de 1890.", "Le matin seulement."],
        ["Local growers under a roof of 1890.", "Mornings only."],
    ),
    (
        "bicycle_repair_station",
        "station-gonflage",
        "accueil-velo",
        "bike station",
        ["Pompe, clés et démonte-pneus attachés.", "Banc et point d’eau à côté."],
        ["Pump, keys and tyre levers on cables.", "A bench and water beside it."],
    ),
    (
        "charging_station",
        "recharge-vae",
        "accueil-velo",
        "e-bike charger",
        ["Quatre prises gratuites sous abri.", "Deux heures pour une charge."],
        ["Four free sockets under cover.", "Two hours for a full charge."],
    ),
    (
        "parking",
        "parking",
        "accueil",
        "car park",
        ["Gratuit, trente places, départ des sentiers.", "Complet les dimanches d’été avant dix heures."],
        ["Free, thirty spaces, trailhead.", "Full before ten on summer Sundays."],
    ),
];

/// English names of places that have one.
const ENGLISH: [(&str, &str); 22] = [
    ("Cascade de l’Épinette", "Épinette falls"),
    ("Plage du Ponton", "Ponton beach"),
    ("Camping de la Roselière", "La Roselière campsite"),
    ("Refuge du Hêtre", "Hêtre hut"),
    ("Château de Peyregrosse", "Peyregrosse castle"),
    ("Ruines de Montclar", "Ruins of Montclar"),
    ("Chapelle Sainte-Aure", "St Aure’s chapel"),
    ("Dolmen de la Fade", "Fade dolmen"),
    ("Source de la Fontbrune", "Fontbrune spring"),
    ("Grotte des Charbonniers", "Charcoal burners’ cave"),
    ("Moulin de la Lauze", "La Lauze mill"),
    ("Table d’orientation du Plateau", "Plateau viewing table"),
    ("Abri des Bergers", "Shepherds’ shelter"),
    ("Aire de la Croix-Blanche", "Croix-Blanche picnic site"),
    ("Croix des Colporteurs", "Pedlars’ cross"),
    ("Ferme des Airelles", "Bilberry farm"),
    ("Observatoire des Étangs", "Pond hide"),
    ("Rocher d’escalade de Malaval", "Malaval climbing rock"),
    ("Ponton des pêcheurs", "Anglers’ jetty"),
    ("Port de Brévine", "Brévine harbour"),
    ("Belvédère de la Digue", "Digue viewpoint"),
    ("Belvédère de la Roche-aux-Hérons", "Heron Rock viewpoint"),
];

/// The points of interest: every sight, then services until there are enough.
pub(super) fn pois(region: &Region, pictures: &[Picture]) -> Vec<Poi> {
    let known = |place: &&Place| KINDS.iter().any(|kind| kind.0 == place.kind);
    let sights = region.places.iter().filter(|place| place.settlement.is_empty()).filter(known);
    let services = region.places.iter().filter(|place| !place.settlement.is_empty()).filter(known);
    sights.chain(services).take(COUNT).enumerate().filter_map(|(index, place)| poi(index, place, pictures)).collect()
}

fn poi(index: usize, place: &Place, pictures: &[Picture]) -> Option<Poi> {
    let (_, category, theme, thing, fr, en) = KINDS.iter().find(|kind| kind.0 == place.kind)?;
    // One in 23 is unfinished, so that the filter for incomplete POIs finds some.
    let unfinished = index % 23 == 22;
    let named = ENGLISH.iter().find(|(name, _)| *name == place.name).map(|(_, english)| (*english).to_owned());
    let english = named.unwrap_or_else(|| match (place.settlement.as_str(), *thing) {
        ("", _) | (_, "") => place.name.clone(),
        (settlement, thing) => format!("{settlement} {thing}"),
    });
    let height = match place.kind.as_str() {
        "peak" | "pass" => format!(" ({:.0} m)", terrain::ele(place.lon, place.lat)),
        _ => String::new(),
    };
    let first = index % 2;
    let describe = |sentences: &[&str; 2]| {
        let (lead, rest) = (sentences[first].trim_end_matches('.'), sentences[1 - first]);
        format!("<p>{lead}{height}.</p><p>{rest}</p>")
    };
    let here = spot(place.lon, place.lat);
    let away = |picture: &Picture| distance(spot(picture.lon_lat[0], picture.lon_lat[1]), here);
    let near = pictures.iter().filter(|picture| away(picture) < 1_200.0).min_by(|a, b| away(a).total_cmp(&away(b)));
    Some(Poi {
        key: format!("poi-{index:03}"),
        white_label: if place.lat > 44.855 { "val-d-orsel" } else { "pays-de-sauvelle" },
        title: Text::new(place.name.clone(), if unfinished { String::new() } else { english }),
        description: Text::new(describe(fr), if unfinished { String::new() } else { describe(en) }),
        lon: place.lon,
        lat: place.lat,
        categories: vec![category],
        themes: vec![theme],
        flags: Flags {
            good_address: matches!(*category, "restaurant" | "boulangerie" | "cafe" | "hotel" | "producteur"),
            must_see: matches!(place.kind.as_str(), "viewpoint" | "waterfall" | "archaeological_site" | "castle"),
            detour_point: matches!(place.kind.as_str(), "ruins" | "chapel" | "spring" | "museum"),
            landmark: matches!(place.kind.as_str(), "peak" | "pass" | "place_of_worship"),
            bookable: matches!(*category, "hotel" | "camping" | "refuge" | "location-velo"),
        },
        published: !unfinished,
        pictures: near.map(|picture| picture.key).into_iter().collect(),
    })
}

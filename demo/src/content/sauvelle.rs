//! The parcours of the Pays de Sauvelle.

use super::sheets::StepKind::{Advice, Arrival, Departure, Favourite, OptionalStep, Step, Waypoint};
use super::sheets::{BASE, Choice, Period, Progress, Sheet};
use super::traces::Cause;
use crate::graph::Mood;

const OURS: Sheet = Sheet { white_label: "pays-de-sauvelle", author: "editor-sauvelle", ..BASE };
const VELO: Sheet = Sheet { equipment: &["casque", "kit-reparation", "eau"], bike_carriage: Choice::Yes, ..OURS };

pub(super) const SHEETS: [Sheet; 8] = [
    Sheet {
        key: "veloroute-lorne-aval",
        published_on: &["val-d-orsel"],
        title: ["Véloroute de la Lorne aval", "Lower Lorne cycle route"],
        subtitle: ["Au fil de l’eau, de La Roche-Vive à Lornay", "With the current, from La Roche-Vive to Lornay"],
        summary: [
            "La voie verte dans son plus beau tronçon : plate, lisse, à l’ombre des aulnes.",
            "The greenway at its best: flat, smooth and shaded by alders.",
        ],
        description: [
            "<p>Des quais de La Roche-Vive à la halte de Lornay, la voie verte ne quitte pas la rivière. Bancs, tables et points d’eau se suivent tous les deux kilomètres.</p><p>Les enfants sont en sécurité : aucune voiture avant l’entrée de Lornay. Retour par le car, qui prend les vélos.</p>",
            "<p>From the quays of La Roche-Vive to Lornay halt, the greenway never leaves the river. Benches, tables and water points come every two kilometres.</p><p>Children are safe: no cars before Lornay itself. Come back by coach, which takes bikes.</p>",
        ],
        practice: "velo-loisir",
        level: "general-tres-facile",
        special_levels: &["velo-tourisme-vert"],
        themes: &["voie-verte", "famille", "riviere-canal"],
        tags: &["famille", "accueil-velo", "sans-voiture"],
        markings: &["voie-verte", "veloroute-regionale"],
        is_loop: Some(false),
        mood: Mood::Tour,
        stops: &[
            ("La Roche-Vive", Departure, "La Roche-Vive, les quais", "La Roche-Vive, the quays"),
            ("Moulin de la Lauze", OptionalStep, "", "La Lauze mill"),
            ("Lornay", Arrival, "Halte de Lornay", "Lornay halt"),
        ],
        day: "2026-05-23",
        display_priority: 1,
        pictures: &["veloroute-lornay", "lorne-brume"],
        ..VELO
    },
    Sheet {
        key: "gorges-de-malaval",
        title: ["Les gorges de Malaval", "The Malaval gorge"],
        subtitle: ["Du hameau perché à la rivière", "From hilltop hamlet to river"],
        summary: [
            "Un sentier taillé dans la roche, réservé aux marcheurs, qui rejoint Peyremarle.",
            "A path cut into the rock, for walkers only, that comes out at Peyremarle.",
        ],
        description: [
            "<p>Les mineurs de Malaval ont creusé ce passage pour éviter le tour du serre. Une main courante aide dans les deux pas étroits.</p><p>Évitez les jours de gel. La sortie des gorges, face aux vergers, vaut à elle seule la marche.</p>",
            "<p>The miners of Malaval cut this way to avoid walking round the hill. A handrail helps at the two narrow steps.</p><p>Avoid frosty days. The way out of the gorge, facing the orchards, is worth the walk by itself.</p>",
        ],
        level: "general-moyen",
        special_levels: &["ffr-effort-3", "ffr-technicite-3", "ffr-risque-3"],
        themes: &["geologie", "industriel"],
        tags: &["chiens-interdits"],
        markings: &["pr"],
        is_loop: Some(false),
        stops: &[
            ("Malaval", Departure, "", ""),
            ("Rocher d’escalade de Malaval", Advice, "Pas étroit", "Narrow step"),
            ("Peyremarle", Arrival, "", ""),
        ],
        day: "2026-06-20",
        pictures: &["malaval-gorge"],
        ..OURS
    },
    Sheet {
        key: "veloroute-sauvelle",
        title: ["Véloroute de la Sauvelle, de bourg en bourg", "The Sauvelle cycle route, town to town"],
        subtitle: ["Vingt kilomètres de vergers", "Twenty kilometres of orchards"],
        summary: [
            "De Peyremarle à Valserre par la voie verte et les chemins du bord de l’eau.",
            "From Peyremarle to Valserre by the greenway and the riverside lanes.",
        ],
        description: [
            "<p>La véloroute suit la Sauvelle vers l’amont : une pente que l’on ne sent pas. À Sauvelle, la halle abrite un marché le mardi et le samedi.</p><p>Après Vernet-le-Bas, on partage une petite route avec les tracteurs ; ils passent doucement.</p>",
            "<p>The route follows the Sauvelle upstream on a slope you do not feel. At Sauvelle the hall holds a market on Tuesdays and Saturdays.</p><p>Past Vernet-le-Bas you share a lane with tractors; they go by gently.</p>",
        ],
        practice: "itinerance-velo",
        special_levels: &["veloroute-debutant"],
        themes: &["voie-verte", "terroir", "villages"],
        tags: &["accueil-velo", "point-eau"],
        markings: &["veloroute-regionale"],
        is_loop: Some(false),
        mood: Mood::Tour,
        stops: &[
            ("Peyremarle", Departure, "", ""),
            ("Sauvelle", Step, "Sauvelle, la halle", "Sauvelle, the market hall"),
            ("Vernet-le-Bas", Waypoint, "", ""),
            ("Valserre", Arrival, "", ""),
        ],
        day: "2026-05-02",
        display_priority: 1,
        pictures: &["sauvelle-vignes", "valserre"],
        ..VELO
    },
    Sheet {
        key: "muletiers",
        title: ["Le chemin des muletiers, de Sauvelle à Trémoulède", "The muleteers’ way, from Sauvelle to Trémoulède"],
        subtitle: ["Le sel montait, le fromage descendait", "Salt went up, cheese came down"],
        summary: [
            "Une journée soutenue par le plateau et ses bergeries.",
            "A full day over the plateau and its sheepfolds.",
        ],
        description: [
            "<p>Les convois de mules passaient ici deux fois l’an. On suit leurs murets jusqu’au plateau, puis la ligne de crête vers Trémoulède.</p><p>Aucun point d’eau avant le hameau : partez avec deux litres.</p>",
            "<p>Mule trains came by twice a year. Follow their low walls up to the plateau, then the ridge to Trémoulède.</p><p>There is no water before the hamlet: set out with two litres.</p>",
        ],
        level: "general-tres-difficile",
        special_levels: &["ffr-effort-5", "ffr-technicite-3", "ffr-risque-2"],
        themes: &["montagne", "contes", "journee"],
        equipment: &["chaussures-marche", "batons", "eau", "encas", "carte-papier"],
        markings: &["grp"],
        is_loop: Some(false),
        stops: &[("Sauvelle", Departure, "", ""), ("Vernet-le-Bas", Waypoint, "", ""), ("Trémoulède", Arrival, "", "")],
        day: "2026-09-05",
        published: false,
        progress: Some(Progress::OnHold),
        pictures: &["tremoulede"],
        ..OURS
    },
    Sheet {
        key: "vtt-bois-noir",
        title: ["Circuit VTT du Bois Noir", "Bois Noir mountain bike loop"],
        subtitle: ["Le rouge qui fait rêver les bleus", "The red loop that blue riders dream of"],
        summary: [
            "Une grande boucle entre Charnoux et Bellesagne, surtout en pistes forestières.",
            "A big loop between Charnoux and Bellesagne, mostly on forest tracks.",
        ],
        description: [
            "<p>Le Bois Noir tient sa fraîcheur de ses sapins. Les montées passent partout, les descentes demandent de l’attention après la pluie.</p><p>Le circuit se coupe en deux à Peyremarle, où l’on trouve un atelier vélo.</p>",
            "<p>Bois Noir owes its cool air to its firs. The climbs can all be ridden; the descents ask for care after rain.</p><p>The loop can be cut in two at Peyremarle, where there is a bike workshop.</p>",
        ],
        practice: "vtt-randonnee",
        level: "general-difficile",
        special_levels: &["vtt-rouge"],
        themes: &["foret", "sportif"],
        tags: &["boue", "chasse"],
        markings: &["vtt-site"],
        equipment: &["casque", "gants", "kit-reparation", "eau"],
        is_loop: Some(true),
        mood: Mood::Rough,
        stops: &[
            ("Charnoux", Departure, "", ""),
            ("Bellesagne", Step, "", ""),
            ("Peyremarle", Step, "", ""),
            ("Malaval", Waypoint, "", ""),
            ("Charnoux", Arrival, "", ""),
        ],
        day: "2026-08-22",
        pictures: &["etangs-soir", "malaval-gorge"],
        ..VELO
    },
    Sheet {
        key: "plateau-de-vernet",
        title: ["Le plateau de Vernet et le dolmen de la Fade", ""],
        subtitle: ["Cinq mille ans de vue", ""],
        summary: ["Un tour du plateau par la chapelle et le dolmen.", ""],
        description: [
            "<p>La fée (fade, dans le parler d’ici) portait les pierres dans son tablier. Le dolmen est orienté vers le lever du soleil d’hiver.</p><p>La chapelle Sainte-Aure garde des peintures que l’on peut voir en demandant la clé à la mairie.</p>",
            "",
        ],
        themes: &["archeologie", "religieux", "points-de-vue"],
        tags: &["topoguide"],
        is_loop: Some(true),
        stops: &[
            ("Vernet-le-Haut", Departure, "", ""),
            ("Chapelle Sainte-Aure", Favourite, "", ""),
            ("Dolmen de la Fade", Favourite, "", ""),
            ("Vernet-le-Haut", Arrival, "", ""),
        ],
        day: "2026-10-03",
        progress: Some(Progress::ToFix),
        pictures: &["dolmen", "vernet-plateau"],
        ..OURS
    },
    Sheet {
        key: "gourmande-fontauliere",
        title: ["La boucle gourmande de Fontaulière", "The Fontaulière food loop"],
        subtitle: ["Noix, miel et tomme fraîche", "Walnuts, honey and fresh cheese"],
        summary: [
            "Trois fermes ouvertes et un grand domaine traversé par son allée.",
            "Three open farms and a great estate crossed by its drive.",
        ],
        description: [
            "<p>On goûte avant de marcher : le moulin à huile ouvre à neuf heures. L’allée du Grand Domaine, bordée de châtaigniers, mène ensuite au plateau.</p><p>Réservez la veille chez le fromager si vous êtes plus de six.</p>",
            "<p>Taste before you walk: the oil mill opens at nine. The Grand Domaine drive, lined with chestnut trees, then leads up to the plateau.</p><p>Book with the cheesemaker the day before if you are more than six.</p>",
        ],
        themes: &["terroir", "fermes", "gastronomie"],
        tags: &["week-end", "famille"],
        is_loop: Some(true),
        stops: &[
            ("Fontaulière", Departure, "Fontaulière, moulin à huile", "Fontaulière, oil mill"),
            ("Portail ouest du Grand Domaine", Waypoint, "", "Grand Domaine, west gate"),
            ("Portail est du Grand Domaine", Waypoint, "", "Grand Domaine, east gate"),
            ("Trémoulède", Step, "Trémoulède, la fromagerie", "Trémoulède, the dairy"),
            ("Fontaulière", Arrival, "", ""),
        ],
        cause: Some(Cause::Forbidden),
        day: "2026-10-10",
        availability: &[Period { from: "2027-03-01", to: "2027-11-15" }],
        pictures: &["fontbrune", "dolmen"],
        ..OURS
    },
    Sheet {
        key: "portes-du-haut-pays",
        title: ["De Valserre aux portes du Haut Pays", "From Valserre to the gates of the High Country"],
        subtitle: ["Plus loin que la carte", "Further than the map"],
        summary: [
            "La Sauvelle vers sa source, jusqu’au village voisin, hors du pays.",
            "Up the Sauvelle towards its spring, to the next village over the border.",
        ],
        description: [
            "<p>La route étroite remonte la rivière et quitte le pays au pont de pierre. Au-delà, le balisage est celui de nos voisins : suivez le trait vert.</p>",
            "<p>The narrow road climbs beside the river and leaves our country at the stone bridge. Beyond it the waymarks are our neighbours’: follow the green bar.</p>",
        ],
        practice: "cyclotourisme",
        level: "general-moyen",
        special_levels: &["velo-tourisme-bleu"],
        themes: &["riviere-canal", "campagne"],
        is_loop: Some(false),
        mood: Mood::Road,
        stops: &[
            ("Vernet-le-Bas", Departure, "", ""),
            ("Valserre", Step, "", ""),
            ("est, Sauvelle", Arrival, "Le pont de pierre", "The stone bridge"),
        ],
        cause: Some(Cause::OutsideExtract),
        day: "2026-06-13",
        pictures: &["valserre"],
        ..VELO
    },
];

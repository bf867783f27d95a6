//! French: generic words take their article, names without one are put between guillemets.

use super::{
    turns::Cue,
    words::{Way, wind},
};
use routing::{InstructionKind as Kind, Language, WayKind, way_in_words};
use std::borrow::Cow;

const WINDS: [&str; 8] =
    ["le nord", "le nord-est", "l’est", "le sud-est", "le sud", "le sud-ouest", "l’ouest", "le nord-ouest"];

/// Beginnings of references of paths and of rural ways ("chemin rural"), in capitals.
const PATHS: [&str; 14] =
    ["GR", "GRP", "GRT", "GT", "GTA", "GTJ", "GTMC", "HRP", "PR", "TMB", "CR", "SENTIER", "CHEMIN", "CIRCUIT"];
/// Beginnings of references of roads and cycle routes, which keep their article where they run along a path.
const ROADS: [&str; 13] = ["C", "CG", "CS", "D", "M", "N", "RD", "RN", "V", "VC", "VIARHÔNA", "VÉLOROUTE", "VOIE"];

/// The article of a reference, with its space: a road and a cycle route are feminine ("la D 43", "la V62", "l’A 7"), a path
/// is masculine ("le GR 11"). One that says neither is what the way is.
fn article(reference: &str, kind: WayKind) -> &'static str {
    let letters: String = reference.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
    let letters = letters.to_uppercase();
    let is_one_of = |list: &[&str]| list.contains(&letters.as_str());
    let is_path = matches!(
        kind,
        WayKind::Path | WayKind::Track | WayKind::Footway | WayKind::Bridleway | WayKind::Steps | WayKind::ViaFerrata
    );
    if is_one_of(&["A", "E", "EV", "EUROVELO"]) {
        "l’"
    } else if is_one_of(&PATHS) || (is_path && !is_one_of(&ROADS)) {
        "le "
    } else {
        "la "
    }
}

/// The way with its article ("la rue du Port", « Carrer Major », "le sentier") .
pub(crate) fn with_article(way: &Way) -> Cow<'static, str> {
    if let Some(name) = way.name {
        return way_in_words(name, Language::Fr).into();
    }
    if let Some(reference) = way.reference {
        return format!("{}{reference}", article(reference, way.kind)).into();
    }
    match way.kind {
        WayKind::Path => "le sentier",
        WayKind::Track => "le chemin",
        WayKind::Footway => "le cheminement piéton",
        WayKind::Pedestrian => "la rue piétonne",
        WayKind::Cycleway => "la piste cyclable",
        WayKind::Bridleway => "l’allée cavalière",
        WayKind::Steps => "les escaliers",
        WayKind::Ferry => "le ferry",
        WayKind::ViaFerrata => "la via ferrata",
        WayKind::Residential | WayKind::LivingStreet => "la rue",
        WayKind::Service | WayKind::Other => "la voie",
        _ => "la route",
    }
    .into()
}

/// The sentence of a cue.
pub(crate) fn sentence(cue: &Cue) -> String {
    let way = &cue.way;
    let on = with_article(way);
    let turn = |side: &str| {
        if way.name.is_none() && way.reference.is_none() {
            format!("Prenez {on} {side}.")
        } else {
            format!("Tournez {side} sur {on}.")
        }
    };
    match cue.kind {
        Kind::Depart => format!("Partez vers {} sur {on}.", WINDS[wind(cue.bearing_deg)]),
        Kind::Continue => format!("Continuez sur {on}."),
        Kind::SlightLeft => format!("Prenez légèrement à gauche sur {on}."),
        Kind::SlightRight => format!("Prenez légèrement à droite sur {on}."),
        Kind::TurnLeft => turn("à gauche"),
        Kind::TurnRight => turn("à droite"),
        Kind::SharpLeft => turn("franchement à gauche"),
        Kind::SharpRight => turn("franchement à droite"),
        Kind::UTurn => "Faites demi-tour.".to_owned(),
        Kind::Roundabout => match cue.exit {
            Some(1) => format!("Au rond-point, prenez la 1re sortie, sur {on}."),
            Some(exit) => format!("Au rond-point, prenez la {exit}e sortie, sur {on}."),
            None => "Engagez-vous sur le rond-point.".to_owned(),
        },
        Kind::Ferry => {
            way.name.map_or_else(|| "Prenez le ferry.".to_owned(), |name| format!("Prenez le ferry « {name} »."))
        }
        Kind::Steps => "Prenez les escaliers.".to_owned(),
        Kind::Via => format!("Vous passez l’étape {}.", cue.number),
        Kind::OffNetwork => "Quittez le réseau et suivez le tracé.".to_owned(),
        Kind::Rejoin => format!("Rejoignez {on}."),
        Kind::Arrive => "Vous êtes arrivé.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unnamed_ways_are_called_by_their_kind() {
        assert_eq!(with_article(&Way { name: None, reference: None, kind: WayKind::Track }), "le chemin");
        assert_eq!(with_article(&Way { name: None, reference: Some("D 43"), kind: WayKind::Secondary }), "la D 43");
    }

    #[test]
    fn references_take_the_article_of_what_they_name() {
        for (reference, kind, expected) in [
            ("D 12", WayKind::Secondary, "la D 12"),
            ("N 20", WayKind::Trunk, "la N 20"),
            ("CG-3", WayKind::Primary, "la CG-3"),
            ("VC 4", WayKind::Track, "la VC 4"),
            ("D 12", WayKind::Track, "la D 12"),
            ("A 7", WayKind::Trunk, "l’A 7"),
            ("GR-11", WayKind::Path, "le GR-11"),
            ("GR 11", WayKind::Tertiary, "le GR 11"),
            ("GR®10", WayKind::Path, "le GR®10"),
            ("GRP Tour du Queyras", WayKind::Track, "le GRP Tour du Queyras"),
            ("PR2", WayKind::Footway, "le PR2"),
            ("GTA", WayKind::Path, "le GTA"),
            ("HRP", WayKind::Path, "le HRP"),
            ("Sentier 12", WayKind::Residential, "le Sentier 12"),
            ("12", WayKind::Path, "le 12"),
            ("S3", WayKind::Track, "le S3"),
            ("V62", WayKind::Cycleway, "la V62"),
            ("V 62", WayKind::Track, "la V 62"),
            ("ViaRhôna", WayKind::Path, "la ViaRhôna"),
            ("EuroVelo 8", WayKind::Cycleway, "l’EuroVelo 8"),
            ("EV8", WayKind::Track, "l’EV8"),
        ] {
            assert_eq!(with_article(&Way { name: None, reference: Some(reference), kind }), expected);
        }
    }

    #[test]
    fn sentences_read_well() {
        let cue = |kind, way, exit| Cue { kind, point: 0, way, exit, bearing_deg: 180.0, number: 2 };
        let street = Way { name: Some("Rue Grimaldi"), reference: None, kind: WayKind::Residential };
        let path = Way { name: None, reference: None, kind: WayKind::Path };
        assert_eq!(sentence(&cue(Kind::TurnLeft, street, None)), "Tournez à gauche sur la rue Grimaldi.");
        assert_eq!(sentence(&cue(Kind::TurnRight, path, None)), "Prenez le sentier à droite.");
        assert_eq!(sentence(&cue(Kind::Depart, street, None)), "Partez vers le sud sur la rue Grimaldi.");
        assert_eq!(
            sentence(&cue(Kind::Roundabout, street, Some(2))),
            "Au rond-point, prenez la 2e sortie, sur la rue Grimaldi."
        );
        assert_eq!(sentence(&cue(Kind::Via, path, None)), "Vous passez l’étape 2.");
    }
}

//! English sentences.

use super::{
    turns::Cue,
    words::{Way, wind},
};
use routing::{InstructionKind as Kind, WayKind};

const WINDS: [&str; 8] = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

fn way_words<'a>(way: &Way<'a>) -> &'a str {
    if let Some(name) = way.name.or(way.reference) {
        return name;
    }
    match way.kind {
        WayKind::Path => "the path",
        WayKind::Track => "the track",
        WayKind::Footway => "the footway",
        WayKind::Pedestrian => "the pedestrian street",
        WayKind::Cycleway => "the cycle path",
        WayKind::Bridleway => "the bridleway",
        WayKind::Steps => "the steps",
        WayKind::Ferry => "the ferry",
        WayKind::ViaFerrata => "the via ferrata",
        WayKind::Residential | WayKind::LivingStreet => "the street",
        WayKind::Service | WayKind::Other => "the lane",
        _ => "the road",
    }
}

fn ordinal(number: u8) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// The sentence of a cue.
pub(crate) fn sentence(cue: &Cue) -> String {
    let way = &cue.way;
    let onto = way_words(way);
    match cue.kind {
        Kind::Depart => format!("Head {} on {onto}.", WINDS[wind(cue.bearing_deg)]),
        Kind::Continue => format!("Continue on {onto}."),
        Kind::SlightLeft => format!("Bear left onto {onto}."),
        Kind::SlightRight => format!("Bear right onto {onto}."),
        Kind::TurnLeft => format!("Turn left onto {onto}."),
        Kind::TurnRight => format!("Turn right onto {onto}."),
        Kind::SharpLeft => format!("Turn sharp left onto {onto}."),
        Kind::SharpRight => format!("Turn sharp right onto {onto}."),
        Kind::UTurn => "Turn around.".to_owned(),
        Kind::Roundabout => match cue.exit {
            Some(exit) => format!("At the roundabout, take the {} exit onto {onto}.", ordinal(exit)),
            None => "Enter the roundabout.".to_owned(),
        },
        Kind::Ferry => way.name.map_or_else(|| "Take the ferry.".to_owned(), |name| format!("Take the ferry {name}.")),
        Kind::Steps => "Take the steps.".to_owned(),
        Kind::Via => format!("You pass step {}.", cue.number),
        Kind::OffNetwork => "Leave the network and follow the track.".to_owned(),
        Kind::Rejoin => format!("Rejoin {onto}."),
        Kind::Arrive => "You have arrived.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_read_well() {
        let street = Way { name: Some("Mill Lane"), reference: None, kind: WayKind::Residential };
        let cue = |kind, exit| Cue { kind, point: 0, way: street, exit, bearing_deg: 90.0, number: 0 };
        assert_eq!(sentence(&cue(Kind::Depart, None)), "Head east on Mill Lane.");
        assert_eq!(sentence(&cue(Kind::Roundabout, Some(3))), "At the roundabout, take the 3rd exit onto Mill Lane.");
        assert_eq!(ordinal(11), "11th");
    }
}

//! The OpenStreetMap tags of the ways, by class and by the terrain.

use extract::Tags;

use super::lines::Line;
use super::plan::Class;
use crate::ground::{Spot, distance};
use crate::random::Random;
use crate::terrain;

/// A list of tags to build.
#[derive(Debug, Default)]
pub struct TagList(pub Vec<(String, String)>);

impl TagList {
    /// Starts from pairs.
    pub fn of(pairs: &[(&str, &str)]) -> Self {
        let mut list = Self::default();
        for (key, value) in pairs {
            list.set(key, value);
        }
        list
    }

    /// Sets a tag, unless its value is empty.
    pub fn set(&mut self, key: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| known == key) {
            Some(pair) => value.clone_into(&mut pair.1),
            None => self.0.push((key.to_owned(), value.to_owned())),
        }
    }

    /// The same with one more tag.
    #[must_use]
    pub fn with(mut self, key: &str, value: &str) -> Self {
        self.set(key, value);
        self
    }

    /// The finished tags.
    pub fn done(self) -> Tags {
        self.0.into()
    }
}

/// The mean steepness of a line: metres up or down per metre.
fn steepness(line: &[Spot]) -> f64 {
    let heights: Vec<f64> = line.iter().map(|spot| terrain::height(*spot)).collect();
    let climbed: f64 = heights.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum();
    climbed / line.windows(2).map(|pair| distance(pair[0], pair[1])).sum::<f64>().max(1.0)
}

/// The tags of a way cut from `line`. Tags that depend on the terrain are computed from `whole`,
/// so that all stretches of a way get the same ones.
pub fn way_tags(line: &Line, whole: &[Spot], bridge: bool) -> Tags {
    // Seeded by the line, not by the stretch: a track does not change its surface at each junction.
    let mut random = Random::new(line.name.bytes().fold(7, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte)));
    let road = |highway: &str| TagList::of(&[("highway", highway), ("surface", "asphalt")]);
    let mut tags = match line.class {
        Class::Trunk => road("trunk").with("maxspeed", "90").with("motorroad", "yes"),
        Class::Primary => road("primary").with("maxspeed", "80"),
        Class::Secondary => road("secondary").with("maxspeed", "80"),
        Class::Tertiary => road("tertiary"),
        Class::Lane => road("unclassified"),
        Class::Street => road("residential").with("maxspeed", "30"),
        Class::Cycleway => road("cycleway").with("bicycle", "designated").with("foot", "designated").with("width", "3"),
        Class::Track => track(steepness(whole), &mut random),
        Class::Path => path(steepness(whole), whole, &mut random),
    };
    if line.class == Class::Street && line.name.starts_with("Place") {
        tags.set("highway", "pedestrian");
        tags.set("surface", "paving_stones");
    }
    tags.set("name", line.name.strip_prefix("Montée : ").map_or(line.name.as_str(), |top| top));
    if let Some(top) = line.name.strip_prefix("Sentier : ").or_else(|| line.name.strip_prefix("Montée : ")) {
        let kind = if line.name.starts_with('S') { "Sentier" } else { "Montée" };
        tags.set("name", &format!("{kind} {}", of(top)));
    }
    tags.set("ref", &line.reference);
    for (key, value) in &line.extra {
        tags.set(key, value);
    }
    if bridge {
        tags.set("bridge", "yes");
        tags.set("layer", "1");
    }
    tags.done()
}

/// "du", "de la", "des" or "de l’" before a place whose first word is a common noun.
pub fn of(place: &str) -> String {
    let first = place.split([' ', '-']).next().unwrap_or_default();
    if let Some(rest) = place.strip_prefix("Le ") {
        return format!("du {rest}");
    }
    if let Some(rest) = place.strip_prefix("Les ") {
        return format!("des {rest}");
    }
    if let Some(rest) = place.strip_prefix("La ") {
        return format!("de la {rest}");
    }
    match first {
        "Roc" | "Signal" | "Puy" | "Grand" | "Truc" | "Serre" | "Suc" | "Pic" | "Mont" | "Petit" => {
            format!("du {place}")
        }
        "Montagne" | "Tête" | "Roche" | "Crête" | "Dent" | "Motte" => format!("de la {place}"),
        _ if first.starts_with(['A', 'E', 'H', 'I', 'O', 'U', 'É', 'Y']) => format!("d’{place}"),
        _ => format!("de {place}"),
    }
}

fn track(steepness: f64, random: &mut Random) -> TagList {
    let share = random.part();
    let (grade, surface) = match steepness {
        s if s < 0.05 && share < 0.5 => ("grade1", "compacted"),
        s if s < 0.08 => ("grade2", "gravel"),
        s if s < 0.12 => ("grade3", "gravel"),
        _ if share < 0.7 => ("grade4", "ground"),
        _ => ("grade5", "grass"),
    };
    let smoothness = if grade < "grade3" { "intermediate" } else { "bad" };
    TagList::of(&[("highway", "track"), ("tracktype", grade), ("surface", surface), ("smoothness", smoothness)])
}

fn path(steepness: f64, whole: &[Spot], random: &mut Random) -> TagList {
    let top_m = whole.iter().map(|spot| terrain::height(*spot)).fold(0.0, f64::max);
    let (scale, mtb, visibility) = match steepness {
        s if s < 0.11 => ("hiking", "1", "excellent"),
        s if s < 0.21 => ("mountain_hiking", "2", "good"),
        _ if top_m > 1_250.0 => ("demanding_mountain_hiking", "4", "intermediate"),
        _ => ("mountain_hiking", "3", "good"),
    };
    let surface = if top_m > 1_200.0 && random.chance(0.5) { "rock" } else { "ground" };
    TagList::of(&[
        ("highway", "path"),
        ("surface", surface),
        ("sac_scale", scale),
        ("mtb:scale", mtb),
        ("trail_visibility", visibility),
    ])
}

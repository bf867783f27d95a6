//! The class of DATAtourisme for a practice, where neither its list item nor one above it has a class.

use std::collections::HashMap;

use domain::vocabulary::TermSheet;
use serde_json::Value;

/// The class of every tour. `Tour` is in `@type` of every tour already, so it is not added again.
const TOUR: &str = "Tour";
/// Items above another, and below it, that are looked at: a tree has fewer levels.
const LEVELS: usize = 8;

/// The reference lists by number, and the numbers of the items under each.
pub(super) struct Tree<'t, 'a> {
    pub sheets: &'t HashMap<i64, &'a TermSheet>,
    pub under: &'t HashMap<i64, Vec<i64>>,
}

impl<'a> Tree<'_, 'a> {
    /// The class that follows from the practice's word in `schema_randonnee`, else from that of the nearest practice above, else from the
    /// first one under it or under one above. At the top of the list, the planner's profile decides where none of them has a word.
    pub fn tour_class(&self, id: i64) -> Option<&'a str> {
        let parent_of = |id: &i64| self.sheets.get(id)?.parent_id;
        let line: Vec<i64> = std::iter::successors(Some(id), parent_of).take(LEVELS).collect();
        let own = || line.iter().find_map(|id| class_of(self.sheet(*id)?));
        let below = || line.iter().find_map(|id| self.first_under(*id, LEVELS));
        let by_profile = || self.sheet(id).filter(|sheet| sheet.parent_id.is_none()).and_then(class_of_profile);
        own().or_else(below).or_else(by_profile).filter(|class| *class != TOUR)
    }

    fn sheet(&self, id: i64) -> Option<&'a TermSheet> {
        self.sheets.get(&id).copied()
    }

    fn first_under(&self, id: i64, levels: usize) -> Option<&'a str> {
        let levels = levels.checked_sub(1)?;
        let mut children: Vec<(i64, i64)> =
            self.under.get(&id)?.iter().filter_map(|child| Some((self.sheet(*child)?.order, *child))).collect();
        children.sort_unstable();
        children
            .into_iter()
            .find_map(|(_, child)| self.sheet(child).and_then(class_of).or_else(|| self.first_under(child, levels)))
    }
}

/// The class of an item's own words. Any other word (skiing, roller skating) gives `Tour`, which stops the search.
fn class_of(sheet: &TermSheet) -> Option<&str> {
    let word = |system: &str| sheet.attributes["matches"].get(system).and_then(Value::as_str);
    word("datatourisme").or_else(|| {
        Some(match word("schema_randonnee")? {
            "pédestre" | "trail" | "raquettes" => "WalkingTour",
            "cyclo" | "VTT" | "gravel" => "CyclingTour",
            "équestre" => "HorseTour",
            _ => TOUR,
        })
    })
}

fn class_of_profile(sheet: &TermSheet) -> Option<&'static str> {
    match sheet.attributes["profile"].as_str()? {
        "touring" | "road" | "gravel" | "mtb" | "ebike" => Some("CyclingTour"),
        "hiking" | "family" => Some("WalkingTour"),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;
    use serde_json::json;

    /// The practices that Jalon ships, and two of a user's own, numbered in their order.
    fn practices() -> Vec<(String, TermSheet)> {
        let seeds = include_str!("../../../store/seeds/practice_type.json");
        let mut seeds: Vec<Value> = serde_json::from_str(seeds).unwrap();
        seeds.push(json!({"code": "velo-ecole", "parent": "velo"}));
        seeds.push(json!({"code": "cani-rando", "attributes": {"profile": "hiking"}}));
        let number = |code: &Value| seeds.iter().position(|seed| seed["code"] == *code).map(|at| at as i64);
        let sheet = |seed: &Value| TermSheet {
            parent_id: number(&seed["parent"]),
            order: seed["order"].as_i64().unwrap_or_default(),
            attributes: seed["attributes"].clone(),
            ..TermSheet::default()
        };
        seeds.iter().map(|seed| (seed["code"].as_str().unwrap().to_owned(), sheet(seed))).collect()
    }

    #[test]
    fn each_practice_has_the_class_of_what_it_is() {
        let practices = practices();
        let sheets: HashMap<i64, &TermSheet> = (0..).zip(practices.iter().map(|(_, sheet)| sheet)).collect();
        let mut under: HashMap<i64, Vec<i64>> = HashMap::new();
        for (id, sheet) in &sheets {
            under.entry(sheet.parent_id.unwrap_or(-1)).or_default().push(*id);
        }
        let tree = Tree { sheets: &sheets, under: &under };
        let class = |code: &str| tree.tour_class(practices.iter().position(|one| one.0 == code).unwrap() as i64);
        for (codes, expected) in [
            ("velo itinerance-velo gravel vae handbike vtt enduro ftt velo-ecole", "CyclingTour"),
            ("pedestre balade-pied trail pmr-pied raquettes cani-rando", "WalkingTour"),
            ("equestre attelage", "HorseTour"),
            ("eau canoe-kayak", "FluvialTour"),
        ] {
            for code in codes.split(' ') {
                assert_eq!(class(code), Some(expected), "{code}");
            }
        }
        for code in ["ski-fond", "roller", "trottinette", "multi"] {
            assert_eq!(class(code), None, "{code}");
        }
    }
}

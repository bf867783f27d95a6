//! The built-in reference lists. A list that has any item is not changed.

use std::collections::HashMap;
use std::sync::LazyLock;

use domain::rest::Rest;
use domain::vocabulary::{TermSheet, VocabularyKind};
use domain::{Instant, Text};
use serde::Deserialize;
use serde_json::Value;

use crate::record::{Change, Stored, insert};
use crate::sql::one;
use crate::vocabulary::Terms;
use crate::{Connection, StoreError, Tx};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seed {
    code: String,
    #[serde(default)]
    parent: Option<String>,
    label: Text,
    #[serde(default)]
    description: Text,
    #[serde(default)]
    icon: Option<String>,
    #[serde(default)]
    color: Option<String>,
    order: i64,
    #[serde(default = "no_attributes")]
    attributes: Value,
}

fn no_attributes() -> Value {
    Value::Object(serde_json::Map::new())
}

const fn shipped(kind: VocabularyKind) -> &'static str {
    match kind {
        VocabularyKind::Marking => include_str!("../seeds/marking.json"),
        VocabularyKind::Equipment => include_str!("../seeds/equipment.json"),
        VocabularyKind::Tag => include_str!("../seeds/tag.json"),
        VocabularyKind::Level => include_str!("../seeds/level.json"),
        VocabularyKind::PracticeType => include_str!("../seeds/practice_type.json"),
        VocabularyKind::ParcoursTheme => include_str!("../seeds/parcours_theme.json"),
        VocabularyKind::PoiTheme => include_str!("../seeds/poi_theme.json"),
        VocabularyKind::PoiCategory => include_str!("../seeds/poi_category.json"),
        VocabularyKind::StructureType => include_str!("../seeds/structure_type.json"),
    }
}

/// What other systems call the shipped items, by list and code.
static MATCHES: LazyLock<HashMap<(VocabularyKind, String), Value>> = LazyLock::new(|| {
    let of_kind = |kind: VocabularyKind| {
        let seeds: Vec<Seed> = serde_json::from_str(shipped(kind)).unwrap_or_default();
        seeds.into_iter().map(move |mut seed| ((kind, seed.code), seed.attributes["matches"].take()))
    };
    VocabularyKind::ALL.into_iter().flat_map(of_kind).filter(|(_, matches)| matches.is_object()).collect()
});

/// What other systems call an item of this code in the lists that this version ships: a database that was filled by an older version
/// does not hold those that were added since.
pub fn shipped_matches(kind: VocabularyKind, code: &str) -> Option<&'static Value> {
    MATCHES.get(&(kind, code.to_owned()))
}

/// Whether no list is empty.
pub(crate) async fn are_filled(db: &impl Connection) -> Result<bool, StoreError> {
    for kind in VocabularyKind::ALL {
        if is_empty(db, kind).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Fills each list that is empty.
pub(crate) async fn fill(tx: &Tx, now: Instant) -> Result<(), StoreError> {
    for kind in VocabularyKind::ALL {
        if is_empty(tx, kind).await? {
            fill_one(tx, kind, now).await?;
        }
    }
    Ok(())
}

async fn is_empty(db: &impl Connection, kind: VocabularyKind) -> Result<bool, StoreError> {
    let any = one(db, "SELECT id FROM vocabulary WHERE kind = $1 LIMIT 1", [kind.as_str().into()]).await?;
    Ok(any.is_none())
}

async fn fill_one(tx: &Tx, kind: VocabularyKind, now: Instant) -> Result<(), StoreError> {
    let mut left: Vec<Seed> =
        serde_json::from_str(shipped(kind)).map_err(|error| StoreError::row("vocabulary", 0, error.to_string()))?;
    let mut ids = HashMap::new();
    // Each round writes the items whose parent is there: as many rounds as the tree is deep.
    while !left.is_empty() {
        let (ready, waiting): (Vec<Seed>, Vec<Seed>) =
            left.into_iter().partition(|seed| seed.parent.as_ref().is_none_or(|parent| ids.contains_key(parent)));
        if ready.is_empty() {
            return Err(StoreError::row("vocabulary", 0, format!("{}: a parent is missing", kind.as_str())));
        }
        for seed in ready {
            let parent_id = seed.parent.as_ref().and_then(|parent| ids.get(parent).copied());
            let code = seed.code.clone();
            let mut new = Stored::blank(None, now);
            new.sheet = sheet(kind, seed, parent_id);
            let change = Change { by: None, at: now, reason: Some("import"), languages: &[] };
            ids.insert(code, insert::<Terms>(tx, new, change).await?.id);
        }
        left = waiting;
    }
    Ok(())
}

fn sheet(kind: VocabularyKind, seed: Seed, parent_id: Option<i64>) -> TermSheet {
    TermSheet {
        kind,
        code: seed.code,
        parent_id,
        label: seed.label,
        description: seed.description,
        icon: seed.icon,
        color: seed.color,
        order: seed.order,
        attributes: seed.attributes,
        rest: Rest::default(),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn what_other_systems_call_a_shipped_item_is_known_by_its_code() {
        let of = |kind, code| shipped_matches(kind, code).map(|matches| matches["geotrek"].clone());
        assert_eq!(of(VocabularyKind::ParcoursTheme, "faune-flore"), Some(serde_json::json!(["Faune", "Flore"])));
        assert_eq!(of(VocabularyKind::ParcoursTheme, "nonsense"), None);
    }

    #[test]
    fn every_shipped_item_fits_its_kind_and_is_written_in_both_languages() {
        for kind in VocabularyKind::ALL {
            let seeds: Vec<Seed> = serde_json::from_str(shipped(kind)).unwrap();
            let codes: Vec<&str> = seeds.iter().map(|seed| seed.code.as_str()).collect();
            for seed in &seeds {
                assert!(seed.label.is_written("fr") && seed.label.is_written("en"), "{kind:?} {}", seed.code);
                assert!(kind.attributes(seed.attributes.clone()).is_some(), "{kind:?} {}", seed.code);
                assert!(seed.parent.as_ref().is_none_or(|parent| codes.contains(&parent.as_str())), "{}", seed.code);
            }
        }
    }
}

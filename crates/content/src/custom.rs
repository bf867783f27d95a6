//! The fields that white-labels add to content: checked, shown, asked for by lists.

use std::collections::HashMap;

use app::Rejection;
use domain::white_label::custom::{self, CustomValues};
use domain::white_label::{CustomField, CustomOn};
use domain::{Actor, Fault, WhiteLabelId};
use store::custom::CustomFilter;
use store::parcours::Stored as Parcours;
use store::{Connection, StoreError};

/// The fields a white-label adds.
pub(crate) async fn fields_of(db: &impl Connection, owner: WhiteLabelId) -> Result<Vec<CustomField>, StoreError> {
    Ok(store::white_label::custom_fields(db, &[owner]).await?.remove(&owner).unwrap_or_default())
}

/// The faults of a save that changed `custom` or the owner's switch: of the values that changed, and of what is published
/// without something that is required.
pub(crate) async fn faults(
    db: &impl Connection,
    owner: WhiteLabelId,
    on: CustomOn,
    (before, after): (&CustomValues, &CustomValues),
    published: bool,
) -> Result<Vec<Fault>, StoreError> {
    if before == after && !published {
        return Ok(Vec::new());
    }
    let fields = fields_of(db, owner).await?;
    let mut faults = custom::check(before, after, &fields, on);
    if published {
        let faulty: Vec<String> = faults.iter().map(|fault| fault.field.clone()).collect();
        faults.extend(custom::lacks(after, &fields, on).into_iter().filter(|lack| !faulty.contains(&lack.field)));
    }
    Ok(faults)
}

/// What a parcours lacks of what its white-label requires before it is published.
pub(crate) async fn lacks_of(db: &impl Connection, parcours: &Parcours) -> Result<Vec<Fault>, StoreError> {
    let fields = fields_of(db, parcours.white_label_id).await?;
    Ok(custom::lacks(&parcours.sheet.custom, &fields, CustomOn::Parcours))
}

/// The displayed values of content of several white-labels, and the keys of those that are not displayed.
pub struct Shown(HashMap<WhiteLabelId, Vec<CustomField>>);

impl Shown {
    /// For content of these owners.
    pub async fn of(db: &impl Connection, owners: impl Iterator<Item = WhiteLabelId>) -> Result<Self, StoreError> {
        let mut owners: Vec<WhiteLabelId> = owners.collect();
        owners.sort_unstable();
        owners.dedup();
        if owners.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        Ok(Self(store::white_label::custom_fields(db, &owners).await?))
    }

    /// The fields of an owner.
    pub fn fields(&self, owner: WhiteLabelId) -> &[CustomField] {
        self.0.get(&owner).map(Vec::as_slice).unwrap_or_default()
    }

    /// The values of a record that are shown, and the keys of those that are stored but not shown.
    pub fn values(&self, owner: WhiteLabelId, on: CustomOn, values: &CustomValues) -> (CustomValues, Vec<String>) {
        custom::shown(values, self.fields(owner), on)
    }
}

/// What a list is asked of the active white-label's own fields: `key:value`, several with `;`.
pub(crate) async fn filters(
    db: &impl Connection,
    actor: &Actor,
    on: CustomOn,
    asked: Option<&str>,
) -> Result<Vec<CustomFilter>, Rejection> {
    let Some(asked) = asked.filter(|asked| !asked.trim().is_empty()) else { return Ok(Vec::new()) };
    let white_label = actor.active_white_label_id;
    let fields = fields_of(db, white_label).await?;
    let filter = |(key, value): (&str, &str)| {
        let field = fields.iter().find(|field| field.on == on && field.key == key)?;
        Some(CustomFilter { white_label, key: key.to_owned(), test: field.test(value)? })
    };
    let read = pairs(asked).and_then(|pairs| pairs.into_iter().map(filter).collect());
    read.ok_or_else(|| Rejection::BadQuery { name: "custom".to_owned() })
}

/// `ground:Sable;beds:2..4` as keys and values. A semicolon that no key follows is part of the value.
fn pairs(asked: &str) -> Option<Vec<(&str, &str)>> {
    let is_key = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let begins = |part: &str| part.split_once(':').is_some_and(|(key, _)| is_key(key.trim()));
    let mut starts = vec![0];
    starts.extend(asked.match_indices(';').map(|(at, _)| at + 1).filter(|at| begins(&asked[*at..])));
    let ends = starts.iter().skip(1).map(|start| start - 1).chain([asked.len()]);
    let pair = |(start, end): (&usize, usize)| {
        let (key, value) = asked[*start..end].split_once(':')?;
        is_key(key.trim()).then_some((key.trim(), value.trim()))
    };
    starts.iter().zip(ends).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_and_a_value_may_hold_a_semicolon() {
        assert_eq!(pairs("ground:Sable;beds:2..4"), Some(vec![("ground", "Sable"), ("beds", "2..4")]));
        assert_eq!(pairs("words:un; deux"), Some(vec![("words", "un; deux")]));
        assert_eq!(pairs("site:https://pre.example"), Some(vec![("site", "https://pre.example")]));
        assert_eq!(pairs("Sable"), None);
        assert_eq!(pairs("Ground:Sable"), None);
    }
}

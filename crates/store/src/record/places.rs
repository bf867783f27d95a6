//! Where something in the bin was, and putting it back there.

use domain::Actor;
use domain::record::Kind;
use sea_orm::Value as Bound;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::access::{Owner, Usable, may_change, owners};
use super::every::{for_kind, table_of};
use super::{Change, Record, Uses, lock, revision, save, visible};
use crate::parcours::{self};
use crate::sql::{all, get, json, numbers, one};
use crate::{Connection, StoreError, Tx, row};

/// A record that pointed to one that was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Of what kind.
    pub kind: Kind,
    /// Its number.
    pub id: i64,
    /// The save that took the deleted one out of it.
    pub version: i64,
}

/// The places of a restored record: put back or left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PutBack {
    /// How many refer to it again.
    pub done: i64,
    /// How many were left without it: the person may not change them, they were erased, or another record took its place.
    pub left: i64,
}

/// A place as the bin keeps it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct KeptPlace(i16, i64, i64);

impl From<&Place> for KeptPlace {
    fn from(place: &Place) -> Self {
        Self(place.kind.code(), place.id, place.version)
    }
}

/// The places that the bin keeps of something; none of a parcours, whose children and shares are not put back.
pub async fn places(db: &impl Connection, bin_id: i64) -> Result<Vec<Place>, StoreError> {
    #[derive(Default, Deserialize)]
    struct Body {
        #[serde(default)]
        places: Vec<KeptPlace>,
    }
    let sql = "SELECT kind, body FROM bin WHERE id = $1";
    let Some(found) = one(db, sql, [bin_id.into()]).await? else { return Ok(Vec::new()) };
    if get::<i16>(&found, 0)? == Kind::Parcours.code() {
        return Ok(Vec::new());
    }
    let body: Body = json("bin", bin_id, &get::<String>(&found, 1)?)?;
    body.places
        .into_iter()
        .map(|KeptPlace(code, id, version)| {
            Ok(Place { kind: row::word("bin", bin_id, &code.to_string(), Kind::of_code(code))?, id, version })
        })
        .collect()
}

/// Where something in the bin was, as a person may see it: of the records that are still there, at most `limit` of
/// those they see by name, and how many there are in all.
pub async fn places_seen_by(
    db: &impl Connection,
    actor: &Actor,
    bin_id: i64,
    limit: usize,
) -> Result<Uses, StoreError> {
    let mut there = Vec::new();
    for (kind, ids) in by_kind(&places(db, bin_id).await?) {
        let sql = format!("SELECT id FROM {} WHERE id IN {}", table_of(kind), numbers(&ids));
        for found in all(db, &sql, Vec::<Bound>::new()).await? {
            there.push((kind, get::<i64>(&found, 0)?));
        }
    }
    visible::told_of(db, actor, &there, limit).await
}

fn by_kind(places: &[Place]) -> Vec<(Kind, Vec<i64>)> {
    let mut found: Vec<(Kind, Vec<i64>)> = Vec::new();
    for place in places {
        match found.last_mut() {
            Some((last, ids)) if *last == place.kind => ids.push(place.id),
            _ => found.push((place.kind, vec![place.id])),
        }
    }
    found
}

/// Puts a record that came back where it was, in those records that this person may change and whose owner may use it.
pub async fn put_back(
    tx: &Tx,
    actor: &Actor,
    (kind, id): (Kind, i64),
    places: &[Place],
    change: Change<'_>,
) -> Result<PutBack, StoreError> {
    let mut answer = PutBack::default();
    let mut usable = Usable::new(kind, id);
    for place in places {
        let owner = owners(tx, place.kind, &[place.id]).await?.get(&place.id).copied().unwrap_or(Owner::Nobody);
        let theirs = may_change(actor, place.kind, owner) && usable.by(tx, owner).await?;
        let at = (place.id, place.version);
        let done = theirs
            && for_kind!(
                place.kind,
                R => put_back_one::<R>(tx, at, id, change).await,
                parcours => parcours::put_back(tx, at, (kind, id), change).await
            )?;
        if done {
            answer.done += 1;
        } else {
            answer.left += 1;
        }
    }
    if kind == Kind::Media {
        crate::audio::forget_freed(tx, id).await?;
    }
    Ok(answer)
}

/// False where that place is no more, or was filled since.
async fn put_back_one<R: Record>(
    tx: &Tx,
    (id, version): (i64, i64),
    record: i64,
    change: Change<'_>,
) -> Result<bool, StoreError> {
    let Some(now) = lock::<R>(tx, id).await? else { return Ok(false) };
    let Some(before) = revision::<R>(tx, id, version - 1).await? else { return Ok(false) };
    let Some(freed) = revision::<R>(tx, id, version).await? else { return Ok(false) };
    let mut after = now.clone();
    after.sheet = again(&before.sheet, &freed.sheet, &now.sheet, record);
    if after.sheet == now.sheet {
        return Ok(false);
    }
    save::<R>(tx, &now, after, change).await?;
    Ok(true)
}

/// The present sheet with `id` again where it was before it was removed. Fields that changed since are not touched, except for
/// lists, in which it takes its place again.
pub(crate) fn again<S: Clone + Serialize + DeserializeOwned>(before: &S, freed: &S, now: &S, id: i64) -> S {
    let plain = |sheet: &S| serde_json::to_value(sheet).unwrap_or(Value::Null);
    let merged = with_again(&plain(before), &plain(freed), &plain(now), id);
    serde_json::from_value(merged).unwrap_or_else(|_| now.clone())
}

fn with_again(before: &Value, freed: &Value, now: &Value, id: i64) -> Value {
    if before == freed {
        return now.clone();
    }
    if now == freed {
        return before.clone();
    }
    match (before, freed, now) {
        (Value::Object(before), Value::Object(freed), Value::Object(now)) => {
            let part = |of: &Map<String, Value>, name: &String| of.get(name).cloned().unwrap_or(Value::Null);
            let mut after = now.clone();
            for name in before.keys() {
                let value = with_again(&part(before, name), &part(freed, name), &part(now, name), id);
                if !value.is_null() || now.contains_key(name) {
                    after.insert(name.clone(), value);
                }
            }
            Value::Object(after)
        }
        (Value::Array(before), Value::Array(freed), Value::Array(now)) => {
            Value::Array(list_again(before, freed, now, id))
        }
        _ => now.clone(),
    }
}

/// A list of numbers gets its one back at its place; of a list of things, each is found by its own number.
fn list_again(before: &[Value], freed: &[Value], now: &[Value], id: i64) -> Vec<Value> {
    let wanted = Value::from(id);
    if let Some(at) = before.iter().position(|one| *one == wanted) {
        let mut after = now.to_vec();
        if !after.contains(&wanted) {
            after.insert(at.min(after.len()), wanted);
        }
        return after;
    }
    let same = |of: &[Value], one: &Value| of.iter().find(|other| other.get("id") == one.get("id")).cloned();
    let renewed = |one: &Value| match (one.get("id"), same(before, one), same(freed, one)) {
        (Some(_), Some(before), Some(freed)) => with_again(&before, &freed, one, id),
        _ => one.clone(),
    };
    now.iter().map(renewed).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::with_again;

    #[test]
    fn what_was_not_changed_since_is_as_it_was() {
        let (before, freed) = (json!({"pois": [1, 7, 3], "note": "a"}), json!({"pois": [1, 3], "note": "a"}));
        assert_eq!(with_again(&before, &freed, &freed, 7), before);
    }

    #[test]
    fn a_list_changed_since_gets_it_back_once_and_keeps_the_change() {
        let (before, freed) = (json!({"pois": [1, 7, 3], "note": "a"}), json!({"pois": [1, 3], "note": "a"}));
        let now = json!({"pois": [3], "note": "b"});
        assert_eq!(with_again(&before, &freed, &now, 7), json!({"pois": [3, 7], "note": "b"}));
        let there = json!({"pois": [7, 3], "note": "b"});
        assert_eq!(with_again(&before, &freed, &there, 7), there);
    }

    #[test]
    fn a_field_that_was_filled_since_keeps_what_fills_it() {
        let (before, freed) = (json!({"level_id": 7}), json!({"level_id": null}));
        assert_eq!(with_again(&before, &freed, &json!({"level_id": 9, "x": 1}), 7), json!({"level_id": 9, "x": 1}));
        assert_eq!(with_again(&before, &freed, &json!({"level_id": null, "x": 1}), 7), json!({"level_id": 7, "x": 1}));
    }

    #[test]
    fn a_step_is_found_by_its_number_wherever_it_moved() {
        let before = json!([{"id": 1, "media_ids": [7]}, {"id": 2, "media_ids": [7, 8]}]);
        let freed = json!([{"id": 1, "media_ids": []}, {"id": 2, "media_ids": [8]}]);
        let now = json!([{"id": 2, "media_ids": [8, 9]}, {"id": 5, "media_ids": []}]);
        let after = json!([{"id": 2, "media_ids": [7, 8, 9]}, {"id": 5, "media_ids": []}]);
        assert_eq!(with_again(&before, &freed, &now, 7), after);
    }
}

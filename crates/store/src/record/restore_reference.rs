//! Restores the references to a record in a sheet.

use domain::rest::{self, KeepsRest};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The present state (`now`) with the references to `id` that `before` has and `freed` has not. Fields that changed since are not
/// touched, except for lists, in which `id` is inserted at its former position.
pub(crate) fn restore_reference<S: Clone + Serialize + DeserializeOwned>(before: &S, freed: &S, now: &S, id: i64) -> S {
    merged([before, freed, now], id, crate::sql::text, |json| serde_json::from_str(json))
}

/// The same for a sheet, which keeps the fields that this version does not know.
pub(crate) fn restore_reference_in_sheet<S: Clone + KeepsRest + DeserializeOwned>(
    before: &S,
    freed: &S,
    now: &S,
    id: i64,
) -> S {
    merged([before, freed, now], id, rest::text, rest::read)
}

/// The same for a list of steps.
pub(crate) fn restore_reference_in_list<S: Clone + KeepsRest + DeserializeOwned>(
    before: &Vec<S>,
    freed: &Vec<S>,
    now: &Vec<S>,
    id: i64,
) -> Vec<S> {
    merged([before, freed, now], id, |list| rest::list_text(list), rest::list)
}

fn merged<S: Clone>(
    [before, freed, now]: [&S; 3],
    id: i64,
    write: impl Fn(&S) -> String,
    read: impl Fn(&str) -> serde_json::Result<S>,
) -> S {
    let plain = |state: &S| serde_json::from_str(&write(state)).unwrap_or(Value::Null);
    let merged = restored_value(&plain(before), &plain(freed), &plain(now), id);
    read(&merged.to_string()).unwrap_or_else(|_| now.clone())
}

fn restored_value(before: &Value, freed: &Value, now: &Value, id: i64) -> Value {
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
                let value = restored_value(&part(before, name), &part(freed, name), &part(now, name), id);
                if !value.is_null() || now.contains_key(name) {
                    after.insert(name.clone(), value);
                }
            }
            Value::Object(after)
        }
        (Value::Array(before), Value::Array(freed), Value::Array(now)) => {
            Value::Array(restored_list(before, freed, now, id))
        }
        _ => now.clone(),
    }
}

/// In a list of numbers, `id` is inserted at its former position. In a list of objects, each object is found by its `id` and restored.
fn restored_list(before: &[Value], freed: &[Value], now: &[Value], id: i64) -> Vec<Value> {
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
        (Some(_), Some(before), Some(freed)) => restored_value(&before, &freed, one, id),
        _ => one.clone(),
    };
    now.iter().map(renewed).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::restored_value;

    #[test]
    fn what_was_not_changed_since_is_as_it_was() {
        let (before, freed) = (json!({"pois": [1, 7, 3], "note": "a"}), json!({"pois": [1, 3], "note": "a"}));
        assert_eq!(restored_value(&before, &freed, &freed, 7), before);
    }

    #[test]
    fn a_list_changed_since_gets_it_back_once_and_keeps_the_change() {
        let (before, freed) = (json!({"pois": [1, 7, 3], "note": "a"}), json!({"pois": [1, 3], "note": "a"}));
        let now = json!({"pois": [3], "note": "b"});
        assert_eq!(restored_value(&before, &freed, &now, 7), json!({"pois": [3, 7], "note": "b"}));
        let there = json!({"pois": [7, 3], "note": "b"});
        assert_eq!(restored_value(&before, &freed, &there, 7), there);
    }

    #[test]
    fn a_field_that_was_filled_since_keeps_what_fills_it() {
        let (before, freed) = (json!({"level_id": 7}), json!({"level_id": null}));
        assert_eq!(restored_value(&before, &freed, &json!({"level_id": 9, "x": 1}), 7), json!({"level_id": 9, "x": 1}));
        assert_eq!(
            restored_value(&before, &freed, &json!({"level_id": null, "x": 1}), 7),
            json!({"level_id": 7, "x": 1})
        );
    }

    #[test]
    fn a_step_is_found_by_its_number_wherever_it_moved() {
        let before = json!([{"id": 1, "media_ids": [7]}, {"id": 2, "media_ids": [7, 8]}]);
        let freed = json!([{"id": 1, "media_ids": []}, {"id": 2, "media_ids": [8]}]);
        let now = json!([{"id": 2, "media_ids": [8, 9]}, {"id": 5, "media_ids": []}]);
        let after = json!([{"id": 2, "media_ids": [7, 8, 9]}, {"id": 5, "media_ids": []}]);
        assert_eq!(restored_value(&before, &freed, &now, 7), after);
    }
}

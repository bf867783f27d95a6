//! Fields of stored JSON that this version does not know: a newer version wrote them, and a save by this one must keep them
//! (decision 0051).
//!
//! A type that keeps them has a [`Rest`], which no `Serialize` writes: what leaves by HTTP holds known fields alone. The store reads
//! with [`read`] and [`list`], and writes with [`text`] and [`list_text`]; a field of a larger document is marked
//! `#[serde(with = "domain::rest")]`.

mod sieve;
mod tree;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use self::sieve::{Found, Sieve};
pub use self::sieve::{fields_of, list_has_more, read_part};
pub use self::tree::Rest;

/// A type that keeps the fields of its JSON that this version does not know.
pub trait KeepsRest: Serialize {
    /// Its unknown fields.
    fn rest(&self) -> &Rest;

    /// Its unknown fields, to be replaced.
    fn rest_mut(&mut self) -> &mut Rest;
}

/// Reads a value with what it does not know.
pub fn read<T: KeepsRest + DeserializeOwned>(json: &str) -> serde_json::Result<T> {
    let mut from = serde_json::Deserializer::from_str(json);
    let value = deserialize(&mut from)?;
    from.end()?;
    Ok(value)
}

/// Reads a list of values, each with what it does not know.
pub fn list<T: KeepsRest + DeserializeOwned>(json: &str) -> serde_json::Result<Vec<T>> {
    let items: Vec<Whole<T>> = serde_json::from_str(json)?;
    Ok(items.into_iter().map(|item| item.0).collect())
}

/// A value as JSON, with what it does not know.
pub fn text<T: KeepsRest>(value: &T) -> String {
    // Only a map with keys that are no text fails, and no stored type has one.
    serde_json::to_string(&Written(value)).unwrap_or_default()
}

/// A list of values as JSON, each with what it does not know.
pub fn list_text<T: KeepsRest>(values: &[T]) -> String {
    let items: Vec<Written<'_, T>> = values.iter().map(Written).collect();
    serde_json::to_string(&items).unwrap_or_default()
}

/// Reads a value with what it does not know, for `#[serde(with = "domain::rest")]`.
pub fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: KeepsRest + Deserialize<'de>,
    D: Deserializer<'de>,
{
    let found = Found::default();
    let mut value = T::deserialize(Sieve::new(from, &found))?;
    if let Some(rest) = found.into_rest(&value) {
        *value.rest_mut() = rest;
    }
    Ok(value)
}

/// Writes a value with what it does not know, for `#[serde(with = "domain::rest")]`.
pub fn serialize<T: KeepsRest, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    if value.rest().is_empty() {
        return value.serialize(to);
    }
    let mut known = serde_json::to_value(value).map_err(serde::ser::Error::custom)?;
    value.rest().add_to(&mut known);
    known.serialize(to)
}

/// Reads and writes lists of values with their unknown fields: `#[serde(with = "domain::rest::lists")]`.
pub mod lists {
    use super::{Deserialize, Deserializer, KeepsRest, Serializer, Whole, Written};

    /// Reads a list of values, each with what it does not know.
    pub fn deserialize<'de, T, D>(from: D) -> Result<Vec<T>, D::Error>
    where
        T: KeepsRest + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        let items = Vec::<Whole<T>>::deserialize(from)?;
        Ok(items.into_iter().map(|item| item.0).collect())
    }

    /// Writes a list of values, each with what it does not know.
    pub fn serialize<T: KeepsRest, S: Serializer>(values: &[T], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.iter().map(Written))
    }
}

/// Reads and writes optional values with their unknown fields: `#[serde(with = "domain::rest::optional")]`.
pub mod optional {
    use super::{Deserialize, Deserializer, KeepsRest, Serialize, Serializer, Whole, Written};

    /// Reads a value with what it does not know, or null.
    pub fn deserialize<'de, T, D>(from: D) -> Result<Option<T>, D::Error>
    where
        T: KeepsRest + Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Ok(Option::<Whole<T>>::deserialize(from)?.map(|whole| whole.0))
    }

    /// Writes a value with what it does not know, or null.
    pub fn serialize<T: KeepsRest, S: Serializer>(value: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        value.as_ref().map(Written).serialize(to)
    }
}

/// A state of a document that takes the place of the present one, with what only the present one holds of unknown fields.
#[must_use]
pub fn in_place_of<T: KeepsRest>(mut state: T, present: &T) -> T {
    let rest = state.rest().over(present.rest());
    *state.rest_mut() = rest;
    state
}

struct Whole<T>(T);

impl<'de, T: KeepsRest + Deserialize<'de>> Deserialize<'de> for Whole<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize(from).map(Self)
    }
}

struct Written<'a, T>(&'a T);

impl<T: KeepsRest> Serialize for Written<'_, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize(self.0, to)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Part {
        name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        count: Option<i64>,
    }

    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default)]
    struct Sample {
        title: String,
        part: Option<Part>,
        list: Vec<Part>,
        by_name: BTreeMap<String, Part>,
        free: Value,
        #[serde(skip)]
        rest: Rest,
    }

    impl KeepsRest for Sample {
        fn rest(&self) -> &Rest {
            &self.rest
        }

        fn rest_mut(&mut self) -> &mut Rest {
            &mut self.rest
        }
    }

    fn stored() -> Value {
        json!({"title": "a", "later": {"x": [1, 2]}, "part": {"name": "p", "deep": 1},
            "list": [{"name": "one", "extra": 1}, {"name": "two", "extra": 2}],
            "by_name": {"k": {"name": "n", "count": 2, "more": null}}, "free": {"anything": true}})
    }

    fn sample() -> Sample {
        read(&stored().to_string()).unwrap()
    }

    fn written(sample: &Sample) -> Value {
        serde_json::from_str(&text(sample)).unwrap()
    }

    #[test]
    fn what_is_not_known_is_kept_at_every_depth_and_never_shown() {
        let sample = sample();
        assert_eq!(written(&sample), stored());
        let shown = serde_json::to_string(&sample).unwrap();
        for unknown in ["later", "deep", "extra", "more"] {
            assert!(!shown.contains(unknown), "{unknown} in {shown}");
        }
        assert!(shown.contains("anything"), "free JSON has no unknown fields");
    }

    #[test]
    fn it_is_kept_beside_what_changes_and_goes_with_what_is_removed() {
        let mut changed = sample();
        changed.title = "b".to_owned();
        changed.list[0].name = "uno".to_owned();
        changed.list.swap(0, 1);
        changed.part = None;
        let mut expected = stored();
        expected["title"] = json!("b");
        expected["part"] = Value::Null;
        // The second is found by what it holds. The first changed and moved: its place says nothing any more.
        expected["list"] = json!([{"name": "two", "extra": 2}, {"name": "uno"}]);
        assert_eq!(written(&changed), expected);
        let mut changed = sample();
        changed.list[0].name = "uno".to_owned();
        assert_eq!(written(&changed)["list"][0], json!({"name": "uno", "extra": 1}), "in its place it is the same one");
        changed.list.remove(1);
        assert_eq!(written(&changed)["list"], json!([{"name": "uno"}]));
    }

    #[test]
    fn a_field_that_is_taken_from_another_state_takes_what_is_unknown_in_it() {
        let mut now = sample();
        let past: Sample = read(r#"{"title": "old", "gone": 5, "part": {"name": "q", "deep": 9}}"#).unwrap();
        (now.part, now.title) = (past.part.clone(), past.title.clone());
        now.rest.take_field("part", &past.rest);
        assert_eq!((written(&now)["part"].clone(), written(&now).get("gone")), (json!({"name": "q", "deep": 9}), None));
        let mut whole = past.clone();
        whole.rest = past.rest.over(&sample().rest);
        let written = written(&whole);
        assert_eq!((written["later"].clone(), written["gone"].clone()), (json!({"x": [1, 2]}), json!(5)));
        assert_eq!(written["part"], json!({"name": "q", "deep": 9}));
    }

    #[test]
    fn most_have_none() {
        let known: Sample = read(r#"{"title": "a", "part": {"name": "p"}}"#).unwrap();
        assert!(known.rest.is_empty());
        assert!(read::<Sample>(r#"{"title": 3, "later": 1}"#).is_err());
        assert!(read::<Sample>(r#"{"title": "a"} {}"#).is_err());
    }

    #[test]
    fn a_part_of_a_document_says_whether_the_document_holds_more_than_is_known() {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Title {
            title: String,
        }
        let known = &["title", "part", "list"];
        let (part, has_more) = read_part::<Title>(r#"{"part": {"x": 1}, "title": "a"}"#, known).unwrap();
        assert_eq!((part.title.as_str(), has_more), ("a", false));
        assert!(read_part::<Title>(r#"{"title": "a", "later": 1}"#, known).unwrap().1);
    }
}

//! The filter of a list in a body: what a request acts on, in place of numbers of records.

use std::fmt;
use std::marker::PhantomData;

use domain::Fault;
use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use utoipa::IntoParams;

use crate::Rejection;
use crate::extract::pointer;

/// The refusal of a filter that is the field `at` of a body: the parameter of the list that makes no sense is a field below it.
pub fn refused<E: From<Fault> + From<Rejection>>(at: &str, rejection: Rejection) -> E {
    match rejection {
        Rejection::BadQuery { name } => {
            Fault::new("validation/bad-filter", format!("{at}/{name}")).with("name", name).into()
        }
        other => other.into(),
    }
}

/// Reads a filter that is the field `at` of a body, where another field says of which list it is.
pub fn of_list<Q: DeserializeOwned + IntoParams>(at: &str, sent: &Value) -> Result<Q, Rejection> {
    let read = serde_path_to_error::deserialize::<_, StrictFilter<Q>>(sent);
    let read = read.map_err(|error| Rejection::BadField { field: format!("{at}{}", pointer(error.path())) });
    read.map(|StrictFilter(filter)| filter)
}

/// Reads a filter as a field of a body. It has the parameters of its list and no others: a misspelt one would leave the whole list.
pub fn strict<'de, D: Deserializer<'de>, Q: Deserialize<'de> + IntoParams>(deserializer: D) -> Result<Q, D::Error> {
    StrictFilter::deserialize(deserializer).map(|StrictFilter(filter)| filter)
}

/// The same where the field may be null.
pub fn strict_or_null<'de, D: Deserializer<'de>, Q: Deserialize<'de> + IntoParams>(
    deserializer: D,
) -> Result<Option<Q>, D::Error> {
    Ok(Option::<StrictFilter<Q>>::deserialize(deserializer)?.map(|StrictFilter(filter)| filter))
}

/// A filter that refuses unknown fields. The type cannot refuse them itself: it also reads the query of its list, which holds `page` too.
struct StrictFilter<Q>(Q);

impl<'de, Q: Deserialize<'de> + IntoParams> Deserialize<'de> for StrictFilter<Q> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(StrictFilterVisitor(PhantomData)).map(Self)
    }
}

struct StrictFilterVisitor<Q>(PhantomData<Q>);

impl<'de, Q: Deserialize<'de> + IntoParams> Visitor<'de> for StrictFilterVisitor<Q> {
    type Value = Q;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a filter")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Q, A::Error> {
        let names: Vec<String> = Q::into_params(|| None).into_iter().map(|parameter| parameter.name).collect();
        Q::deserialize(MapAccessDeserializer::new(NamedFields { map, names: &names }))
    }
}

/// The fields of a filter in a body, of which each has the name of a parameter of its list.
struct NamedFields<'a, A> {
    map: A,
    names: &'a [String],
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for NamedFields<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.map.next_key_seed(FieldName { seed, names: self.names })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// The name of a field. It is refused here, where the path of the fault has it.
struct FieldName<'a, S> {
    seed: S,
    names: &'a [String],
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for FieldName<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let name = String::deserialize(deserializer)?;
        if !self.names.contains(&name) {
            return Err(D::Error::custom(format_args!("unknown field `{name}`")));
        }
        self.seed.deserialize(StringDeserializer::<D::Error>::new(name))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;
    use crate::extract::parse;

    #[derive(Debug, Default, Deserialize, IntoParams)]
    #[serde(default)]
    struct Filter {
        search: Option<String>,
        owner: Option<String>,
    }

    #[derive(Debug, Deserialize)]
    struct Sent {
        #[serde(default, deserialize_with = "strict_or_null")]
        filter: Option<Filter>,
    }

    fn refusal(json: &str) -> String {
        parse::<Sent>(json.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_filter_has_the_parameters_of_its_list_alone() {
        let sent: Sent = parse(br#"{"filter": {"search": "lac", "owner": null}}"#).unwrap();
        let filter = sent.filter.unwrap();
        assert_eq!((filter.search.as_deref(), filter.owner), (Some("lac"), None));
        for none in ["{}", r#"{"filter": null}"#] {
            assert!(parse::<Sent>(none.as_bytes()).unwrap().filter.is_none(), "{none}");
        }
        assert_eq!(refusal(r#"{"filter": {"serch": "lac"}}"#), "bad field /filter/serch");
        assert_eq!(refusal(r#"{"filter": {"search": "lac", "per_page": 201}}"#), "bad field /filter/per_page");
        assert_eq!(refusal(r#"{"filter": {"search": 3}}"#), "bad field /filter/search");
        assert_eq!(refusal(r#"{"filter": "lac"}"#), "bad field /filter");
    }

    #[test]
    fn a_filter_that_another_field_explains_is_read_in_the_same_way() {
        let read = |sent: Value| of_list::<Filter>("/filter", &sent).map(|filter| filter.search);
        assert_eq!(read(serde_json::json!({"search": "lac"})).unwrap().as_deref(), Some("lac"));
        for (wrong, words) in [
            (serde_json::json!({"serch": "lac"}), "bad field /filter/serch"),
            (serde_json::json!({"search": 3}), "bad field /filter/search"),
            (serde_json::json!([]), "bad field /filter"),
        ] {
            assert_eq!(read(wrong).unwrap_err().to_string(), words);
        }
    }
}

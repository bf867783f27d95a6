//! Bounds of what one answer of a source may have. A small file can have millions of empty items or values, each of which takes up to a hundred times
//! its bytes in memory: they are counted while they are read.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::package::damaged;
use super::route::Refused;

/// The most items of one answer. Their names and places take less than 100 MB. Servers send some hundreds on a page, and no source of routes has as many.
pub(super) const MAX_ITEMS: usize = 200_000;
/// The most that the values of one item weigh: a number, a text or a list 1, a member of an object [`MEMBER`] more, an object [`OBJECT`]. A line of
/// 200,000 points with their heights, the longest that is imported, weighs 800,000. What weighs 1 takes up to some 130 bytes in memory.
const MAX_WEIGHT: usize = 1_000_000;
/// What a member of an object weighs beside its value.
const MEMBER: usize = 4;
/// What an object weighs: with one member it takes as many bytes as with eleven.
const OBJECT: usize = 8;
/// What the error of a list with too many items begins with, before their bound.
const TOO_MANY: &str = "more items than ";

/// A list of JSON of at most `MAX` items. A longer one is refused before its end.
#[derive(Debug)]
pub(super) struct Items<T, const MAX: usize = MAX_ITEMS>(Vec<T>);

impl<T, const MAX: usize> Default for Items<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MAX: usize> Deref for Items<T, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const MAX: usize> IntoIterator for Items<T, MAX> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Items<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ItemsVisitor::<T, MAX>(PhantomData))
    }
}

struct ItemsVisitor<T, const MAX: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for ItemsVisitor<T, MAX> {
    type Value = Items<T, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            if items.len() == MAX {
                return Err(A::Error::custom(format!("{TOO_MANY}{MAX}")));
            }
            items.push(item);
        }
        Ok(Items(items))
    }
}

/// The refusal of an answer with more items than `max`.
pub(super) fn too_many(max: usize) -> Refused {
    Refused::new("import/too-many-features").with("max", max.to_string())
}

/// The refusal of a list with too many items, if this error says that [`Items`] found one; none for every other error.
pub(super) fn too_many_of(error: &serde_json::Error) -> Option<Refused> {
    if !error.is_data() {
        return None;
    }
    let text = error.to_string();
    text.strip_prefix(TOO_MANY)?.split(' ').next()?.parse().ok().map(too_many)
}

/// Reads a part of an answer (an item, a member). One with too many values is refused unread.
pub(super) fn parsed<T: DeserializeOwned>(raw: &str) -> Result<T, Refused> {
    refuse_many_values(raw.as_bytes())?;
    serde_json::from_str(raw).map_err(|error| damaged(&error))
}

/// Refuses a text of JSON whose values weigh more than those of one item may.
pub(super) fn refuse_many_values(raw: &[u8]) -> Result<(), Refused> {
    // No byte weighs more than an object.
    if raw.len() > MAX_WEIGHT / OBJECT && is_heavy(raw) {
        return Err(Refused::new("import/item-too-large"));
    }
    Ok(())
}

/// Whether the values of a text of JSON weigh more than [`MAX_WEIGHT`]. It has at most as many values as it has commas and opening brackets outside its
/// strings.
fn is_heavy(raw: &[u8]) -> bool {
    let (mut weight, mut is_in_string, mut is_escaped) = (0, false, false);
    for byte in raw {
        if is_in_string {
            is_in_string = is_escaped || *byte != b'"';
            is_escaped = !is_escaped && *byte == b'\\';
            continue;
        }
        match byte {
            b'"' => is_in_string = true,
            b',' | b'[' => weight += 1,
            b':' => weight += MEMBER,
            b'{' => weight += OBJECT,
            _ => continue,
        }
        if weight > MAX_WEIGHT {
            return true;
        }
    }
    false
}

/// Whether a text is an object of JSON that has none of these members.
pub(super) fn lacks_members(text: &str, names: &[&str]) -> bool {
    let mut reader = serde_json::Deserializer::from_str(text);
    let has_one = reader.deserialize_map(HasMember(names)).and_then(|has_one| reader.end().map(|()| has_one));
    has_one.is_ok_and(|has_one| !has_one)
}

/// Looks for members by their names, and keeps nothing.
struct HasMember<'a>(&'a [&'a str]);

impl<'de> Visitor<'de> for HasMember<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<bool, A::Error> {
        let mut has_one = false;
        while let Some(name) = members.next_key::<String>()? {
            members.next_value::<IgnoredAny>()?;
            has_one |= self.0.contains(&name.as_str());
        }
        Ok(has_one)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_list_ends_at_its_bound() {
        let read = |text: &str| serde_json::from_str::<Items<u8, 3>>(text).map(|items| items.len());
        assert_eq!(read("[1,2,3]").ok(), Some(3));
        let refused = read("[1,2,3,4]").err().and_then(|error| too_many_of(&error));
        assert_eq!(refused, Some(too_many(3)));
        for other in ["[1,2", "[\"more items than 3\"]", "{}"] {
            assert_eq!(read(other).err().map(|error| too_many_of(&error)), Some(None), "{other}");
        }
    }

    #[test]
    fn an_item_with_too_many_values_is_refused_unread() {
        let of =
            |values: usize| parsed::<Value>(&format!("[{}0]", "0,".repeat(values))).err().map(|refused| refused.code);
        assert_eq!((of(10), of(MAX_WEIGHT - 1)), (None, None));
        assert_eq!(of(MAX_WEIGHT), Some("import/item-too-large"));
        let words = format!("\"{}\"", r#"\"mots\\\", [{:"#.repeat(MAX_WEIGHT));
        assert!(parsed::<Value>(&words).is_ok(), "a long text is one value");
    }

    #[test]
    fn an_item_of_many_objects_is_refused_and_the_longest_line_is_not() {
        let list = |value: &str, times: usize| format!("[{}]", vec![value; times].join(","));
        let code = |text: &str| parsed::<Value>(text).err().map(|refused| refused.code);
        assert_eq!(code(&list("[6.1,45.2,300]", 200_000)), None);
        assert_eq!(code(&list(r#"{"a":0}"#, 70_000)), None);
        assert_eq!(code(&list(r#"{"a":0}"#, 80_000)), Some("import/item-too-large"));
    }

    #[test]
    fn an_object_that_has_no_list_is_told_from_a_damaged_one() {
        assert!(lacks_members(r#"{"error": "Service down", "code": [1]}"#, &["items"]));
        for other in [r#"{"items": 3}"#, r#"{"error": 1"#, r#"{"error": 1} x"#, "[]", ""] {
            assert!(!lacks_members(other, &["items"]), "{other}");
        }
    }
}

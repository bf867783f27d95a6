//! Reads a type and collects the fields that it does not know, at every depth. A type with
//! `deny_unknown_fields` refuses unknown fields in requests alone: here it is not given any.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Rest;
use super::tree::{Key, Node};

/// The unknown fields of one document.
#[derive(Debug, Default)]
pub(super) struct Found(RefCell<Option<Node>>);

impl Found {
    pub(super) fn into_rest(self, value: &impl Serialize) -> Option<Rest> {
        let unknown = self.0.into_inner()?;
        let read = serde_json::to_value(value).unwrap_or_default();
        Some(Rest::new(unknown, read)).filter(|rest| !rest.is_empty())
    }
}

/// What is done with unknown fields.
trait Collect: Copy {
    /// Whether the value of a field is wanted.
    fn wants(self, path: &Path<'_>, name: &str) -> bool;
    fn add(self, path: &Path<'_>, name: &str, value: Value);
}

impl Collect for &Found {
    fn wants(self, _path: &Path<'_>, _name: &str) -> bool {
        true
    }

    fn add(self, path: &Path<'_>, name: &str, value: Value) {
        self.0.borrow_mut().get_or_insert_default().add(&path.keys(), name, value);
    }
}

/// Where a value is.
#[derive(Clone, Copy)]
enum Path<'a> {
    Root,
    Name(&'a Path<'a>, &'a str),
    Item(&'a Path<'a>, usize),
}

impl Path<'_> {
    fn keys(&self) -> Vec<Key> {
        let (mut keys, above, key) = match self {
            Self::Root => return Vec::new(),
            Self::Name(above, name) => (Vec::new(), above, Key::Name((*name).to_owned())),
            Self::Item(above, at) => (Vec::new(), above, Key::Item(*at)),
        };
        keys.extend(above.keys());
        keys.push(key);
        keys
    }
}

/// A deserializer that passes known fields on.
pub(super) struct Sieve<'p, D, C> {
    from: D,
    to: C,
    path: Path<'p>,
}

impl<'a, D> Sieve<'static, D, &'a Found> {
    pub(super) fn new(from: D, to: &'a Found) -> Self {
        Self { from, to, path: Path::Root }
    }
}

/// A visitor whose values are read through the sieve.
struct Sifting<'p, V, C> {
    visitor: V,
    to: C,
    path: Path<'p>,
    /// The fields of a struct; none for a map.
    fields: Option<&'static [&'static str]>,
}

macro_rules! pass_on {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.from.$method($($name,)* visitor)
        })*
    };
}

impl<'p, D, C> Sieve<'p, D, C> {
    fn sifting<V>(self, visitor: V, fields: Option<&'static [&'static str]>) -> (D, Sifting<'p, V, C>) {
        (self.from, Sifting { visitor, to: self.to, path: self.path, fields })
    }
}

impl<'de, D: Deserializer<'de>, C: Collect> Deserializer<'de> for Sieve<'_, D, C> {
    type Error = D::Error;

    pass_on! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
        deserialize_ignored_any();
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let (from, sifting) = self.sifting(visitor, None);
        from.deserialize_option(sifting)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        let (from, sifting) = self.sifting(visitor, None);
        from.deserialize_newtype_struct(name, sifting)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let (from, sifting) = self.sifting(visitor, None);
        from.deserialize_seq(sifting)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let (from, sifting) = self.sifting(visitor, None);
        from.deserialize_map(sifting)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let (from, sifting) = self.sifting(visitor, Some(fields));
        from.deserialize_struct(name, fields, sifting)
    }

    fn is_human_readable(&self) -> bool {
        self.from.is_human_readable()
    }
}

impl<'de, V: Visitor<'de>, C: Collect> Visitor<'de> for Sifting<'_, V, C> {
    type Value = V::Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(out)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(Sieve { from, to: self.to, path: self.path })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_newtype_struct(Sieve { from, to: self.to, path: self.path })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(SiftedItems { items, at: 0, to: self.to, path: self.path })
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        let Self { visitor, to, path, fields } = self;
        visitor.visit_map(SiftedEntries { entries, fields, next_field: 0, key: String::new(), to, path })
    }
}

struct SiftedItems<'p, A, C> {
    items: A,
    at: usize,
    to: C,
    path: Path<'p>,
}

impl<'de, A: SeqAccess<'de>, C: Collect> SeqAccess<'de> for SiftedItems<'_, A, C> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let path = Path::Item(&self.path, self.at);
        self.at += 1;
        self.items.next_element_seed(SiftedSeed { seed, to: self.to, path })
    }

    fn size_hint(&self) -> Option<usize> {
        self.items.size_hint()
    }
}

struct SiftedEntries<'p, A, C> {
    entries: A,
    fields: Option<&'static [&'static str]>,
    /// Where the next field is expected: documents are written in the order of the fields.
    next_field: usize,
    key: String,
    to: C,
    path: Path<'p>,
}

impl<'de, A: MapAccess<'de>, C: Collect> MapAccess<'de> for SiftedEntries<'_, A, C> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        loop {
            if self.entries.next_key_seed(KeyInto(&mut self.key))?.is_none() {
                return Ok(None);
            }
            if let Some(fields) = self.fields
                && !is_among(fields, &mut self.next_field, &self.key)
            {
                if self.to.wants(&self.path, &self.key) {
                    let value = self.entries.next_value()?;
                    self.to.add(&self.path, &self.key, value);
                } else {
                    self.entries.next_value::<IgnoredAny>()?;
                }
                continue;
            }
            let key: StrDeserializer<'_, A::Error> = self.key.as_str().into_deserializer();
            return seed.deserialize(key).map(Some);
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let path = Path::Name(&self.path, &self.key);
        self.entries.next_value_seed(SiftedSeed { seed, to: self.to, path })
    }

    fn size_hint(&self) -> Option<usize> {
        self.entries.size_hint()
    }
}

/// Whether a name is one of these; the one after the last that was found is compared first.
fn is_among(names: &[&str], next: &mut usize, name: &str) -> bool {
    if names.get(*next) == Some(&name) {
        *next += 1;
        return true;
    }
    let Some(at) = names.iter().position(|one| *one == name) else { return false };
    *next = at + 1;
    true
}

/// Reads a key into a text that is used again.
struct KeyInto<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for KeyInto<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for KeyInto<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<(), E> {
        self.0.clear();
        self.0.push_str(key);
        Ok(())
    }
}

struct SiftedSeed<'p, S, C> {
    seed: S,
    to: C,
    path: Path<'p>,
}

impl<'de, S: DeserializeSeed<'de>, C: Collect> DeserializeSeed<'de> for SiftedSeed<'_, S, C> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<S::Value, D::Error> {
        self.seed.deserialize(Sieve { from, to: self.to, path: self.path })
    }
}

/// Finds out only whether a document has unknown fields; it does not collect them.
struct UnknownFieldCheck {
    known: &'static [&'static str],
    next: Cell<usize>,
    found: Cell<bool>,
}

impl Collect for &UnknownFieldCheck {
    fn wants(self, path: &Path<'_>, name: &str) -> bool {
        let mut next = self.next.get();
        if !matches!(path, Path::Root) || !is_among(self.known, &mut next, name) {
            self.found.set(true);
        }
        self.next.set(next);
        false
    }

    fn add(self, _path: &Path<'_>, _name: &str, _value: Value) {}
}

/// Reads a part of a document: `T` has some of its fields. The second value is true where the document has a field of its own that is not
/// in `known`, or a field at a greater depth that the types inside `T` do not have.
pub fn read_part<'de, T: Deserialize<'de>>(
    json: &'de str,
    known: &'static [&'static str],
) -> serde_json::Result<(T, bool)> {
    let beyond = UnknownFieldCheck { known, next: Cell::new(0), found: Cell::new(false) };
    let mut from = serde_json::Deserializer::from_str(json);
    let value = T::deserialize(Sieve { from: &mut from, to: &beyond, path: Path::Root })?;
    from.end()?;
    Ok((value, beyond.found.get()))
}

/// Whether an object of a list holds other fields than `known`; what is below them is not looked at.
pub fn list_has_more(json: &str, known: &'static [&'static str]) -> serde_json::Result<bool> {
    #[derive(Deserialize)]
    struct Nothing {}
    struct Items(&'static [&'static str]);
    impl<'de> Visitor<'de> for Items {
        type Value = bool;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
            let mut has_more = false;
            loop {
                let beyond = UnknownFieldCheck { known: self.0, next: Cell::new(0), found: Cell::new(false) };
                let seed = SiftedSeed { seed: PhantomData::<Nothing>, to: &beyond, path: Path::Root };
                if items.next_element_seed(seed)?.is_none() {
                    return Ok(has_more);
                }
                has_more |= beyond.found.get();
            }
        }
    }
    serde_json::Deserializer::from_str(json).deserialize_seq(Items(known))
}

/// The names of the fields of a struct, as serde reads them.
pub fn fields_of<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // It fails on purpose, once it has the names.
    let _ = T::deserialize(Names(&mut names, PhantomData::<serde::de::value::Error>));
    names
}

struct Names<'a, E>(&'a mut &'static [&'static str], PhantomData<E>);

impl<'de, E: Error> Deserializer<'de> for Names<'_, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, E> {
        Err(E::custom("no struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, E> {
        *self.0 = fields;
        Err(E::custom("only the names"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}

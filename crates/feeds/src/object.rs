//! JSON objects written field by field: fields that were not asked for cost nothing.

use serde::Serialize;

/// The wanted fields of an object: only `fields`, or all but `omit`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    fields: Option<Vec<String>>,
    omit: Vec<String>,
}

impl Chosen {
    /// Names with commas, as in a query.
    pub fn of(fields: Option<&str>, omit: Option<&str>) -> Self {
        let names = |list: &str| -> Vec<String> {
            list.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
        };
        Self { fields: fields.map(names).filter(|names| !names.is_empty()), omit: omit.map(names).unwrap_or_default() }
    }

    /// Whether a field is wanted.
    pub fn wants(&self, name: &str) -> bool {
        self.fields.as_ref().is_none_or(|fields| fields.iter().any(|field| field == name))
            && !self.omit.iter().any(|field| field == name)
    }

    /// Whether a field is named by the question, and not only wanted because the question names none.
    pub fn names(&self, name: &str) -> bool {
        self.fields.is_some() && self.wants(name)
    }

    /// Whether any of these is wanted.
    pub fn wants_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.wants(name))
    }
}

/// An object that is being written.
pub(crate) struct Object<'a> {
    out: Vec<u8>,
    chosen: &'a Chosen,
}

impl<'a> Object<'a> {
    pub(crate) fn new(chosen: &'a Chosen) -> Self {
        Self { out: vec![b'{'], chosen }
    }

    /// Writes a field, when it is wanted; its value is worked out only then.
    pub(crate) fn put<T: Serialize>(&mut self, name: &str, value: impl FnOnce() -> T) -> &mut Self {
        if self.named(name) {
            write(&mut self.out, &value());
        }
        self
    }

    /// Writes a list of what is JSON text already.
    pub(crate) fn put_texts<I: Iterator<Item = String>>(&mut self, name: &str, texts: impl FnOnce() -> I) {
        if self.named(name) {
            let list = texts().collect::<Vec<_>>().join(",");
            self.out.extend_from_slice(format!("[{list}]").as_bytes());
        }
    }

    /// Writes the name of a field that is wanted.
    fn named(&mut self, name: &str) -> bool {
        let wanted = self.chosen.wants(name);
        if wanted {
            if self.out.len() > 1 {
                self.out.push(b',');
            }
            write(&mut self.out, name);
            self.out.push(b':');
        }
        wanted
    }

    /// The object as text.
    pub(crate) fn end(mut self) -> String {
        self.out.push(b'}');
        text(self.out)
    }
}

fn write<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let before = out.len();
    if serde_json::to_writer(&mut *out, value).is_err() {
        // Only a map with keys that are no text fails, and no dialect has one.
        out.truncate(before);
        out.extend_from_slice(b"null");
    }
}

/// A value as JSON text.
pub(crate) fn json<T: Serialize>(value: &T) -> String {
    let mut out = Vec::new();
    write(&mut out, value);
    text(out)
}

fn text(bytes: Vec<u8>) -> String {
    // serde_json writes UTF-8.
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_nobody_asked_for_is_not_worked_out() {
        let chosen = Chosen::of(Some("id, name"), Some("name"));
        let mut object = Object::new(&chosen);
        object.put("id", || 1).put("name", || -> i32 { unreachable!("it is omitted") });
        object.put("geometry", || -> i32 { unreachable!("it is not asked for") });
        assert_eq!(object.end(), r#"{"id":1}"#);
    }

    #[test]
    fn empty_lists_ask_for_everything() {
        assert!(Chosen::of(Some(" ,"), Some("")).wants("geometry"));
        assert!(!Chosen::of(None, Some("geometry")).wants_any(&["geometry"]));
        assert!(!Chosen::default().names("line") && Chosen::of(Some("id,line"), None).names("line"));
    }
}

//! A sheet: the fields of a record that a person may fill, declared once.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::field::MAX_REFERENCES;
use super::kind::{Kind, Target};
use super::rule::{Rule, Shape};
use super::table::Layout;
use crate::Fault;
use crate::rest::KeepsRest;

/// What a declared sheet can do. Implemented by `sheet!`, never by hand.
pub trait Sheet:
    std::fmt::Debug + Clone + Default + PartialEq + Serialize + DeserializeOwned + KeepsRest + Send + Sync + 'static
{
    /// Its fields and their rules, in the order of the contract.
    const FIELDS: &'static [(&'static str, Rule)];

    /// The names of its fields, in the same order.
    const NAMES: &'static [&'static str];

    /// How each of them is laid out in a table, in the same order.
    const LAYOUTS: &'static [Layout];

    /// Sets one field from JSON as a merge patch does: objects merge by key, the rest replaces, null empties.
    fn merge_field(&mut self, name: &str, patch: &Value) -> Result<(), Fault>;

    /// The fields whose value differs from `before`.
    fn changed_since(&self, before: &Self) -> Vec<&'static str>;

    /// Takes one whole field from another state of the sheet. False when there is no such field.
    fn take_field(&mut self, name: &str, from: &Self) -> bool;

    /// Normalises each field by its rule: markup, blanks, doubles. `sanitise` keeps the safe subset of HTML.
    fn clean(&mut self, sanitise: &dyn Fn(&str) -> String);

    /// Normalises only the fields that differ from `before`, the stored sheet, which was normalised when it was stored.
    fn clean_changed(&mut self, before: &Self, sanitise: &dyn Fn(&str) -> String);

    /// The faults of the fields, each field checked alone.
    fn faults(&self, languages: &[String]) -> Vec<Fault>;

    /// The records that its fields point to.
    fn references(&self) -> Vec<Reference>;

    /// Replaces references to the record `from` of a kind by references to `to`; where `to` is `None`, removes them.
    fn repoint(&mut self, kind: Kind, from: i64, to: Option<i64>);
}

/// One thing that a record points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    /// The field with the reference.
    pub field: &'static str,
    /// What it may point to.
    pub target: Target,
    /// The number of what it points to.
    pub id: i64,
}

/// Declares a sheet: each field with its doc line, its type and its rule.
///
/// ```text
/// sheet! {
///     /// What the staff say of a contact.
///     ContactSheet {
///         /// Given name.
///         first_name: String = line(100).required(),
///         /// The structure they answer for.
///         structure_id: i64 = to(Kind::Structure).required(),
///     }
/// }
/// ```
macro_rules! sheet {
    ($(#[$of:meta])* $sheet:ident { $($(#[$doc:meta])* $name:ident : $type:ty = $rule:expr,)+ }) => {
        $(#[$of])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        #[serde(default)]
        pub struct $sheet {
            $($(#[$doc])* pub $name: $type,)+
            /// Stored fields that this version does not know.
            #[serde(skip)]
            pub rest: $crate::rest::Rest,
        }

        impl $crate::rest::KeepsRest for $sheet {
            fn rest(&self) -> &$crate::rest::Rest {
                &self.rest
            }

            fn rest_mut(&mut self) -> &mut $crate::rest::Rest {
                &mut self.rest
            }
        }

        impl $crate::record::Sheet for $sheet {
            const FIELDS: &'static [(&'static str, $crate::record::Rule)] = &[$((stringify!($name), $rule)),+];
            const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];
            const LAYOUTS: &'static [$crate::record::table::Layout] = &[$(<$type as $crate::record::Field>::LAYOUT),+];

            fn merge_field(&mut self, name: &str, patch: &serde_json::Value) -> Result<(), $crate::Fault> {
                match name {
                    $(stringify!($name) => { self.$name = $crate::record::merged(&self.$name, name, patch)?; })+
                    _ => {
                        let at = $crate::record::pointer(name);
                        return Err($crate::Fault::new("validation/unknown-field", at).with("name", name));
                    }
                }
                Ok(())
            }

            fn changed_since(&self, before: &Self) -> Vec<&'static str> {
                let mut names = Vec::new();
                $(if self.$name != before.$name { names.push(stringify!($name)); })+
                names
            }

            fn take_field(&mut self, name: &str, from: &Self) -> bool {
                match name {
                    $(stringify!($name) => self.$name = from.$name.clone(),)+
                    _ => return false,
                }
                self.rest.take_field(name, &from.rest);
                true
            }

            fn clean(&mut self, sanitise: &dyn Fn(&str) -> String) {
                $($crate::record::Field::clean(&mut self.$name, $rule.shape, sanitise);)+
            }

            fn clean_changed(&mut self, before: &Self, sanitise: &dyn Fn(&str) -> String) {
                $($crate::record::Field::clean_changed(&mut self.$name, &before.$name, $rule.shape, sanitise);)+
            }

            fn faults(&self, languages: &[String]) -> Vec<$crate::Fault> {
                let mut faults = Vec::new();
                $($crate::record::Field::check(
                    &self.$name, $rule, concat!("/", stringify!($name)), languages, &mut faults,
                );)+
                faults
            }

            fn references(&self) -> Vec<$crate::record::Reference> {
                let mut found = Vec::new();
                $(if let $crate::record::Shape::To(target) = $rule.shape {
                    let ids = $crate::record::Field::points_to(&self.$name);
                    let one = |id| $crate::record::Reference { field: stringify!($name), target, id };
                    found.extend(ids.into_iter().map(one));
                })+
                found
            }

            fn repoint(&mut self, kind: $crate::record::Kind, from: i64, to: Option<i64>) {
                $(if matches!($rule.shape, $crate::record::Shape::To(target) if target.kind == kind) {
                    $crate::record::Field::repoint(&mut self.$name, from, to);
                })+
            }
        }
    };
}
pub(crate) use sheet;

/// The JSON pointer of a top-level field.
pub fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// A field after a merge patch, or the fault of the value in the patch.
pub(crate) fn merged<T>(current: &T, name: &str, patch: &Value) -> Result<T, Fault>
where
    T: Default + Serialize + DeserializeOwned,
{
    let value = match patch {
        Value::Null => return Ok(T::default()),
        Value::Object(keys) => {
            let mut base = serde_json::to_value(current).unwrap_or(Value::Null);
            if let Value::Object(map) = &mut base {
                for (key, part) in keys {
                    if part.is_null() {
                        map.remove(key);
                    } else {
                        map.insert(key.clone(), part.clone());
                    }
                }
                base
            } else {
                patch.clone()
            }
        }
        other => other.clone(),
    };
    serde_json::from_value(value).map_err(|_| Fault::new("validation/wrong-type", pointer(name)).with("name", name))
}

/// Applies a JSON merge patch to a sheet. All faults are returned at once; nothing is changed when there is one. A field of the
/// sheet may be set even if other views call it read-only.
///
/// `closed` are fields that no patch sets.
pub fn apply_patch<'a, S: Sheet>(
    current: &S,
    patch: impl IntoIterator<Item = (&'a String, &'a Value)>,
    read_only: &[&str],
    closed: &[&str],
) -> Result<S, Vec<Fault>> {
    let mut sheet = current.clone();
    let mut faults = Vec::new();
    for (name, value) in patch {
        let is_field = S::NAMES.iter().any(|field| field == name);
        if closed.contains(&name.as_str()) || (!is_field && read_only.contains(&name.as_str())) {
            faults.push(Fault::new("validation/read-only", pointer(name)).with("name", name.as_str()));
        } else if let Err(fault) = sheet.merge_field(name, value) {
            faults.push(fault);
        }
    }
    if faults.is_empty() { Ok(sheet) } else { Err(faults) }
}

/// Cleans a sheet in place. `sanitise` keeps the safe subset of HTML; the crate that knows an HTML parser provides it.
pub fn clean<S: Sheet>(sheet: &mut S, sanitise: &dyn Fn(&str) -> String) {
    sheet.clean(sanitise);
}

/// Cleans in place only the fields that differ from `before`, the stored sheet: parsing HTML takes time, and stored HTML is clean.
pub fn clean_changed<S: Sheet>(sheet: &mut S, before: &S, sanitise: &dyn Fn(&str) -> String) {
    sheet.clean_changed(before, sanitise);
}

/// The rich texts and the lists of references of a request that are longer than their fields allow, so that they are refused before they
/// are parsed or looked up. The other faults take little time to find, and are returned together.
pub fn too_long<S: Sheet>(sent: &Map<String, Value>) -> Vec<Fault> {
    let shape = |name: &str| S::FIELDS.iter().find(|(field, _)| *field == name).map(|(_, rule)| rule.shape);
    let longer = |(name, value): (&String, &Value)| match shape(name) {
        Some(Shape::Rich(max)) => texts_longer(name, value, max),
        Some(Shape::To(_)) => lists_longer(&pointer(name), value, MAX_REFERENCES),
        _ => Vec::new(),
    };
    sent.iter().flat_map(longer).collect()
}

/// The lists in a field of a request that have more entries than a number.
fn lists_longer(at: &str, value: &Value, max: usize) -> Vec<Fault> {
    match value {
        Value::Array(list) if list.len() > max => vec![Fault::new("validation/too-many", at).with("max", max)],
        Value::Object(fields) => {
            let under = |(name, value): (&String, &Value)| lists_longer(&format!("{at}{}", pointer(name)), value, max);
            fields.iter().flat_map(under).collect()
        }
        _ => Vec::new(),
    }
}

/// The texts in a field of a request that are longer than a number of characters, alone or by language.
fn texts_longer(name: &str, value: &Value, max: usize) -> Vec<Fault> {
    let long = |value: &Value| {
        // A text of at most `max` bytes has at most `max` characters: most need no counting.
        value.as_str().map(str::trim).is_some_and(|text| text.len() > max && text.chars().count() > max)
    };
    let fault = |at: String| Fault::new("validation/too-long", at).with("max", max);
    match value {
        Value::Object(languages) => {
            let long = languages.iter().filter(|(_, text)| long(text));
            long.map(|(language, _)| fault(format!("{}{}", pointer(name), pointer(language)))).collect()
        }
        text => long(text).then(|| fault(pointer(name))).into_iter().collect(),
    }
}

/// The faults of a sheet in changed fields: faults of other fields do not block a save.
pub fn check<S: Sheet>(sheet: &S, changed: &[&str], languages: &[String]) -> Vec<Fault> {
    let mut faults = sheet.faults(languages);
    faults.retain(|fault| changed.contains(&fault.field.split('/').nth(1).unwrap_or_default()));
    faults
}

impl Shape {
    /// What it points to, if it does.
    pub const fn target(self) -> Option<Target> {
        match self {
            Self::To(target) => Some(target),
            _ => None,
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Text;
    use crate::record::{country, email, line, plain, rich, to, to_term, url};
    use crate::vocabulary_kind::VocabularyKind;

    sheet! {
        /// A sheet with a field of each shape.
        Sample {
            title: Text = plain(10).required(),
            words: Text = rich(100),
            name: String = line(5).required(),
            /// Mail.
            email: Option<String> = email(),
            site: Option<String> = url(),
            country: Option<String> = country(),
            /// Pictures.
            media_ids: Vec<i64> = to(Kind::Media),
            theme_id: Option<i64> = to_term(VocabularyKind::PoiTheme),
        }
    }

    fn languages() -> Vec<String> {
        vec!["fr".to_owned(), "en".to_owned()]
    }

    fn patched(patch: Value) -> Result<Sample, Vec<Fault>> {
        let mut sheet = apply_patch(&Sample::default(), patch.as_object().unwrap(), &["id"], &[])?;
        sheet.clean(&str::to_owned);
        Ok(sheet)
    }

    fn codes(sheet: &Sample) -> Vec<String> {
        sheet.faults(&languages()).iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect()
    }

    #[test]
    fn a_patch_merges_texts_cleans_lines_and_drops_doubles() {
        let sheet = patched(json!({
            "title": {"fr": " <b>Lac</b> "}, "name": " Ana ", "email": "A@B.fr ", "country": "fr", "media_ids": [2, 1, 2],
        }));
        let sheet = sheet.unwrap();
        assert_eq!(sheet.title, Text::in_french("Lac"));
        assert_eq!(
            (sheet.name.as_str(), sheet.email.as_deref(), sheet.country.as_deref()),
            ("Ana", Some("a@b.fr"), Some("FR"))
        );
        assert_eq!(sheet.media_ids, [2, 1]);
        assert_eq!(codes(&sheet), Vec::<String>::new());
    }

    #[test]
    fn each_fault_names_its_field() {
        let sheet = patched(json!({
            "title": {"en": "A long title"}, "name": "Anatole", "email": "ana", "site": "ftp://x", "country": "XX",
        }));
        assert_eq!(
            codes(&sheet.unwrap()),
            [
                "validation/too-long /title/en",
                "validation/required /title/fr",
                "validation/too-long /name",
                "validation/email /email",
                "validation/url-scheme /site",
                "validation/country /country",
            ]
        );
        let faults = patched(json!({"id": 3, "colour": 1, "name": 3})).unwrap_err();
        let codes: Vec<&str> = faults.iter().map(|fault| fault.code).collect();
        assert_eq!(codes, ["validation/unknown-field", "validation/read-only", "validation/wrong-type"]);
    }

    #[test]
    fn a_fault_of_a_field_nobody_touched_is_not_shown() {
        assert!(check(&Sample::default(), &["words"], &languages()).is_empty());
        assert_eq!(check(&Sample::default(), &["name"], &languages())[0].field, "/name");
    }

    #[test]
    fn a_text_over_its_limit_is_found_before_anything_is_done_with_it() {
        let sent = json!({"title": {"en": "Eleven chars"}, "words": {"fr": "<p>".repeat(40), "en": " <p>two</p> "},
            "media_ids": vec![1; 501], "theme_id": 1, "colour": "x".repeat(999)});
        let listed: Vec<String> = too_long::<Sample>(sent.as_object().unwrap())
            .iter()
            .map(|fault| format!("{} {} {}", fault.code, fault.field, fault.params["max"]))
            .collect();
        assert_eq!(listed, ["validation/too-many /media_ids 500", "validation/too-long /words/fr 100"]);
    }

    #[test]
    fn what_is_stored_is_not_sanitised_again() {
        let stored = |words: &str| Sample { words: Text::in_french(words), ..Sample::default() };
        let mut after = stored("<p>un</p>");
        after.words.set("en", "<p>two</p>");
        after.clean_changed(&stored("<p>un</p>"), &str::to_uppercase);
        assert_eq!((after.words.fr(), after.words.get("en")), ("<p>un</p>", Some("<P>TWO</P>")));
    }

    #[test]
    fn references_are_reported_and_pointed_elsewhere() {
        let mut sheet = Sample { media_ids: vec![1, 2], theme_id: Some(2), ..Sample::default() };
        let listed: Vec<(&str, Kind, i64)> =
            sheet.references().iter().map(|to| (to.field, to.target.kind, to.id)).collect();
        assert_eq!(
            listed,
            [("media_ids", Kind::Media, 1), ("media_ids", Kind::Media, 2), ("theme_id", Kind::Vocabulary, 2)]
        );
        sheet.repoint(Kind::Media, 2, Some(1));
        assert_eq!(
            (sheet.media_ids.clone(), sheet.theme_id),
            (vec![1], Some(2)),
            "twice the same is once, other kinds stay"
        );
        sheet.repoint(Kind::Vocabulary, 2, None);
        assert_eq!(sheet.theme_id, None);
    }
}

//! The fields a white-label adds to its content: what a value of each may be, and how a list looks for it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::parts::{CustomField, CustomOn, CustomType};
use crate::link::check_link;
use crate::parcours::availability::is_day;
use crate::record::table::{Cell, Column};
use crate::{Fault, fold};

/// The values of a record, by the key of their field.
pub type CustomValues = BTreeMap<String, Value>;

/// The most characters of a line, and of a longer text.
const MAX_LINE: usize = 500;
const MAX_TEXT: usize = 20_000;

/// What a list is asked of one field.
#[derive(Debug, Clone, PartialEq)]
pub enum CustomTest {
    /// Its words hold these, folded.
    Holds(String),
    /// It is this, folded.
    Is(String),
    /// It is a number between these, both allowed.
    Within(f64, f64),
    /// It is a day between these, folded, both allowed.
    Between(String, String),
}

impl CustomField {
    /// Why a value does not fit, if it does not.
    fn misfit(&self, value: &Value, at: &str) -> Option<Fault> {
        let text = value.as_str();
        let of_at_most = |text: &str, max: usize| {
            (text.chars().count() > max).then(|| Fault::new("validation/too-long", at).with("max", max))
        };
        let unless = |good: bool, code: &'static str| (!good).then(|| Fault::new(code, at));
        match (self.kind, text) {
            (CustomType::Text, Some(text)) => of_at_most(text, MAX_LINE),
            (CustomType::LongText, Some(text)) => of_at_most(text, MAX_TEXT),
            (CustomType::Text | CustomType::LongText, None) => unless(false, "custom/text"),
            (CustomType::Number, _) => unless(value.is_number(), "custom/number"),
            (CustomType::Bool, _) => unless(value.is_boolean(), "custom/bool"),
            (CustomType::Date, text) => unless(text.is_some_and(is_day), "custom/date"),
            (CustomType::Url, text) => check_link(text.unwrap_or_default())
                .err()
                .map(|wrong| Fault::new(wrong.code(), at).with("max", crate::link::MAX_LINK_CHARS)),
            (CustomType::Choice, text) => {
                unless(text.is_some_and(|text| self.options.iter().any(|option| option == text)), "custom/option")
            }
        }
    }

    /// What a list is asked with these words; none when they cannot be a value of the field.
    pub fn test(&self, asked: &str) -> Option<CustomTest> {
        let asked = asked.trim();
        let (from, to) = asked.split_once("..").unwrap_or((asked, asked));
        match self.kind {
            CustomType::Text | CustomType::LongText | CustomType::Url => {
                Some(fold(asked)).filter(|words| !words.is_empty()).map(CustomTest::Holds)
            }
            CustomType::Bool => ["true", "false"].contains(&asked).then(|| CustomTest::Is(asked.to_owned())),
            CustomType::Choice => {
                self.options.iter().any(|option| option == asked).then(|| CustomTest::Is(fold(asked)))
            }
            CustomType::Number => {
                let end = |text: &str, open: f64| {
                    if text.is_empty() { Some(open) } else { text.parse().ok().filter(|number: &f64| !number.is_nan()) }
                };
                let open = !asked.is_empty() && asked != "..";
                Some(CustomTest::Within(end(from, f64::MIN)?, end(to, f64::MAX)?)).filter(|_| open)
            }
            CustomType::Date => {
                let end = |text: &str, open: &str| match text {
                    "" => Some(open.to_owned()),
                    day => is_day(day).then(|| fold(day)),
                };
                let open = !asked.is_empty() && asked != "..";
                Some(CustomTest::Between(end(from, "0")?, end(to, "9999 99 99")?)).filter(|_| open)
            }
        }
    }
}

/// The words a value is found by.
pub fn words_of(value: &Value) -> String {
    match value {
        Value::String(text) => fold(text),
        other => other.to_string(),
    }
}

/// The field of a key on a kind of content.
fn field<'a>(fields: &'a [CustomField], on: CustomOn, key: &str) -> Option<&'a CustomField> {
    fields.iter().find(|field| field.on == on && field.key == key)
}

/// The faults of the values that changed. An unchanged value may be of a deleted field, or of one whose type changed.
pub fn check(before: &CustomValues, after: &CustomValues, fields: &[CustomField], on: CustomOn) -> Vec<Fault> {
    let changed = after.iter().filter(|(key, value)| before.get(*key) != Some(*value));
    let fault = |(key, value): (&String, &Value)| {
        let at = format!("/custom/{key}");
        match field(fields, on, key) {
            Some(field) => field.misfit(value, &at),
            None => Some(Fault::new("custom/unknown", at).with("key", key.chars().take(60).collect::<String>())),
        }
    };
    changed.filter_map(fault).collect()
}

/// The keys that must be filled in before the content is published, and are not.
pub fn lacking<'a>(values: &CustomValues, fields: &'a [CustomField], on: CustomOn) -> Vec<&'a str> {
    let empty = |field: &&CustomField| {
        values.get(&field.key).is_none_or(|value| field.misfit(value, "").is_some() || value.as_str() == Some(""))
    };
    let required = fields.iter().filter(|field| field.on == on && field.required);
    required.filter(empty).map(|field| field.key.as_str()).collect()
}

/// A fault for each of the [`lacking`] keys, on its field.
pub fn lacks(values: &CustomValues, fields: &[CustomField], on: CustomOn) -> Vec<Fault> {
    let fault = |key: &str| Fault::new("validation/required", format!("/custom/{key}"));
    lacking(values, fields, on).into_iter().map(fault).collect()
}

/// The shown values, and the keys of those that are stored but not shown: their field was deleted, or changed its type.
pub fn shown(values: &CustomValues, fields: &[CustomField], on: CustomOn) -> (CustomValues, Vec<String>) {
    let fits = |key: &str, value: &Value| field(fields, on, key).is_some_and(|field| field.misfit(value, "").is_none());
    let (shown, hidden): (CustomValues, CustomValues) =
        values.iter().map(|(key, value)| (key.clone(), value.clone())).partition(|(key, value)| fits(key, value));
    (shown, hidden.into_keys().collect())
}

/// The columns of a table for the fields on a kind of content: `custom.beds`.
pub fn columns(fields: &[CustomField], on: CustomOn) -> Vec<Column> {
    let column = |field: &CustomField| {
        let cell = match field.kind {
            CustomType::Text | CustomType::LongText | CustomType::Url | CustomType::Choice => Cell::Text,
            CustomType::Number => Cell::Number,
            CustomType::Bool => Cell::Bool,
            CustomType::Date => Cell::Day,
        };
        Column { name: format!("custom.{}", field.key), ..Column::new("custom", Some(&field.key), cell) }
    };
    fields.iter().filter(|field| field.on == on).map(column).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields() -> Vec<CustomField> {
        let field =
            |key: &str, kind| CustomField { key: key.to_owned(), kind, on: CustomOn::Poi, ..CustomField::default() };
        vec![
            field("name", CustomType::Text),
            CustomField { required: true, ..field("beds", CustomType::Number) },
            field("open", CustomType::Bool),
            field("since", CustomType::Date),
            field("site", CustomType::Url),
            CustomField { options: vec!["Sable".into(), "Gravier fin".into()], ..field("ground", CustomType::Choice) },
        ]
    }

    fn values(of: Value) -> CustomValues {
        serde_json::from_value(of).unwrap_or_default()
    }

    fn faults_of(after: Value) -> Vec<String> {
        let faults = check(&CustomValues::default(), &values(after), &fields(), CustomOn::Poi);
        faults.iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect()
    }

    #[test]
    fn each_value_is_of_its_type() {
        let good = json!({
            "name": "Le Pré", "beds": 4, "open": true, "since": "2020-02-29", "site": "https://pre.example", "ground": "Sable",
        });
        assert_eq!(faults_of(good), Vec::<String>::new());
        let wrong = json!({
            "name": 4, "beds": "4", "open": "yes", "since": "2021-02-29", "site": "pre", "ground": "sable", "color": 1,
        });
        assert_eq!(
            faults_of(wrong),
            [
                "custom/number /custom/beds",
                "custom/unknown /custom/color",
                "custom/option /custom/ground",
                "custom/text /custom/name",
                "custom/bool /custom/open",
                "custom/date /custom/since",
                "validation/url-invalid /custom/site",
            ]
        );
        assert_eq!(faults_of(json!({"name": "é".repeat(501)})), ["validation/too-long /custom/name"]);
    }

    #[test]
    fn what_nobody_touched_is_not_judged_and_what_no_longer_fits_is_hidden() {
        let old = values(json!({"gone": "x", "beds": "quatre", "open": true}));
        assert!(check(&old, &old, &fields(), CustomOn::Poi).is_empty());
        let (seen, hidden) = shown(&old, &fields(), CustomOn::Poi);
        assert_eq!((seen, hidden), (values(json!({"open": true})), vec!["beds".to_owned(), "gone".to_owned()]));
        assert_eq!(
            shown(&old, &fields(), CustomOn::Parcours).0,
            CustomValues::new(),
            "a field is of one kind of content"
        );
    }

    #[test]
    fn what_is_required_lacks_until_it_fits() {
        let lacks = |of: Value| lacking(&values(of), &fields(), CustomOn::Poi).len();
        assert_eq!((lacks(json!({})), lacks(json!({"beds": "quatre"})), lacks(json!({"beds": 0}))), (1, 1, 0));
        assert!(lacking(&values(json!({})), &fields(), CustomOn::Parcours).is_empty());
    }

    #[test]
    fn a_list_is_asked_as_the_type_wants_it() {
        let test =
            |key: &str, asked: &str| fields().iter().find(|field| field.key == key).and_then(|field| field.test(asked));
        assert_eq!(test("name", "Pré"), Some(CustomTest::Holds("pre".into())));
        assert_eq!(test("beds", "4"), Some(CustomTest::Within(4.0, 4.0)));
        assert_eq!(test("beds", "2..4"), Some(CustomTest::Within(2.0, 4.0)));
        assert_eq!(test("beds", "2.."), Some(CustomTest::Within(2.0, f64::MAX)));
        assert_eq!(
            test("since", "2020-01-01..2020-12-31"),
            Some(CustomTest::Between("2020 01 01".into(), "2020 12 31".into()))
        );
        assert_eq!(test("ground", "Gravier fin"), Some(CustomTest::Is("gravier fin".into())));
        for (key, wrong) in
            [("name", " "), ("beds", "x"), ("beds", ".."), ("open", "yes"), ("since", "hier"), ("ground", "Terre")]
        {
            assert_eq!(test(key, wrong), None, "{key} {wrong}");
        }
    }
}

//! What a type of field does by its rule: cleans its value, returns its faults, lists its references.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use super::rule::{Rule, Shape};
use super::table::Layout;
use crate::html::{clean_text, plain, plain_line, rich};
use crate::link::{LinkFault, MAX_LINK_CHARS, check_link};
use crate::phone::is_phone;
use crate::text::check_text;
use crate::{Fault, Text, normalise_email};

/// Most entries of a list of references.
pub(super) const MAX_REFERENCES: usize = 500;

/// A type a field may have. The defaults fit a type that is always sound: `impl Field for MyFlags {}`.
pub trait Field {
    /// The columns of its value in a table. A type without a layout of its own is one cell of JSON.
    const LAYOUT: Layout = Layout::Json;

    /// Takes out of it what is not kept: markup, blanks, doubles.
    fn clean(&mut self, _shape: Shape, _sanitise: &dyn Fn(&str) -> String) {}

    /// The same where it differs from what is stored, which was cleaned before.
    fn clean_changed(&mut self, before: &Self, shape: Shape, sanitise: &dyn Fn(&str) -> String)
    where
        Self: PartialEq,
    {
        if self != before {
            self.clean(shape, sanitise);
        }
    }

    /// Its faults, each at `at` or under it.
    fn check(&self, _rule: Rule, _at: &str, _languages: &[String], _faults: &mut Vec<Fault>) {}

    /// The numbers of what it points to.
    fn points_to(&self) -> Vec<i64> {
        Vec::new()
    }

    /// Points elsewhere, or nowhere.
    fn repoint(&mut self, _from: i64, _to: Option<i64>) {}
}

fn require(missing: bool, rule: Rule, at: &str, faults: &mut Vec<Fault>) {
    if missing && rule.required {
        faults.push(Fault::new("validation/required", at));
    }
}

impl Field for Text {
    const LAYOUT: Layout = Layout::Text;

    fn clean(&mut self, shape: Shape, sanitise: &dyn Fn(&str) -> String) {
        match shape {
            Shape::Rich(_) => clean_text(self, &|html| rich(html, sanitise)),
            Shape::TextLine(_) => clean_text(self, &plain_line),
            _ => clean_text(self, &plain),
        }
    }

    fn clean_changed(&mut self, before: &Self, shape: Shape, sanitise: &dyn Fn(&str) -> String) {
        let stored = |html: &str| before.iter().any(|(_, words)| words == html);
        self.clean(shape, &|html| if stored(html) { html.to_owned() } else { sanitise(html) });
    }

    fn check(&self, rule: Rule, at: &str, languages: &[String], faults: &mut Vec<Fault>) {
        if let Shape::Plain(max) | Shape::TextLine(max) | Shape::Rich(max) = rule.shape {
            check_text(at, self, max, languages, faults);
        }
        // The first language is the one that is required where a text is.
        let first = languages.first().map_or("fr", String::as_str);
        require(!self.is_written(first), rule, &format!("{at}/{first}"), faults);
    }
}

impl Field for String {
    const LAYOUT: Layout = Layout::Line;

    fn clean(&mut self, shape: Shape, _sanitise: &dyn Fn(&str) -> String) {
        let words = if matches!(shape, Shape::Lines(_)) { plain(self) } else { plain_line(self) };
        *self = match shape {
            Shape::Email => normalise_email(&words).unwrap_or(words),
            Shape::Country | Shape::Color => words.to_uppercase(),
            _ => words,
        };
    }

    fn check(&self, rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        require(self.is_empty(), rule, at, faults);
        if !self.is_empty() {
            faults.extend(line_fault(self, rule.shape, at));
        }
    }
}

fn line_fault(line: &str, shape: Shape, at: &str) -> Option<Fault> {
    match shape {
        Shape::Line(max) | Shape::Lines(max) => {
            (line.chars().count() > max).then(|| Fault::new("validation/too-long", at).with("max", max))
        }
        Shape::Url => check_link(line).err().map(|wrong| match wrong {
            LinkFault::TooLong => Fault::new(wrong.code(), at).with("max", MAX_LINK_CHARS),
            _ => Fault::new(wrong.code(), at),
        }),
        Shape::Email => normalise_email(line).is_none().then(|| Fault::new("validation/email", at)),
        Shape::Phone => (!is_phone(line)).then(|| Fault::new("validation/phone", at)),
        Shape::Color => (!is_color(line)).then(|| Fault::new("validation/color", at)),
        Shape::Country => {
            let known = line.len() == 2 && crate::country::COUNTRIES.contains(&line);
            (!known).then(|| Fault::new("validation/country", at))
        }
        _ => None,
    }
}

/// Whether a line is a colour `#RRGGBB`.
pub fn is_color(line: &str) -> bool {
    line.len() == 7 && line.starts_with('#') && line[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl Field for Option<String> {
    const LAYOUT: Layout = Layout::Line;

    fn clean(&mut self, shape: Shape, sanitise: &dyn Fn(&str) -> String) {
        if let Some(line) = self {
            line.clean(shape, sanitise);
        }
        *self = self.take().filter(|line| !line.is_empty());
    }

    fn check(&self, rule: Rule, at: &str, languages: &[String], faults: &mut Vec<Fault>) {
        match self {
            Some(line) => line.check(rule, at, languages, faults),
            None => require(true, rule, at, faults),
        }
    }
}

impl Field for i64 {
    const LAYOUT: Layout = Layout::Whole;

    fn check(&self, rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        match rule.shape {
            Shape::To(_) => require(*self == 0, rule, at, faults),
            Shape::Between(min, max) if !(min..=max).contains(self) => {
                faults.push(Fault::new("validation/out-of-range", at).with("min", min).with("max", max));
            }
            _ => {}
        }
    }

    fn points_to(&self) -> Vec<i64> {
        if *self == 0 { Vec::new() } else { vec![*self] }
    }

    fn repoint(&mut self, from: i64, to: Option<i64>) {
        if *self == from {
            *self = to.unwrap_or(0);
        }
    }
}

impl Field for Option<i64> {
    const LAYOUT: Layout = Layout::Whole;

    fn check(&self, rule: Rule, at: &str, languages: &[String], faults: &mut Vec<Fault>) {
        match self {
            Some(number) => number.check(rule, at, languages, faults),
            None => require(true, rule, at, faults),
        }
    }

    fn points_to(&self) -> Vec<i64> {
        self.iter().copied().collect()
    }

    fn repoint(&mut self, from: i64, to: Option<i64>) {
        if *self == Some(from) {
            *self = to;
        }
    }
}

impl Field for Vec<i64> {
    const LAYOUT: Layout = Layout::Whole;

    fn clean(&mut self, _shape: Shape, _sanitise: &dyn Fn(&str) -> String) {
        let mut seen = HashSet::new();
        self.retain(|id| seen.insert(*id));
    }

    fn check(&self, rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        require(self.is_empty(), rule, at, faults);
        too_many(self.len(), Shape::List(MAX_REFERENCES), at, faults);
    }

    fn points_to(&self) -> Vec<i64> {
        self.clone()
    }

    fn repoint(&mut self, from: i64, to: Option<i64>) {
        match to.filter(|to| !self.contains(to)) {
            Some(to) => self.iter_mut().filter(|id| **id == from).for_each(|id| *id = to),
            None => self.retain(|id| *id != from),
        }
    }
}

fn too_many(count: usize, shape: Shape, at: &str, faults: &mut Vec<Fault>) {
    if let Shape::List(max) = shape
        && count > max
    {
        faults.push(Fault::new("validation/too-many", at).with("max", max));
    }
}

impl Field for Vec<String> {
    const LAYOUT: Layout = Layout::Lines;

    fn clean(&mut self, _shape: Shape, _sanitise: &dyn Fn(&str) -> String) {
        for line in &mut *self {
            *line = plain_line(line);
        }
        self.retain(|line| !line.is_empty());
    }

    fn check(&self, rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        require(self.is_empty(), rule, at, faults);
        too_many(self.len(), rule.shape, at, faults);
    }
}

/// One reference for each key.
impl Field for BTreeMap<String, i64> {
    fn check(&self, _rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        too_many(self.len(), Shape::List(MAX_REFERENCES), at, faults);
    }

    fn points_to(&self) -> Vec<i64> {
        self.values().copied().collect()
    }

    fn repoint(&mut self, from: i64, to: Option<i64>) {
        match to {
            Some(to) => self.values_mut().filter(|id| **id == from).for_each(|id| *id = to),
            None => self.retain(|_, id| *id != from),
        }
    }
}

impl Field for BTreeMap<String, Value> {
    const LAYOUT: Layout = Layout::Values;

    fn clean(&mut self, _shape: Shape, _sanitise: &dyn Fn(&str) -> String) {
        for value in self.values_mut() {
            if let Value::String(words) = value {
                *words = plain(words);
            }
        }
        self.retain(|_, value| !value.is_null() && value.as_str() != Some(""));
    }

    fn check(&self, rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        too_many(self.len(), rule.shape, at, faults);
    }
}

impl Field for Option<f64> {
    const LAYOUT: Layout = Layout::Number;

    fn check(&self, rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        require(self.is_none(), rule, at, faults);
        if let (Shape::Between(min, max), Some(number)) = (rule.shape, self)
            && !(min as f64..=max as f64).contains(number)
        {
            faults.push(Fault::new("validation/out-of-range", at).with("min", min).with("max", max));
        }
    }
}

/// Whether degrees east and north are those of a place.
pub(crate) fn is_in_world([lon, lat]: [f64; 2]) -> bool {
    (-180.0..=180.0).contains(&lon) && (-90.0..=90.0).contains(&lat)
}

/// A place: degrees east and north.
impl Field for Option<[f64; 2]> {
    const LAYOUT: Layout = Layout::Place;

    fn check(&self, rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        require(self.is_none(), rule, at, faults);
        if self.is_some_and(|place| !is_in_world(place)) {
            faults.push(Fault::new("validation/position-outside-world", at));
        }
    }
}

impl Field for bool {
    const LAYOUT: Layout = Layout::Bool;
}

impl Field for Option<bool> {
    const LAYOUT: Layout = Layout::Bool;
}

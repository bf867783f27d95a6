//! Postal addresses.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Fault;
use crate::record::table::Layout;
use crate::record::{Field, Rule, Shape, country, line};

/// A postal address; each part may be absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Address {
    /// Number and street.
    pub street: Option<String>,
    pub postcode: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// ISO 3166 code of the country.
    pub country: Option<String>,
}

impl Address {
    fn parts(&self) -> [(&'static str, &Option<String>, Rule); 4] {
        [
            ("street", &self.street, line(200)),
            ("postcode", &self.postcode, line(20)),
            ("city", &self.city, line(100)),
            ("country", &self.country, country()),
        ]
    }
}

impl Field for Address {
    const LAYOUT: Layout = Layout::Parts(&["street", "postcode", "city", "country"], &Layout::Line);

    fn clean(&mut self, _shape: Shape, sanitise: &dyn Fn(&str) -> String) {
        for part in [&mut self.street, &mut self.postcode, &mut self.city] {
            part.clean(Shape::Line(200), sanitise);
        }
        self.country.clean(Shape::Country, sanitise);
    }

    fn check(&self, _rule: Rule, at: &str, languages: &[String], faults: &mut Vec<Fault>) {
        for (name, part, rule) in self.parts() {
            part.check(rule, &format!("{at}/{name}"), languages, faults);
        }
    }
}

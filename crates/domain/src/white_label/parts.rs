//! The parts of a white-label's settings: each is a small form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::record::{Field, Rule, Shape, color, free, text_line};
use crate::transport_line::words;
use crate::{Fault, Text};

words! {
    /// What a white-label is.
    WhiteLabelKind {
        /// Shared by all of a structure's.
        Common "common",
        /// A destination's site.
        Destination "destination",
        /// A travel agency's.
        Travel "travel",
        /// An application.
        App "app",
    } default Destination
}

/// Its three colours.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Colors {
    /// The first one.
    pub primary: Option<String>,
    /// The second one.
    pub secondary: Option<String>,
    /// The third one.
    pub tertiary: Option<String>,
}

impl Field for Colors {
    fn clean(&mut self, _shape: Shape, sanitise: &dyn Fn(&str) -> String) {
        for one in [&mut self.primary, &mut self.secondary, &mut self.tertiary] {
            one.clean(Shape::Color, sanitise);
        }
    }

    fn check(&self, _rule: Rule, at: &str, languages: &[String], faults: &mut Vec<Fault>) {
        for (name, one) in [("primary", &self.primary), ("secondary", &self.secondary), ("tertiary", &self.tertiary)] {
            one.check(color(), &format!("{at}/{name}"), languages, faults);
        }
    }
}

words! {
    /// How strongly the planner prefers something, compared with the profile.
    PlannerLevel {
        /// Less than the profile.
        Less "less",
        /// As the profile.
        Usual "usual",
        /// More than the profile.
        More "more",
    } default Usual
}

/// How it bends a profile of the planner: what is forbidden stays so, and times stay the profile's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlannerPreference {
    /// Keep to signed networks.
    pub signed: PlannerLevel,
    /// Keep away from traffic.
    pub quiet: PlannerLevel,
    /// Keep away from climbs.
    pub gentle: PlannerLevel,
    /// Keep to paved ways.
    pub paved: PlannerLevel,
}

impl Field for BTreeMap<String, PlannerPreference> {}

/// Its two fonts: media of the kind `font`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Fonts {
    /// The font of titles.
    pub title_media_id: Option<i64>,
    /// The font of texts.
    pub text_media_id: Option<i64>,
}

impl Field for Fonts {
    fn points_to(&self) -> Vec<i64> {
        self.title_media_id.into_iter().chain(self.text_media_id).collect()
    }

    fn repoint(&mut self, from: i64, to: Option<i64>) {
        self.title_media_id.repoint(from, to);
        self.text_media_id.repoint(from, to);
    }
}

/// A stretch of the map: two corners, degrees east and north each.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The corner in the north-east.
    #[schema(value_type = trace::Place)]
    pub ne: [f64; 2],
    /// The corner in the south-west.
    #[schema(value_type = trace::Place)]
    pub sw: [f64; 2],
}

impl Field for Option<Bounds> {
    fn check(&self, _rule: Rule, at: &str, languages: &[String], faults: &mut Vec<Fault>) {
        let Some(Bounds { ne, sw }) = self else { return };
        for (name, corner) in [("ne", ne), ("sw", sw)] {
            Some(*corner).check(free(), &format!("{at}/{name}"), languages, faults);
        }
        if !(ne[0] > sw[0] && ne[1] > sw[1]) {
            faults.push(Fault::new("white-label/bounds", at));
        }
    }
}

/// Its identifiers at an audience measurement, one a platform.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Analytics {
    /// The identifier of its site: `G-XXXXXXXXXX`.
    pub web: Option<String>,
    /// The identifier of its Android application: `1:123456789012:android:0123456789abcdef`.
    pub android: Option<String>,
    /// The identifier of its iOS application: `1:123456789012:ios:0123456789abcdef`.
    pub ios: Option<String>,
}

impl Field for Analytics {
    fn clean(&mut self, _shape: Shape, sanitise: &dyn Fn(&str) -> String) {
        for one in [&mut self.web, &mut self.android, &mut self.ios] {
            one.clean(Shape::Line(100), sanitise);
        }
    }

    fn check(&self, _rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        let of_site = |id: &str| {
            let rest = id.strip_prefix("G-").unwrap_or_default();
            (6..=14).contains(&rest.len())
                && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        };
        let of_app = |id: &str, platform: &str| {
            let parts: Vec<&str> = id.split(':').collect();
            let [one, project, named, app] = parts.as_slice() else { return false };
            *one == "1"
                && *named == platform
                && (6..=20).contains(&project.len())
                && project.bytes().all(|byte| byte.is_ascii_digit())
                && (16..=40).contains(&app.len())
                && app.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        let platforms = [
            ("web", self.web.as_deref().is_none_or(of_site)),
            ("android", self.android.as_deref().is_none_or(|id| of_app(id, "android"))),
            ("ios", self.ios.as_deref().is_none_or(|id| of_app(id, "ios"))),
        ];
        for (platform, good) in platforms {
            if !good {
                faults.push(
                    Fault::new("white-label/analytics-id", format!("{at}/{platform}")).with("platform", platform),
                );
            }
        }
    }
}

/// The POIs it shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PoiChoice {
    /// POIs of one of these categories; all if empty.
    pub category_ids: Vec<i64>,
    /// POIs with one of these themes; all if empty.
    pub theme_ids: Vec<i64>,
}

impl Field for PoiChoice {
    fn clean(&mut self, shape: Shape, sanitise: &dyn Fn(&str) -> String) {
        self.category_ids.clean(shape, sanitise);
        self.theme_ids.clean(shape, sanitise);
    }

    fn check(&self, rule: Rule, at: &str, languages: &[String], faults: &mut Vec<Fault>) {
        self.category_ids.check(rule, &format!("{at}/category_ids"), languages, faults);
        self.theme_ids.check(rule, &format!("{at}/theme_ids"), languages, faults);
    }

    fn points_to(&self) -> Vec<i64> {
        self.category_ids.iter().chain(&self.theme_ids).copied().collect()
    }

    fn repoint(&mut self, from: i64, to: Option<i64>) {
        self.category_ids.repoint(from, to);
        self.theme_ids.repoint(from, to);
    }
}

/// The parcours it shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ParcoursChoice {
    /// Parcours of one of these practice types; all if empty.
    pub practice_type_ids: Vec<i64>,
    /// Loops, or ways from one place to another; both when absent.
    pub is_loop: Option<bool>,
}

impl Field for ParcoursChoice {
    fn clean(&mut self, shape: Shape, sanitise: &dyn Fn(&str) -> String) {
        self.practice_type_ids.clean(shape, sanitise);
    }

    fn check(&self, rule: Rule, at: &str, languages: &[String], faults: &mut Vec<Fault>) {
        self.practice_type_ids.check(rule, &format!("{at}/practice_type_ids"), languages, faults);
    }

    fn points_to(&self) -> Vec<i64> {
        self.practice_type_ids.clone()
    }

    fn repoint(&mut self, from: i64, to: Option<i64>) {
        self.practice_type_ids.repoint(from, to);
    }
}

/// Its switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WhiteLabelFlags {
    /// Its POIs are in feeds, downloads and search engines.
    pub distribute_pois: bool,
    /// Its parcours are in feeds, downloads and search engines.
    pub distribute_parcours: bool,
    /// Public transport is shown.
    pub public_transport: bool,
    /// The tourist's mobility service is offered.
    pub tourist_maas: bool,
    /// The map of cycle ways is shown.
    pub cycle_map: bool,
    /// Names corrected on the ground need no review.
    pub ground_titles: bool,
    /// Texts corrected on the ground need no review.
    pub ground_texts: bool,
    /// Places corrected on the ground need no review.
    pub ground_positions: bool,
    /// POIs made on the ground are published at once.
    pub ground_pois: bool,
}

impl WhiteLabelFlags {
    /// Whether a correction may go in without a review.
    pub const fn takes_corrections(self) -> bool {
        self.ground_titles || self.ground_texts || self.ground_positions
    }
}

impl Default for WhiteLabelFlags {
    fn default() -> Self {
        Self {
            distribute_pois: true,
            distribute_parcours: true,
            public_transport: false,
            tourist_maas: false,
            cycle_map: false,
            ground_titles: false,
            ground_texts: false,
            ground_positions: false,
            ground_pois: false,
        }
    }
}

impl Field for WhiteLabelFlags {}

words! {
    /// Under which licence its open data go out.
    OpenDataLicence {
        /// Licence Ouverte 2.0, that of French public bodies.
        Etalab "etalab",
        /// Open Database License 1.0.
        Odbl "odbl",
        /// Creative Commons, attribution.
        CcBy "cc_by",
        /// Creative Commons, attribution and the same conditions.
        CcBySa "cc_by_sa",
    } default Etalab
}

words! {
    /// The type of a custom field.
    CustomType {
        /// A line.
        Text "text",
        /// Several lines.
        LongText "long_text",
        /// A number.
        Number "number",
        /// Yes or no.
        Bool "bool",
        /// A day.
        Date "date",
        /// An address of the web.
        Url "url",
        /// One of several words.
        Choice "choice",
    } default Text
}

words! {
    /// The kind of record that a custom field is added to.
    CustomOn {
        /// Parcours.
        Parcours "parcours",
        /// Points of interest.
        Poi "poi",
    } default Parcours
}

/// A field of a white-label's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CustomField {
    /// Its name in the API.
    pub key: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: CustomType,
    /// Its name on screens.
    pub label: Text,
    /// The words of a choice.
    pub options: Vec<String>,
    /// What it is added to.
    pub on: CustomOn,
    /// Whether it must be filled in.
    pub required: bool,
}

impl CustomField {
    /// Whether the key is one: small letters, digits and underscores, a letter first.
    fn is_named(&self) -> bool {
        self.key.len() <= 40
            && self.key.starts_with(|first: char| first.is_ascii_lowercase())
            && self.key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    }

    /// The first option of a choice that is an earlier one again; upper and lower case are the same. At most 60 characters of it.
    fn repeated_option(&self) -> Option<String> {
        let same = |one: &str, other: &str| one.trim().to_lowercase() == other.trim().to_lowercase();
        let repeated = |(number, option): &(usize, &String)| {
            self.options.iter().take(*number).any(|earlier| same(earlier, option))
        };
        let options = if self.kind == CustomType::Choice { self.options.as_slice() } else { &[] };
        options.iter().enumerate().find(repeated).map(|(_, option)| option.trim().chars().take(60).collect())
    }
}

impl Field for Vec<CustomField> {
    fn clean(&mut self, shape: Shape, sanitise: &dyn Fn(&str) -> String) {
        for one in &mut *self {
            one.label.clean(Shape::TextLine(100), sanitise);
            one.options.clean(shape, sanitise);
        }
    }

    fn check(&self, rule: Rule, at: &str, languages: &[String], faults: &mut Vec<Fault>) {
        if let Shape::List(max) = rule.shape
            && self.len() > max
        {
            faults.push(Fault::new("validation/too-many", at).with("max", max));
        }
        for (number, one) in self.iter().enumerate() {
            let at = format!("{at}/{number}");
            if !one.is_named() {
                faults.push(Fault::new("white-label/custom-key", format!("{at}/key")));
            }
            if self[..number].iter().any(|other| other.key == one.key && other.on == one.on) {
                faults
                    .push(Fault::new("white-label/custom-key-taken", format!("{at}/key")).with("key", one.key.clone()));
            }
            one.label.check(text_line(100).required(), &format!("{at}/label"), languages, faults);
            if one.kind == CustomType::Choice && one.options.is_empty() {
                faults.push(Fault::new("validation/required", format!("{at}/options")));
            }
            if let Some(option) = one.repeated_option() {
                faults.push(
                    Fault::new("white-label/custom-option-twice", format!("{at}/options")).with("option", option),
                );
            }
        }
    }
}

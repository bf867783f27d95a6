//! Lines of public transport: how one gets there, and whether a bicycle comes along.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::record::{Field, Kind, Rule, Shape, color, free, line, plain, sheet, to, url};
use crate::{Fault, Text};

/// Declares a closed list of words of the API for a sheet.
macro_rules! words {
    ($(#[$of:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident $word:literal,)+ } default $default:ident) => {
        $(#[$of])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// The written word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The value of a word, if it is one.
            pub fn parse(word: &str) -> Option<Self> {
                [$(Self::$variant),+].into_iter().find(|one| one.as_str() == word)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::$default
            }
        }

        impl $crate::record::Field for $name {
            const LAYOUT: $crate::record::table::Layout =
                $crate::record::table::Layout::Words(&[$($word),+]);
        }
    };
}
pub(crate) use words;

words! {
    /// What runs on a line, in the words of GTFS's route types.
    LineMode {
        /// Tram.
        Tram "tram",
        /// Underground.
        Metro "metro",
        /// Train.
        Rail "rail",
        /// Bus.
        Bus "bus",
        /// Boat.
        Ferry "ferry",
        /// Cable car on the ground.
        Cable "cable",
        /// Cable car in the air.
        Gondola "gondola",
        /// Funicular.
        Funicular "funicular",
        /// Coach.
        Coach "coach",
        /// Anything else.
        Other "other",
    } default Bus
}

words! {
    /// Whether bicycles are carried.
    LineBikes {
        /// Yes.
        Yes "yes",
        /// No.
        No "no",
        /// Under conditions, which are listed.
        Conditions "conditions",
        /// Not known.
        Unknown "unknown",
    } default Unknown
}

/// A condition of a line for the readers of one white-label, or in one region.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LineCondition {
    /// The only white-label that shows it; all when absent.
    pub white_label_id: Option<i64>,
    /// The region it is valid in; all when absent.
    pub region: Option<String>,
    /// The condition.
    pub text: Text,
}

/// The most conditions of a line.
const MAX_CONDITIONS: usize = 50;

impl Field for Vec<LineCondition> {
    fn clean(&mut self, _shape: Shape, sanitise: &dyn Fn(&str) -> String) {
        for one in &mut *self {
            one.region.clean(Shape::Line(100), sanitise);
            one.text.clean(Shape::Plain(1_000), sanitise);
        }
    }

    fn check(&self, _rule: Rule, at: &str, languages: &[String], faults: &mut Vec<Fault>) {
        if self.len() > MAX_CONDITIONS {
            faults.push(Fault::new("validation/too-many", at).with("max", MAX_CONDITIONS));
        }
        for (number, one) in self.iter().enumerate() {
            one.region.check(line(100), &format!("{at}/{number}/region"), languages, faults);
            one.text.check(plain(1_000).required(), &format!("{at}/{number}/text"), languages, faults);
        }
    }

    fn points_to(&self) -> Vec<i64> {
        self.iter().filter_map(|one| one.white_label_id).collect()
    }

    fn repoint(&mut self, from: i64, to: Option<i64>) {
        match to {
            Some(_) => self.iter_mut().for_each(|one| one.white_label_id.repoint(from, to)),
            // A condition for one white-label is not shown to all.
            None => self.retain(|one| one.white_label_id != Some(from)),
        }
    }
}

sheet! {
    /// What the staff say of a line.
    TransportLineSheet {
        /// Its whole name: « Lyon – Grenoble ».
        long_name: String = line(200).required(),
        /// The name on the vehicle.
        short_name: String = line(40),
        operator: Option<String> = line(200),
        /// What runs on it.
        mode: LineMode = free(),
        /// Its colour.
        color: Option<String> = color(),
        /// The colour of words on it.
        text_color: Option<String> = color(),
        /// Whether bicycles are carried.
        bike_carriage: LineBikes = free(),
        /// Whether a place must or may be booked.
        bookable: bool = free(),
        /// The web address.
        booking_url: Option<String> = url(),
        /// By telephone.
        booking_phone: Option<String> = line(40),
        /// How long before, and what else is to be known of it.
        booking_note: Text = plain(1_000),
        /// Conditions for one white-label or in one region.
        conditions: Vec<LineCondition> = to(Kind::WhiteLabel),
        /// The website with more about it.
        website: Option<String> = url(),
    }
}

impl TransportLineSheet {
    /// The sheet as a white-label shows it to its readers: the conditions for all and for this one, and a booking where a place is
    /// booked; its web address only with the tourist's mobility service.
    #[must_use]
    pub fn shown_by(&self, white_label: i64, tourist_maas: bool) -> Self {
        let mut shown = self.clone();
        shown.conditions.retain(|one| one.white_label_id.is_none_or(|id| id == white_label));
        shown.booking_url = shown.booking_url.filter(|_| self.bookable && tourist_maas);
        shown.booking_phone = shown.booking_phone.filter(|_| self.bookable);
        if !self.bookable {
            shown.booking_note = Text::default();
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Sheet as _;

    #[test]
    fn each_condition_says_something() {
        let mut sheet = TransportLineSheet {
            long_name: "Lyon – Grenoble".into(),
            color: Some("#12345".into()),
            conditions: vec![
                LineCondition::default(),
                LineCondition { text: Text::in_french("Hors pointe"), ..LineCondition::default() },
            ],
            ..TransportLineSheet::default()
        };
        sheet.clean(&str::to_owned);
        let faults = sheet.faults(&["fr".to_owned()]);
        let listed: Vec<String> = faults.iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect();
        assert_eq!(listed, ["validation/color /color", "validation/required /conditions/0/text/fr"]);
    }
}

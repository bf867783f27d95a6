//! A line of a feed, and how a transport line follows it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Booking;
use crate::transport_line::{LineBikes, LineMode, TransportLineSheet};

/// How many trips of a line take bicycles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct BikeCounts {
    /// That take them.
    pub yes: u32,
    /// That do not.
    pub no: u32,
    /// Trips without information.
    pub unknown: u32,
}

impl BikeCounts {
    /// The carriage of the whole line: under conditions where some trips take bicycles and others do not.
    pub const fn carriage(self) -> LineBikes {
        match (self.yes, self.no, self.unknown) {
            (1.., 0, 0) => LineBikes::Yes,
            (0, 1.., 0) => LineBikes::No,
            (1.., 1.., _) => LineBikes::Conditions,
            _ => LineBikes::Unknown,
        }
    }
}

/// A line of a feed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct TransitLine {
    /// The feed's identifier of it.
    pub route: String,
    /// The name on the vehicle, else the end of the feed's own number.
    pub code: String,
    /// Its whole name.
    pub long_name: String,
    pub operator: Option<String>,
    /// What runs on it.
    pub mode: LineMode,
    /// Its colour.
    pub color: Option<String>,
    /// The colour of words on it, which can be read.
    pub text_color: Option<String>,
    /// The website with more about it.
    pub website: Option<String>,
    pub trips: u32,
    /// How many of these take bicycles.
    pub bikes: BikeCounts,
    /// Whether a place must or may be booked.
    pub bookable: bool,
    /// How to book.
    pub booking: Option<Booking>,
}

impl TransitLine {
    /// The transport line made from it.
    pub fn sheet(&self) -> TransportLineSheet {
        let booking = self.booking.clone().unwrap_or_default();
        TransportLineSheet {
            long_name: self.long_name.clone(),
            short_name: self.code.clone(),
            operator: self.operator.clone(),
            mode: self.mode,
            color: self.color.clone(),
            text_color: self.text_color.clone(),
            bike_carriage: self.bikes.carriage(),
            bookable: self.bookable,
            booking_note: booking.note(),
            booking_url: booking.url,
            booking_phone: booking.phone,
            website: self.website.clone(),
            ..TransportLineSheet::default()
        }
    }
}

/// Brings a transport line up to date: a field that still has what the feed last wrote takes its new value, one that was edited
/// here stays.
pub fn refresh(ours: &mut TransportLineSheet, last: &TransportLineSheet, now: &TransportLineSheet) {
    macro_rules! follow {
        ($($field:ident)+) => { $(if ours.$field == last.$field { ours.$field = now.$field.clone(); })+ };
    }
    follow!(long_name short_name operator mode color text_color bike_carriage bookable booking_url booking_phone booking_note website);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bicycles_are_under_conditions_where_trips_differ() {
        let of = |yes, no, unknown| BikeCounts { yes, no, unknown }.carriage();
        assert_eq!(of(3, 0, 0), LineBikes::Yes);
        assert_eq!(of(0, 3, 0), LineBikes::No);
        assert_eq!(of(1, 2, 0), LineBikes::Conditions);
        assert_eq!(of(1, 0, 5), LineBikes::Unknown);
        assert_eq!(of(0, 0, 5), LineBikes::Unknown);
        assert_eq!(of(0, 0, 0), LineBikes::Unknown);
    }

    #[test]
    fn what_was_edited_here_stays_and_the_rest_follows() {
        let was = TransitLine { long_name: "Gare – Col".into(), code: "12".into(), ..TransitLine::default() };
        let last = was.sheet();
        let now =
            TransitLine { mode: LineMode::Coach, ..TransitLine { long_name: "Gare – Sommet".into(), ..was } }.sheet();
        let mut ours = TransportLineSheet { long_name: "De la gare au col".into(), ..last.clone() };
        refresh(&mut ours, &last, &now);
        assert_eq!((ours.long_name.as_str(), ours.mode), ("De la gare au col", LineMode::Coach));
    }
}

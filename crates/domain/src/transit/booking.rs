//! How a place is booked on a line that runs on demand.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Text;

/// How a place is booked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Booking {
    /// The web address.
    pub url: Option<String>,
    /// By telephone.
    pub phone: Option<String>,
    /// The operator's message.
    pub message: Option<String>,
    /// Minutes before at the latest.
    pub minutes_before: Option<u32>,
    /// Days before at the latest.
    pub days_before: Option<u32>,
    /// On that day, before this time, in seconds from midnight.
    pub before_s: Option<u32>,
}

impl Booking {
    /// How long before, in words.
    pub fn notice(&self) -> Text {
        let clock = |separator: &str| self.before_s.map(|s| format!("{}{separator}{:02}", s / 3_600, s % 3_600 / 60));
        let until_fr = clock(" h ").map(|at| format!(" avant {at}")).unwrap_or_default();
        let until_en = clock(":").map(|at| format!(" by {at}")).unwrap_or_default();
        match (self.days_before, self.minutes_before) {
            (Some(0), _) => {
                Text::new(format!("Réservation le jour même{until_fr}."), format!("Book on the day{until_en}."))
            }
            (Some(1), _) => {
                Text::new(format!("Réservation la veille{until_fr}."), format!("Book the day before{until_en}."))
            }
            (Some(days), _) => Text::new(
                format!("Réservation au moins {days} jours avant{until_fr}."),
                format!("Book at least {days} days before{until_en}."),
            ),
            (None, Some(minutes)) => {
                let fr = span(minutes, ("h", "min"));
                let en = span(minutes, ("h", "min"));
                Text::new(format!("Réservation au moins {fr} avant."), format!("Book at least {en} before."))
            }
            (None, None) => Text::default(),
        }
    }

    /// The remark on a line: how long before to book, then the operator's message.
    pub fn note(&self) -> Text {
        let mut note = self.notice();
        let Some(message) = self.message.as_deref().map(str::trim).filter(|message| !message.is_empty()) else {
            return note;
        };
        // The operator writes in French; English readers get only the delay, in English.
        let french = note.fr().to_owned();
        note.set("fr", if french.is_empty() { message.to_owned() } else { format!("{french} {message}") });
        note
    }
}

fn span(minutes: u32, (hour, minute): (&str, &str)) -> String {
    match (minutes / 60, minutes % 60) {
        (0, rest) => format!("{rest} {minute}"),
        (hours, 0) => format!("{hours} {hour}"),
        (hours, rest) => format!("{hours} {hour} {rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_is_written_as_it_is_said() {
        let notices = |booking: Booking| (booking.notice().fr().to_owned(), booking.notice().best("en").to_owned());
        let eve = Booking { days_before: Some(1), before_s: Some(17 * 3_600), ..Booking::default() };
        assert_eq!(
            notices(eve.clone()),
            ("Réservation la veille avant 17 h 00.".into(), "Book the day before by 17:00.".into())
        );
        let two_hours = Booking { minutes_before: Some(120), ..Booking::default() };
        assert_eq!(notices(two_hours), ("Réservation au moins 2 h avant.".into(), "Book at least 2 h before.".into()));
        let five_minutes = Booking { minutes_before: Some(5), ..Booking::default() };
        assert_eq!(notices(five_minutes).0, "Réservation au moins 5 min avant.");
        assert!(Booking::default().notice().is_empty());
        let said = Booking { message: Some("Place vélo en sus.".into()), ..eve };
        assert_eq!(said.note().fr(), "Réservation la veille avant 17 h 00. Place vélo en sus.");
        assert_eq!(said.note().best("en"), "Book the day before by 17:00.");
    }
}

//! What a tourist event of a Geotrek has beside what a place has: its dates, its price, how one takes part. A tourist record has no fields for most
//! of it: it is written in the record's texts, in French, and in English where the event is described in English.

use domain::Text;
use serde_json::Value;

use super::lenient::{key, line, number, text};
use super::route::Refused;
use super::sit::datatourisme::shown_day;

/// Whether an item is an event.
pub(super) fn is_event(item: &Value) -> bool {
    ["begin_date", "end_date", "meeting_point", "target_audience"].iter().any(|field| item.get(field).is_some())
}

/// When it is: `du 01/07/2026 au 05/07/2026, 14:00 – 16:00`, after the notice that it is cancelled. An event without a date is refused.
pub(super) fn dates(item: &Value) -> Result<Text, Refused> {
    let day = |field: &str| shown_day(line(item.get(field)));
    let (begin, end) = (day("begin_date"), day("end_date"));
    let from = begin.or_else(|| end.clone()).ok_or_else(|| Refused::new("sit/no-date"))?;
    let to = end.filter(|end| *end != from);
    let time = |field: &str| line(item.get(field)).map(|time| time.chars().take(5).collect::<String>());
    let (starts, ends) = (time("start_time").or_else(|| time("meeting_time")), time("end_time"));
    let hours = match (starts, ends) {
        (Some(starts), Some(ends)) => format!(", {starts} – {ends}"),
        (Some(hour), None) | (None, Some(hour)) => format!(", {hour}"),
        (None, None) => String::new(),
    };
    let is_cancelled = item.get("cancelled").and_then(Value::as_bool).unwrap_or_default();
    let reason = text(item.get("cancellation_reason"));
    let when = |language: &str, [cancelled, colon, before, between]: [&str; 4]| {
        let period = match &to {
            Some(to) => format!("{before} {from} {between} {to}"),
            None => from.clone(),
        };
        let notice = match reason.best(language) {
            _ if !is_cancelled => String::new(),
            "" => format!("{cancelled}. "),
            reason => format!("{cancelled}{colon}{reason}. "),
        };
        format!("{notice}{period}{hours}")
    };
    Ok(in_languages(item, when("fr", ["Annulé", " : ", "du", "au"]), when("en", ["Cancelled", ": ", "from", "to"])))
}

/// What it costs; nothing where no price is given.
pub(super) fn tariff(item: &Value) -> Text {
    match number(item.get("price")).filter(|price| *price >= 0.0) {
        Some(0.0) => in_languages(item, "Gratuit".to_owned(), "Free".to_owned()),
        Some(price) => {
            let plain = if price.fract() == 0.0 { format!("{price}") } else { format!("{price:.2}") };
            in_languages(item, format!("{} €", plain.replace('.', ",")), format!("€{plain}"))
        }
        None => Text::default(),
    }
}

/// Where and how one takes part, as a list.
pub(super) fn facts(item: &Value) -> Text {
    let written = |field: &str| text(item.get(field));
    let capacity = key(item.get("capacity")).or_else(|| key(item.get("participant_number")));
    let capacity = Text::in_french(capacity.filter(|count| count != "0" && count != "None").unwrap_or_default());
    let organizers = [written("organizers"), written("organizer")].into_iter().find(|names| !names.is_empty());
    let facts = [
        ("Lieu", "Place", written("place")),
        ("Rendez-vous", "Meeting point", written("meeting_point")),
        ("Durée", "Duration", written("duration")),
        ("Public", "Audience", written("target_audience")),
        ("Intervenant", "Speaker", written("speaker")),
        ("Organisateur", "Organiser", organizers.unwrap_or_default()),
        ("Nombre de places", "Capacity", capacity),
        ("Réservation", "Booking", written("booking")),
    ];
    let list = |language: &str| {
        let entry = |(fr, en, value): &(&str, &str, Text)| {
            let value = value.best(language).trim();
            let name = if language == "fr" { format!("{fr} :") } else { format!("{en}:") };
            (!value.is_empty()).then(|| format!("<li>{name} {value}</li>"))
        };
        let entries: String = facts.iter().filter_map(entry).collect();
        if entries.is_empty() { entries } else { format!("<ul>{entries}</ul>") }
    };
    in_languages(item, list("fr"), list("en"))
}

/// A text in French, and in English where the event has a name or a description in English.
fn in_languages(item: &Value, fr: String, en: String) -> Text {
    let is_english =
        ["name", "description", "description_teaser"].iter().any(|field| text(item.get(field)).is_written("en"));
    if is_english { Text::new(fr, en) } else { Text::in_french(fr) }
}

//! The page's own words, in both languages.

use content::stops_near::{PlaceKind, WayHome};
use domain::PoiFlags;
use domain::link::check_link;
use domain::step::StepKind;
use domain::transit::DayKind;
use domain::transport_line::{LineBikes, LineMode};
use domain::white_label::CustomType;
use outputs::visitor_words::{Language, figures};
use serde_json::Value;

use super::view::PublicValue;

/// Word of a step's kind.
pub const fn step_kind(language: Language, kind: StepKind) -> &'static str {
    let (french, english) = match kind {
        StepKind::Departure => ("Départ", "Start"),
        StepKind::Arrival => ("Arrivée", "Finish"),
        StepKind::Step => ("Étape", "Stage"),
        StepKind::OptionalStep => ("Étape facultative", "Optional stage"),
        StepKind::Night => ("Nuit", "Night"),
        StepKind::Nights => ("Nuits", "Nights"),
        StepKind::StepNight => ("Étape avec nuit", "Stage with a night"),
        StepKind::Favourite => ("Coup de cœur", "Favourite"),
        StepKind::Advice => ("Conseil", "Advice"),
        StepKind::Waypoint => ("Point de passage", "Waypoint"),
    };
    language.pick(french, english)
}

/// The two kinds of step that are drawn otherwise.
pub const fn step_class(kind: StepKind) -> Option<&'static str> {
    match kind {
        StepKind::Departure => Some("departure"),
        StepKind::Arrival => Some("arrival"),
        _ => None,
    }
}

/// The words of the ticks of a POI, in the order of [`PoiFlags::ticks`].
pub fn poi_flags(language: Language, flags: PoiFlags) -> impl Iterator<Item = &'static str> {
    let words = [
        ("Bonne adresse", "Good address"),
        ("Incontournable", "Must-see"),
        ("Point de détour", "Worth a detour"),
        ("Point de repère", "Landmark"),
        ("Réservable", "Can be booked"),
    ];
    let shown = words.into_iter().zip(flags.ticks()).filter(|(_, tick)| *tick);
    shown.map(move |((french, english), _)| language.pick(french, english))
}

/// `Boucle` or `Aller simple`.
pub fn loop_word(language: Language, is_loop: bool) -> &'static str {
    if is_loop { language.pick("Boucle", "Loop") } else { language.pick("Aller simple", "One-way") }
}

/// `Séjour` or `Circuit`.
pub fn stay_word(language: Language, is_stay: bool) -> &'static str {
    if is_stay { language.pick("Séjour", "Stay") } else { language.pick("Circuit", "Tour") }
}

/// The value of a white-label's own field in words of the page; none for an empty value.
pub fn value(language: Language, kind: CustomType, value: &Value) -> Option<PublicValue> {
    let line = |text: String| Some(PublicValue::Line(text));
    match value {
        Value::Bool(yes) => {
            line(if *yes { language.pick("oui", "yes") } else { language.pick("non", "no") }.to_owned())
        }
        Value::Number(number) if language == Language::French => line(number.to_string().replace('.', ",")),
        Value::Number(number) => line(number.to_string()),
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(match kind {
            CustomType::Url if check_link(text).is_ok() => PublicValue::Link(text.clone()),
            CustomType::LongText => PublicValue::Paragraphs(text.clone()),
            CustomType::Date => PublicValue::Line(figures::day(language, text)),
            _ => PublicValue::Line(text.clone()),
        }),
        Value::Array(items) => {
            let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            if words.is_empty() { None } else { line(words.join(", ")) }
        }
        Value::Null | Value::Object(_) => None,
    }
}

/// What runs on a line.
pub const fn line_mode(language: Language, mode: LineMode) -> &'static str {
    let (french, english) = match mode {
        LineMode::Tram => ("Tramway", "Tram"),
        LineMode::Metro => ("Métro", "Metro"),
        LineMode::Rail => ("Train", "Train"),
        LineMode::Bus => ("Bus", "Bus"),
        LineMode::Ferry => ("Bateau", "Ferry"),
        LineMode::Cable => ("Tram à câble", "Cable tram"),
        LineMode::Gondola => ("Téléphérique", "Cable car"),
        LineMode::Funicular => ("Funiculaire", "Funicular"),
        LineMode::Coach => ("Car", "Coach"),
        LineMode::Other => ("Ligne", "Line"),
    };
    language.pick(french, english)
}

/// The words for a place with a stop nearby.
pub const fn place(language: Language, kind: PlaceKind) -> &'static str {
    let (french, english) = match kind {
        PlaceKind::Departure => ("Au départ", "At the start"),
        PlaceKind::DepartureArrival => ("Au départ et à l’arrivée", "At the start and the finish"),
        PlaceKind::Step => ("En chemin", "On the way"),
        PlaceKind::Arrival => ("À l’arrivée", "At the finish"),
    };
    language.pick(french, english)
}

/// A kind of day.
pub const fn day_kind(language: Language, day: DayKind) -> &'static str {
    let (french, english) = match day {
        DayKind::Weekday => ("Du lundi au vendredi", "Monday to Friday"),
        DayKind::Saturday => ("Le samedi", "On Saturday"),
        DayKind::Sunday => ("Le dimanche", "On Sunday"),
    };
    language.pick(french, english)
}

/// The days on which a way home runs: `Le 5 mai 2026`, `Lundi et jeudi`, `Du lundi au vendredi`.
pub fn days_of(language: Language, way: &WayHome) -> String {
    if let Some(on) = &way.on {
        return format!("{} {}", language.pick("Le", "On"), figures::day(language, on));
    }
    let names = match language {
        Language::French => ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
        Language::English => ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    };
    let named: Vec<&str> =
        way.weekdays.iter().filter_map(|day| names.get(usize::from(*day).checked_sub(1)?).copied()).collect();
    match named.split_last() {
        None => day_kind(language, way.day).to_owned(),
        Some((last, [])) => format!("{} {last}", language.pick("Le", "On")),
        Some((last, before)) => {
            format!("{} {} {} {last}", language.pick("Les", "On"), before.join(", "), language.pick("et", "and"))
        }
    }
}

/// Whether bikes are carried.
pub const fn bikes_carried(language: Language, carried: bool) -> &'static str {
    if carried {
        language.pick("Vélos acceptés à bord", "Bikes carried")
    } else {
        language.pick("Vélos non acceptés à bord", "Bikes not carried")
    }
}

/// Whether a line carries bicycles, in words; `None` where it is not known.
pub const fn line_bikes(language: Language, bikes: LineBikes) -> Option<&'static str> {
    Some(match bikes {
        LineBikes::Yes => bikes_carried(language, true),
        LineBikes::No => bikes_carried(language, false),
        LineBikes::Conditions => language.pick("Vélos acceptés sous conditions", "Bikes carried subject to conditions"),
        LineBikes::Unknown => return None,
    })
}

/// Sentence of the guidance.
pub fn guidance(language: Language, guided: bool) -> &'static str {
    if guided {
        language.pick("Guidage pas à pas disponible dans l’application.", "Step-by-step guidance available in the app.")
    } else {
        language.pick(
            "Sans guidage pas à pas\u{202f}: l’application suit le tracé d’origine.",
            "No step-by-step guidance: the app follows the original trace.",
        )
    }
}

//! Figures in the reader's manner: `13,0 km`, `4 h 05`, `382 m`.

use crate::visitor_words::Language;

const NARROW: char = '\u{202f}';

/// The colon between a label and its value: `Travaux : `, `Works: `.
pub const fn colon(language: Language) -> &'static str {
    language.pick("\u{202f}: ", ": ")
}

/// `13,0 km`; metres below one kilometre.
pub fn distance(language: Language, metres: f64) -> String {
    if metres < 1000.0 {
        return format!("{:.0}{NARROW}m", (metres / 10.0).round() * 10.0);
    }
    format!("{}{NARROW}km", decimal(language, metres / 1000.0))
}

/// `4 h 05`, `50 min`.
pub fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as i64;
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes}{NARROW}min"),
        (hours, minutes) => format!("{hours}{NARROW}h{NARROW}{minutes:02}"),
    }
}

/// `18 h 05`, `18:05`; an hour after midnight is marked as the day after.
pub fn clock(language: Language, seconds: u32) -> String {
    let (hours, minutes) = (seconds / 3_600, seconds % 3_600 / 60);
    let at = match language {
        Language::French => format!("{}{NARROW}h{NARROW}{minutes:02}", hours % 24),
        Language::English => format!("{}:{minutes:02}", hours % 24),
    };
    if hours < 24 { at } else { format!("{at} {}", language.pick("le lendemain", "the day after")) }
}

/// `382 m`, `1 242 m`, `1,242 m`.
pub fn metres(language: Language, value: f64) -> String {
    format!("{}{NARROW}m", whole(language, value))
}

/// `1 242`, `1,242`: a whole number in groups of three figures.
pub fn whole(language: Language, value: f64) -> String {
    let figures = format!("{:.0}", value.abs());
    let mut grouped = String::new();
    for (index, figure) in figures.chars().enumerate() {
        if index > 0 && (figures.len() - index).is_multiple_of(3) {
            grouped.push_str(language.pick("\u{202f}", ","));
        }
        grouped.push(figure);
    }
    if value < 0.0 && figures != "0" { format!("\u{2212}{grouped}") } else { grouped }
}

/// A size: `850 ko`, `1,2 Mo`; `850 kB`, `1.2 MB`.
pub fn bytes(language: Language, bytes: u64) -> String {
    let kilos = bytes as f64 / 1_000.0;
    let octet = language.pick("o", "B");
    if kilos < 1_000.0 {
        format!("{}{NARROW}k{octet}", whole(language, kilos.max(1.0)))
    } else {
        format!("{}{NARROW}M{octet}", decimal(language, kilos / 1_000.0))
    }
}

/// Cents of a euro: `450 €`, `1 250,50 €`, `€1,250.50`.
pub fn money(language: Language, cents: i64) -> String {
    let (euros, rest) = (whole(language, (cents / 100) as f64), cents % 100);
    let rest = if rest == 0 { String::new() } else { format!("{}{rest:02}", language.pick(",", ".")) };
    match language {
        Language::French => format!("{euros}{rest}\u{a0}€"),
        Language::English => format!("€{euros}{rest}"),
    }
}

/// One decimal, with the language's decimal mark.
pub fn decimal(language: Language, value: f64) -> String {
    let text = format!("{value:.1}");
    if language == Language::French { text.replace('.', ",") } else { text }
}

/// `2026-05-01` as `1er mai 2026` or `1 May 2026`; any other text unchanged.
pub fn day(language: Language, iso: &str) -> String {
    const FRENCH: [&str; 12] = [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ];
    const ENGLISH: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let mut parts = iso.splitn(3, '-').map(|part| part.parse::<usize>().ok());
    let (Some(Some(year)), Some(Some(month)), Some(Some(day))) = (parts.next(), parts.next(), parts.next()) else {
        return iso.to_owned();
    };
    let names = if language == Language::French { FRENCH } else { ENGLISH };
    let Some(name) = month.checked_sub(1).and_then(|index| names.get(index)) else {
        return iso.to_owned();
    };
    let ordinal = if language == Language::French && day == 1 { "1er".to_owned() } else { day.to_string() };
    format!("{ordinal} {name} {year}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_as_people_write_them() {
        assert_eq!(distance(Language::French, 12_960.0), "13,0\u{202f}km");
        assert_eq!(distance(Language::English, 12_960.0), "13.0\u{202f}km");
        assert_eq!(distance(Language::French, 348.0), "350\u{202f}m");
        assert_eq!(metres(Language::French, 1_241.6), "1\u{202f}242\u{202f}m", "as in the back office");
        assert_eq!(metres(Language::English, 1_241.6), "1,242\u{202f}m");
        assert_eq!(metres(Language::French, 382.0), "382\u{202f}m");
        assert_eq!(metres(Language::English, -1_234_567.0), "\u{2212}1,234,567\u{202f}m");
        assert_eq!(metres(Language::English, -0.4), "0\u{202f}m");
        assert_eq!(duration(14_700.0), "4\u{202f}h\u{202f}05");
        assert_eq!(duration(3_000.0), "50\u{202f}min");
        assert_eq!(day(Language::French, "2026-05-01"), "1er mai 2026");
        assert_eq!(day(Language::English, "2026-09-30"), "30 September 2026");
        assert_eq!(clock(Language::French, 64_800 + 300).replace(NARROW, " "), "18 h 05");
        assert_eq!(clock(Language::English, 87_000), "0:10 the day after");
        assert_eq!(day(Language::English, "soon"), "soon");
        assert_eq!(day(Language::English, "2026-13-30"), "2026-13-30");
    }
}

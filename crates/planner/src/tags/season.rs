//! Months in which a way is closed: `access:conditional=no @ (Nov-Apr)`, `seasonal=winter` and the like.
//!
//! Only whole months are read, the usual way of closing a pass or a towpath; hours, days and weather are left alone.

use super::Tags;

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const KEYS: [&str; 4] = ["access:conditional", "vehicle:conditional", "bicycle:conditional", "foot:conditional"];

/// Months in which the tags close the way, January in the lowest bit.
pub(super) fn closed_months(tags: Tags) -> u16 {
    let by_sign = KEYS.iter().filter_map(|key| tags(key)).fold(0, |months, value| months | of_condition(value));
    let by_nature = match tags("seasonal") {
        Some("summer") => !months_of("jun-sep").unwrap_or_default(),
        Some("winter") => !months_of("nov-apr").unwrap_or_default(),
        _ => 0,
    };
    (by_sign | by_nature) & 0xfff
}

/// "no @ (Nov 15-Apr 30); yes @ (May-Oct)": what its closures cover whole or in part.
fn of_condition(value: &str) -> u16 {
    value
        .split(';')
        .filter_map(|clause| clause.split_once('@'))
        .filter(|(access, _)| matches!(access.trim(), "no" | "private"))
        .filter_map(|(_, when)| months_of(when))
        .fold(0, |months, own| months | own)
}

/// The months a condition names; `None` where it speaks of anything but months (hours, days, weather).
fn months_of(when: &str) -> Option<u16> {
    let when = when.trim().trim_matches(['(', ')']).to_ascii_lowercase();
    if when.contains(':')
        || ["mo", "tu", "we", "th", "fr", "sa", "su", "ph", "wet", "snow"].iter().any(|w| contains_word(&when, w))
    {
        return None;
    }
    when.split(',')
        .map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (month(first)?, month(last)?);
            // From the first to the last, over the new year where the last comes first.
            Some(
                (0..12)
                    .filter(|i| (i + 12 - first) % 12 <= (last + 12 - first) % 12)
                    .fold(0_u16, |bits, i| bits | 1 << i),
            )
        })
        .try_fold(0, |bits, own| own.map(|own| bits | own))
}

/// Whether the text contains a whole word ("mo" is Monday, not the start of "month").
fn contains_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphabetic()).any(|w| w == word)
}

fn month(text: &str) -> Option<usize> {
    let word = text.trim().split(|c: char| !c.is_ascii_alphabetic()).next()?;
    MONTHS.iter().position(|m| word.starts_with(m))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn months(key: &str, value: &'static str) -> Vec<usize> {
        let bits = closed_months(&|asked| (asked == key).then_some(value));
        (0..12).filter(|i| bits & 1 << i != 0).map(|i| i + 1).collect()
    }

    #[test]
    fn seasons_are_read_as_months() {
        assert_eq!(months("access:conditional", "no @ (Nov-Apr)"), [1, 2, 3, 4, 11, 12]);
        assert_eq!(months("bicycle:conditional", "no @ (Nov 15-Feb 28)"), [1, 2, 11, 12]);
        assert_eq!(months("access:conditional", "yes @ (May-Oct); no @ Dec"), [12]);
        assert_eq!(months("seasonal", "summer"), [1, 2, 3, 4, 5, 10, 11, 12]);
    }

    #[test]
    fn hours_days_and_weather_close_no_month() {
        for value in [
            "no @ (22:00-06:00)",
            "no @ (Mo-Fr)",
            "no @ wet",
            "no @ snow",
            "no",
            "destination @ (Jan-Mar)",
            "no @ (sunrise-sunset)",
        ] {
            assert_eq!(months("access:conditional", value), [] as [usize; 0], "{value}");
        }
    }
}

//! Numbers, hours and dates as the roadbook's language writes them.

use crate::text::typography::{FINE, NBSP};
use crate::words::Words;

/// `12 345`.
pub(crate) fn grouped(value: f64) -> String {
    let whole = value.round() as i64;
    let digits = whole.unsigned_abs().to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digits.len() > 3 && (digits.len() - index).is_multiple_of(3) {
            out.push(FINE);
        }
        out.push(digit);
    }
    if whole < 0 { format!("−{out}") } else { out }
}

/// `12,3`.
pub(crate) fn decimal(value: f64, digits: usize, words: &Words) -> String {
    let rounded = format!("{value:.digits$}");
    let (whole, part) = rounded.split_once('.').unwrap_or((&rounded, ""));
    let whole = grouped(whole.parse().unwrap_or(0.0));
    if part.is_empty() { whole } else { format!("{whole}{}{part}", words.decimal) }
}

/// Metres as kilometres, `12,3`.
pub(crate) fn km(metres: f64, digits: usize, words: &Words) -> String {
    decimal(metres.max(0.0) / 1000.0, digits, words)
}

/// `2 h 05`, `45 min`.
pub(crate) fn duration(seconds: f64) -> String {
    let minutes = (seconds.max(0.0) / 60.0).round() as u64;
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes}{FINE}min"),
        (hours, 0) => format!("{hours}{FINE}h"),
        (hours, minutes) => format!("{hours}{FINE}h{FINE}{minutes:02}"),
    }
}

/// `19:30` as `19 h 30` in French; other languages keep the colon. Text around an hour stays.
pub(crate) fn hours(text: &str, words: &Words) -> String {
    if words.lang != "fr" {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    let digit = |index: usize| chars.get(index).is_some_and(char::is_ascii_digit);
    let mut out = String::with_capacity(text.len() + 8);
    let mut index = 0;
    while let Some(&char) = chars.get(index) {
        let hour =
            char == ':' && index > 0 && digit(index - 1) && digit(index + 1) && digit(index + 2) && !digit(index + 3);
        if hour {
            out.extend([FINE, 'h']);
            if chars[index + 1..index + 3] != ['0', '0'] {
                out.push(FINE);
                out.extend(&chars[index + 1..index + 3]);
            }
            index += 3;
        } else {
            out.push(char);
            index += 1;
        }
    }
    out
}

/// A day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: i32,
    pub(crate) month: u32,
    pub(crate) day: u32,
}

impl Date {
    /// Of `YYYY-MM-DD`, if there is such a day.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().get(..10)?.split('-');
        let mut next = || parts.next()?.parse::<i32>().ok();
        let (year, month, day) = (next()?, next()?, next()?);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let last = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        (1..=last).contains(&day).then_some(Self { year, month: month as u32, day: day as u32 })
    }

    /// 0 for Monday; Sakamoto's method.
    fn weekday(self) -> usize {
        const SHIFTS: [i32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let year = if self.month < 3 { self.year - 1 } else { self.year };
        let sunday = year + year / 4 - year / 100 + year / 400 + SHIFTS[self.month as usize - 1] + self.day as i32;
        (sunday + 6).rem_euclid(7) as usize
    }

    /// `vendredi 14 mai`.
    pub(crate) fn long(self, words: &Words) -> String {
        self.fill(&words.long_date, words)
    }

    /// `vendredi 14 mai 2027`.
    pub(crate) fn full(self, words: &Words) -> String {
        format!("{}{}{}", self.long(words), before_year(words), self.year)
    }

    /// `ven. 14 mai`. German and Dutch shorten a weekday to two letters.
    pub(crate) fn short(self, words: &Words) -> String {
        let name = &words.weekdays[self.weekday()];
        let letters = if words.lang == "de" || words.lang == "nl" { 2 } else { 3 };
        let short: String = name.chars().take(letters).collect();
        let dot = if words.lang == "en" || words.lang == "nl" { "" } else { "." };
        format!("{short}{dot} {}", self.fill(&words.day_month, words))
    }

    /// `14 mai 2027`.
    fn day_month_year(self, words: &Words) -> String {
        format!("{}{}{}", self.fill(&words.day_month, words), before_year(words), self.year)
    }

    /// The day of the month; French and Italian write the first one as an ordinal.
    fn number(self, words: &Words) -> String {
        match (words.lang.as_str(), self.day) {
            ("fr", 1) => "1ᵉʳ".to_owned(),
            ("it", 1) => "1º".to_owned(),
            (_, day) => day.to_string(),
        }
    }

    fn fill(self, pattern: &str, words: &Words) -> String {
        let held = pattern.replace("{day} {month}", &format!("{{day}}{NBSP}{{month}}"));
        held.replace("{weekday}", &words.weekdays[self.weekday()])
            .replace("{day}", &self.number(words))
            .replace("{month}", &words.months[self.month as usize - 1])
    }
}

/// `du 14 au 16 mai 2027`.
pub(crate) fn span(from: Date, to: Date, words: &Words) -> String {
    if from == to {
        return from.day_month_year(words);
    }
    let same_month = (from.year, from.month) == (to.year, to.month);
    let start = match same_month {
        true if words.lang == "de" => format!("{}.", from.day),
        true => from.number(words),
        false if from.year == to.year => from.fill(&words.day_month, words),
        false => from.day_month_year(words),
    };
    let dates = words.from_to_dates.replace("{from}", &start).replace("{to}", &to.day_month_year(words));
    if words.lang == "it" { elided(&dates, [from.day, to.day]) } else { dates }
}

/// What is between a month and its year.
fn before_year(words: &Words) -> &'static str {
    if words.lang == "es" { " de " } else { " " }
}

/// Italian elides its article before otto (8) and undici (11): « dall’8 all’11 maggio ».
fn elided(dates: &str, [from, to]: [u32; 2]) -> String {
    let mut text = dates.to_owned();
    for (article, day) in [("dal", from), ("al", to)] {
        if day == 8 || day == 11 {
            text = text.replacen(&format!("{article} {day}"), &format!("{article}l’{day}"), 1);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Date, decimal, duration, grouped, hours, span};
    use crate::words::Words;

    fn shown(text: String) -> String {
        text.replace('\u{202f}', "_").replace('\u{a0}', "~")
    }

    #[test]
    fn numbers_follow_the_language() {
        let (fr, en) = (Words::of("fr-FR").0, Words::of("en").0);
        assert_eq!(shown(decimal(12_345.678, 1, fr)), "12_345,7");
        assert_eq!(shown(decimal(12.04, 1, en)), "12.0");
        assert_eq!(shown(grouped(-1_234_567.0)), "−1_234_567");
        assert_eq!([0.0, 2700.0, 7200.0, 7500.0].map(|s| shown(duration(s))), ["0_min", "45_min", "2_h", "2_h_05"]);
        assert_eq!(shown(hours("dès 15:30, 8:00 – 9:30", fr)), "dès 15_h_30, 8_h – 9_h_30");
        assert_eq!(hours("15:30", en), "15:30");
    }

    #[test]
    fn dates_follow_the_language() {
        let (fr, en, de) = (Words::of("fr").0, Words::of("en").0, Words::of("de").0);
        let (es, it, nl) = (Words::of("es").0, Words::of("it").0, Words::of("nl").0);
        let day = |text: &str| Date::parse(text).expect("a date");
        assert_eq!(shown(day("2027-05-14").full(fr)), "vendredi 14~mai 2027");
        assert_eq!(shown(day("2027-05-01").long(fr)), "samedi 1ᵉʳ~mai");
        assert_eq!(shown(day("2024-02-29").short(de)), "Do. 29.~Februar".replace(".~", ". "));
        assert_eq!(shown(span(day("2027-05-14"), day("2027-05-16"), fr)), "du 14 au 16~mai 2027");
        assert_eq!(shown(span(day("2027-05-30"), day("2027-06-02"), en)), "30~May to 2~June 2027");
        let (first, eighth, eleventh) = (day("2027-05-01"), day("2027-05-08"), day("2027-05-11"));
        assert_eq!(shown(span(first, eighth, es)).replace('~', " "), "del 1 al 8 de mayo de 2027");
        assert_eq!(shown(eleventh.full(es)).replace('~', " "), "martes 11 de mayo de 2027");
        assert_eq!(shown(span(first, eighth, it)), "dal 1º all’8~maggio 2027");
        assert_eq!(shown(span(eighth, eleventh, it)), "dall’8 all’11~maggio 2027");
        assert_eq!(shown(span(day("2027-05-18"), day("2027-05-28"), it)), "dal 18 al 28~maggio 2027");
        assert_eq!(shown(span(first, eighth, nl)), "1 t/m 8~mei 2027");
        assert_eq!(shown(first.short(nl)), "za 1~mei");
        for text in ["2027-02-29", "2027-13-01", "demain", "", "2027-00-10", "20270514"] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }
}

//! Figures in words: synthetic voices read « 12,5 km » badly.

const FRENCH: [&str; 20] = [
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
];
const FRENCH_TENS: [&str; 10] =
    ["", "", "vingt", "trente", "quarante", "cinquante", "soixante", "soixante", "quatre-vingt", "quatre-vingt"];
const ENGLISH: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const ENGLISH_TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// A number in words; figures from ten thousand on, which no parcours has.
fn number(n: usize, french: bool) -> String {
    match (n, french) {
        (10_000.., _) => n.to_string(),
        (0..=99, true) => below_hundred_fr(n),
        (0..=99, false) => below_hundred_en(n),
        (100..=999, true) => {
            let (hundreds, rest) = (n / 100, n % 100);
            let many = if hundreds == 1 { "cent".to_owned() } else { format!("{} cent", FRENCH[hundreds]) };
            match rest {
                0 if hundreds > 1 => format!("{many}s"),
                0 => many,
                rest => format!("{many} {}", below_hundred_fr(rest)),
            }
        }
        (100..=999, false) => {
            let rest = n % 100;
            let more = if rest == 0 { String::new() } else { format!(" and {}", below_hundred_en(rest)) };
            format!("{} hundred{more}", ENGLISH[n / 100])
        }
        (_, french) => {
            let (thousands, rest) = (n / 1_000, n % 1_000);
            let many = match (thousands, french) {
                (1, true) => "mille".to_owned(),
                (_, true) => format!("{} mille", FRENCH[thousands]),
                (_, false) => format!("{} thousand", ENGLISH[thousands]),
            };
            match (rest, french) {
                (0, _) => many,
                (1..=99, false) => format!("{many} and {}", number(rest, french)),
                _ => format!("{many} {}", number(rest, french)),
            }
        }
    }
}

fn below_hundred_fr(n: usize) -> String {
    if n < 20 {
        return FRENCH[n].to_owned();
    }
    // Seventy and ninety count on from sixty and eighty.
    let tens = FRENCH_TENS[n / 10];
    let units = if matches!(n / 10, 7 | 9) { n % 10 + 10 } else { n % 10 };
    match (n / 10, units) {
        (8, 0) => "quatre-vingts".to_owned(),
        (_, 0) => tens.to_owned(),
        (8 | 9, units) => format!("{tens}-{}", FRENCH[units]),
        (_, 1 | 11) => format!("{tens} et {}", FRENCH[units]),
        (_, units) => format!("{tens}-{}", FRENCH[units]),
    }
}

fn below_hundred_en(n: usize) -> String {
    match (n, n % 10) {
        (0..=19, _) => ENGLISH[n].to_owned(),
        (_, 0) => ENGLISH_TENS[n / 10].to_owned(),
        (_, unit) => format!("{}-{}", ENGLISH_TENS[n / 10], ENGLISH[unit]),
    }
}

/// « douze kilomètres et demi », « huit cents mètres ».
pub(super) fn distance(metres: f64, french: bool) -> String {
    if metres < 950.0 {
        return height((metres / 10.0).round() * 10.0, french);
    }
    let halves = (metres / 500.0).round() as usize;
    let (whole, has_half) = (halves / 2, halves % 2 == 1);
    let words = number(whole, french);
    let plural = if whole > 1 || (!french && has_half) { "s" } else { "" };
    match (french, has_half) {
        (true, true) => format!("{words} kilomètre{plural} et demi"),
        (true, false) => format!("{words} kilomètre{plural}"),
        (false, true) => format!("{words} and a half kilometre{plural}"),
        (false, false) => format!("{words} kilometre{plural}"),
    }
}

/// « trois cent vingt mètres ».
pub(super) fn height(metres: f64, french: bool) -> String {
    let metres = metres.round().max(0.0) as usize;
    let plural = if metres > 1 { "s" } else { "" };
    format!("{} {}{plural}", number(metres, french), if french { "mètre" } else { "metre" })
}

/// « trois heures trente », to five minutes.
pub(super) fn duration(seconds: f64, french: bool) -> String {
    let minutes = ((seconds / 300.0).round().max(1.0) * 5.0) as usize;
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let minutes_said = number(minutes, french);
    let hours_said = match (hours, french) {
        (1, true) => "une heure".to_owned(),
        (1, false) => "one hour".to_owned(),
        (hours, true) => {
            let words = number(hours, true);
            let words = if hours % 10 == 1 && hours % 100 != 11 { format!("{words}e") } else { words };
            format!("{words} heures")
        }
        (hours, false) => format!("{} hours", number(hours, false)),
    };
    match (hours, minutes, french) {
        (0, _, _) => format!("{minutes_said} minutes"),
        (_, 0, _) => hours_said,
        (_, _, true) => format!("{hours_said} {minutes_said}"),
        (_, _, false) => format!("{hours_said} {minutes_said} minutes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_as_people_say_them() {
        let french = [
            (0, "zéro"),
            (21, "vingt et un"),
            (70, "soixante-dix"),
            (71, "soixante et onze"),
            (80, "quatre-vingts"),
            (81, "quatre-vingt-un"),
            (91, "quatre-vingt-onze"),
            (99, "quatre-vingt-dix-neuf"),
            (100, "cent"),
            (200, "deux cents"),
            (320, "trois cent vingt"),
            (880, "huit cent quatre-vingts"),
            (1_000, "mille"),
            (1_234, "mille deux cent trente-quatre"),
            (2_080, "deux mille quatre-vingts"),
        ];
        for (n, said) in french {
            assert_eq!(number(n, true), said);
        }
        let english = [
            (21, "twenty-one"),
            (105, "one hundred and five"),
            (1_020, "one thousand and twenty"),
            (2_300, "two thousand three hundred"),
            (40, "forty"),
            (17, "seventeen"),
        ];
        for (n, said) in english {
            assert_eq!(number(n, false), said);
        }
    }

    #[test]
    fn figures_are_said_with_their_units() {
        assert_eq!(distance(12_500.0, true), "douze kilomètres et demi");
        assert_eq!(distance(1_480.0, true), "un kilomètre et demi");
        assert_eq!(distance(1_480.0, false), "one and a half kilometres");
        assert_eq!(distance(960.0, true), "un kilomètre");
        assert_eq!(distance(803.0, true), "huit cents mètres");
        assert_eq!(
            (height(1.0, true), height(320.4, false)),
            ("un mètre".to_owned(), "three hundred and twenty metres".to_owned())
        );
        assert_eq!(
            (duration(12_600.0, true), duration(12_600.0, false)),
            ("trois heures trente".to_owned(), "three hours thirty minutes".to_owned())
        );
        assert_eq!(
            (duration(3_600.0, true), duration(60.0, true)),
            ("une heure".to_owned(), "cinq minutes".to_owned())
        );
        assert_eq!(
            (duration(75_600.0, true), duration(39_600.0, true)),
            ("vingt et une heures".to_owned(), "onze heures".to_owned())
        );
    }
}

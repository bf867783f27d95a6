//! Telephone numbers, by the rules of libphonenumber.

use phonenumber::country::Id;

/// The most characters a number may be written with.
const MAX_CHARS: usize = 40;
/// Where a number without a `+` may be: France, then its overseas departments and territories.
const OURS: [Id; 9] = [Id::FR, Id::GP, Id::MQ, Id::GF, Id::RE, Id::YT, Id::PM, Id::NC, Id::PF];

/// Whether a text is a telephone number that can be dialled: of any country with its `+`, else of France, overseas
/// included. Spaces, dots and hyphens are allowed anywhere; French short numbers (112, 3635, 1023, 118 218) are numbers too.
pub fn is_phone(text: &str) -> bool {
    if text.chars().count() > MAX_CHARS {
        return false;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let others_are_signs = text.chars().all(|c| c.is_ascii_digit() || "+ .-()/\u{a0}\u{202f}".contains(c));
    if !others_are_signs {
        return false;
    }
    if !text.contains('+') && digits.len() <= 6 {
        return is_short(&digits);
    }
    OURS.into_iter()
        .any(|country| phonenumber::parse(Some(country), text).is_ok_and(|number| phonenumber::is_valid(&number)))
}

/// Short numbers as the French numbering plan has them: 1XX, 3XXX, 10XX and 118 XXX.
fn is_short(digits: &str) -> bool {
    match digits.len() {
        3 => digits.starts_with('1'),
        4 => digits.starts_with('3') || digits.starts_with("10"),
        6 => digits.starts_with("118"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_country_and_writing_are_numbers() {
        for text in [
            "04 75 22 10 06",
            "0475221006",
            "06.12.34.56.78",
            "+33 4 75 22 10 06",
            "+33 (0)4 75 22 10 06",
            "0590 27 20 00",
            "0800 123 456",
            "+41 22 909 70 00",
            "+44 20 7946 0958",
            "3635",
            "112",
            "10 23",
            "118 218",
        ] {
            assert!(is_phone(text), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_dialled_is_not() {
        for text in
            ["abc", "12", "12 34", "01 23", "04 75 22", "0475 22 10 06 99 88", "+33 12", "9999", "appelez le 3635", ""]
        {
            assert!(!is_phone(text), "{text}");
        }
    }
}

//! Telephone numbers, e-mail addresses and websites in the texts of SITs, where one cell may have several.

use super::web;

/// The fewest digits of a telephone number in a text.
const MIN_DIGITS: usize = 9;
/// The digits of a number that begins with one zero, as in France.
const NATIONAL_DIGITS: usize = 10;
/// The most digits of any number.
const MAX_DIGITS: usize = 15;

/// The telephone numbers in a text, as they are written: `04.66.45.00.01`, `+33 (0)4 66 45 00 01`. Those that begin with `+` or `0` come before any other.
pub(super) fn phones_in(words: &str) -> Vec<String> {
    let found = numbers(words, |c| matches!(c, '+' | '0'));
    if found.is_empty() { numbers(words, |c| c.is_ascii_digit()) } else { found }
}

fn numbers(words: &str, is_start: fn(char) -> bool) -> Vec<String> {
    let (mut found, mut done) = (Vec::new(), 0);
    for (at, _) in words.char_indices().filter(|(_, c)| is_start(*c)) {
        let Some(before) = words.get(done..at) else { continue };
        // The month of a date and the middle of another number are no start.
        if before.trim_end_matches(['/', '-', '.']).ends_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        if let Some(length) = number_length(&words[at..]) {
            found.push(words[at..at + length].to_owned());
            done = at + length;
        }
    }
    found
}

/// How many bytes at the beginning of a text are a telephone number.
fn number_length(words: &str) -> Option<usize> {
    let is_national = words.starts_with('0') && !words.starts_with("00");
    let most = if is_national { NATIONAL_DIGITS } else { MAX_DIGITS };
    let (mut digits, mut end) = (0, 0);
    for (at, c) in words.char_indices() {
        match c {
            // A number with more digits than any.
            '0'..='9' if digits == most && at == end => return None,
            // The next number.
            '0'..='9' if digits == most => break,
            '0'..='9' => {
                digits += 1;
                end = at + 1;
            }
            '+' if at == 0 => {}
            '/' if digits >= MIN_DIGITS => break,
            ' ' | '\u{a0}' | '\u{202f}' | '.' | '-' | '/' | '(' | ')' => {}
            _ => break,
        }
    }
    (digits >= MIN_DIGITS).then_some(end)
}

/// The telephone numbers of a cell: one text for each where there are two or more, else the text of the cell unchanged.
pub(super) fn listed_phones(cell: String) -> Vec<String> {
    let found = phones_in(&cell);
    if found.len() > 1 { found } else { vec![cell] }
}

/// The e-mail addresses of a cell.
pub(super) fn listed_emails(cell: &str) -> Vec<String> {
    let parts = cell.split(|c: char| matches!(c, ';' | ',' | '/') || c.is_whitespace());
    parts.filter(|part| part.contains('@')).map(str::to_owned).collect()
}

/// The websites of a cell. A comma and a slash may also be a part of an address.
pub(super) fn listed_websites(cell: &str) -> Vec<String> {
    let parts = cell.split(|c: char| c == ';' || c.is_whitespace());
    let sites = parts.flat_map(|part| {
        let is_list = !part.contains('/') || [",http", ",www."].iter().any(|begin| part.contains(begin));
        let commas: &[char] = if is_list { &[','] } else { &[] };
        part.split(commas)
    });
    sites.filter_map(|site| web(site.trim_end_matches(','))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_telephone_number_is_found_in_a_text() {
        let cases: &[(&str, &[&str])] = &[
            ("Téléphone: 01 02 03 04 05", &["01 02 03 04 05"]),
            ("12 rue du Lac, tél. 04 66 45 00 01.", &["04 66 45 00 01"]),
            ("+33 (0)4 66 45 00 01", &["+33 (0)4 66 45 00 01"]),
            ("(04-66-45-00-01)", &["04-66-45-00-01"]),
            ("04/66/45/00/01", &["04/66/45/00/01"]),
            ("9h-19h 0466450001 poste 3", &["0466450001"]),
            ("Du 01/07/2026 au 31/08/2026 : 04 66 45 00 01", &["04 66 45 00 01"]),
            ("48000 Mende 04 66 45 00 01 - 06 11 22 33 44", &["04 66 45 00 01", "06 11 22 33 44"]),
            ("03 88 00 00 01 / 03.88.00.00.02", &["03 88 00 00 01", "03.88.00.00.02"]),
            ("03 88 00 00 01/03 88 00 00 02", &["03 88 00 00 01", "03 88 00 00 02"]),
            ("Tél. 972 12 34 56", &["972 12 34 56"]),
            ("12 rue du Lac, 48000 Mende", &[]),
            ("SIRET 01234567890123", &[]),
            ("+ 0 / .", &[]),
        ];
        for (words, numbers) in cases {
            assert_eq!(phones_in(words), *numbers, "{words}");
        }
    }

    #[test]
    fn a_cell_may_be_a_list() {
        assert_eq!(listed_emails("a@b.fr;c@d.fr, e@f.fr / g@h.fr ou rien"), ["a@b.fr", "c@d.fr", "e@f.fr", "g@h.fr"]);
        assert_eq!(listed_phones("3975".to_owned()), ["3975"]);
        assert_eq!(listed_phones("03 88 00 00 01 (bureau)".to_owned()), ["03 88 00 00 01 (bureau)"]);
        let cases: &[(&str, &[&str])] = &[
            ("www.a.fr ; https://b.fr/x", &["https://www.a.fr", "https://b.fr/x"]),
            ("a.fr,b.fr", &["https://a.fr", "https://b.fr"]),
            ("https://a.fr/x,http://b.fr/", &["https://a.fr/x", "http://b.fr/"]),
            ("https://a.fr/page,12.html", &["https://a.fr/page,12.html"]),
            ("a.fr / b.fr,", &["https://a.fr", "https://b.fr"]),
        ];
        for (cell, sites) in cases {
            assert_eq!(listed_websites(cell), *sites, "{cell}");
        }
    }
}

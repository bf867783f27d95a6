//! Texts as pages want them: lines and paragraphs.

use domain::html::{decode_entities, plain};

/// A plain text cut at its blank lines.
pub fn paragraphs(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines().map(str::trim) {
        match found.last_mut().filter(|_| open) {
            _ if line.is_empty() => open = false,
            Some(last) => {
                last.push(' ');
                last.push_str(line);
            }
            None => {
                found.push(line.to_owned());
                open = true;
            }
        }
    }
    found
}

/// The items or paragraphs of sanitised HTML, a line each.
pub fn lines_of(html: &str) -> Vec<String> {
    let mut broken = html.to_owned();
    for end in ["</li>", "</p>", "<br>", "<br />", "<ul>", "<ol>"] {
        broken = broken.replace(end, "\n");
    }
    // A list that begins with another number than 1.
    broken = broken.replace("<ol ", "\n<ol ");
    broken.lines().map(plain_of).filter(|line| !line.is_empty()).collect()
}

/// Tags of sanitised HTML after which words do not go on.
const BLOCK_ENDS: [&str; 6] = ["</p>", "</li>", "</h2>", "</h3>", "<br>", "<br />"];

/// The words of a scrap of HTML, on one line.
pub fn plain_of(html: &str) -> String {
    // Where a paragraph or an item ends, a word ends.
    let parted = BLOCK_ENDS.iter().fold(html.to_owned(), |text, end| text.replace(end, &format!("{end} ")));
    decode_entities(&plain(&parted).split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
}

/// A web site as one types it.
pub fn bare_site(site: &str) -> &str {
    site.split_once("://").map_or(site, |(_, rest)| rest).trim_end_matches('/')
}

/// The beginning of a text, cut between words.
pub fn beginning(text: &str, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text.to_owned();
    }
    let cut: String = text.chars().take(max_chars).collect();
    let whole = cut.rfind(' ').map_or(cut.as_str(), |end| &cut[..end]);
    format!("{}…", whole.trim_end_matches([',', ';', ':', '.', ' ']))
}

/// A day in French notation: `01/05/2027`.
pub fn day_in_french(day: &str) -> String {
    match day.split('-').collect::<Vec<_>>()[..] {
        [year, month, day] => format!("{day}/{month}/{year}"),
        _ => day.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_becomes_its_lines() {
        let html = "<p>Compris&nbsp;:</p><ul><li>2 nuits</li><li>gîte &amp; repas</li></ul>";
        assert_eq!(lines_of(html), ["Compris\u{a0}:", "2 nuits", "gîte & repas"]);
        let numbered = "<ol><li>Car<ol start=\"3\"><li>quai</li></ol></li></ol>";
        assert_eq!(lines_of(numbered), ["Car", "quai"]);
        assert!(lines_of("").is_empty());
    }

    #[test]
    fn words_of_two_paragraphs_do_not_touch() {
        let html = "<p>Comptez une demi-heure.</p><p>Un <strong>village</strong>, puis l’eau.<br>Ombre</p>";
        assert_eq!(plain_of(html), "Comptez une demi-heure. Un village, puis l’eau. Ombre");
    }

    #[test]
    fn paragraphs_are_separated_by_blank_lines() {
        assert_eq!(paragraphs("Chère Claire,\n\nvoici\nle carnet.\n"), ["Chère Claire,", "voici le carnet."]);
    }

    #[test]
    fn a_day_is_written_day_first() {
        assert_eq!(day_in_french("2027-05-01"), "01/05/2027");
        assert_eq!(day_in_french("bientôt"), "bientôt");
    }

    #[test]
    fn a_beginning_ends_between_words() {
        assert_eq!(beginning("Un lac, bleu et froid", 9), "Un lac…");
        assert_eq!(beginning("Un lac", 9), "Un lac");
    }
}

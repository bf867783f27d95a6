//! What must come back as it was: placeholders, addresses, measures, names of places. It is wrapped in `translate="no"`, which all
//! four services respect, and checked when it comes back, as are the tags of a rich text.

use std::collections::HashSet;

use super::TextFormat;
use crate::markup::sorted_tags;

/// A sentence ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarded {
    /// The text that is sent.
    pub sent: String,
    /// Whether it holds markup.
    pub html: bool,
    /// The format of the text it is of.
    format: TextFormat,
    /// What must come back, in its order.
    kept: Vec<String>,
    /// The tags that must come back, those of links with their address; sorted.
    tags: Vec<String>,
}

const OPEN: &str = r#"<span translate="no" class="notranslate">"#;
const CLOSE: &str = "</span>";
/// The most characters of an address of mail (RFC 5321: 64, an @, 255).
const MAX_MAIL_CHARS: usize = 320;
/// The most characters of a number with its blanks.
const MAX_NUMBER_CHARS: usize = 40;
/// The most parts that may come back in another order than they were sent in; a translation that moves more has lost some.
const MAX_MOVED: usize = 100;
/// How much longer than its sentence a translation may be: a multiple of its characters and a number of them besides.
const MAX_TIMES_LONGER: usize = 10;
const MAX_MORE_CHARS: usize = 200;
/// Units after a number, the longer first.
const UNITS: [&str; 16] =
    ["km/h", "m²", "km", "cm", "mm", "kg", "ha", "min", "°C", "D+", "D-", "m", "h", "€", "%", "°"];

/// Makes a sentence ready to be sent.
pub fn guard(sentence: &str, format: TextFormat, terms: &[String]) -> Guarded {
    let mut kept = Vec::new();
    let mut sent = String::with_capacity(sentence.len() + 64);
    let mut rest = sentence;
    let mut before = None;
    let last_close = sentence.rfind('>');
    while let Some(c) = rest.chars().next() {
        if format.is_html()
            && c == '<'
            && last_close.is_some_and(|close| close > sentence.len() - rest.len())
            && let Some(end) = rest.find('>')
        {
            sent.push_str(&rest[..=end]);
            rest = &rest[end + 1..];
            before = None;
            continue;
        }
        let length = kept_length(rest, before, terms).unwrap_or(0);
        if length > 0 {
            let part = &rest[..length];
            sent.push_str(OPEN);
            escape(part, format, &mut sent);
            sent.push_str(CLOSE);
            kept.push(part.to_owned());
            before = part.chars().last();
            rest = &rest[length..];
            continue;
        }
        escape(&rest[..c.len_utf8()], format, &mut sent);
        before = Some(c);
        rest = &rest[c.len_utf8()..];
    }
    let html = if format.is_html() { sent.contains(['<', '&']) } else { !kept.is_empty() };
    let tags = if format.is_html() { sorted_tags(sentence) } else { Vec::new() };
    // A plain sentence without protected parts is sent unchanged.
    let sent = if html { sent } else { sentence.to_owned() };
    Guarded { sent, html, format, kept, tags }
}

fn escape(words: &str, format: TextFormat, out: &mut String) {
    if format.is_html() {
        return out.push_str(words);
    }
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
}

/// Length of the protected part that begins here.
fn kept_length(rest: &str, before: Option<char>, terms: &[String]) -> Option<usize> {
    let begins_word = before.is_none_or(|c| !c.is_alphanumeric());
    placeholder(rest)
        .or_else(|| begins_word.then(|| address(rest)).flatten())
        .or_else(|| begins_word.then(|| measure(rest)).flatten())
        .or_else(|| begins_word.then(|| term(rest, terms)).flatten())
}

/// `[ID_OBJET]`, `{{name}}`, `{name}`.
fn placeholder(rest: &str) -> Option<usize> {
    let (close, is_one): (&str, fn(char) -> bool) = if rest.starts_with('[') {
        ("]", |c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    } else if rest.starts_with("{{") {
        ("}}", |c| c.is_ascii_alphanumeric() || "_. {".contains(c))
    } else if rest.starts_with('{') {
        ("}", |c| c.is_ascii_alphanumeric() || c == '_')
    } else {
        return None;
    };
    // A name has at most 60 bytes: the search stops there, and the next bracket is checked afterwards.
    let near = &rest.as_bytes()[..rest.len().min(64)];
    let end = near.windows(close.len()).position(|bytes| bytes == close.as_bytes())?;
    let name = &rest[1..end];
    (!name.is_empty() && name.len() <= 60 && name.chars().all(is_one)).then_some(end + close.len())
}

/// An address of the web or of mail.
fn address(rest: &str) -> Option<usize> {
    let starts_link = |text: &str| ["http://", "https://", "www."].iter().any(|start| text.starts_with(start));
    let is_link = starts_link(rest);
    // A text that is not a link is checked only up to the longest possible e-mail address.
    let longest = if is_link { usize::MAX } else { MAX_MAIL_CHARS };
    let ends = |c: char| c.is_whitespace() || "<>\"«»".contains(c);
    let end = rest.char_indices().take(longest).find(|(_, c)| ends(*c)).map(|(at, _)| at);
    let end = end.or_else(|| (is_link || rest.len() <= MAX_MAIL_CHARS).then_some(rest.len()))?;
    let word = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
    let is_mail = || word.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    ((is_link && starts_link(word)) || is_mail()).then_some(word.len())
}

/// A number with its unit: `12,5 km`, `1 200 m`, `3 h 30`.
fn measure(rest: &str) -> Option<usize> {
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let blank = |c: char| matches!(c, ' ' | '\u{a0}' | '\u{202f}');
    let mut end = 0;
    let mut chars = rest.char_indices().take(MAX_NUMBER_CHARS).peekable();
    while let Some((at, c)) = chars.next() {
        let digit_follows = chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if c.is_ascii_digit() || ((blank(c) || c == ',' || c == '.') && digit_follows) {
            end = at + c.len_utf8();
        } else {
            break;
        }
    }
    let after = rest[end..].trim_start_matches(blank);
    let gap = rest.len() - end - after.len();
    let unit = UNITS.iter().find(|unit| {
        after.strip_prefix(**unit).is_some_and(|tail| !tail.starts_with(|c: char| c.is_alphanumeric() && **unit != "h"))
    })?;
    let mut length = end + gap + unit.len();
    if *unit == "h" {
        let tail = rest[length..].trim_start_matches(blank);
        let minutes = tail.chars().take(MAX_NUMBER_CHARS).take_while(char::is_ascii_digit).count();
        if minutes > 0 {
            length = rest.len() - tail.len() + minutes;
        } else if tail.len() == rest.len() - length && tail.starts_with(char::is_alphanumeric) {
            return None;
        }
    }
    Some(length)
}

/// The longest protected name that begins here, whole.
fn term(rest: &str, terms: &[String]) -> Option<usize> {
    let whole =
        |term: &&String| rest.strip_prefix(term.as_str()).is_some_and(|tail| !tail.starts_with(char::is_alphanumeric));
    terms.iter().filter(|term| !term.is_empty()).filter(whole).map(String::len).max()
}

impl Guarded {
    /// The sentence of what came back, and whether something that was to be kept is lost. Of an answer that is empty, or far too long
    /// for its sentence, there are no words.
    pub fn restored(&self, came: &str) -> (String, bool) {
        let max = self.sent.chars().count() * MAX_TIMES_LONGER + MAX_MORE_CHARS;
        if came.chars().count() > max {
            return (String::new(), true);
        }
        let (words, lost) = self.in_place(came);
        let lost = lost || words.is_empty();
        (words, lost)
    }

    /// The words of an answer with what was protected, and whether a part or a tag is missing.
    fn in_place(&self, came: &str) -> (String, bool) {
        if !self.html {
            let mut words = String::with_capacity(came.len());
            // A plain answer may hold what would be markup in a rich text.
            if self.format.is_html() {
                escape(came, TextFormat::Plain, &mut words);
            } else {
                words.push_str(came);
            }
            return (words.trim().to_owned(), false);
        }
        let (mut words, found) = self.unwrapped(came);
        if !self.format.is_html() {
            words = crate::html::decode_entities(&crate::html::plain(&words));
        }
        let lost = found > self.kept.len() || (self.format.is_html() && sorted_tags(&words) != self.tags);
        (words.trim().to_owned(), lost || self.is_missing_from(words))
    }

    /// Whether a part that must come back is not there. Each is searched from the one before on, and from the start where it was
    /// moved: that costs a search of the whole text, so that the number of moved parts is limited.
    fn is_missing_from(&self, mut left: String) -> bool {
        let (mut from, mut moved) = (0, 0);
        for part in &self.kept {
            let ahead = left[from..].find(part.as_str()).map(|at| from + at);
            moved += usize::from(ahead.is_none());
            let Some(at) = ahead.or_else(|| left.find(part.as_str()).filter(|_| moved <= MAX_MOVED)) else {
                return true;
            };
            // Of the same length, so that nothing after it moves.
            left.replace_range(at..at + part.len(), &"\u{0}".repeat(part.len()));
            from = at + part.len();
        }
        false
    }

    /// Removes the wrapping. A protected part that was translated all the same is restored, where its original is known.
    fn unwrapped(&self, came: &str) -> (String, usize) {
        let mut out = String::with_capacity(came.len());
        let mut rest = came;
        let mut found = 0;
        let as_sent: Vec<String> = self
            .kept
            .iter()
            .map(|part| {
                let mut sent = String::new();
                escape(part, self.format, &mut sent);
                sent
            })
            .collect();
        let known: HashSet<&str> = as_sent.iter().map(String::as_str).collect();
        let total = came.matches(r#"translate="no""#).count();
        while let Some(start) = rest.find("<span") {
            let Some(open_end) = rest[start..].find('>').map(|at| start + at + 1) else { break };
            if !rest[start..open_end].contains(r#"translate="no""#) {
                out.push_str(&rest[..open_end]);
                rest = &rest[open_end..];
                continue;
            }
            let Some(close) = rest[open_end..].find(CLOSE).map(|at| open_end + at) else { break };
            out.push_str(&rest[..start]);
            let inside = &rest[open_end..close];
            match as_sent.get(found) {
                Some(part) if !known.contains(inside) && total == as_sent.len() => out.push_str(part),
                _ => out.push_str(inside),
            }
            found += 1;
            rest = &rest[close + CLOSE.len()..];
        }
        out.push_str(rest);
        (out, found)
    }
}

#[cfg(test)]
mod tests {
    use super::TextFormat::{Html, Plain};
    use super::*;

    fn kept(sentence: &str, format: TextFormat) -> Vec<String> {
        let terms = ["Lac Bleu".to_owned(), "Lac".to_owned(), "Moulin".to_owned()];
        guard(sentence, format, &terms).kept
    }

    #[test]
    fn placeholders_addresses_measures_and_names_are_kept() {
        assert_eq!(kept("Voir [ID_OBJET] ou {{nom}} et {x}.", Plain), ["[ID_OBJET]", "{{nom}}", "{x}"]);
        assert_eq!(kept("Sur https://lac.fr/a?b=c, ou a@b.fr.", Plain), ["https://lac.fr/a?b=c", "a@b.fr"]);
        assert_eq!(
            kept("À 12,5 km, 1 200 m de D+, 3 h 30, 2h15, 80 %, 45 min.", Plain),
            ["12,5 km", "1 200 m", "3 h 30", "2h15", "80 %", "45 min"]
        );
        assert_eq!(kept("Le Lac Bleu et le Lac, pas les Lacs ni 3 moutons.", Plain), ["Lac Bleu", "Lac"]);
        assert_eq!(kept("[voir la carte] 3 maisons, 12 h", Plain), ["12 h"]);
        assert_eq!(kept("<a href=\"https://lac.fr/12 km\">Moulin</a>", Html), ["Moulin"]);
    }

    #[test]
    fn a_sentence_comes_back_with_all_that_was_kept() {
        let guarded = guard("R&D au Lac Bleu : 3 < 4 à 12 km", Plain, &["Lac Bleu".to_owned()]);
        assert!(guarded.html && guarded.sent.contains("R&amp;D") && guarded.sent.contains("3 &lt; 4"));
        let answer = guarded.sent.replace(" au ", " at ").replace(" à ", " in ");
        assert_eq!(guarded.restored(&answer), ("R&D at Lac Bleu : 3 < 4 in 12 km".to_owned(), false));
        let translated = answer.replace("Lac Bleu", "Blue Lake");
        assert_eq!(
            guarded.restored(&translated).0,
            "R&D at Lac Bleu : 3 < 4 in 12 km",
            "what was translated inside is put back"
        );
        assert!(guarded.restored("R&amp;D at the lake").1, "a lost part is reported");
    }

    #[test]
    fn a_plain_answer_holds_no_markup() {
        let guarded = guard("Le chemin", Plain, &[]);
        assert_eq!((guarded.html, guarded.restored("The path ").0.as_str()), (false, "The path"));
        assert_eq!(guard("Le chemin", Html, &[]).restored("A < B").0, "A &lt; B");
        let rich = guard("Le <strong>chemin</strong>", Html, &[]);
        assert_eq!(rich.restored("The <strong>path</strong>").0, "The <strong>path</strong>");
    }

    #[test]
    fn an_answer_that_is_empty_or_far_too_long_has_no_words() {
        for format in [Plain, Html] {
            let guarded = guard("Le chemin", format, &[]);
            assert_eq!(guarded.restored(" \n"), (String::new(), true));
            assert_eq!(guarded.restored(&"é".repeat(291)), (String::new(), true));
            assert_eq!(guarded.restored(&"é".repeat(290)), ("é".repeat(290), false));
        }
        assert_eq!(guard("À 12 km", Plain, &[]).restored(""), (String::new(), true));
    }

    #[test]
    fn tags_and_addresses_of_links_that_do_not_come_back_are_lost() {
        let sentence =
            r#"Voir <a href="https://lac.fr/?a=1&amp;b=2" rel="noopener">le <strong>lac</strong></a> & le col."#;
        let guarded = guard(sentence, Html, &[]);
        let lost = |came: &str| guarded.restored(came).1;
        assert!(!lost(&guarded.sent.replace("Voir", "See")));
        // The same tags in another order, written in another way.
        assert!(!lost("The <STRONG>lake</STRONG>: see <a rel='noopener' href='https://lac.fr/?a=1&b=2'>it</a>."));
        for came in [
            "See the <strong>lake</strong> & the pass.",
            r#"See <a href="https://lac.fr/?a=1&amp;b=2">the lake</a> & the pass."#,
            r#"See <a href="https://lac.fr/">the <strong>lake</strong></a> & the pass."#,
            "See <a>the <strong>lake</strong></a> & the pass.",
            r#"See <a href="https://lac.fr/?a=1&amp;b=2">the <strong>lake</a> & the pass."#,
            r#"See <a href="https://lac.fr/?a=1&amp;b=2">the <strong>lake</strong></a> & <em>the</em> pass."#,
        ] {
            assert!(lost(came), "{came}");
        }
    }
}
